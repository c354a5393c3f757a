//! A real number, measured in units of the last place of Q32.32.
//!
//! One ulp is 2⁻³². A value is kept as `floor + fraction / 2¹²⁸` ulp, and the last bit of the fraction is
//! sticky: it is set when the real number goes on below it. So zero and one half are only ever stored for
//! values that are exactly representable, or exact ties.

use astro_float::{BigFloat, Sign};

/// One half of an ulp, as a fraction.
pub(crate) const HALF: u128 = 1 << 127;

/// Magnitudes from 2^BEYOND_BITS ulp on are not told apart: they saturate in every function.
const BEYOND_BITS: i64 = 100;

/// The true value of a function: `floor + fraction / 2¹²⁸` ulp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Exact {
    /// The largest integer number of ulp that is not above the value.
    pub(crate) floor: i128,
    /// What remains, in 2⁻¹²⁸ ulp; the last bit is sticky.
    pub(crate) fraction: u128,
}

impl Exact {
    /// A whole number of ulp.
    pub(crate) const fn integer(floor: i128) -> Self {
        Self { floor, fraction: 0 }
    }

    /// A value far above (or below) everything a Q32.32 number holds.
    pub(crate) const fn beyond(negative: bool) -> Self {
        let far = 1_i128 << BEYOND_BITS;
        Self::integer(if negative { -far } else { far })
    }

    /// A value too close to zero for the fraction, on the side the sign says.
    pub(crate) const fn tiny(negative: bool) -> Self {
        if negative { Self { floor: -1, fraction: u128::MAX } } else { Self { floor: 0, fraction: 1 } }
    }

    /// The quotient of two integers, in ulp.
    pub(crate) fn ratio(numerator: i128, denominator: i128) -> Self {
        let magnitude = denominator.unsigned_abs();
        assert!(magnitude != 0 && magnitude < 1 << 64, "the long division needs a 64-bit denominator");
        let numerator = if denominator < 0 { -numerator } else { numerator };
        let floor = numerator.div_euclid(denominator.abs());
        let remainder = numerator.rem_euclid(denominator.abs()).unsigned_abs();
        let high = (remainder << 64) / magnitude;
        let remainder = (remainder << 64) % magnitude;
        let low = (remainder << 64) / magnitude;
        let sticky = u128::from((remainder << 64) % magnitude != 0);
        Self { floor, fraction: (high << 64 | low) | sticky }
    }

    /// A big float that counts ulp.
    ///
    /// # Panics
    /// If the value is not a number: a function was called outside its domain.
    pub(crate) fn from_ulps(value: &BigFloat) -> Self {
        assert!(!value.is_nan(), "the reference left its domain: {:?}", value.err());
        if value.is_inf() {
            return Self::beyond(value.is_inf_neg());
        }
        if value.is_zero() {
            return Self::integer(0);
        }
        let (words, _, sign, exponent, _) = value.as_raw_parts().expect("finite");
        let negative = sign == Sign::Neg;
        let exponent = i64::from(exponent);
        if exponent >= BEYOND_BITS {
            return Self::beyond(negative);
        }
        // The mantissa is 0.m × 2^exponent, most significant word last. Bit j of the mantissa (counted from
        // its lowest) has the weight 2^(exponent − bits + j) ulp.
        let bits = i64::try_from(words.len() * 64).expect("a few words");
        let (mut whole, mut fraction, mut sticky) = (0_u128, 0_u128, false);
        for (index, &word) in words.iter().enumerate() {
            let weight = exponent - bits + i64::try_from(index * 64).expect("a few words");
            let word = u128::from(word);
            whole |= shifted(word, weight).0;
            let (part, lost) = shifted(word, weight + 128);
            fraction |= part;
            sticky |= lost;
        }
        if fraction == 0 && sticky && whole == 0 {
            return Self::tiny(negative);
        }
        fraction |= u128::from(sticky);
        let whole = i128::try_from(whole).expect("below 2¹⁰⁰");
        match (negative, fraction) {
            (false, _) => Self { floor: whole, fraction },
            (true, 0) => Self::integer(-whole),
            (true, _) => Self { floor: -whole - 1, fraction: fraction.wrapping_neg() },
        }
    }

    /// The value rounded to the nearest integer, ties away from zero, before saturation.
    pub(crate) const fn rounded(self) -> i128 {
        if self.fraction > HALF || (self.fraction == HALF && self.floor >= 0) {
            self.floor + 1
        } else {
            self.floor
        }
    }

    /// The value rounded to the nearest Q32.32 number, ties away from zero, saturating.
    pub(crate) fn to_nearest_raw(self) -> i64 {
        i64::try_from(self.rounded()).unwrap_or(if self.floor < 0 { i64::MIN } else { i64::MAX })
    }

    /// Whether the value lies exactly between two neighbouring Q32.32 numbers.
    pub(crate) const fn is_tie(self) -> bool {
        self.fraction == HALF
    }

    /// Whether the value is a Q32.32 number.
    pub(crate) fn is_representable(self) -> bool {
        self.fraction == 0 && i64::try_from(self.floor).is_ok()
    }

    /// Whether rounding to nearest leaves the range of Q32.32.
    pub(crate) fn saturates(self) -> bool {
        i64::try_from(self.rounded()).is_err()
    }

    /// The distance to the next rounding boundary in 2⁻¹²⁸ ulp; zero for a tie.
    pub(crate) const fn distance_to_boundary(self) -> u128 {
        self.fraction.abs_diff(HALF)
    }

    /// `raw` minus the value, in ulp.
    pub(crate) fn error_of(self, raw: i64) -> f64 {
        (i128::from(raw) - self.floor) as f64 - self.fraction as f64 / 2_f64.powi(128)
    }

    /// The value in ulp, rounded to a float.
    pub(crate) fn to_f64(self) -> f64 {
        self.floor as f64 + self.fraction as f64 / 2_f64.powi(128)
    }
}

/// `word × 2^weight` within 0 ..= 2¹²⁸ − 1: bits above are dropped, and whether bits below were lost.
fn shifted(word: u128, weight: i64) -> (u128, bool) {
    match weight {
        128.. => (0, false),
        0..=127 => (word << weight, false),
        -127..=-1 => (word >> -weight, word & ((1 << -weight) - 1) != 0),
        _ => (0, word != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotient_keeps_ties_and_marks_what_goes_on() {
        let tie = Exact::ratio(3, 2);
        assert!(tie.is_tie());
        assert_eq!(tie.to_nearest_raw(), 2);
        let negative_tie = Exact::ratio(-3, 2);
        assert!(negative_tie.is_tie());
        assert_eq!(negative_tie.to_nearest_raw(), -2);
        let third = Exact::ratio(1, 3);
        assert!(!third.is_tie() && third.fraction & 1 == 1);
        assert_eq!(Exact::ratio(-6, 3), Exact::integer(-2));
        assert_eq!(Exact::ratio(1, -2).to_nearest_raw(), -1);
    }

    #[test]
    fn a_big_float_is_split_at_the_point() {
        let value = BigFloat::from_f64(-2.75, 256);
        let exact = Exact::from_ulps(&value);
        assert_eq!(exact, Exact { floor: -3, fraction: 1 << 126 });
        assert_eq!(exact.to_nearest_raw(), -3);
        let mut tiny = BigFloat::from_f64(1.0, 256);
        tiny.set_exponent(-400);
        assert_eq!(Exact::from_ulps(&tiny), Exact::tiny(false));
    }

    #[test]
    fn results_beyond_the_ends_saturate() {
        assert_eq!(Exact::beyond(true).to_nearest_raw(), i64::MIN);
        assert!(Exact::beyond(false).saturates());
        assert!(!Exact { floor: i128::from(i64::MAX), fraction: HALF - 1 }.saturates());
        assert!(Exact { floor: i128::from(i64::MAX), fraction: HALF }.saturates());
    }
}
