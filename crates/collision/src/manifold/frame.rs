//! Pairs at their own scale, in lanes of pairs: the difference of their centres and the exponent at which their
//! largest length fills its mantissa; and the way back to lengths, one at a time.

use isostep_math::Fx;
use isostep_math::exact::round_shift_i64;
use isostep_math::wide::{Backend, Lanes, Mask, chunk_at};

/// Pairs of a block: the widest backend takes them at once, a narrower one in parts.
pub(super) const BLOCK: usize = 8;

/// Spreads a batch of pairs over blocks, and says over how many. What is left of the last one repeats the first
/// pair, which exists.
#[inline(always)]
pub(super) fn fill(indices: &mut [[[u32; BLOCK]; 2]], batch: &[(u32, u32)]) -> usize {
    let blocks = batch.len().div_ceil(BLOCK);
    for index in 0..blocks * BLOCK {
        let (a, b) = *batch.get(index).unwrap_or(&batch[0]);
        let [block_a, block_b] = &mut indices[index / BLOCK];
        (block_a[index % BLOCK], block_b[index % BLOCK]) = (a, b);
    }
    blocks
}

/// The records of the pairs from lane `at` of a block on: those of a, and those of b.
#[inline(always)]
pub(super) fn gather<B: Backend<N>, const N: usize, const K: usize>(
    records: &[[i64; K]],
    [a, b]: &[[u32; BLOCK]; 2],
    at: usize,
) -> [[Lanes<B, N>; K]; 2] {
    [Lanes::gather_records(records, chunk_at(a, at)), Lanes::gather_records(records, chunk_at(b, at))]
}

/// A mantissa as length: exact, or to nearest, ties away from zero, where it is finer than 2⁻³².
#[inline(always)]
pub(super) fn length(mantissa: i64, exponent: i32) -> Fx {
    Fx::from_bits(if exponent >= 0 {
        mantissa << exponent
    } else {
        round_shift_i64(mantissa, exponent.unsigned_abs())
    })
}

/// A product with a Q30 back to the scale of the other factor, to nearest, ties away from zero.
#[inline(always)]
pub(super) fn scale_q30(a: i64, b: i64) -> i64 {
    round_shift_i64(a * b, 30)
}

/// Lengths as mantissas of one exponent in each lane.
#[derive(Clone, Copy)]
pub(super) struct Scale<B: Backend<N>, const N: usize> {
    /// A mantissa is worth 2^exponent units of 2⁻³².
    pub(super) exponent: Lanes<B, N>,
    up: Lanes<B, N>,
    down: Lanes<B, N>,
    half: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Scale<B, N> {
    /// The exponent at which `largest`, above 0, has `bits` bits.
    #[inline(always)]
    fn new(largest: Lanes<B, N>, bits: i64) -> Self {
        let exponent = Lanes::splat(64 - bits) - largest.leading_zeros();
        let down = exponent.max(Lanes::zero());
        let half = Lanes::splat(1).shl_each(down).shr_logical::<1>();
        Self { exponent, up: (-exponent).max(Lanes::zero()), down, half }
    }

    /// `length / 2^exponent` to nearest, ties up, for lengths of at least 0.
    #[inline(always)]
    pub(super) fn magnitude(self, length: Lanes<B, N>) -> Lanes<B, N> {
        (length.shl_each(self.up) + self.half).shr_logical_each(self.down)
    }

    /// The same for any sign: ties away from zero.
    #[inline(always)]
    pub(super) fn signed(self, length: Lanes<B, N>) -> Lanes<B, N> {
        self.magnitude(length.abs()).negate_where_negative(length)
    }
}

impl<B: Backend<N>, const N: usize> Scale<B, N> {
    /// The raw bits of a mantissa of at least 0: exact, or to nearest, ties up, where it is finer than 2⁻³².
    #[inline(always)]
    pub(super) fn raw_magnitude(self, mantissa: Lanes<B, N>) -> Lanes<B, N> {
        let half = Lanes::splat(1).shl_each(self.up).shr_logical::<1>();
        (mantissa.shl_each(self.down) + half).shr_logical_each(self.up)
    }

    /// The same for any sign: ties away from zero.
    #[inline(always)]
    pub(super) fn raw_signed(self, mantissa: Lanes<B, N>) -> Lanes<B, N> {
        self.raw_magnitude(mantissa.abs()).negate_where_negative(mantissa)
    }
}

/// Pairs in their scale.
pub(super) struct Frame<B: Backend<N>, const N: usize> {
    /// From the centre of a to that of b, as mantissas.
    pub(super) d: [Lanes<B, N>; 3],
    /// Where the two are too far apart to meet; nothing else means anything there.
    pub(super) far: Mask<B, N>,
    /// The largest length of the pair in raw bits.
    pub(super) largest: Lanes<B, N>,
    pub(super) scale: Scale<B, N>,
}

/// The most that the centres of two shapes that meet can differ along an axis, in raw bits, rounded up.
const FARTHEST: i64 = 1 << 52;

/// The frame of shapes around the centres `a` and `b`, whose largest extent is `extent`, with mantissas of `bits`
/// bits.
#[inline(always)]
pub(super) fn frame<B: Backend<N>, const N: usize>(
    a: [Lanes<B, N>; 3],
    b: [Lanes<B, N>; 3],
    extent: Lanes<B, N>,
    bits: i64,
) -> Frame<B, N> {
    let mut d = [Lanes::<B, N>::zero(); 3];
    let mut far = Mask::splat(false);
    let mut largest = extent.max(Lanes::splat(1));
    for k in 0..3 {
        d[k] = b[k] - a[k];
        // A difference of opposite signs has the sign of its first term, or it wrapped.
        let wrapped = (b[k].is_negative() ^ a[k].is_negative()) & (b[k].is_negative() ^ d[k].is_negative());
        far = far | wrapped | d[k].gt(Lanes::splat(FARTHEST)) | d[k].lt(Lanes::splat(-FARTHEST));
        largest = largest.max(d[k].abs());
    }
    let scale = Scale::new(largest, bits);
    Frame { d: [scale.signed(d[0]), scale.signed(d[1]), scale.signed(d[2])], far, largest, scale }
}
