//! Keyframes with changed bytes behind checksums that hold: they are refused, or a world from which the log goes on.

#![no_main]

#[allow(dead_code)]
mod blocks;

use isostep_collision::{HalfSpace, Obb};
use isostep_math::{Fx, Vec3};
use isostep_replay::{CommandSimulation, Header, Log, LogWriter, Player, WriterOptions};
use isostep_step::{BodyDef, ColliderDef, Command, World, WorldConfig};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_128;

/// How many bytes a snapshot has before its payload.
const HEADER: usize = 40;

static START: LazyLock<(Header, Vec<u8>)> = LazyLock::new(|| {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).unwrap();
    let cube = ColliderDef::new(Obb::from_half_extents(Vec3::splat(Fx::HALF)).unwrap());
    for height in 0..3 {
        let body = world.add_body(BodyDef::dynamic(Vec3::Y * (Fx::from_int(height) + Fx::HALF))).unwrap();
        world.add_collider(body, cube).unwrap();
    }
    (0..30).for_each(|_| world.step());
    (Header::commands(&world), world.snapshot().to_bytes())
});

fuzz_target!(|data: &[u8]| {
    let (header, start) = &*START;
    let mut state = start.clone();
    let length = state.len() - HEADER;
    for change in data.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % length;
        state[HEADER + place] ^= change[2];
    }
    let checksum = xxh3_128(&state[HEADER..]).to_le_bytes();
    state[24..HEADER].copy_from_slice(&checksum);

    let mut writer = LogWriter::new(Vec::new(), header.clone(), WriterOptions::default()).expect("a valid header");
    writer.keyframe(&state).expect("memory takes it");
    for tick in 0..4 {
        let body = isostep_step::BodyHandle { index: tick, generation: 0 };
        writer.commands(&[Command::Wake(body)], isostep_replay::Check::NONE).expect("memory takes it");
    }
    let log = Log::from_bytes(writer.finish(None).expect("memory takes it")).expect("it was written");
    let Ok(mut player) = Player::<CommandSimulation>::new(log) else { return };
    let _ = player.verify();
    player.seek(player.log().first_tick()).expect("it was loaded before");
});
