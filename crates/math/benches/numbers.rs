//! Throughput of the operations of `Fx`: each run maps 1024 arguments, the figures are per item.

use divan::{Bencher, black_box, counter::ItemsCount};
use isostep_math::{Fx, cordic};

fn main() {
    divan::main();
}

const COUNT: usize = 1024;

/// Log-uniform arguments of both signs below 2^`bits` raw units.
fn arguments(bits: u32, seed: u64) -> Vec<Fx> {
    let mut state = seed;
    (0..COUNT)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mixed = (state ^ (state >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let magnitude = (mixed >> (64 - bits)) >> ((state >> 59) % 24);
            Fx::from_bits(if mixed & 1 == 0 { magnitude as i64 } else { -(magnitude as i64) })
        })
        .collect()
}

fn map1<T>(bencher: Bencher, xs: &[Fx], f: impl Fn(Fx) -> T + Sync) {
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for &x in black_box(xs) {
            black_box(f(x));
        }
    });
}

fn map2(bencher: Bencher, f: impl Fn(Fx, Fx) -> Fx + Sync) {
    let (a, b) = (arguments(56, 1), arguments(52, 2));
    bencher.counter(ItemsCount::new(COUNT)).bench(|| {
        for (&a, &b) in black_box(&a).iter().zip(black_box(&b)) {
            black_box(f(a, b));
        }
    });
}

macro_rules! unary {
    ($($name:ident($bits:expr) = $f:expr;)*) => {$(
        #[divan::bench]
        fn $name(bencher: Bencher) {
            map1(bencher, &arguments($bits, 7), $f);
        }
    )*};
}

macro_rules! binary {
    ($($name:ident = $f:expr;)*) => {$(
        #[divan::bench]
        fn $name(bencher: Bencher) {
            map2(bencher, $f);
        }
    )*};
}

binary! {
    add = |a, b| a + b;
    mul = |a, b| a * b;
    mul_add = |a, b| a.mul_add(b, a);
    div = |a, b| a / b;
    hypot = Fx::hypot;
    atan2 = Fx::atan2;
    cordic_atan2 = cordic::atan2;
    pow = |a, b| a.abs().pow(b);
}

unary! {
    sqrt(63) = |x| x.abs().sqrt();
    rsqrt(63) = |x| x.abs().rsqrt();
    cordic_sqrt(63) = |x| cordic::sqrt(x.abs());
    sin_cos(40) = Fx::sin_cos;
    sin_cos_large(63) = Fx::sin_cos;
    cordic_sin_cos(40) = cordic::sin_cos;
    tan(40) = Fx::tan;
    asin(32) = Fx::asin;
    acos(32) = Fx::acos;
    atan(40) = Fx::atan;
    exp(36) = Fx::exp;
    cordic_exp(36) = cordic::exp;
    exp2(36) = Fx::exp2;
    ln(63) = |x| x.abs().ln();
    cordic_ln(63) = |x| cordic::ln(x.abs());
    log2(63) = |x| x.abs().log2();
}
