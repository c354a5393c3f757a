//! The leaves whose boxes overlap a box.

use super::node::{LEAF, Probe, Slot, id_of};
use super::{DynamicTree, tight_of};
use crate::shape::Aabb;
use alloc::vec::Vec;

/// Room for nodes that wait to be looked into.
const QUEUE: usize = 256;

/// With more of them the last comes first, so that they become no more than the levels of the tree.
const BREADTH: usize = QUEUE / 2;

/// What is yet to be looked into.
struct Stack {
    inline: [u32; QUEUE],
    len: usize,
    more: Vec<u32>,
}

impl Stack {
    const fn new() -> Self {
        Self { inline: [0; QUEUE], len: 0, more: Vec::new() }
    }

    /// Adds a child that the probe meets.
    fn push(&mut self, slot: &Slot, probe: &Probe) {
        if !probe.meets(slot) {
            return;
        }
        match self.inline.get_mut(self.len) {
            Some(place) => {
                *place = slot.child();
                self.len += 1;
            }
            None => self.more.push(slot.child()),
        }
    }

    fn pop(&mut self) -> Option<u32> {
        if let Some(child) = self.more.pop() {
            return Some(child);
        }
        self.len = self.len.checked_sub(1)?;
        Some(self.inline[self.len])
    }
}

impl DynamicTree {
    /// All leaves with one of the layers of `mask` whose tight boxes overlap `aabb`, touching included, by
    /// ascending ids: `found` is emptied first.
    ///
    /// Allocates nothing where `found` has room, but where more than 256 nodes wait to be looked into.
    pub fn query_aabb(&self, aabb: &Aabb, mask: u32, found: &mut Vec<u32>) {
        found.clear();
        // No id is in the error that nobody reads.
        let Ok(tight) = tight_of(0, aabb) else { return };
        self.collect(&Probe::new(&self.grid.bounds(&tight), mask), found);
        found.retain_mut(|name| {
            *name = id_of(*name);
            self.leaves[*name as usize].overlaps(&tight)
        });
        found.sort_unstable();
    }

    /// Whether `test` holds for any leaf with one of the layers of `mask` whose tight box overlaps `aabb`: leaves are
    /// tested until it does, in an order that says nothing.
    ///
    /// Allocates nothing but where more than 256 nodes wait to be looked into.
    pub fn any_in_aabb(&self, aabb: &Aabb, mask: u32, mut test: impl FnMut(u32) -> bool) -> bool {
        let Ok(tight) = tight_of(0, aabb) else { return false };
        let probe = Probe::new(&self.grid.bounds(&tight), mask);
        let mut stack = Stack::new();
        stack.push(&self.root, &probe);
        while let Some(child) = stack.pop() {
            if child & LEAF == 0 {
                for slot in &self.nodes[child as usize].slots {
                    stack.push(slot, &probe);
                }
            } else if self.leaves[id_of(child) as usize].overlaps(&tight) && test(id_of(child)) {
                return true;
            }
        }
        false
    }

    /// Appends the names of all leaves whose fat boxes and layers the probe meets, in no particular order.
    ///
    /// Breadth first, so that the next nodes are known and on their way from memory while one is looked into. What
    /// a child is and whether it meets no processor foresees, so nothing branches on it: children are written to
    /// both lists, and kept in one by counting them.
    pub(super) fn collect(&self, probe: &Probe, found: &mut Vec<u32>) {
        if !probe.meets(&self.root) {
            return;
        }
        if self.root.is_leaf() {
            found.push(self.root.child());
            return;
        }
        let mut queue = [0; QUEUE];
        queue[0] = self.root.child();
        let (mut first, mut last) = (0, 1);
        let mut more = Vec::new();
        let mut end = found.len();
        loop {
            if first == last {
                match more.pop() {
                    Some(node) => (queue[0], first, last) = (node, 0, 1),
                    None => break,
                }
            }
            let node = if last - first <= BREADTH {
                first += 1;
                queue[first - 1]
            } else {
                last -= 1;
                queue[last]
            };
            if last + 2 > QUEUE {
                queue.copy_within(first..last, 0);
                (first, last) = (0, last - first);
                if last + 2 > QUEUE {
                    more.extend_from_slice(&queue[..last]);
                    last = 0;
                }
            }
            if found.len() < end + 2 {
                found.resize(end + QUEUE, 0);
            }
            for slot in &self.nodes[node as usize].slots {
                let (meets, is_leaf) = (probe.meets(slot), slot.is_leaf());
                found[end] = slot.child();
                end += usize::from(meets & is_leaf);
                queue[last] = slot.child();
                last += usize::from(meets & !is_leaf);
            }
        }
        found.truncate(end);
    }
}
