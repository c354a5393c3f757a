//! `isostep replay`: a log played again, and what a newcomer wants to know of it.

use crate::failure::Failure;
use crate::figures::{bytes, counted, microseconds, printable, real_time, seconds, speed};
use crate::games;
use crate::logs;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::report::{self, divergence_json, start_json};
use crate::tables::new_list;
use isostep_replay::{Header, Log, LogKind, Verification, VerifyOptions};
use isostep_step::{BodyKind, BodyView, SIM_VERSION};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A match of eight bots: what is replayed without arguments.
const EMBEDDED: &[u8] = include_bytes!("../../../fixtures/logs/arena-8.isr");

/// Where it is in the repository.
const EMBEDDED_NAME: &str = "fixtures/logs/arena-8.isr";

/// What `isostep replay` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code: 0 if it is bit-identical, 1 if it diverges, 2 if it cannot be read or has nothing to compare \
with.

Examples:
  isostep replay match.isr
  isostep replay --valid-part crashed.isr   # what is whole of a log whose writer was stopped
  isostep replay --json match.isr"
)]
pub(crate) struct Options {
    /// The log
    log: PathBuf,
    /// Of a damaged log, take what is whole
    #[arg(long)]
    valid_part: bool,
    /// One document of JSON instead
    #[arg(long)]
    json: bool,
}

/// A log that was replayed.
struct Replayed {
    log: Arc<Log>,
    verification: Verification,
    /// Of the slot that differs at a keyframe.
    owner: Option<String>,
    time: Duration,
    /// At the end.
    bodies: usize,
    moving: usize,
    asleep: usize,
    contacts: usize,
}

/// Replays the embedded match.
pub(crate) fn embedded(program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let path = Path::new(EMBEDDED_NAME);
    let log = Log::from_bytes(EMBEDDED.to_vec()).map_err(|error| Failure::log(path, error))?;
    let log = logs::checked(path, log, false)?;
    report::banner(out)?;
    let replayed = replay(path, log, program)?;
    print(path, &replayed, out)
}

/// Replays a log and says what came of it.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let path = &options.log;
    let replayed = replay(path, logs::open(path, options.valid_part)?, program)?;
    if options.json {
        out.json(&json(path, &replayed))?;
        return Ok(Verdict::of_replay(&replayed.verification));
    }
    report::banner(out)?;
    print(path, &replayed, out)
}

fn replay(path: &Path, log: Arc<Log>, program: &Program) -> Result<Replayed, Failure> {
    let mut replay = program.replay(path, &log)?;
    let start = Instant::now();
    // Without what is done after the last tick to explain a divergence.
    let mut time = Duration::ZERO;
    let mut reached = |_| time = start.elapsed();
    let verification =
        replay.verify(&VerifyOptions::default(), &mut reached).map_err(|error| Failure::play(path, error))?;
    let world = replay.world();
    let mut replayed = Replayed {
        log,
        verification,
        owner: None,
        time,
        bodies: world.bodies().count(),
        moving: world.bodies().filter(|body| body.kind() == BodyKind::Dynamic).count(),
        asleep: world.bodies().filter(BodyView::is_asleep).count(),
        contacts: world.contacts().filter(|contact| contact.touching).count(),
    };
    replayed.owner = games::owner(replay.as_mut(), &replayed.verification);
    Ok(replayed)
}

fn print(path: &Path, replayed: &Replayed, out: &mut Output) -> Result<Verdict, Failure> {
    let Replayed { log, verification, owner, time, bodies, moving, asleep, contacts } = replayed;
    let Verification { ticks, hashes, keyframes, hash, .. } = verification;
    let header = log.header();
    let played = real_time(*ticks, header.tick_rate);
    writeln!(out, "Replaying {}: {}, {}\n", path.display(), of_what(header), bytes(log.byte_count()))?;

    let mut list = new_list();
    list.add_row(["ticks", &format!("{ticks}: {} at {} Hz", seconds(played), header.tick_rate)]);
    if header.players != 0 {
        list.add_row(["players", &header.players.to_string()]);
    }
    list.add_row(["bodies", &format!("{bodies} at the end, {moving} of them dynamic, {asleep} asleep")]);
    list.add_row(["contacts", &format!("{contacts} at the end")]);
    let each = microseconds(time.as_nanos() as u64 / (*ticks).max(1));
    list.add_row(["time", &format!("{}: {each} µs per tick, hashed and compared", seconds(*time))]);
    list.add_row(["speed", &format!("{} × real time", speed(played, *time))]);
    list.add_row(["hash checks", &format!("{hashes} passed")]);
    list.add_row(["keyframes", &format!("{keyframes} compared, equal")]);
    list.add_row(["final state", &format!("hash {hash:032x} (simulation {SIM_VERSION})")]);
    writeln!(out, "{}\n", list.trim_fmt())?;

    if let Some(damage) = log.damage() {
        writeln!(out, "Damaged: {damage}. What comes before was replayed.")?;
    }
    match &verification.divergence {
        None if !verification.is_compared() => {
            let verdict = out.bad("nothing to compare");
            writeln!(out, "Verdict: {verdict}: the log has no hash and no keyframe of what it leads to.")?;
        }
        None if verification.start.differs() => {
            writeln!(out, "Verdict: {}; the ticks are bit-identical.\n", out.bad("another start"))?;
        }
        None => writeln!(out, "Verdict: {} with the recording.", out.good("bit-identical"))?,
        Some(divergence) => {
            writeln!(out, "Verdict: {} at tick {}.\n", out.bad("diverged"), divergence.tick)?;
            report::divergence(divergence, owner.as_deref(), out)?;
        }
    }
    report::start(&verification.start, out)?;
    Ok(Verdict::of_replay(verification))
}

/// What a log is of, in a line.
fn of_what(header: &Header) -> String {
    let note = if header.note.is_empty() { String::new() } else { format!(" ({})", printable(&header.note)) };
    match &header.kind {
        LogKind::Commands { .. } => format!("commands{note}"),
        LogKind::Inputs { game, .. } => {
            format!(
                "inputs of {} of {game}, seed {}{note}",
                counted(header.players.into(), "player"),
                header.seed
            )
        }
    }
}

fn json(path: &Path, replayed: &Replayed) -> serde_json::Value {
    let Replayed { log, verification, owner, time, bodies, contacts, .. } = replayed;
    let played = real_time(verification.ticks, log.header().tick_rate);
    json!({
        "log": path.display().to_string(),
        "verdict": Verdict::of_replay(verification).name(),
        "simulation": SIM_VERSION,
        "players": log.header().players,
        "tick_rate": log.header().tick_rate,
        "ticks": verification.ticks,
        "bodies": bodies,
        "contacts": contacts,
        "nanoseconds": time.as_nanos() as u64,
        "times_real_time": speed(played, *time),
        "hash_checks": verification.hashes,
        "keyframes": verification.keyframes,
        "hash": format!("{:032x}", verification.hash),
        "start": start_json(&verification.start),
        "damage": log.damage().map(ToString::to_string),
        "divergence": verification.divergence.as_ref().map(|divergence| divergence_json(divergence, owner.as_deref())),
    })
}
