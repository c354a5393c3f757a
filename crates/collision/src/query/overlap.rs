//! What overlaps a shape.

use super::{Filter, Item, Items};
use crate::overlap::overlaps;
use crate::shape::{Aabb, Shape};
use alloc::vec::Vec;
use isostep_math::Vec3;

impl Items<'_> {
    /// The ids of all items that touch or overlap `shape`, ascending; `found` is emptied first.
    pub fn overlapping(&self, shape: &Shape, filter: Filter, found: &mut Vec<u32>) {
        self.near(&shape.to_aabb(), filter, |item| overlaps(&item.shape, shape), found);
    }

    /// Whether any item touches or overlaps `shape`.
    #[must_use]
    pub fn overlaps_any(&self, shape: &Shape, filter: Filter) -> bool {
        self.any_near(&shape.to_aabb(), filter, |item| overlaps(&item.shape, shape))
    }

    /// The ids of all items that hold `point`, ascending; `found` is emptied first.
    pub fn containing(&self, point: Vec3, filter: Filter, found: &mut Vec<u32>) {
        self.near(&Aabb::from_points([point]), filter, |item| item.shape.contains(point), found);
    }

    fn near(&self, aabb: &Aabb, filter: Filter, test: impl Fn(&Item) -> bool, found: &mut Vec<u32>) {
        found.clear();
        self.any_near(aabb, filter, |item| {
            if test(item) {
                found.push(item.id);
            }
            false
        });
        found.sort_unstable();
    }
}
