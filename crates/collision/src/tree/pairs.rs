//! The pairs of leaves whose boxes overlap.

use super::neighbours::Entry;
use super::node::{Cells, LEAF, NONE, Probe, Relation, Slot};
use super::sort::sort;
use super::{DynamicTree, TreeError};
use alloc::vec::Vec;

/// With more than one leaf in so many stale, all lists are made anew by one walk of the tree against itself.
const WALK_ALL_FROM: usize = 3;

impl DynamicTree {
    /// All pairs (a, b), a < b, of leaves whose tight boxes overlap, touching included, and whose layers admit
    /// each other; sorted. `pairs` is emptied first.
    pub fn pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        self.update_neighbours();
        pairs.clear();
        for (leaf, id) in self.leaves.iter().zip(0..) {
            if leaf.place != NONE {
                let start = pairs.len();
                self.push_pairs(id, pairs, |_, other| other > id);
                pairs[start..].sort_unstable_by_key(|&(_, b)| b);
            }
        }
    }

    /// The pairs, as [`pairs`](Self::pairs) has them, with at least one of the `moved` leaves, in the same order
    /// and each once. Ids may be in any order and repeat themselves. `pairs` is emptied first.
    ///
    /// # Errors
    /// If an id is not in the tree; there are no pairs then.
    pub fn pairs_of(&mut self, moved: &[u32], pairs: &mut Vec<(u32, u32)>) -> Result<(), TreeError> {
        pairs.clear();
        if let Some(&id) = moved.iter().find(|&&id| self.leaf(id).is_err()) {
            return Err(TreeError::UnknownId { id });
        }
        self.update_neighbours();
        let question = self.next_question();
        for &id in moved {
            // Pairs with leaves that had their turn are there already; so are all of an id that comes again.
            let cells = &mut self.cells[id as usize];
            if cells.asked() != question {
                cells.set_asked(question);
                self.push_pairs(id, pairs, |cells, _| cells.asked() != question);
            }
        }
        sort(pairs, &mut self.scratch.sort);
        Ok(())
    }

    /// Adds the pairs of a leaf with those of its neighbours that `admits` accepts.
    ///
    /// Of fat neighbours about every second one is a tight one, which no processor foresees: every candidate is
    /// written, and kept by counting it.
    #[inline]
    fn push_pairs(&self, id: u32, pairs: &mut Vec<(u32, u32)>, admits: impl Fn(&Cells, u32) -> bool) {
        let probe = self.cells[id as usize].probe();
        let candidates = self.neighbours.of(id);
        let mut end = pairs.len();
        pairs.resize(end + candidates.len(), (0, 0));
        for &Entry { id: other, .. } in candidates {
            let cells = &self.cells[other as usize];
            let Relation { mut apart, tied } = cells.relation(&probe);
            if tied & !apart {
                apart = !self.leaves[other as usize].overlaps(&self.leaves[id as usize].tight);
            }
            pairs[end] = (id.min(other), id.max(other));
            end += usize::from(!apart & admits(cells, other));
        }
        pairs.truncate(end);
    }

    fn next_question(&mut self) -> u32 {
        self.question = self.question.checked_add(1).unwrap_or_else(|| {
            self.cells.iter_mut().for_each(|cells| cells.set_asked(0));
            1
        });
        self.question
    }

    /// Lets stale leaves find their neighbours.
    fn update_neighbours(&mut self) {
        if self.neighbours.stale_count() * WALK_ALL_FROM > self.len() {
            self.walk_all();
            return;
        }
        let mut found = core::mem::take(&mut self.scratch.found);
        while let Some(id) = self.neighbours.pop_stale() {
            let leaf = &self.leaves[id as usize];
            if leaf.place == NONE {
                continue;
            }
            let probe = Probe::new(&self.slot(leaf.place).bounds(), leaf.filter);
            self.visit(&probe, |other| {
                // Stale leaves link with this one when their turn comes.
                if other != id
                    && !self.neighbours.is_stale(other)
                    && leaf.pairs_with(&self.leaves[other as usize])
                {
                    found.push(other);
                }
            });
            for other in found.drain(..) {
                self.neighbours.link(id, other);
            }
        }
        self.scratch.found = found;
    }

    /// Links all leaves anew: the tree against itself, pairs of slots that overlap split until both are leaves.
    fn walk_all(&mut self) {
        let mut links = core::mem::take(&mut self.scratch.links);
        let mut stack = core::mem::take(&mut self.scratch.walk);
        links.clear();
        stack.clear();
        if self.root.child() & LEAF == 0 {
            stack.push((self.root.child(), self.root.child()));
        }
        while let Some((a, b)) = stack.pop() {
            if a == b {
                let [left, right] = &self.nodes[a as usize].slots;
                for slot in [left, right] {
                    if !slot.is_leaf() {
                        stack.push((slot.child(), slot.child()));
                    }
                }
                self.meet(left, right, &mut stack, &mut links);
            } else if a & LEAF == 0 && b & LEAF == 0 {
                let (a, b) = (&self.nodes[a as usize].slots, &self.nodes[b as usize].slots);
                for left in a {
                    for right in b {
                        self.meet(left, right, &mut stack, &mut links);
                    }
                }
            } else {
                let (leaf, node) = if a & LEAF == 0 { (b, a) } else { (a, b) };
                let leaf = self.slot(self.leaves[(leaf & !LEAF) as usize].place);
                let [left, right] = &self.nodes[node as usize].slots;
                self.meet(leaf, left, &mut stack, &mut links);
                self.meet(leaf, right, &mut stack, &mut links);
            }
        }
        self.neighbours.link_all(self.leaves.len(), &links);
        self.scratch.walk = stack;
        self.scratch.links = links;
    }

    #[inline]
    fn meet(&self, a: &Slot, b: &Slot, stack: &mut Vec<(u32, u32)>, links: &mut Vec<(u32, u32)>) {
        if !Probe::new(&a.bounds(), u32::MAX).meets(b) {
            return;
        }
        if a.is_leaf() & b.is_leaf() {
            let (a, b) = (a.child() & !LEAF, b.child() & !LEAF);
            if self.leaves[a as usize].pairs_with(&self.leaves[b as usize]) {
                links.push((a, b));
            }
        } else {
            stack.push((a.child(), b.child()));
        }
    }
}
