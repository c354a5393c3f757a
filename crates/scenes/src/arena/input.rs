//! What a player does in a tick.

use isostep_math::{Fx, Vec3};
use serde::{Deserialize, Serialize};

/// Buttons that are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Buttons(u8);

impl Buttons {
    /// None.
    pub const NONE: Self = Self(0);
    /// Off the ground.
    pub const JUMP: Self = Self(1);
    /// Away with what is in front.
    pub const PUSH: Self = Self(2);
    /// A crate, if one was picked up.
    pub const THROW: Self = Self(4);
    /// A ball, fast.
    pub const SHOOT: Self = Self(8);
    /// A hook on a rope, which pulls in while this is held and lets go with it.
    pub const HOOK: Self = Self(16);

    /// The buttons of both.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all buttons of the other are held.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What a player does in a tick: three bytes, and all values of them are fine. The last three bits of the buttons mean
/// nothing yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlayerInput {
    /// Where to, along x: −127 to 127 for full speed.
    pub x: i8,
    /// Where to, along z.
    pub z: i8,
    /// What is held.
    pub buttons: Buttons,
}

impl PlayerInput {
    /// As bytes.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 3] {
        [self.x as u8, self.z as u8, self.buttons.0]
    }

    /// From bytes, any.
    #[must_use]
    pub const fn from_bytes([x, z, buttons]: [u8; 3]) -> Self {
        Self { x: x as i8, z: z as i8, buttons: Buttons(buttons) }
    }

    /// The direction on the ground, of a length of at most 1.
    pub(super) fn direction(self) -> Vec3 {
        direction_of([self.x, self.z]).clamp_length_max(Fx::ONE)
    }
}

/// A direction in parts of 127.
pub(super) fn direction_of([x, z]: [i8; 2]) -> Vec3 {
    Vec3::new(Fx::from_ratio(x.into(), 127), Fx::ZERO, Fx::from_ratio(z.into(), 127))
}
