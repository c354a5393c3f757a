//! A stack: stands, sleeps, is restored, and hashes the same at every lane level.
use isostep_collision::{HalfSpace, Obb, Sphere};
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Snapshot, World, WorldConfig};

fn stack(count: i32) -> (World, Vec<BodyHandle>) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    let boxes = (0..count)
        .map(|i| {
            let body =
                world.add_body(BodyDef::dynamic(vec3(fx!(0), Fx::HALF + Fx::from_int(i), fx!(0)))).unwrap();
            let shape = Obb::from_half_extents(Vec3::splat(Fx::HALF)).unwrap();
            world.add_collider(body, ColliderDef::new(shape)).unwrap();
            body
        })
        .collect();
    (world, boxes)
}

#[test]
fn a_ten_box_stack_stands_and_sleeps_within_three_seconds() {
    let (mut world, boxes) = stack(10);
    for _ in 0..180 {
        world.step();
    }
    for (body, i) in boxes.iter().zip(0..) {
        let view = world.body(*body).unwrap();
        assert!(view.is_asleep(), "box {i}");
        let off = view.position() - vec3(fx!(0), Fx::HALF + Fx::from_int(i), fx!(0));
        assert!(off.with_y(fx!(0)).length() < fx!(0.001), "box {i} drifted by {off}");
        // Springs give way: by λ (1 − γ) / γβ, less than 3 mm below ten boxes, and about half as much again.
        assert!(off.y.abs() < fx!(0.0045) * Fx::from_int(i + 1), "box {i} sank by {off}");
    }
}

#[test]
fn a_world_restored_at_any_tick_continues_like_the_one_that_never_stopped() {
    let (mut world, boxes) = stack(6);
    let ball =
        world.add_body(BodyDef::dynamic(vec3(fx!(-6), fx!(3), fx!(0.1))).moving(Vec3::X * fx!(8))).unwrap();
    world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.4)).unwrap())).unwrap();
    let mut saved = Snapshot::new();
    let mut expected: Vec<u128> = Vec::new();
    let mut snapshots = Vec::new();
    for tick in 0..240 {
        if tick % 20 == 7 {
            snapshots.push((tick, world.snapshot()));
        }
        if tick == 200 {
            world.remove_body(boxes[0]).unwrap();
        }
        world.step();
        expected.push(world.state_hash());
    }
    for (tick, snapshot) in snapshots {
        let bytes = snapshot.to_bytes();
        let read = Snapshot::from_bytes(&bytes).unwrap();
        assert_eq!(read.to_bytes(), bytes);
        let mut fresh = World::from_snapshot(&read);
        world.load(&snapshot);
        for (now, hash) in (tick..).zip(&expected[tick..]) {
            if now == 200 {
                fresh.remove_body(boxes[0]).unwrap();
                world.remove_body(boxes[0]).unwrap();
            }
            fresh.step();
            world.step();
            world.save(&mut saved);
            assert_eq!(fresh.events(), world.events(), "tick {now}");
            if fresh.state_hash() != *hash {
                panic!("from tick {tick} at {now}: {:?}", fresh.snapshot().difference(&world.snapshot()));
            }
            assert_eq!(saved.state_hash(), *hash);
        }
    }
}
