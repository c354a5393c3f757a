//! A scene in isostep.

use anyhow::Result;
use isostep_collision::{Obb, Shape as WorldShape, Sphere};
use isostep_math::{Fx, Pose, Quat, Vec3};
use isostep_step::{BodyDef, BodyHandle, BodyKind, ColliderDef, Material, World, WorldConfig};

use crate::{DENSITY, FRICTION, GRAVITY, STEP_RATE, Scene, Shape};

/// A world with the bodies of a scene, none of which falls asleep.
pub struct SceneWorld {
    /// On one thread, unless the feature `parallel` of isostep is on.
    pub world: World,
    /// The bodies that move, in the order of the scene.
    pub dynamic: Vec<BodyHandle>,
}

impl SceneWorld {
    /// Builds a scene.
    ///
    /// # Errors
    /// If a number of the scene is none that isostep can have.
    pub fn new(scene: &Scene) -> Result<Self> {
        let mut world = World::new(WorldConfig {
            tick_rate: STEP_RATE,
            gravity: vector([0.0, GRAVITY, 0.0])?,
            sleeping: false,
            ..WorldConfig::default()
        })?;
        let material =
            Material { friction: Fx::from_f64(FRICTION)?, restitution: Fx::ZERO, ..Material::default() };
        for body in &scene.bodies {
            let [x, y, z, w] = body.rotation.map(Fx::from_f64);
            let rotation = Quat::from_xyzw(x?, y?, z?, w?).normalize();
            let def = BodyDef {
                kind: if body.is_dynamic { BodyKind::Dynamic } else { BodyKind::Fixed },
                pose: Pose::new(rotation, vector(body.position)?),
                linear_velocity: vector(body.velocity)?,
                ..BodyDef::default()
            };
            let shape: WorldShape = match body.shape {
                Shape::Box { half_extents } => Obb::from_half_extents(vector(half_extents)?)?.into(),
                Shape::Sphere { radius } => Sphere::from_radius(Fx::from_f64(radius)?)?.into(),
            };
            let collider =
                ColliderDef::new(shape).with_density(Fx::from_f64(DENSITY)?).with_material(material);
            let handle = world.add_body(def)?;
            world.add_collider(handle, collider)?;
        }
        let dynamic = world.bodies().filter(|body| body.kind() == BodyKind::Dynamic);
        let dynamic = dynamic.map(|body| body.handle()).collect();
        Ok(Self { world, dynamic })
    }
}

/// The nearest numbers.
///
/// # Errors
/// If one of them is beyond the range.
pub fn vector(numbers: [f64; 3]) -> Result<Vec3> {
    let [x, y, z] = numbers.map(Fx::from_f64);
    Ok(Vec3::new(x?, y?, z?))
}
