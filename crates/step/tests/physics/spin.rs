//! Free rotation.

use super::*;
use isostep_math::random::Rng;
use isostep_step::AxisLocks;

/// Half extents with three different moments of inertia.
const HALVES: Vec3 = vec3(fx!(0.5), fx!(0.3), fx!(0.1));

/// The angular momentum per mass, in the world.
pub(super) fn momentum(rotation: Quat, turn: Vec3, halves: Vec3) -> Vec3 {
    let [x, y, z] = halves.to_array().map(Fx::squared);
    let inertia = [y + z, z + x, x + y].map(|sum| sum / fx!(3));
    let w = rotation.inverse_mul_vec3(turn).to_array();
    rotation * vec3(w[0] * inertia[0], w[1] * inertia[1], w[2] * inertia[2])
}

#[test]
fn the_angular_momentum_of_an_asymmetric_top_keeps_its_direction_for_thirty_seconds() {
    for turn in [
        vec3(fx!(0.3), fx!(0.1), fx!(0.2)),
        vec3(fx!(3), fx!(1), fx!(2)),
        vec3(fx!(0.1), fx!(6), fx!(0.2)),
        vec3(fx!(-8), fx!(5), fx!(9)),
        vec3(fx!(12), fx!(-9), fx!(14)),
    ] {
        let mut world = world(false);
        let tilt = Quat::from_axis_angle(vec3(fx!(0.6), ZERO, fx!(0.8)), fx!(1.1));
        let def = BodyDef::dynamic(Vec3::ZERO).rotated(tilt).turning(turn);
        let body = add(&mut world, def, Obb::from_half_extents(HALVES).unwrap(), Material::default());
        let start = momentum(tilt, turn, HALVES);
        let energy = start.dot(turn);
        for _ in 0..1800 {
            world.step();
            let view = world.body(body).unwrap();
            let now = momentum(view.rotation(), view.angular_velocity(), HALVES);
            assert!(now.angle_between(start) < fx!(0.0000001), "{start} became {now}");
            assert_near(now.length(), start.length(), fx!(0.001), "angular momentum");
            assert_near(now.dot(view.angular_velocity()), energy, fx!(0.00001), "energy");
        }
    }
}

/// A rod or a plate of 1 kg that spins about its y axis, on which gravity pulls with a lever along it: a torque, taken in the
/// middle of each tick. Potential energy and that of the rotation add up to the same.
#[test]
fn what_a_torque_does_is_right_to_second_order() {
    for (half, spin) in [
        (vec3(HALF, fx!(0.05), HALF), fx!(20)),
        (vec3(fx!(0.1), HALF, fx!(0.15)), fx!(10)),
        (vec3(HALF, fx!(0.05), fx!(0.3)), fx!(10)),
        (vec3(HALF, fx!(0.05), fx!(0.3)), fx!(20)),
    ] {
        let mut world = world(false);
        let tilt = Quat::from_rotation_z(HALF);
        let turn = tilt * (Vec3::Y * spin);
        let def = BodyDef { mass: Some(Fx::ONE), ..BodyDef::dynamic(Vec3::ZERO).rotated(tilt).turning(turn) };
        let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), Material::default());
        let weight = Vec3::Y * fx!(-9.81);
        let lever = |rotation: Quat| rotation * (Vec3::Y * fx!(0.2));
        let energy = |rotation: Quat, turn: Vec3| {
            momentum(rotation, turn, half).dot(turn) * HALF - lever(rotation).dot(weight)
        };
        let start = energy(tilt, turn);
        for tick in 0..1200 {
            let view = world.body(body).unwrap();
            let middle = view.rotation().integrate(view.angular_velocity(), Fx::from_ratio(1, 120));
            let torque = lever(middle).cross(weight);
            world.apply_torque(body, torque).unwrap();
            world.step();
            let view = world.body(body).unwrap();
            let gained = energy(view.rotation(), view.angular_velocity()) - start;
            assert!(gained.abs() < fx!(0.1), "{half}, {spin} rad/s, tick {tick}: {gained} J of 2.9");
        }
    }
}

#[test]
fn a_racket_turned_about_its_middle_axis_flips_and_about_the_others_does_not() {
    for (axis, flips) in [(0, false), (1, true), (2, false)] {
        let mut turn = Vec3::splat(fx!(0.01));
        turn[axis] = fx!(6);
        let mut world = world(false);
        let shape = Obb::from_half_extents(HALVES).unwrap();
        let body = add(&mut world, BodyDef::dynamic(Vec3::ZERO).turning(turn), shape, Material::default());
        let mut least = Fx::ONE;
        for _ in 0..900 {
            world.step();
            let view = world.body(body).unwrap();
            // Which way the axis of the body points that began along the angular velocity.
            let along = (view.rotation() * Vec3::AXES[axis])[axis];
            least = least.min(along);
        }
        if flips {
            assert!(least < fx!(-0.95), "axis {axis}: {least}");
        } else {
            assert!(least > fx!(0.98), "axis {axis}: {least}");
        }
    }
}

#[test]
fn a_ball_keeps_its_spin_to_the_bit_and_turns_by_its_angle() {
    let mut world = world(false);
    let turn = vec3(ZERO, fx!(2.5), ZERO);
    let body = add(&mut world, BodyDef::dynamic(Vec3::ZERO).turning(turn), ball(HALF), Material::default());
    steps(&mut world, 60);
    let view = world.body(body).unwrap();
    assert_eq!(view.angular_velocity(), turn);
    let expected = Quat::from_rotation_y(fx!(2.5));
    assert!(view.rotation().angle_between(expected) < fx!(0.00001));
}

#[test]
fn a_torque_turns_a_body_up_as_its_inertia_says() {
    let mut world = world(false);
    let shape = Obb::from_half_extents(HALVES).unwrap();
    let def = BodyDef { mass: Some(fx!(3)), ..BodyDef::dynamic(Vec3::ZERO) };
    let body = add(&mut world, def, shape, Material::default());
    for _ in 0..60 {
        world.apply_torque(body, Vec3::Z * fx!(2)).unwrap();
        world.step();
    }
    // m (x² + y²) / 3 = 0.34; half of ω t is the angle.
    let expected = fx!(2) / fx!(0.34);
    let view = world.body(body).unwrap();
    assert_near(view.angular_velocity().z, expected, fx!(0.00001), "angular velocity");
    let angle = view.rotation().angle_between(Quat::from_rotation_z(expected * HALF));
    assert!(angle < fx!(0.0001), "{angle}");
}

#[test]
fn what_may_not_move_tumbles_as_what_flies_does() {
    let end = |locks: AxisLocks| {
        let mut world = world(false);
        let def = BodyDef { locks, ..BodyDef::dynamic(Vec3::ZERO).turning(vec3(fx!(3), fx!(1), fx!(2))) };
        let body = add(&mut world, def, Obb::from_half_extents(HALVES).unwrap(), Material::default());
        steps(&mut world, 600);
        let view = world.body(body).unwrap();
        (view.rotation(), view.angular_velocity())
    };
    let pinned = AxisLocks::TRANSLATION_X.with(AxisLocks::TRANSLATION_Y).with(AxisLocks::TRANSLATION_Z);
    let free = end(AxisLocks::NONE);
    assert_ne!(free.1, vec3(fx!(3), fx!(1), fx!(2)));
    assert_eq!(end(AxisLocks::TRANSLATION_Y), free);
    assert_eq!(end(pinned), free);
}

/// The inertia per mass about an axis of the world.
fn inertia_about(axis: Vec3, rotation: Quat, halves: Vec3) -> Fx {
    axis.dot(momentum(rotation, axis, halves))
}

#[test]
fn what_turns_about_one_axis_alone_has_the_inertia_about_that_axis_however_it_lies() {
    let mut rng = Rng::new(5, 0);
    let axes = [
        (Vec3::X, AxisLocks::ROTATION_Y.with(AxisLocks::ROTATION_Z)),
        (Vec3::Y, AxisLocks::ROTATION_Z.with(AxisLocks::ROTATION_X)),
        (Vec3::Z, AxisLocks::PLANE_XY),
    ];
    for round in 0..60 {
        let (axis, locks) = axes[round % 3];
        let half = [(); 3].map(|()| rng.fx_range(fx!(0.05), fx!(0.6)));
        let (half, rotation) = (Vec3::from_array(half), rng.unit_quat());
        let expected = fx!(0.1) / inertia_about(axis, rotation, half);
        let what = format!("{half}, {rotation}");
        let near = |found: Vec3| {
            assert_eq!(found - axis * found.dot(axis), Vec3::ZERO, "{what}");
            assert_near(found.dot(axis) / expected, Fx::ONE, fx!(0.0001), &what);
        };
        let def = BodyDef { locks, mass: Some(Fx::ONE), ..BodyDef::dynamic(Vec3::ZERO).rotated(rotation) };
        let mut world = world(false);
        let body = add(&mut world, def, Obb::from_half_extents(half).unwrap(), Material::default());
        world.apply_angular_impulse(body, axis * fx!(0.1)).unwrap();
        near(world.body(body).unwrap().angular_velocity());
        world.set_velocity(body, Vec3::ZERO, Vec3::ZERO).unwrap();
        world.apply_torque(body, axis * fx!(6)).unwrap();
        world.step();
        near(world.body(body).unwrap().angular_velocity());
    }
}

/// Of a body that turns about an axis alone a ball is stopped by as much as the inertia about that axis says.
#[test]
fn what_hits_a_body_on_an_axle_feels_the_inertia_about_the_axle() {
    let halves = vec3(fx!(0.05), HALF, fx!(0.05));
    let tilt = Quat::from_rotation_x(Fx::PI / fx!(4));
    let pinned = AxisLocks::TRANSLATION_X.with(AxisLocks::TRANSLATION_Y).with(AxisLocks::TRANSLATION_Z);
    let axle = pinned.with(AxisLocks::ROTATION_X).with(AxisLocks::ROTATION_Y);
    let mut world = world(false);
    let def = BodyDef { mass: Some(Fx::ONE), locks: axle, ..BodyDef::dynamic(Vec3::ZERO).rotated(tilt) };
    let smooth = surface(ZERO, ZERO);
    let beam = add(&mut world, def, Obb::from_half_extents(halves).unwrap(), smooth);
    // Against the face along +X, where the beam is 0.3 m from its middle.
    let [lever, radius] = [fx!(0.3) * Fx::FRAC_1_SQRT_2, fx!(0.05)];
    let start = vec3(fx!(0.3), lever, lever);
    let mass = Some(Fx::ONE);
    let hit = add(
        &mut world,
        BodyDef { mass, ..BodyDef::dynamic(start).moving(Vec3::X * fx!(-4)) },
        ball(radius),
        smooth,
    );
    steps(&mut world, 6);
    // (I + m r²) ω = m r v, with the ball's lever about Z.
    let inertia = inertia_about(Vec3::Z, tilt, halves);
    let expected = fx!(4) * lever / (inertia + lever * lever);
    let found = world.body(beam).unwrap().angular_velocity();
    assert_near(found.z / expected, Fx::ONE, fx!(0.04), &format!("{found} of {expected}"));
    let left = world.body(hit).unwrap().linear_velocity().x;
    assert_near(left, -expected * lever, fx!(0.05), "the ball goes with the beam");
}
