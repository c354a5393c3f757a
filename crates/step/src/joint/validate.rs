//! Which numbers make a joint: what commands and snapshots are held to.

use super::{
    BallMotor, JointDef, JointKind, Limits, MAX_JOINT_LENGTH, MAX_MOTOR_SPEED, MAX_SPRING_DAMPING_RATIO,
    MAX_SPRING_FREQUENCY, Motor, Pull, Spring,
};
use crate::body::Body;
use crate::command::CommandError;
use crate::command::validate::{validate_pose, validate_rotation};
use isostep_math::{Fx, Pose, Vec3};

/// Why numbers make no joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointError {
    /// A number out of its range.
    #[error("{field} is {value}: it must be from {min} to {max}")]
    OutOfRange {
        /// What it is of.
        field: &'static str,
        /// What it was.
        value: Fx,
        /// The least that is allowed.
        min: Fx,
        /// The greatest that is allowed.
        max: Fx,
    },
    /// A number that must be at least 0 and is not.
    #[error("{field} is {value}: it must be at least 0")]
    Negative {
        /// What it is of.
        field: &'static str,
        /// What it was.
        value: Fx,
    },
    /// A frequency of a spring that is not above 0, or beyond [`MAX_SPRING_FREQUENCY`].
    #[error("{field} is {value}: it must be above 0 and at most {MAX_SPRING_FREQUENCY} Hz")]
    FrequencyOutOfRange {
        /// Which spring it is of.
        field: &'static str,
        /// What it was.
        value: Fx,
    },
    /// A frame too far from the centre of mass of a body that moves.
    #[error(
        "frame {frame} is {distance} m from the centre of mass of its body: at most {MAX_JOINT_LENGTH} m are allowed \
         on a body that moves"
    )]
    FrameTooFar {
        /// `a` or `b`.
        frame: &'static str,
        /// How far it is.
        distance: Fx,
    },
    /// A number that must be above 0 and is not.
    #[error("{field} is {value}: it must be above 0")]
    NotPositive {
        /// What it is of.
        field: &'static str,
        /// What it was.
        value: Fx,
    },
    /// Limits of which the lower one is above the upper one.
    #[error("{field}s from {lower} to {upper}: the lower one must not be above the upper one")]
    InvertedLimits {
        /// What they are of.
        field: &'static str,
        /// The lower one.
        lower: Fx,
        /// The upper one.
        upper: Fx,
    },
}

impl JointDef {
    /// What can be said without its bodies: how far its frames may be from their origins is up to them.
    ///
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), CommandError> {
        validate_pose("frame a", &self.frame_a)?;
        validate_pose("frame b", &self.frame_b)?;
        self.kind.validate()?;
        validate_softness(self.softness)?;
        validate_break(self.break_force, self.break_torque)
    }
}

impl JointKind {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), CommandError> {
        let (angles, whole) = ((-Fx::PI, Fx::PI), (-MAX_JOINT_LENGTH, MAX_JOINT_LENGTH));
        match *self {
            Self::Fixed => Ok(()),
            Self::Ball { swing_limit, twist_limits, motor } => {
                if let Some(swing) = swing_limit {
                    range("swing limit", swing, (Fx::ZERO, Fx::PI))?;
                }
                validate_limits("twist limit", twist_limits, angles)?;
                motor.map_or(Ok(()), |motor| validate_ball_motor(&motor))
            }
            Self::Hinge { limits, motor } => {
                validate_limits("hinge limit", limits, angles)?;
                validate_motor(&MOTOR, motor, ("motor angle", angles))
            }
            Self::Slider { limits, motor } => {
                validate_limits("slider limit", limits, whole)?;
                validate_motor(&MOTOR, motor, ("motor position", whole))
            }
            Self::Distance { limits, motor } => {
                let lengths = (Fx::ZERO, MAX_JOINT_LENGTH);
                validate_limits("distance limit", limits, lengths)?;
                validate_motor(&MOTOR, motor, ("motor distance", lengths))
            }
            Self::Target { pose, linear, angular } => {
                for component in pose.translation.to_array() {
                    range("target position", component, whole)?;
                }
                validate_rotation("the target", pose.rotation)?;
                validate_pull(linear, LINEAR_PULL, "linear pull force")?;
                validate_pull(angular, ANGULAR_PULL, "angular pull torque")
            }
            Self::Wheel { limits, suspension, motor, steering } => {
                validate_limits("suspension limit", limits, whole)?;
                validate_motor(&SUSPENSION, suspension, ("suspension position", whole))?;
                validate_motor(&MOTOR, motor, ("motor angle", angles))?;
                Ok(range("steering", steering, angles)?)
            }
        }
    }
}

/// What the numbers of a spring are called in errors: its frequency, and its damping ratio.
type SpringFields = [&'static str; 2];

const SOFTNESS: SpringFields = ["softness frequency", "softness damping ratio"];
const LINEAR_PULL: SpringFields = ["linear pull frequency", "linear pull damping ratio"];
const ANGULAR_PULL: SpringFields = ["angular pull frequency", "angular pull damping ratio"];

/// What the numbers of a motor are called, but for its position.
struct MotorFields {
    velocity: &'static str,
    spring: SpringFields,
    most: &'static str,
}

const MOTOR: MotorFields = MotorFields {
    velocity: "motor velocity",
    spring: ["motor spring frequency", "motor spring damping ratio"],
    most: "motor force",
};
const BALL_MOTOR: MotorFields = MotorFields { most: "motor torque", ..MOTOR };
const SUSPENSION: MotorFields = MotorFields {
    velocity: "suspension velocity",
    spring: ["suspension frequency", "suspension damping ratio"],
    most: "suspension force",
};

/// # Errors
/// If it is out of range.
pub(crate) fn validate_softness(softness: Option<Spring>) -> Result<(), CommandError> {
    softness.map_or(Ok(()), |spring| Ok(validate_spring(SOFTNESS, &spring)?))
}

/// # Errors
/// If one of them is not above 0.
pub(crate) fn validate_break(force: Option<Fx>, torque: Option<Fx>) -> Result<(), CommandError> {
    for (field, value) in [("break force", force), ("break torque", torque)] {
        if let Some(value) = value {
            positive(field, value)?;
        }
    }
    Ok(())
}

/// How far the frames are from the centres of mass of their bodies.
///
/// # Errors
/// If a body moves, and that is too far.
pub(crate) fn validate_reach(frames: &[Pose; 2], bodies: [&Body; 2]) -> Result<(), JointError> {
    for ((name, frame), body) in ["a", "b"].into_iter().zip(frames).zip(bodies) {
        if body.is_fixed() {
            continue;
        }
        if let Some(distance) = arm_that_is_too_long(frame, body.mass.center) {
            return Err(JointError::FrameTooFar { frame: name, distance });
        }
    }
    Ok(())
}

/// How far a frame is from a centre of mass, if that is too far for a body that moves.
pub(crate) fn arm_that_is_too_long(frame: &Pose, center: Vec3) -> Option<Fx> {
    Some(frame.translation.distance(center)).filter(|&arm| arm > MAX_JOINT_LENGTH)
}

fn validate_motor(
    fields: &MotorFields,
    motor: Option<Motor>,
    (position, ends): (&'static str, (Fx, Fx)),
) -> Result<(), CommandError> {
    let Some(motor) = motor else { return Ok(()) };
    range(position, motor.position, ends)?;
    validate_drive(fields, &[motor.velocity], motor.spring, motor.max_force)
}

fn validate_limits(field: &'static str, limits: Option<Limits>, ends: (Fx, Fx)) -> Result<(), JointError> {
    let Some(Limits { lower, upper }) = limits else { return Ok(()) };
    range(field, lower, ends)?;
    range(field, upper, ends)?;
    if lower > upper { Err(JointError::InvertedLimits { field, lower, upper }) } else { Ok(()) }
}

fn validate_ball_motor(motor: &BallMotor) -> Result<(), CommandError> {
    validate_rotation("the motor", motor.rotation)?;
    validate_drive(&BALL_MOTOR, &motor.velocity.to_array(), motor.spring, motor.max_torque)
}

fn validate_drive(
    fields: &MotorFields,
    velocity: &[Fx],
    spring: Option<Spring>,
    most: Fx,
) -> Result<(), CommandError> {
    for &component in velocity {
        range(fields.velocity, component, (-MAX_MOTOR_SPEED, MAX_MOTOR_SPEED))?;
    }
    if let Some(spring) = spring {
        validate_spring(fields.spring, &spring)?;
    }
    Ok(not_negative(fields.most, most)?)
}

fn validate_pull(pull: Option<Pull>, spring: SpringFields, most: &'static str) -> Result<(), CommandError> {
    let Some(pull) = pull else { return Ok(()) };
    validate_spring(spring, &pull.spring)?;
    Ok(not_negative(most, pull.max_force)?)
}

fn validate_spring([frequency, damping_ratio]: SpringFields, spring: &Spring) -> Result<(), JointError> {
    let value = spring.frequency;
    if value <= Fx::ZERO || value > MAX_SPRING_FREQUENCY {
        return Err(JointError::FrequencyOutOfRange { field: frequency, value });
    }
    range(damping_ratio, spring.damping_ratio, (Fx::ZERO, MAX_SPRING_DAMPING_RATIO))
}

fn positive(field: &'static str, value: Fx) -> Result<(), JointError> {
    if value > Fx::ZERO { Ok(()) } else { Err(JointError::NotPositive { field, value }) }
}

fn not_negative(field: &'static str, value: Fx) -> Result<(), JointError> {
    if value.is_negative() { Err(JointError::Negative { field, value }) } else { Ok(()) }
}

fn range(field: &'static str, value: Fx, (min, max): (Fx, Fx)) -> Result<(), JointError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(JointError::OutOfRange { field, value, min, max }) }
}
