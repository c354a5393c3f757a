//! Finding a leaf its place, and taking it out.
//!
//! A leaf goes beside the node or leaf where the sum of all half surfaces grows least, found by one descent
//! towards the cheaper child that stops where no place below can be cheaper (the surface area heuristic; J.
//! Bittner, M. Hapala, V. Havran, *Incremental BVH construction for ray tracing*, 2015, descending greedily as
//! Box2D does).

use super::DynamicTree;
use super::node::{Bounds, NONE, Node, ROOT, Slot, half_area, id_of};

impl DynamicTree {
    /// Puts a leaf without place into the tree.
    pub(super) fn attach_leaf(&mut self, id: u32, fat: Bounds) {
        let slot = self.leaves[id as usize].slot(id, fat);
        if self.root.child() == NONE {
            self.set_slot(ROOT, slot);
            return;
        }
        let place = self.best_sibling(&slot);
        let sibling = *self.slot(place);
        let node = self.new_node();
        self.set_slot(node << 1, sibling);
        self.set_slot(node << 1 | 1, slot);
        let summary = self.nodes[node as usize].summary(node);
        self.set_slot(place, summary);
        self.refit_above(place);
    }

    /// Takes a leaf out of its place.
    pub(super) fn detach_leaf(&mut self, id: u32) {
        let place = self.leaves[id as usize].place;
        if place == ROOT {
            self.root = Slot::EMPTY;
            return;
        }
        let (node, above) = (place >> 1, self.parents[(place >> 1) as usize]);
        let sibling = *self.slot(place ^ 1);
        self.set_slot(above, sibling);
        self.free.push(node);
        self.refit_above(above);
    }

    /// Gives a leaf another box: in its place if the boxes two levels above have room for it, else elsewhere.
    pub(super) fn relocate_leaf(&mut self, id: u32, fat: Bounds) {
        let place = self.leaves[id as usize].place;
        let mut above = place;
        for _ in 0..2 {
            if above != ROOT {
                above = self.parents[(above >> 1) as usize];
            }
        }
        if above == ROOT || self.slot(above).contains(&fat) {
            self.set_slot(place, self.leaves[id as usize].slot(id, fat));
            self.refit_above(place);
        } else {
            self.detach_leaf(id);
            self.attach_leaf(id, fat);
        }
    }

    #[inline]
    pub(super) fn slot(&self, place: u32) -> &Slot {
        if place == ROOT {
            &self.root
        } else {
            &self.nodes[(place >> 1) as usize].slots[(place & 1) as usize]
        }
    }

    /// Writes a slot, and tells its child where it is.
    #[inline]
    pub(super) fn set_slot(&mut self, place: u32, slot: Slot) {
        if place == ROOT {
            self.root = slot;
        } else {
            self.nodes[(place >> 1) as usize].slots[(place & 1) as usize] = slot;
        }
        if slot.is_leaf() {
            self.leaves[id_of(slot.child()) as usize].place = place;
        } else {
            self.parents[slot.child() as usize] = place;
        }
    }

    fn new_node(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.nodes.push(Node { slots: [Slot::EMPTY; 2] });
            self.parents.push(NONE);
            // Inner nodes are fewer than leaves.
            (self.nodes.len() - 1) as u32
        })
    }

    /// The place of the slot that a leaf is best put beside.
    fn best_sibling(&self, new: &Slot) -> u32 {
        let area = half_area(&new.bounds());
        let (mut place, mut best) = (ROOT, ROOT);
        let mut united = half_area(&self.root.merge(new));
        let mut best_cost = united;
        // What the boxes above grow by.
        let mut inherited = 0_u64;
        loop {
            let slot = self.slot(place);
            if slot.is_leaf() {
                return best;
            }
            // Areas are below 2^60; the saturating sum of many is only compared.
            inherited = inherited.saturating_add(united - half_area(&slot.bounds()));
            let slots = &self.nodes[slot.child() as usize].slots;
            let below = [half_area(&slots[0].merge(new)), half_area(&slots[1].merge(new))];
            let growth = [0, 1].map(|side: usize| below[side] - half_area(&slots[side].bounds()));
            let side = usize::from(growth[1] < growth[0]);
            (place, united) = (slot.child() << 1 | side as u32, below[side]);
            let cost = inherited.saturating_add(united);
            if cost < best_cost {
                (best, best_cost) = (place, cost);
            }
            // Wherever it goes below, this much is added at the least.
            if inherited.saturating_add(growth[side]).saturating_add(area) >= best_cost {
                return best;
            }
        }
    }
}
