//! Every command goes through a log and comes back, and does the same again.

mod game;

use isostep_collision::{Capsule, HalfSpace, Obb, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_replay::{CommandSimulation, Header, Log, Player, Recorder, Simulation, WriterOptions, limits};
use isostep_step::{
    AxisLocks, BallMotor, BodyDef, BodyHandle, ColliderDef, ColliderHandle, CombineRule, Command, Continuous,
    Filter, JointDef, JointHandle, JointKind, Limits, Material, Motor, Pull, Spring, World, WorldConfig,
};

const BODY: BodyHandle = BodyHandle { index: 0, generation: 0 };
const OTHER: BodyHandle = BodyHandle { index: 1, generation: 0 };
const LIFT: BodyHandle = BodyHandle { index: 2, generation: 0 };
const COLLIDER: ColliderHandle = ColliderHandle { index: 0, generation: 0 };
const SENSOR: ColliderHandle = ColliderHandle { index: 2, generation: 0 };
const HINGE: JointHandle = JointHandle { index: 0, generation: 0 };
const PULL: JointHandle = JointHandle { index: 5, generation: 0 };

/// A joint of each kind, with all that it can have.
fn every_kind() -> [JointKind; 7] {
    let limits = Some(Limits { lower: fx!(0.25), upper: fx!(1.5) });
    let spring = Some(Spring { frequency: fx!(2), damping_ratio: fx!(0.75) });
    let motor = Some(Motor { position: fx!(0.5), velocity: fx!(-2), spring, max_force: fx!(30) });
    let turned = Quat::from_rotation_z(fx!(0.5));
    let ball = BallMotor { rotation: turned, velocity: Vec3::Y, spring: None, max_torque: Fx::MAX };
    let pull = spring.map(|spring| Pull { spring, max_force: fx!(40) });
    [
        JointKind::Hinge { limits, motor },
        JointKind::Ball { swing_limit: Some(fx!(1)), twist_limits: limits, motor: Some(ball) },
        JointKind::Slider { limits: None, motor },
        JointKind::Distance { limits, motor: None },
        JointKind::Fixed,
        JointKind::Target { pose: Pose::new(turned, Vec3::X), linear: pull, angular: None },
        JointKind::Wheel { limits, suspension: motor, motor: None, steering: fx!(-0.5) },
    ]
}

/// Commands about joints, for a world with bodies of all kinds, in an order in which it takes them.
fn about_joints() -> Vec<Command> {
    let frame = Pose::new(Quat::from_rotation_y(fx!(0.3)), vec3(fx!(0), fx!(0.5), fx!(0)));
    let add = |kind| {
        let def = JointDef::new(kind, (BODY, frame), (OTHER, Pose::IDENTITY));
        let softness = Some(Spring { frequency: fx!(15), damping_ratio: fx!(1) });
        Command::AddJoint(JointDef { softness, break_torque: Some(fx!(5000)), order: 3, user_data: 9, ..def })
    };
    let mut commands: Vec<_> = every_kind().into_iter().map(add).collect();
    let kind = JointKind::Hinge { limits: None, motor: Some(Motor::default()) };
    commands.extend([
        Command::SetJointKind { joint: HINGE, kind },
        Command::SetJointSoftness { joint: HINGE, softness: None },
        Command::SetJointBreak { joint: HINGE, force: Some(fx!(2000000000)), torque: None },
        Command::SetJointCollide { joint: HINGE, collide: true },
        Command::SetJointUserData { joint: HINGE, user_data: u64::MAX },
    ]);
    commands
}

/// Each command at least once, in an order in which an empty world takes them.
fn every_command() -> Vec<Command> {
    let turn = Quat::from_rotation_y(fx!(0.3));
    let place = vec3(fx!(1), fx!(2), fx!(-3));
    let body = BodyDef {
        linear_damping: fx!(0.1),
        locks: AxisLocks::ROTATION_X,
        mass: Some(fx!(3)),
        order: 7,
        user_data: u64::MAX,
        ..BodyDef::dynamic(place).rotated(turn).moving(Vec3::X).turning(Vec3::Y)
    };
    let cube = Obb::new(Vec3::Y, Vec3::splat(fx!(0.5)), turn).unwrap();
    let capsule = Capsule::along_y(fx!(0.5), fx!(0.25)).unwrap();
    let material = Material {
        friction: fx!(0.3),
        friction_rule: CombineRule::Max,
        restitution: fx!(0.5),
        restitution_rule: CombineRule::Min,
        rolling_resistance: fx!(0.01),
    };
    let filter = Filter { layer: 3, groups: 5, mask: 0xFFFF_0000 };
    let mut commands = vec![
        Command::AddBody(body),
        Command::AddBody(BodyDef::dynamic(vec3(fx!(9), fx!(2), fx!(0)))),
        Command::AddBody(BodyDef::kinematic(vec3(fx!(-9), fx!(2), fx!(0)))),
        Command::AddBody(BodyDef::fixed(Vec3::ZERO)),
        Command::AddCollider { body: BODY, collider: ColliderDef::new(cube).at(Pose::from_rotation(turn)) },
        Command::AddCollider { body: OTHER, collider: ColliderDef::new(capsule).with_density(fx!(10)) },
        Command::AddCollider {
            body: LIFT,
            collider: ColliderDef::new(Sphere::new(Vec3::X, fx!(2)).unwrap()).as_sensor(),
        },
        Command::AddCollider {
            body: BodyHandle { index: 3, generation: 0 },
            collider: ColliderDef::new(HalfSpace::ground(fx!(0))).with_material(material),
        },
        Command::SetPose { body: BODY, pose: Pose::new(turn, place) },
        Command::SetVelocity { body: BODY, linear: Vec3::X, angular: vec3(fx!(0), fx!(-2), fx!(0)) },
        Command::SetKinematicTarget {
            body: LIFT,
            pose: Pose::from_translation(vec3(fx!(-9), fx!(3), fx!(0))),
        },
        Command::ApplyImpulse { body: BODY, impulse: vec3(fx!(0.5), fx!(0), Fx::EPSILON) },
        Command::ApplyImpulseAt { body: OTHER, impulse: Vec3::Z, point: place },
        Command::ApplyAngularImpulse { body: OTHER, impulse: Vec3::Y },
        Command::ApplyForce { body: BODY, force: vec3(fx!(-100), fx!(3), fx!(0)) },
        Command::ApplyForceAt { body: OTHER, force: Vec3::X, point: place },
        Command::ApplyTorque { body: OTHER, torque: Vec3::Z },
        Command::Wake(BODY),
        Command::SetGravityScale { body: BODY, scale: fx!(-0.5) },
        Command::SetDamping { body: OTHER, linear: fx!(0.25), angular: fx!(0.5) },
        Command::SetLocks { body: OTHER, locks: AxisLocks::PLANE_XY },
        Command::SetMass { body: BODY, mass: None },
        Command::SetMass { body: OTHER, mass: Some(fx!(12.5)) },
        Command::SetCanSleep { body: OTHER, can_sleep: false },
        Command::SetContinuous { body: OTHER, continuous: Continuous::Off },
        Command::SetBodyUserData { body: OTHER, user_data: 0x0123_4567_89AB_CDEF },
        Command::SetMaterial { collider: COLLIDER, material },
        Command::SetFilter { collider: COLLIDER, filter },
        Command::SetColliderUserData { collider: COLLIDER, user_data: 1 },
        Command::SetGravity(vec3(fx!(0), fx!(-1.62), fx!(0))),
        Command::SetLayersMeet { a: 3, b: 31, meet: false },
        Command::SetPairExcluded { a: BODY, b: OTHER, excluded: true },
        Command::DrawRandom { stream: u32::MAX },
    ];
    commands.extend(about_joints());
    // What is removed comes last.
    commands.extend([Command::RemoveCollider(SENSOR), Command::RemoveJoint(PULL), Command::RemoveBody(LIFT)]);
    commands
}

/// The number of the variant, as the log has it.
fn variant(command: &Command) -> u32 {
    let config = bincode::config::standard().with_little_endian().with_fixed_int_encoding();
    let bytes = bincode::serde::encode_to_vec(command, config).unwrap();
    u32::from_le_bytes(bytes[..4].try_into().unwrap())
}

#[test]
fn the_commands_of_these_tests_are_all_that_there_are() {
    let mut variants: Vec<_> = every_command().iter().map(variant).collect();
    variants.sort_unstable();
    variants.dedup();
    let count = variants.len() as u32;
    assert_eq!(variants, (0..count).collect::<Vec<_>>(), "a variant is missing among them");
    // The next number is none: a variant that is added and not in the list is found here.
    let config = bincode::config::standard().with_little_endian().with_fixed_int_encoding();
    let bytes = [&count.to_le_bytes()[..], &[0; 512]].concat();
    let error = bincode::serde::decode_from_slice::<Command, _>(&bytes, config).unwrap_err();
    assert!(error.to_string().contains("variant index"), "{error}");
}

/// bincode can be replaced by whatever writes these bytes.
#[test]
fn the_bytes_of_every_command_stay_what_they_are() {
    let config = bincode::config::standard().with_little_endian().with_fixed_int_encoding();
    let mut text = String::new();
    for command in every_command() {
        let bytes = bincode::serde::encode_to_vec(command, config).unwrap();
        let name = format!("{command:?}");
        let name = name.split([' ', '(', '{']).next().unwrap();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!("{name} {hex}\n");
    }
    insta::assert_snapshot!("commands", text);
}

#[test]
fn every_command_goes_through_a_log_and_does_the_same_again() {
    let world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world).with_traces();
    let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    let commands = every_command();
    // All before one tick, then one each tick.
    for command in &commands {
        recorder.apply(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    }
    recorder.step().unwrap();
    let again: Vec<_> = commands[8..commands.len() - 3]
        .iter()
        .filter(|command| !matches!(command, Command::SetKinematicTarget { .. }))
        .collect();
    for command in &again {
        recorder.apply(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
        recorder.step().unwrap();
    }
    let (world, bytes) = recorder.finish().unwrap();

    let log = Log::from_bytes(bytes).unwrap();
    let chunk = log.chunk(0).unwrap();
    assert_eq!(chunk.frame(0).unwrap().events.commands(), commands);
    for (tick, command) in (1..).zip(&again) {
        assert_eq!(chunk.frame(tick).unwrap().events.commands(), [**command]);
    }
    let mut player = Player::<CommandSimulation>::new(log).unwrap();
    let verification = player.verify().unwrap();
    assert!(verification.is_identical());
    assert_eq!(verification.hash, world.state_hash());
    assert!(player.world().snapshot().difference(&world.snapshot()).is_none());
}

#[test]
fn a_command_too_many_is_refused_before_it_changes_the_world() {
    let world = game::pile(2);
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    let draw = Command::DrawRandom { stream: 0 };
    for _ in 0..limits::MAX_CHUNK_COMMANDS {
        recorder.apply(&draw).unwrap();
    }
    let before = recorder.world().state_hash();
    let error = recorder.apply(&draw).unwrap_err();
    assert_eq!(error.to_string(), "commands of a tick: 65537, and at most 65536 is allowed");
    assert_eq!(recorder.world().state_hash(), before);
    recorder.step().unwrap();
    recorder.apply(&draw).unwrap();
    recorder.step().unwrap();
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    assert_eq!(log.end_tick(), 2);
    assert!(Player::<CommandSimulation>::new(log).unwrap().verify().unwrap().is_identical());
}

#[test]
fn ticks_of_many_commands_go_to_chunks_of_their_own() {
    let world = game::pile(2);
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    let draw = Command::DrawRandom { stream: 0 };
    for _ in 0..2 {
        for _ in 0..40_000 {
            recorder.apply(&draw).unwrap();
        }
        recorder.step().unwrap();
    }
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    assert_eq!((log.damage(), log.chunks().len(), log.end_tick()), (None, 2, 2));
    assert!(Player::<CommandSimulation>::new(log).unwrap().verify().unwrap().is_identical());
}

#[test]
fn a_command_that_is_refused_is_not_recorded() {
    let world = game::pile(2);
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    let stale = BodyHandle { index: 99, generation: 0 };
    assert!(recorder.apply(&Command::Wake(stale)).is_err());
    recorder.step().unwrap();
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    assert!(log.chunk(0).unwrap().frame(0).unwrap().events.commands().is_empty());
    assert!(Player::<CommandSimulation>::new(log).unwrap().verify().unwrap().is_identical());
}

#[test]
fn a_header_of_commands_says_of_a_world_what_that_is() {
    let world = game::pile(2);
    let own = world.config().seed;
    assert_ne!(own, 7);
    // Left over from another match.
    let header = Header { seed: 7, players: 3, tick_rate: 30, ..Header::commands(&world) }.with_note("mine");
    let refused = header.validate().unwrap_err();
    assert_eq!(refused.to_string(), "tick_rate of a log of commands is 30, and its world has 60");
    let recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    let Header { seed, players, tick_rate, note, .. } = log.header();
    assert_eq!((*seed, *players, *tick_rate, note.as_str()), (own, 0, 60, "mine"));
    for (field, header) in [
        ("players", Header { players: 3, ..log.header().clone() }),
        ("seed", Header { seed: 7, ..log.header().clone() }),
    ] {
        let refused = header.validate().unwrap_err().to_string();
        assert!(refused.starts_with(field), "{refused}");
    }
}

#[test]
fn a_world_without_a_game_does_not_start_from_inputs() {
    let refused = CommandSimulation::start(&Header::inputs("pong", 1, 2, 7)).unwrap_err();
    assert_eq!(refused.to_string(), "a log of inputs: this replays logs of commands");
}
