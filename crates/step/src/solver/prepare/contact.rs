//! The two bodies of each contact, and what its rows have in common.

use super::super::frames::{Frame, Parts};
use super::super::mantissas::shr_logical_each_half_up;
use super::super::pair::free_part;
use super::super::{Block, keep3, load3};
use isostep_math::wide::{
    Backend, Lanes, Mask, Multiplicand, add3, chunk_at, cross3, dot3, held_multiplicands3, shr_round3,
};

/// One body of each contact.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Side<B: Backend<N>, const N: usize> {
    /// By rows, Q2.30.
    pub(super) rotation: [[Lanes<B, N>; 3]; 3],
    /// w k⁻² as xx, yy, zz, xy, xz, yz: mantissa 2^(exponent − 30).
    pub(super) gyration: [Lanes<B, N>; 6],
    pub(in crate::solver) exponent: Lanes<B, N>,
    /// w, Q2.30.
    pub(super) weight: Lanes<B, N>,
    /// The axes along which it can move: a bit each.
    pub(super) free: Lanes<B, N>,
    /// What a kinematic body turns in half of the tick, Q2.30, and how far the arms of a dynamic one lag behind, Q32: rotation
    /// vectors, for products.
    pub(super) half_turn: [Lanes<B, N>; 3],
    pub(super) lag: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Side<B, N> {
    #[inline(always)]
    pub(super) fn new(frame: &Parts<Lanes<B, N>>, weight: Lanes<B, N>) -> Self {
        let Parts { rotation, mut gyration, gyration_exponent: exponent, free, .. } = *frame;
        let (half_turn, lag) = (frame.half_turn(), frame.lag());
        for entry in &mut gyration {
            *entry = entry.mul32(weight).shr_round::<30>();
        }
        Self { rotation, gyration, exponent, weight, free, half_turn, lag }
    }

    /// Whether it is a kinematic body that turns.
    #[inline(always)]
    pub(super) fn sweeps(&self) -> bool {
        // The first has the second one above it.
        let [x, _, z] = self.half_turn;
        (x | z) != Lanes::zero()
    }

    /// w d · e for the parts of two directions that are free, Q30. Where all of them is, `whole` has d · e, so that no body
    /// takes note of locks of another one.
    #[inline(always)]
    pub(super) fn linear(&self, d: [Lanes<B, N>; 3], e: [Lanes<B, N>; 3], whole: Lanes<B, N>) -> Lanes<B, N> {
        let (free_d, free_e) = (free_part(d, self.free), free_part(e, self.free));
        let part = self.weight.mul32(dot3(free_d, free_e).shr_round::<30>()).shr_round::<30>();
        let whole = self.weight.mul32(whole).shr_round::<30>();
        self.free.equal(Lanes::splat(ALL_AXES)).select(whole, part)
    }

    /// The arm of an anchor, with something added to it, both in Q54 when summed: Q24. Where a contact is a face that pushes
    /// towards the centre of mass, it lags behind the body.
    #[inline(always)]
    pub(super) fn arm(
        &self,
        anchor: [Multiplicand<B, N>; 3],
        more: [Lanes<B, N>; 3],
        is_face: Mask<B, N>,
        push: [Lanes<B, N>; 3],
    ) -> [Multiplicand<B, N>; 3] {
        let [x, y, z] = self.rotation;
        let arm = add3([dot3(x, anchor), dot3(y, anchor), dot3(z, anchor)], more);
        let turned = held_multiplicands3::<B, N, 30>(arm);
        if !is_face.any() {
            return turned;
        }
        let lags = is_face & Lanes::zero().gt(dot3(push, turned));
        // It was r − l × r, to first order of an angle of at most 2⁻⁶.
        let back = shr_round3::<B, N, 2>(cross3(turned, keep3(lags, self.lag)));
        held_multiplicands3::<B, N, 30>(add3(arm, back))
    }

    /// r × t for the arm r and tangents t, Q24; of a body that `sweeps`, for the arm turned by its half turn.
    #[inline(always)]
    pub(super) fn along_tangents(
        &self,
        arm: [Multiplicand<B, N>; 3],
        [first, second]: [[Lanes<B, N>; 3]; 2],
        sweeps: bool,
    ) -> [[Multiplicand<B, N>; 3]; 2] {
        if !sweeps {
            return [across(arm, first), across(arm, second)];
        }
        // h × r, of at most an eighth of the arm: sums have 62 bits.
        let [x, y, z] = shr_round3::<B, N, 30>(cross3(arm, self.half_turn));
        let swept = |t| held_multiplicands3::<B, N, 30>(add3(cross3(arm, t), cross3([-x, -y, -z], t)));
        [swept(first), swept(second)]
    }

    /// A unit direction in the coordinates of the body, Q30.
    #[inline(always)]
    pub(super) fn local(&self, direction: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let [x, y, z] = self.rotation;
        shr_round3::<B, N, 30>([
            dot3([x[0], y[0], z[0]], direction),
            dot3([x[1], y[1], z[1]], direction),
            dot3([x[2], y[2], z[2]], direction),
        ])
    }

    /// w k⁻² `v`, times 2^(30 − exponent) and what `v` is multiplied with.
    #[inline(always)]
    pub(in crate::solver) fn angular(
        &self,
        v: [impl Into<Multiplicand<B, N>> + Copy; 3],
    ) -> [Lanes<B, N>; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.gyration;
        [dot3([xx, xy, xz], v), dot3([xy, yy, yz], v), dot3([xz, yz, zz], v)]
    }
}

/// The ratios of the inverse masses to the greater one, Q30.
#[inline(always)]
pub(in crate::solver) fn weights<B: Backend<N>, const N: usize>(
    a: &Parts<Lanes<B, N>>,
    b: &Parts<Lanes<B, N>>,
) -> [Lanes<B, N>; 2] {
    let (zero, one) = (Lanes::zero(), Lanes::splat(1 << 30));
    let (mass_a, mass_b) = (a.inverse_mass, b.inverse_mass);
    let (none_a, none_b) = (mass_a.equal(zero), mass_b.equal(zero));
    let least = Lanes::splat(-4096);
    let (exponent_a, exponent_b) =
        (none_a.select(least, a.mass_exponent), none_b.select(least, b.mass_exponent));
    let a_greater = exponent_a.gt(exponent_b) | (exponent_a.equal(exponent_b) & mass_a.ge(mass_b));
    let (greater, lesser) = (a_greater.select(mass_a, mass_b), a_greater.select(mass_b, mass_a));
    let apart = (exponent_a - exponent_b).abs().min(Lanes::splat(32));
    let ratio = shr_logical_each_half_up(lesser.mul32(greater.recip()), apart + Lanes::splat(30));
    // Exact where the mantissas are.
    let ratio = lesser.equal(greater).select(one.shr_logical_each(apart), ratio);
    let (weight_a, weight_b) = (a_greater.select(one, ratio), a_greater.select(ratio, one));
    [none_a.select(zero, weight_a), none_b.select(zero, weight_b)]
}

/// Where both bodies have a mass, and one of them more than four times that of the other.
#[inline(always)]
pub(super) fn uneven<B: Backend<N>, const N: usize>(
    a: &Parts<Lanes<B, N>>,
    b: &Parts<Lanes<B, N>>,
) -> Mask<B, N> {
    let zero = Lanes::zero();
    let both = a.inverse_mass.gt(zero) & b.inverse_mass.gt(zero);
    (is_much_less(a, b) | is_much_less(b, a)) & both
}

/// Where the inverse mass of the first one is less than a fourth of the other's.
#[inline(always)]
pub(super) fn is_much_less<B: Backend<N>, const N: usize>(
    a: &Parts<Lanes<B, N>>,
    b: &Parts<Lanes<B, N>>,
) -> Mask<B, N> {
    let exponent = a.mass_exponent + Lanes::splat(2);
    exponent.lt(b.mass_exponent) | (exponent.equal(b.mass_exponent) & a.inverse_mass.lt(b.inverse_mass))
}

/// A bit for each axis.
pub(super) const ALL_AXES: i64 = 7;

/// A contact's bodies and what its rows have in common.
pub(in crate::solver) struct Contact<B: Backend<N>, const N: usize> {
    pub(in crate::solver) a: Side<B, N>,
    pub(in crate::solver) b: Side<B, N>,
    /// As of the block.
    pub(in crate::solver) normal: [Lanes<B, N>; 3],
    /// Where both bodies move, and one has more than four times the mass of the other.
    pub(super) uneven: Mask<B, N>,
    /// Whether a body is held to some axes.
    pub(super) locked: bool,
    /// Whether a body is a kinematic one that turns.
    pub(super) sweeps: bool,
}

impl<B: Backend<N>, const N: usize> Contact<B, N> {
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn gather(block: &Block, at: usize, frames: &[Frame]) -> Self {
        let frame_a = Parts::<Lanes<B, N>>::gather(frames, chunk_at(&block.a, at));
        let frame_b = Parts::<Lanes<B, N>>::gather(frames, chunk_at(&block.b, at));
        let [weight_a, weight_b] = weights(&frame_a, &frame_b);
        let (a, b) = (Side::new(&frame_a, weight_a), Side::new(&frame_b, weight_b));
        let (all, zero) = (Lanes::splat(ALL_AXES), Lanes::zero());
        let locked_a = frame_a.free.lt(all) & frame_a.inverse_mass.gt(zero);
        let locked_b = frame_b.free.lt(all) & frame_b.inverse_mass.gt(zero);
        let sweeps = a.sweeps() || b.sweeps();
        Self {
            a,
            b,
            normal: load3(&block.normal, at),
            uneven: uneven(&frame_a, &frame_b),
            locked: (locked_a | locked_b).any(),
            sweeps,
        }
    }

    /// The part of K that is not rotation: Σ w, less by what locks hold, Q30; at least 2⁻¹⁰.
    #[inline(always)]
    pub(super) fn linear(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        if !self.locked {
            return self.a.weight + self.b.weight;
        }
        let one = Lanes::splat(1 << 30);
        let linear = self.a.linear(direction, direction, one) + self.b.linear(direction, direction, one);
        linear.max(Lanes::splat(1 << 20))
    }

    /// How much faster the centres part along a direction per impulse along another one at right angles to it, Q30.
    #[inline(always)]
    pub(super) fn linear_influence(&self, from: [Lanes<B, N>; 3], on: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let zero = Lanes::zero();
        if self.locked { self.a.linear(from, on, zero) + self.b.linear(from, on, zero) } else { zero }
    }
}

/// r × d as a multiplicand, Q24.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn across<B: Backend<N>, const N: usize>(
    arm: [Multiplicand<B, N>; 3],
    direction: [Lanes<B, N>; 3],
) -> [Multiplicand<B, N>; 3] {
    held_multiplicands3::<B, N, 30>(cross3(arm, direction))
}
