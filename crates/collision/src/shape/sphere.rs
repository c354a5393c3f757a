//! [`Sphere`].

use super::{Aabb, ShapeError, check_radius};
use crate::exact::{length_squared, relative, way_toward};
use isostep_math::{Fx, Pose, Vec3};

/// A ball: all points within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "SphereData"))]
pub struct Sphere {
    center: Vec3,
    radius: Fx,
}

impl Sphere {
    /// The ball of 1 m around the origin.
    pub const UNIT: Self = Self { center: Vec3::ZERO, radius: Fx::ONE };

    /// A ball around `center`.
    ///
    /// # Errors
    /// If the radius is zero or below, or above [`MAX_EXTENT`](super::MAX_EXTENT).
    pub const fn new(center: Vec3, radius: Fx) -> Result<Self, ShapeError> {
        match check_radius(radius) {
            Ok(radius) => Ok(Self { center, radius }),
            Err(error) => Err(error),
        }
    }

    /// A ball around the origin.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub const fn from_radius(radius: Fx) -> Result<Self, ShapeError> {
        Self::new(Vec3::ZERO, radius)
    }

    /// Its centre.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        self.center
    }

    /// Its radius.
    #[must_use]
    pub const fn radius(&self) -> Fx {
        self.radius
    }

    /// The ball moved by `pose`.
    #[must_use]
    pub const fn transformed(&self, pose: &Pose) -> Self {
        Self { center: pose.transform_point(self.center), radius: self.radius }
    }

    /// The smallest axis-aligned box around it, exact.
    #[must_use]
    pub const fn to_aabb(&self) -> Aabb {
        Aabb::around(self.center, Vec3::splat(self.radius))
    }

    /// Whether `point` lies in the ball or on its surface, exact.
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        match relative(point, self.center) {
            Some(offset) => length_squared(offset) <= length_squared([self.radius.to_bits(), 0, 0]),
            None => false,
        }
    }

    /// The point of the ball closest to `point`, within a unit of 2⁻³² per axis; `point` itself inside.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.contains(point) {
            return point;
        }
        self.center.saturating_add(way_toward(self.center, point, self.radius))
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct SphereData {
    center: Vec3,
    radius: Fx,
}

#[cfg(feature = "serde")]
impl TryFrom<SphereData> for Sphere {
    type Error = ShapeError;

    fn try_from(data: SphereData) -> Result<Self, ShapeError> {
        Self::new(data.center, data.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    #[test]
    fn radii_out_of_range_are_refused_with_their_value() {
        let center = vec3(fx!(1), fx!(2), fx!(3));
        assert_eq!(Sphere::new(center, fx!(0)), Err(ShapeError::RadiusOutOfRange { value: fx!(0) }));
        assert_eq!(Sphere::new(center, fx!(-1)), Err(ShapeError::RadiusOutOfRange { value: fx!(-1) }));
        assert_eq!(Sphere::new(center, fx!(40000)), Err(ShapeError::RadiusOutOfRange { value: fx!(40000) }));
    }

    #[test]
    fn the_surface_belongs_to_the_ball() {
        let ball = Sphere::new(vec3(fx!(1000000000), fx!(0), fx!(0)), fx!(5)).unwrap();
        let on = vec3(fx!(1000000003), fx!(4), fx!(0));
        assert!(ball.contains(on));
        assert!(!ball.contains(on + vec3(Fx::EPSILON, fx!(0), fx!(0))));
        assert!(!ball.contains(vec3(Fx::MIN, fx!(0), fx!(0))));
        assert_eq!(ball.closest_point(vec3(fx!(1000000006), fx!(8), fx!(0))), on);
    }
}
