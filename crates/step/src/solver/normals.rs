//! The normals of a contact: what presses at its points.
//!
//! All that a sweep has to know of the bodies is how fast they part at each point. So the speeds are taken from the
//! velocities once, and impulses change the speeds, by the influence that each row has on the others. What they
//! changed in all moves the bodies in the end. Taken from the velocities anew for each point, speeds would need six
//! products more, and six roundings, each of which waits for the impulse before.
//!
//! The influence of a row on another one is J_j M⁻¹ J_iᵀ / κ: 1 to 2 on itself at the most, 0 or less for those at
//! opposite ends. Rounding it takes a 2⁻²⁵th part of an impulse from a speed; the next sweep begins with velocities
//! again, so nothing adds up.
//!
//! Impulses are 0 to 2³¹ − 1, those that a step begins with, too. So they, and differences of two, are multiplicands as they are.
//!
//! # Rounding
//! A speed along the normal, and an impulse, are the same in a mirror. So they are rounded to nearest and halves up, which
//! takes half a unit more and a shift. What has the sense of a tangent, or of an axis of the world, is rounded as
//! [`Lanes::shr_round`] does.

#![allow(
    clippy::needless_range_loop,
    reason = "points and rows are addressed by number, in several arrays at once"
)]

use super::pair::Pair;
use super::{BLOCK, Block, Column, INVERSE_BITS};
use super::{load, load_total, load3, store, store_total};
use isostep_math::wide::{Backend, Lanes, Mask, Multiplicand};
use isostep_math::{Fx, Vec3};

/// The greatest impulse, and the greatest velocity that is asked for, Q11.21.
pub(super) const MOST: i64 = i32::MAX as i64;

/// The influences of points on those after them: 0 on 1, 2 and 3, 1 on 2 and 3, 2 on 3.
pub(crate) const INFLUENCES: usize = 6;

/// The place of the influence of a point on a later one.
#[inline(always)]
pub(super) const fn influence_of(from: usize, on: usize) -> usize {
    [0, 2, 3][from] + on - 1
}

/// Half a unit of a number with 24 bits more.
pub(super) const HALF: i64 = 1 << 23;

/// Half a unit of an impulse with the bits of a velocity change per inverse.
const HALF_IMPULSE: i64 = 1 << (INVERSE_BITS - 1);

/// How fast a contact parts along its normal, Q45, and [half a unit](HALF) of Q21 more.
#[derive(Clone, Copy)]
pub(super) struct Speeds<B: Backend<N>, const N: usize, const COUNT: usize> {
    center: Lanes<B, N>,
    pub(super) points: [Lanes<B, N>; COUNT],
}

/// The speeds of the first points of a block: of several where there is a centre, which one alone is itself.
#[inline(always)]
pub(super) fn speeds<B: Backend<N>, const N: usize, const COUNT: usize>(
    block: &Block,
    at: usize,
    pair: &Pair<B, N>,
) -> Speeds<B, N, COUNT> {
    let spins = pair.spins();
    let moving = pair.parting(load3(&block.normal, at)) + Lanes::splat(HALF << 6);
    let center = moving.shr::<6>() + spins.along(&block.row, at);
    let mut points = [center; COUNT];
    if COUNT > 1 {
        let [tilt_x, tilt_y] = &block.tilts;
        let (along_x, along_y) = (spins.tilting(tilt_x, at), spins.tilting(tilt_y, at));
        for i in 0..COUNT {
            let [x, y] = &block.points[i].place;
            points[i] += along_x.mul32(load(x, at)) + along_y.mul32(load(y, at));
        }
    }
    Speeds { center, points }
}

/// A speed Q45, and half a unit more, with an offset Q21 added to it: Q21.
#[inline(always)]
pub(super) fn with_offset<B: Backend<N>, const N: usize>(
    speed: Lanes<B, N>,
    offset: Lanes<B, N>,
) -> Multiplicand<B, N> {
    shortened(speed + offset.shl::<24>())
}

/// A number with 24 bits more, and [half a unit](HALF) of what is left, without these.
#[inline(always)]
fn shortened<B: Backend<N>, const N: usize>(number: Lanes<B, N>) -> Multiplicand<B, N> {
    number.held_multiplicand_below::<24>()
}

/// What is left of an impulse Q21 after a change Q42: Q21, at least 0.
#[inline(always)]
pub(super) fn changed<B: Backend<N>, const N: usize>(
    impulse: Lanes<B, N>,
    change: Lanes<B, N>,
) -> Lanes<B, N> {
    let raised = impulse.shl::<INVERSE_BITS>() + Lanes::splat(HALF_IMPULSE);
    (raised - change).shr_positive::<INVERSE_BITS>()
}

/// Changes the velocities by impulses at as many points, or by differences of them.
#[inline(always)]
pub(super) fn press<B: Backend<N>, const N: usize, const COUNT: usize>(
    block: &Block,
    at: usize,
    pair: &mut Pair<B, N>,
    impulses: &[Lanes<B, N>; COUNT],
) {
    let normal = load3(&block.normal, at);
    if COUNT == 1 {
        return pair.push(normal, &block.row, impulses[0], at);
    }
    let zero = Lanes::zero();
    let (mut sum, mut x, mut y) = (zero, zero, zero);
    for i in 0..COUNT {
        let [at_x, at_y] = &block.points[i].place;
        sum += impulses[i];
        let impulse = impulses[i].multiplicand_that_fits();
        x += impulse.mul32(load(at_x, at));
        y += impulse.mul32(load(at_y, at));
    }
    for (tilt, sum) in block.tilts.iter().zip([x, y]) {
        pair.twist([&tilt.angular_a, &tilt.angular_b], sum.held_multiplicand::<24>(), at);
    }
    pair.push_by_sum(normal, &block.row, sum, at);
}

impl Block {
    /// How fast the points of a contact come together at the most, in m/s, if its bodies have these linear and angular
    /// velocities: rounded to about 2⁻¹⁸, from arms of at most 128 m, and held to 2,048.
    pub(crate) fn approach(&self, lane: usize, velocities: [[Vec3; 2]; 2]) -> Fx {
        // Q20, for sums of products with 32 bits.
        let held = |x: i64| x.clamp(i32::MIN.into(), i32::MAX.into());
        let multiplicands = |v: Vec3| v.to_array().map(|x| held(x.to_bits() >> 12));
        let [[linear_a, angular_a], [linear_b, angular_b]] = velocities;
        let dot = |row: &[Column; 3], v: [i64; 3]| {
            v.iter().zip(row).fold(0_i64, |sum, (x, column)| sum + x * i64::from(column[lane]))
        };
        let moving = dot(&self.normal, multiplicands(linear_b.saturating_sub(linear_a)));
        let (a, b) = (multiplicands(angular_a), multiplicands(angular_b));
        let center =
            (moving >> 6).saturating_add(dot(&self.row.arm_b, b)).saturating_sub(dot(&self.row.arm_a, a));
        let mut least = center >> 24;
        if self.has_center() {
            let spin = multiplicands(angular_b.saturating_sub(angular_a));
            let [x, y] = [0, 1].map(|tilt| held(dot(&self.tilts[tilt].arm, spin) >> 24));
            least = self.points[..self.count].iter().fold(i64::MAX, |least, point| {
                let [along_x, along_y] = [0, 1].map(|k| i64::from(point.place[k][lane]));
                least.min(held(center >> 24) + ((x * along_x + y * along_y) >> 24))
            });
        }
        Fx::from_bits(-held(least) << 12)
    }
}

/// As [`speeds`], of all points of a block.
#[inline(always)]
pub(super) fn all_speeds<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    pair: &Pair<B, N>,
) -> [Lanes<B, N>; 4] {
    if block.has_center() {
        return speeds::<B, N, 4>(block, at, pair).points;
    }
    let [only] = speeds::<B, N, 1>(block, at, pair).points;
    [only; 4]
}

/// As [`press`], by impulses at all points of a block, and 0 for what it does not have.
#[inline(always)]
pub(super) fn press_all<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    pair: &mut Pair<B, N>,
    impulses: &[Lanes<B, N>; 4],
) {
    if block.has_center() {
        return press(block, at, pair, impulses);
    }
    press(block, at, pair, &[impulses[0]]);
}

/// What solving for the normals of a contact did.
pub(super) struct Solved<B: Backend<N>, const N: usize> {
    /// The sum of the impulses at all points, Q21.
    pub(super) total: Lanes<B, N>,
    /// Whether any lane has other velocities than before.
    pub(super) pushed: bool,
}

/// What a sweep over normals goes by, besides blocks.
#[derive(Clone, Copy)]
pub(super) enum Sweep<B: Backend<N>, const N: usize> {
    /// Springs, up to a greatest speed by which they push apart, Q21 and negative as offsets are.
    Springs(Lanes<B, N>),
    /// Speeds alone.
    Relax,
    /// As before, after a sweep that relaxed, in some lanes.
    Again(Mask<B, N>),
}

impl<B: Backend<N>, const N: usize> Sweep<B, N> {
    /// Springs that push as [`Offsets`](super::offsets::Offsets) say.
    #[inline(always)]
    pub(super) fn springs(push: i64) -> Self {
        Self::Springs(Lanes::splat(push))
    }

    /// Whether it is over springs.
    #[inline(always)]
    pub(super) const fn is_soft(&self) -> bool {
        matches!(self, Self::Springs(_))
    }

    /// Where a row with this offset is firm: where points are apart, and where they are so deep that a spring would push faster
    /// than it may. That would bear no more than so much; a firm row that asks for that speed bears whatever comes.
    #[inline(always)]
    fn is_firm(self, offset: Lanes<B, N>) -> Mask<B, N> {
        match self {
            Self::Springs(push) => offset.gt(Lanes::zero()) | !offset.gt(push),
            Self::Relax | Self::Again(_) => Mask::splat(true),
        }
    }

    /// The lanes that it is confined to, if it is to some.
    #[inline(always)]
    fn within(self) -> Option<Mask<B, N>> {
        match self {
            Self::Again(lanes) => Some(lanes),
            Self::Springs(_) | Self::Relax => None,
        }
    }
}

/// Solves for the normals of all points, after what they have in common.
#[inline(always)]
pub(super) fn solve<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    how: Sweep<B, N>,
) -> Solved<B, N> {
    match block.count {
        0 => Solved { total: Lanes::zero(), pushed: false },
        1 => solve_points::<B, N, 1>(block, at, pair, how),
        2 => solve_points::<B, N, 2>(block, at, pair, how),
        3 => solve_points::<B, N, 3>(block, at, pair, how),
        _ => solve_points::<B, N, 4>(block, at, pair, how),
    }
}

/// As [`solve`], for as many points.
#[cfg_attr(not(unoptimized), inline(always))]
fn solve_points<B: Backend<N>, const N: usize, const COUNT: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    how: Sweep<B, N>,
) -> Solved<B, N> {
    let zero = Lanes::zero();
    let Speeds { center, mut points } = speeds::<B, N, COUNT>(block, at, pair);
    let mut impulses = [zero; COUNT];
    for i in 0..COUNT {
        impulses[i] = load(&block.points[i].impulse, at);
    }
    let mut changes = [zero; COUNT];
    if COUNT > 1 {
        if let Some(mut pressing) = pressing(block, COUNT, at, how) {
            if let Some(lanes) = how.within() {
                pressing.lanes = pressing.lanes & lanes;
            }
            let impulse = pressing.impulse(block, at, center, how);
            let factor = impulse.multiplicand_that_fits();
            for i in 0..COUNT {
                let new = with_part(block, i, impulses[i], impulse, at);
                changes[i] = new - impulses[i];
                impulses[i] = new;
                points[i] += factor.mul32(load(&block.center.influences[i], at));
            }
        }
    }
    let work = &mut Work { speeds: points, impulses, changes };
    solve_point::<B, N, COUNT, 0>(block, at, work, how);
    if COUNT > 1 {
        solve_point::<B, N, COUNT, 1>(block, at, work, how);
    }
    if COUNT > 2 {
        solve_point::<B, N, COUNT, 2>(block, at, work, how);
    }
    if COUNT > 3 {
        solve_point::<B, N, COUNT, 3>(block, at, work, how);
    }
    let Work { impulses, changes, .. } = *work;
    let (mut total, mut changed) = (zero, zero);
    for i in 0..COUNT {
        total += impulses[i];
        changed = changed | changes[i];
    }
    // Contacts that bear nothing are many.
    let pushed = changed != zero;
    if pushed {
        press(block, at, pair, &changes);
    }
    Solved { total: total.min(Lanes::splat(MOST)), pushed }
}

/// What a sweep knows of the points of a contact.
struct Work<B: Backend<N>, const N: usize, const COUNT: usize> {
    /// How fast they part, as of [`Speeds`].
    speeds: [Lanes<B, N>; COUNT],
    /// Of the substep, and what the sweep has added to them, Q21.
    impulses: [Lanes<B, N>; COUNT],
    changes: [Lanes<B, N>; COUNT],
}

/// Solves for the normal of a point, and tells those after it. The number of the point is a constant, so that all of it stays
/// in registers: compilers leave a loop over the points a loop, which goes through memory.
#[inline(always)]
fn solve_point<B: Backend<N>, const N: usize, const COUNT: usize, const I: usize>(
    block: &mut Block,
    at: usize,
    work: &mut Work<B, N, COUNT>,
    how: Sweep<B, N>,
) {
    let zero = Lanes::zero();
    let Block { points, softness, influences, .. } = block;
    let point = &mut points[I];
    let offset = load::<B, N>(&point.offset, at);
    let speed = work.speeds[I];
    let old = work.impulses[I];
    let inverse = load::<B, N>(&point.inverse, at);
    let change = if how.is_soft() {
        let firm = how.is_firm(offset);
        let inverse = firm.select(inverse, load(&point.soft_inverse, at));
        let kept = (!firm).keep(softness.impulse(at));
        with_offset(speed, offset).mul32(inverse) + old.multiplicand_that_fits().mul32(kept)
    } else {
        with_offset(speed, offset.max(zero)).mul32(inverse)
    };
    let change = how.within().map_or(change, |lanes| lanes.keep(change));
    let new = changed(old, change);
    let own = new - old;
    let factor = own.multiplicand_that_fits();
    for on in I + 1..COUNT {
        work.speeds[on] += factor.mul32(load(&influences[influence_of(I, on)], at));
    }
    store(new, &mut point.impulse, at);
    work.changes[I] += own;
    work.impulses[I] = new;
    if !how.is_soft() {
        // The total has the impulse of the sweep before, if there was one.
        let added = if how.within().is_some() { work.changes[I] } else { new };
        store_total(load_total::<B, N>(&point.total, at) + added, &mut point.total, at);
    }
}

/// Solves for what all points have in common, where all of them press. Returns the sum of the impulses at all points, Q21.
#[inline(always)]
pub(super) fn solve_center<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    pressing: &Pressing<B, N>,
    how: Sweep<B, N>,
) -> Lanes<B, N> {
    let Speeds { center, .. } = speeds::<B, N, 1>(block, at, pair);
    let impulse = pressing.impulse(block, at, center, how);
    let (mut total, mut sum) = (Lanes::zero(), Lanes::zero());
    for i in 0..block.count {
        let old = load::<B, N>(&block.points[i].impulse, at);
        let new = with_part(block, i, old, impulse, at);
        total += new;
        sum += new - old;
        store(new, &mut block.points[i].impulse, at);
    }
    pair.push_by_sum(load3(&block.normal, at), &block.row, sum, at);
    total.min(Lanes::splat(MOST))
}

/// Where all points of contacts press, so that what they have in common can be solved for.
pub(super) struct Pressing<B: Backend<N>, const N: usize> {
    pub(super) lanes: Mask<B, N>,
    /// The least impulse of a point, Q21.
    least: Lanes<B, N>,
    /// The impulse that the centre has, by its springs, Q45.
    mean: Lanes<B, N>,
}

/// The contacts of several points of which all press, or `None` where there is none.
#[inline(always)]
pub(super) fn pressing<B: Backend<N>, const N: usize>(
    block: &Block,
    count: usize,
    at: usize,
    how: Sweep<B, N>,
) -> Option<Pressing<B, N>> {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let Block { center, points, .. } = block;
    let (mut mean, mut least) = (zero, most);
    for i in 0..count {
        let (old, is_there) = (load::<B, N>(&points[i].impulse, at), is_there(block, i, at));
        if how.is_soft() {
            mean += load::<B, N>(&center.shares[i], at).mul32(old);
        }
        least = least.min(is_there.select(old, most));
    }
    let mut lanes = load::<B, N>(&center.inverse, at).gt(zero) & least.gt(zero);
    if how.is_soft() {
        lanes = lanes & !load::<B, N>(&center.offset, at).gt(zero);
    }
    if lanes.any() { Some(Pressing { lanes, least, mean }) } else { None }
}

impl<B: Backend<N>, const N: usize> Pressing<B, N> {
    /// What the centre adds to the impulse at each point, Q21 in 32 bits, for its speed, Q45 and half a unit more.
    #[inline(always)]
    fn impulse(&self, block: &Block, at: usize, speed: Lanes<B, N>, how: Sweep<B, N>) -> Lanes<B, N> {
        let center = &block.center;
        let change = if how.is_soft() {
            let (old, offset) = (shortened(self.mean + Lanes::splat(HALF)), load(&center.offset, at));
            let firm = how.is_firm(offset);
            let inverse = firm.select(load(&center.inverse, at), load(&center.soft_inverse, at));
            with_offset(speed, offset).mul32(inverse)
                + old.mul32((!firm).keep(load(&center.kept_inverse, at)))
        } else {
            shortened(speed).mul32(load(&center.inverse, at))
        };
        // No point may pull.
        let added = (Lanes::splat(HALF_IMPULSE) - change).held::<INVERSE_BITS>().shr::<INVERSE_BITS>();
        self.lanes.keep(added.max(-self.least))
    }
}

/// The impulse of a point that had `old`, with its part of one at the centre: none for a point that is not there.
#[inline(always)]
fn with_part<B: Backend<N>, const N: usize>(
    block: &Block,
    point: usize,
    old: Lanes<B, N>,
    part: Lanes<B, N>,
    at: usize,
) -> Lanes<B, N> {
    (old + is_there(block, point, at).keep(part)).at_most(MOST)
}

/// Whether contacts have a point: where a block is one contact, that has all of its block's.
#[inline(always)]
fn is_there<B: Backend<N>, const N: usize>(block: &Block, point: usize, at: usize) -> Mask<B, N> {
    if BLOCK == 1 {
        // It has an inverse, for its separation is within the speculative margin.
        return Mask::splat(true);
    }
    load::<B, N>(&block.points[point].inverse, at).gt(Lanes::zero())
}

#[cfg(test)]
mod tests {
    use super::super::bodies::{Bodies, Record, Velocity};
    use super::super::frames::{Frame, Parts};
    use super::super::offsets::Offsets;
    use super::super::prepare::{Constants, Prepare};
    use super::super::records::Records;
    use super::super::softness::Softness;
    use super::super::{ANGULAR_BITS, BLOCK, Column, LINEAR_BITS};
    use super::*;
    use crate::config::WorldConfig;
    use isostep_math::random::Rng;
    use isostep_math::wide::{Kernel, Level};

    const ONE: i32 = 1 << 30;

    /// The push of the tests' springs, which none of them comes to.
    const PUSH: i64 = -MOST;

    /// A sweep over the first contacts of a block.
    struct Over<'a> {
        block: &'a mut Block,
        velocities: &'a mut [Velocity],
        how: How<'a>,
    }

    #[derive(Clone, Copy)]
    enum How<'a> {
        /// Over springs.
        Springs,
        /// The same one row after the other, by the velocities of the bodies.
        SpringsByBodies,
        /// Two that relax, the second one where a column is above 0.
        RelaxTwice(&'a Column),
    }

    impl Kernel for Over<'_> {
        type Output = ();

        fn run<B: Backend<N>, const N: usize>(self) {
            let mut records = Records::new(self.velocities, 2 * BLOCK);
            for at in (0..BLOCK).step_by(N) {
                let mut pair = Pair::<B, N>::gather(self.block, at, &records);
                match self.how {
                    How::Springs => {
                        solve(self.block, at, &mut pair, Sweep::springs(PUSH));
                    }
                    How::SpringsByBodies => one_by_one(self.block, at, &mut pair),
                    How::RelaxTwice(again) => {
                        solve(self.block, at, &mut pair, Sweep::Relax);
                        let again = load::<B, N>(again, at).gt(Lanes::zero());
                        solve(self.block, at, &mut pair, Sweep::Again(again));
                    }
                }
                pair.scatter(self.block, at, &mut records);
            }
        }
    }

    fn one_by_one<B: Backend<N>, const N: usize>(block: &mut Block, at: usize, pair: &mut Pair<B, N>) {
        let zero = Lanes::zero();
        let count = block.count;
        let center = speeds::<B, N, 1>(block, at, pair).center;
        let how = Sweep::springs(PUSH);
        let pressing = if count > 1 { pressing(block, count, at, how) } else { None };
        if let Some(pressing) = pressing {
            let impulse = pressing.impulse(block, at, center, how);
            let mut changes = [zero; 4];
            for i in 0..count {
                let old = load::<B, N>(&block.points[i].impulse, at);
                let new = with_part(block, i, old, impulse, at);
                store(new, &mut block.points[i].impulse, at);
                changes[i] = new - old;
            }
            press_all(block, at, pair, &changes);
        }
        for i in 0..count {
            let speed = all_speeds(block, at, pair)[i];
            let point = &block.points[i];
            let (offset, old) = (load::<B, N>(&point.offset, at), load::<B, N>(&point.impulse, at));
            let apart = offset.gt(zero);
            let inverse = apart.select(load(&point.inverse, at), load(&point.soft_inverse, at));
            let kept = (!apart).keep(block.softness.impulse(at));
            let change = with_offset(speed, offset).mul32(inverse) + old.mul32(kept);
            let new = changed(old, change);
            let mut changes = [zero; 4];
            changes[i] = new - old;
            press_all(block, at, pair, &changes);
            store(new, &mut block.points[i].impulse, at);
        }
    }

    /// Eight contacts of `count` points between boxes of one to eight kilograms and about a metre, or sticks of 1 cm, and
    /// their bodies' frames and velocities.
    fn contacts(
        count: usize,
        slender: bool,
        random: &mut Rng,
    ) -> (Block, [Frame; 2 * BLOCK + 1], [Velocity; 2 * BLOCK + 1]) {
        let mut within = |limit: i64| (random.next_u64() % (2 * limit as u64)) as i64 - limit;
        let (mut frames, mut velocities) = ([Record::ZERO; 2 * BLOCK + 1], [Record::ZERO; 2 * BLOCK + 1]);
        for record in 1..=2 * BLOCK {
            let mut parts = Parts { gyration_exponent: 4, free: 7, ..Parts::ZERO };
            for axis in 0..3 {
                parts.rotation[axis][axis] = i64::from(ONE);
                // k⁻² of 4 to 12 m⁻².
                parts.gyration[axis] = (1 << 29) + within(1 << 28);
                velocities[record][axis] = within(1 << LINEAR_BITS);
                velocities[record][4 + axis] = within(1 << ANGULAR_BITS);
            }
            if slender {
                // 2¹⁶ m⁻² about (0.6, 0, 0.8), and 12 about what is at right angles to that.
                parts.gyration_exponent = 17;
                let of = |along: i64| 12 * 8192 + along * 81_920 * 65_536 / 100 / 10;
                parts.gyration = [of(36), of(0), of(64), 0, of(48) - of(0), 0];
                for word in &mut velocities[record][4..7] {
                    *word /= 8;
                }
            }
            (parts.inverse_mass, parts.mass_exponent) = ((1 << 30) + within(1 << 29), within(2));
            frames[record] = parts.pack();
        }
        let mut block = Block { filled: BLOCK, count, ..Block::NONE };
        for lane in 0..BLOCK {
            (block.a[lane], block.b[lane]) = (2 * lane as u32 + 1, 2 * lane as u32 + 2);
            block.normal[1][lane] = ONE;
            // Anchors that are apart along the normal alone.
            let middle = [0; 3].map(|_| if slender { within(1 << 16) } else { within(1 << 23) });
            for i in 0..count {
                let mut place = [within(1 << 23), 0, within(1 << 23)];
                if slender {
                    // Half a metre along the stick, and 5 mm beside it.
                    let (along, beside) = (place[0], place[2] / 100);
                    place = [(6 * along - 8 * beside) / 10, 0, (8 * along + 6 * beside) / 10];
                }
                let separation = within(1 << 15);
                for (anchor, half) in block.anchors(i).into_iter().zip([-1, 1]) {
                    let beside = [0, half * separation / 2, 0];
                    for axis in 0..3 {
                        let side = if half < 0 { middle[axis] } else { middle[axis] / 2 };
                        anchor[axis][lane] = (place[axis] + beside[axis] + side) as i32;
                    }
                }
                block.points[i].separation[lane] = separation as i32;
                block.points[i].impulse[lane] = within(1 << 19).max(0) as i32;
            }
        }
        (block, frames, velocities)
    }

    /// The speeds at the points of the first contact of a block.
    struct FirstSpeeds<'a>(&'a Block, &'a [Velocity]);

    impl Kernel for FirstSpeeds<'_> {
        type Output = [i64; 4];

        fn run<B: Backend<N>, const N: usize>(self) -> [i64; 4] {
            let pair = Pair::<B, N>::gather(self.0, 0, self.1);
            all_speeds(self.0, 0, &pair).map(|speed| speed.to_array()[0])
        }
    }

    fn prepare(block: &mut Block, frames: &[Frame], velocities: &[Velocity]) {
        let mut bodies = Bodies::default();
        bodies.frames.extend_from_slice(frames);
        bodies.velocities.extend_from_slice(velocities);
        bodies.kicks.extend_from_slice(velocities);
        let constants = Constants {
            softness: Softness::of_contacts(&WorldConfig::default()),
            offsets: Offsets::new(240, 1 << 23),
            bounce_threshold: 1 << 21,
        };
        Prepare { blocks: core::slice::from_mut(block), bodies: &bodies, constants }.run(Level::SCALAR);
    }

    #[test]
    fn points_part_as_fast_as_the_ends_of_their_arms() {
        let mut random = Rng::new(5, 0);
        for round in 0..400 {
            let count = round % 4 + 1;
            let (mut block, frames, velocities) = contacts(count, false, &mut random);
            let (a, b) = (&velocities[block.a[0] as usize], &velocities[block.b[0] as usize]);
            // Bodies are not turned, and the normal is y: v_y + ω_z r_x − ω_x r_z, with 64 fraction bits.
            let at_end = |v: &Velocity, arm: &[Column; 3]| {
                let spin = |k: usize, along: usize| i128::from(v[4 + k]) * i128::from(arm[along][0]);
                (i128::from(v[1]) << (64 - LINEAR_BITS))
                    + ((spin(2, 0) - spin(0, 2)) >> (ANGULAR_BITS + 24 - 64))
            };
            let mut expected = [0; 4];
            for i in 0..count {
                let [of_a, of_b] = block.anchors(i);
                expected[i] = ((at_end(b, of_b) - at_end(a, of_a)) >> (64 - 45)) as i64;
            }
            prepare(&mut block, &frames, &velocities);
            for level in Level::available() {
                let found = level.dispatch(FirstSpeeds(&block, &velocities));
                for (found, expected) in found.iter().zip(&expected[..count]) {
                    // Units of Q21.
                    let apart = (found - expected).abs() >> 24;
                    assert!(apart < 8, "round {round}, {level:?}: {apart} units apart");
                }
            }
        }
    }

    #[test]
    fn sweeps_by_influence_are_those_by_velocities_but_for_rounding() {
        for slender in [false, true] {
            sweeps_by_influence_are_those_by_velocities(slender);
        }
    }

    fn sweeps_by_influence_are_those_by_velocities(slender: bool) {
        let mut random = Rng::new(3, 0);
        for round in 0..400 {
            let count = round % 4 + 1;
            let (mut block, frames, velocities) = contacts(count, slender, &mut random);
            prepare(&mut block, &frames, &velocities);
            let (mut expected, mut expected_block) = (velocities, block);
            let how = How::SpringsByBodies;
            Level::SCALAR.dispatch(Over { block: &mut expected_block, velocities: &mut expected, how });
            assert_ne!(expected, velocities, "something presses");
            for level in Level::available() {
                let (mut found, mut found_block) = (velocities, block);
                let how = How::Springs;
                level.dispatch(Over { block: &mut found_block, velocities: &mut found, how });
                for (found, expected) in found.iter().zip(&expected) {
                    for k in 0..8 {
                        // A few units of a speed of Q21; slender bodies turn a hundred times as fast.
                        let most = if slender { 10_000 } else { 100 };
                        let unit = 1_i64 << (if k < 4 { LINEAR_BITS } else { ANGULAR_BITS } - 21);
                        let apart = (found[k] - expected[k]).abs();
                        assert!(
                            apart < most * unit,
                            "round {round}, {level:?}: {} units apart",
                            apart / unit
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_relaxed_again_counts_once_and_other_lanes_stay_as_they_were() {
        let mut random = Rng::new(7, 0);
        let mut moved = 0;
        for round in 0..400 {
            let count = round % 4 + 1;
            let (mut block, frames, velocities) = contacts(count, false, &mut random);
            prepare(&mut block, &frames, &velocities);
            let relaxed = |again: Column, level: Level| {
                let (mut block, mut velocities) = (block, velocities);
                let how = How::RelaxTwice(&again);
                level.dispatch(Over { block: &mut block, velocities: &mut velocities, how });
                (block, velocities)
            };
            let (once, velocities_once) = relaxed([0; BLOCK], Level::SCALAR);
            for level in Level::available() {
                let (block, velocities) = relaxed([0, 1, 0, 1, 1, 0, 0, 1], level);
                for lane in 0..BLOCK {
                    let records = [block.a[lane], block.b[lane]].map(|record| record as usize);
                    let is_same = records.iter().all(|&record| velocities[record] == velocities_once[record]);
                    let is_again = [1, 3, 4, 7].contains(&lane);
                    assert!(is_again || is_same, "round {round}, {level:?}, lane {lane}");
                    moved += usize::from(!is_same);
                    for (now, then) in block.points[..count].iter().zip(&once.points) {
                        let changes = [
                            i64::from(now.impulse[lane]) - i64::from(then.impulse[lane]),
                            now.total[lane] - then.total[lane],
                        ];
                        assert_eq!(changes[0], changes[1], "round {round}, {level:?}, lane {lane}");
                        assert!(is_again || changes == [0; 2], "round {round}, {level:?}, lane {lane}");
                    }
                }
            }
        }
        assert!(moved > 400, "only {moved} contacts changed again");
    }
}
