//! [`Fx`], the number of the whole engine.
//!
//! The type and its ends are here; `arithmetic` holds the operators, `rounding` the maps to whole numbers,
//! `roots` the square roots, `text` decimal text both ways and the literal macro's compile-time parser.

mod arithmetic;
mod roots;
mod rounding;
#[cfg(feature = "serde")]
mod serde_impl;
mod text;

pub use text::ParseFxError;

use fixed::types::I32F32;

/// A Q32.32 fixed-point number: an `i64` that counts units of 2⁻³².
///
/// Range −2³¹ ..= 2³¹ − 2⁻³² (about ±2.1 · 10⁹), spacing 2⁻³² (about 2.3 · 10⁻¹⁰) everywhere. Comparison,
/// equality and hashing are those of the bits; there is no NaN, no infinity and no negative zero.
///
/// # Overflow and rounding
/// **The operators saturate**: a result beyond an end of the range is that end, in every build profile. The
/// inexact ones (`*`, `/`, and every method whose documentation says "to nearest") form the exact result and
/// round it once, to nearest, ties away from zero. So `(-a) * b == -(a * b)` to the bit, wherever neither
/// side saturates; at the ends the negative one is one unit farther out. `checked_*` and `wrapping_*` forms
/// stand beside the operators, with the same rounding.
///
/// # Examples
/// ```
/// use isostep_math::{Fx, fx};
///
/// let speed = fx!(12.5);
/// let dt = Fx::from_ratio(1, 60);
/// assert_eq!((speed * dt).to_string(), "0.2083333326");
/// assert_eq!(Fx::MAX + Fx::ONE, Fx::MAX);
/// assert_eq!(Fx::MAX.checked_add(Fx::ONE), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Fx(pub(crate) i64);

impl Fx {
    /// The least number, −2³¹.
    pub const MIN: Self = Self(i64::MIN);
    /// The greatest number, 2³¹ − 2⁻³².
    pub const MAX: Self = Self(i64::MAX);
    /// The spacing of the numbers, 2⁻³².
    pub const EPSILON: Self = Self(1);
    /// 0.
    pub const ZERO: Self = Self(0);
    /// 1.
    pub const ONE: Self = Self(1 << 32);
    /// −1.
    pub const NEG_ONE: Self = Self(-1 << 32);
    /// 2.
    pub const TWO: Self = Self(2 << 32);
    /// 1/2.
    pub const HALF: Self = Self(1 << 31);
    /// π to nearest.
    pub const PI: Self = Self(0x3_243F_6A89);
    /// 2π to nearest.
    pub const TAU: Self = Self(0x6_487E_D511);
    /// π/2 to nearest.
    pub const FRAC_PI_2: Self = Self(0x1_921F_B544);
    /// π/3 to nearest.
    pub const FRAC_PI_3: Self = Self(0x1_0C15_2383);
    /// π/4 to nearest.
    pub const FRAC_PI_4: Self = Self(0xC90F_DAA2);
    /// π/6 to nearest.
    pub const FRAC_PI_6: Self = Self(0x860A_91C1);
    /// √2 to nearest.
    pub const SQRT_2: Self = Self(0x1_6A09_E668);
    /// 1/√2 to nearest.
    pub const FRAC_1_SQRT_2: Self = Self(0xB504_F334);
    /// e to nearest.
    pub const E: Self = Self(0x2_B7E1_5163);
    /// ln 2 to nearest.
    pub const LN_2: Self = Self(0xB172_17F8);

    /// Number of fraction bits.
    pub const FRACTION_BITS: u32 = 32;

    /// The number of `bits` · 2⁻³².
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: i64) -> Self {
        Self(bits)
    }

    /// The raw bits: the number in units of 2⁻³².
    #[inline]
    #[must_use]
    pub const fn to_bits(self) -> i64 {
        self.0
    }

    /// The whole number `value`, exact.
    #[inline]
    #[must_use]
    pub const fn from_int(value: i32) -> Self {
        Self((value as i64) << 32)
    }

    /// `numerator / denominator` to nearest, ties away from zero, saturating.
    ///
    /// A zero denominator saturates by the sign of the numerator, and 0/0 is 0.
    ///
    /// ```
    /// use isostep_math::Fx;
    /// assert_eq!(Fx::from_ratio(1, 60).to_bits(), 71_582_788);
    /// assert_eq!(Fx::from_ratio(-3, 2).to_string(), "-1.5");
    /// ```
    #[inline]
    #[must_use]
    pub const fn from_ratio(numerator: i64, denominator: i64) -> Self {
        // The scale cancels in a quotient, so whole numbers divide like raw bits.
        Self(numerator).saturating_div(Self(denominator))
    }

    /// The same number in the type of the `fixed` crate.
    #[inline]
    #[must_use]
    pub const fn to_fixed(self) -> I32F32 {
        I32F32::from_bits(self.0)
    }

    /// The same number from the type of the `fixed` crate.
    #[inline]
    #[must_use]
    pub const fn from_fixed(value: I32F32) -> Self {
        Self(value.to_bits())
    }
}

impl From<I32F32> for Fx {
    #[inline]
    fn from(value: I32F32) -> Self {
        Self::from_fixed(value)
    }
}

impl From<Fx> for I32F32 {
    #[inline]
    fn from(value: Fx) -> Self {
        value.to_fixed()
    }
}

macro_rules! from_small_integers {
    ($($int:ty),*) => {$(
        impl From<$int> for Fx {
            /// Exact.
            #[inline]
            fn from(value: $int) -> Self {
                Self::from_int(i32::from(value))
            }
        }
    )*};
}
from_small_integers!(i8, u8, i16, u16, i32);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fx;

    #[test]
    fn constants_are_the_nearest_numbers() {
        assert_eq!(Fx::PI, fx!(3.14159265358979323846));
        assert_eq!(Fx::TAU, fx!(6.28318530717958647693));
        assert_eq!(Fx::FRAC_PI_2, fx!(1.57079632679489661923));
        assert_eq!(Fx::FRAC_PI_3, fx!(1.04719755119659774615));
        assert_eq!(Fx::FRAC_PI_4, fx!(0.78539816339744830962));
        assert_eq!(Fx::FRAC_PI_6, fx!(0.52359877559829887308));
        assert_eq!(Fx::SQRT_2, fx!(1.41421356237309504880));
        assert_eq!(Fx::FRAC_1_SQRT_2, fx!(0.70710678118654752440));
        assert_eq!(Fx::E, fx!(2.71828182845904523536));
        assert_eq!(Fx::LN_2, fx!(0.69314718055994530942));
    }

    #[test]
    fn conversions_with_the_fixed_crate_keep_the_bits() {
        for bits in [i64::MIN, -1, 0, 1, 1 << 32, i64::MAX] {
            assert_eq!(I32F32::from(Fx::from_bits(bits)).to_bits(), bits);
            assert_eq!(Fx::from(I32F32::from_bits(bits)).to_bits(), bits);
        }
    }

    #[test]
    fn ratios_round_to_nearest_and_saturate_by_sign() {
        assert_eq!(Fx::from_ratio(1, 3).to_bits(), 0x5555_5555);
        assert_eq!(Fx::from_ratio(-2, 3).to_bits(), -0xAAAA_AAAB);
        assert_eq!(Fx::from_ratio(i64::MAX, 1), Fx::MAX);
        assert_eq!(Fx::from_ratio(i64::MIN, i64::MIN), Fx::ONE);
        assert_eq!(Fx::from_ratio(5, 0), Fx::MAX);
        assert_eq!(Fx::from_ratio(-5, 0), Fx::MIN);
        assert_eq!(Fx::from_ratio(0, 0), Fx::ZERO);
    }
}
