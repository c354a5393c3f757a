//! Where joints are off, bodies are moved, and their velocities are not.
//!
//! A spring that takes an error back leaves some of the velocity that it put in wherever sweeps do not take all of it out, and an
//! impulse that the next substep starts with. In chains of light bodies between heavy ones that is more from substep to substep. A
//! shift is gone when it is done.

use super::super::records::Records;
use super::super::{Pass, load, load3, load6};
use super::arithmetic::times;
use super::pair::{Joined, bounded};
use super::refresh::MOST;
use super::solve::{bounds, is_set, push_rotations};
use super::{AxisRow, JointBlock, POINT_BITS, ROTATION_BITS, Triple};
use isostep_math::wide::{Backend, Lanes, add3, shr_round3};

/// Finds shifts back to where joints hold bodies or leave them free, as the velocities that make them in a substep: in one sweep
/// from none.
pub(super) struct Correct<'a> {
    pub(super) shifts: Records<'a>,
}

impl Pass<JointBlock> for Correct<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        let mut pair = Joined::<B, N>::gather(block, at, &self.shifts);
        if block.has.axis {
            bring_back::<B, N>(&block.axis, block, &mut pair, at);
        }
        if block.has.swing {
            bring_back::<B, N>(&block.swing, block, &mut pair, at);
        }
        if block.has.points {
            let change = corrected::<B, N, POINT_BITS>(&block.points, pair.at_points(block, at), at);
            pair.push_points(block, change, at);
        }
        if block.has.rotations {
            let change = corrected::<B, N, ROTATION_BITS>(&block.rotations, pair.of_rotations(), at);
            push_rotations(block, &mut pair, change, at);
        }
        pair.scatter(block, at, &mut self.shifts);
    }
}

/// Shifts an axis back to the limits that it is beyond.
#[cfg_attr(not(unoptimized), inline(always))]
fn bring_back<B: Backend<N>, const N: usize>(
    row: &AxisRow,
    block: &JointBlock,
    pair: &mut Joined<B, N>,
    at: usize,
) {
    let beyond = is_set::<B, N>(&row.limited, at) & !is_set::<B, N>(&row.apart, at);
    if !beyond.any() {
        return;
    }
    let most = Lanes::splat(MOST);
    let [lowest, highest] = bounds(row, at);
    let asked = (pair.along(row, at) + load(&row.offset, at)).clamp(-most, most);
    pair.push_axis(row, &block.fractions, beyond.keep((-asked).clamp(lowest, highest)), at);
}

/// What three rows that hold add to their impulses, where bodies part by `shift` in a substep.
#[cfg_attr(not(unoptimized), inline(always))]
fn corrected<B: Backend<N>, const N: usize, const BITS: u32>(
    triple: &Triple,
    shift: [Lanes<B, N>; 3],
    at: usize,
) -> [Lanes<B, N>; 3] {
    // Motors without springs ask for velocities too, and have no errors to take back.
    let zero = Lanes::zero();
    let holds = load::<B, N>(&triple.give.relax, at).gt(zero) & load::<B, N>(&triple.give.rate, at).gt(zero);
    let asked = bounded(add3(bounded(shift), load3(&triple.correction, at)));
    let asked = [holds.keep(asked[0]), holds.keep(asked[1]), holds.keep(asked[2])];
    let change = bounded(shr_round3::<B, N, BITS>(times(load6::<B, N>(&triple.inverse, at), asked)));
    [-change[0], -change[1], -change[2]]
}
