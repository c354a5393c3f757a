//! The points of contacts in the numbers of the solver, and the sequence in which they are solved.

use super::incoming::Contact;
use crate::contact::PointImpulse;
use crate::solver::prepare::ABSENT;
use crate::solver::words::{lower, pair, upper};
use isostep_collision::manifold::{ContactPoint, Manifold};
use isostep_math::Fx;
use isostep_math::wide::{Backend, Kernel, Lanes};

/// A point as a block has it, two numbers a word: the anchors in the coordinates of both bodies and the separation, Q8.24;
/// the impulse that it had, Q11.21, and before it is known the feature that the point has.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Point([i64; 4]);

impl Point {
    /// A point that a contact does not have.
    pub(super) const ABSENT: Self = Self([0, 0, 0, pair(ABSENT, 0)]);

    const fn of(numbers: [i32; 8]) -> Self {
        let [a, b, c, d, e, f, g, h] = numbers;
        Self([pair(a, b), pair(c, d), pair(e, f), pair(g, h)])
    }

    #[inline(always)]
    pub(super) const fn words(&self) -> &[i64; 4] {
        &self.0
    }

    /// Finds the impulse that the point had among those of the step before, and drops the anchors of what has no
    /// record: it does not move, it may be long, and its arms do not matter. Returns the impulse.
    pub(super) fn complete(&mut self, [record_a, record_b]: [u32; 2], before: &[PointImpulse]) -> i32 {
        let [first, middle, last, state] = &mut self.0;
        if record_a == 0 {
            (*first, *middle) = (0, pair(0, upper(*middle)));
        }
        if record_b == 0 {
            (*middle, *last) = (pair(lower(*middle), 0), 0);
        }
        let feature = upper(*state) as u32;
        let impulse = before.iter().find(|old| old.feature == feature).map_or(0, |old| old.normal);
        *state = pair(lower(*state), impulse);
        impulse
    }
}

/// The sequence in which the points of a manifold are solved: the deepest first, so that it is the same in a mirror.
///
/// The place of each of the four points, two bits each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order(pub(super) u8);

impl Order {
    /// Of points of which equally deep ones keep the order that they have.
    #[inline(always)]
    pub(super) fn of(points: &[ContactPoint]) -> Self {
        // Points that are not there come last.
        let mut depths = [Fx::MAX; 4];
        for (depth, point) in depths.iter_mut().zip(points) {
            *depth = point.separation;
        }
        // How many go before each, without branches: which of two boxes' points is the deepest is noise.
        let [a, b, c, d] = depths;
        let (ba, ca, da) = (u8::from(b < a), u8::from(c < a), u8::from(d < a));
        let (cb, db, dc) = (u8::from(c < b), u8::from(d < b), u8::from(d < c));
        let places = [ba + ca + da, 1 - ba + cb + db, 2 - ca - cb + dc, 3 - da - db - dc];
        Self(places[0] | places[1] << 2 | places[2] << 4 | places[3] << 6)
    }

    /// The place of the point `index` of the manifold: below the number of points for each that there is.
    #[inline(always)]
    pub(super) fn place(self, index: usize) -> usize {
        usize::from(self.0 >> (2 * index)) & 3
    }
}

/// Writes the points of manifolds down, one manifold after the other, each in its [`Order`], which goes to its contact.
pub(super) struct WritePoints<'a> {
    pub(super) manifolds: &'a [(u32, Manifold)],
    pub(super) contacts: &'a mut [Contact],
    /// As many as the manifolds have points.
    pub(super) points: &'a mut [Point],
}

/// Bits that lengths have more in a manifold.
const DROP: u32 = 8;

impl Kernel for WritePoints<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let mut rest = self.points;
        for ((_, manifold), contact) in self.manifolds.iter().zip(self.contacts) {
            let found = manifold.points();
            let order = Order::of(found);
            contact.set_points(found.len(), order);
            let (own, others) = rest.split_at_mut(found.len());
            rest = others;
            for (index, point) in found.iter().enumerate() {
                own[order.place(index)] = Point::of(shortened::<B, N>(point));
            }
        }
    }
}

/// A point with its feature in the place of the impulse: lengths to nearest, ties away from zero, saturating.
#[inline(always)]
fn shortened<B: Backend<N>, const N: usize>(point: &ContactPoint) -> [i32; 8] {
    let (a, b) = (&point.anchor_a, &point.anchor_b);
    let words = [
        a.x.to_bits(),
        a.y.to_bits(),
        a.z.to_bits(),
        b.x.to_bits(),
        b.y.to_bits(),
        b.z.to_bits(),
        point.separation.to_bits(),
        i64::from(point.feature.0 as i32) << DROP,
    ];
    let (least, most) =
        (Lanes::splat(i64::from(i32::MIN) << DROP), Lanes::splat(i64::from(i32::MAX) << DROP));
    let mut short = [0; 8];
    for at in (0..8).step_by(N) {
        let mut part = [0; N];
        part.copy_from_slice(&words[at..at + N]);
        let part = Lanes::<B, N>::from_array(part).clamp(least, most);
        short[at..at + N].copy_from_slice(&part.shr_round::<DROP>().store());
    }
    short
}

#[cfg(test)]
mod tests {
    use super::super::incoming::fixed;
    use super::*;
    use alloc::vec::Vec;
    use isostep_collision::manifold::FeatureId;
    use isostep_math::Vec3;
    use isostep_math::random::Rng;
    use isostep_math::wide::Level;

    fn point(bits: [i64; 7], feature: u32) -> ContactPoint {
        let [a, b, c, d, e, f, separation] = bits.map(Fx::from_bits);
        let (anchor_a, anchor_b) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        ContactPoint { anchor_a, anchor_b, separation, feature: FeatureId(feature) }
    }

    struct Shorten<'a>(&'a ContactPoint);

    impl Kernel for Shorten<'_> {
        type Output = [i32; 8];

        fn run<B: Backend<N>, const N: usize>(self) -> [i32; 8] {
            shortened::<B, N>(self.0)
        }
    }

    #[test]
    fn points_are_ordered_by_depth_and_equal_ones_stay_in_order() {
        for code in 0..3_u32.pow(4) {
            let depths = [0, 1, 2, 3].map(|k| i64::from(code / 3_u32.pow(k) % 3));
            for count in 1..=4 {
                let points: Vec<_> =
                    depths[..count].iter().map(|&depth| point([0, 0, 0, 0, 0, 0, depth], 0)).collect();
                let mut sorted: Vec<_> = (0..count).collect();
                sorted.sort_by_key(|&index| depths[index]);
                let order = Order::of(&points);
                for (place, &index) in sorted.iter().enumerate() {
                    assert_eq!(order.place(index), place, "{depths:?} of {count}");
                }
            }
        }
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
            let feature = random.next_u64() as u32;
            let point = point(bits, feature);
            let expected = bits.map(|bits| fixed(Fx::from_bits(bits), 24));
            for level in Level::available() {
                let short = level.dispatch(Shorten(&point));
                assert_eq!((&short[..7], short[7] as u32), (&expected[..], feature));
            }
        }
    }
}
