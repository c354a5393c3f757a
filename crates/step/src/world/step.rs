//! The step.
//!
//! In the order in which data passes through: `pairs` may touch, `collide` wakes what is hit; `incoming` writes down where
//! they touch, and `seams` leaves out what only edges within a floor do; `forces` says what accelerates bodies and `gyroscopes`
//! how they turn by themselves; `incoming` matches contacts with those of the step before, `joints` finds rows for joints, and
//! `fill` puts contacts into the solver's blocks; after the substeps `outgoing` and `contacts` take impulses out, `continuous`
//! sees that nothing passes through anything, `commit` moves bodies, and what all that has to tell is put in order.

pub(super) mod collide;
mod commit;
mod contacts;
mod continuous;
mod fill;
pub(super) mod forces;
mod gyroscopes;
mod incoming;
pub(super) mod joints;
mod outgoing;
mod pairs;
mod points;
mod seams;

use super::World;
use super::sleep::Islands;
use crate::config::WorldConfig;
use crate::contact::Contacts;
use crate::event::Event;
use crate::solver::bodies::Bodies;
use crate::solver::colors::{Coloring, Places};
use crate::solver::iterate::{self, Iterate};
use crate::solver::joints::{JointBlock, PrepareJoints, Refresh};
use crate::solver::offsets::Offsets;
use crate::solver::prepare::{self, Prepare};
use crate::solver::records::Records;
use crate::solver::softness::Softness;
use crate::solver::{ANGULAR_BITS, Ahead, BLOCK, Block, IMPULSE_BITS, LINEAR_BITS, to_mantissa};
use alloc::vec::Vec;
use gyroscopes::{Gyroscope, Inertia, Spin};
use incoming::Incoming;
use isostep_math::Fx;
use isostep_math::wide::Level;
use outgoing::Outgoing;

/// Memory that steps use again. What lies there is of one step, so a copy of a world makes its own.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) islands: Islands,
    /// Marks of bodies, by slots.
    pub(super) wanted: Vec<bool>,
    /// Bodies that touch something or are joined to it, where islands are looked at.
    pub(super) held: Vec<bool>,
    pub(super) contacts: [Contacts; 2],
    /// Slots of bodies that wake others.
    seeds: Vec<u32>,
    /// How fast bodies may come to be pushed: of the roots of `islands`.
    kicks: Vec<Fx>,
    /// Colliders that may touch.
    pairs: Vec<(u32, u32)>,
    /// Sensors, and what may be in them.
    sensor_pairs: Vec<(u32, u32)>,
    /// Pairs in which something sleeps.
    pub(super) probes: Vec<(u32, u32)>,
    pair_limits: pairs::Limits,
    /// Colliders whose boxes overlap that of one in a crowd.
    near: Vec<u32>,
    incoming: Incoming,
    seams: seams::Seams,
    /// Of each lane of the blocks.
    outgoing: Vec<Outgoing>,
    bodies: Bodies,
    gyroscopes: Vec<Gyroscope>,
    /// By ascending slots.
    spins: Vec<Spin>,
    /// By slots of bodies.
    inertias: Vec<Inertia>,
    /// Whether awake joints hold a body, by slots; empty where there are none.
    joined: Vec<bool>,
    pub(super) coloring: Coloring,
    continuous: continuous::Memory,
    blocks: Vec<Block>,
    joints: Vec<JointBlock>,
    #[cfg(feature = "parallel")]
    schedule: crate::solver::schedule::Schedule,
    /// Which contacts there is something to tell of.
    news: contacts::News,
    /// Pairs that pressed and may have come together fast, and where they were solved: the numbers of block and lane.
    hits: Vec<(u32, u32)>,
    hit_lanes: Vec<(usize, usize)>,
    /// Bounds of chunks of bodies.
    bounds: Vec<u32>,
    fell_asleep: Vec<u32>,
    lost: Vec<u32>,
    /// Slots of joints that broke in this step, with the force in N and the torque in N·m that broke them.
    broken: Vec<(u32, Fx, Fx)>,
    sensed: Vec<(u32, u32)>,
}

impl Clone for Scratch {
    /// Empty memory, with what tests have set.
    fn clone(&self) -> Self {
        let mut copy = Self { pair_limits: self.pair_limits, ..Self::default() };
        copy.coloring.shuffle = self.coloring.shuffle;
        copy.bodies.slabs.least_bodies = self.bodies.slabs.least_bodies;
        copy
    }
}

impl Scratch {
    /// See [`Slabs::least_bodies`](crate::solver::slabs::Slabs::least_bodies).
    pub(super) fn divide_into_slabs(&mut self, least_bodies: u32) {
        self.bodies.slabs.least_bodies = Some(least_bodies);
    }
}

/// Blocks that are filled, and then made rows of, at a time: so few that they stay in the first cache.
const PREPARED_BLOCKS: usize = 32 / BLOCK;

/// Fewer blocks of contacts are solved by one thread.
#[cfg(feature = "parallel")]
const SHARED_BLOCKS: usize = 384 / BLOCK;

/// Of so many contacts or bodies the caches are told ahead.
const AHEAD: usize = 8;

/// Fewer contacts are written down, and their impulses taken out, by one thread.
pub(super) const SHARED_CONTACTS: usize = 512;

/// Where the time of a step went, in nanoseconds; and how much there was to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepProfile {
    /// Posing shapes, the tree, and pairs.
    pub pairs: u64,
    /// Manifolds.
    pub narrowphase: u64,
    /// Matching contacts, colors, and rows.
    pub prepare: u64,
    /// Substeps; in one thread with the rows of large worlds, which are made on the way.
    pub solve: u64,
    /// Impulses, poses, events and sleep.
    pub commit: u64,
    /// Bodies that the step moved.
    pub bodies: u32,
    /// Pairs that went through the narrowphase.
    pub tested_pairs: u32,
    /// Contacts that were solved.
    pub contacts: u32,
    /// Their points.
    pub points: u32,
}

impl StepProfile {
    /// All of the step, in nanoseconds.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.pairs + self.narrowphase + self.prepare + self.solve + self.commit
    }
}

/// What makes the rows of contacts.
struct Rows<'a> {
    incoming: &'a Incoming,
    /// The number of the contact in each lane.
    lanes: &'a [u32],
    constants: prepare::Constants,
    level: Level,
}

impl<'a> Rows<'a> {
    fn new(config: &WorldConfig, level: Level, incoming: &'a Incoming, places: &'a Places) -> Self {
        let constants = prepare::Constants {
            softness: Softness::of_contacts(config),
            offsets: offsets(config),
            bounce_threshold: i64::from(to_mantissa(config.restitution_threshold, IMPULSE_BITS)),
        };
        Self { incoming, lanes: &places.by_lanes, constants, level }
    }

    /// Fills blocks, the first of which has this number, and makes their rows.
    fn prepare(&self, first: usize, blocks: &mut [Block], bodies: &Bodies, mut ahead: Ahead<'_>) {
        let lines = ahead.lines_with_each(blocks.len().div_ceil(PREPARED_BLOCKS));
        let mut lanes = &self.lanes[first * BLOCK..];
        for blocks in blocks.chunks_mut(PREPARED_BLOCKS) {
            let own;
            (own, lanes) = lanes.split_at(blocks.len() * BLOCK);
            if ahead.is_on() {
                ahead.bring(lines);
                self.incoming.bring(lanes, PREPARED_BLOCKS * BLOCK, &bodies.frames);
            }
            self.incoming.fill(self.level, blocks, own);
            Prepare { blocks, bodies, constants: self.constants }.run(self.level);
        }
    }
}

/// A clock, and what it is read for.
type Profiling<'a> = Option<(&'a mut dyn FnMut() -> u64, &'a mut StepProfile)>;

/// Notes the time since the last call.
struct Stopwatch<'a> {
    profiling: Profiling<'a>,
    last: u64,
}

impl<'a> Stopwatch<'a> {
    fn start(mut profiling: Profiling<'a>) -> Self {
        let last = profiling.as_mut().map_or(0, |(now, _)| now());
        Self { profiling, last }
    }

    fn lap(&mut self, phase: fn(&mut StepProfile) -> &mut u64) {
        if let Some((now, profile)) = &mut self.profiling {
            let time = now();
            *phase(profile) += time.saturating_sub(self.last);
            self.last = time;
        }
    }

    fn count(&mut self, note: impl FnOnce(&mut StepProfile)) {
        if let Some((_, profile)) = &mut self.profiling {
            note(profile);
        }
    }
}

impl World {
    pub(super) fn advance(&mut self, profiling: Profiling<'_>) {
        let mut watch = Stopwatch::start(profiling);
        self.events.clear();
        self.steer();
        self.find_pairs();
        self.wake_what_is_hit();
        watch.lap(|profile| &mut profile.pairs);
        self.find_contacts();
        watch.lap(|profile| &mut profile.narrowphase);
        self.gather_bodies();
        self.place_contacts();
        self.place_joints();
        self.prepare_joints();
        self.prepare();
        watch.lap(|profile| &mut profile.prepare);
        self.solve();
        watch.lap(|profile| &mut profile.solve);
        self.take_contacts();
        self.take_joints();
        self.turn_fast_bodies();
        self.stop_fast_bodies();
        self.commit();
        self.sense();
        self.settle();
        self.derived.bodies_moved();
        self.state.tick = self.state.tick.wrapping_add(1);
        watch.lap(|profile| &mut profile.commit);
        let (scratch, contacts) = (&self.scratch, &self.state.contacts);
        watch.count(|profile| {
            profile.bodies = scratch.bodies.slots.len() as u32 - 1;
            profile.tested_pairs = scratch.pairs.len() as u32;
            profile.contacts = contacts.pairs.len() as u32;
            profile.points = contacts.points.len() as u32;
        });
    }

    /// Computes what joints have for a tick, their rows where bodies are, and what spins in them.
    fn prepare_joints(&mut self) {
        let Scratch { joints, bodies, .. } = &mut self.scratch;
        let (level, rate) = (Level::current(), i64::from(self.state.config.substep_rate()));
        PrepareJoints { frames: &bodies.frames }.run(joints, level);
        let displacements = Records::new(&mut bodies.displacements, bodies.movable);
        Refresh { rate, drift: None }.run(joints, &displacements, level);
        if !self.scratch.spins.is_empty() {
            self.hold_spins();
            self.turn_spins();
        }
    }

    /// Fills blocks with contacts, and computes their rows: of several slabs, whose blocks are too many for the caches, one
    /// thread does that on the way of its substeps through them.
    fn prepare(&mut self) {
        let Self { state, scratch, .. } = self;
        let Scratch { incoming, coloring, blocks, bodies, .. } = scratch;
        let level = Level::current();
        let rows = Rows::new(&state.config, level, incoming, &coloring.contacts);
        let ahead = Ahead::of_next(bodies.slabs.are_several());
        let work = |first: usize, blocks: &mut [Block]| rows.prepare(first, blocks, bodies, ahead.clone());
        #[cfg(feature = "parallel")]
        {
            let (schedule, joints, crew) = (&mut scratch.schedule, &scratch.joints, &mut self.crew);
            schedule.clear();
            if crew.shares(blocks.len() + joints.len(), SHARED_BLOCKS) {
                schedule.plan(coloring, joints, &bodies.slabs, state.config.substeps, crew);
                return schedule.fill(blocks, crew, work);
            }
        }
        if !bodies.slabs.are_several() {
            work(0, blocks);
        }
    }

    /// Runs the substeps.
    fn solve(&mut self) {
        let Self { state, scratch, .. } = self;
        let Scratch { incoming, coloring, blocks, joints, bodies, .. } = scratch;
        let (config, level) = (&state.config, Level::current());
        let constants = iterate::Constants::new(offsets(config), speed_limits(config));
        let (places, substeps) = (&coloring.contacts, config.substeps);
        let back = coloring.joints.between_ends();
        let iterate = Iterate { blocks, places, joints, back, bodies, substeps, constants };
        #[cfg(feature = "parallel")]
        if scratch.schedule.is_planned() {
            return scratch.schedule.iterate(iterate, level, &mut self.crew);
        }
        let rows = Rows::new(config, level, incoming, places);
        iterate.run(level, |first, blocks, bodies, ahead| rows.prepare(first, blocks, bodies, ahead));
    }

    /// Removes joints that broke, puts islands to sleep, and puts what there is to tell in order.
    fn settle(&mut self) {
        self.break_joints();
        let mut fell_asleep = core::mem::take(&mut self.scratch.fell_asleep);
        self.fall_asleep(&mut fell_asleep);
        if !self.scratch.lost.is_empty() {
            // What touches them may be asleep.
            self.sort_contacts();
        }
        let handle = |body: u32| self.state.body_handle(body);
        self.events.extend(fell_asleep.iter().map(|&body| Event::Sleep { body: handle(body) }));
        self.scratch.fell_asleep = fell_asleep;
        let news = &self.state.news;
        let woken = news.woken.iter().filter(|&&body| self.state.bodies[body].alive);
        self.events.extend(woken.map(|&body| Event::Wake { body: handle(body) }));
        self.events.extend(news.parted.iter().map(|&(a, b)| Event::ContactEnd { a, b }));
        self.events.extend(news.left.iter().map(|&(sensor, visitor)| Event::SensorLeave { sensor, visitor }));
        self.events.extend(self.scratch.lost.iter().map(|&body| Event::OutOfBounds { body: handle(body) }));
        self.state.news.clear();
        self.events.sort_unstable_by_key(Event::key);
    }
}

impl World {
    /// Removes the joints that broke, and tells of them.
    fn break_joints(&mut self) {
        let mut broken = core::mem::take(&mut self.scratch.broken);
        for (slot, force, torque) in broken.drain(..) {
            let joint = &self.state.joints[slot];
            assert!(joint.alive, "a joint breaks once");
            let [a, b] = joint.bodies.map(|body| self.body_handle(body));
            let (handle, user_data) = (self.state.joint_handle(slot), joint.user_data);
            self.events.push(Event::JointBreak { joint: handle, a, b, user_data, force, torque });
            self.remove_joint_slot(slot);
        }
        self.scratch.broken = broken;
    }
}

fn offsets(config: &WorldConfig) -> Offsets {
    Offsets::new(i64::from(config.substep_rate()), i64::from(to_mantissa(config.push_speed, IMPULSE_BITS)))
}

/// The greatest velocities as the records of bodies have them.
fn speed_limits(config: &WorldConfig) -> [i64; 2] {
    [
        config.max_linear_speed.to_bits() << (LINEAR_BITS - 32),
        config.max_angular_speed.to_bits() << (ANGULAR_BITS - 32),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, BodyHandle, JointDef, JointHandle, JointKind, Snapshot};
    use isostep_math::{Pose, Vec3, fx};

    /// A chain of five bodies that float at rest, and its joints: the second one in their order breaks first.
    fn chain() -> (World, [JointHandle; 4]) {
        let config = WorldConfig { gravity: Vec3::ZERO, sleep_ticks: 3, ..WorldConfig::default() };
        let mut world = World::new(config).unwrap();
        let bodies =
            [0, 1, 2, 3, 4].map(|x| world.add_body(BodyDef::dynamic(Vec3::X * Fx::from_int(x))).unwrap());
        let free = JointKind::Distance { limits: None, motor: None };
        let joints = [0, 1, 2, 3].map(|index| {
            let sides = [bodies[index], bodies[index + 1]].map(|body| (body, Pose::IDENTITY));
            let def = JointDef { user_data: index as u64, ..JointDef::new(free, sides[0], sides[1]) };
            world.add_joint(def).unwrap()
        });
        (world, joints)
    }

    #[test]
    fn joints_that_break_are_gone_and_told_of_once_by_their_handles() {
        let (mut world, joints) = chain();
        world.step();
        world.scratch.broken.push((2, fx!(7), fx!(8)));
        world.scratch.broken.push((0, Fx::MAX, fx!(0)));
        world.settle();
        let body = |index| BodyHandle { index, generation: 0 };
        let broken = |slot: usize, force, torque| Event::JointBreak {
            joint: joints[slot],
            a: body(slot as u32),
            b: body(slot as u32 + 1),
            user_data: slot as u64,
            force,
            torque,
        };
        assert_eq!(world.events, [broken(0, Fx::MAX, fx!(0)), broken(2, fx!(7), fx!(8))]);
        let left: Vec<_> = world.joints().map(|joint| joint.handle()).collect();
        assert_eq!(left, [joints[1], joints[3]]);
        assert_eq!(world.state.free_joints, [2, 0]);
        assert!(Snapshot::from_bytes(&world.snapshot().to_bytes()).is_ok());
        world.step();
        assert!(world.events.is_empty());
        assert_eq!(world.derived.joints, [1, 3]);
    }

    #[test]
    fn a_joint_that_breaks_no_longer_holds_an_island_together() {
        let (mut world, _) = chain();
        world.step();
        world.step();
        // In this step they would fall asleep; those of the broken joint begin to rest anew.
        world.scratch.broken.push((1, fx!(1), fx!(1)));
        world.step();
        let asleep: Vec<_> = world.bodies().map(|body| body.is_asleep()).collect();
        assert_eq!(asleep, [false; 5], "the parts beside it wait for their ends");
        assert_eq!(world.joints().count(), 3);
        for _ in 0..3 {
            world.step();
        }
        assert!(world.bodies().all(|body| body.is_asleep()));
        let two = world.bodies().nth(1).unwrap().handle();
        world.wake_body(two).unwrap();
        let asleep: Vec<_> = world.bodies().map(|body| body.is_asleep()).collect();
        assert_eq!(asleep, [false, false, true, true, true]);
    }

    #[test]
    fn the_list_of_joints_to_solve_has_those_of_whoever_is_awake_in_their_order() {
        let (mut world, joints) = chain();
        let [first, .., last] = world.bodies().map(|body| body.handle()).collect::<Vec<_>>()[..] else {
            panic!("five bodies");
        };
        let free = JointKind::Distance { limits: None, motor: None };
        let ring =
            JointDef { order: 1, ..JointDef::new(free, (last, Pose::IDENTITY), (first, Pose::IDENTITY)) };
        world.remove_joint(joints[0]).unwrap();
        // It takes the slot of the first one, and comes last by its order.
        assert_eq!(world.add_joint(ring).unwrap().index, 0);
        world.step();
        assert_eq!(world.derived.joints, [1, 2, 3, 0]);
        let saved = world.snapshot();
        while world.bodies().any(|body| !body.is_asleep()) {
            world.step();
        }
        world.step();
        assert!(world.derived.joints.is_empty());
        world.load(&saved);
        world.step();
        assert_eq!(world.derived.joints, [1, 2, 3, 0]);
    }
}
