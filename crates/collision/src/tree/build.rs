//! Building a whole tree at once, from the top, by binned splits.
//!
//! Each set of leaves is split across the longest side of the box around its centres: at one of a few planes,
//! where Σ count · half surface over both halves is least (I. Wald, *On fast construction of SAH-based bounding
//! volume hierarchies*, 2007), or in the middle of the list where all centres coincide. Nodes come out in the
//! order of a walk from the root, so neighbours in space are neighbours in memory. Leaves that are as large as all that lies
//! around, floors and planes, are put beside it afterwards, one by one.

use super::grid::Grid;
use super::margin::fatten;
use super::node::{Leaf, NONE, NOWHERE, Node, ROOT, Slot, TOP, center, half_area, id_of};
use super::{DynamicTree, Layers, TreeError, TreeItem, check_id, tight_of};
use alloc::vec::Vec;

const BINS: usize = 8;

/// Fraction bits of bins per cell.
const BIN_BITS: u32 = 40;

/// Memory that is kept from one use to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    centers: [Vec<i64>; 3],
    leaves: Vec<Slot>,
    tasks: Vec<Task>,
    seen: Vec<u64>,
    pub(super) walk: Vec<(u32, u32)>,
    pub(super) found: Vec<(u32, u32)>,
    /// Leaves that need another place, and the boxes that they had before.
    pub(super) homeless: Vec<(u32, [i64; 6])>,
    pub(super) names: Vec<u32>,
}

/// Leaves `start..end` of the list go below the slot `place`, whose box is known.
#[derive(Clone, Copy, Debug)]
struct Task {
    start: usize,
    end: usize,
    place: u32,
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Slot,
    count: u64,
}

impl DynamicTree {
    /// Replaces all leaves by `items`, in a tree of good quality.
    ///
    /// # Errors
    /// If an id comes twice or is not below [`MAX_LEAVES`](super::MAX_LEAVES), or if a box is empty; the tree is as it was.
    pub fn build(&mut self, items: &[TreeItem]) -> Result<(), TreeError> {
        self.check(items)?;
        self.clear();
        let count = items.iter().map(|item| item.id as usize + 1).max().unwrap_or(0);
        self.leaves.resize(count, Leaf::ABSENT);
        self.candidates.reset(count);
        for item in items {
            let Layers { membership, filter } = item.layers;
            let tight = tight_of(item.id, &item.aabb)?;
            self.leaves[item.id as usize] = Leaf { tight, membership, filter, place: NOWHERE };
        }
        self.count = items.len() as u32;
        self.rebuild();
        Ok(())
    }

    /// Builds the tree anew from its own leaves. After long times of change it is somewhat faster then; no answer
    /// changes.
    pub fn rebuild(&mut self) {
        self.choose_grid();
        self.candidates.forget_all();
        for (leaf, id) in self.leaves.iter().zip(0..) {
            if leaf.place != NONE {
                let fat = self.grid.bounds(&fatten(&leaf.tight, &leaf.tight, self.margin));
                self.candidates.set(id, &self.grid.bounds(&leaf.tight), &fat);
            }
        }
        self.regroup();
    }

    /// Makes nodes anew of the boxes that leaves have in the tree, or are to have: so no pair is forgotten.
    pub(super) fn regroup(&mut self) {
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.leaves.clear();
        for (leaf, id) in self.leaves.iter().zip(0..) {
            if leaf.place != NONE {
                scratch.leaves.push(leaf.slot(id, *self.candidates.fat(id)));
            }
        }
        self.moves = 0;
        self.nodes.clear();
        self.parents.clear();
        self.free.clear();
        self.root = Slot::EMPTY;
        let is_large = is_large(&scratch.leaves);
        let large = partition(&mut scratch.leaves, is_large);
        // Where they are many, as in one place, they are nothing apart: one by one they would be a list.
        let apart = if large <= scratch.leaves.len() / 8 { large } else { 0 };
        let (large, small) = scratch.leaves.split_at_mut(apart);
        if !small.is_empty() {
            self.split_all(small, &mut scratch.tasks);
        }
        for leaf in large {
            self.attach_leaf(id_of(leaf.child()), leaf.bounds());
        }
        self.scratch = scratch;
    }

    fn check(&mut self, items: &[TreeItem]) -> Result<(), TreeError> {
        let seen = &mut self.scratch.seen;
        seen.clear();
        for &TreeItem { id, aabb, .. } in items {
            check_id(id)?;
            if aabb.is_empty() {
                return Err(TreeError::EmptyAabb { id });
            }
            let (word, bit) = (id as usize / 64, 1 << (id % 64));
            if seen.len() <= word {
                seen.resize(word + 1, 0);
            }
            if seen[word] & bit != 0 {
                return Err(TreeError::DuplicateId { id });
            }
            seen[word] |= bit;
        }
        Ok(())
    }

    fn choose_grid(&mut self) {
        let centers = &mut self.scratch.centers;
        centers.iter_mut().for_each(Vec::clear);
        for leaf in self.leaves.iter().filter(|leaf| leaf.place != NONE) {
            for (axis, value) in centers.iter_mut().zip(center(&leaf.tight)) {
                axis.push(value);
            }
        }
        self.grid = Grid::fitting(centers);
        self.escapes = 0;
    }

    fn split_all(&mut self, leaves: &mut [Slot], tasks: &mut Vec<Task>) {
        let all = leaves.iter().fold(Slot::EMPTY, |all, leaf| grown(&all, leaf));
        self.root = all;
        tasks.clear();
        tasks.push(Task { start: 0, end: leaves.len(), place: ROOT });
        while let Some(Task { start, end, place }) = tasks.pop() {
            if end - start == 1 {
                self.set_slot(place, leaves[start]);
                continue;
            }
            let node = self.nodes.len() as u32;
            let (middle, slots) = split(&mut leaves[start..end]);
            self.nodes.push(Node { slots });
            self.parents.push(place);
            let own = *self.slot(place);
            self.set_slot(place, Slot::new(own.bounds(), node, own.layers()));
            let middle = start + middle;
            tasks.push(Task { start: middle, end, place: node << 1 | 1 });
            tasks.push(Task { start, end: middle, place: node << 1 });
        }
    }
}

/// Whether a leaf has more than a fourth of the surface of the box around the centres of all: amid others it would make all boxes
/// above it as large.
fn is_large(leaves: &[Slot]) -> impl Fn(&Slot) -> bool + use<> {
    let mut around = [TOP; 6];
    for leaf in leaves {
        for axis in 0..3 {
            let middle = (twice_center(leaf, axis) >> 1) as i32;
            around[axis] = around[axis].min(middle);
            around[axis + 3] = around[axis + 3].min(TOP - middle);
        }
    }
    let most = half_area(&around) / 4;
    move |leaf| half_area(&leaf.bounds()) > most
}

fn grown(bounds: &Slot, leaf: &Slot) -> Slot {
    Slot::new(bounds.merge(leaf), NONE, bounds.layers() | leaf.layers())
}

/// Twice the middle of a box on an axis, in cells.
#[inline]
fn twice_center(leaf: &Slot, axis: usize) -> i64 {
    i64::from(leaf.lanes[axis]) + i64::from(TOP - leaf.lanes[axis + 3])
}

/// Orders two or more leaves into two halves; returns the length of the first and the boxes around both.
fn split(leaves: &mut [Slot]) -> (usize, [Slot; 2]) {
    if let [a, b] = leaves {
        return (1, [*a, *b]);
    }
    let mut low = [i64::MAX; 3];
    let mut high = [i64::MIN; 3];
    for leaf in leaves.iter() {
        for axis in 0..3 {
            let middle = twice_center(leaf, axis);
            low[axis] = low[axis].min(middle);
            high[axis] = high[axis].max(middle);
        }
    }
    let mut axis = 0;
    for other in 1..3 {
        if high[other] - low[other] > high[axis] - low[axis] {
            axis = other;
        }
    }
    let (low, span) = (low[axis], (high[axis] - low[axis]) as u64);
    if span == 0 {
        return halve(leaves);
    }
    // The span is below 2^32. A place is below BINS, as span · scale < BINS · 2^BIN_BITS, which fits.
    let scale = ((BINS as u64) << BIN_BITS) / (span + 1);
    let bin_of = |leaf: &Slot| (((twice_center(leaf, axis) - low) as u64 * scale) >> BIN_BITS) as usize;
    let mut bins = [Bin { bounds: Slot::EMPTY, count: 0 }; BINS];
    for leaf in leaves.iter() {
        let bin = &mut bins[bin_of(leaf)];
        bin.bounds = grown(&bin.bounds, leaf);
        bin.count += 1;
    }
    let Some((boundary, slots)) = best_plane(&bins) else { return halve(leaves) };
    (partition(leaves, |leaf| bin_of(leaf) < boundary), slots)
}

/// The first bin beyond the best plane, and the boxes on both sides; `None` where all are in one bin.
fn best_plane(bins: &[Bin; BINS]) -> Option<(usize, [Slot; 2])> {
    let mut beyond = [Bin { bounds: Slot::EMPTY, count: 0 }; BINS];
    let mut right = Bin { bounds: Slot::EMPTY, count: 0 };
    for (bin, beyond) in bins.iter().zip(&mut beyond).rev() {
        right = Bin { bounds: grown(&right.bounds, &bin.bounds), count: right.count + bin.count };
        *beyond = right;
    }
    let mut left = Bin { bounds: Slot::EMPTY, count: 0 };
    let mut best = None;
    let mut best_cost = u128::MAX;
    for (plane, bin) in (1..BINS).zip(bins) {
        left = Bin { bounds: grown(&left.bounds, &bin.bounds), count: left.count + bin.count };
        let right = &beyond[plane];
        if left.count == 0 || right.count == 0 {
            continue;
        }
        let cost = |side: &Bin| u128::from(half_area(&side.bounds.bounds())) * u128::from(side.count);
        let cost = cost(&left) + cost(right);
        if cost < best_cost {
            best_cost = cost;
            best = Some((plane, [left.bounds, right.bounds]));
        }
    }
    best
}

/// The list as it is, cut in the middle.
fn halve(leaves: &[Slot]) -> (usize, [Slot; 2]) {
    let middle = leaves.len() / 2;
    let around = |half: &[Slot]| half.iter().fold(Slot::EMPTY, |all, leaf| grown(&all, leaf));
    (middle, [around(&leaves[..middle]), around(&leaves[middle..])])
}

/// Brings the leaves that belong in front to the front, and returns how many they are.
fn partition(leaves: &mut [Slot], in_front: impl Fn(&Slot) -> bool) -> usize {
    let mut front = 0;
    for i in 0..leaves.len() {
        if in_front(&leaves[i]) {
            leaves.swap(front, i);
            front += 1;
        }
    }
    front
}

#[cfg(test)]
mod tests {
    use super::super::node::{Bounds, LEAF};
    use super::*;

    fn slot(bounds: Bounds) -> Slot {
        Slot::new(bounds, LEAF, 1)
    }

    #[test]
    fn bins_hold_at_the_ends_of_the_grid() {
        let mut leaves = [slot([0, 0, 0, TOP, TOP, TOP]), slot([TOP, 0, 0, 0, 0, 0]), slot([0; 6])];
        let (front, slots) = split(&mut leaves);
        assert!((1..3).contains(&front), "{front}");
        let around = |half: &[Slot]| half.iter().fold(Slot::EMPTY, |all, leaf| grown(&all, leaf));
        assert_eq!(slots, [around(&leaves[..front]), around(&leaves[front..])]);
    }

    #[test]
    fn equal_boxes_are_cut_in_the_middle() {
        let mut leaves = [slot([1, 2, 3, TOP - 4, TOP - 5, TOP - 6]); 7];
        assert_eq!(split(&mut leaves).0, 3);
    }
}
