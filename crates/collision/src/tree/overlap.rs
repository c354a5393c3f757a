//! The leaves whose boxes overlap a box.

use super::node::{LEAF, Probe};
use super::stack::Stack;
use super::{DynamicTree, tight_of};
use crate::shape::Aabb;
use alloc::vec::Vec;

impl DynamicTree {
    /// All leaves with one of the layers of `mask` whose tight boxes overlap `aabb`, touching included, by
    /// ascending ids: `found` is emptied first.
    ///
    /// Allocates nothing where `found` has room, but in trees deeper than 64 levels.
    pub fn query_aabb(&self, aabb: &Aabb, mask: u32, found: &mut Vec<u32>) {
        found.clear();
        // No id is in the error that nobody reads.
        let Ok(tight) = tight_of(0, aabb) else { return };
        let probe = Probe::new(&self.grid.bounds(&tight), mask);
        self.visit(&probe, |id| {
            if self.leaves[id as usize].overlaps(&tight) {
                found.push(id);
            }
        });
        found.sort_unstable();
    }

    /// Names all leaves whose fat boxes and layers the probe meets, in no particular order.
    #[inline]
    pub(super) fn visit(&self, probe: &Probe, mut visitor: impl FnMut(u32)) {
        if !probe.meets(&self.root) {
            return;
        }
        let mut stack = Stack::new();
        let mut child = self.root.child();
        loop {
            if child & LEAF == 0 {
                let [a, b] = &self.nodes[child as usize].slots;
                match (probe.meets(a), probe.meets(b)) {
                    (true, true) => {
                        stack.push(b.child());
                        child = a.child();
                        continue;
                    }
                    (true, false) => {
                        child = a.child();
                        continue;
                    }
                    (false, true) => {
                        child = b.child();
                        continue;
                    }
                    (false, false) => {}
                }
            } else {
                visitor(child & !LEAF);
            }
            match stack.pop() {
                Some(next) => child = next,
                None => return,
            }
        }
    }
}
