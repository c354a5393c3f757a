//! The point of D + Σ s g, s in [−1, 1], that is closest to the origin.
//!
//! Up to one span, and for a point against a box, whose spans are orthogonal, every coefficient is a clamped
//! quotient of its own; so it is for two boxes along the axes of the world, as parallel spans count as one.
//! Two segments span a parallelogram. For the rest, a box against a segment or a box: if the origin lies
//! outside, the closest point lies on a facet whose plane separates the origin from the body, because the
//! direction from the closest point to the origin is a positive sum of the normals of the facets that meet
//! there, and one of them must point the same way. A facet is spanned by two of the spans; the others stand
//! at the end that their product with the normal n = g₁ × g₂ tells,
//!
//! ```text
//! P = D − sign(D · n) Σ sign(g · n) g        separating if |D · n| > Σ |g · n|
//! ```
//!
//! which is the separating axis test. So at most 15 parallelograms are looked at, without iteration. Normals are
//! products of axes, which thin spans have as well, in 60 bits: everything is right within a few words, 2⁻⁵⁵ of
//! the pair.
//!
//! **Next to the surface** a residual is little but rounding. Whether the origin is inside and where the way out is
//! are then told by the direction with the largest gap (or least depth), (|D · n| − Σ |g · n|) / |n|: that of the
//! residual or of a facet. No direction separates better than a facet by more than the distance itself.

use super::arithmetic::{UNIT, UNIT_BITS, cross, leading, length, product, round_shift, unit};
use super::pair::Pair;
use super::parallelogram::{self, Foot};
use crate::exact::{AXIS_BITS, dot, length_squared};
use isostep_math::{Fx, Vec3};

/// The closest point: its coefficients in Q60, and where it is, which is from the core of a to that of b.
#[derive(Clone, Copy)]
pub(crate) struct Closest {
    pub(crate) coefficients: [i64; 6],
    pub(crate) residual: [i64; 3],
    /// The direction of the residual. Next to the body it is known better than the residual itself.
    pub(crate) toward: [i64; 3],
    squared: i128,
}

/// Residuals shorter than 2³⁴ words, which are off by a few, can say less about a direction than the nearest facet
/// does, along which no more than their own length is lost: squared.
const NEAR: i128 = 1 << 68;
/// What rounding may take from a gap: 64 words, times a normal of 60 bits.
const GAP_ERROR: i128 = 64 << 60;
/// A span that reaches no farther from a plane lies along it: 8 words, times a normal of 60 bits.
const ALONG: i128 = 8 << 60;
/// A residual within two words of it is across a span, times an axis of 58 bits.
const ACROSS: i128 = 2 << AXIS_BITS;
/// Most residuals settle in two passes; those between edges that are nearly parallel, in more.
const MAX_PASSES: u32 = 16;

impl Closest {
    pub(crate) const NONE: Self =
        Self { coefficients: [0; 6], residual: [0; 3], toward: [0; 3], squared: i128::MAX };

    /// The point with these coefficients of the body around `offset`.
    pub(crate) fn at(pair: &Pair, offset: [i64; 3], coefficients: [i64; 6]) -> Self {
        let residual = core::array::from_fn(|axis| {
            let sum: i128 = (0..pair.count).map(|i| product(coefficients[i], pair.fine[i][axis])).sum();
            offset[axis] + round_shift(sum, UNIT_BITS) as i64
        });
        Self::with(coefficients, residual)
    }

    /// The direction is that of the normal, towards `offset`.
    fn facing(self, normal: [i64; 3], offset: [i64; 3]) -> Self {
        let is_against = dot(normal, offset) < 0;
        Self { toward: if is_against { normal.map(|word| -word) } else { normal }, ..self }
    }

    /// For the foot on a plane: the direction is that of the normal, if that is known better.
    ///
    /// The residual is off by a few words, and the normal by a unit of the axes over the sine between them: of what
    /// their product has more than 59 bits, `dropped`.
    fn toward_foot(self, normal: [i64; 3], dropped: i32, offset: [i64; 3]) -> Self {
        let bits = (dropped + 3).clamp(0, 63) as u32;
        if self.squared >> (2 * bits) > 0 { self } else { self.facing(normal, offset) }
    }

    /// How far apart the plane across its direction holds the cores: words with 60 bits more; nothing for no direction.
    fn gap(&self, pair: &Pair, offset: [i64; 3]) -> i128 {
        let Some(direction) = unit(self.toward) else { return i128::MIN };
        let reach: i128 = (0..pair.count).map(|k| pair.span(k).along(direction).abs()).sum();
        dot(offset, direction) - reach
    }

    fn with(coefficients: [i64; 6], residual: [i64; 3]) -> Self {
        Self { coefficients, residual, toward: residual, squared: length_squared(residual) }
    }

    /// Every coefficient for the given other ones, until none changes by more than rounding.
    ///
    /// Where a foot is next to the end of an edge, both are equally far to the last word, but not in one direction: a
    /// residual is across the edges that it may move along, or points out of their ends.
    fn settled(self, pair: &Pair, offset: [i64; 3]) -> Self {
        let mut settled = self;
        for _ in 0..MAX_PASSES {
            let mut is_settled = true;
            for k in 0..pair.count {
                let span = pair.span(k);
                let (old, along) = (settled.coefficients[k], dot(settled.residual, span.axis));
                let is_at_end = (old == UNIT && along <= 0) || (old == -UNIT && along >= 0);
                if is_at_end || along.abs() <= ACROSS {
                    continue;
                }
                let mut coefficients = settled.coefficients;
                coefficients[k] = (old + span.coefficient(settled.residual)).clamp(-UNIT, UNIT);
                settled = Self::at(pair, offset, coefficients);
                is_settled = false;
            }
            if is_settled {
                break;
            }
        }
        settled
    }

    /// The lesser of both, the first for a tie.
    fn or_closer(self, other: Self) -> Self {
        if other.squared < self.squared { other } else { self }
    }
}

/// The closest point of the cores of `pair` around `offset`; `None` if they overlap or touch.
pub(crate) fn closest(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let found = match pair.count {
        0 => Closest::at(pair, offset, [0; 6]),
        1 => on_segment(pair, offset)?,
        2 => between_segments(pair, offset),
        3 => orthogonal(pair, offset)?,
        _ => by_facets(pair, offset)?,
    };
    if found.squared == 0 { None } else { Some(found) }
}

/// For one span: `None` on it.
fn on_segment(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let span = pair.span(0);
    let mut coefficients = [0; 6];
    coefficients[0] = span.coefficient(offset);
    let mut found = Closest::at(pair, offset, coefficients);
    if found.squared < NEAR && coefficients[0].abs() < UNIT {
        // Beside the segment, the way is e × (D × e), which is exact.
        let (across, _) = leading(cross(offset, span.axis));
        if across == [0; 3] {
            return None;
        }
        found.toward = leading(cross(span.axis, across)).0;
    }
    Some(found)
}

/// For orthogonal spans: what is beyond the ends; `None` inside.
fn orthogonal(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let spans = [pair.span(0), pair.span(1), pair.span(2)];
    // In Q58, and with as many bits as fit.
    let beyond = [spans[0].excess(offset), spans[1].excess(offset), spans[2].excess(offset)];
    let (words, dropped) = leading(beyond);
    if words == [0; 3] {
        return None;
    }
    let mut coefficients = [0; 6];
    for axis in 0..3 {
        coefficients[axis] = spans[axis].coefficient(offset);
    }
    let toward: [i128; 3] = core::array::from_fn(|c| {
        product(words[0], spans[0].axis[c])
            + product(words[1], spans[1].axis[c])
            + product(words[2], spans[2].axis[c])
    });
    let shift = (2 * AXIS_BITS as i32 - dropped) as u32;
    let residual = toward.map(|word| if shift > 126 { 0 } else { round_shift(word, shift) as i64 });
    Some(Closest { toward: leading(toward).0, ..Closest::with(coefficients, residual) })
}

fn between_segments(pair: &Pair, offset: [i64; 3]) -> Closest {
    let sides = [0, 1];
    let (normal, dropped) = leading(cross(pair.axes[0], pair.axes[1]));
    let (found, is_inside) = with_foot(pair, offset, offset, [0; 6], sides, normal);
    if is_inside {
        return found.toward_foot(normal, dropped, offset);
    }
    let found = found.settled(pair, offset);
    if found.squared >= NEAR {
        return found;
    }
    // Segments that touch have the normal for a way out.
    let across = found.facing(normal, offset);
    if across.gap(pair, offset) > found.gap(pair, offset) { across } else { found }
}

/// The closest point over the foot of a parallelogram around `p`, spanned by `sides`, and whether it is the foot on its
/// plane.
fn with_foot(
    pair: &Pair,
    offset: [i64; 3],
    p: [i64; 3],
    coefficients: [i64; 6],
    sides: [usize; 2],
    normal: [i64; 3],
) -> (Closest, bool) {
    let at = |[s, t]: [i64; 2]| {
        let mut coefficients = coefficients;
        coefficients[sides[0]] = s;
        coefficients[sides[1]] = t;
        Closest::at(pair, offset, coefficients)
    };
    let [u, v] = [pair.span(sides[0]), pair.span(sides[1])];
    match parallelogram::closest(p, [&u, &v], normal) {
        Foot::Inside(both) => (at(both), true),
        Foot::Edges(edge, None) => (at(edge), false),
        Foot::Edges(edge, Some(other)) => (at(edge).or_closer(at(other)), false),
    }
}

fn by_facets(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let best = over_facets(pair, offset)?;
    if best.squared >= NEAR {
        return Some(best);
    }
    let way = WayOut::through_facets(pair, offset)?;
    match best.gap(pair, offset) {
        own if own > way.gap.max(0) => Some(best),
        _ if way.gap > 0 => Some(Closest { toward: way.toward, ..best }),
        _ => None,
    }
}

/// The closest point of all facets that separate; `None` inside.
fn over_facets(pair: &Pair, offset: [i64; 3]) -> Option<Closest> {
    let mut best: Option<Closest> = None;
    for i in 0..pair.count {
        for j in i + 1..pair.count {
            let sides = [i, j];
            let (normal, dropped) = leading(cross(pair.axes[i], pair.axes[j]));
            let (facet, gap) = Facet::toward(pair, offset, sides, normal, dropped);
            if gap <= -GAP_ERROR {
                continue;
            }
            let (found, is_closest) = facet.closest_point(pair, offset);
            if is_closest {
                return Some(found.toward_foot(normal, dropped, offset));
            }
            best = Some(best.map_or(found, |best| best.or_closer(found)));
        }
    }
    best.map(|best| best.settled(pair, offset))
}

/// A pair of opposite facets, or rather the nearer of them.
struct Facet {
    sides: [usize; 2],
    /// In 60 bits.
    normal: [i64; 3],
    /// Of every span but the sides, the coefficient at the facet, −1 or 1.
    signs: [i64; 6],
    /// The spans, by bits, that lie along the facet within a few words: they may as well stand at the other end.
    along: u8,
    /// The spans that the other end may be right for as well, by the error of the normal.
    unsure: u8,
}

impl Facet {
    /// The facet of `sides` next to the origin, whose normal was cut by `dropped` bits from the product of their axes;
    /// and by how much its plane separates, times the normal: at least zero where it does.
    fn toward(
        pair: &Pair,
        offset: [i64; 3],
        sides: [usize; 2],
        normal: [i64; 3],
        dropped: i32,
    ) -> (Self, i128) {
        let along = dot(normal, offset);
        let sign = if along < 0 { 1 } else { -1 };
        // Axes are off by a unit of Q58, and what that makes of the normal grows as the sine of the sides vanishes.
        let error = 1 << (64 - dropped).clamp(2, 61);
        let mut facet = Self { sides, normal, signs: [0; 6], along: 0, unsure: 0 };
        let mut reach = 0;
        for k in (0..pair.count).filter(|k| !sides.contains(k)) {
            let cosine = round_shift(dot(pair.axes[k], normal), AXIS_BITS) as i64;
            let part = product(pair.halves[k], cosine.abs());
            facet.stand(pair, offset, k, sign * cosine, part <= ALONG);
            facet.unsure |= u8::from(cosine.abs() <= error) << k;
            reach += part;
        }
        (facet, along.abs() - reach)
    }

    /// Puts a span at the end that a sign tells, or, along the facet, at the one next to the origin.
    fn stand(&mut self, pair: &Pair, offset: [i64; 3], k: usize, sign: i64, is_along: bool) {
        let near = if dot(offset, pair.axes[k]) < 0 { 1 } else { -1 };
        self.signs[k] = if is_along || sign == 0 { near } else { sign.signum() };
        self.along |= u8::from(is_along) << k;
    }

    /// The point of the facet that is closest to the origin, and whether that is the foot on its plane.
    ///
    /// Where spans lie along the facet, as for boxes with parallel faces, it is larger than a parallelogram.
    /// Those of the sides at all ends of these spans cover it together with those of the other sides.
    fn closest_point(&self, pair: &Pair, offset: [i64; 3]) -> (Closest, bool) {
        let mut best = Closest::NONE;
        let either = self.along | self.unsure;
        // All sets of spans that may stand at the other end, the empty one first.
        let mut flipped = 0_u8;
        loop {
            let mut signs = self.signs;
            for (k, sign) in signs.iter_mut().enumerate() {
                *sign = if flipped >> k & 1 == 1 { -*sign } else { *sign };
            }
            let p = core::array::from_fn(|axis| {
                offset[axis] + (0..pair.count).map(|k| signs[k] * pair.fine[k][axis]).sum::<i64>()
            });
            let coefficients = signs.map(|sign| sign * UNIT);
            let (found, is_foot) = with_foot(pair, offset, p, coefficients, self.sides, self.normal);
            if is_foot && flipped & !self.along == 0 {
                return (found, true);
            }
            best = best.or_closer(found);
            flipped = flipped.wrapping_sub(either) & either;
            if flipped == 0 {
                return (best, false);
            }
        }
    }
}

/// How to part two cores that meet: the shortest way out.
pub(crate) struct WayOut {
    /// From a to b, of any length but zero.
    pub(crate) toward: [i64; 3],
    /// How far they are apart along it, in words with 60 bits more: zero or below, but for rounding.
    gap: i128,
    facet: Option<Facet>,
}

impl WayOut {
    /// Across the facet of their difference that is nearest, the first of equals in the order: faces of a, faces of b,
    /// pairs of edges. Cores without a facet part across their segments, or along y.
    pub(crate) fn of(pair: &Pair) -> Self {
        Self::through_facets(pair, pair.offset).unwrap_or_else(|| {
            let line = Vec3::from_array(pair.fine[0].map(Fx::from_bits));
            let across = if line == Vec3::ZERO { Vec3::Y } else { line.any_orthonormal_vector() };
            Self { toward: across.to_array().map(Fx::to_bits), gap: 0, facet: None }
        })
    }

    /// The facet with the largest gap; `None` for fewer than two spans.
    fn through_facets(pair: &Pair, offset: [i64; 3]) -> Option<Self> {
        let mut best: Option<Self> = None;
        let (a, of_a, b, of_b) = pair.numbers();
        let (a, b) = (&a[..of_a], &b[..of_b]);
        for core in [a, b] {
            if let [x, y, z] = *core {
                for (normal, sides) in [(x, [y, z]), (y, [z, x]), (z, [x, y])] {
                    let normal = pair.axes[normal].map(|word| word << (60 - AXIS_BITS));
                    Self::or_through(&mut best, pair, offset, sides, normal, AXIS_BITS as i32);
                }
            }
        }
        for &i in a {
            for &j in b {
                let (normal, dropped) = leading(cross(pair.axes[i], pair.axes[j]));
                if let Some(normal) = unit(normal) {
                    Self::or_through(&mut best, pair, offset, [i, j], normal, dropped);
                }
            }
        }
        best
    }

    /// The way through the facet of `sides`, whose normal has unit length in Q60, if it is shorter.
    fn or_through(
        best: &mut Option<Self>,
        pair: &Pair,
        offset: [i64; 3],
        sides: [usize; 2],
        normal: [i64; 3],
        dropped: i32,
    ) {
        let (facet, gap) = Facet::toward(pair, offset, sides, normal, dropped);
        if best.as_ref().is_none_or(|best| gap > best.gap) {
            let is_against = dot(normal, offset) < 0;
            let toward = if is_against { normal.map(|word| -word) } else { normal };
            *best = Some(Self { toward, gap, facet: Some(facet) });
        }
    }

    /// How far the cores are apart along it in words: zero, or below.
    pub(crate) fn gap(&self) -> i64 {
        round_shift(self.gap.min(0), 60) as i64
    }

    /// The coefficients of the two points that part last.
    fn coefficients(&self, pair: &Pair) -> [i64; 6] {
        let mut coefficients = [0; 6];
        if let Some(facet) = &self.facet {
            return facet.closest_point(pair, pair.offset).0.coefficients;
        }
        if pair.count == 1 {
            coefficients[0] = pair.span(0).coefficient(pair.offset);
        }
        coefficients
    }
}

/// How two cores stand to each other: apart or not.
pub(crate) struct Contact {
    /// The two points: closest to each other, or, of cores that meet, those that part last on the shortest way out.
    pub(crate) found: Closest,
    /// How far they are apart towards b, in words: zero or below where they meet.
    pub(crate) gap: i64,
}

impl Contact {
    pub(crate) fn of(pair: &Pair) -> Self {
        if let Some(found) = closest(pair, pair.offset) {
            return Self { found, gap: length(found.residual) };
        }
        let way = WayOut::of(pair);
        let found = Closest::at(pair, pair.offset, way.coefficients(pair));
        Self { found: Closest { toward: way.toward, ..found }, gap: way.gap() }
    }
}
