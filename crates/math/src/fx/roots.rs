//! Square roots, correctly rounded on the whole range.

use super::Fx;
use crate::exact::{product, rsqrt_q32, sqrt_q32, sqrt_round_u128};

impl Fx {
    /// √self to nearest (≤ 0.5 units of 2⁻³²). For a negative number, 0.
    ///
    /// A table of chords, one Newton step and one residual correction in integers; then the nearest is
    /// picked by the exact remainder.
    #[inline]
    #[must_use]
    pub const fn sqrt(self) -> Self {
        if self.0 <= 0 { Self::ZERO } else { Self(sqrt_q32(self.0 as u64) as i64) }
    }

    /// √self to nearest, or `None` for a negative number.
    #[inline]
    #[must_use]
    pub const fn checked_sqrt(self) -> Option<Self> {
        if self.0 < 0 { None } else { Some(self.sqrt()) }
    }

    /// 1/√self to nearest (≤ 0.5 units of 2⁻³²). `MAX` for zero and below: the limit from above.
    #[inline]
    #[must_use]
    pub const fn rsqrt(self) -> Self {
        if self.0 <= 0 { Self::MAX } else { Self(rsqrt_q32(self.0 as u64) as i64) }
    }

    /// 1/√self to nearest, or `None` for zero and below.
    #[inline]
    #[must_use]
    pub const fn checked_rsqrt(self) -> Option<Self> {
        if self.0 <= 0 { None } else { Some(self.rsqrt()) }
    }

    /// √(self² + other²) to nearest, the sum exact; saturating.
    #[inline]
    #[must_use]
    pub const fn hypot(self, other: Self) -> Self {
        Self(sqrt_round_u128(product(self.0, self.0) as u128 + product(other.0, other.0) as u128))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn roots_of_squares_are_exact() {
        assert_eq!(fx!(2.25).sqrt(), fx!(1.5));
        assert_eq!(Fx::EPSILON.sqrt(), Fx::from_bits(1 << 16));
        assert_eq!(Fx::MAX.sqrt(), Fx::from_bits(199_032_864_766_430));
        assert_eq!(fx!(0.0625).rsqrt(), fx!(4));
        assert_eq!(Fx::EPSILON.rsqrt(), fx!(65536));
        assert_eq!(fx!(3).hypot(fx!(-4)), fx!(5));
    }

    #[test]
    fn roots_outside_the_domain_have_documented_values() {
        assert_eq!(fx!(-1).sqrt(), Fx::ZERO);
        assert_eq!(fx!(-1).checked_sqrt(), None);
        assert_eq!(Fx::ZERO.checked_sqrt(), Some(Fx::ZERO));
        assert_eq!(Fx::ZERO.rsqrt(), Fx::MAX);
        assert_eq!(Fx::ZERO.checked_rsqrt(), None);
        assert_eq!(Fx::MIN.hypot(Fx::MIN), Fx::MAX);
        assert_eq!(Fx::EPSILON.hypot(Fx::ZERO), Fx::EPSILON);
    }
}
