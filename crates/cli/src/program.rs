//! [`Program`]: what a program is called, and the games that it links.

use crate::failure::Failure;
use crate::games::{Compared, Game, Replay, arena_look};
use crate::look::Look;
use isostep_replay::{CommandSimulation, Log, LogKind, Recorded, Simulation, diff};
use isostep_scenes::arena::Arena;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// What a program is called, and the games that it links.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// By name and version.
    games: BTreeMap<(&'static str, u32), Game>,
}

impl Program {
    /// Called as the command of this crate is, with the demo game.
    pub(crate) fn isostep() -> Self {
        let mut program =
            Self { name: "isostep", version: env!("CARGO_PKG_VERSION"), games: BTreeMap::new() };
        program.link::<Arena>(arena_look());
        program
    }

    /// Links a game, instead of another one of that name and version. One that is recorded as commands does not compile:
    /// every program replays these.
    pub(crate) fn link<G: Simulation + 'static>(&mut self, look: Look) {
        let key = const {
            match G::RECORDED {
                Recorded::Inputs { game, version } => (game, version),
                Recorded::Commands => panic!("a game is recorded as the inputs of its players"),
            }
        };
        self.games.insert(key, Game::of::<G>(look));
    }

    /// What replays a log, which is from a file.
    ///
    /// # Errors
    /// If its game is not linked.
    pub(crate) fn game_of(&self, path: &Path, log: &Log) -> Result<Game, Failure> {
        match &log.header().kind {
            LogKind::Commands { .. } => Ok(Game::of::<CommandSimulation>(Look::new())),
            LogKind::Inputs { game, version } => {
                self.games.get(&(game.as_str(), *version)).copied().ok_or_else(|| Failure::UnknownGame {
                    path: path.to_owned(),
                    game: game.clone(),
                    version: *version,
                    linked: self.linked(),
                    program: self.name,
                })
            }
        }
    }

    /// Replays a log, which is from a file.
    ///
    /// # Errors
    /// If its game is not linked, or it has nothing to start from.
    pub(crate) fn replay(&self, path: &Path, log: &Arc<Log>) -> Result<Box<dyn Replay>, Failure> {
        (self.game_of(path, log)?.replay)(log).map_err(|error| Failure::play(path, error))
    }

    /// The first thing in which two logs differ, of which the left one is from a file: with values if its game is linked.
    ///
    /// # Errors
    /// If one of the logs makes no sense.
    pub(crate) fn difference(&self, path: &Path, left: &Arc<Log>, right: &Arc<Log>) -> Compared {
        match self.game_of(path, left) {
            Ok(game) => (game.difference)(left, right),
            Err(_) => diff(left, right),
        }
    }

    /// Names and versions of the games.
    fn linked(&self) -> String {
        let games = self.games.keys().map(|(name, version)| format!("{name:?} (version {version})"));
        games.collect::<Vec<_>>().join(", ")
    }
}
