//! A step, a save, a load, a hash and a trace take no memory once the world is warm.
#![allow(unsafe_code, reason = "an allocator that counts")]

#[path = "scenes/mod.rs"]
mod scenes;

use isostep_step::{Snapshot, Tracer};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

std::thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count() -> u64 {
    COUNT.with(Cell::get)
}

// SAFETY: all of it is the system's allocator; the counter does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_warm_world_steps_saves_loads_hashes_and_traces_without_allocation() {
    for scene in &scenes::SCENES {
        assert_no_allocation(scene, (scene.build)());
        let mut in_slabs = (scene.build)();
        in_slabs.divide_into_slabs(3);
        assert_no_allocation(scene, in_slabs);
    }
}

/// Counted are those of the thread that leads; the others call nothing that it does not call itself.
#[cfg(feature = "parallel")]
#[test]
fn threads_that_share_the_steps_of_a_warm_world_do_not_allocate() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for scene in &scenes::SCENES {
        for in_slabs in [false, true] {
            let mut world = (scene.build)();
            world.share_everything();
            if in_slabs {
                world.divide_into_slabs(3);
            }
            pool.install(|| assert_no_allocation(scene, world));
        }
    }
}

fn assert_no_allocation(scene: &scenes::Scene, mut world: isostep_step::World) {
    let start = world.snapshot();
    let (mut saved, mut tracer) = ([Snapshot::new(), Snapshot::new()], Tracer::new());
    let mut counts = [0; 5];
    let measured = |name: usize, before: u64, counts: &mut [u64; 5]| {
        let taken = count() - before;
        counts[name] += taken;
    };
    for pass in 0..5 {
        world.load(&start);
        counts = [0; 5];
        for tick in 0..300 {
            (scene.command)(&mut world);
            let before = count();
            world.step();
            measured(0, before, &mut counts);
            let before = count();
            world.save(&mut saved[tick % 2]);
            measured(1, before, &mut counts);
            let before = count();
            let _ = world.state_hash();
            measured(2, before, &mut counts);
            let before = count();
            tracer.trace(&world);
            measured(4, before, &mut counts);
            if tick % 7 == 3 {
                // Back by a tick, and this one again.
                let before = count();
                world.load(&saved[(tick + 1) % 2]);
                measured(3, before, &mut counts);
                (scene.command)(&mut world);
                world.step();
            }
        }
        if pass == 0 {
            assert!(counts[0] > 0, "the counter counts");
        }
    }
    assert_eq!(counts, [0; 5], "{}: step, save, hash, load, trace", scene.name);
}
