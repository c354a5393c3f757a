//! Deterministic fixed-point collision: the same answers, to the bit, on every machine.
//!
//! Folders are questions asked of shapes, files the pairs that answer them:
//!
//! * [`shape`]: [`Sphere`], [`Obb`], [`Capsule`], [`HalfSpace`], their enum [`Shape`], and [`Aabb`].
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

pub mod cast;
pub mod distance;
mod exact;
mod fit;
pub mod manifold;
mod mass;
pub mod overlap;
mod penetration;
pub mod planar;
pub mod query;
pub mod ray;
mod sat;
pub mod shape;
pub mod tree;

pub use cast::{CastHit, RayHit, cast_ray, cast_shape};
pub use distance::{ClosestPoints, closest_points, closest_points_from, distance};
pub use fit::FitError;
pub use manifold::{ContactPoint, FeatureId, Manifold};
pub use mass::{Mass, MassError, MassProperties, PrincipalGyration};
pub use overlap::{overlaps, penetrates};
pub use penetration::{Penetration, penetration, penetration_of};
pub use ray::Ray;
pub use shape::{Aabb, Capsule, HalfSpace, Obb, Shape, ShapeError, Sphere};
