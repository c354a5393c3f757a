//! [`Vec3`].

use crate::exact::{round_shift, saturate, sqrt_rem_u128, sqrt_round_u128};
use crate::vector::methods::vector_methods;
use crate::vector::operators::{additive_operators, array_conversions, sequence_text, vector_operators};
use crate::vector::sums::{Wide, cross_q64, dot, dot_q64, narrow, scaled, times, times_wide};
use crate::vector::unit::{
    NORMALIZED_TOLERANCE, aligned, distances, narrow_squares, rsqrt_u128, square_of_positive, sum_of_squares,
    unit, unit_wide,
};
use crate::{Fx, Vec2};

/// A vector or point in space: three Q32.32 numbers, under the names of `glam`.
///
/// The operators work by components and saturate like those of [`Fx`]. Sums of products, as in
/// [`dot`](Self::dot) and [`cross`](Self::cross), are exact and rounded once. Lengths and directions are right
/// on the whole range, and nothing here panics but an index beyond the last component.
///
/// ```
/// use isostep_math::{Fx, Vec3, fx};
///
/// let force = Vec3::new(fx!(0), fx!(-9.5), fx!(0)) * fx!(2.5);
/// assert_eq!(force.to_string(), "[0, -23.75, 0]");
/// assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
///
/// let tiny = Vec3::new(Fx::EPSILON, -Fx::EPSILON, Fx::ZERO);
/// assert_eq!(tiny.normalize(), Vec3::new(Fx::FRAC_1_SQRT_2, -Fx::FRAC_1_SQRT_2, Fx::ZERO));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C)]
pub struct Vec3 {
    /// The first component.
    pub x: Fx,
    /// The second component.
    pub y: Fx,
    /// The third component.
    pub z: Fx,
}

vector_methods!(Vec3, 3, x, y, z);
additive_operators!(Vec3, 3);
vector_operators!(Vec3, 3, x 0, y 1, z 2);
array_conversions!(Vec3, 3, from_array, to_array);
sequence_text!(Vec3, x, y, z);

/// [`Vec3::new`], short.
#[inline(always)]
#[must_use]
pub const fn vec3(x: Fx, y: Fx, z: Fx) -> Vec3 {
    Vec3::new(x, y, z)
}

/// A vector, or half of it where a component has 63 bits.
const fn within_62_bits(v: [i64; 3]) -> [i64; 3] {
    let longest = v[0].unsigned_abs() | v[1].unsigned_abs() | v[2].unsigned_abs();
    if longest >> 62 == 0 { v } else { [v[0] / 2, v[1] / 2, v[2] / 2] }
}

impl Vec3 {
    /// (1, 0, 0).
    pub const X: Self = Self::new(Fx::ONE, Fx::ZERO, Fx::ZERO);
    /// (0, 1, 0).
    pub const Y: Self = Self::new(Fx::ZERO, Fx::ONE, Fx::ZERO);
    /// (0, 0, 1).
    pub const Z: Self = Self::new(Fx::ZERO, Fx::ZERO, Fx::ONE);
    /// (−1, 0, 0).
    pub const NEG_X: Self = Self::new(Fx::NEG_ONE, Fx::ZERO, Fx::ZERO);
    /// (0, −1, 0).
    pub const NEG_Y: Self = Self::new(Fx::ZERO, Fx::NEG_ONE, Fx::ZERO);
    /// (0, 0, −1).
    pub const NEG_Z: Self = Self::new(Fx::ZERO, Fx::ZERO, Fx::NEG_ONE);
    /// The three unit vectors.
    pub const AXES: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The first two components.
    #[inline]
    #[must_use]
    pub const fn truncate(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The vector with another first component.
    #[inline]
    #[must_use]
    pub const fn with_x(self, x: Fx) -> Self {
        Self { x, ..self }
    }

    /// The vector with another second component.
    #[inline]
    #[must_use]
    pub const fn with_y(self, y: Fx) -> Self {
        Self { y, ..self }
    }

    /// The vector with another third component.
    #[inline]
    #[must_use]
    pub const fn with_z(self, z: Fx) -> Self {
        Self { z, ..self }
    }

    /// The cross product, right-handed: each component exact, then one rounding to nearest (≤ 0.5 units of
    /// 2⁻³²), saturating. `b.cross(a)` is `-a.cross(b)` to the bit where neither saturates.
    #[inline]
    #[must_use]
    pub const fn cross(self, rhs: Self) -> Self {
        let [x, y, z] = cross_q64(self.to_bits(), rhs.to_bits());
        // A difference of two products is below 2^127 − 2^62, so the half unit fits as well.
        Self::from_bits([narrow(x, 32), narrow(y, 32), narrow(z, 32)])
    }

    /// The product of the components, exact, then to nearest, saturating.
    #[inline]
    #[must_use]
    pub const fn element_product(self) -> Fx {
        Fx(saturate(Wide::product(self.x.0 as i128 * self.y.0 as i128, self.z.0).round_high()))
    }

    /// The direction with 62 fraction bits, for kernels that need more than a unit [`Vec3`] holds; `None` for
    /// zero. Every component within 2⁻⁵⁹, right on the whole range, symmetric as [`normalize`](Self::normalize).
    #[inline]
    #[must_use]
    pub const fn normalize_q62(self) -> Option<[i64; 3]> {
        unit::<62, 3>(self.to_bits())
    }

    /// The angle between two vectors of any length, in [0, π] radians; 0 where one of them is zero.
    ///
    /// The arc tangent of |a × b| over a · b, both kept to 62 bits, so small angles and angles near π are as
    /// exact as the others: as exact as [`Fx::atan2`]. The arc cosine of the dot product (glam) loses half of
    /// the digits there. Method: W. Kahan, *How futile are mindless assessments of roundoff*, §12.
    #[must_use]
    pub fn angle_between(self, rhs: Self) -> Fx {
        // Only the ratio counts; of the longest vectors three products would have 129 bits.
        let (a, b) = (within_62_bits(self.to_bits()), within_62_bits(rhs.to_bits()));
        let [x, y, z] = cross_q64(a, b);
        let [x, y, z, along] = aligned([x, y, z, dot_q64(a, b)]);
        // Three squares of 62 bits: the root has 63 at the most.
        let (across, _) = sqrt_rem_u128(sum_of_squares([x, y, z]));
        Fx(across as i64).atan2(Fx(along))
    }

    /// A vector of length 1 at a right angle to `self`, of any length; for zero, `X`.
    ///
    /// Which one is unspecified but fixed: the same for the same bits everywhere. Each component is within 0.51
    /// units of 2⁻³².
    #[inline]
    #[must_use]
    pub const fn any_orthonormal_vector(self) -> Self {
        Self::from_bits(match orthogonal(self.to_bits()) {
            Some(across) => match unit::<32, 3>(across) {
                Some(unit) => unit,
                None => [1 << 32, 0, 0],
            },
            None => [1 << 32, 0, 0],
        })
    }

    /// A vector at a right angle to `self` and of a length between 0.57 and 1 of it, exact; for zero, zero.
    #[inline]
    #[must_use]
    pub const fn any_orthogonal_vector(self) -> Self {
        match orthogonal(self.to_bits()) {
            Some(across) => Self::from_bits(across),
            None => Self::ZERO,
        }
    }

    /// Two vectors of length 1 that form a right-handed frame (u, v, self), for `self` of any length; for zero,
    /// `X` and `Y`.
    ///
    /// Each component is within 0.51 units of 2⁻³².
    #[inline]
    #[must_use]
    pub const fn any_orthonormal_pair(self) -> (Self, Self) {
        let bits = self.to_bits();
        let Some(across) = orthogonal(bits) else { return (Self::X, Self::Y) };
        let third = unit_wide::<32, 3>(cross_q64(bits, across));
        match (unit::<32, 3>(across), third) {
            (Some(u), Some(v)) => (Self::from_bits(u), Self::from_bits(v)),
            _ => (Self::X, Self::Y),
        }
    }
}

/// A vector at a right angle, `None` for zero: the largest two components swapped, one negated, the third zero.
#[inline(always)]
const fn orthogonal(v: [i64; 3]) -> Option<[i64; 3]> {
    let [x, y, z] = v;
    if x == 0 && y == 0 && z == 0 {
        None
    } else if x.unsigned_abs() > y.unsigned_abs() {
        // The negation of MIN saturates, off by one in 2^63.
        Some([z.saturating_neg(), 0, x])
    } else {
        Some([0, z, y.saturating_neg()])
    }
}

impl From<(Fx, Fx, Fx)> for Vec3 {
    #[inline]
    fn from((x, y, z): (Fx, Fx, Fx)) -> Self {
        Self { x, y, z }
    }
}

impl From<Vec3> for (Fx, Fx, Fx) {
    #[inline]
    fn from(v: Vec3) -> Self {
        (v.x, v.y, v.z)
    }
}
