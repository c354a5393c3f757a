//! Boxes that slide, and boxes that do not.

use super::*;

#[test]
fn a_sliding_box_stops_after_its_braking_distance_in_every_direction() {
    // Box and ground turned about the vertical and not, in directions along axes and between them.
    for (angle, yaw) in [(0, 0), (90, 0), (30, 0), (137, 0), (200, 25), (315, 45), (61, 61)] {
        for (friction, speed) in [(fx!(0.3), fx!(4)), (fx!(0.6), fx!(7)), (fx!(0.1), fx!(3))] {
            let mut world = world(true);
            add_ground(&mut world, surface(friction, ZERO));
            let (sin, cos) = Fx::from_int(angle).to_radians().sin_cos();
            let direction = vec3(cos, ZERO, sin);
            let def = BodyDef::dynamic(Vec3::Y * fx!(0.25))
                .rotated(Quat::from_rotation_y(Fx::from_int(yaw).to_radians()));
            let slab = Obb::from_half_extents(vec3(fx!(0.5), fx!(0.25), fx!(0.5))).unwrap();
            let body = add(&mut world, def, slab, surface(friction, ZERO));
            steps(&mut world, 30);
            world.set_velocity(body, direction * speed, Vec3::ZERO).unwrap();
            let start = world.body(body).unwrap().position();
            steps(&mut world, 600);
            let view = world.body(body).unwrap();
            let way = (view.position() - start).with_y(ZERO);
            let expected = speed * speed / (fx!(19.62) * friction);
            let what = format!("{angle}° yaw {yaw}° friction {friction}");
            assert_near(way.dot(direction), expected, fx!(0.01), &what);
            let aside = way - direction * way.dot(direction);
            assert!(aside.length() < expected * fx!(0.002), "{what}: {} aside", aside.length());
            assert!(view.linear_velocity().length() < fx!(0.0001), "{what}: it still moves");
        }
    }
}

#[test]
fn friction_is_against_the_velocity_of_boxes_that_turn_about_one_axis_more_easily_than_about_another() {
    let halves = [
        vec3(fx!(0.6), fx!(0.3), fx!(0.2)),
        vec3(fx!(0.5), fx!(0.1), fx!(0.2)),
        vec3(fx!(0.6), fx!(0.3), fx!(0.15)),
    ];
    for half in halves {
        for (angle, yaw) in [(45, 0), (30, 0), (200, 25), (315, 61), (10, 137)] {
            let (friction, speed) = (fx!(0.3), fx!(5));
            let mut world = world(true);
            add_ground(&mut world, surface(friction, ZERO));
            let (sin, cos) = Fx::from_int(angle).to_radians().sin_cos();
            let direction = vec3(cos, ZERO, sin);
            let turned = Quat::from_rotation_y(Fx::from_int(yaw).to_radians());
            let def = BodyDef::dynamic(Vec3::Y * half.y).rotated(turned);
            let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), surface(friction, ZERO));
            steps(&mut world, 30);
            world.set_velocity(body, direction * speed, Vec3::ZERO).unwrap();
            let start = world.body(body).unwrap().position();
            steps(&mut world, 300);
            let way = (world.body(body).unwrap().position() - start).with_y(ZERO);
            let what = format!("{half}, {angle}° yaw {yaw}°: {way}");
            assert_near(way.length(), speed * speed / (fx!(19.62) * friction), fx!(0.02), &what);
            // It turns a little as it starts and stops, since it bears more in front.
            let aside = way.angle_between(direction);
            assert!(aside < fx!(0.02), "{what}: {aside} rad aside");
        }
    }
}

/// How far a box on a slope of `angle` went in two seconds, and how fast it is. Gravity is turned instead of the
/// ground in half of the cases, so that both ways are seen.
fn slope(angle: Fx, friction: Fx, turn: Fx, tilted: bool) -> (Fx, Fx) {
    let (sin, cos) = angle.sin_cos();
    let heading = Quat::from_rotation_y(turn);
    let downhill = heading * vec3(sin, -cos, ZERO);
    let mut config = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let mut turned = Quat::IDENTITY;
    if tilted {
        // The slope that has the normal which gravity is seen against.
        turned = Quat::from_rotation_arc(-downhill, Vec3::Y);
    } else {
        config.gravity = downhill * fx!(9.81);
    }
    let mut world = World::new(config).unwrap();
    let normal = (turned * Vec3::Y).normalize();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let plane = ColliderDef::new(HalfSpace::new(Vec3::ZERO, normal).unwrap());
    world.add_collider(ground, plane.with_material(surface(friction, ZERO))).unwrap();
    let slab = Obb::from_half_extents(vec3(fx!(0.5), fx!(0.2), fx!(0.5))).unwrap();
    let body =
        add(&mut world, BodyDef::dynamic(normal * fx!(0.2)).rotated(turned), slab, surface(friction, ZERO));
    steps(&mut world, 60);
    let start = world.body(body).unwrap().position();
    steps(&mut world, 120);
    let view = world.body(body).unwrap();
    (view.position().distance(start), view.linear_velocity().length())
}

#[test]
fn a_box_holds_on_a_slope_half_a_degree_below_the_angle_of_friction_and_slides_half_a_degree_above() {
    for friction in [fx!(0.2), fx!(0.6), fx!(1)] {
        let limit = friction.atan();
        for turn in [fx!(0), fx!(0.7), fx!(2.9)] {
            for tilted in [false, true] {
                let (below, above) = (limit - fx!(0.5).to_radians(), limit + fx!(0.5).to_radians());
                let (way, speed) = slope(below, friction, turn, tilted);
                assert!(way < fx!(0.001), "friction {friction}: it crept {way} m, and has {speed} m/s");
                // g (sin − μ cos) for the three seconds it slid.
                let (_, speed) = slope(above, friction, turn, tilted);
                let (sin, cos) = above.sin_cos();
                let expected = fx!(9.81) * (sin - friction * cos) * fx!(3);
                assert_near(speed, expected, fx!(0.05), &format!("sliding with friction {friction}"));
            }
        }
    }
}

#[test]
fn on_ice_nothing_slows_down() {
    let mut world = world(true);
    add_ground(&mut world, surface(ZERO, ZERO));
    let body = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), cube(HALF), surface(ZERO, ZERO));
    steps(&mut world, 30);
    world.set_velocity(body, vec3(fx!(3), ZERO, fx!(-4)), Vec3::ZERO).unwrap();
    steps(&mut world, 300);
    assert_near(world.body(body).unwrap().linear_velocity().length(), fx!(5), fx!(0.00001), "speed");
}

#[test]
fn a_spinning_box_is_braked_by_friction_about_the_normal() {
    let mut world = world(true);
    add_ground(&mut world, surface(fx!(0.5), ZERO));
    let body = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), cube(HALF), surface(fx!(0.5), ZERO));
    steps(&mut world, 30);
    world.set_velocity(body, Vec3::ZERO, Vec3::Y * fx!(6)).unwrap();
    // Four corners at √½ m: the torque is μ m g √½, the moment of inertia m / 6.
    let expected = fx!(6) / (fx!(0.5) * fx!(9.81) * HALF.sqrt() * fx!(6));
    let mut ticks = 0;
    while world.body(body).unwrap().angular_velocity().y > fx!(0.01) {
        world.step();
        ticks += 1;
        assert!(ticks < 600, "it spins on");
    }
    let off = (seconds(ticks) - expected).abs();
    assert!(off < fx!(0.04), "{} s instead of {expected}", seconds(ticks));
    assert!(world.body(body).unwrap().position().with_y(ZERO).length() < fx!(0.001));
}
