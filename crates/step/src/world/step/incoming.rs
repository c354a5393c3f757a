//! Contacts on their way into the solver's blocks.
//!
//! Manifolds, and what is known of them from the step before, lie in the world's order; blocks take them by colors, from
//! anywhere. So contacts are first written down in that order, in the numbers that the solver reads and no more than
//! these: then a block collects a few cache lines for each of its lanes (`fill`).

use super::points::{Order, Point, WritePoints};
use super::{SHARED_CONTACTS, Scratch, World};
use crate::contact::ContactPair;
use crate::solver::bodies::Bodies;
use crate::solver::colors::{Classes, InSlabs};
use crate::solver::words::{lower, pair, upper};
use crate::solver::{Block, MOST_FRICTION};
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

/// A contact as a block has it, two numbers of 32 bits a word, of the same formats as there.
///
/// | word | lower | upper |
/// |---|---|---|
/// | 0 | record of a | record of b |
/// | 1, 2, 3 | normal x, z, friction y | normal y, friction x, friction z |
/// | 4 | twist | coefficient of friction |
/// | 5 | restitution | resistance to rolling |
/// | 6 | number in the step before | number of the first point |
/// | 7 | how many points | their order, from bit 8 on the scale of impulses, and from bit 16 on whether none of them pressed |
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Contact {
    words: [i64; 8],
}

/// The most points of a contact.
const MOST_POINTS: usize = 4;

/// Classes of contacts in a part: by the number of points, and whether they are idle.
const CLASSES_OF_PART: usize = 2 * MOST_POINTS;

impl Contact {
    /// What lanes without a contact have: one of no points, between bodies that do not move.
    pub(super) const NONE: Self = Self { words: [0; 8] };

    #[inline(always)]
    pub(super) const fn words(&self) -> &[i64; 8] {
        &self.words
    }

    /// The records of both bodies.
    #[inline(always)]
    pub(super) const fn records(&self) -> [u32; 2] {
        [lower(self.words[0]) as u32, upper(self.words[0]) as u32]
    }

    /// The angular impulse about the normal.
    #[inline(always)]
    pub(super) const fn twist(&self) -> i32 {
        lower(self.words[4])
    }

    #[inline(always)]
    pub(super) const fn rolling_resistance(&self) -> i32 {
        upper(self.words[5])
    }

    /// The number of the same contact in the step before, or [`NEW`].
    #[inline(always)]
    pub(super) const fn old(&self) -> u32 {
        lower(self.words[6]) as u32
    }

    /// The number of its first point.
    #[inline(always)]
    pub(super) const fn first_point(&self) -> usize {
        upper(self.words[6]) as u32 as usize
    }

    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        lower(self.words[7]) as usize
    }

    /// The sequence in which its points are solved.
    #[inline(always)]
    pub(super) const fn order(&self) -> Order {
        Order(upper(self.words[7]) as u8)
    }

    /// The exponent of the impulses that it had.
    #[inline(always)]
    pub(super) const fn scale(&self) -> i32 {
        upper(self.words[7]) >> 8 & 0xff
    }

    /// Whether it was known, and none of its points pressed.
    const fn is_idle(&self) -> bool {
        upper(self.words[7]) >> 16 != 0
    }

    #[inline(always)]
    pub(super) fn set_points(&mut self, count: usize, order: Order) {
        self.words[7] = pair(count as i32, i32::from(order.0));
    }

    /// Which of a color it goes with: by the records of its bodies, in as many parts as there are threads, for each thread
    /// is to find in its cache what it had there; then by the number of points, the greatest first, for the work on a block
    /// is that on the contact with the most; and then what bears nothing last, for sweeps leave out what no contact of a
    /// block needs.
    fn class(&self, parts: usize, bodies: &Bodies) -> usize {
        let [a, b] = self.records();
        let [a, b] = [[a, b], [b, a]].map(|[own, other]| if bodies.is_movable(own) { own } else { other });
        let part = (a as usize + b as usize) * parts / (2 * bodies.slots.len());
        part * CLASSES_OF_PART + 2 * (MOST_POINTS - self.count()) + usize::from(self.is_idle())
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
        contacts.resize(count, Contact::NONE);
        all_points.resize(points, Point::ABSENT);
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
                    let mut impulses = 0;
                    for point in &mut *own {
                        impulses |= point.complete(bodies_of_pair, old_points);
                    }
                    let is_idle = known.is_some() && impulses == 0;
                    let material = state.colliders[a].material.combine(&state.colliders[b].material);
                    let most = MOST_FRICTION as i32;
                    let [x, y, z] = manifold.normal.to_array().map(|component| fixed(component, 30));
                    let [along_x, along_y, along_z] = known.map_or([0; 3], |pair| pair.friction);
                    let twist = known.map_or(0, |pair| pair.twist).clamp(-most, most);
                    let scale = known.map_or(0, |pair| pair.scale);
                    let old = if known.is_some() { old as u32 } else { NEW };
                    let [record_a, record_b] = bodies_of_pair;
                    contact.words = [
                        pair(record_a as i32, record_b as i32),
                        pair(x, y),
                        pair(z, along_x),
                        pair(along_y, along_z),
                        pair(twist, fixed(material.friction, 26)),
                        pair(fixed(material.restitution, 30), fixed(material.rolling_resistance, 26)),
                        pair(old as i32, first_point as i32),
                        contact.words[7] | pair(0, i32::from(scale) << 8 | i32::from(is_idle) << 16),
                    ];
                    first_point += own.len() as u32;
                }
            },
        );
        let records = contacts.iter().map(|contact| contact.records().into());
        let joined = |joint: &u32| {
            let [a, b] = state.joints[*joint].bodies;
            (bodies.record(a), bodies.record(b))
        };
        let joints = derived.joints.iter().map(joined);
        // Threads have slabs, if there are several.
        let parts = if bodies.slabs.are_several() { 1 } else { crew.parts(contacts.len(), SHARED_CONTACTS) };
        let class = |contact: usize| contacts[contact].class(parts, bodies);
        let classes = Classes { parts, in_part: CLASSES_OF_PART, class };
        let slab = |contact: usize| bodies.slabs.of_contact(contacts[contact].records());
        let slabs = InSlabs { count: bodies.slabs.count(), slab };
        coloring
            .assign(bodies.slots.len(), joints, records, slabs, classes, |record| bodies.is_movable(record));
        blocks.resize(coloring.contacts.blocks, Block::NONE);
    }
}

/// A number with fewer fraction bits, to nearest, ties away from zero, saturating.
pub(super) fn fixed(x: Fx, bits: u32) -> i32 {
    let (x, drop) = (x.to_bits(), 32 - bits);
    let rounded = x.saturating_add((1 << (drop - 1)) + (x >> 63)) >> drop;
    rounded.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
