//! What bodies do, against what the laws of mechanics say they do.

#[path = "physics/bounces.rs"]
mod bounces;
#[path = "physics/collisions.rs"]
mod collisions;
#[path = "physics/commands.rs"]
mod commands;
#[path = "physics/flight.rs"]
mod flight;
#[path = "physics/friction.rs"]
mod friction;
#[path = "physics/kinematic.rs"]
mod kinematic;
#[path = "physics/loads.rs"]
mod loads;
#[path = "physics/rolling.rs"]
mod rolling;
#[path = "physics/sleep.rs"]
mod sleep;
#[path = "physics/slender.rs"]
mod slender;
#[path = "physics/spin.rs"]
mod spin;

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, ColliderDef, Material, World, WorldConfig};

const ZERO: Fx = Fx::ZERO;

/// A world without sleep, with gravity along −y or without.
fn world(gravity: bool) -> World {
    let default = WorldConfig { sleeping: false, ..WorldConfig::default() };
    let config = if gravity { default } else { WorldConfig { gravity: Vec3::ZERO, ..default } };
    World::new(config).unwrap()
}

fn surface(friction: Fx, restitution: Fx) -> Material {
    Material { friction, restitution, ..Material::default() }
}

/// A fixed half-space below y = 0.
fn add_ground(world: &mut World, material: Material) {
    let ground = world.add_body(BodyDef::fixed(Vec3::ZERO)).unwrap();
    let collider = ColliderDef::new(HalfSpace::ground(ZERO)).with_material(material);
    world.add_collider(ground, collider).unwrap();
}

fn add(world: &mut World, def: BodyDef, shape: impl Into<Shape>, material: Material) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, ColliderDef::new(shape).with_material(material)).unwrap();
    body
}

fn cube(half: Fx) -> Obb {
    Obb::from_half_extents(Vec3::splat(half)).unwrap()
}

fn ball(radius: Fx) -> Sphere {
    Sphere::from_radius(radius).unwrap()
}

/// The kinetic energy of a box of 1 kg with these half extents, linear and angular velocities.
fn energy(half: Vec3, rotation: Quat, [linear, angular]: [Vec3; 2]) -> Fx {
    let turn = rotation.conjugate() * angular;
    let squares = half * half;
    let inertia = vec3(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) / fx!(3);
    (linear.length_squared() + (turn * turn).dot(inertia)) * HALF
}

fn steps(world: &mut World, count: u32) {
    for _ in 0..count {
        world.step();
    }
}

/// Whether `value` is within a fraction of `expected`.
#[track_caller]
fn assert_near(value: Fx, expected: Fx, fraction: Fx, what: &str) {
    let off = (value - expected).abs();
    assert!(off <= expected.abs() * fraction, "{what}: {value} instead of {expected}");
}

#[track_caller]
fn assert_within(value: Vec3, expected: Vec3, distance: Fx, what: &str) {
    let off = value.distance(expected);
    assert!(off <= distance, "{what}: {value} instead of {expected}, {off} off");
}

fn seconds(ticks: u32) -> Fx {
    Fx::from_ratio(i64::from(ticks), 60)
}

const HALF: Fx = fx!(0.5);
