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
//! the angle between u and v vanishes; n, exact here, does not. If the foot lies inside, it is the answer. If
//! not, the answer lies on an edge that separates the foot from the parallelogram, of which there are at most
//! two, and on each it is a clamped quotient.
//!
//! In s the error is that of w, 2⁻⁴⁰, over the sine of the angle. So the coefficient of the longer side is then
//! computed once more for the given other one, after which the point is in error across that side only, where
//! the sine cancels: 2⁻³⁹ of |P| for any angle.

use super::arithmetic::{UNIT, clamped_ratio, cross, ratio, round_shift, wide_dot};
use crate::exact::dot;

/// Coefficients in Q60 of what may be closest to the origin.
#[derive(Clone, Copy)]
pub(crate) enum Foot {
    /// The foot of the origin on the plane: surely closest.
    Inside([i64; 2]),
    /// The closest points of one or two edges, of which one is closest.
    Edges([i64; 2], Option<[i64; 2]>),
}

/// The closest point for coarse words, and `normal` = u × v.
pub(crate) fn closest(p: [i64; 3], u: [i64; 3], v: [i64; 3], normal: [i128; 3]) -> Foot {
    let (pu, pv) = (dot(p, u), dot(p, v));
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    if normal == [0; 3] {
        return Foot::Inside(on_line(pu, pv, uu, uv, vv));
    }
    let n = leading(normal);
    let (w, z) = (cross(v, n), cross(u, n));
    let (uw, vz) = (wide_dot(w, u), wide_dot(z, v));
    // Both are |n|² but for sign and the dropped bits of n.
    let s = ratio(-wide_dot(w, p), uw);
    let t = ratio(wide_dot(z, p), -vz);
    let (out_s, out_t) = (s.abs() > UNIT, t.abs() > UNIT);
    // On the edge s = ±1 the other coefficient is −(P ± u) · v / v · v.
    let edge_s = || {
        let s = s.signum() * UNIT;
        [s, along(pv, uv, vv, s)]
    };
    let edge_t = || {
        let t = t.signum() * UNIT;
        [along(pu, uv, uu, t), t]
    };
    match (out_s, out_t) {
        (false, false) => Foot::Inside(refined([s, t], pu, pv, uu, uv, vv)),
        (true, false) => Foot::Edges(edge_s(), None),
        (false, true) => Foot::Edges(edge_t(), None),
        (true, true) => Foot::Edges(edge_s(), Some(edge_t())),
    }
}

/// For parallel sides: both coefficients in proportion to their sides, which splits the way between them.
///
/// s u + t v has to be x = −(P · u) / (u · u) times u; with |u| + |v| the whole reach, each side does its share.
const fn on_line(pu: i128, pv: i128, uu: i128, uv: i128, vv: i128) -> [i64; 2] {
    let both = uv.abs();
    [
        if uu == 0 { 0 } else { clamped_ratio(-pu, uu + both) },
        if vv == 0 { 0 } else { clamped_ratio(-pv, vv + both) },
    ]
}

/// Each coefficient for the given other one, that of the longer side first.
fn refined([s, t]: [i64; 2], pu: i128, pv: i128, uu: i128, uv: i128, vv: i128) -> [i64; 2] {
    // Sides of the same length are told apart by what lies along them, so that swapping them swaps the answer.
    if (uu, pu.abs()) >= (vv, pv.abs()) {
        let s = along(pu, uv, uu, t);
        [s, if s.abs() == UNIT { along(pv, uv, vv, s) } else { t }]
    } else {
        let t = along(pv, uv, vv, s);
        [if t.abs() == UNIT { along(pu, uv, uu, t) } else { s }, t]
    }
}

/// −(P + other · v) · u / (u · u), clamped.
const fn along(pu: i128, uv: i128, uu: i128, other: i64) -> i64 {
    if uu == 0 {
        return 0;
    }
    // 84 bits by 41: the coefficient is cut to Q40.
    let moved = round_shift(uv * round_shift(other as i128, 20), 40);
    clamped_ratio(-(pu + moved), uu)
}

/// The normal in words of at most 40 bits: its direction within 2⁻³⁹.
fn leading(normal: [i128; 3]) -> [i64; 3] {
    let magnitude = normal[0].unsigned_abs() | normal[1].unsigned_abs() | normal[2].unsigned_abs();
    let bits = 128 - magnitude.leading_zeros();
    normal.map(|word| round_shift(word, bits.saturating_sub(40)) as i64)
}
