//! [`SymmetricMat3`].

mod eigen;

pub use eigen::SymmetricEigen;

use crate::exact::{product, saturate};
use crate::mat3::determinant::{Reciprocal, determinant};
use crate::quat::rotation::{ENTRY_BITS, apply, rows};
use crate::vector::operators::{additive_operators, array_conversions, sequence_text};
use crate::vector::sums::{Wide, dot, narrow};
use crate::vector::unit::leading;
use crate::{Fx, Mat3, Quat, Vec3};

/// A symmetric 3 × 3 matrix by its six different entries: inertia and gyration tensors.
///
/// Whatever is done to it, it stays symmetric to the bit. Sums of products are exact and rounded once. The
/// default is zero. Nothing here panics.
///
/// ```
/// use isostep_math::{Fx, Quat, SymmetricMat3, Vec3, fx};
///
/// let slab = SymmetricMat3::from_diagonal(Vec3::new(fx!(1), fx!(4), fx!(5)));
/// let upright = slab.rotated(Quat::from_rotation_x(Fx::FRAC_PI_2));
/// assert_eq!(upright, SymmetricMat3::from_diagonal(Vec3::new(fx!(1), fx!(5), fx!(4))));
/// assert_eq!(slab.quadratic_form(Vec3::ONE), fx!(10));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C)]
pub struct SymmetricMat3 {
    /// Row x, column x.
    pub xx: Fx,
    /// Row y, column y.
    pub yy: Fx,
    /// Row z, column z.
    pub zz: Fx,
    /// Row x, column y, and row y, column x.
    pub xy: Fx,
    /// Row x, column z, and row z, column x.
    pub xz: Fx,
    /// Row y, column z, and row z, column y.
    pub yz: Fx,
}

additive_operators!(SymmetricMat3, 6);
array_conversions!(SymmetricMat3, 6, from_array, to_array);
sequence_text!(SymmetricMat3, xx, yy, zz, xy, xz, yz);

impl SymmetricMat3 {
    /// All entries 0.
    pub const ZERO: Self = Self::from_bits([0; 6]);
    /// 1 on the diagonal.
    pub const IDENTITY: Self = Self::from_diagonal(Vec3::ONE);

    /// The matrix of the entries xx, yy, zz, xy, xz, yz.
    #[inline]
    #[must_use]
    pub const fn from_array(a: [Fx; 6]) -> Self {
        Self { xx: a[0], yy: a[1], zz: a[2], xy: a[3], xz: a[4], yz: a[5] }
    }

    /// The entries xx, yy, zz, xy, xz, yz.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [Fx; 6] {
        [self.xx, self.yy, self.zz, self.xy, self.xz, self.yz]
    }

    /// The raw bits of xx, yy, zz, xy, xz, yz.
    #[inline(always)]
    const fn to_bits(self) -> [i64; 6] {
        [self.xx.0, self.yy.0, self.zz.0, self.xy.0, self.xz.0, self.yz.0]
    }

    /// The matrix of entries with these raw bits.
    #[inline(always)]
    const fn from_bits(b: [i64; 6]) -> Self {
        Self { xx: Fx(b[0]), yy: Fx(b[1]), zz: Fx(b[2]), xy: Fx(b[3]), xz: Fx(b[4]), yz: Fx(b[5]) }
    }

    /// The raw bits of the columns, which are the rows.
    #[inline(always)]
    const fn columns(self) -> [[i64; 3]; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.to_bits();
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    }

    /// The matrix with `diagonal` on the diagonal and 0 elsewhere.
    #[inline]
    #[must_use]
    pub const fn from_diagonal(diagonal: Vec3) -> Self {
        let zero = Fx::ZERO;
        Self { xx: diagonal.x, yy: diagonal.y, zz: diagonal.z, xy: zero, xz: zero, yz: zero }
    }

    /// The outer product v vᵀ, each entry to nearest, saturating.
    #[inline]
    #[must_use]
    pub const fn from_outer(v: Vec3) -> Self {
        Self {
            xx: v.x.squared(),
            yy: v.y.squared(),
            zz: v.z.squared(),
            xy: v.x.saturating_mul(v.y),
            xz: v.x.saturating_mul(v.z),
            yz: v.y.saturating_mul(v.z),
        }
    }

    /// The nine entries, exact.
    #[inline]
    #[must_use]
    pub const fn to_mat3(self) -> Mat3 {
        Mat3::from_columns(self.columns())
    }

    /// The diagonal.
    #[inline]
    #[must_use]
    pub const fn diagonal(self) -> Vec3 {
        Vec3::new(self.xx, self.yy, self.zz)
    }

    /// The sum of the diagonal, exact, saturated once.
    #[inline]
    #[must_use]
    pub const fn trace(self) -> Fx {
        self.diagonal().element_sum()
    }

    /// The matrix times a vector: each component exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²),
    /// saturating. The operator `*`.
    #[inline]
    #[must_use]
    pub const fn mul_vec3(self, rhs: Vec3) -> Vec3 {
        let [x, y, z] = self.columns();
        let v = rhs.to_bits();
        Vec3::from_bits([dot(x, v), dot(y, v), dot(z, v)])
    }

    /// vᵀ S v, exact in 192 bits, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating.
    #[must_use]
    pub const fn quadratic_form(self, v: Vec3) -> Fx {
        let [x, y, z] = v.to_bits();
        let [xx, yy, zz, xy, xz, yz] = self.to_bits();
        let terms = [
            Wide::product(product(x, x), xx),
            Wide::product(product(y, y), yy),
            Wide::product(product(z, z), zz),
            Wide::product(product(x, y), xy),
            Wide::product(product(x, z), xz),
            Wide::product(product(y, z), yz),
        ];
        // Up to 9 · 2^189 may wrap 192 bits, so a sum of the leading bits, which is below 2^126, finds out whether
        // the answer is far beyond the range.
        let mut sum = terms[0];
        let mut leading = terms[0].high() >> 4;
        let mut i = 1;
        while i < 6 {
            sum = sum.wrapping_add(terms[i]);
            leading += terms[i].high() >> 4;
            if i > 2 {
                sum = sum.wrapping_add(terms[i]);
                leading += terms[i].high() >> 4;
            }
            i += 1;
        }
        Fx(saturate(if leading >> 64 > 0 {
            i128::MAX
        } else if leading >> 64 < -1 {
            i128::MIN
        } else {
            sum.round_high()
        }))
    }

    /// R S Rᵀ for the rotation R: the tensor of the turned body.
    ///
    /// Each entry is within 0.51 units of 2⁻³² of the exact one for entries up to 2²⁰, within 2⁻⁵⁴ of the
    /// greatest entry beyond, saturating; the rotation is that of [`Quat::mul_vec3`]. S R is cut to 62 bits of
    /// its greatest entry between the two products, and only the result is rounded.
    #[must_use]
    pub const fn rotated(self, rotation: Quat) -> Self {
        let r = rows(rotation);
        let [x, y, z] = self.columns();
        // Column i of R S is R times column i of S, Q.90.
        let [a, b, c] = [apply(r, x), apply(r, y), apply(r, z)];
        let (t, drop) = leading([a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]]);
        let t = [[t[0], t[1], t[2]], [t[3], t[4], t[5]], [t[6], t[7], t[8]]];
        // |t| < 2^62 and |r| ≤ 9 · 2^58: three products are below 2^126. The fraction has 90 − drop + 58 bits.
        let shift = 2 * ENTRY_BITS - drop;
        let [xx, yx, zx] = apply(t, r[0]);
        let [_, yy, zy] = apply(t, r[1]);
        let [_, _, zz] = apply(t, r[2]);
        Self::from_bits([
            narrow(xx, shift),
            narrow(yy, shift),
            narrow(zz, shift),
            narrow(yx, shift),
            narrow(zx, shift),
            narrow(zy, shift),
        ])
    }

    /// The determinant: exact in 192 bits, then one rounding to nearest (≤ 0.5 units of 2⁻³²), saturating.
    #[must_use]
    pub const fn determinant(self) -> Fx {
        let [[xx, _, _], [xy, _, _], [xz, _, _]] = self.adjugate_rows();
        Fx(saturate(determinant(self.columns()[0], [xx, xy, xz]).round_high()))
    }

    /// The inverse, or `None` where the determinant is exactly zero.
    ///
    /// Each entry is within 0.5 units of 2⁻³² + 2⁻⁶⁰ of its value, saturating. Cofactors and determinant are
    /// exact, so an ill-conditioned matrix has as exact an inverse as any other.
    #[must_use]
    pub const fn try_inverse(self) -> Option<Self> {
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = self.adjugate_rows();
        let Some(r) = Reciprocal::new(determinant(self.columns()[0], [xx, xy, xz])) else { return None };
        Some(Self::from_bits([r.entry(xx), r.entry(yy), r.entry(zz), r.entry(xy), r.entry(xz), r.entry(yz)]))
    }

    /// The adjugate, Q.64, exact.
    #[inline(always)]
    const fn adjugate_rows(self) -> [[i128; 3]; 3] {
        crate::mat3::determinant::adjugate(self.columns())
    }

    /// `self + rhs` by entries, saturating. The operator `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self {
            xx: self.xx.saturating_add(rhs.xx),
            yy: self.yy.saturating_add(rhs.yy),
            zz: self.zz.saturating_add(rhs.zz),
            xy: self.xy.saturating_add(rhs.xy),
            xz: self.xz.saturating_add(rhs.xz),
            yz: self.yz.saturating_add(rhs.yz),
        }
    }

    /// `self − rhs` by entries, saturating. The operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, rhs: Self) -> Self {
        Self {
            xx: self.xx.saturating_sub(rhs.xx),
            yy: self.yy.saturating_sub(rhs.yy),
            zz: self.zz.saturating_sub(rhs.zz),
            xy: self.xy.saturating_sub(rhs.xy),
            xz: self.xz.saturating_sub(rhs.xz),
            yz: self.yz.saturating_sub(rhs.yz),
        }
    }

    /// `−self`, exact; `MAX` for an entry `MIN`. The unary operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_neg(self) -> Self {
        Self::ZERO.saturating_sub(self)
    }

    /// `self · rhs` by entries, each to nearest, saturating. The operator `*` with a number.
    #[inline]
    #[must_use]
    pub const fn saturating_scale(self, rhs: Fx) -> Self {
        Self {
            xx: self.xx.saturating_mul(rhs),
            yy: self.yy.saturating_mul(rhs),
            zz: self.zz.saturating_mul(rhs),
            xy: self.xy.saturating_mul(rhs),
            xz: self.xz.saturating_mul(rhs),
            yz: self.yz.saturating_mul(rhs),
        }
    }

    /// Whether every entry differs by `max_abs_diff` at the most.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(self, rhs: Self, max_abs_diff: Fx) -> bool {
        self.xx.abs_diff_eq(rhs.xx, max_abs_diff)
            && self.yy.abs_diff_eq(rhs.yy, max_abs_diff)
            && self.zz.abs_diff_eq(rhs.zz, max_abs_diff)
            && self.xy.abs_diff_eq(rhs.xy, max_abs_diff)
            && self.xz.abs_diff_eq(rhs.xz, max_abs_diff)
            && self.yz.abs_diff_eq(rhs.yz, max_abs_diff)
    }
}

impl core::ops::Mul<Vec3> for SymmetricMat3 {
    type Output = Vec3;
    /// [`mul_vec3`](Self::mul_vec3).
    #[inline]
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}
