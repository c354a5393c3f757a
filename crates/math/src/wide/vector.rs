//! 3-vectors of lanes: by component, and sums of exact products with no rounding inside.
//!
//! Written out because `[_; 3]::map` is not always inlined, and then costs five times the kernel.

use super::backend::Backend;
use super::{Lanes, Multiplicand};

/// The dot products `a · b` of 3-vectors in lanes: three exact 32×32→64 products, summed exactly.
///
/// No rounding and no shift: the formats of the factors add. The sum of three products of full-range
/// factors may wrap; with all factors at most 1.63 · 2³⁰ in magnitude it cannot.
#[inline(always)]
#[must_use]
pub fn dot3<B: Backend<N>, const N: usize>(
    a: [Lanes<B, N>; 3],
    b: [impl Into<Multiplicand<B, N>> + Copy; 3],
) -> Lanes<B, N> {
    let first = b[0].into().mul32(a[0]);
    b[2].into().mul32_add(a[2], b[1].into().mul32_add(a[1], first))
}

/// The cross products `a × b` of 3-vectors in lanes: two exact 32×32→64 products per component.
///
/// No rounding and no shift: the formats of the factors add. Never wraps: the difference of two products of
/// `i32` is below 2⁶³ in magnitude.
#[inline(always)]
#[must_use]
pub fn cross3<B: Backend<N>, const N: usize>(
    [x, y, z]: [impl Into<Multiplicand<B, N>>; 3],
    b: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let a = [x.into(), y.into(), z.into()];
    [
        a[2].mul32_sub(b[1], a[1].mul32(b[2])),
        a[0].mul32_sub(b[2], a[2].mul32(b[0])),
        a[1].mul32_sub(b[0], a[0].mul32(b[1])),
    ]
}

/// Loads three columns of 32-bit values, sign-extended.
#[inline(always)]
#[must_use]
pub fn load3<B: Backend<N>, const N: usize>(columns: [&[i32; N]; 3]) -> [Lanes<B, N>; 3] {
    [Lanes::load(columns[0]), Lanes::load(columns[1]), Lanes::load(columns[2])]
}

/// `a + b` by component, modulo 2⁶⁴.
#[inline(always)]
#[must_use]
pub fn add3<B: Backend<N>, const N: usize>(a: [Lanes<B, N>; 3], b: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a − b` by component, modulo 2⁶⁴.
#[inline(always)]
#[must_use]
pub fn sub3<B: Backend<N>, const N: usize>(a: [Lanes<B, N>; 3], b: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a` times one factor per lane: an exact 32×32→64 product per component, not rounded.
#[inline(always)]
#[must_use]
pub fn scale3<B: Backend<N>, const N: usize>(
    a: [Lanes<B, N>; 3],
    factor: impl Into<Multiplicand<B, N>>,
) -> [Lanes<B, N>; 3] {
    let factor = factor.into();
    [factor.mul32(a[0]), factor.mul32(a[1]), factor.mul32(a[2])]
}

/// [`Lanes::held_multiplicand`] by component.
#[inline(always)]
#[must_use]
pub fn held_multiplicands3<B: Backend<N>, const N: usize, const S: u32>(
    a: [Lanes<B, N>; 3],
) -> [Multiplicand<B, N>; 3] {
    [a[0].held_multiplicand::<S>(), a[1].held_multiplicand::<S>(), a[2].held_multiplicand::<S>()]
}

/// [`Lanes::multiplicand`] by component.
#[inline(always)]
#[must_use]
pub fn multiplicands3<B: Backend<N>, const N: usize, const S: u32>(
    a: [Lanes<B, N>; 3],
) -> [Multiplicand<B, N>; 3] {
    [a[0].multiplicand::<S>(), a[1].multiplicand::<S>(), a[2].multiplicand::<S>()]
}

/// [`Lanes::shr_round`] by component: halves away from zero, symmetric under negation.
#[inline(always)]
#[must_use]
pub fn shr_round3<B: Backend<N>, const N: usize, const S: u32>(a: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [a[0].shr_round::<S>(), a[1].shr_round::<S>(), a[2].shr_round::<S>()]
}

/// [`Lanes::shr_round_half_up`] by component: cheaper, not symmetric under negation.
#[inline(always)]
#[must_use]
pub fn shr_round_half_up3<B: Backend<N>, const N: usize, const S: u32>(
    a: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    [a[0].shr_round_half_up::<S>(), a[1].shr_round_half_up::<S>(), a[2].shr_round_half_up::<S>()]
}
