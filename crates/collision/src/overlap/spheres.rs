//! Spheres against spheres and boxes.

use crate::exact::{AXIS_BITS, length_squared, relative};
use crate::shape::{Obb, Sphere};
use core::cmp::Ordering;

/// |c|² against (r + s)², exact.
pub(super) fn sphere_sphere(a: &Sphere, b: &Sphere) -> Ordering {
    let Some(offset) = relative(b.center(), a.center()) else { return Ordering::Greater };
    let reach = a.radius().to_bits() + b.radius().to_bits();
    length_squared(offset).cmp(&length_squared([reach, 0, 0]))
}

/// Bits that a coordinate in the axes of a box keeps below the unit of 2⁻³²: exact for exact axes, and its
/// square fits 126 bits.
const GUARD_BITS: u32 = 13;

/// The squared distance of the centre from the box against r².
pub(super) fn sphere_box(sphere: &Sphere, obb: &Obb) -> Ordering {
    let Some(local) = obb.local_q90(sphere.center()) else { return Ordering::Greater };
    let halves = obb.half_extents().to_array();
    let mut square = 0;
    for axis in 0..3 {
        let half = i128::from(halves[axis].to_bits()) << AXIS_BITS;
        // Ten bits above the largest extent at most, so 61 in all.
        let excess = (local[axis].abs() - half).max(0) >> (AXIS_BITS - GUARD_BITS);
        square += excess * excess;
    }
    let radius = i128::from(sphere.radius().to_bits()) << GUARD_BITS;
    if square == 0 {
        // Inside: the surface of the box is no farther than the radius, and the sphere is no point.
        return Ordering::Less;
    }
    square.cmp(&(radius * radius))
}
