//! What the game keeps beside the world.

use super::map::SPOTS;
use isostep_step::{BodyHandle, JointHandle, Snapshot, SnapshotError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// The most players.
pub const MAX_PLAYERS: usize = 8;

/// The most shots and thrown crates at a time.
pub(super) const MAX_SHOTS: usize = 48;

/// The most bytes that are read as an [`ArenaState`].
const MOST_BYTES: usize = 1 << 14;

/// All that the game keeps beside the world. Velocities, places and what touches what are the world's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArenaState {
    pub(super) players: Vec<PlayerState>,
    pub(super) shots: Vec<Shot>,
    pub(super) pick_ups: [PickUp; SPOTS],
    /// Until the next pick-up comes.
    pub(super) pick_up_in: u16,
    pub(super) ball: Option<BodyHandle>,
    pub(super) ball_is_in_goal: bool,
    /// Of the teams: players of even and of odd numbers.
    pub(super) goals: [u16; 2],
    pub(super) platforms: [Option<BodyHandle>; 2],
    pub(super) crates: Vec<BodyHandle>,
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerState {
    pub(super) body: BodyHandle,
    pub(super) score: i32,
    pub(super) held: u8,
    /// Where to, in parts of 127.
    pub(super) facing: [i8; 2],
    /// Ticks until they may act again.
    pub(super) stunned: u8,
    pub(super) jump_in: u8,
    pub(super) push_in: u8,
    pub(super) shoot_in: u8,
    /// The rope of a hook that holds. Between ticks it always exists.
    pub(super) rope: Option<JointHandle>,
    pub(super) hook_in: u8,
}

/// A shot, or a crate that was thrown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shot {
    pub(super) body: BodyHandle,
    pub(super) owner: u8,
    pub(super) ticks_left: u16,
}

/// What lies at a spot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PickUp {
    pub(super) body: Option<BodyHandle>,
    /// Somebody has it, and it is to go.
    pub(super) is_taken: bool,
}

impl ArenaState {
    /// The players, by number.
    #[must_use]
    pub fn players(&self) -> &[PlayerState] {
        &self.players
    }

    /// The ball.
    #[must_use]
    pub const fn ball(&self) -> Option<BodyHandle> {
        self.ball
    }

    /// The pick-ups that lie about.
    pub fn pick_ups(&self) -> impl Iterator<Item = BodyHandle> + '_ {
        self.pick_ups.iter().filter_map(|pick_up| pick_up.body)
    }

    /// The goals of the players of even numbers, and of those of odd ones.
    #[must_use]
    pub const fn goals(&self) -> [u16; 2] {
        self.goals
    }

    /// As bytes: little-endian, fixed-width.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        bincode::serde::encode_to_vec(self, codec()).expect("numbers and lists of them have bytes")
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If the bytes are no state of a game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArenaError> {
        if bytes.len() > MOST_BYTES {
            return Err(ArenaError::Length { found: bytes.len(), expected: MOST_BYTES });
        }
        let (state, read): (Self, usize) = bincode::serde::decode_from_slice(bytes, codec())
            .map_err(|error| ArenaError::State(error.to_string()))?;
        if read != bytes.len() {
            return Err(ArenaError::Length { found: bytes.len(), expected: read });
        }
        if !(1..=MAX_PLAYERS).contains(&state.players.len()) {
            return Err(ArenaError::Players { found: state.players.len() });
        }
        Ok(state)
    }
}

impl PlayerState {
    /// The body.
    #[must_use]
    pub const fn body(&self) -> BodyHandle {
        self.body
    }

    /// One for each hit, one less for each fall.
    #[must_use]
    pub const fn score(&self) -> i32 {
        self.score
    }

    /// How many crates they can throw.
    #[must_use]
    pub const fn held(&self) -> u8 {
        self.held
    }

    /// The joint from what their hook holds to them; `None` without one.
    #[must_use]
    pub const fn rope(&self) -> Option<JointHandle> {
        self.rope
    }
}

/// World and game at one tick.
#[derive(Clone, Debug, Default)]
pub struct ArenaSnapshot {
    pub(super) world: Snapshot,
    pub(super) state: ArenaState,
}

/// Why bytes are no snapshot of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// Fewer or more bytes than there should be.
    #[error("{found} bytes where {expected} should be")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be, or may be at the most.
        expected: usize,
    },
    /// The state of the game cannot be decoded.
    #[error("the state of the game cannot be decoded: {0}")]
    State(String),
    /// Too few players or too many.
    #[error("{found} players: there must be 1 to {MAX_PLAYERS}")]
    Players {
        /// How many there are.
        found: usize,
    },
    /// The world cannot be read.
    #[error(transparent)]
    World(#[from] SnapshotError),
}

impl ArenaSnapshot {
    /// The world.
    #[must_use]
    pub const fn world(&self) -> &Snapshot {
        &self.world
    }

    /// The game.
    #[must_use]
    pub const fn state(&self) -> &ArenaState {
        &self.state
    }

    /// The hash of both: [`Arena::hash`](super::Arena::hash).
    #[must_use]
    pub fn hash(&self) -> u128 {
        hash_of(self.world.state_hash(), &self.state)
    }

    /// As bytes: the length of the game's state in four, little-endian, that state, and the world's snapshot.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let state = self.state.to_bytes();
        let length = u32::try_from(state.len()).expect("some hundred bytes");
        let mut bytes = length.to_le_bytes().to_vec();
        bytes.extend_from_slice(&state);
        self.world.write(&mut bytes);
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// If the bytes are no snapshot of a game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArenaError> {
        let too_short = |expected| ArenaError::Length { found: bytes.len(), expected };
        let (length, rest) = bytes.split_first_chunk().ok_or(too_short(4))?;
        let length = u32::from_le_bytes(*length) as usize;
        let (state, world) = rest.split_at_checked(length).ok_or(too_short(length.saturating_add(4)))?;
        Ok(Self { world: Snapshot::from_bytes(world)?, state: ArenaState::from_bytes(state)? })
    }
}

pub(super) fn hash_of(world: u128, state: &ArenaState) -> u128 {
    let mut bytes = world.to_le_bytes().to_vec();
    bytes.extend_from_slice(&state.to_bytes());
    xxh3_128(&bytes)
}

fn codec() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<MOST_BYTES>()
}
