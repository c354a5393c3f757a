//! Rotation matrices.

use super::Mat3;
use crate::exact::{product, round_shift};
use crate::quat::exponential::half_sin_cos;
use crate::quat::rotation::{ENTRY_BITS, rows, transposed};
use crate::vector::sums::narrow;
use crate::{EulerRot, Fx, Quat, Vec3};

/// Fraction bits between [`ENTRY_BITS`] and a number.
const DROP: u32 = ENTRY_BITS - 32;

impl Mat3 {
    /// The matrix of the rotation q / |q|: each entry within 0.51 units of 2⁻³² for a quaternion within
    /// 8 units of length 1.
    ///
    /// Components beyond ±1 count as ±1; zero gives the identity.
    #[must_use]
    pub const fn from_quat(rotation: Quat) -> Self {
        let mut columns = transposed(rows(rotation));
        let mut i = 0;
        while i < 9 {
            // |entry| ≤ 9 fits.
            columns[i / 3][i % 3] = round_shift(columns[i / 3][i % 3] as i128, DROP) as i64;
            i += 1;
        }
        Self::from_columns(columns)
    }

    /// The rotation about `axis`, of length 1, by `angle` radians, right-handed: Rodrigues' formula
    /// cos 1 + (1 − cos) a aᵀ + sin \[a\]ₓ.
    ///
    /// Each entry within 0.51 units of 2⁻³² for an exact axis. Components of the axis beyond ±1 count as ±1; a
    /// zero axis gives cos times the identity.
    #[must_use]
    pub const fn from_axis_angle(axis: Vec3, angle: Fx) -> Self {
        // Half of twice the angle, Q2.62.
        let (sin, cos) = half_sin_cos((angle.0 as i128) << 33);
        let a = axis.clamp(Vec3::NEG_ONE, Vec3::ONE).to_bits();
        let turned = [
            [0, product(a[2], sin), -product(a[1], sin)],
            [-product(a[2], sin), 0, product(a[0], sin)],
            [product(a[1], sin), -product(a[0], sin), 0],
        ];
        let mut columns = [[0; 3]; 3];
        let mut i = 0;
        while i < 9 {
            let (col, row) = (i / 3, i % 3);
            // a aᵀ in Q.60, times 1 − cos ≤ 2 in Q.62, then as Q.94.
            let outer = round_shift(product(a[col], a[row]), 4) * ((1 << 62) - cos as i128);
            let along = if col == row { (cos as i128) << 32 } else { 0 };
            columns[col][row] = narrow(round_shift(outer, 28) + turned[col][row] + along, 62);
            i += 1;
        }
        Self::from_columns(columns)
    }

    /// The rotation about +X by `angle` radians; each entry as exact as [`Fx::sin_cos`].
    #[must_use]
    pub const fn from_rotation_x(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        let zero = Fx::ZERO;
        Self::from_cols(Vec3::X, Vec3::new(zero, cos, sin), Vec3::new(zero, sin.saturating_neg(), cos))
    }

    /// The rotation about +Y by `angle` radians; each entry as exact as [`Fx::sin_cos`].
    #[must_use]
    pub const fn from_rotation_y(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        let zero = Fx::ZERO;
        Self::from_cols(Vec3::new(cos, zero, sin.saturating_neg()), Vec3::Y, Vec3::new(sin, zero, cos))
    }

    /// The rotation about +Z by `angle` radians; each entry as exact as [`Fx::sin_cos`].
    #[must_use]
    pub const fn from_rotation_z(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        let zero = Fx::ZERO;
        Self::from_cols(Vec3::new(cos, sin, zero), Vec3::new(sin.saturating_neg(), cos, zero), Vec3::Z)
    }

    /// The rotation by three angles, as [`Quat::from_euler`].
    #[must_use]
    pub const fn from_euler(order: EulerRot, a: Fx, b: Fx, c: Fx) -> Self {
        Self::from_quat(Quat::from_euler(order, a, b, c))
    }
}

impl From<Quat> for Mat3 {
    /// [`Mat3::from_quat`].
    #[inline]
    fn from(rotation: Quat) -> Self {
        Self::from_quat(rotation)
    }
}
