//! `isostep verify`: many logs, replayed on all cores.

use crate::failure::Failure;
use crate::figures::{counted, real_time, seconds, speed};
use crate::games;
use crate::logs;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::report::{self, divergence_json, start_json};
use crate::tables::new_table;
use indicatif::{ProgressBar, ProgressStyle};
use isostep_replay::{Verification, VerifyOptions};
use isostep_step::SIM_VERSION;
use serde_json::{Value, json};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What `isostep verify` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code: 0 if all are bit-identical, 1 if one diverges, 2 if one cannot be read or has nothing to \
compare with.

With --roll-back each tick is done, taken back and done again: that finds what a game forgets to save, which no other \
replay does. It takes three to four times as long.

Examples:
  isostep verify match.isr
  isostep verify --roll-back match.isr
  isostep verify fixtures/logs/*.isr
  isostep verify --json nightly/*.isr > report.json"
)]
pub(crate) struct Options {
    /// The logs
    #[arg(required = true)]
    logs: Vec<PathBuf>,
    /// How many at a time: as many as there are cores
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    jobs: Option<u32>,
    /// Do each tick twice, with a rollback between
    #[arg(long)]
    roll_back: bool,
    /// Of damaged logs, take what is whole
    #[arg(long)]
    valid_part: bool,
    /// One document of JSON instead
    #[arg(long)]
    json: bool,
}

/// A log that was replayed.
struct Verified {
    verification: Verification,
    /// Of the slot that differs at a keyframe.
    owner: Option<String>,
    tick_rate: u32,
    time: Duration,
    damage: Option<String>,
}

type Outcome = Result<Verified, Failure>;

/// Replays all logs, and says what came of each.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let start = Instant::now();
    let outcomes = verify_all(options, program, out.is_console());
    let time = start.elapsed();
    let verdict = outcomes.iter().map(verdict_of).max().unwrap_or(Verdict::Identical);
    if options.json {
        out.json(&json(options, &outcomes, verdict, time))?;
    } else {
        print(options, &outcomes, time, out)?;
    }
    Ok(verdict)
}

/// Each thread takes the next log that nobody has; the outcomes are in the order of the logs.
fn verify_all(options: &Options, program: &Program, is_console: bool) -> Vec<Outcome> {
    let bar = if is_console { progress_bar() } else { ProgressBar::hidden() };
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    let cores = || thread::available_parallelism().map_or(1, Into::into);
    let jobs = options.jobs.map_or_else(cores, |jobs| jobs as usize);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = options.logs.get(index) else { break };
            let outcome = unless_it_panics(path, || verify(path, options, program, &bar));
            outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome));
        }
    };
    thread::scope(|scope| {
        for _ in 1..jobs.clamp(1, options.logs.len().max(1)) {
            // Where there may be no more threads, those that there are do it.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    bar.finish_and_clear();
    let mut outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

/// What comes of a log; where a game panics, that is told as what is wrong with its log, and the others go on.
fn unless_it_panics(path: &Path, verify: impl FnOnce() -> Outcome) -> Outcome {
    // Nothing that it was at is used again, but the bar, which counts.
    catch_unwind(AssertUnwindSafe(verify)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Err(Failure::Panic { path: path.to_owned(), message: text.unwrap_or("without a message").to_owned() })
    })
}

fn verify(path: &Path, options: &Options, program: &Program, bar: &ProgressBar) -> Outcome {
    let log = logs::open(path, options.valid_part)?;
    bar.inc_length(log.end_tick() - log.first_tick());
    let mut replay = program.replay(path, &log)?;
    let start = Instant::now();
    // Without what is done after the last tick to explain a divergence.
    let mut time = Duration::ZERO;
    let mut reached = |_| {
        bar.inc(1);
        time = start.elapsed();
    };
    let verify = VerifyOptions { roll_back: options.roll_back };
    let verification = replay.verify(&verify, &mut reached).map_err(|error| Failure::play(path, error))?;
    let owner = games::owner(replay.as_mut(), &verification);
    let damage = log.damage().map(ToString::to_string);
    Ok(Verified { verification, owner, tick_rate: log.header().tick_rate, time, damage })
}

/// On the standard error; nothing where that is no terminal.
fn progress_bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} ticks, {eta} left");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn verdict_of(outcome: &Outcome) -> Verdict {
    outcome.as_ref().map_or(Verdict::Unreadable, |verified| Verdict::of_replay(&verified.verification))
}

fn print(options: &Options, outcomes: &[Outcome], time: Duration, out: &mut Output) -> Result<(), Failure> {
    let header = ["log", "ticks", "hashes", "keyframes", "× real time", "final hash", "verdict"];
    let mut table = new_table(&header, &[1, 2, 3, 4]);
    for (path, outcome) in options.logs.iter().zip(outcomes) {
        let path = path.display().to_string();
        match outcome {
            Ok(verified) => {
                let Verification { ticks, hashes, keyframes, hash, .. } = verified.verification;
                let verdict = match (verdict_of(outcome), &verified.damage) {
                    (Verdict::OtherStart, _) => "OTHER START",
                    (Verdict::Identical, Some(_)) => "identical, as far as it is whole",
                    (Verdict::Identical, None) => "identical",
                    (Verdict::Uncompared, _) => "NOTHING TO COMPARE",
                    _ => "DIVERGED",
                };
                table.add_row([
                    path,
                    ticks.to_string(),
                    hashes.to_string(),
                    keyframes.to_string(),
                    speed(real_time(ticks, verified.tick_rate), verified.time).to_string(),
                    format!("{hash:032x}"),
                    verdict.to_owned(),
                ]);
            }
            Err(_) => {
                table.add_row([&path, "-", "-", "-", "-", "-", "UNREADABLE"]);
            }
        }
    }
    writeln!(out, "{table}\n")?;
    for (path, outcome) in options.logs.iter().zip(outcomes) {
        match outcome {
            Ok(Verified { verification: Verification { start, divergence, .. }, owner, .. }) => {
                if start.differs() {
                    writeln!(out, "{} starts from another state:", path.display())?;
                    report::start(start, out)?;
                    writeln!(out)?;
                }
                if let Some(divergence) = divergence {
                    writeln!(out, "{} diverged at tick {}:", path.display(), divergence.tick)?;
                    report::divergence(divergence, owner.as_deref(), out)?;
                    writeln!(out)?;
                }
            }
            Err(failure) => writeln!(out, "{failure}\n")?,
        }
    }
    summary(outcomes, time, out)
}

fn summary(outcomes: &[Outcome], time: Duration, out: &mut Output) -> Result<(), Failure> {
    let count = |verdict| outcomes.iter().filter(|outcome| verdict_of(outcome) == verdict).count();
    let [identical, diverged, unreadable] =
        [Verdict::Identical, Verdict::Different, Verdict::Unreadable].map(count);
    let verified = || outcomes.iter().flatten();
    let ticks: u64 = verified().map(|verified| verified.verification.ticks).sum();
    let played: Duration =
        verified().map(|verified| real_time(verified.verification.ticks, verified.tick_rate)).sum();
    let mut counts = format!("{identical} identical, {diverged} diverged, {unreadable} unreadable");
    for (verdict, what) in
        [(Verdict::OtherStart, "from another start"), (Verdict::Uncompared, "with nothing to compare")]
    {
        let number = count(verdict);
        if number != 0 {
            counts += &format!(", {number} {what}");
        }
    }
    let counts = if identical == outcomes.len() { out.good(&counts) } else { out.bad(&counts) };
    writeln!(
        out,
        "{}: {counts}; {} in {}, {} × real time",
        counted(outcomes.len() as u64, "log"),
        counted(ticks, "tick"),
        seconds(time),
        speed(played, time),
    )?;
    Ok(())
}

fn json(options: &Options, outcomes: &[Outcome], verdict: Verdict, time: Duration) -> Value {
    let logs = options.logs.iter().zip(outcomes).map(|(path, outcome)| match outcome {
        Ok(verified) => {
            let Verification { ticks, hashes, keyframes, hash, start, divergence } = &verified.verification;
            json!({
                "log": path.display().to_string(),
                "verdict": verdict_of(outcome).name(),
                "ticks": ticks,
                "hash_checks": hashes,
                "keyframes": keyframes,
                "hash": format!("{hash:032x}"),
                "start": start_json(start),
                "nanoseconds": verified.time.as_nanos() as u64,
                "times_real_time": speed(real_time(*ticks, verified.tick_rate), verified.time),
                "damage": verified.damage,
                "divergence": divergence.as_ref().map(|divergence| divergence_json(divergence, verified.owner.as_deref())),
            })
        }
        Err(failure) => json!({
            "log": path.display().to_string(),
            "verdict": Verdict::Unreadable.name(),
            "error": failure.to_string(),
        }),
    });
    json!({
        "simulation": SIM_VERSION,
        "verdict": verdict.name(),
        "nanoseconds": time.as_nanos() as u64,
        "logs": logs.collect::<Vec<_>>(),
    })
}
