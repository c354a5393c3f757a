//! Handles: a slot, and which of its owners is meant.

use serde::{Deserialize, Serialize};

/// A body of a world. It stays valid until the body is removed; a slot that is used again has another generation.
///
/// Which slot comes next is part of the world's state: the same commands give the same handles, also after a
/// snapshot was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BodyHandle {
    /// The slot.
    pub index: u32,
    /// How often the slot had been given up when the body took it.
    pub generation: u32,
}

/// A collider of a world, like [`BodyHandle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ColliderHandle {
    /// The slot.
    pub index: u32,
    /// How often the slot had been given up when the collider took it.
    pub generation: u32,
}

/// A joint of a world, like [`BodyHandle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JointHandle {
    /// The slot.
    pub index: u32,
    /// How often the slot had been given up when the joint took it.
    pub generation: u32,
}

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

impl core::fmt::Display for BodyHandle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "body {}.{}", self.index, self.generation)
    }
}

impl core::fmt::Display for ColliderHandle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "collider {}.{}", self.index, self.generation)
    }
}

impl core::fmt::Display for JointHandle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "joint {}.{}", self.index, self.generation)
    }
}
