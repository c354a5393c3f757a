//! The pairs of leaves whose boxes overlap.

use super::node::{ADMITS_ALL, LEAF, NONE, Probe, Slot, id_of};
use super::{DynamicTree, TreeError};
use alloc::vec::Vec;

/// With more than one leaf in so many to ask the tree, it is walked against itself instead.
const WALK_ALL_FROM: usize = 3;

impl DynamicTree {
    /// All pairs (a, b), a < b, of leaves whose tight boxes overlap, touching included, and whose layers admit
    /// each other; sorted. `pairs` is emptied first.
    ///
    /// Nothing is allocated once the memory of the tree and of `pairs` has grown to what the scene needs.
    pub fn pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        self.candidates.ask_all();
        self.update_candidates(usize::MAX);
        self.candidates.overlapping(&self.leaves, pairs);
    }

    /// The pairs, as [`pairs`](Self::pairs) has them, with at least one of the `moved` leaves, in the same order
    /// and each once. Ids may be in any order and repeat themselves. `pairs` is emptied first.
    ///
    /// What a step asks for all that is awake: pairs of which neither is awake are left out, and cost nothing. Time
    /// goes by the leaves that are named, their neighbours, and what changed since the last question, not by how many
    /// leaves there are. Naming others than the last time costs more, once.
    ///
    /// # Errors
    /// If an id is not in the tree; there are no pairs then.
    pub fn pairs_of(&mut self, moved: &[u32], pairs: &mut Vec<(u32, u32)>) -> Result<(), TreeError> {
        self.pairs_of_at_most(moved, usize::MAX, pairs)
    }

    /// As [`pairs_of`](Self::pairs_of), but for a crowd: the pairs are as many as half the square of those who are in
    /// one place, and this gives up before they need more memory than `most` of them do, a few times over.
    ///
    /// # Errors
    /// If an id is not in the tree, or if more than `most` pairs of boxes with their margins overlap: there are no pairs then.
    /// The second depends on the history of the tree, as the margins do.
    pub fn pairs_of_at_most(
        &mut self,
        moved: &[u32],
        most: usize,
        pairs: &mut Vec<(u32, u32)>,
    ) -> Result<(), TreeError> {
        pairs.clear();
        if let Some(&id) = moved.iter().find(|&&id| self.leaf(id).is_err()) {
            return Err(TreeError::UnknownId { id });
        }
        let names_all = self.candidates.ask(moved);
        if !self.update_candidates(most) {
            self.candidates.give_up(moved);
            return Err(TreeError::TooManyPairs { most });
        }
        self.candidates.overlapping_of(moved, names_all, &self.leaves, pairs);
        Ok(())
    }

    /// Lets stale leaves ask the tree, and returns whether there are at most so many candidates; otherwise some are missing.
    fn update_candidates(&mut self, most: usize) -> bool {
        let stale = self.candidates.stale();
        if stale.is_empty() && !self.candidates.is_void() {
            return self.candidates.len() <= most;
        }
        let mut found = core::mem::take(&mut self.scratch.found);
        found.clear();
        if self.candidates.is_void() || stale.len() * WALK_ALL_FROM > self.len() {
            self.walk_all(most, &mut found);
            if found.len() <= most {
                self.candidates.replace(&mut found);
            }
        } else {
            let mut names = core::mem::take(&mut self.scratch.names);
            for &id in stale {
                self.find_candidates(id, &mut names, &mut found);
                if found.len() > most {
                    break;
                }
            }
            self.scratch.names = names;
            if found.len() <= most {
                self.candidates.renew(&mut found);
            }
        }
        let are_all = found.len() <= most && self.candidates.len() <= most;
        self.scratch.found = found;
        are_all
    }

    /// Appends the candidates of a stale leaf.
    fn find_candidates(&self, id: u32, names: &mut Vec<u32>, found: &mut Vec<(u32, u32)>) {
        let leaf = &self.leaves[id as usize];
        // Who belongs to no layer is admitted by none, not even by those that admit all.
        if leaf.place == NONE || leaf.membership == 0 {
            return;
        }
        names.clear();
        self.collect(&Probe::new(self.candidates.fat(id), leaf.filter), names);
        for &name in names.iter() {
            let other = id_of(name);
            if self.candidates.is_sought(id, other)
                && (name & ADMITS_ALL != 0 || leaf.pairs_with(&self.leaves[other as usize]))
            {
                found.push((id.min(other), id.max(other)));
            }
        }
    }

    /// All candidates, or more than `most`: the tree against itself, pairs of slots that overlap split until both are leaves.
    fn walk_all(&mut self, most: usize, found: &mut Vec<(u32, u32)>) {
        let mut stack = core::mem::take(&mut self.scratch.walk);
        stack.clear();
        if self.root.child() & LEAF == 0 {
            stack.push((self.root.child(), self.root.child()));
        }
        while found.len() <= most {
            let Some((a, b)) = stack.pop() else { break };
            if a == b {
                let [left, right] = &self.nodes[a as usize].slots;
                for slot in [left, right] {
                    if !slot.is_leaf() {
                        stack.push((slot.child(), slot.child()));
                    }
                }
                self.meet(left, right, &mut stack, found);
            } else if a & LEAF == 0 && b & LEAF == 0 {
                let (a, b) = (&self.nodes[a as usize].slots, &self.nodes[b as usize].slots);
                for left in a {
                    for right in b {
                        self.meet(left, right, &mut stack, found);
                    }
                }
            } else {
                let (leaf, node) = if a & LEAF == 0 { (b, a) } else { (a, b) };
                let leaf = self.slot(self.leaves[id_of(leaf) as usize].place);
                let [left, right] = &self.nodes[node as usize].slots;
                self.meet(leaf, left, &mut stack, found);
                self.meet(leaf, right, &mut stack, found);
            }
        }
        self.scratch.walk = stack;
    }

    #[inline]
    fn meet(&self, a: &Slot, b: &Slot, stack: &mut Vec<(u32, u32)>, found: &mut Vec<(u32, u32)>) {
        if !Probe::new(&a.bounds(), u32::MAX).meets(b) {
            return;
        }
        if a.is_leaf() & b.is_leaf() {
            let (a, b) = (id_of(a.child()), id_of(b.child()));
            if self.candidates.is_watched(a, b)
                && self.leaves[a as usize].pairs_with(&self.leaves[b as usize])
            {
                found.push((a.min(b), a.max(b)));
            }
        } else {
            stack.push((a.child(), b.child()));
        }
    }
}
