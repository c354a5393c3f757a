//! Hashes of the state: one number to compare each tick, and the tree below it that leads to the field that differs.
//!
//! world → section → item → field. The hash of a column is the sum, modulo 2¹²⁸, of the hashes of its items with their
//! places, so a step that changed a hundred bodies of ten thousand hashes a hundred. Contacts are hashed as one stream.

use crate::canonical::{Bytes, Canonical, LONGEST, Value, Visitor};
use crate::contact::Contacts;
use crate::state::{Asleep, News, State};
use crate::trace::{Number, numbers};
use crate::tracked::Tracked;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use isostep_math::Vec3;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_128, xxh3_128_with_seed};

/// The parts of a state, in the order in which a world's hash has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// The tick, the configuration, and which layers meet.
    World,
    /// What commands change of bodies, by slots.
    Bodies,
    /// What steps change of bodies, by slots.
    Motions,
    /// Colliders, by slots.
    Colliders,
    /// What commands change of joints, by slots.
    Joints,
    /// What steps change of joints, by slots.
    JointImpulses,
    /// Slots to be used again, pairs that pass through each other, forces, streams of random numbers, what sensors hold,
    /// colliders that were put where sleepers may be, and what the next step has to tell.
    Lists,
    /// Contacts of awake bodies, in the world's order.
    Contacts,
    /// Contacts of sleeping bodies, in which nobody is awake, in the world's order.
    SleepingContacts,
}

impl Section {
    /// How many there are.
    pub const COUNT: usize = 9;

    /// All of them.
    pub const ALL: [Self; Self::COUNT] = [
        Self::World,
        Self::Bodies,
        Self::Motions,
        Self::Colliders,
        Self::Joints,
        Self::JointImpulses,
        Self::Lists,
        Self::Contacts,
        Self::SleepingContacts,
    ];
}

/// Hashes of a world's state, down to its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HashTree {
    /// The hash of the state.
    pub root: u128,
    /// The hash of each section, in the order of [`Section::ALL`].
    pub sections: [u128; Section::COUNT],
    /// The hash of each item of each section.
    pub items: [Vec<u64>; Section::COUNT],
}

impl HashTree {
    /// The first section and item in which two trees differ.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<(Section, usize)> {
        let index = (0..Section::ALL.len()).find(|&index| self.sections[index] != other.sections[index])?;
        let (own, others) = (&self.items[index], &other.items[index]);
        let item = own.iter().zip(others).position(|(a, b)| a != b);
        Some((Section::ALL[index], item.unwrap_or(own.len().min(others.len()))))
    }
}

/// A field in which two states differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where it is.
    pub section: Section,
    /// The slot of the body, collider or joint; of other sections which of its items it is, as the section goes through them: the
    /// tick, the configuration and layers of the world; of each list how many it has, and these; of each contact its pair, and its
    /// points.
    pub item: usize,
    /// The name of the field; empty if one of the states lacks the item.
    pub field: &'static str,
    /// The value in the first state; whether that has the item if one of both lacks it.
    pub left: String,
    /// The same of the second state.
    pub right: String,
    /// The numbers of the field that differ; none if one of the states lacks the item.
    pub numbers: Vec<NumberDifference>,
}

/// A number in which two states differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberDifference {
    /// Which it is, with the bits of the first state.
    pub left: Number,
    /// Its bits in the second state.
    pub right: u64,
}

impl core::fmt::Display for Difference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { section, item, field, left, right, numbers } = self;
        let dot = if field.is_empty() { "" } else { "." };
        write!(f, "{section:?}[{item}]{dot}{field}: {left} against {right}")?;
        match &numbers[..] {
            [NumberDifference { left, right }] if left.part.is_empty() => {
                write!(f, " (0x{:016x} against 0x{right:016x})", left.bits)
            }
            numbers => numbers.iter().try_for_each(|number| write!(f, "; {number}")),
        }
    }
}

/// Name, both values in decimal, and both as bits.
impl core::fmt::Display for NumberDifference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { left, right } = self;
        let [a, b] = [left.bits, *right].map(|bits| left.kind.decimal(bits));
        write!(f, "{}: {a} against {b} (0x{:016x} against 0x{right:016x})", left.name(), left.bits)
    }
}

/// Hashes of the items of a column that were computed before, by the tokens of their changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemHashes {
    tokens: Vec<u64>,
    hashes: Vec<u128>,
    sum: u128,
}

impl ItemHashes {
    /// The hash of a column: the sum of what is known, with what is not known hashed anew.
    fn of<T: Canonical + Copy>(&self, column: &Tracked<T>) -> u128 {
        let mut sum = self.sum;
        let mut changed = column.changed_since(&self.tokens).peekable();
        if changed.peek().is_some() {
            let mut bytes = Bytes::new();
            for index in changed {
                let known = self.hashes.get(index).copied().unwrap_or(0);
                let hash = item_hash(index, &column.items()[index], &mut bytes);
                sum = sum.wrapping_sub(known).wrapping_add(hash);
            }
        }
        for hash in self.hashes.iter().skip(column.len()) {
            sum = sum.wrapping_sub(*hash);
        }
        sum
    }

    /// Remembers the hashes of the items of a column that are `lasting`.
    fn refresh<T: Canonical + Copy>(&mut self, column: &Tracked<T>, lasting: impl Fn(u32, &T) -> bool) {
        // In most steps nothing of most columns changed.
        if self.tokens == *column.tokens() {
            return;
        }
        for hash in self.hashes.drain(column.len().min(self.hashes.len())..) {
            self.sum = self.sum.wrapping_sub(hash);
        }
        // No token is 0, so what was never hashed counts as changed; its hash counts as 0.
        self.tokens.resize(column.len(), 0);
        self.hashes.resize(column.len(), 0);
        let (items, tokens) = (column.items(), column.tokens());
        let is_new = |known: &[u64], index: usize| {
            known[index] != tokens[index] && lasting(index as u32, &items[index])
        };
        // Where there is none, no memory is cleared for it.
        let Some(first) = (0..items.len()).find(|&index| is_new(&self.tokens, index)) else { return };
        let mut bytes = Bytes::new();
        for index in first..items.len() {
            if is_new(&self.tokens, index) {
                let hash = item_hash(index, &items[index], &mut bytes);
                self.sum = self.sum.wrapping_sub(self.hashes[index]).wrapping_add(hash);
                (self.hashes[index], self.tokens[index]) = (hash, tokens[index]);
            }
        }
    }
}

/// The hash of an item in its place; `bytes` is memory.
fn item_hash(index: usize, item: &impl Canonical, bytes: &mut Bytes) -> u128 {
    bytes.clear();
    item.visit(bytes);
    xxh3_128_with_seed(bytes.as_slice(), index as u64 + 1)
}

/// What was hashed before, of the columns that seldom change.
#[derive(Clone, Debug, Default)]
pub(crate) struct HashCache {
    bodies: ItemHashes,
    colliders: ItemHashes,
    joints: ItemHashes,
    /// Of joints in which nobody is awake: those of the others change with every step.
    joint_impulses: ItemHashes,
    /// Of bodies that rest: those of the others change with every step.
    motions: ItemHashes,
    /// Of the contacts in which nobody is awake, with the token of their last change.
    asleep: Option<(u64, u128)>,
}

impl HashCache {
    /// Remembers the hashes of what changed.
    pub(crate) fn refresh(&mut self, state: &State) {
        self.bodies.refresh(&state.bodies, |_, _| true);
        self.colliders.refresh(&state.colliders, |_, _| true);
        self.joints.refresh(&state.joints, |_, _| true);
        self.joint_impulses.refresh(&state.joint_impulses, |slot, _| {
            let joint = &state.joints[slot];
            !joint.alive || joint.bodies.iter().any(|&body| state.motions[body].asleep)
        });
        self.motions.refresh(&state.motions, |_, motion| {
            motion.linear_velocity == Vec3::ZERO && motion.angular_velocity == Vec3::ZERO
        });
        self.asleep = Some((state.asleep.token, self.asleep_hash(&state.asleep)));
    }

    /// The hash of the state.
    pub(crate) fn root(&self, state: &State) -> u128 {
        root_of(&self.sections(state))
    }

    /// The hash of a section.
    pub(crate) fn section(&self, section: Section, state: &State) -> u128 {
        match section {
            Section::World => stream_of(|sink| world_items(state, sink)),
            Section::Bodies => self.bodies.of(&state.bodies),
            Section::Motions => self.motions.of(&state.motions),
            Section::Colliders => self.colliders.of(&state.colliders),
            Section::Joints => self.joints.of(&state.joints),
            Section::JointImpulses => self.joint_impulses.of(&state.joint_impulses),
            Section::Lists => stream_of(|sink| list_items(state, sink)),
            Section::Contacts => contacts_hash(&state.contacts),
            Section::SleepingContacts => self.asleep_hash(&state.asleep),
        }
    }

    fn sections(&self, state: &State) -> [u128; Section::COUNT] {
        Section::ALL.map(|section| self.section(section, state))
    }

    fn asleep_hash(&self, asleep: &Asleep) -> u128 {
        match self.asleep {
            // Token 0 is that of contacts that never changed, so were never there.
            Some((token, hash)) if token == asleep.token => hash,
            _ => contacts_hash(&asleep.contacts),
        }
    }

    /// All hashes of the state.
    pub(crate) fn tree(&self, state: &State) -> HashTree {
        let sections = self.sections(state);
        let items = Section::ALL.map(|section| {
            let mut hashes = ItemHasher(Vec::new());
            visit_section(state, section, &mut hashes);
            hashes.0
        });
        HashTree { root: root_of(&sections), sections, items }
    }
}

fn root_of(sections: &[u128; Section::COUNT]) -> u128 {
    let mut bytes = [0; Section::COUNT * size_of::<u128>()];
    for (part, section) in bytes.chunks_exact_mut(size_of::<u128>()).zip(sections) {
        part.copy_from_slice(&section.to_le_bytes());
    }
    xxh3_128(&bytes)
}

fn contacts_hash(contacts: &Contacts) -> u128 {
    stream_of(|sink| contact_items(contacts, sink))
}

/// Goes through items.
pub(crate) trait Items {
    fn item(&mut self, item: &impl Canonical);
}

/// Hashes items one after the other.
struct Stream {
    hasher: Xxh3,
    bytes: Bytes,
}

impl Items for Stream {
    #[inline(always)]
    fn item(&mut self, item: &impl Canonical) {
        item.visit(&mut self.bytes);
        if self.bytes.as_slice().len() > Bytes::MOST - LONGEST {
            self.hasher.update(self.bytes.as_slice());
            self.bytes.clear();
        }
    }
}

fn stream_of(visit: impl FnOnce(&mut Stream)) -> u128 {
    let mut stream = Stream { hasher: Xxh3::new(), bytes: Bytes::new() };
    visit(&mut stream);
    stream.hasher.update(stream.bytes.as_slice());
    stream.hasher.digest128()
}

/// Hashes each item.
struct ItemHasher(Vec<u64>);

impl Items for ItemHasher {
    fn item(&mut self, item: &impl Canonical) {
        let mut bytes = Bytes::new();
        item.visit(&mut bytes);
        self.0.push(xxh3_64(bytes.as_slice()));
    }
}

/// An item of a single field.
struct Named<'a, T>(&'static str, &'a T);

impl<T: Value> Canonical for Named<'_, T> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field(self.0, self.1);
    }
}

fn world_items(state: &State, sink: &mut impl Items) {
    // What is left out is in other sections: so no field of the state can be in none.
    let State {
        config,
        tick,
        layers,
        bodies: _,
        motions: _,
        colliders: _,
        joints: _,
        joint_impulses: _,
        free_bodies: _,
        free_colliders: _,
        free_joints: _,
        exclusions: _,
        forces: _,
        streams: _,
        contacts: _,
        asleep: _,
        sensed: _,
        arrived: _,
        news: _,
    } = state;
    sink.item(&Named("tick", tick));
    sink.item(config);
    for row in layers.rows() {
        sink.item(&Named("layers that it meets", row));
    }
}

fn list_items(state: &State, sink: &mut impl Items) {
    fn list<T: Canonical>(count: &'static str, items: &[T], sink: &mut impl Items) {
        sink.item(&Named(count, &(items.len() as u64)));
        for item in items {
            sink.item(item);
        }
    }
    list("count of free slots of bodies", &state.free_bodies, sink);
    list("count of free slots of colliders", &state.free_colliders, sink);
    list("count of free slots of joints", &state.free_joints, sink);
    list("count of pairs that pass through each other", &state.exclusions, sink);
    list("count of forces", &state.forces, sink);
    list("count of random streams", &state.streams, sink);
    list("count of what sensors have", &state.sensed, sink);
    list("count of colliders that were put somewhere", &state.arrived, sink);
    let News { woken, parted, left } = &state.news;
    list("count of bodies that a command woke", woken, sink);
    list("count of contacts that a command ended", parted, sink);
    list("count of what left sensors by a command", left, sink);
}

fn contact_items(contacts: &Contacts, sink: &mut impl Items) {
    for (pair, points) in contacts.iter() {
        sink.item(pair);
        for point in points {
            sink.item(point);
        }
    }
}

/// Goes through the items of a section.
pub(crate) fn visit_section(state: &State, section: Section, sink: &mut impl Items) {
    match section {
        Section::World => world_items(state, sink),
        Section::Bodies => state.bodies.items().iter().for_each(|item| sink.item(item)),
        Section::Motions => state.motions.items().iter().for_each(|item| sink.item(item)),
        Section::Colliders => state.colliders.items().iter().for_each(|item| sink.item(item)),
        Section::Joints => state.joints.items().iter().for_each(|item| sink.item(item)),
        Section::JointImpulses => state.joint_impulses.items().iter().for_each(|item| sink.item(item)),
        Section::Lists => list_items(state, sink),
        Section::Contacts => contact_items(&state.contacts, sink),
        Section::SleepingContacts => contact_items(&state.asleep.contacts, sink),
    }
}

/// The fields of one item as text.
struct FieldsOf {
    wanted: usize,
    next: usize,
    fields: Vec<(&'static str, String)>,
}

impl Items for FieldsOf {
    fn item(&mut self, item: &impl Canonical) {
        if self.next == self.wanted {
            item.visit(self);
        }
        self.next += 1;
    }
}

impl Visitor for FieldsOf {
    fn field(&mut self, name: &'static str, value: &impl Value) {
        self.fields.push((name, text(value)));
    }
}

fn text(value: &impl Debug) -> String {
    format!("{value:?}")
}

/// The fields of an item, by name, as text; none where there is no such item.
pub(crate) fn fields(state: &State, section: Section, item: usize) -> Vec<(&'static str, String)> {
    let mut fields = FieldsOf { wanted: item, next: 0, fields: Vec::new() };
    visit_section(state, section, &mut fields);
    fields.fields
}

/// The first field in which two states differ.
pub(crate) fn difference(left: &State, right: &State) -> Option<Difference> {
    let cache = HashCache::default();
    let (section, item) = cache.tree(left).first_difference(&cache.tree(right))?;
    let numbers = number_differences(&numbers(left, section, item), &numbers(right, section, item));
    let (left, right) = (fields(left, section, item), fields(right, section, item));
    let differing = left.iter().zip(&right).find(|(a, b)| a != b);
    Some(match differing {
        Some(((name, left), (_, right))) => {
            let numbers = numbers.into_iter().filter(|number| number.left.field == *name).collect();
            Difference { section, item, field: name, left: left.clone(), right: right.clone(), numbers }
        }
        None => {
            let [left, right] =
                [left, right].map(|it| String::from(if it.is_empty() { "absent" } else { "present" }));
            Difference { section, item, field: "", left, right, numbers: Vec::new() }
        }
    })
}

/// The numbers in which two items differ, of those that both have.
fn number_differences(left: &[Number], right: &[Number]) -> Vec<NumberDifference> {
    let pairs = left.iter().zip(right).filter(|(left, right)| left.bits != right.bits);
    pairs.map(|(left, right)| NumberDifference { left: left.clone(), right: right.bits }).collect()
}
