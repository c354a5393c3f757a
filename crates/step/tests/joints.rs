//! Joints as data: what commands make of them, what they do to islands and filters, and what can be read of them.
//!
//! All of it holds whatever a solver does: the joints of these tests hold nothing, or what rests is where they hold it.

#[path = "joints/commands.rs"]
mod commands;
mod door;
#[path = "joints/filters.rs"]
mod filters;
#[path = "joints/islands.rs"]
mod islands;
#[path = "joints/loads.rs"]
mod loads;
#[path = "joints/reading.rs"]
mod reading;
#[path = "joints/removal.rs"]
mod removal;

use isostep_collision::{HalfSpace, Obb, Shape};
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, JointDef, JointHandle, JointKind, World, WorldConfig};

/// Holds nothing.
const FREE: JointKind = JointKind::Distance { limits: None, motor: None };

fn cube() -> Shape {
    Obb::from_half_extents(Vec3::splat(Fx::HALF)).unwrap().into()
}

fn add(world: &mut World, def: BodyDef) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, ColliderDef::new(cube())).unwrap();
    body
}

fn ground(world: &mut World) -> BodyHandle {
    let body = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    world.add_collider(body, ColliderDef::new(HalfSpace::ground(fx!(0)))).unwrap();
    body
}

/// The ground, and boxes on it in a row, 3 m from each other.
fn row(count: i32) -> (World, BodyHandle, Vec<BodyHandle>) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let ground = ground(&mut world);
    let boxes =
        (0..count).map(|x| add(&mut world, BodyDef::dynamic(vec3(Fx::from_int(3 * x), Fx::HALF, fx!(0)))));
    let boxes = boxes.collect();
    (world, ground, boxes)
}

/// A joint with its frames where `at` is now.
fn joint_at(world: &World, kind: JointKind, [a, b]: [BodyHandle; 2], at: Vec3) -> JointDef {
    let frame = |body: BodyHandle| Pose::from_translation(at).relative_to(world.body(body).unwrap().pose());
    JointDef::new(kind, (a, frame(a)), (b, frame(b)))
}

/// Joins two bodies at the middle between them by a ball joint, which they keep at rest.
fn join(world: &mut World, a: BodyHandle, b: BodyHandle) -> JointHandle {
    let middle = |body: BodyHandle| world.body(body).unwrap().position();
    let at = middle(a).lerp(middle(b), Fx::HALF);
    let ball = JointKind::Ball { swing_limit: None, twist_limits: None, motor: None };
    let def = joint_at(world, ball, [a, b], at);
    world.add_joint(def).unwrap()
}

fn steps(world: &mut World, count: u32) {
    for _ in 0..count {
        world.step();
    }
}

fn sleeps(world: &World, body: BodyHandle) -> bool {
    world.body(body).unwrap().is_asleep()
}
