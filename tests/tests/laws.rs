//! The laws of determinism that the numbers themselves must obey. Law 1 has a test of its own, `no_float`;
//! the golden digest, run in every profile and on every target, stands for law 2.

use isostep_math::random::Rng;
use isostep_math::{Fx, cordic};

/// Seeded numbers of all magnitudes; one of them in four has few bits, where ties are.
fn numbers(seed: u64, count: usize) -> Vec<Fx> {
    let mut rng = Rng::new(seed, 0);
    (0..count)
        .map(|_| {
            let bits = rng.next_u64() as i64;
            let number = bits >> rng.below(62);
            Fx::from_bits(if rng.below(4) == 0 { number & (-1 << 28) } else { number })
        })
        .collect()
}

/// Whether `mirrored` is `-original`, or both lie at the ends of the range.
fn is_negation(mirrored: Fx, original: Fx) -> bool {
    mirrored == -original || (original == Fx::MAX && mirrored == Fx::MIN)
}

#[test]
fn law_6_arithmetic_is_symmetric_under_negation() {
    for pair in numbers(6, 200_000).chunks_exact(2) {
        let (a, b) = (pair[0], pair[1]);
        // A zero divisor has no sign to flip.
        assert!(b.is_zero() || is_negation(a / -b, a / b), "div({a}, {b})");
        for (name, mirrored, original) in [
            ("mul", -a * b, a * b),
            ("mul", a * -b, a * b),
            ("div", -a / b, a / b),
            ("mul_add", (-a).mul_add(b, -a), a.mul_add(b, a)),
            ("lerp", (-a).lerp(-b, Fx::from_ratio(2, 7)), a.lerp(b, Fx::from_ratio(2, 7))),
            ("round", (-a).round(), a.round()),
            ("trunc", (-a).trunc(), a.trunc()),
            ("shr", -a >> 7, a >> 7),
            ("ratio", Fx::from_ratio(-a.to_bits(), 60), Fx::from_ratio(a.to_bits(), 60)),
            ("to_radians", (-a).to_radians(), a.to_radians()),
        ] {
            assert!(is_negation(mirrored, original), "{name}({a}, {b}): {mirrored} against {original}");
        }
    }
}

#[test]
fn law_6_functions_are_odd_or_even_to_the_bit() {
    for x in numbers(66, 100_000) {
        let unit = x.fract().copysign(x);
        assert_eq!((-x).cos(), x.cos(), "cos({x})");
        for (name, mirrored, original) in [
            ("sin", (-x).sin(), x.sin()),
            ("tan", (-x).tan(), x.tan()),
            ("atan", (-x).atan(), x.atan()),
            ("asin", (-unit).asin(), unit.asin()),
            ("cordic sin", cordic::sin_cos(-x).0, cordic::sin_cos(x).0),
            ("cordic atan", cordic::atan(-x), cordic::atan(x)),
        ] {
            assert_eq!(mirrored, -original, "{name}({x})");
        }
    }
}

#[test]
fn functions_are_monotone_between_neighbouring_arguments() {
    for x in numbers(7, 200_000) {
        let next = x + Fx::EPSILON;
        for (name, rising) in [
            ("sqrt", next.sqrt() >= x.sqrt()),
            ("atan", next.atan() >= x.atan()),
            ("asin", next.asin() >= x.asin()),
            ("acos", next.acos() <= x.acos()),
            ("exp", next.exp() >= x.exp()),
            ("exp2", next.exp2() >= x.exp2()),
            ("ln", next.ln() >= x.ln()),
            ("log2", next.log2() >= x.log2()),
            ("rsqrt", x <= Fx::ZERO || next.rsqrt() <= x.rsqrt()),
            ("floor", next.floor() >= x.floor()),
        ] {
            assert!(rising, "{name} steps the wrong way from {x}");
        }
    }
}
