//! [`Header`]: what a log is of.

use crate::error::HeaderError;
use crate::limits::{MAX_FIRST_TICK, MAX_GAME_BYTES, MAX_NOTE_BYTES, MAX_PLAYERS};
use crate::simulation::{Recorded, Simulation};
use isostep_step::{MAX_TICK_RATE, World, WorldConfig};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a log is of, and how it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What its ticks hold.
    pub kind: LogKind,
    /// Ticks a second, 1 to 1000; of a log of commands those of its world.
    pub tick_rate: u32,
    /// How many players there are, 0 to [`MAX_PLAYERS`]: so many inputs has each tick of a log of inputs. A log of commands has
    /// none.
    pub players: u32,
    /// What a game starts from, besides its players; of a log of commands the seed of its world.
    pub seed: u64,
    /// The tick of the state that the log starts from.
    pub first_tick: u64,
    /// There is a hash of the state of each tick that this divides; of none if it is 0.
    pub hash_interval: u32,
    /// Whether there is a trace with each hash.
    pub traces: bool,
    /// Whatever the user likes.
    pub note: String,
}

/// What the ticks of a log hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogKind {
    /// Commands: the log replays without a game.
    Commands {
        /// Of the world.
        config: WorldConfig,
    },
    /// Bytes of each player: the log replays where the game is.
    Inputs {
        /// The name of the game: visible ASCII.
        game: String,
        /// The version of its rules.
        version: u32,
    },
}

impl fmt::Display for LogKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commands { .. } => f.write_str("commands"),
            Self::Inputs { game, version } => write!(f, "version {version} of {game:?}"),
        }
    }
}

impl LogKind {
    /// What the ticks hold, in a word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Commands { .. } => "commands",
            Self::Inputs { .. } => "inputs",
        }
    }
}

impl Header {
    /// Of a log of the commands that change `world` from now on, with a hash of each tick and no traces.
    #[must_use]
    pub fn commands(world: &World) -> Self {
        let config = *world.config();
        Self {
            kind: LogKind::Commands { config },
            tick_rate: config.tick_rate,
            players: 0,
            seed: config.seed,
            first_tick: world.tick(),
            hash_interval: 1,
            traces: false,
            note: String::new(),
        }
    }

    /// Of a log of the inputs of a game from its start on, at 60 ticks a second, with a hash of each and no traces.
    #[must_use]
    pub fn inputs(game: &str, version: u32, players: u32, seed: u64) -> Self {
        Self {
            kind: LogKind::Inputs { game: game.into(), version },
            tick_rate: 60,
            players,
            seed,
            first_tick: 0,
            hash_interval: 1,
            traces: false,
            note: String::new(),
        }
    }

    /// Of a log of the inputs of `game` from where it is: its name and version, and its world's rate of ticks and tick, with a
    /// hash of each tick and no traces. Set `first_tick` if the game counts otherwise than its world.
    #[must_use]
    pub fn of_game<S: Simulation>(game: &S, players: u32, seed: u64) -> Self {
        let (name, version) = const {
            match S::RECORDED {
                Recorded::Inputs { game, version } => (game, version),
                Recorded::Commands => panic!("a game is recorded as the inputs of its players"),
            }
        };
        let world = game.world();
        let (tick_rate, first_tick) = (world.config().tick_rate, world.tick());
        Self { tick_rate, first_tick, ..Self::inputs(name, version, players, seed) }
    }

    /// With a trace at each hash: see [`Trace`](isostep_step::Trace).
    #[must_use]
    pub const fn with_traces(mut self) -> Self {
        self.traces = true;
        self
    }

    /// With a hash of each tick that `interval` divides.
    #[must_use]
    pub const fn with_hash_interval(mut self, interval: u32) -> Self {
        self.hash_interval = interval;
        self
    }

    /// With a note.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        self.note = note.into();
        self
    }

    /// Whether there is a hash of the state of a tick.
    #[must_use]
    pub const fn wants_hash(&self, tick: u64) -> bool {
        self.hash_interval != 0 && tick % self.hash_interval as u64 == 0
    }

    /// Whether a log of this kind can only start with a keyframe.
    pub(crate) const fn needs_keyframe(&self) -> bool {
        matches!(self.kind, LogKind::Commands { .. }) || self.first_tick != 0
    }

    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), HeaderError> {
        range("tick_rate", self.tick_rate, 1, MAX_TICK_RATE)?;
        range("players", self.players, 0, MAX_PLAYERS)?;
        if self.first_tick > MAX_FIRST_TICK {
            return Err(HeaderError::FirstTick { value: self.first_tick, max: MAX_FIRST_TICK });
        }
        if self.note.len() > MAX_NOTE_BYTES as usize {
            return Err(HeaderError::Note { length: self.note.len(), max: MAX_NOTE_BYTES });
        }
        match &self.kind {
            LogKind::Commands { config } => {
                config.validate()?;
                same("tick_rate", self.tick_rate.into(), config.tick_rate.into())?;
                same("players", self.players.into(), 0)?;
                same("seed", self.seed, config.seed)?;
            }
            LogKind::Inputs { game, .. } => {
                let fits = (1..=MAX_GAME_BYTES as usize).contains(&game.len());
                if !fits || !game.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err(HeaderError::Game { name: game.clone(), max: MAX_GAME_BYTES });
                }
            }
        }
        Ok(())
    }
}

/// What a log of commands says twice.
fn same(field: &'static str, value: u64, expected: u64) -> Result<(), HeaderError> {
    if value == expected { Ok(()) } else { Err(HeaderError::OtherThanWorld { field, value, expected }) }
}

fn range(field: &'static str, value: u32, min: u32, max: u32) -> Result<(), HeaderError> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(HeaderError::Range { field, value, min, max }) }
}
