//! The laws of the dynamic tree: its answers are those of looking at every leaf, whatever became of it before.

use isostep_collision::tree::{DynamicTree, Layers, MAX_LEAVES, SweepHit, TreeError, TreeItem};
use isostep_collision::{Aabb, Ray};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};
use std::collections::{BTreeMap, BTreeSet};

type Pairs = Vec<(u32, u32)>;

/// Everything a tree is asked in these tests, in one value.
#[derive(Debug, PartialEq, Eq)]
struct Answers {
    pairs: Pairs,
    pairs_of_moved: Pairs,
    found: Vec<Vec<u32>>,
    rays: Vec<Vec<(u32, Fx)>>,
    nearest: Vec<Option<SweepHit>>,
    casts: Vec<Vec<(u32, Fx)>>,
}

struct Questions {
    moved: Vec<u32>,
    boxes: Vec<(Aabb, u32)>,
    rays: Vec<(Ray, u32)>,
    casts: Vec<(Aabb, Vec3, u32)>,
}

fn nth_word(rng: &mut Rng) -> i64 {
    rng.next_u64() as i64
}

fn point(rng: &mut Rng, reach: Fx) -> Vec3 {
    let mut coordinate = || rng.fx_range(-reach, reach);
    vec3(coordinate(), coordinate(), coordinate())
}

fn aabb(rng: &mut Rng, reach: Fx) -> Aabb {
    let half =
        vec3(rng.fx_range(fx!(0), fx!(1)), rng.fx_range(fx!(0.1), fx!(1)), rng.fx_range(fx!(0), fx!(2)));
    Aabb::from_center_half_extents(point(rng, reach), half).unwrap()
}

fn layers(rng: &mut Rng) -> Layers {
    match rng.below(24) {
        0..6 => Layers { membership: 1, filter: !1 },
        6..12 => Layers { membership: 6, filter: u32::MAX },
        12 => Layers { membership: 0, filter: u32::MAX },
        13 => Layers { membership: u32::MAX, filter: 0 },
        _ => Layers::ALL,
    }
}

/// Boxes as raw bits, corners in order.
fn wild_aabb(rng: &mut Rng) -> Aabb {
    let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    let mut word = || {
        let any = nth_word(rng);
        let narrow = rng.below(64);
        Fx::from_bits(match rng.below(3) {
            0 => ends[rng.below(7) as usize],
            1 => any >> narrow,
            _ => any,
        })
    };
    let (a, b) = (vec3(word(), word(), word()), vec3(word(), word(), word()));
    Aabb::from_points([a, b])
}

fn wild_vector(rng: &mut Rng) -> Vec3 {
    if rng.below(2) == 0 { wild_aabb(rng).min() } else { wild_aabb(rng).max() }
}

fn questions(rng: &mut Rng, items: &[TreeItem], reach: Fx) -> Questions {
    let mut moved: Vec<u32> = items.iter().filter(|_| rng.below(3) == 0).map(|item| item.id).collect();
    moved.extend_from_within(..moved.len() / 4);
    rng.shuffle(&mut moved);
    let mask = |rng: &mut Rng| if rng.below(4) == 0 { 6 } else { u32::MAX };
    let boxes = (0..10).map(|_| (aabb(rng, reach).expand(fx!(1)), mask(rng))).collect();
    let rays = (0..10)
        .map(|i| {
            let mut displacement = point(rng, reach * fx!(2));
            if i % 3 == 0 {
                displacement *= [Vec3::X, Vec3::Y, Vec3::Z][rng.below(3) as usize];
            }
            let ray = Ray::new(point(rng, reach), displacement);
            (ray.with_max_fraction(rng.fx_range(fx!(0.5), fx!(2))), mask(rng))
        })
        .collect();
    let casts = (0..10).map(|_| (aabb(rng, reach), point(rng, reach), mask(rng))).collect();
    Questions { moved, boxes, rays, casts }
}

fn wild_questions(rng: &mut Rng, items: &[TreeItem]) -> Questions {
    let moved = items.iter().filter(|_| rng.below(3) == 0).map(|item| item.id).collect();
    let boxes = (0..20).map(|_| (wild_aabb(rng), u32::MAX)).collect();
    let rays = (0..20).map(|_| (Ray::new(wild_vector(rng), wild_vector(rng)), u32::MAX)).collect();
    let casts = (0..20).map(|_| (wild_aabb(rng), wild_vector(rng), u32::MAX)).collect();
    Questions { moved, boxes, rays, casts }
}

/// Where the contents of a box are hit, in these tests: some way behind its surface, so that boxes behind may be
/// nearer, and often at one fraction with others.
fn hit_inside(id: u32, entry: Fx) -> Option<Fx> {
    let steps = fx!(16);
    let later = (entry * steps + Fx::from_int((id % 3) as i32)).ceil() / steps;
    (id % 5 != 0 && later <= Fx::ONE).then_some(later)
}

fn ask(tree: &mut DynamicTree, questions: &Questions) -> Answers {
    let (mut pairs, mut pairs_of_moved) = (vec![(9, 9)], vec![(9, 9)]);
    // The order matters to caches only.
    if questions.moved.len() % 2 == 0 {
        tree.pairs(&mut pairs);
        tree.pairs_of(&questions.moved, &mut pairs_of_moved).unwrap();
    } else {
        tree.pairs_of(&questions.moved, &mut pairs_of_moved).unwrap();
        tree.pairs(&mut pairs);
    }
    let found = |(aabb, mask): &(Aabb, u32)| {
        let mut found = vec![9];
        tree.query_aabb(aabb, *mask, &mut found);
        let mut tested = Vec::new();
        let none = tree.any_in_aabb(aabb, *mask, |id| {
            tested.push(id);
            false
        });
        tested.sort_unstable();
        assert_eq!((none, &tested), (false, &found));
        assert_eq!(tree.any_in_aabb(aabb, *mask, |id| id % 2 == 0), found.iter().any(|id| id % 2 == 0));
        found
    };
    let ray = |(ray, mask): &(Ray, u32)| {
        let mut hits = Vec::new();
        tree.ray(ray, *mask, |id, fraction| {
            hits.push((id, fraction));
            Fx::MAX
        });
        hits
    };
    let cast = |&(ref aabb, displacement, mask): &(Aabb, Vec3, u32)| {
        let mut hits = Vec::new();
        tree.cast(aabb, displacement, mask, |id, fraction| {
            hits.push((id, fraction));
            // The way to the third is enough.
            if hits.len() < 3 { Fx::ONE } else { fraction }
        });
        hits
    };
    Answers {
        found: questions.boxes.iter().map(found).collect(),
        rays: questions.rays.iter().map(ray).collect(),
        nearest: questions.rays.iter().map(|(ray, mask)| tree.closest_hit(ray, *mask, hit_inside)).collect(),
        casts: questions.casts.iter().map(cast).collect(),
        pairs,
        pairs_of_moved,
    }
}

/// The fraction where a moving box touches another, from the definition: the ray of its least corner against the
/// other box grown by its size, in 128-bit integers.
fn touch(moving: &Aabb, displacement: Vec3, other: &Aabb) -> Option<Fx> {
    let (mut entry, mut exit) = ((0_i128, 1_i128), (1_i128, 1_i128));
    let axes = [0, 1, 2].map(|axis| {
        let bits = |v: Vec3| i128::from(v.to_array()[axis].to_bits());
        (bits(other.min()) - bits(moving.max()), bits(other.max()) - bits(moving.min()), bits(displacement))
    });
    for (low, high, d) in axes {
        let (low, high, d) = if d < 0 { (-high, -low, -d) } else { (low, high, d) };
        if d == 0 && (low > 0 || high < 0) {
            return None;
        }
        if d > 0 {
            entry = if low * entry.1 > entry.0 * d { (low, d) } else { entry };
            exit = if high * exit.1 < exit.0 * d { (high, d) } else { exit };
        }
    }
    let touches = entry.0 * exit.1 <= exit.0 * entry.1;
    touches.then(|| Fx::from_bits(((entry.0 << 32) / entry.1) as i64))
}

fn brute_force(items: &[TreeItem], questions: &Questions) -> Answers {
    let mut items = items.to_vec();
    items.sort_unstable_by_key(|item| item.id);
    let mut pairs = Vec::new();
    for (i, a) in items.iter().enumerate() {
        for b in &items[i + 1..] {
            let admitted =
                a.layers.membership & b.layers.filter != 0 && b.layers.membership & a.layers.filter != 0;
            if admitted && a.aabb.overlaps(&b.aabb) {
                pairs.push((a.id, b.id));
            }
        }
    }
    let moved = &questions.moved;
    let of_moved = pairs.iter().copied().filter(|(a, b)| moved.contains(a) || moved.contains(b)).collect();
    let of_mask = |mask: u32| items.iter().filter(move |item| item.layers.membership & mask != 0);
    let sorted = |mut hits: Vec<(u32, Fx)>| {
        hits.sort_unstable_by_key(|&(id, fraction)| (fraction, id));
        hits
    };
    let along = |aabb: &Aabb, displacement: Vec3, mask: u32| {
        let hits = of_mask(mask).filter_map(|item| Some((item.id, touch(aabb, displacement, &item.aabb)?)));
        sorted(hits.collect())
    };
    let ray = |&(ray, mask): &(Ray, u32)| {
        let hits = of_mask(mask).filter_map(|item| Some((item.id, ray.enter_aabb(&item.aabb)?)));
        sorted(hits.collect())
    };
    let nearest = |question: &(Ray, u32)| {
        let inside = ray(question).into_iter().filter_map(|(id, entry)| {
            let fraction = hit_inside(id, entry).filter(|&fraction| fraction <= question.0.max_fraction())?;
            Some(SweepHit { id, fraction })
        });
        inside.min_by_key(|hit| (hit.fraction, hit.id))
    };
    let cast = |&(ref aabb, displacement, mask): &(Aabb, Vec3, u32)| {
        let hits = along(aabb, displacement, mask);
        match hits.get(2) {
            // Those at the fraction of the third are still visited.
            Some(&(_, third)) => hits.iter().copied().filter(|&(_, fraction)| fraction <= third).collect(),
            None => hits,
        }
    };
    Answers {
        pairs,
        pairs_of_moved: of_moved,
        found: questions
            .boxes
            .iter()
            .map(|(aabb, mask)| of_mask(*mask).filter(|i| i.aabb.overlaps(aabb)).map(|i| i.id).collect())
            .collect(),
        rays: questions.rays.iter().map(ray).collect(),
        nearest: questions.rays.iter().map(nearest).collect(),
        casts: questions.casts.iter().map(cast).collect(),
    }
}

/// A tree of `items` that got there on some way of its own.
fn grown_somehow(rng: &mut Rng, items: &[TreeItem], detour: impl Fn(&mut Rng) -> Aabb) -> DynamicTree {
    let margin = [fx!(0), fx!(0.05), fx!(3), Fx::MAX][rng.below(4) as usize];
    let mut tree = DynamicTree::with_margin(margin).unwrap();
    let mut order = items.to_vec();
    rng.shuffle(&mut order);
    let built = if rng.below(3) == 0 { rng.below(order.len() as u32 + 1) as usize } else { 0 };
    tree.build(&order[..built]).unwrap();
    let mut pairs = Vec::new();
    for item in &order[built..] {
        tree.insert(item.id, &item.aabb, item.layers).unwrap();
        if rng.below(50) == 0 {
            tree.pairs(&mut pairs);
        }
    }
    let max_id = items.iter().map(|item| item.id).max().unwrap_or(0);
    for _ in 0..rng.below(2 * items.len() as u32 + 1) {
        let item = items[rng.below(items.len() as u32) as usize];
        match rng.below(6) {
            0 => {
                tree.remove(item.id).unwrap();
                tree.insert(item.id, &detour(rng), layers(rng)).unwrap();
            }
            1 => {
                let guest = max_id + 1 + rng.below(9);
                if tree.contains(guest) {
                    tree.remove(guest).unwrap();
                } else {
                    tree.insert(guest, &detour(rng), layers(rng)).unwrap();
                }
            }
            2 => tree.pairs_of(&[item.id], &mut pairs).unwrap(),
            3 => tree.set_layers(item.id, layers(rng)).unwrap(),
            4 if rng.below(8) == 0 => {
                // Some of them twice, and guests.
                let most = [2, order.len() as u32 + 1][rng.below(2) as usize];
                let some: Vec<TreeItem> = (0..rng.below(most))
                    .map(|_| {
                        let id = match rng.below(10) {
                            0 => max_id + 1 + rng.below(9),
                            _ => items[rng.below(items.len() as u32) as usize].id,
                        };
                        TreeItem { id, aabb: detour(rng), layers: layers(rng) }
                    })
                    .collect();
                tree.place_all(&some).unwrap();
                let last = |&TreeItem { id, aabb, layers }: &TreeItem| {
                    let of_id = some.iter().rfind(|item| item.id == id);
                    of_id.is_some_and(|item| (item.aabb, item.layers) == (aabb, layers))
                };
                let ids: BTreeSet<u32> = some.iter().map(|item| item.id).collect();
                assert!(tree.iter().filter(|item| ids.contains(&item.id)).all(|item| last(&item)));
            }
            5 if rng.below(8) == 0 => {
                // Some of them twice, and some that are not there.
                let most = [2, order.len() as u32 + 1][rng.below(2) as usize];
                let some: Vec<(u32, Aabb)> = (0..rng.below(most))
                    .map(|_| (items[rng.below(items.len() as u32) as usize].id + rng.below(2), detour(rng)))
                    .collect();
                let before: BTreeMap<u32, Aabb> = tree.iter().map(|item| (item.id, item.aabb)).collect();
                tree.update_all(&some);
                let after = before.iter().map(|(&id, &aabb)| {
                    let last = some.iter().rfind(|(moved, aabb)| *moved == id && !aabb.is_empty());
                    (id, last.map_or(aabb, |(_, aabb)| *aabb))
                });
                assert!(tree.iter().map(|item| (item.id, item.aabb)).eq(after));
            }
            _ => {
                tree.update(item.id, &detour(rng)).unwrap();
            }
        }
    }
    if rng.below(4) == 0 {
        tree.rebuild();
    }
    for guest in max_id + 1..max_id + 10 {
        let _ = tree.remove(guest);
    }
    rng.shuffle(&mut order);
    match rng.below(3) {
        0 => {
            tree.place_all(&order).unwrap();
            return tree;
        }
        1 => tree.update_all(&order.iter().map(|item| (item.id, item.aabb)).collect::<Vec<_>>()),
        _ => order.iter().for_each(|item| assert!(tree.update(item.id, &item.aabb).is_ok())),
    }
    order.iter().for_each(|item| tree.set_layers(item.id, item.layers).unwrap());
    tree
}

fn scene(rng: &mut Rng, count: u32, mut aabb: impl FnMut(&mut Rng) -> Aabb) -> Vec<TreeItem> {
    // Ids with gaps.
    (0..count).map(|i| TreeItem { id: 3 * i + rng.below(3), aabb: aabb(rng), layers: layers(rng) }).collect()
}

#[test]
fn a_hundred_ways_to_the_same_content_give_the_answers_of_brute_force() {
    for (seed, reach) in [(1, fx!(3)), (2, fx!(6)), (3, fx!(12))] {
        let mut rng = Rng::new(seed, 0);
        let items = scene(&mut rng, 120, |rng| aabb(rng, reach));
        let questions = questions(&mut rng, &items, reach);
        let expected = brute_force(&items, &questions);
        assert!(!expected.pairs.is_empty() && expected.nearest.iter().any(Option::is_some));
        for way in 0..100 {
            let mut rng = Rng::new(seed, 1 + way);
            let mut tree = grown_somehow(&mut rng, &items, |rng| aabb(rng, reach));
            assert_eq!(ask(&mut tree, &questions), expected, "seed {seed}, way {way}");
            assert!(tree.iter().eq(items.iter().copied()), "seed {seed}, way {way}");
        }
    }
}

#[test]
fn any_bits_make_a_tree_that_is_right() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed, 7);
        let count = 1 + rng.below(40);
        let items = scene(&mut rng, count, wild_aabb);
        let questions = wild_questions(&mut rng, &items);
        let expected = brute_force(&items, &questions);
        for way in 0..4 {
            let mut tree = grown_somehow(&mut rng, &items, wild_aabb);
            assert_eq!(ask(&mut tree, &questions), expected, "seed {seed}, way {way}");
        }
    }
}

#[test]
fn rays_from_afar_and_near_parallel_to_an_axis_miss_nothing() {
    let mut rng = Rng::new(5, 5);
    let mut items = scene(&mut rng, 150, |rng| aabb(rng, fx!(20)));
    items.iter_mut().for_each(|item| item.layers = Layers::ALL);
    let mut tree = DynamicTree::new();
    tree.build(&items).unwrap();
    let mut hits = 0;
    for round in 0..3000 {
        let target = point(&mut rng, fx!(20));
        let distance = fx!(30) * Fx::from_int(1 << rng.below(25));
        let mut direction = point(&mut rng, fx!(1));
        if round % 2 == 0 {
            // A few units beside an axis.
            direction = Vec3::AXES[rng.below(3) as usize] * fx!(1) + point(&mut rng, Fx::from_bits(4000));
        }
        let origin = target - direction * distance;
        let ray = Ray::new(origin, direction * distance + direction * fx!(40));
        let mut expected: Vec<(u32, Fx)> =
            items.iter().filter_map(|item| Some((item.id, ray.enter_aabb(&item.aabb)?))).collect();
        expected.sort_unstable_by_key(|&(id, fraction)| (fraction, id));
        hits += expected.len();
        let mut visited = Vec::new();
        tree.ray(&ray, u32::MAX, |id, fraction| {
            visited.push((id, fraction));
            Fx::ONE
        });
        assert_eq!(visited, expected, "round {round}: {ray:?}");
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn questions_for_sets_that_change_over_many_steps_have_the_pairs_of_brute_force() {
    for seed in 0..6 {
        let mut rng = Rng::new(seed, 3);
        let mut items = scene(&mut rng, 90, |rng| aabb(rng, fx!(5)));
        let mut tree = DynamicTree::new();
        tree.build(&items).unwrap();
        let mut pairs = Vec::new();
        // How many of a hundred are named: for long enough that what is not named is given up, then more.
        for share in [30, 5, 100, 1, 60, 3] {
            let mut names: Vec<u32> = Vec::new();
            for step in 0..40 {
                if step % 20 == 0 {
                    names = items.iter().filter(|_| rng.below(100) < share).map(|item| item.id).collect();
                }
                for _ in 0..8 {
                    let item = &mut items[rng.below(90) as usize];
                    match rng.below(8) {
                        0 => {
                            tree.remove(item.id).unwrap();
                            item.aabb = aabb(&mut rng, fx!(5));
                            tree.insert(item.id, &item.aabb, item.layers).unwrap();
                        }
                        1 => {
                            item.layers = layers(&mut rng);
                            tree.set_layers(item.id, item.layers).unwrap();
                        }
                        _ => {
                            item.aabb = item.aabb.translate(point(&mut rng, fx!(0.1)));
                            tree.update(item.id, &item.aabb).unwrap();
                        }
                    }
                }
                let nothing = Questions { moved: names.clone(), boxes: vec![], rays: vec![], casts: vec![] };
                let expected = brute_force(&items, &nothing);
                tree.pairs_of(&names, &mut pairs).unwrap();
                assert_eq!(pairs, expected.pairs_of_moved, "seed {seed}, share {share}, step {step}");
                if rng.below(30) == 0 {
                    tree.pairs(&mut pairs);
                    assert_eq!(pairs, expected.pairs, "seed {seed}, share {share}, step {step}");
                }
            }
        }
    }
}

#[test]
fn a_crowd_is_refused_where_there_are_more_pairs_and_answered_where_there_are_not() {
    let mut refused = 0;
    for seed in 0..20 {
        let mut rng = Rng::new(seed, 9);
        let mut items = scene(&mut rng, 60, |rng| aabb(rng, fx!(4)));
        let mut tree = DynamicTree::new();
        tree.build(&items).unwrap();
        let mut pairs = Vec::new();
        for step in 0..60 {
            let moved: Vec<u32> = items.iter().filter(|_| rng.below(3) > 0).map(|item| item.id).collect();
            let questions = Questions { moved: moved.clone(), boxes: vec![], rays: vec![], casts: vec![] };
            let expected = brute_force(&items, &questions).pairs_of_moved;
            let most = rng.below(12 * expected.len() as u32 + 2) as usize;
            match tree.pairs_of_at_most(&moved, most, &mut pairs) {
                Ok(()) => assert_eq!(pairs, expected, "seed {seed}, step {step}"),
                Err(error) => {
                    assert_eq!(error, TreeError::TooManyPairs { most });
                    assert_eq!(
                        error.to_string(),
                        format!("more than {most} pairs of boxes with their margins overlap")
                    );
                    assert!(pairs.is_empty());
                    refused += 1;
                }
            }
            assert!(expected.len() <= most || pairs.is_empty(), "seed {seed}, step {step}");
            if rng.bool() {
                tree.pairs_of(&moved, &mut pairs).unwrap();
                assert_eq!(pairs, expected, "seed {seed}, step {step}");
            }
            for _ in 0..rng.below(20) {
                let item = &mut items[rng.below(60) as usize];
                item.aabb = item.aabb.translate(point(&mut rng, fx!(0.5)));
                tree.update(item.id, &item.aabb).unwrap();
            }
        }
    }
    assert!((200..1000).contains(&refused), "{refused}");
}

#[test]
fn a_crowd_in_one_place_needs_no_memory_for_its_pairs() {
    let mut tree = DynamicTree::new();
    let place = Aabb::from_center_half_extents(Vec3::ZERO, Vec3::ONE).unwrap();
    let ids: Vec<u32> = (0..30_000).collect();
    ids.iter().for_each(|&id| tree.insert(id, &place, Layers::ALL).unwrap());
    let mut pairs = Vec::new();
    let most = 100_000;
    for moved in [&ids[..], &ids[7..12]] {
        let refused = tree.pairs_of_at_most(moved, most, &mut pairs);
        assert_eq!(refused, Err(TreeError::TooManyPairs { most }));
        assert_eq!(pairs.capacity(), 0);
    }
    tree.pairs_of_at_most(&ids[..2], most, &mut pairs).unwrap();
    assert_eq!(pairs.len(), 2 * 30_000 - 3);
    tree.pairs_of(&ids[..2], &mut pairs).unwrap();
    assert_eq!(pairs.len(), 2 * 30_000 - 3);
}

#[test]
fn a_scene_a_million_kilometres_away_answers_the_same() {
    let mut rng = Rng::new(8, 8);
    let items = scene(&mut rng, 100, |rng| aabb(rng, fx!(6)));
    let questions = questions(&mut rng, &items, fx!(6));
    let mut near = DynamicTree::new();
    near.build(&items).unwrap();
    let expected = ask(&mut near, &questions);
    for offset in [fx!(1073741824), fx!(-1073741824), fx!(0.3)].map(Vec3::splat) {
        let questions = Questions {
            moved: questions.moved.clone(),
            boxes: questions.boxes.iter().map(|(aabb, mask)| (aabb.translate(offset), *mask)).collect(),
            rays: questions
                .rays
                .iter()
                .map(|(ray, mask)| {
                    let moved = Ray::new(ray.origin() + offset, ray.displacement());
                    (moved.with_max_fraction(ray.max_fraction()), *mask)
                })
                .collect(),
            casts: questions
                .casts
                .iter()
                .map(|(aabb, d, mask)| (aabb.translate(offset), *d, *mask))
                .collect(),
        };
        let mut far = DynamicTree::new();
        // A plane first, whose box is all of space: the grid is chosen for it, and again as the others come.
        far.insert(5000, &Aabb::ALL, Layers::ALL).unwrap();
        for item in &items {
            far.insert(item.id, &item.aabb.translate(offset), item.layers).unwrap();
        }
        far.remove(5000).unwrap();
        assert_eq!(ask(&mut far, &questions), expected, "{offset}");
    }
}

#[test]
fn what_is_refused_is_named_and_changes_nothing() {
    let unit = Aabb::from_center_half_extents(Vec3::ZERO, Vec3::ONE).unwrap();
    let far = Aabb::from_center_half_extents(Vec3::splat(fx!(9)), Vec3::ONE).unwrap();
    let mut tree = DynamicTree::new();
    tree.insert(4, &unit, Layers::ALL).unwrap();
    tree.insert(6, &unit, Layers::ALL).unwrap();
    let item = |id: u32, aabb: Aabb| TreeItem { id, aabb, layers: Layers::ALL };
    let mut pairs = vec![(0, 0)];
    assert_eq!(tree.insert(4, &unit, Layers::ALL), Err(TreeError::DuplicateId { id: 4 }));
    assert_eq!(tree.insert(5, &Aabb::EMPTY, Layers::ALL), Err(TreeError::EmptyAabb { id: 5 }));
    assert_eq!(tree.insert(MAX_LEAVES, &unit, Layers::ALL), Err(TreeError::IdOutOfRange { id: MAX_LEAVES }));
    assert_eq!(tree.update(5, &unit), Err(TreeError::UnknownId { id: 5 }));
    assert_eq!(tree.update(4, &Aabb::EMPTY), Err(TreeError::EmptyAabb { id: 4 }));
    assert_eq!(tree.remove(u32::MAX), Err(TreeError::UnknownId { id: u32::MAX }));
    assert_eq!(tree.set_layers(5, Layers::ALL), Err(TreeError::UnknownId { id: 5 }));
    assert_eq!(tree.pairs_of(&[4, 9], &mut pairs), Err(TreeError::UnknownId { id: 9 }));
    assert_eq!(pairs, []);
    let twice = [item(1, unit), item(2, unit), item(1, unit)];
    assert_eq!(tree.build(&twice), Err(TreeError::DuplicateId { id: 1 }));
    assert_eq!(tree.build(&[item(8, Aabb::EMPTY)]), Err(TreeError::EmptyAabb { id: 8 }));
    assert_eq!(tree.place_all(&[item(6, far), item(1, Aabb::EMPTY)]), Err(TreeError::EmptyAabb { id: 1 }));
    let beyond = tree.place_all(&[item(7, unit), item(MAX_LEAVES, unit)]);
    assert_eq!(beyond, Err(TreeError::IdOutOfRange { id: MAX_LEAVES }));
    assert_eq!(tree.build(&[item(u32::MAX, unit)]), Err(TreeError::IdOutOfRange { id: u32::MAX }));
    tree.update_all(&[(5, unit), (u32::MAX, unit), (4, Aabb::EMPTY)]);
    let negative = DynamicTree::with_margin(fx!(-1)).map(|_| ());
    assert_eq!(negative, Err(TreeError::NegativeMargin { value: fx!(-1) }));
    tree.pairs(&mut pairs);
    assert_eq!((tree.len(), pairs), (2, vec![(4, 6)]));
}

#[test]
fn small_moves_leave_the_tree_alone_and_answers_follow_them() {
    let at = |x: Fx| Aabb::from_center_half_extents(vec3(x, fx!(0), fx!(0)), Vec3::splat(fx!(0.5))).unwrap();
    let mut tree = DynamicTree::new();
    tree.insert(0, &at(fx!(0)), Layers::ALL).unwrap();
    tree.insert(1, &at(fx!(1.01)), Layers::ALL).unwrap();
    let mut pairs = Vec::new();
    tree.pairs(&mut pairs);
    assert_eq!(pairs, []);
    assert_eq!(tree.update(1, &at(fx!(0.99))), Ok(false));
    tree.pairs(&mut pairs);
    assert_eq!(pairs, [(0, 1)]);
    assert_eq!(tree.update(1, &at(fx!(1.02))), Ok(false));
    tree.pairs(&mut pairs);
    assert_eq!(pairs, []);
    assert_eq!(tree.update(1, &at(fx!(2))), Ok(true));
    assert_eq!(tree.aabb(1), Some(at(fx!(2))));
}

#[test]
fn a_tree_without_leaves_answers_nothing() {
    let mut tree = DynamicTree::new();
    let nothing = Questions {
        moved: vec![],
        boxes: vec![(Aabb::ALL, u32::MAX)],
        rays: vec![(Ray::new(Vec3::ZERO, Vec3::X), u32::MAX)],
        casts: vec![(Aabb::ALL, Vec3::X, u32::MAX)],
    };
    let expected = brute_force(&[], &nothing);
    assert_eq!(ask(&mut tree, &nothing), expected);
    tree.insert(0, &Aabb::ALL, Layers::ALL).unwrap();
    tree.remove(0).unwrap();
    assert_eq!(ask(&mut tree, &nothing), expected);
    tree.build(&[]).unwrap();
    assert_eq!(ask(&mut tree, &nothing), expected);
}

/// A visitor's end is rounded down, as entries are: what begins in that fraction may be what it hit.
#[test]
fn what_begins_in_the_fraction_that_a_visitor_ends_at_is_visited() {
    let ray = Ray::new(Vec3::ZERO, Vec3::X * fx!(3));
    let third = Fx::from_bits(0x5555_5555);
    let around = Aabb::new(Vec3::splat(fx!(-1)), Vec3::splat(fx!(1))).unwrap();
    let beyond = Aabb::new(vec3(fx!(1), fx!(-1), fx!(-1)), vec3(fx!(3), fx!(1), fx!(1))).unwrap();
    for end in [third, third - Fx::EPSILON] {
        let mut tree = DynamicTree::new();
        tree.insert(2, &around, Layers::ALL).unwrap();
        tree.insert(1, &beyond, Layers::ALL).unwrap();
        let mut visits = Vec::new();
        tree.ray(&ray, u32::MAX, |id, fraction| {
            visits.push((id, fraction));
            end
        });
        let expected = [(2, Fx::ZERO), (1, third)];
        assert_eq!(visits, &expected[..if end == third { 2 } else { 1 }]);
    }
    // The end of the ray itself is exact.
    let short = ray.with_max_fraction(third);
    let mut tree = DynamicTree::new();
    tree.insert(1, &beyond, Layers::ALL).unwrap();
    tree.ray(&short, u32::MAX, |_, _| unreachable!("the box is beyond"));
}
