//! Balls that roll.

use super::*;

fn roll(friction: Fx, resistance: Fx, velocity: Vec3, ticks: u32) -> (World, BodyHandle) {
    let mut world = world(true);
    let material = Material { rolling_resistance: resistance, ..surface(friction, ZERO) };
    add_ground(&mut world, material);
    let body = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), ball(HALF), material);
    steps(&mut world, 30);
    world.set_velocity(body, velocity, Vec3::ZERO).unwrap();
    steps(&mut world, ticks);
    (world, body)
}

#[test]
fn a_ball_that_slides_first_rolls_with_five_sevenths_of_its_speed() {
    for direction in [Vec3::X, Vec3::Z, vec3(fx!(0.6), ZERO, fx!(-0.8)), vec3(fx!(-0.8), ZERO, fx!(-0.6))] {
        for (friction, speed) in [(fx!(0.2), fx!(5)), (fx!(0.6), fx!(10)), (fx!(1), fx!(2))] {
            let (world, body) = roll(friction, ZERO, direction * speed, 300);
            let view = world.body(body).unwrap();
            let expected = direction * speed * fx!(5) / fx!(7);
            assert_within(view.linear_velocity(), expected, speed * fx!(0.002), "velocity");
            // Without slipping: v = ω × (r up).
            let rim = view.angular_velocity().cross(Vec3::Y * HALF);
            assert_within(rim, view.linear_velocity(), fx!(0.002), "the point of contact rests");
        }
    }
}

#[test]
fn without_resistance_a_rolling_ball_rolls_on() {
    let (mut world, body) = roll(fx!(0.6), ZERO, Vec3::X * fx!(7), 120);
    let before = world.body(body).unwrap().linear_velocity().x;
    steps(&mut world, 600);
    assert_near(world.body(body).unwrap().linear_velocity().x, before, fx!(0.001), "speed");
}

#[test]
fn with_resistance_a_rolling_ball_comes_to_rest_where_it_should() {
    // A torque of c m g against 7/5 m r² ω': v' = 5/7 g c / r.
    for direction in [Vec3::X, vec3(fx!(0.6), ZERO, fx!(-0.8)), vec3(-HALF.sqrt(), ZERO, HALF.sqrt())] {
        for resistance in [fx!(0.01), fx!(0.05)] {
            let (mut world, body) = roll(fx!(0.8), resistance, direction * fx!(4), 60);
            let (start, v) = {
                let view = world.body(body).unwrap();
                (view.position(), view.linear_velocity().length())
            };
            let expected = v * v / (fx!(19.62) * fx!(5) / fx!(7) * resistance / HALF);
            steps(&mut world, 3000);
            let view = world.body(body).unwrap();
            let way = view.position() - start;
            assert_near(way.length(), expected, fx!(0.02), "way");
            assert!(way.cross(direction).length() < expected * fx!(0.01), "{way}");
            assert!(view.linear_velocity().length() < fx!(0.0001), "{}", view.linear_velocity());
            assert!(view.angular_velocity().length() < fx!(0.0001), "{}", view.angular_velocity());
        }
    }
}

#[test]
fn a_ball_with_resistance_falls_asleep() {
    let material = Material { rolling_resistance: fx!(0.05), ..Material::default() };
    let mut world = World::new(WorldConfig::default()).unwrap();
    add_ground(&mut world, Material::default());
    let def = BodyDef::dynamic(vec3(ZERO, fx!(1.5), ZERO)).moving(vec3(fx!(2), ZERO, fx!(1)));
    let body = add(&mut world, def, ball(HALF), material);
    steps(&mut world, 600);
    assert!(world.body(body).unwrap().is_asleep());
}

#[test]
fn a_ball_on_a_slope_is_held_by_enough_resistance_and_rolls_with_less() {
    // It rolls if r sin > c cos.
    for (resistance, holds) in [(fx!(0.06), true), (fx!(0.04), false)] {
        let (sin, cos) = fx!(0.1).sin_cos();
        let gravity = vec3(sin, -cos, ZERO) * fx!(9.81);
        let config = WorldConfig { sleeping: false, gravity, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        let material = Material { rolling_resistance: resistance, ..Material::default() };
        add_ground(&mut world, material);
        let body = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), ball(HALF), material);
        steps(&mut world, 300);
        let way = world.body(body).unwrap().position().x;
        assert_eq!(way.abs() < fx!(0.01), holds, "resistance {resistance}: {way} m");
    }
}

#[test]
fn resistance_acts_between_two_that_move_and_keeps_their_angular_momentum() {
    // Two balls pressed together turn against each other: only the difference of their turns is braked.
    let mut world = world(false);
    let material = Material { rolling_resistance: fx!(0.2), ..surface(ZERO, ZERO) };
    let bodies = [(fx!(-0.49), fx!(8)), (fx!(0.49), fx!(-2))].map(|(x, turn)| {
        let def = BodyDef::dynamic(Vec3::X * x).turning(Vec3::Y * turn);
        add(&mut world, def, ball(HALF), material)
    });
    for _ in 0..120 {
        let push = world.body(bodies[0]).unwrap().mass().unwrap() * fx!(20);
        world.apply_force(bodies[0], Vec3::X * push).unwrap();
        world.apply_force(bodies[1], Vec3::X * -push).unwrap();
        world.step();
    }
    let turns = bodies.map(|body| world.body(body).unwrap().angular_velocity().y);
    assert!(turns[0].abs_diff_eq(fx!(3), fx!(0.01)) && turns[1].abs_diff_eq(fx!(3), fx!(0.01)), "{turns:?}");
}

#[test]
fn a_capsule_in_a_slot_between_two_boxes_comes_to_rest_along_it() {
    for turn in [Quat::from_rotation_y(fx!(0.001)), Quat::from_rotation_z(fx!(0.01)), Quat::IDENTITY] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let material = surface(fx!(0.6), ZERO);
        for side in [fx!(1.2), fx!(-1.2)] {
            let table = Obb::from_half_extents(vec3(fx!(4), fx!(1), fx!(1))).unwrap();
            add(&mut world, BodyDef::fixed(vec3(ZERO, fx!(-1), side)), table, material);
        }
        let capsule = Capsule::new(Vec3::X * -HALF, Vec3::X * HALF, fx!(0.25)).unwrap();
        let def = BodyDef { pose: Pose::new(turn, Vec3::Y * fx!(0.16)), ..BodyDef::default() };
        let body = add(&mut world, def, capsule, material);
        steps(&mut world, 300);
        let view = world.body(body).unwrap();
        assert!(
            view.is_asleep(),
            "{turn}: {} m/s, {} rad/s",
            view.linear_velocity(),
            view.angular_velocity()
        );
        // √(0.25² − 0.2²).
        assert_near(view.position().y, fx!(0.15), fx!(0.001), "height");
        let along = view.pose().rotation * Vec3::X;
        assert_near(along.x, Fx::ONE, fx!(0.0001), "direction");
    }
}
