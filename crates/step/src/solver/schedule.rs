//! Substeps on several threads: which blocks may be solved at the same time, and what is done stage by stage.
//!
//! Blocks of one color have no movable body in common, so they are a stage of chunks; a few blocks, and those of the
//! colors after them that have as few, are one chunk, which a single thread does one after the other. What is done to
//! all blocks in any sequence, and to bodies, is a stage of chunks of its own.

use super::bodies::{Bodies, Displacement, Velocity};
use super::colors::Coloring;
use super::iterate::{BodyWork, Iterate, Work, works};
use super::joints::JointBlock;
use super::motion::change_bases;
use super::{BLOCK, Block};
use crate::parallel::{Claim, Crew, Job, Shared, Stage};
use alloc::vec::Vec;
use core::ops::Range;
use isostep_math::wide::Level;

/// The fewest blocks of a chunk, which take half a microsecond a pass or more: as long as it takes threads to tell each
/// other of a stage and of its end.
const LEAST_BLOCKS: u32 = 32 / BLOCK as u32;

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
    /// The same of joints, numbered from 0.
    joint_groups: Vec<Range<u32>>,
    substeps: Vec<Stage<Work>>,
    /// For debug assertions: the group that had a record last.
    seen: Vec<u32>,
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

    /// Plans the step.
    pub(crate) fn plan(&mut self, coloring: &Coloring, records: usize, substeps: u32, crew: &Crew) {
        let threads = crew.threads() as u32;
        let least_blocks = if crew.is_eager() { 1 } else { LEAST_BLOCKS };
        let least_bodies = if crew.is_eager() { 1 } else { LEAST_BODIES };
        // One for each thread: with more, what threads have in their caches changes hands more often.
        divide(&coloring.contacts.ends, least_blocks, threads, &mut self.blocks, &mut self.groups);
        divide(&coloring.joints.ends, least_blocks, threads, &mut self.joints, &mut self.joint_groups);
        let records = records as u32;
        let pieces = (records / least_bodies).clamp(1, threads);
        self.bodies.clear();
        self.bodies.extend((0..=pieces).map(|piece| part(0..records, piece, pieces)));

        let first = self.blocks.len() as u32 - 1;
        let bodies = first..first + pieces;
        let joints = bodies.end..bodies.end + self.joints.len() as u32 - 1;
        self.substeps.clear();
        for work in works(substeps, !joints.is_empty()) {
            match work {
                Work::Bodies(_) => self.substeps.push(Stage { work, chunks: bodies.clone() }),
                Work::Blocks(_) => {
                    self.substeps.extend(self.groups.iter().cloned().map(|chunks| Stage { work, chunks }));
                }
                Work::Refresh => self.substeps.push(Stage { work, chunks: joints.clone() }),
                Work::Joints(_) => {
                    let shifted = |group: &Range<u32>| joints.start + group.start..joints.start + group.end;
                    let groups = self.joint_groups.iter().map(shifted);
                    self.substeps.extend(groups.map(|chunks| Stage { work, chunks }));
                }
            }
        }
    }

    /// Where chunks of blocks begin, and where the last one ends.
    pub(crate) fn bounds(&self) -> &[u32] {
        &self.blocks
    }

    /// Runs all substeps.
    pub(crate) fn iterate(&mut self, iterate: Iterate<'_>, level: Level, crew: &mut Crew) {
        let Iterate { blocks, joints, bodies, constants, .. } = iterate;
        if cfg!(debug_assertions) {
            let Self { seen, .. } = self;
            assert_disjoint(
                &self.groups,
                &self.blocks,
                blocks.iter().map(|block| [block.a, block.b]),
                bodies,
                seen,
            );
            let records = joints.iter().map(|block| [block.a, block.b]);
            assert_disjoint(&self.joint_groups, &self.joints, records, bodies, seen);
        }
        let Bodies { velocities, bases, displacements, kicks, damping, joined, movable, .. } = bodies;
        let first = self.blocks.len() as u32 - 1;
        let substeps = Substeps {
            blocks: Shared::new(blocks, 0, &self.blocks),
            joints: Shared::new(joints, first + self.bodies.len() as u32 - 1, &self.joints),
            velocities: Shared::new(velocities, first, &self.bodies),
            bases: Shared::new(bases, first, &self.bodies),
            displacements: Shared::new(displacements, first, &self.bodies),
            kicks,
            damping,
            joined,
            movable: *movable,
            constants,
            level,
        };
        crew.run(&substeps, &self.substeps);
    }
}

/// Divides blocks into chunks that begin and end at `bounds`, of which `groups` may be solved at the same time: `colors`
/// has for each color the number of the block after its last one.
fn divide(colors: &[u32], least: u32, most: u32, bounds: &mut Vec<u32>, groups: &mut Vec<Range<u32>>) {
    bounds.clear();
    bounds.push(0);
    groups.clear();
    let (mut start, mut in_one) = (0, false);
    for &end in colors {
        let pieces = ((end - start) / least).min(most);
        let chunk = bounds.len() as u32 - 1;
        if pieces > 1 {
            bounds.extend((1..=pieces).map(|piece| part(start..end, piece, pieces)));
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

/// That no movable record is in two blocks of a group of several chunks; `seen` is memory.
fn assert_disjoint(
    groups: &[Range<u32>],
    bounds: &[u32],
    blocks: impl Iterator<Item = [[u32; BLOCK]; 2]>,
    bodies: &Bodies,
    seen: &mut Vec<u32>,
) {
    seen.clear();
    seen.resize(bodies.slots.len(), u32::MAX);
    let mut groups = groups.iter().zip(0..).peekable();
    for (index, records) in (0..).zip(blocks) {
        let is_past = |(group, _): &(&Range<u32>, u32)| bounds[group.end as usize] <= index;
        while groups.next_if(is_past).is_some() {}
        let Some(&(group, number)) = groups.peek() else { return };
        for record in records.into_iter().flatten().filter(|&record| bodies.is_movable(record)) {
            let seen = core::mem::replace(&mut seen[record as usize], number);
            assert!(group.len() == 1 || seen != number, "record {record} is twice in group {number}");
        }
    }
}

/// Where piece `piece` of `pieces` begins.
fn part(range: Range<u32>, piece: u32, pieces: u32) -> u32 {
    range.start + (u64::from(range.end - range.start) * u64::from(piece) / u64::from(pieces)) as u32
}

/// Substeps, chunk by chunk.
struct Substeps<'a> {
    blocks: Shared<'a, Block>,
    joints: Shared<'a, JointBlock>,
    velocities: Shared<'a, Velocity>,
    bases: Shared<'a, Velocity>,
    displacements: Shared<'a, Displacement>,
    kicks: &'a [Velocity],
    damping: &'a [[i32; 2]],
    joined: &'a [bool],
    movable: usize,
    constants: super::iterate::Constants,
    level: Level,
}

impl Job for Substeps<'_> {
    type Work = Work;

    fn run(&self, work: Work, claim: &mut Claim) {
        let (constants, level) = (&self.constants, self.level);
        match work {
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
            Work::Blocks(work) => {
                let velocities = self.velocities.records(self.movable);
                constants.solve(level, work, self.blocks.part(claim), velocities, self.displacements.all());
            }
            Work::Refresh => constants.refresh(level, self.joints.part(claim), self.displacements.all()),
            Work::Joints(work) => {
                let velocities = self.velocities.records(self.movable);
                work.run(self.joints.part(claim), velocities, level);
            }
        }
    }
}
