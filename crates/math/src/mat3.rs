//! [`Mat3`].

pub(crate) mod determinant;
mod rotation;

use crate::vector::operators::{additive_operators, array_conversions, sequence_text};
use crate::vector::sums::{cross_q64, dot};
use crate::{Fx, Vec3, exact};
use determinant::{Reciprocal, adjugate, determinant};

/// A 3 × 3 matrix of Q32.32 numbers, by columns, under the names of `glam`.
///
/// It multiplies column vectors: `m * v`, and `a * b` is `b`, then `a`. Sums of products are exact and rounded
/// once. Nothing here panics but an index beyond the last column.
///
/// ```
/// use isostep_math::{Fx, Mat3, Vec3, fx};
///
/// let m = Mat3::from_diagonal(Vec3::new(fx!(2), fx!(4), fx!(-0.5)));
/// assert_eq!(m * Vec3::ONE, Vec3::new(fx!(2), fx!(4), fx!(-0.5)));
/// assert_eq!(m.determinant(), fx!(-4));
/// assert_eq!(m.try_inverse().unwrap() * m, Mat3::IDENTITY);
/// assert_eq!(Mat3::ZERO.try_inverse(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Mat3 {
    /// The first column: where the matrix takes +X.
    pub x_axis: Vec3,
    /// The second column: where the matrix takes +Y.
    pub y_axis: Vec3,
    /// The third column: where the matrix takes +Z.
    pub z_axis: Vec3,
}

additive_operators!(Mat3, 9);
array_conversions!(Mat3, 9, from_cols_array, to_cols_array);
sequence_text!(Mat3, x_axis, y_axis, z_axis);

impl Mat3 {
    /// All entries 0.
    pub const ZERO: Self = Self::from_cols(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    /// 1 on the diagonal.
    pub const IDENTITY: Self = Self::from_cols(Vec3::X, Vec3::Y, Vec3::Z);

    /// The matrix of these columns.
    #[inline(always)]
    #[must_use]
    pub const fn from_cols(x_axis: Vec3, y_axis: Vec3, z_axis: Vec3) -> Self {
        Self { x_axis, y_axis, z_axis }
    }

    /// The matrix of nine entries, column by column.
    #[inline]
    #[must_use]
    pub const fn from_cols_array(m: [Fx; 9]) -> Self {
        Self::from_cols(Vec3::new(m[0], m[1], m[2]), Vec3::new(m[3], m[4], m[5]), Vec3::new(m[6], m[7], m[8]))
    }

    /// The nine entries, column by column.
    #[inline]
    #[must_use]
    pub const fn to_cols_array(self) -> [Fx; 9] {
        let (a, b, c) = (self.x_axis, self.y_axis, self.z_axis);
        [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    }

    /// The raw bits of the nine entries, column by column.
    #[inline(always)]
    pub(crate) const fn to_bits(self) -> [i64; 9] {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.columns();
        [a, b, c, d, e, f, g, h, i]
    }

    /// The matrix of entries with these raw bits, column by column.
    #[inline(always)]
    pub(crate) const fn from_bits(m: [i64; 9]) -> Self {
        Self::from_columns([[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]])
    }

    /// The raw bits of the columns.
    #[inline(always)]
    pub(crate) const fn columns(self) -> [[i64; 3]; 3] {
        [self.x_axis.to_bits(), self.y_axis.to_bits(), self.z_axis.to_bits()]
    }

    /// The matrix of columns with these raw bits.
    #[inline(always)]
    pub(crate) const fn from_columns(columns: [[i64; 3]; 3]) -> Self {
        let [x, y, z] = columns;
        Self::from_cols(Vec3::from_bits(x), Vec3::from_bits(y), Vec3::from_bits(z))
    }

    /// The matrix with `diagonal` on the diagonal and 0 elsewhere.
    #[inline]
    #[must_use]
    pub const fn from_diagonal(diagonal: Vec3) -> Self {
        let zero = Fx::ZERO;
        Self::from_cols(
            Vec3::new(diagonal.x, zero, zero),
            Vec3::new(zero, diagonal.y, zero),
            Vec3::new(zero, zero, diagonal.z),
        )
    }

    /// The outer product a bᵀ, each entry to nearest, saturating: it takes v to a (b · v).
    #[inline]
    #[must_use]
    pub const fn from_outer(a: Vec3, b: Vec3) -> Self {
        Self::from_cols(a.saturating_scale(b.x), a.saturating_scale(b.y), a.saturating_scale(b.z))
    }

    /// The cross-product matrix \[v\]ₓ, which takes u to v × u: exact (`MAX` for the negation of `MIN`).
    #[inline]
    #[must_use]
    pub const fn from_skew(v: Vec3) -> Self {
        let zero = Fx::ZERO;
        Self::from_cols(
            Vec3::new(zero, v.z, v.y.saturating_neg()),
            Vec3::new(v.z.saturating_neg(), zero, v.x),
            Vec3::new(v.y, v.x.saturating_neg(), zero),
        )
    }

    /// The column with this index.
    ///
    /// # Panics
    /// For an index above 2.
    #[inline]
    #[must_use]
    pub const fn col(&self, index: usize) -> Vec3 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            2 => self.z_axis,
            _ => panic!("Mat3 has 3 columns"),
        }
    }

    /// The row with this index.
    ///
    /// # Panics
    /// For an index above 2.
    #[inline]
    #[must_use]
    pub const fn row(&self, index: usize) -> Vec3 {
        match index {
            0 => Vec3::new(self.x_axis.x, self.y_axis.x, self.z_axis.x),
            1 => Vec3::new(self.x_axis.y, self.y_axis.y, self.z_axis.y),
            2 => Vec3::new(self.x_axis.z, self.y_axis.z, self.z_axis.z),
            _ => panic!("Mat3 has 3 rows"),
        }
    }

    /// The diagonal.
    #[inline]
    #[must_use]
    pub const fn diagonal(&self) -> Vec3 {
        Vec3::new(self.x_axis.x, self.y_axis.y, self.z_axis.z)
    }

    /// The sum of the diagonal, exact, saturated once.
    #[inline]
    #[must_use]
    pub const fn trace(&self) -> Fx {
        self.diagonal().element_sum()
    }

    /// Rows as columns, exact.
    #[inline]
    #[must_use]
    pub const fn transpose(&self) -> Self {
        Self::from_cols(self.row(0), self.row(1), self.row(2))
    }

    /// The determinant: exact in 192 bits, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating.
    #[inline]
    #[must_use]
    pub const fn determinant(&self) -> Fx {
        let columns = self.columns();
        let first_row = cross_q64(columns[1], columns[2]);
        Fx(exact::saturate(determinant(columns[0], first_row).round_high()))
    }

    /// The inverse, or `None` where the determinant is exactly zero.
    ///
    /// Each entry is within 0.5 units of 2⁻³² + 2⁻⁶⁰ of its value, saturating. Cofactors and determinant are
    /// exact, so an ill-conditioned matrix has as exact an inverse as any other.
    #[must_use]
    pub const fn try_inverse(&self) -> Option<Self> {
        let columns = self.columns();
        let rows = adjugate(columns);
        let Some(r) = Reciprocal::new(determinant(columns[0], rows[0])) else { return None };
        let mut inverse = [[0; 3]; 3];
        let mut i = 0;
        while i < 9 {
            inverse[i / 3][i % 3] = r.entry(rows[i % 3][i / 3]);
            i += 1;
        }
        Some(Self::from_columns(inverse))
    }

    /// The matrix times a vector: each component exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²),
    /// saturating. The operator `*`.
    #[inline]
    #[must_use]
    pub const fn mul_vec3(&self, rhs: Vec3) -> Vec3 {
        let v = rhs.to_bits();
        let [a, b, c] = self.columns();
        Vec3::from_bits([dot([a[0], b[0], c[0]], v), dot([a[1], b[1], c[1]], v), dot([a[2], b[2], c[2]], v)])
    }

    /// The transposed matrix times a vector, as [`mul_vec3`](Self::mul_vec3).
    #[inline]
    #[must_use]
    pub const fn transpose_mul_vec3(&self, rhs: Vec3) -> Vec3 {
        let v = rhs.to_bits();
        let [a, b, c] = self.columns();
        Vec3::from_bits([dot(a, v), dot(b, v), dot(c, v)])
    }

    /// The matrix product: each entry exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating. The
    /// operator `*`.
    #[inline]
    #[must_use]
    pub const fn mul_mat3(&self, rhs: &Self) -> Self {
        Self::from_cols(self.mul_vec3(rhs.x_axis), self.mul_vec3(rhs.y_axis), self.mul_vec3(rhs.z_axis))
    }

    /// `self + rhs` by entries, saturating. The operator `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self::from_cols(
            self.x_axis.saturating_add(rhs.x_axis),
            self.y_axis.saturating_add(rhs.y_axis),
            self.z_axis.saturating_add(rhs.z_axis),
        )
    }

    /// `self − rhs` by entries, saturating. The operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, rhs: Self) -> Self {
        Self::from_cols(
            self.x_axis.saturating_sub(rhs.x_axis),
            self.y_axis.saturating_sub(rhs.y_axis),
            self.z_axis.saturating_sub(rhs.z_axis),
        )
    }

    /// `−self`, exact; `MAX` for an entry `MIN`. The unary operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_neg(self) -> Self {
        Self::from_cols(
            self.x_axis.saturating_neg(),
            self.y_axis.saturating_neg(),
            self.z_axis.saturating_neg(),
        )
    }

    /// `self · rhs` by entries, each to nearest, saturating. The operator `*` with a number.
    #[inline]
    #[must_use]
    pub const fn saturating_scale(self, rhs: Fx) -> Self {
        Self::from_cols(
            self.x_axis.saturating_scale(rhs),
            self.y_axis.saturating_scale(rhs),
            self.z_axis.saturating_scale(rhs),
        )
    }

    /// The absolute value of every entry; `MAX` for `MIN`.
    #[inline]
    #[must_use]
    pub const fn abs(&self) -> Self {
        Self::from_cols(self.x_axis.abs(), self.y_axis.abs(), self.z_axis.abs())
    }

    /// Whether every entry differs by `max_abs_diff` at the most.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(&self, rhs: Self, max_abs_diff: Fx) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff)
            && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
            && self.z_axis.abs_diff_eq(rhs.z_axis, max_abs_diff)
    }
}

impl Default for Mat3 {
    /// The identity.
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl core::ops::Mul for Mat3 {
    type Output = Self;
    /// [`mul_mat3`](Self::mul_mat3).
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        self.mul_mat3(&rhs)
    }
}

impl core::ops::MulAssign for Mat3 {
    #[inline]
    fn mul_assign(&mut self, rhs: Self) {
        *self = self.mul_mat3(&rhs);
    }
}

impl core::ops::Mul<Vec3> for Mat3 {
    type Output = Vec3;
    /// [`mul_vec3`](Self::mul_vec3).
    #[inline]
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}
