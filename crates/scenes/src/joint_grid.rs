//! A square net of balls, each of which is joined to its neighbours halfway: it hangs on its upper edge, and is let go
//! lifted.
//!
//! Air slows it down a little, so that it comes to rest.

use crate::stage::{FREE_BALL, Stage, ball, number};
use isostep_math::{Fx, Pose, Quat, Vec3, fx};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, JointDef};

/// From ball to ball, in m.
const PITCH: Fx = fx!(0.2);

/// How far it is lifted, in radians from where it hangs.
const LIFTED: Fx = fx!(0.6);

/// The rate at which velocities decay, in 1/s.
const DAMPING: Fx = fx!(2);

pub(crate) fn fill(stage: &mut Stage, side: u32) {
    stage.ground(fx!(100));
    let height = PITCH * number(side) + fx!(0.5);
    let down = Quat::from_rotation_x(-LIFTED) * (Vec3::NEG_Y * PITCH);
    let mut bodies: Vec<BodyHandle> = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let x = PITCH * (number(2 * column) - number(side - 1)) * Fx::HALF;
            let at = Vec3::new(x, height, Fx::ZERO) + down * number(row);
            let body = if row == 0 { BodyDef::fixed(at) } else { BodyDef::dynamic(at) };
            let body = BodyDef { linear_damping: DAMPING, angular_damping: DAMPING, ..body };
            let next = stage.add(body, ColliderDef::new(ball(PITCH * fx!(0.3))));
            let mut join = |back: u32, way: Vec3| {
                let other = bodies[bodies.len() - back as usize];
                let [a, b] = [way, -way].map(|way| Pose::from_translation(way * Fx::HALF));
                stage.add_joint(JointDef::new(FREE_BALL, (other, a), (next, b)));
            };
            if row > 0 && column > 0 {
                join(1, Vec3::X * PITCH);
            }
            if row > 0 {
                join(side, down);
            }
            bodies.push(next);
        }
    }
}
