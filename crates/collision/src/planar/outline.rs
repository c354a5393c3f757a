//! [`Outline`]: what the questions see of a shape.

use super::exact::{SUB_BITS, minus, negated};
use super::{MAX_VERTICES, Rotation2};
use isostep_math::{Fx, Vec2};

/// A convex shape of the plane, as every question takes it. Implemented by the shapes of this module only.
pub trait Convex2: sealed::Sealed {
    #[doc(hidden)]
    fn outline(&self) -> Outline;
}

mod sealed {
    use crate::planar::{Aabb2, Circle, Obb2, Polygon, Shape2};

    pub trait Sealed {}
    impl Sealed for Circle {}
    impl Sealed for Aabb2 {}
    impl Sealed for Obb2 {}
    impl Sealed for Polygon {}
    impl Sealed for Shape2 {}
}

/// Corners counter-clockwise around `reference`, outward normals of the edges that begin at them, and a radius.
///
/// A circle is one corner without edges. Corners and radius are Q44. Normals have any length: the difference of
/// the ends for a polygon, both in raw bits, so that they are exact; the unit axes for a box. Corners are within
/// 2⁻⁴⁴ · 2^61 of the reference on each axis, normals below 2^50.
#[derive(Clone, Copy)]
pub struct Outline {
    pub(super) reference: Vec2,
    pub(super) count: usize,
    pub(super) corners: [[i64; 2]; MAX_VERTICES],
    pub(super) normals: [[i64; 2]; MAX_VERTICES],
    pub(super) radius: i64,
}

impl Outline {
    const EMPTY: Self = Self {
        reference: Vec2::ZERO,
        count: 0,
        corners: [[0; 2]; MAX_VERTICES],
        normals: [[0; 2]; MAX_VERTICES],
        radius: 0,
    };

    /// The outline of a circle; a radius of 0 makes a point.
    pub(super) const fn disc(center: Vec2, radius: Fx) -> Self {
        Self { reference: center, count: 1, radius: radius.to_bits() << SUB_BITS, ..Self::EMPTY }
    }

    /// The outline of an axis-aligned box, around its least corner.
    pub(super) const fn upright(min: Vec2, max: Vec2) -> Self {
        let width = (max.x.to_bits() - min.x.to_bits()) << SUB_BITS;
        let height = (max.y.to_bits() - min.y.to_bits()) << SUB_BITS;
        let mut outline = Self::EMPTY;
        outline.reference = min;
        outline.set_box([[0, 0], [width, 0], [width, height], [0, height]], [1, 0]);
        outline
    }

    /// The outline of a turned box: corners at ± `half.x` (cos, sin) ± `half.y` (−sin, cos), each product rounded
    /// once.
    pub(super) const fn turned(center: Vec2, half: Vec2, rotation: &Rotation2) -> Self {
        let (c, s) = (rotation.cos(), rotation.sin());
        let u = [side(half.x, c), side(half.x, s)];
        let v = [-side(half.y, s), side(half.y, c)];
        let (sum, difference) = ([u[0] + v[0], u[1] + v[1]], minus(u, v));
        let mut outline = Self::EMPTY;
        outline.reference = center;
        outline.set_box([negated(sum), difference, sum, negated(difference)], [c.to_bits(), s.to_bits()]);
        outline
    }

    /// The outline of a polygon of at least three vertices.
    pub(super) fn of_polygon(vertices: &[Vec2]) -> Self {
        let mut outline = Self { reference: vertices[0], count: vertices.len(), ..Self::EMPTY };
        for (i, vertex) in vertices.iter().enumerate() {
            let next = vertices[(i + 1) % vertices.len()];
            // Widths are below 2^49.
            let edge = raw_difference(next, *vertex);
            let offset = raw_difference(*vertex, vertices[0]);
            outline.normals[i] = [edge[1], -edge[0]];
            outline.corners[i] = offset.map(|raw| raw << SUB_BITS);
        }
        outline
    }

    /// Sets corners from the lower left and normals from the lower edge, for a box whose x axis is `axis`.
    const fn set_box(&mut self, corners: [[i64; 2]; 4], axis: [i64; 2]) {
        let normals = [[axis[1], -axis[0]], axis, [-axis[1], axis[0]], negated(axis)];
        self.count = 4;
        let mut i = 0;
        while i < 4 {
            self.corners[i] = corners[i];
            self.normals[i] = normals[i];
            i += 1;
        }
    }

    /// Whether it is a circle or a point.
    pub(super) const fn is_round(&self) -> bool {
        self.count == 1
    }

    /// The index after `i` around the outline.
    pub(super) const fn next(&self, i: usize) -> usize {
        if i + 1 == self.count { 0 } else { i + 1 }
    }

    /// The index before `i` around the outline.
    pub(super) const fn previous(&self, i: usize) -> usize {
        if i == 0 { self.count - 1 } else { i - 1 }
    }

    /// The corners.
    pub(super) fn corners(&self) -> &[[i64; 2]] {
        &self.corners[..self.count]
    }

    /// The edges' normals: none for a circle.
    pub(super) fn normals(&self) -> &[[i64; 2]] {
        if self.is_round() { &[] } else { &self.normals[..self.count] }
    }

    /// The least and greatest coordinates of the corners.
    pub(super) fn bounds(&self) -> ([i64; 2], [i64; 2]) {
        let (mut low, mut high) = (self.corners[0], self.corners[0]);
        for corner in self.corners() {
            low = [low[0].min(corner[0]), low[1].min(corner[1])];
            high = [high[0].max(corner[0]), high[1].max(corner[1])];
        }
        (low, high)
    }

    /// The middle of the bounding box of the corners, doubled: the same for every order of them, and mirrored with
    /// them.
    pub(super) fn middle_doubled(&self) -> [i128; 2] {
        let (low, high) = self.bounds();
        [0, 1].map(|axis| i128::from(low[axis]) + i128::from(high[axis]))
    }

    /// The point of the world at an offset from the reference, given doubled in Q44; ties are rounded away from the
    /// middle of the outline, in the middle toward `other`: both move and mirror with the scene. Saturating.
    pub(super) fn world_point(&self, doubled: [i128; 2], other: [i128; 2]) -> Vec2 {
        const BITS: u32 = SUB_BITS + 1;
        const TIE: i128 = 1 << (BITS - 1);
        let middle = self.middle_doubled();
        let [x, y] = [0, 1].map(|axis| {
            let (below, rest) = (doubled[axis] >> BITS, doubled[axis] & ((1 << BITS) - 1));
            let from_middle = doubled[axis] - middle[axis];
            let is_upward = if from_middle == 0 { other[axis] >= 0 } else { from_middle > 0 };
            let up = rest > TIE || (rest == TIE && is_upward);
            Fx::from_bits((below + i128::from(up)) as i64)
        });
        self.reference + Vec2::new(x, y)
    }
}

/// `half · entry` in Q44, to nearest, for extents up to 2^15 m and entries up to 1.
const fn side(half: Fx, entry: Fx) -> i64 {
    super::exact::round_shift(half.to_bits() as i128 * entry.to_bits() as i128, 32 - SUB_BITS) as i64
}

/// `a − b` in raw bits, for points of one shape.
fn raw_difference(a: Vec2, b: Vec2) -> [i64; 2] {
    [a.x.to_bits() - b.x.to_bits(), a.y.to_bits() - b.y.to_bits()]
}
