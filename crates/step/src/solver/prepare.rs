//! From anchors to rows, in lanes.
//!
//! A block comes with the records of its bodies, the normal, and for each point the [anchors](Block::anchors) in the
//! coordinates of the bodies, the separation and the impulse of the step before. It leaves with all rows.
//!
//! All that impulses along the normal do follows from three rows: see [`solver`](super). For their arms u_k of a body and
//! m_k = w k⁻² u_k, G_kl = Σ u_k · m_l over both bodies, and Σ w more for the centre by itself. The m_k of both bodies
//! are mantissas of one exponent, for what they end as has one format, too.

#![allow(
    clippy::needless_range_loop,
    reason = "points and rows are addressed by number, in several arrays at once"
)]

use super::bodies::{Bodies, Velocity};
use super::frames::{Frame, Parts};
use super::friction::shortening;
use super::mantissas::{
    Reciprocal, multiplicands_each3, shr_each, shr_each_half_up, shr_each3, shr_logical_each_half_up,
};
use super::normals::{self, MOST};
use super::offsets::Offsets;
use super::pair::{Pair, free_part};
use super::softness::Softness;
use super::{Block, INVERSE_BITS, MOST_FRICTION, Over, Pass, Row};
use super::{keep3, load, load3, store, store_saturating, store3, turns};
use crate::contact::MOST_SCALE;
use isostep_math::wide::{
    Backend, Lanes, Level, Mask, Multiplicand, add3, chunk_at, cross3, dot3, held_multiplicands3, scale3,
    shr_round3, sub3,
};

/// The separation of a point that a contact does not have.
pub(crate) const ABSENT: i32 = i32::MAX >> 1;

/// Computes the rows of all blocks.
pub(crate) struct Prepare<'a> {
    pub(crate) blocks: &'a mut [Block],
    pub(crate) bodies: &'a Bodies,
    pub(crate) constants: Constants,
}

/// What rows are made of, besides bodies.
#[derive(Clone, Copy)]
pub(crate) struct Constants {
    /// Of contacts in general, and of those of bodies one of which weighs much more than the other.
    pub(crate) softness: [Softness; 2],
    pub(crate) offsets: Offsets,
    /// Slower approaches do not bounce, Q11.21.
    pub(crate) bounce_threshold: i64,
}

impl Prepare<'_> {
    pub(crate) fn run(self, level: Level) {
        let Self { blocks, bodies: Bodies { frames, velocities, kicks, .. }, constants } = self;
        let Constants { softness, offsets, bounce_threshold } = constants;
        level.dispatch(Over::new(&mut *blocks, Rows { frames, softness, offsets }));
        let pass = Bounces { velocities, kicks, substep_rate: offsets.rate, bounce_threshold };
        level.dispatch(Over::new(blocks, pass));
    }
}

/// The rows of contacts.
struct Rows<'a> {
    frames: &'a [Frame],
    softness: [Softness; 2],
    offsets: Offsets,
}

/// The velocities that points are to bounce with.
struct Bounces<'a> {
    velocities: &'a [Velocity],
    kicks: &'a [Velocity],
    substep_rate: i64,
    bounce_threshold: i64,
}

/// One body of each contact.
#[derive(Clone, Copy)]
pub(super) struct Side<B: Backend<N>, const N: usize> {
    /// By rows, Q2.30.
    rotation: [[Lanes<B, N>; 3]; 3],
    /// w k⁻² as xx, yy, zz, xy, xz, yz: mantissa 2^(exponent − 30).
    gyration: [Lanes<B, N>; 6],
    pub(super) exponent: Lanes<B, N>,
    /// w, Q2.30.
    weight: Lanes<B, N>,
    /// The axes along which it can move: a bit each.
    free: Lanes<B, N>,
    /// What a kinematic body turns in half of the tick, Q2.30, and how far the arms of a dynamic one lag behind, Q32: rotation
    /// vectors, for products.
    half_turn: [Lanes<B, N>; 3],
    lag: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Side<B, N> {
    #[inline(always)]
    fn new(frame: &Parts<Lanes<B, N>>, weight: Lanes<B, N>) -> Self {
        let Parts { rotation, mut gyration, gyration_exponent: exponent, free, .. } = *frame;
        let (half_turn, lag) = (frame.half_turn(), frame.lag());
        for entry in &mut gyration {
            *entry = entry.mul32(weight).shr_round::<30>();
        }
        Self { rotation, gyration, exponent, weight, free, half_turn, lag }
    }

    /// Whether it is a kinematic body that turns.
    #[inline(always)]
    fn sweeps(&self) -> bool {
        // The first has the second one above it.
        let [x, _, z] = self.half_turn;
        (x | z) != Lanes::zero()
    }

    /// w d · e for the parts of two directions that are free, Q30. Where all of them is, `whole` has d · e, so that no body
    /// takes note of locks of another one.
    #[inline(always)]
    fn linear(&self, d: [Lanes<B, N>; 3], e: [Lanes<B, N>; 3], whole: Lanes<B, N>) -> Lanes<B, N> {
        let (free_d, free_e) = (free_part(d, self.free), free_part(e, self.free));
        let part = self.weight.mul32(dot3(free_d, free_e).shr_round::<30>()).shr_round::<30>();
        let whole = self.weight.mul32(whole).shr_round::<30>();
        self.free.equal(Lanes::splat(ALL_AXES)).select(whole, part)
    }

    /// The arm of an anchor, with something added to it, both in Q54 when summed: Q24. Where a contact is a face that pushes
    /// towards the centre of mass, it lags behind the body.
    #[inline(always)]
    fn arm(
        &self,
        anchor: [Multiplicand<B, N>; 3],
        more: [Lanes<B, N>; 3],
        is_face: Mask<B, N>,
        push: [Lanes<B, N>; 3],
    ) -> [Multiplicand<B, N>; 3] {
        let [x, y, z] = self.rotation;
        let arm = add3([dot3(x, anchor), dot3(y, anchor), dot3(z, anchor)], more);
        let turned = held_multiplicands3::<B, N, 30>(arm);
        if !is_face.any() {
            return turned;
        }
        let lags = is_face & Lanes::zero().gt(dot3(push, turned));
        // It was r − l × r, to first order of an angle of at most 2⁻⁶.
        let back = shr_round3::<B, N, 2>(cross3(turned, keep3(lags, self.lag)));
        held_multiplicands3::<B, N, 30>(add3(arm, back))
    }

    /// r × t for the arm r and tangents t, Q24; of a body that `sweeps`, for the arm turned by its half turn.
    #[inline(always)]
    fn along_tangents(
        &self,
        arm: [Multiplicand<B, N>; 3],
        [first, second]: [[Lanes<B, N>; 3]; 2],
        sweeps: bool,
    ) -> [[Multiplicand<B, N>; 3]; 2] {
        if !sweeps {
            return [across(arm, first), across(arm, second)];
        }
        // h × r, of at most an eighth of the arm: sums have 62 bits.
        let [x, y, z] = shr_round3::<B, N, 30>(cross3(arm, self.half_turn));
        let swept = |t| held_multiplicands3::<B, N, 30>(add3(cross3(arm, t), cross3([-x, -y, -z], t)));
        [swept(first), swept(second)]
    }

    /// A unit direction in the coordinates of the body, Q30.
    #[inline(always)]
    fn local(&self, direction: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let [x, y, z] = self.rotation;
        shr_round3::<B, N, 30>([
            dot3([x[0], y[0], z[0]], direction),
            dot3([x[1], y[1], z[1]], direction),
            dot3([x[2], y[2], z[2]], direction),
        ])
    }

    /// w k⁻² `v`, times 2^(30 − exponent) and what `v` is multiplied with.
    #[inline(always)]
    pub(super) fn angular(&self, v: [impl Into<Multiplicand<B, N>> + Copy; 3]) -> [Lanes<B, N>; 3] {
        let [xx, yy, zz, xy, xz, yz] = self.gyration;
        [dot3([xx, xy, xz], v), dot3([xy, yy, yz], v), dot3([xz, yz, zz], v)]
    }
}

/// The ratios of the inverse masses to the greater one, Q30.
#[inline(always)]
pub(super) fn weights<B: Backend<N>, const N: usize>(
    a: &Parts<Lanes<B, N>>,
    b: &Parts<Lanes<B, N>>,
) -> [Lanes<B, N>; 2] {
    let (zero, one) = (Lanes::zero(), Lanes::splat(1 << 30));
    let (mass_a, mass_b) = (a.inverse_mass, b.inverse_mass);
    let (none_a, none_b) = (mass_a.equal(zero), mass_b.equal(zero));
    let least = Lanes::splat(-4096);
    let (exponent_a, exponent_b) =
        (none_a.select(least, a.mass_exponent), none_b.select(least, b.mass_exponent));
    let a_greater = exponent_a.gt(exponent_b) | (exponent_a.equal(exponent_b) & mass_a.ge(mass_b));
    let (greater, lesser) = (a_greater.select(mass_a, mass_b), a_greater.select(mass_b, mass_a));
    let apart = (exponent_a - exponent_b).abs().min(Lanes::splat(32));
    let ratio = shr_logical_each_half_up(lesser.mul32(greater.recip()), apart + Lanes::splat(30));
    // Exact where the mantissas are.
    let ratio = lesser.equal(greater).select(one.shr_logical_each(apart), ratio);
    let (weight_a, weight_b) = (a_greater.select(one, ratio), a_greater.select(ratio, one));
    [none_a.select(zero, weight_a), none_b.select(zero, weight_b)]
}

/// Where both bodies have a mass, and one of them more than four times that of the other.
#[inline(always)]
fn uneven<B: Backend<N>, const N: usize>(a: &Parts<Lanes<B, N>>, b: &Parts<Lanes<B, N>>) -> Mask<B, N> {
    let zero = Lanes::zero();
    let both = a.inverse_mass.gt(zero) & b.inverse_mass.gt(zero);
    (is_much_less(a, b) | is_much_less(b, a)) & both
}

/// Where the inverse mass of the first one is less than a fourth of the other's.
#[inline(always)]
fn is_much_less<B: Backend<N>, const N: usize>(a: &Parts<Lanes<B, N>>, b: &Parts<Lanes<B, N>>) -> Mask<B, N> {
    let exponent = a.mass_exponent + Lanes::splat(2);
    exponent.lt(b.mass_exponent) | (exponent.equal(b.mass_exponent) & a.inverse_mass.lt(b.inverse_mass))
}

/// A bit for each axis.
const ALL_AXES: i64 = 7;

/// A contact's bodies and what its rows have in common.
pub(super) struct Contact<B: Backend<N>, const N: usize> {
    pub(super) a: Side<B, N>,
    pub(super) b: Side<B, N>,
    /// As of the block.
    pub(super) normal: [Lanes<B, N>; 3],
    /// Where both bodies move, and one has more than four times the mass of the other.
    uneven: Mask<B, N>,
    /// Whether a body is held to some axes.
    locked: bool,
    /// Whether a body is a kinematic one that turns.
    sweeps: bool,
}

impl<B: Backend<N>, const N: usize> Contact<B, N> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn gather(block: &Block, at: usize, frames: &[Frame]) -> Self {
        let frame_a = Parts::<Lanes<B, N>>::gather(frames, chunk_at(&block.a, at));
        let frame_b = Parts::<Lanes<B, N>>::gather(frames, chunk_at(&block.b, at));
        let [weight_a, weight_b] = weights(&frame_a, &frame_b);
        let (a, b) = (Side::new(&frame_a, weight_a), Side::new(&frame_b, weight_b));
        let (all, zero) = (Lanes::splat(ALL_AXES), Lanes::zero());
        let locked_a = frame_a.free.lt(all) & frame_a.inverse_mass.gt(zero);
        let locked_b = frame_b.free.lt(all) & frame_b.inverse_mass.gt(zero);
        let sweeps = a.sweeps() || b.sweeps();
        Self {
            a,
            b,
            normal: load3(&block.normal, at),
            uneven: uneven(&frame_a, &frame_b),
            locked: (locked_a | locked_b).any(),
            sweeps,
        }
    }

    /// The part of K that is not rotation: Σ w, less by what locks hold, Q30; at least 2⁻¹⁰.
    #[inline(always)]
    fn linear(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        if !self.locked {
            return self.a.weight + self.b.weight;
        }
        let one = Lanes::splat(1 << 30);
        let linear = self.a.linear(direction, direction, one) + self.b.linear(direction, direction, one);
        linear.max(Lanes::splat(1 << 20))
    }

    /// How much faster the centres part along a direction per impulse along another one at right angles to it, Q30.
    #[inline(always)]
    fn linear_influence(&self, from: [Lanes<B, N>; 3], on: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let zero = Lanes::zero();
        if self.locked { self.a.linear(from, on, zero) + self.b.linear(from, on, zero) } else { zero }
    }
}

/// What impulses along some rows do to both bodies.
struct Response<B: Backend<N>, const N: usize, const ROWS: usize> {
    /// u, Q24.
    arms: [[[Multiplicand<B, N>; 3]; ROWS]; 2],
    /// m = w k⁻² u as mantissas of 29 bits, times 2^(exponent − 54).
    angular: [[[Lanes<B, N>; 3]; ROWS]; 2],
    /// Of both bodies, and at least 19: so Σ w of at most 2 has 61 bits where it is added, and arms of 31 bits times entries
    /// have 62.
    exponent: Lanes<B, N>,
}

/// A number as long as the largest magnitude of some: where a bit of any of them is.
#[inline(always)]
fn longest_of<B: Backend<N>, const N: usize>(
    before: Lanes<B, N>,
    [x, y, z]: [Lanes<B, N>; 3],
) -> Lanes<B, N> {
    before | x.abs() | y.abs() | z.abs()
}

impl<B: Backend<N>, const N: usize, const ROWS: usize> Response<B, N, ROWS> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn new(contact: &Contact<B, N>, [arms_a, arms_b]: [[[Multiplicand<B, N>; 3]; ROWS]; 2]) -> Self {
        let (mut a, length_a) = Self::entries(&contact.a, &arms_a);
        let (mut b, length_b) = Self::entries(&contact.b, &arms_b);
        let exponent = Lanes::splat(19).max(length_a).max(length_b);
        Self::shorten(&mut a, exponent - contact.a.exponent);
        Self::shorten(&mut b, exponent - contact.b.exponent);
        Self { arms: [arms_a, arms_b], angular: [a, b], exponent }
    }

    /// w k⁻² u of the rows of a body, and the exponent at which they have 29 bits.
    ///
    /// Rows are written out, here and below: in a loop over them they would lie in memory.
    #[inline(always)]
    fn entries(
        side: &Side<B, N>,
        arms: &[[Multiplicand<B, N>; 3]; ROWS],
    ) -> ([[Lanes<B, N>; 3]; ROWS], Lanes<B, N>) {
        let zero = Lanes::zero();
        let mut entries = [[zero; 3]; ROWS];
        entries[0] = side.angular(arms[0]);
        let mut longest = longest_of(zero, entries[0]);
        if ROWS > 1 {
            entries[1] = side.angular(arms[1]);
            longest = longest_of(longest, entries[1]);
        }
        if ROWS > 2 {
            entries[2] = side.angular(arms[2]);
            longest = longest_of(longest, entries[2]);
        }
        let shift = (Lanes::splat(35) - longest.leading_zeros()).max(zero);
        (entries, shift + side.exponent)
    }

    #[inline(always)]
    fn shorten(entries: &mut [[Lanes<B, N>; 3]; ROWS], shift: Lanes<B, N>) {
        let shift = shift.min(Lanes::splat(62));
        entries[0] = shr_each3(entries[0], shift);
        if ROWS > 1 {
            entries[1] = shr_each3(entries[1], shift);
        }
        if ROWS > 2 {
            entries[2] = shr_each3(entries[2], shift);
        }
    }

    /// How much faster a row parts per impulse along another one by rotation: bits of 2^(exponent − 78).
    #[inline(always)]
    fn influence(&self, from: usize, on: usize) -> Lanes<B, N> {
        let ([arms_a, arms_b], [angular_a, angular_b]) = (&self.arms, &self.angular);
        dot3(angular_a[from], arms_a[on]) + dot3(angular_b[from], arms_b[on])
    }

    /// [`Self::influence`] on a row whose arms both bodies share.
    #[inline(always)]
    fn influence_on_shared(&self, from: usize, on: usize) -> Lanes<B, N> {
        dot3(add3(self.angular[0][from], self.angular[1][from]), self.arms[0][on])
    }

    /// K of a row whose part without rotation is `linear`, Q30: in the same bits.
    #[inline(always)]
    fn effective_mass(&self, row: usize, linear: Lanes<B, N>) -> Lanes<B, N> {
        self.influence(row, row).max(Lanes::zero()) + self.of_linear(linear)
    }

    /// What has no part in rotation, Q30 of at most 2, in the same bits.
    #[inline(always)]
    fn of_linear(&self, linear: Lanes<B, N>) -> Lanes<B, N> {
        let zero = Lanes::zero();
        let up = (Lanes::splat(48) - self.exponent).max(zero);
        let down = (self.exponent - Lanes::splat(48)).max(zero).min(Lanes::splat(62));
        shr_each(linear.shl_each(up), down)
    }

    /// The least exponent of κ with which [`Self::scaled`] has room for all entries.
    #[inline(always)]
    fn least_scale(&self) -> Lanes<B, N> {
        self.exponent - Lanes::splat(34)
    }

    /// The angular velocities per impulse in blocks with κ = 2^`scale`: Q22, saturating.
    #[inline(always)]
    fn scaled(&self, scale: Lanes<B, N>, row: usize, body: usize) -> [Multiplicand<B, N>; 3] {
        let (zero, mut entries) = (Lanes::zero(), self.angular[body][row]);
        let down = Lanes::splat(32) + scale - self.exponent;
        if zero.gt(down).any() {
            let up = (-down).max(zero).min(Lanes::splat(31));
            let most = Lanes::splat(MOST).shr_logical_each(up);
            for entry in &mut entries {
                *entry = entry.clamp(-most, most).shl_each(up);
            }
        }
        // Nothing is left of mantissas after 32 bits.
        multiplicands_each3(entries, down.max(zero).min(Lanes::splat(32)))
    }

    #[cfg_attr(not(unoptimized), inline(always))]
    fn store(&self, scale: Lanes<B, N>, number: usize, row: &mut Row, at: usize) {
        store3(self.arms[0][number], &mut row.arm_a, at);
        store3(self.arms[1][number], &mut row.arm_b, at);
        store3(self.scaled(scale, number, 0), &mut row.angular_a, at);
        store3(self.scaled(scale, number, 1), &mut row.angular_b, at);
    }
}

/// κ / K, Q21, of at most 2⁹, for K / κ in Q24.
#[cfg_attr(not(unoptimized), inline(always))]
fn inverse<B: Backend<N>, const N: usize>(k: Lanes<B, N>) -> Lanes<B, N> {
    let least = Lanes::splat(1 << (45 - INVERSE_BITS - 9));
    let k = k.max(least).min(Lanes::splat(MOST));
    // As a mantissa of 31 bits; then 2⁶⁰ / (K 2^up) for 2⁴⁵ / K.
    let up = k.leading_zeros() - Lanes::splat(33);
    k.shl_each(up).recip().shl_each(up).shr_logical_half_up::<15>()
}

/// Where the points of a contact are.
struct Places<B: Backend<N>, const N: usize> {
    live: [Mask<B, N>; 4],
    /// How many there are.
    count: Lanes<B, N>,
    /// 1 / count, Q30.
    share: Lanes<B, N>,
    /// The mean of their separations, Q24.
    separation: Lanes<B, N>,
    /// Halfway between the anchors at their centre, up to [`MOST_WAY`] / 2 from each, as arms of both bodies, Q24.
    center: [[Multiplicand<B, N>; 3]; 2],
    /// Along both tangents from there, Q24, in 30 bits.
    along: [[Lanes<B, N>; 2]; 4],
}

impl<B: Backend<N>, const N: usize> Places<B, N> {
    #[cfg_attr(not(unoptimized), inline(always))]
    fn new(block: &mut Block, at: usize, contact: &Contact<B, N>, tangents: &[[Lanes<B, N>; 3]; 2]) -> Self {
        let (zero, most, most_way) = (Lanes::zero(), Lanes::splat(MOST), Lanes::splat(MOST_WAY));
        let mut live = [Mask::splat(false); 4];
        let (mut count, mut separation) = (zero, zero);
        let mut anchors = [[[zero; 3]; 2]; 4];
        for i in 0..block.count {
            let own = load::<B, N>(&block.points[i].separation, at);
            live[i] = own.lt(Lanes::splat(i64::from(ABSENT)));
            count -= live[i].to_lanes();
            separation += live[i].keep(own);
            let [a, b] = block.anchors(i);
            anchors[i] = [load3(a, at), load3(b, at)];
        }
        let mut share = zero;
        for (points, value) in SHARES.iter().enumerate() {
            share = count.equal(Lanes::splat(points as i64)).select(Lanes::splat(*value), share);
        }
        let separation = separation.clamp(-most, most).mul32(share).shr_round::<30>();

        // Anchors of points that are not there are 0.
        let mut mean = [multiplicands(anchors[0][0]), multiplicands(anchors[0][1])];
        if block.has_center() {
            for body in 0..2 {
                for k in 0..3 {
                    let mut sum = zero;
                    for i in 0..block.count {
                        sum += anchors[i][body][k].mul32(share);
                    }
                    mean[body][k] = sum.multiplicand::<30>();
                }
            }
        }
        let half = scale3(contact.normal, separation.clamp(-most_way, most_way).shr_round::<1>());
        let is_face = count.gt(Lanes::splat(2));
        let (back, half_back) = (sub3([zero; 3], contact.normal), sub3([zero; 3], half));
        let center = [
            contact.a.arm(mean[0], half, is_face, back),
            contact.b.arm(mean[1], half_back, is_face, contact.normal),
        ];

        let mut along = [[zero; 2]; 4];
        if block.has_center() {
            // The mean of both bodies; but of one that does not move arms may mean nothing.
            let (moves_a, moves_b) = (contact.a.weight.gt(zero), contact.b.weight.gt(zero));
            let most = Lanes::splat((1 << 30) - 1);
            for t in 0..2 {
                let [of_a, of_b] = [contact.a.local(tangents[t]), contact.b.local(tangents[t])];
                let (from_a, from_b) = (dot3(of_a, mean[0]), dot3(of_b, mean[1]));
                for i in 0..block.count {
                    let along_a = (dot3(of_a, anchors[i][0]) - from_a).shr_round::<29>();
                    let along_b = (dot3(of_b, anchors[i][1]) - from_b).shr_round::<29>();
                    let (along_a, along_b) =
                        (moves_a.select(along_a, along_b), moves_b.select(along_b, along_a));
                    let off = (along_a + along_b).shr_round::<2>();
                    along[i][t] = live[i].keep(off).clamp(-most, most);
                }
            }
        }
        Self { live, count, share, separation, center, along }
    }
}

#[inline(always)]
fn multiplicands<B: Backend<N>, const N: usize>([x, y, z]: [Lanes<B, N>; 3]) -> [Multiplicand<B, N>; 3] {
    [x.into(), y.into(), z.into()]
}

/// How far apart anchors are at the most for the point of a contact to be halfway between them, Q24: 1 m. Farther inside of
/// something friction would have arms beyond the body, by which it does nothing but turn, and each sweep would undo more than
/// the one before it did.
const MOST_WAY: i64 = 1 << 24;

/// 1 / count, Q30.
const SHARES: [i64; 5] = [0, 1 << 30, 1 << 29, 357_913_941, 1 << 28];

impl Pass<Block> for Rows<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let contact = Contact::<B, N>::gather(block, at, self.frames);
        let tangents = tangents(contact.normal);
        store3(tangents[0], &mut block.tangents[0], at);
        store3(tangents[1], &mut block.tangents[1], at);
        let places = Places::new(block, at, &contact, &tangents);
        let gamma = block.softness.choose(contact.uneven, &self.softness, at);
        let rubbing = rubbing(&contact, &tangents, &places.center);
        let least_scale = rubbing.least_scale();
        let scale = if block.has_center() {
            several_points(block, at, &contact, &tangents, &places, gamma, least_scale)
        } else {
            one_point(block, at, &contact, &places, gamma, least_scale)
        };
        let rescale = Rescale::new(load(&block.scale, at), scale);
        store(scale, &mut block.scale, at);
        store(shr_logical_each_half_up(contact.a.weight, scale), &mut block.masses[0], at);
        store(shr_logical_each_half_up(contact.b.weight, scale), &mut block.masses[1], at);
        if contact.locked {
            block.locked = true;
        }
        store(contact.a.free, &mut block.free[0], at);
        store(contact.b.free, &mut block.free[1], at);

        let softness = block.softness.rate::<B, N>(at);
        for point in &mut block.points[..block.count] {
            let impulse = rescale.apply(load(&point.impulse, at), MOST);
            store(impulse, &mut point.impulse, at);
            point.total[at..at + N].fill(0);
            // Nothing has moved yet.
            self.offsets.put(load(&point.separation, at), softness, &mut point.offset, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            store(places.separation, &mut center.separation, at);
            self.offsets.put(places.separation, softness, &mut center.offset, at);
        }
        friction(block, at, &contact, &tangents, &rubbing, scale, &rescale);
        if block.twists {
            turns::twist(block, at, &contact, scale, turns::lever(&places.along, places.count));
        }
        if block.rolls {
            turns::rolling(block, at, &contact, tangents, scale);
        }
    }
}

/// Takes impulses from one κ to another.
struct Rescale<B: Backend<N>, const N: usize> {
    up: Lanes<B, N>,
    down: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Rescale<B, N> {
    #[inline(always)]
    fn new(from: Lanes<B, N>, to: Lanes<B, N>) -> Self {
        Self { up: (to - from).max(Lanes::zero()), down: (from - to).max(Lanes::zero()) }
    }

    /// To nearest, and held to what there may be.
    #[inline(always)]
    fn apply(&self, impulse: Lanes<B, N>, most: i64) -> Lanes<B, N> {
        let most = Lanes::splat(most).shr_logical_each(self.up);
        shr_each(impulse, self.down).clamp(-most, most).shl_each(self.up)
    }
}

/// The row of a contact's only point, and the exponent of κ.
#[cfg_attr(not(unoptimized), inline(always))]
fn one_point<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    places: &Places<B, N>,
    gamma: Lanes<B, N>,
    least_scale: Lanes<B, N>,
) -> Lanes<B, N> {
    let arms = [[across(places.center[0], contact.normal)], [across(places.center[1], contact.normal)]];
    let response = Response::new(contact, arms);
    let k = response.effective_mass(0, contact.linear(contact.normal));
    let down = mantissa_shift(k);
    let k = shr_logical_each_half_up(k, down).shl::<24>();
    let unit = response.exponent + down - Lanes::splat(78 + 24);
    let scale = scale_of(k, unit).max(response.least_scale()).max(least_scale);
    response.store(scale, 0, &mut block.row, at);
    let own = shr_logical_each_half_up(k, to_q24(scale, unit));
    put_inverse(block, 0, at, inverse(own), places.live[0], gamma);
    scale
}

/// The exponent of κ for the greatest K of a contact, in bits of 2^`unit`.
#[inline(always)]
fn scale_of<B: Backend<N>, const N: usize>(greatest: Lanes<B, N>, unit: Lanes<B, N>) -> Lanes<B, N> {
    let last = Lanes::splat(63) - greatest.leading_zeros();
    (last + unit).max(Lanes::zero()).min(Lanes::splat(i64::from(MOST_SCALE)))
}

/// By how many bits numbers of 2^`unit` have more than K / κ in Q24.
#[inline(always)]
fn to_q24<B: Backend<N>, const N: usize>(scale: Lanes<B, N>, unit: Lanes<B, N>) -> Lanes<B, N> {
    (scale - unit - Lanes::splat(24)).max(Lanes::zero()).min(Lanes::splat(62))
}

/// How many bits a number has more than 29.
#[inline(always)]
fn mantissa_shift<B: Backend<N>, const N: usize>(greatest: Lanes<B, N>) -> Lanes<B, N> {
    (Lanes::splat(64 - 29) - greatest.leading_zeros()).max(Lanes::zero())
}

#[inline(always)]
fn put_inverse<B: Backend<N>, const N: usize>(
    block: &mut Block,
    point: usize,
    at: usize,
    inverse: Lanes<B, N>,
    live: Mask<B, N>,
    gamma: Lanes<B, N>,
) {
    let inverse = live.keep(inverse);
    let point = &mut block.points[point];
    store(inverse, &mut point.inverse, at);
    store(inverse.mul32(gamma).multiplicand_half_up::<30>(), &mut point.soft_inverse, at);
}

/// r × d as a multiplicand, Q24.
#[cfg_attr(not(unoptimized), inline(always))]
fn across<B: Backend<N>, const N: usize>(
    arm: [Multiplicand<B, N>; 3],
    direction: [Lanes<B, N>; 3],
) -> [Multiplicand<B, N>; 3] {
    held_multiplicands3::<B, N, 30>(cross3(arm, direction))
}

/// By how many bits a length of at most 30 is shorter than that.
#[inline(always)]
fn up_of<B: Backend<N>, const N: usize>(length: Lanes<B, N>) -> Lanes<B, N> {
    Lanes::splat(30 - 64) + length.leading_zeros()
}

/// The two tilts that points share.
///
/// They are about the tangents, which lie anyhow. Where bodies turn about some axis a thousand times as easily as about others,
/// as a rod about its length, each tilt would be mostly that, and only their difference what points do; and angular velocities
/// would have no room. There the tilts are [aligned](Self::align) with the points.
struct Tilting<B: Backend<N>, const N: usize> {
    /// Two directions at right angles to each other and to the normal, Q30.
    ways: [[Lanes<B, N>; 3]; 2],
    /// Where points are along these from their centre, Q24, in 30 bits.
    along: [[Lanes<B, N>; 2]; 4],
    /// ℓ = 2^(6 − up) m is above all of these, by directions.
    up: [Lanes<B, N>; 2],
}

impl<B: Backend<N>, const N: usize> Tilting<B, N> {
    /// Along the tangents, with one length.
    #[inline(always)]
    fn level(points: &Places<B, N>, tangents: &[[Lanes<B, N>; 3]; 2], count: usize) -> Self {
        let mut longest = Lanes::splat(1);
        for [x, y] in &points.along[..count] {
            longest = longest | x.abs() | y.abs();
        }
        Self { ways: *tangents, along: points.along, up: [up_of(longest); 2] }
    }

    /// Places along both directions in units of ℓ, Q24.
    #[inline(always)]
    fn places(&self, count: usize) -> [[Lanes<B, N>; 2]; 4] {
        let mut places = [[Lanes::zero(); 2]; 4];
        for i in 0..count {
            for t in 0..2 {
                places[i][t] = self.along[i][t].shl_each(self.up[t]).shr_round::<6>();
            }
        }
        places
    }

    /// The arms of both tilts, Q24: none where there is one point, which has the numbers that it would have among those of
    /// one point alone.
    #[inline(always)]
    fn arms(&self, are_several: Mask<B, N>) -> [[Multiplicand<B, N>; 3]; 2] {
        let [first, second] = self.ways;
        let about_second = keep3(are_several, shr_each3(second, self.up[0]));
        [
            multiplicands(sub3([Lanes::zero(); 3], about_second)),
            multiplicands(keep3(are_several, shr_each3(first, self.up[1]))),
        ]
    }

    /// In some lanes, leads the first direction through the point that is farthest from the centre, and gives each its own ℓ.
    #[inline(always)]
    fn align(&mut self, places: &[[Lanes<B, N>; 2]; 4], lanes: Mask<B, N>, count: usize) {
        let (mut farthest, mut square) = (places[0], Lanes::zero());
        for &[x, y] in &places[..count] {
            let own = x.mul32(x) + y.mul32(y);
            let is_farther = own.gt(square);
            farthest = [is_farther.select(x, farthest[0]), is_farther.select(y, farthest[1])];
            square = square.max(own);
        }
        let lanes = lanes & square.gt(Lanes::zero());
        let part = |x: Lanes<B, N>| shortening(x.abs(), square).negate_where_negative(x);
        let [cos, sin] = [part(farthest[0]), part(farthest[1])];
        let turned = |x: Lanes<B, N>, y: Lanes<B, N>| {
            let along = (cos.mul32(x) + sin.mul32(y)).shr_round::<30>();
            let across = (cos.mul32(y) - sin.mul32(x)).shr_round::<30>();
            [lanes.select(along, x), lanes.select(across, y)]
        };
        let [first, second] = self.ways;
        for k in 0..3 {
            [self.ways[0][k], self.ways[1][k]] = turned(first[k], second[k]);
        }
        let most = Lanes::splat((1 << 30) - 1);
        let mut longest = [Lanes::splat(1); 2];
        for point in &mut self.along[..count] {
            let [x, y] = *point;
            *point = turned(x, y);
            for t in 0..2 {
                point[t] = point[t].clamp(-most, most);
                longest[t] = longest[t] | point[t].abs();
            }
        }
        for t in 0..2 {
            self.up[t] = lanes.select(up_of(longest[t]), self.up[t]);
        }
    }
}

/// The rows that several points share, their places and what they do to each other; and the exponent of κ.
#[cfg_attr(not(unoptimized), inline(always))]
fn several_points<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    points: &Places<B, N>,
    gamma: Lanes<B, N>,
    least_scale: Lanes<B, N>,
) -> Lanes<B, N> {
    let zero = Lanes::zero();
    let are_several = points.count.gt(Lanes::splat(1));
    let mut tilting = Tilting::level(points, tangents, block.count);
    let mut is_aligned = false;
    // Once, or once more where a lane has to be aligned: so the rows are written out once.
    let (response, places, k, of_points, unit, scale) = loop {
        let places = tilting.places(block.count);
        let [tilt_x, tilt_y] = tilting.arms(are_several);
        let arms = [
            [across(points.center[0], contact.normal), tilt_x, tilt_y],
            [across(points.center[1], contact.normal), tilt_x, tilt_y],
        ];
        let response = Response::new(contact, arms);

        // G in mantissas of 29 bits.
        let [k, xx, yy] = [
            response.effective_mass(0, contact.linear(contact.normal)),
            response.influence_on_shared(1, 1),
            response.influence_on_shared(2, 2),
        ];
        let [x, y, xy] = [
            response.influence_on_shared(0, 1),
            response.influence_on_shared(0, 2),
            response.influence_on_shared(1, 2),
        ];
        let down = mantissa_shift(k.max(xx).max(yy));
        let k = shr_logical_each_half_up(k, down);
        let [xx, yy, xy] = shr_each3([xx, yy, xy], down);
        let [x, y] = [shr_each(x, down), shr_each(y, down)];
        // G (1, x, y)ᵀ of each point, and (1, x, y) G (1, x, y)ᵀ with 24 bits more.
        let mut of_points = [(zero, [Multiplicand::from(zero); 2]); 4];
        let mut greatest = k.shl::<24>();
        for i in 0..block.count {
            // The first is the same in a mirror.
            let center = at_place(k, [x, y], places[i]).shr_round_half_up::<24>();
            let tilting = [at_place(x, [xx, xy], places[i]), at_place(y, [xy, yy], places[i])];
            of_points[i] = (center, [tilting[0].multiplicand::<24>(), tilting[1].multiplicand::<24>()]);
        }
        for i in 0..block.count {
            let (center, tilting) = of_points[i];
            greatest = greatest.max(at_place(center, tilting, places[i]));
        }
        let unit = response.exponent + down - Lanes::splat(78 + 24);
        let scale = scale_of(greatest, unit);
        let roomy = response.least_scale();
        let is_strained = roomy.gt(scale) & are_several;
        if is_aligned || !is_strained.any() {
            break (response, places, k, of_points, unit, scale.max(roomy).max(least_scale));
        }
        tilting.align(&places, is_strained, block.count);
        is_aligned = true;
    };
    let down = to_q24(scale, unit);
    for i in 0..block.count {
        let (center, tilting) = of_points[i];
        let own = shr_each_half_up(at_place(center, tilting, places[i]), down);
        put_inverse(block, i, at, inverse(own), points.live[i], gamma);
        let [x, y] = places[i];
        store(x, &mut block.points[i].place[0], at);
        store(y, &mut block.points[i].place[1], at);
        let share = points.live[i].keep(own).mul32(points.share).multiplicand_half_up::<30>();
        store(share, &mut block.center.shares[i], at);
        // The same in a mirror, as well.
        for on in i + 1..block.count {
            let place = &mut block.influences[normals::influence_of(i, on)];
            store(shr_each_half_up(at_place(center, tilting, places[on]), down), place, at);
        }
        let from_center = shr_each_half_up(center.shl::<24>(), down).mul32(points.count);
        store(from_center, &mut block.center.influences[i], at);
    }
    let center = &mut block.center;
    let own = inverse(shr_logical_each_half_up(k.shl::<24>(), down))
        .mul32(points.share)
        .shr_logical_half_up::<30>();
    let own = are_several.keep(own);
    let soft = own.mul32(gamma).shr_logical_half_up::<30>();
    store(own, &mut center.inverse, at);
    store(soft, &mut center.soft_inverse, at);
    store(own - soft, &mut center.kept_inverse, at);

    response.store(scale, 0, &mut block.row, at);
    for (tilt, row) in block.tilts.iter_mut().zip([1, 2]) {
        store3(response.arms[0][row], &mut tilt.arm, at);
        store3(response.scaled(scale, row, 0), &mut tilt.angular_a, at);
        store3(response.scaled(scale, row, 1), &mut tilt.angular_b, at);
    }
    scale
}

/// What three rows do together at a point, with 24 bits more than they have.
#[inline(always)]
fn at_place<B: Backend<N>, const N: usize>(
    center: Lanes<B, N>,
    [x, y]: [impl Into<Multiplicand<B, N>>; 2],
    [at_x, at_y]: [Lanes<B, N>; 2],
) -> Lanes<B, N> {
    center.shl::<24>() + x.into().mul32(at_x) + y.into().mul32(at_y)
}

/// What impulses along the tangents at the centre do.
#[cfg_attr(not(unoptimized), inline(always))]
fn rubbing<B: Backend<N>, const N: usize>(
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    [center_a, center_b]: &[[Multiplicand<B, N>; 3]; 2],
) -> Response<B, N, 2> {
    Response::new(
        contact,
        [
            contact.a.along_tangents(*center_a, *tangents, contact.sweeps),
            contact.b.along_tangents(*center_b, *tangents, contact.sweeps),
        ],
    )
}

/// The rows along the tangents at the centre.
#[cfg_attr(not(unoptimized), inline(always))]
fn friction<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    response: &Response<B, N, 2>,
    scale: Lanes<B, N>,
    rescale: &Rescale<B, N>,
) {
    let [first, second] = *tangents;
    let down = Lanes::splat(54) + scale - response.exponent;
    let down = down.max(Lanes::zero()).min(Lanes::splat(62));
    let influence = response.influence(0, 1) + response.of_linear(contact.linear_influence(first, second));
    store_saturating(shr_each(influence, down), &mut block.friction_influence, at);
    let before = load3::<B, N>(&block.friction_before, at);
    for t in 0..2 {
        response.store(scale, t, &mut block.friction[t], at);
        let k = response.effective_mass(t, contact.linear(tangents[t]));
        store(inverse(shr_logical_each_half_up(k, down)), &mut block.friction_inverse[t], at);
        let along = rescale.apply(dot3(tangents[t], before).shr_round::<30>(), MOST_FRICTION);
        store(along, &mut block.friction_impulse[t], at);
    }
}

/// With which velocity points are to part: that of their approach, times the restitution.
///
/// Bodies are seen once a tick, so at some separation s before the impact, or after. What counts is their speed at the
/// impact itself: u² + 2 a s for the relative acceleration a, and to first order u + a s / u.
impl Pass<Block> for Bounces<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let restitution = load::<B, N>(&block.restitution, at);
        if !restitution.gt(Lanes::zero()).any() {
            for point in &mut block.points {
                point.bounce[at..at + N].fill(0);
            }
            return;
        }
        let pair = Pair::<B, N>::gather(block, at, self.velocities);
        let kicks = Pair::<B, N>::gather(block, at, self.kicks);
        let normal = load3::<B, N>(&block.normal, at);
        // Q21 in m/s²; held to what a product with a separation has room for.
        let most = Lanes::splat(1 << 30);
        let rate = Lanes::splat(self.substep_rate);
        let acceleration = kicks.parting(normal).shr_round::<30>().mul32(rate).clamp(-most, most);
        store(acceleration, &mut block.acceleration, at);
        let threshold = Lanes::splat(self.bounce_threshold);
        let speeds = normals::all_speeds(block, at, &pair);
        for i in 0..block.count {
            let point = &mut block.points[i];
            let speed = (-speeds[i].shr::<24>()).clamp(-most, most);
            let separation = load::<B, N>(&point.separation, at);
            let speed_at_impact = speed - gained(acceleration, separation, speed);
            let bounce = speed_at_impact.mul32(restitution).shr_round::<30>();
            let bounces = speed.gt(threshold) & separation.lt(Lanes::splat(i64::from(ABSENT)));
            store(bounces.keep(bounce), &mut point.bounce, at);
        }
    }
}

/// a s / v: by how much a speed above 0 changes over the separation s, to first order and by at most its half.
/// Accelerations Q21 and separations Q24 of 31 bits.
#[inline(always)]
pub(super) fn gained<B: Backend<N>, const N: usize>(
    acceleration: Lanes<B, N>,
    separation: Lanes<B, N>,
    speed: Lanes<B, N>,
) -> Lanes<B, N> {
    let most = Lanes::splat(1 << 30);
    // Q21, m²/s²; what is beyond is not meant.
    let work = acceleration.mul32(separation).shr_round::<24>().clamp(-most, most);
    let inverse = Reciprocal::of(speed.max(Lanes::splat(1)));
    // work · value 2^(−8 − length).
    let change =
        shr_each(work.mul32(inverse.value), (inverse.length + Lanes::splat(8)).min(Lanes::splat(62)));
    let most_change = speed.max(Lanes::zero()).shr::<1>();
    change.clamp(-most_change, most_change)
}

/// Two unit vectors at right angles to a unit vector and to each other: n × x or n × y, whichever is the longer one,
/// and n × that.
#[inline(always)]
fn tangents<B: Backend<N>, const N: usize>(normal: [Lanes<B, N>; 3]) -> [[Lanes<B, N>; 3]; 2] {
    let [x, y, z] = normal;
    let steep = x.abs().gt(Lanes::splat((1 << 30) / 10 * 6));
    let across = [steep.select(-z, Lanes::zero()), steep.select(Lanes::zero(), z), steep.select(x, -y)];
    // Q60, at least 0.36: 4 |across|² as Q29.
    let square = dot3(across, across).shr_round::<29>().min(Lanes::splat((1 << 31) - 1));
    let inverse = square.rsqrt();
    let first = shr_round3::<B, N, 29>(scale3(across, inverse));
    let second = shr_round3::<B, N, 30>(cross3(normal, first));
    [first, second]
}
