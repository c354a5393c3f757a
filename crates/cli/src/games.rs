//! [`Game`]: what replays logs of commands, or of a game, and [`Replay`]: a log that is played by it.

use crate::failure::Failure;
use crate::look::Look;
use crate::output::Output;
use crate::program::Program;
use crate::report;
use isostep_render::Color;
use isostep_replay::{
    DiffError, Log, LogDifference, PlayError, Player, Simulation, Verification, VerifyOptions, diff_with,
};
use isostep_scenes::arena::{self, Tag};
use isostep_step::World;
use std::path::Path;
use std::sync::Arc;

/// A log that is ready to be played.
pub(crate) type Replayed = Result<Box<dyn Replay>, PlayError>;

/// The first thing in which two logs differ.
pub(crate) type Compared = Result<Option<LogDifference>, DiffError>;

/// What replays logs of commands, or of a game, and how pictures show it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    pub(crate) look: Look,
    /// As [`Player::new`].
    pub(crate) replay: fn(&Arc<Log>) -> Replayed,
    /// As [`diff_with`].
    pub(crate) difference: fn(&Arc<Log>, &Arc<Log>) -> Compared,
}

impl Game {
    pub(crate) fn of<S: Simulation + 'static>(look: Look) -> Self {
        fn replay<S: Simulation + 'static>(log: &Arc<Log>) -> Replayed {
            Ok(Box::new(Player::<S>::new(Arc::clone(log))?))
        }
        Self { look, replay: replay::<S>, difference: diff_with::<S> }
    }
}

/// How pictures show the demo game.
pub(crate) fn arena_look() -> Look {
    Look::new().of(arena::field()).painted(|body| Tag::of_body(body).color().map(Color))
}

/// A [`Player`] of any game.
pub(crate) trait Replay {
    /// The world as it is.
    fn world(&self) -> &World;

    /// As [`Player::tick`].
    fn tick(&self) -> u64;

    /// The hash of all that there is, the game beside the world included.
    fn hash(&self) -> u128;

    /// As [`Player::step`].
    fn step(&mut self) -> Result<bool, PlayError>;

    /// As [`Player::recorded_hash`].
    fn recorded_hash(&mut self) -> Result<Option<u128>, PlayError>;

    /// As [`Player::seek`].
    fn seek(&mut self, tick: u64) -> Result<(), PlayError>;

    /// As [`Player::verify_with`].
    fn verify(
        &mut self,
        options: &VerifyOptions,
        reached: &mut dyn FnMut(u64),
    ) -> Result<Verification, PlayError>;
}

impl<S: Simulation> Replay for Player<S> {
    fn world(&self) -> &World {
        self.world()
    }

    fn tick(&self) -> u64 {
        self.tick()
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

    fn verify(
        &mut self,
        options: &VerifyOptions,
        reached: &mut dyn FnMut(u64),
    ) -> Result<Verification, PlayError> {
        self.verify_with(options, reached)
    }
}

/// The state that a replay is in, and what the log has of it.
pub(crate) struct Standing {
    pub(crate) tick: u64,
    pub(crate) hash: u128,
    pub(crate) recorded: Option<u128>,
}

impl Standing {
    /// Of a log from a file.
    ///
    /// # Errors
    /// If the log makes no sense there.
    pub(crate) fn of(replay: &mut dyn Replay, path: &Path) -> Result<Self, Failure> {
        let recorded = replay.recorded_hash().map_err(|error| Failure::play(path, error))?;
        Ok(Self { tick: replay.tick(), hash: replay.hash(), recorded })
    }

    /// Whether it is the state that was recorded, as far as the log has a hash of it. If it is not, that is said: what is
    /// shown of it is not what was.
    pub(crate) fn is_recorded(&self, path: &Path, program: &Program, out: &mut Output) -> bool {
        let Some(recorded) = self.recorded.filter(|&recorded| recorded != self.hash) else { return true };
        let _ = writeln!(
            out.errors(),
            "warning: {}: at tick {} this is not the state that was recorded, which has the hash {recorded:032x}: `{} verify` \
             says what differs",
            path.display(),
            self.tick,
            program.name,
        );
        false
    }
}

/// Who owns the slot that differs at the keyframe of a divergence, as far as that is known.
pub(crate) fn owner(replay: &mut dyn Replay, verification: &Verification) -> Option<String> {
    let (tick, difference) = verification.divergence.as_ref()?.keyframe.as_ref()?;
    replay.seek(*tick).ok()?;
    report::owner(replay.world(), difference)
}
