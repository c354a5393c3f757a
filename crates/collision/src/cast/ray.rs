//! [`cast_ray`]: a ray is a point that moves.

use super::slabs::{self, Verdict};
use super::window::Body;
use super::{first_touch, half_space};
use crate::distance::arithmetic::UNIT;
use crate::distance::pair::Core;
use crate::exact::bits;
use crate::ray::Ray;
use crate::shape::Shape;
use isostep_math::{Fx, Vec3};

/// Where a ray enters a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RayHit {
    /// The fraction of the displacement, in [0, 1], rounded down; 0 if the ray starts inside.
    pub fraction: Fx,
    /// The point of the ray at that fraction, each component to nearest.
    pub point: Vec3,
    /// The outward unit normal of the shape there; **zero** if the ray starts inside.
    pub normal: Vec3,
}

impl RayHit {
    /// Whether the ray starts inside the shape.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.normal == Vec3::ZERO
    }
}

/// Where `ray` enters `shape`; `None` if it misses. Shapes are solid: a ray that starts inside hits at once.
///
/// A ray that starts on the surface hits if it leads inward, and misses if it leads outward or along it. One that
/// comes along the face of a box, or starts where that begins, enters there: so none falls through where boxes along the
/// axes of the world meet. The fraction and the normal are exact but for rounding against spheres, boxes and
/// half-spaces; against capsules the fraction is within 2⁻⁴⁴ where the ray does not just graze.
///
/// ```
/// use isostep_collision::{Ray, Shape, Sphere, cast_ray};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let ball = Shape::from(Sphere::from_radius(fx!(1))?);
/// let ray = Ray::new(vec3(fx!(-3), fx!(0), fx!(0)), vec3(fx!(8), fx!(0), fx!(0)));
/// let hit = cast_ray(&ball, &ray).unwrap();
/// assert_eq!((hit.fraction, hit.point, hit.normal), (fx!(0.25), Vec3::NEG_X, Vec3::NEG_X));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn cast_ray(shape: &Shape, ray: &Ray) -> Option<RayHit> {
    let by_slabs = match shape {
        Shape::Box(obb) => slabs::enter(ray, obb),
        _ => Verdict::Unsure,
    };
    let (fraction, normal) = match by_slabs {
        Verdict::Missed => return None,
        Verdict::Entered { time, normal } => (Fx::from_bits(super::fraction(time)), normal),
        Verdict::Unsure => cast_by_sweep(shape, ray)?,
    };
    if fraction > ray.max_fraction() {
        return None;
    }
    Some(RayHit { fraction, point: ray.at(fraction), normal })
}

/// The fraction and the normal, wherever the ray ends.
pub(super) fn cast_by_sweep(shape: &Shape, ray: &Ray) -> Option<(Fx, Vec3)> {
    let travel = bits(ray.displacement()).map(i128::from);
    match shape {
        Shape::HalfSpace(target) => {
            let origin = Core::of_point(ray.origin());
            let hit = half_space::meet(&origin, travel, target)?.of_moving_core(&origin, travel);
            Some((hit.fraction, hit.normal))
        }
        _ => {
            let touch = first_touch(Body::Point(ray.origin()), travel, shape)?;
            debug_assert!(touch.time <= UNIT);
            Some((Fx::from_bits(super::fraction(touch.time)), -touch.toward))
        }
    }
}
