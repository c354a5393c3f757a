//! Two lanes in one 128-bit register.
#![allow(unsafe_code)]
#![allow(unused_unsafe, reason = "later compilers find intrinsics safe where the target has them")]

use super::super::backend::{Backend, sealed::Sealed};
use core::arch::aarch64::*;
use core::arch::asm;

/// NEON, which all 64-bit ARM processors with an operating system have.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Neon;

impl Sealed for Neon {}

// SAFETY, for all blocks below: this module is there where the target has NEON, and so every processor that the program
// runs on. Pointers are those of arrays of as many words as are read or written.

/// The low words of both lanes.
#[inline(always)]
fn low_words(a: int64x2_t) -> int32x2_t {
    unsafe { vmovn_s64(a) }
}

/// Both lanes of a mask.
#[inline(always)]
fn lanes_of(mask: uint64x2_t) -> int64x2_t {
    unsafe { vreinterpretq_s64_u64(mask) }
}

/// A sum to which, or from which, an instruction takes the products of the low words of two registers.
macro_rules! with_product {
    ($instruction:literal, $sum:ident, $a:ident, $b:ident) => {{
        let mut sum = $sum;
        unsafe {
            asm!(
                concat!($instruction, " {sum:v}.2d, {a:v}.2s, {b:v}.2s"),
                sum = inlateout(vreg) sum,
                a = in(vreg) low_words($a),
                b = in(vreg) low_words($b),
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        sum
    }};
}

impl Backend<2> for Neon {
    type Register = int64x2_t;

    #[inline(always)]
    fn splat(value: i64) -> int64x2_t {
        unsafe { vdupq_n_s64(value) }
    }
    #[inline(always)]
    fn from_array(lanes: [i64; 2]) -> int64x2_t {
        unsafe { vld1q_s64(lanes.as_ptr()) }
    }
    #[inline(always)]
    fn to_array(a: int64x2_t) -> [i64; 2] {
        unsafe { [vgetq_lane_s64::<0>(a), vgetq_lane_s64::<1>(a)] }
    }
    #[inline(always)]
    fn load(column: &[i32; 2]) -> int64x2_t {
        unsafe { vmovl_s32(vld1_s32(column.as_ptr())) }
    }
    #[inline(always)]
    fn store(a: int64x2_t) -> [i32; 2] {
        let mut column = [0; 2];
        unsafe { vst1_s32(column.as_mut_ptr(), low_words(a)) };
        column
    }
    #[inline(always)]
    fn add(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        unsafe { vaddq_s64(a, b) }
    }
    #[inline(always)]
    fn sub(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        unsafe { vsubq_s64(a, b) }
    }
    #[inline(always)]
    fn mul32(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        let product;
        unsafe {
            asm!(
                "smull {product:v}.2d, {a:v}.2s, {b:v}.2s",
                product = lateout(vreg) product,
                a = in(vreg) low_words(a),
                b = in(vreg) low_words(b),
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        product
    }
    #[inline(always)]
    fn mul_factor_add(sum: int64x2_t, a: int64x2_t, b: int64x2_t) -> int64x2_t {
        with_product!("smlal", sum, a, b)
    }
    #[inline(always)]
    fn mul_factor_sub(sum: int64x2_t, a: int64x2_t, b: int64x2_t) -> int64x2_t {
        with_product!("smlsl", sum, a, b)
    }
    #[inline(always)]
    fn mul32_unsigned(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        let (a, b) = (low_words(a), low_words(b));
        lanes_of(unsafe { vmull_u32(vreinterpret_u32_s32(a), vreinterpret_u32_s32(b)) })
    }
    #[inline(always)]
    fn and(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        unsafe { vandq_s64(a, b) }
    }
    #[inline(always)]
    fn or(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        unsafe { vorrq_s64(a, b) }
    }
    #[inline(always)]
    fn xor(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        unsafe { veorq_s64(a, b) }
    }
    #[inline(always)]
    fn shl<const S: u32>(a: int64x2_t) -> int64x2_t {
        Self::shl_each(a, Self::splat(i64::from(S)))
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: int64x2_t) -> int64x2_t {
        Self::shr_logical_each(a, Self::splat(i64::from(S)))
    }
    #[inline(always)]
    fn negative(a: int64x2_t) -> int64x2_t {
        lanes_of(unsafe { vcltzq_s64(a) })
    }
    #[inline(always)]
    fn gt(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        lanes_of(unsafe { vcgtq_s64(a, b) })
    }
    #[inline(always)]
    fn equal(a: int64x2_t, b: int64x2_t) -> int64x2_t {
        lanes_of(unsafe { vceqq_s64(a, b) })
    }
    #[inline(always)]
    fn select(mask: int64x2_t, yes: int64x2_t, no: int64x2_t) -> int64x2_t {
        unsafe { vbslq_s64(vreinterpretq_u64_s64(mask), yes, no) }
    }
    #[inline(always)]
    fn any(mask: int64x2_t) -> bool {
        unsafe { vmaxvq_u32(vreinterpretq_u32_s64(mask)) != 0 }
    }
    #[inline(always)]
    fn all(mask: int64x2_t) -> bool {
        unsafe { vminvq_u32(vreinterpretq_u32_s64(mask)) != 0 }
    }
    // A count below 0 shifts right.
    #[inline(always)]
    fn shl_each(a: int64x2_t, counts: int64x2_t) -> int64x2_t {
        unsafe { vshlq_s64(a, counts) }
    }
    #[inline(always)]
    fn shr_each(a: int64x2_t, counts: int64x2_t) -> int64x2_t {
        unsafe { vshlq_s64(a, vnegq_s64(counts)) }
    }
    #[inline(always)]
    fn shr_logical_each(a: int64x2_t, counts: int64x2_t) -> int64x2_t {
        lanes_of(unsafe { vshlq_u64(vreinterpretq_u64_s64(a), vnegq_s64(counts)) })
    }
    #[inline(always)]
    fn hold_upper(a: int64x2_t, most: i32) -> int64x2_t {
        // The lower words are held to all that they can be.
        let least = Self::splat(i64::from(!most) << 32 | 0x8000_0000);
        let most = Self::splat(i64::from(most) << 32 | 0x7fff_ffff);
        unsafe {
            let (least, most) = (vreinterpretq_s32_s64(least), vreinterpretq_s32_s64(most));
            vreinterpretq_s64_s32(vminq_s32(vmaxq_s32(vreinterpretq_s32_s64(a), least), most))
        }
    }
    #[inline(always)]
    fn leading_zeros(a: int64x2_t) -> int64x2_t {
        let [a, b] = Self::to_array(a);
        Self::from_array([i64::from(a.leading_zeros()), i64::from(b.leading_zeros())])
    }
    #[inline(always)]
    fn columns([a, b]: [&[i64; 4]; 2]) -> [int64x2_t; 4] {
        unsafe {
            let (first, second) = (vld1q_s64(a.as_ptr()), vld1q_s64(b.as_ptr()));
            let (third, fourth) = (vld1q_s64(a.as_ptr().add(2)), vld1q_s64(b.as_ptr().add(2)));
            [
                vzip1q_s64(first, second),
                vzip2q_s64(first, second),
                vzip1q_s64(third, fourth),
                vzip2q_s64(third, fourth),
            ]
        }
    }
    #[inline(always)]
    fn rows([x, y, z, w]: [int64x2_t; 4]) -> [[i64; 4]; 2] {
        let mut rows = [[0; 4]; 2];
        unsafe {
            vst1q_s64(rows[0].as_mut_ptr(), vzip1q_s64(x, y));
            vst1q_s64(rows[0].as_mut_ptr().add(2), vzip1q_s64(z, w));
            vst1q_s64(rows[1].as_mut_ptr(), vzip2q_s64(x, y));
            vst1q_s64(rows[1].as_mut_ptr().add(2), vzip2q_s64(z, w));
        }
        rows
    }
    #[inline(always)]
    fn shr<const S: u32>(a: int64x2_t) -> int64x2_t {
        Self::shr_each(a, Self::splat(i64::from(S)))
    }
    #[inline(always)]
    fn shr_round_half_up<const S: u32>(a: int64x2_t) -> int64x2_t {
        // The addition may wrap, unlike that of a shift that rounds.
        Self::shr::<S>(Self::add(a, Self::splat(const { 1 << (S - 1) })))
    }
    #[inline(always)]
    fn abs(a: int64x2_t) -> int64x2_t {
        unsafe { vabsq_s64(a) }
    }
}
