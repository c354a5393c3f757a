//! Half angles and the exponential map with 62 fraction bits.
//!
//! The rotation by the vector p (its length is the angle, its direction the axis) is exp(p/2). With h = p/2 and
//! u = |h|²,
//!
//! exp(h) = cos|h| + h sin|h|/|h| = cos √u + h sinc √u,
//!
//! and both are even in |h|, power series in u without a root or a division:
//!
//! cos √u = 1 − u/2! + u²/4! − …,  sinc √u = 1 − u/3! + u²/5! − …
//!
//! For u ≤ 1 ten terms leave u¹⁰/20! < 2⁻⁶¹; for u < 2⁻⁶, six leave u⁶/12! < 2⁻⁶⁴. Each product is cut at
//! 2⁻⁶² and the next one shrinks what that lost, so both are within 2⁻⁶⁰ of the exact values.

use crate::exact::{mul_high_signed, product, product_unsigned, round_shift, sqrt_rem_u128};
use crate::trig::circular::reduce;
use crate::vector::unit::{leading, sum_of_squares, unit};

/// 1 in Q2.62.
pub(crate) const ONE_Q62: i64 = 1 << 62;

const TERMS: usize = 10;

/// 1/(2k)! in Q2.62.
const COS: [u64; TERMS] = inverse_factorials(0);
/// 1/(2k + 1)! in Q2.62.
const SINC: [u64; TERMS] = inverse_factorials(1);

/// 2^62/(2k + odd)! to nearest.
const fn inverse_factorials(odd: u64) -> [u64; TERMS] {
    let mut coefficients = [1 << 62; TERMS];
    let mut factorial = 1;
    let mut k = 1;
    while k < TERMS as u64 {
        // 19! < 2^57.
        factorial *= (2 * k + odd) * (2 * k + odd - 1);
        coefficients[k as usize] = ((1 << 62) + factorial / 2) / factorial;
        k += 1;
    }
    coefficients
}

/// (cos √u, sinc √u) for u ≤ 1, all in Q2.62, within 2⁻⁶⁰.
#[inline(always)]
const fn cos_sinc(u: u64) -> (i64, i64) {
    if u < 1 << 56 { horner::<6>(u) } else { horner::<TERMS>(u) }
}

#[inline(always)]
const fn horner<const N: usize>(u: u64) -> (i64, i64) {
    let mut cos = COS[N - 1];
    let mut sinc = SINC[N - 1];
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        // u ≤ 1 and the coefficients fall, so neither difference is negative.
        cos = COS[k] - (product_unsigned(u, cos) >> 62) as u64;
        sinc = SINC[k] - (product_unsigned(u, sinc) >> 62) as u64;
    }
    (cos as i64, sinc as i64)
}

/// `a · b` of two Q2.62 numbers whose product is below 2, to nearest.
#[inline(always)]
pub(crate) const fn mul_q62(a: i64, b: i64) -> i64 {
    round_shift(product(a, b), 62) as i64
}

/// (sin, cos) of half the `angle`, which is in radians with 64 fraction bits; Q2.62 within 2⁻⁵⁹.
///
/// An angle beyond ±2³² counts as that; odd and even to the bit.
#[inline]
pub(crate) const fn half_sin_cos(angle: i128) -> (i64, i64) {
    const LIMIT: u128 = (1 << 96) - 1;
    let magnitude = angle.unsigned_abs();
    // The half angle in units of 2^-65: the whole Q32.32 part is reduced exactly, the rest is added after.
    let half = if magnitude > LIMIT { LIMIT } else { magnitude };
    let reduced = reduce((half >> 33) as u64);
    let rest = (half & 0x1_FFFF_FFFF) << 61;
    let r = reduced.magnitude as i128;
    let r = round_shift((if reduced.negative { -r } else { r }) + rest as i128, 64) as i64;
    // |r| ≤ π/4 + 2^-31.
    let (cos, sinc) = cos_sinc((product(r, r) >> 62) as u64);
    let sin = mul_q62(r, sinc);
    // Quadrant k: (s, c), (c, −s), (−s, −c), (−c, s).
    let (sin, cos) = match reduced.quadrant & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    };
    (if angle < 0 { -sin } else { sin }, cos)
}

/// The unit quaternion (x, y, z, w) in Q2.62 of the rotation by the vector `p`, which is in radians with 64
/// fraction bits; within 2⁻⁵⁸ for angles up to 2, within 2⁻⁵⁸ of the angle beyond.
///
/// An angle beyond 2³² counts as that. Odd in `p` to the bit: exp(−p) is the conjugate of exp(p).
#[inline]
pub(crate) const fn exponential(p: [i128; 3]) -> [i64; 4] {
    let bits = p[0].unsigned_abs() | p[1].unsigned_abs() | p[2].unsigned_abs();
    if bits >> 65 == 0 {
        // p counts 2^-65 as a half angle.
        let h = [round_shift(p[0], 3) as i64, round_shift(p[1], 3) as i64, round_shift(p[2], 3) as i64];
        if let Some(turn) = series(h) {
            return turn;
        }
    }
    exponential_of_large(p)
}

/// As [`exponential`] of a vector with 32 fraction bits, to the bit: half angles up to 1 come without 128-bit words.
#[inline(always)]
pub(crate) const fn exponential_of_words(p: [i64; 3]) -> [i64; 4] {
    let bits = p[0].unsigned_abs() | p[1].unsigned_abs() | p[2].unsigned_abs();
    if bits >> 33 == 0 {
        // p counts 2^-33 as a half angle, and loses nothing in Q.62.
        if let Some(turn) = series([p[0] << 29, p[1] << 29, p[2] << 29]) {
            return turn;
        }
    }
    exponential_of_large([(p[0] as i128) << 32, (p[1] as i128) << 32, (p[2] as i128) << 32])
}

/// exp(h) for |h| ≤ 1, in Q2.62, `None` for longer ones; the words are within ±2.
#[inline(always)]
const fn series(h: [i64; 3]) -> Option<[i64; 4]> {
    let u = (sum_of_squares(h) >> 62) as u64;
    if u > 1 << 62 {
        return None;
    }
    let (cos, sinc) = cos_sinc(u);
    Some([mul_q62(h[0], sinc), mul_q62(h[1], sinc), mul_q62(h[2], sinc), cos])
}

/// exp(h) for |h| < 1/8 with words in Q2.62, within 2⁻⁵⁷: by shorter series and shorter products than [`exponential`]. `None`
/// for others.
///
/// u is below 2⁻⁶, and u³/6! below 2⁻⁵⁷ where it is below 2⁻¹⁶.
#[inline(always)]
pub(crate) const fn nearly_exponential(h: [i64; 3]) -> Option<[i64; 4]> {
    let bits = h[0].unsigned_abs() | h[1].unsigned_abs() | h[2].unsigned_abs();
    if bits >> 59 != 0 {
        return None;
    }
    let square = mul_high_signed(h[0], h[0]) + mul_high_signed(h[1], h[1]) + mul_high_signed(h[2], h[2]);
    let u = (square as u64) << 2;
    if u >= 1 << 56 {
        return None;
    }
    let (cos, sinc) = if u < 1 << 46 { horner::<3>(u) } else { horner::<6>(u) };
    Some([
        mul_high_signed(h[0], sinc) << 2,
        mul_high_signed(h[1], sinc) << 2,
        mul_high_signed(h[2], sinc) << 2,
        cos,
    ])
}

/// As [`exponential`] where |p| > 2: through the length of p and its direction.
const fn exponential_of_large(p: [i128; 3]) -> [i64; 4] {
    let (words, drop) = leading(p);
    // 62-bit words, so the root has 62 or 63 bits and is right to 2^-61 of itself.
    let (length, _) = sqrt_rem_u128(sum_of_squares(words));
    let angle = if drop > 60 { 1 << 96 } else { (length as i128) << drop };
    let (sin, cos) = half_sin_cos(angle);
    match unit::<62, 3>(words) {
        Some([x, y, z]) => [mul_q62(x, sin), mul_q62(y, sin), mul_q62(z, sin), cos],
        None => [0, 0, 0, ONE_Q62],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_length_holds_to_58_bits_over_all_angles() {
        let mut state = 1_u64;
        for shift in 0..100 {
            for _ in 0..50 {
                let mut word = || {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (i128::from(state as i64) << 60) >> (123 - shift)
                };
                let p = [word(), word(), word()];
                let q = exponential(p);
                let square = sum_of_squares(q) as i128;
                assert!((square - (1 << 124)).unsigned_abs() < 1 << (124 - 57), "{p:?} {square:x}");
                let back = exponential(p.map(|c| -c));
                assert_eq!(back, [-q[0], -q[1], -q[2], q[3]]);
            }
        }
    }

    #[test]
    fn vectors_of_words_turn_as_wide_ones_do() {
        let mut rng = crate::random::Rng::new(9, 0);
        let edges = [0, 1, -1, 1 << 33, (1 << 33) - 1, -(1 << 33), 3 << 32, i64::MAX, i64::MIN];
        for shift in 0..64 {
            let mut word = || match rng.below(3) {
                0 => edges[rng.below(9) as usize] >> (shift % 2),
                _ => rng.next_u64() as i64 >> shift,
            };
            for _ in 0..50 {
                let p = [word(), word(), word()];
                assert_eq!(exponential_of_words(p), exponential(p.map(|c| i128::from(c) << 32)), "{p:?}");
            }
        }
    }

    #[test]
    fn the_series_and_the_long_way_agree_where_they_meet() {
        for (x, y) in [(1_i128 << 65, 0), (1 << 64, 1 << 64), (7 << 62, 3 << 62)] {
            let p = [x - 1, -y, 12345];
            let (a, b) = (exponential(p), exponential_of_large(p));
            for i in 0..4 {
                assert!((a[i] - b[i]).abs() < 1 << 5, "{a:?} {b:?}");
            }
        }
    }
}
