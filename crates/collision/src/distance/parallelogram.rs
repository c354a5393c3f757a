//! The point of a parallelogram that is closest to the origin.
//!
//! For the points P + s u + t v with s, t in [−1, 1] and the normal n = u × v, the foot of the origin on the plane
//! has
//!
//! ```text
//! s = −(P · w) / (u · w)   with w = v × n, across v and n,
//! t = −(P · z) / (v · z)   with z = u × n,
//! ```
//!
//! and u · w = |n|² = −(v · z). The textbook's (b e − c d) / (a c − b²) is the same number, but it cancels as
//! the angle between u and v vanishes; n, from exact axes, does not. If the foot lies inside, it is the answer. If
//! not, the answer lies on an edge that separates the foot from the parallelogram, of which there are at most
//! two, and on each it is a clamped quotient.
//!
//! In s the error is that of w, 2⁻⁵⁸, over the sine of the angle. So the coefficient of the longer side is then
//! computed once more for the given other one, after which the point is in error across that side only, where
//! the sine cancels: 2⁻⁵⁷ of |P| for any angle.

use super::arithmetic::{UNIT, UNIT_BITS, clamped_ratio, cross, leading, product, ratio, round_shift};
use super::pair::Span;
use crate::exact::{dot, length_squared};

/// Coefficients in Q60 of what may be closest to the origin.
#[derive(Clone, Copy)]
pub(crate) enum Foot {
    /// The foot of the origin on the plane: surely closest.
    Inside([i64; 2]),
    /// The closest points of one or two edges, of which one is closest.
    Edges([i64; 2], Option<[i64; 2]>),
}

/// The closest point; `n` is u × v in 60 bits.
pub(crate) fn closest(p: [i64; 3], [u, v]: [&Span; 2], n: [i64; 3]) -> Foot {
    let ((w, _), (z, _)) = (leading(cross(v.axis, n)), leading(cross(u.axis, n)));
    let (uw, vz) = (u.along(w), -v.along(z));
    if uw <= 0 || vz <= 0 {
        return Foot::Edges(on_line(p, u, v), None);
    }
    let s = ratio(-dot(w, p), uw);
    let t = ratio(dot(z, p), vz);
    // On the edge s = ±1 the other coefficient is −(P ± u) · v / v · v.
    let edge_s = || {
        let s = s.signum() * UNIT;
        [s, v.coefficient(at(p, u, s))]
    };
    let edge_t = || {
        let t = t.signum() * UNIT;
        [u.coefficient(at(p, v, t)), t]
    };
    match (s.abs() > UNIT, t.abs() > UNIT) {
        (false, false) => {
            let both = refined(p, u, v, [s, t]);
            let way = at(at(p, u, both[0]), v, both[1]);
            let is_across = dot(way, w).abs() <= ACROSS && dot(way, z).abs() <= ACROSS;
            if is_across { Foot::Inside(both) } else { Foot::Edges(edge_s(), Some(edge_t())) }
        }
        (true, false) => Foot::Edges(edge_s(), None),
        (false, true) => Foot::Edges(edge_t(), None),
        (true, true) => Foot::Edges(edge_s(), Some(edge_t())),
    }
}

/// The way to a foot is across the plane within 64 words, times a direction of 60 bits. Where it is not, the sides are
/// parallel but for their last bits, and nothing can be said about what lies between them.
const ACROSS: i128 = 64 << 60;

/// P + s u.
fn at(p: [i64; 3], u: &Span, s: i64) -> [i64; 3] {
    core::array::from_fn(|axis| p[axis] + round_shift(product(s, u.fine[axis]), UNIT_BITS) as i64)
}

/// For sides that are parallel but for their last bits: both coefficients in proportion to their sides, which splits the way between them.
///
/// s u + t v has to be x = −(P · u) / (u · u) times u; with |u| + |v| the whole reach, each side does its share.
fn on_line(p: [i64; 3], u: &Span, v: &Span) -> [i64; 2] {
    let both = dot(u.fine, v.fine).abs();
    [u, v].map(|side| match length_squared(side.fine) {
        0 => 0,
        square => clamped_ratio(-dot(p, side.fine), square + both),
    })
}

/// Each coefficient for the given other one, that of the longer side first.
fn refined(p: [i64; 3], u: &Span, v: &Span, [s, t]: [i64; 2]) -> [i64; 2] {
    // Sides of the same length are told apart by what lies along them, so that swapping them swaps the answer.
    let key = |side: &Span| (length_squared(side.fine), dot(p, side.fine).abs());
    if key(u) >= key(v) {
        let s = u.coefficient(at(p, v, t));
        [s, if s.abs() == UNIT { v.coefficient(at(p, u, s)) } else { t }]
    } else {
        let t = v.coefficient(at(p, u, s));
        [if t.abs() == UNIT { u.coefficient(at(p, v, t)) } else { s }, t]
    }
}
