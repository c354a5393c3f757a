//! Half-spaces against everything: how deep the lowest point lies.

use crate::exact::{AXIS_BITS, dot};
use crate::shape::{Capsule, HalfSpace, Obb, Sphere};
use core::cmp::Ordering;
use isostep_math::Fx;

/// n · (c − p) against r, Q64.
pub(super) fn half_space_sphere(half_space: &HalfSpace, sphere: &Sphere) -> Ordering {
    half_space.signed_distance_q64(sphere.center()).cmp(&(i128::from(sphere.radius().to_bits()) << 32))
}

/// The lower end of the segment against r, Q64.
pub(super) fn half_space_capsule(half_space: &HalfSpace, capsule: &Capsule) -> Ordering {
    let lowest = half_space.signed_distance_q64(capsule.a()).min(half_space.signed_distance_q64(capsule.b()));
    lowest.cmp(&(i128::from(capsule.radius().to_bits()) << 32))
}

/// n · (c − p) against Σ hᵢ |n · aᵢ|.
pub(super) fn half_space_box(half_space: &HalfSpace, obb: &Obb) -> Ordering {
    half_space.signed_distance_q64(obb.center()).cmp(&reach_q64(half_space, obb))
}

/// Σ hᵢ |n · aᵢ|: how far a box reaches along the normal, Q64, to nearest.
pub(crate) fn reach_q64(half_space: &HalfSpace, obb: &Obb) -> i128 {
    let normal = half_space.normal().to_array().map(Fx::to_bits);
    let halves = obb.half_extents().to_array().map(Fx::to_bits);
    // The cosines keep 58 bits: Q90 to Q58, and the products of 107 bits go from Q90 to Q64.
    let cosines = obb.axes_q58().map(|axis| ((dot(normal, axis).abs() + (1 << 31)) >> 32) as i64);
    let reach = dot(halves, cosines);
    (reach + (1 << (AXIS_BITS - 33))) >> (AXIS_BITS - 32)
}

/// Two half-spaces always share points, but where their normals are opposite: then the gap between the planes
/// decides.
pub(super) fn half_space_half_space(a: &HalfSpace, b: &HalfSpace) -> Ordering {
    if a.normal() == b.normal().saturating_neg() {
        a.signed_distance_q64(b.point()).cmp(&0)
    } else {
        Ordering::Less
    }
}
