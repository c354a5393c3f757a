//! The `isostep` command as a library: a program of a game's own verifies, compares, inspects, hashes and draws the logs of
//! its inputs.
//!
//! Logs of commands replay anywhere; logs of inputs replay where the game is. So a program that links the game gives it to
//! [`Cli`], and has the whole command:
//!
//! ```no_run
//! use isostep_cli::Cli;
//! # mod tag { pub use isostep_scenes::arena::Arena as Tag; }
//! use tag::Tag; // The game: what implements `isostep_replay::Simulation`.
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     Cli::new().named("tag", env!("CARGO_PKG_VERSION")).game::<Tag>().run()
//! }
//! ```
//!
//! ```console
//! $ tag verify nightly/*.isr               # or --json for a machine
//! $ tag diff ours.isr theirs.isr           # which tick, which body, which field
//! $ tag inspect match.isr --tick 600
//! ```
//!
//! The example `tag` of this crate is such a program with a game of a page. Its logs come from the game itself, which records
//! them with [`GameRecorder`](isostep_replay::GameRecorder).
//!
//! # How it works
//!
//! [`Cli`] takes the arguments apart, and each command has a module, which prints through `output`. `program` has the games
//! that are linked, `games` what replays their logs, and [`Look`] how pictures show them; `logs` opens files, `side` those
//! that may be hashes, `atomic` writes them; `report` prints what several commands find, and `failure` says why one of them
//! finds nothing.

mod atomic;
mod bench;
mod check;
mod cli;
mod diff;
mod failure;
mod figures;
mod games;
mod hash;
mod inspect;
mod logs;
mod look;
mod naming;
mod output;
mod program;
mod record;
mod render;
mod replay;
mod report;
mod scenes;
mod side;
mod source;
mod tables;
mod verify;

pub use cli::Cli;
pub use isostep_render::Color;
pub use look::Look;
