//! Colors: sets of contacts in which no dynamic body appears twice, so that lanes and threads cannot meet.
//!
//! Greedy, in the world's order of contacts: each takes the first color that both its bodies are free in. So colors are
//! a function of the contacts, and with them every bit of the result. Contacts beyond the last color, of bodies with
//! very many of them, are solved one after the other.

use super::{BLOCK, Block};
use alloc::vec::Vec;

/// Colors, a bit each in a word for each body.
const COLORS: usize = 63;

/// Where contacts are solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coloring {
    /// Colors that a body is in, by records.
    used: Vec<u64>,
    /// The color of each contact, [`COLORS`] for the rest.
    colors: Vec<u8>,
    /// The block and lane of each contact.
    pub(crate) places: Vec<(u32, u8)>,
    /// How many blocks there are.
    pub(crate) blocks: usize,
}

impl Coloring {
    /// Finds places for contacts of the records `a` and `b`, of which `is_movable` says whether the solver changes
    /// them.
    pub(crate) fn assign(
        &mut self,
        records: usize,
        contacts: impl Iterator<Item = (u32, u32)> + Clone,
        is_movable: impl Fn(u32) -> bool,
    ) {
        self.used.clear();
        self.used.resize(records, 0);
        self.colors.clear();
        let mut counts = [0_u32; COLORS + 1];
        for (a, b) in contacts {
            let (movable_a, movable_b) = (is_movable(a), is_movable(b));
            let used = if movable_a { self.used[a as usize] } else { 0 }
                | if movable_b { self.used[b as usize] } else { 0 };
            let color = ((!used).trailing_zeros() as usize).min(COLORS);
            if color < COLORS {
                for (record, movable) in [(a, movable_a), (b, movable_b)] {
                    if movable {
                        self.used[record as usize] |= 1 << color;
                    }
                }
            }
            counts[color] += 1;
            self.colors.push(color as u8);
        }
        // The first lane of each color; of the rest each contact has a block of its own.
        let mut next = [0_u32; COLORS + 1];
        let mut blocks = 0;
        for (first, count) in next.iter_mut().zip(&counts).take(COLORS) {
            *first = blocks * BLOCK as u32;
            blocks += count.div_ceil(BLOCK as u32);
        }
        next[COLORS] = blocks * BLOCK as u32;
        blocks += counts[COLORS];
        self.blocks = blocks as usize;
        self.places.clear();
        for &color in &self.colors {
            let lane = &mut next[usize::from(color)];
            self.places.push((*lane / BLOCK as u32, (*lane % BLOCK as u32) as u8));
            *lane += if usize::from(color) == COLORS { BLOCK as u32 } else { 1 };
        }
    }

    /// Whether a body of a record is in no contact.
    pub(crate) fn is_free(&self, record: u32) -> bool {
        self.used[record as usize] == 0
    }

    /// Makes as many blocks as there are places in, with empty lanes. What else is in a lane is of an earlier step,
    /// and means nothing: no row of it moves record 0.
    pub(crate) fn clear(&self, blocks: &mut Vec<Block>) {
        blocks.resize(self.blocks, Block::NONE);
        for block in blocks {
            (block.a, block.b, block.count, block.rolls) = ([0; BLOCK], [0; BLOCK], 0, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    #[test]
    fn no_movable_body_is_twice_in_a_block() {
        let contacts: Vec<(u32, u32)> =
            (0..500_u32).map(|i| (i % 7, 1 + (i * i + i / 7) % 40)).filter(|(a, b)| a != b).collect();
        let mut coloring = Coloring::default();
        coloring.assign(41, contacts.iter().copied(), |record| record != 0);
        let (mut lanes, mut bodies) = (BTreeSet::new(), BTreeSet::new());
        for (&(block, lane), &(a, b)) in coloring.places.iter().zip(&contacts) {
            assert!((block as usize) < coloring.blocks && usize::from(lane) < BLOCK);
            assert!(lanes.insert((block, lane)));
            for record in [a, b] {
                assert!(record == 0 || bodies.insert((block, record)));
            }
        }
    }
}
