//! Two numbers of 32 bits as a word: half as much for transpositions to move.

use super::{Column, store};
use isostep_math::wide::{Backend, Lanes};

/// The word of two numbers.
#[inline(always)]
pub(crate) const fn pair(lower: i32, upper: i32) -> i64 {
    lower as u32 as i64 | (upper as i64) << 32
}

/// The lower number of a word.
#[inline(always)]
pub(crate) const fn lower(word: i64) -> i32 {
    word as i32
}

/// The upper number of a word.
#[inline(always)]
pub(crate) const fn upper(word: i64) -> i32 {
    (word >> 32) as i32
}

/// Words of two numbers of 32 bits each; of the lower one what is above these does not count.
#[inline(always)]
pub(crate) fn both<B: Backend<N>, const N: usize>(lower: Lanes<B, N>, upper: Lanes<B, N>) -> Lanes<B, N> {
    lower.low_bits::<32>() + upper.shl::<32>()
}

/// Stores both numbers of words to the lanes of two columns from `at` on.
#[inline(always)]
pub(crate) fn store_both<B: Backend<N>, const N: usize>(
    words: Lanes<B, N>,
    [lower, upper]: [&mut Column; 2],
    at: usize,
) {
    store(words, lower, at);
    store(words.shr::<32>(), upper, at);
}
