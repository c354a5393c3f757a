//! `isostep bench`: how long scenes take here, and what it takes to save, load and hash them.
//!
//! A run steps a scene from its start. The first run warms up. All runs do exactly the same work in a tick, so the time of a
//! tick is the median over the others, and what else the machine does counts little.

use crate::failure::Failure;
use crate::figures::{counted, microseconds};
use crate::output::{Output, Verdict};
use crate::report;
use crate::scenes::names;
use crate::tables::new_table;
use clap::builder::PossibleValuesParser;
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots, MAX_PLAYERS};
use isostep_step::{BodyKind, Command, SIM_VERSION, StepProfile, World, WorldConfig};
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Instant;

/// What `isostep bench` takes.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  isostep bench
  isostep bench pyramid tiny-match --ticks 300 --repeat 9
  isostep bench --json > here.json")]
pub(crate) struct Options {
    /// The names of scenes: all of them
    #[arg(value_parser = PossibleValuesParser::new(names()))]
    scenes: Vec<String>,
    /// How many ticks of each
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    ticks: u32,
    /// How often each is timed, after once to warm up
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// How many threads may work on a tick
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    threads: u32,
    /// Scenes of the sizes that tests have
    #[arg(long)]
    small: bool,
    /// Let what is at rest fall asleep
    #[arg(long)]
    sleep: bool,
    /// One document of JSON instead
    #[arg(long)]
    json: bool,
}

/// A world at its start, and what is done to it before each step.
struct Course {
    name: &'static str,
    start: World,
    commands: Vec<Vec<Command>>,
}

/// How long something took in each tick of a run, in nanoseconds.
type Times = Vec<u64>;

/// What is timed in each tick, in this order.
const TIMED: [&str; 9] =
    ["tick", "pairs", "narrowphase", "prepare", "solve", "commit", "save", "load", "hash"];

/// One run.
struct Run {
    /// In the order of [`TIMED`].
    times: [Times; 9],
    /// The most that one save copied.
    copied_bytes: usize,
    end: World,
}

/// All runs: in nanoseconds and bytes.
struct Timing {
    name: &'static str,
    moving: usize,
    median_tick: u64,
    worst_tick: u64,
    /// Over all ticks, in the order of [`TIMED`].
    means: [u64; 9],
    copied_bytes: usize,
    bytes: usize,
    hash: u128,
}

/// Times all scenes that are wanted.
pub(crate) fn run(options: &Options, out: &mut Output) -> Result<Verdict, Failure> {
    let is_wanted =
        |name: &str| options.scenes.is_empty() || options.scenes.iter().any(|wanted| wanted == name);
    let pool = ThreadPoolBuilder::new().num_threads(options.threads as usize).build()?;
    let timings: Vec<Timing> = names()
        .filter(|name| is_wanted(name))
        .map(|name| {
            let course = course(name, options)?;
            Ok(pool.install(|| time(&course, options.repeat)))
        })
        .collect::<Result<_, Failure>>()?;
    if options.json {
        out.json(&json(options, &timings))?;
    } else {
        print(options, &timings, out)?;
    }
    Ok(Verdict::Identical)
}

/// A scene, or a match of bots as the commands that the game gives.
fn course(name: &'static str, options: &Options) -> Result<Course, Failure> {
    let ticks = options.ticks as usize;
    if let Some(scene) = Scene::find(name) {
        let size = if options.small { scene.small_size } else { scene.size };
        let start = scene.build(size, WorldConfig { sleeping: options.sleep, ..WorldConfig::default() })?;
        return Ok(Course { name, start, commands: vec![Vec::new(); ticks] });
    }
    let players = if options.small { 2 } else { MAX_PLAYERS };
    let (mut arena, mut bots) = (Arena::new(players, 0), Bots::new(players, 0));
    let start = arena.world().clone();
    let commands = (0..ticks).map(|_| {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        arena.commands().to_vec()
    });
    Ok(Course { name, commands: commands.collect(), start })
}

fn time(course: &Course, repeat: u32) -> Timing {
    let Run { copied_bytes, end, .. } = once(course);
    let runs: Vec<Run> = (0..repeat).map(|_| once(course)).collect();
    let times: [Times; 9] = std::array::from_fn(|what| {
        let of_tick = |tick: usize| median(runs.iter().map(|run| run.times[what][tick]).collect());
        (0..course.commands.len()).map(of_tick).collect()
    });
    Timing {
        name: course.name,
        moving: end.bodies().filter(|body| body.kind() == BodyKind::Dynamic).count(),
        median_tick: median(times[0].clone()),
        worst_tick: times[0].iter().copied().max().unwrap_or(0),
        means: times.map(|times| times.iter().sum::<u64>() / times.len().max(1) as u64),
        copied_bytes,
        bytes: end.snapshot().to_bytes().len(),
        hash: end.state_hash(),
    }
}

/// One run. After each tick the state is saved and hashed, and another world, which is a tick behind, loads it.
fn once(course: &Course) -> Run {
    let mut world = course.start.clone();
    let mut behind = world.clone();
    let start = Instant::now();
    let mut now = || start.elapsed().as_nanos() as u64;
    let (mut times, mut copied_bytes) = ([const { Times::new() }; 9], 0);
    let mut snapshot = world.snapshot();
    for commands in &course.commands {
        for command in commands {
            // They were accepted in the same state when they were given.
            let _ = world.apply(command);
        }
        let profile = world.step_with_profile(&mut now);
        let stepped = now();
        world.save(&mut snapshot);
        let saved = now();
        behind.load(&snapshot);
        let loaded = now();
        let _ = world.state_hash();
        let hash = now() - loaded;
        copied_bytes = copied_bytes.max(snapshot.copied_bytes());
        let StepProfile { pairs, narrowphase, prepare, solve, commit, .. } = profile;
        let (save, load) = (saved - stepped, loaded - saved);
        let tick = [profile.total(), pairs, narrowphase, prepare, solve, commit, save, load, hash];
        times.iter_mut().zip(tick).for_each(|(times, time)| times.push(time));
    }
    Run { times, copied_bytes, end: world }
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers.get(numbers.len() / 2).copied().unwrap_or(0)
}

fn print(options: &Options, timings: &[Timing], out: &mut Output) -> Result<(), Failure> {
    report::banner(out)?;
    let [ticks, runs] = [counted(options.ticks.into(), "tick"), counted(options.repeat.into(), "run")];
    let threads = counted(options.threads.into(), "thread");
    let sleep = if options.sleep { "with" } else { "without" };
    writeln!(
        out,
        "Times in µs on {threads}, scenes {sleep} sleep. Of each of {ticks} the median over {runs}, after one to warm up; phases are \
         means over the ticks.\n"
    )?;

    let header = ["scene", "dynamic bodies", "median tick", "worst tick", "mean tick"];
    let header: Vec<&str> = header.into_iter().chain(TIMED[1..6].iter().copied()).collect();
    let mut table = new_table(&header, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for Timing { name, moving, median_tick, worst_tick, means, .. } in timings {
        let start =
            [(*name).to_owned(), moving.to_string(), microseconds(*median_tick), microseconds(*worst_tick)];
        table.add_row(start.into_iter().chain(means[..6].iter().map(|time| microseconds(*time))));
    }
    writeln!(out, "{table}\n")?;

    let header =
        ["scene", "save", "load", "hash", "bytes saved a tick, at most", "whole snapshot", "final hash"];
    let mut table = new_table(&header, &[1, 2, 3, 4, 5]);
    for Timing { name, means, copied_bytes, bytes, hash, .. } in timings {
        let [save, load, hashing] = [6, 7, 8].map(|what| microseconds(means[what]));
        let (copied, whole) = (copied_bytes.to_string(), bytes.to_string());
        table.add_row([(*name).to_owned(), save, load, hashing, copied, whole, format!("{hash:032x}")]);
    }
    writeln!(out, "{table}")?;
    Ok(())
}

fn json(options: &Options, timings: &[Timing]) -> Value {
    let scenes = timings.iter().map(|timing| {
        let Timing { name, moving, median_tick, worst_tick, means, copied_bytes, bytes, hash } = timing;
        let means: serde_json::Map<_, _> =
            TIMED.iter().zip(means).map(|(what, time)| ((*what).to_owned(), json!(time))).collect();
        json!({
            "scene": name,
            "dynamic_bodies": moving,
            "median_tick_ns": median_tick,
            "worst_tick_ns": worst_tick,
            "mean_ns": means,
            "copied_bytes": copied_bytes,
            "snapshot_bytes": bytes,
            "hash": format!("{hash:032x}"),
        })
    });
    json!({
        "simulation": SIM_VERSION,
        "ticks": options.ticks,
        "sleep": options.sleep,
        "threads": options.threads,
        "repetitions": options.repeat,
        "scenes": scenes.collect::<Vec<_>>(),
    })
}
