//! Arc functions: all are the angle of a point in the plane.
//!
//! For 0 ≤ n ≤ d take the table angle atan(j/64) nearest to atan(n/d); the rest is one division,
//!
//! atan(n/d) = atan(j/64) + atan z,  z = (64 n − j d) / (64 d + j n),  |z| ≤ 2⁻⁷,
//!
//! whose numerator is exact, and a series whose leading term is z itself: within 2⁻⁶⁸ of the exact angle,
//! in Q80.

use super::tables::{ATAN, PI_Q80};
use crate::Fx;
use crate::exact::{div_rem_wide, mul_high, sqrt_rem_u128};

/// atan(n / d) in Q80 for 0 ≤ n ≤ d, d > 0.
#[inline(always)]
const fn atan_octant(n: u64, d: u64) -> u128 {
    // The common scale at which 2^62 ≤ d < 2^63.
    let zeros = d.leading_zeros();
    let (n, d) = if zeros == 0 { (n >> 1, d >> 1) } else { (n << (zeros - 1), d << (zeros - 1)) };
    // Nearest table entry: 64 n / d from the leading bits.
    let j = ((n >> 25) + (d >> 32)) / (d >> 31);
    let denominator = ((d as u128 * 64 + n as u128 * j as u128) >> 7) as u64;
    let numerator = n as i128 * 64 - d as i128 * j as i128;
    let negative = numerator < 0;
    let numerator = numerator.unsigned_abs() as u64;
    // z in Q70: (numerator / 2^7 denominator) 2^70.
    let (z, _) = div_rem_wide(numerator >> 1, numerator << 63, denominator);
    // z³ (1/3 − z² (1/5 − z² (1/7 − z²/9))) in Q82, z² in Q76.
    let square = mul_high(z, z);
    let tail = 0x2492_4924_9249_2492 - (mul_high(square, 0x1C71_C71C_71C7_1C72) >> 12);
    let tail = 0x3333_3333_3333_3333 - (mul_high(square, tail) >> 12);
    let tail = 0x5555_5555_5555_5555 - (mul_high(square, tail) >> 12);
    let cubic = mul_high(mul_high(square, tail), z);
    let rest = ((z as u128) << 10) - (cubic >> 2) as u128;
    if negative { ATAN[j as usize] - rest } else { ATAN[j as usize] + rest }
}

/// The angle of the point (x, y), both magnitudes given without signs, in [0, π], Q80; 0 for the origin.
#[inline(always)]
const fn angle(y: u64, x: u64, x_negative: bool) -> u128 {
    let acute = if y <= x {
        if x == 0 {
            return 0;
        }
        atan_octant(y, x)
    } else {
        PI_Q80 / 2 - atan_octant(x, y)
    };
    if x_negative { PI_Q80 - acute } else { acute }
}

/// The angle in [−π, π] of a point given by magnitudes of any common scale, as [`Fx::atan2`].
#[inline(always)]
pub(crate) const fn atan2_scaled(y: u64, y_negative: bool, x: u64, x_negative: bool) -> Fx {
    let rounded = ((angle(y, x, x_negative) + (1 << 47)) >> 48) as i64;
    Fx(if y_negative { -rounded } else { rounded })
}

/// √(1 − x²) as Q1.63 for the raw bits of |x| ≤ 1.
#[inline(always)]
pub(crate) const fn cosine_of(x: u64) -> u64 {
    // (1 − x)(1 + x) is exact in Q64 and at most 2^64.
    let square = ((1 << 32) - x) as u128 * ((1 << 32) + x) as u128;
    sqrt_rem_u128(square << 62).0
}

impl Fx {
    /// The angle of the point (x, y) from the positive x axis, in [−π, π]: y is `self`.
    ///
    /// Within 0.5 ulp + 2⁻³⁴ ulp for all arguments, odd in y to the bit. The origin gives 0; on the negative
    /// x axis the angle is +π, there being no negative zero.
    ///
    /// ```
    /// use isostep_math::{Fx, fx};
    /// assert_eq!(fx!(1).atan2(fx!(-1)).to_degrees().round(), fx!(135));
    /// assert_eq!(Fx::EPSILON.atan2(-Fx::EPSILON), fx!(2.35619449019234492885));
    /// ```
    #[inline]
    #[must_use]
    pub const fn atan2(self, x: Self) -> Self {
        atan2_scaled(self.0.unsigned_abs(), self.0 < 0, x.0.unsigned_abs(), x.0 < 0)
    }

    /// atan self, in (−π/2, π/2); within 0.5 ulp + 2⁻³⁴ ulp, odd to the bit.
    #[inline]
    #[must_use]
    pub const fn atan(self) -> Self {
        self.atan2(Self::ONE)
    }

    /// asin self, in [−π/2, π/2]; within 0.5 ulp + 2⁻²⁹ ulp, odd to the bit.
    ///
    /// Beyond [−1, 1] the value of the nearer end, ±π/2.
    #[inline]
    #[must_use]
    pub const fn asin(self) -> Self {
        let x = unit_magnitude(self);
        atan2_scaled(x << 31, self.0 < 0, cosine_of(x), false)
    }

    /// asin self, or `None` beyond [−1, 1].
    #[inline]
    #[must_use]
    pub const fn checked_asin(self) -> Option<Self> {
        if self.0.unsigned_abs() > 1 << 32 { None } else { Some(self.asin()) }
    }

    /// acos self, in [0, π]; within 0.5 ulp + 2⁻²⁹ ulp.
    ///
    /// Beyond [−1, 1] the value of the nearer end, 0 or π.
    #[inline]
    #[must_use]
    pub const fn acos(self) -> Self {
        let x = unit_magnitude(self);
        atan2_scaled(cosine_of(x), false, x << 31, self.0 < 0)
    }

    /// acos self, or `None` beyond [−1, 1].
    #[inline]
    #[must_use]
    pub const fn checked_acos(self) -> Option<Self> {
        if self.0.unsigned_abs() > 1 << 32 { None } else { Some(self.acos()) }
    }
}

/// The raw bits of |x|, at most those of 1.
#[inline(always)]
const fn unit_magnitude(x: Fx) -> u64 {
    let magnitude = x.0.unsigned_abs();
    if magnitude > 1 << 32 { 1 << 32 } else { magnitude }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn the_axes_and_diagonals() {
        let one = Fx::ONE;
        for (y, x, angle) in [
            (Fx::ZERO, Fx::ZERO, Fx::ZERO),
            (Fx::ZERO, one, Fx::ZERO),
            (one, one, Fx::FRAC_PI_4),
            (one, Fx::ZERO, Fx::FRAC_PI_2),
            (Fx::ZERO, -one, Fx::PI),
            (-one, Fx::ZERO, -Fx::FRAC_PI_2),
            (-one, -one, fx!(-2.35619449019234492885)),
            (Fx::MIN, Fx::MIN, fx!(-2.35619449019234492885)),
            (Fx::MAX, Fx::EPSILON, Fx::FRAC_PI_2),
            (Fx::EPSILON, Fx::MIN, Fx::PI),
        ] {
            assert_eq!(y.atan2(x), angle, "atan2({y}, {x})");
        }
    }

    #[test]
    fn arc_functions_at_the_ends_of_their_domain_and_beyond() {
        assert_eq!([Fx::ONE.asin(), Fx::NEG_ONE.asin()], [Fx::FRAC_PI_2, -Fx::FRAC_PI_2]);
        assert_eq!([Fx::ONE.acos(), Fx::NEG_ONE.acos(), Fx::ZERO.acos()], [Fx::ZERO, Fx::PI, Fx::FRAC_PI_2]);
        assert_eq!([Fx::MAX.asin(), Fx::MIN.acos()], [Fx::FRAC_PI_2, Fx::PI]);
        assert_eq!((Fx::ONE + Fx::EPSILON).checked_asin(), None);
        assert_eq!(Fx::MIN.checked_acos(), None);
        assert_eq!(Fx::HALF.checked_acos(), Some(Fx::FRAC_PI_3));
        assert_eq!(Fx::HALF.asin(), Fx::FRAC_PI_6);
        assert_eq!(Fx::MAX.atan(), Fx::FRAC_PI_2 - Fx::EPSILON * Fx::TWO);
    }
}
