//! The substeps, in lanes.
//!
//! A substep: velocities take what accelerates them; contacts start with the impulses that they had; normals are solved
//! as springs, twice; bodies move; contacts are solved without springs and with friction, which takes out the velocity
//! that the springs put in. After the last one, points that hit hard enough get the velocity of their bounce.
//!
//! The first substep starts contacts row by row. Later ones start them body by body: see [`Accelerate`].
//!
//! Friction holds what moves, not what springs push: solved among the springs it made stacks rock, and kept them from
//! being as stiff as two sweeps over the normals allow for.

use super::bodies::{Bodies, Displacement, Velocity};
use super::friction::{resist_rolling, solve_friction};
use super::joints::{JointBlock, JointWork, Refresh};
use super::motion::{Accelerate, Advance, Period, change_bases};
use super::normals::{self, MOST};
use super::offsets::{Moved, Offsets};
use super::pair::{Line, Pair};
use super::prepare::gained;
use super::records::Records;
use super::{Block, Over, Pass};
use super::{load, load_total, load3, store, store_total};
use isostep_math::wide::{Backend, Lanes, Level, Mask};

/// Runs all substeps of a step.
pub(crate) struct Iterate<'a> {
    pub(crate) blocks: &'a mut [Block],
    pub(crate) joints: &'a mut [JointBlock],
    pub(crate) bodies: &'a mut Bodies,
    pub(crate) substeps: u32,
    pub(crate) constants: Constants,
}

/// What substeps are made with.
#[derive(Clone, Copy)]
pub(crate) struct Constants {
    period: Period,
    offsets: Offsets,
    speed_limits: [i64; 2],
}

impl Constants {
    /// From the greatest component of a velocity, too: linear and angular, in the formats of the records.
    pub(crate) fn new(offsets: Offsets, speed_limits: [i64; 2]) -> Self {
        Self { period: Period::new(offsets.rate), offsets, speed_limits }
    }
}

/// What substeps do, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// To each body.
    Bodies(BodyWork),
    /// To each block, color after color.
    Blocks(BlockWork),
    /// To each block of joints, in any sequence.
    Refresh,
    /// To each block of joints, color after color.
    Joints(JointWork),
}

/// What is done to bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyWork {
    Accelerate,
    /// Before joints are solved, and after it.
    Joints {
        after: bool,
    },
    Advance,
}

/// What blocks do to the velocities of their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockWork {
    WarmStart,
    SolveCenters,
    SolveSprings,
    RelaxCenters,
    Relax,
    Bounce,
}

/// What a substep does: the first one [starts contacts](BlockWork::WarmStart), too. Two sweeps go over the springs of
/// normals.
const SUBSTEP: [Work; 8] = [
    Work::Bodies(BodyWork::Accelerate),
    Work::Blocks(BlockWork::WarmStart),
    Work::Blocks(BlockWork::SolveCenters),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Advance),
    Work::Blocks(BlockWork::RelaxCenters),
    Work::Blocks(BlockWork::Relax),
];

/// What a substep does where there are joints. They go before the contacts, which are to have the last word.
///
/// Four sweeps go over joints without springs: what springs put in and these leave, chains take for motion. With one, a
/// load of a hundred links never comes to rest.
const SUBSTEP_WITH_JOINTS: [Work; 24] = [
    Work::Bodies(BodyWork::Accelerate),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::WarmStart),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::WarmStart),
    Work::Blocks(BlockWork::SolveCenters),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Solve),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Solve),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Advance),
    Work::Refresh,
    Work::Blocks(BlockWork::RelaxCenters),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::RelaxLast),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::Relax),
];

/// All that a step does, in order.
pub(crate) fn works(substeps: u32, with_joints: bool) -> impl Iterator<Item = Work> {
    let (start, substep): (&[Work], &[Work]) =
        if with_joints { (&[Work::Refresh], &SUBSTEP_WITH_JOINTS) } else { (&[], &SUBSTEP) };
    let is_done = |index, work| index == 0 || work != Work::Blocks(BlockWork::WarmStart);
    let substeps =
        (0..substeps).flat_map(move |index| substep.iter().filter(move |work| is_done(index, **work)));
    start.iter().chain(substeps).chain(&[Work::Blocks(BlockWork::Bounce)]).copied()
}

impl Iterate<'_> {
    /// Does all of it in this thread.
    pub(crate) fn run(self, level: Level) {
        let Self { blocks, joints, bodies, substeps, constants } = self;
        let movable = bodies.movable;
        let Bodies { velocities, bases, displacements, kicks, damping, joined, .. } = bodies;
        for work in works(substeps, !joints.is_empty()) {
            match work {
                Work::Bodies(BodyWork::Accelerate) => {
                    constants.accelerate(level, [velocities, bases], kicks, damping);
                }
                Work::Bodies(BodyWork::Joints { after }) => change_bases(velocities, bases, joined, after),
                Work::Bodies(BodyWork::Advance) => constants.advance(level, velocities, displacements),
                Work::Blocks(work) => {
                    let records = [&mut *velocities, &mut *displacements];
                    let [velocities, displacements] = records.map(|records| Records::new(records, movable));
                    constants.solve(level, work, blocks, velocities, displacements);
                }
                Work::Refresh => constants.refresh(level, joints, Records::new(displacements, movable)),
                Work::Joints(work) => work.run(joints, Records::new(velocities, movable), level),
            }
        }
    }
}

impl Constants {
    /// Gives bodies the velocities of the next substep.
    pub(crate) fn accelerate(
        &self,
        level: Level,
        [velocities, bases]: [&mut [Velocity]; 2],
        kicks: &[Velocity],
        damping: &[[i32; 2]],
    ) {
        level.dispatch(Accelerate { velocities, bases, kicks, damping, speed_limits: self.speed_limits });
    }

    /// Moves bodies.
    pub(crate) fn advance(&self, level: Level, velocities: &[Velocity], displacements: &mut [Displacement]) {
        level.dispatch(Advance { velocities, displacements, period: self.period });
    }

    /// Makes the rows of joints where the bodies are.
    pub(crate) fn refresh(&self, level: Level, joints: &mut [JointBlock], displacements: Records<'_>) {
        Refresh { rate: self.offsets.rate }.run(joints, displacements, level);
    }

    /// Lets blocks change the velocities of their bodies, one after the other.
    pub(crate) fn solve(
        &self,
        level: Level,
        work: BlockWork,
        blocks: &mut [Block],
        velocities: Records<'_>,
        displacements: Records<'_>,
    ) {
        let offsets = self.offsets;
        match work {
            BlockWork::WarmStart => level.dispatch(Over { blocks, pass: WarmStart { velocities } }),
            BlockWork::SolveCenters => level.dispatch(Over { blocks, pass: SolveCenters { velocities } }),
            BlockWork::SolveSprings => level.dispatch(Over { blocks, pass: SolveSprings { velocities } }),
            BlockWork::RelaxCenters => {
                level.dispatch(Over { blocks, pass: RelaxCenters { velocities, displacements, offsets } });
            }
            BlockWork::Relax => level.dispatch(Over { blocks, pass: Relax { velocities } }),
            BlockWork::Bounce => level.dispatch(Over { blocks, pass: Bounce { velocities, displacements } }),
        }
    }
}

/// Starts contacts with the impulses that they had.
struct WarmStart<'a> {
    velocities: Records<'a>,
}

/// Solves contacts as springs, as far as all points of one move alike.
struct SolveCenters<'a> {
    velocities: Records<'a>,
}

/// Solves normals as springs.
struct SolveSprings<'a> {
    velocities: Records<'a>,
}

/// Finds the offsets of bodies that moved, and solves contacts without springs, as far as all points of one move alike.
struct RelaxCenters<'a> {
    velocities: Records<'a>,
    displacements: Records<'a>,
    offsets: Offsets,
}

/// Solves contacts without springs, and friction.
struct Relax<'a> {
    velocities: Records<'a>,
}

/// Lets points part with the velocity of their bounce, if they pressed at all.
///
/// That is meant for where they touch: what a step found deep inside gets the speed that brings it there with it.
struct Bounce<'a> {
    velocities: Records<'a>,
    displacements: Records<'a>,
}

impl Pass<Block> for WarmStart<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut line = Line::<B, N>::gather(block, at, &*velocities);
        for point in &block.points[..block.count] {
            line.push(&point.row, load(&point.impulse, at), at);
        }
        let mut pair = line.finish();
        for (t, row) in block.friction.iter().enumerate() {
            pair.push(load3(&block.tangents[t], at), row, load(&block.friction_impulse[t], at), at);
        }
        if block.twists {
            pair.twist([&block.twist_a, &block.twist_b], load(&block.twist_impulse, at), at);
        }
        pair.scatter(block, at, velocities);
    }
}

impl Pass<Block> for SolveCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        if !block.has_center() {
            return;
        }
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        normals::solve_center::<B, N, true>(block, at, &mut pair);
        pair.scatter(block, at, velocities);
    }
}

impl Pass<Block> for SolveSprings<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        normals::solve::<B, N, true>(block, at, &mut pair);
        pair.scatter(block, at, velocities);
    }
}

impl Pass<Block> for RelaxCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let moved = Moved::<B, N>::gather(block, at, &self.displacements, load3(&block.normal, at));
        self.offsets.measure(block, at, &moved);
        if !block.has_center() {
            return;
        }
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        normals::solve_center::<B, N, false>(block, at, &mut pair);
        pair.scatter(block, at, velocities);
    }
}

impl Pass<Block> for Relax<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        let total = normals::solve::<B, N, false>(block, at, &mut pair);
        if block.rolls {
            resist_rolling::<B, N>(block, at, &mut pair, total);
        }
        solve_friction::<B, N>(block, at, &mut pair, total);
        pair.scatter(block, at, velocities);
    }
}

impl Pass<Block> for Bounce<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let zero = Lanes::zero();
        let mut any = Mask::splat(false);
        for point in &block.points[..block.count] {
            any = any | load::<B, N>(&point.bounce, at).gt(zero);
        }
        if !any.any() {
            return;
        }
        let mut line = Line::<B, N>::gather(block, at, &self.velocities);
        let normal = load3::<B, N>(&block.normal, at);
        let moved = Moved::gather(block, at, &self.displacements, normal);
        let acceleration = load::<B, N>(&block.acceleration, at);
        for point in &mut block.points[..block.count] {
            let speed = load::<B, N>(&point.bounce, at);
            let inside = moved.separation(&point.row, &point.separation, at).min(zero);
            let target = speed + gained(acceleration, inside, speed);
            let total = load_total::<B, N>(&point.total, at);
            let old = load::<B, N>(&point.impulse, at);
            let bounces = target.gt(zero) & total.gt(zero);
            let change = bounces.keep(line.along(&point.row, at) - target);
            let new = (old - change).clamp(zero, Lanes::splat(MOST));
            store(new, &mut point.impulse, at);
            let sum = total + new - old;
            store_total(sum, &mut point.total, at);
            line.push(&point.row, new - old, at);
        }
        line.finish().scatter(block, at, &mut self.velocities);
    }
}
