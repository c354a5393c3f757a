//! Colors: sets of joints and contacts in which no dynamic body appears twice, so that lanes and threads cannot meet.
//!
//! Greedy, in the world's order, joints first: each takes the first color that both its bodies are free in. So colors are
//! a function of the contacts, and with them every bit of the result. What the colors have no room for, contacts of
//! bodies with very many of them, goes through another round of as many colors, and so on.
//!
//! If there are several [slabs](super::slabs), each solves its own contacts color by color.

use super::BLOCK;
use alloc::vec::Vec;
use core::ops::Range;

/// Colors of a round, a bit each in a word for each body.
const COLORS: u32 = 63;

/// The bit of no color, of a body of which a contact has to wait for a later round.
const LATER: u64 = 1 << COLORS;

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
    /// Of each slab: how many colors there are before its own ones.
    starts: Vec<u32>,
    /// Of each class of each of these colors how many it has, then the next free lane.
    lanes: Vec<u32>,
    /// The block and lane of each.
    pub(crate) places: Vec<(u32, u8)>,
    /// The number of the one in each lane, block by block, or `u32::MAX`.
    pub(crate) by_lanes: Vec<u32>,
    /// How many blocks there are.
    pub(crate) blocks: usize,
    /// Of each color of each slab that has any: the number of the block after its last one.
    pub(crate) ends: Vec<u32>,
    /// Of each of these: the numbers of the blocks, to nearest, in which the parts of its classes begin, but for the first.
    pub(crate) cuts: Vec<u32>,
    /// Of each slab: how many of these colors there are up to its end.
    pub(crate) slabs: Vec<u32>,
}

/// Slabs, which sweeps go through one after the other.
#[derive(Clone, Copy)]
pub(crate) struct InSlabs<S> {
    /// How many there are.
    pub(crate) count: usize,
    /// The slab of a contact.
    pub(crate) slab: S,
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

/// All are in one slab.
const ONE_SLAB: InSlabs<fn(usize) -> usize> = InSlabs { count: 1, slab: |_| 0 };

/// All are of one class.
const ONE_CLASS: Classes<fn(usize) -> usize> = Classes { parts: 1, in_part: 1, class: |_| 0 };

impl Places {
    /// The numbers of the blocks of a slab.
    pub(crate) fn blocks_of(&self, slab: usize) -> Range<usize> {
        let end = |colors: u32| colors.checked_sub(1).map_or(0, |color| self.ends[color as usize] as usize);
        end(slab.checked_sub(1).map_or(0, |before| self.slabs[before]))..end(self.slabs[slab])
    }

    /// The numbers of the blocks between those of the first color and those of the last one.
    pub(crate) fn between_ends(&self) -> Range<usize> {
        match self.ends[..] {
            [first, .., before_last, _] => first as usize..before_last as usize,
            _ => 0..0,
        }
    }

    /// Finds places by the colors of all: slab by slab, color by color, and in a color by ascending classes.
    fn fill<S: Fn(usize) -> usize, F: Fn(usize) -> usize>(
        &mut self,
        colors: &[u32],
        slabs: InSlabs<S>,
        classes: Classes<F>,
    ) {
        let InSlabs { count, slab } = slabs;
        let Classes { parts, in_part, class } = classes;
        let classes = parts * in_part;
        // How many colors each slab has; and where they begin, if those of one slab follow those of another.
        self.slabs.clear();
        self.slabs.resize(count, 0);
        if let [all] = &mut self.slabs[..] {
            *all = colors.iter().max().map_or(0, |last| last + 1);
        } else {
            for (number, &color) in colors.iter().enumerate() {
                let most = &mut self.slabs[slab(number)];
                *most = (color + 1).max(*most);
            }
        }
        self.starts.clear();
        let mut start = 0;
        for &colors in &self.slabs {
            self.starts.push(start);
            start += colors;
        }
        let starts = &self.starts[..count];
        let cell = |number: usize, color: u32| {
            debug_assert!(class(number) < classes, "contact {number} would be of another color");
            (starts[slab(number)] + color) as usize * classes + class(number)
        };
        self.lanes.clear();
        self.lanes.resize(start as usize * classes, 0);
        for (number, &color) in colors.iter().enumerate() {
            self.lanes[cell(number, color)] += 1;
        }
        let mut next = 0;
        self.ends.clear();
        self.cuts.clear();
        let mut cells = self.lanes.chunks_mut(classes);
        for colors in &mut self.slabs {
            for lanes in cells.by_ref().take(*colors as usize) {
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
            *colors = self.ends.len() as u32;
        }
        self.blocks = next as usize;
        self.places.clear();
        self.by_lanes.clear();
        self.by_lanes.resize(self.blocks * BLOCK, u32::MAX);
        self.places.extend(colors.iter().zip(0..).map(|(&color, number)| {
            let lane = &mut self.lanes[cell(number as usize, color)];
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
    pub(crate) fn assign<S: Fn(usize) -> usize, F: Fn(usize) -> usize>(
        &mut self,
        records: usize,
        joints: impl Iterator<Item = (u32, u32)>,
        contacts: impl Iterator<Item = (u32, u32)>,
        slabs: InSlabs<S>,
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
                    // For `is_free`.
                    for record in [a, b].into_iter().filter(|&record| is_movable(record)) {
                        used[record as usize] |= LATER;
                    }
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
        joint_places.fill(of_joints, ONE_SLAB, ONE_CLASS);
        if let Some(seed) = *shuffle {
            let class = |contact| shuffled(seed, contact);
            contact_places.fill(of_contacts, slabs, Classes { parts: 1, in_part: SHUFFLED, class });
        } else if count > COLORS {
            // Many rounds are for few bodies: their classes would take more memory than their contacts.
            contact_places.fill(of_contacts, slabs, ONE_CLASS);
        } else {
            contact_places.fill(of_contacts, slabs, classes);
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
            ONE_SLAB,
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
            ONE_SLAB,
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
        coloring.assign(200, core::iter::empty(), contacts.iter().copied(), ONE_SLAB, by, |_| true);
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

    #[test]
    fn slabs_have_their_own_blocks_one_after_the_other() {
        let contacts: Vec<(u32, u32)> = (0..600_u32).map(|i| (i % 100, 100 + i * 7 % 100)).collect();
        // Some are empty, one in the middle too.
        let slab = |contact: usize| [0, 2, 2, 4][contact % 100 / 25];
        let mut coloring = Coloring::default();
        let slabs = InSlabs { count: 6, slab };
        coloring.assign(200, core::iter::empty(), contacts.iter().copied(), slabs, ONE_CLASS, |_| true);
        assert_lanes(&coloring, &contacts, |_| true);
        let places = &coloring.contacts;
        let mut end = 0;
        for number in 0..6 {
            let blocks = places.blocks_of(number);
            assert_eq!(blocks.start, end);
            end = blocks.end;
            let lanes = &places.by_lanes[blocks.start * BLOCK..blocks.end * BLOCK];
            let there: Vec<_> = lanes.iter().filter(|&&contact| contact != u32::MAX).collect();
            assert!(there.iter().all(|&&contact| slab(contact as usize) == number));
            assert_eq!(there.len(), [150, 0, 300, 0, 150, 0][number]);
            // Of a color of a slab each: no block is of two.
            assert_eq!(
                places.slabs[number] == number.checked_sub(1).map_or(0, |n| places.slabs[n]),
                there.is_empty()
            );
        }
        assert_eq!(end, places.blocks);
        assert!(places.ends.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_slab_of_many_rounds_takes_no_memory_for_those_of_others() {
        // A body that 2,000 others touch, in the last one of 1,000 slabs; in those before it, two bodies each.
        let pairs = (0..999_u32).map(|i| (2001 + 2 * i, 2002 + 2 * i));
        let contacts: Vec<(u32, u32)> = pairs.chain((0..2000).map(|i| (1 + i, 0))).collect();
        let slabs = InSlabs { count: 1000, slab: |contact: usize| contact.min(999) };
        let mut coloring = Coloring::default();
        coloring.assign(4000, core::iter::empty(), contacts.iter().copied(), slabs, ONE_CLASS, |_| true);
        assert_lanes(&coloring, &contacts, |_| true);
        assert!((0..3999).all(|record| !coloring.is_free(record)));
        assert!(coloring.is_free(3999));
        assert!(coloring.contacts.lanes.len() < 999 + 2000 + COLORS as usize);
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

    #[test]
    fn between_the_first_color_and_the_last_one_are_the_blocks_of_all_others() {
        let of = |ends: &[u32]| Places { ends: ends.to_vec(), ..Places::default() }.between_ends();
        assert!(of(&[]).is_empty() && of(&[3]).is_empty() && of(&[3, 4]).is_empty());
        assert_eq!((of(&[3, 4, 9]), of(&[1, 4, 9, 10])), (3..4, 1..9));
    }
}
