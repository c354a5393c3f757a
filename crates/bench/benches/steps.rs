//! Instructions of steps, of saving, loading and hashing, counted by valgrind.
//!
//! The worlds have come to rest, awake, before anything is counted. Lanes are those of AVX2, the widest that valgrind knows.
#![allow(missing_docs, unused_qualifications, reason = "the macros of the benchmark make public items")]

use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use isostep_bench::LIBC;
use isostep_math::wide::Level;
use isostep_scenes::Scene;
use isostep_step::{Snapshot, World, WorldConfig};
use std::hint::black_box;

/// A scene in its usual size after so many ticks, and what was saved of it a tick before. It was hashed then too, so that
/// saving, loading and hashing have to do what a tick changes, and no more.
fn settled(name: &str, ticks: u32) -> (World, Snapshot) {
    let scene = Scene::find(name).expect("a scene of this name");
    let config = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let mut world = scene.build(scene.size, config).expect("a scene that can be built");
    (0..ticks).for_each(|_| world.step());
    let snapshot = world.snapshot();
    black_box(world.state_hash());
    world.step();
    (world, snapshot)
}

/// The same after it went back to what was saved, and on from there. So what is counted finds all the memory that it needs:
/// how dear it is to ask for more depends on where the heap begins, and that on the length of the folder's name.
fn rolled_back(name: &str, ticks: u32) -> (World, Snapshot) {
    let (mut world, snapshot) = settled(name, ticks);
    world.load(&snapshot);
    world.step();
    (world, snapshot)
}

#[library_benchmark]
#[bench::pyramid(settled("pyramid", 60))]
#[bench::tiny_match(settled("tiny-match", 240))]
#[bench::ragdolls(settled("ragdolls", 60))]
#[bench::mixture(settled("mixture", 120))]
fn step((mut world, snapshot): (World, Snapshot)) -> (World, Snapshot) {
    world.step();
    (world, snapshot)
}

#[library_benchmark]
#[bench::pyramid(settled("pyramid", 60))]
#[bench::tiny_match(settled("tiny-match", 240))]
fn save((world, mut snapshot): (World, Snapshot)) -> (World, Snapshot) {
    world.save(&mut snapshot);
    (world, snapshot)
}

#[library_benchmark]
#[bench::pyramid(rolled_back("pyramid", 60))]
#[bench::tiny_match(rolled_back("tiny-match", 240))]
fn load((mut world, snapshot): (World, Snapshot)) -> (World, Snapshot) {
    world.load(&snapshot);
    (world, snapshot)
}

#[library_benchmark]
#[bench::pyramid(settled("pyramid", 60))]
#[bench::tiny_match(settled("tiny-match", 240))]
fn state_hash((world, snapshot): (World, Snapshot)) -> (World, Snapshot) {
    black_box(world.state_hash());
    (world, snapshot)
}

library_benchmark_group!(name = steps; benchmarks = step, save, load, state_hash);
main!(
    config = LibraryBenchmarkConfig::default().env(Level::VARIABLE, "avx2").env(LIBC.0, LIBC.1);
    library_benchmark_groups = steps
);
