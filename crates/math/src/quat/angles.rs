//! Rotations as an axis and an angle.

use super::exponential::{exponential, half_sin_cos};
use super::{Quat, hamilton};
use crate::exact::{product, round_shift, sqrt_rem_u128};
use crate::vector::sums::scaled;
use crate::vector::unit::{aligned, sum_of_squares, unit, unit_wide};
use crate::{Fx, Vec3};

/// Q2.62 to Q32.32, to nearest.
#[inline(always)]
pub(super) const fn from_q62(q: [i64; 4]) -> Quat {
    Quat::from_bits([
        round_shift(q[0] as i128, 30) as i64,
        round_shift(q[1] as i128, 30) as i64,
        round_shift(q[2] as i128, 30) as i64,
        round_shift(q[3] as i128, 30) as i64,
    ])
}

/// The angle in [0, π] whose half has its sine and cosine in this ratio, both 2^63 at the most; as exact as
/// `atan2`.
///
/// Twice the arc tangent would double its rounding, so the doubling is done before: sin 2h = 2 sin h cos h,
/// cos 2h = cos² h − sin² h.
#[inline]
pub(super) const fn angle_of_half(sin: u64, cos: u64) -> Fx {
    let across = sin as u128 * cos as u128 * 2;
    let along = product(cos as i64, cos as i64) - product(sin as i64, sin as i64);
    let [across, along] = aligned([across as i128, along]);
    Fx(across).atan2(Fx(along))
}

/// The sine of the half angle, and its cosine, of a quaternion in words of at most 62 bits, times some number.
#[inline]
pub(super) const fn half_of(q: [i64; 4]) -> (u64, u64) {
    let (sin, _) = sqrt_rem_u128(sum_of_squares([q[0], q[1], q[2]]));
    (sin, q[3].unsigned_abs())
}

impl Quat {
    /// The rotation about `axis`, of length 1, by `angle` radians, right-handed.
    ///
    /// Each component within 0.51 units of 2⁻³² for an exact axis, and always of length 1: an axis of another
    /// length turns by another angle, and a zero axis gives the identity (or its negative).
    ///
    /// ```
    /// use isostep_math::{Fx, Quat, Vec3};
    /// let third = Quat::from_axis_angle(Vec3::ONE.normalize(), Fx::TAU / Fx::from_int(3));
    /// assert_eq!(third * Vec3::X, Vec3::Y);
    /// ```
    #[must_use]
    pub const fn from_axis_angle(axis: Vec3, angle: Fx) -> Self {
        let (sin, cos) = half_sin_cos((angle.0 as i128) << 32);
        let [x, y, z] = axis.to_bits();
        let q = [product(x, sin), product(y, sin), product(z, sin), (cos as i128) << 32];
        match unit_wide::<32, 4>(q) {
            Some(bits) => Self::from_bits(bits),
            None => Self::IDENTITY,
        }
    }

    /// The rotation about the direction of `v` by its length in radians: the exponential map.
    ///
    /// Each component within 0.51 units of 2⁻³²; the identity for zero. Lengths beyond 2³² count as that.
    #[must_use]
    pub const fn from_scaled_axis(v: Vec3) -> Self {
        let [x, y, z] = v.to_bits();
        from_q62(exponential([(x as i128) << 32, (y as i128) << 32, (z as i128) << 32]))
    }

    /// The rotation about +X by `angle` radians; each component to nearest within 0.51 units of 2⁻³².
    #[must_use]
    pub const fn from_rotation_x(angle: Fx) -> Self {
        let (sin, cos) = half_sin_cos((angle.0 as i128) << 32);
        from_q62([sin, 0, 0, cos])
    }

    /// The rotation about +Y by `angle` radians; each component to nearest within 0.51 units of 2⁻³².
    #[must_use]
    pub const fn from_rotation_y(angle: Fx) -> Self {
        let (sin, cos) = half_sin_cos((angle.0 as i128) << 32);
        from_q62([0, sin, 0, cos])
    }

    /// The rotation about +Z by `angle` radians; each component to nearest within 0.51 units of 2⁻³².
    #[must_use]
    pub const fn from_rotation_z(angle: Fx) -> Self {
        let (sin, cos) = half_sin_cos((angle.0 as i128) << 32);
        from_q62([0, 0, sin, cos])
    }

    /// The axis, of length 1, and the angle in [0, π]; (`X`, 0) for the identity and every quaternion without an
    /// imaginary part.
    ///
    /// Both within 0.51 units of 2⁻³² of those of `self` / |`self`|, any length of `self`.
    #[must_use]
    pub const fn to_axis_angle(self) -> (Vec3, Fx) {
        match self.unit_axis::<32>() {
            Some((axis, angle)) => (Vec3::from_bits(axis), angle),
            None => (Vec3::X, Fx::ZERO),
        }
    }

    /// The axis times the angle in [0, π]: the logarithm map; zero for the identity.
    ///
    /// Each component within 1.01 units of 2⁻³².
    #[must_use]
    pub const fn to_scaled_axis(self) -> Vec3 {
        match self.unit_axis::<62>() {
            Some((axis, angle)) => Vec3::from_bits(scaled(axis, angle.0, 62)),
            None => Vec3::ZERO,
        }
    }

    /// The axis in `FRACTION` fraction bits and the angle in [0, π].
    #[inline(always)]
    const fn unit_axis<const FRACTION: u32>(self) -> Option<([i64; 3], Fx)> {
        let [x, y, z, w] = self.to_bits();
        let (sin, cos) = half_of(aligned([x as i128, y as i128, z as i128, w as i128]));
        match unit::<FRACTION, 3>([x, y, z]) {
            Some(axis) if w < 0 => Some(([-axis[0], -axis[1], -axis[2]], angle_of_half(sin, cos))),
            Some(axis) => Some((axis, angle_of_half(sin, cos))),
            None => None,
        }
    }

    /// The angle in [0, π] of the rotation that leads from `self` to `rhs`.
    ///
    /// Within 0.51 units of 2⁻³² of that between the exact rotations, near 0 and π as elsewhere; components
    /// beyond ±1 count as ±1.
    #[must_use]
    pub const fn angle_between(self, rhs: Self) -> Fx {
        let (sin, cos) = half_of(aligned(self.relative_q64(rhs)));
        angle_of_half(sin, cos)
    }

    /// `self.conjugate() * rhs` in Q.64, exact: the rotation from `self` to `rhs`, seen from `self`. Its imaginary
    /// part is zero to the bit where the two are equal.
    #[inline(always)]
    pub(super) const fn relative_q64(self, rhs: Self) -> [i128; 4] {
        let [x, y, z, w] = self.to_unit_bits();
        hamilton([-x, -y, -z, w], rhs.to_unit_bits())
    }
}
