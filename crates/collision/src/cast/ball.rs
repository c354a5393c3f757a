//! A ball against a ball, and a ray against a ball, in closed form.
//!
//! With D from the moving centre to the other one, the travel V and r the sum of the radii, the line passes the
//! other centre at the distance q = |D × V| / |V|, and enters half a chord h before it is closest:
//!
//! ```text
//! h² = r² − q² = (r − q) (r + q)        t = (D · V − h |V|) / |V|²
//! ```
//!
//! The textbook's discriminant (D·V)² − |V|² (|D|² − r²) would need four times the bits of a word.
//!
//! Of both D · V and h |V| little may be left, where balls are large and go a short way. So the length of V is taken of V 2^u with
//! all bits of a word: then what is off in the difference is a word of the way, by which h is rounded as well.

use super::slabs::largest;
use super::{Clearance, Sweep, Touch};
use crate::distance::arithmetic::{UNIT, cross, length, quotient, ratio, root, round_shift};
use crate::distance::zonotope::Closest;
use crate::exact::dot;

/// The first touch of two points with radii.
pub(super) fn cast(sweep: &Sweep) -> Option<Touch> {
    let pair = &sweep.pair;
    let start = Closest::at(pair, pair.offset, [0; 6]);
    let closing = dot(pair.offset, pair.travel);
    match Clearance::of(sweep, length(pair.offset) - pair.radius()) {
        Clearance::Inside => return Some(Touch::INSIDE),
        _ if closing <= 0 => return None,
        Clearance::Touching => return Some(Touch::at(0, start)),
        Clearance::Apart => {}
    }
    // Components are below 2^60, and not all are 0.
    let up = largest(pair.travel).leading_zeros().saturating_sub(4);
    let way = pair.travel.map(|word| word << up);
    let speed = length(way);
    let moment = cross(pair.offset, way);
    let magnitude = moment[0].unsigned_abs() | moment[1].unsigned_abs() | moment[2].unsigned_abs();
    let dropped = (128 - magnitude.leading_zeros()).saturating_sub(60);
    let moment = length(moment.map(|word| round_shift(word, dropped) as i64));
    let pass = quotient((moment as u128) << dropped, speed as u64);
    let radius = pair.radius() as u64;
    if pass > radius {
        return None;
    }
    let half_chord = root(u128::from(radius - pass) * u128::from(radius + pass));
    // V · V 2^u is V · V' with V' below 2^60.
    let time = ratio((closing << up) - i128::from(half_chord) * i128::from(speed), dot(pair.travel, way));
    if time > UNIT {
        return None;
    }
    let time = time.max(0);
    Some(Touch::at(time, Closest::at(pair, super::offset_at(pair, time), [0; 6])))
}
