//! How substeps move bodies: what accelerates them, and where their velocities take them.

use super::bodies::{Displacement, Velocity};
use super::mantissas::shr_each;
use super::{ANGULAR_BITS, LINEAR_BITS};
use isostep_math::exact::{product, product_unsigned, round_shift};
use isostep_math::wide::{Backend, Kernel, Lanes, Mask, chunk_at, chunk_at_mut};

/// The length of a substep as a multiplicand of 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Period {
    /// In 2³¹..2³².
    mantissa: i64,
    /// Fraction bits of the mantissa: 31 at the least.
    bits: i64,
}

impl Period {
    /// Of 1 / `rate`, for rates below 2¹⁵.
    pub(super) fn new(rate: i64) -> Self {
        let bits = 95 - i64::from((rate as u64).leading_zeros());
        match ((1 << bits) + rate / 2) / rate {
            // Of a power of two.
            0x1_0000_0000 => Self { mantissa: 1 << 31, bits: bits - 1 },
            mantissa => Self { mantissa, bits },
        }
    }

    /// Numbers of at most 31 bits times the period, with `more` fraction bits, up to 29.
    #[inline(always)]
    pub(super) fn times<B: Backend<N>, const N: usize>(self, x: Lanes<B, N>, more: i64) -> Lanes<B, N> {
        shr_each(x.mul32(Lanes::splat(self.mantissa >> 1)), Lanes::splat(self.bits - 1 - more))
    }
}

/// Gravity, forces, damping, and the limits of speed; and after that what contacts did in the substep before.
///
/// The impulses that contacts end a substep with are all that they changed the velocities by since its start, and along
/// the same rows they act at the start of the next one. So bodies take that difference as it is, and blocks have to add
/// up rows for the impulses of another step alone.
pub(super) struct Accelerate<'a> {
    pub(super) velocities: &'a mut [Velocity],
    /// The velocities before contacts of this substep act; before, of the substep before.
    pub(super) bases: &'a mut [Velocity],
    pub(super) kicks: &'a [Velocity],
    pub(super) damping: &'a [[i32; 2]],
    pub(super) speed_limits: [i64; 2],
}

impl Kernel for Accelerate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let Self { velocities, bases, kicks, damping, speed_limits } = self;
        let [linear, angular] = speed_limits;
        let limits = [linear, linear, linear, linear, angular, angular, angular, angular];
        for (((velocity, base), kick), damping) in velocities.iter_mut().zip(bases).zip(kicks).zip(damping) {
            let is_damped = *damping != [1 << 30; 2];
            let mut is_fast = Mask::splat(false);
            for part in 0..8 / N {
                let at = part * N;
                let before = words::<B, N>(velocity, at);
                let mut driven = before + words(kick, at);
                if is_damped {
                    driven = damped(driven, damping, at);
                }
                let after = driven + before - words(base, at);
                is_fast = is_fast | driven.abs().gt(words(&limits, at)) | after.abs().gt(words(&MOST, at));
                put(driven, base, at);
                put(after, velocity, at);
            }
            if is_fast.any() {
                slow_down(velocity, base, speed_limits);
            }
        }
    }
}

/// Slows what a velocity is before contacts act down to limits of its components, linear and angular, and what it is then to
/// [`MOST_SPEED`] and [`MOST_SPIN`].
#[cold]
fn slow_down(velocity: &mut Velocity, base: &mut Velocity, limits: [i64; 2]) {
    for (at, limit) in [0, 4].into_iter().zip(limits) {
        let fast: [i64; 3] = core::array::from_fn(|k| base[at + k]);
        shorten(&mut base[at..at + 3], limit);
        for k in 0..3 {
            // In lanes as well, what contacts did wraps where a word has no room for it.
            velocity[at + k] = velocity[at + k].wrapping_add(base[at + k].wrapping_sub(fast[k]));
        }
    }
    shorten(&mut velocity[..3], MOST_SPEED);
    shorten(&mut velocity[4..7], MOST_SPIN);
}

/// Shortens a vector to a greatest component without turning it: a slender body that spins about its length would have a hundred
/// times the energy if it were turned out of that. The part that is left is rounded down to 30 bits, and the other components
/// toward zero.
pub(super) fn shorten(vector: &mut [i64], limit: i64) {
    let limit = limit.unsigned_abs();
    let greatest = vector.iter().fold(limit, |greatest, word| greatest.max(word.unsigned_abs()));
    if greatest > limit {
        // Both to 33 bits at the most.
        let down = 31_u32.saturating_sub(greatest.leading_zeros());
        let part = (limit >> down << 30) / (greatest >> down);
        for word in vector {
            let magnitude = word.unsigned_abs();
            let short =
                if magnitude == greatest { limit } else { (product_unsigned(magnitude, part) >> 30) as u64 };
            *word = if *word < 0 { -(short as i64) } else { short as i64 };
        }
    }
}

/// Bits of the magnitude of an angular velocity that products have room for: 2¹⁰ rad/s.
pub(super) const SPIN_BITS: u32 = ANGULAR_BITS + 10;

/// The greatest component of an angular velocity. With more contacts would push in vain, and those on the other side push as much
/// again to undo that.
pub(super) const MOST_SPIN: i64 = (1 << SPIN_BITS) - 1;

/// The greatest component of a linear velocity that a substep begins with, 2¹¹ m/s: half of what a word has room for, so that
/// contacts can do as much again.
const MOST_SPEED: i64 = (1 << (LINEAR_BITS + 11)) - 1;

/// The greatest words of a velocity.
const MOST: [i64; 8] = {
    let (speed, spin, any) = (MOST_SPEED, MOST_SPIN, i64::MAX);
    [speed, speed, speed, any, spin, spin, spin, any]
};

/// Changes the bases of bodies with joints by their velocities: taken out before joints are solved and put in `after` it,
/// these leave there what joints did.
pub(super) fn change_bases(velocities: &[Velocity], bases: &mut [Velocity], joined: &[bool], after: bool) {
    for ((velocity, base), is_joined) in velocities.iter().zip(bases).zip(joined) {
        if *is_joined {
            for k in 0..8 {
                base[k] =
                    if after { base[k].wrapping_add(velocity[k]) } else { base[k].wrapping_sub(velocity[k]) };
            }
        }
    }
}

/// The words of a velocity from `at` on times their factors in Q30, to nearest, ties away from zero.
#[inline(always)]
fn damped<B: Backend<N>, const N: usize>(
    velocity: Lanes<B, N>,
    factors: &[i32; 2],
    at: usize,
) -> Lanes<B, N> {
    let mut words = velocity.to_array();
    for i in 0..N {
        let factor = factors[(at + i) / 4];
        words[i] = round_shift(product(words[i], factor.into()), 30) as i64;
    }
    Lanes::from_array(words)
}

/// Moves bodies by their velocities over a substep: Q32.
pub(super) struct Advance<'a> {
    pub(super) velocities: &'a [Velocity],
    pub(super) displacements: &'a mut [Displacement],
    pub(super) period: Period,
}

/// Moves bodies with joints by their shifts over a substep, as [`Advance`] does, and leaves none.
pub(super) struct Shift<'a> {
    pub(super) shifts: &'a mut [Velocity],
    pub(super) displacements: &'a mut [Displacement],
    pub(super) joined: &'a [bool],
    pub(super) period: Period,
}

impl Kernel for Shift<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let Self { shifts, displacements, joined, period } = self;
        let moves = Moves::<B, N>::new(period);
        for ((shift, displacement), is_joined) in shifts.iter_mut().zip(displacements).zip(joined) {
            if *is_joined {
                moves.advance(shift, displacement);
                *shift = Velocity::ZERO;
            }
        }
    }
}

/// By how many bits the words of a velocity have more than those of a displacement.
const DROPS: [i64; 8] = {
    let (linear, angular) = (LINEAR_BITS as i64 - 32, ANGULAR_BITS as i64 - 32);
    [linear, linear, linear, linear, angular, angular, angular, angular]
};

impl Kernel for Advance<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let Self { velocities, displacements, period } = self;
        let moves = Moves::<B, N>::new(period);
        for (velocity, displacement) in velocities.iter().zip(displacements) {
            moves.advance(velocity, displacement);
        }
    }
}

/// The words of a record from `at` on.
#[inline(always)]
fn words<B: Backend<N>, const N: usize>(record: &[i64; 8], at: usize) -> Lanes<B, N> {
    Lanes::from_array(*chunk_at(record, at))
}

/// Writes the words of a record from `at` on.
#[inline(always)]
fn put<B: Backend<N>, const N: usize>(words: Lanes<B, N>, record: &mut [i64; 8], at: usize) {
    *chunk_at_mut(record, at) = words.to_array();
}

/// Velocities times the period, Q32, to nearest, ties away from zero, in two products of 32 bits.
///
/// The magnitude v has 51 bits once the excess over Q32 is dropped, in parts h 2²⁴ + l of 27 and 24 bits. With a mantissa m
/// of s fraction bits,
///
/// ```text
/// ⌊(v m + 2^(s − 1)) / 2^s⌋ = ⌊(h m + ⌊(l m + 2^(s − 1)) / 2²⁴⌋) / 2^(s − 24)⌋
/// ```
///
/// where l m + 2^(s − 1) is below 2⁵⁷, for s is 46 at the most, and h m below 2⁵⁹.
struct Moves<B: Backend<N>, const N: usize> {
    mantissa: Lanes<B, N>,
    half: Lanes<B, N>,
    down: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Moves<B, N> {
    #[inline(always)]
    fn new(period: Period) -> Self {
        Self {
            mantissa: Lanes::splat(period.mantissa),
            half: Lanes::splat(1 << (period.bits - 1)),
            down: Lanes::splat(period.bits - i64::from(LOW_BITS)),
        }
    }

    /// Adds to a displacement where a velocity leads.
    #[inline(always)]
    fn advance(&self, velocity: &Velocity, displacement: &mut Displacement) {
        for part in 0..8 / N {
            let at = part * N;
            let moved = words(displacement, at) + self.of(words(velocity, at), words(&DROPS, at));
            put(moved, displacement, at);
        }
    }

    /// Of velocities with as many bits more than Q32 as `drops` says.
    #[inline(always)]
    fn of(&self, velocity: Lanes<B, N>, drops: Lanes<B, N>) -> Lanes<B, N> {
        let magnitude = velocity.abs().shr_logical_each(drops);
        let (high, low) = (magnitude.shr_logical::<LOW_BITS>(), magnitude.low_bits::<LOW_BITS>());
        let low = (low.mul32_unsigned(self.mantissa) + self.half).shr_logical::<LOW_BITS>();
        let moved = (high.mul32_unsigned(self.mantissa) + low).shr_logical_each(self.down);
        moved.negate_where_negative(velocity)
    }
}

/// Bits of the lower part of a magnitude.
const LOW_BITS: u32 = 24;

#[cfg(test)]
mod tests {
    use super::super::bodies::Record;
    use super::*;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;
    use isostep_math::wide::Level;

    /// To nearest, ties away from zero, from magnitudes whose excess over Q32 is cut.
    fn expected(velocity: i64, drop: u32, rate: i64) -> i64 {
        let bits = 95 - (rate as u64).leading_zeros();
        let mantissa = (((1_i128 << bits) + i128::from(rate) / 2) / i128::from(rate)) as u128;
        let product = u128::from(velocity.unsigned_abs() >> drop) * mantissa;
        let moved = ((product + (1 << (bits - 1))) >> bits) as i64;
        if velocity < 0 { -moved } else { moved }
    }

    #[test]
    fn vectors_are_shortened_to_a_greatest_component_and_not_turned() {
        let mut rng = Rng::new(32, 0);
        for _ in 0..2_000 {
            let vector: [i64; 3] = core::array::from_fn(|_| rng.next_u64() as i64 >> (2 + rng.below(40)));
            let limit = 1 + (rng.next_u64() >> (2 + rng.below(40))) as i64;
            let mut shortened = vector;
            shorten(&mut shortened, limit);
            let greatest = vector.iter().map(|word| word.abs()).max().unwrap();
            if greatest <= limit {
                assert_eq!(shortened, vector);
                continue;
            }
            for (long, short) in vector.into_iter().zip(shortened) {
                let exact = i128::from(long) * i128::from(limit) / i128::from(greatest);
                let most_off = 2 + (i128::from(greatest) >> 29);
                assert!((exact - i128::from(short)).abs() <= most_off, "{vector:?} {limit}: {shortened:?}");
                assert!(short.abs() <= limit);
            }
        }
    }

    #[test]
    fn what_contacts_did_beyond_all_room_is_slowed_down_alike_in_all_lanes() {
        let mut rng = Rng::new(35, 0);
        let mut word = || rng.next_u64() as i64 >> (8 * rng.below(2));
        let records: Vec<[Velocity; 3]> =
            (0..500).map(|_| core::array::from_fn(|_| Record(core::array::from_fn(|_| word())))).collect();
        let of = |part: usize| records.iter().map(|record| record[part]).collect::<Vec<_>>();
        let results = Level::available().map(|level| {
            let (mut velocities, mut bases) = (of(0), of(1));
            level.dispatch(Accelerate {
                velocities: &mut velocities,
                bases: &mut bases,
                kicks: &of(2),
                damping: &[[1 << 30; 2]; 500],
                speed_limits: [1 << (LINEAR_BITS + 9), 1 << (ANGULAR_BITS + 8)],
            });
            let is_held = |velocity: &Velocity| {
                velocity[..3].iter().all(|word| word.unsigned_abs() <= MOST_SPEED as u64)
                    && velocity[4..7].iter().all(|word| word.unsigned_abs() <= MOST_SPIN as u64)
            };
            assert!(velocities.iter().all(is_held));
            (velocities, bases)
        });
        let results: Vec<_> = results.collect();
        assert!(results.iter().all(|(velocities, bases)| {
            let (first, first_bases) = &results[0];
            velocities
                .iter()
                .zip(first)
                .chain(bases.iter().zip(first_bases))
                .all(|(one, other)| one.0 == other.0)
        }));
    }

    #[test]
    fn bodies_move_by_their_velocities_to_the_nearest_unit_in_all_lanes() {
        let mut rng = Rng::new(31, 0);
        let mut velocities: Vec<Velocity> =
            (0..200).map(|_| Record([0; 8].map(|_| rng.next_u64() as i64 >> (2 + rng.below(60))))).collect();
        let most = (1 << 62) - 1;
        velocities.extend([most, -most, 0, -1, 1, 1 << 61, -(1 << 61)].map(|word| Record([word; 8])));
        for rate in [1, 2, 60, 64, 240, 256, 1023, 1024, 16_000, (1 << 15) - 1] {
            for level in Level::available() {
                let mut displacements: Vec<Displacement> =
                    velocities.iter().map(|_| Record([7; 8])).collect();
                let period = Period::new(rate);
                level.dispatch(Advance {
                    velocities: &velocities,
                    displacements: &mut displacements,
                    period,
                });
                for (velocity, displacement) in velocities.iter().zip(&displacements) {
                    for k in 0..8 {
                        let drop = if k < 4 { LINEAR_BITS - 32 } else { ANGULAR_BITS - 32 };
                        assert_eq!(
                            displacement[k],
                            7 + expected(velocity[k], drop, rate),
                            "{rate} {level:?}"
                        );
                    }
                }
            }
        }
    }
}
