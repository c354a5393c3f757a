//! [`Tag`]: what a body is, as its user data say.

use isostep_step::{BodyView, ColliderHandle, World};

/// What a body of the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Tag {
    /// The ground, walls, ledges, ramps, towers, beams and platforms.
    Scenery,
    /// The number of the player.
    Player(usize),
    /// One that stood there at the start, or was thrown.
    Crate,
    /// The ball.
    Ball,
    /// What players shoot.
    Shot,
    /// The number of its spot.
    PickUp(usize),
    /// The side, 0 or 1.
    Goal(usize),
    /// The number of the leaf.
    Door(usize),
    /// The number of the seesaw.
    Seesaw(usize),
    /// The number of the plank of the bridge, from the tower in the middle on.
    Plank(usize),
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
            Self::Door(leaf) => (7, leaf),
            Self::Seesaw(index) => (8, index),
            Self::Plank(index) => (9, index),
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
            7 => Self::Door(index),
            8 => Self::Seesaw(index),
            9 => Self::Plank(index),
            _ => Self::Scenery,
        }
    }

    /// Of a body of the game, which a world that was replayed without the game also has.
    #[must_use]
    pub fn of_body(body: &BodyView<'_>) -> Self {
        Self::from_bits(body.user_data())
    }

    /// The color that pictures of the game give to a body: red, green and blue. Players of a team have shades of one
    /// color; `None` for what looks like scenery of any world.
    #[must_use]
    pub const fn color(self) -> Option<[u8; 3]> {
        let rgb = match self {
            Self::Scenery => return None,
            Self::Player(0) => [0x1F, 0x6F, 0xC4],
            Self::Player(2) => [0x2B, 0x9B, 0xD6],
            Self::Player(4) => [0x14, 0x4E, 0x93],
            Self::Player(player) if player % 2 == 0 => [0x5C, 0xB8, 0xE6],
            Self::Player(1) => [0xD0, 0x3A, 0x3A],
            Self::Player(3) => [0xE8, 0x5D, 0x4A],
            Self::Player(5) => [0xA6, 0x23, 0x2F],
            Self::Player(_) => [0xF0, 0x86, 0x70],
            Self::Crate => [0xC9, 0x95, 0x5B],
            Self::Ball => [0xFF, 0xC2, 0x2E],
            Self::Shot => [0x33, 0x3B, 0x47],
            Self::PickUp(_) => [0x0F, 0x9D, 0x58],
            Self::Goal(0) => [0x2B, 0x9B, 0xD6],
            Self::Goal(_) => [0xE8, 0x5D, 0x4A],
            Self::Door(_) => [0x8A, 0x5A, 0x3C],
            Self::Seesaw(_) => [0x3E, 0xA8, 0xA0],
            Self::Plank(_) => [0xB0, 0x7B, 0x45],
        };
        Some(rgb)
    }

    /// Of the body that has a collider.
    pub(super) fn of(world: &World, collider: ColliderHandle) -> Self {
        let body = world.collider(collider).and_then(|collider| world.body(collider.body()));
        body.map_or(Self::Scenery, |body| Self::of_body(&body))
    }
}
