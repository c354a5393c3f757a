//! A dynamic tree after any operations against a list: all answers are those of looking at every leaf.

#![no_main]

#[allow(dead_code)]
mod bytes;

use bytes::Bytes;
use isostep_collision::tree::{DynamicTree, Layers, MAX_LEAVES, TreeItem};
use isostep_collision::{Aabb, Ray};
use isostep_math::{Fx, Vec3};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

type Leaves = BTreeMap<u32, (Aabb, Layers)>;

fn aabb(bytes: &mut Bytes) -> Aabb {
    let kind = bytes.byte();
    match kind & 7 {
        0 => Aabb::EMPTY,
        1 => Aabb::from_points([bytes.vector(), bytes.vector()]),
        // Small whole numbers, where many boxes touch.
        _ => {
            let mut whole = || Fx::from_int(i32::from(bytes.byte() as i8) / 8);
            let at = Vec3::new(whole(), whole(), whole());
            Aabb::from_points([at, at + Vec3::splat(Fx::from_int(i32::from(kind >> 5)))])
        }
    }
}

fn layers(bytes: &mut Bytes) -> Layers {
    let word = bytes.byte();
    if word & 1 == 0 {
        return Layers::ALL;
    }
    Layers { membership: u32::from(word >> 1 & 7), filter: u32::from(word >> 4 & 7) }
}

fn pairs_of(leaves: &Leaves) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (&a, (first, own)) in leaves {
        for (&b, (second, other)) in leaves.range(a + 1..) {
            let admits = own.filter & other.membership != 0 && other.filter & own.membership != 0;
            if admits && first.overlaps(second) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// The fraction where a box on its way touches another, rounded down: the greatest of the entries along the axes, if no
/// exit is before it. For coordinates below 2^61, so that cross products fit.
fn entry(moving: &Aabb, way: Vec3, target: &Aabb, max_fraction: Fx) -> Option<Fx> {
    let words = |v: Vec3| v.to_array().map(|part| i128::from(part.to_bits()));
    let (low, high) = (words(moving.min()), words(moving.max()));
    let (min, max, way) = (words(target.min()), words(target.max()), words(way));
    let (mut entry, mut exit) = ((0, 1), (i128::from(max_fraction.to_bits()), 1 << 32));
    for axis in 0..3 {
        let (mut near, mut far) = (min[axis] - high[axis], max[axis] - low[axis]);
        if way[axis] == 0 {
            if near > 0 || far < 0 {
                return None;
            }
            continue;
        }
        if way[axis] < 0 {
            (near, far) = (-far, -near);
        }
        let d = way[axis].abs();
        if near * entry.1 > entry.0 * d {
            entry = (near, d);
        }
        if far * exit.1 < exit.0 * d {
            exit = (far, d);
        }
    }
    if entry.0 * exit.1 > exit.0 * entry.1 {
        return None;
    }
    // At most 1, so that the quotient needs no more than the numerator's 63 bits and 32.
    Some(Fx::from_bits(((entry.0 << 32) / entry.1) as i64))
}

fn is_moderate(v: Vec3) -> bool {
    v.to_array().iter().all(|part| part.to_bits().unsigned_abs() < 1 << 61)
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let margin = bytes.number().abs();
    let mut tree = DynamicTree::with_margin(margin).unwrap();
    let mut leaves = Leaves::new();
    let (mut pairs, mut found) = (Vec::new(), Vec::new());
    while !bytes.is_empty() {
        let op = bytes.byte();
        let id = match op >> 4 {
            // Leaves lie in memory by their ids: no large ones, but one too large.
            15 => match bytes.byte() {
                255 => MAX_LEAVES,
                id => u32::from(id) * 4,
            },
            _ => u32::from(bytes.byte() & 63),
        };
        match op & 15 {
            0..=3 => {
                let (aabb, layers) = (aabb(&mut bytes), layers(&mut bytes));
                let fits = !leaves.contains_key(&id) && !aabb.is_empty() && id < MAX_LEAVES;
                assert_eq!(tree.insert(id, &aabb, layers).is_ok(), fits);
                if fits {
                    leaves.insert(id, (aabb, layers));
                }
            }
            4..=6 => {
                let aabb = aabb(&mut bytes);
                let fits = leaves.contains_key(&id) && !aabb.is_empty();
                assert_eq!(tree.update(id, &aabb).is_ok(), fits);
                if let (true, Some(leaf)) = (fits, leaves.get_mut(&id)) {
                    leaf.0 = aabb;
                }
            }
            7 => {
                let removed = tree.remove(id).ok();
                assert_eq!(removed, leaves.remove(&id).map(|(aabb, _)| aabb));
            }
            8 => {
                let layers = layers(&mut bytes);
                assert_eq!(tree.set_layers(id, layers).is_ok(), leaves.contains_key(&id));
                if let Some(leaf) = leaves.get_mut(&id) {
                    leaf.1 = layers;
                }
            }
            9 => {
                tree.pairs(&mut pairs);
                assert_eq!(pairs, pairs_of(&leaves));
            }
            10 => {
                let moved: Vec<u32> = (0..bytes.byte() & 7).map(|_| u32::from(bytes.byte() & 63)).collect();
                let known = moved.iter().all(|id| leaves.contains_key(id));
                assert_eq!(tree.pairs_of(&moved, &mut pairs).is_ok(), known);
                let mut expected = pairs_of(&leaves);
                expected.retain(|(a, b)| known && (moved.contains(a) || moved.contains(b)));
                assert_eq!(pairs, expected);
            }
            11 => {
                let (aabb, mask) = (aabb(&mut bytes), u32::from(bytes.byte()));
                tree.query_aabb(&aabb, mask, &mut found);
                let overlapping = |(other, layers): &(Aabb, Layers)| {
                    !aabb.is_empty() && layers.membership & mask != 0 && other.overlaps(&aabb)
                };
                let expected: Vec<u32> =
                    leaves.iter().filter(|(_, leaf)| overlapping(leaf)).map(|(&id, _)| id).collect();
                assert_eq!(found, expected);
            }
            12 | 13 => {
                let (mut moving, way, mask) = (aabb(&mut bytes), bytes.vector(), u32::from(bytes.byte()));
                let max_fraction = Fx::from_bits(i64::from(bytes.byte()) << 25).min(Fx::ONE);
                let is_ray = op & 1 == 0;
                if moving.is_empty() {
                    continue;
                }
                if is_ray {
                    moving = Aabb::from_points([moving.min()]);
                }
                let end = if is_ray { max_fraction } else { Fx::ONE };
                let mut visited = Vec::new();
                let mut visitor = |id: u32, fraction: Fx| {
                    visited.push((fraction, id));
                    Fx::ONE
                };
                if is_ray {
                    let ray = Ray::new(moving.min(), way).with_max_fraction(max_fraction);
                    tree.ray(&ray, mask, &mut visitor);
                } else {
                    tree.cast(&moving, way, mask, &mut visitor);
                }
                let moderate = is_moderate(moving.min()) && is_moderate(moving.max()) && is_moderate(way);
                if !moderate
                    || leaves.values().any(|(aabb, _)| !is_moderate(aabb.min()) || !is_moderate(aabb.max()))
                {
                    continue;
                }
                let mut expected: Vec<(Fx, u32)> = leaves
                    .iter()
                    .filter(|(_, (_, layers))| layers.membership & mask != 0)
                    .filter_map(|(&id, (target, _))| Some((entry(&moving, way, target, end)?, id)))
                    .collect();
                expected.sort_unstable();
                assert_eq!(visited, expected);
            }
            14 => {
                let mut items = |most: u8| -> Vec<TreeItem> {
                    let mut item = || {
                        let id = u32::from(bytes.byte() & 63);
                        TreeItem { id, aabb: aabb(&mut bytes), layers: layers(&mut bytes) }
                    };
                    (0..most).map(|_| item()).collect()
                };
                match op >> 4 {
                    most @ 1..=7 => {
                        let items = items(4 * most);
                        let fits = items.iter().all(|item| !item.aabb.is_empty());
                        assert_eq!(tree.place_all(&items).is_ok(), fits);
                        let items = items.iter().filter(|_| fits);
                        leaves.extend(items.map(|item| (item.id, (item.aabb, item.layers))));
                    }
                    most @ 8..=14 => {
                        let items = items(4 * (most - 7));
                        let moves: Vec<_> = items.iter().map(|item| (item.id, item.aabb)).collect();
                        tree.update_all(&moves);
                        for (id, aabb) in moves.into_iter().filter(|(_, aabb)| !aabb.is_empty()) {
                            if let Some(leaf) = leaves.get_mut(&id) {
                                leaf.0 = aabb;
                            }
                        }
                    }
                    _ => tree.rebuild(),
                }
            }
            _ => {
                let items: Vec<TreeItem> =
                    leaves.iter().map(|(&id, &(aabb, layers))| TreeItem { id, aabb, layers }).collect();
                assert_eq!(tree.iter().collect::<Vec<_>>(), items);
                tree.build(&items).unwrap();
            }
        }
        assert_eq!(tree.len(), leaves.len());
    }
    tree.pairs(&mut pairs);
    assert_eq!(pairs, pairs_of(&leaves));
});
