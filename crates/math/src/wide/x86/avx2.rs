//! Four lanes in one 256-bit register.
#![allow(unsafe_code)]

use super::super::backend::{Backend, sealed::Sealed};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

/// AVX2. Has `vpmuldq` and 64-bit comparisons, but no arithmetic 64-bit shift, minimum or maximum.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx2;

impl Sealed for Avx2 {}

// SAFETY, for all blocks below: this type is named only by `dispatch.rs`, inside a function that is entered
// when the CPU has AVX2. `transmute` is between types of 32 bytes in which every bit pattern is valid. The
// assembly reads and writes the registers that it names.

/// The product of the low words of each lane.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn product(a: __m256i, b: __m256i) -> __m256i {
    let product;
    unsafe {
        asm!(
            "vpmuldq {product}, {a}, {b}",
            product = lateout(ymm_reg) product,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

/// The same, unsigned.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn product_unsigned(a: __m256i, b: __m256i) -> __m256i {
    let product;
    unsafe {
        asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(ymm_reg) product,
            a = in(ymm_reg) a,
            b = in(ymm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

/// Two numbers in the lower half and two in the upper one.
///
/// A function, and not a closure of [`Backend::columns`]: where compilers do not inline these, they have no instructions of AVX2.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn side_by_side(low: [i64; 2], high: [i64; 2]) -> __m256i {
    unsafe {
        let [low, high] = transmute::<[[i64; 2]; 2], [__m128i; 2]>([low, high]);
        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
    }
}

impl Backend<4> for Avx2 {
    type Register = __m256i;

    #[inline(always)]
    fn splat(value: i64) -> __m256i {
        unsafe { _mm256_set1_epi64x(value) }
    }
    #[inline(always)]
    fn from_array(lanes: [i64; 4]) -> __m256i {
        unsafe { transmute(lanes) }
    }
    #[inline(always)]
    fn to_array(a: __m256i) -> [i64; 4] {
        unsafe { transmute(a) }
    }
    #[inline(always)]
    fn load(column: &[i32; 4]) -> __m256i {
        unsafe { _mm256_cvtepi32_epi64(transmute::<[i32; 4], __m128i>(*column)) }
    }
    #[inline(always)]
    fn store(a: __m256i) -> [i32; 4] {
        unsafe {
            let low_words = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
            transmute(_mm256_castsi256_si128(low_words))
        }
    }
    #[inline(always)]
    fn add(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_add_epi64(a, b) }
    }
    #[inline(always)]
    fn sub(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_sub_epi64(a, b) }
    }
    #[inline(always)]
    fn mul32(a: __m256i, b: __m256i) -> __m256i {
        unsafe { product(a, b) }
    }
    #[inline(always)]
    fn mul32_unsigned(a: __m256i, b: __m256i) -> __m256i {
        unsafe { product_unsigned(a, b) }
    }
    #[inline(always)]
    fn and(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn or(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn xor(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_xor_si256(a, b) }
    }
    #[inline(always)]
    fn shl<const S: u32>(a: __m256i) -> __m256i {
        unsafe { _mm256_sll_epi64(a, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: __m256i) -> __m256i {
        unsafe { _mm256_srl_epi64(a, _mm_cvtsi32_si128(S as i32)) }
    }
    #[inline(always)]
    fn negative(a: __m256i) -> __m256i {
        unsafe { _mm256_cmpgt_epi64(_mm256_setzero_si256(), a) }
    }
    #[inline(always)]
    fn gt(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_cmpgt_epi64(a, b) }
    }
    #[inline(always)]
    fn equal(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_cmpeq_epi64(a, b) }
    }
    #[inline(always)]
    fn select(mask: __m256i, yes: __m256i, no: __m256i) -> __m256i {
        unsafe { _mm256_blendv_epi8(no, yes, mask) }
    }
    #[inline(always)]
    fn any(mask: __m256i) -> bool {
        unsafe { _mm256_movemask_epi8(mask) != 0 }
    }
    #[inline(always)]
    fn all(mask: __m256i) -> bool {
        unsafe { _mm256_movemask_epi8(mask) == -1 }
    }
    #[inline(always)]
    fn hold_upper(a: __m256i, most: i32) -> __m256i {
        // The lower words are held to all that they can be.
        unsafe {
            let least = _mm256_set1_epi64x(i64::from(!most) << 32 | 0x8000_0000);
            let most = _mm256_set1_epi64x(i64::from(most) << 32 | 0x7fff_ffff);
            _mm256_min_epi32(_mm256_max_epi32(a, least), most)
        }
    }
    #[inline(always)]
    fn positive(a: __m256i) -> __m256i {
        unsafe {
            let zero = _mm256_setzero_pd();
            _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(a), zero, _mm256_castsi256_pd(a)))
        }
    }
    #[inline(always)]
    fn shl_each(a: __m256i, counts: __m256i) -> __m256i {
        unsafe { _mm256_sllv_epi64(a, counts) }
    }
    #[inline(always)]
    fn shr_each(a: __m256i, counts: __m256i) -> __m256i {
        // The offset of `shr_by_offset`, with a count per lane.
        unsafe {
            let top = _mm256_set1_epi64x(i64::MIN);
            let moved = _mm256_srlv_epi64(_mm256_xor_si256(a, top), counts);
            _mm256_sub_epi64(moved, _mm256_srlv_epi64(top, counts))
        }
    }
    #[inline(always)]
    fn shr_logical_each(a: __m256i, counts: __m256i) -> __m256i {
        unsafe { _mm256_srlv_epi64(a, counts) }
    }
    #[inline(always)]
    fn leading_zeros(a: __m256i) -> __m256i {
        let zeros = |a: i64| i64::from(a.leading_zeros());
        let a = Self::to_array(a);
        Self::from_array([zeros(a[0]), zeros(a[1]), zeros(a[2]), zeros(a[3])])
    }
    #[inline(always)]
    fn columns(rows: [&[i64; 4]; 4]) -> [__m256i; 4] {
        let [x, y, z, w] = rows;
        // Halves of rows that are two apart are loaded side by side, which leaves four shuffles.
        unsafe {
            let a = side_by_side([x[0], x[1]], [z[0], z[1]]);
            let b = side_by_side([y[0], y[1]], [w[0], w[1]]);
            let c = side_by_side([x[2], x[3]], [z[2], z[3]]);
            let d = side_by_side([y[2], y[3]], [w[2], w[3]]);
            [
                _mm256_unpacklo_epi64(a, b),
                _mm256_unpackhi_epi64(a, b),
                _mm256_unpacklo_epi64(c, d),
                _mm256_unpackhi_epi64(c, d),
            ]
        }
    }
    #[inline(always)]
    fn rows(columns: [__m256i; 4]) -> [[i64; 4]; 4] {
        let [x, y, z, w] = columns;
        unsafe {
            let (xy_even, xy_odd) = (_mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
            let (zw_even, zw_odd) = (_mm256_unpacklo_epi64(z, w), _mm256_unpackhi_epi64(z, w));
            [
                transmute::<__m256i, [i64; 4]>(_mm256_permute2x128_si256::<0x20>(xy_even, zw_even)),
                transmute::<__m256i, [i64; 4]>(_mm256_permute2x128_si256::<0x20>(xy_odd, zw_odd)),
                transmute::<__m256i, [i64; 4]>(_mm256_permute2x128_si256::<0x31>(xy_even, zw_even)),
                transmute::<__m256i, [i64; 4]>(_mm256_permute2x128_si256::<0x31>(xy_odd, zw_odd)),
            ]
        }
    }
}
