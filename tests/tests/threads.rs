//! Every scene on several threads: the same hashes, events and snapshots as on one.
#![cfg(not(target_family = "wasm"))]

use isostep_scenes::Scene;
use isostep_step::{Event, World, WorldConfig};
use rayon::{ThreadPool, ThreadPoolBuilder};

const THREADS: [usize; 4] = [1, 2, 3, 8];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be had")
}

/// Ticks of each scene: fewer where they are emulated.
fn ticks() -> u64 {
    if std::env::var_os("ISOSTEP_SHORT_LOGS").is_some() { 12 } else { 60 }
}

/// What ticks leave: hashes, events, and now and then a snapshot.
fn stream_of(mut world: World, ticks: u64) -> Vec<(u128, Vec<Event>, Vec<u8>)> {
    let mut tick = || {
        world.step();
        let bytes = if world.tick() % 15 == 0 { world.snapshot().to_bytes() } else { Vec::new() };
        (world.state_hash(), world.events().to_vec(), bytes)
    };
    (0..ticks).map(|_| tick()).collect()
}

#[test]
fn every_scene_is_the_same_on_any_number_of_threads() {
    for scene in Scene::all() {
        let mut alone = scene.small_world();
        alone.set_max_threads(1);
        let expected = stream_of(alone, ticks());
        for threads in THREADS {
            let mut world = scene.small_world();
            // They are too small to be worth it otherwise.
            world.share_everything();
            let found = pool(threads).install(|| stream_of(world, ticks()));
            let differing = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            assert_eq!(
                differing, None,
                "{} on {threads} threads: ticks before the first that differs",
                scene.name
            );
        }
    }
}

#[test]
fn a_pile_that_threads_share_of_their_own_accord_is_the_same_on_any_number_of_them() {
    let scene = Scene::find("pyramid").expect("a scene of that name");
    let config = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let build = || scene.build(24, config).expect("the configuration is valid");
    let mut alone = build();
    alone.set_max_threads(1);
    let ticks = ticks() / 3;
    let expected = stream_of(alone, ticks);
    for threads in THREADS {
        let found = pool(threads).install(|| stream_of(build(), ticks));
        assert!(found == expected, "{threads} threads");
    }
    // From outside, in the global pool.
    assert!(stream_of(build(), ticks) == expected);
}
