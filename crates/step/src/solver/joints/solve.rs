//! Iterations over the rows of joints.

use super::super::friction::shortening;
use super::super::mantissas::shorten;
use super::super::motion::Period;
use super::super::records::Records;
use super::super::{
    BLOCK, Backwards, Column, Over, Pass, load, load_total, load3, load6, store, store_total, store3,
};
use super::arithmetic::times;
use super::lead::Lead;
use super::pair::{Joined, bounded};
use super::refresh::MOST;
use super::shift::Correct;
use super::{AxisRow, Give, JointBlock, Kinds, MotorRow, POINT_BITS, ROTATION_BITS, Triple};
use core::ops::Range;
use isostep_math::wide::{Backend, Lanes, Level, Mask, add3, dot3, scale3, shr_round3, sub3};

/// What joints do to the velocities of their bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointWork {
    /// Finds the velocities that lead to where joints hold their bodies.
    Lead,
    /// Starts with the impulses that they had.
    WarmStart,
    /// Solves with springs, and for what leads.
    Solve(Way),
    /// Finds the shifts that bring bodies back to where joints hold them.
    Correct,
    /// Solves without springs: what holds, limits, and motors that have none.
    Relax,
    /// Notes the impulses of the substep, and goes back to those with which the next one starts.
    Note,
}

/// Which way a sweep goes through the colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// From the first to the last.
    There,
    /// Back from the last but one to the second: the sweeps before and after have the others.
    Back,
}

impl JointWork {
    /// Does it to blocks, one after the other.
    pub(crate) fn run(
        self,
        blocks: &mut [JointBlock],
        velocities: Records<'_>,
        shifts: Records<'_>,
        period: Period,
        level: Level,
    ) {
        match self {
            Self::Lead => level.dispatch(Over::new(blocks, Lead { velocities, period })),
            Self::WarmStart => level.dispatch(Over::new(blocks, WarmStart { velocities })),
            Self::Solve(Way::There) => level.dispatch(Over::new(blocks, Solve { velocities })),
            Self::Solve(Way::Back) => level.dispatch(Backwards { blocks, pass: Solve { velocities } }),
            Self::Correct => level.dispatch(Over::new(blocks, Correct { shifts })),
            Self::Relax => level.dispatch(Over::new(blocks, Relax { velocities })),
            Self::Note => level.dispatch(Over::new(blocks, Note)),
        }
    }

    /// The blocks that it is done to, of some of which the first one has this number; sweeps come `back` to those.
    pub(crate) fn blocks_of<'a>(
        self,
        blocks: &'a mut [JointBlock],
        first: usize,
        back: &Range<usize>,
    ) -> &'a mut [JointBlock] {
        if self != Self::Solve(Way::Back) {
            return blocks;
        }
        let [start, end] = [back.start, back.end].map(|at| at.saturating_sub(first).min(blocks.len()));
        &mut blocks[start..end]
    }
}

struct WarmStart<'a> {
    velocities: Records<'a>,
}

struct Solve<'a> {
    velocities: Records<'a>,
}

struct Relax<'a> {
    velocities: Records<'a>,
}

struct Note;

impl Pass<JointBlock> for WarmStart<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        let mut pair = Joined::<B, N>::gather(block, at, &self.velocities);
        if block.has.axis {
            let (row, fractions) = (&block.axis, &block.fractions);
            let mut impulse = load::<B, N>(&row.impulse, at);
            if block.has.motor {
                impulse += load(&block.motor.impulse, at);
            }
            pair.push_axis(row, fractions, impulse, at);
        }
        if block.has.swing || block.has.wheel {
            let mut impulse = load::<B, N>(&block.swing.impulse, at);
            if block.has.wheel {
                impulse += load(&block.wheel.impulse, at);
            }
            pair.push_axis(&block.swing, &block.fractions, impulse, at);
        }
        if block.has.rotations {
            push_rotations(block, &mut pair, load3(&block.rotations.impulse, at), at);
        }
        if block.has.points {
            pair.push_points(block, load3(&block.points.impulse, at), at);
        }
        pair.scatter(block, at, &mut self.velocities);
    }
}

impl Pass<JointBlock> for Solve<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        solve::<B, N, true>(block, at, &mut self.velocities);
    }
}

impl Pass<JointBlock> for Relax<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        solve::<B, N, false>(block, at, &mut self.velocities);
    }
}

impl Pass<JointBlock> for Note {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        let most = Lanes::splat(MOST);
        let mut still = [Lanes::zero(); 3];
        if block.has.still {
            still = stilling::<B, N>(block, load3(&block.rotations.impulse, at), at);
        }
        for (triple, still) in [(&mut block.points, still), (&mut block.rotations, [Lanes::zero(); 3])] {
            let holds = load::<B, N>(&triple.give.relax, at).gt(Lanes::zero());
            for (k, still) in still.into_iter().enumerate() {
                let own = load::<B, N>(&triple.impulse[k], at);
                let whole = (own + still).clamp(-most, most);
                store(whole, &mut triple.last[k], at);
                add_to(&mut triple.total[k], whole, at);
                store(holds.select(load(&triple.begin[k], at), own), &mut triple.impulse[k], at);
            }
        }
        let Kinds { axis, motor, swing, wheel, .. } = block.has;
        for (row, has) in [(&mut block.axis, axis), (&mut block.swing, swing)] {
            if !has {
                continue;
            }
            let own = load::<B, N>(&row.impulse, at);
            add_to(&mut row.total, own, at);
            store(own, &mut row.last, at);
            store(load::<B, N>(&row.begin, at), &mut row.impulse, at);
        }
        for (motor, has) in [(&mut block.motor, motor), (&mut block.wheel, wheel)] {
            if !has {
                continue;
            }
            let own = load::<B, N>(&motor.impulse, at);
            add_to(&mut motor.total, own, at);
            store(own, &mut motor.last, at);
            let holds = load::<B, N>(&motor.give.relax, at).gt(Lanes::zero());
            store(holds.select(load(&motor.begin, at), own), &mut motor.impulse, at);
        }
    }
}

/// All rows once: what drives first, what holds last.
#[inline(always)]
fn solve<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &mut JointBlock,
    at: usize,
    velocities: &mut Records<'_>,
) {
    let mut pair = Joined::<B, N>::gather(block, at, velocities);
    if block.has.motor {
        drive::<B, N, SOFT>(&mut block.motor, &block.axis, &block.fractions, &mut pair, at);
    }
    if block.has.wheel {
        drive::<B, N, SOFT>(&mut block.wheel, &block.swing, &block.fractions, &mut pair, at);
    }
    if block.has.axis {
        bound::<B, N, SOFT>(&mut block.axis, &block.fractions, &mut pair, at);
    }
    if block.has.swing {
        bound::<B, N, SOFT>(&mut block.swing, &block.fractions, &mut pair, at);
    }
    if block.has.points {
        let speed = pair.at_points(block, at);
        let change = hold::<B, N, SOFT, POINT_BITS>(&mut block.points, block.has.across, speed, at);
        pair.push_points(block, change, at);
    }
    // These leave points where they are, as far as they are held firmly.
    if block.has.rotations {
        let triple = &mut block.rotations;
        let change = hold::<B, N, SOFT, ROTATION_BITS>(triple, block.has.across, pair.of_rotations(), at);
        push_rotations(block, &mut pair, change, at);
    }
    pair.scatter(block, at, velocities);
}

/// Changes velocities by an angular impulse, and by that at the points which leaves these where they are.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn push_rotations<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    pair: &mut Joined<B, N>,
    impulse: [Lanes<B, N>; 3],
    at: usize,
) {
    if block.has.still {
        pair.push_both(block, impulse, stilling(block, impulse, at), at);
    } else {
        pair.push_rotations(&block.rotations, impulse, at);
    }
}

/// What leaves the points where they are while an angular impulse acts.
#[inline(always)]
pub(super) fn stilling<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    impulse: [Lanes<B, N>; 3],
    at: usize,
) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(MOST);
    let mut still = [Lanes::zero(); 3];
    for (k, row) in block.stilling.chunks_exact(3).enumerate() {
        let row = [load(&row[0], at), load(&row[1], at), load(&row[2], at)];
        still[k] = dot3(row, impulse).shr_round::<24>().clamp(-most, most);
    }
    still
}

/// Changes the impulse of three rows by what a relative velocity asks for, and returns the change.
///
/// What is free may be a thousand times as fast as what is held, and the inverse has a millionth of it in other directions: a wheel
/// would gain speed of its own spin. So that is left out before, of blocks that have such.
#[cfg_attr(not(unoptimized), inline(always))]
fn hold<B: Backend<N>, const N: usize, const SOFT: bool, const BITS: u32>(
    triple: &mut Triple,
    across: bool,
    speed: [Lanes<B, N>; 3],
    at: usize,
) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(MOST);
    let mut speed = bounded(sub3(speed, load3(&triple.velocity, at)));
    if across {
        let free = load3::<B, N>(&triple.free, at);
        let along = dot3(free, speed).shr_round::<30>().clamp(-most, most);
        speed = bounded(sub3(speed, shr_round3::<B, N, 30>(scale3(free, along))));
    }
    let (mass, memory) = factors::<B, N, SOFT>(&triple.give, at);
    speed = shr_round3::<B, N, 30>(scale3(speed, mass));
    if SOFT {
        speed = bounded(add3(speed, load3(&triple.correction, at)));
    }
    let inverse = load6::<B, N>(&triple.inverse, at);
    let mut wanted = shr_round3::<B, N, BITS>(times(inverse, speed));
    let limit = load::<B, N>(&triple.most, at);
    let limited = limit.lt(most);
    let is_limited = limited.any();
    if is_limited {
        // What is shortened keeps its direction, however much it is.
        let mut short = wanted;
        shorten(&mut short);
        for k in 0..3 {
            wanted[k] = limited.select(short[k], wanted[k]);
        }
    }
    let old = load3::<B, N>(&triple.impulse, at);
    let mut new = [Lanes::zero(); 3];
    for k in 0..3 {
        let change = wanted[k].clamp(-most, most) + old[k].mul32(memory).shr_round::<30>();
        new[k] = old[k] - change;
    }
    if is_limited {
        // Squares of 30 bits add within 62.
        let half = shr_round3::<B, N, 1>(new);
        let square = half[0].mul32(half[0]) + half[1].mul32(half[1]) + half[2].mul32(half[2]);
        let limit = limit.shr::<1>();
        let beyond = square.gt(limit.mul32(limit)) & limited;
        let factor = shortening(limit, square);
        for k in 0..3 {
            new[k] = beyond.select(half[k].mul32(factor).shr_round::<29>(), new[k]);
        }
    }
    let new = bounded(new);
    store3(new, &mut triple.impulse, at);
    sub3(new, old)
}

/// What counts of the velocity, and of the impulse so far, Q30.
#[inline(always)]
fn factors<B: Backend<N>, const N: usize, const SOFT: bool>(
    give: &Give,
    at: usize,
) -> (Lanes<B, N>, Lanes<B, N>) {
    if SOFT {
        (load(&give.mass, at), load(&give.impulse, at))
    } else {
        (load(&give.relax, at), Lanes::zero())
    }
}

/// Drives an axis.
#[cfg_attr(not(unoptimized), inline(always))]
fn drive<B: Backend<N>, const N: usize, const SOFT: bool>(
    motor: &mut MotorRow,
    row: &AxisRow,
    fractions: &[[Column; 3]; 2],
    pair: &mut Joined<B, N>,
    at: usize,
) {
    let most = Lanes::splat(MOST);
    let speed = pair.along(row, at).clamp(-most, most);
    let old = load::<B, N>(&motor.impulse, at);
    let (mass, memory) = factors::<B, N, SOFT>(&motor.give, at);
    let limit = load::<B, N>(&motor.most, at);
    // Without springs only that of motors that have none: γ is 1.
    let offset = load::<B, N>(&motor.offset, at);
    let offset = if SOFT { offset } else { mass.gt(Lanes::zero()).keep(offset) };
    let change = (speed.mul32(mass) + old.mul32(memory)).shr_round::<30>() + offset;
    let new = (old - change).clamp(-limit, limit);
    store(new, &mut motor.impulse, at);
    pair.push_axis(row, fractions, new - old, at);
}

/// Keeps an axis within its limits.
#[cfg_attr(not(unoptimized), inline(always))]
fn bound<B: Backend<N>, const N: usize, const SOFT: bool>(
    row: &mut AxisRow,
    fractions: &[[Column; 3]; 2],
    pair: &mut Joined<B, N>,
    at: usize,
) {
    let most = Lanes::splat(MOST);
    if !is_set::<B, N>(&row.limited, at).any() {
        return;
    }
    let apart = is_set::<B, N>(&row.apart, at);
    let offset = load::<B, N>(&row.offset, at);
    let mut change = pair.along(row, at) + apart.keep(offset);
    if SOFT {
        change += load(&row.lead, at);
    }
    let old = load::<B, N>(&row.impulse, at);
    let [lowest, highest] = bounds(row, at);
    let new = (old - change.clamp(-most, most)).clamp(lowest, highest);
    store(new, &mut row.impulse, at);
    pair.push_axis(row, fractions, new - old, at);
}

/// The least and the greatest impulse with which limits hold an axis: 0 where there are none.
#[inline(always)]
pub(super) fn bounds<B: Backend<N>, const N: usize>(row: &AxisRow, at: usize) -> [Lanes<B, N>; 2] {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let limited = is_set::<B, N>(&row.limited, at);
    let side = load::<B, N>(&row.side, at);
    [(limited & !side.gt(zero)).keep(-most), (limited & !side.is_negative()).keep(most)]
}

/// Adds a column to one of sums.
#[inline(always)]
fn add_to<B: Backend<N>, const N: usize>(total: &mut [i64; BLOCK], impulse: Lanes<B, N>, at: usize) {
    store_total(load_total::<B, N>(total, at) + impulse, total, at);
}

/// The lanes in which a column is not 0.
#[inline(always)]
pub(super) fn is_set<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Mask<B, N> {
    !load::<B, N>(column, at).equal(Lanes::zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::bodies::{Record, Velocity};
    use crate::solver::{ANGULAR_BITS, LINEAR_BITS};
    use alloc::vec::Vec;
    use isostep_math::wide::Level;

    fn solve_once(block: &mut JointBlock, velocities: &mut [Velocity; 3], movable: usize) {
        let mut shifts = [Record::ZERO; 3];
        let [velocities, shifts] = [velocities, &mut shifts].map(|records| Records::new(records, movable));
        let blocks = core::slice::from_mut(block);
        JointWork::Solve(Way::There).run(blocks, velocities, shifts, Period::new(240), Level::current());
    }

    /// Of two bodies that contacts made faster than joints let them be, after a joint without limits in a block whose
    /// other lanes have some.
    fn fast_bodies(limited: i32) -> [Velocity; 3] {
        let fast = |sign: i64| {
            let (linear, angular) = ((sign * 600) << LINEAR_BITS, (sign * 700) << ANGULAR_BITS);
            Record([linear, 0, -linear, 0, angular, -angular, 0, 0])
        };
        let mut velocities = [Record::ZERO, fast(1), fast(-1)];
        let mut block = JointBlock::NONE;
        (block.a[0], block.b[0], block.filled, block.has.axis) = (1, 2, 1, true);
        block.axis.limited = [limited; BLOCK];
        block.axis.limited[0] = 0;
        solve_once(&mut block, &mut velocities, 2);
        velocities
    }

    #[test]
    fn what_other_lanes_have_changes_no_joint() {
        assert_eq!(fast_bodies(0), fast_bodies(1));
    }

    #[test]
    fn joints_leave_what_does_not_move_as_it_is() {
        let fast = Record([i64::MAX / 2, 0, 0, 0, i64::MAX / 2, 0, 0, 0]);
        let mut velocities = [Record::ZERO, Record::ZERO, fast];
        let mut block = JointBlock::NONE;
        (block.a[0], block.b[0], block.filled, block.has.axis) = (1, 2, 1, true);
        solve_once(&mut block, &mut velocities, 1);
        assert_eq!(velocities[2], fast);
    }

    #[test]
    fn sweeps_come_back_to_the_same_blocks_in_whatever_chunks_they_are() {
        let numbered = || {
            let mut blocks = [JointBlock::NONE; 7];
            (1..).zip(&mut blocks).for_each(|(number, block)| block.a[0] = number);
            blocks
        };
        for back in [0..0, 2..5, 1..6, 0..7] {
            let expected: Vec<u32> = back.clone().map(|at| at as u32 + 1).collect();
            for cut in 0..=7 {
                let mut blocks = numbered();
                let (left, right) = blocks.split_at_mut(cut);
                let mut found = Vec::new();
                for (first, chunk) in [(0, left), (cut, right)] {
                    let work = JointWork::Solve(Way::Back);
                    found.extend(work.blocks_of(chunk, first, &back).iter().map(|block| block.a[0]));
                }
                assert_eq!(found, expected, "{back:?} in chunks up to {cut}");
            }
            assert_eq!(JointWork::Solve(Way::There).blocks_of(&mut numbered(), 0, &back).len(), 7);
        }
    }
}
