//! `isostep hash`: the hashes of a log's states as text, to compare machines without sending logs.

use crate::failure::Failure;
use crate::games;
use crate::logs;
use crate::output::{Output, Verdict};
use isostep_replay::{HashStream, Log};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `isostep hash` takes.
#[derive(clap::Args)]
#[command(
    after_help = "The log is replayed, so the hashes are those of this machine. `isostep diff` compares a log with \
the hashes of another one.

Examples:
  isostep hash match.isr > here.hashes
  isostep hash --every 60 match.isr | head
  isostep hash --recorded match.isr > there.hashes   # of the machine that recorded it; needs no game"
)]
pub(crate) struct Options {
    /// The log
    log: PathBuf,
    /// Every so many ticks: as often as the log has hashes
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "recorded")]
    every: Option<u32>,
    /// What the log has, without replaying it
    #[arg(long)]
    recorded: bool,
    /// Of a damaged log, take what is whole
    #[arg(long)]
    valid_part: bool,
}

/// Prints the stream.
pub(crate) fn run(options: &Options, out: &mut Output) -> Result<Verdict, Failure> {
    let path = &options.log;
    let log = logs::open(path, options.valid_part)?;
    let stream = if options.recorded {
        HashStream::of_log(&log).map_err(|error| Failure::log(path, error))?
    } else {
        replayed(path, &log, options.every.unwrap_or(log.header().hash_interval))?
    };
    write!(out, "{stream}")?;
    Ok(Verdict::Identical)
}

/// The hashes of each tick that `every` divides, and of the last one.
fn replayed(path: &Path, log: &Arc<Log>, every: u32) -> Result<HashStream, Failure> {
    let mut replay = games::replay(path, log)?;
    let mut stream = HashStream::default();
    let (mut tick, end) = (log.first_tick(), log.end_tick());
    while replay.step().map_err(|error| Failure::play(path, error))? {
        tick += 1;
        if tick == end || (every != 0 && tick % u64::from(every) == 0) {
            stream.push(tick, replay.hash());
        }
    }
    Ok(stream)
}
