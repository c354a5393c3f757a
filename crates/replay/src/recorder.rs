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

    /// Advances the world by a tick, and records it. The world has advanced even if that fails; the log then ends before the
    /// tick, and nothing more is recorded.
    ///
    /// # Errors
    /// If a keyframe has too many bytes, the sink fails, or a tick was not recorded before.
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
    /// If the sink fails, or a tick was not recorded. The error has both, the log as far as it was written.
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
    /// that are certain. If that fails, the log ends before the tick, and nothing more is recorded: the game has gone on.
    ///
    /// # Errors
    /// If there is not one input for each player, or one is too long; if a keyframe has too many bytes, the sink fails, or a
    /// tick was not recorded before.
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
    /// If the sink fails, or a tick was not recorded. The error has the sink, with the log as far as it was written.
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
