//! A sphere against a box that does not hold its centre, by fewer and shorter words than a [`Pair`](super::pair::Pair).
//!
//! The pair of these two has three orthogonal spans, those of the box, and nothing of it is summed up, sorted or kept
//! for casts. What [`Contact::of`](super::zonotope::Contact::of) computes of them is what comes out here, to the bit; lengths
//! are shifted up, never down, as the two lie within reach of each other.
//!
//! A length or an offset is a word w with some twenty bits more than the number that it is rounded to. So most words need not
//! be those of the pair to the last bit: what is off by less than [`ERROR`] is rounded to the same number, unless it is that
//! close to the middle between two numbers. With one reciprocal root y = 1/|t| of the direction t to the other,
//!
//! ```text
//! gap = |t| = t² y      on the sphere: r t y      on the box: −Σ clamp(D · aᵢ, ±hᵢ) aᵢ
//! ```
//!
//! without a division or a second root. Words next to a middle are computed again, in the steps of the pair.

use super::arithmetic::{UNIT, UNIT_BITS, clamped_ratio, leading, length, product, round_shift, scaled_to};
use super::pair::{WORD_BITS, localized_span};
use crate::exact::{AXIS_BITS, dot, relative};
use crate::shape::{Obb, Sphere};
use isostep_math::exact::{mul_high, reciprocal_root, round_shift_i64};
use isostep_math::{Fx, Vec3};

/// How the two stand to each other.
pub(crate) struct SphereBox<'a> {
    axes: &'a [[i64; 3]; 3],
    /// Words are halves times 2^`exponent`, which is above 0.
    exponent: u32,
    /// The half extents.
    halves: [i64; 3],
    radius: i64,
    /// The way from the first of the two to the second, along the axes of the box: with 58 bits more.
    along: [i128; 3],
    /// The direction of the shortest way from the first to the second: its leading 59 bits.
    toward: [i64; 3],
    /// One through the length of that: as [`reciprocal_root`] has it, with its shift.
    reciprocal: u64,
    shift: u32,
    /// How far the centre of the sphere is from the box, within [`ERROR`].
    gap: i64,
}

/// How far words may be from those of the pair, which are below 2^60. The reciprocal is off by 2⁻⁵⁷ of itself, which makes 9
/// of them; the direction by 2⁻⁵⁸, which makes 4; coefficients, spans and lengths of the pair are rounded for themselves, which
/// makes 6 at the most.
const ERROR: i64 = 32;

impl<'a> SphereBox<'a> {
    /// The two, with the axes of the box; `box_first` tells which of them is the first. `None` where the centre is in
    /// the box or on its surface, or farther from it than shapes that meet may be.
    #[inline(always)]
    pub(crate) fn new(sphere: &Sphere, obb: &Obb, axes: &'a [[i64; 3]; 3], box_first: bool) -> Option<Self> {
        let way = if box_first {
            relative(sphere.center(), obb.center())?
        } else {
            relative(obb.center(), sphere.center())?
        };
        // In halves, below 2^50.
        let offset = [2 * way[0], 2 * way[1], 2 * way[2]];
        let Vec3 { x, y, z } = obb.half_extents();
        let halves = [2 * x.to_bits(), 2 * y.to_bits(), 2 * z.to_bits()];
        let radius = 2 * sphere.radius().to_bits();
        let farthest = offset[0].abs().max(offset[1].abs()).max(offset[2].abs());
        let extent = farthest + halves[0] + halves[1] + halves[2] + radius + 1;
        let exponent = WORD_BITS - (64 - extent.leading_zeros());
        let offset = [offset[0] << exponent, offset[1] << exponent, offset[2] << exponent];
        let halves = [halves[0] << exponent, halves[1] << exponent, halves[2] << exponent];
        let radius = radius << exponent;
        let along = [dot(offset, axes[0]), dot(offset, axes[1]), dot(offset, axes[2])];
        let (wide, drop) = residual(axes, halves, along)?;
        let (toward, dropped) = leading(wide);
        let square = dot(toward, toward) as u128;
        let (mantissa, reciprocal, shift) = reciprocal_root(square);
        // |toward| times 2^(shift/2 − 1), and what is between the scales of both.
        let root = mul_high(mantissa, reciprocal);
        let surplus = shift as i32 / 2 - 1 + drop as i32 - dropped;
        let mut gap = root.checked_shr(surplus as u32).unwrap_or(0) as i64;
        if gap <= ERROR {
            gap = rounded_length(wide, drop);
            if gap == 0 {
                return None;
            }
        }
        Some(Self { axes, exponent, halves, radius, along, toward, reciprocal, shift, gap })
    }

    /// How far the two are apart: below zero where they meet.
    #[inline(always)]
    pub(crate) fn separation(&self) -> Fx {
        let word = self.gap - self.radius;
        if self.is_sure(word) { self.to_fx(word) } else { self.to_fx(self.exact_gap() - self.radius) }
    }

    #[cold]
    fn exact_gap(&self) -> i64 {
        residual(self.axes, self.halves, self.along).map_or(0, |(wide, drop)| rounded_length(wide, drop))
    }

    /// The direction of the shortest way from the first to the second, each component within 0.51 units of 2⁻³².
    #[inline(always)]
    pub(crate) fn normal(&self) -> Vec3 {
        // As that of `direction`, which shifts words up first: its reciprocal root has the same bits.
        let shift = 127 - self.shift / 2 - 33;
        let half = (self.reciprocal >> 1) as i64;
        let component = |k: usize| Fx::from_bits(round_shift(product(self.toward[k], half), shift) as i64);
        Vec3::new(component(0), component(1), component(2))
    }

    /// From the centre of the sphere to its point closest to the box, if the sphere is the first of the two; its
    /// opposite if it is not.
    #[inline(always)]
    pub(crate) fn on_sphere(&self) -> Vec3 {
        let words = self.near_on_sphere();
        if self.are_sure(words) { self.to_vec3(words) } else { self.to_vec3(self.exact_on_sphere()) }
    }

    #[inline(always)]
    fn near_on_sphere(&self) -> [i64; 3] {
        // The radius, which is below 2^60, by |toward|, with 3 bits more.
        let scale = mul_high((self.radius as u64) << 3, self.reciprocal) as i64;
        let shift = 127 - self.shift / 2 - 61;
        let word = |k: usize| (product(self.toward[k], scale) >> shift) as i64;
        [word(0), word(1), word(2)]
    }

    #[cold]
    fn exact_on_sphere(&self) -> [i64; 3] {
        scaled_to(self.toward, self.radius, length(self.toward))
    }

    /// From the centre of the box to its point closest to the sphere, if the sphere is the first of the two; its opposite
    /// if it is not.
    #[inline(always)]
    pub(crate) fn on_box(&self) -> Vec3 {
        let words = self.near_on_box();
        if self.are_sure(words) { self.to_vec3(words) } else { self.to_vec3(self.exact_on_box()) }
    }

    #[inline(always)]
    fn near_on_box(&self) -> [i64; 3] {
        let [x, y, z] = self.axes;
        // Words below 2^60 are left without the bits beyond them.
        let along = |axis: usize| {
            ((self.along[axis] >> AXIS_BITS) as i64).clamp(-self.halves[axis], self.halves[axis])
        };
        let along = [along(0), along(1), along(2)];
        let word = |k: usize| (-dot(along, [x[k], y[k], z[k]]) >> AXIS_BITS) as i64;
        [word(0), word(1), word(2)]
    }

    #[cold]
    fn exact_on_box(&self) -> [i64; 3] {
        let mut sum = [0; 3];
        for axis in 0..3 {
            let (half, along) = (self.halves[axis], self.along[axis]);
            let reach = i128::from(half) << AXIS_BITS;
            let coefficient = if along >= reach {
                -UNIT
            } else if along <= -reach {
                UNIT
            } else {
                clamped_ratio(-along, reach)
            };
            let span = localized_span(self.axes[axis], half);
            for component in 0..3 {
                sum[component] += product(coefficient, span[component]);
            }
        }
        sum.map(|word| round_shift(word, UNIT_BITS) as i64)
    }

    /// Whether all words within [`ERROR`] of this one are rounded to the same number.
    #[inline(always)]
    const fn is_sure(&self, word: i64) -> bool {
        // From `ERROR` below the next middle below, or at, the word: a middle and the next one are so far apart.
        let distance = (2 << self.exponent) - 1;
        (word - (1 << self.exponent) + ERROR) & distance > 2 * ERROR
    }

    #[inline(always)]
    const fn are_sure(&self, [x, y, z]: [i64; 3]) -> bool {
        self.is_sure(x) && self.is_sure(y) && self.is_sure(z)
    }

    #[inline(always)]
    const fn to_vec3(&self, [x, y, z]: [i64; 3]) -> Vec3 {
        Vec3::new(self.to_fx(x), self.to_fx(y), self.to_fx(z))
    }

    /// A length as a number, to nearest, ties away from zero: words are below 2^61.
    #[inline(always)]
    const fn to_fx(&self, word: i64) -> Fx {
        Fx::from_bits(round_shift_i64(word, self.exponent + 1))
    }
}

/// The shortest way from the first to the second, with as many bits more as are given: `None` where there is none, or hardly.
#[inline(always)]
fn residual(axes: &[[i64; 3]; 3], halves: [i64; 3], along: [i128; 3]) -> Option<([i128; 3], u32)> {
    let mut beyond = [0; 3];
    for axis in 0..3 {
        let reach = i128::from(halves[axis]) << AXIS_BITS;
        beyond[axis] = along[axis] - along[axis].clamp(-reach, reach);
    }
    let (words, dropped) = leading(beyond);
    if words == [0; 3] {
        return None;
    }
    let [x, y, z] = axes;
    let wide =
        [dot(words, [x[0], y[0], z[0]]), dot(words, [x[1], y[1], z[1]]), dot(words, [x[2], y[2], z[2]])];
    let drop = (2 * AXIS_BITS as i32 - dropped) as u32;
    (drop <= 126).then_some((wide, drop))
}

/// The length of a vector with `drop` bits more, of its components to nearest.
fn rounded_length(wide: [i128; 3], drop: u32) -> i64 {
    length(wide.map(|word| round_shift(word, drop) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::Quat;
    use isostep_math::random::Rng;

    #[test]
    fn short_words_are_as_near_to_those_of_the_pair_as_said() {
        let mut rng = Rng::new(29, 0);
        let mut most = [0; 3];
        let mut found = 0;
        for _ in 0..60_000 {
            let scale = 1 + rng.below(46);
            let mut word = |bits: u32| (rng.next_u64() >> (64 - bits)) as i64;
            let halves = Vec3::from_array([0; 3].map(|_| Fx::from_bits(1 + word(scale))));
            let way = Vec3::from_array(
                [0; 3].map(|_| Fx::from_bits((word(scale + 1) - word(scale + 1)).min(1 << 48))),
            );
            let radius = Fx::from_bits(1 + word(scale));
            let turn = Quat::from_array([0; 4].map(|_| Fx::from_bits(word(32) - word(32)))).normalize();
            let (sphere, obb) =
                (Sphere::new(way, radius).unwrap(), Obb::new(Vec3::ZERO, halves, turn).unwrap());
            let axes = obb.axes_q58();
            let Some(pair) = SphereBox::new(&sphere, &obb, &axes, false) else { continue };
            found += 1;
            let farthest = |a: [i64; 3], b: [i64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).max().unwrap();
            let off = [
                (pair.gap - pair.exact_gap()).abs(),
                farthest(pair.near_on_sphere(), pair.exact_on_sphere()),
                farthest(pair.near_on_box(), pair.exact_on_box()),
            ];
            most = [0, 1, 2].map(|k| most[k].max(off[k]));
        }
        assert!(found > 30_000, "{found}");
        assert!(most.iter().all(|off| (1..=ERROR / 2).contains(off)), "{most:?}");
    }
}
