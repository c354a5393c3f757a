//! [`distance`] and [`closest_points`].
//!
//! The closest points of two convex shapes that are apart are two corners, or a corner and a point of an edge; all
//! those candidates are measured. Edges that lie parallel give two candidates of one distance, and the answer is
//! the middle between them.

use super::exact::{along, dot, length, minus, negated, quotient, ratio, saturate, scaled, to_raw, unit};
use super::face::{best_face, direction_rank};
use super::outline::{Convex2, Outline};
use super::overlap::{Touching, meets};
use super::pair::Pair;
use isostep_math::{Fx, Vec2};

/// The closest points of two shapes that do not penetrate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClosestPoints2 {
    /// The distance, as [`distance`] gives it.
    pub distance: Fx,
    /// From `a` to `b`, of length 1.
    pub direction: Vec2,
    /// The point of `a`, each component within a unit of 2⁻³².
    pub point_a: Vec2,
    /// The point of `b`, each component within a unit of 2⁻³².
    pub point_b: Vec2,
}

/// The distance between the two: 0 exactly if they overlap, else to nearest, at least one unit of 2⁻³²; `MAX`
/// where it is beyond the range.
///
/// Within 2⁻²⁷ m for shapes that are more than 2¹⁷ m apart.
#[must_use]
pub fn distance(a: &impl Convex2, b: &impl Convex2) -> Fx {
    let pair = pair_for_distance(a.outline(), b.outline());
    if overlap_in(&pair, Touching::Counts) {
        Fx::ZERO
    } else {
        surface_distance(&pair, closest(&pair).distance)
    }
}

/// The closest points of the two, or `None` where they [`penetrate`](super::penetrates).
///
/// Where edges lie parallel, the middle of the part that is closest.
#[must_use]
pub fn closest_points(a: &impl Convex2, b: &impl Convex2) -> Option<ClosestPoints2> {
    let pair = pair_for_distance(a.outline(), b.outline());
    if overlap_in(&pair, Touching::IsApart) {
        return None;
    }
    let found = closest(&pair);
    let touching = overlap_in(&pair, Touching::Counts);
    let distance = if touching { Fx::ZERO } else { surface_distance(&pair, found.distance) };
    let [point_a, point_b] = found.surface_points(&pair);
    Some(ClosestPoints2 { distance, direction: unit(found.toward), point_a, point_b })
}

/// A near pair where distances fit its frame, else a far one.
pub(super) fn pair_for_distance(a: Outline, b: Outline) -> Pair {
    const LIMIT: u64 = 1 << 61;
    let is_near = |pair: &Pair| {
        minus(pair.corners_b[0], pair.b.corners[0]).iter().all(|offset| offset.unsigned_abs() <= LIMIT)
    };
    Pair::near(a, b).filter(is_near).unwrap_or_else(|| Pair::far(a, b))
}

/// As [`meets`]; outlines of a far pair never do.
fn overlap_in(pair: &Pair, touching: Touching) -> bool {
    match Pair::near(pair.a, pair.b) {
        Some(near) => meets(&near, touching),
        None => false,
    }
}

/// The distance of the outlines' surfaces, of which those of their corners and edges is given, at least a unit.
fn surface_distance(pair: &Pair, between: i64) -> Fx {
    let raw = match pair.bits {
        32.. => to_raw(between - pair.radii()),
        bits => saturate((i128::from(between) << (32 - bits)) - i128::from(to_raw(pair.radii()))),
    };
    Fx::from_bits(raw.max(1))
}

/// A point of an outline: so far from a corner to the next, with 62 fraction bits.
#[derive(Clone, Copy)]
struct Spot {
    corner: usize,
    fraction: i64,
}

impl Spot {
    const fn at(corner: usize) -> Self {
        Self { corner, fraction: 0 }
    }

    /// Its offset from the outline's reference, Q44.
    fn offset(self, outline: &Outline) -> [i64; 2] {
        let from = outline.corners[self.corner];
        let to = outline.corners[outline.next(self.corner)];
        [0, 1].map(|axis| from[axis] + scaled(to[axis] - from[axis], self.fraction))
    }
}

/// Two points that may be the closest ones.
#[derive(Clone, Copy)]
struct Candidate {
    distance: i64,
    /// From `a` to `b`, of any length: an edge's normal, or the difference of two corners.
    normal: [i64; 2],
    is_face: bool,
    a: Spot,
    b: Spot,
}

impl Candidate {
    /// Whether it is the better one: nearer ones, then edges; of corners the ones that are nearer by their exact squares; then
    /// directions in the order of the module, and of parallel edges the one with the longer normal.
    fn is_before(&self, other: &Self, pair: &Pair) -> bool {
        let kind = |c: &Self| (c.distance, !c.is_face, if c.is_face { 0 } else { dot(c.normal, c.normal) });
        let rank =
            |c: &Self| (direction_rank(unit(c.normal), pair.between_middles()), dot(c.normal, c.normal));
        let (own, others) = (kind(self), kind(other));
        own < others || own == others && rank(self) > rank(other)
    }
}

/// The closest points of two outlines without their radii.
pub(super) struct Closest {
    /// In the pair's frame.
    pub(super) distance: i64,
    /// From `a` to `b`, of any length.
    pub(super) toward: [i64; 2],
    /// The corners that are closest, if no edge is.
    pub(super) corners: Option<(usize, usize)>,
    /// Offsets from each reference, Q44, doubled.
    doubled_a: [i128; 2],
    doubled_b: [i128; 2],
}

impl Closest {
    /// The points of the world, moved out to the surfaces.
    pub(super) fn surface_points(&self, pair: &Pair) -> [Vec2; 2] {
        let outward = |doubled: [i128; 2], toward, radius| {
            let step = along(toward, radius);
            [doubled[0] + 2 * i128::from(step[0]), doubled[1] + 2 * i128::from(step[1])]
        };
        [
            pair.world_point_of_a(outward(self.doubled_a, self.toward, pair.a.radius)),
            pair.world_point_of_b(outward(self.doubled_b, negated(self.toward), pair.b.radius)),
        ]
    }
}

/// The closest points of outlines that do not penetrate without their radii.
///
/// `toward` is zero only for two circles with one centre.
pub(super) fn closest(pair: &Pair) -> Closest {
    /// Candidates within this many units of 2⁻⁴⁴ are equally near: the rounding of two distances.
    const TIE: i64 = 2;
    let mut best: Option<Candidate> = None;
    for_each_candidate(pair, |candidate| {
        if best.is_none_or(|best| candidate.is_before(&best, pair)) {
            best = Some(candidate);
        }
    });
    let best = best.unwrap_or_else(|| nearest_corners(pair));
    let mut toward = best.normal;
    if toward == [0, 0] {
        toward = best_face(pair).map_or([0, 0], |face| face.normal_to_b());
    }
    let direction = unit(toward);
    let tangent = [-direction.y.to_bits(), direction.x.to_bits()];
    let offsets = |c: &Candidate| (c.a.offset(&pair.a), c.b.offset(&pair.b));
    let place = |c: &Candidate| dot(offsets(c).0, tangent) + dot(offsets(c).1, tangent);
    let (mut first, mut last) = (best, best);
    for_each_candidate(pair, |candidate| {
        if candidate.distance <= best.distance.saturating_add(TIE) {
            if place(&candidate) < place(&first) {
                first = candidate;
            }
            if place(&candidate) > place(&last) {
                last = candidate;
            }
        }
    });
    let sum = |p: [i64; 2], q: [i64; 2]| [0, 1].map(|axis| i128::from(p[axis]) + i128::from(q[axis]));
    Closest {
        distance: best.distance,
        toward,
        corners: (!best.is_face).then_some((best.a.corner, best.b.corner)),
        doubled_a: sum(offsets(&first).0, offsets(&last).0),
        doubled_b: sum(offsets(&first).1, offsets(&last).1),
    }
}

/// The two corners that are nearest: what is left for slivers, on whose edges rounding leaves no foot.
fn nearest_corners(pair: &Pair) -> Candidate {
    let (corners_a, corners_b) = (pair.corners_a(), pair.corners_b());
    let between = |i: usize, j: usize| {
        let normal = minus(corners_b[j], corners_a[i]);
        Candidate { distance: length(normal), normal, is_face: false, a: Spot::at(i), b: Spot::at(j) }
    };
    let mut best = between(0, 0);
    for i in 0..corners_a.len() {
        for j in 0..corners_b.len() {
            let candidate = between(i, j);
            if candidate.is_before(&best, pair) {
                best = candidate;
            }
        }
    }
    best
}

/// Calls `f` with every pair of corners, and of a corner and an edge, that may be closest.
fn for_each_candidate(pair: &Pair, mut f: impl FnMut(Candidate)) {
    let (a, b) = (pair.corners_a(), pair.corners_b());
    if pair.a.is_round() && pair.b.is_round() {
        let normal = minus(b[0], a[0]);
        f(Candidate { distance: length(normal), normal, is_face: false, a: Spot::at(0), b: Spot::at(0) });
        return;
    }
    for (corner, point) in b.iter().enumerate() {
        for edge in 0..pair.a.normals().len() {
            if let Some(at) = Nearest::of_edge(&pair.a, a, edge, *point) {
                let (a, b) = (Spot { corner: edge, fraction: at.fraction }, Spot::at(corner));
                f(Candidate { distance: at.distance, normal: at.toward, is_face: at.is_face, a, b });
            }
        }
    }
    for (corner, point) in a.iter().enumerate() {
        for edge in 0..pair.b.normals().len() {
            if let Some(at) = Nearest::of_edge(&pair.b, b, edge, *point) {
                let (a, b) = (Spot::at(corner), Spot { corner: edge, fraction: at.fraction });
                f(Candidate { distance: at.distance, normal: negated(at.toward), is_face: at.is_face, a, b });
            }
        }
    }
}

/// The point of an edge, its end left out, that is the nearest of the outline to a point outside.
struct Nearest {
    distance: i64,
    /// From the edge to the point, of any length.
    toward: [i64; 2],
    is_face: bool,
    fraction: i64,
}

impl Nearest {
    /// `None` if another edge is nearer. A corner is the nearest where the point lies behind neither of its edges'
    /// ends.
    fn of_edge(outline: &Outline, corners: &[[i64; 2]], index: usize, point: [i64; 2]) -> Option<Self> {
        let start = corners[index];
        let (edge, d) = (minus(corners[outline.next(index)], start), minus(point, start));
        let (along, length_squared) = (dot(edge, d), dot(edge, edge));
        if along <= 0 {
            let before = minus(start, corners[outline.previous(index)]);
            return (dot(before, d) >= 0).then(|| Self {
                distance: length(d),
                toward: d,
                is_face: false,
                fraction: 0,
            });
        }
        let outward = outline.normals[index];
        // The ends of a turned box' edge may differ by their rounding.
        let ahead = dot(outward, d).min(dot(outward, minus(d, edge)));
        if along >= length_squared || ahead < 0 {
            return None;
        }
        let (distance, fraction) = (quotient(ahead, outward), ratio(along, length_squared, 62));
        Some(Self { distance, toward: outward, is_face: true, fraction })
    }
}
