//! [`Cli`]: what a program's `main` calls.

use crate::failure::Failure;
use crate::look::Look;
use crate::naming::renamed;
use crate::output::{Output, Verdict};
use crate::program::Program;
use crate::{bench, check, diff, hash, inspect, record, render, replay, scenes, verify};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use isostep_math::wide::Level;
use isostep_replay::Simulation;
use std::ffi::OsString;
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

/// The `isostep` command, with the games of a program.
///
/// Every program replays logs of commands and those of the demo game, and has the scenes: `record`, `scenes`, `run` and
/// `bench` are about these. A game that is given is one whose logs of inputs `replay`, `verify`, `diff`, `inspect`, `hash`
/// and `render` know as well. A log names its game and the version of its rules, and is replayed by what implements
/// [`Simulation`] with just these; a log of anything else is refused, and told which games there are. A program may link
/// many games, and a game in several versions.
///
/// What a command finds is in its exit code: 0 if all is identical, 1 if something differs, 2 if something cannot be read
/// or done, or there is nothing to compare with.
///
/// ```
/// use isostep_cli::Cli;
/// use std::process::ExitCode;
///
/// let (mut out, mut errors) = (Vec::new(), Vec::new());
/// let arguments = ["isostep", "verify", "no-such.isr"];
/// assert_eq!(Cli::new().run_with(arguments, &mut out, &mut errors), ExitCode::from(2));
/// assert!(String::from_utf8(out)?.contains("no-such.isr: it cannot be read"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cli {
    program: Program,
}

impl Default for Cli {
    fn default() -> Self {
        Self::new()
    }
}

impl Cli {
    /// The command without games but the demo.
    #[must_use]
    pub fn new() -> Self {
        Self { program: Program::isostep() }
    }

    /// With another name and version than `isostep` and the one of this crate: for help and `--version`, and where a command
    /// advises another one of the program.
    #[must_use]
    pub const fn named(mut self, name: &'static str, version: &'static str) -> Self {
        (self.program.name, self.program.version) = (name, version);
        self
    }

    /// With a game, drawn as [`Look::new`] says.
    ///
    /// A game whose [`RECORDED`](Simulation::RECORDED) is of commands does not compile: every program replays these. Of two
    /// games with the same name and version, the last one counts.
    ///
    /// ```compile_fail
    /// let _ = isostep_cli::Cli::new().game::<isostep_replay::CommandSimulation>();
    /// ```
    #[must_use]
    pub fn game<G: Simulation + 'static>(self) -> Self {
        self.game_with_look::<G>(Look::new())
    }

    /// With a game, as [`game`](Self::game), and how pictures show it.
    #[must_use]
    pub fn game_with_look<G: Simulation + 'static>(mut self, look: Look) -> Self {
        self.program.link::<G>(look);
        self
    }

    /// Does what the arguments of the process want, and returns what the process is to end with: what comes of it goes to
    /// the standard output, and what goes wrong to the standard error.
    ///
    /// There are no errors besides: where the output is closed early, the rest of it is dropped.
    pub fn run(&self) -> ExitCode {
        match self.parse(std::env::args_os()) {
            Ok(arguments) => {
                let (mut stdout, mut stderr) = (io::stdout(), io::stderr());
                self.execute(&arguments, &mut Output::console(&mut stdout, &mut stderr))
            }
            Err(error) => {
                // Where nobody reads it, the exit code tells.
                let _ = error.print();
                code_of(&error)
            }
        }
    }

    /// As [`run`](Self::run), with arguments of which the first is the program's name, and other places to print to. Nothing
    /// is colored there. For tests, and for programs that have more to do.
    pub fn run_with<A: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        out: &mut dyn Write,
        errors: &mut dyn Write,
    ) -> ExitCode {
        match self.parse(arguments) {
            Ok(arguments) => self.execute(&arguments, &mut Output::new(out, errors)),
            Err(error) => {
                let text = error.render();
                let _ = if error.use_stderr() { write!(errors, "{text}") } else { write!(out, "{text}") };
                code_of(&error)
            }
        }
    }

    /// What the arguments want; help is an error, too.
    fn parse<A: Into<OsString> + Clone>(
        &self,
        arguments: impl IntoIterator<Item = A>,
    ) -> Result<Arguments, clap::Error> {
        let Program { name, version, .. } = self.program;
        let mut command = renamed(Arguments::command().name(name).version(version), name);
        let matches = command.try_get_matches_from_mut(arguments)?;
        Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    fn execute(&self, arguments: &Arguments, out: &mut Output) -> ExitCode {
        let done = self.perform(arguments.command.as_ref(), out);
        match done.and_then(|verdict| Ok(out.flush().map(|()| verdict)?)) {
            Ok(verdict) => verdict.into(),
            Err(failure) => {
                // Where nobody reads errors either, the exit code tells.
                let _ = writeln!(out.errors(), "error: {failure}");
                Verdict::Unreadable.into()
            }
        }
    }

    fn perform(&self, task: Option<&Task>, out: &mut Output) -> Result<Verdict, Failure> {
        let program = &self.program;
        // Nobody who asks for one level is told of another.
        Level::from_env()?;
        match task {
            None => replay::embedded(program, out),
            Some(Task::Replay(options)) => replay::run(options, program, out),
            Some(Task::Verify(options)) => verify::run(options, program, out),
            Some(Task::Record(options)) => record::run(options, out),
            Some(Task::Diff(options)) => diff::run(options, program, out),
            Some(Task::Inspect(options)) => inspect::run(options, program, out),
            Some(Task::Hash(options)) => hash::run(options, program, out),
            Some(Task::Render(options)) => render::run(options, program, out),
            Some(Task::Scenes(_)) => scenes::list(out),
            Some(Task::Run(options)) => scenes::run(options, out),
            Some(Task::Bench(options)) => bench::run(options, out),
            Some(Task::Check(_)) => check::run(out),
        }
    }
}

/// What clap ends a process with: 0 for help, 2 for what makes no sense.
fn code_of(error: &clap::Error) -> ExitCode {
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}
