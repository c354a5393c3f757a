//! Determinant and inverse from exact cofactors.
//!
//! The adjugate of a 3 × 3 matrix has 2 × 2 determinants of words as entries, and those fit `i128` exactly: a
//! difference of two products is below 2^127 − 2^62. The determinant is a sum of three triple products. It is
//! formed modulo 2^192, where it fits: as a function of each entry it is linear, so its extremes are at
//! corners of the range, and there it is 4 · 2^189 at the most.
//!
//! An entry of the inverse is cofactor / determinant: both are cut to their leading 64 bits, the determinant is
//! inverted once to 64 bits, and each entry is one product and one rounding.

use crate::exact::{div_rem_wide, product};
use crate::vector::sums::{Wide, cross_q64};

/// The adjugate by rows, Q.64, exact: the rows are the cross products of the columns.
#[inline(always)]
pub(crate) const fn adjugate(columns: [[i64; 3]; 3]) -> [[i128; 3]; 3] {
    let [a, b, c] = columns;
    [cross_q64(b, c), cross_q64(c, a), cross_q64(a, b)]
}

/// The determinant in Q.96, exact, from the first column and the first row of the adjugate.
#[inline(always)]
pub(crate) const fn determinant(first_column: [i64; 3], first_row: [i128; 3]) -> Wide {
    Wide::product(first_row[0], first_column[0])
        .wrapping_add(Wide::product(first_row[1], first_column[1]))
        .wrapping_add(Wide::product(first_row[2], first_column[2]))
}

/// 1/determinant, ready to multiply cofactors.
#[derive(Clone, Copy)]
pub(crate) struct Reciprocal {
    negative: bool,
    /// 2^127 / the leading 64 bits of the determinant, in [2^63, 2^64).
    mantissa: u64,
    /// A cofactor of leading bits m · 2^e gives m · mantissa · 2^(e − `drop`) as raw bits.
    drop: i32,
}

impl Reciprocal {
    /// `None` for zero.
    ///
    /// The cofactors have 32 fraction bits less than the determinant.
    #[inline(always)]
    pub(crate) const fn new(determinant: Wide) -> Option<Self> {
        let (leading, exponent) = determinant.leading();
        if leading == 0 {
            return None;
        }
        // The quotient for 2^63 itself would be 2^64.
        let mantissa = if leading == 1 << 63 { u64::MAX } else { div_rem_wide(1 << 63, 0, leading).0 };
        // Raw bits are cofactor · 2^64 / determinant, 1/determinant is mantissa / 2^(127 + exponent).
        Some(Self { negative: determinant.is_negative(), mantissa, drop: 63 + exponent })
    }

    /// The entry of the inverse, within 0.5 units of 2⁻³² + 2⁻⁶⁰ of its value, saturating.
    #[inline(always)]
    pub(crate) const fn entry(self, cofactor: i128) -> i64 {
        let magnitude = cofactor.unsigned_abs();
        if magnitude == 0 {
            return 0;
        }
        let shift = magnitude.leading_zeros();
        let leading = ((magnitude << shift) >> 64) as u64;
        // leading · 2^(64 − shift) is the cofactor; the product is in [2^126, 2^128).
        let quotient = leading as u128 * self.mantissa as u128;
        let drop = self.drop - 64 + shift as i32;
        let raw = if drop > 128 {
            0
        } else if drop < 64 {
            u64::MAX
        } else {
            let half = (quotient >> (drop - 1)) & 1;
            let whole = if drop == 128 { 0 } else { quotient >> drop } + half;
            if whole > u64::MAX as u128 { u64::MAX } else { whole as u64 }
        };
        if (cofactor < 0) != self.negative {
            if raw >= 1 << 63 { i64::MIN } else { -(raw as i64) }
        } else if raw >= 1 << 63 {
            i64::MAX
        } else {
            raw as i64
        }
    }
}

/// The determinant of a 2 × 2 matrix by columns in Q.64, exact.
#[inline(always)]
pub(crate) const fn determinant2(columns: [[i64; 2]; 2]) -> i128 {
    product(columns[0][0], columns[1][1]) - product(columns[1][0], columns[0][1])
}
