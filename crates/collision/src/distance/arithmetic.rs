//! Quotients, roots and directions of words in 128 bits.

use isostep_math::exact::{self, div_rem_wide, sqrt_rem_u128};
use isostep_math::{Fx, Vec3};

pub(crate) use isostep_math::exact::product;

/// Fraction bits of coefficients and fractions of a sweep inside the kernels.
pub(crate) const UNIT_BITS: u32 = 60;
/// The coefficient 1.
pub(crate) const UNIT: i64 = 1 << UNIT_BITS;

/// `p / 2^shift` to nearest, ties away from zero; `shift` in 0 ..= 126 and |p| < 2^126.
#[inline]
pub(crate) const fn round_shift(p: i128, shift: u32) -> i128 {
    if shift == 0 { p } else { exact::round_shift(p, shift) }
}

/// a × b, exact for words below 2^62.
#[inline]
pub(crate) const fn cross(a: [i64; 3], b: [i64; 3]) -> [i128; 3] {
    [
        product(a[1], b[2]) - product(a[2], b[1]),
        product(a[2], b[0]) - product(a[0], b[2]),
        product(a[0], b[1]) - product(a[1], b[0]),
    ]
}

/// The leading 59 bits of `v`, each component to nearest, and how many bits were dropped: below zero where there were
/// fewer. Zero for zero.
#[inline]
pub(crate) const fn leading(v: [i128; 3]) -> ([i64; 3], i32) {
    let magnitude = v[0].unsigned_abs() | v[1].unsigned_abs() | v[2].unsigned_abs();
    let dropped = 128 - magnitude.leading_zeros() as i32 - 59;
    let words = if dropped > 0 {
        let bits = dropped as u32;
        [round_shift(v[0], bits), round_shift(v[1], bits), round_shift(v[2], bits)]
    } else {
        let bits = if magnitude == 0 { 0 } else { -dropped as u32 };
        [v[0] << bits, v[1] << bits, v[2] << bits]
    };
    ([words[0] as i64, words[1] as i64, words[2] as i64], dropped)
}

/// `v` with unit length in Q60; `None` for zero.
#[inline]
pub(crate) const fn unit(v: [i64; 3]) -> Option<[i64; 3]> {
    match Vec3::new(Fx::from_bits(v[0]), Fx::from_bits(v[1]), Fx::from_bits(v[2])).normalize_q62() {
        Some([x, y, z]) => Some([
            round_shift(x as i128, 2) as i64,
            round_shift(y as i128, 2) as i64,
            round_shift(z as i128, 2) as i64,
        ]),
        None => None,
    }
}

/// √(v · v) to nearest, for words below 2^62.
#[inline]
pub(crate) const fn length(v: [i64; 3]) -> i64 {
    Vec3::new(Fx::from_bits(v[0]), Fx::from_bits(v[1]), Fx::from_bits(v[2])).length().to_bits()
}

/// The direction of `v`, each component within 0.51 units of 2⁻³²; zero for zero.
#[inline]
pub(crate) const fn direction(v: [i64; 3]) -> Vec3 {
    Vec3::new(Fx::from_bits(v[0]), Fx::from_bits(v[1]), Fx::from_bits(v[2])).normalize_or_zero()
}

/// `n / d` in Q60 clamped to [−1, 1], within a unit of 2⁻⁶⁰ and symmetric under negation, for `d > 0`; whether
/// it is beyond ±1 is decided exactly, and reported by a magnitude above [`UNIT`] in [`ratio`] only.
#[inline]
pub(crate) const fn clamped_ratio(n: i128, d: i128) -> i64 {
    let q = ratio(n, d);
    if q > UNIT {
        UNIT
    } else if q < -UNIT {
        -UNIT
    } else {
        q
    }
}

/// As [`clamped_ratio`], but ±([`UNIT`] + 1) for quotients beyond ±1.
#[inline]
pub(crate) const fn ratio(n: i128, d: i128) -> i64 {
    debug_assert!(d > 0);
    let (magnitude, divisor) = (n.unsigned_abs(), d as u128);
    let q = if magnitude >= divisor {
        UNIT + (magnitude > divisor) as i64
    } else {
        // Both shifted until the divisor fills its words, of which the lower one is dropped: 2^−63 of it.
        let shift = divisor.leading_zeros();
        let (magnitude, divisor) = (magnitude << shift, (divisor << shift >> 64) as u64);
        let (hi, lo) = ((magnitude >> 64) as u64, magnitude as u64);
        if hi >= divisor {
            UNIT
        } else {
            // Q64, to Q60 by rounding; at most 1.
            ((div_rem_wide(hi, lo, divisor).0 as u128 + 8) >> 4) as i64
        }
    };
    if n < 0 { -q } else { q }
}

/// `a b / d` to nearest, ties away from zero, for |a| ≤ d and 0 ≤ b < 2^62.
#[inline]
pub(crate) const fn scaled(a: i64, b: i64, d: i64) -> i64 {
    debug_assert!(d > 0 && a.unsigned_abs() <= d as u64 && b >= 0);
    let n = a.unsigned_abs() as u128 * b as u128 + d as u128 / 2;
    let q = div_rem_wide((n >> 64) as u64, n as u64, d as u64).0 as i64;
    if a < 0 { -q } else { q }
}

/// ⌊n / d⌋, for quotients below 2^64.
#[inline]
pub(crate) const fn quotient(n: u128, d: u64) -> u64 {
    div_rem_wide((n >> 64) as u64, n as u64, d).0
}

/// `v` scaled to `length`, whose own length is `own`, each component to nearest.
#[inline]
pub(crate) const fn scaled_to(v: [i64; 3], length: i64, own: i64) -> [i64; 3] {
    [scaled(v[0], length, own), scaled(v[1], length, own), scaled(v[2], length, own)]
}

/// ⌊√n⌋.
pub(crate) const fn root(n: u128) -> u64 {
    sqrt_rem_u128(n).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;

    fn any(rng: &mut Rng, bits: u32) -> i128 {
        let wide = i128::from(rng.next_u64()) << 63 | i128::from(rng.next_u64());
        (wide & i128::MAX) >> (127 - rng.below(bits) - 1)
    }

    #[test]
    fn ratios_are_within_a_unit_and_exact_at_one() {
        let mut rng = Rng::new(11, 0);
        for _ in 0..20_000 {
            let d = any(&mut rng, 66) | 1;
            let n = any(&mut rng, 66) % d;
            let exact = (n << 60) / d;
            let q = ratio(n, d);
            assert!((i128::from(q) - exact).abs() <= 1, "{n} / {d}: {q} {exact}");
            assert_eq!(ratio(-n, d), -q);
            assert_eq!(ratio(d, d), UNIT);
            assert_eq!((ratio(d + 1, d), clamped_ratio(-d - 1, d)), (UNIT + 1, -UNIT));
        }
        assert_eq!(ratio(1 << 99, 1 << 100), UNIT / 2);
    }

    #[test]
    fn scaling_rounds_to_nearest() {
        let mut rng = Rng::new(12, 0);
        for _ in 0..20_000 {
            let d = any(&mut rng, 62) as i64 | 1;
            let (a, b) = ((any(&mut rng, 62) % i128::from(d)) as i64, any(&mut rng, 61) as i64);
            let n = product(a, b);
            assert_eq!(i128::from(scaled(a, b, d)), (2 * n + i128::from(d)) / (2 * i128::from(d)));
            assert_eq!(scaled(-a, b, d), -scaled(a, b, d));
        }
    }

    #[test]
    fn roots_are_floors() {
        let mut rng = Rng::new(13, 0);
        for n in [0, 1, 2, 3, 4, u128::MAX, 1 << 126, (1 << 127) - 1, 3 << 126] {
            check(n);
        }
        for _ in 0..20_000 {
            let n = any(&mut rng, 127) as u128;
            check(n);
            let r = u128::from(root(n));
            check(r * r);
            check((r * r).saturating_sub(1));
        }
        fn check(n: u128) {
            let r = u128::from(root(n));
            assert!(r * r <= n && n - r * r <= 2 * r, "√{n}: {r}");
        }
    }
}
