//! [`Command`]: the one door through which a world changes.
//!
//! Whatever changes a world is a value of this type, so a recorder misses nothing, a server can check what it passes
//! on, and a log replays without the game. The readable methods of [`World`](crate::World) build commands.
//!
//! `error` says why one changes nothing, `validate` which values are allowed.

mod error;
pub(crate) mod validate;

pub use error::CommandError;

use crate::body::{AxisLocks, BodyDef, Continuous};
use crate::collider::ColliderDef;
use crate::filter::Filter;
use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use crate::joint::{JointDef, JointKind, Spring};
use crate::material::Material;
use isostep_math::{Fx, Pose, Vec3};
use serde::{Deserialize, Serialize};

/// A change to a world.
///
/// Forces and torques act over the next step; impulses act at once. Most commands wake the bodies that they concern, with
/// all that these touch or are joined to. User data, `DrawRandom`, `SetContinuous`, and a `SetCanSleep` that allows it wake
/// nobody; nor does what a kinematic body is told to do: the step that moves it wakes what it carries, hits or is joined to.
///
/// A body that left the world ([`Event::OutOfBounds`](crate::Event::OutOfBounds)) stands still until its pose is set.
/// Velocities, impulses, forces and targets for it are taken until then, and come to nothing: whether it left is nothing that a
/// player's command should fail by. [`BodyView::is_frozen`](crate::BodyView::is_frozen) tells.
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
    /// Puts the origin of a body somewhere; its velocity stays. What it was to reach by [`SetKinematicTarget`] is forgotten.
    ///
    /// [`SetKinematicTarget`]: Self::SetKinematicTarget
    SetPose {
        /// The body.
        body: BodyHandle,
        /// The pose of its origin.
        pose: Pose,
    },
    /// Sets the velocity of a dynamic or kinematic body, held to the world's greatest speeds, and without the components that
    /// are locked. What it was to reach by [`SetKinematicTarget`] is forgotten.
    ///
    /// [`SetKinematicTarget`]: Self::SetKinematicTarget
    SetVelocity {
        /// The body.
        body: BodyHandle,
        /// Of its centre of mass, in m/s.
        linear: Vec3,
        /// In rad/s.
        angular: Vec3,
    },
    /// Lets a kinematic body be at a pose after the next step, and pushes what is in the way. As a pose that is set, the
    /// target is taken whole, whatever is locked.
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
    /// Sets whether the colliders of two bodies pass through each other. Sensors see them all the same.
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
