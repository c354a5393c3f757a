//! Shifts: constant counts with the three roundings, per-lane counts for block exponents.

use super::Lanes;
use super::backend::Backend;

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// Shifts right by `S` (0 to 63), rounding toward −∞.
    ///
    /// A floor drifts: it is not symmetric under negation. Use [`Self::shr_round`] where motion depends on
    /// the result.
    #[inline(always)]
    #[must_use]
    pub fn shr<const S: u32>(self) -> Self {
        const { assert!(S <= 63, "a lane has 64 bits") };
        Self(B::shr::<S>(self.0))
    }

    /// Shifts right by `S` (0 to 63), and zeros in: [`Self::shr`] of lanes that are not negative. Of others the low 64 − `S` bits
    /// alone are the same.
    ///
    /// One instruction everywhere; AVX2 has no arithmetic shift of 64 bits, and takes three for it.
    #[inline(always)]
    #[must_use]
    pub fn shr_logical<const S: u32>(self) -> Self {
        const { assert!(S <= 63, "a lane has 64 bits") };
        Self(B::shr_logical::<S>(self.0))
    }

    /// Shifts right by `S` (1 to 63), rounding to nearest and halves up, and zeros in: [`Self::shr_round_half_up`], and
    /// [`Self::shr_round`], of lanes that are not negative.
    #[inline(always)]
    #[must_use]
    pub fn shr_logical_half_up<const S: u32>(self) -> Self {
        const { assert!(S >= 1 && S <= 63, "a rounding shift drops at least one of 64 bits") };
        (self + Self::splat(const { 1 << (S - 1) })).shr_logical::<S>()
    }

    /// Shifts right by `S` (1 to 63), rounding to nearest and halves away from zero.
    ///
    /// Symmetric: `(-x).shr_round::<S>() == -(x.shr_round::<S>())`. Maximum error half a unit of the result.
    /// Exact as long as |x| ≤ 2⁶³ − 1 − 2^(S−1); beyond that the rounding term wraps.
    ///
    /// Costs one comparison and one addition more than [`Self::shr_round_half_up`]: with 25 shifts in a
    /// contact row, 7.9 instead of 6.1 ns per row at AVX2 and 6.8 instead of 5.8 at AVX-512.
    #[inline(always)]
    #[must_use]
    pub fn shr_round<const S: u32>(self) -> Self {
        const { assert!(S >= 1 && S <= 63, "a rounding shift drops at least one of 64 bits") };
        Self(B::shr_round::<S>(self.0))
    }

    /// Shifts right by `S` (1 to 63), rounding to nearest and halves toward +∞.
    ///
    /// Differs from [`Self::shr_round`] only for negative lanes exactly between two results, where it is not
    /// symmetric under negation. For magnitudes (lanes ≥ 0) the two are equal and this one is cheaper.
    /// Exact as long as x ≤ 2⁶³ − 1 − 2^(S−1); beyond that the rounding term wraps.
    #[inline(always)]
    #[must_use]
    pub fn shr_round_half_up<const S: u32>(self) -> Self {
        const { assert!(S >= 1 && S <= 63, "a rounding shift drops at least one of 64 bits") };
        Self(B::shr_round_half_up::<S>(self.0))
    }

    /// Shifts left by `S` (0 to 63). Bits beyond the lane are lost.
    #[inline(always)]
    #[must_use]
    pub fn shl<const S: u32>(self) -> Self {
        const { assert!(S <= 63, "a lane has 64 bits") };
        Self(B::shl::<S>(self.0))
    }

    /// Shifts each lane left by the count in the same lane of `counts`, taken modulo 64.
    #[inline(always)]
    #[must_use]
    pub fn shl_each(self, counts: Self) -> Self {
        Self(B::shl_each(self.0, B::and(counts.0, B::splat(63))))
    }

    /// Shifts each lane right by the count in the same lane of `counts`, taken modulo 64, rounding
    /// toward −∞.
    #[inline(always)]
    #[must_use]
    pub fn shr_each(self, counts: Self) -> Self {
        Self(B::shr_each(self.0, B::and(counts.0, B::splat(63))))
    }

    /// Shifts each lane right by the count in the same lane of `counts`, taken modulo 64, and zeros in: [`Self::shr_each`] of
    /// lanes that are not negative.
    #[inline(always)]
    #[must_use]
    pub fn shr_logical_each(self, counts: Self) -> Self {
        Self(B::shr_logical_each(self.0, B::and(counts.0, B::splat(63))))
    }

    /// The number of zero bits above the highest one bit in each lane; 64 for zero, 0 for negative lanes.
    #[inline(always)]
    #[must_use]
    pub fn leading_zeros(self) -> Self {
        Self(B::leading_zeros(self.0))
    }
}
