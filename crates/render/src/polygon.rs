//! Convex polygons of the world, cut by planes.

use isostep_collision::{Aabb, HalfSpace};
use isostep_math::{Fx, Vec3};

/// The part of a convex polygon where `distance` is at most 0; `distance` is linear.
pub(crate) fn cut(polygon: &[Vec3], distance: impl Fn(Vec3) -> Fx) -> Vec<Vec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, &corner) in polygon.iter().enumerate() {
        let next = polygon[(index + 1) % polygon.len()];
        let (here, there) = (distance(corner), distance(next));
        if here <= Fx::ZERO {
            kept.push(corner);
        }
        if (here < Fx::ZERO && there > Fx::ZERO) || (here > Fx::ZERO && there < Fx::ZERO) {
            kept.push(corner.lerp(next, here / (here - there)));
        }
    }
    kept
}

/// The part of a convex polygon in a box.
pub(crate) fn cut_to_box(polygon: Vec<Vec3>, aabb: &Aabb) -> Vec<Vec3> {
    let (min, max) = (aabb.min(), aabb.max());
    let planes: [&dyn Fn(Vec3) -> Fx; 6] = [
        &|point| min.x - point.x,
        &|point| point.x - max.x,
        &|point| min.y - point.y,
        &|point| point.y - max.y,
        &|point| min.z - point.z,
        &|point| point.z - max.z,
    ];
    planes.into_iter().fold(polygon, |polygon, plane| cut(&polygon, plane))
}

/// The part of the surface of a half-space in a box, outside of other half-spaces.
pub(crate) fn surface(half_space: &HalfSpace, aabb: &Aabb, others: &[HalfSpace]) -> Vec<Vec3> {
    let normal = half_space.normal();
    let middle = aabb.center();
    let foot = middle - normal * half_space.signed_distance(middle);
    let reach = aabb.half_extents().element_sum();
    let (u, v) = normal.any_orthonormal_pair();
    let (u, v) = (u * reach, v * reach);
    let square = vec![foot - u - v, foot + u - v, foot + u + v, foot - u + v];
    others
        .iter()
        .filter(|other| *other != half_space)
        .fold(cut_to_box(square, aabb), |polygon, other| cut(&polygon, |point| -other.signed_distance(point)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    #[test]
    fn a_surface_ends_at_the_box_and_at_other_surfaces() {
        let aabb = Aabb::from_center_half_extents(Vec3::ZERO, Vec3::splat(fx!(2))).unwrap();
        let ground = HalfSpace::ground(fx!(1));
        let all = surface(&ground, &aabb, &[ground]);
        let around = Aabb::from_points(all);
        let is_near = |found: Vec3, x: Fx, z: Fx| found.abs_diff_eq(vec3(x, fx!(1), z), fx!(0.00000001));
        assert!(
            is_near(around.min(), fx!(-2), fx!(-2)) && is_near(around.max(), fx!(2), fx!(2)),
            "{around:?}"
        );
        let wall = HalfSpace::new(Vec3::ZERO, Vec3::X).unwrap();
        let around = Aabb::from_points(surface(&ground, &aabb, &[ground, wall]));
        assert!(is_near(around.min(), fx!(0), fx!(-2)), "{around:?}");
        assert!(surface(&HalfSpace::ground(fx!(3)), &aabb, &[]).is_empty());
    }
}
