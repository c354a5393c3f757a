//! The substeps, in lanes.
//!
//! A substep: velocities take what accelerates them; contacts start with the impulses that they had; normals are solved
//! as springs, twice; bodies move; contacts are solved without springs and with friction, which takes out the velocity
//! that the springs put in. After the last one, points that hit hard enough get the velocity of their bounce.
//!
//! Friction holds what moves, not what springs push: solved among the springs it made stacks rock, and kept them from
//! being as stiff as two sweeps over the normals allow for.

use super::bodies::{Bodies, Displacement, Velocity};
use super::friction::{resist_rolling, solve_friction};
use super::joints::{JointBlock, JointWork, Refresh};
use super::motion::{Accelerate, Advance, Period};
use super::normals::{self, MOST};
use super::pair::{Line, Pair};
use super::prepare::gained;
use super::records::Records;
use super::softness::Softness;
use super::{Block, Column, Over, Pass, Row};
use super::{load, load_total, load3, records, store, store_saturating, store_total};
use isostep_math::wide::{Backend, Lanes, Level, Mask, dot3, shr_round3, sub3};

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
    /// From substeps a second, the greatest speed of a push (Q11.21), and the greatest component of a velocity: linear
    /// and angular, in the formats of the records.
    pub(crate) fn new(substep_rate: i64, push_speed: i64, speed_limits: [i64; 2]) -> Self {
        let offsets = Offsets { rate: substep_rate, push: -push_speed };
        Self { period: Period::new(substep_rate), offsets, speed_limits }
    }
}

/// What substeps do, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// To each body.
    Bodies(BodyWork),
    /// To each block, in any sequence.
    Measure,
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

/// What a substep does. Two sweeps go over the springs of normals.
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
const SUBSTEP_WITH_JOINTS: [Work; 16] = [
    Work::Bodies(BodyWork::Accelerate),
    Work::Joints(JointWork::WarmStart),
    Work::Blocks(BlockWork::WarmStart),
    Work::Blocks(BlockWork::SolveCenters),
    Work::Joints(JointWork::Solve),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Joints(JointWork::Solve),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Advance),
    Work::Refresh,
    Work::Blocks(BlockWork::RelaxCenters),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::RelaxLast),
    Work::Blocks(BlockWork::Relax),
];

/// All that a step does, in order.
pub(crate) fn works(substeps: u32, with_joints: bool) -> impl Iterator<Item = Work> {
    let (start, substep): (&[Work], &[Work]) = if with_joints {
        (&[Work::Refresh, Work::Measure], &SUBSTEP_WITH_JOINTS)
    } else {
        (&[Work::Measure], &SUBSTEP)
    };
    let substeps = (0..substeps).flat_map(move |_| substep);
    start.iter().chain(substeps).chain(&[Work::Blocks(BlockWork::Bounce)]).copied()
}

impl Iterate<'_> {
    /// Does all of it in this thread.
    pub(crate) fn run(self, level: Level) {
        let Self { blocks, joints, bodies, substeps, constants } = self;
        let movable = bodies.movable;
        let Bodies { velocities, displacements, kicks, damping, .. } = bodies;
        for work in works(substeps, !joints.is_empty()) {
            match work {
                Work::Bodies(BodyWork::Accelerate) => constants.accelerate(level, velocities, kicks, damping),
                Work::Bodies(BodyWork::Advance) => constants.advance(level, velocities, displacements),
                Work::Measure => constants.measure(level, blocks, displacements),
                Work::Blocks(work) => {
                    constants.solve(level, work, blocks, Records::new(velocities, movable), displacements);
                }
                Work::Refresh => constants.refresh(level, joints, displacements),
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
        velocities: &mut [Velocity],
        kicks: &[Velocity],
        damping: &[[i32; 2]],
    ) {
        level.dispatch(Accelerate { velocities, kicks, damping, speed_limits: self.speed_limits });
    }

    /// Moves bodies.
    pub(crate) fn advance(&self, level: Level, velocities: &[Velocity], displacements: &mut [Displacement]) {
        level.dispatch(Advance { velocities, displacements, period: self.period });
    }

    /// Finds the offsets of blocks.
    pub(crate) fn measure(&self, level: Level, blocks: &mut [Block], displacements: &[Displacement]) {
        level.dispatch(Over { blocks, pass: Measure { displacements, offsets: self.offsets } });
    }

    /// Makes the rows of joints where the bodies are.
    pub(crate) fn refresh(&self, level: Level, joints: &mut [JointBlock], displacements: &[Displacement]) {
        Refresh { rate: self.offsets.rate }.run(joints, displacements, level);
    }

    /// Lets blocks change the velocities of their bodies, one after the other.
    pub(crate) fn solve(
        &self,
        level: Level,
        work: BlockWork,
        blocks: &mut [Block],
        velocities: Records<'_>,
        displacements: &[Displacement],
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

/// What offsets are made with.
#[derive(Clone, Copy)]
struct Offsets {
    /// Substeps a second.
    rate: i64,
    /// The greatest speed of a push, below 0.
    push: i64,
}

/// Finds the offsets of all points.
struct Measure<'a> {
    displacements: &'a [Displacement],
    offsets: Offsets,
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
    displacements: &'a [Displacement],
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
    displacements: &'a [Displacement],
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
        pair.twist([&block.twist_a, &block.twist_b], load(&block.twist_impulse, at), at);
        pair.scatter(block, at, velocities);
    }
}

/// How far both bodies moved since the start of the step.
#[derive(Clone, Copy)]
struct Moved<B: Backend<N>, const N: usize> {
    /// Apart along the normal, Q24.
    apart: Lanes<B, N>,
    /// Rotation vectors, Q24.
    turned_a: [Lanes<B, N>; 3],
    turned_b: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Moved<B, N> {
    #[inline(always)]
    fn gather(block: &Block, at: usize, displacements: &[Displacement], normal: [Lanes<B, N>; 3]) -> Self {
        let a = Lanes::<B, N>::gather_records(displacements, &records::<N>(&block.a, at));
        let b = Lanes::<B, N>::gather_records(displacements, &records::<N>(&block.b, at));
        let moved = sub3([b[0], b[1], b[2]], [a[0], a[1], a[2]]);
        Self {
            // Q32 to Q24.
            apart: dot3(normal, shr_round3::<B, N, 8>(moved)).shr_round::<30>(),
            turned_a: shr_round3::<B, N, 8>([a[4], a[5], a[6]]),
            turned_b: shr_round3::<B, N, 8>([b[4], b[5], b[6]]),
        }
    }

    /// How far the point of a row is apart now, Q24, which was `before` at the start of the step.
    #[inline(always)]
    fn separation(&self, row: &Row, before: &Column, at: usize) -> Lanes<B, N> {
        let arms = dot3(load3(&row.arm_b, at), self.turned_b) - dot3(load3(&row.arm_a, at), self.turned_a);
        let separation = load::<B, N>(before, at) + self.apart + arms.shr_round::<24>();
        let most = Lanes::splat(MOST);
        separation.clamp(-most, most)
    }
}

impl Offsets {
    /// Finds those of all points and of the centre.
    #[inline(always)]
    fn measure<B: Backend<N>, const N: usize>(self, block: &mut Block, at: usize, moved: &Moved<B, N>) {
        let softness = block.softness.rate::<B, N>(at);
        for point in &mut block.points[..block.count] {
            let separation = moved.separation(&point.row, &point.separation, at);
            self.put(separation, softness, &mut point.offset, at);
        }
        let center = &mut block.center;
        let separation = moved.separation(&center.row, &center.separation, at);
        self.put(separation, softness, &mut center.offset, at);
    }

    #[inline(always)]
    fn put<B: Backend<N>, const N: usize>(
        self,
        separation: Lanes<B, N>,
        softness: Lanes<B, N>,
        offset: &mut Column,
        at: usize,
    ) {
        // What is apart may close the gap in a substep. Q24 to Q21.
        let closing = Lanes::splat(self.rate).mul32(separation).shr_round::<3>();
        let back = softness.mul32(separation).shr_round::<{ Softness::RATE_BITS + 3 }>();
        let back = back.max(Lanes::splat(self.push));
        store_saturating(separation.gt(Lanes::zero()).select(closing, back), offset, at);
    }
}

impl Pass<Block> for Measure<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let moved = Moved::<B, N>::gather(block, at, self.displacements, load3(&block.normal, at));
        self.offsets.measure(block, at, &moved);
    }
}

impl Pass<Block> for SolveCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
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
        let moved = Moved::<B, N>::gather(block, at, self.displacements, load3(&block.normal, at));
        self.offsets.measure(block, at, &moved);
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
        let moved = Moved::gather(block, at, self.displacements, normal);
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
