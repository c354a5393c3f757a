//! Speed of vectors, rotations and poses: each operation over a thousand different inputs.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isostep_math::{Fx, Mat3, Pose, Quat, SymmetricMat3, Vec3, fx};

const N: usize = 1024;

fn main() {
    divan::main();
}

/// Numbers within ±`range`, the same in every run.
fn numbers(range: i64, mut seed: u64) -> impl Iterator<Item = Fx> {
    core::iter::repeat_with(move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Fx::from_bits(((seed >> 16) as i64) % (range << 32))
    })
}

fn vectors(seed: u64) -> Vec<Vec3> {
    let mut n = numbers(100, seed);
    (0..N).map(|_| Vec3::from_array([(); 3].map(|()| n.next().unwrap() - fx!(50)))).collect()
}

fn rotations(seed: u64) -> Vec<Quat> {
    let mut n = numbers(2, seed);
    (0..N).map(|_| Quat::from_array([(); 4].map(|()| n.next().unwrap() - fx!(1))).normalize()).collect()
}

fn poses(seed: u64) -> Vec<Pose> {
    rotations(seed).into_iter().zip(vectors(seed + 1)).map(|(q, t)| Pose::new(q, t)).collect()
}

fn matrices(seed: u64) -> Vec<Mat3> {
    rotations(seed).into_iter().map(Mat3::from_quat).collect()
}

fn tensors(seed: u64) -> Vec<SymmetricMat3> {
    vectors(seed).into_iter().map(|v| SymmetricMat3::from_diagonal(v.abs() + Vec3::ONE)).collect()
}

/// `f` over pairs of inputs, each result used.
fn pairs<A: Copy, B: Copy, R>(bencher: Bencher, a: &[A], b: &[B], f: impl Fn(A, B) -> R) {
    bencher.counter(ItemsCount::new(N)).bench_local(|| {
        for (&a, &b) in black_box(a).iter().zip(black_box(b)) {
            black_box(f(a, b));
        }
    });
}

#[divan::bench]
fn vec3_add(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), |a, b| a + b);
}

#[divan::bench]
fn vec3_dot(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), Vec3::dot);
}

#[divan::bench]
fn vec3_cross(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), Vec3::cross);
}

#[divan::bench]
fn vec3_length(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), |a, _| a.length());
}

#[divan::bench]
fn vec3_normalize(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), |a, _| a.normalize());
}

#[divan::bench]
fn vec3_angle_between(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), Vec3::angle_between);
}

#[divan::bench]
fn quat_mul_quat(bencher: Bencher) {
    pairs(bencher, &rotations(1), &rotations(2), Quat::mul_quat);
}

#[divan::bench]
fn quat_mul_vec3(bencher: Bencher) {
    pairs(bencher, &rotations(1), &vectors(2), Quat::mul_vec3);
}

#[divan::bench]
fn quat_normalize(bencher: Bencher) {
    pairs(bencher, &rotations(1), &vectors(2), |q, _| q.normalize());
}

#[divan::bench]
fn quat_integrate(bencher: Bencher) {
    let dt = Fx::from_ratio(1, 240);
    pairs(bencher, &rotations(1), &vectors(2), |q, v| q.integrate(v, dt));
}

#[divan::bench]
fn quat_slerp(bencher: Bencher) {
    pairs(bencher, &rotations(1), &rotations(2), |a, b| a.slerp(b, fx!(0.3)));
}

#[divan::bench]
fn quat_nlerp(bencher: Bencher) {
    pairs(bencher, &rotations(1), &rotations(2), |a, b| a.nlerp(b, fx!(0.3)));
}

#[divan::bench]
fn quat_from_axis_angle(bencher: Bencher) {
    pairs(bencher, &vectors(1), &vectors(2), |a, b| Quat::from_axis_angle(a, b.x));
}

#[divan::bench]
fn mat3_from_quat(bencher: Bencher) {
    pairs(bencher, &rotations(1), &vectors(2), |q, _| Mat3::from_quat(q));
}

#[divan::bench]
fn mat3_mul_vec3(bencher: Bencher) {
    pairs(bencher, &matrices(1), &vectors(2), |m, v| m.mul_vec3(v));
}

#[divan::bench]
fn mat3_mul_mat3(bencher: Bencher) {
    pairs(bencher, &matrices(1), &matrices(2), |a, b| a.mul_mat3(&b));
}

#[divan::bench]
fn mat3_try_inverse(bencher: Bencher) {
    pairs(bencher, &matrices(1), &vectors(2), |m, _| m.try_inverse());
}

#[divan::bench]
fn symmetric_rotated(bencher: Bencher) {
    pairs(bencher, &tensors(1), &rotations(2), SymmetricMat3::rotated);
}

#[divan::bench]
fn pose_compose(bencher: Bencher) {
    pairs(bencher, &poses(1), &poses(2), Pose::mul_pose);
}

#[divan::bench]
fn pose_transform_point(bencher: Bencher) {
    pairs(bencher, &poses(1), &vectors(2), Pose::transform_point);
}

#[divan::bench]
fn pose_relative_to(bencher: Bencher) {
    pairs(bencher, &poses(1), &poses(2), Pose::relative_to);
}
