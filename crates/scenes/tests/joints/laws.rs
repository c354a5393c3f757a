//! Scenes of joints moved, mirrored, and made in another sequence.

use isostep_collision::{Capsule, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_scenes::Scene;
use isostep_step::{
    BodyDef, BodyHandle, BodyKind, Command, JointDef, JointKind, Limits, Motor, Outcome, World, WorldConfig,
};

/// The scenes of joints, in sizes that step fast.
const SCENES: [(&str, u32); 7] = [
    ("pendulum", 3),
    ("chain", 10),
    ("joint-grid", 6),
    ("ragdolls", 2),
    ("cradle", 5),
    ("doors", 1),
    ("cars", 2),
];

/// The commands of a scene, in which bodies go by numbers.
fn commands(name: &str, size: u32) -> Vec<Command> {
    Scene::find(name).unwrap().commands(size)
}

fn world_of(commands: &[Command]) -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for command in commands {
        world.apply(command).unwrap();
    }
    world
}

fn bodies(world: &World) -> Vec<BodyHandle> {
    world.bodies().map(|body| body.handle()).collect()
}

/// What is to be equal of a body: its place against the first one, its rotation and its velocities.
fn state(world: &World, body: BodyHandle, origin: Vec3) -> (Vec3, Quat, Vec3, Vec3) {
    let body = world.body(body).unwrap();
    let place = body.center_of_mass() - origin;
    (place, body.rotation(), body.linear_velocity(), body.angular_velocity())
}

#[test]
fn a_scene_of_joints_that_is_moved_moves_alike_to_the_bit() {
    let far = vec3(Fx::from_int(1 << 29), Fx::from_int(-123_456_789) - Fx::EPSILON, fx!(98765.4321));
    for (name, size) in SCENES {
        let here = commands(name, size);
        let mut there = here.clone();
        for command in &mut there {
            if let Command::AddBody(body) = command {
                body.pose.translation += far;
            }
        }
        let (mut here, mut there) = (world_of(&here), world_of(&there));
        for tick in 0..150 {
            here.step();
            there.step();
            for body in bodies(&here) {
                assert_eq!(
                    state(&here, body, Vec3::ZERO),
                    state(&there, body, far),
                    "{name}: {body} at tick {tick}"
                );
            }
        }
    }
}

/// The same bodies, colliders and joints in another sequence, with orders that say which one it was. Returns the body
/// of each number.
fn shuffled(commands: &[Command], rng: &mut Rng) -> (World, Vec<BodyHandle>) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let defs: Vec<(u32, BodyDef)> = commands
        .iter()
        .filter_map(|command| if let Command::AddBody(body) = command { Some(*body) } else { None })
        .zip(0..)
        .map(|(body, order)| (order, BodyDef { order, ..body }))
        .collect();
    let mut sequence = defs.clone();
    rng.shuffle(&mut sequence);
    let mut handles = vec![None; defs.len()];
    for (number, def) in sequence {
        handles[number as usize] = Some(world.add_body(def).unwrap());
    }
    let handles: Vec<BodyHandle> = handles.into_iter().flatten().collect();
    let of = |body: BodyHandle| handles[body.index as usize];
    let mut rest: Vec<(u32, Command)> = (0..)
        .zip(commands.iter().filter(|command| !matches!(command, Command::AddBody(_))).copied())
        .collect();
    rng.shuffle(&mut rest);
    for (number, command) in rest {
        match command {
            Command::AddCollider { body, collider } => {
                world.add_collider(of(body), collider).unwrap();
            }
            Command::AddJoint(joint) => {
                let (body_a, body_b) = (of(joint.body_a), of(joint.body_b));
                world.add_joint(JointDef { body_a, body_b, order: number, ..joint }).unwrap();
            }
            other => panic!("scenes have no {other:?}"),
        }
    }
    (world, handles)
}

#[test]
fn with_orders_the_sequence_in_which_joints_were_made_does_not_matter() {
    let mut rng = Rng::new(8, 0);
    for (name, size) in SCENES {
        let commands = commands(name, size);
        let (mut one, ones) = shuffled(&commands, &mut rng);
        let (mut other, others) = shuffled(&commands, &mut rng);
        assert_ne!(ones, others, "{name}");
        for tick in 0..150 {
            one.step();
            other.step();
            for (&a, &b) in ones.iter().zip(&others) {
                let states = (state(&one, a, Vec3::ZERO), state(&other, b, Vec3::ZERO));
                assert_eq!(states.0, states.1, "{name}: {a} and {b} at tick {tick}");
            }
        }
    }
}

/// In the mirror that turns x around: M = diag(−1, 1, 1).
fn turned_around(v: Vec3) -> Vec3 {
    Vec3::new(-v.x, v.y, v.z)
}

/// M ω det M: what turns.
fn turning(v: Vec3) -> Vec3 {
    Vec3::new(v.x, -v.y, -v.z)
}

/// M R M.
fn rotation(q: Quat) -> Quat {
    Quat { y: -q.y, z: -q.z, ..q }
}

fn pose(pose: Pose) -> Pose {
    Pose::new(rotation(pose.rotation), turned_around(pose.translation))
}

fn shape(shape: Shape) -> Shape {
    match shape {
        Shape::Sphere(ball) => Sphere::new(turned_around(ball.center()), ball.radius()).unwrap().into(),
        Shape::Box(cuboid) => {
            Obb::new(turned_around(cuboid.center()), cuboid.half_extents(), rotation(cuboid.rotation()))
                .unwrap()
                .into()
        }
        // Its ends change places, as they have one at positive x.
        Shape::Capsule(capsule) => {
            Capsule::new(turned_around(capsule.a()), turned_around(capsule.b()), capsule.radius())
                .unwrap()
                .into()
        }
        other => panic!("no scene of joints has {other:?}"),
    }
}

/// Frames of the image are M F M: a rotation about their x axes is the same one, a way along them the opposite one. A wheel is
/// steered the other way.
fn kind(kind: JointKind) -> JointKind {
    let back = |limits: Limits| Limits { lower: -limits.upper, upper: -limits.lower };
    match kind {
        JointKind::Slider { limits, motor } => JointKind::Slider {
            limits: limits.map(back),
            motor: motor.map(|motor| Motor { position: -motor.position, velocity: -motor.velocity, ..motor }),
        },
        JointKind::Ball { swing_limit, twist_limits, motor } => {
            let motor = motor.map(|mut motor| {
                motor.rotation = rotation(motor.rotation);
                motor.velocity = turning(motor.velocity);
                motor
            });
            JointKind::Ball { swing_limit, twist_limits, motor }
        }
        JointKind::Target { pose: target, linear, angular } => {
            JointKind::Target { pose: pose(target), linear, angular }
        }
        JointKind::Wheel { limits, suspension, motor, steering } => {
            JointKind::Wheel { limits, suspension, motor, steering: -steering }
        }
        other => other,
    }
}

fn mirrored(command: Command) -> Command {
    match command {
        Command::AddBody(mut body) => {
            body.pose = pose(body.pose);
            body.linear_velocity = turned_around(body.linear_velocity);
            body.angular_velocity = turning(body.angular_velocity);
            Command::AddBody(body)
        }
        Command::AddCollider { body, mut collider } => {
            collider.shape = shape(collider.shape);
            collider.pose = pose(collider.pose);
            Command::AddCollider { body, collider }
        }
        Command::AddJoint(mut joint) => {
            (joint.frame_a, joint.frame_b) = (pose(joint.frame_a), pose(joint.frame_b));
            joint.kind = kind(joint.kind);
            Command::AddJoint(joint)
        }
        other => panic!("scenes have no {other:?}"),
    }
}

/// Steps a scene and its image, and panics where they differ.
fn assert_mirrors(name: &str, commands: &[Command], ticks: u32) {
    let images: Vec<Command> = commands.iter().map(|&command| mirrored(command)).collect();
    let (mut world, mut image) = (world_of(commands), world_of(&images));
    for tick in 0..ticks {
        world.step();
        image.step();
        for body in bodies(&world) {
            let (place, turn, linear, angular) = state(&image, body, Vec3::ZERO);
            let seen = (turned_around(place), rotation(turn), turned_around(linear), turning(angular));
            assert_eq!(state(&world, body, Vec3::ZERO), seen, "{name}: {body} at tick {tick}");
        }
    }
}

#[test]
fn a_scene_of_joints_moves_like_its_image_in_a_mirror() {
    for (name, size) in [("pendulum", 3), ("chain", 10), ("joint-grid", 6), ("cradle", 5)] {
        assert_mirrors(name, &commands(name, size), 240);
    }
}

/// Where boxes touch there are contacts of points that are equally deep, and the mirror chooses others. So these fly.
#[test]
fn joints_with_limits_and_motors_move_like_their_image_in_a_mirror() {
    let mut rng = Rng::new(12, 0);
    for (name, size) in [("ragdolls", 2), ("doors", 1), ("cars", 1)] {
        let mut commands = commands(name, size);
        for command in &mut commands {
            match command {
                Command::AddBody(body) if body.kind == BodyKind::Dynamic => {
                    body.gravity_scale = fx!(0.1);
                    body.angular_velocity = rng.unit_vec3() * fx!(3);
                    body.linear_velocity = rng.unit_vec3();
                }
                Command::AddCollider { collider, .. } => collider.filter.mask = 0,
                _ => {}
            }
        }
        assert_mirrors(name, &commands, 240);
    }
}

#[test]
fn the_commands_of_scenes_name_bodies_by_their_numbers() {
    for (name, size) in SCENES {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let mut number = 0;
        for command in commands(name, size) {
            if let Outcome::Body(body) = world.apply(&command).unwrap() {
                assert_eq!(body, BodyHandle { index: number, generation: 0 });
                number += 1;
            }
        }
    }
}
