//! [`Circle`].

use super::Shape2Error;
use super::outline::{Convex2, Outline};
use crate::shape::is_extent;
use isostep_math::{Fx, Vec2};

/// A disc: all points within `radius` of `center`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "CircleData"))]
pub struct Circle {
    center: Vec2,
    radius: Fx,
}

impl Circle {
    /// A circle around `center`.
    ///
    /// # Errors
    /// If the radius is zero or below, or above [`MAX_EXTENT`](crate::shape::MAX_EXTENT).
    pub const fn new(center: Vec2, radius: Fx) -> Result<Self, Shape2Error> {
        if !is_extent(radius) {
            return Err(Shape2Error::RadiusOutOfRange { value: radius });
        }
        Ok(Self { center, radius })
    }

    /// Its centre.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// Its radius.
    #[must_use]
    pub const fn radius(&self) -> Fx {
        self.radius
    }

    /// The circle moved, exact; cut off at the ends of the range.
    #[must_use]
    pub const fn translate(&self, offset: Vec2) -> Self {
        Self { center: self.center.saturating_add(offset), radius: self.radius }
    }
}

impl Convex2 for Circle {
    fn outline(&self) -> Outline {
        Outline::disc(self.center, self.radius)
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct CircleData {
    center: Vec2,
    radius: Fx,
}

#[cfg(feature = "serde")]
impl TryFrom<CircleData> for Circle {
    type Error = Shape2Error;

    fn try_from(data: CircleData) -> Result<Self, Shape2Error> {
        Self::new(data.center, data.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec2};

    #[test]
    fn radii_out_of_range_are_refused_with_their_value() {
        let refused = |radius| Circle::new(Vec2::ZERO, radius).unwrap_err();
        assert_eq!(refused(fx!(0)), Shape2Error::RadiusOutOfRange { value: fx!(0) });
        assert_eq!(refused(fx!(40000)), Shape2Error::RadiusOutOfRange { value: fx!(40000) });
        let text = "radius 40000: it must be above 0 and at most 32768 m";
        assert_eq!(refused(fx!(40000)).to_string(), text);
    }

    #[test]
    fn the_rim_belongs_to_the_circle() {
        let circle = Circle::new(vec2(fx!(1000000000), fx!(0)), fx!(5)).unwrap();
        let on = vec2(fx!(1000000003), fx!(4));
        assert!(circle.contains(on));
        assert!(!circle.contains(on + vec2(Fx::EPSILON, fx!(0))));
        assert!(!circle.contains(vec2(Fx::MIN, fx!(0))));
        assert_eq!(circle.closest_point(vec2(fx!(1000000006), fx!(8))), on);
    }
}
