//! Truth values per lane, comparisons that give them, selection by them.

use super::Lanes;
use super::backend::Backend;
use core::fmt;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// `N` truth values, one per lane: the result of a comparison, the condition of a selection.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Mask<B: Backend<N>, const N: usize>(
    /// All bits set or all bits clear, in every lane.
    B::Register,
);

impl<B: Backend<N>, const N: usize> fmt::Debug for Mask<B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mask").field(&self.to_array()).finish()
    }
}

impl<B: Backend<N>, const N: usize> Mask<B, N> {
    /// The same truth value in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: bool) -> Self {
        Self(B::splat(-i64::from(value)))
    }

    /// The mask from an array, lane `i` from element `i`.
    #[inline(always)]
    #[must_use]
    pub fn from_array(values: [bool; N]) -> Self {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = -i64::from(values[i]);
        }
        Self(B::from_array(out))
    }

    /// The mask as an array, element `i` from lane `i`.
    #[inline(always)]
    #[must_use]
    pub fn to_array(self) -> [bool; N] {
        let (lanes, mut out) = (B::to_array(self.0), [false; N]);
        for i in 0..N {
            out[i] = lanes[i] != 0;
        }
        out
    }

    /// Whether any lane is true.
    #[inline(always)]
    #[must_use]
    pub fn any(self) -> bool {
        B::any(self.0)
    }

    /// Whether every lane is true.
    #[inline(always)]
    #[must_use]
    pub fn all(self) -> bool {
        B::all(self.0)
    }

    /// The lanes of `yes` where the mask is true, of `no` where it is false.
    #[inline(always)]
    #[must_use]
    pub fn select(self, yes: Lanes<B, N>, no: Lanes<B, N>) -> Lanes<B, N> {
        Lanes(B::select(self.0, yes.0, no.0))
    }

    /// The lanes of `value` where the mask is true, 0 where it is false. Cheaper than a selection.
    #[inline(always)]
    #[must_use]
    pub fn keep(self, value: Lanes<B, N>) -> Lanes<B, N> {
        Lanes(B::and(self.0, value.0))
    }

    /// −1 where the mask is true, 0 where it is false: subtract it to count.
    #[inline(always)]
    #[must_use]
    pub fn to_lanes(self) -> Lanes<B, N> {
        Lanes(self.0)
    }
}

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// Where `self > rhs`.
    #[inline(always)]
    #[must_use]
    pub fn gt(self, rhs: Self) -> Mask<B, N> {
        Mask(B::gt(self.0, rhs.0))
    }

    /// Where `self >= rhs`.
    #[inline(always)]
    #[must_use]
    pub fn ge(self, rhs: Self) -> Mask<B, N> {
        !rhs.gt(self)
    }

    /// Where `self < rhs`.
    #[inline(always)]
    #[must_use]
    pub fn lt(self, rhs: Self) -> Mask<B, N> {
        rhs.gt(self)
    }

    /// Where `self <= rhs`.
    #[inline(always)]
    #[must_use]
    pub fn le(self, rhs: Self) -> Mask<B, N> {
        rhs.ge(self)
    }

    /// Where the lanes are equal. (`==` compares all lanes at once.)
    #[inline(always)]
    #[must_use]
    pub fn equal(self, rhs: Self) -> Mask<B, N> {
        Mask(B::equal(self.0, rhs.0))
    }

    /// Where the lane is negative.
    #[inline(always)]
    #[must_use]
    pub fn is_negative(self) -> Mask<B, N> {
        Mask(B::negative(self.0))
    }
}

impl<B: Backend<N>, const N: usize> BitAnd for Mask<B, N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, rhs: Self) -> Self {
        Self(B::and(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> BitOr for Mask<B, N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, rhs: Self) -> Self {
        Self(B::or(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> BitXor for Mask<B, N> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, rhs: Self) -> Self {
        Self(B::xor(self.0, rhs.0))
    }
}

impl<B: Backend<N>, const N: usize> Not for Mask<B, N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(B::xor(self.0, B::splat(-1)))
    }
}
