//! The edge of a program: conversions from and to floats. **The simulation never calls them.**
//!
//! What enters a lockstep simulation through here has to be the same on every peer: convert once, where the data
//! is made (an asset, a recorded input), and send the fixed-point number, not the float. What leaves
//! through here is for drawing and sound.
//!
//! The conversions work on the bits of the floats, so they too give the same result everywhere. `foreign` has
//! the vector types of `glam` and `mint`.

#[cfg(any(feature = "glam", feature = "mint"))]
mod foreign;

use crate::Fx;

/// A NaN, which no fixed-point number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a number: a float that enters the fixed-point world has to be a number or an infinity")]
pub struct NotANumber;

impl Fx {
    /// The nearest number, ties away from zero; an end of the range beyond it and for the infinities.
    ///
    /// For the edge of a program only, as all conversions of floats.
    ///
    /// # Errors
    /// [`NotANumber`] for NaN.
    ///
    /// ```
    /// use isostep_math::{Fx, fx};
    /// assert_eq!(Fx::from_f64(-0.1), Ok(fx!(-0.1)));
    /// assert_eq!(Fx::from_f64(f64::INFINITY), Ok(Fx::MAX));
    /// assert!(Fx::from_f64(f64::NAN).is_err());
    /// ```
    pub const fn from_f64(value: f64) -> Result<Self, NotANumber> {
        const FRACTION: u64 = (1 << 52) - 1;
        let bits = value.to_bits();
        let negative = bits >> 63 != 0;
        let biased = ((bits >> 52) & 0x7FF) as i32;
        let fraction = bits & FRACTION;
        if biased == 0x7FF && fraction != 0 {
            return Err(NotANumber);
        }
        // |value| = mantissa · 2^(shift − 32); subnormals are far below half a unit.
        let mantissa = fraction | (1 << 52);
        let shift = biased - 1075 + 32;
        let magnitude = if shift > 10 {
            1 << 63
        } else if shift >= 0 {
            mantissa << shift
        } else if shift >= -53 {
            ((mantissa >> (-shift - 1)) + 1) >> 1
        } else {
            0
        };
        Ok(Self(if negative {
            (magnitude as i64).wrapping_neg()
        } else if magnitude >> 63 != 0 {
            i64::MAX
        } else {
            magnitude as i64
        }))
    }

    /// The nearest number, ties away from zero; an end of the range beyond it and for the infinities.
    ///
    /// # Errors
    /// [`NotANumber`] for NaN.
    pub const fn from_f32(value: f32) -> Result<Self, NotANumber> {
        // Every f32 is an f64.
        Self::from_f64(value as f64)
    }

    /// The nearest `f64`, ties to even: within 2⁻⁵³ of the value, exact up to ±2²¹.
    #[must_use]
    pub const fn to_f64(self) -> f64 {
        // The raw bits as a float, with an exponent that is 32 less; no non-zero one is subnormal.
        let bits = (self.0 as f64).to_bits();
        f64::from_bits(if self.0 == 0 { 0 } else { bits - (32 << 52) })
    }

    /// The nearest `f32`, ties to even: within 2⁻²⁴ of the value.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        let bits = (self.0 as f32).to_bits();
        f32::from_bits(if self.0 == 0 { 0 } else { bits - (32 << 23) })
    }
}

impl TryFrom<f64> for Fx {
    type Error = NotANumber;
    /// [`Fx::from_f64`].
    fn try_from(value: f64) -> Result<Self, NotANumber> {
        Self::from_f64(value)
    }
}

impl TryFrom<f32> for Fx {
    type Error = NotANumber;
    /// [`Fx::from_f32`].
    fn try_from(value: f32) -> Result<Self, NotANumber> {
        Self::from_f32(value)
    }
}

impl From<Fx> for f64 {
    /// [`Fx::to_f64`].
    fn from(value: Fx) -> Self {
        value.to_f64()
    }
}

impl From<Fx> for f32 {
    /// [`Fx::to_f32`].
    fn from(value: Fx) -> Self {
        value.to_f32()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fx;

    #[test]
    fn floats_round_to_the_nearest_number_with_ties_away_from_zero() {
        let unit = f64::from_bits((1023 - 32) << 52);
        let half = f64::from_bits((1023 - 33) << 52);
        let below_half = f64::from_bits(((1023 - 33) << 52) - 1);
        assert_eq!(Fx::from_f64(unit), Ok(Fx::EPSILON));
        assert_eq!(Fx::from_f64(half), Ok(Fx::EPSILON));
        assert_eq!(Fx::from_f64(-half), Ok(-Fx::EPSILON));
        assert_eq!(Fx::from_f64(below_half), Ok(Fx::ZERO));
        assert_eq!(Fx::from_f64(-below_half), Ok(Fx::ZERO));
        assert_eq!(Fx::from_f64(f64::MIN_POSITIVE), Ok(Fx::ZERO));
        assert_eq!(Fx::from_f64(f64::from_bits(1)), Ok(Fx::ZERO));
        assert_eq!(Fx::from_f64(-0.0), Ok(Fx::ZERO));
        assert_eq!(Fx::from_f64(1234.5678), Ok(fx!(1234.5678)));
        assert_eq!(Fx::from_f32(-0.75), Ok(fx!(-0.75)));
    }

    #[test]
    fn floats_beyond_the_range_saturate_and_nan_is_refused() {
        assert_eq!(Fx::from_f64(2_147_483_648.0), Ok(Fx::MAX));
        assert_eq!(Fx::from_f64(-2_147_483_648.0), Ok(Fx::MIN));
        assert_eq!(Fx::from_f64(-2_147_483_649.0), Ok(Fx::MIN));
        assert_eq!(Fx::from_f64(1e300), Ok(Fx::MAX));
        assert_eq!(Fx::from_f32(f32::NEG_INFINITY), Ok(Fx::MIN));
        assert_eq!(Fx::from_f32(f32::NAN), Err(NotANumber));
        assert_eq!(Fx::from_f64(f64::from_bits(0xFFF0_0000_0000_0001)), Err(NotANumber));
    }

    #[test]
    fn numbers_up_to_two_million_come_back_from_f64() {
        let mut state = 5_u64;
        for shift in 0..64_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = Fx::from_bits(state as i64 >> shift);
            let back = Fx::from_f64(x.to_f64()).unwrap();
            if x.to_bits().unsigned_abs() < 1 << 53 {
                assert_eq!(back, x);
            } else {
                assert!(back.to_bits().abs_diff(x.to_bits()) <= 1 << 9);
            }
            let single = Fx::from_f32(x.to_f32()).unwrap();
            assert!(single.to_bits().abs_diff(x.to_bits()) <= x.to_bits().unsigned_abs() >> 24);
        }
        assert_eq!(Fx::MAX.to_f64().to_bits(), 2_147_483_648.0_f64.to_bits());
        assert_eq!(Fx::ZERO.to_f64().to_bits(), 0);
        assert_eq!(fx!(-1.5).to_f32().to_bits(), (-1.5_f32).to_bits());
        assert_eq!(Fx::EPSILON.to_f32().to_bits(), (127 - 32) << 23);
    }
}
