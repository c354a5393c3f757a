//! Points and convex polygons of the picture, in whole tenths of a pixel.

/// How many units a pixel has.
pub(crate) const UNITS: i64 = 10;

/// The farthest coordinate: products of three differences fit 128 bits.
const MAX_COORDINATE: i64 = 1 << 40;

/// A point of the picture: x to the right, y down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) x: i64,
    pub(crate) y: i64,
}

impl Point {
    /// Held to coordinates that can be computed with.
    pub(crate) fn new(x: i64, y: i64) -> Self {
        Self { x: x.clamp(-MAX_COORDINATE, MAX_COORDINATE), y: y.clamp(-MAX_COORDINATE, MAX_COORDINATE) }
    }
}

/// A rectangle of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    pub(crate) min: Point,
    pub(crate) max: Point,
}

impl Rect {
    pub(crate) const fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
    }

    /// Whether a point is in it, its edges included.
    pub(crate) const fn contains(&self, point: Point) -> bool {
        self.min.x <= point.x && point.x <= self.max.x && self.min.y <= point.y && point.y <= self.max.y
    }

    /// As a polygon whose corners go round as those of [`hull`].
    pub(crate) const fn corners(&self) -> [Point; 4] {
        let Self { min, max } = *self;
        [min, Point { x: max.x, y: min.y }, max, Point { x: min.x, y: max.y }]
    }
}

/// Twice the area of the triangle: above 0 where its corners go round as those of [`hull`].
pub(crate) fn turn(a: Point, b: Point, c: Point) -> i128 {
    let difference = |a: i64, b: i64| i128::from(a) - i128::from(b);
    difference(b.x, a.x) * difference(c.y, a.y) - difference(b.y, a.y) * difference(c.x, a.x)
}

/// The smallest convex polygon around points: from x to y, which is clockwise to the eye. Fewer than three corners
/// where all points are on a line.
pub(crate) fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull: Vec<Point> = Vec::with_capacity(points.len());
    let mut chain = |points: &mut dyn Iterator<Item = Point>| {
        let start = hull.len();
        for point in points {
            while hull.len() >= start + 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0 {
                hull.pop();
            }
            hull.push(point);
        }
        // The last one starts the other chain.
        hull.pop();
    };
    chain(&mut points.iter().copied());
    chain(&mut points.iter().rev().copied());
    hull
}

/// What two convex polygons have in common; `by` goes round as those of [`hull`].
pub(crate) fn clip(polygon: &[Point], by: &[Point]) -> Vec<Point> {
    let mut kept = polygon.to_vec();
    for (index, &from) in by.iter().enumerate() {
        let to = by[(index + 1) % by.len()];
        let corners = core::mem::take(&mut kept);
        for (index, &corner) in corners.iter().enumerate() {
            let next = corners[(index + 1) % corners.len()];
            let (here, there) = (turn(from, to, corner), turn(from, to, next));
            if here >= 0 {
                kept.push(corner);
            }
            if (here > 0 && there < 0) || (here < 0 && there > 0) {
                kept.push(between(corner, next, here, here - there));
            }
        }
    }
    kept
}

/// The point at a part of the way from `a` to `b`, to nearest. Parts are areas, below 2^84.
fn between(a: Point, b: Point, part: i128, whole: i128) -> Point {
    let along = |a: i64, b: i64| a + divide(i128::from(b - a) * part, whole);
    Point::new(along(a.x, b.x), along(a.y, b.y))
}

/// The quotient to nearest, ties away from zero; 0 for a divisor of 0, and held to the range of `i64`.
pub(crate) fn divide(value: i128, divisor: i128) -> i64 {
    if divisor == 0 {
        return 0;
    }
    let (value, divisor) = if divisor < 0 { (-value, -divisor) } else { (value, divisor) };
    let magnitude = (value.unsigned_abs() + divisor.unsigned_abs() / 2) / divisor.unsigned_abs();
    let magnitude = magnitude.min(i64::MAX as u128) as i64;
    if value < 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(list: &[(i64, i64)]) -> Vec<Point> {
        list.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn a_hull_has_only_corners() {
        let square = points(&[(0, 0), (10, 0), (5, 0), (10, 10), (0, 10), (5, 5), (0, 0)]);
        assert_eq!(hull(square), points(&[(0, 0), (10, 0), (10, 10), (0, 10)]));
        assert_eq!(hull(points(&[(1, 1), (3, 3), (2, 2)])).len(), 2);
    }

    #[test]
    fn a_polygon_is_cut_where_another_ends() {
        let frame = Rect { min: Point::new(0, 0), max: Point::new(10, 10) }.corners();
        let cut = clip(&points(&[(-10, 5), (5, 5), (5, 20), (-10, 20)]), &frame);
        assert_eq!(hull(cut), points(&[(0, 5), (5, 5), (5, 10), (0, 10)]));
        assert!(clip(&points(&[(20, 20), (30, 20), (30, 30)]), &frame).is_empty());
        let far = MAX_COORDINATE;
        let huge = clip(&points(&[(-far, -far), (far, -far), (far, far), (-far, far)]), &frame);
        assert_eq!(hull(huge), frame);
    }

    #[test]
    fn quotients_round_to_nearest() {
        assert_eq!([divide(5, 2), divide(-5, 2), divide(4, -3), divide(1, 0)], [3, -3, -1, 0]);
        assert_eq!(divide(i128::MAX, 1), i64::MAX);
    }
}
