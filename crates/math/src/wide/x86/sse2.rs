//! Four lanes in two 128-bit registers, for every x86-64 CPU.
#![allow(unsafe_code)]

use super::super::backend::{Backend, sealed::Sealed};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

/// SSE2, which is part of x86-64: unsigned 32×32→64 products, no 64-bit comparison.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Sse2;

impl Sealed for Sse2 {}

type Pair = [__m128i; 2];

#[inline(always)]
fn map(a: Pair, f: impl Fn(__m128i) -> __m128i) -> Pair {
    [f(a[0]), f(a[1])]
}

#[inline(always)]
fn zip(a: Pair, b: Pair, f: impl Fn(__m128i, __m128i) -> __m128i) -> Pair {
    [f(a[0], b[0]), f(a[1], b[1])]
}

/// The high word of each lane, in both words.
#[inline(always)]
fn high_words(a: __m128i) -> __m128i {
    // SAFETY: as for the implementation below.
    unsafe { _mm_shuffle_epi32::<0b11_11_01_01>(a) }
}

/// The product of the low words of each lane, unsigned.
#[inline(always)]
fn product(a: __m128i, b: __m128i) -> __m128i {
    let mut product = a;
    // SAFETY: as for the implementation below; the assembly reads and writes the registers that it names.
    unsafe {
        asm!(
            "pmuludq {product}, {b}",
            product = inout(xmm_reg) product,
            b = in(xmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

// SAFETY, for all blocks below: SSE2 is part of the x86-64 instruction set. `transmute` is between types of
// equal size in which every bit pattern is valid.
impl Backend<4> for Sse2 {
    type Register = Pair;

    #[inline(always)]
    fn splat(value: i64) -> Pair {
        unsafe { [_mm_set1_epi64x(value); 2] }
    }
    #[inline(always)]
    fn from_array(lanes: [i64; 4]) -> Pair {
        unsafe { transmute(lanes) }
    }
    #[inline(always)]
    fn to_array(a: Pair) -> [i64; 4] {
        unsafe { transmute(a) }
    }
    #[inline(always)]
    fn load(column: &[i32; 4]) -> Pair {
        unsafe {
            let words = transmute::<[i32; 4], __m128i>(*column);
            let signs = _mm_srai_epi32::<31>(words);
            [_mm_unpacklo_epi32(words, signs), _mm_unpackhi_epi32(words, signs)]
        }
    }
    #[inline(always)]
    fn store(a: Pair) -> [i32; 4] {
        unsafe {
            let even = |x| _mm_shuffle_epi32::<0b10_00_10_00>(x);
            transmute(_mm_unpacklo_epi64(even(a[0]), even(a[1])))
        }
    }
    #[inline(always)]
    fn add(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe { _mm_add_epi64(a, b) })
    }
    #[inline(always)]
    fn sub(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe { _mm_sub_epi64(a, b) })
    }
    #[inline(always)]
    fn mul32(a: Pair, b: Pair) -> Pair {
        // The unsigned product exceeds the signed one by 2³² times the other factor for each negative one.
        zip(a, b, |a, b| unsafe {
            let a_negative = _mm_srai_epi32::<31>(a);
            let b_negative = _mm_srai_epi32::<31>(b);
            let excess = _mm_add_epi32(_mm_and_si128(a_negative, b), _mm_and_si128(b_negative, a));
            _mm_sub_epi64(product(a, b), _mm_slli_epi64::<32>(excess))
        })
    }
    #[inline(always)]
    fn mul32_unsigned(a: Pair, b: Pair) -> Pair {
        zip(a, b, product)
    }
    #[inline(always)]
    fn and(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe { _mm_and_si128(a, b) })
    }
    #[inline(always)]
    fn or(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe { _mm_or_si128(a, b) })
    }
    #[inline(always)]
    fn xor(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe { _mm_xor_si128(a, b) })
    }
    #[inline(always)]
    fn shl<const S: u32>(a: Pair) -> Pair {
        map(a, |a| unsafe { _mm_sll_epi64(a, _mm_cvtsi32_si128(S as i32)) })
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: Pair) -> Pair {
        map(a, |a| unsafe { _mm_srl_epi64(a, _mm_cvtsi32_si128(S as i32)) })
    }
    #[inline(always)]
    fn negative(a: Pair) -> Pair {
        map(a, |a| high_words(unsafe { _mm_srai_epi32::<31>(a) }))
    }
    #[inline(always)]
    fn gt(a: Pair, b: Pair) -> Pair {
        // The sign of b − a, corrected where the difference overflows.
        let difference = Self::sub(b, a);
        let overflow = Self::and(Self::xor(b, a), Self::xor(difference, b));
        Self::negative(Self::xor(difference, overflow))
    }
    #[inline(always)]
    fn equal(a: Pair, b: Pair) -> Pair {
        zip(a, b, |a, b| unsafe {
            let words = _mm_cmpeq_epi32(a, b);
            _mm_and_si128(words, _mm_shuffle_epi32::<0b10_11_00_01>(words))
        })
    }
    #[inline(always)]
    fn select(mask: Pair, yes: Pair, no: Pair) -> Pair {
        Self::xor(no, Self::and(mask, Self::xor(yes, no)))
    }
    #[inline(always)]
    fn any(mask: Pair) -> bool {
        unsafe { _mm_movemask_epi8(_mm_or_si128(mask[0], mask[1])) != 0 }
    }
    #[inline(always)]
    fn all(mask: Pair) -> bool {
        unsafe { _mm_movemask_epi8(_mm_and_si128(mask[0], mask[1])) == 0xffff }
    }
    #[inline(always)]
    fn columns(rows: [&[i64; 4]; 4]) -> [Pair; 4] {
        let half =
            |i: usize, k: usize| unsafe { transmute::<[i64; 2], __m128i>([rows[i][k], rows[i][k + 1]]) };
        let even = |k: usize| unsafe {
            [_mm_unpacklo_epi64(half(0, k), half(1, k)), _mm_unpacklo_epi64(half(2, k), half(3, k))]
        };
        let odd = |k: usize| unsafe {
            [_mm_unpackhi_epi64(half(0, k), half(1, k)), _mm_unpackhi_epi64(half(2, k), half(3, k))]
        };
        [even(0), odd(0), even(2), odd(2)]
    }
    #[inline(always)]
    fn rows(columns: [Pair; 4]) -> [[i64; 4]; 4] {
        let [x, y, z, w] = columns;
        let even = |pair: usize| unsafe {
            let halves = [_mm_unpacklo_epi64(x[pair], y[pair]), _mm_unpacklo_epi64(z[pair], w[pair])];
            transmute::<Pair, [i64; 4]>(halves)
        };
        let odd = |pair: usize| unsafe {
            let halves = [_mm_unpackhi_epi64(x[pair], y[pair]), _mm_unpackhi_epi64(z[pair], w[pair])];
            transmute::<Pair, [i64; 4]>(halves)
        };
        [even(0), odd(0), even(1), odd(1)]
    }
}
