//! [`Obb2`].

use super::exact::round_shift;
use super::outline::{Convex2, Outline};
use super::{Rotation2, Shape2Error};
use crate::shape::is_extent;
use isostep_math::{Fx, Vec2};

/// A box of any orientation: `center`, the half extents along its own axes, and the rotation that turns the
/// world's axes into its own.
///
/// Without rotation, and after quarter turns, it is axis-aligned and exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "ObbData"))]
pub struct Obb2 {
    center: Vec2,
    half_extents: Vec2,
    rotation: Rotation2,
}

impl Obb2 {
    /// A box around `center`.
    ///
    /// # Errors
    /// If a half extent is zero or below, or above [`MAX_EXTENT`](crate::shape::MAX_EXTENT).
    pub const fn new(center: Vec2, half_extents: Vec2, rotation: Rotation2) -> Result<Self, Shape2Error> {
        let halves = half_extents.to_array();
        let mut axis = 0;
        while axis < 2 {
            let value = halves[axis];
            if !is_extent(value) {
                return Err(Shape2Error::ExtentOutOfRange { axis: axis as u8, value });
            }
            axis += 1;
        }
        Ok(Self { center, half_extents, rotation })
    }

    /// The box with these four vertices in the order around it, either way, from any of them.
    ///
    /// Its centre is their mean, its x axis the mean direction of the longer pair of opposite edges (of the pair
    /// that begins at the first vertex, if they are equally long), its half extents half the mean lengths.
    ///
    /// # Errors
    /// If a component of a vertex is farther than `tolerance` from that corner of the box, or the box cannot be
    /// made. A rectangle with rounded vertices needs a tolerance of 4 units of 2⁻³².
    pub fn from_vertices(vertices: [Vec2; 4], tolerance: Fx) -> Result<Self, Shape2Error> {
        let [a, b, c, d] = vertices;
        // Sides of all four at once, each the sum of two opposite edges.
        let along = (b - a) + (c - d);
        let across = (d - a) + (c - b);
        let clockwise = along.normalize_or_zero().perp_dot(across.normalize_or_zero()).is_negative();
        let (ordered, along) = if clockwise { ([b, a, d, c], -along) } else { (vertices, along) };
        let (x_length, y_length) = (along.length(), across.length());
        let axis = if y_length > x_length { -across.perp() } else { along };
        let quarter = |sum: Fx| Fx::from_bits(round_shift(sum.to_bits().into(), 2) as i64);
        let spread: Vec2 = [b - a, c - a, d - a].into_iter().sum();
        let center = a + spread.map(quarter);
        let rotation = Rotation2::of_unit(axis.normalize_or_zero());
        let fitted = Self::new(center, Vec2::new(quarter(x_length), quarter(y_length)), rotation)?;
        for (corner, vertex) in fitted.corners().into_iter().zip(ordered) {
            if !corner.abs_diff_eq(vertex, tolerance) {
                let index = vertices.iter().position(|v| *v == vertex).unwrap_or(0) as u8;
                return Err(Shape2Error::NotARectangle { index, vertex, corner, tolerance });
            }
        }
        Ok(fitted)
    }

    /// Its centre.
    #[must_use]
    pub const fn center(&self) -> Vec2 {
        self.center
    }

    /// Half its size along each of its own axes.
    #[must_use]
    pub const fn half_extents(&self) -> Vec2 {
        self.half_extents
    }

    /// The rotation from the world's axes to its own.
    #[must_use]
    pub const fn rotation(&self) -> Rotation2 {
        self.rotation
    }

    /// The box moved: turned by `rotation` around the origin, then moved by `translation`. The centre rounds
    /// once, and both saturate at the ends of the range.
    #[must_use]
    pub const fn transformed(&self, rotation: &Rotation2, translation: Vec2) -> Self {
        Self {
            center: rotation.rotate(self.center).saturating_add(translation),
            half_extents: self.half_extents,
            rotation: rotation.mul(&self.rotation),
        }
    }

    /// The four corners, each component to nearest, counter-clockwise from the one that is least on both of its own
    /// axes.
    #[must_use]
    pub fn corners(&self) -> [Vec2; 4] {
        let outline = self.outline();
        core::array::from_fn(|i| {
            outline.world_point(outline.corners[i].map(|q44| 2 * i128::from(q44)), [0, 0])
        })
    }
}

impl Convex2 for Obb2 {
    fn outline(&self) -> Outline {
        Outline::turned(self.center, self.half_extents, &self.rotation)
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct ObbData {
    center: Vec2,
    half_extents: Vec2,
    rotation: Rotation2,
}

#[cfg(feature = "serde")]
impl TryFrom<ObbData> for Obb2 {
    type Error = Shape2Error;

    fn try_from(data: ObbData) -> Result<Self, Shape2Error> {
        Self::new(data.center, data.half_extents, data.rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec2};

    const TOLERANCE: Fx = Fx::from_bits(4);

    #[test]
    fn the_vertices_of_a_box_make_the_box_again() {
        let angle = fx!(0.7);
        let made =
            Obb2::new(vec2(fx!(5), fx!(-3)), vec2(fx!(4), fx!(0.5)), Rotation2::from_angle(angle)).unwrap();
        let [a, b, c, d] = made.corners();
        for vertices in [[a, b, c, d], [b, c, d, a], [d, c, b, a], [c, b, a, d]] {
            let again = Obb2::from_vertices(vertices, TOLERANCE).unwrap();
            assert!(again.center().abs_diff_eq(made.center(), Fx::from_bits(2)), "{}", again.center());
            let halves = again.half_extents();
            assert!(halves.max_element().abs_diff_eq(fx!(4), Fx::from_bits(2)), "{halves}");
            assert!(halves.min_element().abs_diff_eq(fx!(0.5), Fx::from_bits(2)), "{halves}");
        }
    }

    #[test]
    fn a_skewed_quadrangle_is_refused_with_the_corner_it_misses() {
        let skewed = [(0, 0), (4, 0), (5, 2), (1, 2)].map(|(x, y)| vec2(Fx::from_int(x), Fx::from_int(y)));
        let refused = Obb2::from_vertices(skewed, fx!(0.25));
        assert!(matches!(refused, Err(Shape2Error::NotARectangle { index: 0, .. })), "{refused:?}");
        assert!(Obb2::from_vertices(skewed, fx!(0.6)).is_ok());
        let crossed = [skewed[0], skewed[2], skewed[1], skewed[3]];
        assert!(Obb2::from_vertices(crossed, fx!(0.25)).is_err());
        assert!(Obb2::from_vertices([Vec2::ONE; 4], fx!(0.25)).is_err());
    }

    #[test]
    fn wrong_extents_are_refused_by_name() {
        let refused = |half| Obb2::new(Vec2::ZERO, half, Rotation2::IDENTITY).unwrap_err();
        let flat = Shape2Error::ExtentOutOfRange { axis: 1, value: fx!(0) };
        assert_eq!(refused(vec2(fx!(1), fx!(0))), flat);
        let wide = Shape2Error::ExtentOutOfRange { axis: 0, value: fx!(32769) };
        assert_eq!(refused(vec2(fx!(32769), fx!(1))), wide);
        let text = "half extent 32769 along x: it must be above 0 and at most 32768 m";
        assert_eq!(wide.to_string(), text);
    }
}
