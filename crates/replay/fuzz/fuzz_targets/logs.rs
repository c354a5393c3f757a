//! Logs with changed bytes and checksums that hold again, or with bytes taken away and put in: what is whole is read.

#![no_main]

#[allow(dead_code)]
mod blocks;

use isostep_collision::{HalfSpace, Sphere};
use isostep_math::{Fx, Vec3};
use isostep_replay::{
    Check, CommandSimulation, Header, Log, LogWriter, PlayError, Player, Recorder, WriterOptions, diff_with,
};
use isostep_step::{BodyDef, ColliderDef, Command, Trace, World, WorldConfig};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

const OPTIONS: WriterOptions = WriterOptions { flush_ticks: 5, flush_bytes: 1 << 16, keyframe_interval: 10 };

/// A log of commands, and one of inputs.
static WHOLE: LazyLock<[Arc<Log>; 2]> = LazyLock::new(|| LOGS.clone().map(|bytes| Arc::new(Log::from_bytes(bytes).unwrap())));

static LOGS: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).unwrap();
    let ball = world.add_body(BodyDef::dynamic(Vec3::Y)).unwrap();
    world.add_collider(ball, ColliderDef::new(Sphere::from_radius(Fx::HALF).unwrap())).unwrap();
    let header = Header::commands(&world).with_traces();
    let mut recorder = Recorder::new(world, Vec::new(), header, OPTIONS).unwrap();
    for tick in 0..22 {
        recorder.apply(&Command::ApplyForce { body: ball, force: Vec3::X * Fx::from_int(tick) }).unwrap();
        recorder.step().unwrap();
    }
    let commands = recorder.finish().unwrap().1;
    let mut writer = LogWriter::new(Vec::new(), Header::inputs("fuzz", 1, 3, 0), OPTIONS).unwrap();
    for tick in 0..22_u8 {
        let check = Check { hash: Some(7), trace: Some(&Trace::default()) };
        writer.inputs(&[&[tick, 1][..], &[tick / 5], &[]], check).unwrap();
    }
    [commands, writer.finish(Some(7)).unwrap()]
});

/// Puts the checksums of all blocks right, as far as they can be found.
fn seal(bytes: &mut [u8]) {
    let mut offset = 16;
    while let Some(header) = bytes.get(offset..offset + 32) {
        let stored = u32::from_le_bytes(header[4..8].try_into().expect("4 bytes")) as usize;
        let is_last = &header[..4] == b"INDX";
        let Some(content) = bytes.get(offset + 32..offset + 32 + stored) else { break };
        let checksum = crc32fast::hash(content).to_le_bytes();
        bytes[offset + 24..offset + 28].copy_from_slice(&checksum);
        let start = if offset == 16 { 0 } else { offset };
        let checksum = crc32fast::hash(&bytes[start..offset + 28]).to_le_bytes();
        bytes[offset + 28..offset + 32].copy_from_slice(&checksum);
        if is_last {
            break;
        }
        offset += 32 + stored;
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&flags, data)) = data.split_first() else { return };
    let which = usize::from(flags & 1);
    let mut bytes = LOGS[which].clone();
    for change in data.chunks_exact(4) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % bytes.len().max(1);
        match change[2] & 15 {
            0 if bytes.len() > 1 => drop(bytes.remove(place)),
            1 => bytes.insert(place, change[3]),
            2 => bytes.truncate(place.max(1)),
            _ => bytes[place] ^= change[3],
        }
    }
    let is_sealed = flags & 2 != 0;
    if is_sealed {
        seal(&mut bytes);
    }
    let is_changed = bytes != LOGS[which];
    let Ok(log) = Log::from_bytes(bytes) else { return };
    if is_changed && !is_sealed {
        assert!(log.damage().is_some());
    }
    blocks::read_all(&log);
    if which == 0 {
        let log = Arc::new(log);
        match Player::<CommandSimulation>::new(Arc::clone(&log)) {
            Ok(mut player) => {
                let _ = player.verify();
                let _ = player.seek(log.end_tick() / 2);
                let _ = diff_with::<CommandSimulation>(&WHOLE[0], &log);
            }
            Err(PlayError::Kind { .. } | PlayError::NoKeyframe { .. } | PlayError::Log(_)) => {}
            Err(PlayError::Simulation { .. }) => assert!(is_sealed),
            Err(other) => panic!("{other}"),
        }
    }
});
