//! For every leaf, the leaves whose fat boxes overlap its own.
//!
//! Lists are blocks of one pool, their sizes powers of two. An entry knows where its counterpart stands in the
//! other list, so one end unlinks from the other at once, be that the ground that ten thousand rest on.
//!
//! Leaves that came, moved away or changed layers are *stale*: nobody may trust their lists until they asked the
//! tree again. That happens when pairs are asked for, so who only casts rays pays nothing.

use alloc::vec::Vec;

/// One end of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The leaf at the other end.
    pub(super) id: u32,
    /// The position of the counterpart in the list of `id`; in the first entry of a free block, the next one.
    back: u32,
}

/// The block of one leaf.
#[derive(Clone, Copy, Debug)]
struct List {
    start: usize,
    len: u32,
    /// The block has room for `FIRST_ROOM << (class − 1)` entries; none in class 0.
    class: u8,
}

const FIRST_ROOM: usize = 4;
const CLASSES: usize = 28;
const NO_BLOCK: usize = usize::MAX;

#[derive(Clone, Debug)]
pub(super) struct Neighbours {
    lists: Vec<List>,
    pool: Vec<Entry>,
    /// The free blocks of each class.
    free: [Vec<usize>; CLASSES],
    /// Stale leaves, some of them gone meanwhile.
    stale: Vec<u32>,
    /// A bit for every leaf: whether it is in that list. The question is asked often, and bits stay in cache.
    stale_bits: Vec<u64>,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            lists: Vec::new(),
            pool: Vec::new(),
            free: [const { Vec::new() }; CLASSES],
            stale: Vec::new(),
            stale_bits: Vec::new(),
        }
    }
}

impl List {
    const NEW: Self = Self { start: NO_BLOCK, len: 0, class: 0 };
}

impl Neighbours {
    /// Forgets all links of `count` leaves, none of them stale.
    pub(super) fn clear(&mut self, count: usize) {
        self.lists.clear();
        self.lists.resize(count, List::NEW);
        self.pool.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.stale.clear();
        self.stale_bits.clear();
        self.stale_bits.resize(count.div_ceil(64), 0);
    }

    /// Marks a leaf as stale.
    pub(super) fn forget(&mut self, id: u32) {
        if self.lists.len() <= id as usize {
            self.lists.resize(id as usize + 1, List::NEW);
            self.stale_bits.resize(id as usize / 64 + 1, 0);
        }
        if !self.is_stale(id) {
            self.stale_bits[id as usize / 64] |= 1 << (id % 64);
            self.stale.push(id);
        }
    }

    pub(super) fn stale_count(&self) -> usize {
        self.stale.len()
    }

    /// A stale leaf, no longer stale and without links.
    pub(super) fn pop_stale(&mut self) -> Option<u32> {
        let id = self.stale.pop()?;
        self.stale_bits[id as usize / 64] &= !(1 << (id % 64));
        self.unlink_all(id);
        Some(id)
    }

    pub(super) fn is_stale(&self, id: u32) -> bool {
        self.stale_bits[id as usize / 64] >> (id % 64) & 1 != 0
    }

    /// The links of a leaf, in no particular order.
    #[inline]
    pub(super) fn of(&self, id: u32) -> &[Entry] {
        let List { start, len, .. } = self.lists[id as usize];
        if len == 0 { &[] } else { &self.pool[start..start + len as usize] }
    }

    /// Links two leaves that are not yet.
    #[inline]
    pub(super) fn link(&mut self, a: u32, b: u32) {
        let (at_a, at_b) = (self.lists[a as usize].len, self.lists[b as usize].len);
        self.push(a, Entry { id: b, back: at_b });
        self.push(b, Entry { id: a, back: at_a });
    }

    /// Makes the lists of `count` leaves anew, none of them stale, in blocks by ascending ids without gaps.
    pub(super) fn link_all(&mut self, count: usize, links: &[(u32, u32)]) {
        self.clear(count);
        for &(a, b) in links {
            self.lists[a as usize].len += 1;
            self.lists[b as usize].len += 1;
        }
        let mut end = 0;
        for list in self.lists.iter_mut().filter(|list| list.len > 0) {
            while room(list.class) < list.len as usize {
                list.class += 1;
            }
            list.start = end;
            list.len = 0;
            end += room(list.class);
        }
        self.pool.resize(end, Entry { id: 0, back: 0 });
        for &(a, b) in links {
            self.link(a, b);
        }
    }

    /// Takes a leaf out of the lists of all its neighbours, and empties its own.
    pub(super) fn unlink_all(&mut self, id: u32) {
        let List { start, len, .. } = self.lists[id as usize];
        for position in 0..len as usize {
            let Entry { id: other, back } = self.pool[start + position];
            self.swap_remove(other, back);
        }
        self.lists[id as usize].len = 0;
    }

    #[inline]
    fn swap_remove(&mut self, id: u32, position: u32) {
        let list = &mut self.lists[id as usize];
        list.len -= 1;
        let (start, last) = (list.start, list.len);
        if position != last {
            let moved = self.pool[start + last as usize];
            self.pool[start + position as usize] = moved;
            let counterpart = self.lists[moved.id as usize].start + moved.back as usize;
            self.pool[counterpart].back = position;
        }
    }

    #[inline]
    fn push(&mut self, id: u32, entry: Entry) {
        let List { start, len, class, .. } = self.lists[id as usize];
        let start = if len as usize == room(class) { self.enlarge(id) } else { start };
        self.pool[start + len as usize] = entry;
        self.lists[id as usize].len = len + 1;
    }

    /// Moves a list to a block of twice the room, and returns its start.
    #[cold]
    fn enlarge(&mut self, id: u32) -> usize {
        let List { start, len, class, .. } = self.lists[id as usize];
        // A list has fewer entries than there are ids, so classes end before `CLASSES`.
        let larger = class + 1;
        let target = self.free[larger as usize].pop().unwrap_or_else(|| {
            let end = self.pool.len();
            self.pool.resize(end + room(larger), Entry { id: 0, back: 0 });
            end
        });
        if class > 0 {
            self.pool.copy_within(start..start + len as usize, target);
            self.free[class as usize].push(start);
        }
        let list = &mut self.lists[id as usize];
        (list.start, list.class) = (target, larger);
        target
    }
}

const fn room(class: u8) -> usize {
    if class == 0 { 0 } else { FIRST_ROOM << (class - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn sorted(neighbours: &Neighbours, id: u32) -> Vec<u32> {
        let mut list: Vec<u32> = neighbours.of(id).iter().map(|entry| entry.id).collect();
        list.sort_unstable();
        list
    }

    #[test]
    fn links_hold_at_both_ends_while_lists_grow_and_shrink() {
        let mut neighbours = Neighbours::default();
        (0..100).for_each(|id| neighbours.forget(id));
        while neighbours.pop_stale().is_some() {}
        for a in 0..100 {
            for b in a + 1..100 {
                if (a + b) % 3 == 0 || a == 0 {
                    neighbours.link(a, b);
                }
            }
        }
        for gone in (0..100).step_by(7).skip(1) {
            neighbours.unlink_all(gone);
        }
        let here = |id: u32| id == 0 || id % 7 != 0;
        for a in 0..100 {
            let expected =
                (0..100).filter(|&b| a != b && here(a) && here(b) && ((a + b) % 3 == 0 || a * b == 0));
            assert_eq!(sorted(&neighbours, a), expected.collect::<Vec<_>>(), "{a}");
        }
        neighbours.unlink_all(0);
        assert_eq!(
            sorted(&neighbours, 1),
            vec![
                2, 5, 8, 11, 17, 20, 23, 26, 29, 32, 38, 41, 44, 47, 50, 53, 59, 62, 65, 68, 71, 74, 80, 83,
                86, 89, 92, 95
            ]
        );
    }
}
