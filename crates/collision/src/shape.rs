//! Shapes in the coordinates of their owner, or of the world where the owner has no pose.
//!
//! Constructors check what they are given and name what is wrong, so every value of these types is sound:
//! extents are positive and at most [`MAX_EXTENT`], directions and rotations have unit length. The arithmetic
//! of the other modules stands on that.

mod aabb;
mod capsule;
mod half_space;
mod obb;
mod sphere;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use half_space::HalfSpace;
pub use obb::Obb;
pub(crate) use obb::narrowed_axes;
pub use sphere::Sphere;

use isostep_math::{Fx, Pose, Quat, Vec3};

/// The largest radius, half extent and half length of a shape: 2¹⁵ m. Differences of the coordinates of shapes
/// that can meet then fit 48 bits, and their squares 97.
pub const MAX_EXTENT: Fx = Fx::from_int(1 << 15);

/// The longest segment of a capsule.
const MAX_LENGTH: Fx = MAX_EXTENT.saturating_add(MAX_EXTENT);

/// Why values make no shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A half extent that is zero or below, or beyond [`MAX_EXTENT`].
    #[error("half extent {value} along {}: it must be above 0 and at most {MAX_EXTENT} m", axis_name(*.axis))]
    ExtentOutOfRange {
        /// 0, 1 or 2 for x, y or z.
        axis: u8,
        /// What it was.
        value: Fx,
    },
    /// A half extent of an axis-aligned box that is below zero.
    #[error("half extent {value} along {}: it must be at least 0", axis_name(*.axis))]
    NegativeExtent {
        /// 0, 1 or 2 for x, y or z.
        axis: u8,
        /// What it was.
        value: Fx,
    },
    /// A radius that is zero or below, or beyond [`MAX_EXTENT`].
    #[error("radius {value}: it must be above 0 and at most {MAX_EXTENT} m")]
    RadiusOutOfRange {
        /// What it was.
        value: Fx,
    },
    /// Half the segment of a capsule, that is below zero or beyond [`MAX_EXTENT`].
    #[error("half height {value} of the segment: it must be from 0 to {MAX_EXTENT} m")]
    HalfHeightOutOfRange {
        /// What it was.
        value: Fx,
    },
    /// The segment of a capsule beyond twice [`MAX_EXTENT`].
    #[error("length {value} of the segment: it must be at most {MAX_LENGTH} m")]
    SegmentTooLong {
        /// What it was.
        value: Fx,
    },
    /// A rotation whose quaternion has not unit length.
    #[error("rotation {rotation}: a rotation needs a quaternion of length 1; normalize it")]
    UnnormalizedRotation {
        /// What it was.
        rotation: Quat,
    },
    /// A normal that has not unit length.
    #[error("normal {normal}: it needs length 1; normalize it")]
    UnnormalizedNormal {
        /// What it was.
        normal: Vec3,
    },
    /// A box whose minimum lies above its maximum.
    #[error("the minimum {min} lies above the maximum {max} along {}", axis_name(*.axis))]
    InvertedAabb {
        /// 0, 1 or 2 for x, y or z.
        axis: u8,
        /// The minimum of that axis.
        min: Fx,
        /// The maximum of that axis.
        max: Fx,
    },
}

/// A solid shape, as colliders have.
///
/// More kinds will come: hulls, height fields, meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box; axis-aligned with the identity rotation.
    Box(Obb),
    /// All points within a radius of a segment.
    Capsule(Capsule),
    /// All points on one side of a plane.
    HalfSpace(HalfSpace),
}

impl Shape {
    /// The shape moved by `pose`: its coordinates are those that `pose` leads to.
    ///
    /// Every position rounds once, to nearest; the rotation of a box is the product of both, normalised.
    #[must_use]
    pub const fn transformed(&self, pose: &Pose) -> Self {
        match self {
            Self::Sphere(sphere) => Self::Sphere(sphere.transformed(pose)),
            Self::Box(obb) => Self::Box(obb.transformed(pose)),
            Self::Capsule(capsule) => Self::Capsule(capsule.transformed(pose)),
            Self::HalfSpace(half_space) => Self::HalfSpace(half_space.transformed(pose)),
        }
    }

    /// The smallest axis-aligned box that holds the shape, rounded outward; a half-space fills all of space,
    /// but where its normal is an axis.
    #[must_use]
    pub const fn to_aabb(&self) -> Aabb {
        match self {
            Self::Sphere(sphere) => sphere.to_aabb(),
            Self::Box(obb) => obb.to_aabb(),
            Self::Capsule(capsule) => capsule.to_aabb(),
            Self::HalfSpace(half_space) => half_space.to_aabb(),
        }
    }

    /// Whether `point` lies in the shape or on its surface.
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        match self {
            Self::Sphere(sphere) => sphere.contains(point),
            Self::Box(obb) => obb.contains(point),
            Self::Capsule(capsule) => capsule.contains(point),
            Self::HalfSpace(half_space) => half_space.contains(point),
        }
    }

    /// The point of the shape that is closest to `point`: `point` itself if the shape holds it.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        match self {
            Self::Sphere(sphere) => sphere.closest_point(point),
            Self::Box(obb) => obb.closest_point(point),
            Self::Capsule(capsule) => capsule.closest_point(point),
            Self::HalfSpace(half_space) => half_space.closest_point(point),
        }
    }

    /// Its middle, of which it is the mirror image of itself; `None` of a half-space, which has none.
    #[must_use]
    pub const fn center(&self) -> Option<Vec3> {
        match self {
            Self::Sphere(sphere) => Some(sphere.center()),
            Self::Box(obb) => Some(obb.center()),
            Self::Capsule(capsule) => Some(capsule.center()),
            Self::HalfSpace(_) => None,
        }
    }

    /// The radius of the largest ball in it, in m; [`Fx::MAX`] of a half-space.
    #[must_use]
    pub const fn inradius(&self) -> Fx {
        match self {
            Self::Sphere(sphere) => sphere.radius(),
            Self::Box(obb) => obb.half_extents().min_element(),
            Self::Capsule(capsule) => capsule.radius(),
            Self::HalfSpace(_) => Fx::MAX,
        }
    }

    /// The radius of the smallest ball that holds it, in m, to nearest, saturating; [`Fx::MAX`] of a half-space.
    #[must_use]
    pub const fn circumradius(&self) -> Fx {
        match self {
            Self::Sphere(sphere) => sphere.radius(),
            Self::Box(obb) => obb.half_extents().length(),
            Self::Capsule(capsule) => capsule.center().distance(capsule.b()).saturating_add(capsule.radius()),
            Self::HalfSpace(_) => Fx::MAX,
        }
    }

    /// The distance from `point` to the farthest point of the shape, in m, rounded up, saturating; [`Fx::MAX`] of a
    /// half-space.
    #[must_use]
    pub fn farthest_distance(&self, point: Vec3) -> Fx {
        let nearest = match self {
            Self::Sphere(sphere) => point.distance(sphere.center()).saturating_add(sphere.radius()),
            Self::Box(obb) => {
                obb.corners().map(|corner| point.distance(corner)).into_iter().fold(Fx::ZERO, Fx::max)
            }
            Self::Capsule(capsule) => {
                let [a, b] = [capsule.a(), capsule.b()].map(|end| point.distance(end));
                a.max(b).saturating_add(capsule.radius())
            }
            Self::HalfSpace(_) => Fx::MAX,
        };
        nearest.saturating_add(Fx::EPSILON)
    }

    /// How far it reaches from its [`center`](Self::center) along a direction of unit length, in m, each operation to
    /// nearest; [`Fx::MAX`] of a half-space.
    #[must_use]
    pub fn half_width(&self, direction: Vec3) -> Fx {
        match self {
            Self::Sphere(sphere) => sphere.radius(),
            Self::Box(obb) => obb.rotation().inverse_mul_vec3(direction).abs().dot(obb.half_extents()),
            Self::Capsule(capsule) => {
                let half = (capsule.b().saturating_sub(capsule.a())).dot(direction).abs() * Fx::HALF;
                half.saturating_add(capsule.radius())
            }
            Self::HalfSpace(_) => Fx::MAX,
        }
    }
}

impl From<Sphere> for Shape {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Obb> for Shape {
    fn from(obb: Obb) -> Self {
        Self::Box(obb)
    }
}

impl From<Capsule> for Shape {
    fn from(capsule: Capsule) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<HalfSpace> for Shape {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

/// `Err` unless 0 < `value` ≤ [`MAX_EXTENT`].
const fn check_radius(value: Fx) -> Result<Fx, ShapeError> {
    if is_extent(value) { Ok(value) } else { Err(ShapeError::RadiusOutOfRange { value }) }
}

/// Whether 0 < `value` ≤ [`MAX_EXTENT`].
pub(crate) const fn is_extent(value: Fx) -> bool {
    0 < value.to_bits() && value.to_bits() <= MAX_EXTENT.to_bits()
}

/// What an axis of errors is called.
pub(crate) const fn axis_name(axis: u8) -> &'static str {
    match axis {
        0 => "x",
        1 => "y",
        _ => "z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    /// How large shapes are: in the middle, inside, around, seen from a point, along a direction.
    #[test]
    fn sizes_of_shapes_are_those_of_their_geometry() {
        let ball = Shape::from(Sphere::new(Vec3::X, fx!(0.5)).unwrap());
        let turned = Quat::from_rotation_z(Fx::FRAC_PI_2);
        let slab = Obb::new(Vec3::X, vec3(fx!(1), fx!(2), fx!(2)), turned).unwrap().into();
        let pill = Capsule::new(vec3(fx!(1), fx!(-2), fx!(0)), vec3(fx!(1), fx!(2), fx!(0)), fx!(0.5));
        let pill = Shape::from(pill.unwrap());
        for (shape, inside, around, from_origin, wide, high) in [
            (ball, fx!(0.5), fx!(0.5), fx!(1.5), fx!(0.5), fx!(0.5)),
            // Its half extents are 2, 1, 2 now, and its farthest corners at (3, 1, 2).
            (slab, fx!(1), fx!(3), fx!(14).sqrt(), fx!(2), fx!(1)),
            (pill, fx!(0.5), fx!(2.5), fx!(5).sqrt() + fx!(0.5), fx!(0.5), fx!(2.5)),
        ] {
            let tolerance = fx!(0.000000002);
            assert!(shape.center().unwrap().abs_diff_eq(Vec3::X, tolerance), "{shape:?}");
            assert_eq!((shape.inradius(), shape.circumradius()), (inside, around));
            let farthest = shape.farthest_distance(Vec3::ZERO);
            assert!(farthest >= from_origin && farthest.abs_diff_eq(from_origin, tolerance), "{farthest}");
            assert!(shape.half_width(Vec3::X).abs_diff_eq(wide, tolerance), "{shape:?}");
            assert!(shape.half_width(Vec3::NEG_Y).abs_diff_eq(high, tolerance), "{shape:?}");
        }
        let ground = Shape::from(HalfSpace::ground(fx!(0)));
        assert_eq!((ground.center(), ground.inradius(), ground.circumradius()), (None, Fx::MAX, Fx::MAX));
        assert_eq!((ground.farthest_distance(Vec3::X), ground.half_width(Vec3::Y)), (Fx::MAX, Fx::MAX));
    }
}
