//! [`Mass`].

use super::MassError;
use isostep_math::Fx;

/// A mass in kg, or a volume in m³ where the density is 1: Q64.64, above 0.
///
/// The grain of sand and the box of 65 km that a shape may be are 140 bits apart, so [`Fx`] is too narrow to
/// compare masses. A mass beyond either end is the least or greatest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mass(u128);

impl Mass {
    pub(super) const ZERO: Self = Self(0);
    /// The least mass: 2⁻⁶⁴ kg.
    pub const LEAST: Self = Self(1);
    /// The greatest mass: nearly 2⁶⁴ kg.
    pub const GREATEST: Self = Self(u128::MAX);

    /// A mass in kg.
    ///
    /// # Errors
    /// If it is zero or below.
    pub const fn new(kilograms: Fx) -> Result<Self, MassError> {
        if kilograms.to_bits() <= 0 {
            return Err(MassError::NonPositiveMass { value: kilograms });
        }
        Ok(Self((kilograms.to_bits() as u128) << 32))
    }

    /// The mass of `volume` in m³, Q64.64, at `density` in kg/m³: to nearest, held between the ends.
    pub(super) const fn of_volume(volume: u128, density: Fx) -> Result<Self, MassError> {
        if density.to_bits() <= 0 {
            return Err(MassError::NonPositiveDensity { value: density });
        }
        let bits = mul_shift(volume, density.to_bits() as u64, 32);
        Ok(if bits == 0 { Self::LEAST } else { Self(bits) })
    }

    /// The mass as its raw bits, 64 of them fraction bits; the least one for 0.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        if bits == 0 { Self::LEAST } else { Self(bits) }
    }

    /// Its raw bits, 64 of them fraction bits.
    #[must_use]
    pub const fn to_bits(self) -> u128 {
        self.0
    }

    /// The mass in kg, to nearest, saturating: 0 below 2⁻³³ kg.
    #[must_use]
    pub const fn to_fx(self) -> Fx {
        narrow(self.0)
    }

    /// The sum, saturating.
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}

/// Q64.64 as Q32.32, to nearest, saturating.
pub(super) const fn narrow(q64: u128) -> Fx {
    let rounded = (q64 >> 32) + (q64 >> 31 & 1);
    if rounded > i64::MAX as u128 { Fx::MAX } else { Fx::from_bits(rounded as i64) }
}

/// a b / 2^shift to nearest, ties up, saturating, for a shift of 1..=63.
pub(super) const fn mul_shift(a: u128, b: u64, shift: u32) -> u128 {
    let low = (a as u64 as u128) * b as u128;
    // At most (2^64 − 1)² + 2^64 − 1.
    let high = (a >> 64) * b as u128 + (low >> 64);
    if high >> (64 + shift) != 0 {
        return u128::MAX;
    }
    let quotient = (high << (64 - shift)) | (low as u64 >> shift) as u128;
    quotient.saturating_add(low >> (shift - 1) & 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::fx;

    #[test]
    fn masses_are_positive_and_held_between_the_ends() {
        assert_eq!(Mass::new(fx!(0)), Err(MassError::NonPositiveMass { value: fx!(0) }));
        assert_eq!(Mass::new(fx!(2.5)).unwrap().to_fx(), fx!(2.5));
        assert_eq!(Mass::of_volume(1, Fx::EPSILON), Ok(Mass::LEAST));
        assert_eq!(Mass::of_volume(1 << 120, Fx::MAX), Ok(Mass::GREATEST));
        assert_eq!(Mass::GREATEST.to_fx(), Fx::MAX);
        assert_eq!(Mass::GREATEST.saturating_add(Mass::LEAST), Mass::GREATEST);
    }

    #[test]
    fn wide_products_round_once() {
        assert_eq!(mul_shift(3, 1, 1), 2);
        assert_eq!(mul_shift(u128::MAX, 1 << 32, 32), u128::MAX);
        assert_eq!(mul_shift(u128::MAX, 1 << 31, 32), 1 << 127);
        assert_eq!(mul_shift((7 << 100) + 5, 1 << 40, 44), 7 << 96);
        assert_eq!(mul_shift(u128::MAX, u64::MAX, 63), u128::MAX);
    }
}
