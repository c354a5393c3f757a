//! The signed distance of a core from a plane.
//!
//! The stored normal n has unit length within 2⁻³⁰, its rounding. Distances along it are divided by |n|: with
//! |n|² = 1 + x, which is exact,
//!
//! ```text
//! 1 / |n| = 1 − x/2 + …     and the next term is below 2⁻⁵⁹.
//! ```

use super::arithmetic::{UNIT_BITS, round_shift};
use super::pair::Core;
use crate::exact::{bits, length_squared, narrow};
use crate::shape::HalfSpace;
use isostep_math::{Fx, Vec3};

/// Fraction bits behind halves.
const FRACTION_BITS: u32 = 32;

/// The plane of a half-space.
pub(crate) struct Plane {
    point: Vec3,
    normal: [i64; 3],
    /// 1 − 1/|n| in Q60, below 2^31.
    correction: i64,
}

impl Plane {
    pub(crate) const fn of(half_space: &HalfSpace) -> Self {
        let normal = bits(half_space.normal());
        // x/2 in Q60, below 2^31.
        let correction = round_shift(length_squared(normal) - (1 << 64), 65 - UNIT_BITS) as i64;
        Self { point: half_space.point(), normal, correction }
    }

    /// The outward normal.
    pub(crate) const fn unit_normal(&self) -> Vec3 {
        Vec3::new(
            Fx::from_bits(self.divided(self.normal[0] as i128) as i64),
            Fx::from_bits(self.divided(self.normal[1] as i128) as i64),
            Fx::from_bits(self.divided(self.normal[2] as i128) as i64),
        )
    }

    /// `value` / |n|, for values below 2^104.
    const fn divided(&self, value: i128) -> i128 {
        if self.correction == 0 {
            return value;
        }
        // The correction has at most 31 bits: what is dropped here is below 2^−29 of a unit.
        if value.unsigned_abs() < 1 << 80 {
            value - round_shift(value * self.correction as i128, UNIT_BITS)
        } else {
            value - round_shift(round_shift(value, 38) * self.correction as i128, UNIT_BITS - 38)
        }
    }

    /// How a core stands to the plane.
    pub(crate) fn approach(&self, core: &Core) -> Approach {
        let (reach, signs) = core.support(self.normal);
        let center = core.center_from(self.point);
        let along: i128 = (0..3).map(|axis| center[axis] * i128::from(self.normal[axis])).sum();
        let core_gap = self.divided(along - reach);
        Approach { core_gap, gap: core_gap - (i128::from(core.radius()) << FRACTION_BITS), signs }
    }

    /// How fast a displacement in units of 2⁻³² leaves the plane: in halves with 32 fraction bits, below 2^99.
    pub(crate) fn departure(&self, travel: [i128; 3]) -> i128 {
        let along: i128 = (0..3).map(|axis| 2 * travel[axis] * i128::from(self.normal[axis])).sum();
        self.divided(along)
    }

    /// `length` in halves with 32 fraction bits along the normal, with the same bits; cut at twice the range.
    fn along_normal(&self, length: i128) -> [i128; 3] {
        // How many bits of a length are multiplied at once, and what is over of the upper ones' product.
        const LOW: u32 = 48;
        const REST: u32 = UNIT_BITS - LOW;
        let size = length.clamp(-(1 << 96), 1 << 96).abs();
        self.normal.map(|word| {
            // In Q60, as the correction.
            let normal = self.divided(i128::from(word) << (UNIT_BITS - 32));
            let high = (size >> LOW) * normal.abs();
            let low = (size & ((1 << LOW) - 1)) * normal.abs() + ((high & ((1 << REST) - 1)) << LOW);
            let product = (high >> REST) + round_shift(low, UNIT_BITS);
            if (length < 0) == (normal < 0) { product } else { -product }
        })
    }
}

/// A core above a plane, or below.
pub(crate) struct Approach {
    /// The distances of the core and of the shape: in halves with 32 fraction bits, below zero inside.
    core_gap: i128,
    pub(crate) gap: i128,
    /// Which end of every span is farthest up.
    signs: [i64; 3],
}

impl Approach {
    /// The distance, to nearest, saturating; zero or below where they touch.
    pub(crate) const fn distance(&self) -> Fx {
        narrow(round_shift(self.gap, FRACTION_BITS + 1))
    }

    /// The lowest point of the shape.
    pub(crate) fn on_core(&self, core: &Core, plane: &Plane) -> Vec3 {
        self.below(core, plane, i128::from(core.radius()) << FRACTION_BITS)
    }

    /// The foot of that point on the plane.
    pub(crate) fn on_plane(&self, core: &Core, plane: &Plane) -> Vec3 {
        self.below(core, plane, self.core_gap)
    }

    fn below(&self, core: &Core, plane: &Plane, depth: i128) -> Vec3 {
        let lowest = core.corner(self.signs.map(|sign| -sign), FRACTION_BITS);
        let down = plane.along_normal(depth);
        core.to_world(core::array::from_fn(|axis| lowest[axis] - down[axis]), FRACTION_BITS)
    }
}
