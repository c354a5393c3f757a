//! Deterministic fixed-point collision: the same answers, to the bit, on every machine.
//!
//! Usable without the rest of the engine: shapes in, answers out, no world and no history. Folders are questions
//! asked of shapes, files the pairs that answer them:
//!
//! * [`shape`]: [`Sphere`], [`Obb`], [`Capsule`], [`HalfSpace`], their enum [`Shape`], and [`Aabb`]; boxes fitted to
//!   points ([`Obb::fit`]), volume, centre and gyration ([`MassProperties`]).
//! * [`overlap`]: do two shapes meet? Touching counts in [`overlaps`] and does not in [`penetrates`].
//! * [`penetration`](fn@penetration): the least translation that separates them.
//! * [`mod@distance`]: how far are they apart, and where are they closest?
//! * [`manifold`]: the points a solver can stand on, one pair at a time or in lanes of pairs.
//! * [`cast`]: when does a ray or a moving shape first touch another?
//! * [`impact`]: when do two shapes meet of which both move and turn?
//! * [`tree`] and [`query`]: the same questions of thousands of shapes, answers in a total order.
//! * [`planar`]: circles, boxes and polygons in the plane.
//!
//! Positions enter only by their differences: a scene moved by any representable offset gives the same answers.
//!
//! The guide, `docs/collision.md` in the repository, goes through them with their guarantees, limits and figures.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/collision.md")]
struct Guide;

pub mod cast;
pub mod distance;
mod exact;
mod fit;
pub mod impact;
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
