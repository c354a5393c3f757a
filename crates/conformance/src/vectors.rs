//! Correctly rounded results from a high-precision reference, and the comparison with them.
//!
//! The files lie in `fixtures/math/`: comments behind `#`, then a line a vector, the raw bits of arguments and
//! result as 16 hexadecimal digits each. `cargo xtask accuracy --write-vectors` writes them.

use isostep_math::Fx;

/// One function and its vectors.
#[derive(Clone, Copy)]
pub struct Function {
    /// As in the file's name.
    pub name: &'static str,
    text: &'static str,
    evaluate: Evaluate,
    /// Results above 2^this are held to a relative error instead of the last bit.
    relative_above: Option<u32>,
}

/// The relative error, as a power of two, of large results where a function's contract is relative.
const RELATIVE_ERROR_BITS: u32 = 55;

#[derive(Clone, Copy)]
enum Evaluate {
    Unary(fn(Fx) -> Fx),
    Binary(fn(Fx, Fx) -> Fx),
    /// The second argument is a whole number in the format of the others.
    Powi,
}

/// A result that is farther from the reference's than the function's contract allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Line of the file, from 1.
    pub line: usize,
    /// Raw bits of the arguments.
    pub arguments: Vec<i64>,
    /// Raw bits of the reference's result.
    pub expected: i64,
    /// Raw bits of ours.
    pub found: i64,
}

/// What comparing with one file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Vectors compared.
    pub count: usize,
    /// Those that differ.
    pub mismatches: Vec<Mismatch>,
}

macro_rules! relative {
    () => {
        None
    };
    ($bits:literal) => {
        Some($bits)
    };
}

macro_rules! functions {
    ($($name:literal $kind:ident $function:expr $(, relative above 2^$bits:literal)?;)*) => {
        /// Every function with vectors.
        pub const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            text: include_str!(concat!("../../../fixtures/math/", $name, ".txt")),
            evaluate: Evaluate::$kind($function),
            relative_above: relative!($($bits)?),
        },)* Function {
            name: "powi",
            text: include_str!("../../../fixtures/math/powi.txt"),
            evaluate: Evaluate::Powi,
            relative_above: None,
        }];
    };
}

functions! {
    "add" Binary |a, b| a + b;
    "sub" Binary |a, b| a - b;
    "mul" Binary |a, b| a * b;
    "div" Binary |a, b| a / b;
    "sqrt" Unary Fx::sqrt;
    "rsqrt" Unary Fx::rsqrt;
    "hypot" Binary Fx::hypot;
    "sin" Unary Fx::sin;
    "cos" Unary Fx::cos;
    "tan" Unary Fx::tan, relative above 2^10;
    "asin" Unary Fx::asin;
    "acos" Unary Fx::acos;
    "atan" Unary Fx::atan;
    "atan2" Binary Fx::atan2;
    "exp" Unary Fx::exp, relative above 2^20;
    "exp2" Unary Fx::exp2, relative above 2^20;
    "ln" Unary Fx::ln;
    "log2" Unary Fx::log2;
    "pow" Binary Fx::pow, relative above 2^20;
}

impl Function {
    /// Every vector: its line in the file, the raw bits of its arguments, the raw bits of its result.
    ///
    /// # Panics
    /// Where the file is not of its format: it is part of the build.
    pub fn vectors(&self) -> impl Iterator<Item = (usize, Vec<i64>, i64)> {
        self.text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')).map(|(index, line)| {
            let mut columns: Vec<i64> = line
                .split_ascii_whitespace()
                .map(|column| match u64::from_str_radix(column, 16) {
                    Ok(bits) if column.len() == 16 => bits as i64,
                    _ => panic!(
                        "{}.txt line {}: {column:?} is not 16 hexadecimal digits",
                        self.name,
                        index + 1
                    ),
                })
                .collect();
            let result =
                columns.pop().unwrap_or_else(|| panic!("{}.txt line {}: empty", self.name, index + 1));
            (index + 1, columns, result)
        })
    }

    /// Our result for the raw bits of the arguments.
    ///
    /// # Panics
    /// Where their number is not the function's.
    #[must_use]
    pub fn evaluate(&self, arguments: &[i64]) -> i64 {
        match (self.evaluate, arguments) {
            (Evaluate::Unary(f), &[x]) => f(Fx::from_bits(x)).to_bits(),
            (Evaluate::Binary(f), &[a, b]) => f(Fx::from_bits(a), Fx::from_bits(b)).to_bits(),
            (Evaluate::Powi, &[x, n]) => Fx::from_bits(x).powi((n >> 32) as i32).to_bits(),
            _ => panic!("{} does not take {} arguments", self.name, arguments.len()),
        }
    }

    /// Units by which a result may differ: none, but for large results with a relative error, which the
    /// reference's rounding adds one to.
    fn allowed_difference(&self, expected: i64) -> u64 {
        match self.relative_above {
            Some(bits) if expected.unsigned_abs() >> 32 >= 1 << bits => {
                (expected.unsigned_abs() >> RELATIVE_ERROR_BITS) + 1
            }
            _ => 0,
        }
    }

    /// Compares every vector.
    #[must_use]
    pub fn compare(&self) -> Comparison {
        let mut comparison = Comparison::default();
        for (line, arguments, expected) in self.vectors() {
            let found = self.evaluate(&arguments);
            comparison.count += 1;
            if found.abs_diff(expected) > self.allowed_difference(expected) {
                comparison.mismatches.push(Mismatch { line, arguments, expected, found });
            }
        }
        comparison
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_result_is_reported_with_its_line() {
        let text = "# sqrt\n0000000100000000 0000000100000000\n0000000400000000 0000000200000001\n";
        let function =
            Function { name: "sqrt", text, evaluate: Evaluate::Unary(Fx::sqrt), relative_above: None };
        let mismatch =
            Mismatch { line: 3, arguments: vec![4 << 32], expected: (2 << 32) + 1, found: 2 << 32 };
        assert_eq!(function.compare(), Comparison { count: 2, mismatches: vec![mismatch] });
    }
}
