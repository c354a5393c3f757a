//! The velocities that lead to where joints hold their bodies.
//!
//! What is held moves on curves, and a substep along their chords: with velocities along the tangent, points that turn about each
//! other would part by half of their acceleration times h² in every substep h. That could be taken back afterwards, but not what
//! the velocity lost on the way: to hold it along the next tangent takes (ω h)² / 2 of it. So before bodies move, joints ask for a
//! velocity of −h / 2 times that acceleration, which is what their forces do in half a substep. Then the tangent before
//! and the one after it are as far from the chord, and energy is kept to third order in ω h.
//!
//! The accelerations, at which what is held parts with constant velocities, are:
//! * of points ω_b × (ω_b × r_b) − ω_a × (ω_a × r_a), and of those that slide −2 ω_a × v more, for v is along an axis that turns;
//! * of points at a distance l the same along what is between them, and v² / l more for what they move across it by v;
//! * of the axes u of both frames, where one body turns about them by σ against the other, σ u × ω_a.

use super::super::mantissas::{Reciprocal, root, shr_each};
use super::super::motion::Period;
use super::super::records::Records;
use super::super::{Pass, load, load3, store};
use super::pair::{Joined, bounded};
use super::refresh::MOST;
use super::{AxisKind, JointBlock, Triple};
use isostep_math::wide::{Backend, Lanes, cross3, dot3, scale3, shr_round3, sub3};

/// Finds what velocities are to be before bodies move, from those that they ended the last substep with.
pub(super) struct Lead<'a> {
    pub(super) velocities: Records<'a>,
    pub(super) period: Period,
}

impl Pass<JointBlock> for Lead<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        let pair = Joined::<B, N>::gather(block, at, &self.velocities);
        if block.has.points {
            let parting = of_points(block, &pair, at);
            self.lead::<B, N>(&mut block.points, parting, at);
        }
        if block.has.rotations {
            let parting = of_axes(block, &pair, at);
            self.lead::<B, N>(&mut block.rotations, parting, at);
        }
        if block.has.axis {
            self.shorten::<B, N>(block, &pair, at);
        }
    }
}

impl Lead<'_> {
    /// Lets three rows that hold ask for −h / 2 times an acceleration, Q10.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn lead<B: Backend<N>, const N: usize>(
        &self,
        triple: &mut Triple,
        acceleration: [Lanes<B, N>; 3],
        at: usize,
    ) {
        let holds = load::<B, N>(&triple.give.relax, at).gt(Lanes::zero());
        for (column, acceleration) in triple.correction.iter_mut().zip(acceleration) {
            // Rows ask for the opposite of their correction. Half of Q21 has a bit less.
            let lead = self.period.times(acceleration, 10);
            store(holds.select(lead, load(column, at)), column, at);
        }
    }

    /// Lets the distance of two points go back by h / 2 times the acceleration with which it would grow: that of the points along
    /// it, and v² / l of what they move across it.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn shorten<B: Backend<N>, const N: usize>(&self, block: &mut JointBlock, pair: &Joined<B, N>, at: usize) {
        let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
        let distance = load::<B, N>(&block.kind, at).equal(Lanes::splat(AxisKind::Distance as i64));
        let mut lead = zero;
        if distance.any() {
            let direction = load3::<B, N>(&block.axis.direction, at);
            let parting = bounded(sub3(of_arm(block, pair, 1, at), of_arm(block, pair, 0, at)));
            let along = dot3(direction, parting).shr_round::<30>();
            // Speeds in Q16, squares in Q32, lengths in Q22.
            let speed = shr_round3::<B, N, 5>(bounded(pair.at_points(block, at)));
            let closing = dot3(direction, speed).shr_round::<30>();
            let across = (dot3(speed, speed) - closing.mul32(closing)).max(zero);
            let short = shr_round3::<B, N, 2>(load3(&block.apart, at));
            let length = Reciprocal::of(root(dot3(short, short)).max(Lanes::splat(1)));
            let square = across.shr::<18>().min(Lanes::splat(i64::from(i32::MAX)));
            let outward = shr_each(square.mul32(length.value), length.length).shr_round::<11>();
            let turning = self.period.times(outward.clamp(-most, most), 10);
            // Who goes around by more than a radian in a substep is not led.
            let half = turning.shr_round::<4>().min(Lanes::splat(i64::from(i32::MAX)));
            let slow = half.mul32(half).le(across);
            let straight = self.period.times(along.clamp(-most, most), 10);
            lead = distance.keep((slow.keep(turning) + straight).clamp(-most, most));
        }
        store(lead, &mut block.axis.lead, at);
    }
}

/// How fast the velocity grows with which the ends of the arms part, Q10.
#[cfg_attr(not(unoptimized), inline(always))]
fn of_points<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    pair: &Joined<B, N>,
    at: usize,
) -> [Lanes<B, N>; 3] {
    let mut parting = sub3(of_arm(block, pair, 1, at), of_arm(block, pair, 0, at));
    let slides = load::<B, N>(&block.points.across, at).gt(Lanes::zero());
    if slides.any() {
        let along = cross3(pair.turning(0), bounded(pair.at_points(block, at)));
        // What slid too far for numbers is not led: errors would come back larger.
        let is_far = slides & !load::<B, N>(&block.still, at).gt(Lanes::zero());
        for k in 0..3 {
            let turning = slides.keep(along[k].shr_round::<31>());
            parting[k] = (!is_far).keep(parting[k] - turning);
        }
    }
    bounded(parting)
}

/// ω × (ω × r) of a body, Q10.
#[cfg_attr(not(unoptimized), inline(always))]
fn of_arm<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    pair: &Joined<B, N>,
    body: usize,
    at: usize,
) -> [Lanes<B, N>; 3] {
    let turning = pair.turning(body);
    let speed = bounded(shr_round3::<B, N, 24>(cross3(turning, load3::<B, N>(&block.arms[body], at))));
    shr_round3::<B, N, 32>(cross3(turning, speed))
}

/// How fast the angular velocity grows with which the x axes of the frames part, Q10.
#[cfg_attr(not(unoptimized), inline(always))]
fn of_axes<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    pair: &Joined<B, N>,
    at: usize,
) -> [Lanes<B, N>; 3] {
    let axis = load3::<B, N>(&block.rotations.free, at);
    let most = Lanes::splat(MOST);
    let twist = dot3(axis, pair.of_rotations()).shr_round::<30>().clamp(-most, most);
    let turning = shr_round3::<B, N, 30>(cross3(axis, pair.turning(0)));
    bounded(shr_round3::<B, N, 32>(scale3(turning, twist)))
}
