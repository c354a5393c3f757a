//! Distances and closest points of two shapes that are apart.
//!
//! [`distance`] and [`closest_points`] answer for every pair. A shape is a core and a radius around it; two
//! cores become one body in a scale of their own (`pair`), whose point closest to the origin is found in closed
//! form (`zonotope`, by way of `parallelogram` and `arithmetic`; `sphere_box` is a shorter way to the same bits).
//! Half-spaces have a file of their own
//! (`half_space`).
//!
//! **Error.** With the pair's size, the sum of its extents and of the distance of its centres: the distance is
//! within 2⁻⁵³ of it, then it is rounded to nearest, and so is every component of the points. Shapes closer than that
//! may count as touching.

pub(crate) mod arithmetic;
pub(crate) mod half_space;
pub(crate) mod pair;
mod parallelogram;
pub(crate) mod sphere_box;
pub(crate) mod zonotope;

use self::arithmetic::{direction, length, scaled_to};
use self::half_space::Plane;
use self::pair::{Core, Pair};
use self::zonotope::Closest;
use crate::shape::{HalfSpace, Shape};
use isostep_math::{Fx, Vec3};

/// Where two shapes that are apart come closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClosestPoints {
    /// How far apart they are: above zero, `Fx::MAX` where it is beyond the range.
    pub distance: Fx,
    /// The point of the first shape, each component to nearest.
    pub on_a: Vec3,
    /// The point of the second shape, each component to nearest.
    pub on_b: Vec3,
    /// The direction from the first point to the second, of unit length: right where the distance is tiny, too.
    pub normal: Vec3,
}

impl ClosestPoints {
    /// The answer for the two shapes in the other order.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { on_a: self.on_b, on_b: self.on_a, normal: self.normal.saturating_neg(), ..self }
    }
}

/// How far the two shapes are apart: 0 where they touch or overlap, `Fx::MAX` where it is beyond the range.
///
/// ```
/// use isostep_collision::{Obb, Shape, Sphere, distance};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let crate_ = Shape::from(Obb::from_half_extents(Vec3::ONE)?);
/// let ball = Shape::from(Sphere::new(vec3(fx!(4), fx!(5), fx!(1)), fx!(2))?);
/// assert_eq!(distance(&crate_, &ball), fx!(3));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn distance(a: &Shape, b: &Shape) -> Fx {
    closest_points(a, b).map_or(Fx::ZERO, |points| points.distance)
}

/// Where the two shapes come closest; `None` where they touch or overlap, that is, where [`distance`] is 0.
///
/// Where several pairs of points are equally close, as for parallel edges, it is one of them.
#[must_use]
pub fn closest_points(a: &Shape, b: &Shape) -> Option<ClosestPoints> {
    match (a, b) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => between_half_spaces(a, b),
        (Shape::HalfSpace(a), _) => to_half_space(&Core::of(b)?, a).map(ClosestPoints::swapped),
        (_, Shape::HalfSpace(b)) => to_half_space(&Core::of(a)?, b),
        _ => between_cores(&Core::of(a)?, &Core::of(b)?),
    }
}

/// Where a shape comes closest to a point, which is the first of the two: `None` where the shape holds it.
#[must_use]
pub fn closest_points_from(point: Vec3, shape: &Shape) -> Option<ClosestPoints> {
    let point = Core::of_point(point);
    match shape {
        Shape::HalfSpace(half_space) => to_half_space(&point, half_space),
        _ => between_cores(&point, &Core::of(shape)?),
    }
}

fn between_cores(a: &Core, b: &Core) -> Option<ClosestPoints> {
    let pair = Pair::new(a, b, [0; 3]);
    let found = zonotope::closest(&pair, pair.offset)?;
    let distance = pair.to_fx(length(found.residual) - pair.radius());
    if distance <= Fx::ZERO {
        return None;
    }
    Some(ClosestPoints {
        distance,
        on_a: pair.to_world(a, on_a(&pair, &found)),
        on_b: pair.to_world(b, on_b(&pair, &found)),
        normal: direction(found.toward),
    })
}

/// From the centre of a to the point of its surface.
pub(crate) fn on_a(pair: &Pair, found: &Closest) -> [i64; 3] {
    let core = pair.on_core_a(&found.coefficients);
    let radius = radius_toward(found, pair.radius_a);
    core::array::from_fn(|axis| core[axis] + radius[axis])
}

/// From the centre of b to the point of its surface.
pub(crate) fn on_b(pair: &Pair, found: &Closest) -> [i64; 3] {
    let core = pair.on_core_b(&found.coefficients);
    let radius = radius_toward(found, pair.radius_b);
    core::array::from_fn(|axis| core[axis] - radius[axis])
}

/// A radius from a towards b.
fn radius_toward(found: &Closest, radius: i64) -> [i64; 3] {
    if radius == 0 {
        return [0; 3];
    }
    // Cores may touch and have no direction.
    match length(found.toward) {
        0 => [0; 3],
        own => scaled_to(found.toward, radius, own),
    }
}

fn to_half_space(a: &Core, b: &HalfSpace) -> Option<ClosestPoints> {
    let plane = Plane::of(b);
    let contact = plane.approach(a);
    let distance = contact.distance();
    if distance <= Fx::ZERO {
        return None;
    }
    Some(ClosestPoints {
        distance,
        on_a: contact.on_core(a, &plane),
        on_b: contact.on_plane(a, &plane),
        normal: plane.unit_normal().saturating_neg(),
    })
}

/// Planes that are not exactly parallel meet somewhere; half-spaces that face each other may be apart.
fn between_half_spaces(a: &HalfSpace, b: &HalfSpace) -> Option<ClosestPoints> {
    if a.normal() == b.normal().saturating_neg() {
        to_half_space(&Core::of_point(a.point()), b)
    } else {
        None
    }
}
