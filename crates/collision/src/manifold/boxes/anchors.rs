//! The points that two faces keep, as points on both boxes, in lanes of pairs.
#![allow(clippy::needless_range_loop, reason = "points and lanes are addressed by number")]

use super::super::found::{PointLanes, PointWords};
use super::super::frame::{BLOCK, Scale};
use super::Column;
use super::faces::{MOST, Points};
use isostep_math::wide::{Backend, Lanes, Mask, chunk_at_mut, dot3};

/// What two faces have in common.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Overlap {
    /// The points that are kept, by pairs.
    pub(super) points: PointLanes,
    /// Above the reference face, as mantissas.
    pub(super) z: [Column; 4],
    /// How many are kept; none where the faces do not overlap.
    pub(super) count: Column,
    /// The reference faces: [`AXIS_SHIFT`](super::faces::AXIS_SHIFT), [`SIDE_BIT`](super::faces::SIDE_BIT) and
    /// [`FLIPPED_BIT`](super::faces::FLIPPED_BIT).
    pub(super) faces: Column,
}

impl Overlap {
    pub(super) const EMPTY: Self = Self {
        points: [[PointWords::ZERO; BLOCK]; 4],
        z: [[0; BLOCK]; 4],
        count: [0; BLOCK],
        faces: [0; BLOCK],
    };
}

/// The other box as it is seen from the reference face: x and y along the face, z above it; lengths are mantissas.
pub(super) struct View<B: Backend<N>, const N: usize> {
    /// Where the reference is b.
    pub(super) flipped: Mask<B, N>,
    /// Whether the axis of the reference that looks out of the face is 0, and whether it is 1.
    pub(super) axis: [Mask<B, N>; 2],
    /// Negative where the face is that of the negative side.
    pub(super) side: Lanes<B, N>,
    /// The reference: half sizes of the face, and how far it is from the centre.
    pub(super) half: [Lanes<B, N>; 3],
    /// The other box: its centre, and its axes, Q30.
    pub(super) center: [Lanes<B, N>; 3],
    pub(super) axes: [[Lanes<B, N>; 3]; 3],
    /// The reference face, as [`Overlap::faces`].
    pub(super) reference: Lanes<B, N>,
    /// Both faces, as bits of features.
    pub(super) both: Lanes<B, N>,
}

/// Puts the points whose bits `kept` has to the lanes from `at` on.
#[inline(always)]
pub(super) fn put_anchors<B: Backend<N>, const N: usize>(
    points: &Points<B, N>,
    kept: Lanes<B, N>,
    view: &View<B, N>,
    scale: Scale<B, N>,
    out: &mut Overlap,
    at: usize,
) {
    *chunk_at_mut(&mut out.faces, at) = view.reference.store();
    let (mut x, mut y, mut z, mut feature) = ([[0; N]; MOST], [[0; N]; MOST], [[0; N]; MOST], [[0; N]; MOST]);
    for k in 0..MOST {
        (x[k], y[k]) = (points.x[k].store(), points.y[k].store());
        (z[k], feature[k]) = (points.z[k].store(), points.feature[k].store());
    }
    // Each lane has points of its own.
    let kept = kept.store();
    let (mut kept_x, mut kept_y, mut kept_z, mut features) =
        ([[0; N]; 4], [[0; N]; 4], [[0; N]; 4], [[0; N]; 4]);
    let mut most = 0;
    for lane in 0..N {
        let (mut bits, mut count) = (kept[lane] as u32, 0);
        while bits != 0 && count < 4 {
            let index = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            (kept_x[count][lane], kept_y[count][lane]) = (x[index][lane], y[index][lane]);
            (kept_z[count][lane], features[count][lane]) = (z[index][lane], feature[index][lane]);
            count += 1;
        }
        out.count[at + lane] = count as i32;
        most = most.max(count);
    }
    for index in 0..most {
        let position =
            [Lanes::load(&kept_x[index]), Lanes::load(&kept_y[index]), Lanes::load(&kept_z[index])];
        let feature = Lanes::load(&features[index]) + view.both;
        *chunk_at_mut(&mut out.z[index], at) = kept_z[index];
        let columns = view.point(position, feature, scale);
        let records = Lanes::to_records(&columns);
        for lane in 0..N {
            out.points[index][at + lane] = PointWords(records[lane]);
        }
    }
}

impl<B: Backend<N>, const N: usize> View<B, N> {
    /// The columns of the [`PointWords`] of a point.
    #[inline(always)]
    fn point(
        &self,
        position: [Lanes<B, N>; 3],
        feature: Lanes<B, N>,
        scale: Scale<B, N>,
    ) -> [Lanes<B, N>; 8] {
        let (reference, other) = (self.foot(position), self.in_other(position));
        let (mut a, mut b) = (reference, other);
        for k in 0..3 {
            a[k] = scale.raw_signed(self.flipped.select(other[k], reference[k]));
            b[k] = scale.raw_signed(self.flipped.select(reference[k], other[k]));
        }
        [a[0], a[2], b[1], scale.raw_signed(position[2]), a[1], b[0], b[2], feature]
    }

    /// The point of the face below a point that is above it or, by the slop, beside it; in the axes of the reference.
    #[inline(always)]
    fn foot(&self, [x, y, _]: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let (x, y) = (x.clamp(-self.half[0], self.half[0]), y.clamp(-self.half[1], self.half[1]));
        let z = self.half[2].negate_where_negative(self.side);
        let [is_0, is_1] = self.axis;
        [
            is_0.select(z, is_1.select(y, x)),
            is_0.select(x, is_1.select(z, y)),
            is_0.select(y, is_1.select(x, z)),
        ]
    }

    /// A point in the axes of the other box, from its centre.
    #[inline(always)]
    fn in_other(&self, point: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let mut offset = point;
        for k in 0..3 {
            offset[k] = point[k] - self.center[k];
        }
        [
            dot3(offset, self.axes[0]).shr_round::<30>(),
            dot3(offset, self.axes[1]).shr_round::<30>(),
            dot3(offset, self.axes[2]).shr_round::<30>(),
        ]
    }
}
