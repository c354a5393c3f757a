//! [`Command`]: the one door through which a world changes.
//!
//! Whatever changes a world is a value of this type, so a recorder misses nothing, a server can check what it passes
//! on, and a log replays without the game. The readable methods of [`World`](crate::World) build commands.

use crate::body::{AxisLocks, BodyDef, Continuous, MAX_COORDINATE, MAX_DAMPING, MAX_GRAVITY_SCALE};
use crate::collider::ColliderDef;
use crate::config::ConfigError;
use crate::filter::{Filter, LAYERS};
use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use crate::joint::{JointDef, JointError, JointKind, Spring};
use crate::material::{Material, MaterialError};
use isostep_collision::MassError;
use isostep_math::{Fx, Pose, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// A change to a world.
///
/// Forces and torques act over the next step; impulses act at once. All but the flags and the data of the user wake
/// the bodies that they concern, with all that these touch or are joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Command {
    /// Adds a body. [`Outcome::Body`] has its handle.
    AddBody(BodyDef),
    /// Removes a body with all its colliders and joints.
    RemoveBody(BodyHandle),
    /// Adds a collider to a body. [`Outcome::Collider`] has its handle.
    AddCollider {
        /// The body.
        body: BodyHandle,
        /// The collider.
        collider: ColliderDef,
    },
    /// Removes a collider.
    RemoveCollider(ColliderHandle),
    /// Puts the origin of a body somewhere; its velocity stays.
    SetPose {
        /// The body.
        body: BodyHandle,
        /// The pose of its origin.
        pose: Pose,
    },
    /// Sets the velocity of a dynamic or kinematic body, held to the world's greatest speeds.
    SetVelocity {
        /// The body.
        body: BodyHandle,
        /// Of its centre of mass, in m/s.
        linear: Vec3,
        /// In rad/s.
        angular: Vec3,
    },
    /// Lets a kinematic body be at a pose after the next step, and pushes what is in the way.
    SetKinematicTarget {
        /// The body.
        body: BodyHandle,
        /// The pose of its origin.
        pose: Pose,
    },
    /// Changes the velocity of a dynamic body by an impulse at its centre of mass.
    ApplyImpulse {
        /// The body.
        body: BodyHandle,
        /// In N·s.
        impulse: Vec3,
    },
    /// Changes the velocities of a dynamic body by an impulse at a point.
    ApplyImpulseAt {
        /// The body.
        body: BodyHandle,
        /// In N·s.
        impulse: Vec3,
        /// In the world.
        point: Vec3,
    },
    /// Changes the angular velocity of a dynamic body.
    ApplyAngularImpulse {
        /// The body.
        body: BodyHandle,
        /// In N·m·s.
        impulse: Vec3,
    },
    /// Pulls a dynamic body at its centre of mass during the next step.
    ApplyForce {
        /// The body.
        body: BodyHandle,
        /// In N.
        force: Vec3,
    },
    /// Pulls a dynamic body at a point during the next step.
    ApplyForceAt {
        /// The body.
        body: BodyHandle,
        /// In N.
        force: Vec3,
        /// In the world.
        point: Vec3,
    },
    /// Turns a dynamic body during the next step.
    ApplyTorque {
        /// The body.
        body: BodyHandle,
        /// In N·m.
        torque: Vec3,
    },
    /// Wakes a body and all that it rests on or against.
    Wake(BodyHandle),
    /// Sets how much gravity counts for a body.
    SetGravityScale {
        /// The body.
        body: BodyHandle,
        /// The factor.
        scale: Fx,
    },
    /// Sets how fast the velocities of a body decay.
    SetDamping {
        /// The body.
        body: BodyHandle,
        /// In 1/s.
        linear: Fx,
        /// In 1/s.
        angular: Fx,
    },
    /// Sets where a body cannot move.
    SetLocks {
        /// The body.
        body: BodyHandle,
        /// The axes.
        locks: AxisLocks,
    },
    /// Sets the mass of a dynamic body, or lets the densities of its colliders say it.
    SetMass {
        /// The body.
        body: BodyHandle,
        /// In kg.
        mass: Option<Fx>,
    },
    /// Sets whether a body may fall asleep; one that may not wakes up.
    SetCanSleep {
        /// The body.
        body: BodyHandle,
        /// Whether it may.
        can_sleep: bool,
    },
    /// Sets the user's data of a body.
    SetBodyUserData {
        /// The body.
        body: BodyHandle,
        /// The data.
        user_data: u64,
    },
    /// Sets the surface of a collider.
    SetMaterial {
        /// The collider.
        collider: ColliderHandle,
        /// The surface.
        material: Material,
    },
    /// Sets what a collider collides with.
    SetFilter {
        /// The collider.
        collider: ColliderHandle,
        /// The filter.
        filter: Filter,
    },
    /// Sets the user's data of a collider.
    SetColliderUserData {
        /// The collider.
        collider: ColliderHandle,
        /// The data.
        user_data: u64,
    },
    /// Sets the gravity of the world, and wakes all bodies.
    SetGravity(Vec3),
    /// Sets whether the colliders of two layers meet.
    SetLayersMeet {
        /// A layer.
        a: u8,
        /// Another one, or the same.
        b: u8,
        /// Whether they meet.
        meet: bool,
    },
    /// Sets whether the colliders of two bodies pass through each other.
    SetPairExcluded {
        /// A body.
        a: BodyHandle,
        /// Another one.
        b: BodyHandle,
        /// Whether they pass through each other.
        excluded: bool,
    },
    /// Draws 64 random bits from one of the world's streams. [`Outcome::Random`] has them.
    DrawRandom {
        /// The number of the stream; each is independent of the others.
        stream: u32,
    },
    /// Joins two bodies. [`Outcome::Joint`] has the handle of the joint.
    AddJoint(JointDef),
    /// Removes a joint.
    RemoveJoint(JointHandle),
    /// Sets the limits, motors or targets of a joint; its kind stays what it is.
    SetJointKind {
        /// The joint.
        joint: JointHandle,
        /// The same variant with other numbers.
        kind: JointKind,
    },
    /// Sets how what a joint holds gives way; `None` is as stiff as the world can.
    SetJointSoftness {
        /// The joint.
        joint: JointHandle,
        /// The spring.
        softness: Option<Spring>,
    },
    /// Sets what breaks a joint; `None` is nothing.
    SetJointBreak {
        /// The joint.
        joint: JointHandle,
        /// In N, above 0.
        force: Option<Fx>,
        /// In N·m, above 0.
        torque: Option<Fx>,
    },
    /// Sets whether the colliders of joined bodies meet.
    SetJointCollide {
        /// The joint.
        joint: JointHandle,
        /// Whether they meet, as far as this joint is concerned.
        collide: bool,
    },
    /// Sets the user's data of a joint.
    SetJointUserData {
        /// The joint.
        joint: JointHandle,
        /// The data.
        user_data: u64,
    },
    /// Sets what a body never passes through.
    SetContinuous {
        /// The body.
        body: BodyHandle,
        /// What it never passes through.
        continuous: Continuous,
    },
}

/// What a command gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// Done.
    Done,
    /// The body that was added.
    Body(BodyHandle),
    /// The collider that was added.
    Collider(ColliderHandle),
    /// Random bits.
    Random(u64),
    /// The joint that was added.
    Joint(JointHandle),
}

/// Why a command changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// No such body: it was removed, or is of another world.
    #[error("{0} does not exist")]
    StaleBody(BodyHandle),
    /// No such collider: it was removed, or is of another world.
    #[error("{0} does not exist")]
    StaleCollider(ColliderHandle),
    /// No such joint: it was removed or broke, or is of another world.
    #[error("{0} does not exist")]
    StaleJoint(JointHandle),
    /// Only dynamic bodies have a mass and follow forces.
    #[error("{0} is not dynamic")]
    NotDynamic(BodyHandle),
    /// Only kinematic bodies have targets.
    #[error("{0} is not kinematic")]
    NotKinematic(BodyHandle),
    /// Fixed bodies have no velocity.
    #[error("{0} is fixed")]
    IsFixed(BodyHandle),
    /// A body with itself is no pair.
    #[error("{0} with itself is no pair")]
    SameBody(BodyHandle),
    /// A joint moves dynamic bodies, and none of these is.
    #[error("neither {a} nor {b} is dynamic: a joint would move nothing")]
    NoDynamicBody {
        /// One of them.
        a: BodyHandle,
        /// The other one.
        b: BodyHandle,
    },
    /// A joint stays of the kind of which it was added.
    #[error("{joint} is a {current} joint and cannot become a {given} joint")]
    OtherJointKind {
        /// The joint.
        joint: JointHandle,
        /// What it is: [`JointKind::name`].
        current: &'static str,
        /// What it was to be.
        given: &'static str,
    },
    /// No joint.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// A coordinate beyond [`MAX_COORDINATE`].
    #[error("position {position}: coordinates must be within ±{MAX_COORDINATE} m")]
    PositionOutOfRange {
        /// What it was.
        position: Vec3,
    },
    /// A rotation whose quaternion has not unit length.
    #[error("rotation {rotation}: a rotation needs a quaternion of length 1; normalize it")]
    UnnormalizedRotation {
        /// What it was.
        rotation: Quat,
    },
    /// A factor of gravity beyond [`MAX_GRAVITY_SCALE`].
    #[error("gravity scale {value}: it must be within ±{MAX_GRAVITY_SCALE}")]
    GravityScaleOutOfRange {
        /// What it was.
        value: Fx,
    },
    /// A damping below 0 or above [`MAX_DAMPING`].
    #[error("damping {value}: it must be from 0 to {MAX_DAMPING} /s")]
    DampingOutOfRange {
        /// What it was.
        value: Fx,
    },
    /// Locks that are none.
    #[error("axis locks {bits:#b}: there are six")]
    UnknownLocks {
        /// What they were.
        bits: u8,
    },
    /// No mass.
    #[error(transparent)]
    Mass(#[from] MassError),
    /// No surface.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A layer from [`LAYERS`] on.
    #[error("layer {layer}: it must be below {LAYERS}")]
    LayerOutOfRange {
        /// What it was.
        layer: u8,
    },
    /// Gravity out of range.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A collider that reaches too far from the centre of mass of a body that moves.
    #[error("a body that moves would reach {extent} m from its centre of mass: at most {max} m are allowed")]
    BodyTooLarge {
        /// How far it would reach.
        extent: Fx,
        /// How far it may.
        max: Fx,
    },
    /// There are as many as a world can have.
    #[error("no more than {max} {what} fit in a world")]
    Full {
        /// Bodies, colliders, joints or streams.
        what: &'static str,
        /// How many fit.
        max: u32,
    },
}

/// # Errors
/// If the position is out of range or the rotation not of unit length.
pub(crate) fn validate_pose(pose: &Pose) -> Result<(), CommandError> {
    if pose.translation.abs().max_element() > MAX_COORDINATE {
        return Err(CommandError::PositionOutOfRange { position: pose.translation });
    }
    if !pose.rotation.is_normalized() {
        return Err(CommandError::UnnormalizedRotation { rotation: pose.rotation });
    }
    Ok(())
}

/// # Errors
/// If it is out of range.
pub(crate) fn validate_gravity_scale(value: Fx) -> Result<(), CommandError> {
    if value.abs() > MAX_GRAVITY_SCALE {
        return Err(CommandError::GravityScaleOutOfRange { value });
    }
    Ok(())
}

/// # Errors
/// If it is out of range.
pub(crate) fn validate_damping(value: Fx) -> Result<(), CommandError> {
    if value.is_negative() || value > MAX_DAMPING {
        return Err(CommandError::DampingOutOfRange { value });
    }
    Ok(())
}

/// # Errors
/// If the layer does not exist.
pub(crate) fn validate_layer(layer: u8) -> Result<(), CommandError> {
    if usize::from(layer) >= LAYERS {
        return Err(CommandError::LayerOutOfRange { layer });
    }
    Ok(())
}

impl BodyDef {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), CommandError> {
        validate_pose(&self.pose)?;
        validate_gravity_scale(self.gravity_scale)?;
        validate_damping(self.linear_damping)?;
        validate_damping(self.angular_damping)?;
        if !self.locks.is_valid() {
            return Err(CommandError::UnknownLocks { bits: self.locks.bits() });
        }
        if let Some(mass) = self.mass {
            isostep_collision::Mass::new(mass)?;
        }
        Ok(())
    }
}

impl ColliderDef {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), CommandError> {
        validate_pose(&self.pose)?;
        self.material.validate()?;
        validate_layer(self.filter.layer)?;
        if self.density <= Fx::ZERO {
            return Err(MassError::NonPositiveDensity { value: self.density }.into());
        }
        Ok(())
    }
}
