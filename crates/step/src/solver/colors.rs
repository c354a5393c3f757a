//! Colors: sets of joints and contacts in which no dynamic body appears twice, so that lanes and threads cannot meet.
//!
//! Greedy, in the world's order, joints first: each takes the first color that both its bodies are free in. So colors are
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
    /// The color of each joint, then of each contact.
    colors: Vec<u32>,
    /// Those without a color yet: their numbers and records.
    pending: Vec<(u32, u32, u32)>,
    pub(crate) contacts: Places,
    pub(crate) joints: Places,
    /// For tests: contacts take classes by chance, another one for each seed, instead of their own; for 0 all the same one.
    pub(crate) shuffle: Option<u32>,
}

/// Classes of contacts that are shuffled.
const SHUFFLED: usize = 8;

/// The class that a contact gets by chance, or without a seed.
fn shuffled(seed: u32, contact: usize) -> usize {
    if seed == 0 {
        return 0;
    }
    let mixed = (contact as u32 ^ seed).wrapping_mul(0x9e37_79b1);
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca77) as usize >> 16 & (SHUFFLED - 1)
}

/// Where those of one kind are solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    /// Of each class of each color how many it has, then the next free lane.
    lanes: Vec<u32>,
    /// The block and lane of each.
    pub(crate) places: Vec<(u32, u8)>,
    /// The number of the one in each lane, block by block, or `u32::MAX`.
    pub(crate) by_lanes: Vec<u32>,
    /// How many blocks there are.
    pub(crate) blocks: usize,
    /// Of each color that has any: the number of the block after its last one.
    pub(crate) ends: Vec<u32>,
    /// Of each of these: the numbers of the blocks, to nearest, in which the parts of its classes begin, but for the first.
    pub(crate) cuts: Vec<u32>,
}

/// What contacts of a color are ordered by, for the sake of speed: that is nothing that they see of each other.
pub(crate) struct Classes<F> {
    /// How many parts of the classes there are, of which a thread may have one in all colors.
    pub(crate) parts: usize,
    /// How many classes each part has.
    pub(crate) in_part: usize,
    /// The class of a contact, below the product of both.
    pub(crate) class: F,
}

/// All are of one class.
const ONE_CLASS: Classes<fn(usize) -> usize> = Classes { parts: 1, in_part: 1, class: |_| 0 };

impl Places {
    /// Finds places by the colors of all, of which there are `count`: color by color, and in a color by ascending classes.
    fn fill<F: Fn(usize) -> usize>(&mut self, count: u32, colors: &[u32], classes: Classes<F>) {
        let Classes { parts, in_part, class } = classes;
        let classes = parts * in_part;
        self.lanes.clear();
        self.lanes.resize(count as usize * classes, 0);
        for (number, &color) in colors.iter().enumerate() {
            debug_assert!(class(number) < classes, "contact {number} would be of another color");
            self.lanes[color as usize * classes + class(number)] += 1;
        }
        let mut next = 0;
        self.ends.clear();
        self.cuts.clear();
        for lanes in self.lanes.chunks_mut(classes) {
            let first = next * BLOCK as u32;
            let mut free = first;
            for lane in lanes.iter_mut() {
                free += core::mem::replace(lane, free);
            }
            next += (free - first).div_ceil(BLOCK as u32);
            if free > first {
                self.ends.push(next);
                let starts = lanes.iter().step_by(in_part).skip(1);
                self.cuts.extend(starts.map(|lane| (lane + BLOCK as u32 / 2) / BLOCK as u32));
            }
        }
        self.blocks = next as usize;
        self.places.clear();
        self.by_lanes.clear();
        self.by_lanes.resize(self.blocks * BLOCK, u32::MAX);
        self.places.extend(colors.iter().zip(0..).map(|(&color, number)| {
            let lane = &mut self.lanes[color as usize * classes + class(number as usize)];
            let place = *lane;
            *lane += 1;
            self.by_lanes[place as usize] = number;
            (place / BLOCK as u32, (place % BLOCK as u32) as u8)
        }));
    }
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
    /// Finds places for joints, and then for contacts, of the records `a` and `b`, of which `is_movable` says whether the
    /// solver changes them.
    ///
    /// Contacts of a color are ordered.
    pub(crate) fn assign<F: Fn(usize) -> usize>(
        &mut self,
        records: usize,
        joints: impl Iterator<Item = (u32, u32)>,
        contacts: impl Iterator<Item = (u32, u32)>,
        classes: Classes<F>,
        is_movable: impl Fn(u32) -> bool,
    ) {
        let Self {
            used,
            used_later,
            colors,
            pending,
            joints: joint_places,
            contacts: contact_places,
            shuffle,
        } = self;
        used.clear();
        used.resize(records, 0);
        colors.clear();
        pending.clear();
        let mut color_all = |pairs: &mut dyn Iterator<Item = (u32, u32)>| {
            for (a, b) in pairs {
                let color = take_color(used, [a, b], &is_movable);
                if color.is_none() {
                    pending.push((colors.len() as u32, a, b));
                }
                colors.push(color.unwrap_or(0));
            }
            colors.len()
        };
        let joint_count = color_all(&mut joints.fuse());
        color_all(&mut contacts.fuse());
        // The first one of a round always finds a color.
        let mut count = COLORS;
        while !pending.is_empty() {
            used_later.clear();
            used_later.resize(records, 0);
            pending.retain(|&(index, a, b)| {
                let Some(color) = take_color(used_later, [a, b], &is_movable) else { return true };
                colors[index as usize] = count + color;
                false
            });
            count += COLORS;
        }
        let (of_joints, of_contacts) = colors.split_at(joint_count);
        joint_places.fill(count, of_joints, ONE_CLASS);
        if let Some(seed) = *shuffle {
            let class = |contact| shuffled(seed, contact);
            contact_places.fill(count, of_contacts, Classes { parts: 1, in_part: SHUFFLED, class });
        } else if count > COLORS {
            // Many rounds are for few bodies: their classes would take more memory than their contacts.
            contact_places.fill(count, of_contacts, ONE_CLASS);
        } else {
            contact_places.fill(count, of_contacts, classes);
        }
    }

    /// Whether a body of a record is in no contact and no joint.
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
        coloring.assign(
            150,
            core::iter::empty(),
            contacts.iter().copied(),
            Classes { parts: 1, in_part: 4, class: |contact| contact % 4 },
            |_| true,
        );
        assert_eq!(coloring.contacts.places.len(), contacts.len());
        assert!(coloring.contacts.blocks < contacts.len() / 4, "{} blocks", coloring.contacts.blocks);
        assert!((0..150).all(|record| !coloring.is_free(record)));
        assert_lanes(&coloring, &contacts, |_| true);
    }

    #[test]
    fn no_movable_body_is_twice_in_a_block() {
        let contacts: Vec<(u32, u32)> =
            (0..500_u32).map(|i| (i % 7, 1 + (i * i + i / 7) % 40)).filter(|(a, b)| a != b).collect();
        let mut coloring = Coloring::default();
        coloring.assign(
            41,
            core::iter::empty(),
            contacts.iter().copied(),
            Classes { parts: 1, in_part: 6, class: |contact| contact / 7 % 6 },
            |record| record != 0,
        );
        assert_lanes(&coloring, &contacts, |record| record != 0);
    }

    #[test]
    fn contacts_of_a_color_are_ordered_by_classes() {
        let contacts: Vec<(u32, u32)> = (0..500_u32).map(|i| (i % 100, 100 + i * 7 % 100)).collect();
        let mut coloring = Coloring::default();
        let class = |contact: usize| contact / 7 % 6;
        let by = Classes { parts: 3, in_part: 2, class };
        coloring.assign(200, core::iter::empty(), contacts.iter().copied(), by, |_| true);
        assert_lanes(&coloring, &contacts, |_| true);
        let (mut start, mut most) = (0, 0);
        assert_eq!(coloring.contacts.cuts.len(), 2 * coloring.contacts.ends.len());
        for (&end, cuts) in coloring.contacts.ends.iter().zip(coloring.contacts.cuts.chunks(2)) {
            let lanes = &coloring.contacts.by_lanes[start * BLOCK..end as usize * BLOCK];
            let there = lanes.iter().filter(|&&contact| contact != u32::MAX);
            let mut classes: Vec<_> = there.map(|&contact| class(contact as usize)).collect();
            assert!(classes.is_sorted(), "{classes:?}");
            for (cut, part) in cuts.iter().zip(1..) {
                let before = start * BLOCK + classes.partition_point(|class| class / 2 < part);
                let at = *cut as usize * BLOCK;
                assert!(at <= before + BLOCK / 2 && before < at + BLOCK.div_ceil(2), "{cut}, {before}");
            }
            classes.dedup();
            most = most.max(classes.len());
            start = end as usize;
        }
        assert_eq!(most, 6, "some color has all");
    }

    fn assert_lanes(coloring: &Coloring, contacts: &[(u32, u32)], is_movable: impl Fn(u32) -> bool) {
        let (mut lanes, mut bodies) = (BTreeSet::new(), BTreeSet::new());
        for (&(block, lane), &(a, b)) in coloring.contacts.places.iter().zip(contacts) {
            assert!((block as usize) < coloring.contacts.blocks && usize::from(lane) < BLOCK);
            assert!(lanes.insert((block, lane)));
            let contact = coloring.contacts.by_lanes[block as usize * BLOCK + usize::from(lane)];
            assert_eq!(contacts[contact as usize], (a, b));
            for record in [a, b] {
                assert!(!is_movable(record) || bodies.insert((block, record)));
            }
        }
    }
}
