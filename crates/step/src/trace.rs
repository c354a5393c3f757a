//! [`Trace`]: what a log keeps of a state so that the field that differs can be named later, without the state.
//!
//! Of each item of a column a short hash, and of each number that the items of a column have the sum over all of them,
//! modulo 2⁶⁴. From two traces of one tick follow the items that differ and the fields that differ. Where one item
//! alone differs, the difference of a sum is the difference of that item's number, so whoever has one of the states
//! knows the value in the other:
//!
//! ```text
//! theirs = ours + (sum of theirs − sum of ours)   (modulo 2⁶⁴)
//! ```
//!
//! A [`Tracer`] remembers what it saw of each item, so a trace costs what changed since the last one.

use crate::body::{Body, Motion};
use crate::canonical::{Bytes, Canonical, Numbers, Value, Visitor};
use crate::collider::Collider;
use crate::hash::{Items, Section, visit_section};
use crate::joint::{Joint, JointImpulses};
use crate::state::State;
use crate::tracked::Tracked;
use crate::world::World;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use isostep_math::Fx;
use xxhash_rust::xxh3::xxh3_64;

/// What the bits of a number mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberKind {
    /// Q32.32.
    Fixed,
    /// A signed integer.
    Integer,
    /// An unsigned integer, a flag or the number of a variant.
    Natural,
}

impl NumberKind {
    /// A number of this kind in decimal, exactly.
    #[must_use]
    pub fn decimal(self, bits: u64) -> String {
        match self {
            Self::Fixed => Fx::from_bits(bits as i64).to_string(),
            Self::Integer => (bits as i64).to_string(),
            Self::Natural => bits.to_string(),
        }
    }
}

/// A number of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The field that it belongs to.
    pub field: &'static str,
    /// Which part of the field it is, as `translation.x`; empty where the field is one number.
    pub part: String,
    /// What its bits mean.
    pub kind: NumberKind,
    /// Its bits; signed ones are extended.
    pub bits: u64,
}

impl Number {
    /// Field and part, as `pose.translation.x`.
    #[must_use]
    pub fn name(&self) -> String {
        if self.part.is_empty() {
            String::from(self.field)
        } else {
            alloc::format!("{}.{}", self.field, self.part)
        }
    }
}

/// How many sections are columns, and how many are not.
const COLUMNS: usize = 5;
const OTHERS: usize = Section::COUNT - COLUMNS;

/// The trace of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnTrace {
    /// A hash of each item, by slot.
    pub items: Vec<u32>,
    /// The sum of each number over all items, modulo 2⁶⁴, in the order of [`Section::numbers`]; as many as an item has,
    /// or none where there are no items.
    pub sums: Vec<u64>,
}

/// The trace of a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Of the sections in [`Trace::COLUMNS`].
    pub columns: [ColumnTrace; COLUMNS],
    /// Hashes of the sections in [`Trace::OTHERS`].
    pub others: [u32; OTHERS],
}

impl Trace {
    /// The sections of which there are items and sums.
    pub const COLUMNS: [Section; COLUMNS] =
        [Section::Bodies, Section::Motions, Section::Colliders, Section::Joints, Section::JointImpulses];

    /// The sections of which there is a hash.
    pub const OTHERS: [Section; OTHERS] =
        [Section::World, Section::Lists, Section::Contacts, Section::SleepingContacts];
}

impl Section {
    /// The names and kinds of the numbers that an item of this section has, with the bits of a slot that nobody owned;
    /// none of a section that is no column.
    #[must_use]
    pub fn numbers(self) -> Vec<Number> {
        match self {
            Self::Bodies => numbers_of(&Body::VACANT),
            Self::Motions => numbers_of(&Motion::NONE),
            Self::Colliders => numbers_of(&Collider::vacant()),
            Self::Joints => numbers_of(&Joint::VACANT),
            Self::JointImpulses => numbers_of(&JointImpulses::NONE),
            Self::World | Self::Lists | Self::Contacts | Self::SleepingContacts => Vec::new(),
        }
    }
}

impl World {
    /// The numbers of an item of a section, in the order in which a [`Trace`] sums them up; none where there is no such
    /// item.
    #[must_use]
    pub fn numbers(&self, section: Section, item: usize) -> Vec<Number> {
        numbers(&self.state, section, item)
    }
}

/// Makes traces of worlds.
///
/// ```
/// use isostep_math::{Vec3, fx, vec3};
/// use isostep_step::{BodyDef, Tracer, World, WorldConfig};
///
/// let mut ours = World::new(WorldConfig::default())?;
/// for x in 0..3 {
///     ours.add_body(BodyDef::dynamic(vec3(x.into(), fx!(0), fx!(0))))?;
/// }
/// let mut theirs = World::from_snapshot(&ours.snapshot());
/// let second = theirs.bodies().nth(1).unwrap().handle();
/// theirs.set_gravity_scale(second, fx!(0.5))?;
///
/// let (mut tracer, mut other) = (Tracer::new(), Tracer::new());
/// let (ours, theirs) = (&tracer.trace(&ours).columns[0], &other.trace(&theirs).columns[0]);
/// assert!(ours.items[0] == theirs.items[0] && ours.items[1] != theirs.items[1]);
/// let changed = ours.sums.iter().zip(&theirs.sums).filter(|(ours, theirs)| ours != theirs);
/// assert_eq!(changed.map(|(ours, theirs)| theirs.wrapping_sub(*ours) as i64).collect::<Vec<_>>(), [-1 << 31]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracer {
    trace: Trace,
    seen: [Seen; COLUMNS],
}

/// What was seen of the items of a column: by the tokens of their changes.
#[derive(Clone, Debug, Default)]
struct Seen {
    tokens: Vec<u64>,
    /// Of all items, one after the other.
    numbers: Vec<u64>,
}

impl Tracer {
    /// One that saw nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The trace of a world. It may be another world each time; of the same one it costs what changed.
    pub fn trace(&mut self, world: &World) -> &Trace {
        let state = &world.state;
        for ((section, seen), trace) in Trace::COLUMNS.iter().zip(&mut self.seen).zip(&mut self.trace.columns)
        {
            match section {
                Section::Bodies => seen.refresh(&state.bodies, trace),
                Section::Motions => seen.refresh(&state.motions, trace),
                Section::Colliders => seen.refresh(&state.colliders, trace),
                Section::Joints => seen.refresh(&state.joints, trace),
                Section::JointImpulses => seen.refresh(&state.joint_impulses, trace),
                Section::World | Section::Lists | Section::Contacts | Section::SleepingContacts => {}
            }
        }
        self.trace.others = Trace::OTHERS.map(|section| world.derived.hashes.section(section, state) as u32);
        &self.trace
    }
}

impl Seen {
    fn refresh<T: Canonical + Copy>(&mut self, column: &Tracked<T>, trace: &mut ColumnTrace) {
        let Some(first) = column.items().first() else {
            self.tokens.clear();
            self.numbers.clear();
            trace.items.clear();
            trace.sums.clear();
            return;
        };
        let width = count_of(first);
        let stays = (column.len() * width).min(self.numbers.len());
        for (place, bits) in self.numbers.drain(stays..).enumerate() {
            let sum = &mut trace.sums[place % width];
            *sum = sum.wrapping_sub(bits);
        }
        // No token is 0, so what was not seen counts as changed; its numbers count as 0.
        self.tokens.resize(column.len(), 0);
        self.numbers.resize(column.len() * width, 0);
        trace.items.resize(column.len(), 0);
        trace.sums.resize(width, 0);
        let mut bytes = Bytes::new();
        for (index, item) in column.items().iter().enumerate() {
            let token = column.tokens()[index];
            if self.tokens[index] == token {
                continue;
            }
            self.tokens[index] = token;
            bytes.clear();
            item.visit(&mut bytes);
            trace.items[index] = xxh3_64(bytes.as_slice()) as u32;
            let numbers = &mut self.numbers[index * width..(index + 1) * width];
            item.visit(&mut Difference { numbers, sums: &mut trace.sums, next: 0 });
        }
    }
}

/// Puts the numbers of an item in the place of what it had, and the difference into the sums.
struct Difference<'a> {
    numbers: &'a mut [u64],
    sums: &'a mut [u64],
    next: usize,
}

impl Visitor for Difference<'_> {
    #[inline(always)]
    fn field(&mut self, _: &'static str, value: &impl Value) {
        value.numbers(self);
    }
}

impl Numbers for Difference<'_> {
    #[inline(always)]
    fn number(&mut self, _: NumberKind, bits: u64) {
        let (number, sum) = (&mut self.numbers[self.next], &mut self.sums[self.next]);
        *sum = sum.wrapping_add(bits.wrapping_sub(*number));
        *number = bits;
        self.next += 1;
    }

    #[inline(always)]
    fn part(&mut self, _: &'static str, value: &impl Value) {
        value.numbers(self);
    }
}

/// Counts the numbers of an item.
struct Count(usize);

impl Visitor for Count {
    fn field(&mut self, _: &'static str, value: &impl Value) {
        value.numbers(self);
    }
}

impl Numbers for Count {
    fn number(&mut self, _: NumberKind, _: u64) {
        self.0 += 1;
    }

    fn part(&mut self, _: &'static str, value: &impl Value) {
        value.numbers(self);
    }
}

fn count_of(item: &impl Canonical) -> usize {
    let mut count = Count(0);
    item.visit(&mut count);
    count.0
}

/// Collects the numbers of an item, with their names.
#[derive(Default)]
struct Collect {
    field: &'static str,
    parts: Vec<&'static str>,
    numbers: Vec<Number>,
}

impl Visitor for Collect {
    fn field(&mut self, name: &'static str, value: &impl Value) {
        self.field = name;
        value.numbers(self);
    }
}

impl Numbers for Collect {
    fn number(&mut self, kind: NumberKind, bits: u64) {
        self.numbers.push(Number { field: self.field, part: self.parts.join("."), kind, bits });
    }

    fn part(&mut self, name: &'static str, value: &impl Value) {
        self.parts.push(name);
        value.numbers(self);
        self.parts.pop();
    }
}

fn numbers_of(item: &impl Canonical) -> Vec<Number> {
    let mut collect = Collect::default();
    item.visit(&mut collect);
    collect.numbers
}

/// The numbers of one item of a section.
struct NumbersOf {
    wanted: usize,
    next: usize,
    numbers: Vec<Number>,
}

impl Items for NumbersOf {
    fn item(&mut self, item: &impl Canonical) {
        if self.next == self.wanted {
            self.numbers = numbers_of(item);
        }
        self.next += 1;
    }
}

pub(crate) fn numbers(state: &State, section: Section, item: usize) -> Vec<Number> {
    let mut numbers = NumbersOf { wanted: item, next: 0, numbers: Vec::new() };
    visit_section(state, section, &mut numbers);
    numbers.numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BallMotor, BodyDef, ColliderDef, JointDef, JointHandle, JointKind, Limits, Motor, Pull, Spring,
        WorldConfig,
    };
    use isostep_collision::{Capsule, Obb, Shape, Sphere};
    use isostep_math::{Pose, Vec3, fx, vec3};

    fn world() -> World {
        let mut world = World::new(WorldConfig::default()).unwrap();
        let shapes = [
            Shape::from(Sphere::from_radius(fx!(0.5)).unwrap()),
            Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap().into(),
            Capsule::along_y(fx!(0.5), fx!(0.25)).unwrap().into(),
        ];
        for (x, shape) in (0..).zip(shapes) {
            let body = world.add_body(BodyDef::dynamic(vec3(Fx::from_int(x), fx!(1), fx!(0)))).unwrap();
            world.add_collider(body, ColliderDef::new(shape)).unwrap();
        }
        for (index, kind) in kinds().into_iter().take(3).enumerate() {
            join(&mut world, index, kind);
        }
        world
    }

    /// A joint of each kind, with all that it can have.
    fn kinds() -> [JointKind; 7] {
        let limits = Some(Limits { lower: fx!(0.5), upper: fx!(1.5) });
        let spring = Spring { frequency: fx!(1), damping_ratio: fx!(2) };
        let motor =
            Some(Motor { position: fx!(1), velocity: fx!(2), spring: Some(spring), max_force: fx!(3) });
        let ball_motor = Some(BallMotor { spring: Some(spring), ..BallMotor::default() });
        let pull = Some(Pull { spring, max_force: fx!(7) });
        [
            JointKind::Ball { swing_limit: Some(fx!(1)), twist_limits: limits, motor: ball_motor },
            JointKind::Target { pose: Pose::from_translation(Vec3::Y), linear: pull, angular: None },
            JointKind::Fixed,
            JointKind::Hinge { limits, motor },
            JointKind::Slider { limits, motor: None },
            JointKind::Distance { limits: None, motor },
            JointKind::Wheel { limits, suspension: motor, motor, steering: fx!(0.5) },
        ]
    }

    /// Joins a body of three with the next one.
    fn join(world: &mut World, index: usize, kind: JointKind) -> JointHandle {
        let bodies: Vec<_> = world.bodies().map(|body| (body.handle(), Pose::IDENTITY)).collect();
        world.add_joint(JointDef::new(kind, bodies[index % 3], bodies[(index + 1) % 3])).unwrap()
    }

    fn remove_first(world: &mut World) {
        let first = world.bodies().next().unwrap().handle();
        world.remove_body(first).unwrap();
    }

    #[test]
    fn all_items_of_a_column_have_the_numbers_of_the_section() {
        let mut world = world();
        let second = world.bodies().nth(1).unwrap().handle();
        world.set_mass(second, Some(fx!(3))).unwrap();
        remove_first(&mut world);
        for section in Trace::COLUMNS {
            let expected: Vec<_> = section.numbers().iter().map(Number::name).collect();
            assert!(expected.len() >= 9, "{section:?}");
            for item in 0..3 {
                let names: Vec<_> = world.numbers(section, item).iter().map(Number::name).collect();
                assert_eq!(names, expected);
            }
            assert!(world.numbers(section, 3).is_empty());
        }
        assert_eq!(world.joints().count(), 1);
        let names: Vec<_> = Section::Motions.numbers().iter().map(Number::name).collect();
        assert_eq!(names[..4], ["center.x", "center.y", "center.z", "rotation.x"]);
        assert_eq!(names[13..], ["lag.0", "lag.1", "lag.2", "still_ticks", "asleep", "driven", "frozen"]);
    }

    #[test]
    fn joints_of_all_kinds_have_the_same_numbers() {
        let mut world = world();
        let expected: Vec<_> = Section::Joints.numbers().iter().map(Number::name).collect();
        for (index, kind) in kinds().into_iter().enumerate() {
            let joint = join(&mut world, index, kind);
            let numbers = world.numbers(Section::Joints, joint.index as usize);
            assert_eq!(numbers.iter().map(Number::name).collect::<Vec<_>>(), expected, "{kind:?}");
            let given = numbers.iter().filter(|number| {
                let of_kind = number.field == "kind" && number.part.ends_with("is_given");
                of_kind && number.bits != 0
            });
            assert_eq!(given.count() == 0, kind == JointKind::Fixed, "{kind:?}");
        }
        assert!(expected.iter().any(|name| name == "kind.ball_motor.spring.frequency"), "{expected:?}");
    }

    #[test]
    fn a_tracer_that_saw_other_states_gives_what_a_fresh_one_gives() {
        let (mut world, mut tracer) = (world(), Tracer::new());
        let start = world.snapshot();
        for tick in 0..40 {
            world.step();
            if tick == 10 {
                remove_first(&mut world);
            }
            if tick == 20 {
                world.add_body(BodyDef::dynamic(Vec3::ZERO)).unwrap();
                world.add_body(BodyDef::dynamic(Vec3::Y)).unwrap();
            }
            if tick == 30 {
                world.load(&start);
            }
            assert_eq!(tracer.trace(&world), Tracer::new().trace(&world), "{tick}");
        }
        let empty = World::new(WorldConfig::default()).unwrap();
        assert_eq!(tracer.trace(&empty), Tracer::new().trace(&empty));
        assert_eq!(tracer.trace(&world), Tracer::new().trace(&world));
    }

    #[test]
    fn sums_are_those_of_the_numbers_of_all_items() {
        let world = world();
        let mut tracer = Tracer::new();
        let trace = tracer.trace(&world);
        for (section, column) in Trace::COLUMNS.into_iter().zip(&trace.columns) {
            let mut sums = alloc::vec![0_u64; section.numbers().len()];
            for item in 0..column.items.len() {
                for (sum, number) in sums.iter_mut().zip(world.numbers(section, item)) {
                    *sum = sum.wrapping_add(number.bits);
                }
            }
            assert_eq!(column.sums, sums);
        }
    }
}
