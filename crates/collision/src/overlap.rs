//! Do two shapes meet?
//!
//! [`overlaps`] counts touching, as most textbooks do; [`penetrates`] does not. Both are computed from exact
//! products in full Q32.32: two unit boxes a unit of 2⁻³² apart, touching, and a unit deep give three different
//! pairs of answers, at the origin as at a coordinate of 10⁹. The answers are exact for spheres, half-spaces
//! along an axis, and boxes whose rotation maps axes to axes; for all other pairs they are right outside a band of
//! 4 units of 2⁻³² per metre of the pair's size around touching.

mod capsules;
pub(crate) mod half_spaces;
mod spheres;

use crate::distance::pair::Core;
use crate::sat::BoxPair;
use crate::shape::Shape;
use core::cmp::Ordering;

/// Whether the shapes share a point: touching counts.
///
/// ```
/// use isostep_collision::{Obb, Shape, Sphere, overlap};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let crate_: Shape = Obb::from_half_extents(Vec3::splat(fx!(0.5)))?.into();
/// let ball: Shape = Sphere::new(vec3(fx!(1.5), fx!(0), fx!(0)), fx!(1))?.into();
/// assert!(overlap::overlaps(&crate_, &ball) && !overlap::penetrates(&crate_, &ball));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn overlaps(a: &Shape, b: &Shape) -> bool {
    relation(a, b) != Ordering::Greater
}

/// Whether the shapes share more than their surfaces: touching does not count.
#[must_use]
pub fn penetrates(a: &Shape, b: &Shape) -> bool {
    relation(a, b) == Ordering::Less
}

/// `Greater` where the shapes are apart, `Equal` where they touch, `Less` where they penetrate.
#[must_use]
pub fn relation(a: &Shape, b: &Shape) -> Ordering {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => spheres::sphere_sphere(a, b),
        (Shape::Sphere(a), Shape::Box(b)) | (Shape::Box(b), Shape::Sphere(a)) => spheres::sphere_box(a, b),
        (Shape::Box(a), Shape::Box(b)) => {
            BoxPair::new(a, b).map_or(Ordering::Greater, |pair| pair.relation())
        }
        (Shape::Capsule(_), Shape::Sphere(_) | Shape::Capsule(_) | Shape::Box(_)) => {
            match (Core::of(a), Core::of(b)) {
                (Some(a), Some(b)) => capsules::rounded(&a, &b),
                // Only half-spaces have no core.
                _ => Ordering::Greater,
            }
        }
        // In one order, so that rounding next to touching is the same in both.
        (Shape::Sphere(_) | Shape::Box(_), Shape::Capsule(_)) => relation(b, a),
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => half_spaces::half_space_half_space(a, b),
        (Shape::HalfSpace(a), Shape::Sphere(b)) | (Shape::Sphere(b), Shape::HalfSpace(a)) => {
            half_spaces::half_space_sphere(a, b)
        }
        (Shape::HalfSpace(a), Shape::Box(b)) | (Shape::Box(b), Shape::HalfSpace(a)) => {
            half_spaces::half_space_box(a, b)
        }
        (Shape::HalfSpace(a), Shape::Capsule(b)) | (Shape::Capsule(b), Shape::HalfSpace(a)) => {
            half_spaces::half_space_capsule(a, b)
        }
    }
}
