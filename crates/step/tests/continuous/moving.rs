//! Kinematic bodies that are fast, and what is in their way.

use super::*;

#[test]
fn a_wall_of_a_hundred_metres_a_second_takes_along_what_stands_sleeps_or_flies_in_its_way() {
    for asleep in [false, true] {
        for (speed, turn) in [(fx!(100), Quat::IDENTITY), (fx!(490), Quat::from_rotation_z(fx!(0.3)))] {
            let config = WorldConfig { sleep_ticks: 2, gravity: Vec3::ZERO, ..WorldConfig::default() };
            let mut world = World::new(config).unwrap();
            let shapes = [ball(fx!(0.05)), slab(fx!(0.05), fx!(0.2), fx!(0.1)), ball(fx!(0.5))];
            let bodies = [0, 1, 2].map(|i| {
                let at = vec3(fx!(3), Fx::from_int(i) * fx!(1.5) - fx!(1.5), fx!(0.2));
                let def = BodyDef { can_sleep: asleep, ..BodyDef::dynamic(at) };
                add(&mut world, def, ColliderDef::new(shapes[i as usize]))
            });
            for _ in 0..6 {
                world.step();
            }
            assert!(bodies.iter().all(|&body| world.body(body).unwrap().is_asleep() == asleep));
            let wall = BodyDef::kinematic(Vec3::ZERO).rotated(turn).moving(turn * Vec3::X * speed);
            let wall = add(&mut world, wall, ColliderDef::new(slab(fx!(0.01), fx!(4), fx!(4))));
            for tick in 0..30 {
                world.step();
                let pose = world.body(wall).unwrap().pose();
                for &body in &bodies {
                    let ahead = pose.inverse_transform_point(world.body(body).unwrap().position()).x;
                    assert!(
                        ahead > fx!(0),
                        "{speed} m/s, tick {tick}: {body} is {ahead} m ahead of the wall"
                    );
                    assert!(tick < 3 || speed > fx!(100) || ahead < fx!(10));
                }
            }
        }
    }
}

/// It begins the tick beside all that the driver sweeps over, and moves by less than three quarters of its radius.
#[test]
fn what_comes_slowly_into_the_way_of_something_fast_is_taken_along() {
    let drivers = [(ball(fx!(0.05)), fx!(0.05)), (slab(fx!(0.005), fx!(0.04), fx!(0.03)), fx!(0.051))];
    for (driver, extent) in drivers {
        for (speed, turn) in [(fx!(490), Quat::IDENTITY), (fx!(200), Quat::from_rotation_y(Fx::FRAC_PI_2))] {
            for targeted in [false, true] {
                let mut world = weightless();
                let (radius, step) = (fx!(0.5), speed / fx!(60));
                let beside = vec3(step / fx!(2), radius + extent + fx!(0.015), fx!(0));
                let def = BodyDef::dynamic(turn * beside).moving(vec3(fx!(0), fx!(-21), fx!(0)));
                let body = add(&mut world, def, ColliderDef::new(ball(radius)));
                let velocity = if targeted { Vec3::ZERO } else { turn * Vec3::X * speed };
                let def = BodyDef::kinematic(Vec3::ZERO).rotated(turn).moving(velocity);
                let driver = add(&mut world, def, ColliderDef::new(driver));
                let tick = |world: &mut World, number: i32| {
                    if targeted {
                        let way = turn * Vec3::X * step * Fx::from_int(number);
                        world.set_kinematic_target(driver, Pose::new(turn, way)).unwrap();
                    }
                    world.step();
                };
                tick(&mut world, 1);
                let pose = world.body(driver).unwrap().pose();
                let ahead = pose.inverse_transform_point(world.body(body).unwrap().position()).x;
                assert!(ahead > fx!(0), "{driver}, {speed} m/s, {targeted}: the ball is {ahead} m ahead");
                tick(&mut world, 2);
                let velocity = world.body(body).unwrap().linear_velocity();
                assert!((turn.conjugate() * velocity).x > fx!(5), "{speed} m/s, {targeted}: {velocity}");
            }
        }
    }
}

#[test]
fn a_ball_in_the_way_of_a_turning_arm_is_thrown_and_never_passed() {
    for turn in [fx!(5), fx!(30), fx!(-50), fx!(100), fx!(-150)] {
        let mut world = weightless();
        let arm = BodyDef::kinematic(Vec3::ZERO).turning(Vec3::Y * turn);
        let arm = add(&mut world, arm, ColliderDef::new(slab(fx!(1.5), fx!(0.2), fx!(0.005))));
        // An eighth of a turn ahead.
        let at = Quat::from_rotation_y(turn.signum() * Fx::FRAC_PI_4) * Vec3::X;
        let body = add(&mut world, BodyDef::dynamic(at), ColliderDef::new(ball(fx!(0.05))));
        let mut thrown = false;
        for tick in 0..60 {
            world.step();
            let pose = world.body(arm).unwrap().pose();
            let seen = pose.inverse_transform_point(world.body(body).unwrap().position());
            thrown = seen.length() > fx!(1.55);
            if thrown {
                break;
            }
            let ahead = if turn > fx!(0) { -seen.z } else { seen.z };
            assert!(ahead > fx!(0) || seen.x < fx!(0), "turning at {turn}: {seen} in tick {tick}");
        }
        // Of one that turns by a right angle in a tick, it hangs on for longer.
        assert!(thrown || turn.abs() > fx!(60), "turning at {turn}: the ball hangs on");
        assert!(world.body(body).unwrap().linear_velocity().length() > turn.abs() * fx!(0.5));
    }
}

/// They close until a ball has just room, or a tenth too little; stand for a while, and part.
#[test]
fn a_ball_between_closing_walls_neither_escapes_nor_explodes() {
    for (speed, narrow) in [
        (fx!(1), fx!(0.21)),
        (fx!(20), fx!(0.21)),
        (fx!(300), fx!(0.21)),
        (fx!(1), fx!(0.18)),
        (fx!(20), fx!(0.18)),
        (fx!(300), fx!(0.18)),
    ] {
        let mut world = weightless();
        let walls = [fx!(-1), fx!(1)].map(|side| {
            let def = BodyDef::kinematic(Vec3::X * side * fx!(2));
            add(&mut world, def, ColliderDef::new(slab(fx!(0.005), fx!(3), fx!(3))))
        });
        let def = BodyDef::dynamic(Vec3::X * fx!(0.4)).moving(Vec3::X * fx!(90));
        let body =
            add(&mut world, def, ColliderDef::new(ball(fx!(0.1))).with_material(surface(fx!(0), fx!(0.5))));
        let (mut gap, mut fastest) = (fx!(2), fx!(0));
        for tick in 0..400 {
            let closing = if tick < 300 { -speed } else { speed };
            gap = (gap + closing / fx!(60)).clamp(narrow / fx!(2) + fx!(0.005), fx!(2));
            for (wall, side) in walls.into_iter().zip([fx!(-1), fx!(1)]) {
                world.set_kinematic_target(wall, Pose::from_translation(Vec3::X * side * gap)).unwrap();
            }
            world.step();
            let view = world.body(body).unwrap();
            assert!(
                view.position().x.abs() < gap,
                "{speed} m/s to {narrow} m, tick {tick}: {} of {gap}",
                view.position()
            );
            let (x, v) = (view.position(), view.linear_velocity());
            assert!(x.y.abs() < fx!(0.5) && x.z.abs() < fx!(0.5), "{speed} to {narrow}, tick {tick}: {x}");
            if gap < narrow / fx!(2) + fx!(0.006) {
                fastest = fastest.max(v.length());
            }
        }
    }
}
