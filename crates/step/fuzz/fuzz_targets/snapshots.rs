//! Snapshots with changed bytes behind a header that holds: they are refused, or they are a world that steps.

#![no_main]

use isostep_collision::{Capsule, HalfSpace, Obb, Sphere};
use isostep_math::{Fx, Pose, Vec3};
use isostep_step::{BodyDef, ColliderDef, JointDef, JointKind, Limits, Motor, Snapshot, World, WorldConfig};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use xxhash_rust::xxh3::xxh3_128;

const HEADER: usize = 40;

/// A world of each kind of thing, with contacts, sleepers, joints, sensors, forces, streams and free slots.
static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let config = WorldConfig { sleep_ticks: 20, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(Fx::ZERO))).unwrap();
    let zone = ColliderDef::new(Obb::from_half_extents(Vec3::splat(Fx::from_int(2))).unwrap()).as_sensor();
    world.add_collider(ground, zone).unwrap();
    let mut add = |x: i32, y: i32, collider: ColliderDef| {
        let position = Vec3::new(Fx::from_int(x), Fx::from_int(y) + Fx::HALF, Fx::ZERO);
        let body = world.add_body(BodyDef::dynamic(position)).unwrap();
        world.add_collider(body, collider).unwrap();
        body
    };
    let cube = ColliderDef::new(Obb::from_half_extents(Vec3::splat(Fx::HALF)).unwrap());
    let ball = ColliderDef::new(Sphere::from_radius(Fx::HALF).unwrap());
    let first = add(0, 0, cube);
    add(0, 1, cube);
    let gone = add(5, 9, ball);
    let rolling = add(-4, 0, ball);
    let rolled = add(4, 3, ColliderDef::new(Capsule::along_y(Fx::HALF, Fx::HALF).unwrap()));
    let lift = world.add_body(BodyDef::kinematic(Vec3::X * Fx::from_int(9))).unwrap();
    world.add_collider(lift, cube).unwrap();
    let limits = Some(Limits { lower: -Fx::ONE, upper: Fx::ONE });
    let motor = Some(Motor { velocity: Fx::ONE, max_force: Fx::from_int(9), ..Motor::default() });
    let mut join = |kind, a| world.add_joint(JointDef::new(kind, (a, Pose::IDENTITY), (rolling, Pose::IDENTITY))).unwrap();
    join(JointKind::Fixed, gone);
    join(JointKind::Distance { limits: None, motor }, lift);
    join(JointKind::Ball { swing_limit: Some(Fx::ONE), twist_limits: limits, motor: None }, rolled);
    world.remove_body(gone).unwrap();
    (0..60).for_each(|_| world.step());
    world.apply_impulse(rolling, Vec3::X * Fx::from_int(900)).unwrap();
    (0..20).for_each(|_| world.step());
    world.apply_force(first, Vec3::Y).unwrap();
    world.set_kinematic_target(lift, Pose::IDENTITY).unwrap();
    world.set_pair_excluded(lift, rolling, true).unwrap();
    world.draw_random(3).unwrap();
    world.snapshot().to_bytes()
});

fuzz_target!(|data: &[u8]| {
    let mut bytes = WHOLE.clone();
    let length = bytes.len() - HEADER;
    for change in data.chunks_exact(3) {
        let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % length;
        bytes[HEADER + place] ^= change[2];
    }
    let checksum = xxh3_128(&bytes[HEADER..]).to_le_bytes();
    bytes[24..HEADER].copy_from_slice(&checksum);
    let Ok(snapshot) = Snapshot::from_bytes(&bytes) else { return };
    // Rotations nearly of length 1 are normalised when they are read; what is read then is one form of the state.
    let written = snapshot.to_bytes();
    let again = Snapshot::from_bytes(&written).expect("what was read can be written and read");
    assert!(again.to_bytes() == written && again.state_hash() == snapshot.state_hash());
    let mut world = World::from_snapshot(&snapshot);
    for _ in 0..4 {
        world.step();
    }
});
