//! Events: what a step has to tell.
//!
//! They follow from the states before and after the step and nothing else: a tick that is simulated again has the
//! same events. They come by kinds, in the order of the variants, and by handles within a kind.

use crate::handle::{BodyHandle, ColliderHandle, JointHandle};
use isostep_math::{Fx, Vec3};

/// Something that happened in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// Two colliders touch that did not.
    ContactBegin {
        /// The collider that comes first in the world's order.
        a: ColliderHandle,
        /// The other one.
        b: ColliderHandle,
    },
    /// Two colliders no longer touch, or one of them is gone.
    ContactEnd {
        /// The collider that comes first in the world's order.
        a: ColliderHandle,
        /// The other one.
        b: ColliderHandle,
    },
    /// Two colliders hit each other: they came together faster than the world's restitution threshold.
    ContactImpact {
        /// The collider that comes first in the world's order.
        a: ColliderHandle,
        /// The other one.
        b: ColliderHandle,
        /// How fast they came together along the normal, in m/s.
        approach_speed: Fx,
        /// How much momentum the contact exchanged along the normal in the step, in N·s; saturating.
        impulse: Fx,
        /// The deepest point of the contact, in the world.
        point: Vec3,
        /// From a to b.
        normal: Vec3,
    },
    /// Something is in a sensor that was not.
    SensorEnter {
        /// The sensor.
        sensor: ColliderHandle,
        /// What is in it.
        visitor: ColliderHandle,
    },
    /// Something is no longer in a sensor, or one of them is gone.
    SensorLeave {
        /// The sensor.
        sensor: ColliderHandle,
        /// What was in it.
        visitor: ColliderHandle,
    },
    /// A body woke up.
    Wake {
        /// The body.
        body: BodyHandle,
    },
    /// A body fell asleep, possibly in the step in which it woke.
    Sleep {
        /// The body.
        body: BodyHandle,
    },
    /// A body left the world: it stands where it did, and nothing moves it until its pose is set.
    OutOfBounds {
        /// The body.
        body: BodyHandle,
    },
    /// A joint held with more force or torque than it is made for, and is gone. One that a command removes is not told
    /// of.
    JointBreak {
        /// The joint, which no longer exists.
        joint: JointHandle,
        /// The first body of the joint.
        a: BodyHandle,
        /// The other one.
        b: BodyHandle,
        /// The user's data of the joint.
        user_data: u64,
        /// With how much force it held over the tick, in N; saturating.
        force: Fx,
        /// With how much torque it held over the tick, in N·m; saturating.
        torque: Fx,
    },
}

impl Event {
    /// Where it comes among the events of a step: by kinds, then by handles. No two of a step are equal in it.
    pub(crate) const fn key(&self) -> (u8, [u32; 4]) {
        const fn colliders(a: ColliderHandle, b: ColliderHandle) -> [u32; 4] {
            [a.index, b.index, a.generation, b.generation]
        }
        match *self {
            Self::ContactBegin { a, b } => (0, colliders(a, b)),
            Self::ContactEnd { a, b } => (1, colliders(a, b)),
            Self::ContactImpact { a, b, .. } => (2, colliders(a, b)),
            Self::SensorEnter { sensor, visitor } => (3, colliders(sensor, visitor)),
            Self::SensorLeave { sensor, visitor } => (4, colliders(sensor, visitor)),
            Self::Wake { body } => (5, [body.index, 0, body.generation, 0]),
            Self::Sleep { body } => (6, [body.index, 0, body.generation, 0]),
            Self::OutOfBounds { body } => (7, [body.index, 0, body.generation, 0]),
            Self::JointBreak { joint, .. } => (8, [joint.index, 0, joint.generation, 0]),
        }
    }
}
