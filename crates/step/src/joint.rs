//! Joints: what a user describes, and the two columns that a world keeps of each.
//!
//! A joint holds two bodies together by their frames: poses in the coordinates of the bodies' origins. What it holds
//! and what it leaves free says its [`JointKind`]; axes and angles are those of the frames, and x is the axis about which
//! hinges and wheels turn and along which sliders slide. [`Joint`] is what commands change, [`JointImpulses`] what steps change.
//! `validate` says which numbers make a joint, `coordinates` measures where the frames are.

pub(crate) mod coordinates;
pub(crate) mod validate;

pub use validate::JointError;

use crate::handle::BodyHandle;
use isostep_math::{Fx, Pose, Quat, Vec3, fx};
use serde::{Deserialize, Serialize};

/// The highest frequency of a spring, in Hz. What counts is at most half the rate of substeps.
pub const MAX_SPRING_FREQUENCY: Fx = fx!(4000);
/// The strongest damping of a spring, as a multiple of the critical one.
pub const MAX_SPRING_DAMPING_RATIO: Fx = fx!(100);
/// The greatest length in a joint, in m: from the centre of mass of a body that moves to a frame, and of limits and targets.
pub const MAX_JOINT_LENGTH: Fx = fx!(120);
/// The highest speed that a motor may have, in m/s or rad/s.
pub const MAX_MOTOR_SPEED: Fx = fx!(500);
/// How many joints a world can have.
pub const MAX_JOINTS: u32 = 1 << 20;

/// From where to where something may go, in m or rad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Limits {
    /// The least value.
    pub lower: Fx,
    /// The greatest value, at least `lower`.
    pub upper: Fx,
}

/// A damped spring, by numbers that do not depend on masses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spring {
    /// How often it swings undamped in a second: above 0, to [`MAX_SPRING_FREQUENCY`].
    pub frequency: Fx,
    /// The damping as a multiple of the critical one: 0 to [`MAX_SPRING_DAMPING_RATIO`]. At 1 it returns without
    /// overshoot.
    pub damping_ratio: Fx,
}

/// Drives what one axis leaves free: the angle of a hinge or a wheel, the way of a slider or a suspension, the distance of
/// two points.
///
/// With a spring it is drawn to `position`, and damped towards `velocity`; without one it has `velocity` as far as its
/// force allows for, so one with velocity 0 is a brake, or dry friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Motor {
    /// Where the spring is at rest: an angle within ±π rad, a way within ±[`MAX_JOINT_LENGTH`], a distance from 0 to
    /// that.
    pub position: Fx,
    /// In rad/s or m/s, within ±[`MAX_MOTOR_SPEED`].
    pub velocity: Fx,
    /// What draws to the position.
    pub spring: Option<Spring>,
    /// The greatest torque or force in N·m or N, at least 0. [`Fx::MAX`] is without bound.
    pub max_force: Fx,
}

/// Drives the rotation of a ball joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BallMotor {
    /// The rotation of frame b in frame a at which the spring is at rest, of length 1.
    pub rotation: Quat,
    /// The angular velocity of b against a in rad/s, in frame a; each component within ±[`MAX_MOTOR_SPEED`].
    pub velocity: Vec3,
    /// What draws to the rotation.
    pub spring: Option<Spring>,
    /// The greatest torque in N·m, at least 0. [`Fx::MAX`] is without bound.
    pub max_torque: Fx,
}

/// Draws one part of a pose: the position, or the rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pull {
    /// How it draws.
    pub spring: Spring,
    /// The greatest force in N, or torque in N·m, at least 0. [`Fx::MAX`] is without bound.
    pub max_force: Fx,
}

/// What a joint holds, and what it leaves free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum JointKind {
    /// Both frames keep their relative pose: they coincide.
    #[default]
    Fixed,
    /// The origins of both frames coincide: a shoulder.
    Ball {
        /// The greatest angle between the x axes of both frames, 0 to π: a cone.
        swing_limit: Option<Fx>,
        /// The angle by which b is turned against a about its x axis, within ±π.
        twist_limits: Option<Limits>,
        /// Turns b against a.
        motor: Option<BallMotor>,
    },
    /// The origins and the x axes of both frames coincide: a door.
    Hinge {
        /// The angle of b against a about x, within ±π.
        limits: Option<Limits>,
        /// Turns b against a.
        motor: Option<Motor>,
    },
    /// The frames have the same axes, and the origin of b is on the x axis of a: a piston.
    Slider {
        /// How far b is along x, within ±[`MAX_JOINT_LENGTH`].
        limits: Option<Limits>,
        /// Moves b along x.
        motor: Option<Motor>,
    },
    /// The origins of both frames keep a distance: a rope from 0 on, a rod where both limits are equal, a spring by its
    /// motor.
    Distance {
        /// The distance, from 0 to [`MAX_JOINT_LENGTH`].
        limits: Option<Limits>,
        /// Draws the origins together, or apart.
        motor: Option<Motor>,
    },
    /// Frame b is drawn to a pose in frame a: a hand that carries, a servo.
    Target {
        /// The pose in frame a: its position within ±[`MAX_JOINT_LENGTH`] by component, its rotation of length 1.
        pose: Pose,
        /// Draws the origin of b to that of the pose.
        linear: Option<Pull>,
        /// Turns b to the rotation of the pose.
        angular: Option<Pull>,
    },
    /// The origin of b is on the y axis of frame a, and the x axes of both coincide: b is a wheel on its suspension, and a what
    /// it carries.
    Wheel {
        /// How far b is along y, within ±[`MAX_JOINT_LENGTH`].
        limits: Option<Limits>,
        /// Moves b along y; with a spring it bears what rests on the wheel.
        suspension: Option<Motor>,
        /// Turns b against a about x: an engine, or a brake.
        motor: Option<Motor>,
        /// By which angle frame a, and so the axle, is turned about its y axis, within ±π.
        steering: Fx,
    },
}

/// What a joint is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct JointDef {
    /// A body.
    pub body_a: BodyHandle,
    /// Another one. At least one of both is dynamic.
    pub body_b: BodyHandle,
    /// In the coordinates of the origin of a, and of length 1 its rotation. On a body that moves it is at most
    /// [`MAX_JOINT_LENGTH`] from the centre of mass, on a fixed one anywhere within [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    pub frame_a: Pose,
    /// In the coordinates of the origin of b, likewise.
    pub frame_b: Pose,
    /// What it holds.
    pub kind: JointKind,
    /// How what it holds gives way; `None` is as stiff as the world can.
    pub softness: Option<Spring>,
    /// Whether the colliders of both bodies meet.
    pub collide_connected: bool,
    /// It breaks where it holds with more force than this over a tick, in N; above 0.
    pub break_force: Option<Fx>,
    /// It breaks where it holds with more torque than this over a tick, in N·m; above 0.
    pub break_torque: Option<Fx>,
    /// Where it comes in the order of joints: by ascending order, and those of equal order by their handles.
    pub order: u32,
    /// Whatever the user likes.
    pub user_data: u64,
}

impl JointDef {
    /// A joint of two bodies whose frames are given in their coordinates, as stiff as the world can, without collisions
    /// between the two.
    #[must_use]
    pub fn new(
        kind: JointKind,
        (body_a, frame_a): (BodyHandle, Pose),
        (body_b, frame_b): (BodyHandle, Pose),
    ) -> Self {
        Self {
            body_a,
            body_b,
            frame_a,
            frame_b,
            kind,
            softness: None,
            collide_connected: false,
            break_force: None,
            break_torque: None,
            order: 0,
            user_data: 0,
        }
    }
}

impl JointKind {
    /// What it is called, in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Ball { .. } => "ball",
            Self::Hinge { .. } => "hinge",
            Self::Slider { .. } => "slider",
            Self::Distance { .. } => "distance",
            Self::Target { .. } => "target",
            Self::Wheel { .. } => "wheel",
        }
    }

    /// Whether what holds rotations has to leave points that are held where they are.
    pub(crate) const fn turns_about_points(&self) -> bool {
        match self {
            Self::Fixed | Self::Hinge { .. } | Self::Slider { .. } | Self::Wheel { .. } => true,
            Self::Ball { motor: Some(motor), .. } => motor.spring.is_none(),
            Self::Ball { motor: None, .. } | Self::Distance { .. } | Self::Target { .. } => false,
        }
    }

    /// Whether anything about an axis, or against rotation, has to leave points that are held where they are.
    pub(crate) const fn keeps_points_still(&self) -> bool {
        match self {
            Self::Ball { swing_limit: Some(_), .. } | Self::Ball { twist_limits: Some(_), .. } => true,
            _ => self.turns_about_points(),
        }
    }
}

/// What commands change of a joint; of a slot without one, how often it was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Joint {
    pub(crate) generation: u32,
    pub(crate) alive: bool,
    pub(crate) collide_connected: bool,
    /// Slots of the bodies.
    pub(crate) bodies: [u32; 2],
    /// In the coordinates of the origins of the bodies.
    pub(crate) frames: [Pose; 2],
    pub(crate) kind: JointKind,
    pub(crate) softness: Option<Spring>,
    pub(crate) break_force: Option<Fx>,
    pub(crate) break_torque: Option<Fx>,
    pub(crate) order: u32,
    pub(crate) user_data: u64,
}

/// What a step changes of a joint: impulses as velocity changes in m/s and rad/s, Q11.21. The next substep starts with them, and
/// the `last_` ones are those of the last substep as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JointImpulses {
    /// What holds or draws the origins of the frames, in the world.
    pub(crate) linear: [i32; 3],
    /// The same of rotations.
    pub(crate) angular: [i32; 3],
    pub(crate) last_linear: [i32; 3],
    pub(crate) last_angular: [i32; 3],
    /// What drives the axis; of a wheel its suspension.
    pub(crate) motor: i32,
    /// What holds the axis, or the twist, in its limits.
    pub(crate) limit: i32,
    /// What holds the swing in its limit, or turns a wheel.
    pub(crate) swing: i32,
    pub(crate) last_motor: i32,
    pub(crate) last_limit: i32,
    pub(crate) last_swing: i32,
}

impl Joint {
    /// A slot that nobody owned yet.
    pub(crate) const VACANT: Self = Self {
        generation: 0,
        alive: false,
        collide_connected: false,
        bodies: [0; 2],
        frames: [Pose::IDENTITY; 2],
        kind: JointKind::Fixed,
        softness: None,
        break_force: None,
        break_torque: None,
        order: 0,
        user_data: 0,
    };

    /// The frames that it holds against each other: that of a is turned by a steering.
    pub(crate) const fn held_frames(&self) -> [Pose; 2] {
        let [mut a, b] = self.frames;
        if let JointKind::Wheel { steering, .. } = self.kind {
            a.rotation = a.rotation.mul_quat(Quat::from_rotation_y(steering));
        }
        [a, b]
    }
}

impl JointImpulses {
    /// Those of a joint that has not held anything yet.
    pub(crate) const NONE: Self = Self {
        linear: [0; 3],
        angular: [0; 3],
        last_linear: [0; 3],
        last_angular: [0; 3],
        motor: 0,
        limit: 0,
        swing: 0,
        last_motor: 0,
        last_limit: 0,
        last_swing: 0,
    };

    /// Without those of motors, limits and pulls that a kind does not have, which another one was before: what is taken away leaves
    /// no push behind; nor what was in other units, as those of a ball joint whose motor got or lost its spring, or which got or
    /// lost a swing limit.
    #[must_use]
    pub(crate) fn applied_by(mut self, kind: &JointKind, before: &JointKind) -> Self {
        let [mut has_motor, mut has_limit, mut has_swing] = [false; 3];
        match kind {
            JointKind::Fixed => {}
            JointKind::Ball { swing_limit, twist_limits, motor } => {
                let swings = |kind: &JointKind| matches!(kind, JointKind::Ball { swing_limit: Some(_), .. });
                let is_same = swings(before) == swing_limit.is_some();
                (has_limit, has_swing) = (twist_limits.is_some() && is_same, swing_limit.is_some());
                if motor.is_none() || kind.turns_about_points() != before.turns_about_points() {
                    (self.angular, self.last_angular) = ([0; 3], [0; 3]);
                }
            }
            JointKind::Hinge { limits, motor }
            | JointKind::Slider { limits, motor }
            | JointKind::Distance { limits, motor } => {
                (has_limit, has_motor) = (limits.is_some(), motor.is_some());
            }
            JointKind::Target { linear, angular, .. } => {
                if linear.is_none() {
                    (self.linear, self.last_linear) = ([0; 3], [0; 3]);
                }
                if angular.is_none() {
                    (self.angular, self.last_angular) = ([0; 3], [0; 3]);
                }
            }
            JointKind::Wheel { limits, suspension, motor, .. } => {
                (has_limit, has_motor, has_swing) = (limits.is_some(), suspension.is_some(), motor.is_some());
            }
        }
        for (has, impulse, last) in [
            (has_motor, &mut self.motor, &mut self.last_motor),
            (has_limit, &mut self.limit, &mut self.last_limit),
            (has_swing, &mut self.swing, &mut self.last_swing),
        ] {
            if !has {
                (*impulse, *last) = (0, 0);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: JointImpulses = JointImpulses {
        linear: [1, 2, 3],
        angular: [4, 5, 6],
        last_linear: [7, 8, 9],
        last_angular: [10, 11, 12],
        motor: 13,
        limit: 14,
        swing: 15,
        last_motor: 16,
        last_limit: 17,
        last_swing: 18,
    };

    #[test]
    fn what_a_kind_no_longer_has_leaves_no_impulse() {
        let (limits, motor) = (Some(Limits::default()), Some(Motor::default()));
        let hinge = JointKind::Hinge { limits, motor: None };
        let without_swing = JointImpulses { swing: 0, last_swing: 0, ..ALL };
        assert_eq!(
            ALL.applied_by(&hinge, &hinge),
            JointImpulses { motor: 0, last_motor: 0, ..without_swing }
        );
        let slider = JointKind::Slider { limits: None, motor };
        assert_eq!(
            ALL.applied_by(&slider, &slider),
            JointImpulses { limit: 0, last_limit: 0, ..without_swing }
        );
        let ball = JointKind::Ball { swing_limit: Some(Fx::ONE), twist_limits: None, motor: None };
        let JointImpulses { linear, last_linear, swing, last_swing, .. } = ALL;
        let swings = JointImpulses { linear, last_linear, swing, last_swing, ..JointImpulses::NONE };
        assert_eq!(ALL.applied_by(&ball, &ball), swings);
        let twists = JointKind::Ball { swing_limit: None, twist_limits: limits, motor: None };
        assert_eq!(ALL.applied_by(&ball, &twists), swings);
        assert_eq!(ALL.applied_by(&twists, &ball).limit, 0);
        assert_eq!(ALL.applied_by(&twists, &twists).limit, ALL.limit);
        let pull = Some(Pull::default());
        let target = JointKind::Target { pose: Pose::IDENTITY, linear: pull, angular: None };
        assert_eq!(
            ALL.applied_by(&target, &target),
            JointImpulses { linear, last_linear, ..JointImpulses::NONE }
        );
        let wheel = JointKind::Wheel { limits, suspension: None, motor, steering: Fx::ONE };
        assert_eq!(ALL.applied_by(&wheel, &wheel), JointImpulses { motor: 0, last_motor: 0, ..ALL });
    }

    #[test]
    fn what_a_brake_held_is_not_what_a_spring_pulls_with() {
        let ball = |spring| {
            let motor = Some(BallMotor { spring, ..BallMotor::default() });
            JointKind::Ball { swing_limit: None, twist_limits: None, motor }
        };
        let (brake, pulls) = (ball(None), ball(Some(Spring::default())));
        for (before, after) in [(&brake, &pulls), (&pulls, &brake)] {
            let JointImpulses { angular, last_angular, linear, .. } = ALL.applied_by(after, before);
            assert_eq!((angular, last_angular, linear), ([0; 3], [0; 3], ALL.linear));
            assert_eq!(ALL.applied_by(after, after).angular, ALL.angular);
        }
    }

    #[test]
    fn a_step_changes_72_bytes_of_a_joint() {
        assert_eq!(size_of::<JointImpulses>(), 72);
    }
}
