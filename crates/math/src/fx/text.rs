//! Decimal text: exact, free of locale, the same on every machine.

use super::Fx;
use core::fmt;
use core::str::FromStr;

/// Why a text is no [`Fx`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseFxError {
    /// There is no digit in the text.
    #[error("no digits: a decimal number like -12.5 is wanted")]
    NoDigits,
    /// A character that does not belong there.
    #[error(
        "byte {at} of the text, 0x{byte:02x}, does not belong there: \
         a decimal number is an optional sign, digits and an optional point"
    )]
    UnexpectedByte {
        /// Offset from the start, in bytes.
        at: usize,
        /// What stands there.
        byte: u8,
    },
    /// The nearest multiple of 2⁻³² lies outside −2³¹ ..= 2³¹ − 2⁻³².
    #[error("out of range: the number must lie within -2147483648 and 2147483647.99999999976")]
    OutOfRange,
}

/// Fraction digits that decide the rounding: halves of a unit, odd multiples of 2⁻³³, have 33.
const DECIDING_DIGITS: usize = 33;
/// 5³³: a fraction of 33 digits, divided by it, is the fraction in units of 2⁻³³.
const FIVE_POW_33: u128 = 5_u128.pow(33);

/// Value of a decimal text: optional sign, digits on at least one side of an optional point, and where `literal` underscores
/// anywhere after the first of them, as Rust's own literals have them.
///
/// To nearest, ties away from zero. Used at run time by [`FromStr`] and at compile time by [`fx!`](crate::fx).
const fn parse(text: &[u8], literal: bool) -> Result<Fx, ParseFxError> {
    let (negative, mut at) = match text {
        [b'-', ..] => (true, 1),
        [b'+', ..] => (false, 1),
        _ => (false, 0),
    };
    // Token printing may put a space between the sign and the number.
    while literal && at < text.len() && at > 0 && text[at] == b' ' {
        at += 1;
    }
    let mut whole = 0_u64;
    let mut fraction = 0_u128;
    let mut fraction_digits = 0_usize;
    let mut digits = 0_usize;
    let mut point = false;
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                let digit = byte - b'0';
                if !point {
                    // Capped far above the range: a longer text must not wrap around into it.
                    whole = whole * 10 + digit as u64;
                    if whole > 1 << 40 {
                        whole = 1 << 40;
                    }
                } else if fraction_digits < DECIDING_DIGITS {
                    fraction = fraction * 10 + digit as u128;
                    fraction_digits += 1;
                }
            }
            b'.' if !point => point = true,
            b'_' if literal && digits > 0 => {}
            _ => return Err(ParseFxError::UnexpectedByte { at, byte }),
        }
        at += 1;
    }
    if digits == 0 {
        return Err(ParseFxError::NoDigits);
    }
    while fraction_digits < DECIDING_DIGITS {
        fraction *= 10;
        fraction_digits += 1;
    }
    // ⌊fraction · 2^33⌋ decides alone: an odd one is a half or more, and halves go up.
    let half_units = (fraction / FIVE_POW_33) as u64;
    let magnitude = ((whole as u128) << 32) + ((half_units >> 1) + (half_units & 1)) as u128;
    if magnitude > (1 << 63) - !negative as u128 {
        return Err(ParseFxError::OutOfRange);
    }
    let bits = magnitude as u64 as i64;
    Ok(Fx(if negative { bits.wrapping_neg() } else { bits }))
}

impl Fx {
    /// What [`fx!`](crate::fx) expands to; a text that is no number is a compile error there.
    ///
    /// # Panics
    /// Where the text is no number in range.
    #[doc(hidden)]
    #[must_use]
    #[track_caller]
    pub const fn from_literal(text: &str) -> Self {
        match parse(text.as_bytes(), true) {
            Ok(value) => value,
            Err(ParseFxError::NoDigits) => panic!("fx!: a decimal number like -12.5 is wanted"),
            Err(ParseFxError::UnexpectedByte { .. }) => {
                panic!("fx!: only a sign, digits, underscores and a point make a decimal number")
            }
            Err(ParseFxError::OutOfRange) => {
                panic!("fx!: the number must lie within -2147483648 and 2147483647.99999999976")
            }
        }
    }

    /// The number of a decimal text, to nearest, ties away from zero; the same as [`FromStr`], but `const`.
    ///
    /// # Errors
    /// [`ParseFxError`] names the byte that does not belong, or says that the number is out of range.
    pub const fn parse(text: &str) -> Result<Self, ParseFxError> {
        parse(text.as_bytes(), false)
    }
}

impl FromStr for Fx {
    type Err = ParseFxError;

    /// Decimal text: an optional sign, digits, an optional point; digits on at least one side of it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text)
    }
}

/// A compile-time constant from a decimal literal, to nearest, ties away from zero; never a float.
///
/// ```
/// use isostep_math::{Fx, fx};
/// const FRICTION: Fx = fx!(0.6);
/// assert_eq!(FRICTION.to_bits(), 2_576_980_378);
/// assert_eq!(fx!(-0.1).to_string(), "-0.1");
/// assert_eq!(fx!(1_000), Fx::from_int(1000));
/// ```
/// What is no number in range does not compile:
/// ```compile_fail
/// let too_large = isostep_math::fx!(2147483648);
/// ```
/// ```compile_fail
/// let exponent = isostep_math::fx!(1e3);
/// ```
/// ```compile_fail
/// let hexadecimal = isostep_math::fx!(0x10);
/// ```
/// ```compile_fail
/// let text = isostep_math::fx!("1");
/// ```
/// ```compile_fail
/// let (a, b) = (1, 2);
/// let expression = isostep_math::fx!(a + b);
/// ```
#[macro_export]
macro_rules! fx {
    (- $number:literal) => {
        const { $crate::Fx::from_literal(concat!("-", stringify!($number))) }
    };
    ($number:literal) => {
        const { $crate::Fx::from_literal(stringify!($number)) }
    };
}

/// Powers of ten up to the ten fraction digits that always suffice.
const POW10: [u64; 11] = {
    let mut powers = [1_u64; 11];
    let mut n = 1;
    while n < powers.len() {
        powers[n] = powers[n - 1] * 10;
        n += 1;
    }
    powers
};

/// The fewest fraction digits `n`, and the whole part and fraction in units of 10⁻ⁿ, that parse back to the
/// magnitude.
///
/// The decimal nearest to the number parses back to it if any of that length does: what does fills an
/// interval of one unit around it. Ten digits always do, since 10⁻¹⁰ < 2⁻³².
fn shortest(magnitude: u64) -> (u64, u64, usize) {
    let (whole, fraction) = (magnitude >> 32, magnitude & 0xFFFF_FFFF);
    for (digits, &scale) in POW10.iter().enumerate() {
        let scaled = u128::from(fraction) * u128::from(scale);
        let decimal = ((scaled + (1 << 31)) >> 32) as u64;
        // Back: the nearest multiple of 2⁻³², ties up, as `parse` does.
        let back = (((u128::from(decimal)) << 33) / u128::from(scale)).div_ceil(2) as u64;
        if back == fraction {
            return (whole + decimal / scale, decimal % scale, digits);
        }
    }
    unreachable!("ten fraction digits separate all multiples of 2^-32")
}

impl fmt::Display for Fx {
    /// The shortest decimal text that parses back to the same bits; with a precision (`{:.3}`), that many
    /// fraction digits, to nearest, ties away from zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.0.unsigned_abs();
        let mut buffer = Decimal::default();
        match f.precision() {
            None => {
                let (whole, fraction, digits) = shortest(magnitude);
                buffer.push(whole, fraction, digits);
            }
            Some(precision) => {
                // A unit has 32 fraction digits; what is asked beyond them is zeros.
                let digits = precision.min(32);
                let scale = 10_u128.pow(digits as u32);
                // fraction · 10^n / 2^32 = fraction · 5^n / 2^(32 − n): at most 32 + 75 bits.
                let scaled = u128::from(magnitude & 0xFFFF_FFFF) * 5_u128.pow(digits as u32);
                let drop = 32 - digits as u32;
                let decimal = if drop == 0 { scaled } else { (scaled + (1 << (drop - 1))) >> drop };
                buffer.push_wide((magnitude >> 32) + u64::from(decimal >= scale), decimal % scale, digits);
                // A negative number that rounds to zero keeps its sign, as floats do.
                for _ in digits..precision.min(MAX_PRECISION) {
                    buffer.byte(b'0');
                }
            }
        }
        f.pad_integral(self.0 >= 0, "", buffer.as_str())
    }
}

/// Fraction digits that `{:.n}` prints at the most; a unit of 2⁻³² has 32.
const MAX_PRECISION: usize = 64;

/// Text of a magnitude, on the stack.
struct Decimal {
    bytes: [u8; 80],
    length: usize,
}

impl Default for Decimal {
    fn default() -> Self {
        Self { bytes: [0; 80], length: 0 }
    }
}

impl Decimal {
    fn byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    fn push(&mut self, whole: u64, fraction: u64, digits: usize) {
        self.push_wide(whole, u128::from(fraction), digits);
    }

    /// `whole`, a point where `digits > 0`, and `fraction` with leading zeros to `digits` digits.
    fn push_wide(&mut self, whole: u64, fraction: u128, digits: usize) {
        self.digits(u128::from(whole), 1);
        if digits > 0 {
            self.byte(b'.');
            self.digits(fraction, digits);
        }
    }

    fn digits(&mut self, mut value: u128, at_least: usize) {
        let start = self.length;
        while value != 0 || self.length - start < at_least {
            self.byte(b'0' + (value % 10) as u8);
            value /= 10;
        }
        self.bytes[start..self.length].reverse();
    }

    fn as_str(&self) -> &str {
        // Only ASCII digits and the point were pushed.
        core::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl fmt::Debug for Fx {
    /// As [`Display`](fmt::Display): the text identifies the bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn text_rounds_to_nearest() {
        assert_eq!("0.1".parse(), Ok(Fx(429_496_730)));
        assert_eq!("-0.1".parse(), Ok(Fx(-429_496_730)));
        assert_eq!("+3".parse(), Ok(fx!(3)));
        assert_eq!(".5".parse(), Ok(Fx::HALF));
        assert_eq!("5.".parse(), Ok(fx!(5)));
        // 2^-33, a tie, and one digit in the 33rd place below it.
        assert_eq!("0.000000000116415321826934814453125".parse(), Ok(Fx(1)));
        assert_eq!("-0.000000000116415321826934814453125".parse(), Ok(Fx(-1)));
        assert_eq!("0.000000000116415321826934814453124999999999".parse(), Ok(Fx(0)));
    }

    #[test]
    fn the_ends_of_the_range_parse_and_what_lies_beyond_does_not() {
        assert_eq!("-2147483648".parse(), Ok(Fx::MIN));
        assert_eq!("2147483647.9999999998".parse(), Ok(Fx::MAX));
        assert_eq!("2147483648".parse::<Fx>(), Err(ParseFxError::OutOfRange));
        assert_eq!("2147483647.99999999999".parse::<Fx>(), Err(ParseFxError::OutOfRange));
        assert_eq!("-2147483648.1".parse::<Fx>(), Err(ParseFxError::OutOfRange));
        assert_eq!("99999999999999999999999999999".parse::<Fx>(), Err(ParseFxError::OutOfRange));
    }

    #[test]
    fn what_is_no_number_is_named() {
        assert_eq!("".parse::<Fx>(), Err(ParseFxError::NoDigits));
        assert_eq!("-".parse::<Fx>(), Err(ParseFxError::NoDigits));
        assert_eq!(".".parse::<Fx>(), Err(ParseFxError::NoDigits));
        assert_eq!("1,5".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 1, byte: b',' }));
        assert_eq!("1.5.2".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 3, byte: b'.' }));
        assert_eq!("1e5".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 1, byte: b'e' }));
        assert_eq!("1_0".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 1, byte: b'_' }));
        assert_eq!("- 1".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 1, byte: b' ' }));
        assert_eq!("nan".parse::<Fx>(), Err(ParseFxError::UnexpectedByte { at: 0, byte: b'n' }));
        assert_eq!(
            "1,5".parse::<Fx>().unwrap_err().to_string(),
            "byte 1 of the text, 0x2c, does not belong there: \
             a decimal number is an optional sign, digits and an optional point"
        );
    }

    #[test]
    fn the_shortest_text_that_parses_back_is_printed() {
        for (text, bits) in [
            ("0", 0),
            ("0.0000000002", 1),
            ("-0.0000000002", -1),
            ("0.6", 2_576_980_378),
            ("-2147483648", i64::MIN),
            ("2147483647.9999999998", i64::MAX),
            ("0.9999999998", 0xFFFF_FFFF),
            ("0.3333333333", 0x5555_5555),
        ] {
            assert_eq!(Fx(bits).to_string(), text);
            assert_eq!(text.parse(), Ok(Fx(bits)));
        }
    }

    #[test]
    fn format_options_are_honoured() {
        assert_eq!(format!("{:.2}", fx!(-1.006)), "-1.01");
        assert_eq!(format!("{:.0}", fx!(2.5)), "3");
        assert_eq!(format!("{:.3}", fx!(0.9999)), "1.000");
        assert_eq!(format!("{:>8.1}|{:+}|{:08.2}", fx!(1.25), fx!(2), fx!(-1.5)), "     1.3|+2|-0001.50");
        assert_eq!(format!("{:.33}", Fx::EPSILON), "0.000000000232830643653869628906250");
        assert_eq!(format!("{:.70}", Fx::MIN).len(), "-2147483648.".len() + MAX_PRECISION);
        assert_eq!(format!("{:?}", fx!(0.25)), "0.25");
    }
}
