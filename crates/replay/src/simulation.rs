//! [`Simulation`]: what a log is replayed with.

use crate::chunk::Frame;
use crate::header::{Header, LogKind};
use isostep_step::{Command, CommandError, ConfigError, Snapshot, SnapshotError, World};
use std::fmt;

/// What the logs of a simulation are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// Commands: there is one such simulation, [`CommandSimulation`].
    Commands,
    /// Inputs of a game.
    Inputs {
        /// The name of the game, as [`LogKind::Inputs`](crate::LogKind::Inputs) has it.
        game: &'static str,
        /// The version of its rules: logs of another one are refused.
        version: u32,
    },
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Commands => f.write_str("commands"),
            Self::Inputs { game, version } => write!(f, "version {version} of {game:?}"),
        }
    }
}

/// A world with all that changes it: what a [`Player`](crate::Player) replays logs with, and a recorder asks.
///
/// A game implements this for itself. What a tick does may follow from the state and the frame alone.
pub trait Simulation: Sized {
    /// What its logs are of.
    const RECORDED: Recorded;

    /// The state that logs with this header start from, if they start at tick 0; else any that a keyframe can be loaded
    /// into.
    ///
    /// Verifying compares it with the log's keyframe of tick 0 ([`Verification::start`](crate::Verification::start)). So what a
    /// match starts with follows from the header: what the seed and the players do not say is in the note, as the name of a
    /// level and a hash of its data.
    ///
    /// # Errors
    /// If it cannot be made of what the header says.
    fn start(header: &Header) -> Result<Self, SimulationError>;

    /// Advances by a tick.
    ///
    /// # Errors
    /// If what the frame has cannot be done.
    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError>;

    /// A hash over the whole state.
    fn hash(&self) -> u128;

    /// The whole state as bytes: the same for the same state. What is left out of it comes back wrong from a rollback;
    /// [`VerifyOptions::roll_back`](crate::VerifyOptions::roll_back) finds most of it.
    fn save(&self) -> Vec<u8>;

    /// Goes to a state that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// If the bytes are no state; the simulation may then be in any state.
    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError>;

    /// The world.
    fn world(&self) -> &World;
}

/// Why a simulation cannot start, go on, or go to another state.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The configuration makes no world.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A state that is none.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// The world refuses a command that the log has, so the state is not the one in which it was recorded.
    #[error("command {index} of the tick, {command:?}: {error}")]
    Command {
        /// Which of the tick's commands.
        index: usize,
        /// The command.
        command: Box<Command>,
        /// Why it is refused.
        error: CommandError,
    },
    /// An input of another length than inputs of the game have.
    #[error("the input of player {player} has {found} bytes, and should have {expected}")]
    Input {
        /// The number of the player.
        player: usize,
        /// How many bytes there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A log of something else, as of inputs for a world without a game.
    #[error("a log of {found}: this replays logs of {expected}")]
    Kind {
        /// What the log is of.
        found: &'static str,
        /// What can be replayed.
        expected: &'static str,
    },
    /// More players than the game has room for.
    #[error("a log of {found} players: there may be {max}")]
    Players {
        /// How many there are.
        found: u32,
        /// How many there may be.
        max: u32,
    },
    /// In the words of the game.
    #[error(transparent)]
    Game(Box<dyn std::error::Error + Send + Sync>),
}

/// Replays logs of commands: a world, and nothing beside it.
#[derive(Clone, Debug)]
pub struct CommandSimulation {
    world: World,
}

impl Simulation for CommandSimulation {
    const RECORDED: Recorded = Recorded::Commands;

    fn start(header: &Header) -> Result<Self, SimulationError> {
        match &header.kind {
            LogKind::Commands { config } => Ok(Self { world: World::new(*config)? }),
            kind @ LogKind::Inputs { .. } => {
                Err(SimulationError::Kind { found: kind.name(), expected: "commands" })
            }
        }
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        for (index, command) in frame.events.commands().iter().enumerate() {
            if let Err(error) = self.world.apply(command) {
                return Err(SimulationError::Command { index, command: Box::new(*command), error });
            }
        }
        self.world.step();
        Ok(())
    }

    fn hash(&self) -> u128 {
        self.world.state_hash()
    }

    fn save(&self) -> Vec<u8> {
        self.world.snapshot().to_bytes()
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        self.world.load(&Snapshot::from_bytes(state)?);
        Ok(())
    }

    fn world(&self) -> &World {
        &self.world
    }
}
