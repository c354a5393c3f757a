//! How much a save copies.

use super::scenes::{add, cube, ground};
use super::*;
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, WorldConfig};

fn grid(sleeping: bool) -> World {
    let mut world = World::new(WorldConfig { sleeping, ..WorldConfig::default() }).unwrap();
    ground(&mut world);
    for i in 0..300 {
        let (x, z, y) =
            (Fx::from_int(i % 10) * fx!(3), Fx::from_int(i / 10 % 10) * fx!(3), Fx::from_int(i / 100));
        let def = BodyDef::dynamic(vec3(x, y + fx!(0.5), z));
        add(&mut world, def, ColliderDef::new(cube(fx!(0.5))));
    }
    world
}

fn limit(world: &World) -> usize {
    let awake = world.bodies().filter(|body| body.mass().is_some() && !body.is_asleep()).count();
    let points: usize = world.contacts().map(|contact| usize::from(contact.points)).sum();
    128 * awake + 40 * points
}

#[test]
fn a_save_copies_at_most_128_bytes_for_a_body_and_40_for_a_point() {
    let mut world = grid(false);
    let mut saved = Snapshot::new();
    world.save(&mut saved);
    for _ in 0..60 {
        world.step();
        world.save(&mut saved);
        assert!(saved.copied_bytes() <= limit(&world), "{} of {}", saved.copied_bytes(), limit(&world));
    }
    // 128 for each of 300 bodies, and 28 + 4 · 8 for each of 300 contacts.
    assert_eq!(saved.copied_bytes(), 300 * 128 + 300 * 60);
}

#[test]
fn what_sleeps_or_stands_still_costs_nothing() {
    let mut world = grid(true);
    let mut saved = Snapshot::new();
    for _ in 0..120 {
        world.step();
    }
    assert!(world.bodies().all(|body| body.mass().is_none() || body.is_asleep()));
    world.save(&mut saved);
    assert!(saved.copied_bytes() > 300 * 128);
    for _ in 0..5 {
        world.step();
        world.save(&mut saved);
        assert_eq!(saved.copied_bytes(), 0);
        assert_eq!(saved.state_hash(), world.state_hash());
    }
    // One that wakes costs what it is, and the sleep of the others once.
    let body = world.bodies().nth(1).unwrap().handle();
    world.set_can_sleep(body, false).unwrap();
    world.step();
    world.save(&mut saved);
    world.step();
    world.save(&mut saved);
    assert_eq!(saved.copied_bytes(), 3 * 128 + 3 * 60);
    world.apply_impulse(body, Vec3::Y).unwrap();
    world.save(&mut saved);
    assert_eq!(saved.state_hash(), world.state_hash());
}

#[test]
fn as_bytes_a_snapshot_is_not_much_longer_than_what_it_says() {
    let mut world = grid(false);
    for _ in 0..30 {
        world.step();
    }
    let bytes = world.snapshot().to_bytes().len();
    // Of 300 bodies with their colliders and contacts: 800 bytes each.
    assert!(bytes < 300 * 800, "{bytes}");
}
