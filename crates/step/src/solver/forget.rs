//! What a hit leaves behind for the next substep in contacts of bodies with joints: next to nothing.
//!
//! A substep starts a contact with the impulse of the one before it. That is right for what lies or rolls, and far too much after
//! a hit, which is over in a substep. A body on its own takes that back to the bit, in the first sweep over its contact. In a
//! joint it does not: what it was given throws its neighbors around before sweeps over joints and contacts agree on less, and
//! some of that stays. Of a hundred ragdolls that fell from three metres ten gained a thirtieth of their energy, and of nine
//! hundred four several times all of it.
//!
//! So a contact of a body with joints starts with at most half of what it pressed with a substep earlier, and half a metre a
//! second besides. What lasts may be up to a metre a second for that to change nothing: at 240 substeps a second, twenty-four
//! times the weight of the lighter body. The last substep of a tick leaves all of its impulses: they are what contacts tell that
//! they bear.

use super::friction::push_all;
use super::mantissas::Reciprocal;
use super::pair::Pair;
use super::records::{Records, are_joined};
use super::{Block, Column, Pass, load, store, store_saturating};
use isostep_math::wide::{Backend, Lanes};

/// What a contact may start with in any case: 1/2 m/s, Q11.21.
const SLACK: i64 = 1 << 20;

/// Takes from contacts of bodies with joints what they pressed and rubbed with more than they may start with, and takes it
/// for something that moved these bodies without contacts: see [`Accelerate`](super::motion::Accelerate).
pub(super) struct Forget<'a> {
    /// The velocities before contacts acted.
    pub(super) bases: Records<'a>,
    /// Which records have joints.
    pub(super) joined: &'a [bool],
}

impl Pass<Block> for Forget<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let joined = are_joined::<B, N>(block, at, self.joined);
        if !joined.any() {
            return;
        }
        let mut pressed = Lanes::zero();
        for point in &block.points[..block.count] {
            pressed += load(&point.impulse, at);
        }
        let before = load::<B, N>(&block.pressed, at);
        store_saturating(pressed, &mut block.pressed, at);
        let excess = pressed - before.shr::<1>() - Lanes::splat(SLACK);
        let hit = joined & excess.gt(Lanes::zero());
        if !hit.any() {
            return;
        }
        // Sums of four have two bits too many for the division.
        let share = Reciprocal::of(pressed.shr::<2>().max(Lanes::splat(1))).share(excess.shr::<2>());
        let share = hit.keep(share.min(Lanes::splat(1 << 30)));
        let mut forgotten = [Lanes::zero(); 4];
        for (forgotten, point) in forgotten.iter_mut().zip(&mut block.points[..block.count]) {
            *forgotten = part_of(share, &mut point.impulse, at);
        }
        let friction = [
            part_of(share, &mut block.friction_impulse[0], at),
            part_of(share, &mut block.friction_impulse[1], at),
        ];
        let twist = if block.twists { part_of(share, &mut block.twist_impulse, at) } else { Lanes::zero() };
        let before = Pair::<B, N>::gather(block, at, &self.bases);
        let mut pair = before;
        push_all(block, at, &mut pair, &forgotten, friction, twist);
        if block.rolls {
            for t in 0..2 {
                let rolling = part_of(share, &mut block.rolling_impulse[t], at);
                pair.twist([&block.rolling_a[t], &block.rolling_b[t]], rolling, at);
            }
        }
        // Nothing bounds what joints did to a base: only what is hit is held to what velocities may be.
        pair.scatter_within(hit, &before, block, at, &mut self.bases);
    }
}

/// Takes a share, Q30, from impulses, and returns it.
#[inline(always)]
fn part_of<B: Backend<N>, const N: usize>(
    share: Lanes<B, N>,
    impulse: &mut Column,
    at: usize,
) -> Lanes<B, N> {
    let whole = load::<B, N>(impulse, at);
    let part = whole.mul32(share).shr_round::<30>();
    store(whole - part, impulse, at);
    part
}
