//! Rotations as three angles about coordinate axes.
//!
//! Every order of three different axes i, j, k has the same formulas up to one sign, e = +1 for the cyclic orders
//! (XYZ, YZX, ZXY) and −1 for the others. The rotation is R = Rᵢ(a) Rⱼ(b) R_k(c), and
//!
//! R_ik = e sin b,  R_jk = −e sin a cos b,  R_kk = cos a cos b,  R_ij = −e cos b sin c,  R_ii = cos b cos c.
//!
//! From a matrix, a = atan2(−e R_jk, R_kk) and b = atan2(e R_ik, √(R_ii² + R_ij²)). With a known, row j of
//! Rᵢ(−a) R is that of R_k(c), whose entries give c. So where cos b vanishes and only a sum of a and c is
//! determined, c makes up for whatever a came out, and there is no threshold (the method of
//! Eigen's `eulerAngles`).

use super::angles::from_q62;
use super::exponential::half_sin_cos;
use super::rotation::rows;
use super::{Quat, hamilton};
use crate::Fx;
use crate::exact::{product, round_shift, sqrt_rem_u128};
use crate::vector::unit::{aligned, sum_of_squares};

/// The order in which three angles turn about the coordinate axes.
///
/// The plain names are intrinsic: each turn is about the axes as the turns before have left them. `YXZ` with
/// (a, b, c) is the rotation Y(a) · X(b) · Z(c): yaw, then pitch about the turned X, then roll about the
/// turned Z. The names with `Ex` are extrinsic: about the axes of the world, in the order of the name. Both
/// describe the same rotations: `ZXYEx` with (c, b, a) is `YXZ` with (a, b, c).
///
/// **Unity**'s `Quaternion.Euler(x, y, z)` turns by z about Z, by x about X, by y about Y, in that order, about
/// the axes of the world: `ZXYEx` with (z, x, y), or `YXZ` with (y, x, z).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum EulerRot {
    /// Intrinsic: about Z, then the turned Y, then the turned X.
    ZYX,
    /// Intrinsic: about Z, then the turned X, then the turned Y.
    ZXY,
    /// Intrinsic: about Y, then the turned X, then the turned Z: yaw, pitch, roll; Unity's order, read from the
    /// body.
    #[default]
    YXZ,
    /// Intrinsic: about Y, then the turned Z, then the turned X.
    YZX,
    /// Intrinsic: about X, then the turned Y, then the turned Z.
    XYZ,
    /// Intrinsic: about X, then the turned Z, then the turned Y.
    XZY,
    /// Extrinsic: about Z, then Y, then X of the world.
    ZYXEx,
    /// Extrinsic: about Z, then X, then Y of the world; Unity's order, read from the world.
    ZXYEx,
    /// Extrinsic: about Y, then X, then Z of the world.
    YXZEx,
    /// Extrinsic: about Y, then Z, then X of the world.
    YZXEx,
    /// Extrinsic: about X, then Y, then Z of the world.
    XYZEx,
    /// Extrinsic: about X, then Z, then Y of the world.
    XZYEx,
}

impl EulerRot {
    /// The axes of the intrinsic form, and whether the angles come in the reverse order.
    const fn intrinsic(self) -> ([usize; 3], bool) {
        match self {
            Self::XYZ => ([0, 1, 2], false),
            Self::XZY => ([0, 2, 1], false),
            Self::YXZ => ([1, 0, 2], false),
            Self::YZX => ([1, 2, 0], false),
            Self::ZXY => ([2, 0, 1], false),
            Self::ZYX => ([2, 1, 0], false),
            Self::ZYXEx => ([0, 1, 2], true),
            Self::YZXEx => ([0, 2, 1], true),
            Self::ZXYEx => ([1, 0, 2], true),
            Self::XZYEx => ([1, 2, 0], true),
            Self::YXZEx => ([2, 0, 1], true),
            Self::XYZEx => ([2, 1, 0], true),
        }
    }
}

/// The rotation about one coordinate axis, Q2.62.
const fn turn(axis: usize, angle: Fx) -> [i64; 4] {
    let (sin, cos) = half_sin_cos((angle.0 as i128) << 32);
    let mut q = [0, 0, 0, cos];
    q[axis] = sin;
    q
}

/// The product of two unit quaternions in Q2.62, to nearest.
const fn product_q62(a: [i64; 4], b: [i64; 4]) -> [i64; 4] {
    let [x, y, z, w] = hamilton(a, b);
    [
        round_shift(x, 62) as i64,
        round_shift(y, 62) as i64,
        round_shift(z, 62) as i64,
        round_shift(w, 62) as i64,
    ]
}

impl Quat {
    /// The rotation by three angles in radians, in the order that `euler` names.
    ///
    /// Each component within 0.51 units of 2⁻³² of the exact one.
    ///
    /// ```
    /// use isostep_math::{EulerRot, Fx, Quat, Vec3};
    /// let q = Quat::from_euler(EulerRot::YXZ, Fx::FRAC_PI_2, Fx::ZERO, Fx::FRAC_PI_2);
    /// assert_eq!(q, Quat::from_rotation_y(Fx::FRAC_PI_2) * Quat::from_rotation_z(Fx::FRAC_PI_2));
    /// assert_eq!(q, Quat::from_euler(EulerRot::ZXYEx, Fx::FRAC_PI_2, Fx::ZERO, Fx::FRAC_PI_2));
    /// ```
    #[must_use]
    pub const fn from_euler(euler: EulerRot, a: Fx, b: Fx, c: Fx) -> Self {
        let ([i, j, k], reversed) = euler.intrinsic();
        let (a, c) = if reversed { (c, a) } else { (a, c) };
        from_q62(product_q62(product_q62(turn(i, a), turn(j, b)), turn(k, c)))
    }

    /// The three angles of the rotation in the order that `euler` names: the middle one in [−π/2, π/2], the
    /// others in [−π, π].
    ///
    /// [`from_euler`](Self::from_euler) of them is the same rotation within 3 units of 2⁻³², at a middle angle
    /// of ±π/2 too, where only the sum or the difference of the others is determined: one of them is then
    /// whatever the last bits say. Components beyond ±1 count as ±1; the zero quaternion gives zeros.
    #[must_use]
    pub const fn to_euler(self, euler: EulerRot) -> (Fx, Fx, Fx) {
        let ([i, j, k], reversed) = euler.intrinsic();
        let odd = (j + 3 - i) % 3 != 1;
        let m = rows(self);
        let e = if odd { -1 } else { 1 };
        // Entries are within ±9 in Q5.58.
        let a = Fx(-e * m[j][k]).atan2(Fx(m[k][k]));
        let (across, _) = sqrt_rem_u128(sum_of_squares([m[i][i], m[i][j]]));
        let b = Fx(e * m[i][k]).atan2(Fx(across as i64));
        let (sin, cos) = full_sin_cos(a);
        let [s, c] = aligned([
            product(e * cos, m[j][i]) + product(sin, m[k][i]),
            product(cos, m[j][j]) + product(e * sin, m[k][j]),
        ]);
        let c = Fx(s).atan2(Fx(c));
        if reversed { (c, b, a) } else { (a, b, c) }
    }
}

/// (sin, cos) of an angle as Q2.62.
const fn full_sin_cos(angle: Fx) -> (i64, i64) {
    half_sin_cos((angle.0 as i128) << 33)
}
