//! Cars that go around in circles, over a bump and a ramp in each.
//!
//! They look towards −z, as their wheels are made: x is the axle, y the way of the suspension.

use crate::stage::{Stage, ball, cuboid, number};
use isostep_collision::Capsule;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, JointKind, Limits, Material, Motor, Spring};

/// From circle to circle, in m, and how many there are in a row.
const SPACE: Fx = fx!(26);
const ROW: u32 = 4;

/// Of a circle, in m from its middle to that of the rear axle.
const CIRCLE: Fx = fx!(10);
/// In m/s.
const SPEED: Fx = fx!(7);
/// From axle to axle, between the wheels of one, and of a wheel, in m.
const BASE: Fx = fx!(2.6);
const TRACK: Fx = fx!(1.6);
const RADIUS: Fx = fx!(0.35);

const CHASSIS_MASS: Fx = fx!(1000);
const WHEEL_MASS: Fx = fx!(25);
/// The most torque of a motor, in N·m.
const TORQUE: Fx = fx!(500);

/// Bears a quarter of the car as one of 1.6 Hz would that is damped by half of what is critical: the frequency of a joint is
/// that of the wheel, which is thirteen times lighter.
const SUSPENSION: Motor = Motor {
    position: fx!(-0.06),
    velocity: fx!(0),
    spring: Some(Spring { frequency: fx!(5.8), damping_ratio: fx!(1.8) }),
    max_force: Fx::MAX,
};
const TRAVEL: Limits = Limits { lower: fx!(-0.12), upper: fx!(0.15) };

pub(crate) fn fill(stage: &mut Stage, cars: u32) {
    stage.ground(fx!(300));
    let rows = cars.div_ceil(ROW);
    for car in 0..cars {
        let column = number(car % ROW) - number(ROW.min(cars) - 1) * Fx::HALF;
        let row = number(car / ROW) - number(rows - 1) * Fx::HALF;
        circle(stage, vec3(column, fx!(0), row) * SPACE);
    }
}

/// A car at the right of the middle of its circle, a bump behind it, and a ramp at the left.
fn circle(stage: &mut Stage, middle: Vec3) {
    car(stage, middle + Vec3::X * CIRCLE);
    let half = Vec3::X * fx!(1.5);
    let bump = Capsule::new(-half, half, fx!(0.3)).expect("it has a radius");
    let behind = middle + vec3(fx!(0), fx!(-0.2), CIRCLE);
    stage.add(BodyDef::fixed(behind).rotated(Quat::from_rotation_y(Fx::FRAC_PI_2)), ColliderDef::new(bump));
    let slope = BodyDef::fixed(middle + vec3(-CIRCLE, fx!(-0.1), fx!(0)));
    let ramp = cuboid(vec3(fx!(2), fx!(0.25), fx!(1.5)));
    stage.add(slope.rotated(Quat::from_rotation_x(fx!(-0.15))), ColliderDef::new(ramp));
}

/// A car whose rear axle has its middle above a point of the ground.
fn car(stage: &mut Stage, at: Vec3) {
    let chassis = chassis(stage, at + vec3(fx!(0), RADIUS + fx!(0.25), -BASE * Fx::HALF));
    let material = Material { friction: Fx::ONE, ..Material::default() };
    let volume = Fx::PI * RADIUS * RADIUS * RADIUS * fx!(4) / fx!(3);
    let tyre = ColliderDef { material, ..ColliderDef::new(ball(RADIUS)).with_density(WHEEL_MASS / volume) };
    for z in [-BASE, Fx::ZERO] {
        for side in [Fx::NEG_ONE, Fx::ONE] {
            let place = at + vec3(side * TRACK * Fx::HALF, RADIUS, z);
            let wheel = stage.add(BodyDef::dynamic(place), tyre);
            // Each goes around the middle of the circle: across the line to it, and the faster the farther away.
            let aside = CIRCLE + side * TRACK * Fx::HALF;
            let velocity = -SPEED * aside.hypot(z) / CIRCLE / RADIUS;
            let kind = JointKind::Wheel {
                limits: Some(TRAVEL),
                suspension: Some(SUSPENSION),
                motor: Some(Motor { velocity, max_force: TORQUE, ..Motor::default() }),
                steering: -z.atan2(aside),
            };
            stage.join(kind, [chassis, wheel], Pose::from_translation(place));
        }
    }
}

/// Two boxes: a low long one, and the cabin.
fn chassis(stage: &mut Stage, at: Vec3) -> BodyHandle {
    let half = vec3(fx!(0.7), fx!(0.25), fx!(2));
    let density = CHASSIS_MASS / (half.x * half.y * half.z * fx!(8));
    let body = stage.add(BodyDef::dynamic(at), ColliderDef::new(cuboid(half)).with_density(density));
    let cabin = ColliderDef::new(cuboid(vec3(fx!(0.6), fx!(0.25), fx!(1)))).with_density(fx!(30));
    stage.add_collider(body, cabin.at(Pose::from_translation(vec3(fx!(0), fx!(0.5), fx!(0.3)))));
    body
}
