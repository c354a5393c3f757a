//! [`Pose`].

use crate::quat::rotation::{ENTRY_BITS, apply, narrowed, rows};
use crate::vector::operators::array_conversions;
use crate::{Fx, Quat, Vec3};
use core::fmt;

/// A position and orientation in space: the rotation first, then the translation.
///
/// As a map it takes the coordinates of a point in the body to those in the world. Nothing here panics, for any
/// bits. Deserialisation accepts any numbers, so the door through which foreign data enters checks
/// [`Quat::is_normalized`].
///
/// Where two poses are compared, as in [`relative_to`](Self::relative_to) and
/// [`inverse_transform_point`](Self::inverse_transform_point), positions enter by their difference, which is
/// exact: a thousand kilometres from the origin the result has the same bits.
///
/// ```
/// use isostep_math::{Fx, Pose, Quat, Vec3, fx};
///
/// let far = Vec3::new(fx!(1000000), fx!(0), fx!(0));
/// let hand = Pose::new(Quat::from_rotation_y(Fx::FRAC_PI_2), far + Vec3::Z);
/// let tip = hand.transform_point(Vec3::Z);
/// assert_eq!(tip, far + Vec3::Z + Vec3::X);
/// assert_eq!(hand.inverse_transform_point(tip), Vec3::Z);
/// assert_eq!(hand.relative_to(Pose::from_translation(far)).translation, Vec3::Z);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(C)]
pub struct Pose {
    /// The orientation, of length 1.
    pub rotation: Quat,
    /// The position.
    pub translation: Vec3,
}

array_conversions!(Pose, 7, from_array, to_array);

impl Pose {
    /// At the origin, not turned.
    pub const IDENTITY: Self = Self::new(Quat::IDENTITY, Vec3::ZERO);

    /// The pose of this rotation and translation, as they are.
    #[inline(always)]
    #[must_use]
    pub const fn new(rotation: Quat, translation: Vec3) -> Self {
        Self { rotation, translation }
    }

    /// The pose that is moved and not turned.
    #[inline]
    #[must_use]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self::new(Quat::IDENTITY, translation)
    }

    /// The pose that is turned and not moved.
    #[inline]
    #[must_use]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self::new(rotation, Vec3::ZERO)
    }

    /// The pose of the rotation x, y, z, w and the translation x, y, z, as they are.
    #[inline]
    #[must_use]
    pub const fn from_array(a: [Fx; 7]) -> Self {
        Self::new(Quat::from_xyzw(a[0], a[1], a[2], a[3]), Vec3::new(a[4], a[5], a[6]))
    }

    /// The rotation x, y, z, w and the translation x, y, z.
    #[inline]
    #[must_use]
    pub const fn to_array(self) -> [Fx; 7] {
        let (q, t) = (self.rotation, self.translation);
        [q.x, q.y, q.z, q.w, t.x, t.y, t.z]
    }

    /// A point of the body in world coordinates: turned, then moved.
    ///
    /// Each component within 0.5 units of 2⁻³² + 2⁻⁵⁵ |point|, one rounding in all, saturating.
    #[inline]
    #[must_use]
    pub const fn transform_point(self, point: Vec3) -> Vec3 {
        // The origin of the body, and what is not turned, need no matrix for the same bits.
        if (point.x.0 | point.y.0 | point.z.0) == 0 {
            return self.translation;
        }
        if self.rotation.is_identity() {
            return point.saturating_add(self.translation);
        }
        moved(rows(self.rotation), self.translation, point)
    }

    /// Two points of the body in world coordinates: both as [`transform_point`](Self::transform_point), for less than
    /// twice the work.
    #[inline]
    #[must_use]
    pub const fn transform_points(self, [a, b]: [Vec3; 2]) -> [Vec3; 2] {
        let rows = rows(self.rotation);
        [moved(rows, self.translation, a), moved(rows, self.translation, b)]
    }

    /// A direction of the body in world coordinates: only turned, as [`Quat::mul_vec3`].
    #[inline]
    #[must_use]
    pub const fn transform_vector(self, vector: Vec3) -> Vec3 {
        self.rotation.mul_vec3(vector)
    }

    /// A world point in coordinates of the body.
    ///
    /// The translation is subtracted first, exactly, so the distance from the origin costs nothing: each
    /// component within 0.5 units of 2⁻³² + 2⁻⁵⁵ of the difference. A difference beyond the range of a component
    /// saturates.
    #[inline]
    #[must_use]
    pub const fn inverse_transform_point(self, point: Vec3) -> Vec3 {
        self.rotation.inverse_mul_vec3(point.saturating_sub(self.translation))
    }

    /// A world direction in coordinates of the body: only turned back, as [`Quat::inverse_mul_vec3`].
    #[inline]
    #[must_use]
    pub const fn inverse_transform_vector(self, vector: Vec3) -> Vec3 {
        self.rotation.inverse_mul_vec3(vector)
    }

    /// The pose `rhs`, given in coordinates of `self`, in world coordinates: the map `rhs`, then `self`. The
    /// operator `*`.
    ///
    /// Rounded once per component. The rotation is not normalised (see [`Quat::mul_quat`]); the identity is
    /// neutral to the bit on both sides.
    #[inline]
    #[must_use]
    pub const fn mul_pose(self, rhs: Self) -> Self {
        Self::new(self.rotation.mul_quat(rhs.rotation), self.transform_point(rhs.translation))
    }

    /// The inverse map: each component of its translation within 0.5 units of 2⁻³² + 2⁻⁵⁵ of the distance.
    ///
    /// Far from the origin its product with others cancels large numbers; [`relative_to`](Self::relative_to) and
    /// [`inverse_transform_point`](Self::inverse_transform_point) do not.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self::new(
            self.rotation.conjugate(),
            self.rotation.inverse_mul_vec3(self.translation.saturating_neg()),
        )
    }

    /// The pose of `self` in coordinates of `base`: `base.inverse() * self`, but positions enter by their
    /// difference only.
    ///
    /// So the result has the same bits when both are moved by the same offset, wherever the moved positions
    /// are representable. A difference beyond the range of a component saturates.
    #[inline]
    #[must_use]
    pub const fn relative_to(self, base: Self) -> Self {
        Self::new(
            base.rotation.conjugate().mul_quat(self.rotation),
            base.inverse_transform_point(self.translation),
        )
    }

    /// The pose between `self` and `end` for drawing between two steps: [`Vec3::lerp`] and [`Quat::nlerp`].
    #[doc(alias = "interpolate")]
    #[inline]
    #[must_use]
    pub const fn lerp(self, end: Self, s: Fx) -> Self {
        Self::new(self.rotation.nlerp(end.rotation, s), self.translation.lerp(end.translation, s))
    }

    /// The pose between `self` and `end` at constant speeds: [`Vec3::lerp`] and [`Quat::slerp`].
    #[inline]
    #[must_use]
    pub const fn slerp(self, end: Self, s: Fx) -> Self {
        Self::new(self.rotation.slerp(end.rotation, s), self.translation.lerp(end.translation, s))
    }

    /// The pose with its rotation normalised; the identity rotation for a zero one.
    #[inline]
    #[must_use]
    pub const fn normalize(self) -> Self {
        Self::new(self.rotation.normalize(), self.translation)
    }

    /// Whether every component differs by `max_abs_diff` at the most; `q` and `-q` differ.
    #[inline]
    #[must_use]
    pub const fn abs_diff_eq(self, rhs: Self, max_abs_diff: Fx) -> bool {
        self.rotation.abs_diff_eq(rhs.rotation, max_abs_diff)
            && self.translation.abs_diff_eq(rhs.translation, max_abs_diff)
    }
}

/// The point turned by a matrix in Q58, then moved: one rounding.
#[inline(always)]
const fn moved(rows: [[i64; 3]; 3], translation: Vec3, point: Vec3) -> Vec3 {
    let [x, y, z] = apply(rows, point.to_bits());
    let t = translation.to_bits();
    // Below 2^126, and 2^121 more.
    narrowed([
        x + ((t[0] as i128) << ENTRY_BITS),
        y + ((t[1] as i128) << ENTRY_BITS),
        z + ((t[2] as i128) << ENTRY_BITS),
    ])
}

impl core::ops::Mul for Pose {
    type Output = Self;
    /// [`mul_pose`](Self::mul_pose): the map `rhs`, then `self`.
    #[inline]
    fn mul(self, rhs: Self) -> Self {
        self.mul_pose(rhs)
    }
}

impl core::ops::MulAssign for Pose {
    #[inline]
    fn mul_assign(&mut self, rhs: Self) {
        *self = self.mul_pose(rhs);
    }
}

impl fmt::Display for Pose {
    /// Rotation and translation in brackets, each number formatted as the format says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        fmt::Display::fmt(&self.rotation, f)?;
        f.write_str(", ")?;
        fmt::Display::fmt(&self.translation, f)?;
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn points_are_moved_to_the_same_bits_two_at_a_time_and_where_nothing_turns() {
        let mut rng = Rng::new(4, 0);
        for shift in 0..63 {
            let mut word = || rng.next_u64() as i64 >> shift;
            let mut vector = || Vec3::from_bits([word(), word(), word()]);
            let points = [vector(), if shift % 2 == 0 { vector() } else { Vec3::ZERO }];
            let turned = Quat::from_scaled_axis(vector());
            for rotation in [turned, Quat::IDENTITY] {
                let pose = Pose::new(rotation, vector());
                let exact = points.map(|point| moved(rows(rotation), pose.translation, point));
                assert_eq!(pose.transform_points(points), exact);
                assert_eq!(points.map(|point| pose.transform_point(point)), exact);
            }
        }
    }
}
