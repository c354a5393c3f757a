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
