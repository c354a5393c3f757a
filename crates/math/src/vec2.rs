//! [`Vec2`].

use crate::exact::{product, round_shift, saturate, sqrt_round_u128};
use crate::vector::methods::vector_methods;
use crate::vector::operators::{additive_operators, array_conversions, sequence_text, vector_operators};
use crate::vector::sums::{dot, dot_q64, narrow, narrow_cross2, scaled, times, times_wide};
use crate::vector::unit::{
    NORMALIZED_TOLERANCE, aligned, distances, narrow_squares, rsqrt_u128, square_of_positive, sum_of_squares,
    unit, unit_wide,
};
use crate::{Fx, Vec3};

/// A vector or point in the plane: two Q32.32 numbers, under the names of `glam`.
///
/// The operators work by components and saturate like those of [`Fx`]. Sums of products, as in
/// [`dot`](Self::dot) and [`perp_dot`](Self::perp_dot), are exact and rounded once. Lengths and directions are
/// right on the whole range, and nothing here panics but an index beyond the last component.
///
/// ```
/// use isostep_math::{Fx, Vec2, fx};
///
/// let v = Vec2::new(fx!(3), fx!(-4));
/// assert_eq!(v.length(), fx!(5));
/// assert_eq!(v.normalize(), Vec2::new(fx!(0.6), fx!(-0.8)));
/// assert_eq!((Vec2::MAX / Fx::TWO).distance(Vec2::MIN / Fx::TWO), Fx::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C)]
pub struct Vec2 {
    /// The first component.
    pub x: Fx,
    /// The second component.
    pub y: Fx,
}

vector_methods!(Vec2, 2, x, y);
additive_operators!(Vec2, 2);
vector_operators!(Vec2, 2, x 0, y 1);
array_conversions!(Vec2, 2, from_array, to_array);
sequence_text!(Vec2, x, y);

/// [`Vec2::new`], short.
#[inline(always)]
#[must_use]
pub const fn vec2(x: Fx, y: Fx) -> Vec2 {
    Vec2::new(x, y)
}

impl Vec2 {
    /// (1, 0).
    pub const X: Self = Self::new(Fx::ONE, Fx::ZERO);
    /// (0, 1).
    pub const Y: Self = Self::new(Fx::ZERO, Fx::ONE);
    /// (−1, 0).
    pub const NEG_X: Self = Self::new(Fx::NEG_ONE, Fx::ZERO);
    /// (0, −1).
    pub const NEG_Y: Self = Self::new(Fx::ZERO, Fx::NEG_ONE);
    /// The two unit vectors.
    pub const AXES: [Self; 2] = [Self::X, Self::Y];

    /// The vector in space with `z` as its third component.
    #[inline]
    #[must_use]
    pub const fn extend(self, z: Fx) -> Vec3 {
        Vec3::new(self.x, self.y, z)
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

    /// The product of the components, to nearest, saturating.
    #[inline]
    #[must_use]
    pub const fn element_product(self) -> Fx {
        self.x.saturating_mul(self.y)
    }

    /// (cos `angle`, sin `angle`) for an angle in radians, from +X toward +Y.
    ///
    /// As exact as [`Fx::sin_cos`].
    #[inline]
    #[must_use]
    pub fn from_angle(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self { x: cos, y: sin }
    }

    /// The angle from +X toward +Y, in [−π, π] radians; 0 for zero. As exact as [`Fx::atan2`].
    #[inline]
    #[must_use]
    pub fn to_angle(self) -> Fx {
        self.y.atan2(self.x)
    }

    /// The angle by which `self` has to turn toward +Y to the direction of `rhs`, in [−π, π] radians; 0 where
    /// one of them is zero. Of any length.
    ///
    /// The arc tangent of the perpendicular over the dot product, both kept to 62 bits: as exact as
    /// [`Fx::atan2`].
    #[inline]
    #[must_use]
    pub fn angle_to(self, rhs: Self) -> Fx {
        let (a, b) = (self.to_bits(), rhs.to_bits());
        let across = product(a[0], b[1]) - product(a[1], b[0]);
        let [across, along] = aligned([across, dot_q64(a, b)]);
        Fx(across).atan2(Fx(along))
    }

    /// The vector turned by a right angle from +X toward +Y: (−y, x).
    #[inline]
    #[must_use]
    pub const fn perp(self) -> Self {
        Self { x: self.y.saturating_neg(), y: self.x }
    }

    /// The perpendicular dot product, `self.perp().dot(rhs)` = x₁ y₂ − y₁ x₂: exact, then one rounding to nearest
    /// (≤ 0.5 units of 2⁻³²), saturating.
    #[inline]
    #[must_use]
    pub const fn perp_dot(self, rhs: Self) -> Fx {
        Fx(narrow_cross2(self.to_bits(), rhs.to_bits()))
    }

    /// `rhs` turned by the angle of `self`, which has length 1: the product of complex numbers.
    ///
    /// Each component exact, then one rounding to nearest, saturating; another length scales by it.
    #[inline]
    #[must_use]
    pub const fn rotate(self, rhs: Self) -> Self {
        let (a, b) = (self.to_bits(), rhs.to_bits());
        // (a₀ + i a₁)(b₀ + i b₁): the first is a difference, the second a sum.
        Self::from_bits([narrow(product(a[0], b[0]) - product(a[1], b[1]), 32), dot(a, [b[1], b[0]])])
    }
}

impl From<(Fx, Fx)> for Vec2 {
    #[inline]
    fn from((x, y): (Fx, Fx)) -> Self {
        Self { x, y }
    }
}

impl From<Vec2> for (Fx, Fx) {
    #[inline]
    fn from(v: Vec2) -> Self {
        (v.x, v.y)
    }
}
