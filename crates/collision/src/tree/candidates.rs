//! The pairs of leaves that may be pairs: their fat boxes overlap, and their layers admit each other.
//!
//! One sorted list, of which most remains true from one step to the next. A question reads it from front to back,
//! and what passes is sorted already. Leaves that came, moved away or changed layers are *stale*: nobody may trust
//! the list on them until they asked the tree again. That happens when pairs are asked for, so who only casts rays
//! pays nothing.
//!
//! Only pairs with a *watched* leaf are listed. Who is asked for is watched from then on: where a thousand bodies
//! are awake among ten thousand at rest, pairs among the latter take neither time nor memory. Once most of the list
//! has been of no use for some questions on end, only those stay watched that the last question named.

use super::margin::may_stay;
use super::node::{Bounds, Cells, Leaf, Relation};
use super::sort::{SortScratch, key, sort};
use alloc::vec::Vec;

/// For so many questions on end the list may be longer than is of use.
const MAX_IDLE: u32 = 16;

/// The marks of a leaf, a byte for all, since they are looked at often and shall stay in cache.
const STALE: u8 = 1;
const WATCHED: u8 = 2;
/// Named by the question that is being answered.
const ASKED: u8 = 4;

#[derive(Clone, Debug)]
pub(super) struct Candidates {
    /// The boxes of the leaves on the grid: half the memory of their coordinates, and enough to tell most pairs.
    cells: Vec<Cells>,
    marks: Vec<u8>,
    /// Pairs (a, b), a < b, sorted.
    list: Vec<(u32, u32)>,
    /// The memory of the list before this one.
    spare: Vec<(u32, u32)>,
    /// Stale leaves, some of them gone meanwhile.
    stale: Vec<u32>,
    /// No pair is known: as if all leaves were stale.
    is_void: bool,
    /// All leaves are watched, whatever their marks.
    watches_all: bool,
    /// How many leaves are marked as watched.
    watched: usize,
    /// For how many questions on end the list was longer than was of use.
    idle: u32,
    sort: SortScratch,
}

impl Candidates {
    pub(super) const fn new() -> Self {
        Self {
            cells: Vec::new(),
            marks: Vec::new(),
            list: Vec::new(),
            spare: Vec::new(),
            stale: Vec::new(),
            is_void: true,
            watches_all: false,
            watched: 0,
            idle: 0,
            sort: SortScratch::new(),
        }
    }

    /// Forgets everything, and has room for ids below `count`.
    pub(super) fn reset(&mut self, count: usize) {
        self.forget_all();
        self.cells.clear();
        self.marks.clear();
        self.grow(count);
        (self.watches_all, self.watched, self.idle) = (false, 0, 0);
    }

    /// Makes room for ids below `count`.
    pub(super) fn grow(&mut self, count: usize) {
        self.cells.resize(count, Cells::ABSENT);
        self.marks.resize(count, 0);
    }

    /// Notes the boxes of a leaf.
    #[inline]
    pub(super) fn set(&mut self, id: u32, tight: &Bounds, fat: &Bounds) {
        self.cells[id as usize] = Cells { tight: *tight, fat: *fat };
    }

    /// Notes the box of a leaf in the tree.
    #[inline]
    pub(super) fn set_fat(&mut self, id: u32, fat: &Bounds) {
        self.cells[id as usize].fat = *fat;
    }

    /// The box of a leaf in the tree.
    #[inline]
    pub(super) fn fat(&self, id: u32) -> &Bounds {
        &self.cells[id as usize].fat
    }

    /// Notes another tight box of a leaf; returns whether its box in the tree may stay.
    #[inline]
    pub(super) fn move_within(&mut self, id: u32, tight: &Bounds, margin: i32) -> bool {
        let cells = &mut self.cells[id as usize];
        let stays = may_stay(&cells.fat, &cells.tight, tight, margin);
        cells.tight = *tight;
        stays
    }

    /// Marks a leaf as stale.
    #[inline]
    pub(super) fn forget(&mut self, id: u32) {
        let marks = &mut self.marks[id as usize];
        if !self.is_void && *marks & STALE == 0 {
            *marks |= STALE;
            self.stale.push(id);
        }
    }

    /// Notes that a leaf is gone.
    pub(super) fn remove(&mut self, id: u32) {
        self.forget(id);
        let marks = &mut self.marks[id as usize];
        self.watched -= usize::from(*marks & WATCHED != 0);
        *marks &= !WATCHED;
    }

    /// Forgets all pairs.
    pub(super) fn forget_all(&mut self) {
        self.refresh();
        self.list.clear();
        self.is_void = true;
    }

    /// No leaf is stale any more.
    fn refresh(&mut self) {
        for id in self.stale.drain(..) {
            self.marks[id as usize] &= !STALE;
        }
    }

    /// Prepares for a question for the pairs of `moved`. Returns whether it names all leaves that are watched.
    pub(super) fn ask(&mut self, moved: &[u32]) -> bool {
        if self.is_void {
            self.unwatch_all();
            self.is_void = false;
        }
        let mut asked = 0;
        for &id in moved {
            let marks = self.marks[id as usize];
            self.marks[id as usize] |= ASKED | WATCHED;
            asked += usize::from(marks & ASKED == 0);
            if marks & WATCHED == 0 {
                self.watched += 1;
                if !self.watches_all {
                    self.forget(id);
                }
            }
        }
        asked == self.watched && !self.watches_all
    }

    /// Prepares for a question for all pairs.
    pub(super) fn ask_all(&mut self) {
        if !self.watches_all {
            self.forget_all();
            self.watches_all = true;
        }
    }

    fn unwatch_all(&mut self) {
        self.marks.iter_mut().for_each(|marks| *marks &= !WATCHED);
        (self.watches_all, self.watched) = (false, 0);
    }

    pub(super) const fn is_void(&self) -> bool {
        self.is_void
    }

    /// How many pairs are listed.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets all pairs, and the question for those of `moved`.
    pub(super) fn give_up(&mut self, moved: &[u32]) {
        self.forget_all();
        for &id in moved {
            self.marks[id as usize] &= !ASKED;
        }
    }

    /// The stale leaves.
    pub(super) fn stale(&self) -> &[u32] {
        &self.stale
    }

    /// Whether the tree is asked for the pair of a stale leaf and another one by the stale leaf: of two stale leaves,
    /// the one with the lesser id asks. At least one has to be watched.
    #[inline]
    pub(super) fn is_sought(&self, stale: u32, other: u32) -> bool {
        let (own, others) = (self.marks[stale as usize], self.marks[other as usize]);
        let asks = (other > stale) | (others & STALE == 0) & (other != stale);
        asks & (self.watches_all | ((own | others) & WATCHED != 0))
    }

    /// Whether one of two leaves is watched.
    #[inline]
    pub(super) fn is_watched(&self, a: u32, b: u32) -> bool {
        self.watches_all | ((self.marks[a as usize] | self.marks[b as usize]) & WATCHED != 0)
    }

    /// Replaces the list by the pairs found, none of them twice; no leaf is stale.
    pub(super) fn replace(&mut self, found: &mut [(u32, u32)]) {
        self.forget_all();
        self.is_void = false;
        sort(found, &mut self.sort);
        self.list.extend_from_slice(found);
    }

    /// Takes the pairs of stale leaves out, and the pairs found for them in; no leaf is stale.
    pub(super) fn renew(&mut self, found: &mut [(u32, u32)]) {
        sort(found, &mut self.sort);
        let Self { marks, list, spare, .. } = self;
        let is_fresh = |&(a, b): &(u32, u32)| (marks[a as usize] | marks[b as usize]) & STALE == 0;
        spare.clear();
        spare.resize(list.len() + found.len(), (0, 0));
        let (mut end, mut next) = (0, 0);
        for pair in found.iter() {
            while let Some(kept) = list.get(next).filter(|kept| key(kept) < key(pair)) {
                spare[end] = *kept;
                end += usize::from(is_fresh(kept));
                next += 1;
            }
            spare[end] = *pair;
            end += 1;
        }
        for kept in &list[next..] {
            spare[end] = *kept;
            end += usize::from(is_fresh(kept));
        }
        spare.truncate(end);
        core::mem::swap(list, spare);
        self.refresh();
    }

    /// All pairs of the list whose tight boxes overlap.
    pub(super) fn overlapping(&mut self, leaves: &[Leaf], pairs: &mut Vec<(u32, u32)>) {
        self.filter::<false>(leaves, pairs);
        self.idle = 0;
    }

    /// The pairs of the list whose tight boxes overlap, those of them that have a leaf of the question for `moved`.
    pub(super) fn overlapping_of(
        &mut self,
        moved: &[u32],
        names_all: bool,
        leaves: &[Leaf],
        pairs: &mut Vec<(u32, u32)>,
    ) {
        let of_use =
            if names_all { self.filter::<false>(leaves, pairs) } else { self.filter::<true>(leaves, pairs) };
        self.idle = if of_use < self.list.len() / 2 { self.idle + 1 } else { 0 };
        if self.idle > MAX_IDLE {
            self.idle = 0;
            self.unwatch_all();
            let marks = &self.marks;
            self.list.retain(|&(a, b)| (marks[a as usize] | marks[b as usize]) & ASKED != 0);
            for &id in moved {
                self.watched += usize::from(self.marks[id as usize] & WATCHED == 0);
                self.marks[id as usize] |= WATCHED;
            }
        }
        for &id in moved {
            self.marks[id as usize] &= !ASKED;
        }
    }

    /// Copies the pairs that overlap, with `OF_ASKED` those of named leaves; returns how many are named at all.
    ///
    /// About every second candidate passes, which no processor foresees. So 64 at a time are told without a branch
    /// into the bits of a word, from which those that pass are picked.
    fn filter<const OF_ASKED: bool>(&mut self, leaves: &[Leaf], pairs: &mut Vec<(u32, u32)>) -> usize {
        const HIGHEST: u64 = 1 << 63;
        let Self { cells, marks, list, .. } = self;
        pairs.clear();
        let mut of_use = 0;
        for chunk in list.chunks(64) {
            let (mut passing, mut sure, mut asked) = (0, 0, u64::MAX);
            for &(a, b) in chunk {
                let Relation { may_overlap, does_overlap } = cells[a as usize].relation(&cells[b as usize]);
                passing = passing >> 1 | may_overlap & HIGHEST;
                sure = sure >> 1 | does_overlap & HIGHEST;
                if OF_ASKED {
                    let named = (marks[a as usize] | marks[b as usize]) & ASKED != 0;
                    asked = asked >> 1 | u64::from(named) << 63;
                }
            }
            let unused = 64 - chunk.len();
            asked >>= unused;
            of_use += asked.count_ones() as usize;
            passing = passing >> unused & asked;
            let mut tied = passing & !(sure >> unused);
            while tied != 0 {
                let (a, b) = chunk[tied.trailing_zeros() as usize];
                if !leaves[a as usize].overlaps(&leaves[b as usize].tight) {
                    passing &= !(tied & tied.wrapping_neg());
                }
                tied &= tied - 1;
            }
            while passing != 0 {
                pairs.push(chunk[passing.trailing_zeros() as usize]);
                passing &= passing - 1;
            }
        }
        of_use
    }
}
