//! Every command with values that are allowed and values that are not: after an error the world is as it was.

mod door;

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    AxisLocks, BodyDef, BodyHandle, BodyKind, ColliderDef, ColliderHandle, CombineRule, Command,
    CommandError, Continuous, Event, Filter, MAX_COORDINATE, Material, Outcome, Snapshot, World, WorldConfig,
};

/// A world with a body of each kind, each with a collider, one of them a sensor.
struct Scene {
    world: World,
    dynamic: BodyHandle,
    kinematic: BodyHandle,
    fixed: BodyHandle,
    /// Removed.
    stale: BodyHandle,
    collider: ColliderHandle,
    stale_collider: ColliderHandle,
}

fn ball(radius: Fx) -> Shape {
    Sphere::from_radius(radius).unwrap().into()
}

fn scene() -> Scene {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let mut add = |def: BodyDef| {
        let body = world.add_body(def).unwrap();
        (body, world.add_collider(body, ColliderDef::new(ball(fx!(0.5)))).unwrap())
    };
    let (dynamic, collider) = add(BodyDef::dynamic(Vec3::Y * fx!(3)));
    let (kinematic, _) = add(BodyDef::kinematic(Vec3::X * fx!(3)));
    let (fixed, _) = add(BodyDef::fixed(Vec3::X * fx!(-3)));
    let (stale, stale_collider) = add(BodyDef::dynamic(Vec3::Z * fx!(9)));
    world.remove_body(stale).unwrap();
    Scene { world, dynamic, kinematic, fixed, stale, collider, stale_collider }
}

impl Scene {
    #[track_caller]
    fn refuses(&mut self, command: Command, expected: CommandError) {
        door::refuses(&mut self.world, &command, expected);
    }

    #[track_caller]
    fn takes(&mut self, command: Command) -> Outcome {
        door::takes(&mut self.world, &command)
    }
}

/// A command about a body.
fn about(body: BodyHandle) -> Vec<Command> {
    let (vector, pose) = (Vec3::X, Pose::IDENTITY);
    vec![
        Command::RemoveBody(body),
        Command::AddCollider { body, collider: ColliderDef::new(ball(fx!(1))) },
        Command::SetPose { body, pose },
        Command::SetVelocity { body, linear: vector, angular: vector },
        Command::SetKinematicTarget { body, pose },
        Command::ApplyImpulse { body, impulse: vector },
        Command::ApplyImpulseAt { body, impulse: vector, point: vector },
        Command::ApplyAngularImpulse { body, impulse: vector },
        Command::ApplyForce { body, force: vector },
        Command::ApplyForceAt { body, force: vector, point: vector },
        Command::ApplyTorque { body, torque: vector },
        Command::Wake(body),
        Command::SetGravityScale { body, scale: fx!(2) },
        Command::SetDamping { body, linear: fx!(1), angular: fx!(1) },
        Command::SetLocks { body, locks: AxisLocks::PLANE_XY },
        Command::SetMass { body, mass: Some(fx!(2)) },
        Command::SetCanSleep { body, can_sleep: false },
        Command::SetContinuous { body, continuous: Continuous::All },
        Command::SetBodyUserData { body, user_data: 1 },
    ]
}

#[test]
fn handles_of_what_is_gone_or_never_was_are_refused_by_every_command() {
    let mut scene = scene();
    let foreign = BodyHandle { index: 700, generation: 0 };
    let future = BodyHandle { generation: scene.dynamic.generation + 1, ..scene.dynamic };
    for body in [scene.stale, foreign, future] {
        for command in about(body) {
            scene.refuses(command, CommandError::StaleBody(body));
        }
        for (a, b) in [(body, scene.dynamic), (scene.dynamic, body)] {
            scene.refuses(Command::SetPairExcluded { a, b, excluded: true }, CommandError::StaleBody(body));
        }
    }
    let foreign = ColliderHandle { index: 700, generation: 0 };
    for collider in [scene.stale_collider, foreign] {
        for command in [
            Command::RemoveCollider(collider),
            Command::SetMaterial { collider, material: Material::default() },
            Command::SetFilter { collider, filter: Filter::default() },
            Command::SetColliderUserData { collider, user_data: 1 },
        ] {
            scene.refuses(command, CommandError::StaleCollider(collider));
        }
    }
    assert!(scene.world.body(scene.stale).is_none() && scene.world.collider(scene.stale_collider).is_none());
}

#[test]
fn a_slot_that_is_used_again_has_another_generation() {
    let mut scene = scene();
    let body = scene.world.add_body(BodyDef::default()).unwrap();
    assert_eq!(body.index, scene.stale.index);
    assert_ne!(body.generation, scene.stale.generation);
    scene.refuses(Command::RemoveBody(scene.stale), CommandError::StaleBody(scene.stale));
    scene.takes(Command::RemoveBody(body));
}

#[test]
fn every_command_about_a_body_of_the_right_kind_is_taken() {
    for command in about(scene().dynamic) {
        let mut scene = scene();
        match command {
            Command::SetKinematicTarget { .. } => {
                scene.refuses(command, CommandError::NotKinematic(scene.dynamic));
            }
            _ => drop(scene.takes(command)),
        }
    }
    for (kinematic, command) in
        [false, true].into_iter().flat_map(|kinematic| (0..19).map(move |command| (kinematic, command)))
    {
        let mut scene = scene();
        let body = if kinematic { scene.kinematic } else { scene.fixed };
        let command = about(body)[command];
        match command {
            Command::SetVelocity { .. } if !kinematic => scene.refuses(command, CommandError::IsFixed(body)),
            Command::SetKinematicTarget { .. } if !kinematic => {
                scene.refuses(command, CommandError::NotKinematic(body));
            }
            Command::ApplyImpulse { .. }
            | Command::ApplyImpulseAt { .. }
            | Command::ApplyAngularImpulse { .. }
            | Command::ApplyForce { .. }
            | Command::ApplyForceAt { .. }
            | Command::ApplyTorque { .. }
            | Command::SetMass { .. } => scene.refuses(command, CommandError::NotDynamic(body)),
            _ => drop(scene.takes(command)),
        }
    }
}

#[test]
fn positions_are_taken_up_to_the_edge_of_the_world() {
    let mut scene = scene();
    let body = scene.dynamic;
    for edge in [MAX_COORDINATE, -MAX_COORDINATE] {
        for axis in 0..3 {
            let mut position = Vec3::ZERO;
            position[axis] = edge;
            let pose = Pose::from_translation(position);
            scene.takes(Command::SetPose { body, pose });
            scene.takes(Command::SetKinematicTarget { body: scene.kinematic, pose });
            scene.takes(Command::AddBody(BodyDef::kinematic(position)));
            scene.takes(Command::ApplyForceAt { body, force: Vec3::X, point: position });
            position[axis] += if edge > Fx::ZERO { Fx::EPSILON } else { -Fx::EPSILON };
            let pose = Pose::from_translation(position);
            let error = |of| CommandError::PositionOutOfRange { of, position };
            scene.refuses(Command::SetPose { body, pose }, error("the body"));
            scene.refuses(Command::SetKinematicTarget { body: scene.kinematic, pose }, error("the target"));
            scene.refuses(Command::AddBody(BodyDef::dynamic(position)), error("the body"));
            let push = Command::ApplyImpulseAt { body, impulse: Vec3::X, point: position };
            scene.refuses(push, error("the point"));
            let pull = Command::ApplyForceAt { body, force: Vec3::X, point: position };
            scene.refuses(pull, error("the point"));
            let collider = ColliderDef::new(ball(fx!(1))).at(pose);
            scene.refuses(Command::AddCollider { body, collider }, error("the collider"));
        }
    }
}

#[test]
fn a_centre_of_mass_beyond_the_edge_is_refused() {
    let mut scene = scene();
    let edge = scene.world.add_body(BodyDef::dynamic(Vec3::X * MAX_COORDINATE)).unwrap();
    let outward = ColliderDef::new(ball(fx!(1))).at(Pose::from_translation(Vec3::X));
    let position = Vec3::X * (MAX_COORDINATE + Fx::ONE);
    let error = CommandError::PositionOutOfRange { of: "the centre of mass", position };
    scene.refuses(Command::AddCollider { body: edge, collider: outward }, error);
    let inward = ColliderDef::new(ball(fx!(1))).at(Pose::from_translation(Vec3::NEG_X));
    scene.takes(Command::AddCollider { body: edge, collider: inward });
    // Its origin may be at the other edge, but for its centre.
    let pose = Pose::from_translation(Vec3::X * -MAX_COORDINATE);
    let position = Vec3::X * (-MAX_COORDINATE - Fx::ONE);
    let error = CommandError::PositionOutOfRange { of: "the centre of mass", position };
    scene.refuses(Command::SetPose { body: edge, pose }, error);
}

#[test]
fn a_shape_that_reaches_out_of_the_range_of_its_body_is_refused() {
    let mut scene = scene();
    let body = scene.world.add_body(BodyDef::fixed(Vec3::X * MAX_COORDINATE)).unwrap();
    let at = |x: Fx| Sphere::new(Vec3::X * x, fx!(1)).unwrap();
    scene.takes(Command::AddCollider { body, collider: ColliderDef::new(at(MAX_COORDINATE - fx!(1))) });
    let error =
        |x: Fx| CommandError::PositionOutOfRange { of: "the shape", position: Vec3::new(x, fx!(1), fx!(1)) };
    let collider = ColliderDef::new(at(MAX_COORDINATE));
    scene.refuses(Command::AddCollider { body, collider }, error(MAX_COORDINATE + fx!(1)));
    // Both are in the range, and what comes of them is not.
    let half = MAX_COORDINATE / fx!(2);
    let collider = ColliderDef::new(at(half)).at(Pose::from_translation(Vec3::X * half));
    scene.refuses(Command::AddCollider { body, collider }, error(MAX_COORDINATE + fx!(1)));
    scene
        .takes(Command::AddCollider { body, collider: ColliderDef::new(HalfSpace::ground(-MAX_COORDINATE)) });
}

#[test]
fn rotations_need_unit_length() {
    let mut scene = scene();
    let body = scene.dynamic;
    let long = Quat::from_xyzw(fx!(0), fx!(0), fx!(0), fx!(1.001));
    for rotation in [long, Quat::from_xyzw(fx!(0), fx!(0), fx!(0), fx!(0))] {
        let pose = Pose::from_rotation(rotation);
        let error = |of| CommandError::UnnormalizedRotation { of, rotation };
        scene.refuses(Command::SetPose { body, pose }, error("the body"));
        scene.refuses(Command::SetKinematicTarget { body: scene.kinematic, pose }, error("the target"));
        scene.refuses(Command::AddBody(BodyDef { pose, ..BodyDef::default() }), error("the body"));
        let collider = ColliderDef::new(ball(fx!(1))).at(pose);
        scene.refuses(Command::AddCollider { body, collider }, error("the collider"));
    }
    scene.takes(Command::SetPose { body, pose: Pose::from_rotation(Quat::from_rotation_x(fx!(2))) });
}

#[test]
fn factors_and_flags_are_held_to_their_ranges() {
    let mut scene = scene();
    let body = scene.dynamic;
    for scale in [fx!(100), fx!(-100)] {
        scene.takes(Command::SetGravityScale { body, scale });
        let value = scale + scale.signum() * Fx::EPSILON;
        let error = CommandError::GravityScaleOutOfRange { value };
        scene.refuses(Command::SetGravityScale { body, scale: value }, error);
        scene.refuses(Command::AddBody(BodyDef { gravity_scale: value, ..BodyDef::default() }), error);
    }
    for (value, good) in [(fx!(0), true), (fx!(1000), true), (-Fx::EPSILON, false), (Fx::MAX, false)] {
        let (linear, angular) = ("linear damping", "angular damping");
        let commands = [
            (Command::SetDamping { body, linear: value, angular: fx!(0) }, linear),
            (Command::SetDamping { body, linear: fx!(0), angular: value }, angular),
            (Command::AddBody(BodyDef { linear_damping: value, ..BodyDef::default() }), linear),
            (Command::AddBody(BodyDef { angular_damping: value, ..BodyDef::default() }), angular),
        ];
        for (command, field) in commands {
            if good {
                scene.takes(command);
            } else {
                scene.refuses(command, CommandError::DampingOutOfRange { field, value });
            }
        }
    }
    for layer in [0, 31] {
        scene.takes(Command::SetLayersMeet { a: layer, b: 3, meet: false });
        let filter = Filter { layer, ..Filter::default() };
        scene.takes(Command::SetFilter { collider: scene.collider, filter });
    }
    let error = CommandError::LayerOutOfRange { layer: 32 };
    scene.refuses(Command::SetLayersMeet { a: 32, b: 0, meet: true }, error);
    scene.refuses(Command::SetLayersMeet { a: 0, b: 32, meet: true }, error);
    let filter = Filter { layer: 32, ..Filter::default() };
    scene.refuses(Command::SetFilter { collider: scene.collider, filter }, error);
    let collider = ColliderDef::new(ball(fx!(1))).with_filter(filter);
    scene.refuses(Command::AddCollider { body, collider }, error);
    let exclude = |a, b| Command::SetPairExcluded { a, b, excluded: true };
    scene.refuses(exclude(body, body), CommandError::SameBody(body));
    scene.takes(exclude(body, scene.fixed));
    scene.takes(exclude(scene.fixed, body));
}

#[test]
fn errors_say_in_words_what_was_wrong_and_what_is_allowed() {
    let Scene { mut world, dynamic, kinematic, fixed, .. } = scene();
    let out = Vec3::X * fx!(-1073741825);
    let long = Pose::from_rotation(Quat::from_xyzw(fx!(0), fx!(0), fx!(0), fx!(2)));
    let range = "is [-1073741825, 0, 0]: coordinates must be within ±1073741824 m";
    let unit = "is [0, 0, 0, 2]: a rotation needs a quaternion of length 1; normalize it";
    let plane = ColliderDef::new(HalfSpace::ground(fx!(0)));
    let half_space = "a half-space has no end and no mass, and belongs on a fixed body";
    let ball = ColliderDef::new(ball(fx!(1)));
    let large = ColliderDef::new(Sphere::from_radius(fx!(200)).unwrap());
    let damped = BodyDef { linear_damping: fx!(2000), ..BodyDef::default() };
    let told = [
        (world.apply_force_at(dynamic, Vec3::X, out), format!("position of the point {range}")),
        (world.set_pose(dynamic, Pose::from_translation(out)), format!("position of the body {range}")),
        (world.set_kinematic_target(kinematic, long), format!("rotation of the target {unit}")),
        (world.add_collider(fixed, ball.at(long)).map(drop), format!("rotation of the collider {unit}")),
        (
            world.set_damping(dynamic, fx!(1), fx!(-1)),
            "angular damping is -1: it must be from 0 to 1000 /s".into(),
        ),
        (world.add_body(damped).map(drop), "linear damping is 2000: it must be from 0 to 1000 /s".into()),
        (world.add_collider(kinematic, plane).map(drop), format!("body 1.0 is not fixed: {half_space}")),
        (world.add_collider(dynamic, plane).map(drop), format!("body 0.0 is not fixed: {half_space}")),
        (
            world.add_collider(dynamic, large).map(drop),
            "body 0.0 would reach 200.0000000002 m from its centre of mass: at most 120 m are allowed for a \
             dynamic body"
                .into(),
        ),
        (world.set_velocity(fixed, Vec3::X, Vec3::X), "body 2.0 is fixed: it has no velocity".into()),
        (
            world.set_mass(kinematic, None),
            "body 1.0 is not dynamic: only dynamic bodies have a mass and follow forces".into(),
        ),
        (
            world.set_kinematic_target(dynamic, Pose::IDENTITY),
            "body 0.0 is not kinematic: only kinematic bodies have targets".into(),
        ),
    ];
    for (refused, text) in told {
        assert_eq!(refused.unwrap_err().to_string(), text);
    }
}

#[test]
fn gravity_is_held_to_its_range() {
    let mut scene = scene();
    scene.takes(Command::SetGravity(vec3(fx!(1000), fx!(-1000), fx!(0))));
    let strong = Command::SetGravity(vec3(fx!(0), fx!(-1000.001), fx!(0)));
    let (hash, error) = (scene.world.state_hash(), scene.world.apply(&strong).unwrap_err());
    let error = error.to_string();
    assert!(
        error.starts_with("gravity is -1000.001")
            && error.ends_with(" along y: it must be from -1000 to 1000"),
        "{error}"
    );
    let error = scene.world.set_layers_meet(1, 32, true).unwrap_err();
    assert_eq!(error.to_string(), "layer 32: it must be below 32");
    assert_eq!(scene.world.state_hash(), hash);
}

#[test]
fn masses_and_densities_are_above_zero_and_bodies_not_too_large() {
    let mut scene = scene();
    let body = scene.dynamic;
    for mass in [Fx::EPSILON, fx!(1), Fx::MAX] {
        scene.takes(Command::SetMass { body, mass: Some(mass) });
        scene.takes(Command::AddBody(BodyDef { mass: Some(mass), ..BodyDef::default() }));
    }
    scene.takes(Command::SetMass { body, mass: None });
    let sound = |scene: &mut Scene, command: Command, name: &str| {
        let hash = scene.world.state_hash();
        let error = scene.world.apply(&command).expect_err(name);
        assert_eq!(scene.world.state_hash(), hash, "{error}");
        error
    };
    for mass in [Fx::ZERO, fx!(-1), Fx::MIN] {
        let error = sound(&mut scene, Command::SetMass { body, mass: Some(mass) }, "mass");
        assert!(matches!(error, CommandError::Mass(_)), "{error}");
        let def = BodyDef { mass: Some(mass), ..BodyDef::default() };
        sound(&mut scene, Command::AddBody(def), "mass");
        let collider = ColliderDef::new(ball(fx!(1))).with_density(mass);
        sound(&mut scene, Command::AddCollider { body, collider }, "density");
    }
    let plane = ColliderDef::new(HalfSpace::ground(fx!(0)));
    for body in [scene.dynamic, scene.kinematic] {
        for collider in [plane, plane.as_sensor()] {
            scene.refuses(Command::AddCollider { body, collider }, CommandError::NotFixed(body));
        }
    }
    scene.takes(Command::AddCollider { body: scene.fixed, collider: plane });
    let long = ColliderDef::new(Capsule::along_y(fx!(119), fx!(0.5)).unwrap());
    let body = scene.world.add_body(BodyDef::default()).unwrap();
    scene.takes(Command::AddCollider { body, collider: long });
    let longer = ColliderDef::new(Capsule::along_y(fx!(121), fx!(0.5)).unwrap());
    let error = sound(&mut scene, Command::AddCollider { body, collider: longer }, "too long");
    assert!(matches!(error, CommandError::BodyTooLarge { body: of, .. } if of == body), "{error}");
    // What only looks has no arms.
    let view = ColliderDef::new(ball(fx!(5000))).as_sensor().at(Pose::from_translation(Vec3::Z * fx!(900)));
    scene.takes(Command::AddCollider { body, collider: view });
}

#[test]
fn fixed_bodies_are_added_without_velocities_and_only_dynamic_ones_with_a_mass() {
    let mut scene = scene();
    let add = |kind, linear_velocity, angular_velocity, mass| {
        let def = BodyDef { kind, linear_velocity, angular_velocity, mass, ..BodyDef::default() };
        Command::AddBody(def)
    };
    let (zero, velocity) = (Vec3::ZERO, Vec3::Z * Fx::EPSILON);
    for kind in [BodyKind::Dynamic, BodyKind::Kinematic] {
        scene.takes(add(kind, velocity, velocity, None));
    }
    for (linear, angular, field) in
        [(velocity, zero, "linear velocity"), (zero, velocity, "angular velocity")]
    {
        let error = CommandError::FixedWithVelocity { field, velocity };
        scene.refuses(add(BodyKind::Fixed, linear, angular, None), error);
    }
    for kind in [BodyKind::Kinematic, BodyKind::Fixed] {
        for value in [fx!(5), fx!(-5)] {
            let error = CommandError::MassWithoutForces { value };
            scene.refuses(add(kind, zero, zero, Some(value)), error);
        }
    }
    scene.takes(add(BodyKind::Dynamic, zero, zero, Some(fx!(5))));
    let moving = BodyDef::fixed(Vec3::ZERO).moving(Vec3::X).validate().unwrap_err().to_string();
    let none = "linear velocity is [1, 0, 0]: a fixed body has none, a kinematic one moves as told";
    assert_eq!(moving, none);
    let heavy = BodyDef { mass: Some(fx!(5)), ..BodyDef::kinematic(Vec3::ZERO) };
    let text = "mass is 5 for a body that is not dynamic: no force moves it whatever it weighs";
    assert_eq!(heavy.validate().unwrap_err().to_string(), text);
}

#[test]
fn a_collider_whose_removal_would_leave_a_body_too_large_stays() {
    let mut scene = scene();
    let body = scene.world.add_body(BodyDef::default()).unwrap();
    let at = |x: Fx| Pose::from_translation(Vec3::X * x);
    let heavy = ColliderDef::new(ball(fx!(1))).with_density(fx!(20000)).at(at(fx!(0)));
    let heavy = scene.world.add_collider(body, heavy).unwrap();
    let light = ColliderDef::new(ball(fx!(1))).with_density(fx!(0.001)).at(at(fx!(100)));
    scene.world.add_collider(body, light).unwrap();
    let lightest = ColliderDef::new(ball(fx!(1))).with_density(fx!(0.00001)).at(at(fx!(-100)));
    scene.world.add_collider(body, lightest).unwrap();
    let (hash, before) = (scene.world.state_hash(), scene.world.snapshot());
    let error = scene.world.remove_collider(heavy).unwrap_err();
    assert!(matches!(error, CommandError::BodyTooLarge { body: of, .. } if of == body), "{error}");
    assert_eq!(scene.world.state_hash(), hash);
    assert_eq!(scene.world.snapshot().difference(&before), None);
}

#[test]
fn materials_are_held_to_their_ranges() {
    let mut scene = scene();
    let good = Material::default();
    for (material, fits) in [
        (Material { friction: fx!(10), ..good }, true),
        (Material { friction: fx!(10.1), ..good }, false),
        (Material { restitution: fx!(1), ..good }, true),
        (Material { restitution: fx!(1.1), ..good }, false),
        (Material { restitution: -Fx::EPSILON, ..good }, false),
        (Material { rolling_resistance: fx!(1), ..good }, true),
        (Material { rolling_resistance: fx!(-1), ..good }, false),
    ] {
        let set = Command::SetMaterial { collider: scene.collider, material };
        let add = ColliderDef::new(ball(fx!(1))).with_material(material);
        let add = Command::AddCollider { body: scene.dynamic, collider: add };
        if fits {
            scene.takes(set);
            scene.takes(add);
        } else {
            let error = CommandError::Material(material.validate().unwrap_err());
            scene.refuses(set, error);
            scene.refuses(add, error);
        }
    }
}

#[test]
fn random_streams_are_drawn_by_command_and_come_back_with_a_snapshot() {
    let mut scene = scene();
    let start = scene.world.snapshot();
    let draw = |world: &mut World, stream| world.draw_random(stream).unwrap();
    let drawn: Vec<u64> = [0, 0, 9, 0, u32::MAX].map(|stream| draw(&mut scene.world, stream)).to_vec();
    assert_ne!(drawn[0], drawn[1]);
    assert_ne!(drawn[0], drawn[2]);
    scene.world.load(&start);
    assert_eq!(draw(&mut scene.world, 9), drawn[2]);
    assert_eq!(draw(&mut scene.world, 0), drawn[0]);
    door::assert_sound(&scene.world);
}

#[test]
fn what_falls_asleep_on_a_body_that_left_the_world_keeps_touching_it_and_wakes_with_it() {
    let mut world = World::new(WorldConfig { sleep_ticks: 5, ..WorldConfig::default() }).unwrap();
    let edge = Vec3::X * (MAX_COORDINATE - fx!(0.5));
    let cube = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    let add = |world: &mut World, def| {
        let body = world.add_body(def).unwrap();
        world.add_collider(body, ColliderDef::new(cube)).unwrap();
        body
    };
    let held = add(&mut world, BodyDef::dynamic(edge).moving(Vec3::X * fx!(60)));
    world.step();
    let above = add(&mut world, BodyDef::dynamic(edge.saturating_add(Vec3::Y)));
    let below = edge.saturating_add(vec3(fx!(-0.2), fx!(-1), fx!(0)));
    let below = add(&mut world, BodyDef { gravity_scale: fx!(-1), ..BodyDef::dynamic(below) });
    for _ in 0..60 {
        world.step();
    }
    assert!(world.body(held).unwrap().is_frozen());
    let asleep = |world: &World| [above, below].map(|body| world.body(body).unwrap().is_asleep());
    assert_eq!(asleep(&world), [true; 2]);
    for _ in 0..5 {
        world.step();
        assert_eq!(world.events(), []);
        assert_eq!(world.contacts().filter(|contact| contact.touching).count(), 2);
        assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
    }
    // What stands still holds nothing together.
    world.wake_body(above).unwrap();
    assert_eq!(asleep(&world), [false, true]);
    world.step();
    assert_eq!(world.contacts().filter(|contact| contact.touching).count(), 2);
    world.set_pose(held, Pose::IDENTITY).unwrap();
    assert_eq!(asleep(&world), [false; 2]);
}

#[test]
fn what_leaves_the_world_beside_a_sleeper_leaves_a_sound_state() {
    let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 2, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let cube = |half: Fx| ColliderDef::new(Obb::from_half_extents(Vec3::splat(half)).unwrap());
    let sleeper = world.add_body(BodyDef::dynamic(Vec3::X * (MAX_COORDINATE - fx!(1)))).unwrap();
    world.add_collider(sleeper, cube(fx!(0.5))).unwrap();
    for _ in 0..5 {
        world.step();
    }
    let leaver = BodyDef::dynamic(Vec3::X * MAX_COORDINATE).moving(Vec3::X * fx!(10));
    let leaver = world.add_body(leaver).unwrap();
    world.add_collider(leaver, cube(fx!(0.495))).unwrap();
    world.step();
    assert!(world.body(sleeper).unwrap().is_asleep() && world.body(leaver).unwrap().is_frozen());
    assert_eq!(world.contacts().count(), 1);
    door::assert_sound(&world);
}

#[test]
fn what_leaves_the_world_does_not_fall_asleep_in_the_same_step() {
    let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 2, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let speed = config.sleep_speed / fx!(2);
    let places = [MAX_COORDINATE - fx!(0.004), MAX_COORDINATE - fx!(1.004)];
    let [first, _] = [0, 1].map(|i| {
        let def =
            BodyDef { can_sleep: i == 0, ..BodyDef::dynamic(Vec3::X * places[i]).moving(Vec3::X * speed) };
        let body = world.add_body(def).unwrap();
        let cube = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
        world.add_collider(body, ColliderDef::new(cube)).unwrap();
        body
    });
    let mut told = Vec::new();
    for _ in 0..30 {
        world.step();
        let of_body =
            |event: &&Event| !matches!(event, Event::ContactBegin { .. } | Event::ContactEnd { .. });
        told.extend(world.events().iter().filter(of_body).copied());
        door::assert_sound(&world);
    }
    assert_eq!(told, [Event::OutOfBounds { body: first }]);
}

#[test]
fn a_body_that_leaves_the_world_is_frozen_and_told_of_until_its_pose_is_set() {
    for kind in [BodyKind::Dynamic, BodyKind::Kinematic] {
        let mut scene = scene();
        let edge = Vec3::X * (MAX_COORDINATE - fx!(1));
        let def = BodyDef { kind, ..BodyDef::dynamic(edge).moving(Vec3::X * fx!(40)) };
        let body = scene.world.add_body(def).unwrap();
        scene.world.add_collider(body, ColliderDef::new(ball(fx!(0.5)))).unwrap();
        let mut told = 0;
        for _ in 0..10 {
            scene.world.step();
            let left = Event::OutOfBounds { body };
            told += scene.world.events().iter().filter(|&&event| event == left).count();
            door::assert_sound(&scene.world);
        }
        assert_eq!(told, 1);
        let view = scene.world.body(body).unwrap();
        assert!(view.is_frozen() && view.position().x <= MAX_COORDINATE);
        assert_eq!(view.linear_velocity(), Vec3::ZERO);
        // Nothing moves it.
        let before = scene.world.body(body).unwrap().pose();
        for command in about(body) {
            if matches!(
                command,
                Command::RemoveBody(_) | Command::SetPose { .. } | Command::AddCollider { .. }
            ) {
                continue;
            }
            let _ = scene.world.apply(&command);
            door::assert_sound(&scene.world);
        }
        scene.world.step();
        let view = scene.world.body(body).unwrap();
        assert_eq!((view.pose(), view.linear_velocity()), (before, Vec3::ZERO));
        scene.world.set_locks(body, AxisLocks::NONE).unwrap();
        scene.takes(Command::SetPose { body, pose: Pose::IDENTITY });
        scene.takes(Command::SetVelocity { body, linear: Vec3::X, angular: Vec3::ZERO });
        scene.world.step();
        let view = scene.world.body(body).unwrap();
        assert!(!view.is_frozen() && view.position().x > fx!(0.01), "{}", view.position());
    }
}

#[test]
fn what_would_move_a_body_that_left_the_world_is_taken_and_leaves_it_at_rest_where_it_is_put() {
    use BodyKind::{Dynamic, Kinematic};
    for (kind, waits) in [(Dynamic, true), (Dynamic, false), (Kinematic, true), (Kinematic, false)] {
        let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
        let edge = Vec3::X * (MAX_COORDINATE - Fx::ONE);
        let def = BodyDef { kind, ..BodyDef::dynamic(edge).moving(Vec3::X * fx!(400)) };
        let body = world.add_body(def).unwrap();
        world.step();
        assert!(world.body(body).unwrap().is_frozen());
        world.set_velocity(body, Vec3::NEG_X, Vec3::Y).unwrap();
        if kind == Dynamic {
            world.apply_impulse(body, Vec3::NEG_X).unwrap();
            world.apply_impulse_at(body, Vec3::NEG_X, Vec3::ZERO).unwrap();
            world.apply_angular_impulse(body, Vec3::Y).unwrap();
            world.apply_force(body, Vec3::NEG_X).unwrap();
            world.apply_force_at(body, Vec3::NEG_X, Vec3::ZERO).unwrap();
            world.apply_torque(body, Vec3::Y).unwrap();
        } else {
            world.set_kinematic_target(body, Pose::from_translation(Vec3::Z)).unwrap();
        }
        if waits {
            world.step();
        }
        world.set_pose(body, Pose::IDENTITY).unwrap();
        world.step();
        let view = world.body(body).unwrap();
        assert_eq!((view.pose(), view.is_frozen()), (Pose::IDENTITY, false));
        assert_eq!((view.linear_velocity(), view.angular_velocity()), (Vec3::ZERO, Vec3::ZERO));
    }
}

#[test]
fn removing_what_woke_and_taking_its_slot_wakes_nobody() {
    let mut scene = scene();
    let ground = scene.world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    scene.world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    let crate_ = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    let body = scene.world.add_body(BodyDef::dynamic(vec3(fx!(9), fx!(0.5), fx!(0)))).unwrap();
    scene.world.add_collider(body, ColliderDef::new(crate_)).unwrap();
    for _ in 0..120 {
        scene.world.step();
    }
    assert!(scene.world.body(body).unwrap().is_asleep());
    scene.world.wake_body(body).unwrap();
    scene.world.remove_body(body).unwrap();
    let other = scene.world.add_body(BodyDef::dynamic(vec3(fx!(20), fx!(9), fx!(0)))).unwrap();
    assert_eq!(other.index, body.index);
    scene.world.step();
    assert!(!scene.world.events().iter().any(|event| matches!(event, Event::Wake { .. })));
}

#[test]
fn bodies_at_one_point_are_pushed_apart_in_bounded_time() {
    // Each pair is a contact: their number grows with the square of the bodies.
    let mut world = World::new(WorldConfig::default()).unwrap();
    let cube = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    let bodies: Vec<BodyHandle> = (0..150)
        .map(|i| {
            let body = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
            let shape: Shape = if i % 2 == 0 { cube.into() } else { ball(fx!(0.5)) };
            world.add_collider(body, ColliderDef::new(shape)).unwrap();
            body
        })
        .collect();
    for _ in 0..30 {
        world.step();
    }
    for &body in &bodies {
        let view = world.body(body).unwrap();
        assert!(view.linear_velocity().length() <= fx!(500.001), "{}", view.linear_velocity());
        assert!(view.position().length() < fx!(1000), "{}", view.position());
    }
    assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
}

#[test]
fn ten_thousand_bodies_at_the_cap_of_speed_fly_through_each_other_without_end() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for i in 0..10_000 {
        let at = vec3(Fx::from_int(i % 100), Fx::from_int(i / 100), fx!(0)) * fx!(3);
        let velocity =
            vec3(Fx::from_int(i % 7 - 3), Fx::from_int(i % 5 - 2), Fx::from_int(i % 3 - 1)) * fx!(1000);
        let body = world.add_body(BodyDef::dynamic(at).moving(velocity).turning(velocity)).unwrap();
        world.add_collider(body, ColliderDef::new(ball(fx!(0.5)))).unwrap();
    }
    for _ in 0..8 {
        world.step();
    }
    assert!(world.bodies().all(|body| body.linear_velocity().length() <= fx!(500.000001)));
    assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
}

#[test]
fn what_rests_on_a_thing_that_a_command_changes_rests_anew() {
    let level = fx!(0.01745);
    for ticks in 0..40 {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
        let slope = Pose::from_rotation(Quat::from_rotation_z(level));
        let slab = Obb::from_half_extents(vec3(fx!(50), fx!(1), fx!(50))).unwrap();
        let slab = world.add_collider(ground, ColliderDef::new(slab).at(slope)).unwrap();
        let at = slope.transform_point(vec3(fx!(0), fx!(1.5), fx!(0)));
        let body = world.add_body(BodyDef::dynamic(at).rotated(slope.rotation)).unwrap();
        let cube = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
        world.add_collider(body, ColliderDef::new(cube)).unwrap();
        for _ in 0..ticks {
            world.step();
        }
        let ice = Material { friction: fx!(0), friction_rule: CombineRule::Multiply, ..Material::default() };
        world.set_material(slab, ice).unwrap();
        for _ in 0..60 {
            world.step();
        }
        let view = world.body(body).unwrap();
        assert!(!view.is_asleep() && view.linear_velocity().length() > fx!(0.15), "ice after {ticks} ticks");
    }
}

#[test]
fn no_command_makes_a_point_of_a_body_faster_than_the_world_allows() {
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let most = world.config().max_linear_speed;
    let body = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    let rod = |half| ColliderDef::new(Obb::from_half_extents(vec3(half, fx!(1), fx!(1))).unwrap());
    let tip = |world: &World, x: Fx| world.body(body).unwrap().velocity_at(Vec3::X * x).length();
    world.add_collider(body, rod(fx!(2))).unwrap();
    world.set_velocity(body, Vec3::ZERO, Vec3::Z * fx!(200)).unwrap();
    assert_eq!(world.body(body).unwrap().angular_velocity(), Vec3::Z * fx!(200));
    // What it comes to reach is slower at once.
    world.add_collider(body, rod(fx!(100))).unwrap();
    assert!(tip(&world, fx!(100)) <= most && tip(&world, fx!(100)) > most - fx!(1));
    world.set_velocity(body, Vec3::ZERO, Vec3::Z * fx!(-200)).unwrap();
    assert!(tip(&world, fx!(100)) <= most && tip(&world, fx!(100)) > most - fx!(1));
    world.apply_angular_impulse(body, Vec3::Z * Fx::MIN).unwrap();
    assert!(tip(&world, fx!(100)) <= most);
}

#[test]
fn a_force_ends_with_the_body_that_it_was_for() {
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let pushed = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    world.apply_force(pushed, Vec3::X * fx!(1000)).unwrap();
    world.remove_body(pushed).unwrap();
    let other = world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
    assert_eq!(other.index, pushed.index);
    world.step();
    assert_eq!(world.body(other).unwrap().linear_velocity(), Vec3::ZERO);
}

#[test]
fn there_are_so_many_random_streams_and_no_more() {
    let mut world = World::new(WorldConfig::default()).unwrap();
    for stream in 0..1 << 16 {
        world.draw_random(stream).unwrap();
    }
    let error = world.draw_random(1 << 16).unwrap_err();
    assert_eq!(error.to_string(), "no more than 65536 random streams fit in a world");
    assert!(world.draw_random(7).is_ok());
    let snapshot = world.snapshot();
    let bytes = snapshot.to_bytes();
    assert_eq!(Snapshot::from_bytes(&bytes).unwrap().to_bytes(), bytes);
}

#[test]
fn what_is_told_to_turn_at_once_turns_no_faster_than_the_world_allows() {
    // Half a turn in a sixtieth of a second is less than 200 rad/s, and more than 10.
    for (max_angular_speed, expected) in [(fx!(200), Fx::PI * fx!(60)), (fx!(10), fx!(10))] {
        let config = WorldConfig { max_angular_speed, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        let lift = world.add_body(BodyDef::kinematic(Vec3::ZERO)).unwrap();
        world.set_kinematic_target(lift, Pose::from_rotation(Quat::from_rotation_y(Fx::PI))).unwrap();
        world.step();
        let speed = world.body(lift).unwrap().angular_velocity().length();
        assert!(speed.abs_diff_eq(expected, fx!(0.001)), "{speed} of {expected}");
    }
}
