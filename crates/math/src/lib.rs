//! Deterministic Q32.32 fixed-point mathematics.
#![cfg_attr(not(feature = "std"), no_std)]

/// A Q32.32 fixed-point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Fx(i64);

impl Fx {
    /// The number whose two's complement bits, in units of 2⁻³², are `bits`.
    #[must_use]
    pub const fn from_bits(bits: i64) -> Self {
        Self(bits)
    }
    /// The two's complement bits, in units of 2⁻³².
    #[must_use]
    pub const fn to_bits(self) -> i64 {
        self.0
    }
}

impl core::ops::Add for Fx {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self(self.0.saturating_add(rhs.0))
    }
}
