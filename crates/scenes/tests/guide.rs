//! The figures of `docs/physics.md`.

use isostep_collision::{HalfSpace, Obb, Sphere};
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, World, WorldConfig};

fn add_box(world: &mut World, body: BodyDef, half_extents: Vec3) -> BodyHandle {
    let body = world.add_body(body).unwrap();
    world.add_collider(body, ColliderDef::new(Obb::from_half_extents(half_extents).unwrap())).unwrap();
    body
}

/// Heights of boxes stacked on the ground, below where they were put.
fn sag_of_a_stack(count: i32) -> Vec<Fx> {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(ground, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    let heights = (0..count).map(|level| Fx::HALF + Fx::from_int(level));
    let boxes: Vec<(BodyHandle, Fx)> = heights
        .map(|height| {
            (add_box(&mut world, BodyDef::dynamic(Vec3::Y * height), Vec3::splat(Fx::HALF)), height)
        })
        .collect();
    for _ in 0..200 {
        world.step();
    }
    boxes.iter().map(|(body, height)| *height - world.body(*body).unwrap().position().y).collect()
}

#[test]
fn contacts_give_way_as_much_as_the_guide_says() {
    assert!(sag_of_a_stack(1)[0].abs_diff_eq(fx!(0.00004), fx!(0.000005)));
    let sag = sag_of_a_stack(10);
    assert!(
        sag[0].abs_diff_eq(fx!(0.0004), fx!(0.00005)) && sag[9].abs_diff_eq(fx!(0.0037), fx!(0.0003)),
        "{sag:?}"
    );
}

#[test]
fn a_thin_wall_holds_up_to_the_speed_that_the_guide_names() {
    for phase in 0..40 {
        let mut world = World::new(WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() }).unwrap();
        add_box(&mut world, BodyDef::fixed(Vec3::ZERO), vec3(fx!(0.05), fx!(2), fx!(2)));
        let start = fx!(-1) - Fx::from_ratio(7 * phase, 40 * 60);
        let ball = BodyDef::dynamic(vec3(start, fx!(0), fx!(0))).moving(Vec3::X * fx!(7));
        let ball = world.add_body(ball).unwrap();
        world.add_collider(ball, ColliderDef::new(Sphere::from_radius(fx!(0.05)).unwrap())).unwrap();
        for _ in 0..60 {
            world.step();
        }
        assert!(world.body(ball).unwrap().position().x < fx!(-0.09), "{phase}");
    }
}
