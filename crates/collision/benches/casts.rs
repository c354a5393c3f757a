//! Times of distances, rays and casts per pair: over 256 pairs that are apart and mostly hit.

use divan::{Bencher, black_box, counter::ItemsCount};
use isostep_collision::{Capsule, HalfSpace, Obb, Ray, Shape, Sphere, cast_ray, cast_shape, distance};
use isostep_math::random::Rng;
use isostep_math::{Quat, Vec3, fx};

const PAIRS: usize = 256;
const KINDS: [&str; 5] = ["sphere", "capsule", "box", "aligned box", "half-space"];

fn main() {
    divan::main();
}

fn shape(kind: &str, center: Vec3, rng: &mut Rng) -> Shape {
    let extent = |rng: &mut Rng| rng.fx_range(fx!(0.3), fx!(1.5));
    match kind {
        "sphere" => Sphere::new(center, extent(rng)).unwrap().into(),
        "capsule" => {
            let half = rng.unit_vec3() * extent(rng);
            Capsule::new(center - half, center + half, fx!(0.3)).unwrap().into()
        }
        "half-space" => HalfSpace::new(center, (-center).normalize_or(Vec3::Y)).unwrap().into(),
        _ => {
            let rotation = if kind == "box" { rng.unit_quat().normalize() } else { Quat::IDENTITY };
            let halves = Vec3::new(extent(rng), extent(rng), extent(rng));
            Obb::new(center, halves, rotation).unwrap().into()
        }
    }
}

/// Shapes around the origin and 5 m away from it, and ways that meet most of them.
fn pairs(a: &str, b: &str) -> Vec<(Shape, Shape, Vec3)> {
    let mut rng = Rng::new(1, 0);
    (0..PAIRS)
        .map(|_| {
            let center = rng.unit_vec3() * fx!(5);
            let first = shape(a, Vec3::ZERO, &mut rng);
            let second = shape(b, center, &mut rng);
            let way = (center + rng.unit_vec3()) * fx!(2);
            (first, second, way)
        })
        .collect()
}

fn run<T>(bencher: Bencher, pairs: &[(Shape, Shape, Vec3)], ask: impl Fn(&(Shape, Shape, Vec3)) -> T + Sync) {
    bencher.counter(ItemsCount::new(PAIRS)).bench(|| {
        for pair in pairs {
            black_box(ask(black_box(pair)));
        }
    });
}

#[divan::bench(args = KINDS)]
fn ray(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("sphere", kind), |(_, target, way)| cast_ray(target, &Ray::new(Vec3::ZERO, *way)));
}

#[divan::bench(args = KINDS)]
fn ray_that_misses(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("sphere", kind), |(_, target, way)| cast_ray(target, &Ray::new(Vec3::ZERO, -*way)));
}

#[divan::bench(args = KINDS)]
fn cast_of_sphere(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("sphere", kind), |(a, b, way)| cast_shape(a, *way, b));
}

#[divan::bench(args = KINDS)]
fn cast_of_capsule(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("capsule", kind), |(a, b, way)| cast_shape(a, *way, b));
}

#[divan::bench(args = KINDS)]
fn cast_of_box(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("box", kind), |(a, b, way)| cast_shape(a, *way, b));
}

#[divan::bench(args = KINDS)]
fn distance_of_sphere(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("sphere", kind), |(a, b, _)| distance(a, b));
}

#[divan::bench(args = KINDS)]
fn distance_of_capsule(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("capsule", kind), |(a, b, _)| distance(a, b));
}

#[divan::bench(args = KINDS)]
fn distance_of_box(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("box", kind), |(a, b, _)| distance(a, b));
}

#[divan::bench(args = KINDS)]
fn distance_of_aligned_box(bencher: Bencher, kind: &str) {
    run(bencher, &pairs("aligned box", kind), |(a, b, _)| distance(a, b));
}
