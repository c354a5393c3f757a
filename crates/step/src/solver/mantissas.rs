//! Block floating point in lanes: mantissas of 30 bits with one exponent for several numbers, and what is rounded to them.

use super::quartered;
use isostep_math::Fx;
use isostep_math::wide::{Backend, Lanes, Multiplicand, scale3};

/// A number with fewer fraction bits, to nearest, ties away from zero, saturating.
pub(crate) fn to_mantissa(x: Fx, fraction_bits: u32) -> i32 {
    let (x, drop) = (x.to_bits(), 32 - fraction_bits);
    let rounded = x.saturating_add((1 << (drop - 1)) + (x >> 63)) >> drop;
    rounded.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// Takes as many low bits from all entries as leave mantissas of 30 bits, and returns how many.
#[inline(always)]
pub(super) fn shorten<B: Backend<N>, const N: usize>(entries: &mut [Lanes<B, N>]) -> Lanes<B, N> {
    // As long as the largest magnitude.
    let mut longest = Lanes::zero();
    for entry in entries.iter() {
        longest = longest | entry.abs();
    }
    let shift = (Lanes::splat(34) - longest.leading_zeros()).max(Lanes::zero());
    for entry in entries {
        *entry = shr_each(*entry, shift);
    }
    shift
}

/// `x` / 2^count to nearest, ties away from zero, for counts of 0 to 62.
#[inline(always)]
pub(super) fn shr_each<B: Backend<N>, const N: usize>(x: Lanes<B, N>, count: Lanes<B, N>) -> Lanes<B, N> {
    with_half(x, count).shr_each(count)
}

/// What a shift toward −∞ rounds as [`shr_each`] does.
#[inline(always)]
fn with_half<B: Backend<N>, const N: usize>(x: Lanes<B, N>, count: Lanes<B, N>) -> Lanes<B, N> {
    // As `Lanes::shr_round`: a unit less for what is negative moves exactly the halves of it down. With a count of 0
    // there are none.
    let below = x.lt(Lanes::zero()) & count.gt(Lanes::zero());
    x + half_of(count) + below.to_lanes()
}

/// [`shr_each`] by component.
#[inline(always)]
pub(super) fn shr_each3<B: Backend<N>, const N: usize>(
    [x, y, z]: [Lanes<B, N>; 3],
    count: Lanes<B, N>,
) -> [Lanes<B, N>; 3] {
    [shr_each(x, count), shr_each(y, count), shr_each(z, count)]
}

/// The low bits of [`shr_each3`], for counts up to 32.
#[inline(always)]
pub(super) fn multiplicands_each3<B: Backend<N>, const N: usize>(
    [x, y, z]: [Lanes<B, N>; 3],
    count: Lanes<B, N>,
) -> [Multiplicand<B, N>; 3] {
    [
        with_half(x, count).multiplicand_each(count),
        with_half(y, count).multiplicand_each(count),
        with_half(z, count).multiplicand_each(count),
    ]
}

/// `x` / 2^count to nearest, halves up, for lanes from −2⁶² to 2⁶² and counts up to 62: [`shr_each`] where nothing is below 0.
#[inline(always)]
pub(super) fn shr_each_half_up<B: Backend<N>, const N: usize>(
    x: Lanes<B, N>,
    count: Lanes<B, N>,
) -> Lanes<B, N> {
    (x + half_of(count)).shr_each(count)
}

/// As [`shr_each_half_up`], and [`shr_each`], for lanes that are not negative: shorter.
#[inline(always)]
pub(super) fn shr_logical_each_half_up<B: Backend<N>, const N: usize>(
    x: Lanes<B, N>,
    count: Lanes<B, N>,
) -> Lanes<B, N> {
    (x + half_of(count)).shr_logical_each(count)
}

/// Half a unit of what a shift leaves.
#[inline(always)]
fn half_of<B: Backend<N>, const N: usize>(count: Lanes<B, N>) -> Lanes<B, N> {
    Lanes::splat(1).shl_each(count).shr_logical::<1>()
}

/// The greatest term of an effective mass: 2²⁰, Q30.
const MOST: i64 = 1 << 50;

/// `x` 2^exponent for x ≥ 0, at most [`MOST`].
#[inline(always)]
pub(super) fn scaled<B: Backend<N>, const N: usize>(x: Lanes<B, N>, exponent: Lanes<B, N>) -> Lanes<B, N> {
    let up = exponent.max(Lanes::zero()).min(Lanes::splat(50));
    let down = (-exponent).max(Lanes::zero()).min(Lanes::splat(62));
    let raised = x.min(Lanes::splat(MOST).shr_logical_each(up)).shl_each(up);
    shr_logical_each_half_up(exponent.gt(Lanes::zero()).select(raised, x), down).min(Lanes::splat(MOST))
}

/// A positive number as a mantissa of 31 bits, its reciprocal and the length of the number in bits.
#[derive(Clone, Copy)]
pub(super) struct Reciprocal<B: Backend<N>, const N: usize> {
    pub(super) mantissa: Lanes<B, N>,
    /// 2⁶⁰ / mantissa.
    pub(super) value: Lanes<B, N>,
    pub(super) length: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Reciprocal<B, N> {
    #[inline(always)]
    pub(super) fn of(x: Lanes<B, N>) -> Self {
        let length = Lanes::splat(64) - x.leading_zeros();
        let down = (length - Lanes::splat(31)).max(Lanes::zero());
        let up = (Lanes::splat(31) - length).max(Lanes::zero());
        let mantissa = x.shl_each(up).shr_logical_each(down);
        Self { mantissa, value: mantissa.recip(), length }
    }

    /// `x` / K for x of at most 31 bits, unsigned, and K in Q30 of at least 1, in the format of x.
    #[inline(always)]
    pub(super) fn share(&self, x: Lanes<B, N>) -> Lanes<B, N> {
        shr_logical_each_half_up(x.mul32_unsigned(self.value), self.length - Lanes::splat(1))
    }

    /// v 2^(exponent + offset) / K for mantissas v of 30 bits and K in Q30, where `offset` counts the bits that the
    /// result has more.
    #[inline(always)]
    pub(super) fn shares(&self, v: [Lanes<B, N>; 3], exponent: Lanes<B, N>, offset: i64) -> [Lanes<B, N>; 3] {
        let down = self.length - exponent - Lanes::splat(offset + 1);
        let down = down.max(Lanes::splat(1)).min(Lanes::splat(62));
        shr_each3(scale3(v, self.value), down)
    }
}

/// The root of a number of at most 60 bits, to about 30 bits; with half as many fraction bits.
#[inline(always)]
pub(super) fn root<B: Backend<N>, const N: usize>(x: Lanes<B, N>) -> Lanes<B, N> {
    let (m, p) = quartered(x);
    // m / √m, where `rsqrt` is 2^44.5 / √m: √m 2^14.5, times √2.
    let root = m.mul32(m.rsqrt()).shr_logical::<30>().mul32(Lanes::splat(SQRT_2)).shr_logical::<30>();
    x.equal(Lanes::zero()).select(Lanes::zero(), root.shr_logical_each(Lanes::splat(15) - p))
}

/// √2, Q30.
const SQRT_2: i64 = 1_518_500_250;
