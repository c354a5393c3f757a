//! How much stack a step takes: less than the megabyte that Windows gives the main thread of a program, even where nothing
//! is optimised and each number of a kernel has a place of its own in the frame.
#![cfg(not(target_family = "wasm"))]

use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, ArenaSnapshot, Bots};
use std::thread;

/// A quarter less than that, for what the program itself takes.
const STACK: usize = 768 << 10;

/// Runs something on a thread with that little stack: more ends the whole program.
fn on_little_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.expect("a thread can be had").join().expect("the thread ends")
    })
}

#[test]
fn steps_of_all_scenes_fit_a_small_stack() {
    for scene in Scene::all() {
        let (contacts, joints) = on_little_stack(|| {
            let mut world = scene.small_world();
            let mut contacts = 0;
            for _ in 0..40 {
                world.step();
                contacts = world.contacts().count().max(contacts);
            }
            (contacts, world.joints().count())
        });
        assert!(contacts > 0 || joints > 0, "{} has neither contacts nor joints", scene.name);
    }
}

#[test]
fn a_match_with_rollbacks_fits_a_small_stack() {
    on_little_stack(|| {
        let (mut arena, mut bots) = (Arena::new(8, 5), Bots::new(8, 5));
        for tick in 0..90 {
            let inputs = bots.inputs(&arena);
            let saved = arena.snapshot();
            arena.tick(&inputs);
            if tick % 10 == 0 {
                let hash = arena.hash();
                let loaded = ArenaSnapshot::from_bytes(&saved.to_bytes()).expect("a snapshot is read again");
                arena.load(&loaded);
                arena.tick(&inputs);
                assert_eq!(arena.hash(), hash);
            }
        }
    });
}
