//! The `isostep` command: records and replays logs, verifies and compares them, looks into them, draws and times scenes, and
//! checks this build.
//!
//! Each command has a module, and prints through `output`. `games` has the games that are linked and what replays their
//! logs; `logs` opens files, `side` those that may be hashes, `atomic` writes them; `report` prints what several commands
//! find, and `failure` says why one of them finds nothing.

mod atomic;
mod bench;
mod check;
mod diff;
mod failure;
mod figures;
mod games;
mod hash;
mod inspect;
mod logs;
mod output;
mod record;
mod render;
mod replay;
mod report;
mod scenes;
mod side;
mod source;
mod verify;

use clap::{Parser, Subcommand};
use comfy_table::{CellAlignment, Table, presets};
use failure::Failure;
use output::{Output, Verdict};
use std::io::{self, Write};
use std::process::ExitCode;

/// Deterministic fixed-point physics: the same bits on every machine
///
/// Without a command, a match of eight players that is part of the program is replayed and compared, tick by tick, with
/// what was recorded.
#[derive(Parser)]
#[command(
    name = "isostep",
    version,
    after_help = "Examples:
  isostep                                          # replays the match that is part of the program
  isostep record --scene arena --ticks 3600 --players 8 --seed 1 -o match.isr
  isostep verify match.isr                         # here, or on another machine
  isostep diff ours.isr theirs.isr                 # which tick, which body, which field

Exit code: 0 if all is identical, 1 if something differs, 2 if something cannot be read or done, or there is \
nothing to compare with."
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Replays a log, compares it with what was recorded, and tells what there is to know
    Replay(replay::Options),
    /// Replays many logs on all cores, and says which are the matches that were recorded
    Verify(verify::Options),
    /// Records a match of bots, or a scene
    Record(record::Options),
    /// Finds the first tick, body and field in which two logs differ, or the tick in which hashes do
    Diff(diff::Options),
    /// Shows what is in a log, or where the bodies are at a tick
    Inspect(inspect::Options),
    /// Prints the hashes of a log's states, to compare machines
    Hash(hash::Options),
    /// Draws a tick of a log or a scene, or a contact sheet of several: SVG, the same bytes on every machine
    Render(render::Options),
    /// Lists the scenes
    Scenes(scenes::ListOptions),
    /// Steps a scene: time per tick, and the hash of where it ends
    Run(scenes::Options),
    /// Times scenes by phases, and what it takes to save, load and hash them
    Bench(bench::Options),
    /// Compares this build with a high-precision reference and with the digest all machines share
    Check(check::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = Output::stdout();
    let done = run(arguments.command.as_ref(), &mut out);
    match done.and_then(|verdict| Ok(out.flush().map(|()| verdict)?)) {
        Ok(verdict) => verdict.into(),
        Err(failure) => {
            // Where nobody reads errors either, the exit code tells.
            let _ = writeln!(io::stderr(), "error: {failure}");
            Verdict::Unreadable.into()
        }
    }
}

fn run(task: Option<&Task>, out: &mut Output) -> Result<Verdict, Failure> {
    match task {
        None => replay::embedded(out),
        Some(Task::Replay(options)) => replay::run(options, out),
        Some(Task::Verify(options)) => verify::run(options, out),
        Some(Task::Record(options)) => record::run(options, out),
        Some(Task::Diff(options)) => diff::run(options, out),
        Some(Task::Inspect(options)) => inspect::run(options, out),
        Some(Task::Hash(options)) => hash::run(options, out),
        Some(Task::Render(options)) => render::run(options, out),
        Some(Task::Scenes(_)) => scenes::list(out),
        Some(Task::Run(options)) => scenes::run(options, out),
        Some(Task::Bench(options)) => bench::run(options, out),
        Some(Task::Check(_)) => check::run(out),
    }
}

/// A table whose columns of the given numbers hold figures.
fn new_table(header: &[&str], figures: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    for &column in figures {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A list of names and what they mean here.
fn new_list() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table
}
