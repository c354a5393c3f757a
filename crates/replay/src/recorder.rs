//! Recorders: a world, or a game, and the log of it.

use crate::chunk::check_commands;
use crate::error::{ApplyError, FinishError, WriteError};
use crate::header::Header;
use crate::player::check_kind;
use crate::simulation::Simulation;
use crate::writer::{Check, LogWriter, WriterOptions};
use isostep_step::{Command, Outcome, Queries, Tracer, World};
use std::io::Write;

/// A world whose every change is recorded: there is no other way to it than commands.
///
/// ```
/// use isostep_math::{Vec3, fx, vec3};
/// use isostep_replay::{CommandSimulation, Header, Log, Player, Recorder, WriterOptions};
/// use isostep_step::{BodyDef, Command, Outcome, World, WorldConfig};
///
/// let world = World::new(WorldConfig::default())?;
/// let header = Header::commands(&world);
/// let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default())?;
/// let ball = Command::AddBody(BodyDef::dynamic(Vec3::ZERO));
/// let Outcome::Body(ball) = recorder.apply(&ball)? else { unreachable!() };
/// for _ in 0..60 {
///     recorder.apply(&Command::ApplyForce { body: ball, force: vec3(fx!(3), fx!(0), fx!(0)) })?;
///     recorder.step()?;
/// }
/// let (world, log) = recorder.finish()?;
///
/// let mut player = Player::<CommandSimulation>::new(Log::from_bytes(log)?)?;
/// let verification = player.verify()?;
/// assert!(verification.is_identical());
/// assert_eq!((verification.ticks, verification.hash), (60, world.state_hash()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Recorder<W: Write> {
    world: World,
    writer: LogWriter<W>,
    commands: Vec<Command>,
    tracer: Tracer,
}

impl<W: Write> Recorder<W> {
    /// Records what changes a world from now on, with a header as [`Header::commands`] makes it, of which the note, the interval of
    /// hashes and traces count: all else becomes that of the world.
    ///
    /// # Errors
    /// If the header says what cannot be, or the sink fails.
    pub fn new(world: World, sink: W, header: Header, options: WriterOptions) -> Result<Self, WriteError> {
        let Header { hash_interval, traces, note, .. } = header;
        let header = Header { hash_interval, traces, note, ..Header::commands(&world) };
        let mut writer = LogWriter::new(sink, header, options)?;
        writer.keyframe(&world.snapshot().to_bytes())?;
        Ok(Self { world, writer, commands: Vec::new(), tracer: Tracer::new() })
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// What there is to ask of the world: [`World::queries`].
    pub fn queries(&mut self) -> Queries<'_> {
        self.world.queries()
    }

    /// How the log is doing.
    #[must_use]
    pub const fn writer(&self) -> &LogWriter<W> {
        &self.writer
    }

    /// Applies a command, and records it; one that is refused changes nothing, and is not recorded.
    ///
    /// # Errors
    /// As [`World::apply`]; or if the tick has [`MAX_CHUNK_COMMANDS`](crate::limits::MAX_CHUNK_COMMANDS) commands.
    pub fn apply(&mut self, command: &Command) -> Result<Outcome, ApplyError> {
        check_commands(self.commands.len() + 1)?;
        let outcome = self.world.apply(command)?;
        self.commands.push(*command);
        Ok(outcome)
    }

    /// Advances the world by a tick, and records it, and the keyframe that is due after it. The world has advanced even if that
    /// fails; the log then ends before the tick, or after it if it was the keyframe that failed, and nothing more is recorded.
    ///
    /// # Errors
    /// If a keyframe has too many bytes, the log is full, the sink fails, or a tick was not recorded before. A log that is
    /// full can be finished.
    pub fn step(&mut self) -> Result<(), WriteError> {
        self.world.step();
        let recorded = self.record();
        self.writer.or_break_off(recorded)
    }

    /// Records the tick that led to the world as it is.
    fn record(&mut self) -> Result<(), WriteError> {
        let check = check_of(&self.writer, &mut self.tracer, &self.world, || self.world.state_hash());
        let written = self.writer.commands(&self.commands, check);
        self.commands.clear();
        written?;
        if self.writer.wants_keyframe() {
            self.writer.keyframe(&self.world.snapshot().to_bytes())?;
        }
        Ok(())
    }

    /// Writes what ticks are not written yet.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.writer.flush()
    }

    /// Finishes the log, and gives the world and the sink back. Commands since the last step are not in it.
    ///
    /// # Errors
    /// If the sink fails, or a tick was not recorded though the log was not full. The error has both, the log as far as it was
    /// written.
    pub fn finish(self) -> Result<(World, W), FinishError<(World, W)>> {
        let Self { world, writer, commands, .. } = self;
        // The hash is of the state that the log leads to, so without the commands of a step that did not come.
        let hash = commands.is_empty().then(|| world.state_hash());
        match writer.finish(hash) {
            Ok(sink) => Ok((world, sink)),
            Err(FinishError { error, rest }) => Err(FinishError { error, rest: Box::new((world, *rest)) }),
        }
    }
}

/// Records the inputs of a game, tick by tick, when they are certain.
///
/// The game goes on by itself: it may have run ahead with inputs that were guessed, and come back. What it hands over is a
/// tick that stands, and the state after it.
#[derive(Debug)]
pub struct GameRecorder<W: Write> {
    writer: LogWriter<W>,
    tracer: Tracer,
    /// Of the state after the last tick, if the log has it.
    last_hash: Option<u128>,
}

impl<W: Write> GameRecorder<W> {
    /// Records a game that is in the state of the header's first tick, with a header as [`Header::of_game`] makes it. Only a
    /// game at tick 0 can do without a keyframe; of others, and if keyframes are due at that tick, this writes one.
    ///
    /// # Errors
    /// If the header is of another game or says what cannot be, or the sink fails.
    pub fn new<S: Simulation>(
        game: &S,
        sink: W,
        header: Header,
        options: WriterOptions,
    ) -> Result<Self, WriteError> {
        if check_kind(&header.kind, S::RECORDED).is_err() {
            let (header, game) = (header.kind.to_string(), S::RECORDED.to_string());
            return Err(WriteError::OtherGame { header, game });
        }
        let mut writer = LogWriter::new(sink, header, options)?;
        if writer.wants_keyframe() {
            writer.keyframe(&game.save())?;
        }
        Ok(Self { writer, tracer: Tracer::new(), last_hash: None })
    }

    /// How the log is doing.
    #[must_use]
    pub const fn writer(&self) -> &LogWriter<W> {
        &self.writer
    }

    /// Records a tick: the inputs of all players, by number, and the game in the state after it, whose hash and keyframes it
    /// takes. A game that has run ahead is in another one: it hands over each tick when it has gone back and done it with inputs
    /// that are certain. If that fails, the log ends before the tick, or after it if it was the keyframe due after it that failed,
    /// and nothing more is recorded: the game has gone on.
    ///
    /// # Errors
    /// If there is not one input for each player, or one is too long; if a keyframe has too many bytes, the log is full, the
    /// sink fails, or a tick was not recorded before. A log that is full can be finished.
    pub fn tick<I: AsRef<[u8]>>(&mut self, inputs: &[I], after: &impl Simulation) -> Result<(), WriteError> {
        let recorded = self.record(inputs, after);
        self.writer.or_break_off(recorded)
    }

    fn record<I: AsRef<[u8]>>(&mut self, inputs: &[I], after: &impl Simulation) -> Result<(), WriteError> {
        let check = check_of(&self.writer, &mut self.tracer, after.world(), || after.hash());
        self.last_hash = check.hash;
        self.writer.inputs(inputs, check)?;
        if self.writer.wants_keyframe() {
            self.writer.keyframe(&after.save())?;
        }
        Ok(())
    }

    /// Writes what ticks are not written yet.
    ///
    /// # Errors
    /// If the sink fails.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.writer.flush()
    }

    /// Finishes the log with the game in the state after its last tick, and gives the sink back. Where the log has a hash of
    /// that state, the game is not asked, and may have run ahead.
    ///
    /// # Errors
    /// If the sink fails, or a tick was not recorded though the log was not full. The error has the sink, with the log as far
    /// as it was written.
    pub fn finish(self, last: &impl Simulation) -> Result<W, FinishError<W>> {
        let hash = self.last_hash.unwrap_or_else(|| last.hash());
        self.writer.finish(Some(hash))
    }
}

/// What the log wants to know of a state.
fn check_of<'a, W: Write>(
    writer: &LogWriter<W>,
    tracer: &'a mut Tracer,
    world: &World,
    hash: impl FnOnce() -> u128,
) -> Check<'a> {
    if !writer.wants_hash() {
        return Check::NONE;
    }
    Check { hash: Some(hash()), trace: writer.header().traces.then(|| tracer.trace(world)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Frame;
    use crate::log::Log;
    use crate::player::Player;
    use crate::simulation::{CommandSimulation, Recorded, SimulationError};
    use isostep_step::{Snapshot, WorldConfig};

    const OPTIONS: WriterOptions =
        WriterOptions { flush_ticks: 8, flush_bytes: 1 << 16, keyframe_interval: 20 };
    const MAX_BYTES: u64 = 6000;

    /// A game of which nobody plays anything.
    struct Idle(World);

    impl Idle {
        fn new() -> Self {
            Self(World::new(WorldConfig::default()).expect("it is one"))
        }
    }

    impl Simulation for Idle {
        const RECORDED: Recorded = Recorded::Inputs { game: "idle", version: 1 };

        fn start(_: &Header) -> Result<Self, SimulationError> {
            Ok(Self::new())
        }

        fn tick(&mut self, _: &Frame<'_>) -> Result<(), SimulationError> {
            self.0.step();
            Ok(())
        }

        fn hash(&self) -> u128 {
            self.0.state_hash()
        }

        fn save(&self) -> Vec<u8> {
            self.0.snapshot().to_bytes()
        }

        fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
            self.0.load(&Snapshot::from_bytes(state)?);
            Ok(())
        }

        fn world(&self) -> &World {
            &self.0
        }
    }

    /// Records ticks until one is refused as the log is full, and the next one as well.
    fn fill(mut tick: impl FnMut() -> Result<(), WriteError>) {
        let error = loop {
            if let Err(error) = tick() {
                break error;
            }
        };
        for error in [error, tick().unwrap_err()] {
            let is_full =
                matches!(error, WriteError::TooMuch { what: "bytes of the log", max: MAX_BYTES, .. });
            assert!(is_full, "{error}");
        }
    }

    /// Whether a log has its end, but no hash of it, and replays.
    fn assert_whole<S: Simulation>(bytes: Vec<u8>, end_tick: u64) {
        let log = Log::from_bytes(bytes).unwrap();
        assert_eq!((log.damage(), log.end_tick(), log.last_hash()), (None, end_tick, None));
        let found = Player::<S>::new(log).unwrap().verify().unwrap();
        assert!(found.is_identical() && found.ticks == end_tick && end_tick > 20, "{found:?}");
    }

    #[test]
    fn a_log_that_is_full_is_finished_by_who_records_it() {
        let world = World::new(WorldConfig::default()).unwrap();
        let header = Header::commands(&world);
        let mut recorder = Recorder::new(world, Vec::new(), header, OPTIONS).unwrap();
        recorder.writer.max_bytes = MAX_BYTES;
        fill(|| recorder.step());
        let taken = recorder.writer().next_tick();
        assert_whole::<CommandSimulation>(recorder.finish().unwrap().1, taken);

        let mut game = Idle::new();
        let header = Header::of_game(&game, 1, 7);
        let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
        recorder.writer.max_bytes = MAX_BYTES;
        fill(|| {
            game.0.step();
            recorder.tick(&[[1]], &game)
        });
        let taken = recorder.writer().next_tick();
        assert_whole::<Idle>(recorder.finish(&game).unwrap(), taken);
    }

    #[test]
    fn a_log_with_a_hole_is_not_finished() {
        let mut game = Idle::new();
        let header = Header::of_game(&game, 1, 7);
        let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
        game.0.step();
        assert!(matches!(recorder.tick(&[[1]; 2], &game), Err(WriteError::Players { .. })));
        assert!(matches!(recorder.tick(&[[1]], &game), Err(WriteError::Broken)));
        assert!(recorder.finish(&game).is_err());
    }
}
