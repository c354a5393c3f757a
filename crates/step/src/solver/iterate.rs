//! The substeps, in lanes.
//!
//! A substep: velocities take what accelerates them; contacts start with the impulses that they had; normals are solved
//! as springs, twice; bodies move; contacts are solved without springs and with friction, which takes out the velocity
//! that the springs put in. After the last one, points that hit hard enough get the velocity of their bounce.
//!
//! Friction holds what moves, not what springs push: solved among the springs it made stacks rock, and kept them from
//! being as stiff as two sweeps over the normals allow for.

use super::bodies::{Bodies, Displacement, Velocity};
use super::joints::{JointBlock, JointWork, Refresh};
use super::motion::{Accelerate, Advance, Period};
use super::pair::{Line, Pair};
use super::prepare::gained;
use super::records::Records;
use super::softness::Softness;
use super::{BLOCK, Block, Column, MOST_FRICTION, Over, Pass, Row, SHARE_BITS};
use super::{load, load3, quartered, records, store, store_saturating};
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

/// The greatest impulse, and the greatest relative velocity, Q11.21.
const MOST: i64 = i32::MAX as i64;

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

/// Solves for what all points have in common, where all of them press.
#[inline(always)]
fn solve_center<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    line: &mut Line<B, N>,
) {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let Block { center, points, count, .. } = block;
    let points = &mut points[..*count];
    let (mut sum, mut least) = (zero, most);
    for (point, part) in points.iter().zip(&center.parts) {
        let old = load::<B, N>(&point.impulse, at);
        sum += old;
        least = least.min(load::<B, N>(part, at).gt(zero).select(old, most));
    }
    let mean = load::<B, N>(&center.mean, at);
    let mut pressing = mean.gt(zero) & least.gt(zero);
    if !pressing.any() {
        return;
    }
    let mut change = line.along(&center.row, at).clamp(-most, most);
    if SOFT {
        let offset = load::<B, N>(&center.offset, at);
        pressing = pressing & !offset.gt(zero);
        let speed = (change + offset).clamp(-most, most);
        let old = sum.min(most).mul32(mean).shr_round::<30>();
        change =
            (speed.mul32(block.softness.mass(at)) + old.mul32(block.softness.impulse(at))).shr_round::<30>();
    }
    // No point may pull.
    let least = least.mul32(load(&center.limit, at)).shr::<24>().min(most);
    let impulse = pressing.keep((-change).clamp(-least, most));
    line.push(&center.row, impulse, at);
    for (point, part) in points.iter_mut().zip(&center.parts) {
        let own = load::<B, N>(part, at).mul32(impulse).shr_round::<24>();
        store((load::<B, N>(&point.impulse, at) + own).clamp(zero, most), &mut point.impulse, at);
    }
}

impl Pass<Block> for SolveCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut line = Line::<B, N>::gather(block, at, &*velocities);
        solve_center::<B, N, true>(block, at, &mut line);
        line.finish().scatter(block, at, velocities);
    }
}

impl Pass<Block> for SolveSprings<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut line = Line::<B, N>::gather(block, at, &*velocities);
        solve_center::<B, N, true>(block, at, &mut line);
        solve_points::<B, N, true>(block, at, &mut line);
        line.finish().scatter(block, at, velocities);
    }
}

impl Pass<Block> for RelaxCenters<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let moved = Moved::<B, N>::gather(block, at, self.displacements, load3(&block.normal, at));
        self.offsets.measure(block, at, &moved);
        let mut line = Line::<B, N>::gather(block, at, &*velocities);
        solve_center::<B, N, false>(block, at, &mut line);
        line.finish().scatter(block, at, velocities);
    }
}

impl Pass<Block> for Relax<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let velocities = &mut self.velocities;
        let mut line = Line::<B, N>::gather(block, at, &*velocities);
        solve_center::<B, N, false>(block, at, &mut line);
        let total = solve_points::<B, N, false>(block, at, &mut line);
        let mut pair = line.finish();
        if block.rolls {
            resist_rolling::<B, N>(block, at, &mut pair, total);
        }
        solve_friction::<B, N>(block, at, &mut pair, total);
        pair.scatter(block, at, velocities);
    }
}

/// Solves for the normals of all points, and returns the sum of their impulses as of bodies without rotation, Q21.
#[inline(always)]
fn solve_points<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    line: &mut Line<B, N>,
) -> Lanes<B, N> {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let mut total = zero;
    for point in &mut block.points[..block.count] {
        let offset = load::<B, N>(&point.offset, at);
        let apart = offset.gt(zero);
        let old = load::<B, N>(&point.impulse, at);
        let speed = line.along(&point.row, at);
        let change = if SOFT {
            let speed = (speed + offset).clamp(-most, most);
            let mass = apart.select(Lanes::splat(1 << 30), block.softness.mass(at));
            let impulse = (!apart).keep(block.softness.impulse(at));
            (speed.mul32(mass) + old.mul32(impulse)).shr_round::<30>()
        } else {
            speed + offset.max(zero)
        };
        let new = (old - change).clamp(zero, most);
        store(new, &mut point.impulse, at);
        if !SOFT {
            let sum = load_total::<B, N>(&point.total, at) + new;
            point.total[at..at + N].copy_from_slice(&sum.to_array());
        }
        line.push(&point.row, new - old, at);
        total += load::<B, N>(&point.row.share, at).mul32(new);
    }
    total.shr_round::<SHARE_BITS>().min(most)
}

/// Holds both bodies against turning about the normal, and against sliding, by at most what friction allows for under
/// the normal impulse `total`.
#[inline(always)]
fn solve_friction<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
) {
    // Q20 · Q21.
    let limit = load::<B, N>(&block.twist_limit, at).mul32(total).shr_round::<20>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION));
    let old = load::<B, N>(&block.twist_impulse, at);
    let new = (old - pair.spin(load3(&block.normal, at))).clamp(-limit, limit);
    store(new, &mut block.twist_impulse, at);
    pair.twist([&block.twist_a, &block.twist_b], new - old, at);

    // Q26 · Q21.
    let limit = load::<B, N>(&block.friction_limit, at).mul32(total).shr_round::<26>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let most = Lanes::splat(MOST_FRICTION);
    let mut new = [Lanes::zero(); 2];
    for (t, new) in new.iter_mut().enumerate() {
        let old = load::<B, N>(&block.friction_impulse[t], at);
        let (tangent, row) = (load3(&block.tangents[t], at), &block.friction[t]);
        *new = (old - pair.along(tangent, row, at)).clamp(-most, most);
        pair.push(tangent, row, *new - old, at);
    }
    let shares = [load(&block.friction[0].share, at), load(&block.friction[1].share, at)];
    if let Some(held) = cone(shares, new, limit) {
        for t in 0..2 {
            pair.push(load3(&block.tangents[t], at), &block.friction[t], held[t] - new[t], at);
        }
        new = held;
    }
    store(new[0], &mut block.friction_impulse[0], at);
    store(new[1], &mut block.friction_impulse[1], at);
}

#[inline(always)]
fn load_total<B: Backend<N>, const N: usize>(total: &[i64; BLOCK], at: usize) -> Lanes<B, N> {
    let mut part = [0; N];
    part.copy_from_slice(&total[at..at + N]);
    Lanes::from_array(part)
}

/// Turns both bodies against rolling on each other, by at most the resistance times the normal impulse `total`.
#[inline(always)]
fn resist_rolling<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
) {
    // Q20 · Q21.
    let limit = load::<B, N>(&block.rolling_limit, at).mul32(total).shr_round::<20>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let most = Lanes::splat(MOST_FRICTION);
    let mut new = [Lanes::zero(); 2];
    for (t, new) in new.iter_mut().enumerate() {
        *new = (-pair.spin(load3(&block.tangents[t], at))).clamp(-most, most);
        pair.twist([&block.rolling_a[t], &block.rolling_b[t]], *new, at);
    }
    let shares = [load(&block.rolling_share[0], at), load(&block.rolling_share[1], at)];
    if let Some(held) = cone(shares, new, limit) {
        for t in 0..2 {
            pair.twist([&block.rolling_a[t], &block.rolling_b[t]], held[t] - new[t], at);
        }
    }
}

/// Impulses along two tangents shortened to their limit, or `None` if no lane has more.
#[inline(always)]
fn cone<B: Backend<N>, const N: usize>(
    shares: [Lanes<B, N>; 2],
    impulses: [Lanes<B, N>; 2],
    limit: Lanes<B, N>,
) -> Option<[Lanes<B, N>; 2]> {
    // In the measure of the limit. At most 2³⁰, so squares add within 62 bits.
    let share_1 = shares[0].mul32(impulses[0]).shr_round::<SHARE_BITS>();
    let share_2 = shares[1].mul32(impulses[1]).shr_round::<SHARE_BITS>();
    let square = share_1.mul32(share_1) + share_2.mul32(share_2);
    let beyond = square.gt(limit.mul32(limit));
    if !beyond.any() {
        return None;
    }
    let factor = shortening(limit, square);
    let held_1 = impulses[0].mul32(factor).shr_round::<30>();
    let held_2 = impulses[1].mul32(factor).shr_round::<30>();
    Some([beyond.select(held_1, impulses[0]), beyond.select(held_2, impulses[1])])
}

/// `limit` / √`square` of at most 1, Q30, for a limit of at most 31 bits and a square of at most 62.
#[inline(always)]
pub(super) fn shortening<B: Backend<N>, const N: usize>(
    limit: Lanes<B, N>,
    square: Lanes<B, N>,
) -> Lanes<B, N> {
    // The reciprocal of √square is 2^44.5 / √m of an even power of two: limit 2^44.5 / √m · 2^(−p) 2^-14.5 in Q30, so
    // times √½ and 2^(−p).
    let (m, p) = quartered(square.max(Lanes::splat(1)));
    let inverse = m.rsqrt().mul32(Lanes::splat(SQRT_HALF)).shr::<30>();
    let product = limit.mul32(inverse);
    let down = (p + Lanes::splat(14)).min(Lanes::splat(62));
    let factor = product.shl_each((-down).max(Lanes::zero())).shr_each(down.max(Lanes::zero()));
    factor.min(Lanes::splat(1 << 30))
}

/// √½, Q30.
const SQRT_HALF: i64 = 759_250_125;

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
            point.total[at..at + N].copy_from_slice(&sum.to_array());
            line.push(&point.row, new - old, at);
        }
        line.finish().scatter(block, at, &mut self.velocities);
    }
}
