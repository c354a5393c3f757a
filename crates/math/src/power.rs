//! Whole powers in 128-bit mantissas.

use crate::exact::div_rem_wide;

/// `mantissa · 2^exponent`, the top bit of the mantissa set.
#[derive(Clone, Copy)]
struct Scaled {
    mantissa: u128,
    exponent: i64,
}

impl Scaled {
    const ONE: Self = Self { mantissa: 1 << 127, exponent: -127 };

    /// The product, cut to 128 bits: a relative error below 2⁻¹²⁶.
    const fn mul(self, rhs: Self) -> Self {
        let high = mul_high_u128(self.mantissa, rhs.mantissa);
        let shift = high.leading_zeros();
        Self { mantissa: high << shift, exponent: self.exponent + rhs.exponent + 128 - shift as i64 }
    }

    /// The reciprocal, a relative error below 2⁻¹¹⁷; exact for powers of two.
    const fn recip(self) -> Self {
        if self.mantissa == 1 << 127 {
            return Self { mantissa: 1 << 127, exponent: -self.exponent - 254 };
        }
        // With the mantissa as m in Q1.127: 1/m in Q0.128 from its leading half, then a Newton step,
        // r + r (1 − m r).
        let leading = (self.mantissa >> 64) as u64;
        let seed = if leading == 1 << 63 { u64::MAX } else { div_rem_wide(1 << 63, 0, leading).0 };
        let r = (seed as u128) << 64;
        let deviation = (1_i128 << 127).wrapping_sub(mul_high_u128(self.mantissa, r) as i128);
        let r = r.wrapping_add_signed((seed as i128 * (deviation >> 8)) >> 55);
        let shift = r.leading_zeros();
        Self { mantissa: r << shift, exponent: -self.exponent - 255 - shift as i64 }
    }

    /// The nearest whole number, ties up; `u64::MAX` where it needs more than 64 bits.
    const fn round(self) -> u64 {
        if self.exponent > -64 {
            return u64::MAX;
        }
        let drop = -self.exponent;
        if drop > 128 {
            return 0;
        }
        let half = (self.mantissa >> (drop - 1)) & 1;
        let floor = if drop == 128 { 0 } else { self.mantissa >> drop };
        let nearest = floor + half;
        if nearest > u64::MAX as u128 { u64::MAX } else { nearest as u64 }
    }
}

/// ⌊a b / 2^128⌋.
const fn mul_high_u128(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a1, a0) = (a >> 64, a & LOW);
    let (b1, b0) = (b >> 64, b & LOW);
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let cross = a0 * b1 + (middle & LOW);
    a1 * b1 + (middle >> 64) + (cross >> 64)
}

/// The raw bits of |x|^n for the raw bits of |x|, to nearest, saturating at `u64::MAX`. 0^0 is 1.
pub(crate) const fn powi_magnitude(raw: u64, n: i32) -> u64 {
    if n == 0 {
        return 1 << 32;
    }
    if raw == 0 {
        return if n < 0 { u64::MAX } else { 0 };
    }
    let shift = raw.leading_zeros() + 64;
    let base = Scaled { mantissa: (raw as u128) << shift, exponent: -32 - shift as i64 };
    let power = pow(base, n.unsigned_abs());
    let power = if n < 0 { power.recip() } else { power };
    Scaled { mantissa: power.mantissa, exponent: power.exponent + 32 }.round()
}

/// Binary powers from the leading bit down.
const fn pow(base: Scaled, n: u32) -> Scaled {
    let mut power = Scaled::ONE;
    let mut bit = 32 - n.leading_zeros();
    while bit > 0 {
        bit -= 1;
        power = power.mul(power);
        if (n >> bit) & 1 != 0 {
            power = power.mul(base);
        }
    }
    power
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn whole_powers_are_nearest() {
        assert_eq!(fx!(1.5).powi(2), fx!(2.25));
        assert_eq!(fx!(-3).powi(3), fx!(-27));
        assert_eq!(fx!(2).powi(-3), fx!(0.125));
        assert_eq!(fx!(10).powi(-2), fx!(0.01));
        assert_eq!(fx!(3).powi(19), fx!(1162261467));
        assert_eq!(fx!(0.1).powi(9).to_bits(), 4);
        assert_eq!(fx!(-1.2345).powi(7), -fx!(1.2345).powi(7));
        for bits in [1_i64, 3, 0x1234_5678, 0x1_2345_6789, 0x7FFF_FFFF_FFFF] {
            let x = Fx::from_bits(bits);
            assert_eq!(x.powi(1), x);
            assert_eq!(x.powi(2), x * x);
            assert_eq!(x.powi(-1), x.recip());
        }
    }

    #[test]
    fn powers_outside_the_range_saturate_by_sign() {
        assert_eq!(fx!(10).powi(10), Fx::MAX);
        assert_eq!(fx!(-10).powi(11), Fx::MIN);
        assert_eq!(fx!(-2).powi(31), Fx::MIN);
        assert_eq!(fx!(2).powi(i32::MIN), Fx::ZERO);
        assert_eq!(fx!(2).powi(i32::MAX), Fx::MAX);
        assert_eq!(Fx::MAX.powi(i32::MAX), Fx::MAX);
        assert_eq!(Fx::EPSILON.powi(i32::MIN), Fx::MAX);
        assert_eq!(Fx::ZERO.powi(-1), Fx::MAX);
        assert_eq!([Fx::ZERO.powi(0), Fx::ZERO.powi(5)], [Fx::ONE, Fx::ZERO]);
    }
}
