//! From anchors to rows, in lanes.
//!
//! A block comes with the records of its bodies, the normal, and for each point the anchors in the coordinates of the
//! bodies (in the place of the arms), the separation and the impulse of the step before. It leaves with all rows.

use super::bodies::Velocity;
use super::frames::{Frame, Parts};
use super::normals;
use super::offsets::Offsets;
use super::pair::{Pair, free_part};
use super::softness::Softness;
use super::{Block, MOST_FRICTION, Over, Pass, Row, SHARE_BITS};
use super::{load, load3, quartered, records, store, store_saturating, store3};
use isostep_math::wide::{Backend, Lanes, Level, Mask, add3, cross3, dot3, scale3, shr_round3, sub3};

/// The separation of a point that a contact does not have.
pub(crate) const ABSENT: i32 = i32::MAX >> 1;

/// Computes the rows of all blocks.
pub(crate) struct Prepare<'a> {
    pub(crate) blocks: &'a mut [Block],
    pub(crate) constants: Constants<'a>,
}

/// What rows are made of.
#[derive(Clone, Copy)]
pub(crate) struct Constants<'a> {
    pub(crate) frames: &'a [Frame],
    pub(crate) velocities: &'a [Velocity],
    pub(crate) kicks: &'a [Velocity],
    /// Of contacts in general, and of those of bodies one of which weighs much more than the other.
    pub(crate) softness: [Softness; 2],
    pub(crate) offsets: Offsets,
    /// Slower approaches do not bounce, Q11.21.
    pub(crate) bounce_threshold: i64,
}

impl Prepare<'_> {
    pub(crate) fn run(self, level: Level) {
        let Self { blocks, constants } = self;
        let Constants { frames, velocities, kicks, softness, offsets, bounce_threshold } = constants;
        level.dispatch(Over { blocks: &mut *blocks, pass: Centers { frames, softness } });
        level.dispatch(Over { blocks: &mut *blocks, pass: Points { frames, offsets } });
        let pass = Bounces { velocities, kicks, substep_rate: offsets.rate, bounce_threshold };
        level.dispatch(Over { blocks, pass });
    }
}

/// Friction at the centres of contacts. Turns the anchors into the world.
struct Centers<'a> {
    frames: &'a [Frame],
    softness: [Softness; 2],
}

/// The rows of points, and friction against turning about the normal and against rolling.
struct Points<'a> {
    frames: &'a [Frame],
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
struct Side<B: Backend<N>, const N: usize> {
    /// By rows, Q2.30.
    rotation: [[Lanes<B, N>; 3]; 3],
    /// w k⁻² as xx, yy, zz, xy, xz, yz: mantissa 2^(exponent − 30).
    gyration: [Lanes<B, N>; 6],
    exponent: Lanes<B, N>,
    /// w, Q2.30.
    weight: Lanes<B, N>,
    /// The axes along which it can move: a bit each.
    free: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Side<B, N> {
    #[inline(always)]
    fn new(frame: &Parts<Lanes<B, N>>, weight: Lanes<B, N>) -> Self {
        let Parts { rotation, mut gyration, gyration_exponent: exponent, free, .. } = *frame;
        for entry in &mut gyration {
            *entry = entry.mul32(weight).shr_round::<30>();
        }
        Self { rotation, gyration, exponent, weight, free }
    }

    /// w |d|² for the part of a unit direction that is free, Q30; w itself where all of it is, so that no body takes note
    /// of locks of another one.
    #[inline(always)]
    fn linear(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        let free = free_part(direction, self.free);
        let part = self.weight.mul32(dot3(free, free).shr_round::<30>()).shr_round::<30>();
        self.free.equal(Lanes::splat(ALL_AXES)).select(self.weight, part)
    }

    /// An anchor in the world.
    #[inline(always)]
    fn turned(&self, anchor: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let [x, y, z] = self.rotation;
        shr_round3::<B, N, 30>([dot3(x, anchor), dot3(y, anchor), dot3(z, anchor)])
    }

    /// w k⁻² `v` as mantissas of 30 bits, and the shift to the exponent of the tensor.
    #[inline(always)]
    fn angular(&self, v: [Lanes<B, N>; 3]) -> ([Lanes<B, N>; 3], Lanes<B, N>) {
        let [xx, yy, zz, xy, xz, yz] = self.gyration;
        let mut entries = [dot3([xx, xy, xz], v), dot3([xy, yy, yz], v), dot3([xz, yz, zz], v)];
        let shift = shorten(&mut entries);
        (entries, shift + self.exponent)
    }
}

/// Takes as many low bits from all entries as leave mantissas of 30 bits, and returns how many.
#[inline(always)]
pub(super) fn shorten<B: Backend<N>, const N: usize>(entries: &mut [Lanes<B, N>]) -> Lanes<B, N> {
    let mut largest = Lanes::zero();
    for entry in entries.iter() {
        largest = largest.max(entry.abs());
    }
    let shift = (Lanes::splat(34) - largest.leading_zeros()).max(Lanes::zero());
    for entry in entries {
        *entry = shr_each(*entry, shift);
    }
    shift
}

/// `x` / 2^count to nearest, ties away from zero, for counts of 0 to 62.
#[inline(always)]
pub(super) fn shr_each<B: Backend<N>, const N: usize>(x: Lanes<B, N>, count: Lanes<B, N>) -> Lanes<B, N> {
    // As `Lanes::shr_round`: a unit less for what is negative moves exactly the halves of it down. With a count of 0
    // there are none.
    let half = Lanes::splat(1).shl_each(count).shr::<1>();
    let below = x.lt(Lanes::zero()).keep(half.min(Lanes::splat(1)));
    (x + half - below).shr_each(count)
}

/// The same for lanes from 0 to 2⁶² and counts up to 62.
#[inline(always)]
pub(super) fn shr_each_magnitude<B: Backend<N>, const N: usize>(
    x: Lanes<B, N>,
    count: Lanes<B, N>,
) -> Lanes<B, N> {
    let half = Lanes::splat(1).shl_each(count).shr::<1>();
    (x + half).shr_each(count)
}

/// The greatest term of an effective mass: 2²⁰, Q30.
const MOST: i64 = 1 << 50;

/// `x` 2^exponent for x ≥ 0, at most [`MOST`].
#[inline(always)]
pub(super) fn scaled<B: Backend<N>, const N: usize>(x: Lanes<B, N>, exponent: Lanes<B, N>) -> Lanes<B, N> {
    let up = exponent.max(Lanes::zero()).min(Lanes::splat(50));
    let down = (-exponent).max(Lanes::zero()).min(Lanes::splat(62));
    let raised = x.min(Lanes::splat(MOST).shr_each(up)).shl_each(up);
    shr_each_magnitude(exponent.gt(Lanes::zero()).select(raised, x), down).min(Lanes::splat(MOST))
}

/// A positive number as a mantissa of 31 bits, its reciprocal and the length of the number in bits.
#[derive(Clone, Copy)]
pub(super) struct Reciprocal<B: Backend<N>, const N: usize> {
    pub(super) mantissa: Lanes<B, N>,
    /// 2⁶⁰ / mantissa.
    pub(super) value: Lanes<B, N>,
    pub(super) length: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Reciprocal<B, N> {
    #[inline(always)]
    pub(super) fn of(x: Lanes<B, N>) -> Self {
        let length = Lanes::splat(64) - x.leading_zeros();
        let down = (length - Lanes::splat(31)).max(Lanes::zero());
        let up = (Lanes::splat(31) - length).max(Lanes::zero());
        let mantissa = x.shl_each(up).shr_each(down);
        Self { mantissa, value: mantissa.recip(), length }
    }

    /// `x` / K for x of at most 31 bits, unsigned, and K in Q30 of at least 1, in the format of x.
    #[inline(always)]
    pub(super) fn share(&self, x: Lanes<B, N>) -> Lanes<B, N> {
        shr_each_magnitude(x.mul32_unsigned(self.value), self.length - Lanes::splat(1))
    }

    /// K times a positive number, both in Q30, in Q24.
    #[inline(always)]
    fn times(&self, x: Lanes<B, N>) -> Lanes<B, N> {
        shr_each_magnitude(x.mul32_unsigned(self.mantissa), Lanes::splat(67) - self.length)
    }

    /// v 2^(exponent + offset) / K for mantissas v of 30 bits and K in Q30, where `offset` counts the bits that the
    /// result has more.
    #[inline(always)]
    pub(super) fn shares(&self, v: [Lanes<B, N>; 3], exponent: Lanes<B, N>, offset: i64) -> [Lanes<B, N>; 3] {
        let [x, y, z] = scale3(v, self.value);
        let down = self.length - exponent - Lanes::splat(offset + 1);
        let down = down.max(Lanes::splat(1)).min(Lanes::splat(62));
        [shr_each(x, down), shr_each(y, down), shr_each(z, down)]
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
    let ratio = shr_each_magnitude(lesser.mul32(greater.recip()), apart + Lanes::splat(30));
    // Exact where the mantissas are.
    let ratio = lesser.equal(greater).select(one.shr_each(apart), ratio);
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
struct Contact<B: Backend<N>, const N: usize> {
    a: Side<B, N>,
    b: Side<B, N>,
    /// w_a + w_b, Q30.
    weight: Lanes<B, N>,
    /// Where both bodies move, and one has more than four times the mass of the other.
    uneven: Mask<B, N>,
    /// Whether a body is held to some axes.
    locked: bool,
}

impl<B: Backend<N>, const N: usize> Contact<B, N> {
    #[inline(always)]
    fn gather(block: &Block, at: usize, frames: &[Frame]) -> Self {
        let frame_a = Parts::<Lanes<B, N>>::gather(frames, &records(&block.a, at));
        let frame_b = Parts::<Lanes<B, N>>::gather(frames, &records(&block.b, at));
        let [weight_a, weight_b] = weights(&frame_a, &frame_b);
        let (a, b) = (Side::new(&frame_a, weight_a), Side::new(&frame_b, weight_b));
        let (all, zero) = (Lanes::splat(ALL_AXES), Lanes::zero());
        let locked_a = frame_a.free.lt(all) & frame_a.inverse_mass.gt(zero);
        let locked_b = frame_b.free.lt(all) & frame_b.inverse_mass.gt(zero);
        let locked = (locked_a | locked_b).any();
        Self { a, b, weight: weight_a + weight_b, uneven: uneven(&frame_a, &frame_b), locked }
    }

    /// Fills a row along `direction` at the ends of the arms, where `live`, and returns its K.
    #[inline(always)]
    fn row(
        &self,
        direction: [Lanes<B, N>; 3],
        arm_a: [Lanes<B, N>; 3],
        arm_b: [Lanes<B, N>; 3],
        live: Mask<B, N>,
        row: &mut Row,
        at: usize,
    ) -> Reciprocal<B, N> {
        let (turn_a, turn_b) = (
            shr_round3::<B, N, 30>(cross3(arm_a, direction)),
            shr_round3::<B, N, 30>(cross3(arm_b, direction)),
        );
        let ((angular_a, exponent_a), (angular_b, exponent_b)) =
            (self.a.angular(turn_a), self.b.angular(turn_b));
        // Q24 · mantissa 2^(exponent − 54) to Q30.
        let zero = Lanes::zero();
        let rotational_a = scaled(dot3(turn_a, angular_a).max(zero), exponent_a - Lanes::splat(48));
        let rotational_b = scaled(dot3(turn_b, angular_b).max(zero), exponent_b - Lanes::splat(48));
        // At least 2⁻¹⁰, where locks leave less than that.
        let linear = self.linear(direction);
        let k = Reciprocal::of((linear + rotational_a + rotational_b).max(Lanes::splat(1 << 20)));
        // 2^(exponent − 54) / m to Q22.
        let (angular_a, angular_b) =
            (k.shares(angular_a, exponent_a, -32), k.shares(angular_b, exponent_b, -32));
        for i in 0..3 {
            store_saturating(live.keep(angular_a[i]), &mut row.angular_a[i], at);
            store_saturating(live.keep(angular_b[i]), &mut row.angular_b[i], at);
            store_saturating(turn_a[i], &mut row.arm_a[i], at);
            store_saturating(turn_b[i], &mut row.arm_b[i], at);
        }
        let share = shr_each_magnitude(k.share(self.weight), Lanes::splat(i64::from(30 - SHARE_BITS)));
        store_saturating(live.keep(share), &mut row.share, at);
        k
    }

    /// What rows of the block have in common.
    #[inline(always)]
    fn store_shares(&self, block: &mut Block, at: usize, normal: [Lanes<B, N>; 3]) {
        let one = Lanes::splat(1 << 30);
        let weight = Reciprocal::of(self.weight.max(Lanes::splat(1)));
        store(weight.share(self.a.weight), &mut block.fractions[0], at);
        store(weight.share(self.b.weight), &mut block.fractions[1], at);
        if self.locked {
            block.locked = true;
        }
        store(self.a.free, &mut block.free[0], at);
        store(self.b.free, &mut block.free[1], at);
        let linear = self.linear(normal);
        let gain = linear.equal(self.weight).select(one, weight.share(linear).min(one));
        store(gain, &mut block.gain, at);
    }

    /// The part of K that is not rotation: Σ w, less by what locks hold, Q30.
    #[inline(always)]
    fn linear(&self, direction: [Lanes<B, N>; 3]) -> Lanes<B, N> {
        if !self.locked {
            return self.weight;
        }
        self.a.linear(direction) + self.b.linear(direction)
    }
}

/// 1 / count and its root, Q30.
const SHARES: [[i64; 2]; 5] =
    [[0, 0], [1 << 30, 1 << 30], [1 << 29, 759_250_125], [357_913_941, 619_925_131], [1 << 28, 1 << 29]];

impl Pass<Block> for Centers<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let contact = Contact::<B, N>::gather(block, at, self.frames);
        block.softness.choose(contact.uneven, &self.softness, at);
        let normal = load3::<B, N>(&block.normal, at);
        let tangents = tangents(normal);
        store3(tangents[0], &mut block.tangents[0], at);
        store3(tangents[1], &mut block.tangents[1], at);

        // Halfway between both anchors, as arms of both bodies.
        let (mut count, mut separations) = (Lanes::zero(), Lanes::zero());
        let mut middle = [([Lanes::zero(); 3], [Lanes::zero(); 3]); 4];
        let mut live = [Mask::splat(false); 4];
        for i in 0..block.count {
            let point = &mut block.points[i];
            let separation = load::<B, N>(&point.separation, at);
            live[i] = separation.lt(Lanes::splat(i64::from(ABSENT)));
            count -= live[i].to_lanes();
            separations += live[i].keep(separation);
            let arm_a = contact.a.turned(load3(&point.row.arm_a, at));
            let arm_b = contact.b.turned(load3(&point.row.arm_b, at));
            for k in 0..3 {
                store_saturating(arm_a[k], &mut point.row.arm_a[k], at);
                store_saturating(arm_b[k], &mut point.row.arm_b[k], at);
            }
            let half = shr_round3::<B, N, 31>(scale3(normal, separation));
            middle[i] = (add3(arm_a, half), sub3(arm_b, half));
        }

        contact.store_shares(block, at, normal);

        // The centre, and how far the points are from it: the root of the mean square.
        let (mut share, mut root_of_share) = (Lanes::zero(), Lanes::zero());
        for (points, [value, root]) in SHARES.iter().enumerate() {
            let same = count.equal(Lanes::splat(points as i64));
            share = same.select(Lanes::splat(*value), share);
            root_of_share = same.select(Lanes::splat(*root), root_of_share);
        }
        let (mut center_a, mut center_b) = ([Lanes::zero(); 3], [Lanes::zero(); 3]);
        for i in 0..block.count {
            let (a, b) = middle[i];
            for k in 0..3 {
                center_a[k] += live[i].keep(a[k].mul32(share).shr_round::<30>());
                center_b[k] += live[i].keep(b[k].mul32(share).shr_round::<30>());
            }
        }
        let (always, most) = (Mask::splat(true), Lanes::splat(MOST_FRICTION));
        for (t, tangent) in tangents.into_iter().enumerate() {
            contact.row(tangent, center_a, center_b, always, &mut block.friction[t], at);
            let before = dot3(tangent, load3(&block.friction_before, at)).shr_round::<30>();
            store(before.clamp(-most, most), &mut block.friction_impulse[t], at);
        }
        if block.twists {
            let moves_a = contact.a.weight.gt(Lanes::zero());
            let mut squares = Lanes::zero();
            for i in 0..block.count {
                let mut off = [Lanes::zero(); 3];
                for k in 0..3 {
                    // Q21; the arms of what does not move mean nothing.
                    let d = moves_a.select(middle[i].0[k] - center_a[k], middle[i].1[k] - center_b[k]);
                    off[k] = live[i].keep(d.shr_round::<3>());
                }
                squares += dot3(off, off);
            }
            let lever = root(squares).mul32(root_of_share).shr_round::<30>();
            // The arm of friction about the normal, where `Points` looks for it.
            store(lever, &mut block.twist_limit, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            let k = contact.row(normal, center_a, center_b, always, &mut center.row, at);
            let mean = count.gt(Lanes::splat(1)).keep(share);
            store(mean, &mut center.mean, at);
            store(separations.mul32(mean).shr_round::<30>(), &mut center.separation, at);
            // 1 / K / the number of points, Q30, where `Points` looks for it.
            store(k.share(mean), &mut center.limit, at);
        }
    }
}

impl Pass<Block> for Points<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let contact = Contact::<B, N>::gather(block, at, self.frames);
        let normal = load3::<B, N>(&block.normal, at);
        let per_impulse = load::<B, N>(&block.center.limit, at);
        let softness = block.softness.rate::<B, N>(at);
        let mut greatest = Lanes::splat(1);
        let has_center = block.has_center();
        for (point, part) in block.points[..block.count].iter_mut().zip(&mut block.center.parts) {
            let live = load::<B, N>(&point.separation, at).lt(Lanes::splat(i64::from(ABSENT)));
            let (arm_a, arm_b) = (load3(&point.row.arm_a, at), load3(&point.row.arm_b, at));
            let k = contact.row(normal, arm_a, arm_b, live, &mut point.row, at);
            point.total[at..at + N].fill(0);
            if has_center {
                let own = live.keep(k.times(per_impulse));
                greatest = greatest.max(own);
                store_saturating(own, part, at);
            }
            // Nothing has moved yet.
            self.offsets.put(load(&point.separation, at), softness, &mut point.offset, at);
        }
        if has_center {
            let center = &mut block.center;
            self.offsets.put(load(&center.separation, at), softness, &mut center.offset, at);
            let most = Lanes::splat(i64::from(i32::MAX));
            store(greatest.lt(most).keep(load(&center.mean, at)), &mut center.mean, at);
            // 2⁴⁸ / (mantissa 2^(length − 31)).
            let inverse = Reciprocal::of(greatest);
            let down = inverse.length - Lanes::splat(19);
            let limit = inverse.value.shr_each(down.max(Lanes::zero())).shl_each((-down).max(Lanes::zero()));
            store(limit.min(most), &mut center.limit, at);
            let gain = contact.locked.then(|| load(&block.gain, at));
            normals::put_influences::<B, N>(block, at, gain);
        }
        if block.twists {
            let lever = load(&block.twist_limit, at);
            twist(block, at, &contact, normal, lever);
        }
        if block.rolls {
            let tangents = [load3(&block.tangents[0], at), load3(&block.tangents[1], at)];
            rolling(block, at, &contact, tangents);
        }
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
        for point in &mut block.points[..block.count] {
            let speed = (-pair.along(normal, &point.row, at)).clamp(-most, most);
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

/// The root of a number of at most 60 bits, to about 30 bits; with half as many fraction bits.
#[inline(always)]
pub(super) fn root<B: Backend<N>, const N: usize>(x: Lanes<B, N>) -> Lanes<B, N> {
    let (m, p) = quartered(x);
    // m / √m, where `rsqrt` is 2^44.5 / √m: √m 2^14.5, times √2.
    let root = m.mul32(m.rsqrt()).shr::<30>().mul32(Lanes::splat(SQRT_2)).shr::<30>();
    x.equal(Lanes::zero()).select(Lanes::zero(), root.shr_each(Lanes::splat(15) - p))
}

/// √2, Q30.
const SQRT_2: i64 = 1_518_500_250;

/// A row of angular velocities alone: what an impulse about `direction` does to both bodies, Q10.22, and its K in
/// m⁻², Q30, with the reciprocal.
struct Turn<B: Backend<N>, const N: usize> {
    a: [Lanes<B, N>; 3],
    b: [Lanes<B, N>; 3],
    k: Lanes<B, N>,
    reciprocal: Reciprocal<B, N>,
}

impl<B: Backend<N>, const N: usize> Turn<B, N> {
    #[inline(always)]
    fn new(contact: &Contact<B, N>, direction: [Lanes<B, N>; 3]) -> Self {
        let ((angular_a, exponent_a), (angular_b, exponent_b)) =
            (contact.a.angular(direction), contact.b.angular(direction));
        // Q30 · mantissa 2^(exponent − 60) to Q30, in m⁻².
        let zero = Lanes::zero();
        let k = scaled(dot3(direction, angular_a).max(zero), exponent_a - Lanes::splat(60))
            + scaled(dot3(direction, angular_b).max(zero), exponent_b - Lanes::splat(60));
        let reciprocal = Reciprocal::of(k.max(Lanes::splat(1)));
        let (a, b) =
            (reciprocal.shares(angular_a, exponent_a, -38), reciprocal.shares(angular_b, exponent_b, -38));
        Self { a, b, k, reciprocal }
    }

    /// K times a length in Q5.26, shared by both masses: Q11.20.
    #[inline(always)]
    fn limit(&self, contact: &Contact<B, N>, length: Lanes<B, N>) -> Lanes<B, N> {
        let weight = contact.weight.clamp(Lanes::splat(1 << 30), Lanes::splat(i64::from(i32::MAX)));
        let torque = length.mul32(weight.recip()).shr_round::<30>();
        let down = (Lanes::splat(67) - self.reciprocal.length).max(Lanes::splat(1)).min(Lanes::splat(62));
        shr_each_magnitude(torque.mul32(self.reciprocal.mantissa), down)
    }
}

/// Friction against turning about the normal.
#[inline(always)]
fn twist<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    normal: [Lanes<B, N>; 3],
    lever: Lanes<B, N>,
) {
    let turn = Turn::new(contact, normal);
    for i in 0..3 {
        store_saturating(turn.a[i], &mut block.twist_a[i], at);
        store_saturating(turn.b[i], &mut block.twist_b[i], at);
    }
    let friction = load::<B, N>(&block.friction_limit, at);
    let length = friction.mul32(lever).shr_round::<21>().min(Lanes::splat(i64::from(i32::MAX)));
    store_saturating(turn.limit(contact, length), &mut block.twist_limit, at);
}

/// Resistance to turning about the tangents.
///
/// The limit holds for the length of the angular impulse P, of which the rows have K P. So both are measured by the
/// smaller K that is not 0: of an axis about which nothing turns there is no impulse.
#[inline(always)]
fn rolling<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: [[Lanes<B, N>; 3]; 2],
) {
    let turns = [Turn::new(contact, tangents[0]), Turn::new(contact, tangents[1])];
    let zero = Lanes::zero();
    let (first, second) = (turns[0].k, turns[1].k);
    let takes_first = (first.gt(zero) & second.ge(first)) | second.equal(zero);
    let length = takes_first.select(turns[0].reciprocal.length, turns[1].reciprocal.length);
    let mantissa = takes_first.select(turns[0].reciprocal.mantissa, turns[1].reciprocal.mantissa);
    let one = Lanes::splat(1 << 30);
    for (t, turn) in turns.iter().enumerate() {
        for i in 0..3 {
            store_saturating(turn.a[i], &mut block.rolling_a[t][i], at);
            store_saturating(turn.b[i], &mut block.rolling_b[t][i], at);
        }
        let down = (Lanes::splat(30) + turn.reciprocal.length - length).max(zero).min(Lanes::splat(62));
        let share = shr_each_magnitude(mantissa.mul32(turn.reciprocal.value), down).min(one);
        let share = shr_each_magnitude(share, Lanes::splat(i64::from(30 - SHARE_BITS)));
        store(turn.k.gt(zero).keep(share), &mut block.rolling_share[t], at);
    }
    let resistance = load::<B, N>(&block.rolling_resistance, at);
    let limit = takes_first.select(turns[0].limit(contact, resistance), turns[1].limit(contact, resistance));
    store_saturating(limit, &mut block.rolling_limit, at);
    for impulse in &mut block.rolling_impulse {
        impulse[at..at + N].fill(0);
    }
}
