//! Contact points of two edges: the incident edge, cut to the width of the reference edge.
//!
//! With n the reference normal and t = n turned by a right angle, which is the direction of the reference edge,
//! the incident edge runs against t. Its ends p have places t · p; an end beyond the corner of the reference edge
//! is moved along the incident edge to that corner's place, as a fraction of the difference of places. All places
//! are exact.

use super::MAX_VERTICES;
use super::exact::{along, dot, minus, plus, quotient, ratio, scaled, unit};
use super::face::{Face, Owner, direction_rank};
use super::outline::Outline;
use super::pair::Pair;
use core::cmp::Reverse;

/// A contact point in the frame of the pair.
#[derive(Clone, Copy)]
pub(super) struct Clipped {
    /// On the reference edge's line.
    pub(super) on_reference: [i64; 2],
    /// On the incident edge.
    pub(super) on_incident: [i64; 2],
    /// Q44, along the reference normal.
    pub(super) separation: i64,
    /// The corner where the reference edge ends on this side.
    pub(super) reference_corner: usize,
    /// The corner where the incident edge ends on this side.
    pub(super) incident_corner: usize,
}

struct Side<'a> {
    outline: &'a Outline,
    corners: &'a [[i64; 2]; MAX_VERTICES],
}

/// The contact points on the reference edge; if the incident edge passes it by, only the end that is nearer to it.
///
/// The deepest corner is above the edge that separates the pair best. Where the reference edge is another, which may be worse
/// by the tolerance, it may be beside: of a row of edges that are nearly parallel, the one that is above is then incident.
pub(super) fn clip(pair: &Pair, reference: &Face, tolerance: i64) -> (Clipped, Option<Clipped>) {
    let a = Side { outline: &pair.a, corners: &pair.corners_a };
    let b = Side { outline: &pair.b, corners: &pair.corners_b };
    let (own, other) = match reference.owner {
        Owner::A => (a, b),
        Owner::B => (b, a),
    };
    let n = reference.normal;
    let ends = [reference.index, own.outline.next(reference.index)];
    let middles = pair.between_middles();
    let toward_owner = match reference.owner {
        Owner::A => middles.map(|d| -d),
        Owner::B => middles,
    };
    let deepest = incident_edge(&other, n, toward_owner);
    let above = edge_above(&other, deepest, n, ends.map(|corner| own.corners[corner]));
    let found = clip_edge(&own, ends, n, &other, above);
    let is_as_deep = |point: &Clipped| point.separation - reference.separation <= tolerance;
    if above == deepest || is_as_deep(&found.0) || found.1.is_some_and(|point| is_as_deep(&point)) {
        found
    } else {
        clip_edge(&own, ends, n, &other, deepest)
    }
}

/// The incident edge that begins at the corner `first`, cut to the reference edge between the corners `ends`.
fn clip_edge(
    own: &Side,
    ends: [usize; 2],
    n: [i64; 2],
    other: &Side,
    first: usize,
) -> (Clipped, Option<Clipped>) {
    let t = [-n[1], n[0]];
    let [low, high] = ends.map(|corner| own.corners[corner]);
    let [start, end] = ends;
    let last = other.outline.next(first);
    let (from, to) = (other.corners[first], other.corners[last]);

    let point = |on_incident: [i64; 2], reference_corner, incident_corner| {
        // The ends of a turned box' edge may differ by their rounding.
        let ahead = dot(n, minus(on_incident, low)).min(dot(n, minus(on_incident, high)));
        let separation = quotient(ahead, n);
        let on_reference = minus(on_incident, along(n, separation));
        Clipped { on_reference, on_incident, separation, reference_corner, incident_corner }
    };
    // Places from the ends of the reference edge; the incident edge begins at the upper one.
    let (from_above, to_above) = (dot(t, minus(from, high)), dot(t, minus(to, high)));
    let (from_below, to_below) = (dot(t, minus(from, low)), dot(t, minus(to, low)));
    let width = from_above - to_above;
    if from_below < 0 {
        return (point(from, start, first), None);
    }
    if to_above > 0 {
        return (point(to, end, last), None);
    }
    if width <= 0 {
        let begins_deeper = dot(n, from) <= dot(n, to);
        return (if begins_deeper { point(from, end, first) } else { point(to, start, last) }, None);
    }
    let begin = if from_above > 0 { between(from, to, from_above, width) } else { from };
    let finish = if to_below < 0 { between(to, from, -to_below, width) } else { to };
    (point(begin, end, first), Some(point(finish, start, last)))
}

/// The point `part / whole` of the way.
fn between(from: [i64; 2], to: [i64; 2], part: i128, whole: i128) -> [i64; 2] {
    let fraction = ratio(part, whole, 62);
    let way = minus(to, from);
    plus(from, [scaled(way[0], fraction), scaled(way[1], fraction)])
}

/// The edge at a corner that reaches farthest against `n` which runs most against the reference edge; of equals the one whose
/// other end is deeper, then the one that faces more toward the middle of the other shape. Given by its first corner.
fn incident_edge(side: &Side, n: [i64; 2], toward_other: [i128; 2]) -> usize {
    let reference = unit(n);
    let depth = |corner: usize| dot(side.corners[corner], n);
    let deepest = (0..side.outline.count).map(depth).min();
    let rank = |edge: &usize| {
        let normal = unit(side.outline.normals[*edge]);
        let facing =
            dot([normal.x.to_bits(), normal.y.to_bits()], [reference.x.to_bits(), reference.y.to_bits()]);
        let other_end = depth(*edge).max(depth(side.outline.next(*edge)));
        (facing, other_end, Reverse(direction_rank(normal, toward_other)))
    };
    let is_deepest = |edge: &usize| Some(depth(*edge).min(depth(side.outline.next(*edge)))) == deepest;
    (0..side.outline.count).filter(is_deepest).min_by_key(rank).unwrap_or(0)
}

/// The edge next to `edge`, or beyond, that does not pass by the reference edge from `low` to `high`, if those up to it face it:
/// of a row of edges that are nearly parallel, the one at the deepest corner may lie beside.
fn edge_above(side: &Side, edge: usize, n: [i64; 2], [low, high]: [[i64; 2]; 2]) -> usize {
    let t = [-n[1], n[0]];
    let faces = |edge: usize| dot(side.outline.normals[edge], n) < 0;
    let (previous, next) = (|edge| side.outline.previous(edge), |edge| side.outline.next(edge));
    let mut edge = edge;
    while dot(t, minus(side.corners[edge], low)) < 0 && faces(previous(edge)) {
        edge = previous(edge);
    }
    while dot(t, minus(side.corners[next(edge)], high)) > 0 && faces(next(edge)) {
        edge = next(edge);
    }
    edge
}
