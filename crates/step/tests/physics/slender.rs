//! What is long and thin: it turns about its length a hundred or a thousand times as easily as about others.

use super::*;
use isostep_collision::Capsule;
use isostep_math::random::Rng;

/// A metre long.
const fn stick(thickness: Fx) -> Vec3 {
    let half = Fx::from_bits(thickness.to_bits() / 2);
    vec3(HALF, half, half)
}

/// Sticks that fall, one half a metre above the other, any way around, and what they are.
fn falling(world: &mut World, rng: &mut Rng, half: Vec3, friction: Fx, count: i32) -> Vec<BodyHandle> {
    let material = surface(friction, ZERO);
    add_ground(world, material);
    let shape = Obb::from_half_extents(half).unwrap();
    let mut drop = |height: Fx| {
        let mut off = || rng.fx_range(fx!(-0.1), fx!(0.1));
        let at = vec3(off(), height, off());
        add(world, BodyDef::dynamic(at).rotated(rng.unit_quat()), shape, material)
    };
    (0..count).map(|index| drop(fx!(1) + Fx::from_ratio(index.into(), 2))).collect()
}

/// What they have together, by the mass of one.
fn energies(world: &World, half: Vec3, sticks: &[BodyHandle]) -> Fx {
    let of = |&stick: &BodyHandle| {
        let view = world.body(stick).unwrap();
        let velocities = [view.linear_velocity(), view.angular_velocity()];
        energy(half, view.rotation(), velocities) + view.position().y * fx!(9.81)
    };
    sticks.iter().map(of).sum()
}

/// Lets so many sticks fall in so many worlds of each thickness and friction.
fn each_fall(seed: u64, worlds: u32, count: i32, check: impl Fn(World, Fx, Vec3, &[BodyHandle])) {
    let mut rng = Rng::new(seed, 0);
    for thickness in [fx!(0.03), fx!(0.01), fx!(0.003), fx!(0.001)] {
        for friction in [ZERO, fx!(0.4)] {
            for _ in 0..worlds {
                let (mut world, half) = (world(true), stick(thickness));
                let sticks = falling(&mut world, &mut rng, half, friction, count);
                check(world, thickness, half, &sticks);
            }
        }
    }
}

/// With rows that had no room for how a stick turns about its length, one of 1 cm that fell could have six times its energy
/// after a hit.
#[test]
fn a_stick_that_falls_gains_no_energy_and_comes_to_rest() {
    each_fall(17, 4, 1, |mut world, thickness, half, sticks| {
        let mut last = energies(&world, half, sticks);
        for tick in 0..240 {
            world.step();
            let now = energies(&world, half, sticks);
            // What is pushed out of the ground is lifted a little.
            assert!(now < last * fx!(1.03) + fx!(0.3), "{thickness} at {tick}: {last} became {now}");
            last = now;
        }
        let view = world.body(sticks[0]).unwrap();
        let velocity = view.linear_velocity();
        assert!(velocity.length() < fx!(0.05), "{thickness}: {velocity}");
        assert!(view.position().y < thickness, "{thickness}: it lies at {}", view.position());
    });
}

#[test]
fn sticks_that_fall_on_each_other_gain_no_energy() {
    each_fall(18, 3, 5, |mut world, thickness, half, sticks| {
        let start = energies(&world, half, sticks);
        for tick in 0..240 {
            world.step();
            let now = energies(&world, half, sticks);
            assert!(now < start * fx!(1.02), "{thickness} at {tick}: {start} became {now}");
        }
    });
}

/// A rod at the greatest speeds: three radians a tick, and eight where the world allows for it.
#[test]
fn a_rod_that_spins_fast_keeps_its_energy_and_its_angular_momentum() {
    for (most, speed) in [(fx!(200), fx!(60)), (fx!(200), fx!(190)), (fx!(500), fx!(490))] {
        for along in [fx!(0.2), fx!(0.9), fx!(0.999)] {
            let config =
                WorldConfig { gravity: Vec3::ZERO, max_angular_speed: most, ..WorldConfig::default() };
            let mut world = World::new(WorldConfig { sleeping: false, ..config }).unwrap();
            let half = stick(fx!(0.05));
            let turn = vec3(along, (Fx::ONE - along * along).sqrt(), ZERO) * speed;
            let def = BodyDef::dynamic(Vec3::ZERO).turning(turn);
            let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), Material::default());
            let state = |world: &World| {
                let view = world.body(body).unwrap();
                let turn = view.angular_velocity();
                let momentum = spin::momentum(view.rotation(), turn, half);
                (energy(half, view.rotation(), [Vec3::ZERO, turn]), momentum)
            };
            let (start, momentum) = state(&world);
            for _ in 0..600 {
                world.step();
            }
            let (end, turned) = state(&world);
            let what = format!("{speed} rad/s, {along} of it along the rod");
            assert_near(end, start, fx!(0.001), &what);
            assert_near(turned.length(), momentum.length(), fx!(0.03), &what);
            assert!(turned.angle_between(momentum) < fx!(0.01), "{what}: {momentum} became {turned}");
        }
    }
}

/// Sticks that cross touch with a face of each, four corners a few centimetres apart; edges that cross have one point, on one
/// side of both, from which sticks roll to the other side within a tick.
#[test]
fn sticks_that_lie_across_each_other_come_to_rest() {
    let (mut rng, mut asleep) = (Rng::new(23, 0), 0);
    for _ in 0..20 {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let material = surface(HALF, ZERO);
        add_ground(&mut world, material);
        let shape = Obb::from_half_extents(stick(fx!(0.03))).unwrap();
        let sticks = (0..8).map(|index| {
            let mut part = |most: Fx| rng.fx_range(-most, most);
            let at = vec3(part(fx!(0.1)), fx!(0.3) + fx!(0.2) * Fx::from_int(index), part(fx!(0.1)));
            let rotation = Quat::from_rotation_y(part(fx!(3))) * Quat::from_rotation_x(part(fx!(0.3)));
            add(&mut world, BodyDef::dynamic(at).rotated(rotation.normalize()), shape, material)
        });
        let sticks: Vec<_> = sticks.collect();
        (0..1200).for_each(|_| world.step());
        asleep += usize::from(sticks.iter().all(|&stick| world.body(stick).unwrap().is_asleep()));
    }
    // It was one in seven.
    assert!(asleep >= 14, "{asleep} of 20 heaps are asleep after 20 s");
}

/// Halfway between the anchors of a contact friction would have an arm of half the depth.
#[test]
fn what_is_put_deep_into_the_ground_comes_out_no_faster_than_it_is_pushed() {
    let shapes: [Shape; 4] = [
        Obb::from_half_extents(Vec3::splat(HALF)).unwrap().into(),
        Obb::from_half_extents(vec3(fx!(1), fx!(0.05), fx!(0.05))).unwrap().into(),
        Capsule::along_y(HALF, fx!(0.4)).unwrap().into(),
        Capsule::along_y(HALF, fx!(0.1)).unwrap().into(),
    ];
    let mut rng = Rng::new(33, 0);
    let mut world = world(true);
    let material = surface(fx!(0.6), ZERO);
    add_ground(&mut world, material);
    let mut bodies = Vec::new();
    for (row, depth) in [fx!(3), fx!(6), fx!(20), fx!(60)].into_iter().enumerate() {
        for column in 0..40 {
            let at = vec3(Fx::from(column as i32 * 5), -depth, Fx::from(row as i32 * 5));
            let def = BodyDef::dynamic(at).rotated(rng.unit_quat());
            bodies.push((add(&mut world, def, shapes[column % 4], material), at.y));
        }
    }
    for tick in 1..=240 {
        world.step();
        // 3 m/s, and what a tumbling stick has at its middle.
        let most = Fx::from_ratio(tick * 3, 60) + fx!(1.5);
        for &(body, from) in &bodies {
            let view = world.body(body).unwrap();
            assert!(view.linear_velocity().length() < fx!(4), "{:?} from {from}", view.linear_velocity());
            assert!(view.position().y - from < most, "{} from {from} after {tick}", view.position().y);
        }
    }
    for &(body, from) in &bodies {
        let risen = world.body(body).unwrap().position().y - from;
        assert!(risen > fx!(10) || from > fx!(-11) && risen > -from - fx!(0.1), "{risen} from {from}");
    }
}
