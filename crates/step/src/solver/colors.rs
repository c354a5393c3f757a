//! Colors: sets of contacts in which no dynamic body appears twice, so that lanes and threads cannot meet.
//!
//! Greedy, in the world's order of contacts: each takes the first color that both its bodies are free in. So colors are
//! a function of the contacts, and with them every bit of the result. What the colors have no room for, contacts of
//! bodies with very many of them, goes through another round of as many colors, and so on.

use super::BLOCK;
use alloc::vec::Vec;

/// Colors of a round, a bit each in a word for each body.
const COLORS: u32 = 63;

/// Where contacts are solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coloring {
    /// Colors of the first round that a body is in, by records.
    used: Vec<u64>,
    /// Colors of a later round.
    used_later: Vec<u64>,
    /// The color of each contact.
    colors: Vec<u32>,
    /// Contacts without a color yet: their numbers and records.
    pending: Vec<(u32, u32, u32)>,
    /// Of each color how many contacts it has, then the next free lane.
    lanes: Vec<u32>,
    /// The block and lane of each contact.
    pub(crate) places: Vec<(u32, u8)>,
    /// The contact of each lane, block by block, or `u32::MAX`.
    pub(crate) contacts: Vec<u32>,
    /// How many blocks there are.
    pub(crate) blocks: usize,
    /// Of each color that has any: the number of the block after its last one.
    pub(crate) ends: Vec<u32>,
}

/// The first color of a round that both records are free in, which then is used.
#[inline]
fn take_color(used: &mut [u64], [a, b]: [u32; 2], is_movable: impl Fn(u32) -> bool) -> Option<u32> {
    let (movable_a, movable_b) = (is_movable(a), is_movable(b));
    let taken = if movable_a { used[a as usize] } else { 0 } | if movable_b { used[b as usize] } else { 0 };
    let color = (!taken).trailing_zeros();
    if color >= COLORS {
        return None;
    }
    for (record, movable) in [(a, movable_a), (b, movable_b)] {
        if movable {
            used[record as usize] |= 1 << color;
        }
    }
    Some(color)
}

impl Coloring {
    /// Finds places for contacts of the records `a` and `b`, of which `is_movable` says whether the solver changes
    /// them.
    pub(crate) fn assign(
        &mut self,
        records: usize,
        contacts: impl Iterator<Item = (u32, u32)>,
        is_movable: impl Fn(u32) -> bool,
    ) {
        let Self { used, used_later, colors, pending, lanes, places, contacts: by_lanes, blocks, ends } =
            self;
        used.clear();
        used.resize(records, 0);
        colors.clear();
        pending.clear();
        lanes.clear();
        lanes.resize(COLORS as usize, 0);
        for ((a, b), contact) in contacts.zip(0..) {
            let color = take_color(used, [a, b], &is_movable);
            match color {
                Some(color) => lanes[color as usize] += 1,
                None => pending.push((contact, a, b)),
            }
            colors.push(color.unwrap_or(0));
        }
        // The first one of a round always finds a color.
        while !pending.is_empty() {
            let first = lanes.len();
            lanes.resize(first + COLORS as usize, 0);
            used_later.clear();
            used_later.resize(records, 0);
            pending.retain(|&(contact, a, b)| {
                let Some(color) = take_color(used_later, [a, b], &is_movable) else { return true };
                lanes[first + color as usize] += 1;
                colors[contact as usize] = first as u32 + color;
                false
            });
        }
        let mut next = 0;
        ends.clear();
        for lane in lanes.iter_mut() {
            let count = core::mem::replace(lane, next * BLOCK as u32);
            next += count.div_ceil(BLOCK as u32);
            if count > 0 {
                ends.push(next);
            }
        }
        *blocks = next as usize;
        places.clear();
        by_lanes.clear();
        by_lanes.resize(*blocks * BLOCK, u32::MAX);
        places.extend(colors.iter().zip(0..).map(|(&color, contact)| {
            let lane = &mut lanes[color as usize];
            let place = *lane;
            *lane += 1;
            by_lanes[place as usize] = contact;
            (place / BLOCK as u32, (place % BLOCK as u32) as u8)
        }));
    }

    /// Whether a body of a record is in no contact.
    pub(crate) fn is_free(&self, record: u32) -> bool {
        self.used[record as usize] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;

    /// All pairs of 150 bodies: 11 175 contacts of which no round takes more than 63 of a body.
    #[test]
    fn contacts_of_crowds_share_blocks_too() {
        let pairs = (0..150_u32).flat_map(|a| (a + 1..150).map(move |b| (a, b)));
        let contacts: Vec<(u32, u32)> = pairs.collect();
        let mut coloring = Coloring::default();
        coloring.assign(150, contacts.iter().copied(), |_| true);
        assert_eq!(coloring.places.len(), contacts.len());
        assert!(coloring.blocks < contacts.len() / 4, "{} blocks", coloring.blocks);
        assert!((0..150).all(|record| !coloring.is_free(record)));
        assert_lanes(&coloring, &contacts, |_| true);
    }

    #[test]
    fn no_movable_body_is_twice_in_a_block() {
        let contacts: Vec<(u32, u32)> =
            (0..500_u32).map(|i| (i % 7, 1 + (i * i + i / 7) % 40)).filter(|(a, b)| a != b).collect();
        let mut coloring = Coloring::default();
        coloring.assign(41, contacts.iter().copied(), |record| record != 0);
        assert_lanes(&coloring, &contacts, |record| record != 0);
    }

    fn assert_lanes(coloring: &Coloring, contacts: &[(u32, u32)], is_movable: impl Fn(u32) -> bool) {
        let (mut lanes, mut bodies) = (BTreeSet::new(), BTreeSet::new());
        for (&(block, lane), &(a, b)) in coloring.places.iter().zip(contacts) {
            assert!((block as usize) < coloring.blocks && usize::from(lane) < BLOCK);
            assert!(lanes.insert((block, lane)));
            let contact = coloring.contacts[block as usize * BLOCK + usize::from(lane)];
            assert_eq!(contacts[contact as usize], (a, b));
            for record in [a, b] {
                assert!(!is_movable(record) || bodies.insert((block, record)));
            }
        }
    }
}
