//! What a ray or a moving shape hits.
//!
//! The fraction of a hit is at least that at which the item's box is entered, which tree and slice know alike:
//! both are rounded down, and so the order in which a tree comes upon boxes is that of the hits, but for the
//! hits that lie deeper.

use super::{Filter, Item, Items};
use crate::cast::{CastHit, RayHit, cast_ray, cast_shape};
use crate::exact::bits;
use crate::ray::{Ray, Sweep};
use crate::shape::Shape;
use alloc::vec::Vec;
use isostep_math::{Fx, Vec3};

/// What a ray hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemRayHit {
    /// The id of the item.
    pub id: u32,
    /// Where.
    pub hit: RayHit,
}

/// What a moving shape hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemCastHit {
    /// The id of the item.
    pub id: u32,
    /// Where and when.
    pub hit: CastHit,
}

impl Items<'_> {
    /// The first item that the ray hits; of several at one fraction, the one with the least
    /// id.
    #[must_use]
    pub fn first_on_ray(&self, ray: &Ray, filter: Filter) -> Option<ItemRayHit> {
        let mut first: Option<ItemRayHit> = None;
        self.along_ray(ray, filter, |id, hit| {
            if first.is_none_or(|first| (hit.fraction, id) < (first.hit.fraction, first.id)) {
                first = Some(ItemRayHit { id, hit });
            }
            first.map_or(ray.max_fraction(), |first| first.hit.fraction)
        });
        first
    }

    /// Whether the ray hits any item.
    #[must_use]
    pub fn any_on_ray(&self, ray: &Ray, filter: Filter) -> bool {
        let mut any = false;
        self.along_ray(ray, filter, |_, _| {
            any = true;
            Fx::NEG_ONE
        });
        any
    }

    /// All items that the ray hits, in the order of (fraction, id); `all` is emptied first.
    pub fn all_on_ray(&self, ray: &Ray, filter: Filter, all: &mut Vec<ItemRayHit>) {
        all.clear();
        self.along_ray(ray, filter, |id, hit| {
            all.push(ItemRayHit { id, hit });
            ray.max_fraction()
        });
        all.sort_unstable_by_key(|found| (found.hit.fraction, found.id));
    }

    /// The first item that `moving` hits on its way; of several at one fraction, the one
    /// with the least id.
    #[must_use]
    pub fn first_in_way(&self, moving: &Shape, displacement: Vec3, filter: Filter) -> Option<ItemCastHit> {
        let mut first: Option<ItemCastHit> = None;
        self.in_way(moving, displacement, filter, |id, hit| {
            if first.is_none_or(|first| (hit.fraction, id) < (first.hit.fraction, first.id)) {
                first = Some(ItemCastHit { id, hit });
            }
            first.map_or(Fx::ONE, |first| first.hit.fraction)
        });
        first
    }

    /// Whether `moving` hits any item on its way.
    #[must_use]
    pub fn any_in_way(&self, moving: &Shape, displacement: Vec3, filter: Filter) -> bool {
        let mut any = false;
        self.in_way(moving, displacement, filter, |_, _| {
            any = true;
            Fx::NEG_ONE
        });
        any
    }

    /// All items that `moving` hits on its way, passing through them, in the order of (fraction, id); `all` is emptied
    /// first.
    pub fn all_in_way(&self, moving: &Shape, displacement: Vec3, filter: Filter, all: &mut Vec<ItemCastHit>) {
        all.clear();
        self.in_way(moving, displacement, filter, |id, hit| {
            all.push(ItemCastHit { id, hit });
            Fx::ONE
        });
        all.sort_unstable_by_key(|found| (found.hit.fraction, found.id));
    }

    /// The item with this id, if the filter admits it.
    fn admitted(&self, id: u32, filter: Filter) -> Option<&Item> {
        if filter.admits_id(id) { self.get(id) } else { None }
    }

    /// Calls `visitor` for hits until it returns a fraction before the next.
    fn along_ray(&self, ray: &Ray, filter: Filter, mut visitor: impl FnMut(u32, RayHit) -> Fx) {
        let mut end = ray.max_fraction();
        let mut look = |item: &Item, entry: Fx| {
            if let Some(hit) = cast_ray(&item.shape, ray) {
                end = visitor(item.id, RayHit { fraction: hit.fraction.max(entry), ..hit });
            }
            end
        };
        match self.tree() {
            Some(tree) => tree.ray(ray, filter.layers, |id, entry| match self.admitted(id, filter) {
                Some(item) => look(item, entry),
                None => ray.max_fraction(),
            }),
            None => {
                for item in self.items().iter().filter(|item| filter.admits(item)) {
                    if let Some(entry) = ray.enter_aabb(&item.shape.to_aabb()) {
                        if look(item, entry) < Fx::ZERO {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// As [`along_ray`](Self::along_ray), for a shape.
    fn in_way(
        &self,
        moving: &Shape,
        displacement: Vec3,
        filter: Filter,
        mut visitor: impl FnMut(u32, CastHit) -> Fx,
    ) {
        let around = moving.to_aabb();
        let mut end = Fx::ONE;
        let mut look = |item: &Item, entry: Fx| {
            if let Some(hit) = cast_shape(moving, displacement, &item.shape) {
                end = visitor(item.id, CastHit { fraction: hit.fraction.max(entry), ..hit });
            }
            end
        };
        match self.tree() {
            Some(tree) => {
                tree.cast(&around, displacement, filter.layers, |id, entry| {
                    match self.admitted(id, filter) {
                        Some(item) => look(item, entry),
                        None => Fx::ONE,
                    }
                });
            }
            None => {
                let displacement = bits(displacement);
                let sweep = Sweep { min: bits(around.min()), max: bits(around.max()), displacement };
                for item in self.items().iter().filter(|item| filter.admits(item)) {
                    let aabb = item.shape.to_aabb();
                    if let Some(entry) = sweep.enter(bits(aabb.min()), bits(aabb.max()), Fx::ONE) {
                        if look(item, entry) < Fx::ZERO {
                            return;
                        }
                    }
                }
            }
        }
    }
}
