//! [`Capsule`].

use super::{Aabb, MAX_EXTENT, MAX_LENGTH, ShapeError, check_radius};
use crate::exact::{cross_within, dot, length_squared, relative, way_toward, wide_dot, wide_relative};
use isostep_math::exact::round_shift;
use isostep_math::{Fx, Pose, Vec3};

/// All points within `radius` of the segment from `a` to `b`. The two ends may coincide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "CapsuleData"))]
pub struct Capsule {
    a: Vec3,
    b: Vec3,
    radius: Fx,
}

impl Capsule {
    /// The capsule around the segment from `a` to `b`.
    ///
    /// # Errors
    /// If the radius is zero or below, or above [`MAX_EXTENT`]; if the segment is longer than twice that.
    pub const fn new(a: Vec3, b: Vec3, radius: Fx) -> Result<Self, ShapeError> {
        let radius = match check_radius(radius) {
            Ok(radius) => radius,
            Err(error) => return Err(error),
        };
        let length = a.distance(b);
        if length.to_bits() > MAX_LENGTH.to_bits() {
            return Err(ShapeError::SegmentTooLong { value: length });
        }
        Ok(Self { a, b, radius })
    }

    /// A capsule around the origin along y: the segment reaches `half_height` up and down.
    ///
    /// # Errors
    /// If the radius is zero or below, or above [`MAX_EXTENT`]; if `half_height` is below zero, or above that.
    pub const fn along_y(half_height: Fx, radius: Fx) -> Result<Self, ShapeError> {
        if half_height.to_bits() < 0 || half_height.to_bits() > MAX_EXTENT.to_bits() {
            return Err(ShapeError::HalfHeightOutOfRange { value: half_height });
        }
        let top = Vec3::new(Fx::ZERO, half_height, Fx::ZERO);
        Self::new(top.saturating_neg(), top, radius)
    }

    /// One end of its segment.
    #[must_use]
    pub const fn a(&self) -> Vec3 {
        self.a
    }

    /// The other end of its segment.
    #[must_use]
    pub const fn b(&self) -> Vec3 {
        self.b
    }

    /// Its radius.
    #[must_use]
    pub const fn radius(&self) -> Fx {
        self.radius
    }

    /// The point amid its ends, to nearest: the same seen from an end, wherever that is.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.a.saturating_add(Vec3::ZERO.midpoint(self.b.saturating_sub(self.a)))
    }

    /// The capsule moved by `pose`: both ends, each to nearest.
    #[must_use]
    pub const fn transformed(&self, pose: &Pose) -> Self {
        let [a, b] = pose.transform_points([self.a, self.b]);
        Self { a, b, radius: self.radius }
    }

    /// The smallest axis-aligned box around it, exact.
    #[must_use]
    pub const fn to_aabb(&self) -> Aabb {
        let reach = Vec3::splat(self.radius);
        Aabb::around(self.a, reach).merge(&Aabb::around(self.b, reach))
    }

    /// The point of its segment closest to `point`, each component within a unit of 2⁻³².
    #[must_use]
    pub const fn closest_segment_point(&self, point: Vec3) -> Vec3 {
        let Some(axis) = relative(self.b, self.a) else { return self.a };
        let square = length_squared(axis);
        // Of 65 bits and of 49.
        let along = wide_dot(wide_relative(point, self.a), axis);
        if along <= 0 {
            return self.a;
        }
        if along >= square {
            return self.b;
        }
        // The fraction in Q61, from the leading 62 bits of both.
        let drop = 66_u32.saturating_sub(square.leading_zeros());
        let fraction = ((along >> drop) << 61) / (square >> drop);
        self.a.saturating_add(Vec3::new(
            share(axis[0], fraction),
            share(axis[1], fraction),
            share(axis[2], fraction),
        ))
    }

    /// Whether `point` lies in the capsule or on its surface, exact.
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        let (Some(to_a), Some(axis)) = (relative(point, self.a), relative(self.b, self.a)) else {
            return false;
        };
        let radius_squared = length_squared([self.radius.to_bits(), 0, 0]);
        let (along, axis_squared) = (dot(to_a, axis), length_squared(axis));
        if along <= 0 {
            return length_squared(to_a) <= radius_squared;
        }
        if along >= axis_squared {
            let Some(to_b) = relative(point, self.b) else { return false };
            return length_squared(to_b) <= radius_squared;
        }
        // Beside the segment: |to_a × axis|² ≤ r² |axis|², by words.
        cross_within(to_a, axis, radius_squared, axis_squared)
    }

    /// The point of the capsule closest to `point`, within two units of 2⁻³² per component; `point` itself inside.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.contains(point) {
            return point;
        }
        let foot = self.closest_segment_point(point);
        foot.saturating_add(way_toward(foot, point, self.radius))
    }
}

/// `length · fraction` for a fraction in Q61, to nearest, ties away from zero.
const fn share(length: i64, fraction: i128) -> Fx {
    Fx::from_bits(round_shift(length as i128 * fraction, 61) as i64)
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct CapsuleData {
    a: Vec3,
    b: Vec3,
    radius: Fx,
}

#[cfg(feature = "serde")]
impl TryFrom<CapsuleData> for Capsule {
    type Error = ShapeError;

    /// As [`Capsule::new`], but for [`ROUNDED`]: what was written can be read.
    fn try_from(data: CapsuleData) -> Result<Self, ShapeError> {
        let CapsuleData { a, b, radius } = data;
        match Self::new(a, b, radius) {
            Err(ShapeError::SegmentTooLong { value }) if value <= MAX_LENGTH + ROUNDED => {
                Ok(Self { a, b, radius })
            }
            capsule => capsule,
        }
    }
}

/// By how much the longest segment may have become longer where it was [transformed](Capsule::transformed), however often: each
/// time by two units at the most.
#[cfg(feature = "serde")]
const ROUNDED: Fx = Fx::from_bits(1 << 12);

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    #[test]
    fn wrong_values_are_refused_by_name() {
        for radius in [fx!(0), fx!(-1), MAX_EXTENT + Fx::EPSILON] {
            let error = ShapeError::RadiusOutOfRange { value: radius };
            assert_eq!(Capsule::along_y(fx!(1), radius), Err(error));
        }
        for half_height in [-Fx::EPSILON, fx!(40000), Fx::MAX] {
            let error = ShapeError::HalfHeightOutOfRange { value: half_height };
            assert_eq!(Capsule::along_y(half_height, fx!(1)), Err(error));
        }
        assert!(Capsule::along_y(fx!(0), fx!(1)).is_ok() && Capsule::along_y(MAX_EXTENT, fx!(1)).is_ok());
        let (top, radius) = (Vec3::Y * fx!(40000), fx!(1));
        let error = ShapeError::SegmentTooLong { value: fx!(80000) };
        assert_eq!(Capsule::new(-top, top, radius), Err(error));
        let texts = [
            (Capsule::along_y(fx!(1), fx!(0)), "radius 0: it must be above 0 and at most 32768 m"),
            (Capsule::along_y(fx!(1), fx!(40000)), "radius 40000: it must be above 0 and at most 32768 m"),
            (
                Capsule::along_y(fx!(-1), fx!(1)),
                "half height -1 of the segment: it must be from 0 to 32768 m",
            ),
            (Capsule::new(-top, top, radius), "length 80000 of the segment: it must be at most 65536 m"),
        ];
        for (refused, text) in texts {
            assert_eq!(refused.unwrap_err().to_string(), text);
        }
    }

    #[test]
    fn the_surface_belongs_to_the_capsule_beside_and_beyond_its_segment() {
        let far = vec3(fx!(-500000000), fx!(0), fx!(0));
        let capsule = Capsule::new(far, far + vec3(fx!(3), fx!(4), fx!(0)), fx!(5)).unwrap();
        assert!(capsule.contains(far + vec3(fx!(0), fx!(0), fx!(5))));
        assert!(!capsule.contains(far + vec3(fx!(0), fx!(0), fx!(5)) + Vec3::Z * Fx::EPSILON));
        assert!(capsule.contains(far + vec3(fx!(-4), fx!(-3), fx!(0))));
        assert!(!capsule.contains(far + vec3(fx!(-4) - Fx::EPSILON, fx!(-3), fx!(0))));
        // Amid the segment, five units to its side: (1.5, 2) + 5 (-0.8, 0.6).
        assert!(capsule.contains(far + vec3(fx!(-2.5), fx!(5), fx!(0))));
        assert!(!capsule.contains(far + vec3(fx!(-2.5) - Fx::EPSILON, fx!(5), fx!(0))));
    }

    #[test]
    fn the_closest_point_of_a_tiny_segment_is_amid_it() {
        let tiny = Fx::from_bits(1000);
        let capsule = Capsule::new(Vec3::ZERO, Vec3::X * tiny, fx!(1)).unwrap();
        let beside = vec3(Fx::from_bits(400), fx!(3), fx!(0));
        assert_eq!(capsule.closest_segment_point(beside), vec3(Fx::from_bits(400), fx!(0), fx!(0)));
        assert_eq!(capsule.closest_segment_point(vec3(fx!(9), fx!(3), fx!(0))), Vec3::X * tiny);
    }

    #[test]
    fn a_capsule_of_no_length_is_a_ball() {
        let capsule = Capsule::along_y(fx!(0), fx!(2)).unwrap();
        assert!(capsule.contains(vec3(fx!(0), fx!(0), fx!(2))));
        assert_eq!(capsule.closest_point(vec3(fx!(0), fx!(6), fx!(0))), vec3(fx!(0), fx!(2), fx!(0)));
    }
}
