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
pub(super) fn clip(pair: &Pair, reference: &Face) -> (Clipped, Option<Clipped>) {
    let a = Side { outline: &pair.a, corners: &pair.corners_a };
    let b = Side { outline: &pair.b, corners: &pair.corners_b };
    let (own, other) = match reference.owner {
        Owner::A => (a, b),
        Owner::B => (b, a),
    };
    let n = reference.normal;
    let t = [-n[1], n[0]];
    let (start, end) = (reference.index, own.outline.next(reference.index));
    let (low, high) = (own.corners[start], own.corners[end]);

    let support = deepest_corner(&other, n);
    let middles = pair.between_middles();
    let toward_owner = match reference.owner {
        Owner::A => middles.map(|d| -d),
        Owner::B => middles,
    };
    let first = incident_edge(&other, support, n, toward_owner);
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
        let reference_corner = if support == first { end } else { start };
        return (point(other.corners[support], reference_corner, support), None);
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

/// The corner that reaches farthest against `n`; the first of equals.
fn deepest_corner(side: &Side, n: [i64; 2]) -> usize {
    let depth = |i: &usize| dot(side.corners[*i], n);
    (0..side.outline.count).min_by_key(depth).unwrap_or(0)
}

/// The edge at the corner `support` that runs most against the reference edge; of equals the one whose other end
/// is deeper, then the one that faces more toward the middle of the other shape. Given by its first corner.
fn incident_edge(side: &Side, support: usize, n: [i64; 2], toward_other: [i128; 2]) -> usize {
    let reference = unit(n);
    let rank = |edge: usize, other_end: usize| {
        let normal = unit(side.outline.normals[edge]);
        let facing =
            dot([normal.x.to_bits(), normal.y.to_bits()], [reference.x.to_bits(), reference.y.to_bits()]);
        (facing, dot(side.corners[other_end], n), Reverse(direction_rank(normal, toward_other)))
    };
    let (previous, next) = (side.outline.previous(support), side.outline.next(support));
    if rank(previous, previous) < rank(support, next) { previous } else { support }
}
