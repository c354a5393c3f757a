//! A frame from the extreme points of a cloud.
//!
//! Source: T. Larsson, L. Källberg, *Fast Computation of Tight-Fitting Oriented Bounding Boxes* (2011), DiTO-14.
//! The cloud is searched along seven directions. Of the fourteen points found, two far apart and one far from
//! their line make a triangle, and the farthest points above and below it two tetrahedra on it. Each edge of a
//! face with the normal of that face is a candidate frame. A box that fits tightly lies on such a face; among
//! the corners of a box there always are tetrahedra with its own axes.

use crate::exact::{cross_squared, length_squared, relative};
use isostep_math::{Fx, Quat, Vec3};

/// The normals of the faces of a cube and of the corners of an octahedron.
const DIRECTIONS: [[i64; 3]; 7] =
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]];

/// The frame of the extreme points with the least surface around those, or `None` where all lie on a line or
/// too far from `origin`.
pub(super) fn best_frame(origin: Vec3, points: &[Vec3]) -> Option<Quat> {
    let extremes = extreme_points(origin, points)?;
    let pairs = DIRECTIONS.iter().enumerate().map(|(i, _)| (extremes[2 * i], extremes[2 * i + 1]));
    let (a, b) = pairs.max_by_key(|(low, high)| relative(*low, *high).map(length_squared))?;
    // Exact, for the squares of small clouds have no bits in Q32.32.
    let along = relative(b, a)?;
    let c =
        extremes.into_iter().max_by_key(|&point| relative(point, a).map(|way| cross_squared(way, along)))?;
    let line = (b - a).try_normalize()?;
    let normal = line.cross((c - a).try_normalize()?).try_normalize()?;
    let height = |point: &Vec3| (*point - a).dot(normal);
    let apexes = [*points.iter().min_by_key(|p| height(p))?, *points.iter().max_by_key(|p| height(p))?];

    let sides = apexes.into_iter().flat_map(|apex| [[a, b, apex], [b, c, apex], [c, a, apex]]);
    let frames = core::iter::once([a, b, c]).chain(sides).flat_map(|[a, b, c]| {
        let edges = [[a, b, c], [b, c, a], [c, a, b]];
        edges.into_iter().filter_map(|[from, to, beside]| frame(to - from, beside - from))
    });
    let (_, rotation) =
        frames.map(|frame| (face_area(&frame, a, &extremes), frame)).min_by_key(|(area, _)| *area)?;
    let [x, y, z] = rotation;
    Some(Quat::from_rotation_axes(x, y, z))
}

/// Two points for each direction, the lowest and the highest.
fn extreme_points(origin: Vec3, points: &[Vec3]) -> Option<[Vec3; 14]> {
    let mut extremes = [origin; 14];
    let mut heights = [0_i64; 14];
    for &point in points {
        let [x, y, z] = relative(point, origin)?;
        for (i, direction) in DIRECTIONS.iter().enumerate() {
            // Below 2^51.
            let height = direction[0] * x + direction[1] * y + direction[2] * z;
            if height < heights[2 * i] {
                (heights[2 * i], extremes[2 * i]) = (height, point);
            }
            if height > heights[2 * i + 1] {
                (heights[2 * i + 1], extremes[2 * i + 1]) = (height, point);
            }
        }
    }
    Some(extremes)
}

/// The axes along `edge`, along the normal of the plane of `edge` and `beside`, and across both.
fn frame(edge: Vec3, beside: Vec3) -> Option<[Vec3; 3]> {
    let x = edge.try_normalize()?;
    let y = x.cross(beside.try_normalize()?).try_normalize()?;
    Some([x, y, x.cross(y)])
}

/// An eighth of the surface of the box with these axes around `points`, in Q64.
fn face_area(axes: &[Vec3; 3], origin: Vec3, points: &[Vec3]) -> u128 {
    let [x, y, z] = axes.map(|axis| {
        let heights = points.iter().map(|&point| (point - origin).dot(axis));
        let (low, high) = heights.fold((Fx::MAX, Fx::MIN), |(low, high), h| (low.min(h), high.max(h)));
        (high - low).to_bits() as u128
    });
    x * y + y * z + z * x
}
