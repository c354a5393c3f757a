//! 3-vectors of lanes: sums of exact products, with no rounding inside.

use super::Lanes;
use super::backend::Backend;

/// The dot products `a · b` of 3-vectors in lanes: three exact 32×32→64 products, summed exactly.
///
/// No rounding and no shift: the formats of the factors add. The sum of three products of full-range
/// factors may wrap; with all factors at most 1.63 · 2³⁰ in magnitude it cannot.
#[inline(always)]
#[must_use]
pub fn dot3<B: Backend<N>, const N: usize>(a: [Lanes<B, N>; 3], b: [Lanes<B, N>; 3]) -> Lanes<B, N> {
    a[0].mul32(b[0]) + a[1].mul32(b[1]) + a[2].mul32(b[2])
}

/// The cross products `a × b` of 3-vectors in lanes: two exact 32×32→64 products per component.
///
/// No rounding and no shift: the formats of the factors add. Never wraps: the difference of two products of
/// `i32` is below 2⁶³ in magnitude.
#[inline(always)]
#[must_use]
pub fn cross3<B: Backend<N>, const N: usize>(a: [Lanes<B, N>; 3], b: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [
        a[1].mul32(b[2]) - a[2].mul32(b[1]),
        a[2].mul32(b[0]) - a[0].mul32(b[2]),
        a[0].mul32(b[1]) - a[1].mul32(b[0]),
    ]
}
