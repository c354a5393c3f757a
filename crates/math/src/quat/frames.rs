//! Rotations from directions and from matrices.

use super::Quat;
use super::exponential::ONE_Q62;
use crate::exact::{round_shift, sqrt_rem_u128};
use crate::vector::sums::{cross_q64, dot_q64};
use crate::vector::unit::{sum_of_squares, unit, unit_wide};
use crate::{Fx, Mat3, Vec3};

impl Quat {
    /// The rotation of a rotation matrix, each component within 0.51 units of 2⁻³² of that of the matrix.
    ///
    /// Always of length 1. A matrix that is no rotation gives some rotation; zero gives the identity.
    ///
    /// The four components are, up to a common factor, the entries of a row of 4 q qᵀ, which are sums of
    /// matrix entries; the row with the largest diagonal is taken (S. W. Shepperd, *Quaternion from rotation
    /// matrix*, 1978) and normalised.
    #[must_use]
    pub const fn from_mat3(m: &Mat3) -> Self {
        from_columns([m.x_axis.to_bits(), m.y_axis.to_bits(), m.z_axis.to_bits()], Fx::ONE.0)
    }

    /// The rotation that takes +X, +Y and +Z to the three axes, which have length 1 and right angles; as
    /// [`from_mat3`](Self::from_mat3).
    #[must_use]
    pub const fn from_rotation_axes(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Self {
        from_columns([x_axis.to_bits(), y_axis.to_bits(), z_axis.to_bits()], Fx::ONE.0)
    }

    /// The rotation by the least angle that takes the direction of `from` to that of `to`, vectors of any
    /// length.
    ///
    /// Each component within 0.51 units of 2⁻³². Opposite directions: half a turn about
    /// [`any_orthonormal_vector`](Vec3::any_orthonormal_vector) of `from`. A zero vector: the identity.
    ///
    /// The axis is that of the exact cross product. The half angle has the tangent |a − b| / |a + b| of the unit
    /// vectors a and b (W. Kahan), which keeps its digits for angles near 0 and near π.
    #[must_use]
    pub const fn from_rotation_arc(from: Vec3, to: Vec3) -> Self {
        let (from_bits, to_bits) = (from.to_bits(), to.to_bits());
        let (Some(a), Some(b)) = (unit::<62, 3>(from_bits), unit::<62, 3>(to_bits)) else {
            return Self::IDENTITY;
        };
        let Some([x, y, z]) = unit_wide::<62, 3>(cross_q64(from_bits, to_bits)) else {
            if dot_q64(from_bits, to_bits) >= 0 {
                return Self::IDENTITY;
            }
            let axis = from.any_orthonormal_vector();
            return Self::from_xyzw(axis.x, axis.y, axis.z, Fx::ZERO);
        };
        // Halves, because a sum of two units in Q2.62 may reach 2: both lengths then are at most 2^62.
        let half_difference = [a[0] / 2 - b[0] / 2, a[1] / 2 - b[1] / 2, a[2] / 2 - b[2] / 2];
        let half_sum = [a[0] / 2 + b[0] / 2, a[1] / 2 + b[1] / 2, a[2] / 2 + b[2] / 2];
        let sin = sqrt_rem_u128(sum_of_squares(half_difference)).0 as i128;
        let cos = sqrt_rem_u128(sum_of_squares(half_sum)).0 as i128;
        Self::normalized([sin * x as i128, sin * y as i128, sin * z as i128, cos << 62])
    }

    /// The view rotation of a left-handed camera (+X right, +Y up, +Z forward) that looks along `dir`: it takes
    /// world directions to those of the camera, as in glam. Its inverse is the orientation of the camera.
    ///
    /// `dir` and `up` have any length. Where `up` is parallel to `dir` or zero, some direction across `dir` is
    /// right; a zero `dir` gives the identity.
    #[must_use]
    pub const fn look_to_lh(dir: Vec3, up: Vec3) -> Self {
        match frame(dir, up) {
            // Rows (−s, u, f): the columns of the inverse.
            Some([s, u, f]) => from_columns(columns_of_rows([negated(s), u, f]), ONE_Q62),
            None => Self::IDENTITY,
        }
    }

    /// The view rotation of a right-handed camera (+X right, +Y up, −Z forward) that looks along `dir`: it takes
    /// world directions to those of the camera, as in glam. Its inverse is the orientation of the camera.
    ///
    /// `dir` and `up` have any length. Where `up` is parallel to `dir` or zero, some direction across `dir` is
    /// right; a zero `dir` gives the identity.
    ///
    /// ```
    /// use isostep_math::{Quat, Vec3};
    /// let view = Quat::look_to_rh(Vec3::X, Vec3::Y);
    /// assert_eq!(view * Vec3::X, Vec3::NEG_Z);
    /// assert_eq!(view * Vec3::Y, Vec3::Y);
    /// assert_eq!(view.inverse() * Vec3::NEG_Z, Vec3::X);
    /// ```
    #[must_use]
    pub const fn look_to_rh(dir: Vec3, up: Vec3) -> Self {
        match frame(dir, up) {
            Some([s, u, f]) => from_columns(columns_of_rows([s, u, negated(f)]), ONE_Q62),
            None => Self::IDENTITY,
        }
    }

    /// [`look_to_lh`](Self::look_to_lh) along the way from `eye` to `center`.
    #[must_use]
    pub const fn look_at_lh(eye: Vec3, center: Vec3, up: Vec3) -> Self {
        Self::look_to_lh(way(eye, center), up)
    }

    /// [`look_to_rh`](Self::look_to_rh) along the way from `eye` to `center`.
    #[must_use]
    pub const fn look_at_rh(eye: Vec3, center: Vec3, up: Vec3) -> Self {
        Self::look_to_rh(way(eye, center), up)
    }
}

/// The direction from one point to another: halved where the difference does not fit.
const fn way(from: Vec3, to: Vec3) -> Vec3 {
    let (a, b) = (from.to_bits(), to.to_bits());
    let wide = [b[0] as i128 - a[0] as i128, b[1] as i128 - a[1] as i128, b[2] as i128 - a[2] as i128];
    Vec3::from_bits(crate::vector::unit::leading(wide).0)
}

/// (dir × up, its cross product with dir, dir) as unit vectors in Q2.62, or `None` for a zero `dir`.
const fn frame(dir: Vec3, up: Vec3) -> Option<[[i64; 3]; 3]> {
    let d = dir.to_bits();
    let Some(f) = unit::<62, 3>(d) else { return None };
    let s = match unit_wide::<62, 3>(cross_q64(d, up.to_bits())) {
        Some(s) => s,
        None => match unit::<62, 3>(dir.any_orthogonal_vector().to_bits()) {
            Some(s) => s,
            None => return None,
        },
    };
    let u = cross_q64(s, f);
    Some([s, [round_shift(u[0], 62) as i64, round_shift(u[1], 62) as i64, round_shift(u[2], 62) as i64], f])
}

const fn negated(v: [i64; 3]) -> [i64; 3] {
    [-v[0], -v[1], -v[2]]
}

const fn columns_of_rows(m: [[i64; 3]; 3]) -> [[i64; 3]; 3] {
    super::rotation::transposed(m)
}

/// The rotation of a matrix by columns, whose entries count `one` as 1.
const fn from_columns(columns: [[i64; 3]; 3], one: i64) -> Quat {
    let [[m00, m10, m20], [m01, m11, m21], [m02, m12, m22]] = columns;
    let one = one as i128;
    let (d0, d1, d2) = (m00 as i128, m11 as i128, m22 as i128);
    let w = one + d0 + d1 + d2;
    let x = one + d0 - d1 - d2;
    let y = one - d0 + d1 - d2;
    let z = one - d0 - d1 + d2;
    // Sums xy, xz, yz and differences xw, yw, zw of 4 q qᵀ.
    let (xy, xz, yz) = (m10 as i128 + m01 as i128, m02 as i128 + m20 as i128, m21 as i128 + m12 as i128);
    let (xw, yw, zw) = (m21 as i128 - m12 as i128, m02 as i128 - m20 as i128, m10 as i128 - m01 as i128);
    Quat::normalized(if w >= x && w >= y && w >= z {
        [xw, yw, zw, w]
    } else if x >= y && x >= z {
        [x, xy, xz, xw]
    } else if y >= z {
        [xy, y, yz, yw]
    } else {
        [xz, yz, z, zw]
    })
}
