//! A ball on an arm of 2 m, and beside it rods that hang on each other: two are a double pendulum.
//!
//! The ball is let go at half a radian, the rods are let go lying.

use crate::stage::{FREE_BALL, FREE_HINGE, Stage, ball, cuboid, number, x_to_z};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, JointDef};

/// From the pivot to the middle of the ball, in m.
const ARM: Fx = fx!(2);

/// Where the ball is let go, in radians from where it hangs.
const ANGLE: Fx = fx!(0.5);

/// Half the extents of a rod. It hangs on its upper end.
const ROD: Vec3 = vec3(fx!(0.03), fx!(0.5), fx!(0.03));

pub(crate) fn fill(stage: &mut Stage, rods: u32) {
    stage.ground(fx!(100));
    let height = fx!(3) + number(rods) * fx!(2) * ROD.y;
    // Posts are behind what swings.
    let behind = Vec3::Z * fx!(-0.2);
    let pivot = |stage: &mut Stage, x: Fx| {
        let at = vec3(x, height, fx!(0));
        (stage.fixed_box(Vec3::splat(fx!(0.05)), at + behind), at)
    };

    let (post, at) = pivot(stage, fx!(-3));
    let turn = Quat::from_rotation_z(ANGLE);
    let bob = BodyDef::dynamic(at + turn * (Vec3::NEG_Y * ARM)).rotated(turn);
    let bob = stage.add(bob, ColliderDef::new(ball(fx!(0.1))));
    let arm = Pose::from_translation(Vec3::Y * ARM);
    stage.add_joint(JointDef::new(FREE_BALL, (post, Pose::from_translation(-behind)), (bob, arm)));

    let (mut above, at) = pivot(stage, fx!(3));
    let mut lower_end = Pose::new(x_to_z(), -behind);
    for rod in 0..rods {
        let x = ROD.y * number(2 * rod + 1);
        let body = BodyDef::dynamic(at + Vec3::X * x).rotated(Quat::from_rotation_z(Fx::FRAC_PI_2));
        let next = stage.add(body, ColliderDef::new(cuboid(ROD)));
        let upper_end = Pose::new(x_to_z(), Vec3::Y * ROD.y);
        stage.add_joint(JointDef::new(FREE_HINGE, (above, lower_end), (next, upper_end)));
        (above, lower_end) = (next, Pose::new(x_to_z(), Vec3::NEG_Y * ROD.y));
    }
}
