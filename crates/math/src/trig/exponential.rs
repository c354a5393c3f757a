//! Exponentials, logarithms and powers.
//!
//! **2^x**: with x = k + j/64 + g, the result is 2^k times the table's 2^(j/64) times e^t, t = g ln 2 < 0.0109,
//! by its series to t⁷/7!: a 63-bit mantissa with a relative error below 2⁻⁶².
//!
//! **log₂ x**: the leading seven bits of the mantissa m choose a short factor c ≈ 1/m, and r = m c − 1 is
//! exact and below 2⁻⁷, so
//!
//! log₂ x = k − log₂ c + r log₂e + r² T(r),
//!
//! with the linear term in 128 bits. Near 1 the first two terms vanish, so the error is relative there: below
//! 2⁻⁷² absolute everywhere and below 2⁻⁷¹ of the value near 1. That is finer than the change of the
//! logarithm between neighbouring arguments (2⁻⁶³ at the upper end), so rounded logarithms are monotone, and
//! enough for y log₂ x in a power.

use super::tables::{
    EXP2, LN_2, LN_2_TAIL, LOG_FACTOR, LOG_TABLE, LOG_TAIL, LOG2_E, LOG2_E_Q88, LOG2_E_TAIL,
};
use crate::Fx;
use crate::exact::{mul_high, round_shift};

/// 2^(k + f/2^64) as raw bits, to nearest, saturating.
#[inline(always)]
const fn exp2_kernel(k: i64, f: u64) -> i64 {
    if k >= 31 {
        return i64::MAX;
    }
    if k < -33 {
        return 0;
    }
    let lead = EXP2[(f >> 58) as usize];
    // t = g ln 2 in Q70, g the 58 bits below the table's.
    let t = mul_high(f << 6, LN_2);
    // e^t − 1 = t + t² (1/2 + t (1/6 + t (1/24 + t (1/120 + t (1/720 + t/5040))))).
    const SERIES: [u64; 6] = {
        let mut series = [0; 6];
        let mut factorial = 1_u128;
        let mut n = 0;
        while n < 6 {
            factorial *= n as u128 + 2;
            series[n] = ((1_u128 << 64) / factorial) as u64;
            n += 1;
        }
        series
    };
    let mut tail = SERIES[5];
    let mut i = 5;
    while i > 0 {
        i -= 1;
        tail = SERIES[i] + (mul_high(t, tail) >> 6);
    }
    let growth = t + (mul_high(mul_high(t, t), tail) >> 6);
    let mantissa = lead.saturating_add(mul_high(lead, growth) >> 6);
    // mantissa 2^(k − 63), in raw bits mantissa 2^(k − 31).
    let drop = (31 - k) as u32;
    let rounded = (mantissa >> (drop - 1)).div_ceil(2);
    if rounded > i64::MAX as u64 { i64::MAX } else { rounded as i64 }
}

/// log₂ of raw bits `x > 0` of a number, Q110.
#[inline(always)]
const fn log2_kernel(x: u64) -> i128 {
    let zeros = x.leading_zeros();
    let k = 31 - zeros as i128;
    // In [1, 2), Q1.62: a positive Fx has at most 63 bits.
    let mantissa = x << (zeros - 1);
    let j = ((mantissa >> 55) & 0x7F) as usize;
    // m c − 1 in Q70, modulo 2^64: it is below 2^63 in magnitude, and the 1 is a multiple of 2^64.
    let r = mantissa.wrapping_mul(LOG_FACTOR[j] as u64) as i64;
    let linear = ((r as i128 * LOG2_E as i128) >> 23) + ((r as i128 * LOG2_E_TAIL as i128) >> 87);
    let mut tail = LOG_TAIL[LOG_TAIL.len() - 1];
    let mut i = LOG_TAIL.len() - 1;
    while i > 0 {
        i -= 1;
        tail = LOG_TAIL[i] + ((r as i128 * tail as i128) >> 70) as i64;
    }
    // r² in Q140, times the tail in Q62, by words.
    let square = r as i128 * r as i128;
    let quadratic = tail as i128 * (square >> 64) + ((tail as i128 * (square as u64) as i128) >> 64);
    (k << 110) + LOG_TABLE[j] + linear + (quadratic >> 28)
}

impl Fx {
    /// e^self, saturating, to nearest; within 0.5 ulp + 2⁻¹⁰ ulp up to a result of 2²⁰, with a relative error
    /// below 2⁻⁶¹ beyond, plus the rounding.
    ///
    /// `MAX` from ln 2³¹ ≈ 21.488 on; 0 below −ln 2³³ ≈ −22.874.
    #[must_use]
    pub const fn exp(self) -> Self {
        // Far outside the range of the result, and the product below fits 126 bits.
        if self.0 >= 22 << 32 {
            return Self::MAX;
        }
        if self.0 <= -(23 << 32) {
            return Self::ZERO;
        }
        let exponent = self.0 as i128 * LOG2_E_Q88;
        Self(exp2_kernel((exponent >> 120) as i64, (exponent >> 56) as u64))
    }

    /// 2^self, saturating, to nearest; error as [`exp`](Self::exp). Exact for whole `self` from −32 on.
    #[inline]
    #[must_use]
    pub const fn exp2(self) -> Self {
        Self(exp2_kernel(self.0 >> 32, (self.0 as u64) << 32))
    }

    /// ln self; within 0.5 ulp + 2⁻³⁶ ulp. `MIN` for zero and below: the limit at 0.
    #[must_use]
    pub const fn ln(self) -> Self {
        if self.0 <= 0 {
            return Self::MIN;
        }
        // log₂ · ln 2 by words: Q46 · Q64 exactly, and the two products below it.
        let log2 = log2_kernel(self.0 as u64);
        let high = log2 >> 64;
        let below = ((high * LN_2_TAIL as i128) >> 64) + mul_high(log2 as u64, LN_2) as i128;
        let ln = high * LN_2 as i128 + below;
        Self(round_shift(ln, 78) as i64)
    }

    /// ln self, or `None` for zero and below.
    #[inline]
    #[must_use]
    pub const fn checked_ln(self) -> Option<Self> {
        if self.0 <= 0 { None } else { Some(self.ln()) }
    }

    /// log₂ self; within 0.5 ulp + 2⁻³⁶ ulp, exact for powers of two. `MIN` for zero and below.
    #[inline]
    #[must_use]
    pub const fn log2(self) -> Self {
        if self.0 <= 0 { Self::MIN } else { Self(round_shift(log2_kernel(self.0 as u64), 78) as i64) }
    }

    /// log₂ self, or `None` for zero and below.
    #[inline]
    #[must_use]
    pub const fn checked_log2(self) -> Option<Self> {
        if self.0 <= 0 { None } else { Some(self.log2()) }
    }

    /// self^y, saturating, to nearest; within 0.51 ulp up to a result of 2²⁰, with a relative error below
    /// 2⁻⁵⁶ beyond, plus the rounding.
    ///
    /// A whole `y` gives [`powi`](Self::powi) to the bit, for any base. Otherwise 0^y is 0 for y > 0 and `MAX`
    /// for y < 0, and a negative base, whose power is not real, gives 0.
    #[must_use]
    pub const fn pow(self, y: Self) -> Self {
        if y.0 & 0xFFFF_FFFF == 0 {
            return self.powi((y.0 >> 32) as i32);
        }
        if self.0 < 0 {
            return Self::ZERO;
        }
        if self.0 == 0 {
            return if y.0 < 0 { Self::MAX } else { Self::ZERO };
        }
        // y log₂ x in Q78 by words: below 2^36 in magnitude.
        let log2 = log2_kernel(self.0 as u64);
        let exponent = y.0 as i128 * (log2 >> 64) + ((y.0 as i128 * (log2 as u64) as i128) >> 64);
        Self(exp2_kernel((exponent >> 78) as i64, (exponent >> 14) as u64))
    }

    /// self^y, or `None` where it is not real (a negative base and a fractional `y`) or 0 to a negative power.
    #[must_use]
    pub const fn checked_pow(self, y: Self) -> Option<Self> {
        if (self.0 < 0 && y.0 & 0xFFFF_FFFF != 0) || (self.0 == 0 && y.0 < 0) {
            None
        } else {
            Some(self.pow(y))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn exponentials_at_known_points() {
        assert_eq!(
            [Fx::ZERO.exp(), Fx::ONE.exp(), fx!(-1).exp()],
            [Fx::ONE, Fx::E, fx!(0.36787944117144232160)]
        );
        assert_eq!([fx!(10).exp2(), fx!(-32).exp2(), Fx::HALF.exp2()], [fx!(1024), Fx::EPSILON, Fx::SQRT_2]);
        assert_eq!([fx!(-33).exp2(), fx!(-33.5).exp2(), fx!(31).exp2()], [Fx::EPSILON, Fx::ZERO, Fx::MAX]);
        assert_eq!([fx!(21.4876).exp(), Fx::MAX.exp(), Fx::MIN.exp()], [Fx::MAX, Fx::MAX, Fx::ZERO]);
    }

    #[test]
    fn logarithms_at_known_points() {
        assert_eq!([Fx::ONE.ln(), Fx::E.ln(), Fx::TWO.ln()], [Fx::ZERO, Fx::ONE, Fx::LN_2]);
        assert_eq!([Fx::EPSILON.log2(), fx!(1073741824).log2()], [fx!(-32), fx!(30)]);
        assert_eq!((Fx::ONE + Fx::EPSILON).ln(), Fx::EPSILON);
        assert_eq!((Fx::ONE - Fx::EPSILON).ln(), -Fx::EPSILON);
        assert_eq!([Fx::ZERO.ln(), fx!(-1).log2()], [Fx::MIN, Fx::MIN]);
        assert_eq!([Fx::ZERO.checked_ln(), fx!(-1).checked_log2()], [None, None]);
    }

    #[test]
    fn powers_at_known_points_and_outside_the_domain() {
        assert_eq!(fx!(2).pow(Fx::HALF), Fx::SQRT_2);
        assert_eq!(fx!(100).pow(fx!(-1.5)), fx!(0.001));
        assert_eq!(fx!(1.1).pow(fx!(2)), fx!(1.1) * fx!(1.1));
        assert_eq!(fx!(-2).pow(fx!(3)), fx!(-8));
        assert_eq!(
            [fx!(-2).pow(Fx::HALF), Fx::ZERO.pow(Fx::HALF), Fx::ZERO.pow(fx!(-0.5))],
            [Fx::ZERO, Fx::ZERO, Fx::MAX]
        );
        assert_eq!([fx!(-2).checked_pow(Fx::HALF), Fx::ZERO.checked_pow(fx!(-1))], [None, None]);
        assert_eq!([Fx::MAX.pow(fx!(1.5)), Fx::EPSILON.pow(fx!(1.5))], [Fx::MAX, Fx::ZERO]);
        assert_eq!((Fx::ONE + Fx::EPSILON).pow(Fx::MAX), fx!(1.648721270604161));
    }
}
