//! Surfaces: friction, restitution, and how those of two colliders make one.

use isostep_math::{Fx, fx};
use serde::{Deserialize, Serialize};

/// The highest coefficient of friction.
pub const MAX_FRICTION: Fx = fx!(10);

/// How the values of two surfaces make the one of their contact. Of two different rules the later one in this list
/// holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CombineRule {
    /// (a + b) / 2.
    #[default]
    Average,
    /// √(a b).
    GeometricMean,
    /// The smaller one.
    Min,
    /// a b.
    Multiply,
    /// The greater one.
    Max,
}

impl CombineRule {
    /// The value of a contact.
    #[must_use]
    pub fn combine(self, other: Self, a: Fx, b: Fx) -> Fx {
        match self.max(other) {
            Self::Average => a.midpoint(b),
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => a.saturating_mul(b).sqrt(),
            Self::Min => a.min(b),
            Self::Multiply => a.saturating_mul(b),
            Self::Max => a.max(b),
        }
    }
}

/// The surface of a collider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Material {
    /// The coefficient of friction, 0 to [`MAX_FRICTION`].
    pub friction: Fx,
    /// How friction combines.
    pub friction_rule: CombineRule,
    /// The part of the approach speed that a bounce returns, 0 to 1.
    pub restitution: Fx,
    /// How restitution combines.
    pub restitution_rule: CombineRule,
    /// Resistance to rolling, as a length in m: a torque of that times the normal force, 0 to 1. A contact has the
    /// greater one of both surfaces.
    pub rolling_resistance: Fx,
}

impl Default for Material {
    /// Friction 0.6, combined by the geometric mean; no restitution, of which the greater one holds; no resistance
    /// to rolling.
    fn default() -> Self {
        Self {
            friction: fx!(0.6),
            friction_rule: CombineRule::GeometricMean,
            restitution: Fx::ZERO,
            restitution_rule: CombineRule::Max,
            rolling_resistance: Fx::ZERO,
        }
    }
}

/// Why values make no surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}: it must be from 0 to {max}")]
pub struct MaterialError {
    /// The field.
    pub field: &'static str,
    /// What it was.
    pub value: Fx,
    /// The greatest that is allowed.
    pub max: Fx,
}

impl Material {
    /// # Errors
    /// If a field is out of its range.
    pub fn validate(&self) -> Result<(), MaterialError> {
        let fields = [
            ("friction", self.friction, MAX_FRICTION),
            ("restitution", self.restitution, Fx::ONE),
            ("rolling_resistance", self.rolling_resistance, Fx::ONE),
        ];
        for (field, value, max) in fields {
            if value.is_negative() || value > max {
                return Err(MaterialError { field, value, max });
            }
        }
        Ok(())
    }

    /// The surface of a contact of two.
    pub(crate) fn combine(&self, other: &Self) -> ContactMaterial {
        ContactMaterial {
            friction: self.friction_rule.combine(other.friction_rule, self.friction, other.friction),
            restitution: self.restitution_rule.combine(
                other.restitution_rule,
                self.restitution,
                other.restitution,
            ),
            rolling_resistance: self.rolling_resistance.max(other.rolling_resistance),
        }
    }
}

/// The surface of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContactMaterial {
    pub(crate) friction: Fx,
    pub(crate) restitution: Fx,
    pub(crate) rolling_resistance: Fx,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_combines_as_it_says_and_the_later_one_holds() {
        let (a, b) = (fx!(0.25), fx!(1));
        let of = |rule: CombineRule| rule.combine(CombineRule::Average, a, b);
        assert_eq!(of(CombineRule::Average), fx!(0.625));
        assert_eq!(of(CombineRule::GeometricMean), fx!(0.5));
        assert_eq!(of(CombineRule::Min), a);
        assert_eq!(of(CombineRule::Multiply), fx!(0.25));
        assert_eq!(of(CombineRule::Max), b);
        assert_eq!(CombineRule::Max.combine(CombineRule::Min, a, b), b);
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let slippery = Material { friction: fx!(-0.1), ..Material::default() };
        let message = slippery.validate().unwrap_err().to_string();
        assert_eq!(message, "friction is -0.1: it must be from 0 to 10");
        let rubber = Material { restitution: fx!(1.01), ..Material::default() };
        assert_eq!(rubber.validate().unwrap_err().field, "restitution");
    }
}
