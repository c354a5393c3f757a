//! [`Face`]: the edges that separate a pair best.
//!
//! With n the outward normal of an edge and S its support on the owner, the other shape lies
//!
//! > s = (min n · other − max n · owner) / |n|
//!
//! ahead of it; below zero −s is how far the other has to be moved along n. The greatest s over the edges of both
//! is the depth of the pair, as the Minkowski difference has no other edges.

use super::Projection;
use super::exact::{dot, minus, negated, quotient, unit};
use super::pair::Pair;
use isostep_math::Vec2;

/// Whose an edge is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    A,
    B,
}

/// An edge and how far the other shape is ahead of it.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub(super) owner: Owner,
    pub(super) index: usize,
    /// Outward from its owner.
    pub(super) normal: [i64; 2],
    /// Q44, to nearest, without radii.
    pub(super) separation: i64,
}

impl Face {
    /// Its normal, as it points from `a` to `b`.
    pub(super) fn normal_to_b(&self) -> [i64; 2] {
        match self.owner {
            Owner::A => self.normal,
            Owner::B => negated(self.normal),
        }
    }

    /// Its normal from `a` to `b` with length 1.
    pub(super) fn direction(&self) -> Vec2 {
        unit(self.normal_to_b())
    }

    /// The squared length of its edge in the pair's frame.
    fn length_squared(&self, pair: &Pair) -> i128 {
        let (outline, corners) = match self.owner {
            Owner::A => (&pair.a, pair.corners_a()),
            Owner::B => (&pair.b, pair.corners_b()),
        };
        let edge = minus(corners[outline.next(self.index)], corners[self.index]);
        dot(edge, edge)
    }
}

/// The edge of `owner` that the other shape is farthest ahead of; `None` for a circle.
pub(super) fn best_face_of(pair: &Pair, owner: Owner) -> Option<Face> {
    let (outline, own, other) = match owner {
        Owner::A => (&pair.a, pair.corners_a(), pair.corners_b()),
        Owner::B => (&pair.b, pair.corners_b(), pair.corners_a()),
    };
    let faces = outline.normals().iter().enumerate().map(|(index, normal)| {
        let shadow = Projection::of_corners(own, *normal);
        let ahead = shadow.gap_ahead(&Projection::of_corners(other, *normal));
        let separation = quotient(ahead, *normal);
        Face { owner, index, normal: *normal, separation }
    });
    faces.reduce(|best, face| better(pair, best, face))
}

/// The edge of both with the greatest separation; `None` for two circles.
pub(super) fn best_face(pair: &Pair) -> Option<Face> {
    match (best_face_of(pair, Owner::A), best_face_of(pair, Owner::B)) {
        (Some(a), Some(b)) => Some(better(pair, a, b)),
        (a, b) => a.or(b),
    }
}

/// The one with the greater separation; of equals the one that ranks higher.
fn better(pair: &Pair, a: Face, b: Face) -> Face {
    if a.separation != b.separation {
        return if a.separation > b.separation { a } else { b };
    }
    let rank = |face: &Face| {
        (direction_rank(face.direction(), pair.between_middles()), dot(face.normal, face.normal))
    };
    if rank(&b) > rank(&a) { b } else { a }
}

/// What decides between directions that are as good: the order is documented with the module.
pub(super) fn direction_rank(direction: Vec2, toward: [i128; 2]) -> (i128, i64, bool, bool) {
    let (x, y) = (direction.x.to_bits(), direction.y.to_bits());
    let ahead = toward[0] * i128::from(x) + toward[1] * i128::from(y);
    (ahead, x.abs(), (x > 0) == (y > 0) && x != 0 && y != 0, is_positive([x, y]))
}

/// Whether `v` points to the positive side of the x axis, or of the y axis if it lies on that.
const fn is_positive(v: [i64; 2]) -> bool {
    v[0] > 0 || (v[0] == 0 && v[1] > 0)
}

/// What separations along the two edges may differ by and count as equal, Q44: 2⁻²⁰ of the longer edge.
pub(super) fn tolerance(pair: &Pair, a: &Face, b: &Face) -> i64 {
    (a.length_squared(pair).max(b.length_squared(pair)).unsigned_abs().isqrt() >> 20) as i64
}

/// The edge that a manifold is clipped to, of the best edge of each of two shapes with corners.
///
/// Where both separate equally well to within the tolerance, as where the edges lie on each other, the longer edge
/// is chosen, if it is longer by more than a 64th: noise in the poses then does not change it. It depends on the
/// shapes as they lie, not on their order nor on the last step.
pub(super) fn reference_face(pair: &Pair, a: Face, b: Face, tolerance: i64) -> Face {
    if a.separation.abs_diff(b.separation) <= tolerance.unsigned_abs() {
        let (length_a, length_b) = (a.length_squared(pair), b.length_squared(pair));
        if length_a > length_b + (length_b >> 5) {
            return a;
        }
        if length_b > length_a + (length_a >> 5) {
            return b;
        }
    }
    if a.separation != b.separation {
        return if a.separation > b.separation { a } else { b };
    }
    // Of parallel edges, the one with the longer normal, then the one that faces the positive side.
    let rank = |face: &Face| {
        let direction = direction_rank(face.direction(), pair.between_middles());
        (direction, dot(face.normal, face.normal), is_positive(face.normal))
    };
    if rank(&b) > rank(&a) { b } else { a }
}
