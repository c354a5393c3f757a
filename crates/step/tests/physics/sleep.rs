//! What counts as rest.

use super::*;
use isostep_collision::penetration_of;
use isostep_step::Event;

#[test]
fn what_a_lift_takes_along_in_one_tick_does_not_fall_asleep_in_the_air() {
    for delay in 20..40 {
        let mut world = World::new(WorldConfig::default()).unwrap();
        add_ground(&mut world, Material::default());
        let cargo = add(&mut world, BodyDef::dynamic(Vec3::Y * HALF), cube(HALF), Material::default());
        let lift = Obb::from_half_extents(vec3(Fx::ONE, HALF, Fx::ONE)).unwrap();
        let lift = add(&mut world, BodyDef::kinematic(Vec3::Y * fx!(-2)), lift, Material::default());
        steps(&mut world, delay);
        world.set_kinematic_target(lift, Pose::from_translation(Vec3::Y * fx!(1.5))).unwrap();
        world.step();
        assert!(world.body(cargo).unwrap().position().y > fx!(2), "{delay}: it is taken along");
        world.set_kinematic_target(lift, Pose::from_translation(Vec3::Y * fx!(-2))).unwrap();
        steps(&mut world, 300);
        assert_near(world.body(cargo).unwrap().position().y, HALF, fx!(0.01), "on the ground");
    }
}

#[test]
fn what_is_being_pushed_apart_does_not_fall_asleep_inside_each_other() {
    let plain = WorldConfig { gravity: Vec3::ZERO, ..WorldConfig::default() };
    let configs = [
        plain,
        WorldConfig { substeps: 16, ..plain },
        WorldConfig { push_speed: Fx::ONE, ..plain },
        WorldConfig { sleep_speed: fx!(0.15), ..plain },
        WorldConfig { sleep_ticks: 1, ..plain },
    ];
    for config in configs {
        let mut world = World::new(config).unwrap();
        let crates = [Vec3::ZERO, Vec3::X * fx!(0.1)]
            .map(|at| add(&mut world, BodyDef::dynamic(at), cube(Fx::ONE), Material::default()));
        steps(&mut world, 300);
        let shapes = crates.map(|body| {
            let collider = world.body(body).unwrap().colliders().next().unwrap();
            world.collider(collider).unwrap().world_shape()
        });
        let depth = penetration_of(&shapes[0], &shapes[1]).map_or(ZERO, |found| found.depth);
        assert!(depth < fx!(0.01), "{depth} m deep with {config:?}");
    }
}

/// On a small moon they are slow for a long time, and touch each other, but nothing that holds them.
#[test]
fn what_falls_together_does_not_fall_asleep_in_the_air() {
    let gravity = vec3(ZERO, fx!(-0.04), ZERO);
    let mut world = World::new(WorldConfig { gravity, ..WorldConfig::default() }).unwrap();
    add_ground(&mut world, Material::default());
    let [lower, upper] = [fx!(2.5), fx!(3.5)]
        .map(|y| add(&mut world, BodyDef::dynamic(Vec3::Y * y), cube(HALF), Material::default()));
    steps(&mut world, 300);
    assert_near(world.body(lower).unwrap().position().y, fx!(2), fx!(0.001), "half g t²");
    steps(&mut world, 900);
    for (body, y) in [(lower, fx!(0.5)), (upper, fx!(1.5))] {
        let view = world.body(body).unwrap();
        assert!(view.is_asleep(), "on the ground they are held");
        assert_near(view.position().y, y, fx!(0.01), "height");
    }
}

#[test]
fn what_wakes_and_falls_asleep_in_one_step_is_told_to_do_so_in_that_order() {
    let config = WorldConfig { sleep_ticks: 1, gravity: Vec3::ZERO, ..WorldConfig::default() };
    let mut world = World::new(config).unwrap();
    let body = add(&mut world, BodyDef::dynamic(Vec3::ZERO), cube(HALF), Material::default());
    world.step();
    assert_eq!(world.events(), [Event::Sleep { body }]);
    world.wake_body(body).unwrap();
    world.step();
    assert_eq!(world.events(), [Event::Wake { body }, Event::Sleep { body }]);
}
