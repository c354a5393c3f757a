//! [`Tracked`]: a column that knows which of its items changed, so that saving and restoring it copies those alone.
//!
//! Each item carries the token of its last change, each block of 64 items the token of its last changed item. A
//! token is drawn once and never again in a process, so equal tokens mean equal content, in whatever order
//! snapshots were saved and loaded. Tokens say what need not be copied and nothing else: they are no state.

use alloc::vec::Vec;
use core::sync::atomic::Ordering;

/// Items of a block.
const BLOCK: usize = 64;

/// How many bits of a token count within a lineage.
const COUNTER_BITS: u32 = 24;

/// The next lineage. Each world, and each snapshot that is read, has one, so a server may need more than 2³² of them.
#[cfg(target_has_atomic = "64")]
fn next_lineage() -> u64 {
    use core::sync::atomic::AtomicU64;
    static LINEAGES: AtomicU64 = AtomicU64::new(1);
    LINEAGES.fetch_add(1, Ordering::Relaxed)
}

/// The next lineage, on machines that count to 2³².
#[cfg(not(target_has_atomic = "64"))]
fn next_lineage() -> u64 {
    use core::sync::atomic::AtomicU32;
    static LINEAGES: AtomicU32 = AtomicU32::new(1);
    let next = |lineage: u32| lineage.checked_add(1);
    let drawn = LINEAGES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
    drawn.expect("a process makes fewer than 2³² worlds and snapshots").into()
}

/// Draws tokens: the lineage of a world in the high bits, a counter in the low ones.
#[derive(Debug)]
pub(crate) struct Tokens(u64);

/// The copy of a world goes its own way, so it has a lineage of its own.
impl Clone for Tokens {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Tokens {
    pub(crate) fn new() -> Self {
        Self(next_lineage() << COUNTER_BITS)
    }

    /// A token that was never drawn before.
    pub(crate) fn draw(&mut self) -> u64 {
        const LAST: u64 = (1 << COUNTER_BITS) - 1;
        if self.0 & LAST == LAST {
            *self = Self::new();
        }
        self.0 += 1;
        self.0
    }
}

/// A column of items with the tokens of their last changes.
#[derive(Clone, Debug)]
pub(crate) struct Tracked<T> {
    items: Vec<T>,
    tokens: Vec<u64>,
    blocks: Vec<u64>,
}

impl<T> Default for Tracked<T> {
    fn default() -> Self {
        Self { items: Vec::new(), tokens: Vec::new(), blocks: Vec::new() }
    }
}

impl<T: Copy> Tracked<T> {
    /// A column of which every item changed just now.
    pub(crate) fn from_items(items: Vec<T>, token: u64) -> Self {
        let (tokens, blocks) =
            (alloc::vec![token; items.len()], alloc::vec![token; items.len().div_ceil(BLOCK)]);
        Self { items, tokens, blocks }
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// The token of each item's last change.
    pub(crate) fn tokens(&self) -> &Vec<u64> {
        &self.tokens
    }

    /// The items whose tokens are not those of `known`, or that it lacks.
    pub(crate) fn changed_since<'a>(&'a self, known: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
        (0..self.items.len()).filter(|&index| known.get(index) != Some(&self.tokens[index]))
    }

    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        self.items.get(index as usize)
    }

    pub(crate) fn push(&mut self, item: T, token: u64) {
        if self.items.len() % BLOCK == 0 {
            self.blocks.push(token);
        }
        self.items.push(item);
        self.tokens.push(token);
        self.blocks[(self.items.len() - 1) / BLOCK] = token;
    }

    /// The item at `index`, about to change.
    pub(crate) fn change(&mut self, index: u32, token: u64) -> &mut T {
        let index = index as usize;
        self.tokens[index] = token;
        self.blocks[index / BLOCK] = token;
        &mut self.items[index]
    }

    /// All items, of which those at the indices are about to change.
    pub(crate) fn change_all(&mut self, indices: impl Iterator<Item = u32>, token: u64) -> &mut [T] {
        for index in indices {
            self.tokens[index as usize] = token;
            self.blocks[index as usize / BLOCK] = token;
        }
        &mut self.items
    }

    /// Makes this column equal to `other`, names every item that may differ from before to `changed`, and returns
    /// how many were copied.
    pub(crate) fn copy_from(&mut self, other: &Self, mut changed: impl FnMut(u32)) -> usize {
        let mut copied = 0;
        let common = self.len().min(other.len());
        for index in common..self.len() {
            changed(index as u32);
        }
        self.items.truncate(common);
        self.tokens.truncate(common);
        self.blocks.resize(other.blocks.len(), 0);
        for block in 0..common.div_ceil(BLOCK) {
            if self.blocks[block] == other.blocks[block] {
                continue;
            }
            for index in block * BLOCK..common.min((block + 1) * BLOCK) {
                if self.tokens[index] != other.tokens[index] {
                    self.items[index] = other.items[index];
                    self.tokens[index] = other.tokens[index];
                    copied += 1;
                    changed(index as u32);
                }
            }
        }
        for index in common..other.len() {
            copied += 1;
            changed(index as u32);
        }
        self.items.extend_from_slice(&other.items[common..]);
        self.tokens.extend_from_slice(&other.tokens[common..]);
        self.blocks.copy_from_slice(&other.blocks);
        copied
    }
}

impl<T> core::ops::Index<u32> for Tracked<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: u32) -> &T {
        &self.items[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_copied_and_named() {
        let mut tokens = Tokens::new();
        let mut column = Tracked::default();
        let token = tokens.draw();
        for i in 0..200_u32 {
            column.push(i, token);
        }
        let mut saved = Tracked::default();
        assert_eq!(saved.copy_from(&column, |_| ()), 200);
        *column.change(70, tokens.draw()) = 7;
        column.change_all([199].into_iter(), tokens.draw())[199] = 8;
        let mut names = Vec::new();
        assert_eq!(saved.copy_from(&column, |index| names.push(index)), 2);
        assert_eq!(names, [70, 199]);
        assert_eq!(saved.items(), column.items());
        assert_eq!(saved.copy_from(&column, |_| ()), 0);
    }

    #[test]
    fn a_column_restored_from_an_older_copy_is_that_copy_whatever_came_between() {
        let mut tokens = Tokens::new();
        let mut column = Tracked::from_items((0..100_u32).collect(), tokens.draw());
        let mut early = Tracked::default();
        early.copy_from(&column, |_| ());
        *column.change(3, tokens.draw()) = 30;
        column.push(100, tokens.draw());
        let mut late = Tracked::default();
        late.copy_from(&column, |_| ());
        column.copy_from(&early, |_| ());
        assert_eq!(column.items(), early.items());
        *column.change(3, tokens.draw()) = 31;
        late.copy_from(&column, |_| ());
        assert_eq!(late.items(), column.items());
    }
}
