//! Speed of the dynamic tree on a settled pile: 10,000 boxes of 0.8 to 1.2 m, 32 × 32 × 10 m, on one ground.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use isostep_collision::tree::{DynamicTree, Layers, TreeItem};
use isostep_collision::{Aabb, Ray};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};

const BOXES: u32 = 10_000;
const MOVERS: u32 = 1_000;

/// Steps until a mover turns around.
const STRIDE: u32 = 32;

fn main() {
    let mut tree = settled();
    let mut pairs = Vec::new();
    tree.pairs(&mut pairs);
    let of_ground = pairs.iter().filter(|(_, b)| *b == BOXES).count();
    let each = (pairs.len() - of_ground) * 2 * 10 / BOXES as usize;
    println!(
        "{BOXES} boxes: {} pairs, {of_ground} of them with the ground; {}.{} neighbours each",
        pairs.len(),
        each / 10,
        each % 10
    );
    let (mut visits, mut hits) = (0, 0);
    let rays = rays();
    for ray in &rays {
        hits += usize::from(nearest(&tree, ray, &mut visits).is_some());
    }
    println!("{} rays of 100 m: {hits} hit, {visits} leaves visited", rays.len());
    let mut found = Vec::new();
    let found: usize = boxes(1000)
        .iter()
        .map(|aabb| {
            tree.query_aabb(aabb, u32::MAX, &mut found);
            found.len()
        })
        .sum();
    println!("1000 queries by boxes of 3 m: {found} leaves found");
    divan::main();
}

fn items() -> Vec<TreeItem> {
    let mut rng = Rng::new(1, 1);
    let mut items: Vec<TreeItem> = (0..BOXES)
        .map(|id| {
            let place = [id % 32, id / 1024, id / 32 % 32].map(|i| Fx::from_int(i as i32));
            let mut jitter = || rng.fx_range(fx!(-0.1), fx!(0.1));
            let center = Vec3::from_array(place) + vec3(jitter(), jitter(), jitter());
            let mut half = || rng.fx_range(fx!(0.4), fx!(0.6));
            let half = vec3(half(), half(), half());
            let aabb = Aabb::from_center_half_extents(center, half).unwrap();
            TreeItem { id, aabb, layers: Layers::ALL }
        })
        .collect();
    // Bodies do not come sorted by place.
    for i in (1..items.len()).rev() {
        let j = rng.below(i as u32 + 1) as usize;
        let (a, b) = (items[i].aabb, items[j].aabb);
        (items[i].aabb, items[j].aabb) = (b, a);
    }
    let ground = Aabb::new(vec3(fx!(-50), fx!(-2), fx!(-50)), vec3(fx!(100), fx!(-0.5), fx!(100))).unwrap();
    items.push(TreeItem { id: BOXES, aabb: ground, layers: Layers::ALL });
    items
}

fn settled() -> DynamicTree {
    let mut tree = DynamicTree::new();
    tree.build(&items()).unwrap();
    tree
}

fn rays() -> Vec<Ray> {
    let mut rng = Rng::new(2, 2);
    (0..1000)
        .map(|_| {
            let mut within = |low: Fx, high: Fx| rng.fx_range(low, high);
            let target = vec3(within(fx!(0), fx!(32)), within(fx!(0), fx!(10)), within(fx!(0), fx!(32)));
            let origin = vec3(within(fx!(-40), fx!(70)), within(fx!(2), fx!(40)), within(fx!(-40), fx!(70)));
            Ray::new(origin, (target - origin).normalize() * fx!(100))
        })
        .collect()
}

fn boxes(count: usize) -> Vec<Aabb> {
    let mut rng = Rng::new(3, 3);
    let mut center =
        || vec3(rng.fx_range(fx!(0), fx!(32)), rng.fx_range(fx!(0), fx!(10)), rng.fx_range(fx!(0), fx!(32)));
    (0..count).map(|_| Aabb::from_center_half_extents(center(), Vec3::splat(fx!(1.5))).unwrap()).collect()
}

fn nearest(tree: &DynamicTree, ray: &Ray, visits: &mut usize) -> Option<u32> {
    let hit = tree.closest_hit(ray, u32::MAX, |_, entry| {
        *visits += 1;
        Some(entry)
    });
    hit.map(|hit| hit.id)
}

#[divan::bench]
fn build_10_000(bencher: Bencher) {
    let items = items();
    let mut tree = settled();
    bencher.bench_local(|| tree.build(black_box(&items)).unwrap());
}

#[divan::bench]
fn build_10_000_and_first_pairs(bencher: Bencher) {
    let items = items();
    let (mut tree, mut pairs) = (settled(), Vec::new());
    bencher.bench_local(|| {
        tree.build(black_box(&items)).unwrap();
        tree.pairs(&mut pairs);
        pairs.len()
    });
}

#[divan::bench]
fn insert_10_000_one_by_one(bencher: Bencher) {
    let items = items();
    let mut tree = DynamicTree::new();
    bencher.bench_local(|| {
        tree.clear();
        for item in &items {
            tree.insert(item.id, &item.aabb, item.layers).unwrap();
        }
    });
}

#[divan::bench]
fn all_pairs_of_10_000_at_rest(bencher: Bencher) {
    let (mut tree, mut pairs) = (settled(), Vec::new());
    bencher.bench_local(|| {
        tree.pairs(&mut pairs);
        pairs.len()
    });
}

/// One step: 1,000 of the 10,000 get their new boxes, then the pairs that involve them. Argument: mm per second on
/// average, at 60 steps per second. Counted are those that leave their fat boxes.
#[divan::bench(args = [0, 100, 500, 2_000, 10_000])]
fn move_1_000_and_their_pairs(bencher: Bencher, speed: i32) {
    let mut tree = settled();
    let mut rng = Rng::new(4, 4);
    let items = items();
    let movers: Vec<u32> = (0..MOVERS).map(|i| i * 10 + rng.below(10)).collect();
    let velocities: Vec<Vec3> = movers
        .iter()
        .map(|_| {
            let mut part = || rng.fx_range(fx!(-1), fx!(1));
            let direction = vec3(part(), part(), part()).normalize();
            // Equal speeds would leave their fat boxes in the same steps.
            direction * Fx::from_ratio(speed.into(), 60 * 1000) * rng.fx_range(fx!(0.5), fx!(1.5))
        })
        .collect();
    // All places on the ways there and back are made beforehand; the turns are spread over time.
    let steps: Vec<Vec<Aabb>> = (0..2 * STRIDE)
        .map(|step| {
            let places = movers.iter().zip(&velocities);
            places
                .map(|(&id, &velocity)| {
                    let phase = (step + id) % (2 * STRIDE);
                    let way = Fx::from_int(phase.min(2 * STRIDE - phase) as i32);
                    items[id as usize].aabb.translate(velocity * way)
                })
                .collect()
        })
        .collect();
    let mut pairs = Vec::new();
    let mut step = 0;
    let mut run = |count: usize| {
        let mut changed = 0;
        for _ in 0..count {
            step = (step + 1) % steps.len();
            for (&id, aabb) in movers.iter().zip(&steps[step]) {
                changed += u32::from(tree.update(id, aabb).unwrap());
            }
            tree.pairs_of(&movers, &mut pairs).unwrap();
            black_box(&pairs);
        }
        changed
    };
    run(2 * STRIDE as usize);
    let changed = run(10 * STRIDE as usize) / (10 * STRIDE);
    bencher.counter(ItemsCount::new(changed)).bench_local(|| run(1));
}

/// One step of a world: 1,000 of the boxes are awake and fall slowly through ten thousand that are static, which form
/// no pairs among each other. Argument: mm per second.
#[divan::bench(args = [0, 1_000])]
fn step_1_000_awake_among_10_000_static(bencher: Bencher, speed: i32) {
    let mut rng = Rng::new(5, 5);
    let mut items = items();
    let static_ones = Layers { membership: 1, filter: 2 };
    let awake_ones = Layers { membership: 2, filter: 3 };
    items.iter_mut().for_each(|item| item.layers = static_ones);
    let awake: Vec<u32> = (BOXES + 1..=BOXES + MOVERS).collect();
    for &id in &awake {
        let aabb = items[rng.below(BOXES) as usize].aabb.translate(rng.unit_vec3());
        items.push(TreeItem { id, aabb, layers: awake_ones });
    }
    let mut tree = DynamicTree::new();
    tree.build(&items).unwrap();
    let fall = Vec3::Y * Fx::from_ratio((-speed).into(), 60 * 1000);
    let (mut step, mut pairs) = (0, Vec::new());
    bencher.bench_local(|| {
        step = (step + 1) % (2 * STRIDE);
        let way = fall * Fx::from_int(step.min(2 * STRIDE - step) as i32);
        for &id in &awake {
            tree.update(id, &items[id as usize].aabb.translate(way)).unwrap();
        }
        tree.pairs_of(&awake, &mut pairs).unwrap();
        pairs.len()
    });
}

/// One step of a pyramid of 465 boxes of 1 m on a ground, all in contact, that move by micrometres.
#[divan::bench]
fn step_465_boxes_in_contact(bencher: Bencher) {
    let ground = Aabb::new(vec3(fx!(-50), fx!(-2), fx!(-50)), vec3(fx!(50), fx!(0), fx!(50))).unwrap();
    let mut items = vec![TreeItem { id: 0, aabb: ground, layers: Layers::ALL }];
    for row in 0..30 {
        for column in 0..30 - row {
            let x = Fx::from_ratio((2 * column + row).into(), 2);
            let center = vec3(x, Fx::from_int(row) + Fx::HALF, fx!(0));
            let aabb = Aabb::from_center_half_extents(center, Vec3::splat(fx!(0.52))).unwrap();
            items.push(TreeItem { id: items.len() as u32, aabb, layers: Layers::ALL });
        }
    }
    let mut tree = DynamicTree::new();
    tree.build(&items).unwrap();
    let awake: Vec<u32> = (1..items.len() as u32).collect();
    let mut rng = Rng::new(6, 6);
    let steps: Vec<Vec<Aabb>> = (0..16)
        .map(|_| {
            awake
                .iter()
                .map(|&id| items[id as usize].aabb.translate(rng.unit_vec3() * fx!(0.00001)))
                .collect()
        })
        .collect();
    let (mut step, mut pairs) = (0, Vec::new());
    bencher.bench_local(|| {
        step = (step + 1) % steps.len();
        for (&id, aabb) in awake.iter().zip(&steps[step]) {
            tree.update(id, aabb).unwrap();
        }
        tree.pairs_of(&awake, &mut pairs).unwrap();
        pairs.len()
    });
}

#[divan::bench]
fn nearest_box_along_100_m(bencher: Bencher) {
    let (tree, rays) = (settled(), rays());
    let (mut next, mut visits) = (0, 0);
    bencher.bench_local(|| {
        next = (next + 1) % rays.len();
        nearest(&tree, black_box(&rays[next]), &mut visits)
    });
}

#[divan::bench]
fn all_boxes_along_100_m(bencher: Bencher) {
    let (tree, rays) = (settled(), rays());
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % rays.len();
        let mut count = 0;
        tree.ray(black_box(&rays[next]), u32::MAX, |_, _| {
            count += 1;
            Fx::ONE
        });
        count
    });
}

#[divan::bench]
fn nearest_box_in_the_way_of_one_of_1_m(bencher: Bencher) {
    let (tree, rays) = (settled(), rays());
    let mut next = 0;
    bencher.bench_local(|| {
        next = (next + 1) % rays.len();
        let ray = black_box(&rays[next]);
        let moving = Aabb::from_center_half_extents(ray.origin(), Vec3::splat(fx!(0.5))).unwrap();
        tree.closest_cast(&moving, ray.displacement(), u32::MAX, |_, entry| Some(entry))
    });
}

#[divan::bench]
fn query_by_3_m(bencher: Bencher) {
    let (tree, boxes) = (settled(), boxes(1000));
    let (mut next, mut found) = (0, Vec::new());
    bencher.bench_local(|| {
        next = (next + 1) % boxes.len();
        tree.query_aabb(black_box(&boxes[next]), u32::MAX, &mut found);
        found.len()
    });
}
