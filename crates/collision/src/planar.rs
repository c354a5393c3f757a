//! The plane: circles, boxes and convex polygons, and every question a 2D game asks of a pair of them.
//!
//! Data passes through in this order:
//!
//! 1. shapes, checked when they are made: [`Circle`], [`Aabb2`], [`Obb2`], [`Polygon`], the enum [`Shape2`];
//! 2. each is seen as an *outline*: corners relative to a point of its own with 44 fraction bits, one outward
//!    normal per edge, and a radius. Corners of circles, axis-aligned boxes and polygons are exact there; those
//!    of a turned box are rounded to 2⁻¹³ units of 2⁻³²;
//! 3. two outlines side by side are a pair. Only the difference of their reference points enters, so a pair moved
//!    by any representable offset gives the same bits;
//! 4. questions: [`overlaps`] and [`penetrates`], [`penetration`], [`distance`] and [`closest_points`],
//!    [`manifold`]; and of one shape: `contains`, `closest_point`, `cast_ray`, `project`, `mass_properties`.
//!
//! The separating axis test stands on [`Projection`]: two convex shapes are apart exactly if their shadows on one
//! of the edge normals are apart. Products of exact differences are compared without normalising, so the answers
//! *apart*, *touching* and *penetrating* are three even where shapes differ by one unit of 2⁻³², at any distance
//! from the origin.
//!
//! # Precision
//! * Predicates are exact for circles, axis-aligned boxes and polygons. The rotation of a turned box has 32
//!   fraction bits, so that its corners lie within one unit of 2⁻³² per metre of its half diagonal, plus 2⁻¹²
//!   units, from the ideal ones; outside that band the answer is that of the ideal box.
//! * Depths, distances and separations are within a unit of 2⁻³² of the exact value for that outline; directions
//!   are within 0.51 units per component.
//! * Shapes whose reference points are more than 2¹⁸ m apart do not touch; their distance is found with 28
//!   fraction bits.
//!
//! # Symmetry
//! Swapping the shapes negates the direction and swaps the points, mirroring the scene in an axis mirrors the answer,
//! both to the bit. Where several directions are exactly as good, the one that points most from the middle of `a`'s
//! bounding box to that of `b`'s wins, then the one nearest to the x axis, then one with x y > 0, then one with
//! x > 0 (or y > 0 where x is 0). Only where the two middles have a coordinate in common can the last two rules
//! decide, as between two sides of a box that are as near: there a mirrored scene may give another of the equally
//! good directions, and for opposite ones so may a swap. Two circles with one centre part along +X.
//!
//! ```
//! use isostep_collision::planar::{Aabb2, Circle, manifold, penetration};
//! use isostep_math::{Fx, Vec2, fx, vec2};
//!
//! let ground = Aabb2::new(vec2(fx!(-10), fx!(-1)), vec2(fx!(10), fx!(0)))?;
//! let ball = Circle::new(vec2(fx!(2), fx!(0.75)), fx!(1))?;
//! let found = penetration(&ground, &ball).unwrap();
//! assert_eq!((found.direction, found.depth), (Vec2::Y, fx!(0.25)));
//!
//! let contact = manifold(&ground, &ball, fx!(0.1)).unwrap();
//! assert_eq!(contact.points()[0].point_a, vec2(fx!(2), fx!(0)));
//! assert_eq!(contact.points()[0].separation, fx!(-0.25));
//! # Ok::<(), isostep_collision::planar::Shape2Error>(())
//! ```

mod aabb;
mod circle;
mod clip;
mod closest;
mod error;
mod exact;
mod face;
mod manifold;
mod mass;
mod obb;
mod outline;
mod overlap;
mod pair;
mod penetration;
mod polygon;
mod projection;
mod questions;
mod ray;
mod rotation;
mod shape;

pub use aabb::Aabb2;
pub use circle::Circle;
pub use closest::{ClosestPoints2, closest_points, distance};
pub use error::Shape2Error;
pub use manifold::{FeatureId2, Manifold2, ManifoldPoint2, manifold};
pub use mass::MassProperties2;
pub use obb::Obb2;
pub use outline::Convex2;
pub use overlap::{overlaps, penetrates};
pub use penetration::{Penetration2, penetration};
pub use polygon::{MAX_VERTICES, Polygon};
pub use projection::Projection;
pub use ray::{Ray2, RayHit2};
pub use rotation::Rotation2;
pub use shape::Shape2;
