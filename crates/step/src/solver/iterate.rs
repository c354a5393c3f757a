//! The substeps, in lanes.
//!
//! A substep: velocities take what accelerates them; contacts start with the impulses that they had; what all points of one
//! have in common is solved, with friction; normals are solved as springs, twice; bodies move; contacts are solved without
//! springs and with friction, which takes out the velocity that the springs put in. After the last one, points that hit hard
//! enough get the velocity of their bounce.
//!
//! The first substep starts contacts row by row. Later ones start them body by body: see [`Accelerate`].
//!
//! Friction holds what moves, not what springs push: solved among the springs of points it made stacks rock, and kept them
//! from being as stiff as two sweeps over the normals allow for. But what stands leans a little, and what that asks of friction
//! differs from what it held before: bodies that move before it is solved slide by as much in every substep, which topples
//! towers and walls. So it goes with what all points have in common, before the springs, and before bodies move.

use super::ahead::END_OF_POINTS;
use super::bodies::{Bodies, Displacement, Velocity};
use super::colors::Places;
use super::forget::Forget;
use super::friction::{can_hold, push_all, resist_sliding, rub};
use super::joints::{JointBlock, JointWork, Refresh, Way};
use super::motion::{Accelerate, Advance, Period, Shift, change_bases};
use super::normals::{self, Solved, Sweep};
use super::offsets::{Moved, Offsets};
use super::pair::Pair;
use super::prepare::gained;
use super::records::{Records, are_joined};
use super::settle::{bounce, is_much, resting, settle};
use super::{Ahead, Backwards, Block, INVERSE_BITS, Over, Pass, Point};
use super::{load, load_total, load3, store, store_saturating};
use core::mem::offset_of;
use core::ops::Range;
use isostep_math::wide::{Backend, Lanes, Level, Mask};

/// Runs all substeps of a step.
pub(crate) struct Iterate<'a> {
    pub(crate) blocks: &'a mut [Block],
    pub(crate) places: &'a Places,
    pub(crate) joints: &'a mut [JointBlock],
    /// The blocks of joints that sweeps [come back](Way::Back) to.
    pub(crate) back: Range<usize>,
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
    /// To all blocks: their rows.
    Prepare,
    /// To each body.
    Bodies(BodyWork),
    /// To each block, color after color.
    Blocks(BlockWork),
    /// To each block, from the last color to the first: what is restless is relaxed again.
    RelaxBack,
    /// To each block, color after color, where there are joints: what hits bodies with joints is not what the next substep
    /// starts with.
    Forget,
    /// To each block of joints, in any sequence. They begin with the rows of where bodies are.
    Refresh,
    /// To each block of joints, color after color.
    Joints(JointWork),
}

impl Work {
    /// Whether it is done to blocks of contacts.
    pub(crate) const fn is_of_blocks(self) -> bool {
        matches!(self, Self::Prepare | Self::Blocks(_) | Self::RelaxBack | Self::Forget)
    }
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
    /// Moves by what corrects joints.
    Shift,
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
/// normals. What is relaxed is so on the way back, too, slab by slab, where it is restless.
///
/// It is in stages, all of each of which is done to a slab at once: contacts of a slab have bodies in it and in the one
/// before it, so this sees only what the stage has done to these, as it should.
const SUBSTEP: [&[Work]; 6] = [
    &[Work::Bodies(BodyWork::Accelerate), Work::Blocks(BlockWork::WarmStart)],
    &[Work::Blocks(BlockWork::SolveCenters)],
    &[Work::Blocks(BlockWork::SolveSprings)],
    &[Work::Blocks(BlockWork::SolveSprings)],
    &[Work::Bodies(BodyWork::Advance), Work::Blocks(BlockWork::RelaxCenters)],
    &[Work::Blocks(BlockWork::Relax), Work::RelaxBack],
];

/// What a step begins with, if rows are not there.
const PREPARE: Work = Work::Prepare;

/// What a step ends with.
const BOUNCE: Work = Work::Blocks(BlockWork::Bounce);

/// What a substep does where there are joints. They go before the contacts, which are to have the last word.
///
/// Four sweeps there and back before bodies move are what makes chains stiff: how far they swing out under a load that comes at
/// once, and for how long, goes down with that number. Two after it take out what contacts put in, and what turns away.
const SUBSTEP_WITH_JOINTS: [Work; 33] = [
    Work::Bodies(BodyWork::Accelerate),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Lead),
    Work::Joints(JointWork::WarmStart),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::WarmStart),
    Work::Blocks(BlockWork::SolveCenters),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Solve(Way::There)),
    Work::Joints(JointWork::Solve(Way::Back)),
    Work::Joints(JointWork::Solve(Way::There)),
    Work::Joints(JointWork::Solve(Way::Back)),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Solve(Way::There)),
    Work::Joints(JointWork::Solve(Way::Back)),
    Work::Joints(JointWork::Solve(Way::There)),
    Work::Joints(JointWork::Solve(Way::Back)),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::SolveSprings),
    Work::Bodies(BodyWork::Advance),
    Work::Refresh,
    Work::Joints(JointWork::Correct),
    Work::Bodies(BodyWork::Shift),
    Work::Blocks(BlockWork::RelaxCenters),
    Work::Bodies(BodyWork::Joints { after: false }),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Relax),
    Work::Joints(JointWork::Note),
    Work::Bodies(BodyWork::Joints { after: true }),
    Work::Blocks(BlockWork::Relax),
    Work::RelaxBack,
];

/// How stages follow each other through slabs: as waves, of some stages each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How many stages a wave has.
    stages: usize,
    /// How many parts its way has, one for each thread.
    parts: usize,
    /// Whether making rows is the first stage.
    prepares: bool,
}

impl Pace {
    /// Of one thread: a step of four substeps goes through the slabs in three waves. As many slabs as there are stages lie
    /// between the first of these and the last, so with more they do not stay in the caches.
    const fn alone(prepares: bool) -> Self {
        Self { stages: 9, parts: 1, prepares }
    }

    /// Of threads. One begins with a wave when the one before it is done with its part of that, so the more there are, the
    /// shorter waves have to be.
    #[cfg(any(test, feature = "parallel"))]
    pub(crate) const fn of_threads(threads: usize) -> Self {
        let others = if threads > 1 { threads - 1 } else { 1 };
        Self { stages: SUBSTEP.len().div_ceil(others), parts: threads, prepares: false }
    }
}

/// A work that is done to a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) work: Work,
    pub(crate) slab: usize,
    /// The part of the wave's way.
    pub(crate) part: usize,
    /// The slab that its wave comes to next, or else the next wave does: another one.
    next: Option<Next>,
}

/// A slab that the caches are to bring, and which of so many parts of it during a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Next {
    slab: usize,
    part: usize,
    parts: usize,
}

/// Tells all that a step does, in order, and to which slabs.
///
/// A stage is done to a slab after the stage before it was done to that one and to the next one, and after itself was done
/// to the one before. That is all that it could tell from stage after stage. Joints, which may be between any bodies,
/// are solved in one slab alone.
pub(crate) fn each_work(
    substeps: u32,
    with_joints: bool,
    slabs: usize,
    pace: Pace,
    mut visit: impl FnMut(Visit),
) {
    debug_assert!(slabs == 1 || !with_joints);
    let is_done = |substep: usize, work: Work| substep == 0 || work != Work::Blocks(BlockWork::WarmStart);
    if with_joints {
        let mut visit = |work| visit(Visit { work, slab: 0, part: 0, next: None });
        for substep in 0..substeps as usize {
            if substep > 0 {
                visit(Work::Forget);
            }
            SUBSTEP_WITH_JOINTS.iter().filter(|&&work| is_done(substep, work)).for_each(|&work| visit(work));
        }
        return visit(BOUNCE);
    }
    // Stages are numbered from the first one of the first substep on, with one more in front of it.
    let (start, last) = (usize::from(!pace.prepares), 1 + substeps as usize * SUBSTEP.len());
    let works = |stage: usize| {
        let (substep, works) = match stage.checked_sub(1) {
            None => (0, &[PREPARE][..]),
            Some(_) if stage == last => (0, &[BOUNCE][..]),
            Some(stage) => (stage / SUBSTEP.len(), SUBSTEP[stage % SUBSTEP.len()]),
        };
        works.iter().copied().filter(move |&work| is_done(substep, work))
    };
    let has_blocks = |&stage: &usize| works(stage).any(Work::is_of_blocks);
    for first in (start..=last).step_by(pace.stages) {
        let stages = first..(last + 1).min(first + pace.stages);
        let way = slabs + stages.len() - 1;
        let parts = stages.clone().filter(has_blocks).count();
        for time in 0..way {
            // A wave ends in the last slab, and the next one begins in the first.
            let coming = if time + 1 < slabs { Some(time + 1) } else { (time + 1 == way).then_some(0) };
            let mut told = 0;
            for (stage, behind) in stages.clone().zip(0..=time) {
                let (slab, part) = (time - behind, told);
                told += usize::from(has_blocks(&stage));
                if slab < slabs {
                    let next = coming.filter(|&next| next != slab).map(|slab| Next { slab, part, parts });
                    works(stage).for_each(|work| {
                        // The way there has told.
                        let next = next.filter(|_| work != Work::RelaxBack);
                        visit(Visit { work, slab, part: time * pace.parts / way, next });
                    });
                }
            }
        }
    }
}

impl Iterate<'_> {
    /// Does all of it in this thread. Of several slabs the rows are not there: `prepare` makes them, of blocks of which the
    /// first one has that number.
    pub(crate) fn run(self, level: Level, prepare: impl Fn(usize, &mut [Block], &Bodies, Ahead<'_>)) {
        let Self { blocks, places, joints, back, bodies, substeps, constants } = self;
        let (movable, pace) = (bodies.movable, Pace::alone(bodies.slabs.are_several()));
        each_work(substeps, !joints.is_empty(), bodies.slabs.count(), pace, |visit| match visit.work {
            Work::Prepare => {
                let first = places.blocks_of(visit.slab).start;
                let (blocks, ahead) = blocks_of(visit, blocks, places);
                prepare(first, blocks, bodies, ahead);
            }
            Work::Bodies(work) => {
                let Bodies {
                    velocities, bases, displacements, shifts, kicks, damping, joined, slabs, ..
                } = bodies;
                for range in slabs.records(visit.slab) {
                    let velocities = &mut velocities[range.clone()];
                    let bases = &mut bases[range.clone()];
                    match work {
                        BodyWork::Accelerate => {
                            let (kicks, damping) = (&kicks[range.clone()], &damping[range]);
                            constants.accelerate(level, [velocities, bases], kicks, damping);
                        }
                        BodyWork::Joints { after } => change_bases(velocities, bases, &joined[range], after),
                        BodyWork::Advance => constants.advance(level, velocities, &mut displacements[range]),
                        BodyWork::Shift => {
                            let displacements = &mut displacements[range.clone()];
                            constants.shift(level, &mut shifts[range.clone()], displacements, &joined[range]);
                        }
                    }
                }
            }
            Work::Blocks(work) => {
                let records = [&mut bodies.velocities[..], &mut bodies.displacements[..]];
                let [velocities, displacements] = records.map(|records| Records::new(records, movable));
                let (blocks, ahead) = blocks_of(visit, blocks, places);
                constants.solve(level, work, blocks, ahead, velocities, displacements);
            }
            Work::RelaxBack => {
                let (blocks, _) = blocks_of(visit, blocks, places);
                let velocities = Records::new(&mut bodies.velocities, movable);
                constants.relax_back(level, blocks, velocities, &bodies.joined);
            }
            Work::Forget => {
                let bases = Records::new(&mut bodies.bases, movable);
                constants.forget(level, blocks, bases, &bodies.joined);
            }
            Work::Refresh => {
                let [velocities, displacements] = [&mut bodies.velocities, &mut bodies.displacements]
                    .map(|records| Records::new(&mut records[..], movable));
                constants.refresh(level, joints, &velocities, &displacements);
            }
            Work::Joints(work) => {
                let [velocities, shifts] = [&mut bodies.velocities, &mut bodies.shifts]
                    .map(|records| Records::new(&mut records[..], movable));
                constants.solve_joints(level, work, work.blocks_of(joints, 0, &back), velocities, shifts);
            }
        });
    }
}

/// The blocks of a visit, and what the caches bring meanwhile.
fn blocks_of<'a>(visit: Visit, blocks: &'a mut [Block], places: &Places) -> (&'a mut [Block], Ahead<'a>) {
    let own = places.blocks_of(visit.slab);
    let Some(Next { slab, part, parts }) = visit.next else {
        return (&mut blocks[own], Ahead::of_next(places.slabs.len() > 1));
    };
    let next = places.blocks_of(slab);
    let (own, next) = if visit.slab < slab {
        let (before, after) = blocks.split_at_mut(next.start);
        (&mut before[own], &after[..next.len()])
    } else {
        let (before, after) = blocks.split_at_mut(own.start);
        (&mut after[..own.len()], &before[next])
    };
    (own, Ahead::with_later(next, part, parts))
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

    /// Moves bodies by their shifts, and leaves none.
    pub(crate) fn shift(
        &self,
        level: Level,
        shifts: &mut [Velocity],
        displacements: &mut [Displacement],
        joined: &[bool],
    ) {
        level.dispatch(Shift { shifts, displacements, joined, period: self.period });
    }

    /// Lets blocks of joints change the velocities of their bodies, or correct these.
    pub(crate) fn solve_joints(
        &self,
        level: Level,
        work: JointWork,
        joints: &mut [JointBlock],
        velocities: Records<'_>,
        shifts: Records<'_>,
    ) {
        work.run(joints, velocities, shifts, self.period, level);
    }

    /// Makes the rows of joints where the bodies are.
    pub(crate) fn refresh(
        &self,
        level: Level,
        joints: &mut [JointBlock],
        velocities: &Records<'_>,
        displacements: &Records<'_>,
    ) {
        let drift = Some((velocities, self.period));
        Refresh { rate: self.offsets.rate, drift }.run(joints, displacements, level);
    }

    /// Lets blocks of contacts forget what hit bodies with joints.
    pub(crate) fn forget(&self, level: Level, blocks: &mut [Block], bases: Records<'_>, joined: &[bool]) {
        level.dispatch(Over::new(blocks, Forget { bases, joined }));
    }

    /// Relaxes what is restless once more, from the last block to the first. `joined` tells which records have joints.
    pub(crate) fn relax_back(
        &self,
        level: Level,
        blocks: &mut [Block],
        velocities: Records<'_>,
        joined: &[bool],
    ) {
        level.dispatch(Backwards { blocks, pass: RelaxBack { velocities, joined } });
    }

    /// Lets blocks change the velocities of their bodies, one after the other.
    pub(crate) fn solve(
        &self,
        level: Level,
        work: BlockWork,
        blocks: &mut [Block],
        ahead: Ahead<'_>,
        velocities: Records<'_>,
        displacements: Records<'_>,
    ) {
        let offsets = self.offsets;
        match work {
            BlockWork::WarmStart => level.dispatch(Over { blocks, ahead, pass: WarmStart { velocities } }),
            BlockWork::SolveCenters => {
                level.dispatch(Over { blocks, ahead, pass: SolveCenters { velocities, push: offsets.push } });
            }
            BlockWork::SolveSprings => {
                level.dispatch(Over { blocks, ahead, pass: SolveSprings { velocities, push: offsets.push } });
            }
            BlockWork::RelaxCenters => {
                level.dispatch(Over {
                    blocks,
                    ahead,
                    pass: RelaxCenters { velocities, displacements, offsets },
                });
            }
            BlockWork::Relax => level.dispatch(Over { blocks, ahead, pass: Relax { velocities } }),
            BlockWork::Bounce => {
                level.dispatch(Over { blocks, ahead, pass: Bounce { velocities, displacements } });
            }
        }
    }
}

/// Starts contacts with the impulses that they had.
struct WarmStart<'a> {
    velocities: Records<'a>,
}

/// Solves contacts as springs, as far as all points of one move alike, and their friction.
struct SolveCenters<'a> {
    velocities: Records<'a>,
    /// Of [`Offsets`].
    push: i64,
}

/// Solves normals as springs.
struct SolveSprings<'a> {
    velocities: Records<'a>,
    /// Of [`Offsets`].
    push: i64,
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

/// Relaxes contacts once more, on the way back, where a face presses and the bodies still move against each other.
///
/// Sweeps in one sense take some of what they leave along with them: where contacts lie in a ring, that never ends. Bodies with
/// joints are left out: what contacts did to them, sweeps over joints have taken out as far as they could.
struct RelaxBack<'a> {
    velocities: Records<'a>,
    /// Which records have joints.
    joined: &'a [bool],
}

/// Lets points part with the velocity of their bounce, if they pressed at all, and rubs as they do.
///
/// That is meant for where they touch: what a step found deep inside gets the speed that brings it there with it.
struct Bounce<'a> {
    velocities: Records<'a>,
    displacements: Records<'a>,
}

/// Where contacts are to be relaxed again: all of their points press, and the bodies still move against each other; unless one
/// goes around with a body that turns.
#[inline(always)]
fn restless<B: Backend<N>, const N: usize>(block: &Block, at: usize, pair: &Pair<B, N>) -> Mask<B, N> {
    let none = Mask::splat(false);
    let moving = pair.is_moving();
    if !block.has_center() || !moving.any() {
        return none;
    }
    let pressing = normals::pressing(block, block.count, at, Sweep::Relax);
    pressing.map_or(none, |pressing| pressing.lanes & moving & !pair.is_carried_around())
}

/// Solves for what all points of contacts have in common, where all of them press; among springs with friction.
#[inline(always)]
fn solve_center<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    velocities: &mut Records<'_>,
    how: Sweep<B, N>,
) {
    if !block.has_center() {
        return;
    }
    let Some(pressing) = normals::pressing(block, block.count, at, how) else { return };
    let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
    let total = normals::solve_center(block, at, &mut pair, &pressing, how);
    if how.is_soft() {
        let held = pressing.lanes & !pair.is_carried_around();
        resist_sliding(block, at, &mut pair, total, Some(held));
    }
    pair.scatter(block, at, velocities);
}

impl Pass<Block> for WarmStart<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        let mut impulses = [Lanes::zero(); 4];
        for (impulse, point) in impulses.iter_mut().zip(&block.points[..block.count]) {
            *impulse = load(&point.impulse, at);
        }
        let [a, b, c, d] = impulses;
        store_saturating(a + b + c + d, &mut block.pressed, at);
        let [first, second] = &block.friction_impulse;
        let friction = [load(first, at), load(second, at)];
        let twist = if block.twists { load(&block.twist_impulse, at) } else { Lanes::zero() };
        push_all(block, at, &mut pair, &impulses, friction, twist);
        pair.scatter(block, at, velocities);
    }

    #[inline(always)]
    fn bring(&self, next: &Block) {
        next.bring(&self.velocities, offset_of!(Point, inverse), offset_of!(Block, scale));
    }
}

impl Pass<Block> for SolveCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        solve_center::<B, N>(block, at, &mut self.velocities, Sweep::springs(self.push));
    }

    #[inline(always)]
    fn bring(&self, next: &Block) {
        next.bring(&self.velocities, offset_of!(Point, place), offset_of!(Block, scale));
    }
}

impl Pass<Block> for SolveSprings<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        if normals::solve(block, at, &mut pair, Sweep::springs(self.push)).pushed {
            pair.scatter(block, at, velocities);
        }
    }

    #[inline(always)]
    fn bring(&self, next: &Block) {
        next.bring(&self.velocities, offset_of!(Point, total), offset_of!(Block, tangents));
    }
}

impl Pass<Block> for RelaxCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let moved = Moved::<B, N>::gather(block, at, &self.displacements, load3(&block.normal, at));
        self.offsets.measure(block, at, &moved);
        solve_center::<B, N>(block, at, &mut self.velocities, Sweep::Relax);
    }

    #[inline(always)]
    fn bring(&self, next: &Block) {
        next.bring(&self.velocities, offset_of!(Point, inverse), END_OF_POINTS);
        self.displacements.bring([&next.a, &next.b]);
        next.bring_points(offset_of!(Point, separation)..size_of::<Point>());
    }
}

impl Pass<Block> for Relax<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut pair = Pair::<B, N>::gather(block, at, &*velocities);
        let Solved { total, pushed } = normals::solve(block, at, &mut pair, Sweep::Relax);
        let holds = can_hold::<B, N>(block, at, total);
        let mut again = Mask::splat(false);
        if holds {
            let much = is_much(&rub(block, at, &mut pair, total, None));
            if much.any() {
                let targets = resting(block, at);
                settle(block, at, &mut pair, &targets, much);
            }
            again = restless(block, at, &pair);
        }
        store(again.keep(Lanes::splat(1)), &mut block.restless, at);
        if pushed || holds {
            pair.scatter(block, at, velocities);
        }
    }

    #[inline(always)]
    fn bring(&self, next: &Block) {
        next.bring(&self.velocities, offset_of!(Point, separation), offset_of!(Block, scale));
    }
}

impl Pass<Block> for RelaxBack<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let mut again = load::<B, N>(&block.restless, at).gt(Lanes::zero());
        if !again.any() {
            return;
        }
        again = again & !are_joined(block, at, self.joined);
        let mut pair = Pair::<B, N>::gather(block, at, &self.velocities);
        let Solved { total, .. } = normals::solve(block, at, &mut pair, Sweep::Again(again));
        rub(block, at, &mut pair, total, Some(again));
        pair.scatter(block, at, &mut self.velocities);
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
        let mut pair = Pair::<B, N>::gather(block, at, &self.velocities);
        let moved = Moved::gather(block, at, &self.displacements, load3::<B, N>(&block.normal, at));
        let acceleration = load::<B, N>(&block.acceleration, at);
        let mut targets = resting(block, at);
        let (mut lanes, mut more) = (Mask::splat(false), zero);
        for (target, point) in targets.iter_mut().zip(&block.points[..block.count]) {
            let speed = load::<B, N>(&point.bounce, at);
            let inside = moved.separation(point, at).shr::<24>().min(zero);
            let gained = gained(acceleration, inside, speed);
            let bounces = (speed + gained).gt(zero) & load_total::<B, N>(&point.total, at).gt(zero);
            *target = bounces.select(speed + gained, *target);
            lanes = lanes | bounces;
            more += bounces.keep(gained.max(zero)).mul32(load(&point.inverse, at)).shr::<INVERSE_BITS>();
        }
        bounce(block, at, &mut pair, &targets, more, lanes);
        pair.scatter(block, at, &mut self.velocities);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn visits(substeps: u32, slabs: usize, pace: Pace) -> Vec<Visit> {
        let mut found = Vec::new();
        each_work(substeps, false, slabs, pace, |visit| found.push(visit));
        found
    }

    /// What is done to each slab, stage by stage, by sweep after sweep.
    fn stages(substeps: u32, prepares: bool) -> Vec<Vec<Work>> {
        let of_substep = |substep| {
            SUBSTEP.iter().map(move |works| {
                let works = works.iter().copied();
                works.filter(|&work| substep == 0 || work != Work::Blocks(BlockWork::WarmStart)).collect()
            })
        };
        let first = prepares.then(|| vec![PREPARE]);
        first.into_iter().chain((0..substeps).flat_map(of_substep)).chain([vec![BOUNCE]]).collect()
    }

    #[test]
    fn a_slab_is_worked_on_once_it_and_both_beside_it_are_as_sweep_after_sweep_would_leave_them() {
        let alone = [1, 2, 5, 40].map(|slabs| (slabs, Pace::alone(slabs > 1)));
        let of_threads =
            [(1, 1), (2, 1), (5, 1), (40, 1), (1, 2), (3, 2), (40, 2), (17, 4), (40, 9), (3, 16)];
        let of_threads = of_threads.map(|(slabs, threads)| (slabs, Pace::of_threads(threads)));
        for (slabs, pace) in alone.into_iter().chain(of_threads) {
            let stages = stages(4, pace.prepares);
            // Of each slab: the stage that it is in, and how many works of that were done.
            let mut reached = vec![(0, 0); slabs];
            for Visit { work, slab, .. } in visits(4, slabs, pace) {
                while stages[reached[slab].0].len() == reached[slab].1 {
                    reached[slab] = (reached[slab].0 + 1, 0);
                }
                let (stage, done) = reached[slab];
                assert_eq!(work, stages[stage][done]);
                let is_done = |slab: usize, before: usize| {
                    let (stage, done) = reached[slab];
                    stage >= before || stage + 1 == before && done == stages[stage].len()
                };
                if let Some(before) = slab.checked_sub(1) {
                    assert!(is_done(before, stage + 1), "slab {before} for {slab}, stage {stage}");
                }
                if slab + 1 < slabs {
                    assert!(is_done(slab + 1, stage), "slab {} for {slab}, stage {stage}", slab + 1);
                }
                reached[slab].1 += 1;
            }
            assert!(reached.iter().all(|&reached| reached == (stages.len() - 1, 1)));
        }
    }

    #[test]
    fn a_wave_tells_of_each_part_of_a_slab_before_it_comes_there() {
        let pace = Pace::alone(true);
        for slabs in [2, 40] {
            let mut told = vec![0_u64; slabs];
            let mut complete = 0;
            let of_blocks = visits(4, slabs, pace).into_iter().filter(|visit| visit.work.is_of_blocks());
            for Visit { slab, next, .. } in of_blocks {
                let Some(Next { slab: next, part, parts }) = next else { continue };
                assert!(next != slab && next < slabs && part < parts);
                if part == 0 && next == slab + 1 {
                    // The first stage comes to this one; stages begin one after the other.
                    if slab >= pace.stages {
                        assert_eq!(told[slab], (1 << parts) - 1, "slab {slab} of {slabs}");
                        complete += 1;
                    }
                    told[slab] = 0;
                }
                told[next] |= 1 << part;
            }
            assert_eq!(complete > 0, slabs > pace.stages);
        }
    }

    #[test]
    fn threads_have_parts_of_the_way_through_the_slabs_one_after_the_other() {
        for (threads, stages) in [(2, 6), (3, 3), (4, 2), (8, 1), (16, 1)] {
            let found = visits(4, 50, Pace::of_threads(threads));
            assert!((0..threads).all(|part| found.iter().any(|visit| visit.part == part)));
            let parts = found.iter().map(|visit| visit.part);
            let ways = 1 + parts.clone().zip(parts.skip(1)).filter(|(one, next)| next < one).count();
            assert_eq!(ways, 25_usize.div_ceil(stages), "{threads} threads");
        }
    }
}
