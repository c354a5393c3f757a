//! A chain that is let go lying, with an end that weighs a hundred times a link.
//!
//! Air slows all of it down a little, so that it comes to rest.

use crate::stage::{FREE_BALL, Stage, ball, number};
use isostep_collision::Capsule;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, JointDef};

/// From joint to joint, in m.
pub(crate) const PITCH: Fx = fx!(0.5);

/// Of a link, in kg.
const MASS: Fx = fx!(1);

/// The rate at which velocities decay, in 1/s.
const DAMPING: Fx = fx!(0.5);

pub(crate) fn fill(stage: &mut Stage, links: u32) {
    stage.ground(fx!(100));
    let top = vec3(fx!(0), PITCH * number(links) + fx!(1.5), fx!(0));
    let mut above = stage.fixed_box(Vec3::splat(fx!(0.1)), top);
    let mut below = Pose::IDENTITY;
    let half = Vec3::X * (PITCH * Fx::HALF);
    let slowed = |position: Vec3, mass: Fx| BodyDef {
        mass: Some(mass),
        linear_damping: DAMPING,
        angular_damping: DAMPING,
        ..BodyDef::dynamic(position)
    };
    for link in 0..links {
        let shape = Capsule::new(-half, half, fx!(0.04)).expect("a radius above 0");
        let body = slowed(top + half * number(2 * link + 1), MASS);
        let next = stage.add(body, ColliderDef::new(shape));
        let joint = JointDef::new(FREE_BALL, (above, below), (next, Pose::from_translation(-half)));
        stage.add_joint(joint);
        (above, below) = (next, Pose::from_translation(half));
    }
    let radius = fx!(0.3);
    let end = slowed(top + half * number(2 * links) + Vec3::X * radius, MASS * fx!(100));
    let end = stage.add(end, ColliderDef::new(ball(radius)));
    let at = Pose::from_translation(Vec3::NEG_X * radius);
    stage.add_joint(JointDef::new(FREE_BALL, (above, below), (end, at)));
}
