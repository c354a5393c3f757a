//! [`Aabb`].

use super::{Obb, ShapeError};
use isostep_math::{Fx, Vec3, fx};

/// An axis-aligned box: all points between two corners, the surface included.
///
/// A box may be flat (a minimum that equals its maximum), but only [`EMPTY`](Self::EMPTY) is inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "AabbData"))]
pub struct Aabb {
    min: Vec3,
    max: Vec3,
}

impl Aabb {
    /// The box that holds no point: the neutral element of [`merge`](Self::merge). Of other boxes only one that reaches from
    /// end to end of the range overlaps it.
    pub const EMPTY: Self = Self { min: Vec3::splat(Fx::MAX), max: Vec3::splat(Fx::MIN) };
    /// The box that holds every point.
    pub const ALL: Self = Self { min: Vec3::splat(Fx::MIN), max: Vec3::splat(Fx::MAX) };

    /// The box from `min` to `max`.
    ///
    /// # Errors
    /// If `min` lies above `max` on an axis.
    pub const fn new(min: Vec3, max: Vec3) -> Result<Self, ShapeError> {
        let (lows, highs) = (min.to_array(), max.to_array());
        let mut axis = 0;
        while axis < 3 {
            if lows[axis].to_bits() > highs[axis].to_bits() {
                return Err(ShapeError::InvertedAabb { axis: axis as u8, min: lows[axis], max: highs[axis] });
            }
            axis += 1;
        }
        Ok(Self { min, max })
    }

    /// The box around `center` that reaches `half_extents` to each side, exact; cut off at the ends of the range.
    ///
    /// # Errors
    /// If a half extent is below zero.
    pub const fn from_center_half_extents(center: Vec3, half_extents: Vec3) -> Result<Self, ShapeError> {
        let halves = half_extents.to_array();
        let mut axis = 0;
        while axis < 3 {
            if halves[axis].to_bits() < 0 {
                return Err(ShapeError::NegativeExtent { axis: axis as u8, value: halves[axis] });
            }
            axis += 1;
        }
        Ok(Self::around(center, half_extents))
    }

    /// As [`from_center_half_extents`](Self::from_center_half_extents) for extents known to be at least zero.
    pub(crate) const fn around(center: Vec3, half_extents: Vec3) -> Self {
        Self { min: center.saturating_sub(half_extents), max: center.saturating_add(half_extents) }
    }

    /// The smallest box that holds all points; [`EMPTY`](Self::EMPTY) for none.
    #[must_use]
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .fold(Self::EMPTY, |aabb, point| Self { min: aabb.min.min(point), max: aabb.max.max(point) })
    }

    /// Its least corner.
    #[must_use]
    pub const fn min(&self) -> Vec3 {
        self.min
    }

    /// Its greatest corner.
    #[must_use]
    pub const fn max(&self) -> Vec3 {
        self.max
    }

    /// Whether it holds no point.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.min.x.to_bits() > self.max.x.to_bits()
            || self.min.y.to_bits() > self.max.y.to_bits()
            || self.min.z.to_bits() > self.max.z.to_bits()
    }

    /// The point amid the corners, to nearest; the origin for the empty box.
    #[must_use]
    pub const fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.min.midpoint(self.max) }
    }

    /// Half its size, to nearest; zero for the empty box.
    #[must_use]
    pub const fn half_extents(&self) -> Vec3 {
        if self.is_empty() {
            return Vec3::ZERO;
        }
        // Half of each corner first would round twice; the difference may exceed the range by one bit.
        let (low, high) = (self.min, self.max);
        Vec3::new(half_span(low.x, high.x), half_span(low.y, high.y), half_span(low.z, high.z))
    }

    /// Its surface, within a unit, saturating; 0 for the empty box. What a tree minimises.
    #[must_use]
    pub const fn surface_area(&self) -> Fx {
        if self.is_empty() {
            return Fx::ZERO;
        }
        let size = self.max.saturating_sub(self.min);
        let sides = Vec3::new(size.y, size.z, size.x);
        size.dot(sides).saturating_mul(fx!(2))
    }

    /// Whether the two share a point: touching counts. Exact.
    #[inline]
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.min.x.to_bits() <= other.max.x.to_bits()
            && other.min.x.to_bits() <= self.max.x.to_bits()
            && self.min.y.to_bits() <= other.max.y.to_bits()
            && other.min.y.to_bits() <= self.max.y.to_bits()
            && self.min.z.to_bits() <= other.max.z.to_bits()
            && other.min.z.to_bits() <= self.max.z.to_bits()
    }

    /// Whether the two share more than their surface: touching does not count. Exact.
    #[inline]
    #[must_use]
    pub const fn penetrates(&self, other: &Self) -> bool {
        self.min.x.to_bits() < other.max.x.to_bits()
            && other.min.x.to_bits() < self.max.x.to_bits()
            && self.min.y.to_bits() < other.max.y.to_bits()
            && other.min.y.to_bits() < self.max.y.to_bits()
            && self.min.z.to_bits() < other.max.z.to_bits()
            && other.min.z.to_bits() < self.max.z.to_bits()
    }

    /// Whether `point` lies in the box or on its surface, exact.
    #[inline]
    #[must_use]
    pub const fn contains(&self, point: Vec3) -> bool {
        self.contains_aabb(&Self { min: point, max: point })
    }

    /// Whether all of `other` lies in the box; every box holds the empty one. Exact.
    #[inline]
    #[must_use]
    pub const fn contains_aabb(&self, other: &Self) -> bool {
        other.is_empty()
            || (self.min.x.to_bits() <= other.min.x.to_bits()
                && other.max.x.to_bits() <= self.max.x.to_bits()
                && self.min.y.to_bits() <= other.min.y.to_bits()
                && other.max.y.to_bits() <= self.max.y.to_bits()
                && self.min.z.to_bits() <= other.min.z.to_bits()
                && other.max.z.to_bits() <= self.max.z.to_bits())
    }

    /// The smallest box that holds both, exact.
    #[inline]
    #[must_use]
    pub const fn merge(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What the two have in common, or [`EMPTY`](Self::EMPTY). Exact.
    #[must_use]
    pub const fn intersection(&self, other: &Self) -> Self {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        if common.is_empty() { Self::EMPTY } else { common }
    }

    /// The box grown by `margin` on every side, or shrunk by a negative one to [`EMPTY`](Self::EMPTY) at the
    /// least; cut off at the ends of the range.
    #[must_use]
    pub const fn expand(&self, margin: Fx) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        let grown = Self::around(Vec3::ZERO, Vec3::splat(margin));
        let grown = Self { min: self.min.saturating_add(grown.min), max: self.max.saturating_add(grown.max) };
        if grown.is_empty() { Self::EMPTY } else { grown }
    }

    /// The box moved, exact; cut off at the ends of the range.
    #[must_use]
    pub const fn translate(&self, offset: Vec3) -> Self {
        if self.is_empty() {
            return Self::EMPTY;
        }
        Self { min: self.min.saturating_add(offset), max: self.max.saturating_add(offset) }
    }

    /// The point of the box closest to `point`, exact: `point` itself inside. The origin for the empty box.
    #[must_use]
    pub const fn closest_point(&self, point: Vec3) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { point.clamp(self.min, self.max) }
    }

    /// The eight corners: bit 0 of the index chooses x, bit 1 y, bit 2 z, a set bit the maximum. A set bit, and
    /// so the whole order, is that of [`Obb::corners`].
    #[must_use]
    pub const fn corners(&self) -> [Vec3; 8] {
        let mut corners = [self.min; 8];
        let mut i = 0;
        while i < 8 {
            if i & 1 != 0 {
                corners[i].x = self.max.x;
            }
            if i & 2 != 0 {
                corners[i].y = self.max.y;
            }
            if i & 4 != 0 {
                corners[i].z = self.max.z;
            }
            i += 1;
        }
        corners
    }

    /// The same box as an [`Obb`] without rotation.
    ///
    /// # Errors
    /// If an extent is zero or too large for a solid shape. The half extents of an odd number of units round
    /// up, so that the result holds the box.
    pub const fn to_obb(&self) -> Result<Obb, ShapeError> {
        Obb::new(self.center(), self.half_extents(), isostep_math::Quat::IDENTITY)
    }
}

/// Half of `high − low`, rounded up: to nearest, ties away from zero.
const fn half_span(low: Fx, high: Fx) -> Fx {
    let span = high.to_bits().wrapping_sub(low.to_bits()) as u64;
    let half = span.div_ceil(2);
    if half > i64::MAX as u64 { Fx::MAX } else { Fx::from_bits(half as i64) }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct AabbData {
    min: Vec3,
    max: Vec3,
}

#[cfg(feature = "serde")]
impl TryFrom<AabbData> for Aabb {
    type Error = ShapeError;

    fn try_from(data: AabbData) -> Result<Self, ShapeError> {
        let empty = Self { min: data.min, max: data.max };
        if empty == Self::EMPTY { Ok(empty) } else { Self::new(data.min, data.max) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::vec3;

    fn unit_at(x: Fx) -> Aabb {
        Aabb::around(vec3(x, fx!(0), fx!(0)), Vec3::splat(Fx::HALF))
    }

    #[test]
    fn a_unit_apart_touching_and_a_unit_deep_are_three_answers_anywhere() {
        for base in [fx!(0), fx!(1000000000), fx!(-1000000000)] {
            let a = unit_at(base);
            let answers = [Fx::EPSILON, fx!(0), -Fx::EPSILON].map(|gap| {
                let b = unit_at(base + Fx::ONE + gap);
                (a.overlaps(&b), a.penetrates(&b))
            });
            assert_eq!(answers, [(false, false), (true, false), (true, true)]);
        }
    }

    #[test]
    fn inverted_boxes_are_refused_and_the_empty_one_is_neutral() {
        let inverted = Aabb::new(vec3(fx!(0), fx!(2), fx!(0)), vec3(fx!(1), fx!(1), fx!(1)));
        assert_eq!(inverted, Err(ShapeError::InvertedAabb { axis: 1, min: fx!(2), max: fx!(1) }));
        let text = "the minimum 2 lies above the maximum 1 along y";
        assert_eq!(inverted.unwrap_err().to_string(), text);
    }

    #[test]
    fn half_extents_may_be_zero_and_not_below() {
        let around = |half| Aabb::from_center_half_extents(Vec3::ZERO, half);
        assert!(around(Vec3::ZERO).is_ok());
        let negative = around(vec3(fx!(0), fx!(0), fx!(-1)));
        assert_eq!(negative, Err(ShapeError::NegativeExtent { axis: 2, value: fx!(-1) }));
        let text = "half extent -1 along z: it must be at least 0";
        assert_eq!(negative.unwrap_err().to_string(), text);
        let a = unit_at(fx!(3));
        assert_eq!(Aabb::EMPTY.merge(&a), a);
        assert_eq!(a.intersection(&unit_at(fx!(5))), Aabb::EMPTY);
        assert_eq!(a.expand(fx!(-1)), Aabb::EMPTY);
        assert!(
            a.contains_aabb(&Aabb::EMPTY) && !Aabb::EMPTY.overlaps(&a) && !Aabb::EMPTY.contains(Vec3::ZERO)
        );
        assert_eq!(Aabb::from_points([]), Aabb::EMPTY);
    }

    #[test]
    fn centre_and_half_extents_hold_at_the_ends_of_the_range() {
        assert_eq!(Aabb::ALL.half_extents(), Vec3::splat(Fx::MAX));
        let odd = Aabb::new(Vec3::ZERO, Vec3::splat(Fx::from_bits(3))).unwrap();
        assert_eq!(
            (odd.center(), odd.half_extents()),
            (Vec3::splat(Fx::from_bits(2)), Vec3::splat(Fx::from_bits(2)))
        );
    }

    #[test]
    fn everyday_questions() {
        let a = Aabb::new(vec3(fx!(0), fx!(0), fx!(0)), vec3(fx!(1), fx!(2), fx!(3))).unwrap();
        assert_eq!(a.surface_area(), fx!(22));
        assert_eq!(a.closest_point(vec3(fx!(-1), fx!(1.5), fx!(9))), vec3(fx!(0), fx!(1.5), fx!(3)));
        assert_eq!(a.corners()[5], vec3(fx!(1), fx!(0), fx!(3)));
        assert_eq!(a.translate(Vec3::ONE).min(), Vec3::ONE);
        assert_eq!(Aabb::from_points(a.corners()), a);
    }
}
