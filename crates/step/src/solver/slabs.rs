//! Slabs: layers of bodies across the world's longest axis, or one that is almost as long, which sweeps go through one
//! after the other.
//!
//! A sweep over the contacts of a large world finds none of them in the caches, for the sweep before it has read all the
//! others since. Slabs end so that no contact reaches further than from one to the next. So the next sweep may follow
//! this one a slab behind, and all sweeps of a substep go through the world together, with the same bits as one after the
//! other: see [`iterate`](super::iterate).
//!
//! A contact is of the slab of its later body. Where slabs end is a function of where the bodies are, of the order of their
//! slots, and of which are in contact. Those that do not move are in none.

use alloc::vec::Vec;
use core::ops::Range;
use isostep_math::{Fx, Vec3};

/// Fewer contacts are solved as one slab: what caches do for them is less than what they lose by being apart.
const LEAST_CONTACTS: usize = 32768;

/// The fewest bodies of a slab but the last one, for in each of its colors lanes of a block are empty.
const LEAST_BODIES: u32 = 256;

/// Instead of a rank or a slab, of what does not move.
const NONE: u32 = u32::MAX;

/// The slabs of a step: one or more.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slabs {
    /// For tests: slabs of so few bodies, however few contacts there are.
    pub(crate) least_bodies: Option<u32>,
    /// Bodies in their order along the axis: how far from the first one each is, in whatever unit 32 bits are enough for,
    /// and below that its slot.
    order: Vec<u64>,
    /// By ranks in this order: where slabs end. None if all are one slab.
    cuts: Vec<u32>,
    /// By slots: ranks first, and then slabs, or [`NONE`].
    of_slots: Vec<u32>,
    /// By ranks: the highest rank that a body touches.
    farthest: Vec<u32>,
    /// Of each slab: the ends of the records of its dynamic bodies, and of its kinematic ones.
    ends: Vec<[u32; 2]>,
    /// By records: the slab of each, if there are several.
    of_records: Vec<u32>,
}

impl Slabs {
    /// Whether so many contacts are worth more than one.
    pub(crate) const fn are_worth_it(&self, contacts: usize) -> bool {
        contacts >= LEAST_CONTACTS || self.least_bodies.is_some()
    }

    /// Makes all one slab.
    pub(crate) fn unite(&mut self) {
        self.cuts.clear();
    }

    /// Divides what moves, with its centres, which is in some of so many slots, by the contacts that these have.
    pub(crate) fn divide(
        &mut self,
        slots: usize,
        moving: impl Iterator<Item = (u32, Vec3)> + Clone,
        contacts: impl Iterator<Item = [u32; 2]>,
    ) {
        self.unite();
        let (axis, first, extent) = find_axis(moving.clone().map(|(_, center)| center));
        let unit = u32::BITS.saturating_sub(extent.leading_zeros());
        self.order.clear();
        self.order.extend(moving.map(|(slot, center)| {
            let distance = center.to_array()[axis].to_bits().abs_diff(first);
            distance >> unit << u32::BITS | u64::from(slot)
        }));
        self.order.sort_unstable();
        self.of_slots.clear();
        self.of_slots.resize(slots, NONE);
        for (&body, rank) in self.order.iter().zip(0..) {
            self.of_slots[slot(body)] = rank;
        }
        self.farthest.clear();
        self.farthest.extend(0..self.order.len() as u32);
        for slots in contacts {
            let [a, b] = slots.map(|slot| self.of_slots[slot as usize]);
            if a != NONE && b != NONE {
                let farthest = &mut self.farthest[a.min(b) as usize];
                *farthest = a.max(b).max(*farthest);
            }
        }
        self.cut();
    }

    /// Cuts what is in order along the axis: as often as no contact reaches over two cuts.
    fn cut(&mut self) {
        // How far the bodies before a rank reach, and how far those before the last cut do.
        let (mut reach, mut over_last, mut start) = (0, 0, 0);
        let least = self.least_bodies.unwrap_or(LEAST_BODIES).max(1);
        for (&farthest, rank) in self.farthest.iter().zip(0..) {
            if rank - start >= least && rank > over_last {
                self.cuts.push(rank);
                (start, over_last) = (rank, reach);
            }
            reach = reach.max(farthest);
        }
        if self.cuts.is_empty() {
            return;
        }
        self.cuts.push(self.order.len() as u32);
        let mut start = 0;
        for (&end, slab) in self.cuts.iter().zip(0..) {
            for &body in &self.order[start..end as usize] {
                self.of_slots[slot(body)] = slab;
            }
            start = end as usize;
        }
    }

    /// Gives the records after record 0 to bodies: dynamic ones, and then kinematic ones, both slab by slab. It gets their
    /// slots in ascending order, and puts those of the records behind what is in `slots`, that of record 0.
    pub(crate) fn number(
        &mut self,
        dynamic: &[u32],
        kinematic: impl Iterator<Item = u32> + Clone,
        slots: &mut Vec<u32>,
    ) {
        slots.extend_from_slice(dynamic);
        slots.extend(kinematic.clone());
        self.ends.clear();
        self.of_records.clear();
        if self.cuts.is_empty() {
            self.ends.push([1 + dynamic.len() as u32, slots.len() as u32]);
            return;
        }
        // How many there are, then the next record of each, and in the end the one after the last.
        self.ends.resize(self.cuts.len(), [0; 2]);
        let slab = |slot: u32| self.of_slots[slot as usize];
        for (&slot, place) in slots[1..].iter().zip(0..) {
            self.ends[slab(slot) as usize][usize::from(place >= dynamic.len())] += 1;
        }
        let mut next = [1, 1 + dynamic.len() as u32];
        for ends in &mut self.ends {
            for (end, next) in ends.iter_mut().zip(&mut next) {
                *next += core::mem::replace(end, *next);
            }
        }
        self.of_records.resize(slots.len(), 0);
        let kinds = dynamic.iter().map(|&slot| (0, slot)).chain(kinematic.map(|slot| (1, slot)));
        for (kind, slot) in kinds {
            let next = &mut self.ends[slab(slot) as usize][kind];
            slots[*next as usize] = slot;
            self.of_records[*next as usize] = slab(slot);
            *next += 1;
        }
    }

    /// Whether there are more than one.
    pub(crate) fn are_several(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.ends.len()
    }

    /// The records of one: of its dynamic bodies, and of its kinematic ones.
    pub(crate) fn records(&self, slab: usize) -> [Range<usize>; 2] {
        let movable = self.ends.last().map_or(1, |ends| ends[0]);
        let starts = slab.checked_sub(1).map_or([1, movable], |before| self.ends[before]);
        let ends = self.ends[slab];
        [0, 1].map(|kind| starts[kind] as usize..ends[kind] as usize)
    }

    /// The slab of a contact of two records: the last one of theirs.
    #[inline]
    pub(crate) fn of_contact(&self, [a, b]: [u32; 2]) -> usize {
        if !self.are_several() {
            return 0;
        }
        self.of_records[a as usize].max(self.of_records[b as usize]) as usize
    }
}

/// The slot of a body in the order.
const fn slot(body: u64) -> usize {
    body as u32 as usize
}

/// The axis across which slabs are, with the least coordinate there, and how far from it the greatest one is, in bits.
///
/// Of those along which centres are almost as far apart as they are along any, it is the one along which those that come
/// one after the other are nearest, the first one of several: what else lies in the order of slots is read in this order too.
fn find_axis(centers: impl Iterator<Item = Vec3>) -> (usize, i64, u64) {
    let mut bounds = [[i64::MAX; 3], [i64::MIN; 3]];
    let mut way = [0_u64; 3];
    let mut last = None;
    for center in centers {
        let center = center.to_array().map(Fx::to_bits);
        for axis in 0..3 {
            bounds[0][axis] = center[axis].min(bounds[0][axis]);
            bounds[1][axis] = center[axis].max(bounds[1][axis]);
            let [from, to] = [last.unwrap_or(center)[axis], center[axis]];
            // In 2⁻¹² m, for sums to be within 64 bits.
            way[axis] = way[axis].saturating_add(to.abs_diff(from) >> 20);
        }
        last = Some(center);
    }
    let extents = [0, 1, 2].map(|axis: usize| bounds[1][axis].abs_diff(bounds[0][axis]));
    let longest = extents.into_iter().max().unwrap_or(0);
    let candidates = (0..3).filter(|&axis| extents[axis] >= longest - longest / 4);
    let axis = candidates.min_by_key(|&axis| way[axis]).unwrap_or(0);
    (axis, bounds[0][axis], extents[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;
    use isostep_math::{fx, vec3};

    const SLOTS: usize = 300;

    /// Bodies beside each other along z, in any order, of which every fifth is kinematic, and contacts of neighbors.
    fn row(seed: u64) -> (Vec<(u32, Vec3)>, Vec<[u32; 2]>) {
        let mut rng = Rng::new(seed, 1);
        let mut slots: Vec<u32> = (0..SLOTS as u32).filter(|slot| slot % 7 != 3).collect();
        rng.shuffle(&mut slots);
        let reach = 1 + rng.next_u32() as usize % 12;
        // Some share their place.
        let center = |place: i32| vec3(fx!(-5), fx!(2), Fx::from_int(place / 3 - 40));
        let bodies = slots.iter().copied().zip((0..).map(center)).collect();
        let contacts = (0..2 * slots.len()).map(|_| {
            let first = rng.next_u32() as usize % (slots.len() - reach);
            let other = first + rng.next_u32() as usize % (reach + 1);
            // Slot 3 is of what does not move.
            if rng.next_u32() % 9 == 0 { [slots[first], 3] } else { [slots[other], slots[first]] }
        });
        (bodies, contacts.collect())
    }

    fn is_dynamic(slot: u32) -> bool {
        slot % 5 != 0
    }

    /// Slabs, and the slots of all records.
    fn divided(least_bodies: u32, bodies: &[(u32, Vec3)], contacts: &[[u32; 2]]) -> (Slabs, Vec<u32>) {
        let mut slabs = Slabs { least_bodies: Some(least_bodies), ..Slabs::default() };
        slabs.divide(SLOTS, bodies.iter().copied(), contacts.iter().copied());
        let mut moving: Vec<u32> = bodies.iter().map(|&(slot, _)| slot).collect();
        moving.sort_unstable();
        let (dynamic, kinematic): (Vec<u32>, Vec<u32>) =
            moving.into_iter().partition(|&slot| is_dynamic(slot));
        let mut slots = alloc::vec![NONE];
        slabs.number(&dynamic, kinematic.iter().copied(), &mut slots);
        (slabs, slots)
    }

    /// The slab of each slot, of what moves.
    fn of_slots((slabs, slots): &(Slabs, Vec<u32>)) -> Vec<Option<usize>> {
        let mut found = alloc::vec![None; SLOTS];
        for (&slot, record) in slots.iter().zip(0..).skip(1) {
            found[slot as usize] = Some(slabs.of_contact([0, record]));
        }
        found
    }

    #[test]
    fn contacts_reach_no_further_than_to_the_next_slab() {
        let mut most = 0;
        for seed in 0..50 {
            let (bodies, contacts) = row(seed);
            let found = divided(8, &bodies, &contacts);
            assert!(found.0.are_several());
            let of_slots = of_slots(&found);
            for [a, b] in contacts {
                if let (Some(a), Some(b)) = (of_slots[a as usize], of_slots[b as usize]) {
                    assert!(a.abs_diff(b) < 2, "{a} and {b}, seed {seed}");
                }
            }
            most = most.max(found.0.count());
        }
        assert!(most > 20, "{most}");
    }

    #[test]
    fn slabs_follow_each_other_along_the_longest_axis_and_have_all_bodies_once() {
        for seed in 0..20 {
            let (mut bodies, contacts) = row(seed);
            let found = divided(8, &bodies, &contacts);
            let of_slots = of_slots(&found);
            assert_eq!(of_slots.iter().flatten().count(), bodies.len());
            bodies.sort_unstable_by_key(|&(slot, center)| (center.z, slot));
            assert!(bodies.iter().map(|&(slot, _)| of_slots[slot as usize]).is_sorted());
            let count = |slab| of_slots.iter().filter(|&&of_slot| of_slot == Some(slab)).count();
            assert!((0..found.0.count() - 1).all(|slab| count(slab) >= 8));
        }
    }

    #[test]
    fn records_are_those_of_dynamic_bodies_slab_by_slab_and_then_those_of_kinematic_ones() {
        let (bodies, contacts) = row(1);
        let found = divided(8, &bodies, &contacts);
        let of_slots = of_slots(&found);
        let (slabs, slots) = found;
        let mut starts = [1, 1 + bodies.iter().filter(|&&(slot, _)| is_dynamic(slot)).count()];
        for slab in 0..slabs.count() {
            for (kind, records) in slabs.records(slab).into_iter().enumerate() {
                assert_eq!(records.start, starts[kind]);
                starts[kind] = records.end;
                assert!(slots[records.clone()].is_sorted());
                for &slot in &slots[records] {
                    assert_eq!(of_slots[slot as usize], Some(slab));
                    assert_eq!(is_dynamic(slot), kind == 0);
                }
            }
        }
        assert_eq!(starts[1], bodies.len() + 1);
    }

    #[test]
    fn the_sequence_of_bodies_and_contacts_is_nothing_to_slabs() {
        let (mut bodies, mut contacts) = row(2);
        let (slabs, slots) = divided(8, &bodies, &contacts);
        Rng::new(3, 1).shuffle(&mut bodies);
        contacts.reverse();
        contacts.iter_mut().for_each(|slots| slots.reverse());
        let (others, other_slots) = divided(8, &bodies, &contacts);
        assert_eq!(slots, other_slots);
        assert_eq!(slabs.ends, others.ends);
    }

    #[test]
    fn what_touches_everything_is_in_the_middle_one_of_three_slabs() {
        let (bodies, mut contacts) = row(4);
        let (hub, _) = bodies[100];
        contacts.extend(bodies.iter().map(|&(slot, _)| [hub, slot]));
        let found = divided(8, &bodies, &contacts);
        assert_eq!(found.0.count(), 3);
        assert_eq!(of_slots(&found)[hub as usize], Some(1));
    }

    #[test]
    fn too_few_bodies_are_one_slab() {
        let (bodies, contacts) = row(5);
        let (slabs, slots) = divided(bodies.len() as u32, &bodies, &contacts);
        assert!(!slabs.are_several());
        assert_eq!(slabs.count(), 1);
        let movable = bodies.iter().filter(|&&(slot, _)| is_dynamic(slot)).count();
        assert_eq!(slabs.records(0), [1..1 + movable, 1 + movable..1 + bodies.len()]);
        assert!(slots[1..=movable].is_sorted() && slots[1 + movable..].is_sorted());
        assert_eq!(slabs.of_contact([0, bodies.len() as u32]), 0);
        assert!(!divided(1, &[], &[]).0.are_several());
    }

    #[test]
    fn bodies_that_are_all_in_one_place_are_cut_by_their_slots() {
        let bodies: Vec<_> = (0..64).map(|i| (i * 4 + 1, vec3(Fx::MIN, fx!(0), Fx::MAX))).collect();
        let found = divided(16, &bodies, &[]);
        assert_eq!(found.0.count(), 4);
        assert!(of_slots(&found).into_iter().flatten().is_sorted());
    }

    #[test]
    fn distances_across_the_whole_range_are_in_order() {
        let places = [Fx::MAX, Fx::from_int(-7), Fx::MIN, fx!(0), Fx::from_int(9)];
        let bodies: Vec<_> = (0..).zip(places).map(|(slot, x)| (slot, vec3(x, fx!(0), fx!(0)))).collect();
        assert_eq!(of_slots(&divided(1, &bodies, &[]))[..5], [4, 1, 0, 2, 3].map(Some));
    }

    #[test]
    fn slabs_are_across_the_longest_axis_and_if_others_are_as_long_along_the_order_of_slots() {
        let axis = |a: Vec3, b: Vec3| find_axis([a, b].into_iter());
        let whole = axis(vec3(fx!(1), Fx::MIN, fx!(0)), vec3(fx!(0), Fx::MAX, fx!(0)));
        assert_eq!(whole, (1, i64::MIN, u64::MAX));
        assert_eq!(axis(Vec3::ZERO, vec3(fx!(0), fx!(2), fx!(-3))), (2, -3 << 32, 3 << 32));
        let rows = |height: i32, width: i32, length: i32| {
            let places = (0..height * width * length)
                .map(move |i| [i % width, i / width / length, i / width % length].map(Fx::from_int));
            find_axis(places.map(Vec3::from_array)).0
        };
        assert_eq!(rows(2, 10, 10), 2, "rows follow each other along z");
        assert_eq!(rows(2, 10, 8), 2, "which is almost as long as they are");
        assert_eq!(rows(2, 10, 7), 0);
        assert_eq!(rows(2, 10, 14), 2);
        assert_eq!(find_axis([Vec3::ZERO; 2].into_iter()), (0, 0, 0));
    }
}
