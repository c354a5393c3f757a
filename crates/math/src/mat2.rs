//! [`Mat2`].

use crate::exact::narrow_q64;
use crate::mat3::determinant::{Reciprocal, determinant2};
use crate::vector::operators::{additive_operators, array_conversions, sequence_text};
use crate::vector::sums::{Wide, dot};
use crate::{Fx, Vec2};

/// A 2 × 2 matrix of Q32.32 numbers, by columns, under the names of `glam`.
///
/// It multiplies column vectors: `m * v`, and `a * b` is `b`, then `a`. Sums of products are exact and rounded
/// once. Nothing here panics but an index beyond the last column.
///
/// ```
/// use isostep_math::{Fx, Mat2, Vec2, fx};
///
/// let quarter = Mat2::from_angle(Fx::FRAC_PI_2);
/// assert_eq!(quarter * Vec2::X, Vec2::Y);
/// assert_eq!(quarter.try_inverse(), Some(quarter.transpose()));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Mat2 {
    /// The first column: where the matrix takes +X.
    pub x_axis: Vec2,
    /// The second column: where the matrix takes +Y.
    pub y_axis: Vec2,
}

additive_operators!(Mat2, 4);
array_conversions!(Mat2, 4, from_cols_array, to_cols_array);
sequence_text!(Mat2, x_axis, y_axis);

impl Mat2 {
    /// All entries 0.
    pub const ZERO: Self = Self::from_cols(Vec2::ZERO, Vec2::ZERO);
    /// 1 on the diagonal.
    pub const IDENTITY: Self = Self::from_cols(Vec2::X, Vec2::Y);

    /// The matrix of these columns.
    #[inline(always)]
    #[must_use]
    pub const fn from_cols(x_axis: Vec2, y_axis: Vec2) -> Self {
        Self { x_axis, y_axis }
    }

    /// The matrix of four entries, column by column.
    #[inline]
    #[must_use]
    pub const fn from_cols_array(m: [Fx; 4]) -> Self {
        Self::from_cols(Vec2::new(m[0], m[1]), Vec2::new(m[2], m[3]))
    }

    /// The four entries, column by column.
    #[inline]
    #[must_use]
    pub const fn to_cols_array(self) -> [Fx; 4] {
        [self.x_axis.x, self.x_axis.y, self.y_axis.x, self.y_axis.y]
    }

    /// The raw bits of the four entries, column by column.
    #[inline(always)]
    const fn to_bits(self) -> [i64; 4] {
        [self.x_axis.x.0, self.x_axis.y.0, self.y_axis.x.0, self.y_axis.y.0]
    }

    /// The matrix of entries with these raw bits, column by column.
    #[inline(always)]
    const fn from_bits(m: [i64; 4]) -> Self {
        Self::from_cols(Vec2::from_bits([m[0], m[1]]), Vec2::from_bits([m[2], m[3]]))
    }

    /// The matrix with `diagonal` on the diagonal and 0 elsewhere.
    #[inline]
    #[must_use]
    pub const fn from_diagonal(diagonal: Vec2) -> Self {
        Self::from_cols(Vec2::new(diagonal.x, Fx::ZERO), Vec2::new(Fx::ZERO, diagonal.y))
    }

    /// The rotation by `angle` radians from +X toward +Y; each entry as exact as [`Fx::sin_cos`].
    #[inline]
    #[must_use]
    pub const fn from_angle(angle: Fx) -> Self {
        let (sin, cos) = angle.sin_cos();
        Self::from_cols(Vec2::new(cos, sin), Vec2::new(sin.saturating_neg(), cos))
    }

    /// The outer product a bᵀ, each entry to nearest, saturating: it takes v to a (b · v).
    #[inline]
    #[must_use]
    pub const fn from_outer(a: Vec2, b: Vec2) -> Self {
        Self::from_cols(a.saturating_scale(b.x), a.saturating_scale(b.y))
    }

    /// The column with this index.
    ///
    /// # Panics
    /// For an index above 1.
    #[inline]
    #[must_use]
    pub const fn col(&self, index: usize) -> Vec2 {
        match index {
            0 => self.x_axis,
            1 => self.y_axis,
            _ => panic!("Mat2 has 2 columns"),
        }
    }

    /// The row with this index.
    ///
    /// # Panics
    /// For an index above 1.
    #[inline]
    #[must_use]
    pub const fn row(&self, index: usize) -> Vec2 {
        match index {
            0 => Vec2::new(self.x_axis.x, self.y_axis.x),
            1 => Vec2::new(self.x_axis.y, self.y_axis.y),
            _ => panic!("Mat2 has 2 rows"),
        }
    }

    /// The diagonal.
    #[inline]
    #[must_use]
    pub const fn diagonal(&self) -> Vec2 {
        Vec2::new(self.x_axis.x, self.y_axis.y)
    }

    /// Rows as columns, exact.
    #[inline]
    #[must_use]
    pub const fn transpose(&self) -> Self {
        Self::from_cols(self.row(0), self.row(1))
    }

    /// The determinant: exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating.
    #[inline]
    #[must_use]
    pub const fn determinant(&self) -> Fx {
        Fx(narrow_q64(determinant2([self.x_axis.to_bits(), self.y_axis.to_bits()])))
    }

    /// The inverse, or `None` where the determinant is exactly zero.
    ///
    /// Each entry is within 0.5 units of 2⁻³² + 2⁻⁶⁰ of its value, saturating. The determinant is exact, so an
    /// ill-conditioned matrix has as exact an inverse as any other.
    #[must_use]
    pub const fn try_inverse(&self) -> Option<Self> {
        let determinant = determinant2([self.x_axis.to_bits(), self.y_axis.to_bits()]);
        let Some(r) = Reciprocal::new(Wide::product(determinant, 1)) else { return None };
        let [a, b, c, d] = self.to_bits();
        Some(Self::from_bits([
            r.entry(d as i128),
            r.entry(-(b as i128)),
            r.entry(-(c as i128)),
            r.entry(a as i128),
        ]))
    }

    /// The matrix times a vector: each component exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²),
    /// saturating. The operator `*`.
    #[inline]
    #[must_use]
    pub const fn mul_vec2(&self, rhs: Vec2) -> Vec2 {
        let [a, b, c, d] = self.to_bits();
        let v = rhs.to_bits();
        Vec2::from_bits([dot([a, c], v), dot([b, d], v)])
    }

    /// The transposed matrix times a vector, as [`mul_vec2`](Self::mul_vec2).
    #[inline]
    #[must_use]
    pub const fn transpose_mul_vec2(&self, rhs: Vec2) -> Vec2 {
        let [a, b, c, d] = self.to_bits();
        let v = rhs.to_bits();
        Vec2::from_bits([dot([a, b], v), dot([c, d], v)])
    }

    /// The matrix product: each entry exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating. The
    /// operator `*`.
    #[inline]
    #[must_use]
    pub const fn mul_mat2(&self, rhs: &Self) -> Self {
        Self::from_cols(self.mul_vec2(rhs.x_axis), self.mul_vec2(rhs.y_axis))
    }

    /// `self + rhs` by entries, saturating. The operator `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self::from_cols(self.x_axis.saturating_add(rhs.x_axis), self.y_axis.saturating_add(rhs.y_axis))
    }

    /// `self − rhs` by entries, saturating. The operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, rhs: Self) -> Self {
        Self::from_cols(self.x_axis.saturating_sub(rhs.x_axis), self.y_axis.saturating_sub(rhs.y_axis))
    }

    /// `−self`, exact; `MAX` for an entry `MIN`. The unary operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_neg(self) -> Self {
        Self::from_cols(self.x_axis.saturating_neg(), self.y_axis.saturating_neg())
    }

    /// `self · rhs` by entries, each to nearest, saturating. The operator `*` with a number.
    #[inline]
    #[must_use]
    pub const fn saturating_scale(self, rhs: Fx) -> Self {
        Self::from_cols(self.x_axis.saturating_scale(rhs), self.y_axis.saturating_scale(rhs))
    }

    /// Whether every entry differs by `max_abs_diff` at the most.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(&self, rhs: Self, max_abs_diff: Fx) -> bool {
        self.x_axis.abs_diff_eq(rhs.x_axis, max_abs_diff) && self.y_axis.abs_diff_eq(rhs.y_axis, max_abs_diff)
    }
}

impl Default for Mat2 {
    /// The identity.
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl core::ops::Mul for Mat2 {
    type Output = Self;
    /// [`mul_mat2`](Self::mul_mat2).
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        self.mul_mat2(&rhs)
    }
}

impl core::ops::MulAssign for Mat2 {
    #[inline]
    fn mul_assign(&mut self, rhs: Self) {
        *self = self.mul_mat2(&rhs);
    }
}

impl core::ops::Mul<Vec2> for Mat2 {
    type Output = Vec2;
    /// [`mul_vec2`](Self::mul_vec2).
    #[inline]
    fn mul(self, rhs: Vec2) -> Vec2 {
        self.mul_vec2(rhs)
    }
}
