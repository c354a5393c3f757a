//! [`Projection`].

use super::exact::dot;
use isostep_math::Fx;

/// The shadow of a shape on an axis: from the least to the greatest product of its points and the axis.
///
/// Two convex shapes are apart exactly if there is an axis on which their shadows are apart, and for shapes with
/// straight edges the edge normals are enough axes to find one: the separating axis test. The ends are exact
/// products of coordinates and axis, Q64, so an axis of any length gives exact answers; [`min`](Self::min) and
/// [`max`](Self::max) are lengths where the axis has length 1.
///
/// ```
/// use isostep_collision::planar::Aabb2;
/// use isostep_math::{Vec2, fx, vec2};
///
/// let a = Aabb2::new(vec2(fx!(0), fx!(0)), vec2(fx!(2), fx!(1)))?.project(Vec2::X);
/// let b = Aabb2::new(vec2(fx!(3), fx!(0)), vec2(fx!(4), fx!(9)))?.project(Vec2::X);
/// assert!(!a.overlaps(&b));
/// assert_eq!((a.max(), b.min(), a.gap(&b)), (fx!(2), fx!(3), fx!(1)));
/// # Ok::<(), isostep_collision::planar::Shape2Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Projection {
    min: i128,
    max: i128,
}

impl Projection {
    /// From the least to the greatest of the products; of none, an inverted one that overlaps nothing.
    pub(super) fn of_products(products: impl Iterator<Item = i128>) -> Self {
        let none = Self { min: i128::MAX, max: i128::MIN };
        products.fold(none, |p, product| Self { min: p.min.min(product), max: p.max.max(product) })
    }

    /// The shadow of corners, in the unit of corners times axis.
    pub(super) fn of_corners(corners: &[[i64; 2]], axis: [i64; 2]) -> Self {
        Self::of_products(corners.iter().map(|corner| dot(*corner, axis)))
    }

    /// The shadow grown by `by` on both sides, saturating.
    pub(super) const fn expand(&self, by: i128) -> Self {
        Self { min: self.min.saturating_sub(by), max: self.max.saturating_add(by) }
    }

    /// Its lower end to nearest, saturating.
    #[must_use]
    pub fn min(&self) -> Fx {
        narrow(self.min)
    }

    /// Its upper end to nearest, saturating.
    #[must_use]
    pub fn max(&self) -> Fx {
        narrow(self.max)
    }

    /// Both ends as Q64 numbers, exact.
    #[must_use]
    pub const fn to_bits(&self) -> (i128, i128) {
        (self.min, self.max)
    }

    /// Whether the shadows share a point: touching counts. Exact.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.min <= other.max && other.min <= self.max
    }

    /// Whether the shadows share more than an end: touching does not count. Exact.
    #[must_use]
    pub const fn penetrates(&self, other: &Self) -> bool {
        self.min < other.max && other.min < self.max
    }

    /// The gap between the shadows, below zero how far they reach into each other from the nearer side; to nearest,
    /// saturating.
    #[must_use]
    pub fn gap(&self, other: &Self) -> Fx {
        narrow(self.gap_ahead(other).max(other.gap_ahead(self)))
    }

    /// How far `other` begins ahead of the end of `self` along the axis; below zero how far `other` would have to
    /// move ahead to clear it. Exact, saturating.
    pub(super) const fn gap_ahead(&self, other: &Self) -> i128 {
        other.min.saturating_sub(self.max)
    }
}

/// A Q64 as Q32.32 to nearest, ties away from zero, saturating.
fn narrow(q64: i128) -> Fx {
    let rounded = (q64 >> 32) + i128::from((q64 & 0xFFFF_FFFF) + i128::from(q64 >= 0) > 1 << 31);
    Fx::from_bits(rounded.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_symmetric_and_holds_at_the_ends() {
        for (q64, raw) in
            [(1 << 31, 1), (-(1 << 31), -1), ((1 << 31) - 1, 0), (1 - (1 << 31), 0), (3 << 31, 2)]
        {
            assert_eq!((narrow(q64), narrow(-q64)), (Fx::from_bits(raw), Fx::from_bits(-raw)), "{q64}");
        }
        assert_eq!((narrow(i128::MIN), narrow(i128::MAX)), (Fx::MIN, Fx::MAX));
    }
}
