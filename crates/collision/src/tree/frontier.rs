//! What a sweep has seen of the tree and not yet looked into, nearest first.

use super::node::{LEAF, id_of};
use alloc::collections::BinaryHeap;
use core::cmp::Reverse;

const INLINE: usize = 64;

const INDEX_BITS: u32 = 20;
const INDEX: u64 = (1 << INDEX_BITS) - 1;
const IS_LEAF: u64 = 1 << INDEX_BITS;
const IS_EXACT: u64 = 1 << (INDEX_BITS + 1);
const FRACTION_SHIFT: u32 = INDEX_BITS + 2;

/// A fraction in Q32 and what begins there, in one word that sorts: by fraction; at equal fractions bounds before
/// exact ones, so that all leaves of one fraction are known before the first is visited; then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// What a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Node(u32),
    /// A leaf that may begin at the fraction at the earliest.
    Candidate(u32),
    /// A leaf that begins there.
    Leaf(u32),
}

impl Key {
    /// After all others, with a fraction beyond all of them: an index of 20 ones belongs to no node that has it.
    pub(super) const NONE: Self = Self(u64::MAX);

    /// A child that begins at `fraction`, within [0, 2^32], at the earliest.
    #[inline]
    pub(super) const fn bound(fraction: u64, child: u32) -> Self {
        let leaf = if child & LEAF != 0 { IS_LEAF } else { 0 };
        Self(fraction << FRACTION_SHIFT | leaf | id_of(child) as u64)
    }

    /// A leaf that begins at `fraction`.
    #[inline]
    pub(super) const fn exact(fraction: u64, id: u32) -> Self {
        Self(fraction << FRACTION_SHIFT | IS_EXACT | IS_LEAF | id as u64)
    }

    #[inline]
    pub(super) const fn fraction(self) -> u64 {
        self.0 >> FRACTION_SHIFT
    }

    #[inline]
    pub(super) const fn target(self) -> Target {
        let index = (self.0 & INDEX) as u32;
        if self.0 & IS_LEAF == 0 {
            Target::Node(index)
        } else if self.0 & IS_EXACT == 0 {
            Target::Candidate(index)
        } else {
            Target::Leaf(index)
        }
    }
}

/// A queue of keys, the least first: a short sorted list in the caller's frame, beyond that a heap.
pub(super) struct Frontier {
    /// The first `len` are sorted, the least last.
    inline: [Key; INLINE],
    len: usize,
    spill: BinaryHeap<Reverse<Key>>,
}

impl Frontier {
    #[inline]
    pub(super) fn new() -> Self {
        Self { inline: [Key(0); INLINE], len: 0, spill: BinaryHeap::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, key: Key) {
        if self.len == INLINE {
            self.spill.push(Reverse(key));
            return;
        }
        let mut place = self.len;
        while place > 0 && self.inline[place - 1] < key {
            self.inline[place] = self.inline[place - 1];
            place -= 1;
        }
        self.inline[place] = key;
        self.len += 1;
    }

    #[inline]
    fn peek_inline(&self) -> Option<Key> {
        self.len.checked_sub(1).and_then(|last| self.inline.get(last)).copied()
    }

    /// Adds a key, [`Key::NONE`] to add nothing, and takes the least: that if there are no others.
    #[inline]
    pub(super) fn push_pop(&mut self, key: Key) -> Key {
        if !self.spill.is_empty() {
            return self.push_pop_spilled(key);
        }
        match self.peek_inline() {
            Some(least) if least < key => {
                self.len -= 1;
                if key != Key::NONE {
                    self.push(key);
                }
                least
            }
            _ => key,
        }
    }

    #[cold]
    fn push_pop_spilled(&mut self, key: Key) -> Key {
        if key != Key::NONE {
            self.push(key);
        }
        self.pop().unwrap_or(Key::NONE)
    }

    fn pop(&mut self) -> Option<Key> {
        let inline = self.peek_inline();
        if let Some(&Reverse(spilled)) = self.spill.peek() {
            if inline.is_none_or(|inline| spilled < inline) {
                return self.spill.pop().map(|Reverse(key)| key);
            }
        }
        self.len = self.len.saturating_sub(1);
        inline
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn keys_sort_by_fraction_then_bounds_before_leaves_then_ids() {
        let line = [
            Key::bound(0, 5),
            Key::bound(7, LEAF | 9),
            Key::exact(7, 0),
            Key::exact(7, 1),
            Key::bound(8, 0),
            Key::exact(1 << 32, 0xF_FFFF),
        ];
        assert!(line.is_sorted());
        assert_eq!((line[5].fraction(), line[5].target()), (1 << 32, Target::Leaf(0xF_FFFF)));
        assert_eq!((line[0].target(), line[1].target()), (Target::Node(5), Target::Candidate(9)));
    }

    #[test]
    fn the_least_comes_first_beyond_the_frame_too() {
        let mut frontier = Frontier::new();
        let scattered = |i: u64| Key::bound(i * 7919 % 1009, 0);
        (0..500).for_each(|i| frontier.push(scattered(i)));
        let mut taken: Vec<Key> = (500..600).map(|i| frontier.push_pop(scattered(i))).collect();
        taken.extend(core::iter::from_fn(|| frontier.pop()));
        assert_eq!(taken.len(), 600);
        assert!(taken[100..].is_sorted());
        taken.sort_unstable();
        assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
