//! The lane type: construction, loads and stores, exact products, wrapping sums.

use super::backend::Backend;
use core::fmt;
use core::ops::{Add, AddAssign, BitOr, Neg, Sub, SubAssign};

/// `N` lanes of `i64`. Multiplicands are the low 32 bits of a lane, sums use all 64.
///
/// `+`, `-` and unary `-` wrap modulo 2⁶⁴ in every build profile. A kernel proves for its formats that a
/// lane does not overflow; nothing checks it at run time, and wrapping makes the order of a sum irrelevant.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Lanes<B: Backend<N>, const N: usize>(pub(super) B::Register);

impl<B: Backend<N>, const N: usize> fmt::Debug for Lanes<B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lanes").field(&self.to_array()).finish()
    }
}

impl<B: Backend<N>, const N: usize> PartialEq for Lanes<B, N> {
    /// Whether all lanes are equal. ([`Lanes::equal`] compares lane by lane.)
    #[inline(always)]
    fn eq(&self, rhs: &Self) -> bool {
        self.equal(*rhs).all()
    }
}

impl<B: Backend<N>, const N: usize> Eq for Lanes<B, N> {}

impl<B: Backend<N>, const N: usize> Default for Lanes<B, N> {
    /// All lanes 0.
    #[inline(always)]
    fn default() -> Self {
        Self::zero()
    }
}

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// All lanes 0.
    #[inline(always)]
    #[must_use]
    pub fn zero() -> Self {
        Self::splat(0)
    }

    /// All lanes `value`.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: i64) -> Self {
        Self(B::splat(value))
    }

    /// The lanes from an array, lane `i` from element `i`.
    #[inline(always)]
    #[must_use]
    pub fn from_array(lanes: [i64; N]) -> Self {
        Self(B::from_array(lanes))
    }

    /// The lanes as an array, element `i` from lane `i`.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [i64; N] {
        B::to_array(self.0)
    }

    /// Loads a column of 32-bit values, sign-extended.
    #[inline(always)]
    #[must_use]
    pub fn load(column: &[i32; N]) -> Self {
        Self(B::load(column))
    }

    /// The low 32 bits of each lane. Exact for lanes in the range of `i32`; others lose their high bits.
    #[inline(always)]
    #[must_use]
    pub fn store(self) -> [i32; N] {
        B::store(self.0)
    }

    /// Each lane as `i32`; lanes outside its range become `i32::MIN` or `i32::MAX`.
    #[inline(always)]
    #[must_use]
    pub fn store_saturating(self) -> [i32; N] {
        self.clamp(Self::splat(i64::from(i32::MIN)), Self::splat(i64::from(i32::MAX))).store()
    }

    /// The exact product of the low 32 bits of each lane, taken as signed: 32×32→64.
    ///
    /// The high 32 bits of both factors are ignored, so a factor outside the range of `i32` enters modulo
    /// 2³². `i32::MIN` squared is 2⁶² and fits. The formats add: Q2.30 × Q11.21 gives 51 fraction bits.
    #[inline(always)]
    #[must_use]
    pub fn mul32(self, rhs: Self) -> Self {
        Self(B::mul32(self.0, rhs.0))
    }

    /// The exact product of the low 32 bits of each lane, taken as unsigned: 32×32→64.
    ///
    /// The result is a bit pattern: products of 2⁶³ and above are negative when read as signed. Joins the
    /// low halves of longer products (`pmuludq`, `umull`).
    #[inline(always)]
    #[must_use]
    pub fn mul32_unsigned(self, rhs: Self) -> Self {
        Self(B::mul32_unsigned(self.0, rhs.0))
    }

    /// The lowest `BITS` (1 to 63) bits of each lane, the others cleared.
    #[inline(always)]
    #[must_use]
    pub fn low_bits<const BITS: u32>(self) -> Self {
        const { assert!(BITS >= 1 && BITS <= 63, "a part of 64 bits") };
        Self(B::and(self.0, B::splat((1 << BITS) - 1)))
    }

    /// The smaller of each pair of lanes.
    #[inline(always)]
    #[must_use]
    pub fn min(self, rhs: Self) -> Self {
        Self(B::min(self.0, rhs.0))
    }

    /// The smaller of each lane and `most`: [`Self::min`] for where hardly any lane is above, which in one lane is a branch then.
    #[inline(always)]
    #[must_use]
    pub fn at_most(self, most: i64) -> Self {
        Self(B::at_most(self.0, most))
    }

    /// The larger of each pair of lanes.
    #[inline(always)]
    #[must_use]
    pub fn max(self, rhs: Self) -> Self {
        Self(B::max(self.0, rhs.0))
    }

    /// Each lane raised to `low`, then lowered to `high`. Where `low > high` the result is `high`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// The absolute value of each lane, wrapping: `i64::MIN` stays `i64::MIN`.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Self(B::abs(self.0))
    }

    /// `self` where `sign` is not negative, `-self` (wrapping) where it is.
    #[inline(always)]
    #[must_use]
    pub fn negate_where_negative(self, sign: Self) -> Self {
        let negative = B::negative(sign.0);
        Self(B::sub(B::xor(self.0, negative), negative))
    }
}

impl<B: Backend<N>, const N: usize> Add for Lanes<B, N> {
    type Output = Self;
    /// The sum of each pair of lanes, modulo 2⁶⁴.
    #[inline(always)]
    fn add(self, rhs: Self) -> Self {
        Self(B::add(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> Sub for Lanes<B, N> {
    type Output = Self;
    /// The difference of each pair of lanes, modulo 2⁶⁴.
    #[inline(always)]
    fn sub(self, rhs: Self) -> Self {
        Self(B::sub(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> Neg for Lanes<B, N> {
    type Output = Self;
    /// Each lane negated, modulo 2⁶⁴: `i64::MIN` stays `i64::MIN`.
    #[inline(always)]
    fn neg(self) -> Self {
        Self(B::sub(B::splat(0), self.0))
    }
}

impl<B: Backend<N>, const N: usize> BitOr for Lanes<B, N> {
    type Output = Self;
    /// The bits that either of each pair of lanes has: 0 where both are.
    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(B::or(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> AddAssign for Lanes<B, N> {
    /// Adds modulo 2⁶⁴.
    #[inline(always)]
    fn add_assign(&mut self, rhs: Self) {
        *self = *self + rhs;
    }
}

impl<B: Backend<N>, const N: usize> SubAssign for Lanes<B, N> {
    /// Subtracts modulo 2⁶⁴.
    #[inline(always)]
    fn sub_assign(&mut self, rhs: Self) {
        *self = *self - rhs;
    }
}
