//! Integer kernels below the number type: exact 128-bit products, one rounding, division, square roots.
//!
//! Everything here is total, free of floats, of 128-bit division (`__udivti3` is a bit-by-bit loop on
//! 32-bit targets) and of operations whose meaning depends on the build profile. What is public here is for the crates
//! above, whose kernels have words of their own; it is no part of the documented interface.

/// `p / 2^shift`, rounded to nearest, ties away from zero: symmetric under negation.
///
/// `shift` is 1..=126 and `|p| ≤ 2^127 − 2^(shift − 1)`, so that adding half a unit cannot overflow.
#[inline(always)]
pub const fn round_shift(p: i128, shift: u32) -> i128 {
    debug_assert!(shift >= 1 && shift <= 126);
    p.wrapping_add((1_i128 << (shift - 1)).wrapping_add(p >> 127)) >> shift
}

/// As [`round_shift`] of a word: `shift` is 1..=62 and `|x| ≤ 2^63 − 2^(shift − 1)`.
#[inline(always)]
pub const fn round_shift_i64(x: i64, shift: u32) -> i64 {
    debug_assert!(shift >= 1 && shift <= 62);
    x.wrapping_add((1_i64 << (shift - 1)).wrapping_add(x >> 63)) >> shift
}

/// The nearest `i64`, the ends of the range included.
#[inline(always)]
pub const fn saturate(v: i128) -> i64 {
    let low = v as i64;
    if low as i128 == v {
        low
    } else if v < 0 {
        i64::MIN
    } else {
        i64::MAX
    }
}

/// A Q.64 product or sum of products as Q32.32: one rounding to nearest, ties away from zero, saturating.
#[inline(always)]
pub(crate) const fn narrow_q64(sum: i128) -> i64 {
    let sign = (sum >> 127) as i64;
    // The half, one less below zero, is positive: it is added to the low word and carries. Where the sum
    // wraps, its high word is far beyond 32 bits as well.
    let rounded = sum.wrapping_add((1_u64 << 31).wrapping_add(sign as u64) as i128);
    let high = (rounded >> 64) as i64;
    if high as i32 as i64 == high { (rounded >> 32) as i64 } else { i64::MAX ^ sign }
}

/// The exact product of two Q32.32 numbers, Q.64.
#[inline(always)]
pub const fn product(a: i64, b: i64) -> i128 {
    if BY_HALVES { product_by_halves(a, b) } else { a as i128 * b as i128 }
}

/// The same of numbers of at least 0.
#[inline(always)]
pub const fn product_unsigned(a: u64, b: u64) -> u128 {
    if BY_HALVES { product_unsigned_by_halves(a, b) } else { a as u128 * b as u128 }
}

/// Whether products of 64 bits are made of four of 32: modules of wasm have no longer ones, and compilers call a function for
/// each, which multiplies numbers of 128 bits.
const BY_HALVES: bool = cfg!(target_family = "wasm");

/// `a · b` in products of 32 bits.
#[inline(always)]
const fn product_by_halves(a: i64, b: i64) -> i128 {
    let (a_low, a_high) = (a & LOW_HALF, a >> 32);
    let (b_low, b_high) = (b & LOW_HALF, b >> 32);
    let low = (a_low as u64).wrapping_mul(b_low as u64);
    // From −2^63 to 2^63 − 2^31 each.
    let middle = a_high * b_low + (low >> 32) as i64;
    let cross = a_low * b_high + (middle & LOW_HALF);
    let high = a_high * b_high + (middle >> 32) + (cross >> 32);
    join(high, (cross << 32) as u64 | (low & LOW_HALF as u64))
}

/// The same of numbers of at least 0.
#[inline(always)]
const fn product_unsigned_by_halves(a: u64, b: u64) -> u128 {
    const LOW: u64 = LOW_HALF as u64;
    let (a_low, a_high) = (a & LOW, a >> 32);
    let (b_low, b_high) = (b & LOW, b >> 32);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 32);
    let cross = a_low * b_high + (middle & LOW);
    let high = a_high * b_high + (middle >> 32) + (cross >> 32);
    join(high as i64, (cross << 32) | (low & LOW)) as u128
}

const LOW_HALF: i64 = 0xFFFF_FFFF;

/// `high · 2^64 + low`.
#[inline(always)]
const fn join(high: i64, low: u64) -> i128 {
    ((high as i128) << 64) | low as i128
}

/// Quotient and remainder of `hi · 2^64 + lo` by `d`, for `hi < d`, in 64-bit steps.
///
/// Two digits of 32 bits, each estimated from the leading half of the divisor and corrected at most twice
/// (Knuth, *The Art of Computer Programming* vol. 2, 4.3.1, algorithm D).
#[inline]
pub const fn div_rem_wide(hi: u64, lo: u64, d: u64) -> (u64, u64) {
    debug_assert!(hi < d);
    if hi == 0 {
        return (lo / d, lo % d);
    }
    let shift = d.leading_zeros();
    let d = d << shift;
    let (d1, d0) = (d >> 32, d & 0xFFFF_FFFF);
    // A shift by 64 does not exist: for `shift == 0` nothing comes up from `lo`.
    let carried = if shift == 0 { 0 } else { lo >> (64 - shift) };
    let hi = (hi << shift) | carried;
    let lo = lo << shift;
    let (q1, rest) = div_digit(hi, lo >> 32, d, d1, d0);
    let (q0, rest) = div_digit(rest, lo & 0xFFFF_FFFF, d, d1, d0);
    ((q1 << 32) | q0, rest >> shift)
}

/// One 32-bit digit of the quotient of `rest · 2^32 + next` by the normalised `d = d1 · 2^32 + d0`.
#[inline(always)]
const fn div_digit(rest: u64, next: u64, d: u64, d1: u64, d0: u64) -> (u64, u64) {
    let mut q = rest / d1;
    let mut r = rest % d1;
    while q >> 32 != 0 || q * d0 > (r << 32 | next) {
        q -= 1;
        r += d1;
        if r >> 32 != 0 {
            break;
        }
    }
    (q, (rest << 32 | next).wrapping_sub(q.wrapping_mul(d)))
}

/// Chords of 1/√m over the 192 intervals [i/64, (i + 1)/64), i = 64..256: value at the start and
/// drop across the interval, Q0.32 (the start of the first is one unit below 1).
const RSQRT_CHORDS: [(u32, u32); 192] = {
    let mut chords = [(0_u32, 0_u32); 192];
    let mut i = 0;
    while i < 192 {
        let start = rsqrt_q32_bitwise(64 + i as u64);
        let end = rsqrt_q32_bitwise(65 + i as u64);
        chords[i] = (start, start - end);
        i += 1;
    }
    chords
};

/// ⌊2^32 / √(i/64)⌋ capped to 32 bits, bit by bit at compile time: the largest `y` with `y² i ≤ 2^70`.
const fn rsqrt_q32_bitwise(i: u64) -> u32 {
    let mut y = 0_u64;
    let mut bit = 1_u64 << 31;
    while bit != 0 {
        let next = y | bit;
        if (next as u128 * next as u128) * i as u128 <= 1 << 70 {
            y = next;
        }
        bit >>= 1;
    }
    y as u32
}

/// For `m` in [2^62, 2^64), read as Q2.62: 1/√m as Q0.32, relative error below 2^−29.
///
/// A chord (2^−15) and one Newton step, y' = y + y (1 − m y²) / 2, in 32 × 32-bit products.
#[inline(always)]
const fn rsqrt_seed(m: u64) -> u64 {
    let (start, drop) = RSQRT_CHORDS[((m >> 56) - 64) as usize & 0xFF];
    let within = (m >> 24) & 0xFFFF_FFFF;
    let y = start as u64 - ((drop as u64 * within) >> 32);
    // m y² near 1 in Q.62: the deviation is below 2^−13, so the wrapping difference is exact.
    let y2 = (y * y) >> 32;
    let my2 = ((m >> 32) * y2) as i64;
    let deviation = (1_i64 << 62).wrapping_sub(my2) >> 20;
    let y = (y as i64 + ((y as i64 * (deviation >> 11)) >> 32)) as u64;
    if y > 0xFFFF_FFFF { 0xFFFF_FFFF } else { y }
}

/// For `m` in [2^62, 2^64), read as Q2.62: (√m as Q1.63 within 2^−56, its seed 1/√m as Q0.32).
#[inline(always)]
const fn sqrt_mantissa(m: u64) -> (u64, u64) {
    let y = rsqrt_seed(m);
    // √m to 29 bits as Q1.31, then one correction by the exact residual: s + (m − s²) y / 2.
    let s = ((m >> 32) * y) >> 31;
    let s = if s > 0xFFFF_FFFF { 0xFFFF_FFFF } else { s };
    let residual = m.wrapping_sub(s * s) as i64;
    let correction = ((residual >> 4) * y as i64) >> 28;
    ((s << 32).saturating_add_signed(correction), y)
}

/// √(raw · 2^32) to nearest for `raw > 0`: the raw bits of the root of a Q32.32. Ties do not exist.
#[inline]
pub(crate) const fn sqrt_q32(raw: u64) -> u64 {
    let shift = raw.leading_zeros() & !1;
    let (mantissa, _) = sqrt_mantissa(raw << shift);
    let drop = 16 + shift / 2;
    let root = (mantissa >> drop) + ((mantissa >> (drop - 1)) & 1);
    // The root has at most 48 bits and is off by one at most, so the residual fits 64 bits though its
    // terms do not: nearest means −root < n − root² ≤ root.
    let residual = (raw << 32).wrapping_sub(root.wrapping_mul(root)) as i64;
    root + (residual > root as i64) as u64 - (residual <= -(root as i64)) as u64
}

/// 2^48 / √raw to nearest for `raw > 0`: the raw bits of the reciprocal root of a Q32.32.
#[inline]
pub(crate) const fn rsqrt_q32(raw: u64) -> u64 {
    let shift = raw.leading_zeros() & !1;
    let drop = 47 - shift / 2;
    let mantissa = rsqrt_mantissa(raw << shift);
    let root = (mantissa >> drop) + ((mantissa >> (drop - 1)) & 1);
    // Nearest means (2r − 1)² raw < 2^98 < (2r + 1)² raw; the mantissa leaves it off by one at most.
    let above = 2 * root as u128 + 1;
    let below = 2 * root as u128 - 1;
    root + (above * above * raw as u128 <= 1 << 98) as u64 - (below * below * raw as u128 > 1 << 98) as u64
}

/// For `m` in [2^62, 2^64), read as Q2.62: 1/√m as Q0.64, below the true value by less than 2^−57.
#[inline(always)]
pub(crate) const fn rsqrt_mantissa(m: u64) -> u64 {
    let y = rsqrt_seed(m);
    let my2 = mul_high(m, y * y);
    let deviation = (1_i64 << 62) - my2 as i64;
    (y << 32).saturating_add_signed(((deviation >> 3) * y as i64) >> 28)
}

/// The reciprocal root of `n > 0`, for kernels that take several words out of one.
///
/// For the even shift s at which n 2^s has 127 or 128 bits: the leading 64 of these, m; y = 2^95 / √m in (2^63, 2^64), below
/// that by less than 2^−57 of it; and s. So 1/√n is y / 2^(127 − s/2), and √n is m y / 2^(63 + s/2).
#[inline(always)]
pub const fn reciprocal_root(n: u128) -> (u64, u64, u32) {
    debug_assert!(n > 0);
    let shift = n.leading_zeros() & !1;
    let mantissa = ((n << shift) >> 64) as u64;
    (mantissa, rsqrt_mantissa(mantissa), shift)
}

/// ⌊a b / 2^64⌋.
#[inline(always)]
pub const fn mul_high(a: u64, b: u64) -> u64 {
    (product_unsigned(a, b) >> 64) as u64
}

/// ⌊a b / 2^64⌋ with signs.
#[inline(always)]
pub(crate) const fn mul_high_signed(a: i64, b: i64) -> i64 {
    (product(a, b) >> 64) as i64
}

/// (⌊√n⌋, n − ⌊√n⌋²).
#[inline]
pub const fn sqrt_rem_u128(n: u128) -> (u64, u128) {
    if n == 0 {
        return (0, 0);
    }
    let shift = n.leading_zeros() & !1;
    let scaled = n << shift;
    let (s, y) = sqrt_mantissa((scaled >> 64) as u64);
    // One more correction by the residual, r y / 2^96, brings 56 bits to 64.
    let residual = scaled.wrapping_sub(product_unsigned(s, s)) as i128;
    let correction = ((residual >> 44) as i64 * y as i64) >> 52;
    let mut root = s.saturating_add_signed(correction) >> (shift / 2);
    let mut square = product_unsigned(root, root);
    // Off by one at most, on either side.
    if square > n {
        root -= 1;
        square = product_unsigned(root, root);
    } else if n - square > 2 * root as u128 {
        root += 1;
        square = product_unsigned(root, root);
    }
    (root, n - square)
}

/// √n to nearest, saturating at `i64::MAX`.
#[inline]
pub(crate) const fn sqrt_round_u128(n: u128) -> i64 {
    let (root, rest) = sqrt_rem_u128(n);
    let nearest = root as u128 + (rest > root as u128) as u128;
    if nearest > i64::MAX as u128 { i64::MAX } else { nearest as i64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit patterns of every length with runs of ones and zeros, where carries and estimates fail first.
    fn patterns() -> impl Iterator<Item = u64> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        (0..64_u32).flat_map(move |length| {
            let top = u64::MAX >> (63 - length);
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let random = (state ^ (state >> 29)) & top;
            [top, 1 << length, (1 << length) + 1, random, random | 1, top ^ (top >> 3), top - 1]
        })
    }

    #[test]
    fn wide_division_agrees_with_128_bit_division() {
        for d in patterns().filter(|&d| d != 0) {
            for hi in patterns() {
                let hi = hi % d;
                for lo in [0, 1, u64::MAX, hi ^ 0x5555_5555_5555_5555] {
                    let n = (u128::from(hi) << 64) | u128::from(lo);
                    let (q, r) = div_rem_wide(hi, lo, d);
                    assert_eq!(
                        (u128::from(q), u128::from(r)),
                        (n / u128::from(d), n % u128::from(d)),
                        "{n} / {d}"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_rounded_like_wide_numbers() {
        for x in patterns().map(|x| (x >> 2) as i64) {
            for shift in 1..=62 {
                for x in [x, -x] {
                    let wide = round_shift(x.into(), shift);
                    assert_eq!(i128::from(round_shift_i64(x, shift)), wide, "{x} / 2^{shift}");
                }
            }
        }
    }

    #[test]
    fn products_by_halves_are_those_of_128_bits() {
        for a in patterns() {
            for b in patterns() {
                for (a, b) in [(a, b), (a.wrapping_neg(), b), (a.wrapping_neg(), b.wrapping_neg())] {
                    assert_eq!(product_unsigned_by_halves(a, b), u128::from(a) * u128::from(b), "{a} {b}");
                    let (a, b) = (a as i64, b as i64);
                    assert_eq!(product_by_halves(a, b), i128::from(a) * i128::from(b), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn square_roots_of_128_bits_are_floors_with_their_remainder() {
        for hi in patterns() {
            for lo in [0, 1, u64::MAX, hi.rotate_left(17)] {
                for n in
                    [(u128::from(hi) << 64) | u128::from(lo), u128::from(hi), u128::from(hi) * u128::from(hi)]
                {
                    for n in [n, n.wrapping_sub(1)] {
                        let (root, rest) = sqrt_rem_u128(n);
                        let root = u128::from(root);
                        assert_eq!(root * root + rest, n);
                        assert!(rest <= 2 * root, "{n}: {root} is not the floor");
                    }
                }
            }
        }
    }

    #[test]
    fn number_roots_are_nearest() {
        for raw in patterns().filter(|&raw| raw != 0 && raw <= i64::MAX as u64) {
            let n = u128::from(raw) << 32;
            let (floor, rest) = sqrt_rem_u128(n);
            assert_eq!(sqrt_q32(raw), floor + u64::from(rest > u128::from(floor)), "√{raw}");
            let r = u128::from(rsqrt_q32(raw));
            let below = 2 * r - 1;
            let above = 2 * r + 1;
            assert!(below * below * u128::from(raw) < 1 << 98, "1/√{raw} too large");
            assert!(above * above * u128::from(raw) > 1 << 98, "1/√{raw} too small");
        }
    }

    #[test]
    fn rounding_shifts_are_symmetric_under_negation() {
        for p in patterns() {
            for shift in [1, 2, 31, 32, 63, 90] {
                let p = i128::from(p) << 20;
                assert_eq!(round_shift(-p, shift), -round_shift(p, shift));
            }
        }
        assert_eq!(round_shift(3, 1), 2);
        assert_eq!(round_shift(-3, 1), -2);
        assert_eq!(narrow_q64(i128::MAX), i64::MAX);
        assert_eq!(narrow_q64(i128::MIN), i64::MIN);
    }
}
