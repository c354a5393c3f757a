//! The two bodies of each contact in a part of a block: what rows ask of their velocities, and do to them.

use super::bodies::Velocity;
use super::{ANGULAR_DROP, Block, Column, LINEAR_DROP, Row, load3, records};
use isostep_math::wide::{Backend, Lanes, add3, dot3, scale3, shr_round3, sub3};

/// The velocities of both bodies.
#[derive(Clone, Copy)]
pub(super) struct Pair<B: Backend<N>, const N: usize> {
    linear_a: [Lanes<B, N>; 3],
    angular_a: [Lanes<B, N>; 3],
    linear_b: [Lanes<B, N>; 3],
    angular_b: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Pair<B, N> {
    #[inline(always)]
    pub(super) fn gather(block: &Block, at: usize, velocities: &[Velocity]) -> Self {
        let a = Lanes::<B, N>::gather_records(velocities, &records::<N>(&block.a, at));
        let b = Lanes::<B, N>::gather_records(velocities, &records::<N>(&block.b, at));
        Self {
            linear_a: [a[0], a[1], a[2]],
            angular_a: [a[4], a[5], a[6]],
            linear_b: [b[0], b[1], b[2]],
            angular_b: [b[4], b[5], b[6]],
        }
    }

    #[inline(always)]
    pub(super) fn scatter(&self, block: &Block, at: usize, velocities: &mut [Velocity]) {
        let zero = Lanes::zero();
        let ([a, b, c], [d, e, f]) = (self.linear_a, self.angular_a);
        Lanes::scatter_records(&[a, b, c, zero, d, e, f, zero], velocities, &records::<N>(&block.a, at));
        let ([a, b, c], [d, e, f]) = (self.linear_b, self.angular_b);
        Lanes::scatter_records(&[a, b, c, zero, d, e, f, zero], velocities, &records::<N>(&block.b, at));
    }

    /// How fast the centres part along a direction, Q21.
    #[inline(always)]
    pub(super) fn parting(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let linear = shr_round3::<B, N, LINEAR_DROP>(sub3(self.linear_b, self.linear_a));
        dot3(direction, linear).shr_round::<30>()
    }

    /// The relative velocity along a row, Q21.
    #[inline(always)]
    pub(super) fn along(&self, direction: [Lanes<B, N>; 3], row: &Row, at: usize) -> Lanes<B, N> {
        let linear = shr_round3::<B, N, LINEAR_DROP>(sub3(self.linear_b, self.linear_a));
        let angular = dot3(load3(&row.arm_b, at), shr_round3::<B, N, ANGULAR_DROP>(self.angular_b))
            - dot3(load3(&row.arm_a, at), shr_round3::<B, N, ANGULAR_DROP>(self.angular_a));
        (dot3(direction, linear) + angular.shl::<6>()).shr_round::<30>()
    }

    /// Changes the velocities by an impulse along a row.
    #[inline(always)]
    pub(super) fn push(&mut self, row: &Row, impulse: Lanes<B, N>, at: usize) {
        self.linear_a = sub3(self.linear_a, scale3(load3(&row.linear_a, at), impulse));
        self.linear_b = add3(self.linear_b, scale3(load3(&row.linear_b, at), impulse));
        self.angular_a = sub3(self.angular_a, scale3(load3(&row.angular_a, at), impulse));
        self.angular_b = add3(self.angular_b, scale3(load3(&row.angular_b, at), impulse));
    }

    /// The relative angular velocity about a direction, Q21.
    #[inline(always)]
    pub(super) fn spin(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let relative = shr_round3::<B, N, ANGULAR_DROP>(sub3(self.angular_b, self.angular_a));
        dot3(direction, relative).shr_round::<30>()
    }

    /// Changes the angular velocities by an angular impulse along a row of them.
    #[inline(always)]
    pub(super) fn twist(&mut self, [a, b]: [&[Column; 3]; 2], impulse: Lanes<B, N>, at: usize) {
        self.angular_a = sub3(self.angular_a, scale3(load3(a, at), impulse));
        self.angular_b = add3(self.angular_b, scale3(load3(b, at), impulse));
    }
}
