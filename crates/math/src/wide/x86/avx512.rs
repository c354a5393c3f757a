//! Eight lanes in one 512-bit register.
#![allow(unsafe_code)]
#![allow(clippy::incompatible_msrv, reason = "compiled from Rust 1.89 on, see build.rs")]

use super::super::backend::{Backend, sealed::Sealed};
use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::transmute;

/// AVX-512 F, CD, BW, DQ and VL: every operation of a lane is one instruction.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Avx512;

impl Sealed for Avx512 {}

/// A mask register as all-ones lanes.
#[inline(always)]
fn widen(mask: __mmask8) -> __m512i {
    // SAFETY: as for the implementation below.
    unsafe { _mm512_movm_epi64(mask) }
}

// SAFETY, for all blocks below: this type is named only by `dispatch.rs`, inside a function that is entered when the CPU
// has the features that `door!` lists there, among them all of the intrinsics here. `transmute` is between types of equal
// size in which every bit pattern is valid. The assembly reads and writes the registers that it names.

/// The product of the low words of each lane.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn product(a: __m512i, b: __m512i) -> __m512i {
    let product;
    unsafe {
        asm!(
            "vpmuldq {product}, {a}, {b}",
            product = lateout(zmm_reg) product,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
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
#[target_feature(enable = "avx512f")]
unsafe fn product_unsigned(a: __m512i, b: __m512i) -> __m512i {
    let product;
    unsafe {
        asm!(
            "vpmuludq {product}, {a}, {b}",
            product = lateout(zmm_reg) product,
            a = in(zmm_reg) a,
            b = in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    product
}

impl Backend<8> for Avx512 {
    type Register = __m512i;

    #[inline(always)]
    fn splat(value: i64) -> __m512i {
        unsafe { _mm512_set1_epi64(value) }
    }
    #[inline(always)]
    fn from_array(lanes: [i64; 8]) -> __m512i {
        unsafe { transmute(lanes) }
    }
    #[inline(always)]
    fn to_array(a: __m512i) -> [i64; 8] {
        unsafe { transmute(a) }
    }
    #[inline(always)]
    fn load(column: &[i32; 8]) -> __m512i {
        unsafe { _mm512_cvtepi32_epi64(transmute::<[i32; 8], __m256i>(*column)) }
    }
    #[inline(always)]
    fn store(a: __m512i) -> [i32; 8] {
        unsafe { transmute(_mm512_cvtepi64_epi32(a)) }
    }
    #[inline(always)]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_add_epi64(a, b) }
    }
    #[inline(always)]
    fn sub(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_sub_epi64(a, b) }
    }
    #[inline(always)]
    fn mul32(a: __m512i, b: __m512i) -> __m512i {
        unsafe { product(a, b) }
    }
    #[inline(always)]
    fn mul32_unsigned(a: __m512i, b: __m512i) -> __m512i {
        unsafe { product_unsigned(a, b) }
    }
    #[inline(always)]
    fn and(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_and_si512(a, b) }
    }
    #[inline(always)]
    fn or(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_or_si512(a, b) }
    }
    #[inline(always)]
    fn xor(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_xor_si512(a, b) }
    }
    #[inline(always)]
    fn shl<const S: u32>(a: __m512i) -> __m512i {
        unsafe { _mm512_slli_epi64::<S>(a) }
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: __m512i) -> __m512i {
        unsafe { _mm512_srli_epi64::<S>(a) }
    }
    #[inline(always)]
    fn negative(a: __m512i) -> __m512i {
        unsafe { _mm512_srai_epi64::<63>(a) }
    }
    #[inline(always)]
    fn gt(a: __m512i, b: __m512i) -> __m512i {
        widen(unsafe { _mm512_cmpgt_epi64_mask(a, b) })
    }
    #[inline(always)]
    fn equal(a: __m512i, b: __m512i) -> __m512i {
        widen(unsafe { _mm512_cmpeq_epi64_mask(a, b) })
    }
    #[inline(always)]
    fn select(mask: __m512i, yes: __m512i, no: __m512i) -> __m512i {
        unsafe { _mm512_mask_blend_epi64(_mm512_movepi64_mask(mask), no, yes) }
    }
    #[inline(always)]
    fn any(mask: __m512i) -> bool {
        unsafe { _mm512_movepi64_mask(mask) != 0 }
    }
    #[inline(always)]
    fn all(mask: __m512i) -> bool {
        unsafe { _mm512_movepi64_mask(mask) == 0xff }
    }
    #[inline(always)]
    fn shr<const S: u32>(a: __m512i) -> __m512i {
        unsafe { _mm512_srai_epi64::<S>(a) }
    }
    #[inline(always)]
    fn shr_round_half_up<const S: u32>(a: __m512i) -> __m512i {
        Self::shr::<S>(Self::add(a, Self::splat(const { 1 << (S - 1) })))
    }
    #[inline(always)]
    fn min(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_min_epi64(a, b) }
    }
    #[inline(always)]
    fn max(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_max_epi64(a, b) }
    }
    #[inline(always)]
    fn abs(a: __m512i) -> __m512i {
        unsafe { _mm512_abs_epi64(a) }
    }
    #[inline(always)]
    fn hold_upper(a: __m512i, most: i32) -> __m512i {
        // The lower words are held to all that they can be.
        unsafe {
            let least = _mm512_set1_epi64(i64::from(!most) << 32 | 0x8000_0000);
            let most = _mm512_set1_epi64(i64::from(most) << 32 | 0x7fff_ffff);
            _mm512_min_epi32(_mm512_max_epi32(a, least), most)
        }
    }
    #[inline(always)]
    fn shl_each(a: __m512i, counts: __m512i) -> __m512i {
        unsafe { _mm512_sllv_epi64(a, counts) }
    }
    #[inline(always)]
    fn shr_each(a: __m512i, counts: __m512i) -> __m512i {
        unsafe { _mm512_srav_epi64(a, counts) }
    }
    #[inline(always)]
    fn shr_logical_each(a: __m512i, counts: __m512i) -> __m512i {
        unsafe { _mm512_srlv_epi64(a, counts) }
    }
    #[inline(always)]
    fn leading_zeros(a: __m512i) -> __m512i {
        unsafe { _mm512_lzcnt_epi64(a) }
    }
    #[inline(always)]
    fn columns(rows: [&[i64; 4]; 8]) -> [__m512i; 4] {
        unsafe {
            let (a, b) = (side_by_side(rows[0], rows[4]), side_by_side(rows[1], rows[5]));
            let (c, d) = (side_by_side(rows[2], rows[6]), side_by_side(rows[3], rows[7]));
            let (ab_even, ab_odd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
            let (cd_even, cd_odd) = (_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
            let (low, high) = (low_blocks(), high_blocks());
            [
                _mm512_permutex2var_epi64(ab_even, low, cd_even),
                _mm512_permutex2var_epi64(ab_odd, low, cd_odd),
                _mm512_permutex2var_epi64(ab_even, high, cd_even),
                _mm512_permutex2var_epi64(ab_odd, high, cd_odd),
            ]
        }
    }
    #[inline(always)]
    fn rows(columns: [__m512i; 4]) -> [[i64; 4]; 8] {
        let [x, y, z, w] = columns;
        unsafe {
            let (xy_even, xy_odd) = (_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
            let (zw_even, zw_odd) = (_mm512_unpacklo_epi64(z, w), _mm512_unpackhi_epi64(z, w));
            let (low, high) = (low_blocks(), high_blocks());
            let [row_0, row_4] = halves(_mm512_permutex2var_epi64(xy_even, low, zw_even));
            let [row_1, row_5] = halves(_mm512_permutex2var_epi64(xy_odd, low, zw_odd));
            let [row_2, row_6] = halves(_mm512_permutex2var_epi64(xy_even, high, zw_even));
            let [row_3, row_7] = halves(_mm512_permutex2var_epi64(xy_odd, high, zw_odd));
            [row_0, row_1, row_2, row_3, row_4, row_5, row_6, row_7]
        }
    }
}

/// Four numbers in the lower half and four in the upper one.
///
/// A function, and not a closure of [`Backend::columns`]: where compilers do not inline these, they have no instructions of AVX-512.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn side_by_side(low: &[i64; 4], high: &[i64; 4]) -> __m512i {
    unsafe {
        let [low, high] = transmute::<[[i64; 4]; 2], [__m256i; 2]>([*low, *high]);
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}

/// The numbers of the lower half, and those of the upper one.
///
/// # Safety
/// The CPU has the feature.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn halves(pair: __m512i) -> [[i64; 4]; 2] {
    unsafe {
        let (low, high) = (_mm512_castsi512_si256(pair), _mm512_extracti64x4_epi64::<1>(pair));
        transmute::<[__m256i; 2], [[i64; 4]; 2]>([low, high])
    }
}

/// Selects, in each half, the lower 128 bits of the first operand and then of the second.
#[inline(always)]
fn low_blocks() -> __m512i {
    // SAFETY: as for the implementation above.
    unsafe { _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13) }
}

/// Selects, in each half, the upper 128 bits of the first operand and then of the second.
#[inline(always)]
fn high_blocks() -> __m512i {
    // SAFETY: as for the implementation above.
    unsafe { _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15) }
}
