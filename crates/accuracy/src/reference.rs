//! The true values: `astro-float` at 256 bits and more, and plain integers where they are exact.
//!
//! Everything is a function of raw Q32.32 arguments and gives an [`Exact`], whose error is below 2⁻¹²⁰ ulp.
//! The four operations are integer arithmetic. Values that are representable or ties exactly (powers of two in
//! `exp2` and `log2`, roots and integer powers in `pow`) are found by integer arithmetic as well, because no
//! precision can tell them from their neighbourhood.

use astro_float::{BigFloat, Consts, RoundingMode};

use crate::exact::Exact;

/// Bits of an intermediate value. The largest result has 63 bits above one ulp, so 128 bits and more remain
/// below it; the further ones pay for cancellation and for the exponent of `pow`.
const PRECISION: usize = 320;
const ROUND: RoundingMode = RoundingMode::ToEven;

/// The cache of constants that `astro-float` wants to be handed along; one for each thread.
pub(crate) struct Reference {
    constants: Consts,
    ln_2: BigFloat,
    pi: BigFloat,
}

impl Reference {
    pub(crate) fn new() -> Self {
        let mut constants = Consts::new().expect("memory for a few constants");
        let ln_2 = constants.ln_2(PRECISION, ROUND);
        let pi = constants.pi(PRECISION, ROUND);
        Self { constants, ln_2, pi }
    }

    pub(crate) fn add(a: i64, b: i64) -> Exact {
        Exact::integer(i128::from(a) + i128::from(b))
    }

    pub(crate) fn sub(a: i64, b: i64) -> Exact {
        Exact::integer(i128::from(a) - i128::from(b))
    }

    pub(crate) fn mul(a: i64, b: i64) -> Exact {
        Exact::ratio(i128::from(a) * i128::from(b), 1 << 32)
    }

    pub(crate) fn div(a: i64, b: i64) -> Exact {
        Exact::ratio(i128::from(a) << 32, i128::from(b))
    }

    pub(crate) fn sqrt(x: i64) -> Exact {
        to_exact(number(x).sqrt(PRECISION, ROUND))
    }

    pub(crate) fn rsqrt(x: i64) -> Exact {
        to_exact(number(x).sqrt(PRECISION, ROUND).reciprocal(PRECISION, ROUND))
    }

    pub(crate) fn hypot(x: i64, y: i64) -> Exact {
        // The squares of raw numbers are counted in ulp², so their root is counted in ulp.
        let squares = u128::from(x.unsigned_abs()).pow(2) + u128::from(y.unsigned_abs()).pow(2);
        Exact::from_ulps(&BigFloat::from_u128(squares, PRECISION).sqrt(PRECISION, ROUND))
    }

    pub(crate) fn sin(&mut self, x: i64) -> Exact {
        to_exact(number(x).sin(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn cos(&mut self, x: i64) -> Exact {
        to_exact(number(x).cos(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn tan(&mut self, x: i64) -> Exact {
        to_exact(number(x).tan(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn asin(&mut self, x: i64) -> Exact {
        to_exact(number(x).asin(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn acos(&mut self, x: i64) -> Exact {
        to_exact(number(x).acos(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn atan(&mut self, x: i64) -> Exact {
        to_exact(number(x).atan(PRECISION, ROUND, &mut self.constants))
    }

    /// The angle of the vector (`x`, `y`) in (−π, π]; zero for the zero vector.
    pub(crate) fn atan2(&mut self, y: i64, x: i64) -> Exact {
        let acute = |this: &mut Self, numerator: i64, denominator: i64| {
            number(numerator).div(&number(denominator), PRECISION, ROUND).atan(
                PRECISION,
                ROUND,
                &mut this.constants,
            )
        };
        let angle = match (y, x) {
            (0, 0..) => return Exact::integer(0),
            (0, _) => self.pi.clone(),
            // |y| ≥ |x|: ±π/2 − atan(x / y), which has no pole.
            _ if y.unsigned_abs() >= x.unsigned_abs() => {
                let mut quarter = self.pi.clone();
                quarter.set_exponent(quarter.exponent().expect("finite") - 1);
                let quarter = if y < 0 { quarter.neg() } else { quarter };
                if x == 0 { quarter } else { quarter.sub(&acute(self, x, y), PRECISION, ROUND) }
            }
            (_, 1..) => acute(self, y, x),
            (_, _) => {
                let turn = if y < 0 { self.pi.neg() } else { self.pi.clone() };
                turn.add(&acute(self, y, x), PRECISION, ROUND)
            }
        };
        to_exact(angle)
    }

    pub(crate) fn exp(&mut self, x: i64) -> Exact {
        match extreme_exponent(x) {
            Some(extreme) => extreme,
            None => to_exact(number(x).exp(PRECISION, ROUND, &mut self.constants)),
        }
    }

    /// 2^x as 2^⌊x⌋ · exp(ln 2 · (x − ⌊x⌋)), so that integers stay exact.
    pub(crate) fn exp2(&mut self, x: i64) -> Exact {
        if let Some(extreme) = extreme_exponent(x) {
            return extreme;
        }
        let whole = i32::try_from(x >> 32).expect("a shifted 64-bit number");
        let rest = number(x & 0xFFFF_FFFF).mul(&self.ln_2, PRECISION, ROUND);
        let mut power = rest.exp(PRECISION, ROUND, &mut self.constants);
        power.set_exponent(power.exponent().expect("finite") + whole);
        to_exact(power)
    }

    pub(crate) fn ln(&mut self, x: i64) -> Exact {
        to_exact(number(x).ln(PRECISION, ROUND, &mut self.constants))
    }

    pub(crate) fn log2(&mut self, x: i64) -> Exact {
        if x.count_ones() == 1 && x > 0 {
            return Exact::integer((i128::from(x.trailing_zeros()) - 32) << 32);
        }
        to_exact(number(x).ln(PRECISION, ROUND, &mut self.constants).div(&self.ln_2, PRECISION, ROUND))
    }

    /// x^y for x > 0, for x = 0 with y ≥ 0, and for x < 0 with an integer y.
    pub(crate) fn pow(&mut self, x: i64, y: i64) -> Exact {
        if y == 0 {
            return Exact::integer(1 << 32);
        }
        if x == 0 {
            assert!(y > 0, "zero to a negative power");
            return Exact::integer(0);
        }
        assert!(x > 0 || y & 0xFFFF_FFFF == 0, "a negative number to a fractional power");
        let negative = x < 0 && (y >> 32) & 1 == 1;
        let base = BigFloat::from_u64(x.unsigned_abs(), PRECISION);
        let base = scaled(base, -32);
        let exponent = base.ln(PRECISION, ROUND, &mut self.constants).mul(&number(y), PRECISION, ROUND);
        let limit = BigFloat::from_i32(128, PRECISION);
        if exponent.abs_cmp(&limit).expect("finite") > 0 {
            return if exponent.is_positive() { Exact::beyond(negative) } else { Exact::tiny(negative) };
        }
        let power = exact_power(x, y).unwrap_or_else(|| exponent.exp(PRECISION, ROUND, &mut self.constants));
        to_exact(if negative { power.neg() } else { power })
    }
}

/// A raw Q32.32 number as a big float.
fn number(raw: i64) -> BigFloat {
    scaled(BigFloat::from_i64(raw, PRECISION), -32)
}

/// A big float counted in ulp of Q32.32.
fn to_exact(value: BigFloat) -> Exact {
    Exact::from_ulps(&scaled(value, 32))
}

/// `value × 2^shift`.
fn scaled(mut value: BigFloat, shift: i32) -> BigFloat {
    if let (Some(exponent), false) = (value.exponent(), value.is_zero()) {
        value.set_exponent(exponent + shift);
    }
    value
}

/// What `exp` and `exp2` give for exponents beyond ±128, where no digit is of interest.
fn extreme_exponent(x: i64) -> Option<Exact> {
    match x >> 32 {
        128.. => Some(Exact::beyond(false)),
        ..-128 => Some(Exact::tiny(false)),
        _ => None,
    }
}

/// |x|^y when it is a rational number, which it is for integers y, and for y = j/2ᵏ if |x| is a 2ᵏ-th power.
///
/// With |x| = odd · 2^e the odd part of an exact result has at most 64 bits, so the repeated products are exact
/// wherever the result is a Q32.32 number or a tie; elsewhere they carry a relative error of 2⁻³¹².
fn exact_power(x: i64, y: i64) -> Option<BigFloat> {
    let magnitude = x.unsigned_abs();
    let mut odd = magnitude >> magnitude.trailing_zeros();
    let mut shift = i64::from(magnitude.trailing_zeros()) - 32;
    let mut y = i128::from(y);
    while y & 0xFFFF_FFFF != 0 {
        let root = odd.isqrt();
        if root * root != odd || shift & 1 != 0 {
            return None;
        }
        (odd, shift, y) = (root, shift / 2, y * 2);
    }
    let y = y >> 32;
    let result_shift = i128::from(shift) * y;
    let power = if odd == 1 {
        BigFloat::from_u8(1, PRECISION)
    } else {
        // |y · log2 x| ≤ 185 here, and an odd part of 3 and more that is within reach of 1 needs y ≤ 2³⁸: the
        // products stop being exact long before, so larger exponents go through the logarithm.
        let count = usize::try_from(y.unsigned_abs()).ok().filter(|&count| count <= 1 << 12)?;
        let power = BigFloat::from_u64(odd, PRECISION).powi(count, PRECISION, ROUND);
        if y < 0 { power.reciprocal(PRECISION, ROUND) } else { power }
    };
    let Ok(result_shift) = i32::try_from(result_shift) else { return None };
    Some(scaled(power, result_shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: i64 = 1 << 32;

    #[test]
    fn rational_results_are_exact() {
        let mut reference = Reference::new();
        assert_eq!(reference.pow(9 * ONE, ONE / 2), Exact::integer(3 << 32));
        assert_eq!(reference.pow(-2 * ONE, 3 * ONE), Exact::integer(-8 << 32));
        assert_eq!(reference.pow(2 * ONE, -ONE), Exact::integer(1 << 31));
        assert!(reference.pow(ONE + ONE / 2, 33 * ONE).is_tie());
        assert!(reference.exp2(-33 * ONE).is_tie());
        assert_eq!(reference.exp2(-32 * ONE), Exact::integer(1));
        assert_eq!(reference.log2(1), Exact::integer(-32 << 32));
        assert_eq!(Reference::sqrt(2 * ONE * 2), Exact::integer(2 << 32));
        assert_eq!(Reference::rsqrt(4 * ONE), Exact::integer(1 << 31));
        assert_eq!(Reference::hypot(3 * ONE, -4 * ONE), Exact::integer(5 << 32));
    }

    #[test]
    fn known_constants_come_out() {
        let mut reference = Reference::new();
        let pi = reference.atan2(0, -1);
        // π · 2³² = 13493037704.52…
        assert_eq!(pi.floor, 13_493_037_704);
        assert_eq!(reference.exp(ONE).floor, 11_674_931_554);
        assert_eq!(reference.ln(2 * ONE).floor, 2_977_044_471);
        assert_eq!(reference.sin(0), Exact::integer(0));
        assert_eq!(reference.cos(0), Exact::integer(1 << 32));
        assert_eq!(reference.acos(ONE), Exact::integer(0));
    }
}
