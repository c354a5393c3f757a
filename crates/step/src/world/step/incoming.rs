//! Contacts on their way into the solver's blocks.
//!
//! Manifolds, and what is known of them from the step before, lie in the world's order; blocks take them by colors, from
//! anywhere. So contacts are first written down in that order, in the numbers that the solver reads and no more than
//! these: then a block collects a few cache lines for each of its lanes.

use super::points::{Order, Point, WritePoints};
use super::{SHARED_CONTACTS, Scratch, World};
use crate::contact::ContactPair;
use crate::solver::bodies::Bodies;
use crate::solver::prepare::ABSENT;
use crate::solver::softness::Softness;
use crate::solver::{BLOCK, Block, MOST_FRICTION};
use alloc::vec::Vec;
use isostep_math::Fx;
use isostep_math::wide::Level;

/// What a contact has instead of the number of one of the step before.
pub(super) const NEW: u32 = u32::MAX;

/// Contacts in the world's order, with their points one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Incoming {
    pub(super) contacts: Vec<Contact>,
    pub(super) points: Vec<Point>,
    /// Of each contact of the step before: the number of its first point.
    old_points: Vec<u32>,
}

/// A contact as the lane of a block.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Contact {
    pub(super) records: [u32; 2],
    /// The number of the same contact in the step before, or [`NEW`].
    pub(super) old: u32,
    /// The number of its first point.
    first_point: u32,
    count: u8,
    /// Whether the masses of both bodies differ much.
    is_uneven: bool,
    /// The sequence in which its points are solved.
    pub(super) order: Order,
    normal: [i32; 3],
    friction: [i32; 3],
    twist: i32,
    friction_limit: i32,
    restitution: i32,
    rolling_resistance: i32,
}

/// The most points of a contact.
const MOST_POINTS: usize = 4;

impl Contact {
    /// Which of a color it goes with: by the records of its bodies, in as many parts as there are threads, for each thread
    /// is to find in its cache what it had there; then by the number of points, the greatest first, for the work on a block
    /// is that on the contact with the most.
    fn class(&self, parts: usize, bodies: &Bodies) -> usize {
        let [a, b] = self.records;
        let [a, b] = [[a, b], [b, a]].map(|[own, other]| if bodies.is_movable(own) { own } else { other });
        let part = (a as usize + b as usize) * parts / (2 * bodies.slots.len());
        part * MOST_POINTS + MOST_POINTS - usize::from(self.count)
    }
}

impl World {
    /// Writes contacts down, and finds a block and a lane for each.
    pub(super) fn place_contacts(&mut self) {
        let Self { state, derived, scratch, crew, .. } = self;
        let Scratch { manifolds, pairs, bodies, coloring, blocks, incoming, .. } = scratch;
        let (manifolds, bodies) = (&*manifolds, &*bodies);
        let [count, points] = manifolds.bounds().map(|bounds| bounds.last().map_or(0, |&end| end as usize));
        let Incoming { contacts, points: all_points, old_points } = incoming;
        contacts.resize(count, Contact::default());
        all_points.resize(points, Point::default());
        old_points.clear();
        old_points.extend(state.contacts.pairs.iter().scan(0, |next, pair| {
            let first = *next;
            *next += u32::from(pair.count);
            Some(first)
        }));
        let before = &state.contacts;
        let key = |a: u32, b: u32| (derived.rank(a), derived.rank(b));
        let level = Level::current();
        let parts = (&mut contacts[..], &mut all_points[..]);
        crew.for_each_of_two(
            parts,
            manifolds.bounds(),
            count >= SHARED_CONTACTS,
            |chunk, contacts, mut points| {
                level.dispatch(WritePoints {
                    manifolds: manifolds.items_of(chunk),
                    contacts: &mut *contacts,
                    points: &mut *points,
                });
                let mut first_point = manifolds.bounds()[1][chunk];
                let mut old = usize::MAX;
                for (contact, (number, manifold)) in contacts.iter_mut().zip(manifolds.of_chunk(chunk)) {
                    let (a, b) = pairs[number as usize];
                    let is_before = |old: &ContactPair| key(old.a, old.b) < key(a, b);
                    if old == usize::MAX {
                        old = before.pairs.partition_point(is_before);
                    }
                    while before.pairs.get(old).is_some_and(is_before) {
                        old += 1;
                    }
                    let known = before.pairs.get(old).filter(|old| (old.a, old.b) == (a, b));
                    let old_points = known.map_or(&[][..], |pair| {
                        &before.points[old_points[old] as usize..][..usize::from(pair.count)]
                    });
                    let bodies_of_pair = [a, b].map(|collider| bodies.record(state.colliders[collider].body));
                    let (own, rest) = core::mem::take(&mut points).split_at_mut(manifold.points().len());
                    points = rest;
                    for point in &mut *own {
                        point.complete(bodies_of_pair, old_points);
                    }
                    let material = state.colliders[a].material.combine(&state.colliders[b].material);
                    let most = MOST_FRICTION as i32;
                    *contact = Contact {
                        records: bodies_of_pair,
                        old: if known.is_some() { old as u32 } else { NEW },
                        first_point,
                        count: own.len() as u8,
                        is_uneven: bodies.are_uneven(bodies_of_pair[0], bodies_of_pair[1]),
                        order: contact.order,
                        normal: manifold.normal.to_array().map(|component| fixed(component, 30)),
                        friction: known.map_or([0; 3], |pair| pair.friction),
                        twist: known.map_or(0, |pair| pair.twist).clamp(-most, most),
                        friction_limit: fixed(material.friction, 26),
                        restitution: fixed(material.restitution, 30),
                        rolling_resistance: fixed(material.rolling_resistance, 26),
                    };
                    first_point += own.len() as u32;
                }
            },
        );
        let records = contacts.iter().map(|contact| (contact.records[0], contact.records[1]));
        let joined = |joint: &u32| {
            let [a, b] = state.joints[*joint].bodies;
            (bodies.record(a), bodies.record(b))
        };
        let joints = derived.joints.iter().map(joined);
        let parts = crew.parts(contacts.len(), SHARED_CONTACTS);
        let class = |contact: usize| contacts[contact].class(parts, bodies);
        let classes = (parts * MOST_POINTS, class);
        coloring.assign(bodies.slots.len(), joints, records, classes, |record| bodies.is_movable(record));
        blocks.resize(coloring.contacts.blocks, Block::NONE);
    }
}

impl Incoming {
    /// Fills blocks with the contacts of their lanes, which `lanes` has block by block. What else is in a lane is of an
    /// earlier step, and means nothing: no row of a lane without a contact moves record 0.
    pub(super) fn fill(&self, blocks: &mut [Block], lanes: &[u32], softness: &[Softness; 2]) {
        for (block, lanes) in blocks.iter_mut().zip(lanes.chunks(BLOCK)) {
            (block.count, block.locked) = (0, false);
            (block.twists, block.rolls) = (false, false);
            for (lane, &number) in lanes.iter().enumerate() {
                match self.contacts.get(number as usize) {
                    Some(contact) => self.put(contact, block, lane, softness),
                    None => (block.a[lane], block.b[lane]) = (0, 0),
                }
            }
        }
    }

    #[inline]
    fn put(&self, contact: &Contact, block: &mut Block, lane: usize, softness: &[Softness; 2]) {
        [block.a[lane], block.b[lane]] = contact.records;
        block.softness.set(lane, &softness[usize::from(contact.is_uneven)]);
        for k in 0..3 {
            block.normal[k][lane] = contact.normal[k];
            block.friction_before[k][lane] = contact.friction[k];
        }
        block.twist_impulse[lane] = contact.twist;
        block.twists |= contact.count > 1 || contact.twist != 0;
        block.friction_limit[lane] = contact.friction_limit;
        block.restitution[lane] = contact.restitution;
        block.rolling_resistance[lane] = contact.rolling_resistance;
        block.rolls |= contact.rolling_resistance > 0;
        let count = usize::from(contact.count);
        block.count = block.count.max(count);
        let (present, absent) = block.points.split_at_mut(count);
        for (row, point) in present.iter_mut().zip(&self.points[contact.first_point as usize..][..count]) {
            for k in 0..3 {
                row.row.arm_a[k][lane] = point.0[k];
                row.row.arm_b[k][lane] = point.0[3 + k];
            }
            row.separation[lane] = point.0[6];
            row.impulse[lane] = point.0[7];
        }
        for row in absent {
            (row.separation[lane], row.impulse[lane]) = (ABSENT, 0);
        }
    }
}

/// A number with fewer fraction bits, to nearest, ties away from zero, saturating.
pub(super) fn fixed(x: Fx, bits: u32) -> i32 {
    let (x, drop) = (x.to_bits(), 32 - bits);
    let rounded = x.saturating_add((1 << (drop - 1)) + (x >> 63)) >> drop;
    rounded.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
