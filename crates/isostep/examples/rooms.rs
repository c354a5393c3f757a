//! A server with many rooms: 1,000 small matches of 48 bodies each, stepped over all cores, each by one thread.
//!
//! Worlds know nothing of each other, so the loop over rooms is the one to share among threads: that costs nothing, where
//! threads inside of a step of some 80 µs would only wait. The hashes of all rooms are compared with those of a second
//! run, in which one thread steps them all.
//!
//! ```sh
//! cargo run --release -p isostep --example rooms -- 1000 120   # rooms, ticks
//! ```

use isostep::prelude::*;
use isostep_scenes::Scene;
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// Ticks before the clock starts: bodies fall, and memory grows to what rooms need.
const WARM_UP: u32 = 30;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (rooms, ticks) = (arguments.next().unwrap_or(1000_u32), arguments.next().unwrap_or(120_u32));
    let cores = rayon::current_num_threads();

    let mut shared = open(rooms);
    let time = (0..WARM_UP + ticks).fold(Duration::ZERO, |time, tick| {
        let start = Instant::now();
        shared.par_iter_mut().for_each(World::step);
        if tick < WARM_UP { time } else { time + start.elapsed() }
    });
    let mut alone = open(rooms);
    let time_alone = (0..WARM_UP + ticks).fold(Duration::ZERO, |time, tick| {
        let start = Instant::now();
        alone.iter_mut().for_each(World::step);
        if tick < WARM_UP { time } else { time + start.elapsed() }
    });
    let hashes = |worlds: &[World]| worlds.iter().map(World::state_hash).collect::<Vec<_>>();
    assert_eq!(hashes(&shared), hashes(&alone), "the same bits in any thread");

    let bodies = alone[0].bodies().filter(|body| body.kind() == BodyKind::Dynamic).count();
    println!("{rooms} rooms of {bodies} bodies that move, {ticks} ticks; nothing sleeps");
    report("1 thread", 1, rooms, time_alone / ticks);
    report(&format!("{cores} threads"), cores, rooms, time / ticks);
}

/// Rooms that differ in the velocity of one body.
fn open(rooms: u32) -> Vec<World> {
    let scene = Scene::find("tiny-match").expect("a scene of that name");
    let config = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let world = scene.build(scene.size, config).expect("the configuration is valid");
    let body =
        world.bodies().find(|body| body.kind() == BodyKind::Dynamic).expect("a body that moves").handle();
    let room = |number: u32| {
        let mut world = world.clone();
        let velocity = vec3(Fx::from_ratio(i64::from(number), 100), fx!(1), fx!(0));
        world.set_velocity(body, velocity, Vec3::ZERO).expect("the body is there");
        world
    };
    (0..rooms).map(room).collect()
}

/// A line: how long a tick of all rooms takes, and for how many rooms a core has time at two rates.
fn report(how: &str, cores: usize, rooms: u32, tick: Duration) {
    let per_room = tick.as_nanos() * cores as u128 / u128::from(rooms);
    let fitting = |rate: u128| 1_000_000_000 / rate / per_room.max(1);
    println!(
        "{how:>10}: {:>8} µs a tick of all, {:>5}.{} µs a room and core: {} rooms a core at 30 Hz, {} at 60 Hz",
        tick.as_micros(),
        per_room / 1000,
        per_room / 100 % 10,
        fitting(30),
        fitting(60),
    );
}
