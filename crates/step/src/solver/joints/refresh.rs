//! The rows of joints where the bodies are in a substep.

#![allow(clippy::needless_range_loop, reason = "rows and columns of matrices are addressed by number")]

use super::super::friction::shortening;
use super::super::mantissas::{shorten, shr_each};
use super::super::records::{Gather, Records};
use super::super::{Column, Over, Pass, keep3, load, load3, load6, store, store_saturating, store3};
use super::arithmetic::{Inverse, PLACES, Rotation, times};
use super::axes::Axes;
use super::pair::{Joined, bounded};
use super::solve::stilling;
use super::{AxisKind, JointBlock, Kinds, POINT_BITS, ROTATION_BITS, Triple};
use crate::solver::motion::Period;
use crate::solver::softness::Softness;
use isostep_math::wide::{
    Backend, Lanes, Level, Mask, add3, chunk_at, cross3, dot3, scale3, shr_round3, sub3,
};

/// Makes all rows.
#[derive(Clone, Copy)]
pub(crate) struct Refresh<'a> {
    /// Substeps a second.
    pub(crate) rate: i64,
    /// The velocities with which bodies moved since there were rows, and for how long.
    pub(crate) drift: Option<(&'a Records<'a>, Period)>,
}

/// The greatest impulse and the greatest velocity in a row, Q11.21: 2⁹ m/s.
pub(super) const MOST: i64 = 1 << 30;
/// [`MOST`] as columns have it.
pub(crate) const MOST_IMPULSE: i32 = MOST as i32;
/// The fastest that what holds takes errors back, Q11.21: 32 m/s, or 32 rad/s.
pub(super) const MOST_CORRECTION: i64 = 32 << 21;
/// The most that a spring asks for in a substep, Q11.21: 256 m/s, or 256 rad/s.
const MOST_PULL: i64 = 256 << 21;

/// The greatest trace of 2^−e K of points, Q30, with which points are kept still under rotations: 2¹¹.
const MOST_TRACE: i64 = 1 << 41;

impl Refresh<'_> {
    pub(crate) fn run(self, blocks: &mut [JointBlock], displacements: &Records<'_>, level: Level) {
        if let Some((velocities, period)) = self.drift {
            level.dispatch(Over::new(&mut *blocks, Turns { velocities, period }));
        }
        level.dispatch(Over::new(&mut *blocks, Points { displacements }));
        level.dispatch(Over::new(&mut *blocks, Rotations { displacements }));
        level.dispatch(Over::new(&mut *blocks, Axes { displacements, rate: self.rate }));
        if self.drift.is_some() {
            level.dispatch(Over::new(blocks, Starts));
        }
    }
}

/// Arms, and the inverse effective mass of points.
struct Points<'a> {
    displacements: &'a Records<'a>,
}

/// The inverse effective mass of rotations.
struct Rotations<'a> {
    displacements: &'a Records<'a>,
}

/// Turns what holds as the slower one of both bodies turned since there were rows: what holds bodies that go around goes around
/// with them, and what carries a wheel stays upright. Left as they were, impulses would be off by ω h of themselves in each substep,
/// more than sweeps over chains could mend from 20 rad/s on.
struct Turns<'a> {
    velocities: &'a Records<'a>,
    period: Period,
}

/// The impulses with which the next substep starts: those that bodies moved with.
///
/// What a substep adds to them once bodies moved is of this one alone: the other half of what turning takes, and what takes the
/// springs of contacts out again. Swept over again with these, the half before would overshoot in each substep.
struct Starts;

impl Pass<JointBlock> for Starts {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        for triple in [&mut block.points, &mut block.rotations] {
            for (begin, impulse) in triple.begin.iter_mut().zip(&triple.impulse) {
                store(load::<B, N>(impulse, at), begin, at);
            }
        }
        let Kinds { axis, motor, swing, wheel, .. } = block.has;
        for (row, has) in [(&mut block.axis, axis), (&mut block.swing, swing)] {
            if has {
                store(load::<B, N>(&row.impulse, at), &mut row.begin, at);
            }
        }
        for (motor, has) in [(&mut block.motor, motor), (&mut block.wheel, wheel)] {
            if has {
                store(load::<B, N>(&motor.impulse, at), &mut motor.begin, at);
            }
        }
    }
}

/// How far both bodies moved since the start of the step.
pub(super) struct Moved<B: Backend<N>, const N: usize> {
    /// Displacements, Q32.
    way: [[Lanes<B, N>; 3]; 2],
    /// Rotation vectors, Q32.
    turn: [[Lanes<B, N>; 3]; 2],
}

impl<B: Backend<N>, const N: usize> Moved<B, N> {
    #[inline(always)]
    pub(super) fn gather(block: &JointBlock, at: usize, displacements: &Records<'_>) -> Self {
        let a: [Lanes<B, N>; 8] = displacements.gather(chunk_at(&block.a, at));
        let b: [Lanes<B, N>; 8] = displacements.gather(chunk_at(&block.b, at));
        Self { way: [[a[0], a[1], a[2]], [b[0], b[1], b[2]]], turn: [[a[4], a[5], a[6]], [b[4], b[5], b[6]]] }
    }

    /// By how much b turned more than a, Q24.
    #[inline(always)]
    pub(super) fn turned(&self) -> [Lanes<B, N>; 3] {
        shr_round3::<B, N, 8>(sub3(self.turn[1], self.turn[0]))
    }

    /// The x axes of both frames now, Q30.
    #[inline(always)]
    pub(super) fn axes(&self, block: &JointBlock, at: usize) -> [[Lanes<B, N>; 3]; 2] {
        let [a, b] = [load3::<B, N>(&block.axes[0], at), load3(&block.axes[1], at)];
        [Rotation::new(self.turn[0]).turned(a), Rotation::new(self.turn[1]).turned(b)]
    }
}

/// Finds what three rows ask for that are off by an error, Q24: γ β times that, shortened, where it is too much, but not turned.
#[cfg_attr(not(unoptimized), inline(always))]
fn correct<B: Backend<N>, const N: usize>(triple: &mut Triple, error: [Lanes<B, N>; 3], at: usize) {
    // β may be as much as the rate of substeps, where γ is little: up to 2¹⁵ m/s, Q16.
    let rate = load::<B, N>(&triple.give.rate, at);
    let mass = load::<B, N>(&triple.give.mass, at);
    let back = scale3(error, rate);
    let back = shortened(shr_round3::<B, N, { Softness::RATE_BITS + 8 }>(back), Lanes::splat((1 << 31) - 1));
    let holds = load::<B, N>(&triple.give.relax, at).gt(Lanes::zero());
    let most = holds.select(Lanes::splat(MOST_CORRECTION), Lanes::splat(MOST_PULL));
    store3(shortened(shr_round3::<B, N, 25>(scale3(back, mass)), most), &mut triple.correction, at);
}

/// A vector of at most 41 bits, shortened to a length of at most 31.
#[cfg_attr(not(unoptimized), inline(always))]
fn shortened<B: Backend<N>, const N: usize>(vector: [Lanes<B, N>; 3], most: Lanes<B, N>) -> [Lanes<B, N>; 3] {
    let coarse = shr_round3::<B, N, 11>(vector);
    let square = dot3(coarse, coarse);
    let limit = most.shr::<11>();
    let beyond = square.gt(limit.mul32(limit));
    if !beyond.any() {
        return vector;
    }
    let short = shr_round3::<B, N, 19>(scale3(coarse, shortening(limit, square)));
    [
        beyond.select(short[0], vector[0]),
        beyond.select(short[1], vector[1]),
        beyond.select(short[2], vector[2]),
    ]
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
pub(super) fn held<B: Backend<N>, const N: usize>(v: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(i64::from(i32::MAX));
    [v[0].clamp(-most, most), v[1].clamp(-most, most), v[2].clamp(-most, most)]
}

/// `x` 2^−`down` for counts of either sign, and x of at most 31 bits where they are negative.
#[inline(always)]
pub(super) fn shifted<B: Backend<N>, const N: usize>(x: Lanes<B, N>, down: Lanes<B, N>) -> Lanes<B, N> {
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
    let mut entries = [Lanes::zero(); 9];
    for (row, entries) in super::arithmetic::rows(tensor).into_iter().zip(entries.chunks_exact_mut(3)) {
        for (product, entry) in cross3(row, arm).into_iter().zip(entries) {
            *entry = product;
        }
    }
    let shift = shorten(&mut entries);
    (entries, shift + exponent)
}

impl Pass<JointBlock> for Points<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if !block.has.points && !block.has.axis {
            return;
        }
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let turn_a = Rotation::new(moved.turn[0]);
        let [anchor_a, anchor_b] = [load3::<B, N>(&block.anchors[0], at), load3(&block.anchors[1], at)];
        let (arm_a, arm_b) = (turn_a.turned(anchor_a), Rotation::new(moved.turn[1]).turned(anchor_b));
        let way = shr_round3::<B, N, 8>(sub3(moved.way[1], moved.way[0]));
        let turning = sub3(sub3(arm_b, anchor_b), sub3(arm_a, anchor_a));
        let apart = held(add3(add3(load3(&block.between, at), way), turning));
        store3(apart, &mut block.apart, at);
        // What slides is held where it is; and what is off is drawn by impulses at one point, lest they turn both bodies. Of
        // distances they are along the way from one to the other.
        let meets = !load::<B, N>(&block.kind, at).equal(Lanes::splat(AxisKind::Distance as i64));
        let out = [meets.keep(apart[0]), meets.keep(apart[1]), meets.keep(apart[2])];
        let arms = [held(add3(arm_a, out)), held(arm_b)];
        for (arm, columns) in arms.iter().zip(&mut block.arms) {
            store3(*arm, columns, at);
        }
        if !block.has.points {
            return;
        }
        let scale = load::<B, N>(&block.scale, at);
        let mut k = [Lanes::zero(); 6];
        for (axis, k) in k[..3].iter_mut().enumerate() {
            *k = load::<B, N>(&block.fractions[0][axis], at) + load(&block.fractions[1][axis], at);
        }
        for (body, arm) in arms.into_iter().enumerate() {
            let tensor = load6::<B, N>(&block.tensors[body], at);
            let [x, y, z] = arm;
            let (m, exponent) = levered(tensor, load(&block.exponents[body], at), arm);
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
        if block.has.still {
            // What slid too far has too few bits in the inverse of its K for the differences of both to mean anything.
            let trace = k[0] + k[1] + k[2];
            let fine = trace.le(Lanes::splat(MOST_TRACE).shl_each(scale));
            store(fine.keep(load::<B, N>(&block.still, at)), &mut block.still, at);
        }
        let held = load::<B, N>(&block.points.held, at).gt(zero);
        let restricted = load::<B, N>(&block.points.across, at).gt(zero);
        let axis = turn_a.turned(load3(&block.slide, at));
        store3(keep3(restricted, axis), &mut block.points.free, at);
        let mut error = apart;
        if restricted.any() {
            let along = dot3(axis, apart).shr_round::<30>();
            let own = shr_round3::<B, N, 30>(scale3(axis, along));
            for k in 0..3 {
                error[k] -= restricted.keep(own[k]);
            }
            forget_along::<B, N>(&mut block.points.impulse, axis, restricted, at);
        }
        correct(&mut block.points, self::held(error), at);
        let inverse = Inverse::new(k, axis, held, restricted);
        let inverse = inverse.scaled(scale + Lanes::splat(30 + i64::from(POINT_BITS)));
        for (entry, column) in inverse.into_iter().zip(&mut block.points.inverse) {
            store(entry, column, at);
        }
    }
}

/// Finds what keeps points still when rotations are held, and changes the effective mass K of these, 2^`to_q44` K in Q44, to
/// that of both together: in lanes that ask for it, and where numbers have room for it. Returns which these are.
#[cfg_attr(not(unoptimized), inline(always))]
fn still<B: Backend<N>, const N: usize>(
    block: &mut JointBlock,
    at: usize,
    k: &mut [Lanes<B, N>; 6],
    to_q44: Lanes<B, N>,
) -> Mask<B, N> {
    let (zero, most) = (Lanes::zero(), Lanes::splat(1 << 30));
    let mut still = load::<B, N>(&block.still, at).gt(zero) & to_q44.le(Lanes::splat(28));
    // 2^−e C, Q20.
    let mut c = [[zero; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let [of_a, of_b] = &block.points.turns;
            let sum = load::<B, N>(&of_a[3 * i + j], at) + load(&of_b[3 * i + j], at);
            c[i][j] = sum.shr_round::<2>();
            still = still & c[i][j].abs().lt(most);
        }
    }
    for row in &mut c {
        *row = [still.keep(row[0]), still.keep(row[1]), still.keep(row[2])];
    }
    // The products with 2^e K⁻¹, Q20, have 40 bits; columns of Cᵀ are rows of C.
    let inverse = load6::<B, N>(&block.points.inverse, at);
    let down = load::<B, N>(&block.turn_scale, at) - load(&block.scale, at) + Lanes::splat(40 - 24);
    still = still & !down.is_negative();
    let down = down.clamp(zero, Lanes::splat(62));
    let mut s = [[zero; 3]; 3];
    for j in 0..3 {
        let column = times(inverse, c[j]);
        for i in 0..3 {
            s[i][j] = shr_each(column[i], down);
            still = still & s[i][j].abs().lt(most);
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            s[i][j] = still.keep(s[i][j]);
            store(-s[i][j], &mut block.stilling[3 * i + j], at);
        }
    }
    for (place, (entry, (i, j))) in k.iter_mut().zip(PLACES).enumerate() {
        let taken = dot3(c[i], [s[0][j], s[1][j], s[2][j]]);
        let whole = shr_each(*entry, (-to_q44).clamp(zero, Lanes::splat(62)))
            .shl_each(to_q44.clamp(zero, Lanes::splat(28)));
        let mut rest = whole - taken;
        if place < 3 {
            // No less than 2⁻¹⁸ of what it was: the rest is rounding.
            rest = rest.max(zero) + whole.shr::<18>();
        }
        *entry = still.select(rest, *entry);
    }
    still
}

/// Adds to the impulses at points what keeps these still under those against rotation, or takes it out: from substep to substep
/// they last as whole impulses, for what stills follows from the rows of a substep.
#[cfg_attr(not(unoptimized), inline(always))]
fn add_stilling<B: Backend<N>, const N: usize, const OUT: bool>(block: &mut JointBlock, at: usize) {
    let most = Lanes::splat(MOST);
    let own = load3::<B, N>(&block.points.impulse, at);
    let still = stilling(block, load3(&block.rotations.impulse, at), at);
    let mut new = own;
    for k in 0..3 {
        new[k] = if OUT { own[k] - still[k] } else { own[k] + still[k] }.clamp(-most, most);
    }
    store3(new, &mut block.points.impulse, at);
}

impl Pass<JointBlock> for Turns<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if !block.has.points {
            return;
        }
        if block.has.still {
            // What stills them follows from rows, and is other than it was.
            add_stilling::<B, N, false>(block, at);
        }
        let pair = Joined::<B, N>::gather(block, at, self.velocities);
        let slower = pair.slower_turning();
        let mut turn = [Lanes::zero(); 3];
        for k in 0..3 {
            turn[k] = self.period.times(slower[k], 11);
        }
        let turn = Rotation::new(turn);
        for triple in [&mut block.points, &mut block.rotations] {
            // Springs of a joint that holds no point are not asked for here, unless another joint of the block has one.
            let holds = load::<B, N>(&triple.give.relax, at).gt(Lanes::zero());
            let old = load3(&triple.impulse, at);
            let new = bounded(turn.turned(old));
            for k in 0..3 {
                store(holds.select(new[k], old[k]), &mut triple.impulse[k], at);
            }
        }
    }
}

impl Pass<JointBlock> for Rotations<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut JointBlock, at: usize) {
        if !block.has.rotations {
            return;
        }
        let moved = Moved::<B, N>::gather(block, at, self.displacements);
        let [axis_a, axis_b] = moved.axes(block, at);
        let zero = Lanes::zero();
        let bent = shr_round3::<B, N, 36>(cross3(axis_a, axis_b));
        let turned = held(add3(load3(&block.turn, at), moved.turned()));
        let restricted = load::<B, N>(&block.rotations.across, at).gt(zero);
        store3(keep3(restricted, axis_a), &mut block.rotations.free, at);
        let mut error = turned;
        for k in 0..3 {
            error[k] = restricted.select(bent[k], turned[k]);
        }
        correct(&mut block.rotations, error, at);

        let scale = load::<B, N>(&block.turn_scale, at);
        let exponents = [load::<B, N>(&block.exponents[0], at), load(&block.exponents[1], at)];
        let common = exponents[0].max(exponents[1]);
        let mut k = [zero; 6];
        for (body, exponent) in exponents.into_iter().enumerate() {
            let apart = (common - exponent).min(Lanes::splat(62));
            let down = Lanes::splat(30 - 22) + scale - exponent;
            for (place, k) in k.iter_mut().enumerate() {
                let entry = load::<B, N>(&block.tensors[body][place], at);
                *k += shr_each(entry, apart);
                store_saturating(shifted(entry, down), &mut block.rotations.turns[body][place], at);
            }
        }
        let held = load::<B, N>(&block.rotations.held, at).gt(zero);
        if restricted.any() {
            forget_along::<B, N>(&mut block.rotations.impulse, axis_a, restricted, at);
        }
        let mut up = scale - common + Lanes::splat(30 + i64::from(ROTATION_BITS));
        let way = load::<B, N>(&block.kind, at).equal(Lanes::splat(AxisKind::Way as i64));
        if way.any() {
            let alone = Inverse::new(k, axis_a, held, restricted).scaled(up);
            for (entry, column) in alone.into_iter().zip(&mut block.alone) {
                store(entry, column, at);
            }
        }
        if block.has.still {
            // 2^−s K in Q44.
            let to_q44 = common + Lanes::splat(14) - scale;
            let still = still::<B, N>(block, at, &mut k, to_q44);
            add_stilling::<B, N, true>(block, at);
            up = still.select(Lanes::splat(44 + i64::from(ROTATION_BITS)), up);
        }
        let inverse = Inverse::new(k, axis_a, held, restricted).scaled(up);
        for (entry, column) in inverse.into_iter().zip(&mut block.rotations.inverse) {
            store(entry, column, at);
        }
    }
}
