//! What is measured: one entry for each implementation of a function in `isostep-math`.
//!
//! To add one, write a line in [`IMPLEMENTATIONS`]; a new mathematical function first needs a variant of
//! [`Real`] with its truth, its domain and its hard arguments.

use std::hint::black_box;

use isostep_math::{Fx, cordic};

use crate::measure::RELATIVE_BOUND;
use crate::real::{Arguments, Real};

/// What is promised of the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The largest error outside the zone of relative error, in ulp.
    pub(crate) ulps: f64,
    /// The largest relative error in that zone, besides the half ulp of the rounding.
    pub(crate) relative: f64,
    /// Whether every result is the nearest number, ties away from zero.
    pub(crate) nearest: bool,
    /// Whether true values that are numbers of the format come out exactly, and all results are ordered as the
    /// true values are.
    pub(crate) strict: bool,
}

/// The operators and roots.
const NEAREST: Target = Target { ulps: 0.5, relative: RELATIVE_BOUND, nearest: true, strict: true };

/// The trigonometric and exponential functions.
const FAITHFUL: Target = Target { ulps: 0.51, relative: RELATIVE_BOUND, nearest: false, strict: true };

/// The CORDIC forms whose values stay small.
const CORDIC: Target = Target { strict: false, ..FAITHFUL };

/// The CORDIC forms whose last bits are lost where the value is large: their mantissas have 61 bits.
const CORDIC_LARGE: Target = Target { ulps: 0.5625, ..CORDIC };

/// The CORDIC tangent is a quotient: near a pole the error of the small cosine grows with the square.
const CORDIC_POLE: Target = Target { relative: 1.0 / (1 << 24) as f64, ..CORDIC_LARGE };

/// One way in which the library computes a function.
pub(crate) struct Implementation {
    /// The path below `isostep_math`, as the tables print it.
    pub(crate) name: &'static str,
    pub(crate) real: Real,
    pub(crate) target: Target,
    /// The results for a slice of arguments; a loop of its own, so that calls are inlined as in a program.
    pub(crate) apply: fn(&[Arguments], &mut [i64]),
}

macro_rules! implementation {
    ($name:literal, $real:ident, $target:ident, |$x:ident| $result:expr) => {
        implementation!($name, $real, $target, |$x, _y| $result)
    };
    ($name:literal, $real:ident, $target:ident, |$x:ident, $y:ident| $result:expr) => {
        Implementation {
            name: $name,
            real: Real::$real,
            target: $target,
            apply: |arguments, results| {
                for (&[x, y], result) in arguments.iter().zip(results) {
                    let ($x, $y) = (Fx::from_bits(x), Fx::from_bits(y));
                    *result = $result.to_bits();
                }
            },
        }
    };
}

/// Everything that is measured, in the order of the tables.
pub(crate) const IMPLEMENTATIONS: &[Implementation] = &[
    implementation!("add", Add, NEAREST, |a, b| (a + b)),
    implementation!("sub", Sub, NEAREST, |a, b| (a - b)),
    implementation!("mul", Mul, NEAREST, |a, b| (a * b)),
    implementation!("div", Div, NEAREST, |a, b| (a / b)),
    implementation!("sqrt", Sqrt, NEAREST, |x| x.sqrt()),
    implementation!("rsqrt", Rsqrt, NEAREST, |x| x.rsqrt()),
    implementation!("hypot", Hypot, NEAREST, |x, y| x.hypot(y)),
    implementation!("sin", Sin, FAITHFUL, |x| x.sin()),
    implementation!("cos", Cos, FAITHFUL, |x| x.cos()),
    // The half that is not looked at is computed nevertheless.
    implementation!("sin_cos (sine)", Sin, FAITHFUL, |x| {
        let (sin, cos) = x.sin_cos();
        black_box(cos);
        sin
    }),
    implementation!("sin_cos (cosine)", Cos, FAITHFUL, |x| {
        let (sin, cos) = x.sin_cos();
        black_box(sin);
        cos
    }),
    implementation!("tan", Tan, FAITHFUL, |x| x.tan()),
    implementation!("asin", Asin, FAITHFUL, |x| x.asin()),
    implementation!("acos", Acos, FAITHFUL, |x| x.acos()),
    implementation!("atan", Atan, FAITHFUL, |x| x.atan()),
    implementation!("atan2", Atan2, FAITHFUL, |y, x| y.atan2(x)),
    implementation!("exp", Exp, FAITHFUL, |x| x.exp()),
    implementation!("exp2", Exp2, FAITHFUL, |x| x.exp2()),
    implementation!("ln", Ln, FAITHFUL, |x| x.ln()),
    implementation!("log2", Log2, FAITHFUL, |x| x.log2()),
    implementation!("pow", Pow, FAITHFUL, |x, y| x.pow(y)),
    implementation!("powi", Powi, FAITHFUL, |x, n| x.powi(n.to_int_trunc())),
    implementation!("cordic::sqrt", Sqrt, CORDIC, |x| cordic::sqrt(x)),
    implementation!("cordic::sin_cos (sine)", Sin, CORDIC, |x| {
        let (sin, cos) = cordic::sin_cos(x);
        black_box(cos);
        sin
    }),
    implementation!("cordic::sin_cos (cosine)", Cos, CORDIC, |x| {
        let (sin, cos) = cordic::sin_cos(x);
        black_box(sin);
        cos
    }),
    implementation!("cordic::tan", Tan, CORDIC_POLE, |x| cordic::tan(x)),
    implementation!("cordic::asin", Asin, CORDIC, |x| cordic::asin(x)),
    implementation!("cordic::acos", Acos, CORDIC, |x| cordic::acos(x)),
    implementation!("cordic::atan", Atan, CORDIC, |x| cordic::atan(x)),
    implementation!("cordic::atan2", Atan2, CORDIC, |y, x| cordic::atan2(y, x)),
    implementation!("cordic::exp", Exp, CORDIC_LARGE, |x| cordic::exp(x)),
    implementation!("cordic::exp2", Exp2, CORDIC_LARGE, |x| cordic::exp2(x)),
    implementation!("cordic::ln", Ln, CORDIC, |x| cordic::ln(x)),
    implementation!("cordic::log2", Log2, CORDIC, |x| cordic::log2(x)),
];
