//! [`BodyMass`]: the mass of a body as the solver reads it.
//!
//! Masses enter the solver as ratios only, so the inverse mass is a mantissa with an exponent; gyration as k⁻² about
//! the principal axes, three mantissas with one exponent. Both come from [`MassProperties`], which the colliders
//! make.

use isostep_collision::{Mass, MassProperties};
use isostep_math::exact::{round_shift, saturate};
use isostep_math::{Fx, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// The least radius of gyration: 2⁻⁹ m, as raw bits. A contact turns a body by at most 1 / 2k per unit of velocity change, and
/// κ, a power of two, may be half of what that is for: so it fits Q10.22. What hits with 4 m/s has as much as the multiplicands
/// of the solver have room for, 1,024 rad/s.
const LEAST_RADIUS: i64 = 1 << 23;

/// A body's mass, centre and gyration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BodyMass {
    /// The centre of mass in the coordinates of the body.
    pub(crate) center: Vec3,
    /// In kg, Q64.64; 0 for bodies that are not dynamic.
    pub(crate) mass: u128,
    /// Takes +X, +Y, +Z to the principal axes.
    pub(crate) axes: Quat,
    /// 1 / m in 1/kg, the mantissa in 2³⁰..2³¹; 0 for infinite masses.
    pub(crate) inverse_mass: Scaled<1>,
    /// k⁻² about the principal axes in m⁻², the largest mantissa in 2²⁹..=2³⁰; 0 for bodies that do not turn.
    pub(crate) inverse_gyration: Scaled<3>,
    /// How far its colliders that are no sensors reach from the centre, in m.
    pub(crate) extent: Fx,
}

/// Numbers as mantissas with one exponent: mantissa · 2^(exponent − 30).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scaled<const K: usize> {
    pub(crate) mantissas: [i32; K],
    pub(crate) exponent: i16,
}

impl<const K: usize> Scaled<K> {
    pub(crate) const ZERO: Self = Self { mantissas: [0; K], exponent: 0 };
}

impl BodyMass {
    /// No mass: nothing moves it.
    pub(crate) const NONE: Self = Self {
        center: Vec3::ZERO,
        mass: 0,
        axes: Quat::IDENTITY,
        inverse_mass: Scaled::ZERO,
        inverse_gyration: Scaled::ZERO,
        extent: Fx::ZERO,
    };

    /// Of a dynamic body whose colliders make `properties`, with another mass if one is given; without colliders a
    /// point of 1 kg.
    pub(crate) fn new(properties: Option<MassProperties>, mass: Option<Mass>) -> Self {
        let Some(properties) = properties else {
            let mass = mass.unwrap_or(Mass::from_bits(1 << 64));
            return Self { mass: mass.to_bits(), inverse_mass: inverse_mass(mass), ..Self::NONE };
        };
        let mass = mass.unwrap_or(properties.mass());
        let principal = properties.principal();
        Self {
            center: properties.center(),
            mass: mass.to_bits(),
            axes: principal.rotation,
            inverse_mass: inverse_mass(mass),
            inverse_gyration: inverse_squares(principal.radii),
            extent: Fx::ZERO,
        }
    }
}

impl BodyMass {
    /// The mass; the least that there is where it has none.
    pub(crate) const fn mass(&self) -> Mass {
        Mass::from_bits(self.mass)
    }

    /// What takes +X, +Y, +Z to the principal axes of a body with this rotation.
    pub(crate) fn principal_rotation(&self, rotation: Quat) -> Quat {
        // The identity is neutral to the bit.
        if self.axes == Quat::IDENTITY { rotation } else { rotation.mul_quat(self.axes) }
    }

    /// How an impulse at the centre, in N·s, and an angular one, in N·m·s, change the velocities of a body turned by
    /// `rotation` that nothing holds: in m/s and rad/s, saturating. Nothing where it has no mass.
    pub(crate) fn velocity_change(&self, rotation: Quat, impulse: Vec3, angular: Vec3) -> (Vec3, Vec3) {
        if self.mass == 0 {
            return (Vec3::ZERO, Vec3::ZERO);
        }
        let per_mass = |v: Vec3| v.map(|x| divided_by_mass(x, self.mass));
        let principal = self.principal_rotation(rotation);
        (per_mass(impulse), principal * self.turn_of(principal, per_mass(angular)))
    }

    /// How an angular impulse by mass, in m²/s, changes the angular velocity along the principal axes of a body, which
    /// `principal` turns: in rad/s, saturating.
    pub(crate) fn turn_of(&self, principal: Quat, angular: Vec3) -> Vec3 {
        let turn = principal.inverse_mul_vec3(angular).to_array();
        let Scaled { mantissas, exponent } = self.inverse_gyration;
        Vec3::from_array(core::array::from_fn(|k| scaled(turn[k], mantissas[k], exponent)))
    }
}

/// `x` / m for a mass in Q64.64, to nearest, saturating.
fn divided_by_mass(x: Fx, mass: u128) -> Fx {
    let magnitude = (u128::from(x.to_bits().unsigned_abs()) << 64).saturating_add(mass / 2) / mass;
    let magnitude = i64::try_from(magnitude).unwrap_or(i64::MAX);
    Fx::from_bits(if x.is_negative() { -magnitude } else { magnitude })
}

/// `x` mantissa 2^(exponent − 30), to nearest, ties away from zero, saturating.
pub(crate) fn scaled(x: Fx, mantissa: i32, exponent: i16) -> Fx {
    // Below 2^94.
    let product = i128::from(x.to_bits()) * i128::from(mantissa);
    let shift = i32::from(exponent) - 30;
    // By 32 bits more than it has it saturates, and by 126 less nothing is left.
    let value = if shift >= 0 {
        product << shift.min(32)
    } else {
        round_shift(product, shift.unsigned_abs().min(126))
    };
    Fx::from_bits(saturate(value))
}

/// The reciprocal, to 30 bits.
fn inverse_mass(mass: Mass) -> Scaled<1> {
    let bits = mass.to_bits();
    let length = 128 - bits.leading_zeros() as i32;
    // The leading 32 bits: the mass is m 2^(length − 96), its reciprocal 2^62 / m · 2^(34 − length).
    let m = if length >= 32 { bits >> (length - 32) } else { bits << (32 - length) } as u64;
    let (mantissa, exponent) = (((1_u64 << 62) + m / 2) / m, (64 - length) as i16);
    if mantissa >> 31 == 1 {
        Scaled { mantissas: [1 << 30], exponent: exponent + 1 }
    } else {
        Scaled { mantissas: [mantissa as i32], exponent }
    }
}

/// 1 / r² of each radius, at least [`LEAST_RADIUS`].
fn inverse_squares(radii: Vec3) -> Scaled<3> {
    // Q62 per square metre: from 2^30 at a radius of 2^16 m to 2^82 at the least one.
    let inverse = radii.to_array().map(|radius| {
        let r = radius.to_bits().clamp(LEAST_RADIUS, 1 << 48) as u128;
        (1_u128 << 126) / (r * r)
    });
    let largest = inverse[0].max(inverse[1]).max(inverse[2]);
    let length = 128 - largest.leading_zeros() as i32;
    let mantissas = inverse.map(|value| {
        let rounded = if length > 30 {
            (value + (1 << (length - 31))) >> (length - 30)
        } else {
            value << (30 - length)
        };
        rounded as i32
    });
    Scaled { mantissas, exponent: (length - 62) as i16 }
}

/// As a tuple: arrays of a length that is a parameter have no implementation of their own.
impl<const K: usize> Serialize for Scaled<K> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeTuple;
        let mut tuple = serializer.serialize_tuple(K + 1)?;
        for mantissa in &self.mantissas {
            tuple.serialize_element(mantissa)?;
        }
        tuple.serialize_element(&i32::from(self.exponent))?;
        tuple.end()
    }
}

impl<'de, const K: usize> Deserialize<'de> for Scaled<K> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Elements<const K: usize>;
        impl<'de, const K: usize> serde::de::Visitor<'de> for Elements<K> {
            type Value = Scaled<K>;

            fn expecting(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{K} mantissas and an exponent")
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Scaled<K>, A::Error> {
                let mut scaled = Scaled::ZERO;
                let missing = |index| serde::de::Error::invalid_length(index, &"one number more");
                for (index, mantissa) in scaled.mantissas.iter_mut().enumerate() {
                    *mantissa = seq.next_element()?.ok_or_else(|| missing(index))?;
                }
                let exponent: i32 = seq.next_element()?.ok_or_else(|| missing(K))?;
                scaled.exponent =
                    i16::try_from(exponent).map_err(|_| serde::de::Error::custom("exponent out of range"))?;
                Ok(scaled)
            }
        }
        deserializer.deserialize_tuple(K + 1, Elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_collision::{Obb, Sphere};
    use isostep_math::fx;

    /// In units of 2⁻⁶⁰.
    fn value<const K: usize>(scaled: Scaled<K>, k: usize) -> i128 {
        i128::from(scaled.mantissas[k]) << (scaled.exponent + 30)
    }

    #[test]
    fn a_cube_of_eight_kilograms_has_an_eighth_and_equal_gyration() {
        let cube = Obb::from_half_extents(Vec3::ONE).unwrap().mass_properties(Fx::ONE).unwrap();
        let mass = BodyMass::new(Some(cube), None);
        assert_eq!(value(mass.inverse_mass, 0), 1 << 57);
        // k² = 2 h² / 3.
        for k in 0..3 {
            let error = value(mass.inverse_gyration, k) - (3 << 59);
            assert!(error.abs() < 1 << 32, "{error}");
        }
        assert_eq!(mass.inverse_gyration.mantissas[0], mass.inverse_gyration.mantissas[2]);
    }

    #[test]
    fn grains_and_mountains_keep_their_digits() {
        for (radius, density) in [(fx!(0.002), fx!(1)), (fx!(100), fx!(20000))] {
            let ball = Sphere::from_radius(radius).unwrap().mass_properties(density).unwrap();
            let mass = BodyMass::new(Some(ball), None);
            assert!((1 << 30..=i32::MAX).contains(&mass.inverse_mass.mantissas[0]));
            assert!((1 << 29..=1 << 30).contains(&mass.inverse_gyration.mantissas[1]));
        }
    }
}
