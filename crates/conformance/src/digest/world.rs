//! Worlds that step: small scenes of every kind and the demo game, with their hashes, their bytes and their answers.

use super::Recorder;
use isostep_collision::Ray;
use isostep_math::{Fx, Vec3, fx};
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, Bots};
use isostep_scenes::tangles::Tangle;
use isostep_step::{AxisLocks, BodyHandle, BodyKind, Event, QueryFilter, Snapshot, World, WorldConfig};
use xxhash_rust::xxh3::xxh3_128;

/// Ticks that each scene steps, and ticks between records.
const TICKS: u32 = 90;
const INTERVAL: u32 = 15;

/// Every scene in a size that steps fast on an emulated machine.
pub(super) fn world(out: &mut Recorder) {
    for scene in Scene::all() {
        let size = match scene.name {
            "pyramid" | "card-house" | "arch" => 4,
            "jenga" => 6,
            "slope" => 3,
            _ => 1,
        };
        let config = WorldConfig { sleep_ticks: 20, ..WorldConfig::default() };
        let mut world = scene.build(size, config).expect("a valid configuration");
        for tick in 1..=TICKS {
            world.step();
            out.bits(world.events().len() as i64);
            if tick % INTERVAL == 0 {
                record(&mut world, out);
            }
            if tick == TICKS / 2 {
                // Through bytes, and on.
                let bytes = world.snapshot().to_bytes();
                out.hash(xxh3_128(&bytes));
                world = World::from_snapshot(&Snapshot::from_bytes(&bytes).expect("just written"));
            }
        }
    }
    locked(out);
    tangles(out);
    in_slabs(out);
    arena(out);
}

/// What large worlds do: bodies in slabs, which follow each other through the substeps.
fn in_slabs(out: &mut Recorder) {
    let scene = Scene::all().iter().find(|scene| scene.name == "mixture").expect("it is one of them");
    let mut world = scene.build(2, WorldConfig::default()).expect("a valid configuration");
    world.divide_into_slabs(6);
    for tick in 1..=2 * TICKS {
        world.step();
        if tick % INTERVAL == 0 {
            out.hash(world.state_hash());
        }
    }
}

/// Bodies that are held to axes among others, so that lanes have both.
fn locked(out: &mut Recorder) {
    let scene = Scene::all().iter().find(|scene| scene.name == "mixture").expect("it is one of them");
    let mut world = scene.build(2, WorldConfig::default()).expect("a valid configuration");
    let dynamic = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic);
    let held: Vec<BodyHandle> = dynamic.map(|body| body.handle()).step_by(7).collect();
    for (body, locks) in
        held.into_iter().zip([AxisLocks::PLANE_XY, AxisLocks::TRANSLATION_X].into_iter().cycle())
    {
        world.set_locks(body, locks).expect("it is there");
    }
    for tick in 1..=2 * TICKS {
        world.step();
        if tick % INTERVAL == 0 {
            out.hash(world.state_hash());
        }
    }
}

/// Joints and contacts that fight: what is as fast as the formats allow for shares lanes with what is not.
fn tangles(out: &mut Recorder) {
    for seed in 16..24 {
        let mut tangle = Tangle::new(seed);
        for _ in 0..INTERVAL {
            tangle.tick();
        }
        out.hash(tangle.world.state_hash());
    }
}

fn record(world: &mut World, out: &mut Recorder) {
    out.hash(world.state_hash());
    for event in world.events() {
        if let Event::ContactImpact { approach_speed, impulse, point, normal, .. } = event {
            out.numbers([*approach_speed, *impulse]);
            out.numbers(point.to_array().into_iter().chain(normal.to_array()));
        }
    }
    let queries = world.queries();
    let filter = QueryFilter { sensors: true, ..QueryFilter::default() };
    for column in -3..=3 {
        let from = Vec3::new(Fx::from_int(column), fx!(20), Fx::from_ratio(column.into(), 3));
        let ray = Ray::new(from, Vec3::new(fx!(0.5), fx!(-30), fx!(0.25)));
        for found in queries.cast_ray_all(&ray, &filter) {
            out.bits(i64::from(found.collider.index));
            out.number(found.hit.fraction);
        }
        let nearest = queries.closest_point(from, fx!(40), &filter);
        out.optional(nearest.map(|nearest| nearest.distance));
    }
}

fn arena(out: &mut Recorder) {
    let mut arena = Arena::new(4, 1);
    let mut bots = Bots::new(4, 1);
    for tick in 1..=2 * TICKS {
        arena.tick(&bots.inputs(&arena));
        out.bits(arena.commands().len() as i64);
        if tick % INTERVAL == 0 {
            out.hash(arena.hash());
        }
    }
    out.hash(xxh3_128(&arena.snapshot().to_bytes()));
}
