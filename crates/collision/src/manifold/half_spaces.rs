//! Half-spaces against everything else: the lowest points of the other shape.

use super::posed::Posed;
use super::rounded::WorldPoint;
use crate::shape::{HalfSpace, Obb, Shape, narrowed_axes};
use isostep_math::{Fx, Vec3, fx};

/// The contact of a half-space (a) with another shape (b); the normal is the half-space's.
pub(super) fn contact(
    a: &HalfSpace,
    b: &Posed,
    margin: Fx,
    push: &mut impl FnMut(WorldPoint),
) -> Option<Vec3> {
    let mut end = |core: Vec3, radius: Fx, feature: u32| {
        let above = a.signed_distance(core);
        let separation = above - radius;
        if separation <= margin {
            let (on_a, on_b) = (core - a.normal() * above, core - a.normal() * radius);
            push(WorldPoint { on_a, on_b, separation, feature });
        }
    };
    match &b.world {
        Shape::Sphere(sphere) => end(sphere.center(), sphere.radius(), 0),
        Shape::Capsule(capsule) => {
            end(capsule.a(), capsule.radius(), 1);
            if capsule.a() != capsule.b() {
                end(capsule.b(), capsule.radius(), 2);
            }
        }
        Shape::Box(obb) => {
            lowest_corners(a, obb, &b.axes, margin, |corner, index| end(corner, Fx::ZERO, index));
        }
        // Two half-spaces have no points to stand on.
        Shape::HalfSpace(_) => return None,
    }
    Some(a.normal())
}

/// More than what the lowest corner of a box may be nearer to a plane than rounded numbers tell.
const UNSURE: Fx = fx!(0.001);

/// The four corners of the face that looks at the plane the most: its outline is the contact, be the box flat on
/// the plane, on an edge or on a corner. None if all of the box is farther from the plane than the margin.
fn lowest_corners(
    plane: &HalfSpace,
    obb: &Obb,
    axes: &[[i64; 3]; 3],
    margin: Fx,
    mut push: impl FnMut(Vec3, u32),
) {
    let corners = obb.corners_along(axes);
    let axes = narrowed_axes(axes).map(|axis| axis.dot(plane.normal()));
    let halves = obb.half_extents().to_array();
    let reach = axes[0].abs() * halves[0] + axes[1].abs() * halves[1] + axes[2].abs() * halves[2];
    if plane.signed_distance(obb.center()).saturating_sub(reach) > margin.saturating_add(UNSURE) {
        return;
    }
    let mut face = 0;
    for axis in 1..3 {
        if axes[axis].abs() > axes[face].abs() {
            face = axis;
        }
    }
    // Its positive side looks down where its axis does.
    let side = usize::from(axes[face] < Fx::ZERO);
    for index in (0..8).filter(|index| index >> face & 1 == side) {
        push(corners.nth(index), index as u32);
    }
}
