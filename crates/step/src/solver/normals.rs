//! The normals of a contact: what presses at its points.
//!
//! All that a sweep has to know of the bodies is how fast they part at each point. So the speeds are taken from the
//! velocities once, and impulses change the speeds, by the influence that each row has on the others. What they
//! changed in all moves the bodies in the end. Taken from the velocities anew for each point, speeds would need six
//! products more, and six roundings, each of which waits for the impulse before.
//!
//! The influence of a row on another one is J_j M⁻¹ J_iᵀ / K_i: 1 for points at one place, 0 or less for those at
//! opposite ends. Rounding it takes a 2⁻²⁵th part of an impulse from a speed; the next sweep begins with velocities
//! again, so nothing adds up.

use super::pair::Pair;
use super::{Block, Center, Row, SHARE_BITS};
use super::{load, load_total, load3, store, store_total};
use isostep_math::wide::{Backend, Lanes, dot3};

/// The greatest impulse, and the greatest relative velocity, Q11.21.
pub(super) const MOST: i64 = i32::MAX as i64;

/// The influences of points on those after them: 0 on 1, 2 and 3, 1 on 2 and 3, 2 on 3.
pub(crate) const INFLUENCES: usize = 6;

/// The place of the influence of a point on a later one.
#[inline(always)]
const fn influence_of(from: usize, on: usize) -> usize {
    [0, 2, 3][from] + on - 1
}

/// Solves for the normals of all points, after what they have in common, and returns the sum of their impulses as of
/// bodies without rotation, Q21.
#[inline(always)]
pub(super) fn solve<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
) -> Lanes<B, N> {
    match block.count {
        0 => Lanes::zero(),
        1 => solve_points::<B, N, 1, SOFT>(block, at, pair),
        2 => solve_points::<B, N, 2, SOFT>(block, at, pair),
        3 => solve_points::<B, N, 3, SOFT>(block, at, pair),
        _ => solve_points::<B, N, 4, SOFT>(block, at, pair),
    }
}

/// As [`solve`], for as many points.
#[inline(always)]
fn solve_points<B: Backend<N>, const N: usize, const COUNT: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
) -> Lanes<B, N> {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let normal = load3(&block.normal, at);
    // Q45.
    let parting = pair.parting(normal).shr_round::<6>();
    let spins = pair.spins();
    let mut speeds = [zero; COUNT];
    let mut impulses = [zero; COUNT];
    for i in 0..COUNT {
        let point = &block.points[i];
        speeds[i] = parting + spins.along(&point.row, at);
        impulses[i] = load(&point.impulse, at);
    }
    let mut changes = [zero; COUNT];
    if COUNT > 1 {
        let speed = (parting + spins.along(&block.center.row, at)).shr_round::<24>();
        if let Some(impulse) = center_impulse::<B, N, SOFT>(block, COUNT, at, speed) {
            for i in 0..COUNT {
                let new = block.center.share(i, impulses[i], impulse, at);
                changes[i] = new - impulses[i];
                impulses[i] = new;
                speeds[i] += load::<B, N>(&block.center.influences[i], at).mul32(impulse);
            }
        }
    }
    let work = &mut Work { speeds, impulses, changes };
    solve_point::<B, N, COUNT, 0, SOFT>(block, at, work);
    if COUNT > 1 {
        solve_point::<B, N, COUNT, 1, SOFT>(block, at, work);
    }
    if COUNT > 2 {
        solve_point::<B, N, COUNT, 2, SOFT>(block, at, work);
    }
    if COUNT > 3 {
        solve_point::<B, N, COUNT, 3, SOFT>(block, at, work);
    }
    let Work { impulses, changes, .. } = *work;
    let (mut total, mut sum) = (zero, zero);
    for i in 0..COUNT {
        let row = &block.points[i].row;
        pair.turn(row, changes[i], at);
        let share = load::<B, N>(&row.share, at);
        sum += share.mul32(changes[i]);
        total += share.mul32(impulses[i]);
    }
    pair.part(normal, sum.shr_round::<SHARE_BITS>().clamp(-most, most));
    total.shr_round::<SHARE_BITS>().min(most)
}

/// What a sweep knows of the points of a contact.
struct Work<B: Backend<N>, const N: usize, const COUNT: usize> {
    /// How fast they part, Q45.
    speeds: [Lanes<B, N>; COUNT],
    /// Of the substep, and what the sweep has added to them, Q21.
    impulses: [Lanes<B, N>; COUNT],
    changes: [Lanes<B, N>; COUNT],
}

/// Solves for the normal of a point, and tells those after it. The number of the point is a constant, so that all of it stays
/// in registers: compilers leave a loop over the points a loop, which goes through memory.
#[inline(always)]
fn solve_point<B: Backend<N>, const N: usize, const COUNT: usize, const I: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    work: &mut Work<B, N, COUNT>,
) {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let Block { points, softness, influences, .. } = block;
    let point = &mut points[I];
    let offset = load::<B, N>(&point.offset, at);
    let speed = work.speeds[I].shr_round::<24>();
    let old = work.impulses[I];
    let change = if SOFT {
        let apart = offset.gt(zero);
        let speed = (speed + offset).clamp(-most, most);
        let mass = apart.select(Lanes::splat(1 << 30), softness.mass(at));
        let impulse = (!apart).keep(softness.impulse(at));
        (speed.mul32(mass) + old.mul32(impulse)).shr_round::<30>()
    } else {
        speed + offset.max(zero)
    };
    let new = (old - change).clamp(zero, most);
    let own = new - old;
    for on in I + 1..COUNT {
        work.speeds[on] += load::<B, N>(&influences[influence_of(I, on)], at).mul32(own);
    }
    store(new, &mut point.impulse, at);
    if !SOFT {
        let sum = load_total::<B, N>(&point.total, at) + new;
        store_total(sum, &mut point.total, at);
    }
    // Of two impulses of 31 bits that are not negative.
    work.changes[I] += own;
    work.impulses[I] = new;
}

/// Solves for what all points have in common, where all of them press.
#[inline(always)]
pub(super) fn solve_center<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
) {
    let most = Lanes::splat(MOST);
    let normal = load3(&block.normal, at);
    let parting = pair.parting(normal).shr_round::<6>();
    let speed = (parting + pair.spins().along(&block.center.row, at)).shr_round::<24>();
    let Some(impulse) = center_impulse::<B, N, SOFT>(block, block.count, at, speed) else { return };
    let Block { center, points, count, .. } = block;
    pair.turn(&center.row, impulse, at);
    let part = load::<B, N>(&center.row.share, at).mul32(impulse).shr_round::<SHARE_BITS>();
    pair.part(normal, part.clamp(-most, most));
    for (i, point) in points[..*count].iter_mut().enumerate() {
        store(center.share(i, load::<B, N>(&point.impulse, at), impulse, at), &mut point.impulse, at);
    }
}

/// The impulse at the centre for its speed, both Q21, or `None` where no lane has one.
#[inline(always)]
fn center_impulse<B: Backend<N>, const N: usize, const SOFT: bool>(
    block: &Block,
    count: usize,
    at: usize,
    speed: Lanes<B, N>,
) -> Option<Lanes<B, N>> {
    let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
    let Block { center, points, .. } = block;
    let (mut sum, mut least) = (zero, most);
    for (point, part) in points[..count].iter().zip(&center.parts) {
        let (old, is_there) = (load::<B, N>(&point.impulse, at), load::<B, N>(part, at).gt(zero));
        sum += is_there.keep(old);
        least = least.min(is_there.select(old, most));
    }
    let mean = load::<B, N>(&center.mean, at);
    let mut pressing = mean.gt(zero) & least.gt(zero);
    if !pressing.any() {
        return None;
    }
    let mut change = speed.clamp(-most, most);
    if SOFT {
        let offset = load::<B, N>(&center.offset, at);
        pressing = pressing & !offset.gt(zero);
        let speed = (change + offset).clamp(-most, most);
        let old = sum.min(most).mul32(mean).shr_round::<30>();
        change =
            (speed.mul32(block.softness.mass(at)) + old.mul32(block.softness.impulse(at))).shr_round::<30>();
    }
    // No point may pull.
    let least = least.mul32(load(&center.limit, at)).shr::<24>().min(most);
    Some(pressing.keep((-change).clamp(-least, most)))
}

impl Center {
    /// The impulse of a point that had `old`, with its part of one at the centre.
    #[inline(always)]
    fn share<B: Backend<N>, const N: usize>(
        &self,
        point: usize,
        old: Lanes<B, N>,
        impulse: Lanes<B, N>,
        at: usize,
    ) -> Lanes<B, N> {
        let own = load::<B, N>(&self.parts[point], at).mul32(impulse).shr_round::<24>();
        (old + own).clamp(Lanes::zero(), Lanes::splat(MOST))
    }
}

/// The influences of the rows along the normal, once all of them are there: Q8.24, of at most 16.
///
/// An influence is at most the root of how many times more easily the point that it is on parts, which is 2.4 for a
/// corner and the middle of a cube: what is 16 times as far out as the gyration is held to that.
#[inline(always)]
pub(super) fn put_influences<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    gain: Option<Lanes<B, N>>,
) {
    let Block { points, center, influences, count, .. } = block;
    for from in 0..*count {
        let row = Influence::<B, N>::load(&points[from].row, at, gain);
        for on in from + 1..*count {
            store(row.on(&points[on].row, at), &mut influences[influence_of(from, on)], at);
        }
    }
    let row = Influence::<B, N>::load(&center.row, at, gain);
    for (point, influence) in points[..*count].iter().zip(&mut center.influences) {
        store(row.on(&point.row, at), influence, at);
    }
}

/// What an impulse along a row does.
struct Influence<B: Backend<N>, const N: usize> {
    angular_a: [Lanes<B, N>; 3],
    angular_b: [Lanes<B, N>; 3],
    /// How fast the centres part along the normal, Q46.
    parting: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Influence<B, N> {
    #[inline(always)]
    fn load(row: &Row, at: usize, gain: Option<Lanes<B, N>>) -> Self {
        let share = load::<B, N>(&row.share, at);
        Self {
            angular_a: load3(&row.angular_a, at),
            angular_b: load3(&row.angular_b, at),
            parting: match gain {
                Some(gain) => share.mul32(gain).shr_round::<10>(),
                None => share.shl::<20>(),
            },
        }
    }

    /// How much faster the ends of the arms of another row part.
    #[inline(always)]
    fn on(&self, row: &Row, at: usize) -> Lanes<B, N> {
        let turning =
            dot3(load3(&row.arm_a, at), self.angular_a) + dot3(load3(&row.arm_b, at), self.angular_b);
        let most = Lanes::splat(16 << 24);
        (self.parting + turning).shr_round::<22>().clamp(-most, most)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bodies::{Record, Velocity};
    use super::super::frames::{Frame, Parts};
    use super::super::offsets::Offsets;
    use super::super::pair::Line;
    use super::super::prepare::{Constants, Prepare};
    use super::super::records::Records;
    use super::super::softness::Softness;
    use super::super::{ANGULAR_BITS, BLOCK, LINEAR_BITS};
    use super::*;
    use crate::config::WorldConfig;
    use isostep_math::random::Rng;
    use isostep_math::wide::{Kernel, Level, Portable};

    const ONE: i32 = 1 << 30;

    /// A sweep over the first contacts of a block.
    struct Sweep<'a> {
        block: &'a mut Block,
        velocities: &'a mut [Velocity],
        /// One row after the other, by the velocities of the bodies, instead of [`solve`].
        by_bodies: bool,
    }

    impl Kernel for Sweep<'_> {
        type Output = ();

        fn run<B: Backend<N>, const N: usize>(self) {
            if N > BLOCK {
                return self.run::<Portable, 1>();
            }
            let mut records = Records::new(self.velocities, 2 * BLOCK);
            for at in (0..BLOCK).step_by(N) {
                let pair = if self.by_bodies {
                    one_by_one(self.block, at, Line::<B, N>::gather(self.block, at, &records))
                } else {
                    let mut pair = Pair::<B, N>::gather(self.block, at, &records);
                    solve::<B, N, true>(self.block, at, &mut pair);
                    pair
                };
                pair.scatter(self.block, at, &mut records);
            }
        }
    }

    fn one_by_one<B: Backend<N>, const N: usize>(
        block: &mut Block,
        at: usize,
        mut line: Line<B, N>,
    ) -> Pair<B, N> {
        let (zero, most) = (Lanes::zero(), Lanes::splat(MOST));
        let speed = line.along(&block.center.row, at);
        if let Some(impulse) = center_impulse::<B, N, true>(block, block.count, at, speed) {
            line.push(&block.center.row, impulse, at);
            for i in 0..block.count {
                let old = load::<B, N>(&block.points[i].impulse, at);
                store(block.center.share(i, old, impulse, at), &mut block.points[i].impulse, at);
            }
        }
        for i in 0..block.count {
            let point = &block.points[i];
            let (offset, old) = (load::<B, N>(&point.offset, at), load::<B, N>(&point.impulse, at));
            let speed = (line.along(&point.row, at) + offset).clamp(-most, most);
            let apart = offset.gt(zero);
            let mass = apart.select(Lanes::splat(1 << 30), block.softness.mass(at));
            let impulse = (!apart).keep(block.softness.impulse(at));
            let change = (speed.mul32(mass) + old.mul32(impulse)).shr_round::<30>();
            let new = (old - change).clamp(zero, most);
            line.push(&point.row, new - old, at);
            store(new, &mut block.points[i].impulse, at);
        }
        line.finish()
    }

    /// Eight contacts of `count` points between boxes of one to eight kilograms and about a metre, and their bodies'
    /// frames and velocities.
    fn contacts(
        count: usize,
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
            (parts.inverse_mass, parts.mass_exponent) = ((1 << 30) + within(1 << 29), within(2));
            frames[record] = parts.pack();
        }
        let mut block = Block { filled: BLOCK, count, ..Block::NONE };
        for lane in 0..BLOCK {
            (block.a[lane], block.b[lane]) = (2 * lane as u32 + 1, 2 * lane as u32 + 2);
            block.normal[1][lane] = ONE;
            for point in &mut block.points[..count] {
                for axis in 0..3 {
                    point.row.arm_a[axis][lane] = within(1 << 23) as i32;
                    point.row.arm_b[axis][lane] = within(1 << 23) as i32;
                }
                point.separation[lane] = within(1 << 15) as i32;
                point.impulse[lane] = within(1 << 19).max(0) as i32;
            }
        }
        (block, frames, velocities)
    }

    #[test]
    fn sweeps_by_influence_are_those_by_velocities_but_for_rounding() {
        let mut random = Rng::new(3, 0);
        for round in 0..400 {
            let count = round % 4 + 1;
            let (mut block, frames, velocities) = contacts(count, &mut random);
            let constants = Constants {
                frames: &frames,
                velocities: &velocities,
                kicks: &velocities,
                softness: Softness::of_contacts(&WorldConfig::default()),
                offsets: Offsets::new(240, 1 << 23),
                bounce_threshold: 1 << 21,
            };
            Prepare { blocks: core::slice::from_mut(&mut block), constants }.run(Level::SCALAR);
            let (mut expected, mut expected_block) = (velocities, block);
            let by_bodies = Sweep { block: &mut expected_block, velocities: &mut expected, by_bodies: true };
            Level::SCALAR.dispatch(by_bodies);
            assert_ne!(expected, velocities, "something presses");
            for level in Level::available() {
                let (mut found, mut found_block) = (velocities, block);
                level.dispatch(Sweep { block: &mut found_block, velocities: &mut found, by_bodies: false });
                for (found, expected) in found.iter().zip(&expected) {
                    for k in 0..8 {
                        // A few units of a speed of Q21.
                        let unit = 1_i64 << (if k < 4 { LINEAR_BITS } else { ANGULAR_BITS } - 21);
                        let apart = (found[k] - expected[k]).abs();
                        assert!(apart < 100 * unit, "round {round}, {level:?}: {} units apart", apart / unit);
                    }
                }
            }
        }
    }
}
