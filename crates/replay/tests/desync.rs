//! What logs tell of a changed bit when they tell less than all: without traces, and of a bit that changes between two
//! ticks. That with traces a hundred of a hundred are named, is a test of the whole system.

mod game;

use game::{MARK, pile, push};
use isostep_math::random::Rng;
use isostep_math::{Pose, fx};
use isostep_replay::{
    Check, CommandSimulation, Header, ItemHandle, Log, LogDifference, LogWriter, Player, StateDifference,
    WriterOptions, diff, diff_with,
};
use isostep_step::{Command, JointDef, JointKind, Motor, Number, Section, Snapshot, Tracer, World};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

const OPTIONS: WriterOptions = WriterOptions { flush_ticks: 16, flush_bytes: 1 << 20, keyframe_interval: 64 };
const TICKS: u64 = 160;
const BODIES: u32 = 6;

/// What happened in a run, and each state of it.
struct Run {
    commands: Vec<Vec<Command>>,
    states: Vec<Snapshot>,
}

fn give(world: &mut World, commands: &[Command]) {
    for command in commands {
        world.apply(command).expect("the bodies are there");
    }
}

fn run() -> Run {
    let (mut world, mut rng) = (pile(BODIES), Rng::new(2, 0));
    let mut run = Run { commands: Vec::new(), states: vec![world.snapshot()] };
    for _ in 0..TICKS {
        let commands = push(&world, &mut rng);
        give(&mut world, &commands);
        world.step();
        run.commands.push(commands);
        run.states.push(world.snapshot());
    }
    run
}

/// The log of a run in which the state of a tick was replaced by another one.
fn log_of(run: &Run, header: Header, other: Option<(u64, &Snapshot)>) -> Arc<Log> {
    let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
    writer.keyframe(&run.states[0].to_bytes()).unwrap();
    let mut world = World::from_snapshot(&run.states[0]);
    let mut tracer = Tracer::new();
    for (tick, commands) in (1..).zip(&run.commands) {
        match other {
            // The commands were found by looking at the one run; the other one gets them as well.
            Some((changed, _)) if tick > changed => {
                give(&mut world, commands);
                world.step();
            }
            Some((changed, state)) if tick == changed => world.load(state),
            _ => world.load(&run.states[tick as usize]),
        }
        let is_traced = writer.header().traces;
        let check = match writer.wants_hash() {
            true => Check { hash: Some(world.state_hash()), trace: is_traced.then(|| tracer.trace(&world)) },
            false => Check::NONE,
        };
        writer.commands(commands, check).unwrap();
        if writer.wants_keyframe() {
            writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        }
    }
    let hash = world.state_hash();
    Arc::new(Log::from_bytes(writer.finish(Some(hash)).unwrap()).unwrap())
}

/// A state with one bit changed in its bytes, if that is a state of a world.
fn flipped(state: &Snapshot, place: usize, bit: u32) -> Option<Snapshot> {
    let mut bytes = state.to_bytes();
    bytes[place] ^= 1 << bit;
    let checksum = xxh3_128(&bytes[40..]).to_le_bytes();
    bytes[24..40].copy_from_slice(&checksum);
    Snapshot::from_bytes(&bytes).ok()
}

fn place_of(bytes: &[u8], wanted: &[u8]) -> usize {
    bytes.windows(wanted.len()).position(|window| window == wanted).expect("it is in the bytes")
}

/// A state that differs from another one in one field of one body: in its motion, or in what commands change.
fn planted(state: &Snapshot, rng: &mut Rng) -> Snapshot {
    let bytes = state.to_bytes();
    let world = World::from_snapshot(state);
    loop {
        let body = rng.below(BODIES);
        let handle = world.bodies().nth(body as usize + 1).unwrap().handle();
        let place = if rng.below(3) == 0 {
            // The user's data; before them no target, no mass of its own, two dampings and a scale of gravity.
            let end = place_of(&bytes, &(MARK + u64::from(body)).to_le_bytes());
            end - 26 + rng.below(34) as usize
        } else {
            let center = world.body(handle).unwrap().center_of_mass();
            let wanted = center.to_array().map(|part| part.to_bits().to_le_bytes()).concat();
            place_of(&bytes, &wanted) + rng.below(13 * 8 + 2) as usize
        };
        let Some(other) = flipped(state, place, rng.below(8)) else { continue };
        let changed: Vec<_> =
            differing(state, &other).into_iter().map(|(_, item, number, _)| (item, number.field)).collect();
        if changed.first().is_some_and(|first| changed.iter().all(|one| one == first)) {
            return other;
        }
    }
}

/// All numbers of bodies and motions in which two states differ: section, slot, the number, and the other value.
fn differing(left: &Snapshot, right: &Snapshot) -> Vec<(Section, usize, Number, u64)> {
    let [left, right] = [left, right].map(World::from_snapshot);
    let mut found = Vec::new();
    for section in [Section::Bodies, Section::Motions, Section::Colliders] {
        for item in 0..=BODIES as usize {
            let pairs = left.numbers(section, item).into_iter().zip(right.numbers(section, item));
            let pairs = pairs.filter(|(left, right)| left != right);
            found.extend(pairs.map(|(left, right)| (section, item, left, right.bits)));
        }
    }
    found
}

fn state_of(difference: Option<LogDifference>) -> StateDifference {
    match difference {
        Some(LogDifference::State(state)) => *state,
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_traces_the_next_keyframe_names_a_field() {
    let run = run();
    let header = Header::commands(&World::from_snapshot(&run.states[0])).with_hash_interval(10);
    let first = log_of(&run, header.clone(), None);
    // Some bits have no consequence: a body that comes to rest forgets them.
    let other = |seed| planted(&run.states[57], &mut Rng::new(seed, 0));
    let second = (0..).map(|seed| log_of(&run, header.clone(), Some((57, &other(seed)))));
    let second = second.take(50).find(|second| diff(&first, second).unwrap().is_some()).unwrap();
    let found = state_of(diff_with::<CommandSimulation>(&first, &second).unwrap());
    assert_eq!((found.tick, found.last_equal, found.trace.is_traced()), (60, Some(50), false));
    let (tick, difference) = found.keyframe.unwrap();
    assert_eq!(tick, 64);
    assert!(difference.item <= BODIES as usize && !difference.numbers.is_empty(), "{difference}");

    let mut player = Player::<CommandSimulation>::new(second).unwrap();
    let divergence = player.verify().unwrap().divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal), (60, Some(50)));
    assert_eq!(
        divergence.keyframe.map(|(tick, difference)| (tick, difference.item)),
        Some((64, difference.item))
    );
}

#[test]
fn a_bit_that_changes_between_two_ticks_shows_in_the_next_one() {
    let run = run();
    let header = Header::commands(&World::from_snapshot(&run.states[0])).with_traces();
    let first = log_of(&run, header.clone(), None);
    for seed in 0..20 {
        let mut rng = Rng::new(seed, 5);
        let tick = 1 + u64::from(rng.below(TICKS as u32 - 2));
        let other = planted(&run.states[tick as usize], &mut rng);
        let item = differing(&run.states[tick as usize], &other)[0].1;
        let mut world = World::from_snapshot(&other);
        give(&mut world, &run.commands[tick as usize]);
        world.step();
        if world.state_hash() == run.states[tick as usize + 1].state_hash() {
            continue;
        }
        let second = log_of(&run, header.clone(), Some((tick + 1, &world.snapshot())));
        let found = state_of(diff_with::<CommandSimulation>(&first, &second).unwrap());
        assert_eq!((found.tick, found.last_equal), (tick + 1, Some(tick)));
        let columns = found.trace.difference().unwrap().columns.clone();
        assert!(columns.iter().any(|column| column.items.contains(&item)), "seed {seed}: {columns:?}");
    }
}

#[test]
fn a_joint_that_differs_is_named_by_its_handle_and_its_field() {
    let mut world = pile(2);
    let [a, b] = [1, 2].map(|index| (world.bodies().nth(index).unwrap().handle(), Pose::IDENTITY));
    let rope = JointKind::Distance { limits: None, motor: Some(Motor::default()) };
    let joint = world.add_joint(JointDef::new(rope, a, b)).unwrap();
    let record = |mut world: World, changed: Option<u64>| {
        let header = Header::commands(&world).with_traces();
        let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        let mut tracer = Tracer::new();
        for tick in 1..20 {
            world.step();
            if changed == Some(tick) {
                world.set_joint_break(joint, Some(fx!(2.5)), None).unwrap();
            }
            let check = Check { hash: Some(world.state_hash()), trace: Some(tracer.trace(&world)) };
            writer.commands(&[], check).unwrap();
        }
        Arc::new(Log::from_bytes(writer.finish(None).unwrap()).unwrap())
    };
    let logs = [None, Some(9)].map(|changed| record(world.clone(), changed));
    let found = state_of(diff_with::<CommandSimulation>(&logs[0], &logs[1]).unwrap());
    assert_eq!((found.tick, found.last_equal), (9, Some(8)));
    let numbers: Vec<_> = found.numbers.iter().map(ToString::to_string).collect();
    assert_eq!(
        numbers[0],
        "Joints, joint 0.0, break_force.is_given: 0 against 1 (0x0000000000000000 against 0x0000000000000001)"
    );
    assert_eq!(found.numbers[1].handle, ItemHandle::Joint(joint));
    assert_eq!(found.numbers[1].number.left.name(), "break_force");
    assert_eq!(numbers.len(), 2, "{numbers:?}");
}
