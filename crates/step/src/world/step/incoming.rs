//! Contacts on their way into the solver's blocks.
//!
//! What the narrowphase finds, and what is known of it from the step before, lies in the world's order; blocks take it by
//! colors, from anywhere. So contacts are written down in that order as they are found, in the numbers that the solver
//! reads and no more than these: then a block collects a few cache lines for each of its lanes (`fill`).

use super::points::{Point, WriteContacts, complete_all};
use super::{AHEAD, SHARED_CONTACTS, Scratch, World};
use crate::contact::ContactPair;
use crate::handle::NONE;
use crate::material::Material;
use crate::parallel::Crew;
use crate::solver::bodies::Bodies;
use crate::solver::colors::{Classes, InSlabs};
use crate::solver::frames::Frame;
use crate::solver::words::{lower, pair, upper};
use crate::solver::{Block, MOST_FRICTION, to_mantissa};
use crate::state::State;
use crate::world::derived::Derived;
use alloc::vec::Vec;
use isostep_collision::manifold::each_contact_at;
use isostep_math::wide::{Level, prefetch, prefetch_all};
use isostep_math::{Fx, Vec3, fx};

/// What a contact has instead of the number of one of the step before.
pub(super) const NEW: u32 = u32::MAX;

/// Pairs of a chunk: 2 to this power.
const CHUNK_BITS: u32 = 7;

/// More contacts than these lie beyond the caches when they are completed.
const FAR_CONTACTS: usize = 16384;

/// Fewer chunks are worked on by one thread.
const SHARED_CHUNKS: usize = 4;

/// Contacts in the world's order, by chunks of the pairs that they are of.
#[derive(Clone, Debug, Default)]
pub(super) struct Incoming {
    /// Memory of later ones is kept.
    chunks: Vec<Chunk>,
    used: usize,
    /// How many contacts, and how many points, are before each chunk, and before the end.
    bounds: [Vec<u32>; 2],
    /// Of each contact, in the world's order, once they are complete.
    briefs: Vec<Brief>,
    /// Of each contact of the step before: the number of its first point.
    old_points: Vec<u32>,
}

/// The contacts of a chunk of pairs, with their points one after the other. Behind them is what earlier steps left.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    contacts: Vec<Contact>,
    /// Of each contact.
    briefs: Vec<Brief>,
    points: Vec<Point>,
    /// Of each point.
    features: Vec<u32>,
    count: usize,
    /// Of all contacts; points of those that were left out may lie between theirs.
    point_count: usize,
    /// Of contacts with scenery: the collider of the dynamic body, and the place.
    at_scenery: Vec<[u32; 2]>,
}

/// What is asked of contacts before they go into blocks, and where the rest is: a fourth of what the caches have to bring of
/// contacts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brief {
    /// As [`Contact::records`].
    records: [u32; 2],
    /// Its chunk, above the bits of its place there.
    home: u32,
    /// The number of its first point among those of its chunk, and how many it has.
    first_point: u16,
    count: u8,
    /// See [`class`], once it is complete; there are at most sixteen parts, as there are threads.
    class: u8,
}

const _: () = assert!(MOST_POINTS << CHUNK_BITS <= 1 << u16::BITS && 16 * CLASSES_OF_PART <= 1 << u8::BITS);

impl Brief {
    const NONE: Self = Self { records: [0; 2], home: 0, first_point: 0, count: 0, class: 0 };
}

/// A contact as a block has it, two numbers of 32 bits a word, of the same formats as there.
///
/// | word | lower | upper |
/// |---|---|---|
/// | 0 | record of a, and before these are known its collider | the same of b |
/// | 1, 2, 3 | normal x, z, friction y | normal y, friction x, friction z |
/// | 4 | twist | coefficient of friction |
/// | 5 | restitution | resistance to rolling |
/// | 6 | number in the step before | number of the pair in its chunk |
/// | 7 | how many points, from bit 8 on which is the first one | flags, from bit 8 on the scale of impulses |
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Contact {
    words: [i64; 8],
}

/// A point is no more apart than 0.
const TOUCHES: i32 = 1;
/// A point is no more apart than where a contact ends.
const IS_NEAR: i32 = 2;

/// The most points of a contact.
pub(super) const MOST_POINTS: usize = 4;

/// Classes of contacts in a part: by the number of points, and whether they are idle.
const CLASSES_OF_PART: usize = 2 * MOST_POINTS;

/// A contact ends where all its points are farther apart than this: one that begins does so at 0.
const PARTED: Fx = fx!(0.005);

impl Contact {
    /// What lanes without a contact have: one of no points, between bodies that do not move.
    pub(super) const NONE: Self = Self { words: [0; 8] };

    /// As it was found: the colliders, the number of the pair, the normal in Q2.30, the points and the least separation of
    /// these.
    #[inline(always)]
    pub(super) fn found(
        &mut self,
        (a, b): (u32, u32),
        number: u32,
        [x, y, z]: [i32; 3],
        (first, count): (usize, usize),
        least: Fx,
    ) {
        let touches = if least <= Fx::ZERO { TOUCHES } else { 0 };
        let is_near = if least < PARTED { IS_NEAR } else { 0 };
        self.words[0] = pair(a as i32, b as i32);
        self.words[1] = pair(x, y);
        self.words[2] = pair(z, 0);
        self.words[6] = pair(0, number as i32);
        self.words[7] = pair((first << 8 | count) as i32, touches | is_near);
    }

    #[inline(always)]
    pub(super) const fn words(&self) -> &[i64; 8] {
        &self.words
    }

    /// The records of both bodies; before these are known, the colliders.
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

    /// The number of its pair among those of its chunk.
    #[inline(always)]
    const fn pair(&self) -> usize {
        upper(self.words[6]) as usize
    }

    #[inline(always)]
    const fn first_point(&self) -> usize {
        (lower(self.words[7]) >> 8) as usize
    }

    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        (lower(self.words[7]) & 0xff) as usize
    }

    /// The exponent of the impulses that it had.
    #[inline(always)]
    pub(super) const fn scale(&self) -> i32 {
        upper(self.words[7]) >> 8
    }

    /// From a to b.
    #[inline(always)]
    pub(super) const fn normal(&self) -> Vec3 {
        const fn number(bits: i32) -> Fx {
            Fx::from_bits((bits as i64) << 2)
        }
        let [_, first, last, ..] = self.words;
        Vec3::new(number(lower(first)), number(upper(first)), number(lower(last)))
    }

    /// Whether the shapes touch: where one of their points presses, or is no more apart than that, and where they touched
    /// and have not parted.
    #[inline(always)]
    pub(super) const fn is_touching(&self, pressed: bool, touched: bool) -> bool {
        let flags = upper(self.words[7]);
        pressed || flags & TOUCHES != 0 || (touched && flags & IS_NEAR != 0)
    }
}

/// Which contacts of a color one goes with: by the records of its bodies, in as many parts as there are threads, for each
/// thread is to find in its cache what it had there; then by the number of points, the greatest first, for the work on a
/// block is that on the contact with the most; and then what bears nothing last, for sweeps leave out what no contact of a
/// block needs.
fn class([a, b]: [u32; 2], count: usize, is_idle: bool, parts: usize, bodies: &Bodies) -> usize {
    let part = if parts > 1 {
        let [a, b] = [[a, b], [b, a]].map(|[own, other]| if bodies.is_movable(own) { own } else { other });
        (a as usize + b as usize) * parts / (2 * bodies.slots.len())
    } else {
        0
    };
    part * CLASSES_OF_PART + 2 * (MOST_POINTS - count) + usize::from(is_idle)
}

impl Chunk {
    /// Room for so many contacts more, and the numbers of the first one and of its first point.
    pub(super) fn reserve(&mut self, more: usize) {
        let (contacts, points) = (self.count + more, self.point_count + MOST_POINTS * more);
        if self.contacts.len() < contacts {
            self.contacts.resize(contacts, Contact::NONE);
            self.briefs.resize(contacts, Brief::NONE);
        }
        if self.points.len() < points {
            self.points.resize(points, Point::ABSENT);
            self.features.resize(points, 0);
        }
    }

    /// The memory of the next contact, of a pair of colliders, and of its points, of which it has `count`; and the number of the
    /// first of these.
    #[inline(always)]
    pub(super) fn add(&mut self, (a, b): (u32, u32), count: usize) -> (&mut Contact, &mut [Point], usize) {
        let (contact, first) = (self.count, self.point_count);
        self.count += 1;
        self.point_count += count;
        let (first_point, count) = (first as u16, count as u8);
        self.briefs[contact] = Brief { records: [a, b], first_point, count, ..Brief::NONE };
        (&mut self.contacts[contact], &mut self.points[first..][..MOST_POINTS], first)
    }

    pub(super) fn contacts(&self) -> &[Contact] {
        &self.contacts[..self.count]
    }

    /// Notes which contacts are with scenery.
    fn note_scenery(&mut self, derived: &Derived) {
        self.at_scenery.clear();
        // Many contacts have the same first collider.
        let mut first = (NONE, false);
        for (brief, place) in self.briefs[..self.count].iter().zip(0..) {
            let [a, b] = brief.records;
            if a != first.0 {
                first = (a, derived.is_scenery(a));
            }
            if first.1 {
                self.at_scenery.push([b, place]);
            } else if derived.is_scenery(b) {
                self.at_scenery.push([a, place]);
            }
        }
    }

    /// A contact by its place, with its points.
    #[inline(always)]
    pub(super) fn nth(&self, place: usize) -> (&Contact, &[Point]) {
        let contact = &self.contacts[place];
        (contact, &self.points[contact.first_point()..][..contact.count()])
    }

    /// Leaves out the contacts at ascending places.
    fn leave_out(&mut self, places: impl Iterator<Item = usize>) {
        let mut places = places.peekable();
        let first = places.peek().map_or(self.count, |&first| first);
        let mut kept = first;
        for at in first..self.count {
            if places.next_if_eq(&at).is_some() {
                self.point_count -= self.contacts[at].count();
                continue;
            }
            (self.contacts[kept], self.briefs[kept]) = (self.contacts[at], self.briefs[at]);
            kept += 1;
        }
        self.count = kept;
    }

    /// The features of the points of a contact, in the sequence in which these are solved.
    #[inline(always)]
    pub(super) fn features_of(&self, contact: &Contact) -> &[u32] {
        &self.features[contact.first_point()..][..contact.count()]
    }
}

impl Incoming {
    /// Finds the contacts of all pairs; what it had before is gone. How many they are is known once they are
    /// [counted](Self::count_up).
    pub(super) fn find(&mut self, derived: &Derived, pairs: &[(u32, u32)], margin: Fx, crew: &mut Crew) {
        let size = 1 << CHUNK_BITS;
        self.used = pairs.len().div_ceil(size);
        if self.chunks.len() < self.used {
            self.chunks.resize_with(self.used, Chunk::default);
        }
        let level = Level::current();
        crew.for_each(&mut self.chunks[..self.used], 1, SHARED_CHUNKS, |first, chunks| {
            for (chunk, pairs) in chunks.iter_mut().zip(pairs.chunks(size).skip(first)) {
                (chunk.count, chunk.point_count) = (0, 0);
                each_contact_at(level, &derived.shapes, pairs, margin, &mut |found| {
                    chunk.reserve(found.len());
                    level.dispatch(WriteContacts { found, pairs, chunk: &mut *chunk });
                });
                chunk.note_scenery(derived);
            }
        });
    }

    /// Collects the contacts with scenery: the collider of the dynamic body, the chunk, and the place there.
    pub(super) fn collect_at_scenery(&self, contacts: &mut Vec<[u32; 3]>) {
        contacts.clear();
        for (chunk, number) in self.chunks[..self.used].iter().zip(0..) {
            contacts.extend(chunk.at_scenery.iter().map(|&[own, place]| [own, number, place]));
        }
    }

    /// Leaves out the contacts of a chunk at ascending places.
    pub(super) fn leave_out(&mut self, chunk: usize, places: impl Iterator<Item = usize>) {
        self.chunks[chunk].leave_out(places);
    }

    /// Counts the contacts that were found and not left out.
    pub(super) fn count_up(&mut self) {
        let (mut count, mut points) = (0, 0);
        self.bounds.iter_mut().for_each(Vec::clear);
        for chunk in &self.chunks[..self.used] {
            self.bounds[0].push(count);
            self.bounds[1].push(points);
            count += chunk.count as u32;
            points += chunk.point_count as u32;
        }
        self.bounds[0].push(count);
        self.bounds[1].push(points);
    }

    /// How many contacts, and how many points, are before each chunk, and before the end.
    pub(super) fn bounds(&self) -> [&[u32]; 2] {
        [&self.bounds[0], &self.bounds[1]]
    }

    /// How many contacts there are.
    pub(super) fn count(&self) -> usize {
        self.bounds[0].last().map_or(0, |&contacts| contacts as usize)
    }

    /// How many points they have.
    pub(super) fn point_count(&self) -> usize {
        self.bounds[1].last().map_or(0, |&points| points as usize)
    }

    pub(super) fn chunk(&self, number: usize) -> &Chunk {
        &self.chunks[number]
    }

    /// The colliders of all contacts, until they are complete.
    pub(super) fn colliders(&self) -> impl Iterator<Item = [u32; 2]> {
        self.chunks[..self.used]
            .iter()
            .flat_map(|chunk| &chunk.briefs[..chunk.count])
            .map(|brief| brief.records)
    }

    /// The pair of each contact of a chunk, of all pairs.
    pub(super) fn pairs_of<'a>(
        &'a self,
        chunk: usize,
        pairs: &'a [(u32, u32)],
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let pairs = &pairs[chunk << CHUNK_BITS..];
        self.chunks[chunk].contacts().iter().map(|contact| pairs[contact.pair()])
    }

    /// The chunk of a contact, and its place there.
    #[inline(always)]
    fn home(&self, brief: &Brief) -> (&Chunk, usize) {
        (&self.chunks[(brief.home >> CHUNK_BITS) as usize], (brief.home & ((1 << CHUNK_BITS) - 1)) as usize)
    }

    /// A contact by its number, with its points.
    #[inline(always)]
    pub(super) fn nth(&self, number: usize) -> Option<(&Contact, &[Point])> {
        let (chunk, index) = self.home(self.briefs.get(number)?);
        Some(chunk.nth(index))
    }

    /// Tells the caches of what goes into the next lanes: so many contacts, their points, and the frames of their bodies.
    #[inline]
    pub(super) fn bring(&self, lanes: &[u32], count: usize, frames: &[Frame]) {
        for &number in lanes.iter().take(count) {
            if let Some(brief) = self.briefs.get(number as usize) {
                let (chunk, index) = self.home(brief);
                prefetch_all(&chunk.contacts[index]);
                prefetch_all(&chunk.points[usize::from(brief.first_point)..][..usize::from(brief.count)]);
                for record in brief.records {
                    prefetch_all(&frames[record as usize]);
                }
            }
        }
    }

    /// Adds to contacts what was not found with them: the records of their bodies, what surfaces are made of, and
    /// the impulses of the step before. Their classes are of so many parts.
    fn complete(&mut self, state: &State, derived: &Derived, bodies: &Bodies, parts: usize, crew: &mut Crew) {
        let before = &state.contacts;
        self.old_points.clear();
        self.old_points.extend(before.pairs.iter().scan(0, |next, pair| {
            let first = *next;
            *next += u32::from(pair.count);
            Some(first)
        }));
        let old_points = &self.old_points;
        let key = |a: u32, b: u32| (derived.rank(a), derived.rank(b));
        let least = if self.count() < SHARED_CONTACTS { usize::MAX } else { 0 };
        let is_far = self.count() >= FAR_CONTACTS;
        crew.for_each(&mut self.chunks[..self.used], 1, least, |first, chunks| {
            for (chunk, chunk_number) in chunks.iter_mut().zip(first as u32..) {
                let Chunk { contacts, briefs, points, features, count, .. } = chunk;
                let mut old = usize::MAX;
                let mut surface = Surface::of([&Material::default(); 2]);
                for at in 0..*count {
                    if is_far {
                        bring(&contacts[..*count], points, at, state);
                    }
                    let contact = &mut contacts[at];
                    let [a, b] = contact.records();
                    let is_same = |old: &&ContactPair| (old.a, old.b) == (a, b);
                    let is_before = |old: &ContactPair| key(old.a, old.b) < key(a, b);
                    if old == usize::MAX {
                        old = before.pairs.partition_point(is_before);
                    }
                    // Most are there again, one after the other.
                    let mut known = before.pairs.get(old).filter(is_same);
                    if known.is_none() {
                        while before.pairs.get(old).is_some_and(is_before) {
                            old += 1;
                        }
                        known = before.pairs.get(old).filter(is_same);
                    }
                    let old_points = known.map_or(&[][..], |pair| {
                        &before.points[old_points[old] as usize..][..usize::from(pair.count)]
                    });
                    let (first, own) = (contact.first_point(), contact.count());
                    let (collider_a, collider_b) = (&state.colliders[a], &state.colliders[b]);
                    let records = [a, b].map(|collider| bodies.record(derived.owner(collider)));
                    let (points, features) = (&mut points[first..][..own], &mut features[first..]);
                    let impulses = complete_all(points, records, old_points, features);
                    let is_known = known.is_some();
                    let is_idle = is_known && impulses == 0;
                    // Most are as those of the contact before.
                    let materials = [&collider_a.material, &collider_b.material];
                    if materials != surface.materials.each_ref() {
                        surface = Surface::of(materials);
                    }
                    let most = MOST_FRICTION as i32;
                    let known = known.unwrap_or(&UNKNOWN);
                    let [along_x, along_y, along_z] = known.friction;
                    let number = if known.count > 0 { old as u32 } else { NEW };
                    let flags = upper(contact.words[7]) | i32::from(known.scale) << 8;
                    let class = class(records, own, is_idle, parts, bodies) as u8;
                    let home = chunk_number << CHUNK_BITS | at as u32;
                    briefs[at] = Brief { records, home, class, ..briefs[at] };
                    let words = &mut contact.words;
                    words[0] = pair(records[0] as i32, records[1] as i32);
                    words[2] = pair(lower(words[2]), along_x);
                    words[3] = pair(along_y, along_z);
                    words[4] = pair(known.twist.clamp(-most, most), surface.friction);
                    words[5] = pair(surface.restitution, surface.rolling_resistance);
                    words[6] = pair(number as i32, upper(words[6]));
                    words[7] = pair(lower(words[7]), flags);
                    old += usize::from(is_known);
                }
            }
        });
    }

    /// Collects the briefs of contacts that are complete.
    fn collect_briefs(&mut self) {
        self.briefs.clear();
        for chunk in &self.chunks[..self.used] {
            self.briefs.extend_from_slice(&chunk.briefs[..chunk.count]);
        }
    }
}

/// Two materials, and the numbers of a contact between them as blocks have them.
struct Surface {
    materials: [Material; 2],
    friction: i32,
    restitution: i32,
    rolling_resistance: i32,
}

impl Surface {
    fn of([a, b]: [&Material; 2]) -> Self {
        let combined = a.combine(b);
        Self {
            materials: [*a, *b],
            friction: to_mantissa(combined.friction, 26),
            restitution: to_mantissa(combined.restitution, 30),
            rolling_resistance: to_mantissa(combined.rolling_resistance, 26),
        }
    }
}

/// What is known of a contact that was not there before.
const UNKNOWN: ContactPair =
    ContactPair { a: 0, b: 0, friction: [0; 3], twist: 0, count: 0, scale: 0, touching: false };

impl World {
    /// Completes contacts, and finds a block and a lane for each.
    pub(super) fn place_contacts(&mut self) {
        let Self { state, derived, scratch, crew, .. } = self;
        let Scratch { bodies, coloring, blocks, incoming, .. } = scratch;
        let bodies = &*bodies;
        // Threads have slabs, if there are several.
        let parts =
            if bodies.slabs.are_several() { 1 } else { crew.parts(incoming.count(), SHARED_CONTACTS) };
        incoming.complete(state, derived, bodies, parts, crew);
        incoming.collect_briefs();
        let briefs = &incoming.briefs[..];
        let records = briefs.iter().map(|brief| brief.records.into());
        let joined = |joint: &u32| {
            let [a, b] = state.joints[*joint].bodies;
            (bodies.record(a), bodies.record(b))
        };
        let joints = derived.joints.iter().map(joined);
        let class = |number: usize| briefs[number].class.into();
        let classes = Classes { parts, in_part: CLASSES_OF_PART, class };
        let slab = |number: usize| bodies.slabs.of_contact(briefs[number].records);
        let slabs = InSlabs { count: bodies.slabs.count(), slab };
        coloring
            .assign(bodies.slots.len(), joints, records, slabs, classes, |record| bodies.is_movable(record));
        blocks.resize(coloring.contacts.blocks, Block::NONE);
    }
}

/// Tells the caches what is taken of contacts behind one that is completed.
#[inline(always)]
fn bring(contacts: &[Contact], points: &[Point], at: usize, state: &State) {
    prefetch(contacts.as_ptr().wrapping_add(at + 2 * AHEAD));
    if let Some(next) = contacts.get(at + AHEAD) {
        let first = points.as_ptr().wrapping_add(next.first_point());
        prefetch(first);
        prefetch(first.wrapping_add(2));
        // Of the contacts before it, many had the first collider as well.
        let [_, b] = next.records();
        prefetch(&raw const state.colliders[b].material);
    }
}
