//! [`Shape2`].

use super::outline::{Convex2, Outline};
use super::{Aabb2, Circle, Obb2, Polygon};

/// A shape of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape2 {
    /// A disc.
    Circle(Circle),
    /// An axis-aligned box.
    Aabb(Aabb2),
    /// A box of any orientation.
    Box(Obb2),
    /// A convex polygon.
    Polygon(Polygon),
}

impl Convex2 for Shape2 {
    fn outline(&self) -> Outline {
        match self {
            Self::Circle(circle) => circle.outline(),
            Self::Aabb(aabb) => aabb.outline(),
            Self::Box(obb) => obb.outline(),
            Self::Polygon(polygon) => polygon.outline(),
        }
    }
}

impl From<Circle> for Shape2 {
    fn from(circle: Circle) -> Self {
        Self::Circle(circle)
    }
}

impl From<Aabb2> for Shape2 {
    fn from(aabb: Aabb2) -> Self {
        Self::Aabb(aabb)
    }
}

impl From<Obb2> for Shape2 {
    fn from(obb: Obb2) -> Self {
        Self::Box(obb)
    }
}

impl From<Polygon> for Shape2 {
    fn from(polygon: Polygon) -> Self {
        Self::Polygon(polygon)
    }
}
