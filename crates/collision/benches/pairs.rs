//! Single pairs: distances of shapes that are apart, penetrations of those that are not, and manifolds of rounded ones.

use divan::{Bencher, black_box, counter::ItemsCount};
use isostep_collision::{Capsule, Obb, Shape, Sphere, distance, manifold, penetration_of};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3, fx};

fn main() {
    divan::main();
}

const PAIRS: usize = 1024;
const KINDS: [&str; 6] =
    ["sphere box", "capsule sphere", "capsule capsule", "capsule box", "box sphere", "box box"];

fn shape(rng: &mut Rng, kind: &str, center: Vec3) -> Shape {
    let mut side = || rng.fx_range(fx!(0.2), fx!(0.6));
    match kind {
        "sphere" => Sphere::new(center, side()).unwrap().into(),
        "capsule" => {
            let (length, radius) = (side(), side());
            let way = rng.unit_vec3() * length;
            Capsule::new(center - way, center + way, radius).unwrap().into()
        }
        _ => {
            let half = Vec3::new(side(), side(), side());
            Obb::new(center, half, rng.unit_quat()).unwrap().into()
        }
    }
}

/// Pairs of the two kinds in random poses, `apart` between the centres.
fn pairs(kinds: &str, apart: Fx) -> Vec<(Shape, Shape)> {
    let mut rng = Rng::new(4, 1);
    let (first, second) = kinds.split_once(' ').unwrap();
    let mut pair = |_| {
        let center = rng.unit_vec3() * fx!(50);
        let way = rng.unit_vec3() * apart;
        (shape(&mut rng, first, center), shape(&mut rng, second, center + way))
    };
    (0..PAIRS).map(&mut pair).collect()
}

#[divan::bench(args = KINDS)]
fn distances(bencher: Bencher, kinds: &str) {
    let pairs = pairs(kinds, fx!(2));
    bencher
        .counter(ItemsCount::new(PAIRS))
        .bench_local(|| pairs.iter().filter(|(a, b)| distance(black_box(a), b) > Fx::ZERO).count());
}

#[divan::bench(args = KINDS)]
fn penetrations(bencher: Bencher, kinds: &str) {
    let pairs = pairs(kinds, fx!(0.4));
    bencher
        .counter(ItemsCount::new(PAIRS))
        .bench_local(|| pairs.iter().filter(|(a, b)| penetration_of(black_box(a), b).is_some()).count());
}

#[divan::bench(args = &KINDS[..5])]
fn manifolds(bencher: Bencher, kinds: &str) {
    let pairs = pairs(kinds, fx!(0.8));
    let still = Pose::IDENTITY;
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        let hits = |(a, b): &&(Shape, Shape)| {
            !manifold::manifold(black_box(a), &still, b, &still, fx!(0.02)).is_empty()
        };
        pairs.iter().filter(hits).count()
    });
}
