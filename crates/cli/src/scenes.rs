//! `isostep scenes` and `isostep run`: the named scenes, and the time that they take.

use crate::failure::Failure;
use crate::figures::microseconds;
use crate::output::{Output, Verdict};
use crate::report;
use crate::tables::new_table;
use clap::builder::PossibleValuesParser;
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots, MAX_PLAYERS};
use isostep_step::{BodyKind, BodyView, SIM_VERSION, StepProfile, World, WorldConfig};
use std::io::Write;
use std::time::Instant;

/// The demo game goes by this name beside the scenes.
pub(crate) const ARENA: &str = "arena";

/// How long it is played, in ticks.
pub(crate) const ARENA_TICKS: u32 = 3600;

/// The most ticks that a scene is stepped: more than a week of 60 Hz.
pub(crate) const MAX_TICKS: u64 = 1 << 26;

/// The time that a phase took, in nanoseconds.
type Phase = fn(&StepProfile) -> u64;

/// What `isostep scenes` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isostep scenes")]
pub(crate) struct ListOptions {}

/// What `isostep run` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isostep run pyramid
  isostep run pile-of-boxes --size 4 --ticks 120 --awake")]
pub(crate) struct Options {
    /// Its name
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    scene: String,
    /// Its size: `isostep scenes` says what that counts
    #[arg(long)]
    size: Option<u32>,
    /// How many ticks: as many as it takes to show the scene, or a minute of the arena
    #[arg(long, value_parser = clap::value_parser!(u32).range(..=MAX_TICKS as i64))]
    ticks: Option<u32>,
    /// Without sleep
    #[arg(long)]
    awake: bool,
}

/// The names of the scenes and of the demo game.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    Scene::all().iter().map(|scene| scene.name).chain([ARENA])
}

/// Lists the scenes.
pub(crate) fn list(out: &mut Output) -> Result<Verdict, Failure> {
    let mut table = new_table(&["scene", "what it shows", "size", "of", "ticks"], &[2, 4]);
    for scene in Scene::all() {
        let (size, ticks) = (scene.size.to_string(), scene.ticks.to_string());
        table.add_row([scene.name, scene.about, &size, scene.size_means, &ticks]);
    }
    let (players, ticks) = (MAX_PLAYERS.to_string(), ARENA_TICKS.to_string());
    table.add_row([ARENA, "a game, played by bots", &players, "players", &ticks]);
    writeln!(out, "{table}")?;
    Ok(Verdict::Identical)
}

/// Steps a scene and tells what it took.
pub(crate) fn run(options: &Options, out: &mut Output) -> Result<Verdict, Failure> {
    match Scene::find(&options.scene) {
        Some(scene) => run_scene(scene, options, out)?,
        None => run_arena(options, out)?,
    }
    Ok(Verdict::Identical)
}

fn run_scene(scene: &Scene, options: &Options, out: &mut Output) -> Result<(), Failure> {
    let size = options.size.unwrap_or(scene.size).clamp(1, scene.max_size);
    let ticks = options.ticks.unwrap_or(scene.ticks);
    let config = WorldConfig { sleeping: !options.awake, ..WorldConfig::default() };
    let mut world = scene.build(size, config)?;
    introduce(&world, &format!("{} of {size} {}", scene.name, scene.size_means), ticks, out)?;

    let start = Instant::now();
    let mut now = || start.elapsed().as_nanos() as u64;
    let phases: [(&str, Phase); 6] = [
        ("pairs", |profile| profile.pairs),
        ("narrowphase", |profile| profile.narrowphase),
        ("prepare", |profile| profile.prepare),
        ("solve", |profile| profile.solve),
        ("commit", |profile| profile.commit),
        ("all", StepProfile::total),
    ];
    let (mut sums, mut times) = ([0; 6], Vec::new());
    for _ in 0..ticks {
        let profile = world.step_with_profile(&mut now);
        for (sum, (_, phase)) in sums.iter_mut().zip(phases) {
            *sum += phase(&profile);
        }
        times.push(profile.total());
    }
    let mut table = new_table(&["phase", "µs per tick"], &[1]);
    for (sum, (name, _)) in sums.into_iter().zip(phases) {
        table.add_row([name.to_owned(), microseconds(sum / u64::from(ticks.max(1)))]);
    }
    writeln!(out, "{table}\n")?;
    finish(&world, times, world.state_hash(), out)
}

fn run_arena(options: &Options, out: &mut Output) -> Result<(), Failure> {
    if options.awake {
        return Err(Failure::Option { option: "awake", of: "scenes" });
    }
    let players = options.size.map_or(MAX_PLAYERS, |size| size as usize).clamp(1, MAX_PLAYERS);
    let ticks = options.ticks.unwrap_or(ARENA_TICKS);
    let mut arena = Arena::new(players, 0);
    let mut bots = Bots::new(players, 0);
    introduce(arena.world(), &format!("{ARENA} of {players} players"), ticks, out)?;
    let mut times = Vec::new();
    for _ in 0..ticks {
        let inputs = bots.inputs(&arena);
        let start = Instant::now();
        arena.tick(&inputs);
        times.push(start.elapsed().as_nanos() as u64);
    }
    let [even, odd] = arena.state().goals();
    let scores = arena.state().players().iter().map(|player| player.score().to_string());
    writeln!(out, "goals {even} to {odd}, scores {}", scores.collect::<Vec<_>>().join(" "))?;
    finish(arena.world(), times, arena.hash(), out)
}

fn introduce(world: &World, what: &str, ticks: u32, out: &mut Output) -> Result<(), Failure> {
    report::banner(out)?;
    let moving = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic).count();
    let rate = world.config().tick_rate;
    writeln!(out, "{what}: {moving} bodies that move, {ticks} ticks of 1/{rate} s\n")?;
    Ok(())
}

fn finish(world: &World, mut times: Vec<u64>, hash: u128, out: &mut Output) -> Result<(), Failure> {
    times.sort_unstable();
    let part = |percent: usize| {
        let place = times.len().saturating_sub(1) * percent / 100;
        microseconds(times.get(place).copied().unwrap_or(0))
    };
    let asleep = world.bodies().filter(BodyView::is_asleep).count();
    writeln!(
        out,
        "a tick: median {} µs, 95 of 100 within {} µs, worst {} µs",
        part(50),
        part(95),
        part(100)
    )?;
    writeln!(out, "at the end: {} contacts, {asleep} bodies asleep", world.contacts().count())?;
    writeln!(out, "hash {hash:032x} (simulation {SIM_VERSION})")?;
    Ok(())
}
