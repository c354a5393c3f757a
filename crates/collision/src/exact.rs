//! Exact arithmetic on coordinates: differences that cannot overflow, products in 128 bits.

use crate::distance::arithmetic;
use crate::shape::MAX_EXTENT;
use isostep_math::exact::{product, round_shift, saturate};
use isostep_math::{Fx, Vec3};

/// The components in units of 2⁻³².
#[inline]
pub(crate) const fn bits(v: Vec3) -> [i64; 3] {
    [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()]
}

/// Differences of coordinates beyond this belong to shapes that cannot meet: four times the largest extent
/// leaves room for any rotation of two of them.
const MAX_DIFFERENCE: i64 = MAX_EXTENT.to_bits() * 4;

/// `a − b` in raw bits, exact, each below 2^49 in magnitude; `None` where shapes around the two points are too
/// far apart to meet.
#[inline]
pub(crate) const fn relative(a: Vec3, b: Vec3) -> Option<[i64; 3]> {
    match (
        difference(a.x.to_bits(), b.x.to_bits()),
        difference(a.y.to_bits(), b.y.to_bits()),
        difference(a.z.to_bits(), b.z.to_bits()),
    ) {
        (Some(x), Some(y), Some(z)) => Some([x, y, z]),
        _ => None,
    }
}

const fn difference(a: i64, b: i64) -> Option<i64> {
    match a.checked_sub(b) {
        Some(d) if d <= MAX_DIFFERENCE && d >= -MAX_DIFFERENCE => Some(d),
        _ => None,
    }
}

/// `a · b` in Q64, exact for words below 2^62.
#[inline]
pub(crate) const fn dot(a: [i64; 3], b: [i64; 3]) -> i128 {
    product(a[0], b[0]) + product(a[1], b[1]) + product(a[2], b[2])
}

/// `a · b` for wide words, where the caller's bounds keep the sum below 2^127.
#[inline]
pub(crate) const fn wide_dot(a: [i128; 3], b: [i64; 3]) -> i128 {
    a[0] * b[0] as i128 + a[1] * b[1] as i128 + a[2] * b[2] as i128
}

/// `v · v` in Q64, exact for words below 2^62.
#[inline]
pub(crate) const fn length_squared(v: [i64; 3]) -> i128 {
    dot(v, v)
}

/// `a − b` in raw bits, exact wherever they are.
#[inline]
pub(crate) const fn wide_relative(a: Vec3, b: Vec3) -> [i128; 3] {
    [
        a.x.to_bits() as i128 - b.x.to_bits() as i128,
        a.y.to_bits() as i128 - b.y.to_bits() as i128,
        a.z.to_bits() as i128 - b.z.to_bits() as i128,
    ]
}

/// The way of `length` from one point towards another one that is at least as far away, each component within a unit.
pub(crate) const fn way_toward(from: Vec3, to: Vec3, length: Fx) -> Vec3 {
    let [x, y, z] = wide_relative(to, from);
    let largest = x.unsigned_abs() | y.unsigned_abs() | z.unsigned_abs();
    // Of words of 61 bits the length has 62. Then the bits that are dropped move no component by a unit.
    let drop = if largest >> 61 == 0 { 0 } else { 4 };
    let words = [(x >> drop) as i64, (y >> drop) as i64, (z >> drop) as i64];
    let own = vector(words).length().to_bits();
    vector(arithmetic::scaled_to(words, length.to_bits(), own))
}

/// A vector of raw bits.
const fn vector([x, y, z]: [i64; 3]) -> Vec3 {
    Vec3::new(Fx::from_bits(x), Fx::from_bits(y), Fx::from_bits(z))
}

/// Units of 2⁻³² as a number, saturating.
#[inline]
pub(crate) const fn narrow(raw: i128) -> Fx {
    Fx::from_bits(saturate(raw))
}

/// `n / d` to nearest, ties away from zero, for `d > 0` and |n| + d below 2^127.
#[inline]
pub(crate) const fn div_round(n: i128, d: i128) -> i128 {
    let half = d / 2;
    (if n < 0 { n - half } else { n + half }) / d
}

/// Fraction bits of the axes of a box.
pub(crate) const AXIS_BITS: u32 = isostep_math::Quat::ROTATION_BITS;

/// A sum of Q32 by axis products as Q32.32, to nearest, ties away from zero, for results within the range.
#[inline]
pub(crate) const fn narrow_axis(sum: i128) -> i64 {
    round_shift(sum, AXIS_BITS) as i64
}

/// `value / 2^bits` rounded up, for results within the range.
#[inline]
pub(crate) const fn round_up(value: i128, bits: u32) -> i64 {
    ((value + (1 << bits) - 1) >> bits) as i64
}

/// An unsigned number of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct U256 {
    high: u128,
    low: u128,
}

impl U256 {
    /// The exact product.
    pub(crate) const fn product(a: u128, b: u128) -> Self {
        const LOW: u128 = u64::MAX as u128;
        let (a1, a0, b1, b0) = (a >> 64, a & LOW, b >> 64, b & LOW);
        let low = a0 * b0;
        let middle = a1 * b0 + (low >> 64);
        let cross = a0 * b1 + (middle & LOW);
        Self { high: a1 * b1 + (middle >> 64) + (cross >> 64), low: (cross << 64) | (low & LOW) }
    }

    /// The high and the low one.
    pub(crate) const fn words(self) -> (u128, u128) {
        (self.high, self.low)
    }

    /// The sum, for sums below 2^256.
    pub(crate) const fn plus(self, rhs: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(rhs.low);
        Self { high: self.high + rhs.high + carry as u128, low }
    }

    /// Whether `self ≤ rhs`.
    pub(crate) const fn at_most(self, rhs: Self) -> bool {
        self.high < rhs.high || (self.high == rhs.high && self.low <= rhs.low)
    }
}

/// Whether |a × b|² ≤ c d, exact: words of `a` and `b` below 2^50, `c` and `d` in Q64 and at least zero.
pub(crate) const fn cross_within(a: [i64; 3], b: [i64; 3], c: i128, d: i128) -> bool {
    cross_squared(a, b).at_most(U256::product(c as u128, d as u128))
}

/// |a × b|², exact, for words below 2^50.
pub(crate) const fn cross_squared(a: [i64; 3], b: [i64; 3]) -> U256 {
    let x = product(a[1], b[2]) - product(a[2], b[1]);
    let y = product(a[2], b[0]) - product(a[0], b[2]);
    let z = product(a[0], b[1]) - product(a[1], b[0]);
    let (x, y, z) = (x.unsigned_abs(), y.unsigned_abs(), z.unsigned_abs());
    U256::product(x, x).plus(U256::product(y, y)).plus(U256::product(z, z))
}
