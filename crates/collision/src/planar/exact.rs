//! Exact products of two components, and the roundings that leave them.

use crate::exact::U256;
pub(super) use crate::exact::div_round;
pub(super) use isostep_math::exact::{round_shift, saturate};
use isostep_math::{Fx, Vec2};

/// Fraction bits of the corners of an outline.
pub(super) const CORNER_BITS: u32 = 44;
/// How many of them are below a unit of 2⁻³².
pub(super) const SUB_BITS: u32 = CORNER_BITS - 32;

/// `a · b`, exact for words whose products sum below 2^127.
#[inline]
pub(super) const fn dot(a: [i64; 2], b: [i64; 2]) -> i128 {
    a[0] as i128 * b[0] as i128 + a[1] as i128 * b[1] as i128
}

/// `a × b` = a₀ b₁ − a₁ b₀, as [`dot`].
#[inline]
pub(super) const fn cross(a: [i64; 2], b: [i64; 2]) -> i128 {
    a[0] as i128 * b[1] as i128 - a[1] as i128 * b[0] as i128
}

/// `a − b` for words below 2^62.
#[inline]
pub(super) const fn minus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// `a + b` for words below 2^62.
#[inline]
pub(super) const fn plus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// `−v` for words above `i64::MIN`.
#[inline]
pub(super) const fn negated(v: [i64; 2]) -> [i64; 2] {
    [-v[0], -v[1]]
}

/// √n to nearest.
#[inline]
pub(super) const fn round_sqrt(n: u128) -> u128 {
    let root = n.isqrt();
    if n - root * root > root { root + 1 } else { root }
}

/// `numerator / |n|` to nearest, ties away from zero, within 2⁻⁶⁰ of itself, where the numerator is a product
/// `n · d`: |n| from 1 and below 2^62, |d| below 2^64. Saturating.
///
/// With t the shift that brings |n| to 62 bits, (numerator 2^t) / (|n| 2^t) keeps 62 bits of |n|; the dividend
/// stays below 2^62 · 2^64.
pub(super) const fn quotient(numerator: i128, n: [i64; 2]) -> i64 {
    let square = dot(n, n) as u128;
    let t = (square.leading_zeros() - 4) / 2;
    saturate(div_round(numerator << t, round_sqrt(square << (2 * t)) as i128))
}

/// |v| to nearest, saturating, for components below 2^63.
pub(super) const fn length(v: [i64; 2]) -> i64 {
    saturate(round_sqrt(dot(v, v) as u128) as i128)
}

/// `v` divided by its length, each component within 0.51 units of 2⁻³²; zero for zero.
pub(super) const fn unit(v: [i64; 2]) -> Vec2 {
    Vec2::new(Fx::from_bits(v[0]), Fx::from_bits(v[1])).normalize_or_zero()
}

/// `v` scaled to a length, each component to nearest; zero for zero.
pub(super) const fn along(v: [i64; 2], length: i64) -> [i64; 2] {
    // What `quotient` takes; the direction keeps 58 bits.
    let is_long = (v[0].unsigned_abs() | v[1].unsigned_abs()) >> 61 != 0;
    let v = if is_long { [v[0] / 4, v[1] / 4] } else { v };
    if v[0] == 0 && v[1] == 0 {
        return v;
    }
    [quotient(v[0] as i128 * length as i128, v), quotient(v[1] as i128 * length as i128, v)]
}

/// `numerator / denominator` with `bits` fraction bits, to nearest, for 0 ≤ numerator ≤ denominator and
/// 0 < denominator; numbers of more than 126 − `bits` bits lose those that are too many.
pub(super) const fn ratio(numerator: i128, denominator: i128, bits: u32) -> i64 {
    let drop = (bits + 2).saturating_sub(denominator.leading_zeros());
    let (n, d) = (numerator >> drop, denominator >> drop);
    div_round(n << bits, d) as i64
}

/// √(a b − c²) for a b ≥ c², a root below 2^126: rounded down, of 64 bits or more the leading 64.
pub(super) const fn root_of_difference(a: u128, b: u128, c: u128) -> u128 {
    let (high, low) = U256::product(a, b).words();
    let (square_high, square_low) = U256::product(c, c).words();
    let (low, borrow) = low.overflowing_sub(square_low);
    let high = high - square_high - borrow as u128;
    if high == 0 {
        return low.isqrt();
    }
    // An even number of bits is shifted out, so that the root is shifted by half of it.
    let out = (128 - high.leading_zeros() + 1) & !1;
    let leading = if out == 128 { high } else { high << (128 - out) | low >> out };
    leading.isqrt() << (out / 2)
}

/// `value · fraction / 2^62` to nearest for a fraction of at most 2^62 and |value| below 2^63.
pub(super) const fn scaled(value: i64, fraction: i64) -> i64 {
    round_shift(value as i128 * fraction as i128, 62) as i64
}

/// The raw bits that a Q44 is next to, ties away from zero.
#[inline]
pub(super) const fn to_raw(q44: i64) -> i64 {
    round_shift(q44 as i128, SUB_BITS) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_nearest_for_normals_of_one_unit_and_of_62_bits() {
        assert_eq!(quotient(dot([0, 1], [5, -7]), [0, 1]), -7);
        let n = [3 << 59, 4 << 59];
        assert_eq!(quotient(dot(n, [1 << 61, 1 << 61]), n), div_round(7 << 61, 5) as i64);
        assert_eq!(quotient(dot([3, 4], [1, 1]), [3, 4]), 1);
        assert_eq!(quotient(dot([3, 4], [-1, -1]), [3, 4]), -1);
    }

    #[test]
    fn roots_of_differences_agree_with_pythagoras_at_every_size() {
        for bits in [0, 10, 40, 60] {
            let (a, c) = ((5_u128 << bits) * (5 << bits), 3_u128 << bits);
            assert_eq!(root_of_difference(a, 1, c), 4 << bits);
            let root = root_of_difference(a, 1 << 120, c << 60);
            assert!(
                (root as i128 - (4 << (bits + 60))).abs() <= 1 << (bits + 60 - 62).max(1),
                "{bits}: {root}"
            );
        }
        assert_eq!(root_of_difference(1, 1, 1), 0);
    }

    #[test]
    fn ratios_keep_their_bits_whatever_the_size() {
        for scale in [1, 1 << 20, 1 << 60, 1 << 100, 1 << 123] {
            let third = ratio(scale, 3 * scale, 62);
            assert!((third - (1_i64 << 62) / 3).abs() <= 1, "{scale}: {third}");
            assert_eq!(ratio(scale, scale, 62), 1 << 62);
            assert_eq!(ratio(0, scale, 62), 0);
        }
    }
}
