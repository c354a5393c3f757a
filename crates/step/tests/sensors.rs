//! Sensors see what overlaps them where a step begins, be it awake or asleep, and whatever a command did to either.

use isostep_collision::{Obb, Shape, Sphere, overlaps};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{
    BodyDef, BodyHandle, BodyKind, ColliderDef, ColliderHandle, ColliderView, Event, Filter, MAX_COORDINATE,
    World, WorldConfig,
};
use std::collections::BTreeSet;

type Pairs = BTreeSet<(ColliderHandle, ColliderHandle)>;

fn cube(half_extent: Fx) -> Shape {
    Obb::from_half_extents(Vec3::splat(half_extent)).unwrap().into()
}

fn add(world: &mut World, def: BodyDef, collider: ColliderDef) -> (BodyHandle, ColliderHandle) {
    let body = world.add_body(def).unwrap();
    (body, world.add_collider(body, collider).unwrap())
}

/// A ground, and a box on it that has fallen asleep.
fn sleeper() -> (World, BodyHandle, ColliderHandle) {
    let mut world = World::new(WorldConfig { sleep_ticks: 5, ..WorldConfig::default() }).unwrap();
    add(&mut world, BodyDef::fixed(vec3(fx!(0), fx!(-1), fx!(0))), ColliderDef::new(cube(fx!(1))));
    let (body, collider) =
        add(&mut world, BodyDef::dynamic(Vec3::Y * fx!(0.5)), ColliderDef::new(cube(fx!(0.5))));
    for _ in 0..60 {
        world.step();
    }
    assert!(world.body(body).unwrap().is_asleep());
    (world, body, collider)
}

/// Steps once, and returns what entered sensors and what left them.
fn step(world: &mut World) -> [Pairs; 2] {
    world.step();
    let mut found = [Pairs::new(), Pairs::new()];
    for event in world.events() {
        match *event {
            Event::SensorEnter { sensor, visitor } => assert!(found[0].insert((sensor, visitor))),
            Event::SensorLeave { sensor, visitor } => assert!(found[1].insert((sensor, visitor))),
            _ => {}
        }
    }
    found
}

#[test]
fn a_fixed_sensor_that_comes_over_a_sleeper_sees_it_and_lets_it_sleep() {
    let (mut world, body, collider) = sleeper();
    let (zone, sensor) = add(&mut world, BodyDef::fixed(Vec3::Y), ColliderDef::new(cube(fx!(1))).as_sensor());
    let both = Pairs::from([(sensor, collider)]);
    assert_eq!(step(&mut world), [both.clone(), Pairs::new()]);
    assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
    world.set_pose(zone, Pose::from_translation(vec3(fx!(9), fx!(1), fx!(0)))).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), both.clone()]);
    world.set_pose(zone, Pose::from_translation(Vec3::Y)).unwrap();
    assert_eq!(step(&mut world), [both, Pairs::new()]);
    assert!(world.body(body).unwrap().is_asleep());
}

#[test]
fn filters_and_layers_count_for_what_sleeps_in_a_sensor() {
    let (mut world, _, collider) = sleeper();
    let layered = Filter { layer: 3, ..Filter::default() };
    let zone = ColliderDef { filter: layered, ..ColliderDef::new(cube(fx!(1))).as_sensor() };
    let (_, sensor) = add(&mut world, BodyDef::fixed(Vec3::Y), zone);
    let both = Pairs::from([(sensor, collider)]);
    step(&mut world);
    world.set_layers_meet(0, 3, false).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), both.clone()]);
    for _ in 0..30 {
        step(&mut world);
    }
    world.set_filter(sensor, Filter::default()).unwrap();
    assert_eq!(step(&mut world), [both.clone(), Pairs::new()]);
    world.set_filter(sensor, Filter { mask: 0, ..Filter::default() }).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), both]);
}

#[test]
fn what_is_loaded_has_its_own_layers() {
    let (mut world, ..) = sleeper();
    add(&mut world, BodyDef::fixed(Vec3::Y), ColliderDef::new(cube(fx!(1))).as_sensor());
    step(&mut world);
    world.set_layers_meet(0, 0, false).unwrap();
    for _ in 0..30 {
        step(&mut world);
    }
    let apart = world.snapshot();
    let mut other = World::from_snapshot(&apart);
    world.set_layers_meet(0, 0, true).unwrap();
    step(&mut world);
    world.load(&apart);
    assert_eq!(step(&mut world), step(&mut other));
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn a_sensor_sees_what_left_the_world_where_it_is_held() {
    let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
    let edge = vec3(MAX_COORDINATE - fx!(0.1), fx!(0), fx!(0));
    let def = BodyDef { linear_velocity: Vec3::X * fx!(60), ..BodyDef::dynamic(edge) };
    let (body, collider) = add(&mut world, def, ColliderDef::new(cube(fx!(0.5))));
    let (_, sensor) = add(&mut world, BodyDef::fixed(edge), ColliderDef::new(cube(fx!(1))).as_sensor());
    let both = Pairs::from([(sensor, collider)]);
    assert_eq!(step(&mut world), [both.clone(), Pairs::new()]);
    assert!(world.body(body).unwrap().is_frozen());
    assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
    world.set_pose(body, Pose::IDENTITY).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), both]);
}

#[test]
fn a_sensor_that_sleeps_sees_what_sleeps_and_scenery() {
    let (mut world, body, collider) = sleeper();
    let sensor = world.add_collider(body, ColliderDef::new(cube(fx!(1))).as_sensor()).unwrap();
    let ground = world.colliders().next().unwrap().handle();
    assert_eq!(step(&mut world), [Pairs::from([(sensor, ground)]), Pairs::new()]);
    for _ in 0..30 {
        assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
    }
    assert!(world.body(body).unwrap().is_asleep());
    world.remove_collider(collider).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
}

/// All that is in sensors: what overlaps them, unless neither can move.
fn overlapping(world: &World) -> Pairs {
    let mut pairs = Pairs::new();
    for sensor in world.colliders().filter(ColliderView::is_sensor) {
        for visitor in world.colliders().filter(|visitor| !visitor.is_sensor()) {
            let [a, b] = [sensor.body(), visitor.body()];
            let is_fixed = |body| world.body(body).unwrap().kind() == BodyKind::Fixed;
            let (one, other) = (sensor.filter(), visitor.filter());
            let meet = world.layers().meet(one.layer, other.layer)
                && one.mask & other.groups != 0
                && other.mask & one.groups != 0;
            if a != b
                && !(is_fixed(a) && is_fixed(b))
                && meet
                && overlaps(&sensor.world_shape(), &visitor.world_shape())
            {
                pairs.insert((sensor.handle(), visitor.handle()));
            }
        }
    }
    pairs
}

fn filter(rng: &mut Rng) -> Filter {
    let [groups, mask] = [0, 1].map(|_| if rng.bool() { u32::MAX } else { 1 << rng.below(2) });
    Filter { layer: rng.below(3) as u8, groups, mask }
}

fn place(rng: &mut Rng) -> Vec3 {
    vec3(rng.fx_range(fx!(-4), fx!(4)), rng.fx_range(fx!(0.5), fx!(2)), rng.fx_range(fx!(-4), fx!(4)))
}

/// Something that comes, goes or changes.
fn meddle(world: &mut World, rng: &mut Rng) {
    let bodies: Vec<_> = world.bodies().skip(1).map(|body| body.handle()).collect();
    let colliders: Vec<_> = world.colliders().skip(1).map(|collider| collider.handle()).collect();
    let one = |rng: &mut Rng| bodies[rng.below(bodies.len() as u32) as usize];
    match rng.below(7) {
        _ if bodies.len() < 25 => {
            let kind = [BodyKind::Dynamic, BodyKind::Dynamic, BodyKind::Kinematic, BodyKind::Fixed];
            let kind = kind[rng.below(4) as usize];
            let shape =
                if rng.bool() { cube(fx!(0.6)) } else { Sphere::from_radius(fx!(0.7)).unwrap().into() };
            let sensor = kind != BodyKind::Dynamic && rng.bool();
            let collider = ColliderDef { filter: filter(rng), sensor, ..ColliderDef::new(shape) };
            add(world, BodyDef { kind, ..BodyDef::dynamic(place(rng)) }, collider);
        }
        0 => world.remove_body(one(rng)).unwrap(),
        1 => world.set_pose(one(rng), Pose::from_translation(place(rng))).unwrap(),
        2 => world.set_filter(colliders[rng.below(colliders.len() as u32) as usize], filter(rng)).unwrap(),
        3 => world.set_layers_meet(rng.below(3) as u8, rng.below(3) as u8, rng.below(3) > 0).unwrap(),
        4 => {
            let sensor = ColliderDef { filter: filter(rng), ..ColliderDef::new(cube(fx!(1))).as_sensor() };
            world.add_collider(one(rng), sensor).unwrap();
        }
        5 if colliders.len() > 40 => {
            world.remove_collider(colliders[rng.below(colliders.len() as u32) as usize]).unwrap();
        }
        _ => world.wake_body(one(rng)).unwrap(),
    }
}

#[test]
fn whatever_happens_what_was_told_is_what_overlaps() {
    let (mut most_asleep, mut most) = (0, 0);
    for seed in 0..8 {
        let mut rng = Rng::new(seed, 0);
        let config = WorldConfig { sleep_ticks: 4, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        add(&mut world, BodyDef::fixed(Vec3::Y * fx!(-9)), ColliderDef::new(cube(fx!(9))));
        let mut told = Pairs::new();
        let mut saved = (world.snapshot(), told.clone());
        for tick in 0..400 {
            match tick % 50 {
                0..25 => meddle(&mut world, &mut rng),
                // What sleeps and what is told go back together.
                30 => saved = (world.snapshot(), told.clone()),
                49 if rng.bool() => {
                    world.load(&saved.0);
                    told = saved.1.clone();
                }
                _ => {}
            }
            let expected = overlapping(&world);
            let [entered, left] = step(&mut world);
            assert!(told.is_disjoint(&entered), "seed {seed}, tick {tick}");
            told.extend(entered);
            for pair in left {
                assert!(told.remove(&pair), "seed {seed}, tick {tick}");
            }
            assert_eq!(told, expected, "seed {seed}, tick {tick}");
            let asleep = |&&(_, visitor): &&(ColliderHandle, ColliderHandle)| {
                let body = world.collider(visitor).unwrap().body();
                world.body(body).unwrap().is_asleep()
            };
            most_asleep = most_asleep.max(told.iter().filter(asleep).count());
            most = most.max(told.len());
        }
    }
    assert!(most_asleep > 3 && most > 10, "{most_asleep} of {most}");
}

#[test]
fn of_many_sleepers_in_many_zones_those_are_told_of_that_change() {
    let config = WorldConfig { sleep_ticks: 2, gravity: Vec3::ZERO, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let bodies: Vec<_> = (0..60)
        .map(|i| {
            add(&mut world, BodyDef::dynamic(Vec3::X * Fx::from_int(2 * i)), ColliderDef::new(cube(fx!(0.5))))
        })
        .collect();
    let zone = |world: &mut World, x: i32| {
        let shape = Obb::from_half_extents(vec3(fx!(20), fx!(1), fx!(1))).unwrap();
        add(world, BodyDef::fixed(Vec3::X * Fx::from_int(x)), ColliderDef::new(shape).as_sensor())
    };
    let zones: Vec<_> = (0..10).map(|i| zone(&mut world, 12 * i)).collect();
    let [entered, _] = step(&mut world);
    for _ in 0..5 {
        assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
    }
    assert!(bodies.iter().all(|&(body, _)| world.body(body).unwrap().is_asleep()));
    assert_eq!(entered, overlapping(&world));
    // One that goes, comes back, wakes and falls asleep again, while all others sleep.
    let (body, collider) = bodies[30];
    let own: Pairs = entered.iter().copied().filter(|pair| pair.1 == collider).collect();
    assert!(own.len() > 2);
    let place = world.body(body).unwrap().pose();
    world.set_pose(body, Pose::from_translation(Vec3::Y * fx!(50))).unwrap();
    assert_eq!(step(&mut world), [Pairs::new(), own.clone()]);
    world.set_pose(body, place).unwrap();
    assert_eq!(step(&mut world), [own, Pairs::new()]);
    for _ in 0..5 {
        assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
    }
    // A zone that goes, and one that takes its slots.
    let (gone, sensor) = zones[4];
    world.remove_body(gone).unwrap();
    let (_, new) = zone(&mut world, -100);
    assert_eq!(new.index, sensor.index);
    let own: Pairs = entered.iter().copied().filter(|pair| pair.0 == sensor).collect();
    assert_eq!(step(&mut world), [Pairs::new(), own]);
    assert_eq!(step(&mut world), [Pairs::new(), Pairs::new()]);
}
