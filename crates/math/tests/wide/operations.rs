//! One kernel that applies every operation, against the same operations on plain integers.

use isostep_math::wide::{Backend, Kernel, Lanes, Level, Mask, Multiplicand, Portable};
use proptest::prelude::*;

/// The longest width; inputs come in multiples of it.
const BLOCK: usize = 8;

/// Applies every operation to pairs of lanes; per operation, one result per pair.
#[derive(Clone, Copy)]
struct Operations<'a> {
    a: &'a [i64],
    b: &'a [i64],
}

/// The shift counts that are tried: one, the formats' own, around half a word, the last.
macro_rules! for_shifts {
    ($f:ident) => {
        $f!(1, 8, 11, 19, 22, 30, 31, 32, 33, 43, 62, 63)
    };
}

/// The shift counts of multiplicands that are tried: the least, the formats' own, the greatest.
macro_rules! for_multiplicands {
    ($f:ident) => {
        $f!(2, 8, 19, 21, 22, 24, 30, 31, 32)
    };
}

/// What there is to see of a multiplicand: its 32 bits, and what products make of those that it may have above them.
#[inline(always)]
fn seen<B: Backend<N>, const N: usize>(
    multiplicand: impl Into<Multiplicand<B, N>>,
    b: Lanes<B, N>,
) -> [Lanes<B, N>; 2] {
    let multiplicand = multiplicand.into();
    [Lanes::load(&multiplicand.store()), multiplicand.mul32(b)]
}

impl Kernel for Operations<'_> {
    type Output = Vec<Vec<i64>>;

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) -> Vec<Vec<i64>> {
        let mut out: Vec<Vec<i64>> = Vec::new();
        for at in (0..self.a.len()).step_by(N) {
            let a = Lanes::<B, N>::from_array(*self.a[at..].first_chunk().unwrap());
            let b = Lanes::<B, N>::from_array(*self.b[at..].first_chunk().unwrap());
            let mut results = vec![
                a + b,
                a - b,
                -a,
                a.mul32(b),
                a.mul32_unsigned(b),
                a.min(b),
                a.max(b),
                a.clamp(b, Lanes::splat(1 << 40)),
                a.abs(),
                a.negate_where_negative(b),
                Lanes::load(&a.store()),
                Lanes::load(&a.store_saturating()),
                a.shl_each(b),
                a.shr_each(b),
                a.shr_logical_each(b),
                a.leading_zeros(),
                a.gt(b).to_lanes(),
                a.ge(b).to_lanes(),
                a.lt(b).to_lanes(),
                a.le(b).to_lanes(),
                a.equal(b).to_lanes(),
                a.is_negative().to_lanes(),
                a.gt(b).select(a, -b),
                a.is_negative().keep(b),
                (a.gt(b) & b.is_negative()).to_lanes(),
                (a.gt(b) | b.is_negative()).to_lanes(),
                (a.gt(b) ^ b.is_negative()).to_lanes(),
                (!a.gt(b)).to_lanes(),
                Mask::from_array(a.gt(b).to_array()).to_lanes(),
                a | b,
                a.at_most(1 << 40),
            ];
            results.extend(seen(a, b));
            results.extend(seen(a.multiplicand_each(b.low_bits::<5>()), b));
            results.extend(seen(Lanes::load(&a.store()).multiplicand_that_fits(), b));
            macro_rules! shifts {
                ($($s:literal),+) => {
                    $(results.extend([
                        a.shl::<$s>(),
                        a.shr::<$s>(),
                        a.shr_round::<$s>(),
                        a.shr_round_half_up::<$s>(),
                        a.shr_logical::<$s>(),
                        a.shr_logical_half_up::<$s>(),
                    ]);)+
                };
            }
            for_shifts!(shifts);
            macro_rules! multiplicands {
                ($($s:literal),+) => {
                    $(
                        results.extend(seen(a.multiplicand::<$s>(), b));
                        results.extend(seen(a.multiplicand_below::<$s>(), b));
                        results.extend(seen(a.multiplicand_half_up::<$s>(), b));
                        results.extend(seen(a.held_multiplicand::<$s>(), b));
                        results.extend(seen(a.held_multiplicand_below::<$s>(), b));
                        results.extend([a.held::<$s>(), a.shr_positive::<$s>()]);
                    )+
                };
            }
            for_multiplicands!(multiplicands);
            assert_eq!(a.gt(b).any(), a.gt(b).to_array().contains(&true));
            assert_eq!(a.gt(b).all(), !a.gt(b).to_array().contains(&false));
            assert_eq!(a == b, a.to_array() == b.to_array());
            out.resize(results.len(), Vec::new());
            for (column, result) in out.iter_mut().zip(results) {
                column.extend(result.to_array());
            }
        }
        out
    }
}

/// floor((a + term) / 2^s), with the sum modulo 2⁶⁴.
fn shifted(a: i64, term: i128, s: u32) -> i64 {
    let sum = (i128::from(a) + term) as i64;
    i128::from(sum).div_euclid(1 << s) as i64
}

/// A lane as [`Lanes::held`] leaves it.
fn held(a: i64, s: u32) -> i64 {
    let limit = (1_i64 << (s - 1)) - 1;
    (a >> 32).clamp(-limit, limit - 1) << 32 | (a & 0xffff_ffff)
}

/// The results of [`Operations`] for one pair, from the definitions.
fn reference(a: i64, b: i64) -> Vec<i64> {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    let truth = |value: bool| if value { -1 } else { 0 };
    let mut out = vec![
        (wide_a + wide_b) as i64,
        (wide_a - wide_b) as i64,
        -wide_a as i64,
        (i128::from(a as i32) * i128::from(b as i32)) as i64,
        (i128::from(a as u32) * i128::from(b as u32)) as i64,
        a.min(b),
        a.max(b),
        a.max(b).min(1 << 40),
        wide_a.abs() as i64,
        if b < 0 { -wide_a as i64 } else { a },
        i64::from(a as i32),
        a.clamp(i64::from(i32::MIN), i64::from(i32::MAX)),
        (wide_a << (b & 63)) as i64,
        (wide_a >> (b & 63)) as i64,
        (a as u64 >> (b & 63)) as i64,
        i64::from(a.leading_zeros()),
        truth(a > b),
        truth(a >= b),
        truth(a < b),
        truth(a <= b),
        truth(a == b),
        truth(a < 0),
        if a > b { a } else { -wide_b as i64 },
        if a < 0 { b } else { 0 },
        truth(a > b && b < 0),
        truth(a > b || b < 0),
        truth((a > b) != (b < 0)),
        truth(a <= b),
        truth(a > b),
        a | b,
        a.min(1 << 40),
    ];
    // A factor, and its product.
    let seen = |factor: i64| {
        let [factor, b] = [factor, b].map(|x| i64::from(x as i32));
        [factor, factor * b]
    };
    for factor in [a, a >> (b & 31), a] {
        out.extend(seen(factor));
    }
    macro_rules! shifts {
        ($($s:literal),+) => {
            $(out.extend([
                (wide_a << $s) as i64,
                shifted(a, 0, $s),
                shifted(a, (1 << ($s - 1)) - i128::from(a < 0), $s),
                shifted(a, 1 << ($s - 1), $s),
                (a as u64 >> $s) as i64,
                (a.wrapping_add(1 << ($s - 1)) as u64 >> $s) as i64,
            ]);)+
        };
    }
    for_shifts!(shifts);
    macro_rules! multiplicands {
        ($($s:literal),+) => {
            $(
                let half = 1 << ($s - 1);
                let below = held(a.wrapping_sub(i64::from(a < 0)), $s);
                out.extend(seen(shifted(a, half - i128::from(a < 0), $s)));
                out.extend(seen(shifted(a, 0, $s)));
                out.extend(seen(shifted(a, half, $s)));
                out.extend(seen(shifted(below, half, $s)));
                out.extend(seen(held(a, $s) >> $s));
                out.extend([held(a, $s), held(a.max(0), $s) >> $s]);
            )+
        };
    }
    for_multiplicands!(multiplicands);
    out
}

fn assert_operations_agree(a: &[i64], b: &[i64]) {
    let operations = Operations { a, b };
    let mut outcomes = vec![
        ("1 portable lane".to_string(), operations.run::<Portable, 1>()),
        ("4 portable lanes".to_string(), operations.run::<Portable, 4>()),
        ("8 portable lanes".to_string(), operations.run::<Portable, 8>()),
    ];
    outcomes.extend(Level::available().map(|level| (format!("level {level}"), level.dispatch(operations))));
    for i in 0..a.len() {
        let expected = reference(a[i], b[i]);
        for (name, outcome) in &outcomes {
            assert_eq!(outcome.len(), expected.len());
            for (operation, expected) in expected.iter().enumerate() {
                let result = outcome[operation][i];
                assert_eq!(result, *expected, "operation {operation} of {} and {}, {name}", a[i], b[i]);
            }
        }
    }
}

#[test]
fn operations_agree_with_integers_at_the_edges() {
    let mut edges = vec![0_i64];
    for bit in 0..64 {
        let power = 1_i64 << bit;
        edges.extend([power, power.wrapping_sub(1), power.wrapping_neg(), (!power).wrapping_add(2)]);
        edges.extend([power.wrapping_add(power >> 1), power.wrapping_add(power >> 1).wrapping_neg()]);
    }
    edges.sort_unstable();
    edges.dedup();
    while edges.len() % BLOCK != 0 {
        edges.push(7);
    }
    for by in 0..edges.len() {
        let mut rotated = edges.clone();
        rotated.rotate_left(by);
        assert_operations_agree(&edges, &rotated);
    }
}

#[test]
fn multiplicands_are_held_symmetrically_and_fit_32_bits() {
    let mut values = vec![0, 1, i64::MAX];
    values.extend((1..63).flat_map(|bit| [(1 << bit) - 1, 1_i64 << bit, (1 << bit) + 12_345]));
    for value in values {
        let x = Lanes::<Portable, 1>::splat(value);
        let ([up], [down]) = (x.held_multiplicand::<24>().store(), (-x).held_multiplicand::<24>().store());
        assert_eq!(up, -down, "{value}");
        assert!(up >= 0, "{value} has changed its sign");
        if value < (1 << 54) {
            assert_eq!(x.shr_round::<24>().to_array(), [i64::from(up)], "{value}");
        }
    }
}

/// Values of every magnitude, so that both halves of a lane and both signs are met.
fn value() -> impl Strategy<Value = i64> {
    (any::<i64>(), 0_u32..64).prop_map(|(bits, shift)| bits >> shift)
}

proptest! {
    #[test]
    fn operations_agree_with_integers(pairs in prop::collection::vec((value(), value()), BLOCK)) {
        let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        assert_operations_agree(&a, &b);
    }
}
