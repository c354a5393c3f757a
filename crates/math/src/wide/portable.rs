//! The backend of plain arrays: the reference for the others, and the one for targets without their own.

use super::backend::{Backend, sealed::Sealed};

/// Lanes in plain arrays, in any number, on any CPU.
///
/// LLVM vectorises short kernels of it by itself, and gives up on long ones; that is why the instruction
/// sets that matter have backends of their own.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Sealed for Portable {}

#[inline(always)]
fn map<const N: usize>(a: [i64; N], f: impl Fn(i64) -> i64) -> [i64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = f(a[i]);
    }
    out
}

#[inline(always)]
fn zip<const N: usize>(a: [i64; N], b: [i64; N], f: impl Fn(i64, i64) -> i64) -> [i64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = f(a[i], b[i]);
    }
    out
}

impl<const N: usize> Backend<N> for Portable {
    type Register = [i64; N];

    #[inline(always)]
    fn splat(value: i64) -> [i64; N] {
        [value; N]
    }
    #[inline(always)]
    fn from_array(lanes: [i64; N]) -> [i64; N] {
        lanes
    }
    #[inline(always)]
    fn to_array(a: [i64; N]) -> [i64; N] {
        a
    }
    #[inline(always)]
    fn load(column: &[i32; N]) -> [i64; N] {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = i64::from(column[i]);
        }
        out
    }
    #[inline(always)]
    fn store(a: [i64; N]) -> [i32; N] {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = a[i] as i32;
        }
        out
    }
    #[inline(always)]
    fn add(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, i64::wrapping_add)
    }
    #[inline(always)]
    fn sub(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, i64::wrapping_sub)
    }
    #[inline(always)]
    fn mul32(a: [i64; N], b: [i64; N]) -> [i64; N] {
        // |product| ≤ 2⁶²: the multiplication cannot overflow.
        zip(a, b, |a, b| i64::from(a as i32).wrapping_mul(i64::from(b as i32)))
    }
    #[inline(always)]
    fn mul32_unsigned(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| u64::from(a as u32).wrapping_mul(u64::from(b as u32)) as i64)
    }
    #[inline(always)]
    fn and(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn shl<const S: u32>(a: [i64; N]) -> [i64; N] {
        map(a, |a| a << S)
    }
    #[inline(always)]
    fn shr_logical<const S: u32>(a: [i64; N]) -> [i64; N] {
        map(a, |a| (a as u64 >> S) as i64)
    }
    #[inline(always)]
    fn negative(a: [i64; N]) -> [i64; N] {
        map(a, |a| a >> 63)
    }
    #[inline(always)]
    fn gt(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| -i64::from(a > b))
    }
    #[inline(always)]
    fn equal(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| -i64::from(a == b))
    }
    #[inline(always)]
    fn select(mask: [i64; N], yes: [i64; N], no: [i64; N]) -> [i64; N] {
        let mut out = [0; N];
        for i in 0..N {
            out[i] = (yes[i] & mask[i]) | (no[i] & !mask[i]);
        }
        out
    }
    #[inline(always)]
    fn any(mask: [i64; N]) -> bool {
        let mut bits = 0;
        for lane in mask {
            bits |= lane;
        }
        bits != 0
    }
    #[inline(always)]
    fn all(mask: [i64; N]) -> bool {
        let mut bits = -1;
        for lane in mask {
            bits &= lane;
        }
        bits != 0
    }
    #[inline(always)]
    fn shr<const S: u32>(a: [i64; N]) -> [i64; N] {
        map(a, |a| a >> S)
    }
    #[inline(always)]
    fn shr_round_half_up<const S: u32>(a: [i64; N]) -> [i64; N] {
        map(a, |a| a.wrapping_add(const { 1 << (S - 1) }) >> S)
    }
    #[inline(always)]
    fn min(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(a: [i64; N], b: [i64; N]) -> [i64; N] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn abs(a: [i64; N]) -> [i64; N] {
        map(a, i64::wrapping_abs)
    }
}
