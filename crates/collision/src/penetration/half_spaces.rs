//! Out of a half-space the way is always its normal.

use super::Penetration;
use crate::distance::arithmetic::round_shift;
use crate::exact::narrow;
use crate::overlap::half_spaces::reach_q64;
use crate::shape::{Capsule, HalfSpace, Obb, Sphere};
pub(super) fn half_space_sphere(half_space: &HalfSpace, sphere: &Sphere) -> Penetration {
    let depth = sphere.radius() - half_space.signed_distance(sphere.center());
    Penetration::new(half_space.normal(), depth)
}

pub(super) fn half_space_box(half_space: &HalfSpace, obb: &Obb) -> Penetration {
    // A half-space may hold a box that is anywhere below its plane.
    let depth = reach_q64(half_space, obb) - half_space.signed_distance_q64(obb.center());
    Penetration::new(half_space.normal(), narrow(round_shift(depth, 32)))
}

pub(super) fn half_space_capsule(half_space: &HalfSpace, capsule: &Capsule) -> Penetration {
    let lowest = half_space.signed_distance(capsule.a()).min(half_space.signed_distance(capsule.b()));
    Penetration::new(half_space.normal(), capsule.radius() - lowest)
}

pub(super) fn half_space_half_space(a: &HalfSpace, b: &HalfSpace) -> Option<Penetration> {
    let opposite = a.normal() == b.normal().saturating_neg();
    opposite.then(|| Penetration::new(a.normal(), -a.signed_distance(b.point())))
}
