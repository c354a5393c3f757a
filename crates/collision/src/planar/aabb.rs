//! [`Aabb2`].

use super::outline::{Convex2, Outline};
use super::{Obb2, Rotation2, Shape2Error};
use crate::shape::MAX_EXTENT;
use isostep_math::{Fx, Vec2};

/// An axis-aligned box: all points between two corners, the edges included.
///
/// It may be flat (a minimum that equals its maximum), never inverted, and at most
/// [`MAX_WIDTH`](Self::MAX_WIDTH) wide on each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "AabbData"))]
pub struct Aabb2 {
    min: Vec2,
    max: Vec2,
}

impl Aabb2 {
    /// The greatest width on each axis, 2¹⁷ m: room for the bounding box of every shape.
    pub const MAX_WIDTH: Fx = Fx::from_bits(MAX_EXTENT.to_bits() * 4);

    /// The box from `min` to `max`.
    ///
    /// # Errors
    /// If `min` lies above `max` on an axis, or farther below it than [`MAX_WIDTH`](Self::MAX_WIDTH).
    pub const fn new(min: Vec2, max: Vec2) -> Result<Self, Shape2Error> {
        let (lows, highs) = (min.to_array(), max.to_array());
        let mut axis = 0;
        while axis < 2 {
            let (min, max) = (lows[axis], highs[axis]);
            if min.to_bits() > max.to_bits() {
                return Err(Shape2Error::InvertedAabb { axis: axis as u8, min, max });
            }
            if max.to_bits().abs_diff(min.to_bits()) > Self::MAX_WIDTH.to_bits() as u64 {
                return Err(Shape2Error::TooWide { axis: axis as u8, min, max, limit: Self::MAX_WIDTH });
            }
            axis += 1;
        }
        Ok(Self { min, max })
    }

    /// The box around `center` that reaches `half_extents` to each side, exact; cut off at the ends of the range.
    ///
    /// # Errors
    /// If a half extent is below zero, or the box too wide.
    pub const fn from_center_half_extents(center: Vec2, half_extents: Vec2) -> Result<Self, Shape2Error> {
        if half_extents.x.to_bits() < 0 {
            return Err(Shape2Error::NegativeExtent { axis: 0, value: half_extents.x });
        }
        if half_extents.y.to_bits() < 0 {
            return Err(Shape2Error::NegativeExtent { axis: 1, value: half_extents.y });
        }
        Self::new(center.saturating_sub(half_extents), center.saturating_add(half_extents))
    }

    /// The box between two corners that are known to be in order and near enough.
    pub(super) const fn between(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// Its least corner.
    #[must_use]
    pub const fn min(&self) -> Vec2 {
        self.min
    }

    /// Its greatest corner.
    #[must_use]
    pub const fn max(&self) -> Vec2 {
        self.max
    }

    /// The point amid the corners, to nearest.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.min.midpoint(self.max)
    }

    /// Half its size, to nearest, ties up.
    #[must_use]
    pub const fn half_extents(&self) -> Vec2 {
        // Widths are below 2^50.
        let size = self.max.saturating_sub(self.min);
        Vec2::new(Fx::from_bits((size.x.to_bits() + 1) >> 1), Fx::from_bits((size.y.to_bits() + 1) >> 1))
    }

    /// Whether all of `other` lies in the box, exact.
    #[must_use]
    pub const fn contains_aabb(&self, other: &Self) -> bool {
        self.min.x.to_bits() <= other.min.x.to_bits()
            && self.min.y.to_bits() <= other.min.y.to_bits()
            && other.max.x.to_bits() <= self.max.x.to_bits()
            && other.max.y.to_bits() <= self.max.y.to_bits()
    }

    /// The smallest box that holds both, exact.
    ///
    /// # Errors
    /// If it is too wide.
    pub const fn merge(&self, other: &Self) -> Result<Self, Shape2Error> {
        Self::new(self.min.min(other.min), self.max.max(other.max))
    }

    /// What the two have in common, exact; `None` where they are apart.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        Self::new(self.min.max(other.min), self.max.min(other.max)).ok()
    }

    /// The box grown by `margin` on every side, or shrunk by a negative one; cut off at the ends of the range.
    ///
    /// # Errors
    /// If it becomes inverted or too wide.
    pub const fn expand(&self, margin: Fx) -> Result<Self, Shape2Error> {
        let margin = Vec2::splat(margin);
        Self::new(self.min.saturating_sub(margin), self.max.saturating_add(margin))
    }

    /// The box moved, exact; cut off at the ends of the range.
    #[must_use]
    pub const fn translate(&self, offset: Vec2) -> Self {
        Self { min: self.min.saturating_add(offset), max: self.max.saturating_add(offset) }
    }

    /// The four corners, counter-clockwise from the least one.
    #[must_use]
    pub const fn corners(&self) -> [Vec2; 4] {
        let (low, high) = (self.min, self.max);
        [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)]
    }

    /// The same box as an [`Obb2`] without rotation; an odd width rounds up by a unit.
    ///
    /// # Errors
    /// If it is flat, or a half extent is above [`MAX_EXTENT`].
    pub const fn to_obb(&self) -> Result<Obb2, Shape2Error> {
        Obb2::new(self.center(), self.half_extents(), Rotation2::IDENTITY)
    }
}

impl Convex2 for Aabb2 {
    fn outline(&self) -> Outline {
        Outline::upright(self.min, self.max)
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct AabbData {
    min: Vec2,
    max: Vec2,
}

#[cfg(feature = "serde")]
impl TryFrom<AabbData> for Aabb2 {
    type Error = Shape2Error;

    fn try_from(data: AabbData) -> Result<Self, Shape2Error> {
        Self::new(data.min, data.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec2};

    #[test]
    fn inverted_and_endless_boxes_are_refused_with_their_axis() {
        let inverted = Aabb2::new(vec2(fx!(0), fx!(2)), vec2(fx!(1), fx!(1)));
        assert_eq!(inverted, Err(Shape2Error::InvertedAabb { axis: 1, min: fx!(2), max: fx!(1) }));
        let text = "the minimum 2 lies above the maximum 1 along y";
        assert_eq!(inverted.unwrap_err().to_string(), text);
        let negative = Aabb2::from_center_half_extents(Vec2::ZERO, vec2(fx!(0), fx!(-1)));
        let text = "half extent -1 along y: it must be at least 0";
        assert_eq!(negative.unwrap_err().to_string(), text);
        let endless = Aabb2::new(Vec2::MIN, Vec2::MAX);
        let limit = Aabb2::MAX_WIDTH;
        assert_eq!(endless, Err(Shape2Error::TooWide { axis: 0, min: Fx::MIN, max: Fx::MAX, limit }));
    }

    #[test]
    fn everyday_questions() {
        let a = Aabb2::new(vec2(fx!(0), fx!(0)), vec2(fx!(4), fx!(2))).unwrap();
        let b = Aabb2::new(vec2(fx!(3), fx!(1)), vec2(fx!(5), fx!(6))).unwrap();
        assert_eq!((a.center(), a.half_extents()), (vec2(fx!(2), fx!(1)), vec2(fx!(2), fx!(1))));
        assert_eq!(a.merge(&b).unwrap().max(), vec2(fx!(5), fx!(6)));
        assert_eq!(a.intersection(&b).unwrap().min(), vec2(fx!(3), fx!(1)));
        assert_eq!(a.intersection(&b.translate(Vec2::splat(fx!(2)))), None);
        assert!(a.expand(fx!(4)).unwrap().contains_aabb(&b) && a.expand(fx!(-2)).is_err());
        assert_eq!(a.to_obb().unwrap().corners(), a.corners());
    }
}
