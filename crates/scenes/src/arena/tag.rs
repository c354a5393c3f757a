//! What a body is, as its user data say.

use isostep_step::{ColliderHandle, World};

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Scenery,
    Player(usize),
    Crate,
    Ball,
    Shot,
    /// The number of its spot.
    PickUp(usize),
    /// The side, 0 or 1.
    Goal(usize),
}

impl Tag {
    /// As user data.
    pub(super) const fn to_bits(self) -> u64 {
        let (kind, index) = match self {
            Self::Scenery => (0, 0),
            Self::Player(index) => (1, index),
            Self::Crate => (2, 0),
            Self::Ball => (3, 0),
            Self::Shot => (4, 0),
            Self::PickUp(spot) => (5, spot),
            Self::Goal(side) => (6, side),
        };
        kind << 32 | index as u64
    }

    const fn from_bits(bits: u64) -> Self {
        let index = (bits & 0xFFFF) as usize;
        match bits >> 32 {
            1 => Self::Player(index),
            2 => Self::Crate,
            3 => Self::Ball,
            4 => Self::Shot,
            5 => Self::PickUp(index),
            6 => Self::Goal(index),
            _ => Self::Scenery,
        }
    }

    /// Of the body that has a collider.
    pub(super) fn of(world: &World, collider: ColliderHandle) -> Self {
        let body = world.collider(collider).and_then(|collider| world.body(collider.body()));
        body.map_or(Self::Scenery, |body| Self::from_bits(body.user_data()))
    }
}
