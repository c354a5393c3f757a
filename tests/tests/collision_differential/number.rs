//! Numbers of the reference: plain doubles to choose candidates, double-doubles to judge.
//!
//! A double-double is an unevaluated sum of two doubles (T. J. Dekker, *A floating-point technique for extending the
//! available precision*, 1971; D. E. Knuth's two-sum). Integers below 2^106 are exact; sums and products are within
//! 2⁻¹⁰⁰ of themselves, quotients and roots within 2⁻⁹⁸.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What the reference computes with.
pub(crate) trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;

    /// The nearest number: exact below 2^106 for a double-double.
    fn of(integer: i128) -> Self;
    /// The number of a double, exact.
    fn real(value: f64) -> Self;
    fn sqrt(self) -> Self;
    fn to_f64(self) -> f64;

    fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// In −1 to 1.
    fn clamp_unit(self) -> Self {
        if self > Self::ONE {
            Self::ONE
        } else if self < -Self::ONE {
            -Self::ONE
        } else {
            self
        }
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn of(integer: i128) -> Self {
        integer as Self
    }

    fn real(value: f64) -> Self {
        value
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// high + low, |low| at most half a unit in the last place of high.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

/// The sum of two doubles, exact.
fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    let part = high - a;
    DoubleDouble { high, low: (a - (high - part)) + (b - part) }
}

/// The same for |a| ≥ |b|.
fn quick_two_sum(a: f64, b: f64) -> DoubleDouble {
    let high = a + b;
    DoubleDouble { high, low: b - (high - a) }
}

/// The product of two doubles, exact.
fn two_product(a: f64, b: f64) -> DoubleDouble {
    let split = |x: f64| {
        let scaled = x * 134_217_729.0;
        let high = scaled - (scaled - x);
        (high, x - high)
    };
    let high = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    DoubleDouble { high, low: ((a1 * b1 - high) + a1 * b0 + a0 * b1) + a0 * b0 }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        let (high, low) = (two_sum(self.high, rhs.high), two_sum(self.low, rhs.low));
        let sum = quick_two_sum(high.high, high.low + low.high);
        quick_two_sum(sum.high, sum.low + low.low)
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        self + -rhs
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        let product = two_product(self.high, rhs.high);
        quick_two_sum(product.high, product.low + (self.high * rhs.low + self.low * rhs.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, rhs: Self) -> Self {
        let first = self.high / rhs.high;
        let rest = self - rhs * Self::real(first);
        let second = rest.high / rhs.high;
        let rest = rest - rhs * Self::real(second);
        quick_two_sum(first, second) + Self::real(rest.high / rhs.high)
    }
}

impl Number for DoubleDouble {
    const ZERO: Self = Self { high: 0.0, low: 0.0 };
    const ONE: Self = Self { high: 1.0, low: 0.0 };

    fn of(integer: i128) -> Self {
        let high = integer as f64;
        quick_two_sum(high, (integer - high as i128) as f64)
    }

    fn real(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        let root = Self::real(self.high.sqrt());
        let root = root + (self - root * root) / (root + root);
        root + (self - root * root) / (root + root)
    }

    fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

/// A vector of the reference.
pub(crate) type Vector<N> = [N; 3];

pub(crate) fn dot<N: Number>(a: Vector<N>, b: Vector<N>) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross<N: Number>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + b s.
pub(crate) fn along<N: Number>(a: Vector<N>, b: Vector<N>, s: N) -> Vector<N> {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

pub(crate) fn minus<N: Number>(a: Vector<N>, b: Vector<N>) -> Vector<N> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn length<N: Number>(v: Vector<N>) -> N {
    dot(v, v).sqrt()
}
