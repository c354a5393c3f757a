//! [`Rotation2`].

use super::Shape2Error;
use isostep_math::{Fx, Vec2};

/// A rotation of the plane: the unit complex number cos + i sin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RotationData"))]
pub struct Rotation2 {
    cos: Fx,
    sin: Fx,
}

impl Rotation2 {
    /// No rotation.
    pub const IDENTITY: Self = Self { cos: Fx::ONE, sin: Fx::ZERO };

    /// The rotation by `angle` in radians from +X toward +Y, within 0.51 units of 2⁻³² per component.
    ///
    /// An angle within 2⁻³² of a multiple of π/2 is that multiple: a quarter turn is not exact in radians, but a
    /// box so turned is axis-aligned all the same.
    #[must_use]
    pub const fn from_angle(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::snapped(cos, sin)
    }

    /// The rotation by a number of quarter turns from +X toward +Y, exact.
    #[must_use]
    pub const fn from_quarter_turns(turns: i32) -> Self {
        let (cos, sin) = match turns.rem_euclid(4) {
            0 => (Fx::ONE, Fx::ZERO),
            1 => (Fx::ZERO, Fx::ONE),
            2 => (Fx::NEG_ONE, Fx::ZERO),
            _ => (Fx::ZERO, Fx::NEG_ONE),
        };
        Self { cos, sin }
    }

    /// The rotation of a cosine and a sine within 2⁻²⁰ of unit length; they are normalised, unless they are as near
    /// to it as rounding leaves them, so that a rotation taken apart and put together is the same.
    ///
    /// # Errors
    /// If they have not unit length.
    pub const fn from_cos_sin(cos: Fx, sin: Fx) -> Result<Self, Shape2Error> {
        let v = Vec2::new(cos, sin);
        if !v.is_normalized() {
            return Err(Shape2Error::UnnormalizedRotation { cos, sin });
        }
        let unit = if is_rounded_unit(v) { v } else { v.normalize() };
        Ok(Self::of_unit(unit))
    }

    /// The rotation that turns +X to a vector of length 1.
    pub(super) const fn of_unit(unit: Vec2) -> Self {
        Self::snapped(unit.x, unit.y)
    }

    /// The quarter turn that is within a unit of 2⁻³² of these, or else these.
    const fn snapped(cos: Fx, sin: Fx) -> Self {
        match (cos.to_bits(), sin.to_bits()) {
            (_, -1..=1) => Self { cos: cos.signum(), sin: Fx::ZERO },
            (-1..=1, _) => Self { cos: Fx::ZERO, sin: sin.signum() },
            _ => Self { cos, sin },
        }
    }

    /// The cosine of its angle.
    #[must_use]
    pub const fn cos(&self) -> Fx {
        self.cos
    }

    /// The sine of its angle.
    #[must_use]
    pub const fn sin(&self) -> Fx {
        self.sin
    }

    /// Its angle in [−π, π] radians.
    #[must_use]
    pub const fn angle(&self) -> Fx {
        self.sin.atan2(self.cos)
    }

    /// The rotation back, exact.
    #[must_use]
    pub const fn inverse(&self) -> Self {
        Self { cos: self.cos, sin: self.sin.saturating_neg() }
    }

    /// `self` after `rhs`: the sum of both angles, normalised, so that a chain of products stays a rotation.
    #[must_use]
    pub const fn mul(&self, rhs: &Self) -> Self {
        Self::of_unit(self.rotate(Vec2::new(rhs.cos, rhs.sin)).normalize())
    }

    /// `v` turned, each component exact and rounded once to nearest, saturating.
    #[must_use]
    pub const fn rotate(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos, self.sin).rotate(v)
    }

    /// Where +X turns to: a vector of length 1.
    #[must_use]
    pub const fn x_axis(&self) -> Vec2 {
        Vec2::new(self.cos, self.sin)
    }

    /// Where +Y turns to: a vector of length 1.
    #[must_use]
    pub const fn y_axis(&self) -> Vec2 {
        self.x_axis().perp()
    }
}

impl Default for Rotation2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Whether the length is 1 within the rounding of `normalize`: with errors of 0.51 units in both components the
/// squared length is within 2 · 0.51 · √2 · 2^32 < 3 · 2^31 units of 2^64.
const fn is_rounded_unit(v: Vec2) -> bool {
    let bits = [v.x.to_bits(), v.y.to_bits()];
    (super::exact::dot(bits, bits) - (1 << 64)).unsigned_abs() <= 3 << 31
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RotationData {
    cos: Fx,
    sin: Fx,
}

#[cfg(feature = "serde")]
impl TryFrom<RotationData> for Rotation2 {
    type Error = Shape2Error;

    fn try_from(data: RotationData) -> Result<Self, Shape2Error> {
        Self::from_cos_sin(data.cos, data.sin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec2};

    #[test]
    fn a_small_turn_is_no_quarter_turn() {
        // Its cosine is 1.45 units below 1, which rounds to one unit.
        let turn = Rotation2::from_angle(fx!(0.000026));
        assert_eq!((turn.cos(), turn.sin()), (Fx::from_bits((1 << 32) - 1), fx!(0.000026)));
    }

    #[test]
    fn quarter_turns_are_exact_from_angles_as_well() {
        for turns in -5..6 {
            let angle = Fx::FRAC_PI_2 * Fx::from_int(turns % 4);
            assert_eq!(Rotation2::from_angle(angle), Rotation2::from_quarter_turns(turns), "{turns}");
        }
        assert_eq!(Rotation2::from_quarter_turns(1).rotate(vec2(fx!(2), fx!(1))), vec2(fx!(-1), fx!(2)));
    }

    #[test]
    fn products_add_angles_and_stay_of_unit_length() {
        let step = Rotation2::from_angle(fx!(0.001));
        let mut turned = Rotation2::IDENTITY;
        for _ in 0..1000 {
            turned = step.mul(&turned);
        }
        assert!(turned.angle().abs_diff_eq(fx!(1), fx!(0.0000005)), "{}", turned.angle());
        assert!(turned.x_axis().length().abs_diff_eq(Fx::ONE, Fx::from_bits(1)));
        assert_eq!(Rotation2::from_cos_sin(turned.cos(), turned.sin()), Ok(turned));
        assert_eq!(turned.mul(&turned.inverse()), Rotation2::IDENTITY);
    }

    #[test]
    fn a_vector_of_another_length_is_no_rotation() {
        let refused = Rotation2::from_cos_sin(fx!(0.6), fx!(0.7));
        assert_eq!(refused, Err(Shape2Error::UnnormalizedRotation { cos: fx!(0.6), sin: fx!(0.7) }));
        assert_eq!(Rotation2::from_cos_sin(fx!(0.6), fx!(0.8)).unwrap().cos(), fx!(0.6));
    }
}
