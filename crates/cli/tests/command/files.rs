//! Logs for tests, made without the command.

use isostep_collision::Sphere;
use isostep_math::{Pose, Vec3, fx, vec3};
use isostep_replay::GameRecorder;
use isostep_replay::{Check, Header, Log, LogWriter, Simulation, WriterOptions};
use isostep_scenes::arena::{Arena, Bots, PlayerInput};
use isostep_step::{
    BodyDef, BodyHandle, ColliderDef, Command, JointDef, JointKind, Limits, Trace, Tracer, World, WorldConfig,
};

/// How long the logs of tests are.
pub(crate) const TICKS: u64 = 90;

/// When [`another_ball`] leaves [`ball`].
pub(crate) const PARTED: u64 = 40;

/// A match of two bots, with keyframes at ticks 0 and 60.
pub(crate) fn arena() -> Vec<u8> {
    let (mut arena, mut bots) = (Arena::new(2, 5), Bots::new(2, 5));
    let options = WriterOptions { flush_ticks: 20, keyframe_interval: 60, ..WriterOptions::default() };
    let mut recorder = GameRecorder::new(&arena, Vec::new(), Arena::header(2, 5), options).unwrap();
    for _ in 0..TICKS {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        let inputs: Vec<_> = inputs.iter().map(|input: &PlayerInput| input.to_bytes()).collect();
        recorder.tick(&inputs, &arena).unwrap();
    }
    recorder.finish(&arena).unwrap()
}

/// A log of three balls that fall; with traces if wanted.
pub(crate) fn ball(traces: bool) -> Vec<u8> {
    record(traces, 1, |_, _| {})
}

/// The log of a machine on which a bit of a velocity was another one from [`PARTED`] on.
pub(crate) fn another_ball(traces: bool) -> Vec<u8> {
    record(traces, 1, part)
}

/// As [`another_ball`], without hashes but with keyframes every 30 ticks.
pub(crate) fn another_ball_in_keyframes() -> [Vec<u8>; 2] {
    [record(false, 0, |_, _| {}), record(false, 0, part)]
}

fn part(world: &mut World, second: BodyHandle) {
    let body = world.body(second).unwrap();
    let (linear, angular) = (body.linear_velocity(), body.angular_velocity());
    let linear = linear.with_y(isostep_math::Fx::from_bits(linear.y.to_bits() ^ 4));
    world.set_velocity(second, linear, angular).unwrap();
}

fn record(traces: bool, hash_interval: u32, part: impl Fn(&mut World, BodyHandle)) -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let balls = [1, 2, 3].map(|x| {
        let ball = world.add_body(BodyDef::dynamic(vec3(x.into(), fx!(9), fx!(0)))).unwrap();
        world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.3)).unwrap())).unwrap();
        ball
    });
    world.set_gravity(Vec3::Y * fx!(-1)).unwrap();
    let header =
        Header { traces, ..Header::commands(&world).with_hash_interval(hash_interval).with_note("balls") };
    let options = WriterOptions { flush_ticks: 20, ..WriterOptions::default() };
    let mut writer = LogWriter::new(Vec::new(), header, options).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    let mut tracer = Tracer::new();
    for tick in 1..=TICKS {
        world.step();
        if tick == PARTED {
            part(&mut world, balls[1]);
        }
        let trace = traces.then(|| tracer.trace(&world));
        let hash = (hash_interval != 0).then(|| world.state_hash());
        writer.commands(&[], Check { hash, trace }).unwrap();
        if tick % 30 == 0 {
            writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        }
    }
    writer.finish(Some(world.state_hash())).unwrap()
}

/// As [`another_ball_in_keyframes`] the first, cut before its second keyframe: nothing of what it leads to is known.
pub(crate) fn unknown_ball() -> Vec<u8> {
    let mut bytes = record(false, 0, |_, _| {});
    let log = Log::from_bytes(bytes.clone()).unwrap();
    bytes.truncate(log.keyframes().nth(1).unwrap().offset as usize);
    bytes
}

/// A log of two ticks, finished with the hash of the state after a third one.
pub(crate) fn finished_elsewhere() -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let mut writer = LogWriter::new(Vec::new(), Header::commands(&world), WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    for _ in 0..2 {
        world.step();
        writer.commands(&[], Check::hash(world.state_hash())).unwrap();
    }
    world.step();
    writer.finish(Some(world.state_hash())).unwrap()
}

/// A log of a tick of two balls without gravity: one is joined to a hook by a rope of 2 m, both by a hinge.
pub(crate) fn joined() -> Vec<u8> {
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let hook = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let [first, second] =
        [2, 3].map(|x| world.add_body(BodyDef::dynamic(vec3(x.into(), fx!(0), fx!(0)))).unwrap());
    let limits = Some(Limits { lower: fx!(0), upper: fx!(2) });
    let rope = JointKind::Distance { limits, motor: None };
    let hinge = JointKind::Hinge { limits: None, motor: None };
    let middle = [fx!(0.5), fx!(-0.5)].map(|x| Pose::from_translation(Vec3::X * x));
    let header = Header::commands(&world);
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    let rope = JointDef::new(rope, (hook, Pose::IDENTITY), (first, Pose::IDENTITY));
    let hinge = JointDef { user_data: 0xAB, ..JointDef::new(hinge, (first, middle[0]), (second, middle[1])) };
    let commands = [rope, hinge].map(Command::AddJoint);
    for command in &commands {
        world.apply(command).unwrap();
    }
    world.step();
    writer.commands(&commands, Check::hash(world.state_hash())).unwrap();
    writer.finish(Some(world.state_hash())).unwrap()
}

/// A log of three ticks of an empty world, with a note.
pub(crate) fn empty(note: &str) -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_hash_interval(0).with_note(note);
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    for _ in 0..3 {
        world.step();
        writer.commands(&[], Check::NONE).unwrap();
    }
    writer.finish(None).unwrap()
}

/// A log of three ticks of the demo game, which counts from a tick on.
pub(crate) fn late(first_tick: u64) -> Vec<u8> {
    let header = Header { first_tick, ..Arena::header(1, 5).with_hash_interval(0) };
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&Simulation::save(&Arena::new(1, 5))).unwrap();
    for _ in 0..3 {
        writer.inputs(&[PlayerInput::default().to_bytes()], Check::NONE).unwrap();
    }
    writer.finish(None).unwrap()
}

/// A log of a tick whose world has another gravity than its header says.
pub(crate) fn on_the_moon() -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world);
    world.set_gravity(Vec3::Y * fx!(-1.625)).unwrap();
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    world.step();
    writer.commands(&[], Check::hash(world.state_hash())).unwrap();
    writer.finish(None).unwrap()
}

/// A log of four ticks, the last of which wakes a body that there is not; of the states before, one in so many is hashed.
pub(crate) fn refused(hash_interval: u32) -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_hash_interval(hash_interval).with_traces();
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    for _ in 0..3 {
        world.step();
        let check = if writer.wants_hash() { Check::hash(world.state_hash()) } else { Check::NONE };
        writer.commands(&[], check).unwrap();
    }
    let nobody = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    writer.commands(&[Command::Wake(nobody)], Check::NONE).unwrap();
    writer.finish(None).unwrap()
}

/// A log of a game that nobody links.
pub(crate) fn pong() -> Vec<u8> {
    let mut writer =
        LogWriter::new(Vec::new(), Header::inputs("pong", 3, 2, 7), WriterOptions::default()).unwrap();
    writer.inputs(&[[1], [0]], Check::hash(0x1234)).unwrap();
    writer.inputs(&[[1], [2]], Check::hash(0x5678)).unwrap();
    writer.finish(None).unwrap()
}

/// A longer log of it.
pub(crate) fn long_pong(ticks: u128) -> Vec<u8> {
    let mut writer =
        LogWriter::new(Vec::new(), Header::inputs("pong", 3, 2, 7), WriterOptions::default()).unwrap();
    for tick in 1..=ticks {
        writer.inputs(&[[1], [0]], Check::hash(tick)).unwrap();
    }
    writer.finish(Some(ticks)).unwrap()
}

/// A log of it without hashes, of three ticks, of which the last has this input.
pub(crate) fn unhashed_pong(last: u8) -> Vec<u8> {
    let header = Header::inputs("pong", 3, 2, 7).with_hash_interval(0);
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    for input in [0, 0, last] {
        writer.inputs(&[[input], [0]], Check::NONE).unwrap();
    }
    writer.finish(None).unwrap()
}

/// A log of it that tells little: of so many ticks, with a keyframe of this after the second, and finished with a hash.
pub(crate) fn untold_pong(ticks: u64, keyframe: u8, last_hash: Option<u128>) -> Vec<u8> {
    // Of each tick there is to be a hash, and of none there is.
    let header = Header::inputs("pong", 3, 2, 7);
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    for tick in 1..=ticks {
        writer.inputs(&[[1], [0]], Check::NONE).unwrap();
        if tick == 2 {
            writer.keyframe(&[keyframe]).unwrap();
        }
    }
    writer.finish(last_hash).unwrap()
}

/// A log of an empty world with traces, whose keyframe at tick 60 has gravity in another direction.
pub(crate) fn another_keyframe() -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_traces();
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    let mut tracer = Tracer::new();
    for _ in 0..60 {
        world.step();
        let check = Check { hash: Some(world.state_hash()), trace: Some(tracer.trace(&world)) };
        writer.commands(&[], check).unwrap();
    }
    let mut other = world.clone();
    other.set_gravity(Vec3::X).unwrap();
    writer.keyframe(&other.snapshot().to_bytes()).unwrap();
    writer.finish(Some(world.state_hash())).unwrap()
}

/// A log of a tick of an empty world, whose hash and trace are of one with a thousand bodies.
pub(crate) fn of_many() -> Vec<u8> {
    let world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_traces();
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    let mut trace = Trace::default();
    trace.columns[0].items = vec![7; 1000];
    writer.commands(&[], Check { hash: Some(7), trace: Some(&trace) }).unwrap();
    writer.finish(None).unwrap()
}

/// A log of no tick of an empty world, finished with a hash that is off by some bits.
pub(crate) fn without_ticks(wrong: u128) -> Vec<u8> {
    let world = World::new(WorldConfig::default()).unwrap();
    let mut writer = LogWriter::new(Vec::new(), Header::commands(&world), WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    writer.finish(Some(world.state_hash() ^ wrong)).unwrap()
}

/// A log of a tick of an empty world with a hash that is another one, and a trace whose bytes are other ones.
pub(crate) fn bad_trace() -> Vec<u8> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_traces();
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    world.step();
    let mut tracer = Tracer::new();
    let check = Check { hash: Some(world.state_hash() ^ 1), trace: Some(tracer.trace(&world)) };
    writer.commands(&[], check).unwrap();
    let mut bytes = writer.finish(None).unwrap();
    let log = Log::from_bytes(bytes.clone()).unwrap();
    let chunk = log.chunks().next().unwrap();
    assert_eq!(chunk.raw_bytes, chunk.stored_bytes, "it is too short to compress");
    // Two lengths, the flags, no commands and the hash come before the number of the trace's bodies.
    let (block, content) = (chunk.offset as usize, chunk.offset as usize + 32);
    bytes[content + 29..content + 33].fill(0xFF);
    let end = content + chunk.stored_bytes as usize;
    // As docs/format-isr.md has it.
    let crc32 = |bytes: &[u8]| {
        let bit = |sum: u32, _| sum >> 1 ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
        !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), bit))
    };
    let checksum = crc32(&bytes[content..end]);
    bytes[block + 24..block + 28].copy_from_slice(&checksum.to_le_bytes());
    let checksum = crc32(&bytes[block..block + 28]);
    bytes[block + 28..block + 32].copy_from_slice(&checksum.to_le_bytes());
    bytes
}
