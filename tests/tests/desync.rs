//! The desync drill: two machines record a match of ten minutes, and on one of them a bit of a body changes. Their logs
//! say when, of which body, in which field, and both values: a hundred times of a hundred, in less than a second.

use isostep_collision::{HalfSpace, Obb, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_replay::{
    Cause, Check, CommandSimulation, Header, ItemHandle, Log, LogDifference, LogWriter, NumberAt, Player,
    Recorder, StateDifference, WriterOptions, diff_with,
};
use isostep_step::{
    BodyDef, BodyKind, ColliderDef, Command, Number, Section, Snapshot, Tracer, World, WorldConfig,
};
use std::sync::Arc;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_128;

/// How many bits are changed, each in a run of its own, and how many ticks the match has: ten minutes.
const DRILLS: u64 = 100;
const TICKS: u64 = 36_000;

/// Ticks between keyframes: from the one before it, the changed tick is reached.
const KEYFRAMES: u64 = 120;

const OPTIONS: WriterOptions =
    WriterOptions { flush_ticks: 60, flush_bytes: 1 << 20, keyframe_interval: KEYFRAMES as u32 };

/// A tenth of the drills, in as much shorter a match, where each tick takes long (docs/targets.md).
fn extent() -> (u64, u64) {
    let share = if std::env::var_os("ISOSTEP_SHORT_LOGS").is_some() { 10 } else { 1 };
    (DRILLS / share, TICKS / share)
}

/// Boxes and balls in a pen that they cannot leave.
fn pen() -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let mut wall = |point: Vec3, normal: Vec3| {
        let body = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        world.add_collider(body, ColliderDef::new(HalfSpace::new(point, normal).unwrap())).unwrap();
    };
    wall(Vec3::ZERO, Vec3::Y);
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        wall(normal * fx!(-3), normal);
    }
    for index in 0..6 {
        let place = vec3(Fx::from_int(index % 3 - 1), Fx::from_int(index) + fx!(1), fx!(0.3));
        let body = world.add_body(BodyDef::dynamic(place)).unwrap();
        let collider = match index % 2 {
            0 => ColliderDef::new(Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap()),
            _ => ColliderDef::new(Sphere::from_radius(fx!(0.5)).unwrap()),
        };
        world.add_collider(body, collider).unwrap();
    }
    world
}

/// What is done to the pen before a tick: now and then, somebody is kicked.
fn kick(world: &World, rng: &mut Rng) -> Option<Command> {
    if rng.below(10) != 0 {
        return None;
    }
    let bodies = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic);
    let bodies: Vec<_> = bodies.map(|body| body.handle()).collect();
    let body = bodies[rng.below(bodies.len() as u32) as usize];
    let mut part = |most: i32| Fx::from_int(rng.range_i32(-most, most));
    Some(Command::ApplyImpulse { body, impulse: vec3(part(3000), part(1000) + fx!(1500), part(3000)) })
}

/// The log of the machine on which nothing goes wrong.
fn record(ticks: u64) -> Vec<u8> {
    let (world, mut rng) = (pen(), Rng::new(2, 0));
    let header = Header::commands(&world).with_traces();
    let mut recorder = Recorder::new(world, Vec::new(), header, OPTIONS).unwrap();
    for _ in 0..ticks {
        if let Some(command) = kick(recorder.world(), &mut rng) {
            recorder.apply(&command).unwrap();
        }
        recorder.step().unwrap();
    }
    recorder.finish().unwrap().1
}

/// A number that differs: section, slot, the number, and the other value.
type Differing = (Section, usize, Number, u64);

fn differing(left: &World, right: &World) -> Vec<Differing> {
    let mut found = Vec::new();
    for section in [Section::Bodies, Section::Motions, Section::Colliders] {
        for item in 0..left.bodies().count() {
            let pairs = left.numbers(section, item).into_iter().zip(right.numbers(section, item));
            let pairs = pairs.filter(|(left, right)| left != right);
            found.extend(pairs.map(|(left, right)| (section, item, left, right.bits)));
        }
    }
    found
}

/// The world with one bit of one field of one body changed: any bit of its bytes with which it is still a world.
fn planted(world: &World, rng: &mut Rng) -> (World, Vec<Differing>) {
    let state = world.snapshot().to_bytes();
    loop {
        let mut bytes = state.clone();
        let place = 40 + rng.below(bytes.len() as u32 - 40) as usize;
        bytes[place] ^= 1 << rng.below(8);
        let checksum = xxh3_128(&bytes[40..]).to_le_bytes();
        bytes[24..40].copy_from_slice(&checksum);
        let Ok(other) = Snapshot::from_bytes(&bytes) else { continue };
        let other = World::from_snapshot(&other);
        let numbers = differing(world, &other);
        let Some((section, slot, first, _)) = numbers.first() else { continue };
        let is_one_field = |(other, item, number, _): &Differing| {
            (other, item, number.field) == (section, slot, first.field)
        };
        if *section != Section::Colliders && numbers.iter().all(is_one_field) {
            return (other, numbers);
        }
    }
}

/// A log of which only the blocks matter: its bytes, and what is in them.
struct Blocks {
    bytes: Vec<u8>,
    log: Arc<Log>,
}

impl Blocks {
    fn new(bytes: Vec<u8>) -> Self {
        let log = Arc::new(Log::from_bytes(bytes.clone()).unwrap());
        Self { bytes, log }
    }

    /// Where the keyframe of a tick begins.
    fn keyframe(&self, tick: u64) -> usize {
        let found = self.log.keyframes().find(|info| info.tick == tick);
        found.unwrap().offset as usize
    }

    /// Where the chunk of a tick begins; the end of the last one, if there is none.
    fn chunk(&self, tick: u64) -> usize {
        let found = self.log.chunks().find(|info| info.first_tick == tick);
        found.map_or_else(|| self.end(), |info| info.offset as usize)
    }

    /// Where the index begins.
    fn end(&self) -> usize {
        let mark = self.bytes.len() - 20;
        u64::from_le_bytes(self.bytes[mark..mark + 8].try_into().unwrap()) as usize
    }
}

/// The example in the guide is the one among the fixtures.
#[test]
fn the_guide_shows_what_is_said() {
    let said = include_str!("../../fixtures/broken/diverged.error").lines().next().unwrap();
    assert!(include_str!("../../docs/desync.md").contains(said), "{said}");
}

/// What went wrong on the other machine.
struct Drill {
    tick: u64,
    body: ItemHandle,
    numbers: Vec<Differing>,
    /// Its log.
    bytes: Vec<u8>,
}

impl Drill {
    /// The other machine's log is the first one's up to the last keyframe before the tick, then what it recorded to the
    /// next one. How it goes on is of no consequence to a search for the first difference: from there on, it has the
    /// blocks of the first again, for their length.
    fn new(first: &Blocks, seed: u64) -> Self {
        let mut rng = Rng::new(seed, 77);
        let tick = 1 + u64::from(rng.below(first.log.end_tick() as u32));
        let from = (tick - 1) / KEYFRAMES * KEYFRAMES;
        let mut player = Player::<CommandSimulation>::new(Arc::clone(&first.log)).unwrap();
        player.seek(from).unwrap();
        let mut world = player.world().clone();
        let header = Header::commands(&world).with_traces();
        let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        let (mut tracer, mut found) = (Tracer::new(), None);
        while writer.next_tick() < from + KEYFRAMES {
            let before = writer.next_tick();
            let chunk = first.log.chunk(first.log.chunk_of(before).unwrap()).unwrap();
            let frame = chunk.frame(before).unwrap();
            for command in frame.events.commands() {
                // If the bit was one of a handle, nobody is there any more.
                let _ = world.apply(command);
            }
            world.step();
            if before + 1 == tick {
                let (other, numbers) = planted(&world, &mut rng);
                let slot = numbers[0].1;
                let body = world.bodies().map(|body| body.handle()).find(|body| body.index as usize == slot);
                found = Some((ItemHandle::Body(body.unwrap()), numbers));
                world = other;
            }
            let check = Check { hash: Some(world.state_hash()), trace: Some(tracer.trace(&world)) };
            writer.commands(frame.events.commands(), check).unwrap();
        }
        let (body, numbers) = found.unwrap();
        let own = Blocks::new(writer.finish(None).unwrap());
        let bytes = [
            &first.bytes[..first.keyframe(from)],
            &own.bytes[own.keyframe(from)..own.end()],
            &first.bytes[first.chunk(from + KEYFRAMES)..first.end()],
        ];
        Self { tick, body, numbers, bytes: bytes.concat() }
    }

    /// That these are the numbers that were changed, and that the first log is on the left or on the right.
    fn check(&self, found: &[NumberAt], is_swapped: bool) {
        assert_eq!(found.len(), self.numbers.len(), "{found:?}");
        for (found, (section, item, left, right)) in found.iter().zip(&self.numbers) {
            assert_eq!((found.section, found.item, found.handle), (*section, *item, self.body));
            assert_eq!(found.number.left.name(), left.name());
            let expected = if is_swapped { [*right, left.bits] } else { [left.bits, *right] };
            assert_eq!([found.number.left.bits, found.number.right], expected);
        }
    }
}

/// From the bytes of two files to the answer, as `isostep diff` does it.
fn compare(left: &[u8], right: &[u8]) -> (StateDifference, Duration) {
    let start = Instant::now();
    let [left, right] = [left, right].map(|bytes| Arc::new(Log::from_bytes(bytes.to_vec()).unwrap()));
    let found = diff_with::<CommandSimulation>(&left, &right).unwrap();
    let time = start.elapsed();
    match found {
        Some(LogDifference::State(state)) => (*state, time),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_bit_in_ten_minutes_is_named_a_hundred_times_of_a_hundred() {
    let (drills, ticks) = extent();
    let first = Blocks::new(record(ticks));
    let (mut fields, mut slowest) = (Vec::new(), Duration::ZERO);
    for seed in 0..drills {
        let drill = Drill::new(&first, seed);
        // Either log may be the one that is replayed.
        for is_swapped in [false, true] {
            let (left, right) =
                if is_swapped { (&drill.bytes, &first.bytes) } else { (&first.bytes, &drill.bytes) };
            let (found, time) = compare(left, right);
            assert_eq!((found.tick, found.last_equal), (drill.tick, Some(drill.tick - 1)), "seed {seed}");
            drill.check(&found.numbers, is_swapped);
            slowest = slowest.max(time);
        }
        // The log of the machine that is wrong does not verify here, and says the same.
        let mut player =
            Player::<CommandSimulation>::new(Log::from_bytes(drill.bytes.clone()).unwrap()).unwrap();
        assert_eq!(player.log().end_tick(), ticks);
        player.seek((drill.tick - 1) / KEYFRAMES * KEYFRAMES).unwrap();
        let divergence = player.verify().unwrap().divergence.unwrap();
        assert_eq!((divergence.tick, divergence.last_equal), (drill.tick, Some(drill.tick - 1)));
        assert!(matches!(divergence.cause, Cause::Hash { .. }));
        drill.check(&divergence.numbers, true);
        fields.push(format!("{:?}.{}", drill.numbers[0].0, drill.numbers[0].2.field));
    }
    fields.sort_unstable();
    fields.dedup();
    println!(
        "{drills} of {drills} in logs of {ticks} ticks and {} bytes, the slowest in {slowest:?}: {fields:?}",
        first.bytes.len()
    );
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    assert!(fields.len() >= if drills == DRILLS { 8 } else { 4 }, "{fields:?}");
}
