//! [`Core`]: a shape as a zonotope and a radius around it; [`Pair`]: two of them in one local scale.
//!
//! A sphere is a point, a capsule a segment, a box itself, each grown by a radius (of 0 for the box). Every core
//! is centrally symmetric, c + Σ s g over coefficients s in [−1, 1] of up to three *spans* g: its half axes. So
//! the points pB − pA between two cores form again such a body,
//!
//! ```text
//! D + Σ s g      D = cB − cA, g the spans of both
//! ```
//!
//! and the distance of the cores is its distance from the origin.

use super::arithmetic::{UNIT_BITS, clamped_ratio, product, round_shift};
use crate::exact::{AXIS_BITS, bits, dot, narrow};
use crate::shape::{Capsule, Obb, Shape, Sphere};
use isostep_math::{Fx, Vec3};

/// Local words are below 2^60 in magnitude: sums of three products stay within `i128`.
pub(crate) const WORD_BITS: u32 = 60;
/// Coarse words are below 2^41: so do triple products. What separates them in bits.
pub(crate) const COARSE_SHIFT: u32 = WORD_BITS - 41;

/// A shape without its radius. Lengths are in *halves*, units of 2⁻³³, in which centres of segments are exact.
#[derive(Clone, Copy)]
pub(crate) struct Core {
    /// A point of the shape; positions are relative to it.
    base: Vec3,
    /// From there to the centre, below 2^49.
    center: [i64; 3],
    spans: Spans,
    /// The radius in halves.
    radius: i64,
}

#[derive(Clone, Copy)]
enum Spans {
    Point,
    /// Half the segment.
    Segment([i64; 3]),
    /// Half extents and axes in Q58.
    Box([i64; 3], [[i64; 3]; 3]),
}

impl Core {
    /// The core of a shape; half-spaces have none.
    pub(crate) const fn of(shape: &Shape) -> Option<Self> {
        match shape {
            Shape::Sphere(sphere) => Some(Self::of_sphere(sphere)),
            Shape::Capsule(capsule) => Some(Self::of_capsule(capsule)),
            Shape::Box(obb) => Some(Self::of_box(obb)),
            Shape::HalfSpace(_) => None,
        }
    }

    /// A point without extent, as the start of a ray.
    pub(crate) const fn of_point(point: Vec3) -> Self {
        Self { base: point, center: [0; 3], spans: Spans::Point, radius: 0 }
    }

    const fn of_sphere(sphere: &Sphere) -> Self {
        Self { radius: sphere.radius().to_bits() * 2, ..Self::of_point(sphere.center()) }
    }

    const fn of_capsule(capsule: &Capsule) -> Self {
        let (a, b) = (capsule.a(), capsule.b());
        // The segment is at most 2^16 m long.
        let span =
            [b.x.to_bits() - a.x.to_bits(), b.y.to_bits() - a.y.to_bits(), b.z.to_bits() - a.z.to_bits()];
        Self { base: a, center: span, spans: Spans::Segment(span), radius: capsule.radius().to_bits() * 2 }
    }

    pub(crate) const fn of_box(obb: &Obb) -> Self {
        Self::of_box_along(obb, &obb.axes_q58())
    }

    /// As [`of_box`](Self::of_box), with the axes of the box with 58 fraction bits.
    pub(crate) const fn of_box_along(obb: &Obb, axes: &[[i64; 3]; 3]) -> Self {
        let halves = obb.half_extents();
        let halves = [halves.x.to_bits() * 2, halves.y.to_bits() * 2, halves.z.to_bits() * 2];
        Self { base: obb.center(), center: [0; 3], spans: Spans::Box(halves, *axes), radius: 0 }
    }

    /// The world's coordinates of its centre, to nearest.
    pub(crate) fn center_point(&self) -> Vec3 {
        self.to_world([0; 3], 0)
    }

    /// Its radius in halves.
    pub(crate) const fn radius(&self) -> i64 {
        self.radius
    }

    /// No point of the shape is farther from its centre along an axis of the world.
    fn reach(&self) -> i128 {
        let core = match self.spans {
            Spans::Point => 0,
            Spans::Segment(span) => span.iter().map(|word| i128::from(word.abs())).max().unwrap_or(0),
            Spans::Box(halves, _) => halves.iter().map(|&half| i128::from(half)).sum(),
        };
        core + i128::from(self.radius)
    }

    /// From `origin` to the centre, in halves: below 2^66.
    pub(crate) fn center_from(&self, origin: Vec3) -> [i128; 3] {
        let (base, origin) = (bits(self.base), bits(origin));
        core::array::from_fn(|axis| {
            2 * (i128::from(base[axis]) - i128::from(origin[axis])) + i128::from(self.center[axis])
        })
    }

    /// The world's coordinates of a point `offset` from the centre, in halves with `fraction_bits` more, below
    /// 2^110: to nearest, saturating.
    pub(crate) fn to_world(self, offset: [i128; 3], fraction_bits: u32) -> Vec3 {
        let base = self.base.to_array();
        Vec3::from_array(core::array::from_fn(|axis| {
            let halves = (i128::from(self.center[axis]) << fraction_bits) + offset[axis];
            base[axis] + narrow(round_shift(halves, fraction_bits + 1))
        }))
    }

    /// Along `normal` (Q32), how far the core reaches from its centre: in halves with 32 fraction bits, to
    /// nearest; and the sign of every span's part in it, for the point that reaches farthest. Spans across the
    /// normal have sign 0: the middle of an edge or face.
    pub(crate) fn support(&self, normal: [i64; 3]) -> (i128, [i64; 3]) {
        match self.spans {
            Spans::Point => (0, [0; 3]),
            Spans::Segment(span) => {
                let part = dot(span, normal);
                (part.abs(), [part.signum() as i64, 0, 0])
            }
            Spans::Box(halves, axes) => {
                let mut sum = 0;
                let signs = core::array::from_fn(|i| {
                    // Q90, to Q58 by halves of 49 bits.
                    let part = dot(axes[i], normal);
                    sum += round_shift(part.abs(), 32) * i128::from(halves[i]);
                    part.signum() as i64
                });
                (round_shift(sum, AXIS_BITS - 32), signs)
            }
        }
    }

    /// Σ sign · span in halves with `fraction_bits` ≤ 32 more.
    pub(crate) fn corner(&self, signs: [i64; 3], fraction_bits: u32) -> [i128; 3] {
        match self.spans {
            Spans::Point => [0; 3],
            Spans::Segment(span) => span.map(|word| i128::from(word * signs[0]) << fraction_bits),
            Spans::Box(halves, axes) => core::array::from_fn(|c| {
                let sum: i128 = (0..3).map(|i| product(axes[i][c], halves[i] * signs[i])).sum();
                round_shift(sum, AXIS_BITS - fraction_bits)
            }),
        }
    }
}

/// Two cores in a scale of their own, so that a pair of millimetres and one of kilometres have the same relative
/// precision: words are halves times 2^`exponent`, and all sums of offset, travel and spans are below 2^60.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    exponent: i32,
    /// From the centre of a to that of b.
    pub(crate) offset: [i64; 3],
    /// How far a moves; zero but for casts.
    pub(crate) travel: [i64; 3],
    /// All spans, exactly parallel ones added up: two boxes along the world's axes have three. None is zero.
    pub(crate) fine: [[i64; 3]; 6],
    /// The same with 19 bits less, and none of a box shorter than two units: they have a volume.
    pub(crate) coarse: [[i64; 3]; 6],
    /// The direction of every span: that of a box in Q58, so that a thin box has one; of a segment the span itself,
    /// shifted up to 60 bits.
    pub(crate) axes: [[i64; 3]; 6],
    /// What a span is a multiple of its axis by, in Q58: the half extent of a box.
    pub(crate) halves: [i64; 6],
    /// span · axis.
    reaches: [i128; 6],
    /// How many they are. A box has three, however thin it is; so three are orthogonal, those of a box and what is along
    /// them, and two belong to segments.
    pub(crate) count: usize,
    /// The spans of a, then those of b, each with its part in the spans above.
    parts: [Part; 6],
    split: usize,
    parts_count: usize,
    pub(crate) radius_a: i64,
    pub(crate) radius_b: i64,
}

/// A span with its direction.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// Itself in words: axis · half / 2^58, to nearest.
    pub(crate) fine: [i64; 3],
    pub(crate) axis: [i64; 3],
    half: i64,
    /// fine · axis, as exact as both.
    reach: i128,
}

impl Span {
    fn of_segment(fine: [i64; 3]) -> Self {
        let magnitude = fine.iter().fold(0, |all, word| all | word.unsigned_abs());
        let shift = (magnitude.leading_zeros() - (64 - WORD_BITS)).min(AXIS_BITS);
        let axis = fine.map(|word| word << shift);
        Self { fine, axis, half: 1 << (AXIS_BITS - shift), reach: dot(axis, fine) }
    }

    pub(crate) fn of_box(axis: [i64; 3], half: i64) -> Self {
        Self { fine: localized_span(axis, half), axis, half, reach: i128::from(half) << AXIS_BITS }
    }

    /// Whether the axis is that of a box, of unit length.
    fn is_of_box(&self) -> bool {
        self.reach == i128::from(self.half) << AXIS_BITS
    }

    /// The sum with an exactly parallel span, whose sign is given; along the axis of a box if one of them has it.
    fn plus(&self, other: &Self, sign: i64) -> Self {
        let fine = core::array::from_fn(|axis| self.fine[axis] + sign * other.fine[axis]);
        let (axis, half) = match (self.is_of_box(), other.is_of_box()) {
            (true, true) => (self.axis, self.half + other.half),
            (true, false) => (self.axis, self.half + part_along(other.fine, self.axis)),
            (false, true) => {
                (other.axis.map(|word| sign * word), part_along(self.fine, other.axis) + other.half)
            }
            (false, false) => return Self::of_segment(fine),
        };
        Self { fine, axis, half, reach: i128::from(half) << AXIS_BITS }
    }

    /// The coefficient in Q60 of the point of the span, around the origin, closest to −`point`.
    pub(crate) const fn coefficient(&self, point: [i64; 3]) -> i64 {
        clamped_ratio(-dot(point, self.axis), self.reach)
    }

    /// The product with a direction in Q60: words with as many more bits.
    pub(crate) const fn along(&self, direction: [i64; 3]) -> i128 {
        product(self.half, round_shift(dot(self.axis, direction), AXIS_BITS) as i64)
    }

    /// By how much `point` lies beyond the ends of the span, along its axis: a product of words with it.
    pub(crate) const fn excess(&self, point: [i64; 3]) -> i128 {
        let along = dot(point, self.axis);
        if along > self.reach {
            along - self.reach
        } else if along < -self.reach {
            along + self.reach
        } else {
            0
        }
    }

    /// With 19 bits less, at least two units.
    fn coarse(&self) -> [i64; 3] {
        let rounded = self.fine.map(coarse);
        let is_thin = self.is_of_box() && rounded.iter().all(|word| word.abs() < 4);
        if is_thin { self.axis.map(|entry| round_shift(entry.into(), AXIS_BITS - 2) as i64) } else { rounded }
    }
}

/// The span of a box along an axis in Q58, to nearest.
#[inline]
pub(crate) fn localized_span(axis: [i64; 3], half: i64) -> [i64; 3] {
    axis.map(|entry| round_shift(product(entry, half), AXIS_BITS) as i64)
}

/// Whether a × b is zero, exact.
const fn are_parallel(a: [i64; 3], b: [i64; 3]) -> bool {
    product(a[1], b[2]) == product(a[2], b[1])
        && product(a[2], b[0]) == product(a[0], b[2])
        && product(a[0], b[1]) == product(a[1], b[0])
}

/// The length of `span` along an axis in Q58, either way.
fn part_along(span: [i64; 3], axis: [i64; 3]) -> i64 {
    round_shift(dot(span, axis).abs(), AXIS_BITS) as i64
}

/// A span of one core, and the sum of which it is a summand, with its sign there.
#[derive(Clone, Copy)]
struct Part {
    fine: [i64; 3],
    sum: usize,
    sign: i64,
}

impl Pair {
    /// The pair of `a`, which moves by `travel` in units of 2⁻³², and `b`.
    pub(crate) fn new(a: &Core, b: &Core, travel: [i128; 3]) -> Self {
        let to_a = a.center_from(a.base);
        let to_b = b.center_from(a.base);
        let offset: [i128; 3] = core::array::from_fn(|axis| to_b[axis] - to_a[axis]);
        let travel = travel.map(|component| 2 * component);
        let largest = |v: [i128; 3]| v.iter().map(|word| word.abs()).max().unwrap_or(0);
        // At most 2^66 + 2^65 + twice 2^51; at least 2, for shapes that are no points.
        let extent = largest(offset) + largest(travel) + a.reach() + b.reach() + 1;
        let exponent = WORD_BITS as i32 - (128 - extent.leading_zeros()) as i32;
        let mut pair = Self {
            exponent,
            offset: offset.map(|halves| localize(halves, exponent)),
            travel: travel.map(|halves| localize(halves, exponent)),
            fine: [[0; 3]; 6],
            coarse: [[0; 3]; 6],
            axes: [[0; 3]; 6],
            halves: [0; 6],
            reaches: [0; 6],
            count: 0,
            parts: [Part { fine: [0; 3], sum: 0, sign: 0 }; 6],
            split: 0,
            parts_count: 0,
            radius_a: localize(a.radius.into(), exponent),
            radius_b: localize(b.radius.into(), exponent),
        };
        pair.add_spans(&a.spans);
        pair.split = pair.parts_count;
        pair.add_spans(&b.spans);
        pair
    }

    /// The same cores, with another offset between their centres.
    pub(crate) const fn with_offset(&self, offset: [i64; 3]) -> Self {
        Self { offset, ..*self }
    }

    fn add_spans(&mut self, spans: &Spans) {
        match *spans {
            Spans::Point => {}
            Spans::Segment(span) => {
                let fine = span.map(|halves| localize(halves.into(), self.exponent));
                if fine != [0; 3] {
                    self.add_span(Span::of_segment(fine));
                }
            }
            Spans::Box(halves, axes) => {
                for axis in 0..3 {
                    // At least two words, so that no span is zero.
                    let half = localize(halves[axis].into(), self.exponent).max(2);
                    self.add_span(Span::of_box(axes[axis], half));
                }
            }
        }
    }

    fn add_span(&mut self, span: Span) {
        // Those of one box are orthogonal.
        let same = (0..self.split).find(|&i| are_parallel(self.axes[i], span.axis));
        let sum = same.unwrap_or(self.count);
        let (sign, total) = match same {
            Some(sum) => {
                let sign = if dot(self.axes[sum], span.axis) < 0 { -1 } else { 1 };
                (sign, self.span(sum).plus(&span, sign))
            }
            None => (1, span),
        };
        self.count = self.count.max(sum + 1);
        self.fine[sum] = total.fine;
        self.coarse[sum] = total.coarse();
        self.axes[sum] = total.axis;
        self.halves[sum] = total.half;
        self.reaches[sum] = total.reach;
        self.parts[self.parts_count] = Part { fine: span.fine, sum, sign };
        self.parts_count += 1;
    }

    /// The span of this number.
    pub(crate) const fn span(&self, index: usize) -> Span {
        Span {
            fine: self.fine[index],
            axis: self.axes[index],
            half: self.halves[index],
            reach: self.reaches[index],
        }
    }

    /// The numbers of the spans of a, and of those of b: they share what is parallel.
    pub(crate) fn numbers(&self) -> ([usize; 3], usize, [usize; 3], usize) {
        let number = |index: usize| self.parts[index].sum;
        let b = core::array::from_fn(|index| number((self.split + index).min(5)));
        ([number(0), number(1), number(2)], self.split, b, self.parts_count - self.split)
    }

    /// Whether a is a point.
    pub(crate) const fn a_is_point(&self) -> bool {
        self.split == 0
    }

    /// From the centre of a to the point of its core with these coefficients: Σ s g, negated as a's spans are.
    pub(crate) fn on_core_a(&self, coefficients: &[i64; 6]) -> [i64; 3] {
        sum_of_parts(&self.parts[..self.split], coefficients).map(|word| -word)
    }

    /// From the centre of b to the point of its core with these coefficients.
    pub(crate) fn on_core_b(&self, coefficients: &[i64; 6]) -> [i64; 3] {
        sum_of_parts(&self.parts[self.split..self.parts_count], coefficients)
    }

    /// The sum of both radii.
    pub(crate) const fn radius(&self) -> i64 {
        self.radius_a + self.radius_b
    }

    /// A local length as a number: to nearest, saturating.
    pub(crate) const fn to_fx(self, local: i64) -> Fx {
        // The exponent is at most 58 and at least −8.
        let shift = self.exponent + 1;
        narrow(if shift >= 0 { round_shift(local as i128, shift as u32) } else { (local as i128) << -shift })
    }

    /// 2^−32 m in local words, rounded up; at least one.
    pub(crate) const fn epsilon(&self) -> i64 {
        if self.exponent >= 0 { 2 << self.exponent } else { 2 }
    }

    /// The world's coordinates of the point `local` from the centre of `core`.
    pub(crate) fn to_world(self, core: &Core, local: [i64; 3]) -> Vec3 {
        if self.exponent >= 0 {
            core.to_world(local.map(i128::from), self.exponent as u32)
        } else {
            core.to_world(local.map(|word| i128::from(word) << -self.exponent), 0)
        }
    }
}

fn sum_of_parts(parts: &[Part], coefficients: &[i64; 6]) -> [i64; 3] {
    core::array::from_fn(|axis| {
        let sum: i128 =
            parts.iter().map(|part| product(part.sign * coefficients[part.sum], part.fine[axis])).sum();
        round_shift(sum, UNIT_BITS) as i64
    })
}

/// Halves as local words, to nearest.
const fn localize(halves: i128, exponent: i32) -> i64 {
    if exponent >= 0 { (halves << exponent) as i64 } else { round_shift(halves, -exponent as u32) as i64 }
}

/// A local word as a coarse one, to nearest.
pub(crate) const fn coarse(word: i64) -> i64 {
    round_shift(word as i128, COARSE_SHIFT) as i64
}
