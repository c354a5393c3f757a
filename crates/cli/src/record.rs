//! `isostep record`: a match of bots as a log of inputs, or a scene as a log of commands.

use crate::atomic::AtomicFile;
use crate::failure::Failure;
use crate::figures::{bytes, counted};
use crate::output::{Output, Verdict};
use crate::scenes::{ARENA, ARENA_TICKS, MAX_TICKS, names};
use clap::builder::PossibleValuesParser;
use isostep_replay::{GameRecorder, Header, Recorder, WriteError, WriterOptions};
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots, MAX_PLAYERS};
use isostep_step::{World, WorldConfig};
use std::path::PathBuf;

/// What `isostep record` takes.
#[derive(clap::Args)]
#[command(
    after_help = "The arena is played by bots, and recorded as what the players do. Scenes are recorded as the \
commands that build them, so their logs replay without the scene.

Examples:
  isostep record --scene arena --ticks 3600 --players 8 --seed 1 -o match.isr
  isostep record --scene pyramid -o pyramid.isr
  isostep record --scene jenga --traces --keyframes 60 -o jenga.isr   # for `isostep diff` to name what differs
  isostep record --scene arena --hash-interval 60 -o small.isr        # a hash each second"
)]
pub(crate) struct Options {
    /// The name of a scene, or of the demo game
    #[arg(long, default_value = ARENA, value_parser = PossibleValuesParser::new(names()))]
    scene: String,
    /// How many ticks: as many as it takes to show the scene, or a minute of the arena. How many a log has room for depends on
    /// what happens in them
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MAX_TICKS as i64))]
    ticks: Option<u32>,
    /// How many players the arena has: 8
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=MAX_PLAYERS as i64))]
    players: Option<u32>,
    /// The size of a scene: `isostep scenes` says what that counts
    #[arg(long)]
    size: Option<u32>,
    /// What the game, the bots and the world's random numbers start from
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// With each hash a trace, which names the bodies and fields that differ
    #[arg(long)]
    traces: bool,
    /// A hash every so many ticks; 0 for one at the end
    #[arg(long, value_name = "TICKS", default_value_t = 1)]
    hash_interval: u32,
    /// A keyframe every so many ticks; 0 for none but what the log starts from
    #[arg(long, value_name = "TICKS", default_value_t = WriterOptions::default().keyframe_interval)]
    keyframes: u32,
    /// What the log says of itself: the name of the scene
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Where to: a file, which appears when it is whole, or a pipe or device, which is written to as it is
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Records, and says what.
pub(crate) fn run(options: &Options, out: &mut Output) -> Result<Verdict, Failure> {
    let file = AtomicFile::create(&options.output)?;
    let (file, hash, ticks) = match Scene::find(&options.scene) {
        Some(scene) => record_scene(scene, options, file)?,
        None => record_arena(options, file)?,
    };
    let written = file.commit()?;
    writeln!(
        out.beside(written),
        "{}: {} of {}, {}, final hash {hash:032x}",
        options.output.display(),
        counted(ticks.into(), "tick"),
        options.scene,
        bytes(written.bytes),
    )?;
    Ok(Verdict::Identical)
}

fn record_scene(
    scene: &Scene,
    options: &Options,
    file: AtomicFile,
) -> Result<(AtomicFile, u128, u32), Failure> {
    if options.players.is_some() {
        return Err(Failure::Option { option: "players", of: ARENA });
    }
    let world = World::new(WorldConfig { seed: options.seed, ..WorldConfig::default() })?;
    let header = with_options(Header::commands(&world).with_note(scene.name), options);
    let failure = |error| failure(options, error);
    let mut recorder = Recorder::new(world, file, header, writer_options(options)).map_err(failure)?;
    for command in scene.commands(options.size.unwrap_or(scene.size)) {
        recorder.apply(&command).map_err(|error| Failure::Apply { path: options.output.clone(), error })?;
    }
    let ticks = options.ticks.unwrap_or(scene.ticks);
    for _ in 0..ticks {
        recorder.step().map_err(failure)?;
    }
    let (world, file) = recorder.finish().map_err(|error| failure(error.into()))?;
    Ok((file, world.state_hash(), ticks))
}

fn record_arena(options: &Options, file: AtomicFile) -> Result<(AtomicFile, u128, u32), Failure> {
    if options.size.is_some() {
        return Err(Failure::Option { option: "size", of: "scenes" });
    }
    let players = options.players.map_or(MAX_PLAYERS, |players| players as usize);
    let (mut arena, mut bots) = (Arena::new(players, options.seed), Bots::new(players, options.seed));
    let header = with_options(Arena::header(players, options.seed), options);
    let failure = |error| failure(options, error);
    let mut recorder = GameRecorder::new(&arena, file, header, writer_options(options)).map_err(failure)?;
    let ticks = options.ticks.unwrap_or(ARENA_TICKS);
    for _ in 0..ticks {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        let inputs: Vec<_> = inputs.iter().map(|input| input.to_bytes()).collect();
        recorder.tick(&inputs, &arena).map_err(failure)?;
    }
    let file = recorder.finish(&arena).map_err(|error| failure(error.into()))?;
    Ok((file, arena.hash(), ticks))
}

fn with_options(header: Header, options: &Options) -> Header {
    let header = match &options.note {
        Some(note) => header.with_note(note),
        None => header,
    };
    let header = header.with_hash_interval(options.hash_interval);
    if options.traces { header.with_traces() } else { header }
}

fn writer_options(options: &Options) -> WriterOptions {
    WriterOptions { keyframe_interval: options.keyframes, ..WriterOptions::default() }
}

fn failure(options: &Options, error: WriteError) -> Failure {
    Failure::Record { path: options.output.clone(), error }
}
