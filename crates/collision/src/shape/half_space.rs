//! [`HalfSpace`].

use super::{Aabb, ShapeError};
use crate::exact::{bits, length_squared, narrow, wide_dot, wide_relative};
use isostep_math::exact::round_shift;
use isostep_math::{Fx, Pose, Vec3};

/// All points on the inner side of a plane: the x with (x − `point`) · `normal` ≤ 0.
///
/// The plane is held by a point of it, not by its distance from the origin: moving it rounds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "HalfSpaceData"))]
pub struct HalfSpace {
    point: Vec3,
    normal: Vec3,
}

impl HalfSpace {
    /// The half-space below the plane through `point` whose outward normal is `normal`.
    ///
    /// A normal within 2⁻²¹ of unit length is taken, and normalised if it is farther from it than rounding leaves
    /// one: within 2⁻³⁰.
    ///
    /// # Errors
    /// If the normal has not unit length.
    pub const fn new(point: Vec3, normal: Vec3) -> Result<Self, ShapeError> {
        if normal.is_normalized() {
            Ok(Self { point, normal: unit(normal) })
        } else {
            Err(ShapeError::UnnormalizedNormal { normal })
        }
    }

    /// All points at or below height `y`: flat ground.
    #[must_use]
    pub const fn ground(y: Fx) -> Self {
        Self { point: Vec3::new(Fx::ZERO, y, Fx::ZERO), normal: Vec3::Y }
    }

    /// A point of the plane.
    #[must_use]
    pub const fn point(&self) -> Vec3 {
        self.point
    }

    /// The outward normal.
    #[must_use]
    pub const fn normal(&self) -> Vec3 {
        self.normal
    }

    /// The half-space moved by `pose`; the normal is normalised where rounding, or the rotation of the pose, left it
    /// off. A rotation that turns it to zero leaves it as it is.
    #[must_use]
    pub const fn transformed(&self, pose: &Pose) -> Self {
        let turned = unit(pose.transform_vector(self.normal));
        let normal = if turned.is_normalized() { turned } else { self.normal };
        Self { point: pose.transform_point(self.point), normal }
    }

    /// All of space; cut at the plane where the normal is an axis, which a flat ground's is.
    #[must_use]
    pub const fn to_aabb(&self) -> Aabb {
        let (mut min, mut max) = (Vec3::splat(Fx::MIN), Vec3::splat(Fx::MAX));
        let one = Fx::ONE.to_bits();
        match (self.normal.x.to_bits(), self.normal.y.to_bits(), self.normal.z.to_bits()) {
            (n, 0, 0) if n == one => max.x = self.point.x,
            (n, 0, 0) if n == -one => min.x = self.point.x,
            (0, n, 0) if n == one => max.y = self.point.y,
            (0, n, 0) if n == -one => min.y = self.point.y,
            (0, 0, n) if n == one => max.z = self.point.z,
            (0, 0, n) if n == -one => min.z = self.point.z,
            _ => {}
        }
        match Aabb::new(min, max) {
            Ok(aabb) => aabb,
            // One corner is an end of the range, so the other cannot be beyond it.
            Err(_) => Aabb::ALL,
        }
    }

    /// How far `point` lies outside (above zero) or inside (below zero), to nearest, saturating; exact for
    /// normals along an axis.
    #[must_use]
    pub const fn signed_distance(&self, point: Vec3) -> Fx {
        narrow(round_shift(self.signed_distance_q64(point), 32))
    }

    /// The same in Q64, exact for the normal as it is.
    pub(crate) const fn signed_distance_q64(&self, point: Vec3) -> i128 {
        // Differences of 65 bits by components of 33.
        wide_dot(wide_relative(point, self.point), bits(self.normal))
    }

    /// Whether `point` lies in the half-space or on its plane, exact.
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        self.signed_distance_q64(point) <= 0
    }

    /// The point of the half-space closest to `point`: `point` itself inside, its foot on the plane outside, each component
    /// within 1.5 units of 2⁻³² and what 2⁻⁵⁸ of the distance is.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.contains(point) {
            return point;
        }
        // Of 68 bits, which may be more than a distance has; over n², as the normal is no longer than to rounding.
        let distance = round_shift(self.signed_distance_q64(point), 32);
        let excess = length_squared(bits(self.normal)) - (1 << 64);
        let distance = distance - round_shift(distance * excess, 64);
        Vec3::new(
            foot(point.x, self.normal.x, distance),
            foot(point.y, self.normal.y, distance),
            foot(point.z, self.normal.z, distance),
        )
    }
}

/// A coordinate less the way along the normal, saturating.
const fn foot(point: Fx, normal: Fx, distance: i128) -> Fx {
    narrow(point.to_bits() as i128 - round_shift(distance * normal.to_bits() as i128, 32))
}

/// The normal with unit length. What has it already, to rounding, keeps its bits; zero stays zero.
const fn unit(normal: Vec3) -> Vec3 {
    if normal.length_squared().abs_diff_eq(Fx::ONE, Fx::from_bits(4)) {
        normal
    } else {
        normal.normalize_or_zero()
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct HalfSpaceData {
    point: Vec3,
    normal: Vec3,
}

#[cfg(feature = "serde")]
impl TryFrom<HalfSpaceData> for HalfSpace {
    type Error = ShapeError;

    fn try_from(data: HalfSpaceData) -> Result<Self, ShapeError> {
        Self::new(data.point, data.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    #[test]
    fn a_normal_without_unit_length_is_refused() {
        let normal = vec3(fx!(0), fx!(2), fx!(0));
        assert_eq!(HalfSpace::new(Vec3::ZERO, normal), Err(ShapeError::UnnormalizedNormal { normal }));
    }

    #[test]
    fn a_normal_of_few_digits_is_normalised_and_one_of_unit_length_keeps_its_bits() {
        // As from a file with fewer digits.
        let normal = Vec3::from_array([-742_028_288, -3_900_975_104, -1_636_625_408].map(Fx::from_bits));
        let plane = HalfSpace::new(Vec3::ZERO, normal).unwrap();
        let off = |v: Vec3| (v.length_squared() - Fx::ONE).abs().to_bits();
        assert!(off(normal) > 1000 && off(plane.normal()) <= 2);
        assert_eq!(HalfSpace::new(Vec3::ZERO, plane.normal()), Ok(plane));
        let turned = plane.transformed(&Pose::from_rotation(isostep_math::Quat::from_rotation_y(fx!(1))));
        assert!(off(turned.normal()) <= 4);
        assert_eq!(plane.transformed(&Pose::IDENTITY), plane);
    }

    #[test]
    fn distances_that_round_beyond_the_range_saturate() {
        let corner = vec3(Fx::MIN, fx!(0), fx!(0));
        let slope = HalfSpace::new(corner, vec3(fx!(0.6), fx!(0.8), fx!(0)).normalize()).unwrap();
        let along = i128::from(slope.normal().x.to_bits());
        // The last way by which a point is below 2³¹ m, by less than half a unit.
        let last = ((1 << 95) - 1) / along;
        assert!((1 << 95) - last * along <= 1 << 31);
        for way in [last, last + 1] {
            let x = Fx::from_bits((i128::from(i64::MIN) + way) as i64);
            assert_eq!(slope.signed_distance(vec3(x, fx!(0), fx!(0))), Fx::MAX, "{way}");
        }
    }

    #[test]
    fn the_plane_belongs_to_the_half_space_and_distances_have_signs() {
        let slope =
            HalfSpace::new(vec3(fx!(10), fx!(0), fx!(0)), vec3(fx!(0.6), fx!(0.8), fx!(0)).normalize())
                .unwrap();
        assert!(slope.contains(vec3(fx!(10), fx!(0), fx!(7))));
        assert_eq!(slope.signed_distance(vec3(fx!(13), fx!(4), fx!(0))).round(), fx!(5));
        assert!(slope.signed_distance(vec3(fx!(7), fx!(-4), fx!(0))) < fx!(-4.999));
        assert_eq!(
            HalfSpace::ground(fx!(1)).closest_point(vec3(fx!(3), fx!(9), fx!(2))),
            vec3(fx!(3), fx!(1), fx!(2))
        );
        assert_eq!(HalfSpace::ground(fx!(1)).to_aabb().max().y, fx!(1));
    }
}
