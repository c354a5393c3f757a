//! Spheres against spheres and boxes.

use super::Penetration;
use crate::exact::{AXIS_BITS, length_squared, narrow_axis};
use crate::shape::{Obb, Sphere};
use isostep_math::{Fx, Vec3};

pub(super) fn sphere_sphere(a: &Sphere, b: &Sphere) -> Penetration {
    let offset = b.center() - a.center();
    Penetration::new(offset.normalize_or(Vec3::Y), a.radius() + b.radius() - offset.length())
}

/// A centre outside of the box parts from it along the line to its closest point, a centre inside through the
/// nearest face.
pub(super) fn sphere_box(sphere: &Sphere, obb: &Obb) -> Penetration {
    let axes = obb.axes_q58();
    let halves = obb.half_extents().to_array().map(Fx::to_bits);
    // Penetrating shapes are near each other.
    let local = obb.local_q90(sphere.center()).unwrap_or_default();
    // What lies beyond the faces, with its sign, and the depth below the nearest of them.
    let mut beyond = [0_i64; 3];
    let mut nearest = (i128::MAX, 0);
    for axis in 0..3 {
        let depth = (i128::from(halves[axis]) << AXIS_BITS) - local[axis].abs();
        if depth < nearest.0 {
            nearest = (depth, axis);
        }
        // Twelve bits more than the unit of 2⁻³² for the direction.
        let excess = ((-depth).max(0) >> (AXIS_BITS - 12)) as i64;
        beyond[axis] = if local[axis] < 0 { -excess } else { excess };
    }
    if length_squared(beyond) == 0 {
        let (depth, axis) = nearest;
        let outward = if local[axis] < 0 { 1 } else { -1 };
        let direction =
            Vec3::from_array(axes[axis].map(|n| Fx::from_bits(outward * narrow_axis(i128::from(n) << 32))));
        return Penetration::new(direction, sphere.radius() + Fx::from_bits(narrow_axis(depth)));
    }
    let offset = Vec3::from_array(beyond.map(Fx::from_bits));
    let distance = offset.length() >> 12;
    let local_direction = -offset.normalize();
    Penetration::new(obb.rotation() * local_direction, sphere.radius() - distance)
}
