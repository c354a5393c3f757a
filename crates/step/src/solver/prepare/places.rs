//! Where the points of a contact are, and the two tilts that they share.
#![allow(
    clippy::needless_range_loop,
    reason = "points and rows are addressed by number, in several arrays at once"
)]

use super::super::friction::shortening;
use super::super::mantissas::shr_each3;
use super::super::normals::MOST;
use super::super::{Block, keep3, load, load3};
use super::ABSENT;
use super::contact::Contact;
use isostep_math::wide::{Backend, Lanes, Mask, Multiplicand, dot3, scale3, sub3};

/// Where the points of a contact are.
pub(super) struct Places<B: Backend<N>, const N: usize> {
    pub(super) live: [Mask<B, N>; 4],
    /// How many there are.
    pub(super) count: Lanes<B, N>,
    /// 1 / count, Q30.
    pub(super) share: Lanes<B, N>,
    /// The mean of their separations, Q24.
    pub(super) separation: Lanes<B, N>,
    /// Halfway between the anchors at their centre, up to [`MOST_WAY`] / 2 from each, as arms of both bodies, Q24.
    pub(super) center: [[Multiplicand<B, N>; 3]; 2],
    /// Along both tangents from there, Q24, in 30 bits.
    pub(super) along: [[Lanes<B, N>; 2]; 4],
}

impl<B: Backend<N>, const N: usize> Places<B, N> {
    #[cfg_attr(not(unoptimized), inline(always))]
    pub(super) fn new(
        block: &mut Block,
        at: usize,
        contact: &Contact<B, N>,
        tangents: &[[Lanes<B, N>; 3]; 2],
    ) -> Self {
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
pub(super) fn multiplicands<B: Backend<N>, const N: usize>(
    [x, y, z]: [Lanes<B, N>; 3],
) -> [Multiplicand<B, N>; 3] {
    [x.into(), y.into(), z.into()]
}

/// How far apart anchors are at the most for the point of a contact to be halfway between them, Q24: 1 m. Farther inside of
/// something friction would have arms beyond the body, by which it does nothing but turn, and each sweep would undo more than
/// the one before it did.
pub(super) const MOST_WAY: i64 = 1 << 24;

/// 1 / count, Q30.
pub(super) const SHARES: [i64; 5] = [0, 1 << 30, 1 << 29, 357_913_941, 1 << 28];

/// By how many bits a length of at most 30 is shorter than that.
#[inline(always)]
pub(super) fn up_of<B: Backend<N>, const N: usize>(length: Lanes<B, N>) -> Lanes<B, N> {
    Lanes::splat(30 - 64) + length.leading_zeros()
}

/// The two tilts that points share.
///
/// They are about the tangents, which lie anyhow. Where bodies turn about some axis a thousand times as easily as about others,
/// as a rod about its length, each tilt would be mostly that, and only their difference what points do; and angular velocities
/// would have no room. There the tilts are [aligned](Self::align) with the points.
pub(super) struct Tilting<B: Backend<N>, const N: usize> {
    /// Two directions at right angles to each other and to the normal, Q30.
    pub(super) ways: [[Lanes<B, N>; 3]; 2],
    /// Where points are along these from their centre, Q24, in 30 bits.
    pub(super) along: [[Lanes<B, N>; 2]; 4],
    /// ℓ = 2^(6 − up) m is above all of these, by directions.
    pub(super) up: [Lanes<B, N>; 2],
}

impl<B: Backend<N>, const N: usize> Tilting<B, N> {
    /// Along the tangents, with one length.
    #[inline(always)]
    pub(super) fn level(points: &Places<B, N>, tangents: &[[Lanes<B, N>; 3]; 2], count: usize) -> Self {
        let mut longest = Lanes::splat(1);
        for [x, y] in &points.along[..count] {
            longest = longest | x.abs() | y.abs();
        }
        Self { ways: *tangents, along: points.along, up: [up_of(longest); 2] }
    }

    /// Places along both directions in units of ℓ, Q24.
    #[inline(always)]
    pub(super) fn places(&self, count: usize) -> [[Lanes<B, N>; 2]; 4] {
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
    pub(super) fn arms(&self, are_several: Mask<B, N>) -> [[Multiplicand<B, N>; 3]; 2] {
        let [first, second] = self.ways;
        let about_second = keep3(are_several, shr_each3(second, self.up[0]));
        [
            multiplicands(sub3([Lanes::zero(); 3], about_second)),
            multiplicands(keep3(are_several, shr_each3(first, self.up[1]))),
        ]
    }

    /// In some lanes, leads the first direction through the point that is farthest from the centre, and gives each its own ℓ.
    #[inline(always)]
    pub(super) fn align(&mut self, places: &[[Lanes<B, N>; 2]; 4], lanes: Mask<B, N>, count: usize) {
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

/// What three rows do together at a point, with 24 bits more than they have.
#[inline(always)]
pub(super) fn at_place<B: Backend<N>, const N: usize>(
    center: Lanes<B, N>,
    [x, y]: [impl Into<Multiplicand<B, N>>; 2],
    [at_x, at_y]: [Lanes<B, N>; 2],
) -> Lanes<B, N> {
    center.shl::<24>() + x.into().mul32(at_x) + y.into().mul32(at_y)
}
