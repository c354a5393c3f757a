//! Multiplicands: what products take of a lane, and the short ways to get there.
//!
//! Sums are wide and products take 32 bits, so kernels mostly shift to multiply again. Then nobody asks for the upper
//! half of the lane: without an arithmetic shift of 64 bits, making that costs as much as rounding.

use super::Lanes;
use super::backend::Backend;
use core::fmt;

/// Low 32 bits of `N` lanes: nothing but a factor of products.
///
/// What the upper bits are depends on the backend, so nothing gets at them. One lane at a time has the sign there, and so
/// products need not extend what has been extended.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Multiplicand<B: Backend<N>, const N: usize>(pub(super) B::Register);

impl<B: Backend<N>, const N: usize> fmt::Debug for Multiplicand<B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Multiplicand").field(&self.store()).finish()
    }
}

impl<B: Backend<N>, const N: usize> From<Lanes<B, N>> for Multiplicand<B, N> {
    #[inline(always)]
    fn from(lanes: Lanes<B, N>) -> Self {
        Self(B::factor(lanes.0))
    }
}

impl<B: Backend<N>, const N: usize> Multiplicand<B, N> {
    /// As [`Lanes::mul32`].
    #[inline(always)]
    #[must_use]
    pub fn mul32(self, rhs: Lanes<B, N>) -> Lanes<B, N> {
        Lanes(B::mul_factor(self.0, rhs.0))
    }

    /// The product, and `sum`: modulo 2⁶⁴.
    #[inline(always)]
    pub(super) fn mul32_add(self, rhs: Lanes<B, N>, sum: Lanes<B, N>) -> Lanes<B, N> {
        Lanes(B::mul_factor_add(sum.0, self.0, rhs.0))
    }

    /// `sum` less the product: modulo 2⁶⁴.
    #[inline(always)]
    pub(super) fn mul32_sub(self, rhs: Lanes<B, N>, sum: Lanes<B, N>) -> Lanes<B, N> {
        Lanes(B::mul_factor_sub(sum.0, self.0, rhs.0))
    }

    /// The 32 bits of each lane.
    #[inline(always)]
    #[must_use]
    pub fn store(self) -> [i32; N] {
        B::store(self.0)
    }
}

/// The greatest upper half of a number that fits 32 bits once it is shifted right, and rounded up.
const fn most_upper(shift: u32) -> i32 {
    ((1_i64 << (shift - 1)) - 2) as i32
}

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// As [`Self::shr_round`], of which the low 32 bits are taken.
    #[inline(always)]
    #[must_use]
    pub fn multiplicand<const S: u32>(self) -> Multiplicand<B, N> {
        const { assert!(S >= 1 && S <= 32, "the bits of a multiplicand are all there") };
        Self(B::add(self.0, B::negative(self.0))).multiplicand_half_up::<S>()
    }

    /// As [`Self::shr`], of which the low 32 bits are taken.
    #[inline(always)]
    #[must_use]
    pub fn multiplicand_below<const S: u32>(self) -> Multiplicand<B, N> {
        const { assert!(S <= 32, "the bits of a multiplicand are all there") };
        Multiplicand(B::factor(B::shr_logical::<S>(self.0)))
    }

    /// As [`Self::shr_each`] by counts from 0 to 32, of which the low 32 bits are taken.
    #[inline(always)]
    #[must_use]
    pub fn multiplicand_each(self, counts: Self) -> Multiplicand<B, N> {
        Multiplicand(B::factor(B::shr_logical_each(self.0, counts.0)))
    }

    /// As [`Self::shr_round_half_up`], of which the low 32 bits are taken.
    #[inline(always)]
    #[must_use]
    pub fn multiplicand_half_up<const S: u32>(self) -> Multiplicand<B, N> {
        const { assert!(S >= 1 && S <= 32, "the bits of a multiplicand are all there") };
        (self + Self::splat(const { 1 << (S - 1) })).multiplicand_below::<S>()
    }

    /// As [`Self::multiplicand`] of lanes that are [held](Self::held) first: what does not fit saturates. Symmetric under
    /// negation throughout.
    #[inline(always)]
    #[must_use]
    pub fn held_multiplicand<const S: u32>(self) -> Multiplicand<B, N> {
        const { assert!(S >= 2 && S <= 32, "the bits of a multiplicand are all there") };
        let held = Self(B::add(self.0, B::negative(self.0))).held::<S>();
        Multiplicand(B::factor_that_fits::<S>((held + Self::splat(const { 1 << (S - 1) })).0))
    }

    /// As [`Self::multiplicand_below`] of lanes that are [held](Self::held) first.
    #[inline(always)]
    #[must_use]
    pub fn held_multiplicand_below<const S: u32>(self) -> Multiplicand<B, N> {
        Multiplicand(B::factor_that_fits::<S>(self.held::<S>().0))
    }

    /// The lanes as multiplicands, of which all that mean anything fit 32 bits. One lane at a time is not made to then; products
    /// of what does not fit differ between backends, and debug builds panic where a lane is all there is.
    #[inline(always)]
    #[must_use]
    pub fn multiplicand_that_fits(self) -> Multiplicand<B, N> {
        Multiplicand(B::factor_that_fits::<0>(self.0))
    }

    /// The lanes where they fit 32 bits once they are shifted right by `S` (2 to 32), with room for half a unit of that.
    /// Others get the upper 32 bits of the nearest lanes that fit, and keep their lower ones.
    ///
    /// Lanes fit from −2^(31 + S) + 2³² to 2^(31 + S) − 2³² − 1. That is cheaper than [`Self::clamp`] where the lower
    /// halves of lanes cannot be compared along with the upper ones, and as good as it against numbers that would change
    /// their sign.
    #[inline(always)]
    #[must_use]
    pub fn held<const S: u32>(self) -> Self {
        const { assert!(S >= 2 && S <= 32, "a number of 32 bits and its fraction") };
        Self(B::hold_upper(self.0, const { most_upper(S) }))
    }

    /// Shifts right by `S` (2 to 32), rounding toward −∞; 0 for negative lanes, and what is above is [held](Self::held).
    #[inline(always)]
    #[must_use]
    pub fn shr_positive<const S: u32>(self) -> Self {
        const { assert!(S >= 2 && S <= 32, "a number of 32 bits and its fraction") };
        Self(B::shr_logical::<S>(Self(B::positive(self.0)).held::<S>().0))
    }
}
