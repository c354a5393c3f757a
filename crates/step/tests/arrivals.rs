//! What a command puts onto a sleeper wakes it in the next step, though no contact moves it.

use isostep_collision::{Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    BodyDef, BodyHandle, BodyKind, ColliderDef, ColliderHandle, Event, Filter, MAX_COORDINATE, QueryFilter,
    Snapshot, World, WorldConfig,
};

fn cube(half_extent: Fx) -> Shape {
    Obb::from_half_extents(Vec3::splat(half_extent)).unwrap().into()
}

fn ball(radius: Fx) -> Shape {
    Sphere::from_radius(radius).unwrap().into()
}

fn add(world: &mut World, def: BodyDef, collider: ColliderDef) -> (BodyHandle, ColliderHandle) {
    let body = world.add_body(def).unwrap();
    (body, world.add_collider(body, collider).unwrap())
}

/// A box of 1 m at the origin that sleeps, without gravity.
fn sleeper() -> (World, BodyHandle) {
    let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 2, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let (body, _) = add(&mut world, BodyDef::default(), ColliderDef::new(cube(fx!(0.5))));
    for _ in 0..4 {
        world.step();
    }
    assert!(world.body(body).unwrap().is_asleep());
    (world, body)
}

/// Steps, and says whether that woke the body.
fn wakes(world: &mut World, body: BodyHandle) -> bool {
    assert!(world.body(body).unwrap().is_asleep());
    world.step();
    let is_told = world.events().contains(&Event::Wake { body });
    assert_eq!(is_told, !world.body(body).unwrap().is_asleep());
    is_told
}

/// Where the box of a [`sleeper`] is reached by one of 2 m, and where it is not by 10 mm.
const ONTO: Vec3 = vec3(fx!(1.4), fx!(0), fx!(0));
const BESIDE: Vec3 = vec3(fx!(1.51), fx!(0), fx!(0));

#[test]
fn a_solid_that_comes_wakes_what_it_is_put_onto_and_pushes_it_out() {
    for kind in [BodyKind::Fixed, BodyKind::Kinematic] {
        let (mut world, body) = sleeper();
        let gate = BodyDef { kind, ..BodyDef::dynamic(BESIDE) };
        let (gate, _) = add(&mut world, gate, ColliderDef::new(cube(fx!(1))));
        assert!(!wakes(&mut world, body), "10 mm beside it");
        world.set_pose(gate, Pose::from_translation(ONTO)).unwrap();
        assert!(wakes(&mut world, body));
        for _ in 0..60 {
            world.step();
        }
        let x = world.body(body).unwrap().pose().translation.x;
        assert!(x < fx!(-0.08), "{x}");

        let (mut world, body) = sleeper();
        let gate = world.add_body(BodyDef { kind, ..BodyDef::dynamic(ONTO) }).unwrap();
        assert!(!wakes(&mut world, body), "without colliders");
        world.add_collider(gate, ColliderDef::new(cube(fx!(1)))).unwrap();
        assert!(wakes(&mut world, body));
    }
}

#[test]
fn it_comes_by_another_filter_as_well() {
    let (mut world, body) = sleeper();
    let aside = Filter { mask: 0, ..Filter::default() };
    let gate = ColliderDef { filter: aside, ..ColliderDef::new(cube(fx!(1))) };
    let (gate, collider) = add(&mut world, BodyDef::fixed(ONTO), gate);
    assert!(!wakes(&mut world, body));
    world.set_filter(collider, Filter::default()).unwrap();
    world.set_pair_excluded(gate, body, true).unwrap();
    for _ in 0..4 {
        world.step();
    }
    world.set_filter(collider, Filter::default()).unwrap();
    assert!(!wakes(&mut world, body), "bodies that pass through each other");
    world.set_pair_excluded(gate, body, false).unwrap();
    assert!(!world.body(body).unwrap().is_asleep());
}

#[test]
fn sensors_wake_nobody() {
    let (mut world, body) = sleeper();
    let (zone, _) = add(&mut world, BodyDef::fixed(ONTO), ColliderDef::new(cube(fx!(1))).as_sensor());
    assert!(!wakes(&mut world, body));
    world.set_pose(zone, Pose::IDENTITY).unwrap();
    assert!(!wakes(&mut world, body));
}

#[test]
fn what_is_gone_or_elsewhere_before_the_step_wakes_nobody() {
    let (mut world, body) = sleeper();
    let (gate, _) = add(&mut world, BodyDef::fixed(ONTO), ColliderDef::new(cube(fx!(1))));
    world.remove_body(gate).unwrap();
    // Its slots are taken by what wakes nobody.
    add(&mut world, BodyDef::fixed(ONTO), ColliderDef::new(cube(fx!(1))).as_sensor());
    assert!(!wakes(&mut world, body));
    let (gate, _) = add(&mut world, BodyDef::fixed(ONTO), ColliderDef::new(cube(fx!(1))));
    world.set_pose(gate, Pose::from_translation(BESIDE)).unwrap();
    assert!(!wakes(&mut world, body));
    world.step();
    assert!(!wakes(&mut world, body), "it came once");
}

#[test]
fn a_body_that_left_the_world_wakes_what_a_collider_of_it_comes_to() {
    let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 2, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let leaver = BodyDef::dynamic(Vec3::X * MAX_COORDINATE).moving(Vec3::X * fx!(10));
    let (leaver, _) = add(&mut world, leaver, ColliderDef::new(cube(fx!(0.5))));
    let sleeper = BodyDef::dynamic(Vec3::X * (MAX_COORDINATE - fx!(3)));
    let (sleeper, _) = add(&mut world, sleeper, ColliderDef::new(cube(fx!(0.5))));
    for _ in 0..5 {
        world.step();
    }
    assert!(world.body(leaver).unwrap().is_frozen());
    let arm =
        ColliderDef { pose: Pose::from_translation(-Vec3::X * fx!(2)), ..ColliderDef::new(cube(fx!(0.6))) };
    world.add_collider(leaver, arm).unwrap();
    assert!(wakes(&mut world, sleeper));
}

#[test]
fn a_state_between_the_command_and_the_step_knows_of_it() {
    let (mut world, body) = sleeper();
    add(&mut world, BodyDef::fixed(ONTO), ColliderDef::new(cube(fx!(1))));
    let snapshot = Snapshot::from_bytes(&world.snapshot().to_bytes()).unwrap();
    let mut other = World::new(WorldConfig::default()).unwrap();
    other.load(&snapshot);
    let mut rolled_back = world.clone();
    rolled_back.step();
    rolled_back.load(&snapshot);
    for world in [&mut world, &mut other, &mut rolled_back] {
        assert!(wakes(world, body));
    }
    assert_eq!(world.state_hash(), other.state_hash());
    assert_eq!(world.state_hash(), rolled_back.state_hash());
}

/// Of twenty balls and boxes, those wake that something overlaps which came, and those that hang together with them.
#[test]
fn whoever_is_reached_wakes_and_nobody_else() {
    let mut woken = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed, 1);
        let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 2, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        let place = |rng: &mut Rng| {
            let mut coordinate = || rng.fx_range(fx!(-4), fx!(4));
            vec3(coordinate(), coordinate(), coordinate())
        };
        let shape = |rng: &mut Rng| {
            let size = rng.fx_range(fx!(0.2), fx!(1));
            if rng.below(2) == 0 { ball(size) } else { cube(size) }
        };
        let turn = |rng: &mut Rng| Quat::from_rotation_z(rng.fx_range(fx!(-1), fx!(1)));
        for _ in 0..20 {
            let def = BodyDef::dynamic(place(&mut rng)).rotated(turn(&mut rng));
            let shape = shape(&mut rng);
            if !world.queries().overlaps_any(&shape.transformed(&def.pose), &QueryFilter::default()) {
                add(&mut world, def, ColliderDef::new(shape));
            }
        }
        for _ in 0..8 {
            world.step();
        }
        assert!(world.bodies().all(|body| body.is_asleep()), "seed {seed}");
        let mut reached = Vec::new();
        for _ in 0..3 {
            let def = BodyDef::fixed(place(&mut rng)).rotated(turn(&mut rng));
            let shape = shape(&mut rng);
            let found = world.queries().overlapping(&shape.transformed(&def.pose), &QueryFilter::default());
            reached.extend(found.into_iter().map(|collider| world.collider(collider).unwrap().body()));
            add(&mut world, def, ColliderDef::new(shape));
        }
        reached.retain(|&body| world.body(body).unwrap().kind() == BodyKind::Dynamic);
        world.step();
        let mut told: Vec<_> = world
            .events()
            .iter()
            .filter_map(|event| if let Event::Wake { body } = event { Some(*body) } else { None })
            .collect();
        reached.sort_unstable();
        reached.dedup();
        told.sort_unstable();
        assert_eq!(told, reached, "seed {seed}");
        woken += told.len();
    }
    assert!(woken > 100, "{woken}");
}
