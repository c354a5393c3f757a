//! What the caches are told of before it is read, in worlds of several [`slabs`](super::slabs).
//!
//! Waves come to a slab nine stages in a row, but between two of them to eight other slabs: the second cache no longer has
//! it, and before the first of them no cache does. So while a block is worked on, the caches bring what the pass takes of the
//! next one; and, from the memory, a few lines of the slab that the wave comes to next, as many in each stage, so that the
//! memory is never waited for, and never idle.
//!
//! In worlds that the caches hold this costs more than it saves.

use super::Block;
use super::records::Records;
use core::mem::offset_of;
use core::ops::Range;
use isostep_math::wide::{LINE, prefetch};

/// What the caches bring while blocks are worked on.
#[derive(Clone, Debug)]
pub(crate) struct Ahead<'a> {
    /// What the pass takes of the next block.
    next: bool,
    /// Some lines of blocks that are worked on later.
    later: &'a [Block],
    lines: Range<usize>,
}

impl<'a> Ahead<'a> {
    /// Nothing.
    pub(crate) const NONE: Self = Self { next: false, later: &[], lines: 0..0 };

    /// What the pass takes of the next block, if there are several slabs.
    pub(crate) const fn of_next(are_several: bool) -> Self {
        Self { next: are_several, ..Self::NONE }
    }

    /// That, and one of so many parts of the lines of blocks that are worked on later.
    pub(crate) fn with_later(later: &'a [Block], part: usize, parts: usize) -> Self {
        let lines = size_of_val(later) / LINE;
        Self { next: true, later, lines: lines * part / parts..lines * (part + 1) / parts }
    }

    /// Whether anything is brought.
    #[inline(always)]
    pub(crate) const fn is_on(&self) -> bool {
        self.next
    }

    /// How many lines of later blocks go with each of so many, or of so many groups.
    #[inline(always)]
    pub(crate) fn lines_with_each(&self, count: usize) -> usize {
        self.lines.len().div_ceil(count.max(1))
    }

    /// Brings so many lines of later blocks.
    #[inline(always)]
    pub(crate) fn bring(&mut self, lines: usize) {
        let end = self.lines.end.min(self.lines.start + lines);
        for line in self.lines.start..end {
            prefetch(self.later.as_ptr().cast::<[u8; LINE]>().wrapping_add(line));
        }
        self.lines.start = end;
    }
}

impl Block {
    /// Brings what a pass takes, with the velocities of the bodies: what is before the points, of each of these the first
    /// bytes, and what is behind them up to the byte `end`.
    #[inline(always)]
    pub(super) fn bring(&self, velocities: &Records<'_>, of_points: usize, end: usize) {
        velocities.bring([&self.a, &self.b]);
        bring(self, 0..offset_of!(Self, points));
        self.bring_points(0..of_points);
        bring(self, END_OF_POINTS..end);
    }

    /// Brings some bytes of each of its points.
    #[inline(always)]
    pub(super) fn bring_points(&self, bytes: Range<usize>) {
        for point in &self.points[..self.count] {
            bring(point, bytes.clone());
        }
    }
}

/// Where the points of a block end.
pub(super) const END_OF_POINTS: usize = offset_of!(Block, tilts);

/// Brings some bytes of a value that begins where a line does.
#[inline(always)]
fn bring<T>(value: &T, bytes: Range<usize>) {
    let first = (&raw const *value).cast::<u8>();
    for byte in bytes.step_by(LINE) {
        prefetch(first.wrapping_add(byte));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_later_blocks_is_in_one_part_and_goes_with_some_block() {
        let later = [Block::NONE; 3];
        let lines = size_of_val(&later) / LINE;
        for parts in [1, 2, 9, 13] {
            let mut next = 0;
            for part in 0..parts {
                let mut ahead = Ahead::with_later(&later, part, parts);
                assert_eq!(ahead.lines.start, next);
                next = ahead.lines.end;
                for count in [1, 5, 1000] {
                    let mut ahead = ahead.clone();
                    let each = ahead.lines_with_each(count);
                    (0..count).for_each(|_| ahead.bring(each));
                    assert!(ahead.lines.is_empty());
                }
                ahead.bring(usize::MAX - lines);
                assert!(ahead.lines.is_empty() && ahead.is_on());
            }
            assert_eq!(next, lines);
        }
        let mut nothing = Ahead::NONE;
        assert_eq!(nothing.lines_with_each(0), 0);
        nothing.bring(7);
        assert!(!nothing.is_on());
    }
}
