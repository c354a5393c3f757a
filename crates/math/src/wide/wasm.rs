//! Four lanes in two 128-bit vectors, for modules of wasm32 that are built with `simd128`.
//!
//! Shifts, absolute values and comparisons are instructions of the module, whatever the engine makes of them: the same with
//! the offsets of [`super::backend`] is slower.
#![allow(unsafe_code)]

use super::backend::{Backend, sealed::Sealed};
use core::arch::wasm32::*;
use core::mem::transmute;

/// The vectors of WebAssembly: signed and unsigned 32×32→64 products, 64-bit comparisons, arithmetic shifts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128;

impl Sealed for Simd128 {}

type Pair = [v128; 2];

#[inline(always)]
fn map(a: Pair, f: impl Fn(v128) -> v128) -> Pair {
    [f(a[0]), f(a[1])]
}

#[inline(always)]
fn zip(a: Pair, b: Pair, f: impl Fn(v128, v128) -> v128) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// The low words of four lanes, side by side.
#[inline(always)]
fn low_words(low: v128, high: v128) -> v128 {
    i32x4_shuffle::<0, 2, 4, 6>(low, high)
}

/// Copies of the sign, by shifting words: engines take several instructions for an arithmetic shift of 64 bits.
#[inline(always)]
fn sign(a: v128) -> v128 {
    let signs = i32x4_shr(a, 31);
    i32x4_shuffle::<1, 1, 3, 3>(signs, signs)
}

/// The first lane of each.
#[inline(always)]
fn even(a: v128, b: v128) -> v128 {
    i64x2_shuffle::<0, 2>(a, b)
}

/// The second lane of each.
#[inline(always)]
fn odd(a: v128, b: v128) -> v128 {
    i64x2_shuffle::<1, 3>(a, b)
}

// SAFETY, for all blocks below: `transmute` is between types of equal size in which every bit pattern is valid.
impl Backend<4> for Simd128 {
    type Register = Pair;
    #[inline(always)]
    fn splat(value: i64) -> Pair {
        [i64x2_splat(value); 2]
    }
    #[inline(always)]
    fn from_array(lanes: [i64; 4]) -> Pair {
        [i64x2(lanes[0], lanes[1]), i64x2(lanes[2], lanes[3])]
    }
    #[inline(always)]
    fn to_array(a: Pair) -> [i64; 4] {
        [
            i64x2_extract_lane::<0>(a[0]),
            i64x2_extract_lane::<1>(a[0]),
            i64x2_extract_lane::<0>(a[1]),
            i64x2_extract_lane::<1>(a[1]),
        ]
    }
    #[inline(always)]
    fn load(column: &[i32; 4]) -> Pair {
        let words = unsafe { transmute::<[i32; 4], v128>(*column) };
        [i64x2_extend_low_i32x4(words), i64x2_extend_high_i32x4(words)]
    }
    #[inline(always)]
    fn store(a: Pair) -> [i32; 4] {
        unsafe { transmute(low_words(a[0], a[1])) }
    }
    #[inline(always)]
    fn add(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| i64x2_add(a, b))
    }
    #[inline(always)]
    fn sub(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| i64x2_sub(a, b))
    }
    #[inline(always)]
    fn mul32(a: Pair, b: Pair) -> Pair {
        let (a, b) = (low_words(a[0], a[1]), low_words(b[0], b[1]));
        [i64x2_extmul_low_i32x4(a, b), i64x2_extmul_high_i32x4(a, b)]
    }
    #[inline(always)]
    fn mul32_unsigned(a: Pair, b: Pair) -> Pair {
        let (a, b) = (low_words(a[0], a[1]), low_words(b[0], b[1]));
        [u64x2_extmul_low_u32x4(a, b), u64x2_extmul_high_u32x4(a, b)]
    }
    #[inline(always)]
    fn and(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| v128_and(a, b))
    }
    #[inline(always)]
    fn or(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| v128_or(a, b))
    }
    #[inline(always)]
    fn xor(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| v128_xor(a, b))
    }
    #[inline(always)]
    fn shl<const S: u32>(a: Pair) -> Pair {
        map(a, |a| i64x2_shl(a, S))
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: Pair) -> Pair {
        map(a, |a| u64x2_shr(a, S))
    }
    #[inline(always)]
    fn negative(a: Pair) -> Pair {
        map(a, sign)
    }
    #[inline(always)]
    fn gt(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| i64x2_gt(a, b))
    }
    #[inline(always)]
    fn equal(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| i64x2_eq(a, b))
    }
    #[inline(always)]
    fn select(mask: Pair, yes: Pair, no: Pair) -> Pair {
        [v128_bitselect(yes[0], no[0], mask[0]), v128_bitselect(yes[1], no[1], mask[1])]
    }
    #[inline(always)]
    fn any(mask: Pair) -> bool {
        v128_any_true(v128_or(mask[0], mask[1]))
    }
    #[inline(always)]
    fn all(mask: Pair) -> bool {
        i64x2_all_true(v128_and(mask[0], mask[1]))
    }
    #[inline(always)]
    fn shr<const S: u32>(a: Pair) -> Pair {
        map(a, |a| i64x2_shr(a, S))
    }
    #[inline(always)]
    fn shr_round_half_up<const S: u32>(a: Pair) -> Pair {
        map(a, |a| i64x2_shr(i64x2_add(a, i64x2_splat(const { 1 << (S - 1) })), S))
    }
    #[inline(always)]
    fn abs(a: Pair) -> Pair {
        map(a, |a| i64x2_abs(a))
    }
    #[inline(always)]
    fn columns(rows: [&[i64; 4]; 4]) -> [Pair; 4] {
        let half = |i: usize, k: usize| unsafe { transmute::<[i64; 2], v128>([rows[i][k], rows[i][k + 1]]) };
        let evens = |k: usize| [even(half(0, k), half(1, k)), even(half(2, k), half(3, k))];
        let odds = |k: usize| [odd(half(0, k), half(1, k)), odd(half(2, k), half(3, k))];
        [evens(0), odds(0), evens(2), odds(2)]
    }
    #[inline(always)]
    fn rows(columns: [Pair; 4]) -> [[i64; 4]; 4] {
        let [x, y, z, w] = columns;
        let evens = |pair: usize| unsafe {
            transmute::<Pair, [i64; 4]>([even(x[pair], y[pair]), even(z[pair], w[pair])])
        };
        let odds = |pair: usize| unsafe {
            transmute::<Pair, [i64; 4]>([odd(x[pair], y[pair]), odd(z[pair], w[pair])])
        };
        [evens(0), odds(0), evens(1), odds(1)]
    }
}
