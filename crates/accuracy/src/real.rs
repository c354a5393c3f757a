//! The real functions that are measured: domain, truth, zones, symmetries.
//!
//! A [`Real`] knows nothing of our code. Several implementations may approximate the same one.

use crate::exact::Exact;
use crate::reference::Reference;

/// Raw Q32.32 arguments; a function of one argument ignores the second.
pub(crate) type Arguments = [i64; 2];

/// One, as a raw Q32.32 number.
pub(crate) const ONE: i64 = 1 << 32;

/// A function of one or two real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Real {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    Rsqrt,
    Hypot,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Exp,
    Exp2,
    Ln,
    Log2,
    Pow,
    /// x^n for an integer n; the second argument is n as a Q32.32 number.
    Powi,
}

/// Where large results are judged by their relative error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativeZone {
    /// Results of at least 2^bits in magnitude belong to it.
    pub(crate) bits: i32,
}

/// A rule that holds bit for bit: `f(transform(arguments)) = outcome(f(arguments))`.
pub(crate) struct Symmetry {
    pub(crate) rule: &'static str,
    /// The transformed arguments, where they exist.
    pub(crate) transform: fn(Arguments) -> Option<Arguments>,
    pub(crate) negates: bool,
}

impl Real {
    pub(crate) const ALL: [Self; 20] = [
        Self::Add,
        Self::Sub,
        Self::Mul,
        Self::Div,
        Self::Sqrt,
        Self::Rsqrt,
        Self::Hypot,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Atan2,
        Self::Exp,
        Self::Exp2,
        Self::Ln,
        Self::Log2,
        Self::Pow,
        Self::Powi,
    ];

    /// The name of the method in `isostep-math`, and of the file of vectors.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
            Self::Div => "div",
            Self::Sqrt => "sqrt",
            Self::Rsqrt => "rsqrt",
            Self::Hypot => "hypot",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tan => "tan",
            Self::Asin => "asin",
            Self::Acos => "acos",
            Self::Atan => "atan",
            Self::Atan2 => "atan2",
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Ln => "ln",
            Self::Log2 => "log2",
            Self::Pow => "pow",
            Self::Powi => "powi",
        }
    }

    /// The formula, in the names of the columns of a vector file.
    pub(crate) const fn formula(self) -> &'static str {
        match self {
            Self::Add => "a + b",
            Self::Sub => "a - b",
            Self::Mul => "a * b",
            Self::Div => "a / b",
            Self::Sqrt => "the square root of x",
            Self::Rsqrt => "1 / the square root of x",
            Self::Hypot => "the square root of x^2 + y^2",
            Self::Sin => "sin(x), radians",
            Self::Cos => "cos(x), radians",
            Self::Tan => "tan(x), radians",
            Self::Asin => "asin(x), radians",
            Self::Acos => "acos(x), radians",
            Self::Atan => "atan(x), radians",
            Self::Atan2 => "the angle of the vector (x, y) in (-pi, pi], radians; 0 for the zero vector",
            Self::Exp => "e^x",
            Self::Exp2 => "2^x",
            Self::Ln => "the natural logarithm of x",
            Self::Log2 => "the logarithm of x to base 2",
            Self::Pow => "x^y; 0^0 = 1",
            Self::Powi => "x^n for an integer n; 0^0 = 1",
        }
    }

    /// The names of the arguments, in the order of the method.
    pub(crate) const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Add | Self::Sub | Self::Mul | Self::Div => &["a", "b"],
            Self::Hypot => &["x", "y"],
            Self::Atan2 => &["y", "x"],
            Self::Pow => &["x", "y"],
            Self::Powi => &["x", "n"],
            _ => &["x"],
        }
    }

    pub(crate) const fn arity(self) -> usize {
        self.columns().len()
    }

    /// Where the function is defined and measured.
    pub(crate) const fn domain(self) -> &'static str {
        match self {
            Self::Div => "b ≠ 0",
            Self::Sqrt => "x ≥ 0",
            Self::Rsqrt | Self::Ln | Self::Log2 => "x > 0",
            Self::Asin | Self::Acos => "−1 ≤ x ≤ 1",
            Self::Pow => "x > 0; x = 0 with y ≥ 0; x < 0 with a whole y",
            Self::Powi => "all x and n; x = 0 with n ≥ 0",
            _ => "all",
        }
    }

    /// Whether the arguments lie in the domain.
    pub(crate) const fn contains(self, [x, y]: Arguments) -> bool {
        match self {
            Self::Div => y != 0,
            Self::Sqrt => x >= 0,
            Self::Rsqrt | Self::Ln | Self::Log2 => x > 0,
            Self::Asin | Self::Acos => -ONE <= x && x <= ONE,
            Self::Pow => x > 0 || (x == 0 && y >= 0) || (x < 0 && y & (ONE - 1) == 0),
            Self::Powi => y & (ONE - 1) == 0 && (x != 0 || y >= 0),
            _ => true,
        }
    }

    /// The true value.
    pub(crate) fn value(self, [x, y]: Arguments, reference: &mut Reference) -> Exact {
        match self {
            Self::Add => Reference::add(x, y),
            Self::Sub => Reference::sub(x, y),
            Self::Mul => Reference::mul(x, y),
            Self::Div => Reference::div(x, y),
            Self::Sqrt => Reference::sqrt(x),
            Self::Rsqrt => Reference::rsqrt(x),
            Self::Hypot => Reference::hypot(x, y),
            Self::Sin => reference.sin(x),
            Self::Cos => reference.cos(x),
            Self::Tan => reference.tan(x),
            Self::Asin => reference.asin(x),
            Self::Acos => reference.acos(x),
            Self::Atan => reference.atan(x),
            Self::Atan2 => reference.atan2(x, y),
            Self::Exp => reference.exp(x),
            Self::Exp2 => reference.exp2(x),
            Self::Ln => reference.ln(x),
            Self::Log2 => reference.log2(x),
            Self::Pow | Self::Powi => reference.pow(x, y),
        }
    }

    /// The value rounded to the nearest Q32.32 number, ties away from zero, saturating.
    ///
    /// `tan` is odd to the bit and has true values of any size of both signs, so it saturates at −`MAX`, one
    /// unit short of `MIN`.
    pub(crate) fn nearest(self, truth: Exact) -> i64 {
        let nearest = truth.to_nearest_raw();
        if self == Self::Tan { nearest.max(-i64::MAX) } else { nearest }
    }

    /// What stands for values beyond the range.
    pub(crate) const fn ends(self) -> &'static str {
        match self {
            Self::Tan => "MAX or -MAX, since the function is odd to the bit",
            _ => "the nearer end",
        }
    }

    /// The zone of large results that are judged by their relative error, if the function has one.
    pub(crate) const fn relative_zone(self) -> Option<RelativeZone> {
        match self {
            Self::Tan => Some(RelativeZone { bits: 10 }),
            Self::Exp | Self::Exp2 | Self::Pow => Some(RelativeZone { bits: 20 }),
            _ => None,
        }
    }

    /// The symmetries the function has, which hold bit for bit wherever no result lies at an end of the range.
    pub(crate) const fn symmetries(self) -> &'static [Symmetry] {
        const ODD: Symmetry = Symmetry { rule: "f(−x) = −f(x)", transform: negate_first, negates: true };
        const EVEN: Symmetry = Symmetry { rule: "f(−x) = f(x)", transform: negate_first, negates: false };
        const ODD_SECOND: Symmetry =
            Symmetry { rule: "f(x, −y) = −f(x, y)", transform: negate_second, negates: true };
        const EVEN_SECOND: Symmetry =
            Symmetry { rule: "f(x, −y) = f(x, y)", transform: negate_second, negates: false };
        const ODD_FIRST_OF_TWO: Symmetry =
            Symmetry { rule: "f(−x, y) = −f(x, y)", transform: negate_first, negates: true };
        const EVEN_FIRST_OF_TWO: Symmetry =
            Symmetry { rule: "f(−x, y) = f(x, y)", transform: negate_first, negates: false };
        const BOTH: Symmetry =
            Symmetry { rule: "f(−x, −y) = −f(x, y)", transform: negate_both, negates: true };
        const SWAP: Symmetry = Symmetry { rule: "f(y, x) = f(x, y)", transform: swap, negates: false };
        const ANTISWAP: Symmetry = Symmetry { rule: "f(y, x) = −f(x, y)", transform: swap, negates: true };
        // No angle of −π: the vectors on the negative x axis are left out.
        const REFLECTED: Symmetry =
            Symmetry {
                rule: "f(−y, x) = −f(y, x), y ≠ 0", transform: negate_first_not_zero, negates: true
            };
        match self {
            Self::Add => &[BOTH, SWAP],
            Self::Sub => &[BOTH, ANTISWAP],
            Self::Mul => &[ODD_FIRST_OF_TWO, ODD_SECOND, SWAP],
            Self::Div => &[ODD_FIRST_OF_TWO, ODD_SECOND],
            Self::Hypot => &[EVEN_FIRST_OF_TWO, EVEN_SECOND, SWAP],
            Self::Sin | Self::Tan | Self::Asin | Self::Atan => &[ODD],
            Self::Cos => &[EVEN],
            Self::Atan2 => &[REFLECTED],
            _ => &[],
        }
    }
}

fn negate_first([x, y]: Arguments) -> Option<Arguments> {
    Some([x.checked_neg()?, y])
}

fn negate_first_not_zero([x, y]: Arguments) -> Option<Arguments> {
    if x == 0 { None } else { negate_first([x, y]) }
}

fn negate_second([x, y]: Arguments) -> Option<Arguments> {
    Some([x, y.checked_neg()?])
}

fn negate_both([x, y]: Arguments) -> Option<Arguments> {
    Some([x.checked_neg()?, y.checked_neg()?])
}

fn swap([x, y]: Arguments) -> Option<Arguments> {
    Some([y, x])
}
