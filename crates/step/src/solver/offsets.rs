//! The velocities that rows along the normal of a contact ask for, and how far bodies moved for them.

use super::normals::MOST;
use super::records::{Gather, Records};
use super::softness::Softness;
use super::{Block, Column, Row, load, load3, records, store_saturating};
use isostep_math::wide::{Backend, Lanes, dot3, shr_round3, sub3};

/// What offsets are made with.
#[derive(Clone, Copy)]
pub(crate) struct Offsets {
    /// Substeps a second.
    pub(super) rate: i64,
    /// The greatest speed of a push, below 0.
    push: i64,
}

/// How far both bodies moved since the start of the step.
#[derive(Clone, Copy)]
pub(super) struct Moved<B: Backend<N>, const N: usize> {
    /// Apart along the normal, Q24.
    apart: Lanes<B, N>,
    /// Rotation vectors, Q24.
    turned_a: [Lanes<B, N>; 3],
    turned_b: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Moved<B, N> {
    #[inline(always)]
    pub(super) fn gather(
        block: &Block,
        at: usize,
        displacements: &Records<'_>,
        normal: [Lanes<B, N>; 3],
    ) -> Self {
        let a = displacements.gather(&records::<N>(&block.a, at));
        let b = displacements.gather(&records::<N>(&block.b, at));
        let moved = sub3([b[0], b[1], b[2]], [a[0], a[1], a[2]]);
        Self {
            // Q32 to Q24.
            apart: dot3(normal, shr_round3::<B, N, 8>(moved)).shr_round::<30>(),
            turned_a: shr_round3::<B, N, 8>([a[4], a[5], a[6]]),
            turned_b: shr_round3::<B, N, 8>([b[4], b[5], b[6]]),
        }
    }

    /// How far the point of a row is apart now, Q24, which was `before` at the start of the step.
    #[inline(always)]
    pub(super) fn separation(&self, row: &Row, before: &Column, at: usize) -> Lanes<B, N> {
        let arms = dot3(load3(&row.arm_b, at), self.turned_b) - dot3(load3(&row.arm_a, at), self.turned_a);
        let separation = load::<B, N>(before, at) + self.apart + arms.shr_round::<24>();
        let most = Lanes::splat(MOST);
        separation.clamp(-most, most)
    }
}

impl Offsets {
    /// From substeps a second and the greatest speed of a push, Q11.21.
    pub(crate) fn new(substep_rate: i64, push_speed: i64) -> Self {
        Self { rate: substep_rate, push: -push_speed }
    }

    /// Finds those of all points, and of the centre if there is one.
    #[inline(always)]
    pub(super) fn measure<B: Backend<N>, const N: usize>(
        self,
        block: &mut Block,
        at: usize,
        moved: &Moved<B, N>,
    ) {
        let softness = block.softness.rate::<B, N>(at);
        for point in &mut block.points[..block.count] {
            let separation = moved.separation(&point.row, &point.separation, at);
            self.put(separation, softness, &mut point.offset, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            let separation = moved.separation(&center.row, &center.separation, at);
            self.put(separation, softness, &mut center.offset, at);
        }
    }

    #[inline(always)]
    pub(super) fn put<B: Backend<N>, const N: usize>(
        self,
        separation: Lanes<B, N>,
        softness: Lanes<B, N>,
        offset: &mut Column,
        at: usize,
    ) {
        // What is apart may close the gap in a substep. Q24 to Q21.
        let closing = Lanes::splat(self.rate).mul32(separation).shr_round::<3>();
        let back = softness.mul32(separation).shr_round::<{ Softness::RATE_BITS + 3 }>();
        let back = back.max(Lanes::splat(self.push));
        store_saturating(separation.gt(Lanes::zero()).select(closing, back), offset, at);
    }
}
