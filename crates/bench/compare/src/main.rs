//! `compare`: the same scenes in isostep and in other engines, side by side.
//!
//! Scenes are files of `isostep-compare-scene`; [`engine`] says what each of `engines` does with one. `timing` steps them in turn, each time
//! in a [`child`], a process of its own. `likeness` sees whether they made the same of it, `report` writes tables of it. `rays`,
//! `growth`, `cost` and `wasm` measure what is not a step of a scene in several engines; `stands` builds as high as they bear.

mod allocations;
mod child;
mod clock;
mod cost;
mod engine;
mod engines;
mod growth;
mod likeness;
mod median;
mod random;
mod rays;
mod report;
mod stands;
mod table;
mod timing;
mod wasm;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;
use isostep_compare_scene::{Scene, read_rays};

use crate::engine::EngineName;
use crate::report::Measured;
use crate::timing::{Contestant, Steps};

/// The scenes that come with it.
const SCENES: [&str; 5] = ["s1.txt", "s2.txt", "s3.txt", "s4.txt", "s5.txt"];
/// Into this one rays are cast.
const RAY_SCENE: &str = "s2";
const RAYS: &str = "rays-2000.txt";

#[derive(Parser)]
#[command(
    name = "compare",
    about = "Steps the same scenes in isostep and in other engines, and compares times and results",
    after_help = "Without --growth, --stands, --cost, --threads and --wasm it compares the engines in each scene, all on one thread, and ends \
                  with an error if isostep's bodies are not where Rapier's are. Tables go to the standard output.\n\n\
                  Examples:\n  compare\n  compare s2.txt --engines isostep,rapier --repeat 9\n  compare --growth --cost"
)]
struct Options {
    /// Files of scenes: the five of crates/bench/scenes
    scenes: Vec<PathBuf>,
    /// Which engines: all in this build
    #[arg(long, value_delimiter = ',')]
    engines: Vec<EngineName>,
    /// How often each engine steps each scene
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// Headings for the page of performance above each table
    #[arg(long)]
    markdown: bool,
    /// Time piles of 1,000 to 16,000 boxes in isostep and Rapier instead
    #[arg(long)]
    growth: bool,
    /// Build towers, walls and colonnades ever higher instead, as long as they stand for half a minute
    #[arg(long)]
    stands: bool,
    /// Time isostep with other lanes and with hashes instead
    #[arg(long)]
    cost: bool,
    /// Time isostep and Rapier on so many threads and on one instead: in builds with the feature `threads`
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=16))]
    threads: Option<u16>,
    /// Time isostep natively and in node instead: the modules of `step-scene` for wasm32, without and with simd128
    #[arg(long, num_args = 2, value_names = ["PLAIN", "SIMD128"])]
    wasm: Vec<PathBuf>,
    /// Step one scene in this engine and tell how it went: for `compare` itself
    #[arg(long, hide = true)]
    child: Option<EngineName>,
    #[arg(long, hide = true, default_value_t = 1)]
    child_threads: usize,
    #[arg(long, hide = true)]
    child_hashing: bool,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<()> {
    if let Some(engine) = options.child {
        ensure!(options.scenes.len() == 1, "a child steps one scene");
        return child::be(engine, options.child_threads, options.child_hashing, &options.scenes[0]);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes");
    let scenes = if options.scenes.is_empty() {
        SCENES.iter().map(|name| folder.join(name)).collect()
    } else {
        options.scenes.clone()
    };
    let repeat = usize::from(options.repeat);
    if options.growth {
        let engines = wanted(options, &[EngineName::Isostep, EngineName::Rapier]);
        show(options, "Growth", &growth::table(&engines, repeat)?);
    }
    if options.stands {
        let mut engines = EngineName::built_in();
        engines.retain(|engine| !matches!(engine, EngineName::RapierFresh | EngineName::RapierF64));
        let engines = wanted(options, &engines);
        show(options, "How many storeys stand", &stands::table(&engines)?);
    }
    if options.cost {
        show(
            options,
            "Lanes and hashes: a step once things have settled, in ms",
            &cost::table(&scenes, repeat)?,
        );
    }
    if let Some(threads) = options.threads {
        share(options, &scenes, threads.into())?;
    }
    if !options.wasm.is_empty() {
        let title =
            format!("wasm32 in node {}: a step once things have settled, in ms", wasm::node_version()?);
        show(options, &title, &wasm::table(&scenes, &options.wasm, repeat)?);
    }
    let is_done = options.growth || options.stands || options.cost;
    if is_done || options.threads.is_some() || !options.wasm.is_empty() {
        return Ok(());
    }
    compare(options, &scenes, &folder.join(RAYS))
}

/// The engines that were asked for, or else `otherwise`.
fn wanted(options: &Options, otherwise: &[EngineName]) -> Vec<EngineName> {
    if options.engines.is_empty() { otherwise.to_vec() } else { options.engines.clone() }
}

/// All engines in each scene, on one thread.
fn compare(options: &Options, scenes: &[PathBuf], rays: &Path) -> Result<()> {
    let engines = wanted(options, &EngineName::built_in());
    let contestants: Vec<Contestant> = engines.iter().map(|&engine| Contestant::alone(engine)).collect();
    // Whatever cannot be read is to be known before minutes of measuring.
    let has_rays = scenes.iter().any(|scene| scene.file_stem() == Some(RAY_SCENE.as_ref()));
    let rays = has_rays.then(|| read_rays(rays)).transpose()?;
    let mut measured = measure(&contestants, scenes, options.repeat.into())?;
    show(options, "A step, in ms", &report::steps(&measured, Steps::All));
    show(options, "A step once things have settled, in ms", &report::steps(&measured, Steps::Settled));
    show(options, "What became of the scenes", &report::ends(&measured));
    let [allocations, memory] = report::memory(&measured);
    show(options, "Allocations a step", &allocations);
    show(options, "Peak of memory, in MB, and by body that moves", &memory);
    let pile = measured.iter_mut().find(|measured| measured.scene.name == RAY_SCENE);
    if let (Some(pile), Some(rays)) = (pile, rays) {
        let timings = rays::time(&mut pile.timings, &rays, options.repeat.into());
        show(options, "Rays", &report::rays(&timings, rays.len()));
    }
    show(options, "Save and load", &report::snapshots(&mut measured));
    report::check(&measured)
}

/// isostep and Rapier on threads and alone.
fn share(options: &Options, scenes: &[PathBuf], threads: usize) -> Result<()> {
    let engines = wanted(options, &[EngineName::Isostep, EngineName::Rapier]);
    let contestants: Vec<Contestant> = engines
        .iter()
        .flat_map(|&engine| [Contestant::alone(engine), Contestant { engine, threads }])
        .collect();
    let measured = measure(&contestants, scenes, options.repeat.into())?;
    show(options, "Threads: a step, in ms", &report::steps(&measured, Steps::All));
    Ok(())
}

fn measure(contestants: &[Contestant], scenes: &[PathBuf], repeat: usize) -> Result<Vec<Measured>> {
    let read: Vec<Scene> = scenes.iter().map(|path| Scene::read(path)).collect::<Result<_>>()?;
    let measure = |(path, scene): (&PathBuf, Scene)| {
        eprintln!("{}: {} bodies, {} steps", scene.name, scene.bodies.len(), scene.steps);
        let timings = timing::time(contestants, &scene, path, repeat)?;
        Ok(Measured { scene, timings })
    };
    scenes.iter().zip(read).map(measure).collect()
}

fn show(options: &Options, title: &str, table: &comfy_table::Table) {
    let mark = if options.markdown { "### " } else { "" };
    println!("{mark}{title}\n\n{table}\n");
}
