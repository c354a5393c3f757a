//! A sphere against a box that does not hold its centre, by fewer and shorter words than a [`Pair`](super::pair::Pair).
//!
//! The pair of these two has three orthogonal spans, those of the box, and nothing of it is summed up, sorted or kept
//! for casts. What [`Contact::of`](super::zonotope::Contact::of) computes of them is computed here in the same steps,
//! to the bit; lengths are shifted up, never down, as the two lie within reach of each other.

use super::arithmetic::{UNIT, UNIT_BITS, clamped_ratio, leading, length, product, round_shift, scaled_to};
use super::pair::{WORD_BITS, localized_span};
use crate::exact::{AXIS_BITS, dot, relative};
use crate::shape::{Obb, Sphere};
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
    /// The direction of the shortest way from the first to the second, of any length but zero.
    pub(crate) toward: [i64; 3],
    /// How far the centre of the sphere is from the box: above 0.
    gap: i64,
}

impl<'a> SphereBox<'a> {
    /// The two, with the axes of the box; `box_first` tells which of them is the first. `None` where the centre is in
    /// the box or on its surface, or farther from it than shapes that meet may be.
    pub(crate) fn new(sphere: &Sphere, obb: &Obb, axes: &'a [[i64; 3]; 3], box_first: bool) -> Option<Self> {
        let way = if box_first {
            relative(sphere.center(), obb.center())?
        } else {
            relative(obb.center(), sphere.center())?
        };
        // In halves, below 2^50.
        let offset = way.map(|word| 2 * word);
        let halves = obb.half_extents().to_array().map(|half| 2 * half.to_bits());
        let radius = 2 * sphere.radius().to_bits();
        let farthest = offset[0].abs().max(offset[1].abs()).max(offset[2].abs());
        let extent = farthest + halves[0] + halves[1] + halves[2] + radius + 1;
        let exponent = WORD_BITS - (64 - extent.leading_zeros());
        let offset = offset.map(|word| word << exponent);
        let halves = halves.map(|half| half << exponent);
        let along = axes.map(|axis| dot(offset, axis));
        let mut beyond = [0; 3];
        for axis in 0..3 {
            let reach = i128::from(halves[axis]) << AXIS_BITS;
            beyond[axis] = along[axis] - along[axis].clamp(-reach, reach);
        }
        let (words, dropped) = leading(beyond);
        if words == [0; 3] {
            return None;
        }
        let mut toward = [0; 3];
        for component in 0..3 {
            toward[component] = product(words[0], axes[0][component])
                + product(words[1], axes[1][component])
                + product(words[2], axes[2][component]);
        }
        let shift = (2 * AXIS_BITS as i32 - dropped) as u32;
        if shift > 126 {
            return None;
        }
        let gap = length(toward.map(|word| round_shift(word, shift) as i64));
        if gap == 0 {
            return None;
        }
        let radius = radius << exponent;
        Some(Self { axes, exponent, halves, radius, along, toward: leading(toward).0, gap })
    }

    /// How far the two are apart: below zero where they meet.
    pub(crate) const fn separation(&self) -> Fx {
        self.to_fx(self.gap - self.radius)
    }

    /// From the centre of the sphere to its point closest to the box, if the sphere is the first of the two; its
    /// opposite if it is not.
    pub(crate) const fn on_sphere(&self) -> Vec3 {
        self.to_vec3(scaled_to(self.toward, self.radius, length(self.toward)))
    }

    /// From the centre of the box to its point closest to the sphere, if the sphere is the first of the two; its opposite
    /// if it is not.
    pub(crate) fn on_box(&self) -> Vec3 {
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
        self.to_vec3(sum.map(|word| round_shift(word, UNIT_BITS) as i64))
    }

    const fn to_vec3(&self, [x, y, z]: [i64; 3]) -> Vec3 {
        Vec3::new(self.to_fx(x), self.to_fx(y), self.to_fx(z))
    }

    /// A length as a number, to nearest, ties away from zero: words are below 2^61.
    const fn to_fx(&self, word: i64) -> Fx {
        let half = 1 << self.exponent;
        Fx::from_bits((word + half + (word >> 63)) >> (self.exponent + 1))
    }
}
