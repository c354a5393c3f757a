//! The number of threads changes no bit of any result.
#![cfg(feature = "parallel")]

#[path = "scenes/mod.rs"]
mod scenes;

use isostep_math::{Fx, fx, vec3};
use isostep_step::{AxisLocks, BodyDef, ColliderDef, Event, Material, World, WorldConfig};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use scenes::{SCENES, Scene, cube, ground};
use std::sync::mpsc::{Sender, channel};

const THREADS: [usize; 4] = [1, 2, 3, 8];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// What a tick leaves, with its snapshot now and then.
#[derive(PartialEq, Eq, Debug)]
struct Tick {
    hash: u128,
    events: Vec<Event>,
    bytes: Vec<u8>,
}

fn advance(world: &mut World, scene: &Scene) -> Tick {
    (scene.command)(world);
    world.step();
    let bytes = if world.tick() % 10 == 0 { world.snapshot().to_bytes() } else { Vec::new() };
    Tick { hash: world.state_hash(), events: world.events().to_vec(), bytes }
}

/// The scene in this thread alone.
fn alone(scene: &Scene) -> World {
    let mut world = (scene.build)();
    world.set_max_threads(1);
    world
}

/// The scene, all of which threads share.
fn shared(scene: &Scene) -> World {
    let mut world = (scene.build)();
    world.share_everything();
    world
}

/// Boxes that fall onto each other in a heap, each turned and thrown in its own way.
fn heap(boxes: i32) -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    ground(&mut world);
    for i in 0..boxes {
        let (layer, place) = (i / 36, i % 36);
        let across = Fx::from_ratio(i64::from(i * 7 % 11), 100);
        let position = vec3(
            Fx::from_int(place % 6) * fx!(0.95) + across,
            Fx::from_int(layer) * fx!(0.9) + fx!(0.6),
            Fx::from_int(place / 6) * fx!(0.95) - across,
        );
        let def = BodyDef::dynamic(position).moving(vec3(-across, fx!(0), across));
        scenes::add(&mut world, def, ColliderDef::new(cube(fx!(0.45))));
    }
    world
}

fn nothing(_: &mut World) {}

#[test]
fn every_scene_has_the_same_hashes_events_and_snapshots_on_any_number_of_threads() {
    for scene in &SCENES {
        let mut serial = alone(scene);
        let expected: Vec<Tick> = (0..150).map(|_| advance(&mut serial, scene)).collect();
        for threads in THREADS {
            pool(threads).install(|| {
                let mut world = shared(scene);
                for (tick, expected) in expected.iter().enumerate() {
                    let found = advance(&mut world, scene);
                    assert!(found == *expected, "{}: {threads} threads, tick {tick}", scene.name);
                }
            });
        }
    }
}

#[test]
fn every_scene_in_slabs_is_the_same_on_any_number_of_threads() {
    for scene in &SCENES {
        let mut serial = alone(scene);
        serial.divide_into_slabs(3);
        let expected: Vec<Tick> = (0..150).map(|_| advance(&mut serial, scene)).collect();
        for threads in THREADS {
            pool(threads).install(|| {
                let mut world = shared(scene);
                world.divide_into_slabs(3);
                for (tick, expected) in expected.iter().enumerate() {
                    let found = advance(&mut world, scene);
                    assert!(found == *expected, "{}: {threads} threads, tick {tick}", scene.name);
                }
            });
        }
    }
}

#[test]
fn a_heap_that_is_worth_slabs_is_the_same_on_any_number_of_threads() {
    let scene = Scene { name: "large heap", build: || heap(13_500), command: nothing };
    let mut serial = alone(&scene);
    let expected: Vec<Tick> = (0..4).map(|_| advance(&mut serial, &scene)).collect();
    let contacts = serial.contacts().count();
    assert!(contacts > 32768, "{contacts} contacts are too few for slabs");
    for threads in THREADS {
        let mut world = (scene.build)();
        let run = || expected.iter().all(|expected| advance(&mut world, &scene) == *expected);
        assert!(pool(threads).install(run), "{threads} threads");
    }
}

#[test]
fn a_heap_that_is_worth_the_threads_has_the_same_bits_in_and_outside_of_a_pool() {
    let scene = Scene { name: "heap", build: || heap(600), command: nothing };
    let mut serial = alone(&scene);
    let expected: Vec<Tick> = (0..40).map(|_| advance(&mut serial, &scene)).collect();
    let contacts = serial.contacts().count();
    assert!(contacts > 1200, "{contacts} contacts are too few to be shared");
    for threads in THREADS {
        let mut world = (scene.build)();
        let run = || expected.iter().all(|expected| advance(&mut world, &scene) == *expected);
        assert!(pool(threads).install(run), "{threads} threads");
    }
    // In the global pool, whatever that is here; and with a clock.
    let (mut world, mut measured) = ((scene.build)(), (scene.build)());
    for expected in &expected {
        assert!(advance(&mut world, &scene) == *expected);
        let mut time = 0;
        measured.step_with_profile(&mut || {
            time += 1;
            time
        });
        assert_eq!(measured.state_hash(), expected.hash);
    }
}

/// A heap that bounces, of which every fifth box is held to a plane.
fn held_heap() -> World {
    let mut world = World::new(WorldConfig::default()).unwrap();
    ground(&mut world);
    let bouncy = Material { restitution: fx!(0.9), ..Material::default() };
    for i in 0..200 {
        let (layer, place) = (i / 25, i % 25);
        let position = vec3(
            Fx::from_int(place % 5) * fx!(0.95) + Fx::from_ratio(i64::from(i * 7 % 11), 100),
            Fx::from_int(layer) * fx!(1.3) + fx!(1),
            Fx::from_int(place / 5) * fx!(0.95),
        );
        let mut def = BodyDef::dynamic(position).moving(vec3(fx!(0), fx!(-6), fx!(0)));
        if i % 5 == 0 {
            def.locks = AxisLocks::PLANE_XY;
        }
        scenes::add(&mut world, def, ColliderDef::new(cube(fx!(0.45))).with_material(bouncy));
    }
    world
}

#[test]
fn what_bounces_beside_bodies_that_are_held_is_the_same_on_any_number_of_threads() {
    let scene = Scene { name: "held heap", build: held_heap, command: nothing };
    let mut serial = alone(&scene);
    let expected: Vec<Tick> = (0..80).map(|_| advance(&mut serial, &scene)).collect();
    for threads in THREADS {
        pool(threads).install(|| {
            let mut world = shared(&scene);
            for (tick, expected) in expected.iter().enumerate() {
                assert!(advance(&mut world, &scene) == *expected, "{threads} threads, tick {tick}");
            }
        });
    }
}

#[test]
fn a_limit_below_the_pool_changes_no_bit_and_may_change_between_ticks() {
    let scene = &SCENES[0];
    let (mut serial, mut world) = (alone(scene), shared(scene));
    pool(4).install(|| {
        for tick in 0..100 {
            world.set_max_threads(tick % 6);
            assert!(advance(&mut world, scene) == advance(&mut serial, scene), "tick {tick}");
        }
    });
}

#[test]
fn a_loaded_world_goes_on_alike_on_any_number_of_threads() {
    let scene = &SCENES[3];
    let mut serial = alone(scene);
    for _ in 0..60 {
        advance(&mut serial, scene);
    }
    let start = serial.snapshot();
    let expected: Vec<Tick> = (0..60).map(|_| advance(&mut serial, scene)).collect();
    for threads in THREADS {
        pool(threads).install(|| {
            let mut world = World::from_snapshot(&start);
            world.share_everything();
            for _ in 0..2 {
                world.load(&start);
                assert!(expected.iter().all(|expected| advance(&mut world, scene) == *expected));
            }
        });
    }
}

#[test]
fn worlds_that_step_at_once_in_one_pool_do_not_disturb_each_other() {
    let expected: Vec<Vec<Tick>> = SCENES
        .iter()
        .map(|scene| {
            let mut world = alone(scene);
            (0..60).map(|_| advance(&mut world, scene)).collect()
        })
        .collect();
    for threads in THREADS {
        pool(threads).install(|| {
            // More worlds than threads, each of which asks the others for help.
            (0..12).into_par_iter().for_each(|number: usize| {
                let (scene, expected) = (&SCENES[number % SCENES.len()], &expected[number % SCENES.len()]);
                let mut world = shared(scene);
                assert!(expected.iter().all(|expected| advance(&mut world, scene) == *expected));
            });
        });
    }
}

#[test]
fn worlds_move_between_threads() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<World>();
    is_send_and_sync::<isostep_step::Snapshot>();

    let scene = &SCENES[1];
    let (mut serial, mut world) = (alone(scene), shared(scene));
    for _ in 0..20 {
        let found;
        (world, found) = std::thread::spawn(move || {
            let found = advance(&mut world, &SCENES[1]);
            (world, found)
        })
        .join()
        .unwrap();
        assert!(found == advance(&mut serial, scene));
    }
}

/// Gives a thread work that has begun when this returns, and lasts until the result is dropped.
fn occupy(spawn: impl FnOnce(Box<dyn FnOnce() + Send>)) -> Sender<()> {
    let (begin, begun) = channel();
    let (release, released) = channel();
    spawn(Box::new(move || {
        begin.send(()).unwrap();
        assert!(released.recv().is_err(), "nothing is sent");
    }));
    begun.recv().unwrap();
    release
}

#[test]
fn a_step_does_not_wait_for_threads_that_have_other_work() {
    let pool = pool(2);
    let scene = &SCENES[0];
    let (mut world, mut expected) = (shared(scene), alone(scene));
    pool.in_place_scope(|scope| {
        let _work = occupy(|work| scope.spawn(|_| work()));
        for tick in 0..20 {
            let found = pool.install(|| advance(&mut world, scene));
            assert_eq!(found, advance(&mut expected, scene), "tick {tick}");
        }
    });
}

#[test]
fn a_step_outside_of_a_pool_does_not_wait_for_its_threads() {
    let scene = &SCENES[0];
    let (mut world, mut expected) = (shared(scene), alone(scene));
    world.set_max_threads(2);
    let advance_both = |world: &mut _, expected: &mut _| {
        for tick in 0..20 {
            assert_eq!(advance(world, scene), advance(expected, scene), "tick {tick}");
        }
    };
    let works: Vec<_> = (0..rayon::current_num_threads()).map(|_| occupy(rayon::spawn)).collect();
    advance_both(&mut world, &mut expected);
    drop(works);
    advance_both(&mut world, &mut expected);
}
