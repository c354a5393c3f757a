//! Questions asked of many shapes: rays, casts, overlaps and the nearest, over a slice or with the help of a tree.
//!
//! [`Items`] is a slice of [`Item`]s in the order of their ids, with or without a [`DynamicTree`](crate::tree::DynamicTree) over their
//! boxes. **The tree changes no answer**: an item is hit if its box is and its shape is, in either way of
//! looking, and all answers are in the order of (fraction, id), (distance, id) or id alone.
//!
//! Every question has a [`Filter`]: layers, and ids to skip.
//!
//! | | first | any | all |
//! |---|---|---|---|
//! | on a ray | [`first_on_ray`](Items::first_on_ray) | [`any_on_ray`](Items::any_on_ray) | [`all_on_ray`](Items::all_on_ray) |
//! | in the way of a shape | [`first_in_way`](Items::first_in_way) | [`any_in_way`](Items::any_in_way) | [`all_in_way`](Items::all_in_way) |
//! | overlapping a shape | | [`overlaps_any`](Items::overlaps_any) | [`overlapping`](Items::overlapping) |
//! | holding a point | | | [`containing`](Items::containing) |
//! | near a shape | [`nearest`](Items::nearest) | | [`all_near`](Items::all_near) |
//! | near a point | [`nearest_to_point`](Items::nearest_to_point) | | |
//!
//! Lists go into the caller's vectors, which are emptied first: nothing is allocated once they have the room, but for
//! trees in which more nodes wait to be looked into than ever do in a sane one.

mod filter;
mod items;
mod nearest;
mod overlap;
mod sweep;

pub use filter::Filter;
pub use items::{Item, Items, ItemsError};
pub use nearest::Nearest;
pub use sweep::{ItemCastHit, ItemRayHit};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ray::Ray;
    use crate::shape::{Capsule, HalfSpace, Obb, Shape, Sphere};
    use crate::tree::DynamicTree;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;
    use isostep_math::{Fx, Vec3, fx};

    fn place(rng: &mut Rng) -> Vec3 {
        // On a coarse lattice at times, so that hits tie.
        let point = Vec3::new(fx!(60), fx!(60), fx!(60)) * rng.fx_unit();
        let point = rng.unit_vec3() * point.x;
        if rng.bool() { point.round() } else { point }
    }

    fn shape(rng: &mut Rng) -> Shape {
        let center = place(rng);
        let extent = rng.fx_range(fx!(0.2), fx!(4));
        match rng.below(7) {
            0 | 1 => Sphere::new(center, extent.round().max(Fx::HALF)).unwrap().into(),
            2 | 3 => Obb::new(center, Vec3::new(extent, fx!(1), fx!(2)), rng.unit_quat().normalize())
                .unwrap()
                .into(),
            4 => Obb::new(center, Vec3::splat(extent), Default::default()).unwrap().into(),
            5 => Capsule::new(center, center + rng.unit_vec3() * extent, fx!(0.5)).unwrap().into(),
            _ => Sphere::new(center, fx!(1)).unwrap().into(),
        }
    }

    fn scene(rng: &mut Rng) -> Vec<Item> {
        let mut items: Vec<Item> = (0..150)
            .map(|index| {
                let item = Item::new(index * 3 + 1, shape(rng));
                Item { layers: 1 << rng.below(3), ..item }
            })
            .collect();
        // Twins of others, which tie.
        let twins: Vec<Item> =
            items.iter().step_by(5).map(|item| Item { id: item.id + 1, ..*item }).collect();
        items.extend(twins);
        items.push(Item::new(2000, HalfSpace::ground(fx!(-70))));
        items.sort_unstable_by_key(|item| item.id);
        items
    }

    #[test]
    fn a_tree_changes_no_answer() {
        let mut rng = Rng::new(21, 0);
        let (mut hits, mut near) = (0, 0);
        for _ in 0..5 {
            let items = scene(&mut rng);
            let mut tree = DynamicTree::new();
            let leaves: Vec<_> = items.iter().map(Item::to_tree_item).collect();
            tree.build(&leaves).unwrap();
            let all = Items::new(&items).unwrap();
            let by_tree = all.with_tree(&tree);
            for _ in 0..120 {
                let skipped = [items[rng.below(180) as usize].id, 9999, items[rng.below(180) as usize].id];
                let filter = Filter::layers(1 + rng.below(7)).skipping(&skipped[..rng.below(4) as usize]);
                let from = place(&mut rng);
                let ray = Ray::new(from, place(&mut rng) - from).with_max_fraction(fx!(0.9));
                let (mut along, mut same) = (Vec::new(), Vec::new());
                all.all_on_ray(&ray, filter, &mut along);
                by_tree.all_on_ray(&ray, filter, &mut same);
                assert_eq!(same, along);
                assert!(along.iter().all(|hit| !filter.skipped.contains(&hit.id)));
                hits += along.len();
                assert_eq!(all.first_on_ray(&ray, filter), along.first().copied());
                assert_eq!(by_tree.first_on_ray(&ray, filter), along.first().copied());
                assert_eq!(all.any_on_ray(&ray, filter), !along.is_empty());
                assert_eq!(by_tree.any_on_ray(&ray, filter), !along.is_empty());

                let moving = shape(&mut rng);
                let way = place(&mut rng);
                let (mut in_way, mut same) = (Vec::new(), Vec::new());
                all.all_in_way(&moving, way, filter, &mut in_way);
                by_tree.all_in_way(&moving, way, filter, &mut same);
                assert_eq!(same, in_way);
                hits += in_way.len();
                assert_eq!(all.first_in_way(&moving, way, filter), in_way.first().copied());
                assert_eq!(by_tree.first_in_way(&moving, way, filter), in_way.first().copied());
                assert_eq!(by_tree.any_in_way(&moving, way, filter), !in_way.is_empty());

                let (mut overlapping, mut same) = (Vec::new(), Vec::new());
                all.overlapping(&moving, filter, &mut overlapping);
                by_tree.overlapping(&moving, filter, &mut same);
                assert_eq!(same, overlapping);
                assert!(overlapping.is_sorted());
                assert_eq!(by_tree.overlaps_any(&moving, filter), !overlapping.is_empty());
                assert_eq!(all.overlaps_any(&moving, filter), !overlapping.is_empty());
                all.containing(from, filter, &mut overlapping);
                by_tree.containing(from, filter, &mut same);
                assert_eq!(same, overlapping);

                let (mut around, mut same) = (Vec::new(), Vec::new());
                all.all_near(&moving, fx!(12), filter, &mut around);
                by_tree.all_near(&moving, fx!(12), filter, &mut same);
                near += around.len();
                assert_eq!(same, around);
                assert_eq!(all.nearest(&moving, fx!(12), filter), around.first().copied());
                // What is as far as the greatest distance counts.
                if let Some(first) = around.first() {
                    assert_eq!(all.nearest(&moving, first.distance, filter), Some(*first));
                }
                assert_eq!(by_tree.nearest(&moving, Fx::MAX, filter), all.nearest(&moving, Fx::MAX, filter));
                let to_point = all.nearest_to_point(from, fx!(30), filter);
                assert_eq!(by_tree.nearest_to_point(from, fx!(30), filter), to_point);
            }
        }
        assert!(hits > 500 && near > 1000, "{hits} {near}");
    }

    #[test]
    fn ids_that_do_not_ascend_are_refused() {
        let ball = Sphere::from_radius(fx!(1)).unwrap();
        let items = [Item::new(4, ball), Item::new(4, ball)];
        let error = Items::new(&items).unwrap_err();
        assert_eq!(error, ItemsError::Unordered { index: 1, id: 4, previous: 4 });
    }
}
