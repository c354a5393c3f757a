//! Substeps on several threads: which blocks may be solved at the same time, and what is done stage by stage.
//!
//! Blocks of one color have no movable body in common, so they are a stage of chunks; a few blocks, and those of the
//! colors after them that have as few, are one chunk, which a single thread does one after the other. What is done to
//! all blocks in any sequence, and to bodies, is a stage of chunks of its own.

use super::Block;
use super::bodies::{Bodies, Displacement, Velocity};
use super::iterate::{BodyWork, Iterate, Work, works};
use crate::parallel::{Claim, Crew, Job, Shared, Stage};
use alloc::vec::Vec;
use core::ops::Range;
use isostep_math::wide::Level;

/// The fewest blocks of a chunk, which take about half a microsecond a pass: as long as it takes threads to tell each
/// other of a stage and of its end.
const LEAST_BLOCKS: u32 = 4;

/// The fewest bodies of a chunk.
const LEAST_BODIES: u32 = 128;

/// What threads do in a step, and memory for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    /// Where chunks of blocks begin, and where the last one ends.
    blocks: Vec<u32>,
    /// Of bodies; their chunks are numbered after those of blocks.
    bodies: Vec<u32>,
    /// Chunks of blocks that may be solved at the same time, in the order of colors.
    groups: Vec<Range<u32>>,
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

    /// Plans the step: `colors` has for each color the number of the block after its last one.
    pub(crate) fn plan(&mut self, colors: &[u32], records: usize, substeps: u32, crew: &Crew) {
        let threads = crew.threads() as u32;
        let least_blocks = if crew.is_eager() { 1 } else { LEAST_BLOCKS };
        let least_bodies = if crew.is_eager() { 1 } else { LEAST_BODIES };
        self.blocks.clear();
        self.blocks.push(0);
        self.groups.clear();
        let (mut start, mut in_one) = (0, false);
        for &end in colors {
            // One for each thread: with more, what threads have in their caches changes hands more often.
            let pieces = ((end - start) / least_blocks).min(threads);
            let chunk = self.blocks.len() as u32 - 1;
            if pieces > 1 {
                self.blocks.extend((1..=pieces).map(|piece| part(start..end, piece, pieces)));
                self.groups.push(chunk..chunk + pieces);
            } else if let (true, Some(last)) = (in_one, self.blocks.last_mut()) {
                *last = end;
            } else {
                self.blocks.push(end);
                self.groups.push(chunk..chunk + 1);
            }
            (start, in_one) = (end, pieces <= 1);
        }
        let records = records as u32;
        let pieces = (records / least_bodies).clamp(1, threads);
        self.bodies.clear();
        self.bodies.extend((0..=pieces).map(|piece| part(0..records, piece, pieces)));

        let blocks = 0..self.blocks.len() as u32 - 1;
        let bodies = blocks.end..blocks.end + pieces;
        self.substeps.clear();
        for work in works(substeps) {
            match work {
                Work::Bodies(_) => self.substeps.push(Stage { work, chunks: bodies.clone() }),
                Work::Measure => self.substeps.push(Stage { work, chunks: blocks.clone() }),
                Work::Blocks(_) => {
                    self.substeps.extend(self.groups.iter().cloned().map(|chunks| Stage { work, chunks }));
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
        let Iterate { blocks, bodies, constants, .. } = iterate;
        if cfg!(debug_assertions) {
            self.assert_disjoint(blocks, bodies);
        }
        let Bodies { velocities, displacements, kicks, damping, movable, .. } = bodies;
        let first = self.blocks.len() as u32 - 1;
        let substeps = Substeps {
            blocks: Shared::new(blocks, 0, &self.blocks),
            velocities: Shared::new(velocities, first, &self.bodies),
            displacements: Shared::new(displacements, first, &self.bodies),
            kicks,
            damping,
            movable: *movable,
            constants,
            level,
        };
        crew.run(&substeps, &self.substeps);
    }

    /// That no movable record is in two blocks of a group of several chunks.
    fn assert_disjoint(&mut self, blocks: &[Block], bodies: &Bodies) {
        self.seen.clear();
        self.seen.resize(bodies.slots.len(), u32::MAX);
        for (group, number) in self.groups.iter().zip(0..).filter(|(group, _)| group.len() > 1) {
            let range = self.blocks[group.start as usize] as usize..self.blocks[group.end as usize] as usize;
            for record in blocks[range].iter().flat_map(|block| block.a.iter().chain(&block.b)) {
                if bodies.is_movable(*record) {
                    let seen = core::mem::replace(&mut self.seen[*record as usize], number);
                    assert!(seen != number, "record {record} is twice in group {number}");
                }
            }
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
    velocities: Shared<'a, Velocity>,
    displacements: Shared<'a, Displacement>,
    kicks: &'a [Velocity],
    damping: &'a [[i32; 2]],
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
                constants.accelerate(level, self.velocities.part(claim), kicks, damping);
            }
            Work::Bodies(BodyWork::Advance) => {
                let (velocities, displacements) = self.velocities.parts(&self.displacements, claim);
                constants.advance(level, velocities, displacements);
            }
            Work::Measure => constants.measure(level, self.blocks.part(claim), self.displacements.all()),
            Work::Blocks(work) => {
                let velocities = self.velocities.records(self.movable);
                constants.solve(level, work, self.blocks.part(claim), velocities, self.displacements.all());
            }
        }
    }
}
