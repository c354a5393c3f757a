//! Nothing passes through what it should not, however fast it is; and what is stopped for that goes on as it should.
//!
//! Rooms of bullets by the hundred thousand are in the tests of the whole system.

#[path = "continuous/bullets.rs"]
mod bullets;
#[path = "continuous/impacts.rs"]
mod impacts;
#[path = "continuous/moving.rs"]
mod moving;

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use isostep_step::{
    BodyDef, BodyHandle, ColliderDef, Continuous, Event, Filter, Material, World, WorldConfig,
};

/// Whether to do less: under emulation, and where nothing is optimised.
fn is_short() -> bool {
    cfg!(debug_assertions) || std::env::var_os("ISOSTEP_SHORT_LOGS").is_some()
}

fn weightless() -> World {
    let config = WorldConfig { gravity: Vec3::ZERO, sleeping: false, ..WorldConfig::default() };
    World::new(config).unwrap()
}

fn slab(x: Fx, y: Fx, z: Fx) -> Shape {
    Obb::from_half_extents(vec3(x, y, z)).unwrap().into()
}

fn ball(radius: Fx) -> Shape {
    Sphere::from_radius(radius).unwrap().into()
}

fn add(world: &mut World, def: BodyDef, collider: ColliderDef) -> BodyHandle {
    let body = world.add_body(def).unwrap();
    world.add_collider(body, collider).unwrap();
    body
}

fn surface(friction: Fx, restitution: Fx) -> Material {
    Material { friction, restitution, ..Material::default() }
}
