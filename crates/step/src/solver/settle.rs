//! Contacts that hit: swept on by themselves until what presses and what rubs agree.
//!
//! Sweeps over all contacts solve for the normals and then for friction, which acts away from the centres of mass and turns the
//! bodies: some points part then, and others close in. At rest that is little, and the next sweep sees to it. But what lands
//! with 6 m/s and slides has friction of that times its coefficient at once: its front edge, driven into the ground, would
//! be stopped by the next substep as if it had just come down there, and throw the body up as fast as it fell. So where friction
//! changes by much, both are solved in turn as often as it takes, and the front edge presses more from the beginning, and the
//! other one less.

use super::friction::{rub, shortening};
use super::normals::{self, MOST, changed, influence_of, with_offset};
use super::pair::Pair;
use super::{Block, Column, exceed, load, load_total, load3, store, store_total};
use isostep_math::wide::{Backend, Lanes, Mask};

/// The most sweeps over a contact.
const MOST_SWEEPS: u32 = 8;
/// Bits of a change that counts as much: 1 m/s, Q21.
const MUCH_BITS: u32 = 21;
/// Bits of a change that asks for another sweep: 16 mm/s, Q21.
const SOME_BITS: u32 = 15;
/// By which part of itself a bounce may be more than the restitution times what stopped the bodies: sweeps end a little off.
const SLACK_BITS: u32 = 6;

/// Where friction changed so much that it and the normals have to be solved together.
#[inline(always)]
pub(super) fn is_much<B: Backend<N>, const N: usize>(changes: &[Lanes<B, N>; 2]) -> Mask<B, N> {
    exceed::<B, N, MUCH_BITS>(changes)
}

/// Velocities with which the points of contacts are to part at least, Q21.
pub(super) type Targets<B, const N: usize> = [Lanes<B, N>; 4];

/// Points that are apart may close their gaps, and the others stay.
#[inline(always)]
pub(super) fn resting<B: Backend<N>, const N: usize>(block: &Block, at: usize) -> Targets<B, N> {
    let mut targets = [Lanes::zero(); 4];
    for (target, point) in targets.iter_mut().zip(&block.points[..block.count]) {
        *target = -load::<B, N>(&point.offset, at).max(Lanes::zero());
    }
    targets
}

/// Solves for normals and friction in turn, in some lanes.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn settle<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    targets: &Targets<B, N>,
    mut lanes: Mask<B, N>,
) {
    for _ in 0..MOST_SWEEPS {
        let pressed = press(block, at, pair, targets, lanes);
        let total = sum::<B, N>(block, at).min(Lanes::splat(MOST));
        let rubbed = rub(block, at, pair, total, Some(lanes));
        lanes = lanes & (exceed::<B, N, SOME_BITS>(&pressed) | exceed::<B, N, SOME_BITS>(&rubbed));
        if !lanes.any() {
            break;
        }
    }
}

/// Lets the points of some lanes that have a target above 0 part with that velocity.
///
/// Velocities bounce, as Newton has it, by at most the impulse that Poisson does: of all points, the restitution times what
/// stopped them, and the `gained` impulse. Where friction holds what slid before, velocities alone would take more, and
/// energy from nowhere.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn bounce<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    targets: &Targets<B, N>,
    gained: Lanes<B, N>,
    lanes: Mask<B, N>,
) {
    // What came in the last substep has still to be stopped.
    let zero = Lanes::zero();
    let mut stops = *targets;
    for stop in &mut stops {
        *stop = stop.min(zero);
    }
    settle(block, at, pair, &stops, lanes);
    let (mut stopped, most) = (zero, Lanes::splat(MOST));
    for point in &block.points[..block.count] {
        stopped += load_total::<B, N>(&point.total, at).max(zero);
    }
    let restored = stopped.min(most).mul32(load(&block.restitution, at)).shr_round::<30>();
    let room = (restored + restored.shr::<SLACK_BITS>() + gained).min(most);

    let before = Impulses::<B, N>::of(block, at);
    let stopping = sum::<B, N>(block, at);
    settle(block, at, pair, targets, lanes);
    let bounced = (sum::<B, N>(block, at) - stopping).min(most);
    let beyond = lanes & bounced.gt(room);
    if beyond.any() {
        let kept = shortening(room, bounced.mul32(bounced));
        before.take_back(block, at, pair, beyond.keep(Lanes::splat(1 << 30) - kept));
    }
}

/// The impulses of all points of a contact together, Q21.
#[inline(always)]
fn sum<B: Backend<N>, const N: usize>(block: &Block, at: usize) -> Lanes<B, N> {
    let mut sum = Lanes::zero();
    for point in &block.points[..block.count] {
        sum += load::<B, N>(&point.impulse, at);
    }
    sum
}

/// The impulses of contacts.
struct Impulses<B: Backend<N>, const N: usize> {
    points: [Lanes<B, N>; 4],
    friction: [Lanes<B, N>; 2],
    twist: Lanes<B, N>,
    rolling: [Lanes<B, N>; 2],
}

impl<B: Backend<N>, const N: usize> Impulses<B, N> {
    #[inline(always)]
    fn of(block: &Block, at: usize) -> Self {
        let mut points = [Lanes::zero(); 4];
        for (impulse, point) in points.iter_mut().zip(&block.points[..block.count]) {
            *impulse = load(&point.impulse, at);
        }
        Self {
            points,
            friction: [load(&block.friction_impulse[0], at), load(&block.friction_impulse[1], at)],
            twist: load(&block.twist_impulse, at),
            rolling: [load(&block.rolling_impulse[0], at), load(&block.rolling_impulse[1], at)],
        }
    }

    /// Takes back a part, Q30, of what changed since.
    #[cfg_attr(not(unoptimized), inline(always))]
    fn take_back(&self, block: &mut Block, at: usize, pair: &mut Pair<B, N>, part: Lanes<B, N>) {
        let mut changes = [Lanes::zero(); 4];
        let points = block.points[..block.count].iter_mut().zip(&self.points);
        for (change, (point, before)) in changes.iter_mut().zip(points) {
            *change = back(&mut point.impulse, *before, part, at);
            store_total(load_total::<B, N>(&point.total, at) + *change, &mut point.total, at);
        }
        normals::press_all(block, at, pair, &changes);
        for t in 0..2 {
            let change = back(&mut block.friction_impulse[t], self.friction[t], part, at);
            pair.push(load3(&block.tangents[t], at), &block.friction[t], change, at);
        }
        if block.twists {
            let change = back(&mut block.twist_impulse, self.twist, part, at);
            pair.twist([&block.twist_a, &block.twist_b], change, at);
        }
        if block.rolls {
            for t in 0..2 {
                let change = back(&mut block.rolling_impulse[t], self.rolling[t], part, at);
                pair.twist([&block.rolling_a[t], &block.rolling_b[t]], change, at);
            }
        }
    }
}

/// Takes a part, Q30, of what was added to a column since it was `before` back, and returns the change.
#[inline(always)]
fn back<B: Backend<N>, const N: usize>(
    column: &mut Column,
    before: Lanes<B, N>,
    part: Lanes<B, N>,
    at: usize,
) -> Lanes<B, N> {
    let now = load::<B, N>(column, at);
    let change = (before - now).mul32(part).shr_round::<30>();
    store(now + change, column, at);
    change
}

/// A sweep over the normals, in some lanes. Returns by how much impulses changed.
#[cfg_attr(not(unoptimized), inline(always))]
fn press<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    targets: &Targets<B, N>,
    lanes: Mask<B, N>,
) -> [Lanes<B, N>; 4] {
    let mut speeds = normals::all_speeds(block, at, pair);
    let mut changes = [Lanes::zero(); 4];
    let count = block.count;
    for i in 0..count {
        let Block { points, influences, .. } = &mut *block;
        let point = &mut points[i];
        let change = with_offset(speeds[i], -targets[i]).mul32(load(&point.inverse, at));
        let old = load::<B, N>(&point.impulse, at);
        let new = changed(old, lanes.keep(change));
        changes[i] = new - old;
        store(new, &mut point.impulse, at);
        store_total(load_total::<B, N>(&point.total, at) + changes[i], &mut point.total, at);
        for on in i + 1..count {
            speeds[on] += load::<B, N>(&influences[influence_of(i, on)], at).mul32(changes[i]);
        }
    }
    normals::press_all(block, at, pair, &changes);
    changes
}
