//! Substeps on several threads: which blocks may be solved at the same time, and what waits for what.
//!
//! Blocks of one color have no movable body in common, so they are a group of chunks; a few blocks, and those of the
//! colors after them that have as few, are one chunk, which a single thread does one after the other. What is done to
//! all blocks in any sequence, and to bodies, is a group of chunks of its own.
//!
//! Of several slabs, each is a chunk, and the thread at each place has a part of the way of the waves that go through
//! them: while one is in its part of a wave, the one before it is in its part of the next.
//!
//! Chunks meet in the records of bodies. The first chunk of each group is of the first column of the [`Flow`], and so on;
//! contacts of a color are ordered by their records, so each column has its own ones, and those at its ends in common with
//! its neighbours. Chunks of single threads have a column for themselves, for they touch records anywhere. Record 0 never
//! changes.
#![allow(unsafe_code, reason = "threads have records that no other thread has meanwhile")]

use super::bodies::{Bodies, Displacement, Velocity};
use super::colors::{Coloring, Places};
use super::iterate::{BodyWork, Iterate, Pace, Visit, Work, each_work};
use super::joints::{JointBlock, JointWork, Way};
use super::motion::change_bases;
use super::records::Records;
use super::slabs::Slabs;
use super::{Ahead, BLOCK, Block};
use crate::parallel::{Chunk, Claim, Crew, Flow, Job, MOST_COLUMNS, Shared};
use alloc::vec::Vec;
use core::ops::Range;
use isostep_math::wide::Level;

/// The fewest blocks of a chunk, which take a quarter of a microsecond a pass or more: longer than it takes to find out
/// whether they may be solved.
const LEAST_BLOCKS: u32 = 16 / BLOCK as u32;

/// The fewest bodies of a chunk.
const LEAST_BODIES: u32 = 128;

/// What threads do in a step, and memory for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    /// Where chunks of blocks begin, and where the last one ends.
    blocks: Vec<u32>,
    /// Of bodies; their chunks are numbered after those of blocks.
    bodies: Vec<u32>,
    /// Of blocks of joints; their chunks are numbered after those of bodies.
    joints: Vec<u32>,
    /// Chunks of blocks that may be solved at the same time, in the order of colors.
    groups: Vec<Range<u32>>,
    /// The same of joints.
    joint_groups: Vec<Range<u32>>,
    filling: Flow<()>,
    substeps: Flow<Work>,
    stripes: Stripes,
    /// By chunks: the stripes of the records that they touch, a bit each.
    touched: Vec<u64>,
    /// Bounds of what there is one of for each chunk.
    single: Vec<u32>,
    /// Whether chunks are slabs, for which it is known what they wait for.
    is_in_slabs: bool,
    /// For debug assertions: by records, the columns that touch it, or the group that had it last.
    seen: Vec<u64>,
}

impl Schedule {
    /// No plan: one thread does all.
    pub(crate) fn clear(&mut self) {
        self.substeps.clear();
    }

    /// Whether there is a plan.
    pub(crate) fn is_planned(&self) -> bool {
        !self.substeps.is_empty()
    }

    /// Plans the step, but for what chunks of blocks wait for: that [`Self::fill`] finds.
    pub(crate) fn plan(
        &mut self,
        coloring: &Coloring,
        joints: &[JointBlock],
        slabs: &Slabs,
        substeps: u32,
        crew: &Crew,
    ) {
        self.is_in_slabs = slabs.are_several();
        if self.is_in_slabs {
            return self.plan_slabs(&coloring.contacts, slabs, substeps, crew.threads());
        }
        let records = slabs.records(0)[1].end;
        let least_blocks = if crew.is_eager() { 1 } else { LEAST_BLOCKS };
        let least_bodies = if crew.is_eager() { 1 } else { LEAST_BODIES };
        // One for each thread: with more, what threads have in their caches changes hands more often.
        let columns = crew.threads() as u32;
        divide(&coloring.contacts, least_blocks, columns, 0, &mut self.blocks, &mut self.groups);
        let moving = 1..records as u32;
        let pieces = (moving.len() as u32 / least_bodies).clamp(1, columns);
        self.bodies.clear();
        self.bodies.extend((0..=pieces).map(|piece| part(moving.clone(), piece, pieces)));
        let first = self.chunks_of_bodies().end;
        divide(&coloring.joints, least_blocks, columns, first, &mut self.joints, &mut self.joint_groups);
        self.note_touched(joints, records);
        self.make_columns(columns);
        self.make_stages(substeps);
    }

    fn chunks_of_bodies(&self) -> Range<u32> {
        let first = self.blocks.len() as u32 - 1;
        first..first + self.bodies.len() as u32 - 1
    }

    fn chunks_of_joints(&self) -> Range<u32> {
        let first = self.chunks_of_bodies().end;
        first..first + self.joints.len() as u32 - 1
    }

    /// Notes what chunks of bodies and joints touch.
    fn note_touched(&mut self, joints: &[JointBlock], records: usize) {
        let stripes = Stripes::new(records);
        self.stripes = stripes;
        self.touched.clear();
        self.touched.resize(self.blocks.len() - 1, 0);
        self.touched.extend(self.bodies.windows(2).map(|bounds| stripes.of(bounds[0]..bounds[1])));
        self.touched.extend(
            self.joints
                .windows(2)
                .map(|bounds| stripes.of(records_of_joints(&joints[bounds[0] as usize..bounds[1] as usize]))),
        );
    }

    /// Gives each chunk its column: the last one, if it is the only one of its group.
    fn make_columns(&mut self, columns: u32) {
        let bodies = [self.chunks_of_bodies()];
        let flow = &mut self.substeps;
        flow.clear();
        flow.chunks_mut().resize(self.touched.len(), Chunk { column: columns, awaits: 0 });
        for group in self.groups.iter().chain(&bodies).chain(&self.joint_groups) {
            let chunks = &mut flow.chunks_mut()[group.start as usize..group.end as usize];
            let count = chunks.len() as u32;
            for (chunk, piece) in chunks.iter_mut().zip(0..).filter(|_| count > 1) {
                chunk.column = piece * columns / count;
            }
        }
        self.filling.clear();
        self.filling.chunks_mut().extend_from_slice(&flow.chunks_mut()[..self.blocks.len() - 1]);
    }

    fn make_stages(&mut self, substeps: u32) {
        for group in &self.groups {
            let group = self.filling.add_group(group.clone());
            self.filling.add_stage((), group);
        }
        let (bodies, joints) = (self.chunks_of_bodies(), self.chunks_of_joints());
        let with_joints = !joints.is_empty();
        let flow = &mut self.substeps;
        // Groups are numbered in the order in which they are added.
        let of_bodies = flow.add_group(bodies);
        let of_joints = flow.add_group(joints);
        let of_blocks = of_joints + 1..of_joints + 1 + self.groups.len() as u32;
        let of_joint_colors = of_blocks.end..of_blocks.end + self.joint_groups.len() as u32;
        for group in self.groups.iter().chain(&self.joint_groups) {
            flow.add_group(group.clone());
        }
        each_work(substeps, with_joints, 1, Pace::of_threads(1), |visit| {
            let groups = match visit.work {
                Work::Bodies(_) => of_bodies..of_bodies + 1,
                Work::Refresh => of_joints..of_joints + 1,
                Work::RelaxBack => {
                    return of_blocks.clone().rev().for_each(|group| flow.add_stage(visit.work, group));
                }
                Work::Prepare | Work::Blocks(_) | Work::Forget => of_blocks.clone(),
                Work::Joints(JointWork::Lead | JointWork::Note) => of_joints..of_joints + 1,
                Work::Joints(JointWork::Solve(Way::Back)) => {
                    return of_joint_colors.clone().rev().for_each(|group| flow.add_stage(visit.work, group));
                }
                Work::Joints(_) => of_joint_colors.clone(),
            };
            groups.for_each(|group| flow.add_stage(visit.work, group));
        });
    }

    /// Plans a step of several slabs, each of which has a chunk of blocks, one of dynamic bodies and one of kinematic ones.
    /// There are no joints.
    fn plan_slabs(&mut self, places: &Places, slabs: &Slabs, substeps: u32, threads: usize) {
        let count = slabs.count();
        self.blocks.clear();
        self.blocks.push(0);
        self.blocks.extend((0..count).map(|slab| places.blocks_of(slab).end as u32));
        self.bodies.clear();
        self.bodies.push(1);
        for kind in [0, 1] {
            self.bodies.extend((0..count).map(|slab| slabs.records(slab)[kind].end as u32));
        }
        self.joints.clear();
        self.joints.push(0);
        self.groups.clear();
        self.joint_groups.clear();
        self.stripes = Stripes::default();
        self.touched.clear();
        self.touched.resize(count, 0);

        self.filling.clear();
        self.filling.chunks_mut().resize(count, Chunk { column: 0, awaits: 0 });
        let all = self.filling.add_group(0..count as u32);
        self.filling.add_stage((), all);
        let flow = &mut self.substeps;
        flow.clear();
        // Contacts of a slab have bodies in it and in the one before it. Where there are many slabs, several share a column.
        let column = |slab: usize| (slab * MOST_COLUMNS.min(count) / count) as u32;
        for chunk in 0..3 * count {
            let slab = chunk % count;
            let neighbors = slab.saturating_sub(1)..(slab + 2).min(count);
            let awaits = neighbors.fold(0, |columns, slab| columns | 1 << column(slab));
            flow.chunks_mut().push(Chunk { column: column(slab), awaits });
        }
        for chunk in 0..3 * count as u32 {
            flow.add_group(chunk..chunk + 1);
        }
        each_work(substeps, false, count, Pace::of_threads(threads), |Visit { work, slab, part, .. }| {
            let kinds = if work.is_of_blocks() { 0..1 } else { 1..3 };
            for chunk in kinds.map(|kind| kind * count + slab) {
                let is_empty = chunk >= count && self.bodies[chunk - count] == self.bodies[chunk - count + 1];
                if !is_empty {
                    flow.add_stage_from(part, work, chunk as u32);
                }
            }
        });
    }

    /// Works on blocks chunk by chunk, as `fill` says, which gets the number of the first block and the blocks of a chunk;
    /// and notes what they touch. Each chunk is worked on by the thread that has it in the substeps.
    pub(crate) fn fill(
        &mut self,
        blocks: &mut [Block],
        crew: &mut Crew,
        fill: impl Fn(usize, &mut [Block]) + Sync,
    ) {
        let chunks = self.blocks.len() - 1;
        self.single.clear();
        self.single.extend(0..=chunks as u32);
        let mut job = Fill {
            blocks: Shared::new(blocks, 0, &self.blocks),
            touched: Shared::new(&mut self.touched[..chunks], 0, &self.single),
            stripes: self.stripes,
            fill,
        };
        crew.run(&mut job, &self.filling);
        if !self.is_in_slabs {
            self.connect();
        }
    }

    /// Finds what each chunk waits for: its column, and those of which a chunk touches what it touches.
    fn connect(&mut self) {
        let chunks = self.substeps.chunks_mut();
        let mut of_columns = [0; MOST_COLUMNS];
        let mut columns = 0;
        for (chunk, touched) in chunks.iter().zip(&self.touched) {
            of_columns[chunk.column as usize] |= touched;
            columns = columns.max(chunk.column as usize + 1);
        }
        for (chunk, touched) in chunks.iter_mut().zip(&self.touched) {
            chunk.awaits = 1 << chunk.column;
            for (column, of_column) in of_columns[..columns].iter().enumerate() {
                chunk.awaits |= u64::from(touched & of_column != 0) << column;
            }
        }
    }

    /// Runs all substeps.
    pub(crate) fn iterate(&mut self, iterate: Iterate<'_>, level: Level, crew: &mut Crew) {
        let Iterate { blocks, joints, back, bodies, constants, .. } = iterate;
        if cfg!(debug_assertions) {
            self.assert_disjoint(blocks, joints, bodies);
        }
        let Bodies { velocities, bases, displacements, shifts, kicks, damping, joined, movable, .. } = bodies;
        let (first, joint_first) = (self.chunks_of_bodies().start, self.chunks_of_joints().start);
        let mut substeps = Substeps {
            blocks: Shared::new(blocks, 0, &self.blocks),
            joints: Shared::new(joints, joint_first, &self.joints),
            velocities: Shared::new(velocities, first, &self.bodies),
            bases: Shared::new(bases, first, &self.bodies),
            displacements: Shared::new(displacements, first, &self.bodies),
            shifts: Shared::new(shifts, first, &self.bodies),
            back,
            kicks,
            damping,
            joined,
            movable: *movable,
            constants,
            level,
            ahead: Ahead::of_next(self.is_in_slabs),
        };
        crew.run(&mut substeps, &self.substeps);
    }

    /// That no movable record is in two chunks of a group, and that each chunk waits for the columns that touch its records.
    fn assert_disjoint(&mut self, blocks: &[Block], joints: &[JointBlock], bodies: &Bodies) {
        let mut seen = core::mem::take(&mut self.seen);
        seen.clear();
        seen.resize(bodies.slots.len(), 0);
        let chunks = self.substeps.chunks();
        for (chunk, number) in chunks.iter().zip(0..) {
            self.records(number, blocks, joints)
                .for_each(|record| seen[record as usize] |= 1 << chunk.column);
        }
        for (chunk, number) in chunks.iter().zip(0..) {
            for record in self.records(number, blocks, joints).filter(|&record| record != 0) {
                assert_eq!(seen[record as usize] & !chunk.awaits, 0, "record {record} of chunk {number}");
            }
        }
        seen.fill(0);
        let groups = self.groups.iter().chain(&self.joint_groups);
        for (group, number) in groups.zip(1..).filter(|(group, _)| group.len() > 1) {
            let records = group.clone().flat_map(|chunk| self.records(chunk, blocks, joints));
            for record in records.filter(|&record| bodies.is_movable(record)) {
                let before = core::mem::replace(&mut seen[record as usize], number);
                assert!(before != number, "record {record} is twice in group {number}");
            }
        }
        self.seen = seen;
    }

    /// The records that a chunk touches.
    fn records(&self, chunk: u32, blocks: &[Block], joints: &[JointBlock]) -> impl Iterator<Item = u32> {
        let within = |chunks: Range<u32>, bounds: &[u32]| {
            let at = (chunk.wrapping_sub(chunks.start)) as usize;
            if chunks.contains(&chunk) { bounds[at] as usize..bounds[at + 1] as usize } else { 0..0 }
        };
        let (bodies, of_joints) = (self.chunks_of_bodies(), self.chunks_of_joints());
        records_of(&blocks[within(0..bodies.start, &self.blocks)])
            .chain(within(bodies, &self.bodies).map(|record| record as u32))
            .chain(records_of_joints(&joints[within(of_joints, &self.joints)]))
    }
}

/// The records of blocks, those of empty lanes among them: kernels have these, too.
fn records_of(blocks: &[Block]) -> impl Iterator<Item = u32> {
    blocks.iter().flat_map(|block| [&block.a, &block.b]).flatten().copied()
}

/// The records of blocks of joints.
fn records_of_joints(blocks: &[JointBlock]) -> impl Iterator<Item = u32> {
    blocks.iter().flat_map(|block| [block.a, block.b]).flatten()
}

/// Stripes of the records, as many one after the other in each: a power of two.
#[derive(Clone, Copy, Debug, Default)]
struct Stripes {
    shift: u32,
}

impl Stripes {
    /// As many as there are bits, or fewer, of all records but record 0.
    fn new(records: usize) -> Self {
        let last = records.saturating_sub(2);
        Self { shift: (0..).find(|&shift| last >> shift < u64::BITS as usize).unwrap_or(0) }
    }

    /// Those of records, a bit each; record 0 is in none.
    fn of(self, records: impl Iterator<Item = u32>) -> u64 {
        records.fold(0, |stripes, record| {
            stripes | u64::from(record != 0) << (record.wrapping_sub(1) >> self.shift & (u64::BITS - 1))
        })
    }
}

/// Divides blocks into chunks that begin and end at `bounds`, numbered from `first` on, of which `groups` may be solved at
/// the same time: those of a color where its parts begin, or else as many blocks to each.
fn divide(
    places: &Places,
    least: u32,
    most: u32,
    first: u32,
    bounds: &mut Vec<u32>,
    groups: &mut Vec<Range<u32>>,
) {
    bounds.clear();
    bounds.push(0);
    groups.clear();
    let parts = places.cuts.len() / places.ends.len().max(1) + 1;
    let (mut start, mut in_one) = (0, false);
    for (color, &end) in places.ends.iter().enumerate() {
        let cuts = &places.cuts[color * (parts - 1)..(color + 1) * (parts - 1)];
        let pieces = ((end - start) / least).min(most);
        let chunk = first + bounds.len() as u32 - 1;
        if pieces > 1 {
            let cut = |piece: u32| {
                let part_before = (piece as usize * parts / pieces as usize).checked_sub(1);
                part_before.and_then(|part| cuts.get(part)).copied()
            };
            bounds.extend((1..pieces).map(|piece| cut(piece).unwrap_or(part(start..end, piece, pieces))));
            bounds.push(end);
            groups.push(chunk..chunk + pieces);
        } else if let (true, Some(last)) = (in_one, bounds.last_mut()) {
            *last = end;
        } else {
            bounds.push(end);
            groups.push(chunk..chunk + 1);
        }
        (start, in_one) = (end, pieces <= 1);
    }
}

/// Where piece `piece` of `pieces` begins.
fn part(range: Range<u32>, piece: u32, pieces: u32) -> u32 {
    range.start + (u64::from(range.end - range.start) * u64::from(piece) / u64::from(pieces)) as u32
}

/// Filling blocks, and noting what they touch, chunk by chunk.
struct Fill<'a, F> {
    blocks: Shared<'a, Block>,
    touched: Shared<'a, u64>,
    stripes: Stripes,
    fill: F,
}

impl<F: Fn(usize, &mut [Block]) + Sync> Job for Fill<'_, F> {
    type Work = ();

    fn run(&self, (): (), claim: &mut Claim) {
        let first = self.blocks.range(claim).start;
        let (blocks, touched) = self.blocks.parts(&self.touched, claim);
        (self.fill)(first, blocks);
        touched.fill(self.stripes.of(records_of(blocks)));
    }
}

/// Substeps, chunk by chunk.
struct Substeps<'a> {
    blocks: Shared<'a, Block>,
    joints: Shared<'a, JointBlock>,
    velocities: Shared<'a, Velocity>,
    bases: Shared<'a, Velocity>,
    displacements: Shared<'a, Displacement>,
    shifts: Shared<'a, Velocity>,
    back: Range<usize>,
    kicks: &'a [Velocity],
    damping: &'a [[i32; 2]],
    joined: &'a [bool],
    movable: usize,
    constants: super::iterate::Constants,
    level: Level,
    ahead: Ahead<'a>,
}

impl Substeps<'_> {
    /// Velocities, bases, displacements or shifts, for the chunk that somebody works on.
    fn records<'s>(&'s self, records: &'s Shared<'_, Velocity>) -> Records<'s> {
        // SAFETY: chunks of blocks or joints that are worked on at the same time have no movable record in common, which is what
        // colors are for, and the others do not change. Of different stages, and with the chunks of bodies, which change all
        // records but the first, whoever has one in common waits for the other's column, and so sees what was done to it. With
        // debug assertions every schedule is checked for both (`assert_disjoint`).
        unsafe { records.records(self.movable) }
    }

    /// Velocities and displacements.
    fn velocities_and_displacements(&self) -> [Records<'_>; 2] {
        [self.records(&self.velocities), self.records(&self.displacements)]
    }
}

impl Job for Substeps<'_> {
    type Work = Work;

    fn run(&self, work: Work, claim: &mut Claim) {
        let (constants, level) = (&self.constants, self.level);
        match work {
            // Filling has done that.
            Work::Prepare => {}
            Work::Bodies(BodyWork::Accelerate) => {
                let range = self.velocities.range(claim);
                let (kicks, damping) = (&self.kicks[range.clone()], &self.damping[range]);
                constants.accelerate(level, self.velocities.parts(&self.bases, claim).into(), kicks, damping);
            }
            Work::Bodies(BodyWork::Joints { after }) => {
                let joined = &self.joined[self.velocities.range(claim)];
                let (velocities, bases) = self.velocities.parts(&self.bases, claim);
                change_bases(velocities, bases, joined, after);
            }
            Work::Bodies(BodyWork::Advance) => {
                let (velocities, displacements) = self.velocities.parts(&self.displacements, claim);
                constants.advance(level, velocities, displacements);
            }
            Work::Bodies(BodyWork::Shift) => {
                let joined = &self.joined[self.shifts.range(claim)];
                let (shifts, displacements) = self.shifts.parts(&self.displacements, claim);
                constants.shift(level, shifts, displacements, joined);
            }
            Work::Blocks(work) => {
                let [velocities, displacements] = self.velocities_and_displacements();
                constants.solve(
                    level,
                    work,
                    self.blocks.part(claim),
                    self.ahead.clone(),
                    velocities,
                    displacements,
                );
            }
            Work::RelaxBack => {
                let velocities = self.records(&self.velocities);
                constants.relax_back(level, self.blocks.part(claim), velocities, self.joined);
            }
            Work::Forget => {
                let bases = self.records(&self.bases);
                constants.forget(level, self.blocks.part(claim), bases, self.joined);
            }
            Work::Refresh => {
                let [velocities, displacements] = self.velocities_and_displacements();
                constants.refresh(level, self.joints.part(claim), &velocities, &displacements);
            }
            Work::Joints(work) => {
                let [velocities, shifts] =
                    [&self.velocities, &self.shifts].map(|records| self.records(records));
                let first = self.joints.range(claim).start;
                let blocks = work.blocks_of(self.joints.part(claim), first, &self.back);
                constants.solve_joints(level, work, blocks, velocities, shifts);
            }
        }
    }
}
