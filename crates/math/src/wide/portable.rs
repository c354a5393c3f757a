//! The backend of plain arrays: the reference for the others, and the one for targets without their own.

use super::backend::{Backend, sealed::Sealed};
use core::hint::black_box;

/// Lanes in plain arrays, on any CPU: 1, 2, 4 or 8.
///
/// LLVM vectorises short kernels of it by itself, and gives up on long ones; that is why the instruction
/// sets that matter have backends of their own.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Sealed for Portable {}

/// So many lanes, with their indices. Each operation is written out for all of them: of a loop in each, compilers would
/// have to unroll thousands in a kernel, and take five times as long for it.
macro_rules! lanes {
    ($count:literal: $($i:literal)*) => {
        impl Backend<$count> for Portable {
            type Register = [i64; $count];

            #[inline(always)]
            fn splat(value: i64) -> [i64; $count] {
                [value; $count]
            }
            #[inline(always)]
            fn from_array(lanes: [i64; $count]) -> [i64; $count] {
                lanes
            }
            #[inline(always)]
            fn to_array(a: [i64; $count]) -> [i64; $count] {
                a
            }
            #[inline(always)]
            fn load(column: &[i32; $count]) -> [i64; $count] {
                [$(i64::from(column[$i])),*]
            }
            #[inline(always)]
            fn store(a: [i64; $count]) -> [i32; $count] {
                [$(a[$i] as i32),*]
            }
            #[inline(always)]
            fn add(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(a[$i].wrapping_add(b[$i])),*]
            }
            #[inline(always)]
            fn sub(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(a[$i].wrapping_sub(b[$i])),*]
            }
            #[inline(always)]
            fn mul32(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                // |product| ≤ 2⁶²: the multiplication cannot overflow.
                [$(i64::from(a[$i] as i32).wrapping_mul(i64::from(b[$i] as i32))),*]
            }
            #[inline(always)]
            fn factor(a: [i64; $count]) -> [i64; $count] {
                [$(i64::from(a[$i] as i32)),*]
            }
            #[inline(always)]
            fn factor_that_fits<const S: u32>(a: [i64; $count]) -> [i64; $count] {
                [$(factor_that_fits(a[$i] >> S)),*]
            }
            #[inline(always)]
            fn mul_factor(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(mul_factor(a[$i], b[$i])),*]
            }
            #[inline(always)]
            fn mul32_unsigned(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(u64::from(a[$i] as u32).wrapping_mul(u64::from(b[$i] as u32)) as i64),*]
            }
            #[inline(always)]
            fn and(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(a[$i] & b[$i]),*]
            }
            #[inline(always)]
            fn or(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(a[$i] | b[$i]),*]
            }
            #[inline(always)]
            fn xor(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(a[$i] ^ b[$i]),*]
            }
            #[inline(always)]
            fn shl<const S: u32>(a: [i64; $count]) -> [i64; $count] {
                [$(a[$i] << S),*]
            }
            #[inline(always)]
            fn shr_logical<const S: u32>(a: [i64; $count]) -> [i64; $count] {
                [$((a[$i] as u64 >> S) as i64),*]
            }
            #[inline(always)]
            fn negative(a: [i64; $count]) -> [i64; $count] {
                [$(a[$i] >> 63),*]
            }
            #[inline(always)]
            fn gt(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(-i64::from(a[$i] > b[$i])),*]
            }
            #[inline(always)]
            fn equal(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(-i64::from(a[$i] == b[$i])),*]
            }
            #[inline(always)]
            fn select(mask: [i64; $count], yes: [i64; $count], no: [i64; $count]) -> [i64; $count] {
                [$((yes[$i] & mask[$i]) | (no[$i] & !mask[$i])),*]
            }
            #[inline(always)]
            fn any(mask: [i64; $count]) -> bool {
                0 $(| mask[$i])* != 0
            }
            #[inline(always)]
            fn all(mask: [i64; $count]) -> bool {
                -1 $(& mask[$i])* != 0
            }
            #[inline(always)]
            fn shl_each(a: [i64; $count], counts: [i64; $count]) -> [i64; $count] {
                [$(a[$i] << (counts[$i] & 63)),*]
            }
            #[inline(always)]
            fn shr_each(a: [i64; $count], counts: [i64; $count]) -> [i64; $count] {
                [$(a[$i] >> (counts[$i] & 63)),*]
            }
            #[inline(always)]
            fn shr_logical_each(a: [i64; $count], counts: [i64; $count]) -> [i64; $count] {
                [$((a[$i] as u64 >> (counts[$i] & 63)) as i64),*]
            }
            #[inline(always)]
            fn leading_zeros(a: [i64; $count]) -> [i64; $count] {
                [$(i64::from(a[$i].leading_zeros())),*]
            }
            #[inline(always)]
            fn columns(rows: [&[i64; 4]; $count]) -> [[i64; $count]; 4] {
                [[$(rows[$i][0]),*], [$(rows[$i][1]),*], [$(rows[$i][2]),*], [$(rows[$i][3]),*]]
            }
            #[inline(always)]
            fn rows(columns: [[i64; $count]; 4]) -> [[i64; 4]; $count] {
                [$([columns[0][$i], columns[1][$i], columns[2][$i], columns[3][$i]]),*]
            }
            #[inline(always)]
            fn shr<const S: u32>(a: [i64; $count]) -> [i64; $count] {
                [$(a[$i] >> S),*]
            }
            #[inline(always)]
            fn shr_round_half_up<const S: u32>(a: [i64; $count]) -> [i64; $count] {
                [$(a[$i].wrapping_add(const { 1 << (S - 1) }) >> S),*]
            }
            #[inline(always)]
            fn hold_upper(a: [i64; $count], most: i32) -> [i64; $count] {
                [$(hold_upper(a[$i], most)),*]
            }
            #[inline(always)]
            fn min(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(if a[$i] < b[$i] { a[$i] } else { b[$i] }),*]
            }
            #[inline(always)]
            fn max(a: [i64; $count], b: [i64; $count]) -> [i64; $count] {
                [$(if a[$i] > b[$i] { a[$i] } else { b[$i] }),*]
            }
            #[inline(always)]
            fn at_most(a: [i64; $count], most: i64) -> [i64; $count] {
                [$(at_most(a[$i], most)),*]
            }
            #[inline(always)]
            fn abs(a: [i64; $count]) -> [i64; $count] {
                [$(a[$i].wrapping_abs()),*]
            }
        }
    };
}

/// Of one lane. Hardly any number is beyond, so what is done to those is behind a branch, which is foretold: compilers that see
/// through it compute it always, some by another branch on the sign, which nobody foretells.
#[inline(always)]
fn hold_upper(a: i64, most: i32) -> i64 {
    let beyond = (i64::from(most) + 1) << 32;
    if a.wrapping_add(beyond) as u64 >= (beyond as u64) << 1 {
        let a = black_box(a);
        let upper = most ^ (a >> 63) as i32;
        return i64::from(upper) << 32 | (a & 0xffff_ffff);
    }
    a
}

/// Of one lane: see [`hold_upper`].
#[inline(always)]
fn at_most(a: i64, most: i64) -> i64 {
    if a > most { black_box(most) } else { a }
}

/// What fits 32 bits has its sign above these.
#[inline(always)]
fn factor_that_fits(a: i64) -> i64 {
    debug_assert_eq!(a, i64::from(a as i32), "a multiplicand is to fit 32 bits");
    a
}

/// A product of a factor, which is extended to 64 bits, and of the low 32 bits of a number. Where registers have 64 bits, nobody
/// extends the factor again; where they have 32, the product is one instruction for who sees that the factor has no more.
#[inline(always)]
fn mul_factor(a: i64, b: i64) -> i64 {
    let a =
        if cfg!(any(target_pointer_width = "64", target_arch = "wasm32")) { a } else { i64::from(a as i32) };
    a.wrapping_mul(i64::from(b as i32))
}

lanes!(1: 0);
lanes!(2: 0 1);
lanes!(4: 0 1 2 3);
lanes!(8: 0 1 2 3 4 5 6 7);
