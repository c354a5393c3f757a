//! [`Pair`]: two outlines in one frame.

use super::exact::{CORNER_BITS, plus, round_shift};
use super::outline::Outline;
use isostep_math::Vec2;

/// Reference points farther apart than this, 2¹⁸ m on an axis, belong to shapes that cannot touch, whatever the
/// margin.
const MAX_OFFSET: i64 = 1 << 50;

/// Two outlines, and their corners relative to the reference of the first.
pub(super) struct Pair {
    pub(super) a: Outline,
    pub(super) b: Outline,
    /// The frame's corners: Q44 where the shapes are near each other, below 2^62.6.
    pub(super) corners_a: [[i64; 2]; super::MAX_VERTICES],
    pub(super) corners_b: [[i64; 2]; super::MAX_VERTICES],
    /// Fraction bits of the frame.
    pub(super) bits: u32,
}

impl Pair {
    /// The two in a frame of Q44, or `None` where they are too far apart to touch.
    pub(super) fn near(a: Outline, b: Outline) -> Option<Self> {
        let offset = offset(a.reference, b.reference);
        if offset.iter().any(|d| d.unsigned_abs() > MAX_OFFSET as u128) {
            return None;
        }
        let offset = offset.map(|d| (d << super::exact::SUB_BITS) as i64);
        let mut corners_b = b.corners;
        for corner in &mut corners_b[..b.count] {
            *corner = plus(*corner, offset);
        }
        Some(Self { a, b, corners_a: a.corners, corners_b, bits: CORNER_BITS })
    }

    /// The two in a frame of Q28, which holds every pair.
    pub(super) fn far(a: Outline, b: Outline) -> Self {
        const BITS: u32 = 28;
        let coarse = |corner: [i64; 2]| corner.map(|q44| round_shift(q44.into(), CORNER_BITS - BITS) as i64);
        let offset = offset(a.reference, b.reference).map(|d| round_shift(d, 32 - BITS) as i64);
        let corners_b = b.corners.map(|corner| plus(coarse(corner), offset));
        Self { a, b, corners_a: a.corners.map(coarse), corners_b, bits: BITS }
    }

    /// From the middle of `a`'s bounding box to that of `b`'s, doubled, Q44; for a far pair only its signs.
    pub(super) fn between_middles(&self) -> [i128; 2] {
        let (from, to) = (self.a.middle_doubled(), self.b.middle_doubled());
        [0, 1].map(|axis| {
            let shift = i128::from(self.corners_b[0][axis]) - i128::from(self.b.corners[0][axis]);
            to[axis] + 2 * shift - from[axis]
        })
    }

    /// The point of the world on `a`, from its offset from the reference of `a`, doubled, Q44.
    pub(super) fn world_point_of_a(&self, doubled: [i128; 2]) -> Vec2 {
        self.a.world_point(doubled, self.between_middles())
    }

    /// The point of the world on `b`, from its offset from the reference of `b`, doubled, Q44.
    pub(super) fn world_point_of_b(&self, doubled: [i128; 2]) -> Vec2 {
        self.b.world_point(doubled, self.between_middles().map(|d| -d))
    }

    /// The corners of `a` in the frame.
    pub(super) fn corners_a(&self) -> &[[i64; 2]] {
        &self.corners_a[..self.a.count]
    }

    /// The corners of `b` in the frame.
    pub(super) fn corners_b(&self) -> &[[i64; 2]] {
        &self.corners_b[..self.b.count]
    }

    /// Both radii together, Q44.
    pub(super) const fn radii(&self) -> i64 {
        self.a.radius + self.b.radius
    }
}

/// `b − a` in raw bits, exact.
fn offset(a: Vec2, b: Vec2) -> [i128; 2] {
    [
        i128::from(b.x.to_bits()) - i128::from(a.x.to_bits()),
        i128::from(b.y.to_bits()) - i128::from(a.y.to_bits()),
    ]
}
