//! Lengths and directions on the whole range, from one raw unit to the ends.
//!
//! A direction does not change when the vector is scaled, so the vector is first shifted up until its largest
//! component v has 62 or 63 bits, which loses nothing. The sum of squares then has at least 125 bits; its
//! leading 64 give the reciprocal root, and each component is multiplied by that and rounded once.

use crate::Fx;
use crate::exact::{mul_high, product, product_unsigned, reciprocal_root, round_shift};

/// How far the squared length of a vector of length 1 may be from 1 for `is_normalized`: 2⁻²⁰.
pub(crate) const NORMALIZED_TOLERANCE: Fx = Fx(1 << 12);

/// Σ vᵢ², exact for up to three components; four times `MIN` saturate by one unit in 2^128.
#[inline(always)]
pub(crate) const fn sum_of_squares<const N: usize>(v: [i64; N]) -> u128 {
    let mut sum = 0_u128;
    let mut i = 0;
    while i < N {
        let magnitude = v[i].unsigned_abs();
        sum = sum.saturating_add(product_unsigned(magnitude, magnitude));
        i += 1;
    }
    sum
}

/// Q.64 squares as Q32.32: to nearest, ties up, saturating at the greatest number.
#[inline(always)]
pub(crate) const fn narrow_squares(sum: u128) -> i64 {
    let rounded = (sum >> 32) + ((sum >> 31) & 1);
    if rounded > i64::MAX as u128 { i64::MAX } else { rounded as i64 }
}

/// `word²`, or 0 for a negative one: lengths are compared by their exact squares.
#[inline(always)]
pub(crate) const fn square_of_positive(word: i64) -> u128 {
    if word > 0 { product_unsigned(word as u64, word as u64) } else { 0 }
}

/// |a − b| by components, exact, or `None` where one is 2^63 or more.
#[inline(always)]
pub(crate) const fn distances<const N: usize>(a: [i64; N], b: [i64; N]) -> Option<[i64; N]> {
    let mut difference = a;
    let mut bits = 0;
    let mut i = 0;
    while i < N {
        let magnitude = a[i].abs_diff(b[i]);
        bits |= magnitude;
        difference[i] = magnitude as i64;
        i += 1;
    }
    if bits >> 63 == 0 { Some(difference) } else { None }
}

/// 1/√n as (y, e) = y · 2^−e with y in (2^63, 2^64), relative error below 2^−57; `n > 0`.
#[inline(always)]
pub(crate) const fn rsqrt_u128(n: u128) -> (u64, u32) {
    let (_, y, shift) = reciprocal_root(n);
    (y, 127 - shift / 2)
}

/// One more Newton step for `rsqrt_u128`, y + y (1 − m y²) / 2: a relative error below 2^−60.
#[inline(always)]
const fn refine(n: u128, y: u64) -> u64 {
    let m = ((n << (n.leading_zeros() & !1)) >> 64) as u64;
    let my2 = mul_high(m, mul_high(y, y)) as i64;
    // The deviation is below 2^7 units of 2^−62.
    let deviation = (1_i64 << 62) - my2;
    y.saturating_add_signed(((deviation as i128 * y as i128) >> 63) as i64)
}

/// `v` times a power of two so that its largest component has 62 or 63 bits; zero stays zero. Exact.
#[inline(always)]
const fn shifted_up<const N: usize>(v: [i64; N]) -> [i64; N] {
    let mut bits = 0_u64;
    let mut i = 0;
    while i < N {
        bits |= v[i].unsigned_abs();
        i += 1;
    }
    let spare = bits.leading_zeros().saturating_sub(1);
    let mut up = v;
    let mut i = 0;
    while i < N {
        // For zero the shift is 63 and there is nothing to lose.
        up[i] = v[i] << spare;
        i += 1;
    }
    up
}

/// `v` divided by its length with `FRACTION` fraction bits, or `None` for zero.
///
/// For a fraction of 32 bits every component is within 0.51 units of 2⁻³²; for one of 62, within 2⁻⁵⁹.
/// Symmetric under negation and under permutation.
#[inline(always)]
pub(crate) const fn unit<const FRACTION: u32, const N: usize>(v: [i64; N]) -> Option<[i64; N]> {
    let up = shifted_up(v);
    let n = sum_of_squares(up);
    if n == 0 {
        return None;
    }
    let (y, exponent) = rsqrt_u128(n);
    let y = if FRACTION > 32 { refine(n, y) } else { y };
    // One bit less, so that |v| y, which is at most 2^127, leaves room for the rounding.
    let y = (y >> 1) as i64;
    let shift = exponent - 1 - FRACTION;
    let mut i = 0;
    let mut unit = up;
    while i < N {
        unit[i] = round_shift(product(up[i], y), shift) as i64;
        i += 1;
    }
    Some(unit)
}

/// (w, e): `v` is within 2^e of w · 2^e in every component, toward zero, and the largest of w has 62 bits
/// unless e is 0.
#[inline(always)]
pub(crate) const fn leading<const N: usize>(v: [i128; N]) -> ([i64; N], u32) {
    let mut bits = 0_u128;
    let mut i = 0;
    while i < N {
        bits |= v[i].unsigned_abs();
        i += 1;
    }
    let drop = 66_u32.saturating_sub(bits.leading_zeros());
    let mut words = [0; N];
    let mut i = 0;
    while i < N {
        let magnitude = (v[i].unsigned_abs() >> drop) as i64;
        words[i] = if v[i] < 0 { -magnitude } else { magnitude };
        i += 1;
    }
    (words, drop)
}

/// `v` times a power of two so that the largest word has 62 bits, toward zero; zero stays zero.
///
/// For ratios of lengths: the root of a sum of three squares fits `i64` and keeps 62 bits.
#[inline(always)]
pub(crate) const fn aligned<const N: usize>(v: [i128; N]) -> [i64; N] {
    let (mut words, _) = leading(v);
    let mut bits = 0_u64;
    let mut i = 0;
    while i < N {
        bits |= words[i].unsigned_abs();
        i += 1;
    }
    // For zero 62, and nothing to lose.
    let spare = bits.leading_zeros() - 2;
    let mut i = 0;
    while i < N {
        words[i] <<= spare;
        i += 1;
    }
    words
}

/// The direction of a vector in 128-bit words, as `unit`.
#[inline(always)]
pub(crate) const fn unit_wide<const FRACTION: u32, const N: usize>(v: [i128; N]) -> Option<[i64; N]> {
    unit::<FRACTION, N>(leading(v).0)
}

/// The direction of a vector in Q.94 with 32 fraction bits, to the bit that of [`unit_wide`], where its largest component is
/// in ½ .. 2, as that of every unit quaternion; `None` for the others.
///
/// `leading` then drops 32 bits or 33, `shifted_up` adds one, and the shift at the end is 93 or 94: leading zeros are those of
/// one word, and what is rounded at the end are high words.
#[inline(always)]
pub(crate) const fn unit_q94(v: [i128; 4]) -> Option<[i64; 4]> {
    let magnitudes = [v[0].unsigned_abs(), v[1].unsigned_abs(), v[2].unsigned_abs(), v[3].unsigned_abs()];
    let high = ((magnitudes[0] | magnitudes[1] | magnitudes[2] | magnitudes[3]) >> 64) as u64;
    if high >> 31 != 0 || high >> 29 == 0 {
        return None;
    }
    let drop = 32 + (high >> 30) as u32;
    // Words of up to 62 bits: four squares are below 2^126.
    let mut words = [0_u64; 4];
    let mut n = 0_u128;
    let mut i = 0;
    while i < 4 {
        words[i] = (magnitudes[i] >> drop) as u64;
        n += product_unsigned(words[i], words[i]);
        i += 1;
    }
    let (y, exponent) = rsqrt_u128(n << 2);
    // With the lower word 93 or 94 bits go.
    let shift = exponent - 33 - 64;
    let mut unit = [0; 4];
    let mut i = 0;
    while i < 4 {
        let product = mul_high(words[i] << 1, y >> 1);
        let rounded = ((product + (1 << (shift - 1))) >> shift) as i64;
        unit[i] = if v[i] < 0 { -rounded } else { rounded };
        i += 1;
    }
    Some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn unit_quaternions_are_normalised_to_the_same_bits_the_short_way() {
        let mut rng = Rng::new(21, 0);
        let mut short = 0;
        for _ in 0..40_000 {
            let shift = rng.below(20);
            let mut q = [0; 4].map(|_| i128::from(rng.next_u64() as i64 >> rng.below(40)) << 32 >> shift);
            // Near a length of 1, off by what rounding leaves.
            if let (Some(unit), true) = (unit_wide::<62, 4>(q), shift < 15) {
                q = unit.map(|word| (i128::from(word) << 32) + i128::from(rng.next_u64() as i64 >> 20));
            }
            if shift == 14 {
                let axis = rng.below(4) as usize;
                q = [0; 4];
                q[axis] =
                    ((1 << 94) + i128::from(rng.next_u64() as i64 >> 2)) * if axis > 1 { -1 } else { 1 };
            }
            if let Some(unit) = unit_q94(q) {
                assert_eq!(Some(unit), unit_wide::<32, 4>(q), "{q:?}");
                short += 1;
            }
        }
        assert!(short > 20_000, "{short}");
    }

    #[test]
    fn reciprocal_roots_hold_their_accuracy_over_all_lengths() {
        let mut state = 7_u128;
        for bits in 1..=128 {
            for _ in 0..200 {
                state =
                    state.wrapping_mul(0xDA94_2042_E4DD_58B5_2360_ED05_1FC6_5DA4_u128 | 1).wrapping_add(99);
                let n = (state >> (128 - bits)) | 1;
                let (y, exponent) = rsqrt_u128(n);
                for (y, accuracy) in [(y, 57), (refine(n, y), 60)] {
                    // y² n / 2^(2e) − 1, read from the leading 64 bits of n.
                    let shift = n.leading_zeros() & !1;
                    let m = ((n << shift) >> 64) as u64;
                    let square = u128::from(y) * u128::from(y);
                    let my2 = (square >> 64) * u128::from(m)
                        + (((square & u128::from(u64::MAX)) * u128::from(m)) >> 64);
                    let deviation = (1_i128 << 126) - my2 as i128;
                    // Twice the relative error, and what the cut of n to 64 bits adds.
                    assert!(deviation.unsigned_abs() >> 126_u32.saturating_sub(accuracy - 1) == 0, "{n}");
                    assert_eq!(exponent, 127 - shift / 2);
                }
            }
        }
    }
}
