//! [`Player`]: a log, replayed.

use crate::difference::{TraceComparison, numbers_at};
use crate::divergence::{Cause, Divergence, Start, Verification, VerifyOptions};
use crate::error::LogError;
use crate::header::{Header, LogKind};
use crate::log::{ChunkCache, Log};
use crate::simulation::{Recorded, Simulation, SimulationError};
use isostep_step::{Difference, Snapshot, Trace, Tracer, World, WorldConfig};
use std::path::Path;
use std::sync::Arc;

/// Why a log cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A log of commands for a game, or of inputs for none.
    #[error("a log of {found}: this replays logs of {expected}")]
    Kind {
        /// What the log is of.
        found: &'static str,
        /// What can be replayed.
        expected: &'static str,
    },
    /// A log of another game.
    #[error("a log of the game {found:?}: this is {expected:?}")]
    Game {
        /// The game of the log.
        found: String,
        /// The one that is there.
        expected: &'static str,
    },
    /// A log of other rules.
    #[error("a log of version {found} of {game:?}: this is version {supported}")]
    GameVersion {
        /// The game.
        game: &'static str,
        /// The version of the log.
        found: u32,
        /// The one that is there.
        supported: u32,
    },
    /// The log ends before the keyframe that it starts from.
    #[error("the log has no keyframe of tick {tick} to start from")]
    NoKeyframe {
        /// The first tick.
        tick: u64,
    },
    /// A tick that the log does not have.
    #[error("tick {tick}: the log has ticks {first} to {end}")]
    TickOutOfRange {
        /// What it was.
        tick: u64,
        /// The tick of the state that the log starts from.
        first: u64,
        /// The tick of the state that it ends with.
        end: u64,
    },
    /// The world in a keyframe of a log of commands is not the one that the log says it is.
    #[error("{field} of the world in the keyframe of tick {tick} is {found}: the log says {expected}")]
    OtherWorld {
        /// The tick of the keyframe.
        tick: u64,
        /// What differs: the tick, or a field of the configuration.
        field: &'static str,
        /// The value in the keyframe.
        found: String,
        /// The one that the log has.
        expected: String,
    },
    /// The simulation cannot do what the log says.
    #[error("at tick {tick}: {error}")]
    Simulation {
        /// The tick that was to be done, or loaded.
        tick: u64,
        /// What went wrong.
        error: SimulationError,
    },
}

/// Replays a log.
///
/// It is at a tick: in the state before that tick's frame. See [`Recorder`](crate::Recorder) for an example.
#[derive(Clone, Debug)]
pub struct Player<S> {
    log: Arc<Log>,
    simulation: S,
    tick: u64,
    /// Whether the simulation gave up within a tick or a keyframe, so that its state is none of the log's.
    is_torn: bool,
    chunk: ChunkCache,
}

impl<S: Simulation> Player<S> {
    /// Replays the log in a file.
    ///
    /// # Errors
    /// If it cannot be read, or as [`new`](Self::new).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, PlayError> {
        Self::new(Log::open(path)?)
    }

    /// Replays a log, from its first tick on.
    ///
    /// # Errors
    /// If the log is not one of this simulation, or has nothing to start from.
    pub fn new(log: impl Into<Arc<Log>>) -> Result<Self, PlayError> {
        let log = log.into();
        check_kind(&log.header().kind, S::RECORDED)?;
        let tick = log.first_tick();
        let simulation = start(&log, tick)?;
        let mut player = Self { log, simulation, tick, is_torn: false, chunk: ChunkCache::default() };
        player.restart()?;
        Ok(player)
    }

    /// The log.
    #[must_use]
    pub const fn log(&self) -> &Arc<Log> {
        &self.log
    }

    /// The tick that it is at.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Whether it is at the end of the log.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.tick >= self.log.end_tick()
    }

    /// The state: a world, or a game.
    #[must_use]
    pub const fn state(&self) -> &S {
        &self.simulation
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Advances by a tick, without comparing; whether there was one.
    ///
    /// # Errors
    /// If the log makes no sense there, or the simulation cannot do what it says. In the latter case some of the tick may
    /// be done; what is called next starts from a keyframe again.
    pub fn step(&mut self) -> Result<bool, PlayError> {
        let tick = self.tick;
        if self.is_torn {
            self.seek(tick)?;
        }
        let chunk = self.chunk.at(&self.log, tick)?;
        let Some(frame) = chunk.and_then(|chunk| chunk.frame(tick)) else { return Ok(false) };
        if let Err(error) = self.simulation.tick(&frame) {
            self.is_torn = true;
            return Err(PlayError::Simulation { tick, error });
        }
        self.tick += 1;
        Ok(true)
    }

    /// The hash that the log has of the state that the player is in, if it has one.
    ///
    /// # Errors
    /// If the log makes no sense there.
    pub fn recorded_hash(&mut self) -> Result<Option<u128>, PlayError> {
        let [hash, last] = self.recorded_hashes()?;
        Ok(hash.or(last))
    }

    /// The hash that the frame before the player's tick has, and at the end, the one that the index has.
    fn recorded_hashes(&mut self) -> Result<[Option<u128>; 2], PlayError> {
        let last = self.log.last_hash_at(self.tick);
        let Some(before) = self.tick.checked_sub(1) else { return Ok([None, last]) };
        let chunk = self.chunk.at(&self.log, before)?;
        Ok([chunk.and_then(|chunk| chunk.frame(before)?.hash), last])
    }

    /// Goes to a tick, forward or back: from the nearest keyframe before it, or from where the player is if that is
    /// nearer.
    ///
    /// # Errors
    /// If the log has no such tick, makes no sense there, or the simulation cannot do what it says.
    pub fn seek(&mut self, tick: u64) -> Result<(), PlayError> {
        let (first, end) = (self.log.first_tick(), self.log.end_tick());
        if !(first..=end).contains(&tick) {
            return Err(PlayError::TickOutOfRange { tick, first, end });
        }
        let keyframe = self.log.keyframe_before(tick);
        let from = keyframe.and_then(|index| self.log.keyframes().nth(index)).map_or(first, |info| info.tick);
        if self.is_torn || tick < self.tick || self.tick < from {
            match keyframe {
                Some(index) => self.load(index, from)?,
                None => self.restart()?,
            }
        }
        while self.tick < tick {
            if !self.step()? {
                break;
            }
        }
        Ok(())
    }

    /// Replays from the tick that the player is at to the end, and compares each hash and each keyframe with the state,
    /// up to the first that differs.
    ///
    /// # Errors
    /// If the log makes no sense somewhere before the first state that differs. Such a state is no error but a
    /// [`Divergence`].
    pub fn verify(&mut self) -> Result<Verification, PlayError> {
        self.verify_with(&VerifyOptions::default(), |_| ())
    }

    /// As [`verify`](Self::verify), with what else is to be compared, and tells each tick that was reached.
    ///
    /// # Errors
    /// As [`verify`](Self::verify).
    pub fn verify_with(
        &mut self,
        options: &VerifyOptions,
        mut reached: impl FnMut(u64),
    ) -> Result<Verification, PlayError> {
        let first = self.tick;
        if self.is_torn {
            self.seek(first)?;
        }
        let start = self.compare_start()?;
        let mut verification =
            Verification { ticks: 0, hashes: 0, keyframes: 0, hash: 0, start, divergence: None };
        let mut last_equal = self.is_recorded().then_some(first);
        let mut next_keyframe = self.log.keyframe_before(first).map_or(0, |index| index + 1);
        let mut scratch = Snapshot::new();
        let mut reloads = options.roll_back;
        let divergence = loop {
            if reloads {
                if let Some(cause) = self.reload()? {
                    break Some((self.tick, cause));
                }
            }
            reloads = false;
            let next = self.tick + 1;
            let stepped = if options.roll_back { self.step_twice(&mut scratch) } else { self.step_once() };
            match stepped {
                Ok(Stepped::Done) => {}
                // Of a log without ticks, the state that it starts from is also the last one.
                Ok(Stepped::AtEnd) if verification.ticks == 0 => {
                    break self.compare_hashes(&mut verification)?.map(|cause| (first, cause));
                }
                Ok(Stepped::AtEnd) => break None,
                Ok(Stepped::Elsewhere(cause)) => break Some((next, cause)),
                Err(PlayError::Simulation { tick, error }) => {
                    // Back to the state before the tick. Where that fails, there is none to tell of.
                    let _ = self.seek(tick);
                    break Some((tick, Cause::Refused { reason: error.to_string() }));
                }
                Err(other) => return Err(other),
            }
            let tick = self.tick;
            verification.ticks += 1;
            reached(tick);
            let before = verification.hashes;
            if let Some(cause) = self.compare_hashes(&mut verification)? {
                break Some((tick, cause));
            }
            let mut is_equal = verification.hashes != before;
            let keyframe = self.log.keyframes().nth(next_keyframe).filter(|info| info.tick == tick);
            if keyframe.is_some() {
                if *self.log.keyframe(next_keyframe)? != *self.simulation.save() {
                    break Some((tick, Cause::Keyframe));
                }
                next_keyframe += 1;
                verification.keyframes += 1;
                is_equal = true;
                reloads = options.roll_back;
            }
            if is_equal {
                last_equal = Some(tick);
            }
        };
        if !self.is_torn {
            verification.hash = self.simulation.hash();
        }
        if let Some((tick, cause)) = divergence {
            verification.divergence = Some(self.explain(tick, last_equal, cause));
        }
        Ok(verification)
    }

    /// Compares the hashes that the log has of the state, if it has any, and counts what is equal; or says what differs.
    fn compare_hashes(&mut self, verification: &mut Verification) -> Result<Option<Cause>, PlayError> {
        let [hash, last] = self.recorded_hashes()?;
        let Some(expected) = hash.or(last) else { return Ok(None) };
        let found = self.simulation.hash();
        if found != expected {
            return Ok(Some(match hash {
                Some(_) => Cause::Hash { expected, found },
                None => Cause::LastHash { expected, found, is_hashed: false },
            }));
        }
        verification.hashes += 1;
        verification.hash = found;
        let other = last.filter(|last| *last != found);
        Ok(other.map(|expected| Cause::LastHash { expected, found, is_hashed: true }))
    }

    /// Whether the log is known to have the state that the player is in: as a keyframe, or by its hash.
    fn is_recorded(&mut self) -> bool {
        let tick = self.tick;
        let keyframe = self.log.keyframes().position(|info| info.tick == tick);
        let state = keyframe.and_then(|index| self.log.keyframe(index).ok());
        if state.is_some_and(|state| *state == *self.simulation.save()) {
            return true;
        }
        // What cannot be read tells nothing.
        let hash = self.recorded_hash().ok().flatten();
        hash.is_some_and(|hash| hash == self.simulation.hash())
    }

    /// Whether this build starts the log's match in the state that the player is in, at the tick that matches start at.
    fn compare_start(&self) -> Result<Start, PlayError> {
        let tick = self.tick;
        let is_of_inputs = matches!(S::RECORDED, Recorded::Inputs { .. });
        let keyframe = self.log.keyframe_before(tick).filter(|_| tick == 0 && is_of_inputs && !self.is_torn);
        let Some(keyframe) = keyframe else { return Ok(Start::Unknown) };
        let own: S = start(&self.log, tick)?;
        if *own.save() == *self.log.keyframe(keyframe)? {
            return Ok(Start::Equal);
        }
        let difference = self.world().snapshot().difference(&own.world().snapshot());
        Ok(difference.map_or(Start::Beside, |difference| Start::World(Box::new(difference))))
    }

    fn step_once(&mut self) -> Result<Stepped, PlayError> {
        Ok(if self.step()? { Stepped::Done } else { Stepped::AtEnd })
    }

    /// Advances by a tick, goes back, and advances again.
    fn step_twice(&mut self, scratch: &mut Snapshot) -> Result<Stepped, PlayError> {
        let tick = self.tick;
        let before = self.simulation.save();
        if !self.step()? {
            return Ok(Stepped::AtEnd);
        }
        let first = self.simulation.hash();
        self.world().save(scratch);
        self.is_torn = true;
        let again = match self.simulation.load(&before) {
            Ok(()) => {
                (self.tick, self.is_torn) = (tick, false);
                self.step()
            }
            Err(error) => Err(PlayError::Simulation { tick, error }),
        };
        if let Err(PlayError::Simulation { error, .. }) = again {
            // Back to the state before the tick.
            let _ = self.seek(tick);
            let again = Err(error.to_string());
            return Ok(Stepped::Elsewhere(Cause::RolledBack { first, again, difference: None }));
        }
        again?;
        let again = self.simulation.hash();
        if again == first {
            return Ok(Stepped::Done);
        }
        let difference = scratch.difference(&self.world().snapshot()).map(Box::new);
        Ok(Stepped::Elsewhere(Cause::RolledBack { first, again: Ok(again), difference }))
    }

    /// Goes on in a simulation that was started anew and has loaded the state, or says what is wrong with that one. What is kept
    /// beside the state, and is the same after each tick, is not there in it.
    fn reload(&mut self) -> Result<Option<Cause>, PlayError> {
        let first = self.simulation.hash();
        let fresh = match self.clone_state() {
            Ok(fresh) => fresh.simulation,
            Err(PlayError::Simulation { error, .. }) => {
                return Ok(Some(Cause::RolledBack {
                    first,
                    again: Err(error.to_string()),
                    difference: None,
                }));
            }
            Err(other) => return Err(other),
        };
        let again = fresh.hash();
        if again == first && fresh.save() == self.simulation.save() {
            self.simulation = fresh;
            return Ok(None);
        }
        let difference = self.world().snapshot().difference(&fresh.world().snapshot()).map(Box::new);
        Ok(Some(Cause::RolledBack { first, again: Ok(again), difference }))
    }

    /// Says as much as the log knows of where the state differs; a keyframe that cannot be read tells nothing.
    fn explain(&mut self, tick: u64, last_equal: Option<u64>, cause: Cause) -> Divergence {
        let mut divergence = Divergence {
            tick,
            last_equal,
            cause,
            trace: TraceComparison::Untraced,
            numbers: Vec::new(),
            keyframe: None,
        };
        // Of a tick that is refused, some was done before. What the index says, no tick explains. What a rollback changed is
        // told with it.
        let is_told = matches!(
            divergence.cause,
            Cause::Refused { .. } | Cause::LastHash { .. } | Cause::RolledBack { .. }
        );
        if is_told {
            return divergence;
        }
        match self.recorded_trace() {
            Ok(Some(recorded)) => {
                let mut tracer = Tracer::new();
                let found = tracer.trace(self.world());
                divergence.numbers = numbers_at(self.world(), found, &recorded, found);
                divergence.trace = TraceComparison::of(&recorded, found);
            }
            Ok(None) => {}
            Err(error) => divergence.trace = TraceComparison::Unreadable(error),
        }
        // A trace that tells of the state the same as the hash does not know what else a keyframe has.
        if !divergence.trace.is_traced() || divergence.cause == Cause::Keyframe {
            divergence.keyframe = self.difference_at_keyframe().ok().flatten();
        }
        divergence
    }

    /// The trace that the log has of the state that the player is in, if it has one.
    fn recorded_trace(&mut self) -> Result<Option<Trace>, LogError> {
        let Some(before) = self.tick.checked_sub(1) else { return Ok(None) };
        match self.chunk.at(&self.log, before)? {
            Some(chunk) => chunk.trace_after(before),
            None => Ok(None),
        }
    }

    /// Goes on to the next keyframe, and says the first field in which it differs from the state.
    fn difference_at_keyframe(&mut self) -> Result<Option<(u64, Difference)>, PlayError> {
        let next = self.log.keyframes().enumerate().find(|(_, info)| info.tick >= self.tick);
        let Some((index, info)) = next else { return Ok(None) };
        let mut own = self.clone_state()?;
        while own.tick < info.tick {
            match own.step() {
                Ok(true) => {}
                Ok(false) | Err(PlayError::Simulation { .. }) => return Ok(None),
                Err(other) => return Err(other),
            }
        }
        let found = own.world().snapshot();
        own.load_unchecked(index, info.tick)?;
        let difference = own.world().snapshot().difference(&found);
        Ok(difference.map(|difference| (info.tick, difference)))
    }

    /// A player of the same log in the same state.
    fn clone_state(&self) -> Result<Self, PlayError> {
        let tick = self.tick;
        let mut simulation: S = start(&self.log, tick)?;
        simulation.load(&self.simulation.save()).map_err(|error| PlayError::Simulation { tick, error })?;
        Ok(Self {
            log: Arc::clone(&self.log),
            simulation,
            tick,
            is_torn: false,
            chunk: ChunkCache::default(),
        })
    }

    /// Goes to the first tick.
    fn restart(&mut self) -> Result<(), PlayError> {
        let tick = self.log.first_tick();
        match self.log.keyframe_before(tick) {
            Some(index) => self.load(index, tick),
            None if self.log.header().needs_keyframe() => Err(PlayError::NoKeyframe { tick }),
            None => {
                self.simulation = start(&self.log, tick)?;
                (self.tick, self.is_torn) = (tick, false);
                Ok(())
            }
        }
    }

    fn load(&mut self, keyframe: usize, tick: u64) -> Result<(), PlayError> {
        self.load_unchecked(keyframe, tick)?;
        let checked = check_world(self.world(), self.log.header(), tick);
        self.is_torn = checked.is_err();
        checked
    }

    /// As [`load`](Self::load), of whatever world is in the keyframe.
    fn load_unchecked(&mut self, keyframe: usize, tick: u64) -> Result<(), PlayError> {
        let state = self.log.keyframe(keyframe)?;
        self.is_torn = true;
        self.simulation.load(&state).map_err(|error| PlayError::Simulation { tick, error })?;
        (self.tick, self.is_torn) = (tick, false);
        Ok(())
    }
}

/// What a log starts from, if it is wanted at a tick.
fn start<S: Simulation>(log: &Log, tick: u64) -> Result<S, PlayError> {
    S::start(log.header()).map_err(|error| PlayError::Simulation { tick, error })
}

/// Whether the world in a keyframe is what a log of commands says of it. Gravity is what commands change: it is the header's
/// in the state that the log starts from. A game may count ticks otherwise than its world, and set this up otherwise.
fn check_world(world: &World, header: &Header, tick: u64) -> Result<(), PlayError> {
    let LogKind::Commands { config } = &header.kind else { return Ok(()) };
    let other = |(field, found, expected)| Err(PlayError::OtherWorld { tick, field, found, expected });
    if world.tick() != tick {
        return other(("tick", world.tick().to_string(), tick.to_string()));
    }
    let is_first = tick == header.first_tick;
    let gravity = if is_first { config.gravity } else { world.config().gravity };
    other_field(world.config(), &WorldConfig { gravity, ..*config }).map_or(Ok(()), other)
}

/// The first field in which two configurations differ, and both values.
fn other_field(found: &WorldConfig, expected: &WorldConfig) -> Option<(&'static str, String, String)> {
    macro_rules! compare {
        ($($field:ident),*) => {
            // All of them.
            let WorldConfig { $($field: _),* } = found;
            $(if found.$field != expected.$field {
                let [found, expected] = [found, expected].map(|config| format!("{:?}", config.$field));
                return Some((stringify!($field), found, expected));
            })*
        };
    }
    compare!(
        tick_rate,
        substeps,
        gravity,
        max_linear_speed,
        max_angular_speed,
        contact_frequency,
        contact_damping_ratio,
        push_speed,
        restitution_threshold,
        speculative_margin,
        sleeping,
        sleep_speed,
        sleep_ticks,
        seed
    );
    None
}

/// What came of a tick.
enum Stepped {
    /// It was done.
    Done,
    /// There is none.
    AtEnd,
    /// It leads elsewhere when it is done again.
    Elsewhere(Cause),
}

/// Whether a simulation replays a log of this kind.
pub(crate) fn check_kind(kind: &LogKind, recorded: Recorded) -> Result<(), PlayError> {
    match (kind, recorded) {
        (LogKind::Commands { .. }, Recorded::Commands) => Ok(()),
        (LogKind::Inputs { game, version }, Recorded::Inputs { game: expected, version: supported }) => {
            if game != expected {
                return Err(PlayError::Game { found: game.clone(), expected });
            }
            if *version != supported {
                return Err(PlayError::GameVersion { game: expected, found: *version, supported });
            }
            Ok(())
        }
        (LogKind::Commands { .. }, Recorded::Inputs { .. }) => {
            Err(PlayError::Kind { found: "commands", expected: "inputs" })
        }
        (LogKind::Inputs { .. }, Recorded::Commands) => {
            Err(PlayError::Kind { found: "inputs", expected: "commands" })
        }
    }
}
