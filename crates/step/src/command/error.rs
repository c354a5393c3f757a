//! [`CommandError`].

use crate::body::{MAX_COORDINATE, MAX_DAMPING, MAX_GRAVITY_SCALE};
use crate::config::ConfigError;
use crate::filter::LAYERS;
use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use crate::joint::{JointError, MAX_JOINT_LENGTH};
use crate::material::MaterialError;
use isostep_collision::MassError;
use isostep_math::{Fx, Quat, Vec3};

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
    #[error("{0} is not dynamic: only dynamic bodies have a mass and follow forces")]
    NotDynamic(BodyHandle),
    /// Only kinematic bodies have targets.
    #[error("{0} is not kinematic: only kinematic bodies have targets")]
    NotKinematic(BodyHandle),
    /// Fixed bodies have no velocity.
    #[error("{0} is fixed: it has no velocity")]
    IsFixed(BodyHandle),
    /// A fixed body that was to be added with a velocity.
    #[error("{field} is {velocity}: a fixed body has none, a kinematic one moves as told")]
    FixedWithVelocity {
        /// The linear one, or the angular one.
        field: &'static str,
        /// What it was.
        velocity: Vec3,
    },
    /// A fixed or kinematic body that was to be added with a mass.
    #[error("mass is {value} for a body that is not dynamic: no force moves it whatever it weighs")]
    MassWithoutForces {
        /// What it was.
        value: Fx,
    },
    /// Only fixed bodies have half-spaces.
    #[error("{0} is not fixed: a half-space has no end and no mass, and belongs on a fixed body")]
    NotFixed(BodyHandle),
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
        /// What it is: [`JointKind::name`](crate::JointKind::name).
        current: &'static str,
        /// What it was to be.
        given: &'static str,
    },
    /// The parameters of a joint: see [`JointError`].
    #[error(transparent)]
    Joint(#[from] JointError),
    /// A coordinate beyond [`MAX_COORDINATE`].
    #[error("position of {of} is {position}: coordinates must be within ±{MAX_COORDINATE} m")]
    PositionOutOfRange {
        /// What it is the position of.
        of: &'static str,
        /// What it was.
        position: Vec3,
    },
    /// A rotation whose quaternion has not unit length.
    #[error("rotation of {of} is {rotation}: a rotation needs a quaternion of length 1; normalize it")]
    UnnormalizedRotation {
        /// What it is the rotation of.
        of: &'static str,
        /// What it was.
        rotation: Quat,
    },
    /// A factor of gravity beyond [`MAX_GRAVITY_SCALE`].
    #[error("gravity scale is {value}: it must be within ±{MAX_GRAVITY_SCALE}")]
    GravityScaleOutOfRange {
        /// What it was.
        value: Fx,
    },
    /// A damping below 0 or above [`MAX_DAMPING`].
    #[error("{field} is {value}: it must be from 0 to {MAX_DAMPING} /s")]
    DampingOutOfRange {
        /// The linear one, or the angular one.
        field: &'static str,
        /// What it was.
        value: Fx,
    },
    /// A mass out of its range: see [`MassError`].
    #[error(transparent)]
    Mass(#[from] MassError),
    /// A material out of its range: see [`MaterialError`].
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
    /// Colliders that reach too far from the centre of mass of a dynamic body.
    #[error(
        "{body} would reach {extent} m from its centre of mass: at most {max} m are allowed for a dynamic body"
    )]
    BodyTooLarge {
        /// The body.
        body: BodyHandle,
        /// How far it would reach.
        extent: Fx,
        /// How far it may.
        max: Fx,
    },
    /// A frame of a joint too far from where colliders would bring the centre of mass of its body.
    #[error(
        "a frame of {joint} would be {distance} m from the centre of mass: at most {MAX_JOINT_LENGTH} m are allowed"
    )]
    JointTooFar {
        /// The joint.
        joint: JointHandle,
        /// How far its frame would be.
        distance: Fx,
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
