//! Reciprocals and reciprocal square roots of 32-bit mantissas, without division of lanes and correctly rounded.
//!
//! Both functions are defined by their exact value, so a faster method may replace this one without changing
//! a bit of any simulation: a minimax polynomial starts, a third-order and a second-order step refine, and
//! an exact residual settles the last unit. A start from a table was slower: a lookup per lane costs more
//! than three products of all lanes. One lane alone is divided, where the processor can.
//!
//! What is a factor next has its low 32 bits alone read, so it is shifted with zeros, negative or not.

use super::Lanes;
use super::backend::Backend;

impl<B: Backend<N>, const N: usize> Lanes<B, N> {
    /// The reciprocal of a mantissa: `round(2⁶⁰ / m)` for `m` in 2³⁰..2³¹.
    ///
    /// As numbers: x = m · 2⁻³⁰ in [1, 2) gives 1/x in (½, 1] with 30 fraction bits. Correctly rounded (no
    /// ties exist): maximum error half a unit of the last place. A lane outside the range gives a
    /// meaningless value, the same one everywhere.
    #[inline(always)]
    #[must_use]
    pub fn recip(self) -> Self {
        let m = self;
        if N == 1 && DIVIDES {
            if let Some(quotient) = quotient(m.to_array()[0]) {
                return Self::splat(quotient);
            }
        }
        // Relative error 1/99: 1 − x p(x) = −T₃(2x − 3) / T₃(3), with p = (32x² − 144x + 210) / 99, Q30.
        let slope = Self::splat(347_068_064).mul32(m).shr_logical::<30>() - Self::splat(1_561_806_289);
        // What is below 0 has 2³⁴ more for zeros that are shifted in.
        let r = slope.mul32(m).shr_logical::<30>() + Self::splat(2_277_634_172 - (1 << 34));
        // r (1 + e + e²), with e = 1 − x r below 2^−6.6, Q36: error 2^−19.8.
        let e = (Self::splat(1 << 60) - m.mul32(r)).shr_logical::<24>();
        let r = r + r.mul32(e + e.mul32(e).shr_logical::<36>()).shr::<36>();
        // r (1 + e), with e below 2^−19.8, Q50: error 2^−31 before it is rounded.
        let e = (Self::splat(1 << 60) - m.mul32(r)).shr_logical::<10>();
        let r = r + r.mul32(e).shr_round_half_up::<50>();
        // At most one unit off: correct if |2⁶⁰ − m r| ≤ m/2.
        let rest = (Self::splat(1 << 60) - m.mul32(r)).shl::<1>();
        r - rest.gt(m).to_lanes() + rest.lt(-m).to_lanes()
    }

    /// The reciprocal square root of a mantissa: `round(2^44.5 / √m)` for `m` in 2²⁹..2³¹.
    ///
    /// As numbers: x = m · 2⁻²⁹ in [1, 4) gives 1/√x in (½, 1] with 30 fraction bits; a number of any size is
    /// an even power of two times such an x. Correctly rounded (no ties exist): maximum error half a unit of
    /// the last place. A lane outside the range gives a meaningless value, the same one everywhere.
    #[inline(always)]
    #[must_use]
    pub fn rsqrt(self) -> Self {
        let m = self;
        // Minimax cubic in z = m · 2⁻³¹ for ½/√z, relative error 2^−7.15, Q28.
        let mut start = Self::splat(-327_283_620);
        for coefficient in [836_168_731, -793_348_158, 417_735_794] {
            start = start.mul32(m).shr::<31>() + Self::splat(coefficient);
        }
        let r = start.shl::<2>();
        // r (1 + e/2 + 3e²/8), with e = 1 − x r² below 2^−6.1, Q36: error 2^−20.
        let e = (Self::splat(1 << 59) - m.mul32(r.mul32(r).shr_logical::<30>())).shr_logical::<23>();
        let square = e.mul32(e).shr_logical::<36>();
        let r = r + r.mul32(e + square.shr_logical::<1>() + square.shr_logical::<2>()).shr::<37>();
        // r (1 + e/2), with e below 2^−19, Q49: error 2^−31 before it is rounded.
        let (high, low) = residual(m, r);
        let e = (high - low.shr_logical::<30>()).shr_logical::<10>();
        let r = r + r.mul32(e).shr_round_half_up::<50>();
        // At most one unit off: correct if |2⁸⁹ − m r²| ≤ m r + m/4, up to the sign of the last term.
        let (high, low) = residual(m, r);
        let (rest, half) = (high.shl::<30>() - low, m.mul32(r));
        let quarter = m.shr_logical::<2>();
        r - rest.gt(half + quarter).to_lanes() + rest.lt(quarter - half).to_lanes()
    }
}

/// Whether the processor divides words of 64 bits: for a single lane that is shorter than the refinement.
const DIVIDES: bool = cfg!(any(target_pointer_width = "64", target_family = "wasm"));

/// The reciprocal of a mantissa by a division, `None` for what is outside its range.
#[inline(always)]
fn quotient(m: i64) -> Option<i64> {
    let mantissa = u64::try_from(m).ok().filter(|m| (1 << 30..1 << 31).contains(m))?;
    Some((((1 << 60) + (mantissa >> 1)) / mantissa) as i64)
}

/// `2⁸⁹ − m r²` as `high · 2³⁰ − low`, exactly.
#[inline(always)]
fn residual<B: Backend<N>, const N: usize>(m: Lanes<B, N>, r: Lanes<B, N>) -> (Lanes<B, N>, Lanes<B, N>) {
    let square = r.mul32(r);
    let high = Lanes::splat(1 << 59) - m.mul32(square.shr_logical::<30>());
    let low = m.mul32(square.low_bits::<30>());
    (high, low)
}
