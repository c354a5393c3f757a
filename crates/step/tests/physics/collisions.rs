//! Balls that meet, and balls that bounce.

use super::*;

/// Two balls of masses 1 and `ratio` kg that meet head-on or off centre: velocities after, and before.
struct Collision {
    masses: [Fx; 2],
    before: [Vec3; 2],
    after: [Vec3; 2],
    spins: [Vec3; 2],
}

fn collide(ratio: Fx, restitution: Fx, friction: Fx, offset: Vec3, velocities: [Vec3; 2]) -> Collision {
    let mut world = world(false);
    let masses = [Fx::ONE, ratio];
    let positions = [Vec3::X * fx!(-2), Vec3::X * fx!(2) + offset];
    let bodies = [0, 1].map(|i| {
        let def = BodyDef { mass: Some(masses[i]), ..BodyDef::dynamic(positions[i]).moving(velocities[i]) };
        add(&mut world, def, ball(HALF), surface(friction, restitution))
    });
    steps(&mut world, 120);
    let after = bodies.map(|body| world.body(body).unwrap().linear_velocity());
    let spins = bodies.map(|body| world.body(body).unwrap().angular_velocity());
    Collision { masses, before: velocities, after, spins }
}

impl Collision {
    fn momentum(&self, velocities: [Vec3; 2]) -> Vec3 {
        velocities[0] * self.masses[0] + velocities[1] * self.masses[1]
    }

    /// Of both balls, with ⅖ m r² ω² for their rotation.
    fn energy(&self, velocities: [Vec3; 2], spins: [Vec3; 2]) -> Fx {
        (0..2)
            .map(|i| {
                let turn = spins[i].length_squared() * fx!(0.1);
                (velocities[i].length_squared() + turn) * self.masses[i] * HALF
            })
            .sum()
    }

    #[track_caller]
    fn assert_momentum(&self) {
        let scale: Fx = (0..2).map(|i| self.before[i].length() * self.masses[i]).sum();
        let off = self.momentum(self.after).distance(self.momentum(self.before));
        assert!(off <= scale >> 20, "momentum is off by {off} of {scale}");
    }
}

const RATIOS: [Fx; 5] = [fx!(1), fx!(2), fx!(7.3), fx!(100), fx!(0.01)];
const APPROACH: [Vec3; 2] = [vec3(fx!(6), fx!(0.5), ZERO), vec3(fx!(-4), fx!(0.5), ZERO)];

#[test]
fn elastic_balls_keep_momentum_to_a_millionth_and_energy_to_a_thousandth() {
    for ratio in RATIOS {
        for offset in [Vec3::ZERO, vec3(ZERO, fx!(0.4), fx!(-0.3))] {
            let result = collide(ratio, Fx::ONE, ZERO, offset, APPROACH);
            result.assert_momentum();
            let (before, after) =
                (result.energy(result.before, [Vec3::ZERO; 2]), result.energy(result.after, result.spins));
            assert_near(after, before, fx!(0.001), "energy");
            assert!(result.before[0].distance(result.after[0]) > fx!(0.05), "they met");
        }
    }
}

#[test]
fn elastic_balls_that_meet_head_on_swap_velocities_by_their_masses() {
    for ratio in RATIOS {
        let result = collide(ratio, Fx::ONE, ZERO, Vec3::ZERO, APPROACH);
        let center = result.momentum(result.before).x / (Fx::ONE + ratio);
        for i in 0..2 {
            let expected = center * fx!(2) - result.before[i].x;
            assert!(
                result.after[i].x.abs_diff_eq(expected, fx!(0.002)),
                "{ratio}: {} {expected}",
                result.after[i].x
            );
        }
    }
}

#[test]
fn inelastic_balls_stay_together_and_keep_momentum() {
    for ratio in RATIOS {
        let result = collide(ratio, ZERO, ZERO, Vec3::ZERO, APPROACH);
        result.assert_momentum();
        assert!(result.after[0].x.abs_diff_eq(result.after[1].x, fx!(0.0001)), "{ratio}");
    }
}

#[test]
fn rough_balls_that_graze_each_other_keep_momentum_and_lose_energy() {
    for ratio in RATIOS {
        let result = collide(ratio, HALF, fx!(0.6), vec3(ZERO, fx!(0.6), fx!(0.2)), APPROACH);
        result.assert_momentum();
        let (before, after) =
            (result.energy(result.before, [Vec3::ZERO; 2]), result.energy(result.after, result.spins));
        assert!(after < before, "{before} {after}");
        assert!(result.spins[0].length() > fx!(0.1), "friction turned them");
    }
}

#[test]
fn the_speed_of_parting_is_the_restitution_of_that_of_approach() {
    for restitution in [fx!(0.1), fx!(0.25), HALF, fx!(0.75), fx!(0.9)] {
        for ratio in RATIOS {
            let result = collide(ratio, restitution, ZERO, Vec3::ZERO, APPROACH);
            let parting = result.after[1].x - result.after[0].x;
            assert_near(parting, fx!(10) * restitution, fx!(0.001), "parting");
        }
    }
}

#[test]
fn bounces_rise_to_the_square_of_the_restitution_within_two_per_cent() {
    for height in [fx!(0.5), fx!(1), fx!(3.3), fx!(10), fx!(40)] {
        for restitution in [fx!(0.4), fx!(0.6), fx!(0.8), fx!(0.95), Fx::ONE] {
            let mut world = world(true);
            add_ground(&mut world, surface(HALF, ZERO));
            let start = vec3(ZERO, height + HALF, ZERO);
            let body = add(&mut world, BodyDef::dynamic(start), ball(HALF), surface(HALF, restitution));
            // Until it moves up, then until it moves down again.
            for rises in [true, false] {
                let mut ticks = 0;
                while (world.body(body).unwrap().linear_velocity().y > ZERO) != rises || ticks == 0 {
                    world.step();
                    ticks += 1;
                    assert!(ticks < 1000, "no bounce");
                }
            }
            // The apex is within the last tick: y + v² / 2g.
            let view = world.body(body).unwrap();
            let apex = view.position().y - HALF + view.linear_velocity().y.squared() / fx!(19.62);
            let expected = height * restitution.squared();
            assert_near(apex, expected, fx!(0.02), &format!("from {height} with {restitution}"));
        }
    }
}

/// Fifteen balls in a triangle, half a thousandth of a diameter apart, and one that hits the first of them with 8 m/s: the momenta of
/// all by their mass, after a second.
fn break_a_rack(radius: Fx, sleeping: bool) -> Vec3 {
    let config = WorldConfig { sleeping, gravity: Vec3::ZERO, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let across = radius * fx!(2.001);
    let material = surface(ZERO, fx!(0.95));
    let mut balls = Vec::new();
    for row in 0..5 {
        for place in 0..=row {
            let z = across * (Fx::from_int(place) - Fx::from_int(row) * HALF);
            let center = vec3(across * fx!(0.8660254) * Fx::from_int(row), ZERO, z);
            balls.push(add(&mut world, BodyDef::dynamic(center), ball(radius), material));
        }
    }
    steps(&mut world, 40);
    assert_eq!(world.bodies().all(|body| body.is_asleep()), sleeping);
    let cue = BodyDef::dynamic(Vec3::X * fx!(-2)).moving(Vec3::X * fx!(8));
    balls.push(add(&mut world, cue, ball(radius), material));
    steps(&mut world, 60);
    balls.iter().map(|&ball| world.body(ball).unwrap().linear_velocity()).sum()
}

#[test]
fn a_rack_that_sleeps_breaks_as_one_that_is_awake() {
    for radius in [fx!(0.02857), fx!(0.1), fx!(0.5)] {
        let [asleep, awake] = [true, false].map(|sleeping| break_a_rack(radius, sleeping));
        assert_eq!(asleep, awake, "of balls of {radius} m");
        assert!(awake.abs_diff_eq(Vec3::X * fx!(8), fx!(0.0001)), "of balls of {radius} m: {awake}");
    }
}

#[test]
fn who_is_awake_beside_sleepers_and_is_hit_wakes_them() {
    // A ball that may not sleep lies a millimetre from a row of sleepers, and one of 6 m/s comes from the other side.
    let config = WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let material = surface(ZERO, Fx::ONE);
    let place = |index: i32| vec3(Fx::from_int(index) * fx!(1.001), ZERO, ZERO);
    let balls = [0, 1, 2, 3].map(|index| {
        let def = BodyDef { can_sleep: index > 0, ..BodyDef::dynamic(place(index)) };
        add(&mut world, def, ball(HALF), material)
    });
    steps(&mut world, 40);
    assert_eq!(balls.map(|ball| world.body(ball).unwrap().is_asleep()), [false, true, true, true]);
    let cue = BodyDef::dynamic(Vec3::X * fx!(-3)).moving(Vec3::X * fx!(6));
    let cue = add(&mut world, cue, ball(HALF), material);
    steps(&mut world, 60);
    let all = balls.iter().chain([&cue]).map(|&ball| world.body(ball).unwrap().linear_velocity());
    let momentum: Vec3 = all.sum();
    assert!(momentum.abs_diff_eq(Vec3::X * fx!(6), fx!(0.0001)), "{momentum}");
}
