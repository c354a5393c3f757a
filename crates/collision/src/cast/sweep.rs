//! Cores without a radius: separating axes over time.
//!
//! Along an axis n, the point D − t V is within the body's reach Σ |g · n| during an interval of t. The bodies
//! overlap while all axes do so, from the last entry to the first exit, both quotients of exact integers:
//!
//! ```text
//! t = (|D · n| − Σ |g · n|) / (V · n sign(D · n))
//! ```
//!
//! They are compared by cross products in 256 bits, and only the answer is divided. For a ray against a box, the
//! axes are those of the box, on fine words; for two boxes the 15 of their faces and edges, on coarse ones.

use super::{Clearance, Sweep, Touch, offset_at};
use crate::distance::arithmetic::{
    UNIT_BITS, clamped_ratio, cross, direction, length, product, round_shift, unit,
};
use crate::distance::pair::{COARSE_SHIFT, coarse};
use crate::distance::zonotope::{Closest, Contact};
use crate::exact::{U256, dot, length_squared, wide_dot};
use isostep_math::Vec3;

/// A quotient of integers of at least zero, the denominator above.
#[derive(Clone, Copy)]
struct Quotient {
    numerator: i128,
    denominator: i128,
}

impl Quotient {
    fn exceeds(self, other: Self) -> bool {
        let own = U256::product(self.numerator as u128, other.denominator as u128);
        !own.at_most(U256::product(other.numerator as u128, self.denominator as u128))
    }
}

/// The times over which all axes so far overlap.
struct Interval<A> {
    entry: Quotient,
    exit: Quotient,
    /// What entered last; `None` while all overlap from the start.
    last: Option<A>,
}

impl<A> Interval<A> {
    const fn new() -> Self {
        let whole = Quotient { numerator: 1, denominator: 1 };
        Self { entry: Quotient { numerator: 0, denominator: 1 }, exit: whole, last: None }
    }

    /// Cuts the interval by an axis; false if nothing remains.
    fn cut(&mut self, axis: &Projection, name: A) -> bool {
        let (separation, closing) = (axis.separation(), axis.closing());
        if separation >= 0 {
            if closing <= 0 {
                return false;
            }
            let entry = Quotient { numerator: separation, denominator: closing };
            if self.last.is_none() || entry.exceeds(self.entry) {
                self.entry = entry;
                self.last = Some(name);
            }
        }
        if closing != 0 {
            let way = if closing > 0 { axis.reach + axis.along.abs() } else { -separation };
            let exit = Quotient { numerator: way, denominator: closing.abs() };
            if self.exit.exceeds(exit) {
                self.exit = exit;
            }
        }
        !self.entry.exceeds(self.exit)
    }

    /// The time and the axis of the first touch; `None` if all axes overlap from the start.
    fn touch(self) -> Option<(i64, A)> {
        Some((clamped_ratio(self.entry.numerator, self.entry.denominator), self.last?))
    }
}

/// D · n, V · n and the reach along a normal of any length.
struct Projection {
    along: i128,
    travel: i128,
    reach: i128,
}

impl Projection {
    const fn separation(&self) -> i128 {
        self.along.abs() - self.reach
    }

    /// V · n towards the nearer side; from the middle, either.
    const fn closing(&self) -> i128 {
        if self.along < 0 || self.along == 0 && self.travel < 0 { -self.travel } else { self.travel }
    }

    /// Whether all of the way is along the plane of a face.
    const fn slides(&self) -> bool {
        self.travel == 0 && self.separation() == 0
    }
}

/// The axis of the least depth, for bodies that overlap on all axes at the start: its name if they just touch
/// and go deeper along it. `Err` if they miss, `Ok(None)` if they are inside each other.
fn start<A>(sweep: &Sweep, axes: impl Iterator<Item = (A, Projection, i64)>) -> Result<Option<A>, ()> {
    let shallowest = axes.min_by_key(|&(_, _, depth)| depth);
    match shallowest {
        Some((name, axis, depth)) => match Clearance::of(sweep, -depth) {
            Clearance::Inside => Ok(None),
            _ if axis.closing() > 0 => Ok(Some(name)),
            _ => Err(()),
        },
        None => Ok(None),
    }
}

/// The first touch of a moving point and a box.
///
/// Faces belong to the box: a way along the plane of one is decided by the other faces. So nothing falls through where
/// boxes meet.
pub(super) fn cast_point(sweep: &Sweep) -> Option<Touch> {
    let pair = &sweep.pair;
    debug_assert!(pair.a_is_point());
    let project = |span: [i64; 3]| Projection {
        along: dot(pair.offset, span),
        travel: dot(pair.travel, span),
        reach: length_squared(span),
    };
    let spans = &pair.fine[..pair.count];
    let (mut interval, mut slides) = (Interval::new(), false);
    for &span in spans {
        let axis = project(span);
        if axis.slides() {
            slides = true;
        } else if !interval.cut(&axis, span) {
            return None;
        }
    }
    let (time, span) = match interval.touch() {
        Some(touch) => touch,
        None => {
            let axes = spans.iter().map(|&span| (span, project(span))).filter(|(_, axis)| !axis.slides());
            let axes = axes.map(|(span, axis)| {
                let depth = -axis.separation() / i128::from(length(span).max(1));
                (span, axis, depth as i64)
            });
            match start(sweep, axes) {
                Ok(Some(span)) => (0, span),
                // On a face, and along it.
                Ok(None) if slides => return None,
                Ok(None) => return Some(Touch::INSIDE),
                Err(()) => return None,
            }
        }
    };
    let found = Closest::at(pair, offset_at(pair, time), [0; 6]);
    Some(Touch { time, found, toward: toward(direction(span), dot(pair.offset, span)), is_inside: false })
}

/// The first touch of two boxes.
pub(super) fn cast_boxes(sweep: &Sweep) -> Option<Touch> {
    let pair = &sweep.pair;
    let (offset, travel) = (pair.offset.map(coarse), pair.travel.map(coarse));
    let project = |sides: [usize; 2]| {
        let normal = cross(pair.coarse[sides[0]], pair.coarse[sides[1]]);
        let along = wide_dot(normal, offset);
        let others = (0..pair.count).filter(|k| !sides.contains(k));
        let reach = others.map(|k| wide_dot(normal, pair.coarse[k]).abs()).sum();
        (normal, Projection { along, travel: wide_dot(normal, travel), reach })
    };
    let all_sides = || (0..pair.count).flat_map(|i| (i + 1..pair.count).map(move |j| [i, j]));
    let mut interval = Interval::new();
    for sides in all_sides() {
        let (normal, axis) = project(sides);
        if normal != [0; 3] && !interval.cut(&axis, sides) {
            return None;
        }
    }
    let (time, sides) = match interval.touch() {
        Some(touch) => touch,
        None => {
            let axes = all_sides().filter_map(|sides| {
                let (normal, axis) = project(sides);
                let depth = depth_along(normal, -axis.separation())?;
                Some((sides, axis, depth))
            });
            match start(sweep, axes) {
                Ok(Some(sides)) => (0, sides),
                Ok(None) => return Some(Touch::INSIDE),
                Err(()) => return None,
            }
        }
    };
    let (normal, axis) = project(sides);
    let (words, _) = leading(normal);
    let (there, words) =
        (offset_at(pair, time), if axis.along < 0 { words.map(|word| -word) } else { words });
    let found = Contact::of(&pair.with_offset(apart(there, words))).found;
    Some(Touch { time, found, toward: direction(words), is_inside: false })
}

/// By how much coarse words may have boxes deeper than they are: of 15 axes that are nearly one, as for a box that lands on
/// another one, they do not tell which one parts them.
const COARSE_ERROR: i64 = 1 << (COARSE_SHIFT + 3);

/// An offset of boxes that touch there across a normal, with more between them than coarse words may be off by: so the
/// distance knows where they are closest.
fn apart(offset: [i64; 3], normal: [i64; 3]) -> [i64; 3] {
    let Some(normal) = unit(normal) else { return offset };
    core::array::from_fn(|axis| {
        offset[axis] + round_shift(product(normal[axis], COARSE_ERROR), UNIT_BITS) as i64
    })
}

/// A normal from a to b.
fn toward(normal: Vec3, along: i128) -> Vec3 {
    if along < 0 { -normal } else { normal }
}

/// The words shifted into 60 bits, and by how much.
fn leading(normal: [i128; 3]) -> ([i64; 3], u32) {
    let magnitude = normal[0].unsigned_abs() | normal[1].unsigned_abs() | normal[2].unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(60);
    (normal.map(|word| round_shift(word, shift) as i64), shift)
}

/// `depth` / |normal| in local words; `None` for no normal.
fn depth_along(normal: [i128; 3], depth: i128) -> Option<i64> {
    let (words, shift) = leading(normal);
    // Coarse words of at most 43 bits.
    (depth >> shift).checked_div(length(words).into()).map(|depth| (depth as i64) << COARSE_SHIFT)
}
