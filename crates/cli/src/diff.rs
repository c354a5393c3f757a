//! `isostep diff`: the first thing in which two logs differ, or a log and the hashes of another machine.

use crate::failure::Failure;
use crate::figures::counted;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::report::{self, AtKeyframe, keyframe_json, number_json, trace_json};
use crate::side::{self, Side};
use isostep_replay::{
    DiffError, EventDifference, HashStream, Log, LogDifference, StateDifference, TraceComparison,
};
use isostep_step::Command;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What `isostep diff` takes.
#[derive(clap::Args)]
#[command(
    after_help = "Logs with traces name the body and the field, with both values; logs with keyframes name a field at \
the next one; hashes name the tick. Either side may be a pipe. Hashes are text in UTF-8, or in UTF-16 with a byte order \
mark.

Exit code: 0 if they are equal, 1 if they differ, 2 if one cannot be read or no state was compared.

Examples:
  isostep diff ours.isr theirs.isr
  isostep diff match.isr there.hashes        # what `isostep hash --recorded` printed on another machine
  isostep diff --json ours.isr theirs.isr"
)]
pub(crate) struct Options {
    /// A log, or a stream of hashes
    left: PathBuf,
    /// Another one
    right: PathBuf,
    /// Of damaged logs, take what is whole
    #[arg(long)]
    valid_part: bool,
    /// One document of JSON instead
    #[arg(long)]
    json: bool,
}

/// What came of it.
struct Comparison {
    difference: Option<LogDifference>,
    /// Who owns the slot that differs at a keyframe.
    owner: Option<String>,
    /// What was compared, in words.
    extent: String,
    /// How many states were: of those that lead to none, nobody knows whether they are equal.
    states: usize,
}

impl Comparison {
    const fn verdict(&self) -> Verdict {
        match (&self.difference, self.states) {
            (Some(_), _) => Verdict::Different,
            (None, 0) => Verdict::Uncompared,
            (None, _) => Verdict::Identical,
        }
    }
}

/// Compares, and says what differs.
pub(crate) fn run(options: &Options, program: &Program, out: &mut Output) -> Result<Verdict, Failure> {
    let [left, right] = [&options.left, &options.right];
    let sides = (side::read(left, options.valid_part)?, side::read(right, options.valid_part)?);
    let comparison = match sides {
        (Side::Log(one), Side::Log(other)) => compare_logs(options, program, &one, &other)?,
        (Side::Log(log), Side::Hashes(stream)) => compare_hashes(options, &hashes(left, &log)?, &stream)?,
        (Side::Hashes(stream), Side::Log(log)) => compare_hashes(options, &stream, &hashes(right, &log)?)?,
        (Side::Hashes(one), Side::Hashes(other)) => compare_hashes(options, &one, &other)?,
    };
    if options.json {
        out.json(&json(options, &comparison))?;
    } else {
        print(options, &comparison, out)?;
    }
    Ok(comparison.verdict())
}

fn compare_logs(
    options: &Options,
    program: &Program,
    left: &Arc<Log>,
    right: &Arc<Log>,
) -> Result<Comparison, Failure> {
    let difference = program.difference(&options.left, left, right).map_err(|error| match error {
        DiffError::Left(error) => Failure::play(&options.left, error),
        DiffError::Right(error) => Failure::play(&options.right, error),
    })?;
    let owner = difference.as_ref().and_then(|difference| owner(options, program, left, difference));
    let mut comparison = Comparison { difference, owner, extent: String::new(), states: 0 };
    if comparison.difference.is_none() {
        let hashes = hashes(&options.left, left)?.in_common(&hashes(&options.right, right)?);
        // What a log starts from nothing came of.
        let ticks_of = |log: &Log| {
            let ticks = log.keyframes().map(|info| info.tick).filter(|&tick| tick > log.first_tick());
            ticks.collect::<BTreeSet<_>>()
        };
        let keyframes = ticks_of(left).intersection(&ticks_of(right)).count();
        let ticks = counted(left.end_tick() - left.first_tick(), "tick");
        comparison.extent = format!("{ticks}, hashes of {hashes} and keyframes of {keyframes}");
        comparison.states = hashes + keyframes;
    }
    Ok(comparison)
}

fn hashes(path: &Path, log: &Log) -> Result<HashStream, Failure> {
    HashStream::of_log(log).map_err(|error| Failure::log(path, error))
}

/// Who owns the slot that differs at a keyframe, as far as the log can be replayed.
fn owner(options: &Options, program: &Program, log: &Arc<Log>, difference: &LogDifference) -> Option<String> {
    let LogDifference::State(state) = difference else { return None };
    let (tick, difference) = state.keyframe.as_ref()?;
    let mut replay = program.replay(&options.left, log).ok()?;
    replay.seek(*tick).ok()?;
    report::owner(replay.world(), difference)
}

/// Compares two streams, of which a log may be one.
fn compare_hashes(options: &Options, left: &HashStream, right: &HashStream) -> Result<Comparison, Failure> {
    let count = left.in_common(right);
    if count == 0 {
        return Err(Failure::NothingInCommon { left: options.left.clone(), right: options.right.clone() });
    }
    let difference = left.difference(right).map(|state| LogDifference::State(Box::new(state)));
    Ok(Comparison {
        difference,
        owner: None,
        extent: format!("hashes of {}", counted(count as u64, "tick")),
        states: count,
    })
}

fn print(options: &Options, comparison: &Comparison, out: &mut Output) -> Result<(), Failure> {
    let [left, right] = [&options.left, &options.right].map(|path| path.display().to_string());
    let Some(difference) = &comparison.difference else {
        let verdict = match comparison.states {
            0 => format!("have the same done in all ticks, and {}", out.bad("no state was compared")),
            _ => format!("are {}", out.good("equal")),
        };
        writeln!(out, "{left} and {right} {verdict}: {}", comparison.extent)?;
        return Ok(());
    };
    let differ = out.bad("differ");
    match difference {
        LogDifference::Header { field, left: a, right: b } => {
            writeln!(out, "{left} and {right} {differ} in the header: they are of different things\n")?;
            writeln!(out, "{field}: {a}")?;
            writeln!(out, "{:width$}  {b}", "", width = field.len())?;
        }
        LogDifference::Events { tick, events } => {
            writeln!(
                out,
                "{left} and {right} {differ} in what is done at tick {tick}; all that is done before is equal\n"
            )?;
            let [what, a, b] = event_texts(events);
            writeln!(out, "{what}: {a}\n{:width$}  {b}", "", width = what.len())?;
        }
        LogDifference::State(state) => {
            let StateDifference { tick, last_equal, hashes, trace, numbers, keyframe } = &**state;
            let before = match last_equal {
                Some(tick) => format!("they are equal at tick {tick}"),
                None => "nothing before was compared".to_owned(),
            };
            writeln!(out, "{left} and {right} {differ} at tick {tick}; {before}\n")?;
            if let Some([a, b]) = hashes {
                writeln!(out, "hash: {a:032x}\n      {b:032x}\n")?;
            }
            if *trace == TraceComparison::Equal {
                writeln!(out, "{}", report::BESIDE)?;
                return Ok(());
            }
            let owner = comparison.owner.as_deref();
            let keyframe =
                keyframe.as_ref().map(|(tick, difference)| AtKeyframe { tick: *tick, difference, owner });
            let is_known = report::place(["first", "second"], trace, numbers, keyframe.as_ref(), out)?;
            if is_known {
                return Ok(());
            }
            if let Some(error) = trace.error() {
                writeln!(out, "Where, traces would say, of which one cannot be read: {error}")?;
            } else {
                writeln!(
                    out,
                    "Hashes tell no more: two logs that were recorded with --traces name the body and the field, or say that \
                     it is in what the game keeps beside."
                )?;
            }
        }
        LogDifference::Length { left: a, right: b } => {
            writeln!(
                out,
                "{left} and {right} {differ}: one ends with tick {a}, the other with tick {b}; all that both have is \
                 equal"
            )?;
        }
        other => writeln!(out, "{left} and {right} {differ}: {other}")?,
    }
    Ok(())
}

/// What was done, and how on both sides.
fn event_texts(events: &EventDifference) -> [String; 3] {
    match events {
        EventDifference::Command { index, left, right } => {
            let text = |command: &Option<Box<Command>>| {
                command.as_ref().map_or_else(|| "none".to_owned(), |command| format!("{command:?}"))
            };
            [format!("command {index}"), text(left), text(right)]
        }
        EventDifference::Input { player, left, right } => {
            [format!("input of player {player}"), format!("{left:02x?}"), format!("{right:02x?}")]
        }
        other => ["events".to_owned(), format!("{other}"), String::new()],
    }
}

fn json(options: &Options, comparison: &Comparison) -> Value {
    let mut json = match &comparison.difference {
        None => {
            let verdict = if comparison.states == 0 { Verdict::Uncompared.name() } else { "equal" };
            json!({ "verdict": verdict, "compared": comparison.extent })
        }
        Some(LogDifference::Header { field, left, right }) => {
            json!({ "kind": "header", "field": field, "texts": [left, right] })
        }
        Some(LogDifference::Events { tick, events }) => {
            let [what, left, right] = event_texts(events);
            json!({ "kind": "events", "tick": tick, "what": what, "texts": [left, right] })
        }
        Some(LogDifference::State(state)) => {
            let StateDifference { tick, last_equal, hashes, trace, numbers, keyframe } = &**state;
            json!({
                "kind": "state",
                "tick": tick,
                "last_equal": last_equal,
                "hashes": hashes.map(|hashes| hashes.map(|hash| format!("{hash:032x}"))),
                "is_traced": trace.is_traced(),
                "trace": trace.difference().map(trace_json),
                "trace_error": trace.error().map(ToString::to_string),
                "numbers": numbers.iter().map(number_json).collect::<Vec<_>>(),
                "keyframe": keyframe
                    .as_ref()
                    .map(|(tick, difference)| keyframe_json(*tick, difference, comparison.owner.as_deref())),
            })
        }
        Some(LogDifference::Length { left, right }) => {
            json!({ "kind": "length", "end_ticks": [left, right] })
        }
        Some(other) => json!({ "kind": "other", "text": other.to_string() }),
    };
    json["left"] = json!(options.left.display().to_string());
    json["right"] = json!(options.right.display().to_string());
    if comparison.difference.is_some() {
        json["verdict"] = json!("different");
    }
    json
}
