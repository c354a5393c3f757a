//! [`Quat`], a rotation.
//!
//! Here are the type and its algebra. `exponential` has half angles and the exponential map at 62 fraction bits,
//! which all the others stand on; `angles` the axis-angle forms, `euler` the three-angle forms, `frames` the
//! rotations between directions and from matrices, `interpolation` the ways between two rotations and
//! through time, `rotation` what a rotation does to a vector.

mod angles;
mod euler;
pub(crate) mod exponential;
mod frames;
mod interpolation;
pub(crate) mod rotation;

pub use euler::EulerRot;
pub use rotation::RotationMatrix;

use crate::exact::{narrow_q64, product, sqrt_round_u128};
use crate::vector::operators::{additive_operators, array_conversions, sequence_text};
use crate::vector::sums::{are_short, dot4_short, narrow_sum4};
use crate::vector::unit::{NORMALIZED_TOLERANCE, narrow_squares, sum_of_squares, unit};
use crate::{Fx, Vec3};

/// A rotation in space as a unit quaternion w + x i + y j + z k: four Q32.32 numbers, under the names of `glam`.
///
/// `q` and `-q` are the same rotation, but not equal. `a * b` is the rotation `b`, then `a`.
///
/// The constructors of rotations give quaternions whose length is within 2 units of 2⁻³² of 1. Products drift
/// from that by a unit or so each; [`normalize`](Self::normalize) after some hundreds of them. What is computed
/// *from* a quaternion is defined for any bits and does not panic: components beyond ±1 count as ±1
/// where a rotation is meant. Deserialisation and [`from_xyzw`](Self::from_xyzw) accept any four numbers, so the
/// door through which foreign data enters checks [`is_normalized`](Self::is_normalized).
///
/// ```
/// use isostep_math::{Fx, Quat, Vec3, fx};
///
/// let quarter = Quat::from_rotation_z(Fx::FRAC_PI_2);
/// assert_eq!(quarter * Vec3::X, Vec3::Y);
/// assert_eq!((quarter * quarter) * Vec3::X, Vec3::NEG_X);
/// assert_eq!(quarter.conjugate() * Vec3::Y, Vec3::X);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Quat {
    /// The factor of i: the x component of the axis times the sine of the half angle.
    pub x: Fx,
    /// The factor of j: the y component of the axis times the sine of the half angle.
    pub y: Fx,
    /// The factor of k: the z component of the axis times the sine of the half angle.
    pub z: Fx,
    /// The real part: the cosine of the half angle.
    pub w: Fx,
}

additive_operators!(Quat, 4);
array_conversions!(Quat, 4, from_array, to_array);
sequence_text!(Quat, x, y, z, w);

impl Quat {
    /// No rotation: (0, 0, 0, 1).
    pub const IDENTITY: Self = Self::from_xyzw(Fx::ZERO, Fx::ZERO, Fx::ZERO, Fx::ONE);

    /// The quaternion of these components, as they are.
    #[inline(always)]
    #[must_use]
    pub const fn from_xyzw(x: Fx, y: Fx, z: Fx, w: Fx) -> Self {
        Self { x, y, z, w }
    }

    /// The quaternion of the components x, y, z, w, as they are.
    #[inline]
    #[must_use]
    pub const fn from_array(a: [Fx; 4]) -> Self {
        Self { x: a[0], y: a[1], z: a[2], w: a[3] }
    }

    /// The components x, y, z, w.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [Fx; 4] {
        [self.x, self.y, self.z, self.w]
    }

    /// The raw bits of x, y, z, w.
    #[inline(always)]
    pub(crate) const fn to_bits(self) -> [i64; 4] {
        [self.x.0, self.y.0, self.z.0, self.w.0]
    }

    /// The quaternion of components with these raw bits.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: [i64; 4]) -> Self {
        Self { x: Fx(bits[0]), y: Fx(bits[1]), z: Fx(bits[2]), w: Fx(bits[3]) }
    }

    /// The imaginary part (x, y, z).
    #[inline]
    #[must_use]
    pub const fn xyz(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The conjugate w − x i − y j − z k, exact (`MAX` for a component `MIN`): the inverse rotation.
    #[inline]
    #[must_use]
    pub const fn conjugate(self) -> Self {
        Self { x: self.x.saturating_neg(), y: self.y.saturating_neg(), z: self.z.saturating_neg(), w: self.w }
    }

    /// The inverse rotation: the [`conjugate`](Self::conjugate), as in glam. `self` has length 1.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        self.conjugate()
    }

    /// The dot product of the four components: exact, then one rounding to nearest (≤ 0.5 units of 2⁻³²),
    /// saturating.
    #[inline]
    #[must_use]
    pub const fn dot(self, rhs: Self) -> Fx {
        let (a, b) = (self.to_bits(), rhs.to_bits());
        Fx(if are_short(a) && are_short(b) {
            narrow_q64(dot4_short(a, b))
        } else {
            narrow_sum4([product(a[0], b[0]), product(a[1], b[1]), product(a[2], b[2]), product(a[3], b[3])])
        })
    }

    /// The length to nearest (≤ 0.5 units of 2⁻³²), `MAX` where it is beyond the range.
    #[inline]
    #[must_use]
    pub const fn length(self) -> Fx {
        Fx(sqrt_round_u128(sum_of_squares(self.to_bits())))
    }

    /// The squared length, exact, then to nearest, saturating.
    #[inline]
    #[must_use]
    pub const fn length_squared(self) -> Fx {
        Fx(narrow_squares(sum_of_squares(self.to_bits())))
    }

    /// The quaternion of the same direction and length 1; **the identity for zero**, where glam has NaN.
    ///
    /// Every component is within 0.51 units of 2⁻³² of the exact one, so the length is within 1.02 units of 1.
    #[inline]
    #[must_use]
    pub const fn normalize(self) -> Self {
        match unit::<32, 4>(self.to_bits()) {
            Some(bits) => Self::from_bits(bits),
            None => Self::IDENTITY,
        }
    }

    /// Whether the squared length is within 2⁻²⁰ of 1, which allows for quaternions that come from `f32`.
    #[inline]
    #[must_use]
    pub const fn is_normalized(self) -> bool {
        self.length_squared().abs_diff_eq(Fx::ONE, NORMALIZED_TOLERANCE)
    }

    /// Whether every component differs by `max_abs_diff` at the most; `q` and `-q` differ.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(self, rhs: Self, max_abs_diff: Fx) -> bool {
        self.x.abs_diff_eq(rhs.x, max_abs_diff)
            && self.y.abs_diff_eq(rhs.y, max_abs_diff)
            && self.z.abs_diff_eq(rhs.z, max_abs_diff)
            && self.w.abs_diff_eq(rhs.w, max_abs_diff)
    }

    /// The Hamilton product: the rotation `rhs`, then `self`. The operator `*`.
    ///
    /// Each component is exact, then rounded once to nearest (≤ 0.5 units of 2⁻³²), saturating. The product is
    /// not normalised; its length is the product of the lengths within 1 unit. The identity is neutral to
    /// the bit.
    #[inline]
    #[must_use]
    pub const fn mul_quat(self, rhs: Self) -> Self {
        let (a, b) = (self.to_bits(), rhs.to_bits());
        if are_short(a) && are_short(b) {
            let [x, y, z, w] = hamilton(a, b);
            return Self::from_bits([narrow_q64(x), narrow_q64(y), narrow_q64(z), narrow_q64(w)]);
        }
        long_product(a, b)
    }

    /// `self + rhs` by components, saturating. The operator `+`.
    #[inline]
    #[must_use]
    pub const fn saturating_add(self, rhs: Self) -> Self {
        Self {
            x: self.x.saturating_add(rhs.x),
            y: self.y.saturating_add(rhs.y),
            z: self.z.saturating_add(rhs.z),
            w: self.w.saturating_add(rhs.w),
        }
    }

    /// `self − rhs` by components, saturating. The operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_sub(self, rhs: Self) -> Self {
        Self {
            x: self.x.saturating_sub(rhs.x),
            y: self.y.saturating_sub(rhs.y),
            z: self.z.saturating_sub(rhs.z),
            w: self.w.saturating_sub(rhs.w),
        }
    }

    /// `−self`, exact (`MAX` for a component `MIN`): the same rotation. The unary operator `-`.
    #[inline]
    #[must_use]
    pub const fn saturating_neg(self) -> Self {
        Self {
            x: self.x.saturating_neg(),
            y: self.y.saturating_neg(),
            z: self.z.saturating_neg(),
            w: self.w.saturating_neg(),
        }
    }

    /// `self · rhs` by components, each to nearest, saturating. The operator `*` with a number.
    #[inline]
    #[must_use]
    pub const fn saturating_scale(self, rhs: Fx) -> Self {
        Self {
            x: self.x.saturating_mul(rhs),
            y: self.y.saturating_mul(rhs),
            z: self.z.saturating_mul(rhs),
            w: self.w.saturating_mul(rhs),
        }
    }

    /// The raw bits with components beyond ±1 taken as ±1.
    #[inline(always)]
    pub(crate) const fn to_unit_bits(self) -> [i64; 4] {
        let mut bits = self.to_bits();
        let mut i = 0;
        while i < 4 {
            bits[i] = Fx(bits[i]).clamp(Fx::NEG_ONE, Fx::ONE).0;
            i += 1;
        }
        bits
    }
}

/// The Hamilton product a b, exact, where |a| |b| < 2^127: then no partial sum is greater (Cauchy–Schwarz).
#[inline(always)]
pub(crate) const fn hamilton(a: [i64; 4], b: [i64; 4]) -> [i128; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        product(aw, bx) + product(ax, bw) + product(ay, bz) - product(az, by),
        product(aw, by) + product(ay, bw) + product(az, bx) - product(ax, bz),
        product(aw, bz) + product(az, bw) + product(ax, by) - product(ay, bx),
        product(aw, bw) - product(ax, bx) - product(ay, by) - product(az, bz),
    ]
}

/// The product of quaternions that are no rotations at all: some component is beyond ±2^30.
#[cold]
const fn long_product(a: [i64; 4], b: [i64; 4]) -> Quat {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    Quat::from_bits([
        narrow_sum4([product(aw, bx), product(ax, bw), product(ay, bz), -product(az, by)]),
        narrow_sum4([product(aw, by), product(ay, bw), product(az, bx), -product(ax, bz)]),
        narrow_sum4([product(aw, bz), product(az, bw), product(ax, by), -product(ay, bx)]),
        narrow_sum4([product(aw, bw), -product(ax, bx), -product(ay, by), -product(az, bz)]),
    ])
}

impl Default for Quat {
    /// The identity.
    #[inline]
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl core::ops::Mul for Quat {
    type Output = Self;
    /// [`mul_quat`](Self::mul_quat): the rotation `rhs`, then `self`.
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        self.mul_quat(rhs)
    }
}

impl core::ops::MulAssign for Quat {
    #[inline]
    fn mul_assign(&mut self, rhs: Self) {
        *self = self.mul_quat(rhs);
    }
}

impl core::ops::Mul<Vec3> for Quat {
    type Output = Vec3;
    /// [`mul_vec3`](Self::mul_vec3).
    #[inline]
    fn mul(self, rhs: Vec3) -> Vec3 {
        self.mul_vec3(rhs)
    }
}

impl From<(Fx, Fx, Fx, Fx)> for Quat {
    #[inline]
    fn from((x, y, z, w): (Fx, Fx, Fx, Fx)) -> Self {
        Self { x, y, z, w }
    }
}

impl From<Quat> for (Fx, Fx, Fx, Fx) {
    #[inline]
    fn from(q: Quat) -> Self {
        (q.x, q.y, q.z, q.w)
    }
}
