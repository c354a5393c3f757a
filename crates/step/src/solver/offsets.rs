//! The velocities that rows along the normal of a contact ask for, and how far bodies moved for them.

use super::normals::MOST;
use super::records::{Gather, Records};
use super::softness::Columns;
use super::{Block, Center, Column, Point, Row, load, load3, records, store};
use isostep_math::wide::{Backend, Lanes, dot3, shr_round3, sub3};

/// What offsets are made with.
#[derive(Clone, Copy)]
pub(crate) struct Offsets {
    /// Substeps a second, below 2¹⁵.
    pub(super) rate: i64,
    /// The greatest speed of a push, below 0.
    push: i64,
}

/// How far the bodies of a contact moved apart since the start of the step.
#[derive(Clone, Copy)]
pub(super) struct Moved<B: Backend<N>, const N: usize> {
    /// At the centre along the normal, Q48.
    center: Lanes<B, N>,
    /// How much more at the ends of the arms of both tilts, Q24.
    tilts: [Lanes<B, N>; 2],
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
        // Q32 to Q24.
        let apart = dot3(normal, shr_round3::<B, N, 8>(moved)).shr_round::<30>();
        // Rotation vectors, Q24.
        let turned_a = shr_round3::<B, N, 8>([a[4], a[5], a[6]]);
        let turned_b = shr_round3::<B, N, 8>([b[4], b[5], b[6]]);
        let Row { arm_a, arm_b, .. } = &block.row;
        let arms = dot3(load3(arm_b, at), turned_b) - dot3(load3(arm_a, at), turned_a);
        let mut tilts = [Lanes::zero(); 2];
        if block.has_center() {
            let most = Lanes::splat(MOST);
            for (moved, tilt) in tilts.iter_mut().zip(&block.tilts) {
                let arm = load3(&tilt.arm, at);
                let more = dot3(arm, turned_b) - dot3(arm, turned_a);
                *moved = more.shr_round::<24>().clamp(-most, most);
            }
        }
        Self { center: apart.shl::<24>() + arms, tilts }
    }

    /// How far a point is apart now, Q24.
    #[inline(always)]
    pub(super) fn separation(&self, point: &Point, at: usize) -> Lanes<B, N> {
        let [x, y] = [load::<B, N>(&point.place[0], at), load::<B, N>(&point.place[1], at)];
        let moved = self.center + x.mul32(self.tilts[0]) + y.mul32(self.tilts[1]);
        apart(&point.separation, moved, at)
    }

    /// How far the centre is apart now, Q24.
    #[inline(always)]
    fn separation_of_center(&self, center: &Center, at: usize) -> Lanes<B, N> {
        apart(&center.separation, self.center, at)
    }
}

/// What was `before` apart, Q24, and then moved, Q48: Q24.
#[inline(always)]
fn apart<B: Backend<N>, const N: usize>(before: &Column, moved: Lanes<B, N>, at: usize) -> Lanes<B, N> {
    let most = Lanes::splat(MOST);
    (load::<B, N>(before, at) + moved.shr_round::<24>()).clamp(-most, most)
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
            let separation = moved.separation(point, at);
            self.put(separation, softness, &mut point.offset, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            let separation = moved.separation_of_center(center, at);
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
        // What is apart may close the gap in a substep.
        let closing = Lanes::splat(self.rate << Columns::RATE_BITS);
        let rate = separation.gt(Lanes::zero()).select(closing, softness);
        let speed = rate.mul32(separation).shr_round::<{ Columns::RATE_BITS + 3 }>();
        store(speed.max(Lanes::splat(self.push)).min(Lanes::splat(MOST)), offset, at);
    }
}
