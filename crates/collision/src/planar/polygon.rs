//! [`Polygon`].

use super::outline::{Convex2, Outline};
use super::{Rotation2, Shape2Error};
use crate::shape::MAX_EXTENT;
use alloc::vec::Vec;
use isostep_math::{Fx, Vec2};

/// The greatest number of vertices of a [`Polygon`].
pub const MAX_VERTICES: usize = 8;

/// A strictly convex polygon of 3 to [`MAX_VERTICES`] vertices in counter-clockwise order.
///
/// Its vertices are points of the world with all their bits: nothing about it is rounded.
///
/// ```
/// use isostep_collision::planar::{Polygon, Shape2Error};
/// use isostep_math::{fx, vec2};
///
/// let triangle = [vec2(fx!(0), fx!(0)), vec2(fx!(1), fx!(2)), vec2(fx!(2), fx!(0))];
/// assert_eq!(Polygon::new(&triangle), Err(Shape2Error::Clockwise));
/// assert_eq!(Polygon::from_points(&triangle)?.vertices()[1], triangle[2]);
/// # Ok::<(), Shape2Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "PolygonData"))]
pub struct Polygon {
    /// Those beyond `count` are zero.
    vertices: [Vec2; MAX_VERTICES],
    count: u8,
}

impl Polygon {
    /// The greatest width on each axis, 2¹⁶ m.
    pub const MAX_WIDTH: Fx = Fx::from_bits(MAX_EXTENT.to_bits() * 2);

    /// The polygon with these vertices, all of them corners.
    ///
    /// # Errors
    /// If there are too few or too many vertices, if it is too wide, if two vertices are the same point, if they
    /// run clockwise, or if it is not strictly convex; the first of these is named.
    pub fn new(vertices: &[Vec2]) -> Result<Self, Shape2Error> {
        let count = vertices.len();
        if count < 3 {
            return Err(Shape2Error::TooFewVertices { count });
        }
        if count > MAX_VERTICES {
            return Err(Shape2Error::TooManyVertices { count });
        }
        check_width(vertices)?;
        for first in 0..count {
            if let Some(offset) = vertices[first + 1..].iter().position(|v| *v == vertices[first]) {
                let second = first + 1 + offset;
                return Err(Shape2Error::DuplicateVertices { first, second, point: vertices[first] });
            }
        }
        let doubled_area: i128 =
            (1..count - 1).map(|i| turn(vertices[0], vertices[i], vertices[i + 1])).sum();
        if doubled_area < 0 {
            return Err(Shape2Error::Clockwise);
        }
        for edge in 0..count {
            let next = (edge + 1) % count;
            let inside = |v: &usize| turn(vertices[edge], vertices[next], vertices[*v]) > 0;
            if let Some(vertex) = (0..count).filter(|v| *v != edge && *v != next).find(|v| !inside(v)) {
                return Err(Shape2Error::NotConvex { vertex, edge });
            }
        }
        Ok(Self::of_checked(vertices))
    }

    /// The convex hull of points in any order; its first vertex is the one with the least x, of several the one
    /// with the least y. Points inside, on an edge or given twice are left out.
    ///
    /// Andrew's monotone chain (Information Processing Letters 9, 1979) with exact products.
    ///
    /// # Errors
    /// If the points lie on a line, if the hull is too wide or has too many vertices.
    pub fn from_points(points: &[Vec2]) -> Result<Self, Shape2Error> {
        check_width(points)?;
        let mut sorted: Vec<Vec2> = points.to_vec();
        sorted.sort_unstable_by_key(|p| (p.x, p.y));
        sorted.dedup();
        let mut hull: Vec<Vec2> = Vec::with_capacity(sorted.len() + 1);
        extend_chain(&mut hull, sorted.iter());
        extend_chain(&mut hull, sorted.iter().rev());
        let count = hull.len();
        if count < 3 {
            return Err(Shape2Error::TooFewVertices { count });
        }
        if count > MAX_VERTICES {
            return Err(Shape2Error::TooManyVertices { count });
        }
        Ok(Self::of_checked(&hull))
    }

    fn of_checked(checked: &[Vec2]) -> Self {
        let mut vertices = [Vec2::ZERO; MAX_VERTICES];
        vertices[..checked.len()].copy_from_slice(checked);
        Self { vertices, count: checked.len() as u8 }
    }

    /// Its vertices, counter-clockwise.
    #[must_use]
    pub fn vertices(&self) -> &[Vec2] {
        &self.vertices[..usize::from(self.count)]
    }

    /// The polygon turned by `rotation` around the origin, then moved by `translation`; each vertex rounds once.
    ///
    /// # Errors
    /// As [`new`](Self::new), where rounding or an end of the range takes the shape away.
    pub fn transformed(&self, rotation: &Rotation2, translation: Vec2) -> Result<Self, Shape2Error> {
        let moved = self.vertices.map(|vertex| rotation.rotate(vertex) + translation);
        Self::new(&moved[..usize::from(self.count)])
    }
}

impl Convex2 for Polygon {
    fn outline(&self) -> Outline {
        Outline::of_polygon(self.vertices())
    }
}

/// Lays `points`, which are in order, around the hull: a vertex that is not strictly to the left is taken back.
/// The last point is left off, as it begins the next chain.
fn extend_chain<'a>(hull: &mut Vec<Vec2>, points: impl Iterator<Item = &'a Vec2>) {
    let start = hull.len();
    for point in points {
        while hull.len() >= start + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], *point) <= 0 {
            hull.pop();
        }
        hull.push(*point);
    }
    hull.pop();
}

/// Twice the signed area of a triangle, exact: positive if it runs counter-clockwise. For points of one shape.
fn turn(a: Vec2, b: Vec2, c: Vec2) -> i128 {
    let from_a = |p: Vec2| [p.x.to_bits() - a.x.to_bits(), p.y.to_bits() - a.y.to_bits()];
    super::exact::cross(from_a(b), from_a(c))
}

/// `Err` if the points are farther apart than a polygon may be wide.
fn check_width(points: &[Vec2]) -> Result<(), Shape2Error> {
    let limit = Polygon::MAX_WIDTH;
    for axis in 0..2 {
        let coordinates = || points.iter().map(|p| p.to_array()[axis]);
        let (Some(min), Some(max)) = (coordinates().min(), coordinates().max()) else { return Ok(()) };
        if max.to_bits().abs_diff(min.to_bits()) > limit.to_bits() as u64 {
            return Err(Shape2Error::TooWide { axis: axis as u8, min, max, limit });
        }
    }
    Ok(())
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct PolygonData {
    vertices: [Vec2; MAX_VERTICES],
    count: u8,
}

#[cfg(feature = "serde")]
impl TryFrom<PolygonData> for Polygon {
    type Error = Shape2Error;

    fn try_from(data: PolygonData) -> Result<Self, Shape2Error> {
        let count = usize::from(data.count);
        Self::new(data.vertices.get(..count).ok_or(Shape2Error::TooManyVertices { count })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::vec2;

    fn points<const N: usize>(integers: [(i32, i32); N]) -> [Vec2; N] {
        integers.map(|(x, y)| vec2(Fx::from_int(x), Fx::from_int(y)))
    }

    #[test]
    fn what_is_no_convex_polygon_is_refused_by_name() {
        let refused = |vertices: &[Vec2]| Polygon::new(vertices).unwrap_err();
        assert_eq!(refused(&points([(0, 0), (1, 0)])), Shape2Error::TooFewVertices { count: 2 });
        assert_eq!(refused(&[Vec2::ZERO; 9]), Shape2Error::TooManyVertices { count: 9 });
        let duplicate = points([(0, 0), (1, 0), (1, 1), (1, 0)]);
        let expected = Shape2Error::DuplicateVertices { first: 1, second: 3, point: duplicate[1] };
        assert_eq!(refused(&duplicate), expected);
        assert_eq!(refused(&points([(0, 0), (0, 1), (1, 0)])), Shape2Error::Clockwise);
        let flat_corner = points([(0, 0), (1, 0), (2, 0), (1, 1)]);
        assert_eq!(refused(&flat_corner), Shape2Error::NotConvex { vertex: 2, edge: 0 });
        let dent = points([(0, 0), (4, 0), (1, 1), (0, 4)]);
        assert_eq!(refused(&dent), Shape2Error::NotConvex { vertex: 3, edge: 1 });
        let wide = points([(-40000, 0), (40000, 0), (0, 1)]);
        assert!(matches!(refused(&wide), Shape2Error::TooWide { axis: 0, .. }));
    }

    #[test]
    fn a_star_that_always_turns_left_is_not_convex() {
        let star = points([(0, 100), (-59, -81), (95, 31), (-95, 31), (59, -81)]);
        assert!(matches!(Polygon::new(&star), Err(Shape2Error::NotConvex { .. })));
    }

    #[test]
    fn the_hull_leaves_out_what_is_no_corner() {
        let cloud = points([(2, 2), (0, 0), (4, 0), (1, 1), (4, 4), (2, 0), (0, 4), (0, 0), (3, 4)]);
        let hull = Polygon::from_points(&cloud).unwrap();
        assert_eq!(hull.vertices(), points([(0, 0), (4, 0), (4, 4), (0, 4)]));
        let line = points([(0, 0), (1, 1), (2, 2)]);
        assert_eq!(Polygon::from_points(&line), Err(Shape2Error::TooFewVertices { count: 2 }));
        assert!(Polygon::from_points(&[]).is_err());
    }
}
