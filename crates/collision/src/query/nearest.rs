//! What is nearest to a shape or a point.

use super::{Filter, Items};
use crate::distance::{ClosestPoints, closest_points, closest_points_from};
use crate::shape::{Aabb, Shape};
use alloc::vec::Vec;
use isostep_math::{Fx, Vec3};

/// An item at a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nearest {
    /// The id of the item.
    pub id: u32,
    /// Its distance from what was asked for, 0 where it touches or overlaps.
    pub distance: Fx,
    /// The closest points, the first of what was asked for and the second of the item; `None` for a distance of 0.
    pub points: Option<ClosestPoints>,
}

impl Items<'_> {
    /// The nearest item within `max_distance` of `shape`; of several, the one with the least id.
    #[must_use]
    pub fn nearest(&self, shape: &Shape, max_distance: Fx, filter: Filter) -> Option<Nearest> {
        let mut nearest = None;
        let aabb = shape.to_aabb();
        self.within(
            &aabb,
            max_distance,
            filter,
            |item| closest_points(shape, item),
            |found| {
                keep_nearer(&mut nearest, found);
            },
        );
        nearest
    }

    /// All items within `max_distance` of `shape`, in the order of (distance, id); `found` is emptied first.
    pub fn all_near(&self, shape: &Shape, max_distance: Fx, filter: Filter, found: &mut Vec<Nearest>) {
        found.clear();
        let aabb = shape.to_aabb();
        self.within(&aabb, max_distance, filter, |item| closest_points(shape, item), |near| found.push(near));
        found.sort_unstable_by_key(|near| (near.distance, near.id));
    }

    /// The nearest item within `max_distance` of `point`; of several, the one with the least id.
    #[must_use]
    pub fn nearest_to_point(&self, point: Vec3, max_distance: Fx, filter: Filter) -> Option<Nearest> {
        let mut nearest = None;
        let aabb = Aabb::from_points([point]);
        self.within(
            &aabb,
            max_distance,
            filter,
            |item| closest_points_from(point, item),
            |found| {
                keep_nearer(&mut nearest, found);
            },
        );
        nearest
    }

    fn within(
        &self,
        aabb: &Aabb,
        max_distance: Fx,
        filter: Filter,
        closest: impl Fn(&Shape) -> Option<ClosestPoints>,
        mut visitor: impl FnMut(Nearest),
    ) {
        self.any_near(&aabb.expand(max_distance.max(Fx::ZERO)), filter, |item| {
            let points = closest(&item.shape);
            let distance = points.map_or(Fx::ZERO, |points| points.distance);
            if distance <= max_distance {
                visitor(Nearest { id: item.id, distance, points });
            }
            false
        });
    }
}

fn keep_nearer(nearest: &mut Option<Nearest>, found: Nearest) {
    if nearest.is_none_or(|nearest| (found.distance, found.id) < (nearest.distance, nearest.id)) {
        *nearest = Some(found);
    }
}
