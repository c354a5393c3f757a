//! Input logs: recording a match, replaying it anywhere, verifying it to the bit, and finding the field that differs.
//!
//! A log (`.isr`) holds what happened in each tick, and nothing of what followed from it but hashes to compare with, and
//! keyframes to start from. There are two kinds: logs of [`Command`](isostep_step::Command)s replay as they are, logs of
//! players' inputs where the game is. The bytes are described in `docs/format-isr.md`. Data passes through these modules:
//!
//! * [`Header`] says what a log is of; [`LogWriter`] writes it, tick by tick;
//! * [`Recorder`] and [`GameRecorder`] feed it from a world or a game;
//! * [`Log`] reads what is whole of it, in [`Chunk`]s of [`Frame`]s, and says what is wrong with the rest; [`LogReader`]
//!   reads it as it comes;
//! * [`Player`] replays it with a [`Simulation`], goes to any tick, and verifies it: a [`Divergence`] is a value;
//! * [`diff`] finds the first thing in which two logs differ, [`HashStream`] compares machines by hashes alone.
//!
//! `block` and `chunk` have the bytes, `codec` the numbers in them, and [`limits`] how many there may be.

mod block;
mod chunk;
mod codec;
mod diff;
mod difference;
mod divergence;
mod error;
mod hash_stream;
mod header;
mod index;
pub mod limits;
mod log;
mod player;
mod reader;
mod recorder;
mod sequence;
mod simulation;
mod writer;

pub use block::{FORMAT_VERSION, MAGIC};
pub use chunk::{Chunk, Frame, FrameEvents, Inputs};
pub use diff::{DiffError, EventDifference, LogDifference, StateDifference, diff, diff_hashes, diff_with};
pub use difference::{ColumnDifference, ItemHandle, NumberAt, TraceComparison, TraceDifference};
pub use divergence::{Cause, Divergence, Start, Verification, VerifyOptions};
pub use error::{ApplyError, FinishError, HeaderError, LogError, WriteError};
pub use hash_stream::{HashLineError, HashStream, HashStreamError};
pub use header::{Header, LogKind};
pub use log::{ChunkInfo, KeyframeInfo, Log};
pub use player::{PlayError, Player};
pub use reader::{LogPart, LogReader};
pub use recorder::{GameRecorder, Recorder};
pub use simulation::{CommandSimulation, Recorded, Simulation, SimulationError};
pub use writer::{Check, LogWriter, WriterOptions};
