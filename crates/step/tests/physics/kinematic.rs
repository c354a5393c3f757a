//! Bodies that go where they are told.

use super::*;
use isostep_collision::Capsule;
use isostep_math::Pose;
use isostep_step::AxisLocks;

fn platform(world: &mut World, position: Vec3) -> BodyHandle {
    let slab = Obb::from_half_extents(vec3(fx!(3), fx!(0.25), fx!(3))).unwrap();
    add(world, BodyDef::kinematic(position), slab, Material::default())
}

#[test]
fn a_target_is_reached_exactly() {
    let mut world = world(true);
    let body = platform(&mut world, Vec3::ZERO);
    for i in 1..=100 {
        let t = Fx::from_ratio(i, 7);
        let pose = Pose::new(
            Quat::from_axis_angle(vec3(fx!(0.6), fx!(0.8), ZERO), t),
            vec3(t.sin() * fx!(3), t.cos(), t),
        );
        world.set_kinematic_target(body, pose).unwrap();
        world.step();
        assert_eq!(world.body(body).unwrap().pose(), pose);
    }
    world.step();
    let view = world.body(body).unwrap();
    assert_eq!((view.linear_velocity(), view.angular_velocity()), (Vec3::ZERO, Vec3::ZERO));
}

#[test]
fn what_a_body_is_told_last_counts() {
    let mut world = world(true);
    let body = platform(&mut world, Vec3::ZERO);
    let bystander = add(&mut world, BodyDef::dynamic(Vec3::Y * fx!(5)), cube(HALF), Material::default());
    let target = Pose::from_translation(Vec3::X * fx!(0.05));
    let respawn = Pose::from_translation(Vec3::Y * fx!(8));
    world.set_kinematic_target(body, target).unwrap();
    world.set_pose(body, respawn).unwrap();
    world.step();
    let view = world.body(body).unwrap();
    assert_eq!((view.pose(), view.linear_velocity()), (respawn, Vec3::ZERO));
    assert!(
        world.body(bystander).unwrap().linear_velocity().length() < fx!(0.2),
        "a teleport pushes nothing"
    );

    world.set_kinematic_target(body, target).unwrap();
    world.set_velocity(body, Vec3::Y * fx!(60), Vec3::ZERO).unwrap();
    world.step();
    assert_eq!(world.body(body).unwrap().position(), Vec3::Y * fx!(9));
    world.set_velocity(body, Vec3::Y * fx!(60), Vec3::ZERO).unwrap();
    world.set_kinematic_target(body, target).unwrap();
    world.step();
    assert_eq!(world.body(body).unwrap().pose(), target);
}

#[test]
fn a_platform_carries_a_box_sideways_and_up() {
    let mut world = world(true);
    let body = platform(&mut world, Vec3::Y * fx!(-0.25));
    let cargo = add(&mut world, BodyDef::dynamic(vec3(HALF, HALF, HALF)), cube(HALF), Material::default());
    steps(&mut world, 30);
    let mut at = Vec3::Y * fx!(-0.25);
    for tick in 0..240 {
        // Up to 1.5 m/s in a second, which 0.6 of friction can do, and up with a quarter of that.
        let speed = fx!(1.5) * seconds(tick + 1).min(Fx::ONE);
        at += vec3(speed, speed / fx!(4), ZERO) / fx!(60);
        world.set_kinematic_target(body, Pose::from_translation(at)).unwrap();
        world.step();
    }
    let view = world.body(cargo).unwrap();
    let relative = view.position() - at;
    assert_within(relative, vec3(HALF, fx!(0.75), HALF), fx!(0.02), "where it stands on the platform");
    assert!(view.linear_velocity().x.abs_diff_eq(fx!(1.5), fx!(0.01)));
}

#[test]
fn a_platform_pushes_a_box_and_nothing_stops_the_platform() {
    let mut world = world(true);
    add_ground(&mut world, Material::default());
    let wall = Obb::from_half_extents(vec3(fx!(0.25), fx!(1), fx!(2))).unwrap();
    let def = BodyDef::kinematic(vec3(fx!(-2), fx!(1.01), ZERO)).moving(Vec3::X * fx!(2));
    let pusher = add(&mut world, def, wall, Material::default());
    let heavy = BodyDef { mass: Some(fx!(50000)), ..BodyDef::dynamic(Vec3::Y * HALF) };
    let heavy = add(&mut world, heavy, cube(HALF), Material::default());
    steps(&mut world, 180);
    let (pusher, heavy) = (world.body(pusher).unwrap(), world.body(heavy).unwrap());
    assert!(pusher.position().x.abs_diff_eq(fx!(4), fx!(0.00001)), "{}", pusher.position());
    assert_eq!(pusher.linear_velocity(), Vec3::X * fx!(2));
    assert!(heavy.position().x.abs_diff_eq(fx!(4.75), fx!(0.01)), "{}", heavy.position());
    assert!(heavy.linear_velocity().x.abs_diff_eq(fx!(2), fx!(0.05)), "{}", heavy.linear_velocity());
}

#[test]
fn what_sleeps_on_a_platform_wakes_when_it_moves_in_any_direction() {
    for direction in [Vec3::X, Vec3::Y, Vec3::NEG_Y, vec3(fx!(0.6), fx!(-0.8), ZERO)] {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = platform(&mut world, Vec3::Y * fx!(-0.25));
        let cargo = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), cube(HALF), Material::default());
        steps(&mut world, 120);
        assert!(world.body(cargo).unwrap().is_asleep());
        world.set_velocity(body, direction, Vec3::ZERO).unwrap();
        steps(&mut world, 90);
        let view = world.body(cargo).unwrap();
        assert!(!view.is_asleep(), "{direction}");
        assert_within(view.linear_velocity(), direction, fx!(0.05), "it goes along");
    }
}

#[test]
fn nothing_falls_asleep_on_a_platform_that_creeps() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let body = platform(&mut world, Vec3::Y * fx!(-0.25));
    let cargo = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), cube(HALF), Material::default());
    world.set_velocity(body, Vec3::X * fx!(0.02), Vec3::ZERO).unwrap();
    for _ in 0..300 {
        world.step();
        assert!(!world.body(cargo).unwrap().is_asleep());
    }
    let apart = world.body(cargo).unwrap().position().x - world.body(body).unwrap().position().x;
    assert!(apart.abs() < fx!(0.001), "{apart}");
}

#[test]
fn a_velocity_that_is_set_after_a_target_holds() {
    let mut world = world(true);
    let body = platform(&mut world, Vec3::ZERO);
    world.set_kinematic_target(body, Pose::from_translation(Vec3::X)).unwrap();
    world.step();
    world.set_velocity(body, Vec3::Y, Vec3::ZERO).unwrap();
    steps(&mut world, 60);
    assert_within(
        world.body(body).unwrap().position(),
        vec3(fx!(1), fx!(1), ZERO),
        fx!(0.000001),
        "position",
    );
}

#[test]
fn a_turning_platform_takes_a_box_around() {
    let mut world = world(true);
    let body = platform(&mut world, Vec3::Y * fx!(-0.25));
    world.set_velocity(body, Vec3::ZERO, Vec3::Y).unwrap();
    let start = BodyDef::dynamic(vec3(fx!(2), HALF, ZERO)).moving(Vec3::Z * fx!(-2)).turning(Vec3::Y);
    let cargo = add(&mut world, start, cube(HALF), Material::default());
    steps(&mut world, 240);
    // 2 m/s² towards the centre are less than 0.6 g.
    let view = world.body(cargo).unwrap();
    let radius = view.position().with_y(ZERO).length();
    // In a tick a box goes along the tangent: outwards by (v t)² / 2r, 0.28 mm of them here, and friction holds
    // velocities, not places.
    assert!(radius > fx!(1.99) && radius < fx!(2.08), "{radius}");
    assert!(view.angular_velocity().y.abs_diff_eq(Fx::ONE, fx!(0.01)));
    let expected = Quat::from_rotation_y(fx!(4));
    assert!(view.rotation().angle_between(expected) < fx!(0.02));
}

/// A disc that turns with an angular velocity in rad/s, and how far from its middle what stands on it from a place on, turning with
/// it, is after ten seconds.
fn carousel(tick_rate: u32, speed: Fx, place: Fx, locks: AxisLocks) -> Fx {
    let config = WorldConfig { tick_rate, sleeping: false, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let material = Material { friction: HALF, ..Material::default() };
    let disc = BodyDef::kinematic(-Vec3::Y).turning(Vec3::Y * speed);
    let shape = Obb::from_half_extents(vec3(fx!(8), fx!(1), fx!(8))).unwrap();
    add(&mut world, disc, shape, material);
    let def = BodyDef { locks, ..BodyDef::dynamic(vec3(place, fx!(0.1), fx!(0))) };
    let turning = if locks == AxisLocks::NONE { speed } else { fx!(0) };
    let def = def.moving(Vec3::NEG_Z * (speed * place)).turning(Vec3::Y * turning);
    let rider = add(&mut world, def, cube(fx!(0.1)), material);
    for _ in 0..10 * tick_rate {
        world.step();
    }
    world.body(rider).unwrap().position().with_y(fx!(0)).length()
}

/// Nothing drifts outwards by ω² r times half the length of a tick, 12 mm a second at 60 ticks a second and 1.5 m/s².
#[test]
fn what_rides_on_a_carousel_stays_where_it_is_as_long_as_friction_holds() {
    let rides = |tick_rate, speed: Fx, place: Fx, locks, most: Fx| {
        assert!(speed * speed * place < fx!(4));
        let after = carousel(tick_rate, speed, place, locks);
        assert!(after.abs_diff_eq(place, most), "{speed} rad/s, {tick_rate} Hz: from {place} to {after} m");
    };
    rides(60, HALF, fx!(4), AxisLocks::NONE, fx!(0.001));
    rides(60, fx!(1), fx!(1.5), AxisLocks::NONE, fx!(0.001));
    rides(60, fx!(7), fx!(0.05), AxisLocks::NONE, fx!(0.001));
    rides(20, fx!(1), fx!(1.5), AxisLocks::NONE, fx!(0.04));
    rides(60, HALF, fx!(4), AxisLocks::ROTATION, fx!(0.001));
    rides(60, fx!(1), fx!(1.5), AxisLocks::ROTATION, fx!(0.02));
    // The turn of a tick comes in its first substep, which is more than friction holds from a quarter of its greatest force on.
    rides(60, fx!(1.6), fx!(1.5), AxisLocks::NONE, fx!(0.06));
    // 5.4 m/s² are more than a friction of a half holds.
    assert!(carousel(60, fx!(1.9), fx!(1.5), AxisLocks::NONE) > fx!(8));
}

/// A roller under a plank pulls it along up to the speed of its surface, and neither throws it up nor takes it in.
#[test]
fn a_roller_carries_by_the_speed_of_its_surface() {
    for speed in [fx!(2), fx!(7), fx!(14), fx!(60)] {
        let mut world = world(true);
        let material = Material { friction: fx!(0.8), ..Material::default() };
        let roller = BodyDef::kinematic(Vec3::NEG_Y).turning(Vec3::NEG_Z * speed);
        let along = Vec3::Z * fx!(4);
        add(&mut world, roller, Capsule::new(-along, along, Fx::ONE).unwrap(), material);
        let plank = BodyDef { locks: AxisLocks::ROTATION, ..BodyDef::dynamic(Vec3::Y * fx!(0.2)) };
        let shape = Obb::from_half_extents(vec3(fx!(3), fx!(0.2), fx!(2))).unwrap();
        let plank = add(&mut world, plank, shape, material);
        let ticks = 30;
        for _ in 0..ticks {
            world.step();
            let y = world.body(plank).unwrap().position().y;
            assert!(y.abs_diff_eq(fx!(0.2), fx!(0.001)), "{speed} rad/s: at {y} m");
        }
        let expected = (fx!(0.8) * fx!(9.81) * seconds(ticks)).min(speed);
        let found = world.body(plank).unwrap().linear_velocity().x;
        assert!(
            found.abs_diff_eq(expected, expected * fx!(0.01)),
            "{speed} rad/s: {found} of {expected} m/s"
        );
    }
}
