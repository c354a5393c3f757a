//! What overlaps a shape.

use super::{Item, Items};
use crate::overlap::overlaps;
use crate::shape::Shape;
use alloc::vec::Vec;
use isostep_math::Vec3;

impl Items<'_> {
    /// The ids of all items with a layer of `mask` that touch or overlap `shape`, ascending.
    #[must_use]
    pub fn overlapping(&self, shape: &Shape, mask: u32) -> Vec<u32> {
        let near = self.near(&shape.to_aabb(), mask).into_iter();
        near.filter(|item| overlaps(&item.shape, shape)).map(|item| item.id).collect()
    }

    /// Whether any item with a layer of `mask` touches or overlaps `shape`.
    #[must_use]
    pub fn overlaps_any(&self, shape: &Shape, mask: u32) -> bool {
        self.near(&shape.to_aabb(), mask).into_iter().any(|item| overlaps(&item.shape, shape))
    }

    /// The ids of all items with a layer of `mask` that hold `point`, ascending.
    #[must_use]
    pub fn containing(&self, point: Vec3, mask: u32) -> Vec<u32> {
        let holds = |item: &&Item| item.shape.contains(point);
        let near = self.near(&crate::Aabb::from_points([point]), mask).into_iter();
        near.filter(holds).map(|item| item.id).collect()
    }
}
