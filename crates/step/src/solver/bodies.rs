//! Records of the bodies that a step solves for.
//!
//! Record 0 stands for all that does not move: no velocity, no mass. The others are the awake dynamic and the kinematic
//! bodies.

use super::frames::Frame;
use super::slabs::Slabs;
use super::{ANGULAR_BITS, LINEAR_BITS};
use crate::parallel::Crew;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::ops::{Deref, DerefMut};
use isostep_math::exact::round_shift_i64;
use isostep_math::{Fx, Vec3};

/// Words that lie in as few lines of the caches as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Record<const K: usize>(pub(crate) [i64; K]);

impl<const K: usize> Record<K> {
    pub(crate) const ZERO: Self = Self([0; K]);
}

impl<const K: usize> Deref for Record<K> {
    type Target = [i64; K];

    #[inline(always)]
    fn deref(&self) -> &[i64; K] {
        &self.0
    }
}

impl<const K: usize> DerefMut for Record<K> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [i64; K] {
        &mut self.0
    }
}

impl<const K: usize> Borrow<[i64; K]> for Record<K> {
    #[inline(always)]
    fn borrow(&self) -> &[i64; K] {
        &self.0
    }
}

/// Linear velocity (0 to 2, Q12.51), angular velocity (4 to 6, Q20.43); also their changes in a substep.
pub(crate) type Velocity = Record<8>;

/// Since the start of the step: the displacement (0 to 2) in m and the rotation vector (4 to 6) in rad, Q31.32.
pub(crate) type Displacement = Record<8>;

/// Bodies of a chunk.
pub(crate) const CHUNK: usize = 64;

/// Fewer bodies are worked on by one thread.
pub(crate) const SHARED_BODIES: usize = 256;

/// The records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) velocities: Vec<Velocity>,
    /// The velocities without what contacts did to them in a substep.
    pub(crate) bases: Vec<Velocity>,
    pub(crate) displacements: Vec<Displacement>,
    /// The velocities that joints would correct their bodies with in a substep; else 0.
    pub(crate) shifts: Vec<Velocity>,
    pub(crate) frames: Vec<Frame>,
    /// What is added to the velocities in every substep.
    pub(crate) kicks: Vec<Velocity>,
    /// What the velocities are multiplied by in every substep, Q1.30: linear, angular.
    pub(crate) damping: Vec<[i32; 2]>,
    /// At least as much as the speed of any point of a body where the step begins: [`Fx::MAX`] is unknown.
    pub(crate) speeds: Vec<Fx>,
    /// Whether joints that are solved have the body.
    pub(crate) joined: Vec<bool>,
    /// Whether the body turns so that its angular velocity changes by itself.
    pub(crate) tumbling: Vec<bool>,
    /// The record of each slot of a body, 0 for none.
    records: Vec<u32>,
    pub(crate) slabs: Slabs,
    /// The slot of the body of each record.
    pub(crate) slots: Vec<u32>,
    /// How many records contacts move: those after record 0. Kinematic bodies follow.
    pub(crate) movable: usize,
}

impl Bodies {
    /// Numbers the records: those of dynamic bodies first, which contacts move, and slab by slab. [`Self::fill`] is to
    /// write them.
    pub(crate) fn number(
        &mut self,
        slots: usize,
        dynamic: &[u32],
        kinematic: impl Iterator<Item = u32> + Clone,
    ) {
        self.slots.clear();
        self.slots.push(u32::MAX);
        self.movable = dynamic.len();
        self.slabs.number(dynamic, kinematic, &mut self.slots);
        self.records.clear();
        self.records.resize(slots, 0);
        for (&slot, record) in self.slots.iter().zip(0..).skip(1) {
            self.records[slot as usize] = record;
        }
    }

    /// Writes the records, in parts that threads share, over what an earlier step left: that is zeros in record 0.
    pub(crate) fn fill(&mut self, crew: &mut Crew, write: impl Fn(Part<'_>) + Sync) {
        let count = self.slots.len();
        self.velocities.resize(count, Record::ZERO);
        self.bases.resize(count, Record::ZERO);
        self.displacements.resize(count, Record::ZERO);
        self.shifts.resize(count, Record::ZERO);
        self.frames.resize(count, Record::ZERO);
        self.kicks.resize(count, Record::ZERO);
        self.damping.resize(count, [1 << 30; 2]);
        self.speeds.resize(count, Fx::ZERO);
        self.joined.resize(count, false);
        self.tumbling.resize(count, false);
        debug_assert!([&self.velocities, &self.kicks].iter().all(|records| records[0] == Record::ZERO));
        let all = Part {
            slots: &self.slots,
            velocities: &mut self.velocities,
            bases: &mut self.bases,
            displacements: &mut self.displacements,
            frames: &mut self.frames,
            kicks: &mut self.kicks,
            damping: &mut self.damping,
            speeds: &mut self.speeds,
            joined: &mut self.joined,
            tumbling: &mut self.tumbling,
        };
        let (_, moving) = all.split_at(1);
        crew.for_each_part(moving, count - 1, SHARED_BODIES, &Part::halves, &write);
    }

    /// The record of the body in a slot.
    pub(crate) fn record(&self, slot: u32) -> u32 {
        self.records[slot as usize]
    }

    /// Whether contacts move the body of a record.
    pub(crate) fn is_movable(&self, record: u32) -> bool {
        // Record 0 wraps.
        (record as usize).wrapping_sub(1) < self.movable
    }

    /// The velocities of a record, to nearest, ties away from zero.
    pub(crate) fn velocities_of(&self, record: u32) -> (Vec3, Vec3) {
        let v = &self.velocities[record as usize];
        let linear = [0, 1, 2].map(|k| Fx::from_bits(round_shift_i64(v[k], LINEAR_BITS - 32)));
        let angular = [4, 5, 6].map(|k| Fx::from_bits(round_shift_i64(v[k], ANGULAR_BITS - 32)));
        (Vec3::from_array(linear), Vec3::from_array(angular))
    }

    /// Whether a component of the angular velocity of a record is above a limit.
    pub(crate) fn turns_faster(&self, record: u32, limit: Fx) -> bool {
        let most = (limit.to_bits() as u64) << (ANGULAR_BITS - 32);
        self.velocities[record as usize][4..7].iter().any(|word| word.unsigned_abs() > most)
    }

    /// Adds to the rotation vector of a record.
    pub(crate) fn turn_further(&mut self, record: u32, turn: Vec3) {
        let words = &mut self.displacements[record as usize][4..7];
        for (word, more) in words.iter_mut().zip(turn.to_array()) {
            *word += more.to_bits();
        }
    }

    /// The displacement and the rotation vector of a record.
    pub(crate) fn displacement_of(&self, record: u32) -> (Vec3, Vec3) {
        let d = self.displacements[record as usize].map(Fx::from_bits);
        (Vec3::new(d[0], d[1], d[2]), Vec3::new(d[4], d[5], d[6]))
    }
}

/// Records one after the other, and the slots of their bodies.
pub(crate) struct Part<'a> {
    pub(crate) slots: &'a [u32],
    pub(crate) velocities: &'a mut [Velocity],
    pub(crate) bases: &'a mut [Velocity],
    pub(crate) displacements: &'a mut [Displacement],
    pub(crate) frames: &'a mut [Frame],
    pub(crate) kicks: &'a mut [Velocity],
    pub(crate) damping: &'a mut [[i32; 2]],
    pub(crate) speeds: &'a mut [Fx],
    pub(crate) joined: &'a mut [bool],
    pub(crate) tumbling: &'a mut [bool],
}

impl<'a> Part<'a> {
    fn split_at(self, middle: usize) -> (Self, Self) {
        let (slots, other_slots) = self.slots.split_at(middle);
        let (velocities, other_velocities) = self.velocities.split_at_mut(middle);
        let (bases, other_bases) = self.bases.split_at_mut(middle);
        let (displacements, other_displacements) = self.displacements.split_at_mut(middle);
        let (frames, other_frames) = self.frames.split_at_mut(middle);
        let (kicks, other_kicks) = self.kicks.split_at_mut(middle);
        let (damping, other_damping) = self.damping.split_at_mut(middle);
        let (speeds, other_speeds) = self.speeds.split_at_mut(middle);
        let (joined, other_joined) = self.joined.split_at_mut(middle);
        let (tumbling, other_tumbling) = self.tumbling.split_at_mut(middle);
        let part = Part {
            slots,
            velocities,
            bases,
            displacements,
            frames,
            kicks,
            damping,
            speeds,
            joined,
            tumbling,
        };
        let other = Part {
            slots: other_slots,
            velocities: other_velocities,
            bases: other_bases,
            displacements: other_displacements,
            frames: other_frames,
            kicks: other_kicks,
            damping: other_damping,
            speeds: other_speeds,
            joined: other_joined,
            tumbling: other_tumbling,
        };
        (part, other)
    }

    fn halves(self) -> (Self, Self) {
        let middle = self.slots.len() / 2;
        self.split_at(middle)
    }
}

/// Velocities within ±2¹¹ m/s and ±2¹⁹ rad/s as a record has them.
pub(crate) fn velocity_of(linear: Vec3, angular: Vec3) -> Velocity {
    let ([a, b, c], [d, e, f]) = (linear.to_array().map(Fx::to_bits), angular.to_array().map(Fx::to_bits));
    let (linear, angular) = (LINEAR_BITS - 32, ANGULAR_BITS - 32);
    Record([a << linear, b << linear, c << linear, 0, d << angular, e << angular, f << angular, 0])
}
