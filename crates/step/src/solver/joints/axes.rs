//! The rows of axes where the bodies are in a substep: what motors drive and limits bound.

use super::super::mantissas::{Reciprocal, root, scaled, shorten, shr_each, shr_each_half_up};
use super::super::records::Records;
use super::super::softness::Softness;
use super::super::{Column, Pass, SHARE_BITS, load, load3, load6, store, store_saturating, store3};
use super::arithmetic::times;
use super::refresh::{MOST, MOST_CORRECTION, Moved, held, shifted};
use super::{AxisKind, AxisRow, JointBlock, MotorRow, POINT_BITS, ROTATION_BITS};
use isostep_math::wide::{Backend, Lanes, add3, cross3, dot3, scale3, shr_round3};

/// Makes the rows of axes. Those of points and rotations are there.
pub(super) struct Axes<'a> {
    pub(super) displacements: &'a Records<'a>,
    /// Substeps a second.
    pub(super) rate: i64,
}

impl Pass<JointBlock> for Axes<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if block.has.axis {
            self.axis::<B, N>(block, at);
        }
        if block.has.swing || block.has.wheel {
            self.swing::<B, N>(block, at);
        }
    }
}

impl Axes<'_> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn axis<B: Backend<N>, const N: usize>(&self, block: &mut JointBlock, at: usize) {
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let [axis_a, axis_b] = moved.axes(block, at);
        let kind = load::<B, N>(&block.kind, at);
        let angle = kind.equal(Lanes::splat(AxisKind::Angle as i64));
        let way = kind.equal(Lanes::splat(AxisKind::Way as i64));
        let distance = kind.equal(Lanes::splat(AxisKind::Distance as i64));
        let twist = kind.equal(Lanes::splat(AxisKind::Twist as i64));
        let zero = Lanes::zero();
        let apart = load3::<B, N>(&block.apart, at);

        // Angles: about u, Q28. A twist changes with the rotation along (u_a + u_b) / (1 + u_a · u_b).
        let mut about = shr_round3::<B, N, 2>(axis_a);
        if twist.any() {
            let mean = shr_round3::<B, N, 1>(add3(axis_a, axis_b));
            let cosine = dot3(axis_a, axis_b).shr_round::<30>();
            let divisor = Reciprocal::of((Lanes::splat(1 << 30) + cosine).max(Lanes::splat(1 << 27)));
            let products = scale3(mean, divisor.value);
            for k in 0..3 {
                about[k] = twist.select(shr_each(products[k], divisor.length), about[k]);
            }
        }
        let turns = angle | twist;
        let about = [turns.keep(about[0]), turns.keep(about[1]), turns.keep(about[2])];

        // Ways: along what is free. Distances: along what is between the origins.
        let (mut along, mut length) = (axis_a, zero);
        if way.any() {
            let free = load3::<B, N>(&block.points.free, at);
            for k in 0..3 {
                along[k] = way.select(free[k], along[k]);
            }
        }
        if distance.any() {
            let short = shr_round3::<B, N, 2>(apart);
            length = root(dot3(short, short));
            let divisor = Reciprocal::of(length.max(Lanes::splat(1)));
            let products = scale3(short, divisor.value);
            let some = length.gt(zero) & distance;
            let one = Lanes::splat(1 << 30);
            for k in 0..3 {
                let unit = shr_each(products[k], divisor.length - Lanes::splat(1)).clamp(-one, one);
                along[k] = some.select(unit, along[k]);
            }
        }
        let moves = way | distance;
        let along = [moves.keep(along[0]), moves.keep(along[1]), moves.keep(along[2])];

        let lever = turns.keep(load(&block.lever, at));
        let (mut direction, mut arm) = (along, levers(about, lever));
        if turns.any() {
            let free = still_all::<B, N>(block, at, arm);
            for k in 0..3 {
                direction[k] = turns.select(free.direction[k], direction[k]);
                arm[k] = turns.select(free.about[k], arm[k]);
            }
        }
        if way.any() {
            let free = still_rotations::<B, N>(block, at, along);
            for k in 0..3 {
                arm[k] = way.select(free[k], arm[k]);
            }
        }
        let pull = Pull { direction, about: arm };
        let k = row::<B, N>(block, at, pull, |block| &mut block.axis);
        let angle_now = load::<B, N>(&block.axis.start, at) + dot3(about, moved.turned()).shr_round::<28>();
        let way_now = dot3(along, apart).shr_round::<30>();
        let most = Lanes::splat(i64::from(i32::MAX));
        let value = turns.select(angle_now, way.select(way_now, length.shl::<2>())).clamp(-most, most);
        self.limit(&mut block.axis, value, lever, at);
        if block.has.motor {
            set_motor(&mut block.motor, value, &k, lever, at);
        }
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn swing<B: Backend<N>, const N: usize>(&self, block: &mut JointBlock, at: usize) {
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let mut axis = load3::<B, N>(&block.swing_axis, at);
        if block.has.wheel {
            let is_bounded = load::<B, N>(&block.swing.limited, at).gt(Lanes::zero());
            let axle = load3::<B, N>(&block.rotations.free, at);
            for k in 0..3 {
                axis[k] = is_bounded.select(axis[k], axle[k]);
            }
        }
        let about = shr_round3::<B, N, 2>(axis);
        let lever = load(&block.lever, at);
        let pull = still_all::<B, N>(block, at, levers(about, lever));
        let k = row::<B, N>(block, at, pull, |block| &mut block.swing);
        let most = Lanes::splat(i64::from(i32::MAX));
        let turned = dot3(axis, moved.turned()).shr_round::<30>();
        let value = (load::<B, N>(&block.swing.start, at) + turned).clamp(-most, most);
        self.limit(&mut block.swing, value, lever, at);
        if block.has.wheel {
            set_motor(&mut block.wheel, value, &k, lever, at);
        }
    }

    /// What limits ask for.
    #[inline(always)]
    fn limit<B: Backend<N>, const N: usize>(
        &self,
        row: &mut AxisRow,
        value: Lanes<B, N>,
        lever: Lanes<B, N>,
        at: usize,
    ) {
        let (zero, one, most) = (Lanes::zero(), Lanes::splat(1), Lanes::splat(i64::from(i32::MAX)));
        let (lower, upper) = (load::<B, N>(&row.lower, at), load::<B, N>(&row.upper, at));
        let (above, below) = ((value - lower).clamp(-most, most), (upper - value).clamp(-most, most));
        let both = lower.equal(upper);
        let first = below.lt(above);
        let side = both.select(zero, first.select(-one, one));
        let gap = (first & !both).select(below, above);
        let closing = Lanes::splat(self.rate).mul32(gap).shr_round::<3>();
        let correction = Lanes::splat(MOST_CORRECTION);
        let back = closing.shr_round::<1>().clamp(-correction, correction);
        let apart = gap.gt(zero) & !both;
        let speed = Lanes::splat(MOST);
        let offset = leveled(apart.select(closing, back).clamp(-speed, speed), lever);
        store(offset.negate_where_negative(side), &mut row.offset, at);
        store(apart.keep(one), &mut row.apart, at);
        store(side, &mut row.side, at);
    }
}

/// What a motor asks for, and with how much force at the most, on an axis of which this is the value, with its K.
#[inline(always)]
fn set_motor<B: Backend<N>, const N: usize>(
    motor: &mut MotorRow,
    value: Lanes<B, N>,
    k: &Reciprocal<B, N>,
    lever: Lanes<B, N>,
    at: usize,
) {
    let most = Lanes::splat(i64::from(i32::MAX));
    let error = (value - load(&motor.position, at)).clamp(-most, most);
    // γ (β s − v), with β s of up to 2¹⁵ m/s, Q16.
    let mass = load::<B, N>(&motor.give.mass, at);
    let back = load::<B, N>(&motor.give.rate, at).mul32(error).shr_round::<{ Softness::RATE_BITS + 8 }>();
    let back = back.clamp(-most, most).mul32(mass).shr_round::<25>();
    let speed = Lanes::splat(MOST);
    let asked = load::<B, N>(&motor.velocity, at).mul32(mass).shr_round::<30>();
    let offset = (back - asked).clamp(-speed, speed);
    store(leveled(offset, lever), &mut motor.offset, at);
    let force = load::<B, N>(&motor.force, at);
    let bound = shr_each_half_up(force.mul32(k.mantissa), Lanes::splat(61) - k.length).min(speed);
    store(force.equal(most).select(speed, bound), &mut motor.most, at);
}

/// An angular velocity in Q21 as that of the end of an arm of 2^−lever m.
#[inline(always)]
fn leveled<B: Backend<N>, const N: usize>(speed: Lanes<B, N>, lever: Lanes<B, N>) -> Lanes<B, N> {
    let most = Lanes::splat(MOST);
    shifted(speed, lever).clamp(-most, most)
}

/// An axis in Q28 times the lever, Q24.
#[inline(always)]
fn levers<B: Backend<N>, const N: usize>(about: [Lanes<B, N>; 3], lever: Lanes<B, N>) -> [Lanes<B, N>; 3] {
    let down = lever + Lanes::splat(4);
    [shr_each(about[0], down), shr_each(about[1], down), shr_each(about[2], down)]
}

/// T `v` for a body and a vector in Q24, as mantissas of 30 bits, and the exponent that they have with 54 fraction bits.
#[inline(always)]
fn turned<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    at: usize,
    body: usize,
    v: [Lanes<B, N>; 3],
) -> ([Lanes<B, N>; 3], Lanes<B, N>) {
    let tensor = load6::<B, N>(&block.tensors[body], at);
    let mut entries = times(tensor, v);
    let shift = shorten(&mut entries);
    (entries, shift + load(&block.exponents[body], at))
}

/// The fraction bits of the impulse at the points in a row, of which K is 1 at the most: so is the impulse.
const ROW: u32 = 30;
/// The same where nothing else goes with an angular impulse: about an axis that is across for much of a slender body the impulse
/// at the points is a multiple of it, up to 16.
const ALONE: u32 = 26;

/// An impulse at the points, of at most 2³⁰ with `BITS` fraction bits, and an angular impulse.
#[derive(Clone, Copy)]
struct Pull<B: Backend<N>, const N: usize, const BITS: u32> {
    direction: [Lanes<B, N>; 3],
    /// Q24.
    about: [Lanes<B, N>; 3],
}

/// The angular impulse along `arm`, Q24, with what has to go with it so that points do not move, nor what is held across
/// the axis turns.
///
/// An angular impulse L lets points part by w = Σ (T_i L) × r_i, and P = −K⁻¹ w takes that back. Together they turn bodies
/// against each other by v = Σ T_i (r_i × P + L), across the axis too where that is no principal axis of what turns about the
/// points, and L' = −R⁻¹ v takes the part across back, with the inverse R⁻¹ of rotations that leave points still. With all
/// of it a motor or a limit turns a door about its hinge with the inertia that it has there, and disturbs nothing that is
/// held.
#[cfg_attr(not(unoptimized), inline(always))]
fn still_all<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    at: usize,
    arm: [Lanes<B, N>; 3],
) -> Pull<B, N, ROW> {
    let across = load::<B, N>(&block.rotations.across, at).gt(Lanes::zero());
    if !across.any() {
        return Pull { direction: still_points::<B, N, ROW>(block, at, arm), about: arm };
    }
    let alone = Pull::<B, N, ALONE> { direction: still_points::<B, N, ALONE>(block, at, arm), about: arm };
    let (mut turning, exponent) = turning_apart(block, at, &alone);
    // What is free may be a thousand times as much as what is held, of which the inverse has a millionth.
    let axle = load3::<B, N>(&block.rotations.free, at);
    let along = dot3(axle, turning).shr_round::<30>();
    for (entry, part) in turning.iter_mut().zip(shr_round3::<B, N, 30>(scale3(axle, along))) {
        *entry = across.keep(*entry - part);
    }
    let about = held(add3(arm, against::<B, N>(block, &block.rotations.inverse, turning, exponent, at)));
    Pull { direction: still_points::<B, N, ROW>(block, at, about), about }
}

/// What keeps points still under an angular impulse along `arm`, Q24: see [`still_all`].
#[cfg_attr(not(unoptimized), inline(always))]
fn still_points<B: Backend<N>, const N: usize, const BITS: u32>(
    block: &JointBlock,
    at: usize,
    arm: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(1 << 30);
    // 2^−e w, Q20: as much as the arm has radii of gyration, of which w has the square.
    let scale = load::<B, N>(&block.scale, at);
    let mut parting = [Lanes::zero(); 3];
    for body in 0..2 {
        let (mantissas, exponent) = turned::<B, N>(block, at, body, arm);
        let down = (Lanes::splat(58) + scale - exponent).clamp(Lanes::zero(), Lanes::splat(62));
        for (sum, entry) in parting.iter_mut().zip(cross3(mantissas, load3(&block.arms[body], at))) {
            *sum += shr_each(entry, down);
        }
    }
    for entry in &mut parting {
        *entry = entry.clamp(-most, most);
    }
    let inverse = load6::<B, N>(&block.points.inverse, at);
    let down = Lanes::splat(i64::from(2 * POINT_BITS - BITS));
    let mut back = times(inverse, parting);
    for entry in &mut back {
        *entry = (-shr_each(*entry, down)).clamp(-most, most);
    }
    back
}

/// The angular impulse −(Σ T_i)⁻¹ Σ T_i (r_i × P), Q24, that has to go with an impulse P along a unit direction in Q30, so that what
/// is held does not turn.
///
/// By the inverse of rotations alone: that of rotations which leave points still is for what comes with an impulse that keeps them so.
#[cfg_attr(not(unoptimized), inline(always))]
fn still_rotations<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    at: usize,
    direction: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let push = Pull::<B, N, ROW> { direction, about: [Lanes::zero(); 3] };
    let (turning, exponent) = turning_apart(block, at, &push);
    against::<B, N>(block, &block.alone, turning, exponent, at)
}

/// r × P + L for a body, Q24.
#[inline(always)]
fn moment<B: Backend<N>, const N: usize, const BITS: u32>(
    block: &JointBlock,
    at: usize,
    body: usize,
    pull: &Pull<B, N, BITS>,
) -> [Lanes<B, N>; 3] {
    let levers = cross3(load3(&block.arms[body], at), pull.direction);
    held(add3(shr_round3::<B, N, BITS>(levers), pull.about))
}

/// How fast bodies turn against each other for an impulse: mantissas of 30 bits, and the exponent that they have with 53 fraction
/// bits.
#[cfg_attr(not(unoptimized), inline(always))]
fn turning_apart<B: Backend<N>, const N: usize, const BITS: u32>(
    block: &JointBlock,
    at: usize,
    pull: &Pull<B, N, BITS>,
) -> ([Lanes<B, N>; 3], Lanes<B, N>) {
    let (of_a, exponent_a) = turned::<B, N>(block, at, 0, moment(block, at, 0, pull));
    let (of_b, exponent_b) = turned::<B, N>(block, at, 1, moment(block, at, 1, pull));
    let exponent = exponent_a.max(exponent_b);
    let (most, one) = (Lanes::splat(62), Lanes::splat(1));
    let down_a = (exponent - exponent_a + one).min(most);
    let down_b = (exponent - exponent_b + one).min(most);
    let mut apart = of_a;
    for (entry, of_b) in apart.iter_mut().zip(of_b) {
        *entry = shr_each(*entry, down_a) + shr_each(of_b, down_b);
    }
    (apart, exponent)
}

/// The angular impulse, Q24, that takes an angular velocity back: by an inverse effective mass, and mantissas of 30 bits with
/// their exponent.
#[cfg_attr(not(unoptimized), inline(always))]
fn against<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    inverse: &[Column; 6],
    turning: [Lanes<B, N>; 3],
    exponent: Lanes<B, N>,
    at: usize,
) -> [Lanes<B, N>; 3] {
    let scale = load::<B, N>(&block.turn_scale, at);
    let down = (Lanes::splat(53 + i64::from(ROTATION_BITS) - 24) + scale - exponent)
        .clamp(Lanes::zero(), Lanes::splat(62));
    let mut back = times(load6::<B, N>(inverse, at), turning);
    for entry in &mut back {
        *entry = -shr_each(*entry, down);
    }
    held(back)
}

/// Makes the row of an impulse and what goes with it. Returns its K.
#[cfg_attr(not(unoptimized), inline(always))]
fn row<B: Backend<N>, const N: usize>(
    block: &mut JointBlock,
    at: usize,
    pull: Pull<B, N, ROW>,
    of: impl Fn(&mut JointBlock) -> &mut AxisRow,
) -> Reciprocal<B, N> {
    let mut k = Lanes::zero();
    let mut turns = [([Lanes::zero(); 3], Lanes::zero()); 2];
    for (body, turn) in turns.iter_mut().enumerate() {
        let arm = moment(block, at, body, &pull);
        let (mantissas, exponent) = turned::<B, N>(block, at, body, arm);
        // Q24 · mantissa 2^(exponent − 54) to Q30.
        k += scaled(dot3(arm, mantissas).max(Lanes::zero()), exponent - Lanes::splat(48));
        *turn = (mantissas, exponent);
        for (component, fraction) in pull.direction.into_iter().zip(&block.fractions[body]) {
            let part = component.mul32(component).shr_round::<30>();
            k += part.mul32(load(fraction, at)).shr_round::<30>();
        }
        store3(arm, &mut of(block).arms[body], at);
    }
    let k = Reciprocal::of(k.max(Lanes::splat(1 << 20)));
    let row = of(block);
    for (body, (mantissas, exponent)) in turns.into_iter().enumerate() {
        let turns = k.shares(mantissas, exponent, -32);
        for (entry, column) in turns.into_iter().zip(&mut row.turns[body]) {
            store_saturating(entry, column, at);
        }
    }
    let share = k.share(Lanes::splat(1 << 30));
    store_saturating(shr_each_half_up(share, Lanes::splat(i64::from(30 - SHARE_BITS))), &mut row.share, at);
    store3(pull.direction, &mut row.direction, at);
    k
}
