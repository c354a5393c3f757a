//! What can be wrong with a log.

use isostep_step::{CommandError, ConfigError};
use std::fmt;

/// Why bytes are no log, or where a log ends before its time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// It cannot be read.
    #[error("it cannot be read: {message}")]
    Io {
        /// What went wrong.
        kind: std::io::ErrorKind,
        /// In the words of the system.
        message: String,
    },
    /// It is longer than [`MAX_LOG_BYTES`](crate::limits::MAX_LOG_BYTES).
    #[error("it has more than {max} bytes")]
    TooLarge {
        /// How many there may be.
        max: u64,
    },
    /// It does not begin as a log does.
    #[error("no log: it begins with other bytes")]
    Magic,
    /// Another format.
    #[error("a log of format {found}: this program reads {supported}")]
    Format {
        /// The version of the log.
        found: u32,
        /// The one that can be read.
        supported: u32,
    },
    /// Another simulation: steps would give other bits.
    #[error("a log of simulation {found}: this program steps {supported}")]
    Simulation {
        /// The version of the log.
        found: u32,
        /// The one of this program.
        supported: u32,
    },
    /// It ends within something: its writer was stopped, or it was cut.
    #[error("it ends at byte {offset} + {found}, within {what} of {expected} bytes")]
    Truncated {
        /// Where what is not whole begins, in bytes.
        offset: u64,
        /// What it is.
        what: &'static str,
        /// How many bytes it has.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// It ends between two blocks, and without an index: its writer was stopped.
    #[error("it ends at byte {offset} without an index: it was not finished")]
    Unfinished {
        /// Where it ends.
        offset: u64,
    },
    /// The header of a block was changed.
    #[error(
        "the header of the block at byte {offset} is damaged: its checksum is {found:08x}, not {expected:08x}"
    )]
    HeaderChecksum {
        /// Where the block begins.
        offset: u64,
        /// As written.
        expected: u32,
        /// Of the bytes.
        found: u32,
    },
    /// The content of a block was changed.
    #[error("the {block} at byte {offset} is damaged: its checksum is {found:08x}, not {expected:08x}")]
    BlockChecksum {
        /// Where the block begins.
        offset: u64,
        /// What it is.
        block: &'static str,
        /// As written.
        expected: u32,
        /// Of the bytes.
        found: u32,
    },
    /// A block of a kind that there is not.
    #[error("the block at byte {offset} is of the unknown kind {tag:02x?}")]
    UnknownBlock {
        /// Where the block begins.
        offset: u64,
        /// What it calls itself.
        tag: [u8; 4],
    },
    /// A block where another one should be.
    #[error("a {block} at byte {offset}, where {expected} should be")]
    Misplaced {
        /// Where the block begins.
        offset: u64,
        /// What it is.
        block: &'static str,
        /// What should be there.
        expected: &'static str,
    },
    /// More than there may be.
    #[error("{what} of the {block} at byte {offset} is {found}: at most {max} is allowed")]
    TooMuch {
        /// Where the block begins.
        offset: u64,
        /// What it is.
        block: &'static str,
        /// What there is too much of.
        what: &'static str,
        /// How much.
        found: u64,
        /// How much there may be.
        max: u64,
    },
    /// Ticks do not follow each other.
    #[error("the {block} at byte {offset} is of tick {found}, where tick {expected} should be")]
    Gap {
        /// Where the block begins.
        offset: u64,
        /// What it is.
        block: &'static str,
        /// The tick that should be there.
        expected: u64,
        /// The one that is.
        found: u64,
    },
    /// A block whose content makes no sense, though its checksum holds: no writer of ours wrote it.
    #[error("the {block} at byte {offset} is invalid: {reason}")]
    Invalid {
        /// Where the block begins.
        offset: u64,
        /// What it is.
        block: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// The header says what cannot be.
    #[error("the header is invalid: {0}")]
    Header(#[from] HeaderError),
    /// The last bytes are not those that end a log.
    #[error("the end mark at byte {offset} is damaged")]
    EndMark {
        /// Where it begins.
        offset: u64,
    },
    /// There are bytes after the end.
    #[error("{} the end at byte {offset}", if *count == 1 { "a byte follows".into() } else { format!("{count} bytes follow") })]
    TrailingBytes {
        /// Where the log ends.
        offset: u64,
        /// How many follow; 1 where a [`LogReader`](crate::LogReader) found one, which reads no more.
        count: u64,
    },
}

impl From<std::io::Error> for LogError {
    fn from(error: std::io::Error) -> Self {
        Self::Io { kind: error.kind(), message: error.to_string() }
    }
}

/// What a header may not say.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// A number out of its range.
    #[error("{field} is {value}: it must be from {min} to {max}")]
    Range {
        /// The field.
        field: &'static str,
        /// What it was.
        value: u32,
        /// The least that is allowed.
        min: u32,
        /// The greatest that is allowed.
        max: u32,
    },
    /// A first tick that is too late.
    #[error("the first tick is {value}: at most {max} is allowed")]
    FirstTick {
        /// What it was.
        value: u64,
        /// How late it may be.
        max: u64,
    },
    /// A name that is empty, too long, or not of visible ASCII.
    #[error("the game {name:?}: a name has 1 to {max} visible ASCII characters")]
    Game {
        /// What it was.
        name: String,
        /// How long it may be.
        max: u32,
    },
    /// A note that is too long.
    #[error("a note of {length} bytes: at most {max} are allowed")]
    Note {
        /// How long it is.
        length: usize,
        /// How long it may be.
        max: u32,
    },
    /// A configuration of which no world is made.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A log of commands that says otherwise than the configuration of its world.
    #[error("{field} of a log of commands is {value}, and its world has {expected}")]
    OtherThanWorld {
        /// The field.
        field: &'static str,
        /// What it was.
        value: u64,
        /// What the configuration has; no players.
        expected: u64,
    },
}

/// Why a tick, a keyframe or a whole log could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The sink failed. What was written before is a log without an index; nothing more is written to it.
    #[error("the log cannot be written: {0}")]
    Io(#[from] std::io::Error),
    /// The sink failed before, or a recorder's tick was refused, so there would be a hole.
    #[error("the log cannot be written any more: its sink failed, or a tick was refused before")]
    Broken,
    /// The header says what cannot be.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Commands for a log of inputs, or inputs for one of commands.
    #[error("{found} for a log of {expected}")]
    Kind {
        /// What the log is of.
        expected: &'static str,
        /// What was to be written.
        found: &'static str,
    },
    /// A header of another game than the one that is recorded, or of other rules: nobody could replay that log.
    #[error("a header of {header}: what is recorded is {game}")]
    OtherGame {
        /// What the header is of.
        header: String,
        /// The game.
        game: String,
    },
    /// Not one input for each player.
    #[error("{found} inputs for {expected} players")]
    Players {
        /// How many players there are.
        expected: u32,
        /// How many inputs there were.
        found: usize,
    },
    /// More than there may be.
    #[error("{what}: {found}, and at most {max} is allowed")]
    TooMuch {
        /// What there is too much of.
        what: &'static str,
        /// How much.
        found: u64,
        /// How much there may be.
        max: u64,
    },
    /// A log that does not start at tick 0 with a game, or at all with commands, needs a keyframe first.
    #[error("the first thing in this log must be a keyframe of tick {tick}")]
    NoKeyframe {
        /// The first tick.
        tick: u64,
    },
}

/// Why a log could not be finished, and what there is all the same: the sink, with what was written before, and the world that was
/// recorded.
#[derive(thiserror::Error)]
#[error("{error}")]
pub struct FinishError<T> {
    /// What went wrong.
    #[source]
    pub error: WriteError,
    /// What finishing would have given back.
    pub rest: Box<T>,
}

impl<T> fmt::Debug for FinishError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishError").field("error", &self.error).finish_non_exhaustive()
    }
}

impl<T> From<FinishError<T>> for WriteError {
    fn from(error: FinishError<T>) -> Self {
        error.error
    }
}

/// Why a recorder did not apply a command: the world is as before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The world refuses it.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The log has no room for it.
    #[error(transparent)]
    Write(#[from] WriteError),
}
