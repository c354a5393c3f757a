//! The plane against a second method: the convex hull of all differences of corners, in integers.
//!
//! The shapes' answer is where the origin lies in the Minkowski difference b − a. Here that set is wrapped as the
//! hull of the differences of every corner with every other, which knows no edge normals and no projections, and
//! distances are compared by their squares. Coordinates are raw bits below 2^28, so that all of it fits `i128`.

use isostep_collision::planar::{
    Aabb2, Circle, Obb2, Polygon, Rotation2, Shape2, closest_points, distance, manifold, overlaps,
    penetrates, penetration,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec2};
use std::cmp::Ordering;

type Point = [i128; 2];

/// Pairs per ordered pair of kinds.
const PAIRS: usize = 100_000;

/// A shape as the reference sees it: corners around nothing, and a radius.
#[derive(Clone, Debug)]
struct Corners {
    corners: Vec<Point>,
    radius: i128,
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(a: Point, b: Point) -> i128 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: Point, b: Point) -> i128 {
    a[0] * b[0] + a[1] * b[1]
}

/// The hull by gift wrapping: counter-clockwise, without points on its edges.
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_unstable();
    points.dedup();
    let start = points[0];
    let mut hull = vec![start];
    loop {
        let from = hull[hull.len() - 1];
        let rightmost = points.iter().copied().filter(|p| *p != from).max_by(|p, q| {
            let (p, q) = (minus(*p, from), minus(*q, from));
            cross(p, q).cmp(&0).then(dot(p, p).cmp(&dot(q, q)))
        });
        match rightmost {
            Some(next) if next != start => hull.push(next),
            _ => return hull,
        }
    }
}

/// Where the origin lies: the square of its distance to the border as a fraction, and on which side.
#[derive(Clone, Copy, Debug)]
struct Place {
    is_outside: bool,
    numerator: i128,
    denominator: i128,
}

impl Place {
    fn of_origin(hull: &[Point]) -> Self {
        let edges = || hull.iter().zip(hull.iter().cycle().skip(1));
        let is_outside = hull.len() < 3 || edges().any(|(p, q)| cross(minus(*q, *p), minus([0, 0], *p)) < 0);
        let squares = edges().map(|(p, q)| {
            let edge = minus(*q, *p);
            let (along, length_squared) = (-dot(edge, *p), dot(edge, edge));
            if along <= 0 {
                (dot(*p, *p), 1)
            } else if along >= length_squared {
                (dot(*q, *q), 1)
            } else {
                // The place beside the edge: |e × p| / |e|.
                let across = cross(edge, *p);
                (across * across, length_squared)
            }
        });
        // Fractions of 2^117 by 2^60: compared by whole and rest.
        let (numerator, denominator) = squares.min_by(|a, b| compare(*a, *b)).unwrap();
        Self { is_outside: is_outside && numerator > 0, numerator, denominator }
    }

    /// How the signed distance, below zero inside, compares with `limit`.
    fn compare(&self, limit: i128) -> Ordering {
        let magnitude = compare((self.numerator, self.denominator), (limit * limit, 1));
        match (self.is_outside, limit >= 0) {
            (true, true) => magnitude,
            (true, false) => Ordering::Greater,
            (false, true) if self.numerator == 0 && limit == 0 => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => magnitude.reverse(),
        }
    }
}

fn compare(a: (i128, i128), b: (i128, i128)) -> Ordering {
    let (whole_a, whole_b) = (a.0 / a.1, b.0 / b.1);
    whole_a.cmp(&whole_b).then_with(|| ((a.0 % a.1) * b.1).cmp(&((b.0 % b.1) * a.1)))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Circle,
    Aabb,
    QuarterTurned,
    Polygon,
}

fn shape_of(rng: &mut Rng, kind: Kind, size: i64) -> Corners {
    let mut coordinate = || i128::from(rng.range_i64(-size, size));
    loop {
        let (corners, radius) = match kind {
            Kind::Circle => (vec![[coordinate(), coordinate()]], coordinate().abs()),
            Kind::Aabb | Kind::QuarterTurned => {
                let (center, half) = ([coordinate(), coordinate()], [coordinate().abs(), coordinate().abs()]);
                let signs = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
                (signs.map(|s| [center[0] + s[0] * half[0], center[1] + s[1] * half[1]]).to_vec(), 0)
            }
            Kind::Polygon => (hull((0..9).map(|_| [coordinate(), coordinate()]).collect()), 0),
        };
        let is_sound = match kind {
            Kind::Circle => radius > 0,
            Kind::Aabb | Kind::QuarterTurned => {
                corners[0][0] < corners[2][0] && corners[0][1] < corners[2][1]
            }
            Kind::Polygon => (3..=8).contains(&corners.len()),
        };
        if is_sound {
            return Corners { corners, radius };
        }
    }
}

fn point_at(p: Point, offset: Vec2) -> Vec2 {
    Vec2::new(Fx::from_bits(p[0] as i64), Fx::from_bits(p[1] as i64)) + offset
}

/// The shape of the library, moved by an offset.
fn made(kind: Kind, shape: &Corners, offset: Vec2) -> Shape2 {
    let vertices: Vec<Vec2> = shape.corners.iter().map(|p| point_at(*p, offset)).collect();
    match kind {
        Kind::Circle => Circle::new(vertices[0], Fx::from_bits(shape.radius as i64)).unwrap().into(),
        Kind::Aabb => Aabb2::new(vertices[0], vertices[2]).unwrap().into(),
        Kind::QuarterTurned => {
            let (center, half) = (vertices[0].midpoint(vertices[2]), (vertices[2] - vertices[0]) / Fx::TWO);
            let turned = Vec2::new(half.y, half.x);
            Obb2::new(center, turned, Rotation2::from_quarter_turns(3)).unwrap().into()
        }
        Kind::Polygon => Polygon::new(&vertices).unwrap().into(),
    }
}

/// Moves `b` so that the origin lies at or next to the border of the difference.
fn bring_near(rng: &mut Rng, a: &Corners, b: &mut Corners) {
    let border = hull(differences(a, b));
    let i = rng.below(border.len() as u32) as usize;
    let (p, q) = (border[i], border[(i + 1) % border.len()]);
    let part = i128::from(rng.below(5));
    let mut target = [p[0] + (q[0] - p[0]) * part / 4, p[1] + (q[1] - p[1]) * part / 4];
    let radii = a.radius + b.radius;
    if radii > 0 {
        // Out along the x or y axis, or a triangle of 3, 4 and 5, where the distance is whole.
        let directions: [Point; 6] = [[5, 0], [0, 5], [3, 4], [4, -3], [-5, 0], [-4, -3]];
        let direction = rng.choose(&directions).unwrap();
        target = [target[0] - direction[0] * radii / 5, target[1] - direction[1] * radii / 5];
    }
    let noise = [i128::from(rng.range_i64(-1, 1)), i128::from(rng.range_i64(-1, 1))];
    for corner in &mut b.corners {
        *corner = [0, 1].map(|axis| corner[axis] + noise[axis] - target[axis]);
    }
}

fn differences(a: &Corners, b: &Corners) -> Vec<Point> {
    b.corners.iter().flat_map(|p| a.corners.iter().map(move |q| minus(*p, *q))).collect()
}

/// One pair: predicates exact, depth and distance within a unit, manifold in agreement.
fn check(rng: &mut Rng, kind_a: Kind, kind_b: Kind, seen: &mut [usize; 3]) {
    let size = [3, 8, 100, 1 << 16, 1 << 25][rng.below(5) as usize];
    let a = shape_of(rng, kind_a, size);
    let mut b = shape_of(rng, kind_b, size);
    if rng.chance(2, 3) {
        bring_near(rng, &a, &mut b);
    }
    let far = Fx::from_int(1_000_000_000);
    let offset = Vec2::new(rng.fx_range(-far, far), rng.fx_range(-far, far));
    let (shape_a, shape_b) = (made(kind_a, &a, offset), made(kind_b, &b, offset));
    let place = Place::of_origin(&hull(differences(&a, &b)));
    let radii = a.radius + b.radius;
    let context = || format!("{shape_a:?}\n{shape_b:?}\n{place:?}");

    let order = place.compare(radii);
    seen[(order as i8 + 1) as usize] += 1;
    assert_eq!(overlaps(&shape_a, &shape_b), order != Ordering::Greater, "{}", context());
    assert_eq!(penetrates(&shape_a, &shape_b), order == Ordering::Less, "{}", context());

    // A signed distance of raw bits is right if the exact one lies within a unit of it.
    let agrees = |raw: i128| {
        place.compare(radii + raw - 1) != Ordering::Less
            && place.compare(radii + raw + 1) != Ordering::Greater
    };
    let contact = manifold(&shape_a, &shape_b, Fx::ONE);
    match penetration(&shape_a, &shape_b) {
        Some(found) => {
            assert_eq!(order, Ordering::Less, "{}", context());
            assert!(agrees(-i128::from(found.depth.to_bits())), "{found:?}\n{}", context());
            assert!(found.direction.length().abs_diff_eq(Fx::ONE, Fx::EPSILON));
            let contact = contact.unwrap_or_else(|| panic!("no manifold: {}", context()));
            let deepest = contact.points().iter().map(|p| p.separation).min().unwrap();
            let bias = found.depth + Fx::from_bits(2 + (size >> 17));
            assert!(-deepest >= found.depth - Fx::from_bits(2), "{contact:?} {found:?} {}", context());
            assert!(-deepest <= bias, "{contact:?} {found:?} {}", context());
        }
        None => {
            assert_ne!(order, Ordering::Less, "{}", context());
            let apart = distance(&shape_a, &shape_b);
            assert!(agrees(apart.to_bits().into()), "{apart}\n{}", context());
            assert_eq!(apart.is_zero(), order == Ordering::Equal, "{}", context());
            let closest = closest_points(&shape_a, &shape_b).unwrap();
            assert_eq!(closest.distance, apart);
            assert!(closest.point_a.distance(closest.point_b).abs_diff_eq(apart, Fx::from_bits(3)));
            let off = |shape: &Shape2, p| shape.closest_point(p).distance(p);
            assert!(off(&shape_a, closest.point_a) <= Fx::from_bits(2), "{closest:?} {}", context());
            assert!(off(&shape_b, closest.point_b) <= Fx::from_bits(2), "{closest:?} {}", context());
            if apart < Fx::HALF {
                let contact = contact.unwrap_or_else(|| panic!("no manifold: {}", context()));
                let least = contact.points().iter().map(|p| p.separation).min().unwrap();
                let tolerance = Fx::from_bits(2 + (size >> 17));
                assert!(least.abs_diff_eq(apart, tolerance), "{contact:?} {apart} {}", context());
            }
        }
    }
}

fn check_kinds(kind_a: Kind, kind_b: Kind) {
    let mut rng = Rng::new(0x2D, (kind_a as u64) << 8 | kind_b as u64);
    let mut seen = [0; 3];
    for _ in 0..PAIRS {
        check(&mut rng, kind_a, kind_b, &mut seen);
    }
    // All three answers are common.
    assert!(seen.iter().all(|count| *count > PAIRS / 100), "{kind_a:?} {kind_b:?}: {seen:?}");
}

#[test]
fn circles_agree_with_every_kind() {
    for kind in [Kind::Circle, Kind::Aabb, Kind::Polygon] {
        check_kinds(Kind::Circle, kind);
    }
}

#[test]
fn axis_aligned_boxes_agree_with_every_kind() {
    for kind in [Kind::Circle, Kind::Aabb, Kind::Polygon] {
        check_kinds(Kind::Aabb, kind);
    }
}

#[test]
fn polygons_agree_with_every_kind() {
    for kind in [Kind::Circle, Kind::Aabb, Kind::Polygon] {
        check_kinds(Kind::Polygon, kind);
    }
}

#[test]
fn boxes_after_quarter_turns_agree_with_every_kind() {
    for kind in [Kind::Circle, Kind::Polygon, Kind::QuarterTurned] {
        check_kinds(Kind::QuarterTurned, kind);
    }
}

/// Boxes turned by the angle of a 3-4-5 triangle have whole corners; the library has their rotation rounded.
#[test]
fn turned_boxes_are_right_outside_their_band() {
    let mut rng = Rng::new(0x0BB, 0);
    let turned = |rng: &mut Rng| {
        let unit = [[3, 4], [-3, 4], [4, 3], [4, -3], [5, 0]][rng.below(5) as usize];
        let scale = [1 << 10, 1 << 31, 1 << 35][rng.below(3) as usize];
        let [x, y] = [0, 1].map(|_| i128::from(rng.range_i64(1, scale)));
        let center = [0, 1].map(|_| i128::from(rng.range_i64(-8 * scale, 8 * scale)));
        let corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|s: Point| {
            let (x, y) = (s[0] * x, s[1] * y);
            [center[0] + unit[0] * x - unit[1] * y, center[1] + unit[1] * x + unit[0] * y]
        });
        let half = Vec2::new(Fx::from_bits(5 * x as i64), Fx::from_bits(5 * y as i64));
        let [cos, sin] = unit.map(|side| Fx::from_ratio(side as i64, 5));
        let rotation = Rotation2::from_cos_sin(cos, sin).unwrap();
        let made = Obb2::new(point_at(center, Vec2::ZERO), half, rotation).unwrap();
        (made, Corners { corners: corners.to_vec(), radius: 0 })
    };
    // Corners reach 2^40 here: the squares of cross products would not fit, so distances stay out of it.
    let mut decided = [0; 2];
    for _ in 0..PAIRS {
        let ((box_a, corners_a), (box_b, mut corners_b)) = (turned(&mut rng), turned(&mut rng));
        let mut offset = [0, 0];
        if rng.chance(1, 2) {
            let border = hull(differences(&corners_a, &corners_b));
            let near = border[rng.below(border.len() as u32) as usize];
            offset = [0, 1].map(|axis| i128::from(rng.range_i64(-200, 200)) - near[axis]);
        }
        for corner in &mut corners_b.corners {
            *corner = [corner[0] + offset[0], corner[1] + offset[1]];
        }
        let box_b =
            Obb2::new(point_at(offset, box_b.center()), box_b.half_extents(), box_b.rotation()).unwrap();
        // Two corners within a unit per metre of the half diagonal, and a unit for the sum of what is fixed.
        let diagonals = box_a.half_extents().length() + box_b.half_extents().length();
        let band = i128::from(diagonals.ceil().to_int_round()) + 1;
        let difference = hull(differences(&corners_a, &corners_b));
        let edges = || difference.iter().zip(difference.iter().cycle().skip(1));
        // The signed distance to each edge's line, rounded down, and its band.
        let height = |(p, q): (&Point, &Point)| {
            let edge = minus(*q, *p);
            let length = dot(edge, edge).unsigned_abs().isqrt() as i128;
            (cross(minus([0, 0], *p), edge)).div_euclid(length.max(1))
        };
        let highest = edges().map(height).max().unwrap();
        if highest > band {
            assert!(!overlaps(&box_a, &box_b), "{box_a:?} {box_b:?} {highest} {band}");
            decided[0] += 1;
        } else if highest < -band - 1 {
            assert!(penetrates(&box_a, &box_b), "{box_a:?} {box_b:?} {highest} {band}");
            decided[1] += 1;
        }
    }
    assert!(decided.iter().all(|count| *count > PAIRS / 10), "{decided:?}");
}
