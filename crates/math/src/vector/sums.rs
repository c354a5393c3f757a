//! Exact sums of products, one rounding at the end.
//!
//! A product of two raw words is at most 2^126, and only `MIN · MIN` reaches that: the others stay 2^63 below.
//! So a difference of two products always fits `i128`, while a sum of two or three may leave it. It then
//! saturates, and the answer does too: after an overflow the running sum is within 1 of ±2^127 or beyond, one
//! more product leaves it beyond ±2^125, and Q.64 sums beyond ±2^95 are beyond the ends of `Fx`.

use crate::exact::{narrow_q64, product, round_shift, saturate};

/// Σ aᵢ bᵢ of two or three components, Q.64: exact, or far beyond what a Q32.32 holds, on the same side.
#[inline(always)]
pub(crate) const fn dot_q64<const N: usize>(a: [i64; N], b: [i64; N]) -> i128 {
    debug_assert!(N <= 3);
    let mut sum = product(a[0], b[0]);
    let mut i = 1;
    while i < N {
        sum = sum.saturating_add(product(a[i], b[i]));
        i += 1;
    }
    sum
}

/// Σ aᵢ bᵢ of two or three components as Q32.32: one rounding to nearest, saturating.
#[inline(always)]
pub(crate) const fn dot<const N: usize>(a: [i64; N], b: [i64; N]) -> i64 {
    narrow_q64(dot_q64(a, b))
}

/// a₀ b₁ − a₁ b₀ as Q32.32: exact, then one rounding to nearest, saturating.
#[inline(always)]
pub(crate) const fn narrow_cross2(a: [i64; 2], b: [i64; 2]) -> i64 {
    // Below 2^127 − 2^62, so the half unit fits as well.
    narrow(product(a[0], b[1]) - product(a[1], b[0]), 32)
}

/// a × b, Q.64, exact.
#[inline(always)]
pub(crate) const fn cross_q64(a: [i64; 3], b: [i64; 3]) -> [i128; 3] {
    [
        product(a[1], b[2]) - product(a[2], b[1]),
        product(a[2], b[0]) - product(a[0], b[2]),
        product(a[0], b[1]) - product(a[1], b[0]),
    ]
}

/// Whether every word is in −2^62 .. 2^62: four products of such words add up in `i128`.
#[inline(always)]
pub(crate) const fn are_short<const N: usize>(words: [i64; N]) -> bool {
    let mut bits = 0;
    let mut i = 0;
    while i < N {
        bits |= words[i] ^ (words[i] >> 63);
        i += 1;
    }
    bits >> 62 == 0
}

/// A sum of four Q.64 products as Q32.32 for any words: one rounding to nearest, saturating.
///
/// Here an overflow can come back into range, so the halves are added apart from the last bits:
/// Σp = 2 h + rest with |h| < 2^127 after saturation of nothing but 4 · 2^125.
#[inline]
pub(crate) const fn narrow_sum4(p: [i128; 4]) -> i64 {
    let h = (p[0] >> 1) + (p[1] >> 1) + (p[2] >> 1);
    let h = h.saturating_add(p[3] >> 1);
    let rest = (p[0] & 1) + (p[1] & 1) + (p[2] & 1) + (p[3] & 1);
    let h = h.saturating_add(rest >> 1);
    // Half a unit, one less below zero so that ties leave zero; then halved, the odd bit counted in.
    let half = ((1_i128 << 31) + (h >> 127) + (rest & 1)) >> 1;
    saturate(h.saturating_add(half) >> 31)
}

/// Σ aᵢ bᵢ of four components, Q.64, for products bounded by `are_short` words.
#[inline(always)]
pub(crate) const fn dot4_short(a: [i64; 4], b: [i64; 4]) -> i128 {
    product(a[0], b[0]) + product(a[1], b[1]) + product(a[2], b[2]) + product(a[3], b[3])
}

/// A sum with `shift` more fraction bits than the result: one rounding to nearest, saturating.
///
/// `shift` and `sum` are in the range of [`round_shift`].
#[inline(always)]
pub(crate) const fn narrow(sum: i128, shift: u32) -> i64 {
    saturate(round_shift(sum, shift))
}

/// vᵢ · `by` with `shift` more fraction bits than the result: one rounding each, saturating.
#[inline(always)]
pub(crate) const fn scaled<const N: usize>(v: [i64; N], by: i64, shift: u32) -> [i64; N] {
    let mut words = v;
    let mut i = 0;
    while i < N {
        words[i] = narrow(product(v[i], by), shift);
        i += 1;
    }
    words
}

/// vᵢ · `by` for a wide factor, exact in 192 bits, with `shift` ≥ 63 more fraction bits than the result.
#[inline(always)]
pub(crate) const fn times_wide<const N: usize>(by: i128, v: [i64; N], shift: u32) -> [i128; N] {
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        words[i] = Wide::product(by, v[i]).round(shift);
        i += 1;
    }
    words
}

/// As [`times_wide`], saturating to words.
#[inline(always)]
pub(crate) const fn times<const N: usize>(by: i128, v: [i64; N], shift: u32) -> [i64; N] {
    let wide = times_wide(by, v, shift);
    let mut words = v;
    let mut i = 0;
    while i < N {
        words[i] = saturate(wide[i]);
        i += 1;
    }
    words
}

/// A 192-bit number: `high · 2^64 + low`.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    high: i128,
    low: u64,
}

impl Wide {
    /// `a · b`, exact.
    #[inline(always)]
    pub(crate) const fn product(a: i128, b: i64) -> Self {
        let low = a as u64 as i128 * b as i128;
        let high = (a >> 64) * b as i128;
        // |high| ≤ 2^126 and |low >> 64| ≤ 2^63.
        Self { high: high + (low >> 64), low: low as u64 }
    }

    /// The sum modulo 2^192.
    #[inline(always)]
    pub(crate) const fn wrapping_add(self, rhs: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(rhs.low);
        Self { high: self.high.wrapping_add(rhs.high).wrapping_add(carry as i128), low }
    }

    /// The number divided by 2^64 to nearest, ties away from zero.
    #[inline(always)]
    pub(crate) const fn round_high(self) -> i128 {
        let up = self.low > (1 << 63) || (self.low == 1 << 63 && self.high >= 0);
        self.high.saturating_add(up as i128)
    }

    /// The number divided by 2^shift to nearest, ties away from zero, saturating; `shift` ≥ 63.
    ///
    /// Above 64 the quotient is rounded at 2^64 first, so a tie is seen within 2^−60 of it.
    #[inline(always)]
    pub(crate) const fn round(self, shift: u32) -> i128 {
        if shift == 63 {
            // Twice the number where it fits.
            let low = self.low << 1;
            let high = self.high.saturating_add(self.high).saturating_add((self.low >> 63) as i128);
            return Self { high, low }.round_high();
        }
        let high = self.round_high();
        if shift == 64 { high } else { round_shift(high, shift - 64) }
    }

    /// The number divided by 2^64, rounded down.
    #[inline(always)]
    pub(crate) const fn high(self) -> i128 {
        self.high
    }

    /// Whether the number is below zero.
    #[inline(always)]
    pub(crate) const fn is_negative(self) -> bool {
        self.high < 0
    }

    /// (m, e): the magnitude is within 2^−63 of m · 2^e, m ≥ 2^63 unless the number is zero.
    #[inline(always)]
    pub(crate) const fn leading(self) -> (u64, i32) {
        let (high, low) = if self.high < 0 {
            let low = self.low.wrapping_neg();
            ((!self.high as u128).wrapping_add((low == 0) as u128), low)
        } else {
            (self.high as u128, self.low)
        };
        if high == 0 {
            let shift = low.leading_zeros() & 63;
            return (low << shift, -(shift as i32));
        }
        let shift = high.leading_zeros();
        let top = (high << shift)
            | if shift > 64 { (low as u128) << (shift - 64) } else { (low as u128) >> (64 - shift) };
        ((top >> 64) as u64, 128 - shift as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_products_that_overflow_and_come_back_round_like_the_exact_sum() {
        let min = i64::MIN;
        // 2^127 − (2^63 − 1)(2^63 − 2^31) · 2 … brought to a tie by the last product.
        let far = (1 << 63) - (1_i128 << 31);
        let p = [
            product(min, min),
            product(min, min),
            -(i128::from(i64::MAX) * far),
            -product(i64::MAX, i64::MAX),
        ];
        // 2^127 − (2^63 − 1)(2^63 − 2^31) − (2^63 − 1)² = 2^63 (1 + 2^31 + 2) − 2^31 − 1.
        let exact = (1_i128 << 63) * ((1 << 31) + 3) - (1 << 31) - 1;
        assert_eq!(narrow_sum4(p), saturate(round_shift(exact, 32)));
        assert_eq!(narrow_sum4([product(min, min); 4]), i64::MAX);
        assert_eq!(narrow_sum4([product(min, i64::MAX); 4]), i64::MIN);
        for low in -9_i128..9 {
            for tie in [1_i128 << 31, 3 << 31, -(1 << 31), -(5 << 31)] {
                let p = [tie + low, -3 * low, low, 1];
                assert_eq!(narrow_sum4(p), saturate(round_shift(tie - low + 1, 32)), "{tie} {low}");
            }
        }
    }

    #[test]
    fn wide_products_round_ties_away_from_zero() {
        let half = Wide::product(1 << 62, 2);
        assert_eq!(half.round_high(), 1);
        assert_eq!(Wide::product(1 << 62, -2).round_high(), -1);
        assert_eq!(Wide::product((1 << 62) - 1, 2).round_high(), 0);
        assert_eq!(Wide::product((1 << 62) - 1, -2).round_high(), 0);
        assert_eq!(Wide::product(i128::MIN, i64::MIN).round_high(), 1 << 126);
    }

    #[test]
    fn leading_bits_of_wide_numbers() {
        for shift in 0..126 {
            for b in [3, -3] {
                let (mantissa, exponent) = Wide::product(1 << shift, b).leading();
                assert_eq!(mantissa, 3 << 62);
                assert_eq!(exponent, shift - 62);
            }
        }
        assert_eq!(Wide::product(0, 5).leading().0, 0);
    }
}
