//! Pairs of boxes: the separating axes and whole manifolds in batches, and the exact questions one at a time.
//!
//! Scenes: `resting` pairs all touch along faces, some turned; `tumbling` pairs lie in random poses with
//! overlapping axis-aligned boxes, as a tree hands them on. The number of hits is printed first. The `pyramid` is the
//! settled one of 465 boxes, on a box or on a half-space, alone or with a ball beside each box of its base.

use divan::{Bencher, black_box, counter::ItemsCount};
use isostep_collision::manifold::{
    PosedBoxes, PosedShapes, PosedSpheres, box_manifolds, manifold, manifolds as mixed_manifolds,
    sphere_manifolds,
};
use isostep_collision::{HalfSpace, Obb, Shape, Sphere, overlap, penetration_of};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx};

fn main() {
    for (name, scene) in [("resting", resting()), ("tumbling", tumbling())] {
        let mut manifolds = Vec::new();
        box_manifolds(&scene.posed, &scene.pairs, fx!(0.02), &mut manifolds);
        let hits = manifolds.len();
        let points: usize = manifolds.iter().map(|(_, manifold)| manifold.points().len()).sum();
        println!("{name}: {} pairs, {hits} hit, {points} points", scene.pairs.len());
    }
    for name in PYRAMIDS {
        let scene = Pyramid::new(name);
        let mut manifolds = Vec::new();
        mixed_manifolds(&scene.posed, &scene.pairs, fx!(0.02), &mut manifolds);
        let points: usize = manifolds.iter().map(|(_, manifold)| manifold.points().len()).sum();
        println!("{name}: {} pairs, {} hit, {points} points", scene.pairs.len(), manifolds.len());
    }
    divan::main();
}

struct Scene {
    boxes: Vec<Obb>,
    posed: PosedBoxes,
    pairs: Vec<(u32, u32)>,
}

const PAIRS: u32 = 1024;

impl Scene {
    fn new(boxes: Vec<Obb>) -> Self {
        let posed = boxes.iter().collect();
        Self { boxes, posed, pairs: (0..PAIRS).map(|pair| (2 * pair, 2 * pair + 1)).collect() }
    }
}

/// Boxes of 1 m on boxes of 1 m, turned about the vertical, a hair deep.
fn resting() -> Scene {
    let mut rng = Rng::new(1, 1);
    let mut boxes = Vec::new();
    for _ in 0..PAIRS {
        let half = Vec3::splat(Fx::HALF);
        let lower = Vec3::new(rng.fx_range(fx!(-50), fx!(50)), Fx::HALF, rng.fx_range(fx!(-50), fx!(50)));
        let slide =
            Vec3::new(rng.fx_range(fx!(-0.4), fx!(0.4)), fx!(0.999), rng.fx_range(fx!(-0.4), fx!(0.4)));
        let turn = if rng.bool() { Fx::ZERO } else { rng.angle() };
        boxes.push(Obb::new(lower, half, Quat::IDENTITY).unwrap());
        boxes.push(Obb::new(lower + slide, half, Quat::from_rotation_y(turn)).unwrap());
    }
    Scene::new(boxes)
}

/// Boxes of 0.4 m to 1.2 m in random poses whose axis-aligned boxes overlap.
fn tumbling() -> Scene {
    let mut rng = Rng::new(2, 1);
    let mut boxes = Vec::new();
    let pose = |rng: &mut Rng, around: Vec3| {
        let mut side = || rng.fx_range(fx!(0.2), fx!(0.6));
        let half = Vec3::new(side(), side(), side());
        let offset = rng.unit_vec3() * rng.fx_range(fx!(0), fx!(1.4));
        Obb::new(around + offset, half, rng.unit_quat()).unwrap()
    };
    while boxes.len() < 2 * PAIRS as usize {
        let around = rng.unit_vec3() * fx!(40);
        let (a, b) = (pose(&mut rng, around), pose(&mut rng, around));
        if a.to_aabb().overlaps(&b.to_aabb()) {
            boxes.extend([a, b]);
        }
    }
    Scene::new(boxes)
}

#[divan::bench(args = ["resting", "tumbling"])]
fn manifolds(bencher: Bencher, name: &str) {
    let scene = if name == "resting" { resting() } else { tumbling() };
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        box_manifolds(black_box(&scene.posed), black_box(&scene.pairs), fx!(0.02), &mut out);
        black_box(out.len())
    });
}

/// The same pairs moved apart by more than the margin: the price of the axes with early out.
#[divan::bench]
fn apart(bencher: Bencher) {
    let mut scene = resting();
    for index in (1..scene.boxes.len()).step_by(2) {
        let b = scene.boxes[index];
        let moved = Obb::new(b.center() + Vec3::Y * fx!(0.1), b.half_extents(), b.rotation()).unwrap();
        scene.posed.set(index, &moved);
    }
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        box_manifolds(black_box(&scene.posed), black_box(&scene.pairs), fx!(0.02), &mut out);
        black_box(out.len())
    });
}

#[divan::bench]
fn overlaps_exact(bencher: Bencher) {
    let scene = tumbling();
    let shapes: Vec<Shape> = scene.boxes.iter().map(|&obb| obb.into()).collect();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        scene
            .pairs
            .iter()
            .filter(|&&(a, b)| overlap::overlaps(black_box(&shapes[a as usize]), &shapes[b as usize]))
            .count()
    });
}

#[divan::bench]
fn penetration_exact(bencher: Bencher) {
    let scene = tumbling();
    let shapes: Vec<Shape> = scene.boxes.iter().map(|&obb| obb.into()).collect();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        scene
            .pairs
            .iter()
            .filter(|&&(a, b)| penetration_of(black_box(&shapes[a as usize]), &shapes[b as usize]).is_some())
            .count()
    });
}

/// Pairs of spheres of which seven in eight touch.
#[divan::bench]
fn spheres(bencher: Bencher) {
    let mut rng = Rng::new(3, 1);
    let mut spheres = PosedSpheres::new();
    for pair in 0..PAIRS {
        let center = rng.unit_vec3() * fx!(50);
        let apart = if pair % 8 == 0 { fx!(1.1) } else { fx!(0.99) };
        spheres.push(&Sphere::new(center, Fx::HALF).unwrap());
        spheres.push(&Sphere::new(center + rng.unit_vec3() * apart, Fx::HALF).unwrap());
    }
    let pairs: Vec<_> = (0..PAIRS).map(|pair| (2 * pair, 2 * pair + 1)).collect();
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(PAIRS)).bench_local(|| {
        sphere_manifolds(black_box(&spheres), black_box(&pairs), fx!(0.02), &mut out);
        assert_eq!(out.len(), PAIRS as usize / 8 * 7);
    });
}

const PYRAMIDS: [&str; 3] = ["on a box", "on a half-space", "with balls"];

/// Thirty rows of boxes of 1 m, a hair deep in each other, and turned and moved a little, as they lie after a while.
struct Pyramid {
    shapes: Vec<(Shape, Pose)>,
    posed: PosedShapes,
    pairs: Vec<(u32, u32)>,
}

impl Pyramid {
    fn new(name: &str) -> Self {
        let mut rng = Rng::new(4, 1);
        let below: Shape = Obb::from_half_extents(Vec3::new(fx!(100), fx!(1), fx!(100))).unwrap().into();
        let mut shapes = vec![match name {
            "on a half-space" => (HalfSpace::ground(fx!(0)).into(), Pose::IDENTITY),
            _ => (below, Pose::from_translation(-Vec3::Y)),
        }];
        let crate_: Shape = Obb::from_half_extents(Vec3::splat(Fx::HALF)).unwrap().into();
        let ball: Shape = Sphere::from_radius(Fx::HALF).unwrap().into();
        for row in 0..30 {
            for column in 0..30 - row {
                let x = Fx::from_int(column) * fx!(1.05) + Fx::from_int(row) * fx!(0.525);
                let mut noise = || rng.fx_range(fx!(-0.002), fx!(0.002));
                let offset = Vec3::new(noise(), noise() / fx!(10), noise());
                let turn = Quat::from_rotation_y(noise()) * Quat::from_rotation_z(noise() / fx!(10));
                let center = Vec3::new(x, Fx::HALF + Fx::from_int(row) * fx!(0.999), fx!(0)) + offset;
                shapes.push((crate_, Pose::new(turn.normalize(), center)));
                if row == 0 && name == "with balls" {
                    for aside in 1..4 {
                        shapes.push((ball, Pose::new(turn, center + Vec3::Z * Fx::from_int(aside))));
                    }
                }
            }
        }
        let posed: PosedShapes = shapes.iter().map(|(shape, pose)| (shape, pose)).collect();
        let margin = fx!(0.01);
        let aabbs: Vec<_> =
            (0..shapes.len()).map(|index| posed.world(index).to_aabb().expand(margin)).collect();
        let mut pairs = Vec::new();
        for a in 0..aabbs.len() {
            let others = a + 1..aabbs.len();
            pairs.extend(others.filter(|&b| aabbs[a].overlaps(&aabbs[b])).map(|b| (a as u32, b as u32)));
        }
        Self { shapes, posed, pairs }
    }
}

#[divan::bench(args = PYRAMIDS)]
fn pyramid(bencher: Bencher, name: &str) {
    let scene = Pyramid::new(name);
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(scene.pairs.len())).bench_local(|| {
        mixed_manifolds(black_box(&scene.posed), black_box(&scene.pairs), fx!(0.02), &mut out);
        black_box(out.len())
    });
}

/// The pyramid on a box through the function for boxes alone.
#[divan::bench]
fn pyramid_by_box_manifolds(bencher: Bencher) {
    let scene = Pyramid::new("on a box");
    let world = |(shape, pose): &(Shape, Pose)| match shape.transformed(pose) {
        Shape::Box(obb) => obb,
        _ => unreachable!("boxes on a box"),
    };
    let boxes: Vec<Obb> = scene.shapes.iter().map(world).collect();
    let posed: PosedBoxes = boxes.iter().collect();
    let mut out = Vec::new();
    bencher.counter(ItemsCount::new(scene.pairs.len())).bench_local(|| {
        box_manifolds(black_box(&posed), black_box(&scene.pairs), fx!(0.02), &mut out);
        black_box(out.len())
    });
}

#[divan::bench]
fn pyramid_one_at_a_time(bencher: Bencher) {
    let scene = Pyramid::new("on a box");
    let of = |index: u32| black_box(&scene.shapes[index as usize]);
    bencher.counter(ItemsCount::new(scene.pairs.len())).bench_local(|| {
        let found = scene.pairs.iter().map(|&(a, b)| {
            let ((a, pose_a), (b, pose_b)) = (of(a), of(b));
            manifold(a, pose_a, b, pose_b, fx!(0.02))
        });
        found.filter(|manifold| !manifold.is_empty()).count()
    });
}

/// Posing the shapes of the pyramid, once a step.
#[divan::bench]
fn pyramid_posed(bencher: Bencher) {
    let mut scene = Pyramid::new("on a box");
    bencher.counter(ItemsCount::new(scene.shapes.len())).bench_local(|| {
        for (index, (shape, pose)) in scene.shapes.iter().enumerate() {
            scene.posed.set(index, black_box(shape), black_box(pose));
        }
    });
}
