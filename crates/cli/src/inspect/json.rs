//! What `isostep inspect` shows, as JSON: numbers of the simulation in all their digits, and as bits.

use super::{Block, Events, InputCounts, Sizes};
use crate::games::Standing;
use isostep_math::{Fx, Quat, Vec3};
use isostep_replay::{ChunkInfo, FORMAT_VERSION, KeyframeInfo, Log, LogKind};
use isostep_step::{BodyView, JointView, SIM_VERSION, World, WorldConfig};
use serde_json::{Value, json};
use std::path::Path;

/// What a log is of, what it is made of, and what happens in it.
pub(super) fn log(path: &Path, log: &Log, events: &Events, with_blocks: bool) -> Value {
    let header = log.header();
    let (game, version, config) = match &header.kind {
        LogKind::Commands { config } => (Value::Null, Value::Null, world_config(config)),
        LogKind::Inputs { game, version } => (json!(game), json!(version), Value::Null),
    };
    let mut document = json!({
        "log": path.display().to_string(),
        "format": FORMAT_VERSION,
        "simulation": SIM_VERSION,
        "holds": header.kind.name(),
        "game": game,
        "version": version,
        "config": config,
        "players": header.players,
        "seed": header.seed,
        "tick_rate": header.tick_rate,
        "first_tick": log.first_tick(),
        "end_tick": log.end_tick(),
        "hash_interval": header.hash_interval,
        "traces": header.traces,
        "note": header.note,
        "last_hash": log.last_hash().map(hash),
        "bytes": log.byte_count(),
        "chunks": sizes(&Sizes::of_chunks(log)),
        "keyframes": sizes(&Sizes::of_keyframes(log)),
        "commands": events.commands,
        "inputs": events.players.iter().map(|counts| inputs(counts, events.ticks)).collect::<Vec<_>>(),
        "damage": log.damage().map(ToString::to_string),
    });
    if with_blocks {
        document["blocks"] = Block::all(log).iter().map(block).collect();
    }
    document
}

fn world_config(config: &WorldConfig) -> Value {
    json!({
        "tick_rate": config.tick_rate,
        "substeps": config.substeps,
        "gravity": vector(config.gravity),
        "max_linear_speed": number(config.max_linear_speed),
        "max_angular_speed": number(config.max_angular_speed),
        "contact_frequency": number(config.contact_frequency),
        "contact_damping_ratio": number(config.contact_damping_ratio),
        "push_speed": number(config.push_speed),
        "restitution_threshold": number(config.restitution_threshold),
        "speculative_margin": number(config.speculative_margin),
        "sleeping": config.sleeping,
        "sleep_speed": number(config.sleep_speed),
        "sleep_ticks": config.sleep_ticks,
        "seed": config.seed,
    })
}

fn sizes(&Sizes { number, stored, raw }: &Sizes) -> Value {
    json!({ "number": number, "bytes": stored, "decompressed": raw })
}

fn inputs(counts: &InputCounts, ticks: u64) -> Value {
    json!({
        "bytes_a_tick": counts.bytes / ticks.max(1),
        "changes": counts.changes,
        "idle_ticks": counts.idle,
        "different": counts.different.len(),
        "has_more": counts.has_more,
    })
}

fn block(block: &Block) -> Value {
    match *block {
        Block::Ticks(ChunkInfo { offset, first_tick, ticks, stored_bytes, raw_bytes }) => json!({
            "block": "ticks",
            "offset": offset,
            "first_tick": first_tick,
            "ticks": ticks,
            "content": stored_bytes,
            "decompressed": raw_bytes,
        }),
        Block::Keyframe(KeyframeInfo { offset, tick, stored_bytes, raw_bytes }) => json!({
            "block": "keyframe",
            "offset": offset,
            "tick": tick,
            "content": stored_bytes,
            "decompressed": raw_bytes,
        }),
    }
}

/// The bodies and the joints at a tick.
pub(super) fn state(path: &Path, standing: &Standing, world: &World) -> Value {
    json!({
        "log": path.display().to_string(),
        "simulation": SIM_VERSION,
        "tick": standing.tick,
        "hash": hash(standing.hash),
        "recorded_hash": standing.recorded.map(hash),
        "bodies": world.bodies().map(|view| body(&view)).collect::<Vec<_>>(),
        "joints": world.joints().map(|view| joint(&view)).collect::<Vec<_>>(),
    })
}

fn body(body: &BodyView<'_>) -> Value {
    json!({
        "handle": body.handle().to_string(),
        "kind": format!("{:?}", body.kind()).to_lowercase(),
        "position": vector(body.position()),
        "rotation": rotation(body.rotation()),
        "velocity": vector(body.linear_velocity()),
        "angular_velocity": vector(body.angular_velocity()),
        "asleep": body.is_asleep(),
        "user_data": format!("{:#x}", body.user_data()),
    })
}

fn joint(joint: &JointView<'_>) -> Value {
    let relative = joint.relative_pose();
    json!({
        "handle": joint.handle().to_string(),
        "kind": joint.kind().name(),
        "bodies": joint.bodies().map(|body| body.to_string()),
        "position": joint.position().map(number),
        "rotation": rotation(relative.rotation),
        "translation": vector(relative.translation),
        "force": vector(joint.force()),
        "torque": vector(joint.torque()),
        "user_data": format!("{:#x}", joint.user_data()),
    })
}

fn hash(hash: u128) -> String {
    format!("{hash:032x}")
}

/// In decimal with all digits, and as bits of Q32.32: JSON's own numbers hold neither.
fn number(number: Fx) -> Value {
    json!([number.to_string(), format!("0x{:016x}", number.to_bits())])
}

fn vector(vector: Vec3) -> Value {
    json!({ "x": number(vector.x), "y": number(vector.y), "z": number(vector.z) })
}

fn rotation(Quat { x, y, z, w }: Quat) -> Value {
    json!({ "x": number(x), "y": number(y), "z": number(z), "w": number(w) })
}
