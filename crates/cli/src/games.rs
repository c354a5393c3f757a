//! The games that this program links, and [`Replay`]: a log played by the one that it is of.

use crate::failure::Failure;
use crate::report;
use isostep_collision::Aabb;
use isostep_render::Color;
use isostep_replay::{
    CommandSimulation, DiffError, Log, LogDifference, LogKind, PlayError, Player, Simulation, Verification,
    diff, diff_with,
};
use isostep_scenes::arena::{self, Arena, Tag};
use isostep_step::{BodyView, World};
use std::path::Path;
use std::sync::Arc;

/// Names and versions of all games whose logs of inputs can be replayed here.
pub(crate) const LINKED: [(&str, u32); 1] = [(Arena::NAME, Arena::VERSION)];

/// Prints [`LINKED`].
pub(crate) struct Games;

/// How pictures show a game.
trait Look: Simulation {
    fn focus() -> Option<Aabb> {
        None
    }

    fn color(_body: &BodyView<'_>) -> Option<Color> {
        None
    }
}

impl Look for CommandSimulation {}

impl Look for Arena {
    fn focus() -> Option<Aabb> {
        Some(arena::field())
    }

    fn color(body: &BodyView<'_>) -> Option<Color> {
        Tag::of_body(body).color().map(Color)
    }
}

/// A [`Player`] of any game.
pub(crate) trait Replay {
    /// The world as it is.
    fn world(&self) -> &World;

    /// The hash of all that there is, the game beside the world included.
    fn hash(&self) -> u128;

    /// As [`Player::step`].
    fn step(&mut self) -> Result<bool, PlayError>;

    /// As [`Player::recorded_hash`].
    fn recorded_hash(&mut self) -> Result<Option<u128>, PlayError>;

    /// As [`Player::seek`].
    fn seek(&mut self, tick: u64) -> Result<(), PlayError>;

    /// As [`Player::verify_with`].
    fn verify(&mut self, reached: &mut dyn FnMut(u64)) -> Result<Verification, PlayError>;

    /// What pictures show; `None` for what moves.
    fn focus(&self) -> Option<Aabb>;

    /// The color of a body; `None` for one without a color of its own.
    fn color(&self, body: &BodyView<'_>) -> Option<Color>;
}

impl<S: Look> Replay for Player<S> {
    fn world(&self) -> &World {
        self.world()
    }

    fn hash(&self) -> u128 {
        self.state().hash()
    }

    fn step(&mut self) -> Result<bool, PlayError> {
        self.step()
    }

    fn recorded_hash(&mut self) -> Result<Option<u128>, PlayError> {
        self.recorded_hash()
    }

    fn seek(&mut self, tick: u64) -> Result<(), PlayError> {
        self.seek(tick)
    }

    fn verify(&mut self, reached: &mut dyn FnMut(u64)) -> Result<Verification, PlayError> {
        self.verify_with(reached)
    }

    fn focus(&self) -> Option<Aabb> {
        S::focus()
    }

    fn color(&self, body: &BodyView<'_>) -> Option<Color> {
        S::color(body)
    }
}

/// What a log is played by.
enum Played {
    Commands,
    Arena,
    Unknown { game: String, version: u32 },
}

fn played_by(log: &Log) -> Played {
    match &log.header().kind {
        LogKind::Commands { .. } => Played::Commands,
        LogKind::Inputs { game, version } if (game.as_str(), *version) == LINKED[0] => Played::Arena,
        LogKind::Inputs { game, version } => Played::Unknown { game: game.clone(), version: *version },
    }
}

/// Replays a log, which is from a file.
///
/// # Errors
/// If its game is not linked, or it has nothing to start from.
pub(crate) fn replay(path: &Path, log: &Arc<Log>) -> Result<Box<dyn Replay>, Failure> {
    fn boxed<S: Look + 'static>(log: &Arc<Log>) -> Result<Box<dyn Replay>, PlayError> {
        Ok(Box::new(Player::<S>::new(Arc::clone(log))?))
    }
    match played_by(log) {
        Played::Commands => boxed::<CommandSimulation>(log),
        Played::Arena => boxed::<Arena>(log),
        Played::Unknown { game, version } => {
            return Err(Failure::UnknownGame { path: path.to_owned(), game, version });
        }
    }
    .map_err(|error| Failure::play(path, error))
}

/// Who owns the slot that differs at the keyframe of a divergence, as far as that is known.
pub(crate) fn owner(replay: &mut dyn Replay, verification: &Verification) -> Option<String> {
    let (tick, difference) = verification.divergence.as_ref()?.keyframe.as_ref()?;
    replay.seek(*tick).ok()?;
    report::owner(replay.world(), difference)
}

/// The first thing in which two logs differ: with values if the game is linked.
///
/// # Errors
/// If one of the logs makes no sense.
pub(crate) fn difference(left: &Arc<Log>, right: &Arc<Log>) -> Result<Option<LogDifference>, DiffError> {
    match played_by(left) {
        Played::Commands => diff_with::<CommandSimulation>(left, right),
        Played::Arena => diff_with::<Arena>(left, right),
        Played::Unknown { .. } => diff(left, right),
    }
}
