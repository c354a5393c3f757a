//! The points of contacts in the numbers of the solver, and the sequence in which they are solved.

use super::incoming::{Chunk, MOST_POINTS};
use crate::contact::PointImpulse;
use crate::solver::prepare::ABSENT;
use crate::solver::words::{both, lower, pair, upper};
use isostep_collision::manifold::{Contacts, PointWords};
use isostep_math::exact::round_shift_i64;
use isostep_math::wide::{Backend, Kernel, Lanes};
use isostep_math::{Fx, Vec3};

/// A point as a block has it, two numbers a word: the anchors in the coordinates of both bodies and the separation, Q8.24;
/// the impulse that it had, Q11.21, and before it is known the feature that the point has.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Point([i64; 4]);

impl Point {
    /// A point that a contact does not have.
    pub(super) const ABSENT: Self = Self([0, 0, 0, pair(ABSENT, 0)]);

    #[inline(always)]
    pub(super) const fn words(&self) -> &[i64; 4] {
        &self.0
    }

    /// Where it is in the coordinates of both bodies, while nobody dropped that.
    #[inline]
    pub(super) fn anchors(&self) -> [Vec3; 2] {
        let [first, middle, last, _] = self.0;
        let vector = |x, y, z| Vec3::new(length(x), length(y), length(z));
        [vector(lower(first), upper(first), lower(middle)), vector(upper(middle), lower(last), upper(last))]
    }

    pub(super) const fn separation(&self) -> Fx {
        length(lower(self.0[3]))
    }

    /// Takes its feature, finds the impulse that it had among those of the step before, and drops the anchors of what has no
    /// record: it does not move, it may be long, and its arms do not matter. Returns the impulse, if the point is no new one;
    /// mostly it is at the place `guess`.
    #[inline(always)]
    fn complete(
        &mut self,
        [record_a, record_b]: [u32; 2],
        before: &[PointImpulse],
        guess: usize,
        feature: &mut u32,
    ) -> Option<i32> {
        let [first, middle, last, state] = &mut self.0;
        if record_a == 0 {
            (*first, *middle) = (0, pair(0, upper(*middle)));
        }
        if record_b == 0 {
            (*middle, *last) = (pair(lower(*middle), 0), 0);
        }
        *feature = upper(*state) as u32;
        let is_it = |old: &&PointImpulse| old.feature == *feature;
        let old = before.get(guess).filter(is_it).or_else(|| before.iter().find(is_it));
        let impulse = old.map(|old| old.normal);
        *state = pair(lower(*state), impulse.unwrap_or(0));
        impulse
    }
}

/// [Completes](Point::complete) the points of a contact. Those that are new begin with what those of the step before pressed
/// with that are gone, in equal parts. Returns bits of which some are set where any impulse is not 0.
///
/// Of the corners that two faces have in common, up to eight, contacts have four, and which ones changes with a tenth of
/// a millimetre. What lies on them weighs the same: begun without it, plates of a stack would rock for ever.
#[inline(always)]
pub(super) fn complete_all(
    points: &mut [Point],
    records: [u32; 2],
    before: &[PointImpulse],
    features: &mut [u32],
) -> i32 {
    let (mut impulses, mut found, mut new) = (0, 0, 0_u32);
    for (index, (point, feature)) in points.iter_mut().zip(features).enumerate() {
        match point.complete(records, before, index, feature) {
            Some(impulse) => {
                impulses |= impulse;
                found += i64::from(impulse);
            }
            None => new |= 1 << index,
        }
    }
    if new != 0 && !before.is_empty() {
        let pressed: i64 = before.iter().map(|old| i64::from(old.normal)).sum();
        let part = (pressed - found) / i64::from(new.count_ones());
        let part = part.clamp(0, i32::MAX.into()) as i32;
        for (index, Point([.., state])) in points.iter_mut().enumerate() {
            if new >> index & 1 != 0 {
                *state = pair(lower(*state), part);
            }
        }
        impulses |= part;
    }
    impulses
}

/// The sequence in which the points of a contact are solved: the deepest first, so that it is the same in a mirror.
///
/// The place of each of the four points, two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Order(u8);

impl Order {
    /// Of points of which equally deep ones keep the order that they have, by their separations; what is not there comes
    /// last.
    #[inline(always)]
    fn of([a, b, c, d]: [i64; MOST_POINTS]) -> Self {
        // How many go before each, without branches: which of two boxes' points is the deepest is noise.
        let (ba, ca, da) = (u8::from(b < a), u8::from(c < a), u8::from(d < a));
        let (cb, db, dc) = (u8::from(c < b), u8::from(d < b), u8::from(d < c));
        let places = [ba + ca + da, 1 - ba + cb + db, 2 - ca - cb + dc, 3 - da - db - dc];
        Self(places[0] | places[1] << 2 | places[2] << 4 | places[3] << 6)
    }

    /// The place of the point `index`: below the number of points for each that there is.
    #[inline(always)]
    fn place(self, index: usize) -> usize {
        usize::from(self.0 >> (2 * index)) & 3
    }
}

/// Writes contacts down as they are found, each with its points in their [`Order`].
pub(super) struct WriteContacts<'a> {
    pub(super) found: &'a Contacts<'a>,
    /// The pairs of the chunk.
    pub(super) pairs: &'a [(u32, u32)],
    /// It has room for them.
    pub(super) chunk: &'a mut Chunk,
}

/// Bits that lengths have more where they are found.
const DROP: u32 = 8;

/// A length as it was found, but for these bits.
const fn length(bits: i32) -> Fx {
    Fx::from_bits((bits as i64) << DROP)
}

impl Kernel for WriteContacts<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for found in self.found.iter() {
            let count = found.points().len();
            let pair = self.pairs[found.pair as usize];
            let (contact, own, first) = self.chunk.add(pair, count);
            let separations = found.separations();
            let [a, b, c, d] = separations;
            let least = Fx::from_bits(a.min(b).min(c.min(d)));
            let order = Order::of(separations);
            for (index, point) in found.points().enumerate() {
                own[order.place(index)] = shortened::<B, N>(point);
            }
            // A unit vector has no more than 32 bits.
            let [x, y, z] = found.normal.to_array();
            let normal = [
                round_shift_i64(x.to_bits(), 2) as i32,
                round_shift_i64(y.to_bits(), 2) as i32,
                round_shift_i64(z.to_bits(), 2) as i32,
            ];
            contact.found(pair, found.pair, normal, (first, count), least);
        }
    }
}

/// A point with its feature in the place of the impulse: lengths to nearest, ties away from zero, saturating.
#[inline(always)]
fn shortened<B: Backend<N>, const N: usize>(PointWords(words): &PointWords) -> Point {
    let (least, most) =
        (Lanes::splat(i64::from(i32::MIN) << DROP), Lanes::splat(i64::from(i32::MAX) << DROP));
    let mut short = [0; WORDS];
    // Of more lanes some are empty.
    let width = if N < WORDS { N } else { WORDS };
    for at in (0..WORDS).step_by(N) {
        let (mut lower, mut upper, mut up) = ([0; N], [0; N], [0; N]);
        for i in 0..width {
            (lower[i], upper[i], up[i]) = (words[at + i], words[WORDS + at + i], UP[at + i]);
        }
        let (lower, upper) = (Lanes::<B, N>::from_array(lower), Lanes::from_array(upper));
        let lower = lower.clamp(least, most).shr_round::<DROP>();
        let upper = upper.shl_each(Lanes::from_array(up)).clamp(least, most).shr_round::<DROP>();
        for (short, both) in short[at..].iter_mut().zip(both(lower, upper).to_array()) {
            *short = both;
        }
    }
    Point(short)
}

/// Words of a point.
const WORDS: usize = 4;
/// Bits that numbers in upper halves have less than lengths: of features, which have no fraction, and fit.
const UP: [i64; WORDS] = [0, 0, 0, DROP as i64];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::to_mantissa;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;
    use isostep_math::wide::Level;

    struct Shorten<'a>(&'a PointWords);

    impl Kernel for Shorten<'_> {
        type Output = Point;

        fn run<B: Backend<N>, const N: usize>(self) -> Point {
            shortened::<B, N>(self.0)
        }
    }

    #[test]
    fn points_are_ordered_by_depth_and_equal_ones_stay_in_order() {
        for code in 0..3_u32.pow(4) {
            let depths = [0, 1, 2, 3].map(|k| i64::from(code / 3_u32.pow(k) % 3));
            for count in 1..=4 {
                let mut sorted: Vec<_> = (0..count).collect();
                sorted.sort_by_key(|&index| depths[index]);
                let mut separations = [i64::MAX; 4];
                separations[..count].copy_from_slice(&depths[..count]);
                let order = Order::of(separations);
                for (place, &index) in sorted.iter().enumerate() {
                    assert_eq!(order.place(index), place, "{depths:?} of {count}");
                }
            }
        }
    }

    #[test]
    fn what_pressed_and_is_gone_presses_at_what_is_new() {
        let point = |feature| Point([0, 0, 0, pair(-5, feature)]);
        let old = |feature, normal| PointImpulse { feature, normal };
        let completed = |features: &[i32], before: &[PointImpulse]| {
            let mut points: Vec<_> = features.iter().map(|&feature| point(feature)).collect();
            let mut features = [0; 4];
            complete_all(&mut points, [1, 2], before, &mut features);
            assert!(points.iter().all(|point| lower(point.0[3]) == -5), "separations stay");
            points.iter().map(|point| upper(point.0[3])).collect::<Vec<_>>()
        };
        let before = [old(1, 100), old(2, 40), old(3, 0), old(4, 7)];
        // All as they were; two that changed; all of them; one more; fewer.
        assert_eq!(completed(&[4, 3, 2, 1], &before), [7, 0, 40, 100]);
        assert_eq!(completed(&[1, 5, 3, 6], &before), [100, 23, 0, 23]);
        assert_eq!(completed(&[5, 6, 7, 8], &before), [36; 4]);
        assert_eq!(completed(&[1, 2, 9], &before[..2]), [100, 40, 0]);
        assert_eq!(completed(&[9], &before), [147]);
        assert_eq!(completed(&[1], &before), [100]);
        // No more than a point may have.
        assert_eq!(completed(&[9], &[old(1, i32::MAX), old(2, i32::MAX)]), [i32::MAX]);
    }

    #[test]
    fn points_are_shortened_as_numbers_are_one_by_one_at_every_level() {
        let mut random = Rng::new(7, 0);
        for round in 0..2000 {
            let shift = random.next_u32() % 64;
            let mut bits = [0; 7].map(|_: i64| random.next_u64() as i64 >> shift);
            if round < 4 {
                bits[round] = [i64::MAX, i64::MIN, (1 << 39) - 129, -(1 << 39) - 1][round];
            }
            let feature = random.next_u32() as i32;
            let [a, b, c, d, e, f, g] = bits;
            let words = PointWords([a, b, c, d, e, f, g, feature.into()]);
            let [a, b, c, d, e, f, g] = bits.map(|bits| to_mantissa(Fx::from_bits(bits), 24));
            let expected = [pair(a, e), pair(b, f), pair(c, g), pair(d, feature)];
            for level in Level::available() {
                assert_eq!(level.dispatch(Shorten(&words)).words(), &expected);
            }
        }
    }
}
