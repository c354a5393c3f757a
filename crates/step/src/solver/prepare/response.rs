//! What impulses along rows do to both bodies, in mantissas with one exponent; and κ, the scale of a block's numbers.

use super::super::mantissas::{multiplicands_each3, shr_each, shr_each3};
use super::super::normals::MOST;
use super::super::{INVERSE_BITS, Row, store3};
use super::contact::{Contact, Side};
use crate::contact::MOST_SCALE;
use isostep_math::wide::{Backend, Lanes, Multiplicand, add3, dot3};

/// What impulses along some rows do to both bodies.
pub(super) struct Response<B: Backend<N>, const N: usize, const ROWS: usize> {
    /// u, Q24.
    pub(super) arms: [[[Multiplicand<B, N>; 3]; ROWS]; 2],
    /// m = w k⁻² u as mantissas of 29 bits, times 2^(exponent − 54).
    pub(super) angular: [[[Lanes<B, N>; 3]; ROWS]; 2],
    /// Of both bodies, and at least 19: so Σ w of at most 2 has 61 bits where it is added, and arms of 31 bits times entries
    /// have 62.
    pub(super) exponent: Lanes<B, N>,
}

/// A number as long as the largest magnitude of some: where a bit of any of them is.
#[inline(always)]
pub(super) fn longest_of<B: Backend<N>, const N: usize>(
    before: Lanes<B, N>,
    [x, y, z]: [Lanes<B, N>; 3],
) -> Lanes<B, N> {
    before | x.abs() | y.abs() | z.abs()
}

impl<B: Backend<N>, const N: usize, const ROWS: usize> Response<B, N, ROWS> {
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn new(
        contact: &Contact<B, N>,
        [arms_a, arms_b]: [[[Multiplicand<B, N>; 3]; ROWS]; 2],
    ) -> Self {
        let (mut a, length_a) = Self::entries(&contact.a, &arms_a);
        let (mut b, length_b) = Self::entries(&contact.b, &arms_b);
        let exponent = Lanes::splat(19).max(length_a).max(length_b);
        Self::shorten(&mut a, exponent - contact.a.exponent);
        Self::shorten(&mut b, exponent - contact.b.exponent);
        Self { arms: [arms_a, arms_b], angular: [a, b], exponent }
    }

    /// w k⁻² u of the rows of a body, and the exponent at which they have 29 bits.
    ///
    /// Rows are written out, here and below: in a loop over them they would lie in memory.
    #[inline(always)]
    pub(super) fn entries(
        side: &Side<B, N>,
        arms: &[[Multiplicand<B, N>; 3]; ROWS],
    ) -> ([[Lanes<B, N>; 3]; ROWS], Lanes<B, N>) {
        let zero = Lanes::zero();
        let mut entries = [[zero; 3]; ROWS];
        entries[0] = side.angular(arms[0]);
        let mut longest = longest_of(zero, entries[0]);
        if ROWS > 1 {
            entries[1] = side.angular(arms[1]);
            longest = longest_of(longest, entries[1]);
        }
        if ROWS > 2 {
            entries[2] = side.angular(arms[2]);
            longest = longest_of(longest, entries[2]);
        }
        let shift = (Lanes::splat(35) - longest.leading_zeros()).max(zero);
        (entries, shift + side.exponent)
    }

    #[inline(always)]
    pub(super) fn shorten(entries: &mut [[Lanes<B, N>; 3]; ROWS], shift: Lanes<B, N>) {
        let shift = shift.min(Lanes::splat(62));
        entries[0] = shr_each3(entries[0], shift);
        if ROWS > 1 {
            entries[1] = shr_each3(entries[1], shift);
        }
        if ROWS > 2 {
            entries[2] = shr_each3(entries[2], shift);
        }
    }

    /// How much faster a row parts per impulse along another one by rotation: bits of 2^(exponent − 78).
    #[inline(always)]
    pub(super) fn influence(&self, from: usize, on: usize) -> Lanes<B, N> {
        let ([arms_a, arms_b], [angular_a, angular_b]) = (&self.arms, &self.angular);
        dot3(angular_a[from], arms_a[on]) + dot3(angular_b[from], arms_b[on])
    }

    /// [`Self::influence`] on a row whose arms both bodies share.
    #[inline(always)]
    pub(super) fn influence_on_shared(&self, from: usize, on: usize) -> Lanes<B, N> {
        dot3(add3(self.angular[0][from], self.angular[1][from]), self.arms[0][on])
    }

    /// K of a row whose part without rotation is `linear`, Q30: in the same bits.
    #[inline(always)]
    pub(super) fn effective_mass(&self, row: usize, linear: Lanes<B, N>) -> Lanes<B, N> {
        self.influence(row, row).max(Lanes::zero()) + self.of_linear(linear)
    }

    /// What has no part in rotation, Q30 of at most 2, in the same bits.
    #[inline(always)]
    pub(super) fn of_linear(&self, linear: Lanes<B, N>) -> Lanes<B, N> {
        let zero = Lanes::zero();
        let up = (Lanes::splat(48) - self.exponent).max(zero);
        let down = (self.exponent - Lanes::splat(48)).max(zero).min(Lanes::splat(62));
        shr_each(linear.shl_each(up), down)
    }

    /// The least exponent of κ with which [`Self::scaled`] has room for all entries.
    #[inline(always)]
    pub(super) fn least_scale(&self) -> Lanes<B, N> {
        self.exponent - Lanes::splat(34)
    }

    /// The angular velocities per impulse in blocks with κ = 2^`scale`: Q22, saturating.
    #[inline(always)]
    pub(super) fn scaled(&self, scale: Lanes<B, N>, row: usize, body: usize) -> [Multiplicand<B, N>; 3] {
        let (zero, mut entries) = (Lanes::zero(), self.angular[body][row]);
        let down = Lanes::splat(32) + scale - self.exponent;
        if zero.gt(down).any() {
            let up = (-down).max(zero).min(Lanes::splat(31));
            let most = Lanes::splat(MOST).shr_logical_each(up);
            for entry in &mut entries {
                *entry = entry.clamp(-most, most).shl_each(up);
            }
        }
        // Nothing is left of mantissas after 32 bits.
        multiplicands_each3(entries, down.max(zero).min(Lanes::splat(32)))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn store(&self, scale: Lanes<B, N>, number: usize, row: &mut Row, at: usize) {
        store3(self.arms[0][number], &mut row.arm_a, at);
        store3(self.arms[1][number], &mut row.arm_b, at);
        store3(self.scaled(scale, number, 0), &mut row.angular_a, at);
        store3(self.scaled(scale, number, 1), &mut row.angular_b, at);
    }
}

/// κ / K, Q21, of at most 2⁹, for K / κ in Q24.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn inverse<B: Backend<N>, const N: usize>(k: Lanes<B, N>) -> Lanes<B, N> {
    let least = Lanes::splat(1 << (45 - INVERSE_BITS - 9));
    let k = k.max(least).min(Lanes::splat(MOST));
    // As a mantissa of 31 bits; then 2⁶⁰ / (K 2^up) for 2⁴⁵ / K.
    let up = k.leading_zeros() - Lanes::splat(33);
    k.shl_each(up).recip().shl_each(up).shr_logical_half_up::<15>()
}

/// Takes impulses from one κ to another.
pub(super) struct Rescale<B: Backend<N>, const N: usize> {
    pub(super) up: Lanes<B, N>,
    pub(super) down: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Rescale<B, N> {
    #[inline(always)]
    pub(super) fn new(from: Lanes<B, N>, to: Lanes<B, N>) -> Self {
        Self { up: (to - from).max(Lanes::zero()), down: (from - to).max(Lanes::zero()) }
    }

    /// To nearest, and held to what there may be.
    #[inline(always)]
    pub(super) fn apply(&self, impulse: Lanes<B, N>, most: i64) -> Lanes<B, N> {
        let most = Lanes::splat(most).shr_logical_each(self.up);
        shr_each(impulse, self.down).clamp(-most, most).shl_each(self.up)
    }
}

/// The exponent of κ for the greatest K of a contact, in bits of 2^`unit`.
#[inline(always)]
pub(super) fn scale_of<B: Backend<N>, const N: usize>(
    greatest: Lanes<B, N>,
    unit: Lanes<B, N>,
) -> Lanes<B, N> {
    let last = Lanes::splat(63) - greatest.leading_zeros();
    (last + unit).max(Lanes::zero()).min(Lanes::splat(i64::from(MOST_SCALE)))
}

/// By how many bits numbers of 2^`unit` have more than K / κ in Q24.
#[inline(always)]
pub(super) fn to_q24<B: Backend<N>, const N: usize>(scale: Lanes<B, N>, unit: Lanes<B, N>) -> Lanes<B, N> {
    (scale - unit - Lanes::splat(24)).max(Lanes::zero()).min(Lanes::splat(62))
}

/// How many bits a number has more than 29.
#[inline(always)]
pub(super) fn mantissa_shift<B: Backend<N>, const N: usize>(greatest: Lanes<B, N>) -> Lanes<B, N> {
    (Lanes::splat(64 - 29) - greatest.leading_zeros()).max(Lanes::zero())
}
