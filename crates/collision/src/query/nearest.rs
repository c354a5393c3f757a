//! What is nearest to a shape or a point.

use super::Items;
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
    /// The nearest item with a layer of `mask` within `max_distance` of `shape`; of several, the one with the
    /// least id.
    #[must_use]
    pub fn nearest(&self, shape: &Shape, max_distance: Fx, mask: u32) -> Option<Nearest> {
        let all = self.within(&shape.to_aabb(), max_distance, mask, |item| closest_points(shape, item));
        all.into_iter().min_by_key(|found| (found.distance, found.id))
    }

    /// All items with a layer of `mask` within `max_distance` of `shape`, in the order of (distance, id).
    #[must_use]
    pub fn all_near(&self, shape: &Shape, max_distance: Fx, mask: u32) -> Vec<Nearest> {
        let mut all = self.within(&shape.to_aabb(), max_distance, mask, |item| closest_points(shape, item));
        all.sort_unstable_by_key(|found| (found.distance, found.id));
        all
    }

    /// The nearest item with a layer of `mask` within `max_distance` of `point`; of several, the one with the
    /// least id.
    #[must_use]
    pub fn nearest_to_point(&self, point: Vec3, max_distance: Fx, mask: u32) -> Option<Nearest> {
        let around = Aabb::from_points([point]);
        let all = self.within(&around, max_distance, mask, |item| closest_points_from(point, item));
        all.into_iter().min_by_key(|found| (found.distance, found.id))
    }

    fn within(
        &self,
        aabb: &Aabb,
        max_distance: Fx,
        mask: u32,
        closest: impl Fn(&Shape) -> Option<ClosestPoints>,
    ) -> Vec<Nearest> {
        let near = self.near(&aabb.expand(max_distance.max(Fx::ZERO)), mask).into_iter();
        near.map(|item| {
            let points = closest(&item.shape);
            let distance = points.map_or(Fx::ZERO, |points| points.distance);
            Nearest { id: item.id, distance, points }
        })
        .filter(|found| found.distance <= max_distance)
        .collect()
    }
}
