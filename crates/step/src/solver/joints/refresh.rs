//! The rows of joints where the bodies are in a substep.

use super::super::bodies::{Bodies, Displacement};
use super::super::prepare::{Reciprocal, root, scaled, shr_each, shr_each_magnitude};
use super::super::softness::Softness;
use super::super::{Column, SHARE_BITS, load, load3, records, store, store_saturating, store3};
use super::arithmetic::{Inverse, Rotation, times};
use super::{AxisKind, AxisRow, JointBlock, JointPass, OverJoints, POINT_BITS, ROTATION_BITS};
use isostep_math::wide::{Backend, Lanes, Level, Mask, add3, cross3, dot3, scale3, shr_round3, sub3};

/// Makes all rows.
#[derive(Clone, Copy)]
pub(crate) struct Refresh {
    /// Substeps a second.
    pub(crate) rate: i64,
}

/// The greatest impulse and the greatest velocity in a row, Q11.21: 2⁹ m/s.
pub(super) const MOST: i64 = 1 << 30;
/// [`MOST`] as columns have it.
pub(crate) const MOST_IMPULSE: i32 = MOST as i32;
/// The fastest that errors are taken back, Q11.21: 32 m/s, or 32 rad/s.
pub(super) const MOST_CORRECTION: i64 = 32 << 21;

impl Refresh {
    pub(crate) fn run(self, blocks: &mut [JointBlock], bodies: &Bodies, level: Level) {
        let displacements = &bodies.displacements[..];
        level.dispatch(OverJoints { blocks: &mut *blocks, pass: Points { displacements } });
        level.dispatch(OverJoints { blocks: &mut *blocks, pass: Rotations { displacements } });
        level.dispatch(OverJoints { blocks, pass: Axes { displacements, rate: self.rate } });
    }
}

/// Arms, and the inverse effective mass of points.
struct Points<'a> {
    displacements: &'a [Displacement],
}

/// The inverse effective mass of rotations.
struct Rotations<'a> {
    displacements: &'a [Displacement],
}

/// Rows of axes.
struct Axes<'a> {
    displacements: &'a [Displacement],
    rate: i64,
}

/// How far both bodies moved since the start of the step.
struct Moved<B: Backend<N>, const N: usize> {
    /// Displacements, Q32.
    way: [[Lanes<B, N>; 3]; 2],
    /// Rotation vectors, Q32.
    turn: [[Lanes<B, N>; 3]; 2],
}

impl<B: Backend<N>, const N: usize> Moved<B, N> {
    #[inline(always)]
    fn gather(block: &JointBlock, at: usize, displacements: &[Displacement]) -> Self {
        let a = Lanes::<B, N>::gather_records(displacements, &records::<N>(&block.a, at));
        let b = Lanes::<B, N>::gather_records(displacements, &records::<N>(&block.b, at));
        Self { way: [[a[0], a[1], a[2]], [b[0], b[1], b[2]]], turn: [[a[4], a[5], a[6]], [b[4], b[5], b[6]]] }
    }

    /// By how much b turned more than a, Q24.
    #[inline(always)]
    fn turned(&self) -> [Lanes<B, N>; 3] {
        shr_round3::<B, N, 8>(sub3(self.turn[1], self.turn[0]))
    }

    /// The x axes of both frames now, Q30.
    #[inline(always)]
    fn axes(&self, block: &JointBlock, at: usize) -> [[Lanes<B, N>; 3]; 2] {
        let [a, b] = [load3::<B, N>(&block.axes[0], at), load3(&block.axes[1], at)];
        [Rotation::new(self.turn[0]).turned(a), Rotation::new(self.turn[1]).turned(b)]
    }
}

/// Takes from an impulse its part along an axis that has turned towards it since the impulse was found.
///
/// Nothing else would: rows that hold what is across the axis do not see it, and starting with it would drive what the
/// joint leaves free, with energy from nowhere.
#[inline(always)]
fn forget_along<B: Backend<N>, const N: usize>(
    impulse: &mut [Column; 3],
    axis: [Lanes<B, N>; 3],
    restricted: Mask<B, N>,
    at: usize,
) {
    let old = load3::<B, N>(impulse, at);
    let along = dot3(axis, old).shr_round::<30>();
    let own = shr_round3::<B, N, 30>(scale3(axis, along));
    let most = Lanes::splat(MOST);
    let mut new = old;
    for k in 0..3 {
        new[k] = restricted.select((old[k] - own[k]).clamp(-most, most), old[k]);
    }
    store3(new, impulse, at);
}

/// What fits a multiplicand.
#[inline(always)]
fn held<B: Backend<N>, const N: usize>(v: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(i64::from(i32::MAX));
    [v[0].clamp(-most, most), v[1].clamp(-most, most), v[2].clamp(-most, most)]
}

/// `x` 2^−`down` for counts of either sign, and x of at most 31 bits where they are negative.
#[inline(always)]
fn shifted<B: Backend<N>, const N: usize>(x: Lanes<B, N>, down: Lanes<B, N>) -> Lanes<B, N> {
    let up = (-down).clamp(Lanes::zero(), Lanes::splat(31));
    shr_each(x.shl_each(up), down.clamp(Lanes::zero(), Lanes::splat(62)))
}

/// T \[r\]× by rows, as mantissas of 30 bits, and the exponent that they have with 54 fraction bits.
#[inline(always)]
fn levered<B: Backend<N>, const N: usize>(
    tensor: [Lanes<B, N>; 6],
    exponent: Lanes<B, N>,
    arm: [Lanes<B, N>; 3],
) -> ([Lanes<B, N>; 9], Lanes<B, N>) {
    // A row T_i of the tensor makes the row T_i × r.
    let mut sums = [Lanes::zero(); 9];
    let mut largest = Lanes::zero();
    for (row, sums) in super::arithmetic::rows(tensor).into_iter().zip(sums.chunks_exact_mut(3)) {
        for (entry, sum) in cross3(row, arm).into_iter().zip(sums) {
            *sum = entry;
            largest = largest.max(entry.abs());
        }
    }
    let shift = (Lanes::splat(34) - largest.leading_zeros()).max(Lanes::zero());
    for sum in &mut sums {
        *sum = shr_each(*sum, shift);
    }
    (sums, shift + exponent)
}

impl JointPass for Points<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if !block.has.points && !block.has.axis {
            return;
        }
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let arm_a = Rotation::new(moved.turn[0]).turned(load3(&block.anchors[0], at));
        let arm_b = Rotation::new(moved.turn[1]).turned(load3(&block.anchors[1], at));
        let way = shr_round3::<B, N, 8>(sub3(moved.way[1], moved.way[0]));
        let apart = held(add3(add3(load3(&block.between, at), way), sub3(arm_b, arm_a)));
        store3(apart, &mut block.points.error, at);
        store3(apart, &mut block.apart, at);
        // What slides is held where it is.
        let slides = load::<B, N>(&block.kind, at).equal(Lanes::splat(AxisKind::Way as i64));
        let out = [slides.keep(apart[0]), slides.keep(apart[1]), slides.keep(apart[2])];
        let arms = [held(add3(arm_a, out)), held(arm_b)];
        for body in 0..2 {
            store3(arms[body], &mut block.arms[body], at);
        }
        if !block.has.points {
            return;
        }
        let scale = load::<B, N>(&block.scale, at);
        let mut k = [Lanes::zero(); 6];
        for (axis, k) in k[..3].iter_mut().enumerate() {
            *k = load::<B, N>(&block.fractions[0][axis], at) + load(&block.fractions[1][axis], at);
        }
        for body in 0..2 {
            let mut tensor = [Lanes::zero(); 6];
            for (entry, column) in tensor.iter_mut().zip(&block.tensors[body]) {
                *entry = load(column, at);
            }
            let [x, y, z] = arms[body];
            let (m, exponent) = levered(tensor, load(&block.exponents[body], at), arms[body]);
            let down = Lanes::splat(32) + scale - exponent;
            for (entry, column) in m.iter().zip(&mut block.points.turns[body]) {
                store_saturating(shifted(*entry, down), column, at);
            }
            // Columns of T [r]× cross r.
            let entries = [
                m[3].mul32(z) - m[6].mul32(y),
                m[7].mul32(x) - m[1].mul32(z),
                m[2].mul32(y) - m[5].mul32(x),
                m[4].mul32(z) - m[7].mul32(y),
                m[5].mul32(z) - m[8].mul32(y),
                m[8].mul32(x) - m[2].mul32(z),
            ];
            let down = (Lanes::splat(48) - exponent).clamp(Lanes::splat(4), Lanes::splat(62));
            for (entry, k) in entries.into_iter().zip(&mut k) {
                *k += shr_each(entry, down);
            }
        }
        let zero = Lanes::zero();
        let held = load::<B, N>(&block.points.held, at).gt(zero);
        let restricted = load::<B, N>(&block.points.across, at).gt(zero);
        let axis = Rotation::new(moved.turn[0]).turned(load3(&block.axes[0], at));
        if restricted.any() {
            let along = dot3(axis, apart).shr_round::<30>();
            let own = shr_round3::<B, N, 30>(scale3(axis, along));
            for k in 0..3 {
                store(apart[k] - restricted.keep(own[k]), &mut block.points.error[k], at);
            }
            forget_along::<B, N>(&mut block.points.impulse, axis, restricted, at);
        }
        let inverse = Inverse::new(k, axis, held, restricted);
        let inverse = inverse.scaled(scale + Lanes::splat(30 + i64::from(POINT_BITS)));
        for (entry, column) in inverse.into_iter().zip(&mut block.points.inverse) {
            store(entry, column, at);
        }
    }
}

impl JointPass for Rotations<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if !block.has.rotations {
            return;
        }
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let [axis_a, axis_b] = moved.axes(block, at);
        let zero = Lanes::zero();
        let by_turn = load::<B, N>(&block.by_turn, at).gt(zero);
        let bent = shr_round3::<B, N, 36>(cross3(axis_a, axis_b));
        let turned = held(add3(load3(&block.turn, at), moved.turned()));
        for k in 0..3 {
            store(by_turn.select(turned[k], bent[k]), &mut block.rotations.error[k], at);
        }

        let scale = load::<B, N>(&block.turn_scale, at);
        let exponents = [load::<B, N>(&block.exponents[0], at), load(&block.exponents[1], at)];
        let common = exponents[0].max(exponents[1]);
        let mut k = [zero; 6];
        for body in 0..2 {
            let apart = (common - exponents[body]).min(Lanes::splat(62));
            let down = Lanes::splat(30 - 22) + scale - exponents[body];
            for (place, k) in k.iter_mut().enumerate() {
                let entry = load::<B, N>(&block.tensors[body][place], at);
                *k += shr_each(entry, apart);
                store_saturating(shifted(entry, down), &mut block.rotations.turns[body][place], at);
            }
        }
        let held = load::<B, N>(&block.rotations.held, at).gt(zero);
        let restricted = load::<B, N>(&block.rotations.across, at).gt(zero);
        if restricted.any() {
            forget_along::<B, N>(&mut block.rotations.impulse, axis_a, restricted, at);
        }
        let inverse = Inverse::new(k, axis_a, held, restricted);
        let inverse = inverse.scaled(scale - common + Lanes::splat(30 + i64::from(ROTATION_BITS)));
        for (entry, column) in inverse.into_iter().zip(&mut block.rotations.inverse) {
            store(entry, column, at);
        }
    }
}

impl JointPass for Axes<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if block.has.axis {
            self.axis::<B, N>(block, at);
        }
        if block.has.swing {
            self.swing::<B, N>(block, at);
        }
    }
}

impl Axes<'_> {
    #[inline(always)]
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

        // Distances: along what is between the origins.
        let (mut along, mut length) = (axis_a, zero);
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
        let mut arm = levers(about, lever);
        let mut direction = along;
        if turns.any() {
            let free = still_points::<B, N>(block, at, arm);
            for k in 0..3 {
                direction[k] = turns.select(free[k], direction[k]);
            }
        }
        if way.any() {
            let free = still_rotations::<B, N>(block, at, along);
            for k in 0..3 {
                arm[k] = way.select(free[k], arm[k]);
            }
        }
        let k = row::<B, N>(block, at, direction, arm, |block| &mut block.axis);
        let angle_now = load::<B, N>(&block.axis.start, at) + dot3(about, moved.turned()).shr_round::<28>();
        let way_now = dot3(axis_a, apart).shr_round::<30>();
        let most = Lanes::splat(i64::from(i32::MAX));
        let value = turns.select(angle_now, way.select(way_now, length.shl::<2>())).clamp(-most, most);
        store(value, &mut block.axis.value, at);
        self.limit(&mut block.axis, value, lever, at);
        if !block.has.motor {
            return;
        }
        let motor = &mut block.motor;
        let error = (value - load(&motor.position, at)).clamp(-most, most);
        let back = load::<B, N>(&motor.give.rate, at).mul32(error).shr_round::<{ Softness::RATE_BITS + 3 }>();
        let speed = Lanes::splat(MOST);
        let offset = (back - load(&motor.velocity, at)).clamp(-speed, speed);
        store(leveled(offset, lever), &mut motor.offset, at);
        let force = load::<B, N>(&motor.force, at);
        let bound = shr_each_magnitude(force.mul32(k.mantissa), Lanes::splat(61) - k.length).min(speed);
        store(force.equal(most).select(speed, bound), &mut motor.most, at);
    }

    #[inline(always)]
    fn swing<B: Backend<N>, const N: usize>(&self, block: &mut JointBlock, at: usize) {
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let axis = load3::<B, N>(&block.swing_axis, at);
        let about = shr_round3::<B, N, 2>(axis);
        let lever = load(&block.lever, at);
        let arm = levers(about, lever);
        let direction = still_points::<B, N>(block, at, arm);
        row::<B, N>(block, at, direction, arm, |block| &mut block.swing);
        let most = Lanes::splat(i64::from(i32::MAX));
        let turned = dot3(axis, moved.turned()).shr_round::<30>();
        let value = (load::<B, N>(&block.swing.start, at) + turned).clamp(-most, most);
        store(value, &mut block.swing.value, at);
        self.limit(&mut block.swing, value, lever, at);
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
        let rate = load::<B, N>(&row.give.rate, at);
        let back = rate.mul32(gap).shr_round::<{ Softness::RATE_BITS + 3 }>().clamp(-correction, correction);
        let apart = gap.gt(zero) & !both;
        let speed = Lanes::splat(MOST);
        let offset = leveled(apart.select(closing, back).clamp(-speed, speed), lever);
        store(offset.negate_where_negative(side), &mut row.offset, at);
        store(apart.keep(one), &mut row.apart, at);
        store(side, &mut row.side, at);
    }
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
    let mut tensor = [Lanes::zero(); 6];
    for (entry, column) in tensor.iter_mut().zip(&block.tensors[body]) {
        *entry = load(column, at);
    }
    let sums = times(tensor, v);
    let largest = sums[0].abs().max(sums[1].abs()).max(sums[2].abs());
    let shift = (Lanes::splat(34) - largest.leading_zeros()).max(Lanes::zero());
    let mantissas = [shr_each(sums[0], shift), shr_each(sums[1], shift), shr_each(sums[2], shift)];
    (mantissas, shift + load(&block.exponents[body], at))
}

/// The impulse that has to go with an angular impulse along `arm`, Q24, so that points do not move: Q30.
///
/// The angular impulse lets points part by w = Σ (T arm) × r, and −K⁻¹ w takes that back. With it a motor or a limit
/// turns a door about its hinge with the inertia that it has there, and disturbs no point.
#[inline(always)]
fn still_points<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    at: usize,
    arm: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let mut parting = [Lanes::zero(); 3];
    for body in 0..2 {
        let (mantissas, exponent) = turned::<B, N>(block, at, body, arm);
        let down = (Lanes::splat(58) - exponent).clamp(Lanes::zero(), Lanes::splat(62));
        for (sum, entry) in parting.iter_mut().zip(cross3(mantissas, load3(&block.arms[body], at))) {
            *sum += shr_each(entry, down);
        }
    }
    let mut inverse = [Lanes::zero(); 6];
    for (entry, column) in inverse.iter_mut().zip(&block.points.inverse) {
        *entry = load(column, at);
    }
    // Q20 · Q20 2^e.
    let down = load::<B, N>(&block.scale, at) + Lanes::splat(2 * i64::from(POINT_BITS) - 30);
    let back = times(inverse, held(parting));
    let most = Lanes::splat(1 << 30);
    let [x, y, z] = [shr_each(back[0], down), shr_each(back[1], down), shr_each(back[2], down)];
    [(-x).clamp(-most, most), (-y).clamp(-most, most), (-z).clamp(-most, most)]
}

/// The angular impulse that has to go with an impulse along a unit direction in Q30, so that what is held does not
/// turn: as an arm, Q24. As [`still_points`].
#[inline(always)]
fn still_rotations<B: Backend<N>, const N: usize>(
    block: &JointBlock,
    at: usize,
    direction: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let scale = load::<B, N>(&block.turn_scale, at);
    let mut turning = [Lanes::zero(); 3];
    for body in 0..2 {
        let arm = shr_round3::<B, N, 30>(cross3(load3(&block.arms[body], at), direction));
        let (mantissas, exponent) = turned::<B, N>(block, at, body, held(arm));
        // 2^−s in Q22.
        let down = Lanes::splat(54 - 22) + scale - exponent;
        for (sum, entry) in turning.iter_mut().zip(mantissas) {
            *sum += shifted(entry, down);
        }
    }
    let mut inverse = [Lanes::zero(); 6];
    for (entry, column) in inverse.iter_mut().zip(&block.rotations.inverse) {
        *entry = load(column, at);
    }
    let back = shr_round3::<B, N, { ROTATION_BITS + 22 - 24 }>(times(inverse, held(turning)));
    held([-back[0], -back[1], -back[2]])
}

/// Makes a row along a direction in Q30 of at most 2, with arms in Q24 about axes besides those of the points. Returns
/// its K.
#[inline(always)]
fn row<B: Backend<N>, const N: usize>(
    block: &mut JointBlock,
    at: usize,
    direction: [Lanes<B, N>; 3],
    about: [Lanes<B, N>; 3],
    of: impl Fn(&mut JointBlock) -> &mut AxisRow,
) -> Reciprocal<B, N> {
    let mut k = Lanes::zero();
    let mut turns = [([Lanes::zero(); 3], Lanes::zero()); 2];
    for body in 0..2 {
        let levers = cross3(load3(&block.arms[body], at), direction);
        let arm = held(add3(shr_round3::<B, N, 30>(levers), about));
        let (mantissas, exponent) = turned::<B, N>(block, at, body, arm);
        // Q24 · mantissa 2^(exponent − 54) to Q30.
        k += scaled(dot3(arm, mantissas).max(Lanes::zero()), exponent - Lanes::splat(48));
        turns[body] = (mantissas, exponent);
        for axis in 0..3 {
            let part = direction[axis].mul32(direction[axis]).shr_round::<30>();
            k += part.mul32(load(&block.fractions[body][axis], at)).shr_round::<30>();
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
    store_saturating(shr_each_magnitude(share, Lanes::splat(i64::from(30 - SHARE_BITS))), &mut row.share, at);
    store3(direction, &mut row.direction, at);
    k
}

/// Masks of lanes by a column of 0 and others.
#[inline(always)]
pub(super) fn is_set<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Mask<B, N> {
    !load::<B, N>(column, at).equal(Lanes::zero())
}
