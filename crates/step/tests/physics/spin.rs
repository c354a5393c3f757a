//! Free rotation.

use super::*;
use isostep_math::{Quat, vec3};

/// Half extents with three different moments of inertia.
const HALVES: Vec3 = vec3(fx!(0.5), fx!(0.3), fx!(0.1));

/// The angular momentum per mass, in the world.
fn momentum(rotation: Quat, turn: Vec3, halves: Vec3) -> Vec3 {
    let [x, y, z] = halves.to_array().map(Fx::squared);
    let inertia = [y + z, z + x, x + y].map(|sum| sum / fx!(3));
    let w = rotation.inverse_mul_vec3(turn).to_array();
    rotation * vec3(w[0] * inertia[0], w[1] * inertia[1], w[2] * inertia[2])
}

#[test]
fn the_angular_momentum_of_an_asymmetric_top_keeps_its_direction_for_thirty_seconds() {
    for turn in
        [vec3(fx!(3), fx!(1), fx!(2)), vec3(fx!(0.1), fx!(6), fx!(0.2)), vec3(fx!(-8), fx!(5), fx!(9))]
    {
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
            assert!(now.angle_between(start) < fx!(0.5).to_radians(), "{start} became {now}");
            assert_near(now.length(), start.length(), fx!(0.001), "angular momentum");
            assert_near(now.dot(view.angular_velocity()), energy, fx!(0.05), "energy");
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
