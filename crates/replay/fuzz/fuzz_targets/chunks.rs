//! Any content of a chunk, of commands or inputs, plain or compressed, under checksums that hold.

#![no_main]

#[allow(dead_code)]
mod blocks;

use isostep_replay::{Header, Log, LogWriter, WriterOptions};
use isostep_step::{World, WorldConfig};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&[kind, ticks, length], content)) = data.split_first_chunk() else { return };
    let header = match kind & 3 {
        0 | 1 => Header::commands(&World::new(WorldConfig::default()).expect("the default is valid")),
        2 => Header::inputs("fuzz", 1, 2, 0),
        _ => Header::inputs("fuzz", 1, 13, 0),
    };
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).expect("a valid header");
    if writer.wants_keyframe() {
        writer.keyframe(b"").expect("memory takes it");
    }
    let whole = writer.finish(None).expect("memory takes it");
    // Without the index.
    let index = u64::from_le_bytes(whole[whole.len() - 20..whole.len() - 12].try_into().expect("8 bytes"));
    let mut bytes = whole[..index as usize].to_vec();
    let raw = if kind & 4 == 0 { content.len() as u32 } else { content.len() as u32 + u32::from(length) * 16 };
    blocks::put_stored(&mut bytes, b"TICK", [0, u64::from(ticks)], raw, content);
    let log = Log::from_bytes(bytes).expect("the header is valid");
    assert_eq!(log.end_tick(), if log.chunks().len() == 1 { u64::from(ticks) } else { 0 });
    blocks::read_all(&log);
});
