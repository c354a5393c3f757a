//! CORDIC: sine, cosine, angles, exponentials, logarithms and roots by shifts and additions.
//!
//! The reference method of this crate (J. E. Volder, *The CORDIC Trigonometric Computing Technique*, 1959;
//! J. S. Walther, *A unified algorithm for elementary functions*, 1971). One kernel turns a vector by the
//! angles α with tan α = 2⁻ⁱ (circular) or tanh α = 2⁻ⁱ (hyperbolic), in Q2.61:
//!
//! x' = x ∓ d y 2⁻ⁱ,  y' = y + d x 2⁻ⁱ,  z' = z − d α,
//!
//! with d = ±1 chosen to bring the angle z to zero (*rotation*) or the ordinate y (*vectoring*). After 32
//! turns the rest ρ of the angle is below 2⁻³¹, and ρ itself stands for sin ρ and tan ρ within 2⁻⁹³: one
//! product or quotient replaces the other half of the turns. The shifts lose at most 32 · 2⁻⁶¹, so the
//! results below are within 0.5 ulp + 2⁻²⁴ ulp of Q32.32 wherever their value is below 4.
//!
//! The methods of [`Fx`] are faster and differ from these only where the exact value lies within 2⁻²⁴ ulp of
//! a rounding boundary, or is large; no tested argument is such a case. A game calls the methods; call these
//! to check a port, or where shifts and additions are all there is.

use crate::Fx;
use crate::exact::{mul_high, round_shift_i64};
use crate::trig::circular::{Reduced, reduce};
use crate::trig::inverse::cosine_of;

/// Turns before the linear tail.
const TURNS: u32 = 32;
/// 1/K, K = ∏ √(1 + 2⁻²ⁱ): what the circular turns lengthen a vector by, Q2.61.
const CIRCULAR_GAIN_RECIP: i64 = 0x136E_9DB5_086B_CB4D;
/// 1/K', K' = ∏ √(1 − 2⁻²ⁱ): what the hyperbolic turns shorten it by, Q2.61.
const HYPERBOLIC_GAIN_RECIP: i64 = 0x26A3_D0E4_01DD_8465;
/// π, Q2.61.
const PI: i64 = 0x6487_ED51_10B4_611A;
/// ln 2, Q0.64.
const LN_2: u64 = 0xB172_17F7_D1CF_79AC;
/// log₂e, Q2.62.
const LOG2_E: i64 = 0x5C55_1D94_AE0B_F85E;

/// atan 2⁻ⁱ, Q2.61.
const ATAN: [i64; 32] = [
    0x1921_FB54_442D_1847,
    0xED6_3382_B0DD_A7B4,
    0x7D6_DD7E_4B20_3759,
    0x3FA_B753_5585_EDB9,
    0x1FF_55BB_72CF_DE9C,
    0xFF_EAAD_DD4B_B125,
    0x7F_FD55_6EED_CA6B,
    0x3F_FFAA_AB77_752E,
    0x1F_FFF5_555B_BBB7,
    0xF_FFFE_AAAA_DDDE,
    0x7_FFFF_D555_56EF,
    0x3_FFFF_FAAA_AAB7,
    0x1_FFFF_FF55_5556,
    0xFFFF_FFEA_AAAB,
    0x7FFF_FFFD_5555,
    0x3FFF_FFFF_AAAB,
    0x1FFF_FFFF_F555,
    0xFFF_FFFF_FEAB,
    0x7FF_FFFF_FFD5,
    0x3FF_FFFF_FFFB,
    0x1FF_FFFF_FFFF,
    0x100_0000_0000,
    0x80_0000_0000,
    0x40_0000_0000,
    0x20_0000_0000,
    0x10_0000_0000,
    0x8_0000_0000,
    0x4_0000_0000,
    0x2_0000_0000,
    0x1_0000_0000,
    0x8000_0000,
    0x4000_0000,
];

/// atanh 2⁻ⁱ for i ≥ 1, Q2.61.
const ATANH: [i64; 32] = [
    0,
    0x1193_EA7A_AD03_0A97,
    0x82C_577D_408A_28D4,
    0x405_6247_27AB_BDDA,
    0x200_AB11_5A6E_B59C,
    0x100_1558_891A_EE25,
    0x80_02AA_C445_68E5,
    0x40_0055_5622_246B,
    0x20_000A_AAB1_1116,
    0x10_0001_5555_8889,
    0x8_0000_2AAA_AC44,
    0x4_0000_0555_5562,
    0x2_0000_00AA_AAAB,
    0x1_0000_0015_5555,
    0x8000_0002_AAAB,
    0x4000_0000_5555,
    0x2000_0000_0AAB,
    0x1000_0000_0155,
    0x800_0000_002B,
    0x400_0000_0005,
    0x200_0000_0001,
    0x100_0000_0000,
    0x80_0000_0000,
    0x40_0000_0000,
    0x20_0000_0000,
    0x10_0000_0000,
    0x8_0000_0000,
    0x4_0000_0000,
    0x2_0000_0000,
    0x1_0000_0000,
    0x8000_0000,
    0x4000_0000,
];

/// `a b` for Q2.61, cut.
#[inline(always)]
const fn mul(a: i64, b: i64) -> i64 {
    ((a as i128 * b as i128) >> 61) as i64
}

/// Whether turn `i` of the hyperbolic sequence is made twice: without 4 and 13 (3 n + 1 from 4 on) the
/// later angles could not make up for an earlier one.
#[inline(always)]
const fn repeated(i: u32) -> bool {
    i == 4 || i == 13
}

/// Turns (1/K, 0) by the angle `z`, |z| ≤ 1.7: (cos z, sin z).
const fn rotate(mut z: i64) -> (i64, i64) {
    let (mut x, mut y) = (CIRCULAR_GAIN_RECIP, 0);
    let mut i = 0;
    while i < TURNS {
        // d as a mask: 0 for +1, −1 for −1.
        let d = z >> 63;
        (x, y) = (x - (((y >> i) ^ d) - d), y + (((x >> i) ^ d) - d));
        z -= (ATAN[i as usize] ^ d) - d;
        i += 1;
    }
    (x - mul(y, z), y + mul(x, z))
}

/// The angle of (x, y), 0 ≤ y ≤ x, 2^60 ≤ x < 2^61.
const fn vector(mut x: i64, mut y: i64) -> i64 {
    let mut z = 0;
    let mut i = 0;
    while i < TURNS {
        let d = !(y >> 63);
        (x, y) = (x - (((y >> i) ^ d) - d), y + (((x >> i) ^ d) - d));
        z -= (ATAN[i as usize] ^ d) - d;
        i += 1;
    }
    z + small_quotient(y, x)
}

/// y / x for |y| < 2⁻²⁹ x, within 2⁻⁶⁰.
const fn small_quotient(y: i64, x: i64) -> i64 {
    let quotient = ((y.unsigned_abs() << 30) / (x as u64 >> 31)) as i64;
    if y < 0 { -quotient } else { quotient }
}

/// e^z for |z| ≤ 1.1: on the diagonal x = y both hyperbolic coordinates are cosh z + sinh z.
const fn rotate_hyperbolic(mut z: i64) -> i64 {
    let mut x = HYPERBOLIC_GAIN_RECIP;
    let mut i = 1;
    while i < TURNS {
        let mut again = repeated(i);
        loop {
            let d = z >> 63;
            x += ((x >> i) ^ d) - d;
            z -= (ATANH[i as usize] ^ d) - d;
            if !again {
                break;
            }
            again = false;
        }
        i += 1;
    }
    x + mul(x, z)
}

/// (K' √(x² − y²), atanh(y / x)) for |y| ≤ 0.8 x.
const fn vector_hyperbolic(mut x: i64, mut y: i64) -> (i64, i64) {
    let mut z = 0;
    let mut i = 1;
    while i < TURNS {
        let mut again = repeated(i);
        loop {
            let d = !(y >> 63);
            (x, y) = (x + (((y >> i) ^ d) - d), y + (((x >> i) ^ d) - d));
            z -= (ATANH[i as usize] ^ d) - d;
            if !again {
                break;
            }
            again = false;
        }
        i += 1;
    }
    (x, z + small_quotient(y, x))
}

/// A Q2.61 value as Q32.32, to nearest, ties away from zero.
const fn narrow(value: i64) -> Fx {
    Fx(round_shift_i64(value, 29))
}

/// (sin x, cos x), x in radians; compare [`Fx::sin_cos`].
#[must_use]
pub const fn sin_cos(x: Fx) -> (Fx, Fx) {
    let Reduced { quadrant, negative, magnitude } = reduce(x.0.unsigned_abs());
    let r = (magnitude >> 65) as i64;
    let (c, s) = rotate(if negative { -r } else { r });
    let (sin, cos) = match quadrant {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    };
    (narrow(if x.0 < 0 { -sin } else { sin }), narrow(cos))
}

/// tan x, x in radians, saturating; compare [`Fx::tan`]. The error grows toward the poles as tan² x · 2⁻²⁴ ulp.
#[must_use]
pub const fn tan(x: Fx) -> Fx {
    let Reduced { quadrant, negative, magnitude } = reduce(x.0.unsigned_abs());
    let (c, s) = rotate((magnitude >> 65) as i64);
    let (numerator, denominator) = if quadrant & 1 == 0 { (s, c) } else { (c, s) };
    // Rounding may leave a tiny sine at or below zero.
    let magnitude = if denominator <= 0 { Fx::MAX } else { Fx(numerator).saturating_div(Fx(denominator)) };
    let flip = (quadrant & 1 != 0) != (negative != (x.0 < 0));
    if flip { magnitude.saturating_neg() } else { magnitude }
}

/// The angle of magnitudes (x, y) of a common scale, in [0, π/2].
const fn quadrant_angle(y: u64, x: u64) -> i64 {
    if x == 0 && y == 0 {
        return 0;
    }
    let (low, high) = if y <= x { (y, x) } else { (x, y) };
    let zeros = high.leading_zeros();
    let (low, high) = if zeros >= 3 {
        (low << (zeros - 3), high << (zeros - 3))
    } else {
        (low >> (3 - zeros), high >> (3 - zeros))
    };
    let angle = vector(high as i64, low as i64);
    if y <= x { angle } else { PI / 2 - angle }
}

/// The angle with its signs.
const fn signed_angle(y: u64, y_negative: bool, x: u64, x_negative: bool) -> Fx {
    let angle = quadrant_angle(y, x);
    let angle = if x_negative { PI - angle } else { angle };
    narrow(if y_negative { -angle } else { angle })
}

/// The angle of the point (x, y) in [−π, π]; compare [`Fx::atan2`].
#[must_use]
pub const fn atan2(y: Fx, x: Fx) -> Fx {
    signed_angle(y.0.unsigned_abs(), y.0 < 0, x.0.unsigned_abs(), x.0 < 0)
}

/// atan x; compare [`Fx::atan`].
#[must_use]
pub const fn atan(x: Fx) -> Fx {
    atan2(x, Fx::ONE)
}

/// asin x, ±π/2 beyond [−1, 1]; compare [`Fx::asin`].
#[must_use]
pub const fn asin(x: Fx) -> Fx {
    let magnitude = x.abs().min(Fx::ONE).0 as u64;
    signed_angle(magnitude << 31, x.0 < 0, cosine_of(magnitude), false)
}

/// acos x, 0 or π beyond [−1, 1]; compare [`Fx::acos`].
#[must_use]
pub const fn acos(x: Fx) -> Fx {
    let magnitude = x.abs().min(Fx::ONE).0 as u64;
    signed_angle(cosine_of(magnitude), false, magnitude << 31, x.0 < 0)
}

/// 2^(k + f/2^64), saturating.
const fn exp2_of(k: i64, f: u64) -> Fx {
    // To the nearest whole exponent, so that |r| ≤ ln 2 / 2.
    let (k, f) = if f >> 63 != 0 { (k + 1, f as i64) } else { (k, f as i64) };
    if k > 31 {
        return Fx::MAX;
    }
    if k < -33 {
        return Fx::ZERO;
    }
    let r = mul_high(f.unsigned_abs(), LN_2) >> 3;
    let mantissa = rotate_hyperbolic(if f < 0 { -(r as i64) } else { r as i64 }) as u64;
    // mantissa 2^(k − 61), in raw bits mantissa 2^(k − 29).
    if k < 29 {
        let drop = (29 - k) as u32;
        return Fx(((mantissa >> drop) + ((mantissa >> (drop - 1)) & 1)) as i64);
    }
    let raise = (k - 29) as u32;
    if mantissa.leading_zeros() <= raise { Fx::MAX } else { Fx((mantissa << raise) as i64) }
}

/// e^x, saturating; compare [`Fx::exp`]. A relative error of 2⁻⁵⁶ beside the rounding.
#[must_use]
pub const fn exp(x: Fx) -> Fx {
    if x.0 >= 22 << 32 {
        return Fx::MAX;
    }
    if x.0 <= -(23 << 32) {
        return Fx::ZERO;
    }
    // x log₂e in Q94.
    let exponent = x.0 as i128 * LOG2_E as i128;
    exp2_of((exponent >> 94) as i64, (exponent >> 30) as u64)
}

/// 2^x, saturating; compare [`Fx::exp2`]. A relative error of 2⁻⁵⁶ beside the rounding.
#[must_use]
pub const fn exp2(x: Fx) -> Fx {
    exp2_of(x.0 >> 32, (x.0 as u64) << 32)
}

/// (ln m in Q2.61, k) with x = m 2^k, m in [1/√2, √2), for raw bits `x > 0`.
const fn split_log(x: u64) -> (i64, i64) {
    let zeros = x.leading_zeros() as i64;
    let mantissa = ((x << zeros) >> 2) as i64;
    // In [1, 2) as Q2.61 now; above √2 take half of it.
    let (m, k) =
        if mantissa > 0x2D41_3CCC_FE77_9921 { (mantissa >> 1, 32 - zeros) } else { (mantissa, 31 - zeros) };
    let one = 1_i64 << 61;
    (2 * vector_hyperbolic(m + one, m - one).1, k)
}

/// ln x, `MIN` for zero and below; compare [`Fx::ln`].
#[must_use]
pub const fn ln(x: Fx) -> Fx {
    if x.0 <= 0 {
        return Fx::MIN;
    }
    let (ln, k) = split_log(x.0 as u64);
    Fx(crate::exact::round_shift(((k as i128 * LN_2 as i128) >> 3) + ln as i128, 29) as i64)
}

/// log₂ x, `MIN` for zero and below; compare [`Fx::log2`].
#[must_use]
pub const fn log2(x: Fx) -> Fx {
    if x.0 <= 0 {
        return Fx::MIN;
    }
    let (ln, k) = split_log(x.0 as u64);
    let fraction = (ln as i128 * LOG2_E as i128) >> 62;
    Fx(crate::exact::round_shift(((k as i128) << 61) + fraction, 29) as i64)
}

/// √x, 0 for a negative number; compare [`Fx::sqrt`]. A relative error of 2⁻⁵⁶ beside the rounding.
#[must_use]
pub const fn sqrt(x: Fx) -> Fx {
    if x.0 <= 0 {
        return Fx::ZERO;
    }
    // x = m 4^e with m in [1/2, 2), and √m = √((m + 1/4)² − (m − 1/4)²).
    let zeros = (x.0.leading_zeros() - 1) | 1;
    let m = (((x.0 as u64) << zeros) >> 2) as i64;
    let quarter = 1_i64 << 59;
    let root = mul(vector_hyperbolic(m + quarter, m - quarter).0, HYPERBOLIC_GAIN_RECIP);
    let e = (31 - zeros as i32) / 2;
    Fx(crate::exact::round_shift(root as i128, (29 - e) as u32) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Arguments of every magnitude and both signs.
    fn arguments(count: usize) -> impl Iterator<Item = Fx> {
        let mut state = 0xC0_4D1C_u64;
        (0..count).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = (state ^ (state >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15) as i64;
            Fx(bits >> (state >> 58))
        })
    }

    #[test]
    fn the_methods_and_cordic_give_the_same_bits() {
        for x in arguments(100_000) {
            assert_eq!(sin_cos(x), x.sin_cos(), "sin_cos({x})");
            assert_eq!(atan(x), x.atan(), "atan({x})");
            let unit = x.fract() * x.signum();
            assert_eq!(asin(unit), unit.asin(), "asin({unit})");
            assert_eq!(acos(unit), unit.acos(), "acos({unit})");
            assert_eq!(ln(x), x.ln(), "ln({x})");
            assert_eq!(log2(x), x.log2(), "log2({x})");
        }
        for (y, x) in arguments(100_000).zip(arguments(100_007).skip(7)) {
            assert_eq!(atan2(y, x), y.atan2(x), "atan2({y}, {x})");
        }
    }

    #[test]
    fn where_results_are_large_cordic_differs_by_its_relative_error() {
        for x in arguments(100_000) {
            let off = |a: Fx, b: Fx| a.0.abs_diff(b.0);
            let relative = |value: Fx, bits: u32| 1 + (value.0.unsigned_abs() >> bits);
            assert!(off(exp(x), x.exp()) <= relative(x.exp(), 54), "exp({x})");
            assert!(off(exp2(x), x.exp2()) <= relative(x.exp2(), 54), "exp2({x})");
            assert!(off(sqrt(x), x.sqrt()) <= relative(x.sqrt(), 54), "sqrt({x})");
            if x.tan().abs() < Fx::from_int(1 << 10) {
                assert!(off(tan(x), x.tan()) <= 1, "tan({x})");
            }
            // At most 1 the relative error is far below a unit.
            let small = Fx(x.0 >> 8);
            if small.0 <= 0 {
                assert_eq!(exp(small), small.exp(), "exp({small})");
                assert_eq!(exp2(small), small.exp2(), "exp2({small})");
            }
        }
    }

    #[test]
    fn the_ends_of_the_domains_have_the_values_of_the_methods() {
        for x in [Fx::MIN, Fx::NEG_ONE, -Fx::EPSILON, Fx::ZERO, Fx::EPSILON, Fx::ONE, Fx::TWO, Fx::MAX] {
            assert_eq!(sin_cos(x), x.sin_cos());
            assert_eq!([asin(x), acos(x), atan(x)], [x.asin(), x.acos(), x.atan()]);
            assert_eq!([ln(x), log2(x), sqrt(x)], [x.ln(), x.log2(), x.sqrt()]);
            assert_eq!([exp2(x), exp(x.min(Fx::ONE))], [x.exp2(), x.min(Fx::ONE).exp()]);
            for y in [Fx::MIN, Fx::NEG_ONE, Fx::ZERO, Fx::EPSILON, Fx::MAX] {
                assert_eq!(atan2(y, x), y.atan2(x), "atan2({y}, {x})");
            }
        }
    }
}
