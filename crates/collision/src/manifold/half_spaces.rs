//! Half-spaces against everything else: the lowest points of the other shape.

use super::rounded::WorldPoint;
use crate::shape::{HalfSpace, Obb, Shape};
use isostep_math::{Fx, Vec3};

/// The contact of a half-space (a) with another shape (b); the normal is the half-space's.
pub(super) fn contact(
    a: &HalfSpace,
    b: &Shape,
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
    match b {
        Shape::Sphere(sphere) => end(sphere.center(), sphere.radius(), 0),
        Shape::Capsule(capsule) => {
            end(capsule.a(), capsule.radius(), 1);
            if capsule.a() != capsule.b() {
                end(capsule.b(), capsule.radius(), 2);
            }
        }
        Shape::Box(obb) => lowest_corners(a, obb, |corner, index| end(corner, Fx::ZERO, index)),
        // Two half-spaces have no points to stand on.
        Shape::HalfSpace(_) => return None,
    }
    Some(a.normal())
}

/// The four corners of the face that looks at the plane the most: its outline is the contact, be the box flat on
/// the plane, on an edge or on a corner.
fn lowest_corners(plane: &HalfSpace, obb: &Obb, mut push: impl FnMut(Vec3, u32)) {
    let axes = obb.axes().map(|axis| axis.dot(plane.normal()));
    let mut face = 0;
    for axis in 1..3 {
        if axes[axis].abs() > axes[face].abs() {
            face = axis;
        }
    }
    // Its positive side looks down where its axis does.
    let side = usize::from(axes[face] < Fx::ZERO);
    for (index, corner) in obb.corners().into_iter().enumerate() {
        if index >> face & 1 == side {
            push(corner, index as u32);
        }
    }
}
