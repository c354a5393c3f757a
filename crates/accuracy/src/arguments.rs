//! Which arguments are measured: a random part, log-uniform over the whole domain, and the hard places.

use crate::exact::Exact;
use crate::half_pi;
use crate::real::{Arguments, ONE, Real};
use crate::reference::Reference;
use crate::source::Source;

/// ln(2³¹), beyond which `exp` saturates, and ln(2⁻³³), below which it is zero; raw, rounded.
const EXP_CEILING: i64 = 92_288_378_626;
const EXP_FLOOR: i64 = -98_242_467_570;

/// A random argument of the domain.
///
/// Each function mixes a log-uniform part with parts aimed at where it is hard: ties, perfect squares,
/// neighbours of multiples of π/2, the limits of the range.
pub(crate) fn random(real: Real, source: &mut Source, reference: &mut Reference) -> Arguments {
    match real {
        Real::Add | Real::Sub => sum(real, source),
        Real::Mul => product(source),
        Real::Div => quotient(source),
        Real::Sqrt => [square(source), 0],
        Real::Rsqrt => [inverse_square(source), 0],
        Real::Hypot => leg_pair(source),
        Real::Sin | Real::Cos | Real::Tan => [angle(source), 0],
        Real::Asin | Real::Acos => [sine(source), 0],
        Real::Atan => [source.signed(0, 62), 0],
        Real::Atan2 => vector(source),
        Real::Exp => [exponent(source, EXP_FLOOR, EXP_CEILING), 0],
        Real::Exp2 => [binary_exponent(source), 0],
        Real::Ln | Real::Log2 => [logarithmand(source), 0],
        Real::Pow => power(source, reference),
        Real::Powi => integer_power(source, reference),
    }
}

/// The edges of the domain and the named hard arguments, without repetition.
pub(crate) fn edges(real: Real) -> Vec<Arguments> {
    let mut arguments: Vec<Arguments> = if real.arity() == 2 {
        let values = landmarks();
        values.iter().flat_map(|&x| values.iter().map(move |&y| [x, y])).collect()
    } else {
        let mut values = powers_of_two();
        values.extend(landmarks());
        values.extend(particular(real));
        values.iter().flat_map(|&x| [[x, 0], [x.checked_neg().unwrap_or(i64::MAX), 0]]).collect()
    };
    if real == Real::Powi {
        arguments = small_integer_powers();
    }
    if real == Real::Pow {
        arguments.extend(small_integer_powers());
        arguments.extend(dyadic_powers());
    }
    arguments.retain(|&arguments| real.contains(arguments));
    arguments.sort_unstable();
    arguments.dedup();
    arguments
}

/// Arguments of everyday size, on which the time is measured.
pub(crate) fn everyday(real: Real, source: &mut Source) -> Arguments {
    // From about a millimetre to a kilometre.
    let (low, high) = (22, 42);
    match real {
        Real::Sin | Real::Cos | Real::Tan => [source.between(-7 * ONE, 7 * ONE), 0],
        Real::Asin | Real::Acos => [source.between(-ONE, ONE), 0],
        Real::Exp | Real::Exp2 => [source.between(-10 * ONE, 10 * ONE), 0],
        Real::Sqrt | Real::Rsqrt | Real::Ln | Real::Log2 => [source.magnitude(low, high), 0],
        Real::Pow => [source.magnitude(low, high), source.between(-2 * ONE, 2 * ONE)],
        Real::Powi => [source.signed(30, 34), source.between(-8, 8) * ONE],
        _ => [source.signed(low, high), source.signed(low, high)],
    }
}

/// 0, one unit, one, the ends, and a few sizes between them, with neighbours and signs.
fn landmarks() -> Vec<i64> {
    let positive = [
        0,
        1,
        2,
        3,
        1 << 16,
        (1 << 31) - 1,
        1 << 31,
        ONE - 1,
        ONE,
        ONE + 1,
        3 * ONE / 2,
        1 << 47,
        (1 << 62) + 1,
        i64::MAX - 1,
        i64::MAX,
    ];
    let mut values: Vec<i64> = positive.iter().flat_map(|&value| [value, -value]).collect();
    values.push(i64::MIN);
    values
}

/// Every power of two with both neighbours.
fn powers_of_two() -> Vec<i64> {
    (0..63).flat_map(|bit| [-1, 0, 1].map(|step| (1_i64 << bit) + step)).collect()
}

/// The hard arguments of a function of one argument.
fn particular(real: Real) -> Vec<i64> {
    let around = |centre: i64, reach: i64| (-reach..=reach).map(move |step| centre.saturating_add(step));
    match real {
        Real::Sqrt | Real::Rsqrt => (1..64_i64).flat_map(|root| around(root * root, 1)).collect(),
        Real::Sin | Real::Cos | Real::Tan => {
            let mut values: Vec<i64> =
                (1..=16).flat_map(|multiple| around(half_pi::multiple(multiple), 2)).collect();
            values.extend(half_pi::closest_multiples().into_iter().flat_map(|value| around(value, 1)));
            values
        }
        Real::Asin | Real::Acos => around(ONE, 40).chain(around(ONE / 2, 2)).collect(),
        Real::Exp => {
            let mut values: Vec<i64> = around(EXP_CEILING, 20).chain(around(EXP_FLOOR, 20)).collect();
            values.extend((-24..=22).flat_map(|whole| around(whole * ONE, 1)));
            values
        }
        Real::Exp2 => (-34..=32).flat_map(|whole| around(whole * ONE, 2)).collect(),
        Real::Ln | Real::Log2 => around(ONE, 40).collect(),
        _ => Vec::new(),
    }
}

/// Small integers and simple fractions to small integer powers, among them ties such as 1.5³³.
fn small_integer_powers() -> Vec<Arguments> {
    let mut arguments = Vec::new();
    let bases = [0, 1, 2, ONE / 2, ONE - 1, ONE, ONE + 1, 3 * ONE / 2, 2 * ONE, 3 * ONE, 10 * ONE, i64::MAX];
    for base in bases.into_iter().flat_map(|base| [base, -base]).chain([i64::MIN]) {
        for exponent in
            [-33, -32, -31, -8, -3, -2, -1, 0, 1, 2, 3, 8, 21, 31, 32, 33, 64, i64::from(i32::MAX)]
        {
            arguments.push([base, exponent << 32]);
        }
        arguments.push([base, i64::from(i32::MIN) << 32]);
    }
    arguments
}

/// Exact roots: squares and fourth powers to halves and quarters.
fn dyadic_powers() -> Vec<Arguments> {
    let mut arguments = Vec::new();
    for base in [1_i64, 4, 9, 16, 81, 625, 1 << 16, 3 << 20] {
        for quarters in [-6, -3, -2, -1, 1, 2, 3, 5, 6, 10] {
            arguments.push([base << 32, quarters * (ONE / 4)]);
            arguments.push([base << 16, quarters * (ONE / 4)]);
        }
    }
    arguments
}

fn sum(real: Real, source: &mut Source) -> Arguments {
    let a = source.signed(0, 62);
    if source.once_in(8) {
        // A sum at an end of the range.
        let end = if a < 0 { i64::MIN } else { i64::MAX };
        let b = (end - a).saturating_add(source.between(-4, 4));
        return [a, if real == Real::Add { b } else { b.saturating_neg() }];
    }
    [a, source.signed(0, 62)]
}

fn product(source: &mut Source) -> Arguments {
    match source.between(0, 15) {
        0 => [source.signed(0, 62), source.signed(0, 62)],
        1 | 2 => {
            // odd · 2^i times odd · 2^(31−i): an exact tie.
            let shift = source.between(0, 31);
            let (a, b) = (source.signed(0, 30) | 1, source.signed(0, 30) | 1);
            [a << shift, b << (31 - shift)]
        }
        3 | 4 => {
            // The product lies at an end of the range.
            let a = source.signed(33, 62);
            let end = i128::from(if source.bits() & 1 == 0 { i64::MAX } else { i64::MIN });
            let b = i64::try_from((end << 32) / i128::from(a)).expect("|a| > 2");
            [a, b.saturating_add(source.between(-2, 2))]
        }
        _ => {
            // Products between a quarter of a unit and the end.
            let bit = source.between(0, 62);
            [source.signed(bit, bit), source.signed((30 - bit).max(0), (94 - bit).min(62))]
        }
    }
}

fn quotient(source: &mut Source) -> Arguments {
    match source.between(0, 15) {
        0 => [source.signed(0, 62), source.signed(0, 62)],
        1 | 2 => {
            // (odd · 2^i) / 2^(i+33) is a half: an exact tie.
            let shift = source.between(0, 29);
            let sign = if source.bits() & 1 == 0 { 1 } else { -1 };
            [(source.signed(0, 32) | 1) << shift, sign << (shift + 33)]
        }
        3 | 4 => {
            // The quotient lies at an end of the range.
            let b = source.signed(0, 31);
            let end = i128::from(if source.bits() & 1 == 0 { i64::MAX } else { i64::MIN });
            let a = i64::try_from((end * i128::from(b)) >> 32).expect("|b| < 2³²");
            [a.saturating_add(source.between(-2, 2)), b]
        }
        5 | 6 => {
            // Close to a rounding boundary: a ≈ (k + ½) · b.
            let b = source.magnitude(34, 62);
            let most = (i128::from(i64::MAX) << 32) / i128::from(b);
            let k = i128::from(source.magnitude(0, 62)) % most;
            let a = ((2 * k + 1) * i128::from(b)) >> 33;
            [i64::try_from(a).expect("below the end") + source.between(0, 1), b]
        }
        _ => {
            let bit = source.between(0, 62);
            [source.signed((bit - 34).max(0), (bit + 31).min(62)), source.signed(bit, bit)]
        }
    }
}

fn square(source: &mut Source) -> i64 {
    match source.between(0, 7) {
        // A perfect square and its neighbours: the root of j² units is j · 2¹⁶ units.
        0 => (source.magnitude(0, 30).pow(2) + source.between(-1, 1)).max(0),
        // Close to a rounding boundary: x · 2³² ≈ (k + ½)².
        1 | 2 => {
            let twice = 2 * i128::from(source.magnitude(16, 46)) + 1;
            i64::try_from((twice * twice) >> 34).expect("below 2⁶²") + source.between(0, 1)
        }
        _ => source.magnitude(0, 62),
    }
}

fn inverse_square(source: &mut Source) -> i64 {
    match source.between(0, 7) {
        0 => (source.magnitude(0, 30).pow(2) + source.between(-1, 1)).max(1),
        // Close to a rounding boundary: x ≈ 2⁹⁶ / (k + ½)², so that 2⁴⁸/√x ≈ k + ½.
        1 | 2 => {
            let twice = 2 * u128::from(source.magnitude(17, 46).unsigned_abs()) + 1;
            let quotient = ((1_u128 << 98) / (twice * twice)).max(1);
            i64::try_from(quotient).expect("below 2⁶³") + source.between(0, 1)
        }
        _ => source.magnitude(0, 62),
    }
}

fn leg_pair(source: &mut Source) -> Arguments {
    let bit = source.between(0, 62);
    match source.between(0, 7) {
        0 => [source.signed(0, 62), source.signed(0, 62)],
        // A Pythagorean triple (p² − q², 2pq), off by at most one unit.
        1 => {
            let (p, q) = (source.magnitude(1, 29), source.magnitude(0, 29));
            [p * p - q * q + source.between(-1, 1), 2 * p * q]
        }
        // The square of the short leg is about as large as the long leg: the root is just above it.
        2 | 3 => {
            let short = (bit + 1) / 2;
            let pair = [source.signed(bit, bit), source.signed((short - 2).max(0), short + 2)];
            if source.bits() & 1 == 0 { pair } else { [pair[1], pair[0]] }
        }
        _ => [source.signed(bit, bit), source.signed((bit - 3).max(0), (bit + 3).min(62))],
    }
}

fn angle(source: &mut Source) -> i64 {
    match source.between(0, 7) {
        0 => source.between(-7 * ONE, 7 * ONE),
        // A multiple of π/2 and a small step away from it.
        1 | 2 => {
            let multiple = source.magnitude(0, 30).min(half_pi::LAST_MULTIPLE);
            let angle = half_pi::multiple(multiple).saturating_add(source.signed(0, 31));
            if source.bits() & 1 == 0 { angle } else { angle.saturating_neg() }
        }
        _ => source.signed(0, 62),
    }
}

fn sine(source: &mut Source) -> i64 {
    match source.between(0, 3) {
        0 => source.between(-ONE, ONE),
        1 => {
            let near = ONE - source.magnitude(0, 31);
            if source.bits() & 1 == 0 { near } else { -near }
        }
        _ => source.signed(0, 31),
    }
}

fn vector(source: &mut Source) -> Arguments {
    let bit = source.between(0, 62);
    match source.between(0, 3) {
        0 => [source.signed(bit, bit), source.signed((bit - 2).max(0), (bit + 2).min(62))],
        // Close to a diagonal.
        1 => {
            let y = source.signed(bit, bit);
            let x = y.saturating_add(source.signed(0, bit));
            [y, if source.bits() & 1 == 0 { x } else { x.saturating_neg() }]
        }
        _ => [source.signed(0, 62), source.signed(0, 62)],
    }
}

fn exponent(source: &mut Source, floor: i64, ceiling: i64) -> i64 {
    match source.between(0, 15) {
        0 => source.signed(0, 62),
        1 => ceiling.saturating_add(source.signed(0, 31)),
        2 => floor.saturating_add(source.signed(0, 31)),
        3..=6 => source.signed(0, 36),
        _ => source.between(floor - ONE / 4, ceiling),
    }
}

fn binary_exponent(source: &mut Source) -> i64 {
    if source.once_in(8) {
        // An integer and a small step away from it.
        return source.between(-33, 31) * ONE + source.signed(0, 31);
    }
    exponent(source, -33 * ONE, 31 * ONE)
}

fn logarithmand(source: &mut Source) -> i64 {
    match source.between(0, 3) {
        0 => ONE + source.signed(0, 31),
        _ => source.magnitude(0, 62),
    }
}

fn power(source: &mut Source, reference: &mut Reference) -> Arguments {
    match source.between(0, 15) {
        0 => [source.magnitude(0, 62), source.signed(0, 62)],
        1 | 2 => integer_power_of(source.magnitude(0, 62), source),
        3 => integer_power_of(source.signed(0, 62), source),
        kind => {
            let base = if kind < 8 { ONE + source.signed(0, 31) } else { source.magnitude(0, 62) };
            // The result is 2^t for a uniform t.
            let t = source.between(-34 * ONE, 32 * ONE);
            [base, exponent_to_reach(t, base, reference)]
        }
    }
}

fn integer_power(source: &mut Source, reference: &mut Reference) -> Arguments {
    if source.once_in(4) {
        return integer_power_of(source.signed(0, 62), source);
    }
    let base = ONE + source.signed(0, 31);
    let base = if source.bits() & 1 == 0 { base } else { base.saturating_neg() };
    let t = source.between(-34 * ONE, 32 * ONE);
    let whole = exponent_to_reach(t, base.saturating_abs(), reference) >> 32;
    [base, whole << 32]
}

/// A small integer exponent for a base.
fn integer_power_of(base: i64, source: &mut Source) -> Arguments {
    [base, source.between(-8, 8) * ONE]
}

/// The exponent y with base^y ≈ 2^t.
fn exponent_to_reach(t: i64, base: i64, reference: &mut Reference) -> i64 {
    let Exact { floor, .. } = reference.log2(base.max(1));
    if floor == 0 {
        return t;
    }
    let y = (i128::from(t) << 32) / floor;
    i64::try_from(y).unwrap_or(if y < 0 { i64::MIN } else { i64::MAX })
}
