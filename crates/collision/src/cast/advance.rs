//! Cores with a radius, by advancing along the planes between them.
//!
//! The distance of a moving and a resting convex body is a convex function of time, g. Newton's method from the
//! left finds the first root of such a function without ever passing it: at each time, the plane across the
//! direction n of the distance separates the bodies, and they cannot touch before the moving one has reached it,
//!
//! ```text
//! t' = (n · D − Σ |n · g| − r |n|) / (n · V)
//! ```
//!
//! where D is the offset at time 0. This holds for any n, so an error of the closest points costs a step and
//! never a contact. Where long spans are nearly parallel, n is not known well enough for them to stand behind the
//! plane. Then the distance itself is divided by how fast it shrinks. Once n · V ≤ 0, or t' > 1, they miss. Convergence is quadratic where the bodies meet at an
//! angle; where they just graze, the distance to the root halves per step.

use super::{Clearance, Sweep, Touch, offset_at};
use crate::distance::arithmetic::{UNIT, length, product, ratio};
use crate::distance::pair::Pair;
use crate::distance::zonotope::{self, Closest};
use crate::exact::dot;

/// After as many steps the answer is the time that was reached, at which the shapes do not touch yet. From the
/// whole sweep to 2⁻⁵⁰ of it, halving takes 50; casts of random pairs take 14 at the most.
const MAX_STEPS: u32 = 64;
/// A gap that counts as none, in local words: 2⁻⁵⁰ of the pair.
const TOUCHING: i64 = 1 << 10;

/// What closest points may be off by, in local words.
const ERROR: i64 = 64;

/// The first touch of two cores, of which at least one has a radius.
pub(super) fn cast(sweep: &Sweep) -> Option<Touch> {
    let pair = &sweep.pair;
    let Some(mut found) = zonotope::closest(pair, pair.offset) else { return Some(Touch::INSIDE) };
    match Clearance::of(sweep, length(found.residual) - pair.radius()) {
        Clearance::Inside => return Some(Touch::INSIDE),
        Clearance::Touching if dot(pair.travel, found.toward) > 0 => return Some(Touch::at(0, found)),
        Clearance::Touching => return None,
        Clearance::Apart => {}
    }
    let mut time = 0;
    for _ in 0..MAX_STEPS {
        // Within a unit: never late.
        let next = match beyond_plane(pair, &found, time) {
            Reach::Never => return None,
            Reach::At(next) if next - 1 > time => next - 1,
            Reach::At(_) => match beyond_distance(pair, &found, time) {
                Reach::Never => return None,
                Reach::At(next) => next - 1,
            },
        };
        if next <= time {
            break;
        }
        time = next;
        // At a time before the touch, the cores are apart.
        let Some(closer) = zonotope::closest(pair, offset_at(pair, time)) else { break };
        found = closer;
        if length(found.residual) - pair.radius() <= TOUCHING {
            break;
        }
    }
    Some(Touch::at(time, found))
}

/// When the shapes may touch at the earliest.
enum Reach {
    At(i64),
    /// Not within the sweep.
    Never,
}

/// The time at which the planes across the direction between the closest points meet.
fn beyond_plane(pair: &Pair, found: &Closest, time: i64) -> Reach {
    let normal = found.toward;
    let closing = dot(pair.travel, normal);
    let reach: i128 = pair.fine[..pair.count].iter().map(|&span| dot(span, normal).abs()).sum();
    let gap = dot(pair.offset, normal) - reach - product(pair.radius(), length(normal));
    if closing <= 0 {
        // Planes that are apart stay so.
        let there = dot(offset_at(pair, time), normal) - dot(pair.offset, normal) + gap;
        return if there > 0 { Reach::Never } else { Reach::At(time) };
    }
    match ratio(gap, closing) {
        next if next > UNIT => Reach::Never,
        next => Reach::At(next),
    }
}

/// The time at which the distance is gone, if it shrinks as fast as it does now, or faster by what the closest points
/// may be off.
fn beyond_distance(pair: &Pair, found: &Closest, time: i64) -> Reach {
    let distance = length(found.residual);
    let closing = dot(pair.travel, found.residual) + product(length(pair.travel), ERROR);
    if closing <= 0 {
        return Reach::Never;
    }
    match time.saturating_add(ratio(product(distance - pair.radius(), distance), closing)) {
        next if next > UNIT => Reach::Never,
        next => Reach::At(next),
    }
}
