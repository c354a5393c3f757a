//! Golden hash streams: every scene and the demo game, stepped, with the hash of their state twice a second.
//!
//! A golden moves with any bit of any result. That is a change of `SIM_VERSION`, and its commit names the cause.

use isostep_collision::Ray;
use isostep_math::{Fx, fx, vec3};
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots};
use isostep_step::{QueryFilter, Snapshot, World, WorldConfig};
use std::fmt::Write;

/// Ticks between hashes.
const INTERVAL: u32 = 30;

fn assert_stream(name: &str, stream: &str) {
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, stream);
    });
}

/// A line per hash: the tick, and the hash.
fn stream_of(ticks: u32, mut tick: impl FnMut() -> u128) -> String {
    let mut stream = String::new();
    for number in 1..=ticks {
        let hash = tick();
        if number % INTERVAL == 0 {
            writeln!(stream, "{number} {hash:032x}").expect("memory takes it");
        }
    }
    stream
}

fn check(name: &str, ticks: u32) {
    let mut world = Scene::find(name).expect("a scene of that name").small_world();
    let stream = stream_of(ticks, || {
        world.step();
        if world.tick() % u64::from(INTERVAL) == 0 { world.state_hash() } else { 0 }
    });
    assert_stream(&format!("scene-{name}"), &stream);
}

/// A test for each scene.
macro_rules! scenes {
    ($($test:ident: $name:literal for $ticks:literal ticks;)*) => {
        $(
            #[test]
            fn $test() {
                check($name, $ticks);
            }
        )*

        #[test]
        fn every_scene_has_a_golden() {
            let tested = [$($name),*];
            assert_eq!(tested.to_vec(), Scene::all().iter().map(|scene| scene.name).collect::<Vec<_>>());
        }
    };
}

scenes! {
    the_pyramid_steps_as_ever: "pyramid" for 180 ticks;
    the_pile_of_boxes_steps_as_ever: "pile-of-boxes" for 240 ticks;
    the_pile_of_spheres_steps_as_ever: "pile-of-spheres" for 180 ticks;
    the_stacks_step_as_ever: "stacks" for 120 ticks;
    the_tiny_match_steps_as_ever: "tiny-match" for 300 ticks;
    the_card_house_steps_as_ever: "card-house" for 240 ticks;
    the_arch_steps_as_ever: "arch" for 240 ticks;
    the_jenga_tower_steps_as_ever: "jenga" for 240 ticks;
    the_slope_steps_as_ever: "slope" for 240 ticks;
    the_mixture_steps_as_ever: "mixture" for 240 ticks;
    the_pendulums_swing_as_ever: "pendulum" for 300 ticks;
    the_chain_swings_as_ever: "chain" for 240 ticks;
    the_net_swings_as_ever: "joint-grid" for 180 ticks;
    the_ragdolls_fall_as_ever: "ragdolls" for 240 ticks;
    the_cradle_swings_as_ever: "cradle" for 240 ticks;
    the_doors_turn_as_ever: "doors" for 240 ticks;
    the_cars_drive_as_ever: "cars" for 330 ticks;
    the_bullets_fly_as_ever: "bullets" for 120 ticks;
}

#[test]
fn the_arena_plays_as_ever() {
    let mut arena = Arena::new(6, 42);
    let mut bots = Bots::new(6, 42);
    let stream = stream_of(300, || {
        arena.tick(&bots.inputs(&arena));
        arena.hash()
    });
    assert_stream("scene-arena", &stream);
}

/// What a new process would make of the bytes of a world.
fn through_bytes(world: &World) -> World {
    let bytes = world.snapshot().to_bytes();
    World::from_snapshot(&Snapshot::from_bytes(&bytes).expect("just written"))
}

#[test]
fn every_scene_goes_on_in_a_new_process_as_if_it_had_never_stopped() {
    for scene in Scene::all() {
        let config = WorldConfig { sleep_ticks: 15, ..WorldConfig::default() };
        let mut world = scene.build(scene.small_size.min(2), config).expect("a valid configuration");
        let mut other = through_bytes(&world);
        for tick in 0..90 {
            if tick % 7 == 0 {
                other = through_bytes(&other);
            }
            world.step();
            other.step();
            assert_eq!(world.state_hash(), other.state_hash(), "{} at tick {tick}", scene.name);
            assert_eq!(world.events(), other.events(), "{} at tick {tick}", scene.name);
        }
    }
}

#[test]
fn every_scene_gives_the_same_answers_in_a_new_process() {
    for scene in Scene::all() {
        let mut world = scene.small_world();
        for _ in 0..45 {
            world.step();
        }
        let mut other = through_bytes(&world);
        let filter = QueryFilter { sensors: true, ..QueryFilter::default() };
        let mut hits = 0;
        for index in -10..10 {
            let x = Fx::from_int(index);
            let ray = Ray::new(vec3(x, fx!(30), x * fx!(0.3)), vec3(fx!(1), fx!(-40), fx!(-0.5)));
            let found = world.queries().cast_ray_all(&ray, &filter);
            assert_eq!(other.queries().cast_ray_all(&ray, &filter), found, "{}", scene.name);
            hits += found.len();
        }
        assert!(hits >= 20, "{}: {hits}", scene.name);
    }
}
