//! Instructions of the hot operations, counted by valgrind: the same on a busy machine as on an idle one.
//!
//! Each benchmark maps an array of `COUNT` arguments. Lanes run at the levels that valgrind knows, which end at AVX2.
#![allow(missing_docs, unused_qualifications, reason = "the macros of the benchmark make public items")]

use iai_callgrind::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use isostep_bench::LIBC;
use isostep_collision::Obb;
use isostep_collision::manifold::{PosedBoxes, box_manifolds_at};
use isostep_math::random::Rng;
use isostep_math::wide::{Level, LevelName};
use isostep_math::{Fx, Pose, Quat, Vec3, fx};
use std::hint::black_box;

const COUNT: usize = 1024;

/// Numbers of either sign, log-uniform below 2^`bits` raw units.
fn numbers(bits: u32) -> Vec<Fx> {
    let mut rng = Rng::new(1, u64::from(bits));
    (0..COUNT).map(|_| Fx::from_bits((rng.next_u64() as i64 >> (64 - bits)) >> rng.below(bits / 2))).collect()
}

fn vectors() -> Vec<Vec3> {
    let mut rng = Rng::new(2, 0);
    (0..COUNT).map(|_| rng.unit_vec3() * rng.fx_range(fx!(0.1), fx!(50))).collect()
}

fn rotations() -> Vec<Quat> {
    let mut rng = Rng::new(3, 0);
    (0..COUNT).map(|_| rng.unit_quat()).collect()
}

/// Maps every argument together with another and adds up, so that nothing can be left out.
fn each<T: Copy>(arguments: &[T], f: impl Fn(T, T) -> Fx) -> Fx {
    arguments.iter().zip(arguments.iter().rev()).map(|(&a, &b)| f(black_box(a), b)).sum()
}

#[library_benchmark]
#[bench::add(numbers(50), |a, b| a + b)]
#[bench::mul(numbers(50), |a, b| a * b)]
#[bench::div(numbers(50), |a, b| a / b)]
#[bench::sqrt(numbers(50), |a, _| a.abs().sqrt())]
#[bench::rsqrt(numbers(50), |a, _| a.abs().rsqrt())]
#[bench::sin_cos(numbers(40), |a, _| { let (sin, cos) = a.sin_cos(); sin + cos })]
#[bench::tan(numbers(40), |a, _| a.tan())]
#[bench::atan2(numbers(50), Fx::atan2)]
#[bench::asin(numbers(32), |a, _| a.asin())]
#[bench::exp(numbers(36), |a, _| a.exp())]
#[bench::ln(numbers(50), |a, _| a.abs().ln())]
#[bench::pow(numbers(36), |a, b| a.abs().pow(b))]
fn number(arguments: Vec<Fx>, f: fn(Fx, Fx) -> Fx) -> Fx {
    each(&arguments, f)
}

#[library_benchmark]
#[bench::dot(vectors(), Vec3::dot)]
#[bench::cross(vectors(), |a, b| a.cross(b).x)]
#[bench::length(vectors(), |a, _| a.length())]
#[bench::normalize(vectors(), |a, _| a.normalize().x)]
fn vector(arguments: Vec<Vec3>, f: fn(Vec3, Vec3) -> Fx) -> Fx {
    each(&arguments, f)
}

#[library_benchmark]
#[bench::mul_quat(rotations(), |a, b| (a * b).x)]
#[bench::mul_vec3(rotations(), |a, b| (a * b.xyz()).x)]
#[bench::integrate(rotations(), |a, b| a.integrate(b.xyz(), fx!(0.0166)).x)]
#[bench::compose(rotations(), |a, b| (Pose::new(a, b.xyz()) * Pose::new(b, a.xyz())).translation.x)]
fn rotation(arguments: Vec<Quat>, f: fn(Quat, Quat) -> Fx) -> Fx {
    each(&arguments, f)
}

/// Pairs of boxes that rest on each other, and a level if valgrind runs it.
fn resting(name: LevelName) -> (PosedBoxes, Vec<(u32, u32)>, Option<Level>) {
    let mut rng = Rng::new(4, 0);
    let mut boxes = PosedBoxes::new();
    for _ in 0..COUNT {
        let half = Vec3::splat(Fx::HALF);
        let upper =
            Vec3::new(rng.fx_range(fx!(-0.4), fx!(0.4)), fx!(0.999), rng.fx_range(fx!(-0.4), fx!(0.4)));
        let turn = if rng.bool() { Fx::ZERO } else { rng.angle() };
        for (center, turn) in [(Vec3::ZERO, Fx::ZERO), (upper, turn)] {
            boxes.push(&Obb::new(center, half, Quat::from_rotation_y(turn)).expect("a box"));
        }
    }
    let pairs = (0..COUNT as u32).map(|pair| (2 * pair, 2 * pair + 1)).collect();
    (boxes, pairs, Level::new(name).ok())
}

#[library_benchmark]
#[bench::scalar(resting(LevelName::Scalar))]
#[bench::avx2(resting(LevelName::Avx2))]
fn manifolds((boxes, pairs, level): (PosedBoxes, Vec<(u32, u32)>, Option<Level>)) -> usize {
    let mut out = Vec::with_capacity(pairs.len());
    if let Some(level) = level {
        box_manifolds_at(level, &boxes, &pairs, fx!(0.02), &mut out);
    }
    out.len()
}

library_benchmark_group!(name = numbers_group; benchmarks = number);
library_benchmark_group!(name = vectors_group; benchmarks = vector, rotation);
library_benchmark_group!(name = manifolds_group; benchmarks = manifolds);
main!(
    config = LibraryBenchmarkConfig::default().env(LIBC.0, LIBC.1);
    library_benchmark_groups = numbers_group, vectors_group, manifolds_group
);
