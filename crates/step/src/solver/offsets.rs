//! The velocities that rows along the normal of a contact ask for, and how far bodies moved for them.

use super::normals::{HALF, MOST};
use super::records::{Gather, Records};
use super::softness::Columns;
use super::{Block, Center, Column, Point, Row, load, load3, store};
use isostep_math::wide::{Backend, Lanes, Mask, Multiplicand, chunk_at, dot3, multiplicands3, sub3};

/// What offsets are made with.
#[derive(Clone, Copy)]
pub(crate) struct Offsets {
    /// Substeps a second, below 2¹⁵.
    pub(super) rate: i64,
    /// The greatest speed of a push, negative: where springs ask for more, rows are firm, and ask for this.
    pub(super) push: i64,
}

/// How far the bodies of a contact moved apart since the start of the step.
#[derive(Clone, Copy)]
pub(super) struct Moved<B: Backend<N>, const N: usize> {
    /// At the centre along the normal, Q48, and half a unit of Q24 more: as speeds along it are rounded.
    center: Lanes<B, N>,
    /// How much more at the ends of the arms of both tilts, Q24.
    tilts: [Multiplicand<B, N>; 2],
}

impl<B: Backend<N>, const N: usize> Moved<B, N> {
    #[inline(always)]
    pub(super) fn gather(
        block: &Block,
        at: usize,
        displacements: &Records<'_>,
        normal: [Lanes<B, N>; 3],
    ) -> Self {
        let a = displacements.gather(chunk_at(&block.a, at));
        let b = displacements.gather(chunk_at(&block.b, at));
        let moved = sub3([b[0], b[1], b[2]], [a[0], a[1], a[2]]);
        // Q32 to Q24; rotation vectors as well.
        let apart = dot3(normal, multiplicands3::<B, N, 8>(moved)) + Lanes::splat(HALF << 6);
        let turned_a = multiplicands3::<B, N, 8>([a[4], a[5], a[6]]);
        let turned_b = multiplicands3::<B, N, 8>([b[4], b[5], b[6]]);
        let Row { arm_a, arm_b, .. } = &block.row;
        let arms = dot3(load3(arm_b, at), turned_b) - dot3(load3(arm_a, at), turned_a);
        let mut tilts = [Lanes::zero().into(); 2];
        if block.has_center() {
            for (moved, tilt) in tilts.iter_mut().zip(&block.tilts) {
                let arm = load3(&tilt.arm, at);
                *moved = (dot3(arm, turned_b) - dot3(arm, turned_a)).held_multiplicand::<24>();
            }
        }
        Self { center: apart.shr::<6>() + arms, tilts }
    }

    /// How far a point is apart now, Q48 and half a unit of Q24 more.
    #[inline(always)]
    pub(super) fn separation(&self, point: &Point, at: usize) -> Lanes<B, N> {
        let [x, y] = [load::<B, N>(&point.place[0], at), load::<B, N>(&point.place[1], at)];
        let moved = self.center + self.tilts[0].mul32(x) + self.tilts[1].mul32(y);
        apart(&point.separation, moved, at)
    }

    /// How far the centre is apart now, as a point.
    #[inline(always)]
    fn separation_of_center(&self, center: &Center, at: usize) -> Lanes<B, N> {
        apart(&center.separation, self.center, at)
    }
}

/// What was `before` apart, Q24, and then moved, Q48: Q48, held to 32 bits of Q24.
#[inline(always)]
fn apart<B: Backend<N>, const N: usize>(before: &Column, moved: Lanes<B, N>, at: usize) -> Lanes<B, N> {
    (load::<B, N>(before, at).shl::<24>() + moved).held::<24>()
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
            self.put_moved(moved.separation(point, at), softness, &mut point.offset, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            self.put_moved(moved.separation_of_center(center, at), softness, &mut center.offset, at);
        }
    }

    /// Puts the offset for a separation Q48, and half a unit of Q24 more.
    #[inline(always)]
    fn put_moved<B: Backend<N>, const N: usize>(
        self,
        separation: Lanes<B, N>,
        softness: Lanes<B, N>,
        offset: &mut Column,
        at: usize,
    ) {
        let is_apart = separation.gt(Lanes::splat((1 << 24) - 1));
        self.put_where(is_apart, separation.multiplicand_below::<24>(), softness, offset, at);
    }

    /// Puts the offset for a separation Q24.
    #[inline(always)]
    pub(super) fn put<B: Backend<N>, const N: usize>(
        self,
        separation: Lanes<B, N>,
        softness: Lanes<B, N>,
        offset: &mut Column,
        at: usize,
    ) {
        self.put_where(separation.gt(Lanes::zero()), separation.into(), softness, offset, at);
    }

    #[inline(always)]
    fn put_where<B: Backend<N>, const N: usize>(
        self,
        is_apart: Mask<B, N>,
        separation: Multiplicand<B, N>,
        softness: Lanes<B, N>,
        offset: &mut Column,
        at: usize,
    ) {
        // What is apart may close the gap in a substep.
        let closing = Lanes::splat(self.rate << Columns::RATE_BITS);
        let rate = is_apart.select(closing, softness);
        let speed = separation.mul32(rate).shr_round_half_up::<{ Columns::RATE_BITS + 3 }>();
        store(speed.max(Lanes::splat(self.push)).min(Lanes::splat(MOST)), offset, at);
    }
}
