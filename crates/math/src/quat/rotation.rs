//! What a rotation does to a vector.
//!
//! The matrix of a quaternion q = (v, w) of any length is
//!
//! R = 1 + 2/|q|² (v vᵀ − |v|² 1 + w \[v\]ₓ).
//!
//! A stored unit quaternion has |q|² = 1 + δ with |δ| of a few units of 2⁻³², and 2/|q|² = 2 (1 − δ + δ² − …).
//! With f = 2 (2 − |q|²), what remains is 2 δ²: below 2⁻⁵⁷ for a quaternion within 8 units. So R is orthogonal to
//! nearly 60 bits, not to the 31 that the stored components have, and turning a vector forth and back, a
//! million metres away or not, gives its bits again within a unit.

use super::Quat;
use crate::exact::{product, round_shift};
use crate::vector::sums::narrow;
use crate::{Fx, Vec3};

/// Fraction bits of the entries of a rotation matrix between the quaternion and its use.
pub(crate) const ENTRY_BITS: u32 = 58;

/// The rotation matrix by rows, Q5.58; |entry| ≤ 9 for any bits, and within 2⁻⁵⁶ of the exact rotation for a unit
/// quaternion.
#[inline(always)]
pub(crate) const fn rows(q: Quat) -> [[i64; 3]; 3] {
    let [x, y, z, w] = q.to_unit_bits();
    // At most 4 in Q.64, and f is within ±4 in Q.60.
    let square = product(x, x) + product(y, y) + product(z, z) + product(w, w);
    let f = (((1_i128 << 65) - square) >> 3) as i64;
    // f v in Q.60, at most 4.
    let fx = round_shift(product(f, x), 32) as i64;
    let fy = round_shift(product(f, y), 32) as i64;
    let fz = round_shift(product(f, z), 32) as i64;
    let (xx, yy, zz) = (product(fx, x), product(fy, y), product(fz, z));
    let (xy, xz, yz) = (product(fx, y), product(fx, z), product(fy, z));
    let (xw, yw, zw) = (product(fx, w), product(fy, w), product(fz, w));
    [
        [diagonal(yy + zz), entry(xy - zw), entry(xz + yw)],
        [entry(xy + zw), diagonal(xx + zz), entry(yz - xw)],
        [entry(xz - yw), entry(yz + xw), diagonal(xx + yy)],
    ]
}

/// Q.92 to Q.58.
#[inline(always)]
const fn entry(sum: i128) -> i64 {
    round_shift(sum, 92 - ENTRY_BITS) as i64
}

#[inline(always)]
const fn diagonal(sum: i128) -> i64 {
    (1 << ENTRY_BITS) - entry(sum)
}

/// The matrix of these rows times `v`, Q.90: |sum| ≤ 3 · 9 · 2^58 · 2^63 < 2^126.
#[inline(always)]
pub(crate) const fn apply(rows: [[i64; 3]; 3], v: [i64; 3]) -> [i128; 3] {
    [
        product(rows[0][0], v[0]) + product(rows[0][1], v[1]) + product(rows[0][2], v[2]),
        product(rows[1][0], v[0]) + product(rows[1][1], v[1]) + product(rows[1][2], v[2]),
        product(rows[2][0], v[0]) + product(rows[2][1], v[1]) + product(rows[2][2], v[2]),
    ]
}

/// Rows as columns: the inverse rotation, to the bit the matrix of the conjugate.
#[inline(always)]
pub(crate) const fn transposed(m: [[i64; 3]; 3]) -> [[i64; 3]; 3] {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
}

/// Q.90 to Q32.32: one rounding to nearest, saturating.
#[inline(always)]
pub(crate) const fn narrowed(sum: [i128; 3]) -> Vec3 {
    Vec3::from_bits([narrow(sum[0], ENTRY_BITS), narrow(sum[1], ENTRY_BITS), narrow(sum[2], ENTRY_BITS)])
}

/// The matrix of a rotation, for kernels that turn several vectors by the same one: computed once, it gives the bits of
/// [`Quat::mul_vec3`] and [`Quat::inverse_mul_vec3`].
///
/// ```
/// use isostep_math::{Fx, Quat, Vec3};
///
/// let turn = Quat::from_rotation_y(Fx::FRAC_PI_6);
/// let matrix = turn.to_rotation_matrix();
/// assert_eq!(matrix.mul_vec3(Vec3::X), turn.mul_vec3(Vec3::X));
/// assert_eq!(matrix.inverse_mul_vec3(Vec3::X), turn.inverse_mul_vec3(Vec3::X));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RotationMatrix([[i64; 3]; 3]);

impl RotationMatrix {
    /// The vector turned by the rotation: [`Quat::mul_vec3`] to the bit.
    #[inline]
    #[must_use]
    pub const fn mul_vec3(&self, rhs: Vec3) -> Vec3 {
        narrowed(apply(self.0, rhs.to_bits()))
    }

    /// The vector turned back by the rotation: [`Quat::inverse_mul_vec3`] to the bit.
    #[inline]
    #[must_use]
    pub const fn inverse_mul_vec3(&self, rhs: Vec3) -> Vec3 {
        narrowed(apply(transposed(self.0), rhs.to_bits()))
    }

    /// The x axis turned by the rotation: `mul_vec3(Vec3::X)` to the bit, without products.
    #[inline]
    #[must_use]
    pub const fn x_axis(&self) -> Vec3 {
        let [x, y, z] = &self.0;
        Vec3::from_bits([
            narrow(x[0] as i128, ENTRY_BITS - 32),
            narrow(y[0] as i128, ENTRY_BITS - 32),
            narrow(z[0] as i128, ENTRY_BITS - 32),
        ])
    }

    /// The matrix by rows with [`Quat::ROTATION_BITS`] fraction bits: [`Quat::to_rotation_rows`].
    #[inline]
    #[must_use]
    pub const fn rows(&self) -> &[[i64; 3]; 3] {
        &self.0
    }
}

impl Quat {
    /// The vector turned by the rotation. The operator `*`.
    ///
    /// Each component within 0.5 units of 2⁻³² + 2⁻⁵⁵ |rhs| of the exact rotation by `self` / |`self`|, for a
    /// `self` within 8 units of length 1; saturating. The zero quaternion leaves the vector as it is.
    #[inline]
    #[must_use]
    pub const fn mul_vec3(self, rhs: Vec3) -> Vec3 {
        if self.is_identity() {
            return rhs;
        }
        narrowed(apply(rows(self), rhs.to_bits()))
    }

    /// The vector turned back by the rotation: `self.conjugate() * rhs` to the bit.
    #[inline]
    #[must_use]
    pub const fn inverse_mul_vec3(self, rhs: Vec3) -> Vec3 {
        if self.is_identity() {
            return rhs;
        }
        narrowed(apply(transposed(rows(self)), rhs.to_bits()))
    }

    /// Whether this is [`IDENTITY`](Self::IDENTITY), as what is fixed in the world mostly is: its matrix has nothing but
    /// exact ones and zeros, so that a vector keeps its bits.
    #[inline(always)]
    pub(crate) const fn is_identity(self) -> bool {
        self.x.0 | self.y.0 | self.z.0 | (self.w.0 ^ Fx::ONE.0) == 0
    }

    /// Fraction bits of [`to_rotation_rows`](Self::to_rotation_rows).
    pub const ROTATION_BITS: u32 = ENTRY_BITS;

    /// The rotation matrix by rows with 58 fraction bits, for kernels that need more than a [`Mat3`](crate::Mat3)
    /// holds: within 2⁻⁵⁶ of the exact rotation for a `self` within 8 units of length 1, |entry| ≤ 9 for any bits.
    #[inline]
    #[must_use]
    pub const fn to_rotation_rows(self) -> [[i64; 3]; 3] {
        rows(self)
    }

    /// The matrix of the rotation, to turn several vectors by it.
    #[inline]
    #[must_use]
    pub const fn to_rotation_matrix(self) -> RotationMatrix {
        RotationMatrix(rows(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn the_identity_leaves_all_bits_as_its_matrix_does() {
        let matrix = Quat::IDENTITY.to_rotation_matrix();
        let mut rng = Rng::new(1, 0);
        for shift in 0..63 {
            let v = Vec3::from_bits([0; 3].map(|_| rng.next_u64() as i64 >> shift));
            assert_eq!(matrix.mul_vec3(v), v);
            assert_eq!(matrix.inverse_mul_vec3(v), v);
            assert_eq!((Quat::IDENTITY.mul_vec3(v), Quat::IDENTITY.inverse_mul_vec3(v)), (v, v));
        }
        for v in [Vec3::MIN, Vec3::MAX, Vec3::ZERO] {
            assert_eq!((matrix.mul_vec3(v), matrix.inverse_mul_vec3(v)), (v, v));
        }
    }

    #[test]
    fn a_matrix_turns_vectors_as_its_quaternion_does() {
        let mut rng = Rng::new(2, 0);
        for shift in 0..63 {
            let mut word = || rng.next_u64() as i64 >> shift;
            let v = Vec3::from_bits([word(), word(), word()]);
            let any = Quat::from_bits([word(), word(), word(), word()]);
            for q in [any, any.normalize()] {
                let matrix = q.to_rotation_matrix();
                assert_eq!(matrix.mul_vec3(v), q.mul_vec3(v));
                assert_eq!(matrix.inverse_mul_vec3(v), q.inverse_mul_vec3(v));
                assert_eq!(matrix.x_axis(), q.mul_vec3(Vec3::X));
            }
        }
    }
}
