//! `isostep hash`: the hashes of a log's states as text, to compare machines without sending logs.

use crate::failure::Failure;
use crate::logs;
use crate::output::{Output, Verdict};
use crate::program::Program;
use isostep_replay::{HashStream, Log, PlayError};
use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `isostep hash` takes.
#[derive(clap::Args)]
#[command(
    after_help = "With --recorded, the hashes are those of the machine that recorded the log: send these if two \
machines disagree. Without it the log is replayed, so they are those of this machine. `isostep diff` compares a log with \
the hashes of another machine.

Exit code: 0 if what was replayed has the hashes that were recorded, 1 if it has others or cannot be replayed to its end, 2 \
if it cannot be read. Keyframes are not compared: `isostep verify` does.

Examples:
  isostep hash --recorded match.isr > there.hashes   # of the machine that recorded it; needs no game
  isostep hash --recorded --every 60 match.isr       # a sixtieth of them
  isostep hash match.isr > here.hashes               # of this machine"
)]
pub(crate) struct Options {
    /// The log
    log: PathBuf,
    /// Of the ticks that this divides, and of the last one: as often as the log has hashes
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// What the log has, without replaying it
    #[arg(long)]
    recorded: bool,
    /// Of a damaged log, take what is whole
    #[arg(long)]
    valid_part: bool,
}

/// Prints the stream.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let path = &options.log;
    let log = logs::open(path, options.valid_part)?;
    if options.recorded {
        write!(out, "{}", recorded(path, &log, options.every)?)?;
        return Ok(Verdict::Identical);
    }
    let every = options.every.unwrap_or(log.header().hash_interval);
    let (stream, fault) = replayed(path, &log, every, program)?;
    write!(out, "{stream}")?;
    let Some(fault) = fault else { return Ok(Verdict::Identical) };
    // Who sends these hashes instead of the log's would hide what differs.
    let _ = writeln!(
        out.errors(),
        "warning: {}: {fault}: --recorded prints those that were recorded, and `{} verify` says what differs",
        path.display(),
        program.name,
    );
    Ok(Verdict::Different)
}

/// What a replay first found to be another one than what was recorded.
enum Fault {
    /// The hash of a tick.
    Hash { tick: u64 },
    /// A tick that it cannot do, the last of which there are hashes.
    Refused { tick: u64 },
    /// The hash that the log was finished with.
    LastHash,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { tick } => {
                write!(f, "from tick {tick} on, these are not the hashes that were recorded")
            }
            Self::Refused { tick } => {
                write!(f, "these end with tick {tick}, as what comes then cannot be done")
            }
            Self::LastHash => f.write_str("the log was finished in another state than the last of these"),
        }
    }
}

/// The hashes that the log has: all, or those of the ticks that `every` divides, and the last one.
fn recorded(path: &Path, log: &Log, every: Option<u32>) -> Result<HashStream, Failure> {
    let recorded = HashStream::of_log(log).map_err(|error| Failure::log(path, error))?;
    let Some(every) = every else { return Ok(recorded) };
    let last = recorded.hashes().last().map_or(0, |&(tick, _)| tick);
    let mut stream = HashStream::default();
    for &(tick, hash) in recorded.hashes().iter().filter(|(tick, _)| is_wanted(*tick, every, last)) {
        let ascends = stream.push(tick, hash);
        debug_assert!(ascends, "ticks of a stream ascend");
    }
    Ok(stream)
}

/// The hashes of each tick that `every` divides, and of the last one; and the first that is not as it was recorded.
fn replayed(
    path: &Path,
    log: &Arc<Log>,
    every: u32,
    program: &Program,
) -> Result<(HashStream, Option<Fault>), Failure> {
    let failure = |error| Failure::play(path, error);
    let mut replay = program.replay(path, log)?;
    let (mut stream, mut fault) = (HashStream::default(), None);
    let (mut tick, end) = (log.first_tick(), log.end_tick());
    loop {
        match replay.step() {
            Ok(true) => tick += 1,
            // Of a log without ticks, the state that it starts from is also the last one.
            Ok(false) if stream.hashes().is_empty() => {}
            Ok(false) => break,
            Err(PlayError::Simulation { .. }) => {
                fault = fault.or(Some(Fault::Refused { tick }));
                break;
            }
            Err(error) => return Err(failure(error)),
        }
        let expected = if fault.is_none() { replay.recorded_hash().map_err(failure)? } else { None };
        let is_printed = is_wanted(tick, every, end);
        if !is_printed && expected.is_none() {
            continue;
        }
        let hash = replay.hash();
        if expected.is_some_and(|expected| expected != hash) {
            fault = Some(Fault::Hash { tick });
        }
        if is_printed {
            let ascends = stream.push(tick, hash);
            debug_assert!(ascends, "each tick is reached once");
        }
        if tick == end && log.last_hash().is_some_and(|last| last != hash) {
            fault = fault.or(Some(Fault::LastHash));
        }
    }
    Ok((stream, fault))
}

/// Whether the hash of a tick is printed, of which `end` is the last.
const fn is_wanted(tick: u64, every: u32, end: u64) -> bool {
    tick == end || (every != 0 && tick % every as u64 == 0)
}
