//! Mending the boxes above a slot that changed, and turning nodes around where that makes boxes smaller.

use super::DynamicTree;
use super::node::{ROOT, half_area};

impl DynamicTree {
    /// Makes all slots above a place fit again, up to the first that does already.
    pub(super) fn refit_above(&mut self, mut place: u32) {
        while place != ROOT {
            let node = place >> 1;
            self.rotate(node);
            place = self.parents[node as usize];
            let summary = self.nodes[node as usize].summary(node);
            if *self.slot(place) == summary {
                return;
            }
            self.set_slot(place, summary);
        }
    }

    /// Swaps a child of `node` with a grandchild on the other side, if that makes the box of the other child
    /// smaller: the best of four swaps (A. Kensler, *Tree rotations for improving bounding volume
    /// hierarchies*, 2008).
    fn rotate(&mut self, node: u32) {
        let slots = self.nodes[node as usize].slots;
        let mut best = None;
        let mut best_gain = 0;
        for side in 0..2_usize {
            let (lone, parted) = (&slots[side], &slots[1 - side]);
            if parted.is_leaf() {
                continue;
            }
            let below = &self.nodes[parted.child() as usize].slots;
            let area = half_area(&parted.bounds());
            for leaving in 0..2_usize {
                let gain = area.saturating_sub(half_area(&lone.merge(&below[1 - leaving])));
                if gain > best_gain {
                    best_gain = gain;
                    best = Some((side, leaving));
                }
            }
        }
        let Some((side, leaving)) = best else { return };
        let (lone, parted) = (slots[side], slots[1 - side].child());
        let leaver = self.nodes[parted as usize].slots[leaving];
        self.set_slot(parted << 1 | leaving as u32, lone);
        self.set_slot(node << 1 | side as u32, leaver);
        let summary = self.nodes[parted as usize].summary(parted);
        self.set_slot(node << 1 | (1 - side) as u32, summary);
    }
}
