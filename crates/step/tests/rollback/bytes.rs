//! Bytes that were damaged, by chance and on purpose.

use super::*;
use isostep_collision::{Capsule, HalfSpace, Obb, Shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, SnapshotError, WorldConfig};
use xxhash_rust::xxh3::xxh3_128;

const HEADER: usize = 40;

/// A small world in which everything happens: it touches, sleeps, is sensed and has forces.
fn busy() -> Vec<u8> {
    let scene = &SCENES[2];
    let mut world = (scene.build)();
    for _ in 0..130 {
        advance(&mut world, scene);
    }
    let body = world.bodies().nth(2).unwrap().handle();
    world.apply_force(body, Vec3::Y).unwrap();
    world.draw_random(4).unwrap();
    let removed = world.bodies().nth(3).unwrap().handle();
    world.remove_body(removed).unwrap();
    world.snapshot().to_bytes()
}

/// Writes the checksum and length that the payload should have.
fn sign(bytes: &mut [u8]) {
    let (header, payload) = bytes.split_at_mut(HEADER);
    header[16..24].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header[24..40].copy_from_slice(&xxh3_128(payload).to_le_bytes());
}

#[test]
fn a_snapshot_cut_anywhere_is_refused() {
    cut_anywhere(&busy());
    cut_anywhere(&scenes::joints::every_kind().snapshot().to_bytes());
}

fn cut_anywhere(bytes: &[u8]) {
    Snapshot::from_bytes(bytes).unwrap();
    for length in 0..bytes.len() {
        assert!(Snapshot::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        if length > HEADER {
            let mut cut = bytes[..length].to_vec();
            sign(&mut cut);
            assert!(Snapshot::from_bytes(&cut).is_err(), "{length} bytes, signed");
        }
    }
}

#[test]
fn a_snapshot_with_bytes_behind_it_is_refused() {
    let mut bytes = busy();
    bytes.push(0);
    assert!(matches!(Snapshot::from_bytes(&bytes), Err(SnapshotError::Length { .. })));
    sign(&mut bytes);
    assert!(matches!(Snapshot::from_bytes(&bytes), Err(SnapshotError::Length { .. })));
}

#[test]
fn a_snapshot_with_any_bit_flipped_is_refused() {
    let bytes = busy();
    for index in 0..bytes.len() {
        for bit in [0, 3, 7] {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1 << bit;
            assert!(Snapshot::from_bytes(&damaged).is_err(), "byte {index} bit {bit}");
        }
    }
}

#[test]
fn a_flipped_bit_under_a_right_checksum_is_refused_or_harmless() {
    flip_each_byte(&busy());
}

#[test]
fn a_flipped_bit_of_a_joint_under_a_right_checksum_is_refused_or_harmless() {
    flip_each_byte(&scenes::joints::every_kind().snapshot().to_bytes());
}

/// A signed lie is refused, or a state that a world can be in: it is written as it was read, and steps.
fn flip_each_byte(bytes: &[u8]) {
    let (mut refused, mut stepped) = (0, 0);
    for index in HEADER..bytes.len() {
        for bit in [0, 4, 7] {
            let mut damaged = bytes.to_vec();
            damaged[index] ^= 1 << bit;
            sign(&mut damaged);
            let Ok(snapshot) = Snapshot::from_bytes(&damaged) else {
                refused += 1;
                continue;
            };
            assert!(snapshot.to_bytes() == damaged, "byte {index} bit {bit}");
            let original = Snapshot::from_bytes(bytes).unwrap();
            assert!(original.difference(&snapshot).is_some(), "byte {index} bit {bit} is in no hash");
            stepped += 1;
            if stepped % 3 == 0 {
                let mut world = World::from_snapshot(&snapshot);
                for _ in 0..3 {
                    world.step();
                }
                let after = world.snapshot().to_bytes();
                if let Err(error) = Snapshot::from_bytes(&after) {
                    panic!("byte {index} bit {bit}: a step made what no world can be in: {error}");
                }
            }
        }
    }
    assert!(refused > 1000 && stepped > 1000, "{refused} refused, {stepped} not");
}

#[test]
fn lies_about_a_body_are_refused_with_their_reason() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let velocity = vec3(fx!(123.4567), fx!(1), fx!(2));
    let def = BodyDef {
        gravity_scale: fx!(1.23456),
        linear_damping: fx!(3.45678),
        order: 0x1234_5678,
        ..BodyDef::dynamic(vec3(fx!(777.888), fx!(0), fx!(0))).moving(velocity)
    };
    scenes::add(&mut world, def, ColliderDef::new(scenes::cube(fx!(0.4321))).with_density(fx!(98.7654)));
    let bytes = world.snapshot().to_bytes();
    let replace = |from: Fx, to: Fx| {
        let pattern = from.to_bits().to_le_bytes();
        let places: Vec<_> =
            bytes.windows(8).enumerate().filter(|(_, window)| *window == pattern).map(|(at, _)| at).collect();
        assert!(!places.is_empty(), "{from} is not in the bytes");
        let mut lie = bytes.clone();
        lie[places[0]..places[0] + 8].copy_from_slice(&to.to_bits().to_le_bytes());
        sign(&mut lie);
        match Snapshot::from_bytes(&lie) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{from} as {to} is read"),
        }
    };
    for (from, to, reason) in [
        (fx!(123.4567), fx!(501), "body 0: it is too fast"),
        (fx!(777.888), Fx::MAX, "body 0: it is out of the world"),
        (fx!(1.23456), fx!(101), "body 0: gravity scale is 101: it must be within ±100"),
        (fx!(3.45678), fx!(-1), "body 0: linear damping is -1: it must be from 0 to 1000 /s"),
        (fx!(98.7654), fx!(0), "collider 0: its density is not above 0"),
        (fx!(98.7654), fx!(99), "body 0: its mass is not that of its colliders"),
    ] {
        assert_eq!(replace(from, to), reason);
    }
}

#[test]
fn arms_that_lag_by_too_much_are_refused() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let spin = vec3(fx!(0), fx!(0), fx!(1.23456));
    let def = BodyDef { angular_velocity: spin, ..BodyDef::dynamic(Vec3::ZERO) };
    scenes::add(&mut world, def, ColliderDef::new(scenes::cube(fx!(1))));
    let bytes = world.snapshot().to_bytes();
    let pattern = spin.z.to_bits().to_le_bytes();
    let at = 8 + bytes.windows(8).position(|window| window == pattern).expect("it turns");
    let lagging = |lag: [i32; 3]| {
        let mut lie = bytes.clone();
        lie[at..at + 12].copy_from_slice(lag.map(i32::to_le_bytes).as_flattened());
        sign(&mut lie);
        Snapshot::from_bytes(&lie).map_err(|error| error.to_string())
    };
    assert!(lagging([0, 1 << 26, 0]).is_ok());
    for lag in [[0, (1 << 26) + 1, 0], [i32::MIN, 0, 0], [1 << 26, 1, 0]] {
        assert_eq!(lagging(lag).err().as_deref(), Some("body 0: its arms lag by too much"));
    }
}

#[test]
fn a_contact_whose_impulses_are_beyond_all_scales_is_refused_with_its_reason() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = BodyDef::fixed(vec3(fx!(0), fx!(-1), fx!(0)));
    scenes::add(&mut world, ground, ColliderDef::new(scenes::cube(fx!(1))));
    let above = BodyDef::dynamic(vec3(fx!(0), fx!(0.5), fx!(0)));
    scenes::add(&mut world, above, ColliderDef::new(scenes::cube(fx!(0.5))));
    (0..10).for_each(|_| world.step());
    let bytes = world.snapshot().to_bytes();
    let refused = |at: usize, scale: u8| {
        let mut lie = bytes.clone();
        lie[at] = scale;
        sign(&mut lie);
        Snapshot::from_bytes(&lie).err().map(|error| error.to_string())
    };
    let reason = "contact 0: its scale is out of range";
    let places: Vec<_> =
        (HEADER..bytes.len()).filter(|&at| refused(at, 63).is_some_and(|found| found == reason)).collect();
    let [place] = places[..] else { panic!("scales at {places:?}") };
    assert_eq!(refused(place, 62), None);
}

#[test]
fn lies_about_what_arrived_are_refused_with_their_reason() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let wall = |i: i32| (BodyDef::fixed(Vec3::X * Fx::from_int(i)), ColliderDef::new(scenes::cube(fx!(0.4))));
    for (def, collider) in [wall(0), wall(1), (wall(2).0, wall(2).1.as_sensor())] {
        scenes::add(&mut world, def, collider);
    }
    // Behind the slots are the counts of three lists of news, which are empty.
    let bytes = world.snapshot().to_bytes();
    let slots = bytes.len() - 24 - 8;
    let with = |arrived: [u32; 2]| {
        let mut lie = bytes.clone();
        lie[slots..slots + 4].copy_from_slice(&arrived[0].to_le_bytes());
        lie[slots + 4..slots + 8].copy_from_slice(&arrived[1].to_le_bytes());
        sign(&mut lie);
        Snapshot::from_bytes(&lie).err().map(|error| error.to_string())
    };
    assert_eq!(with([0, 1]), None);
    for arrived in [[1, 0], [1, 1]] {
        assert_eq!(with(arrived).unwrap(), "arrived 0: they do not ascend");
    }
    for arrived in [[1, 2], [1, 3], [0, u32::MAX]] {
        assert_eq!(with(arrived).unwrap(), "arrived 0: a collider does not exist, or is a sensor");
    }
}

#[test]
fn news_of_colliders_that_never_were_are_refused_with_their_reason() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ball = BodyDef::dynamic(Vec3::ZERO);
    scenes::add(&mut world, ball, ColliderDef::new(scenes::cube(fx!(1))));
    let other = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(other, ColliderDef::new(scenes::cube(fx!(1)))).unwrap();
    world.step();
    world.remove_body(other).unwrap();
    // The last list but one has a pair of handles, the last one nothing.
    let bytes = world.snapshot().to_bytes();
    let pair = bytes.len() - 8 - 16;
    for at in [pair, pair + 8] {
        let mut lie = bytes.clone();
        lie[at] = 2;
        sign(&mut lie);
        let error = Snapshot::from_bytes(&lie).unwrap_err().to_string();
        assert_eq!(error, "news 0: a collider never existed");
    }
}

#[test]
fn what_reading_would_mend_is_refused() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let sixth = Quat::from_rotation_z(Fx::FRAC_PI_6);
    let turned = Shape::from(Obb::new(Vec3::ZERO, Vec3::ONE, sixth).unwrap());
    let sloping = Shape::from(HalfSpace::new(Vec3::ZERO, sixth * Vec3::Y).unwrap());
    for shape in [turned, sloping] {
        scenes::add(&mut world, BodyDef::fixed(Vec3::ZERO), ColliderDef::new(shape));
    }
    let bytes = world.snapshot().to_bytes();
    for number in [sixth.w, (sixth * Vec3::Y).y] {
        let pattern = number.to_bits().to_le_bytes();
        let at = bytes.windows(8).rposition(|window| window == pattern).expect("it is written");
        let mut lie = bytes.clone();
        // 2⁻²⁴ more or less: near enough to be taken for a unit vector, and made one.
        lie[at + 1] ^= 1;
        sign(&mut lie);
        let error = Snapshot::from_bytes(&lie).unwrap_err().to_string();
        assert!(
            error.starts_with("byte ") && error.ends_with(": the state is written with another one"),
            "{error}"
        );
    }
}

#[test]
fn counts_beyond_the_bytes_are_refused_without_memory_for_them() {
    let bytes = busy();
    for at in (HEADER..bytes.len() - 8).step_by(3) {
        let mut lie = bytes.clone();
        lie[at..at + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        sign(&mut lie);
        let _ = Snapshot::from_bytes(&lie);
    }
}

#[test]
fn other_versions_are_named() {
    let bytes = busy();
    let with = |at: usize, value: u8| {
        let mut other = bytes.clone();
        other[at] = value;
        Snapshot::from_bytes(&other).unwrap_err()
    };
    assert_eq!(with(0, b'X'), SnapshotError::Magic);
    assert_eq!(with(8, 9), SnapshotError::Format { found: 9, supported: isostep_step::SNAPSHOT_VERSION });
    let simulation = with(13, 3);
    let expected = isostep_step::SIM_VERSION + 3 * 256;
    assert_eq!(
        simulation,
        SnapshotError::Simulation { found: expected, supported: isostep_step::SIM_VERSION }
    );
}

#[test]
fn the_longest_capsules_can_be_read_again_however_they_were_turned() {
    let mut capsule = Capsule::along_y(fx!(32_768), fx!(1)).unwrap();
    let mut rng = Rng::new(34, 0);
    for turn in 0..60 {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let body = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        let def = ColliderDef::new(capsule).at(Pose::from_rotation(rng.unit_quat()));
        let collider = world.add_collider(body, def).unwrap();
        if let Err(error) = Snapshot::from_bytes(&world.snapshot().to_bytes()) {
            panic!("turn {turn}: {error}");
        }
        // From one body to the next, as a game does that takes things off.
        let Shape::Capsule(turned) = world.collider(collider).unwrap().def().shape else { unreachable!() };
        capsule = turned;
    }
}
