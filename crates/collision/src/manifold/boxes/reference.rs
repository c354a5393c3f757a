//! The face that a manifold stands on, and the other box seen from it: x and y along the face, z above it.

use super::Record;
use super::axes::Candidates;
use super::faces::{AXIS_SHIFT, FLIPPED_BIT, SIDE_BIT};
use super::pair::Pair;
use isostep_math::exact::round_shift_i64;
use isostep_math::{Fx, Vec3};

/// A face of one of two boxes.
#[derive(Clone, Copy)]
pub(super) struct Face {
    /// Which axis of the box looks out of it, 0 to 2, and on which side, +1 or −1.
    axis: usize,
    side: i64,
    /// Whether the box is b.
    pub(super) flipped: bool,
}

impl Face {
    /// The reference face that the bits of a feature name.
    #[inline(always)]
    pub(super) fn of(bits: u32) -> Self {
        let axis = (bits >> AXIS_SHIFT & 3).min(2) as usize;
        let side = if bits & 1 << SIDE_BIT != 0 { -1 } else { 1 };
        Self { axis, side, flipped: bits & 1 << FLIPPED_BIT != 0 }
    }

    /// From a to b, in the coordinates of the world.
    #[inline(always)]
    pub(super) fn normal(self, [a, b]: [&Record; 2]) -> Vec3 {
        let (record, outward) = if self.flipped { (b, -self.side) } else { (a, self.side) };
        let at = 6 + 3 * self.axis;
        // Q30 to Q32.
        let entry = |row: usize| Fx::from_bits((record[at + row] * outward) << 2);
        Vec3::new(entry(0), entry(1), entry(2))
    }
}

/// A face of one box, the reference, and the other box in its coordinates; lengths are mantissas.
pub(super) struct Reference {
    pub(super) face: Face,
    /// Half sizes of the face, and how far it is from the centre of its box.
    pub(super) h: [i64; 2],
    height: i64,
    /// The other box: its centre, half extents and axes (Q30).
    pub(super) center: [i64; 3],
    pub(super) half: [i64; 3],
    pub(super) axes: [[i64; 3]; 3],
}

impl Reference {
    /// The reference with the face that the axes chose.
    pub(super) fn new(pair: &Pair, candidates: &Candidates, face: Face) -> Self {
        let Face { axis, side, flipped } = face;
        let rows = [(axis + 1) % 3, (axis + 2) % 3, axis];
        let (half, other, center) = if flipped {
            (&candidates.half_b, &candidates.half_a, &candidates.u)
        } else {
            (&candidates.half_a, &candidates.half_b, &candidates.t)
        };
        // To the centre of a the way is back.
        let way = if flipped { -1 } else { 1 };
        let above = pair.at(&center[axis]);
        let height = pair.at(&half[axis]);
        let mut axes = [[0; 3]; 3];
        for (j, axis) in axes.iter_mut().enumerate() {
            for (entry, row) in axis.iter_mut().zip(rows) {
                *entry = pair.at(if flipped { &candidates.r[j][row] } else { &candidates.r[row][j] });
            }
            axis[2] *= side;
        }
        Self {
            face,
            h: [pair.at(&half[rows[0]]), pair.at(&half[rows[1]])],
            height,
            center: [pair.at(&center[rows[0]]) * way, pair.at(&center[rows[1]]) * way, above.abs() - height],
            half: [pair.at(&other[0]), pair.at(&other[1]), pair.at(&other[2])],
            axes,
        }
    }

    /// The point of the face below a point that is above it or, by the slop, beside it; in the axes of the reference.
    pub(super) fn foot(&self, [x, y, _]: [i64; 3]) -> [i64; 3] {
        let (x, y) = (x.clamp(-self.h[0], self.h[0]), y.clamp(-self.h[1], self.h[1]));
        let z = self.height * self.face.side;
        match self.face.axis {
            0 => [z, x, y],
            1 => [y, z, x],
            _ => [x, y, z],
        }
    }

    /// A point in the axes of the other box, from its centre.
    pub(super) fn in_other(&self, point: [i64; 3]) -> [i64; 3] {
        let offset = [point[0] - self.center[0], point[1] - self.center[1], point[2] - self.center[2]];
        [along(offset, self.axes[0]), along(offset, self.axes[1]), along(offset, self.axes[2])]
    }
}

/// v · q for q in Q30, in the scale of v, to nearest, ties away from zero.
#[inline(always)]
pub(super) fn along(v: [i64; 3], q: [i64; 3]) -> i64 {
    round_shift_i64(v[0] * q[0] + v[1] * q[1] + v[2] * q[2], 30)
}
