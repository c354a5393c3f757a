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
    let cosines = narrowed_axes(axes).map(|axis| axis.dot(plane.normal()));
    let halves = obb.half_extents().to_array();
    let reach = cosines[0].abs() * halves[0] + cosines[1].abs() * halves[1] + cosines[2].abs() * halves[2];
    if plane.signed_distance(obb.center()).saturating_sub(reach) > margin.saturating_add(UNSURE) {
        return;
    }
    let mut face = 0;
    for axis in 1..3 {
        if cosines[axis].abs() > cosines[face].abs() {
            face = axis;
        }
    }
    // Its positive side looks down where its axis does.
    let side = usize::from(cosines[face] < Fx::ZERO);
    let corners = obb.corners_along(axes);
    for index in (0..8).filter(|index| index >> face & 1 == side) {
        push(corners.nth(index), index as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;
    use isostep_math::{Pose, Quat, vec3};

    /// Lengths of all sizes that boxes may have.
    fn length(rng: &mut Rng) -> Fx {
        Fx::from_bits((rng.next_u64() >> (17 + rng.below(30))) as i64).clamp(Fx::EPSILON, fx!(32768))
    }

    #[test]
    fn a_box_has_the_corners_of_its_lowest_face_that_are_no_farther_than_the_margin() {
        let mut rng = Rng::new(7, 0);
        let (mut some, mut none) = (0, 0);
        for round in 0..20_000 {
            let halves = vec3(length(&mut rng), length(&mut rng), length(&mut rng));
            let rotation = if rng.bool() { rng.unit_quat().normalize() } else { Quat::IDENTITY };
            let normal = if rng.chance(1, 4) { Vec3::Y } else { rng.unit_vec3().normalize() };
            let plane = HalfSpace::new(vec3(fx!(100000), fx!(-3), fx!(7)), normal).unwrap();
            let margin = fx!(0.02) * Fx::from_int(rng.below(3) as i32);
            let local = Obb::new(Vec3::ZERO, halves, Quat::IDENTITY).unwrap();
            // The lowest corner at the plane, and then a little higher, about the margin, or much.
            let turned = local.transformed(&Pose::new(rotation, plane.point()));
            let lowest = |obb: &Obb| {
                obb.corners().into_iter().map(|corner| plane.signed_distance(corner)).min().unwrap()
            };
            let about = [margin, margin + UNSURE, length(&mut rng)][round % 3];
            let height = about - lowest(&turned) + Fx::from_bits(rng.range_i64(-9, 9));
            let pose = Pose::new(rotation, plane.point() + normal * height);
            let posed = Posed::new(&local.into(), &pose);
            let Shape::Box(obb) = &posed.world else { panic!("a box") };
            let mut found = Vec::new();
            let normal = contact(&plane, &posed, margin, &mut |point: WorldPoint| {
                found.push((point.feature, point.separation));
            });
            assert_eq!(normal, Some(plane.normal()));
            let axes = obb.axes().map(|axis| axis.dot(plane.normal()));
            let face = (0..3).rev().max_by_key(|&axis: &usize| axes[axis].abs()).unwrap();
            let side = usize::from(axes[face] < Fx::ZERO);
            let expected: Vec<_> = (0..)
                .zip(obb.corners())
                .filter(|(index, _)| index >> face & 1 == side as u32)
                .map(|(index, corner)| (index, plane.signed_distance(corner)))
                .filter(|&(_, separation)| separation <= margin)
                .collect();
            assert_eq!(found, expected, "round {round}: {obb:?}");
            if found.is_empty() { none += 1 } else { some += 1 }
        }
        assert!(some > 4000 && none > 4000, "{some} and {none}");
    }
}
