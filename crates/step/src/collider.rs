//! Colliders: shapes that bodies have.

use crate::filter::Filter;
use crate::handle::NONE;
use crate::material::Material;
use isostep_collision::{Shape, Sphere};
use isostep_math::{Fx, Pose};
use serde::{Deserialize, Serialize};

/// What a collider is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ColliderDef {
    /// Its shape.
    pub shape: Shape,
    /// Where the coordinates of the shape are in those of the body, of which it lies within ±2³⁰ m.
    pub pose: Pose,
    /// In kg/m³, above 0.
    pub density: Fx,
    /// Its surface.
    pub material: Material,
    /// What it collides with.
    pub filter: Filter,
    /// Whether it only reports what overlaps it.
    pub sensor: bool,
    /// Whatever the user likes.
    pub user_data: u64,
}

impl ColliderDef {
    /// Of density 1000 kg/m³, with the default surface, colliding with all.
    #[must_use]
    pub fn new(shape: impl Into<Shape>) -> Self {
        Self {
            shape: shape.into(),
            pose: Pose::IDENTITY,
            density: Fx::from_int(1000),
            material: Material::default(),
            filter: Filter::default(),
            sensor: false,
            user_data: 0,
        }
    }

    /// Moved by `pose` in the coordinates of the body.
    #[must_use]
    pub const fn at(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Of another density in kg/m³.
    #[must_use]
    pub const fn with_density(mut self, density: Fx) -> Self {
        self.density = density;
        self
    }

    /// With another surface.
    #[must_use]
    pub const fn with_material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Colliding with others.
    #[must_use]
    pub const fn with_filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Reporting what overlaps it instead of colliding.
    #[must_use]
    pub const fn as_sensor(mut self) -> Self {
        self.sensor = true;
        self
    }
}

/// A collider of a world; of a slot without one, how often it was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Collider {
    pub(crate) generation: u32,
    pub(crate) alive: bool,
    pub(crate) sensor: bool,
    pub(crate) body: u32,
    /// The next collider of the body, in the order in which they were added.
    pub(crate) next: u32,
    /// In the coordinates of the body.
    pub(crate) shape: Shape,
    pub(crate) density: Fx,
    pub(crate) material: Material,
    pub(crate) filter: Filter,
    pub(crate) user_data: u64,
}

impl Collider {
    /// A slot that nobody owned yet.
    pub(crate) fn vacant() -> Self {
        Self {
            generation: 0,
            alive: false,
            sensor: false,
            body: NONE,
            next: NONE,
            shape: Shape::Sphere(Sphere::UNIT),
            density: Fx::ZERO,
            material: Material::default(),
            filter: Filter::default(),
            user_data: 0,
        }
    }
}
