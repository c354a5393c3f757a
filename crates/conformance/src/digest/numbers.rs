//! Operators, rounding and text of `Fx`.

use super::Recorder;
use crate::arguments::{Arguments, EDGES};
use isostep_math::Fx;

/// Calls `f` for every pair of edges and for seeded pairs of all magnitudes.
pub(super) fn pairs(seed: u64, count: usize, mut f: impl FnMut(Fx, Fx)) {
    for a in EDGES {
        for b in EDGES {
            f(Fx::from_bits(a), Fx::from_bits(b));
        }
    }
    let mut arguments = Arguments::new(seed);
    for _ in 0..count {
        f(arguments.number(63), arguments.number(63));
    }
}

/// Calls `f` for every edge and for seeded numbers below 2^`bits` raw units.
pub(super) fn singles(seed: u64, count: usize, bits: u32, mut f: impl FnMut(Fx)) {
    for x in EDGES {
        f(Fx::from_bits(x));
    }
    let mut arguments = Arguments::new(seed);
    for _ in 0..count {
        f(arguments.number(bits));
    }
}

pub(super) fn arithmetic(out: &mut Recorder) {
    pairs(1, 4000, |a, b| {
        out.numbers([a + b, a - b, a * b, a / b, a % b, -a]);
        out.numbers([
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a.wrapping_div(b),
            a.wrapping_neg(),
        ]);
        for checked in
            [a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b), a.checked_rem(b)]
        {
            out.optional(checked);
        }
        out.optional(a.checked_neg());
        out.numbers([a.mul_add(b, a), a.lerp(b, Fx::from_ratio(1, 3)), b.lerp(a, b), a.rem_euclid(b)]);
        out.numbers([
            a.min(b),
            a.max(b),
            a.clamp(b, Fx::ONE),
            a.copysign(b),
            Fx::from_ratio(a.to_bits(), b.to_bits()),
        ]);
        out.numbers([a.powi(b.to_bits() as i32 % 40), a.powi(b.to_bits() as i32)]);
        out.number([a, b, a, a].iter().sum());
    });
    singles(2, 4000, 63, |x| {
        out.numbers([x.abs(), x.signum(), x.recip(), x.squared(), x.to_degrees(), x.to_radians()]);
        for shift in [0, 1, 17, 32, 63, 64, 200] {
            out.numbers([x << shift, x >> shift]);
        }
    });
}

pub(super) fn rounding(out: &mut Recorder) {
    singles(3, 4000, 63, |x| {
        out.numbers([x.floor(), x.ceil(), x.round(), x.trunc(), x.fract()]);
        for integer in [x.to_int_floor(), x.to_int_round(), x.to_int_trunc()] {
            out.bits(i64::from(integer));
        }
    });
}

pub(super) fn text(out: &mut Recorder) {
    singles(4, 2000, 63, |x| {
        let shortest = x.to_string();
        out.text(&shortest);
        out.text(&format!("{x:.3} {x:.20} {x:+012.1}"));
        out.number(shortest.parse().expect("what Display prints parses"));
        // Digits beyond what decides the rounding.
        out.number(format!("{}99999999999999999999999999999", x.trunc()).parse::<Fx>().unwrap_or(Fx::MAX));
        out.number(format!("0.{:020}1", x.to_bits().unsigned_abs()).parse().expect("a fraction parses"));
    });
}
