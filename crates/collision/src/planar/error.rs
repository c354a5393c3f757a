//! [`Shape2Error`].

use super::MAX_VERTICES;
use crate::shape::{MAX_EXTENT, axis_name};
use isostep_math::{Fx, Vec2};

/// Why values make no shape of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Shape2Error {
    /// A half extent that is zero or below, or beyond [`MAX_EXTENT`].
    #[error("half extent {value} along {}: it must be above 0 and at most {MAX_EXTENT} m", axis_name(*.axis))]
    ExtentOutOfRange {
        /// 0 or 1 for x or y.
        axis: u8,
        /// What it was.
        value: Fx,
    },
    /// A half extent of an axis-aligned box that is below zero.
    #[error("half extent {value} along {}: it must be at least 0", axis_name(*.axis))]
    NegativeExtent {
        /// 0 or 1 for x or y.
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
    /// An axis-aligned box or a polygon that is too wide; the width may be beyond the range of `Fx`.
    #[error("from {min} to {max} along {}: the width must be at most {limit} m", axis_name(*.axis))]
    TooWide {
        /// 0 or 1 for x or y.
        axis: u8,
        /// The least coordinate.
        min: Fx,
        /// The greatest coordinate.
        max: Fx,
        /// What is allowed.
        limit: Fx,
    },
    /// A box whose minimum lies above its maximum.
    #[error("the minimum {min} lies above the maximum {max} along {}", axis_name(*.axis))]
    InvertedAabb {
        /// 0 or 1 for x or y.
        axis: u8,
        /// The minimum of that axis.
        min: Fx,
        /// The maximum of that axis.
        max: Fx,
    },
    /// A cosine and sine that do not lie on the unit circle.
    #[error("cosine {cos} and sine {sin}: their squares must add up to 1; normalize them")]
    UnnormalizedRotation {
        /// What was given as the cosine.
        cos: Fx,
        /// What was given as the sine.
        sin: Fx,
    },
    /// Four vertices of which one is not where the fitted rectangle has its corner.
    #[error(
        "vertex {index} at {vertex}: the nearest rectangle has its corner at {corner}, beyond {tolerance}"
    )]
    NotARectangle {
        /// Which of the four.
        index: u8,
        /// What it was.
        vertex: Vec2,
        /// The corner of the fitted rectangle.
        corner: Vec2,
        /// What was allowed per component.
        tolerance: Fx,
    },
    /// Fewer than three vertices, or points on a line.
    #[error("{count} vertices: a polygon has at least 3")]
    TooFewVertices {
        /// How many there were, or were left of the convex hull.
        count: usize,
    },
    /// More than [`MAX_VERTICES`] vertices.
    #[error("{count} vertices: a polygon has at most {MAX_VERTICES}")]
    TooManyVertices {
        /// How many there were, or were left of the convex hull.
        count: usize,
    },
    /// Two vertices at the same point.
    #[error("vertices {first} and {second} are both at {point}")]
    DuplicateVertices {
        /// The lesser index.
        first: usize,
        /// The greater index.
        second: usize,
        /// Where they are.
        point: Vec2,
    },
    /// Vertices in clockwise order.
    #[error("the vertices run clockwise; reverse them")]
    Clockwise,
    /// A vertex that does not lie strictly to the left of every edge that it does not belong to.
    #[error(
        "vertex {vertex} is not to the left of the edge from vertex {edge}: the polygon is not strictly convex"
    )]
    NotConvex {
        /// The vertex.
        vertex: usize,
        /// The vertex where the edge begins.
        edge: usize,
    },
}
