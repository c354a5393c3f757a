//! [`Failure`]: why a command could not do what it was asked to.

use crate::scenes::MAX_TICKS;
use isostep_math::wide::{Level, LevelError};
use isostep_render::{SheetError, ViewError};
use isostep_replay::{ApplyError, HashLineError, HashStreamError, LogError, PlayError, WriteError};
use isostep_step::{CommandError, ConfigError};
use std::io;
use std::path::{Path, PathBuf};

/// Why a command could not do what it was asked to: what, where, and what helps.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot print: {0}")]
    Output(#[from] io::Error),
    #[error("{}: {error}{}", path.display(), advice(error))]
    Log { path: PathBuf, error: LogError },
    #[error("{}: {error}\n{}", path.display(), valid_part(*first, *end))]
    Damaged { path: PathBuf, error: LogError, first: u64, end: u64 },
    #[error("{}: {error}", path.display())]
    Play { path: PathBuf, error: PlayError },
    #[error("{}: replaying it panicked: {message}", path.display())]
    Panic { path: PathBuf, message: String },
    #[error(
        "{}: a log of version {version} of the game {game:?}: this program links {linked}\n\
         It replays no other: a program that links this version of the game does, with `Cli` of isostep-cli. \
         `{program} inspect` without --tick, `{program} diff` and `{program} hash --recorded` need no game.",
        path.display()
    )]
    UnknownGame { path: PathBuf, game: String, version: u32, linked: String, program: &'static str },
    #[error("{}: neither a log nor a stream of hashes: it is empty", path.display())]
    Empty { path: PathBuf },
    #[error("{}: {}{error}{}", path.display(), kind_of(error), advice_of(error))]
    Hashes { path: PathBuf, error: HashStreamError },
    #[error("{} and {} have no hash of the same tick: nothing was compared", left.display(), right.display())]
    NothingInCommon { left: PathBuf, right: PathBuf },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: the picture would replace the log that it is of: -o takes another file", .0.display())]
    SameFile(PathBuf),
    #[error("cannot record {}: {error}", path.display())]
    Record { path: PathBuf, error: WriteError },
    #[error("cannot record {}: {error}", path.display())]
    Apply { path: PathBuf, error: ApplyError },
    #[error("{}: {_0}", Level::VARIABLE)]
    Lanes(#[from] LevelError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("tick {tick}: scenes are stepped up to tick {MAX_TICKS}")]
    TooLate { tick: u64 },
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("--{option} is for {of} only")]
    Option { option: &'static str, of: &'static str },
    #[error("neither a scene nor a file is called {name}: `{program} scenes` lists the scenes")]
    NoSource { name: String, program: &'static str },
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Sheet(#[from] SheetError),
}

impl Failure {
    pub(crate) fn log(path: &Path, error: LogError) -> Self {
        Self::Log { path: path.to_owned(), error }
    }

    pub(crate) fn play(path: &Path, error: PlayError) -> Self {
        match error {
            PlayError::Log(error) => Self::log(path, error),
            error => Self::Play { path: path.to_owned(), error },
        }
    }
}

/// Where it is if the error does not say, and what to do about it.
fn advice(error: &LogError) -> &'static str {
    match error {
        LogError::Magic => {
            " (at byte 0)\n`isostep record` writes logs of the demo game, the recorders of isostep-replay those of others; \
             docs/format-isr.md says what they are."
        }
        LogError::Format { .. } => {
            " (at byte 8)\nReplay it with a program of a version of isostep that reads that format."
        }
        LogError::Simulation { .. } => {
            " (at byte 12)\nAnother version computes other bits: replay it with a program of the isostep that recorded \
             it, or record it again."
        }
        LogError::HeaderChecksum { .. } | LogError::BlockChecksum { .. } | LogError::Truncated { .. } => {
            "\nWithout its header nothing of it can be replayed: take another copy."
        }
        _ => "",
    }
}

/// What a text is that has no hashes to begin with.
fn kind_of(error: &HashStreamError) -> &'static str {
    match error.reason {
        HashLineError::NoVersion => "neither a log nor a stream of hashes: ",
        _ => "",
    }
}

/// As [`advice`], of hashes.
fn advice_of(error: &HashStreamError) -> &'static str {
    match error.reason {
        HashLineError::Simulation { .. } => {
            "\nAnother version computes other bits: compare them with a program of the isostep that computed them."
        }
        _ => "",
    }
}

fn valid_part(first: u64, end: u64) -> String {
    match end - first {
        0 => "No tick of it is whole: take another copy.".to_owned(),
        ticks => format!(
            "{ticks} ticks before that are whole, up to tick {end}: verify, replay, hash, diff and render take these with \
             --valid-part."
        ),
    }
}
