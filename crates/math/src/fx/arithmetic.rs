//! Operators and their checked, wrapping and saturating forms.

use super::Fx;
use crate::exact::{div_rem_wide, narrow_q64, product, round_shift, saturate};
use core::iter::{Product, Sum};
use core::ops::{
    Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub,
    SubAssign,
};

impl Fx {
    /// `self + rhs`, exact; an end of the range where that lies beyond it. The operator `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }

    /// `self + rhs`, exact, or `None` where that lies beyond the range.
    #[inline]
    #[must_use]
    pub const fn checked_add(self, rhs: Self) -> Option<Self> {
        match self.0.checked_add(rhs.0) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// `self + rhs` modulo 2³².
    #[inline]
    #[must_use]
    pub const fn wrapping_add(self, rhs: Self) -> Self {
        Self(self.0.wrapping_add(rhs.0))
    }

    /// `self − rhs`, exact; an end of the range where that lies beyond it. The operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, rhs: Self) -> Self {
        Self(self.0.saturating_sub(rhs.0))
    }

    /// `self − rhs`, exact, or `None` where that lies beyond the range.
    #[inline]
    #[must_use]
    pub const fn checked_sub(self, rhs: Self) -> Option<Self> {
        match self.0.checked_sub(rhs.0) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// `self − rhs` modulo 2³².
    #[inline]
    #[must_use]
    pub const fn wrapping_sub(self, rhs: Self) -> Self {
        Self(self.0.wrapping_sub(rhs.0))
    }

    /// `−self`, exact; `MAX` for `MIN`. The unary operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_neg(self) -> Self {
        Self(self.0.saturating_neg())
    }

    /// `−self`, or `None` for `MIN`.
    #[inline]
    #[must_use]
    pub const fn checked_neg(self) -> Option<Self> {
        match self.0.checked_neg() {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// `−self` modulo 2³²: `MIN` for `MIN`.
    #[inline]
    #[must_use]
    pub const fn wrapping_neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }

    /// `self · rhs` to nearest, ties away from zero, saturating. The operator `*`.
    #[inline]
    #[must_use]
    pub const fn saturating_mul(self, rhs: Self) -> Self {
        Self(narrow_q64(product(self.0, rhs.0)))
    }

    /// `self · rhs` to nearest, ties away from zero, or `None` where that lies beyond the range.
    #[inline]
    #[must_use]
    pub const fn checked_mul(self, rhs: Self) -> Option<Self> {
        let rounded = round_shift(product(self.0, rhs.0), 32);
        if rounded as i64 as i128 == rounded { Some(Self(rounded as i64)) } else { None }
    }

    /// `self · rhs` to nearest, ties away from zero, modulo 2³².
    #[inline]
    #[must_use]
    pub const fn wrapping_mul(self, rhs: Self) -> Self {
        Self(round_shift(product(self.0, rhs.0), 32) as i64)
    }

    /// `self · a + b` with one rounding to nearest, ties away from zero, saturating.
    #[inline]
    #[must_use]
    pub const fn mul_add(self, a: Self, b: Self) -> Self {
        // |product| ≤ 2^126 and |b| ≤ 2^95 in Q.64: the sum is exact.
        Self(narrow_q64(product(self.0, a.0) + ((b.0 as i128) << 32)))
    }

    /// `self / rhs` to nearest, ties away from zero, saturating. The operator `/`.
    ///
    /// A zero divisor saturates by the sign of the dividend, and 0/0 is 0.
    #[inline]
    #[must_use]
    pub const fn saturating_div(self, rhs: Self) -> Self {
        let negative = (self.0 < 0) != (rhs.0 < 0);
        match div_magnitudes(self.0.unsigned_abs(), rhs.0.unsigned_abs()) {
            Some(q) if negative => Self(if q >= 1 << 63 { i64::MIN } else { -(q as i64) }),
            Some(q) => Self(if q >= 1 << 63 { i64::MAX } else { q as i64 }),
            None if self.0 == 0 => Self::ZERO,
            None if negative => Self::MIN,
            None => Self::MAX,
        }
    }

    /// `self / rhs` to nearest, ties away from zero, or `None` for a zero divisor or beyond the range.
    #[inline]
    #[must_use]
    pub const fn checked_div(self, rhs: Self) -> Option<Self> {
        let negative = (self.0 < 0) != (rhs.0 < 0);
        match div_magnitudes(self.0.unsigned_abs(), rhs.0.unsigned_abs()) {
            Some(q) if negative && q <= 1 << 63 => Some(Self((q as i64).wrapping_neg())),
            Some(q) if !negative && q < 1 << 63 => Some(Self(q as i64)),
            _ => None,
        }
    }

    /// `self / rhs` to nearest, ties away from zero, modulo 2³²; 0 for a zero divisor.
    #[must_use]
    pub const fn wrapping_div(self, rhs: Self) -> Self {
        let divisor = rhs.0.unsigned_abs();
        if divisor == 0 {
            return Self::ZERO;
        }
        let dividend = self.0.unsigned_abs();
        // Long division digit by digit: the leading one only holds bits that wrap away.
        let (_, rest) = div_rem_wide(0, dividend >> 32, divisor);
        let (q, rest) = div_rem_wide(rest, dividend << 32, divisor);
        let q = if rest >= divisor - rest { q.wrapping_add(1) } else { q };
        Self(if (self.0 < 0) != (rhs.0 < 0) { (q as i64).wrapping_neg() } else { q as i64 })
    }

    /// The remainder of the division truncated toward zero, exact; it has the sign of `self`. The operator
    /// `%`. For a zero divisor, 0.
    #[inline]
    #[must_use]
    pub const fn saturating_rem(self, rhs: Self) -> Self {
        if rhs.0 == 0 { Self::ZERO } else { Self(self.0.wrapping_rem(rhs.0)) }
    }

    /// The remainder of the division truncated toward zero, exact, or `None` for a zero divisor.
    #[inline]
    #[must_use]
    pub const fn checked_rem(self, rhs: Self) -> Option<Self> {
        if rhs.0 == 0 { None } else { Some(Self(self.0.wrapping_rem(rhs.0))) }
    }

    /// The remainder in [0, |rhs|), exact: `self` minus a whole multiple of `rhs`. For a zero divisor, 0.
    #[inline]
    #[must_use]
    pub const fn rem_euclid(self, rhs: Self) -> Self {
        if rhs.0 == 0 { Self::ZERO } else { Self(self.0.wrapping_rem_euclid(rhs.0)) }
    }

    /// |self|, exact; `MAX` for `MIN`.
    #[inline]
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// −1, 0 or 1.
    #[inline]
    #[must_use]
    pub const fn signum(self) -> Self {
        Self(self.0.signum() << 32)
    }

    /// |self| with the sign of `sign`; a zero `sign` counts as positive.
    #[inline]
    #[must_use]
    pub const fn copysign(self, sign: Self) -> Self {
        if (self.0 < 0) == (sign.0 < 0) { self } else { self.saturating_neg() }
    }

    /// Whether the number is below zero.
    #[inline]
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Whether the number is zero.
    #[inline]
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The lesser of the two.
    #[inline]
    #[must_use]
    pub const fn min(self, rhs: Self) -> Self {
        if rhs.0 < self.0 { rhs } else { self }
    }

    /// The greater of the two.
    #[inline]
    #[must_use]
    pub const fn max(self, rhs: Self) -> Self {
        if rhs.0 > self.0 { rhs } else { self }
    }

    /// `self` restricted to `min ..= max`; where `min > max`, `max` wins.
    #[inline]
    #[must_use]
    pub const fn clamp(self, min: Self, max: Self) -> Self {
        self.max(min).min(max)
    }

    /// `self + (end − self) t`, the sum exact before one rounding to nearest, saturating.
    ///
    /// `t` is not restricted to [0, 1]; at 0 and 1 the result is `self` and `end` to the bit.
    #[inline]
    #[must_use]
    pub const fn lerp(self, end: Self, t: Self) -> Self {
        // |end − self| < 2^64 and |t| ≤ 2^63: the product fits 127 bits. The sum may not, but where it
        // does not the result saturates anyway.
        let span = end.0 as i128 - self.0 as i128;
        let scaled = span.wrapping_mul(t.0 as i128);
        Self(narrow_q64(scaled.saturating_add((self.0 as i128) << 32)))
    }

    /// The number halfway, exact, then to nearest, ties away from zero.
    #[inline]
    #[must_use]
    pub const fn midpoint(self, rhs: Self) -> Self {
        Self(round_shift(self.0 as i128 + rhs.0 as i128, 1) as i64)
    }

    /// `self^n` to nearest, saturating; `x^0` is 1, and a negative power of 0 is `MAX`.
    ///
    /// Worked in 128-bit mantissas: the error before the rounding is below |n| · 2⁻¹²⁴ of the value, and where n is below zero
    /// 2⁻¹¹⁶ more.
    #[must_use]
    pub const fn powi(self, n: i32) -> Self {
        let magnitude = crate::power::powi_magnitude(self.0.unsigned_abs(), n);
        if self.0 < 0 && n & 1 != 0 {
            Self(if magnitude >= 1 << 63 { i64::MIN } else { -(magnitude as i64) })
        } else {
            Self(if magnitude >= 1 << 63 { i64::MAX } else { magnitude as i64 })
        }
    }

    /// 1/self to nearest, ties away from zero, saturating; `MAX` for 0.
    #[inline]
    #[must_use]
    pub const fn recip(self) -> Self {
        Self::ONE.saturating_div(self)
    }

    /// self², to nearest, saturating.
    #[inline]
    #[must_use]
    pub const fn squared(self) -> Self {
        self.saturating_mul(self)
    }

    /// Whether |self − rhs| ≤ `max_abs_diff`.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(self, rhs: Self, max_abs_diff: Self) -> bool {
        max_abs_diff.0 >= 0 && self.0.abs_diff(rhs.0) <= max_abs_diff.0 as u64
    }

    /// Degrees from radians, to nearest within 0.51 units of 2⁻³² up to ±2²⁴ radians, saturating.
    #[inline]
    #[must_use]
    pub const fn to_degrees(self) -> Self {
        // 180/π as Q6.57.
        Self(saturate(round_shift(self.0 as i128 * 0x7297_7069_8F07_DEE2_i128, 57)))
    }

    /// Radians from degrees, to nearest within 0.51 units of 2⁻³² up to ±2²⁴ degrees.
    #[inline]
    #[must_use]
    pub const fn to_radians(self) -> Self {
        // π/180 as Q0.68.
        Self(saturate(round_shift(self.0 as i128 * 0x477D_1A89_4A74_E457_i128, 68)))
    }
}

/// ⌊a 2^32 / b⌉ for magnitudes, or `None` where it needs more than 64 bits or `b` is zero.
#[inline]
const fn div_magnitudes(a: u64, b: u64) -> Option<u64> {
    if a >> 32 >= b {
        return None;
    }
    let (q, rest) = div_rem_wide(a >> 32, a << 32, b);
    // 2 rest ≥ b without the overflow of 2 rest.
    if rest >= b - rest { q.checked_add(1) } else { Some(q) }
}

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $form:ident;)*) => {$(
        impl $operator for Fx {
            type Output = Self;
            #[inline]
            fn $method(self, rhs: Self) -> Self {
                self.$form(rhs)
            }
        }
        impl $operator<&Self> for Fx {
            type Output = Self;
            #[inline]
            fn $method(self, rhs: &Self) -> Self {
                self.$form(*rhs)
            }
        }
        impl $assign for Fx {
            #[inline]
            fn $assign_method(&mut self, rhs: Self) {
                *self = self.$form(rhs);
            }
        }
    )*};
}
operators! {
    Add add AddAssign add_assign saturating_add;
    Sub sub SubAssign sub_assign saturating_sub;
    Mul mul MulAssign mul_assign saturating_mul;
    Div div DivAssign div_assign saturating_div;
    Rem rem RemAssign rem_assign saturating_rem;
}

impl Neg for Fx {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.saturating_neg()
    }
}

impl Shl<u32> for Fx {
    type Output = Self;
    /// `self · 2^shift`, saturating.
    #[inline]
    fn shl(self, shift: u32) -> Self {
        // By 63 every number but zero has left the range.
        let shift = if shift > 63 { 63 } else { shift };
        Self(saturate(i128::from(self.0) << shift))
    }
}

impl Shr<u32> for Fx {
    type Output = Self;
    /// `self / 2^shift` to nearest, ties away from zero.
    #[inline]
    fn shr(self, shift: u32) -> Self {
        match shift {
            0 => self,
            1..=64 => Self(round_shift(i128::from(self.0), shift) as i64),
            _ => Self::ZERO,
        }
    }
}

impl ShlAssign<u32> for Fx {
    #[inline]
    fn shl_assign(&mut self, shift: u32) {
        *self = *self << shift;
    }
}

impl ShrAssign<u32> for Fx {
    #[inline]
    fn shr_assign(&mut self, shift: u32) {
        *self = *self >> shift;
    }
}

impl Sum for Fx {
    /// The exact sum, saturated once at the end: independent of the order.
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        // 2^64 terms would be needed to leave 128 bits.
        Self(saturate(iter.fold(0_i128, |sum, x| sum.wrapping_add(i128::from(x.0)))))
    }
}

impl<'a> Sum<&'a Self> for Fx {
    /// The exact sum, saturated once at the end: independent of the order.
    fn sum<I: Iterator<Item = &'a Self>>(iter: I) -> Self {
        iter.copied().sum()
    }
}

impl Product for Fx {
    /// The product from left to right, each step rounded to nearest and saturating.
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ONE, Self::saturating_mul)
    }
}
