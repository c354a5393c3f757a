//! The two bodies of each joint in a part of a block: what rows ask of their velocities, and do to them.

use super::super::records::{Gather, Records};
use super::super::{
    ANGULAR_BITS, ANGULAR_DROP, Column, LINEAR_BITS, LINEAR_DROP, SHARE_BITS, load, load3, load6,
};
use super::arithmetic::times;
use super::refresh::MOST;
use super::{AxisRow, JointBlock, Triple};
use isostep_math::wide::{Backend, Lanes, add3, chunk_at, cross3, dot3, scale3, shr_round3, sub3};

/// The greatest component of a velocity between two rows, Q12.51 in m/s and Q20.43 in rad/s: 2⁹, so that the difference
/// of two is a multiplicand.
const MOST_LINEAR: i64 = (1 << (LINEAR_BITS + 9)) - (1 << LINEAR_DROP);
const MOST_ANGULAR: i64 = (1 << (ANGULAR_BITS + 9)) - (1 << ANGULAR_DROP);

/// The velocities of both bodies, and how impulses share between them.
#[derive(Clone, Copy)]
pub(super) struct Joined<B: Backend<N>, const N: usize> {
    linear: [[Lanes<B, N>; 3]; 2],
    angular: [[Lanes<B, N>; 3]; 2],
}

impl<B: Backend<N>, const N: usize> Joined<B, N> {
    #[inline(always)]
    pub(super) fn gather(block: &JointBlock, at: usize, velocities: &Records<'_>) -> Self {
        let a = velocities.gather::<B, N>(chunk_at(&block.a, at));
        let b = velocities.gather::<B, N>(chunk_at(&block.b, at));
        let mut pair = Self {
            linear: [[a[0], a[1], a[2]], [b[0], b[1], b[2]]],
            angular: [[a[4], a[5], a[6]], [b[4], b[5], b[6]]],
        };
        // Contacts may have made them faster. Held here and not by the first row that changes them: which rows do may depend
        // on what other lanes have.
        for body in 0..2 {
            for k in 0..3 {
                pair.add(body, k, Lanes::zero(), Lanes::zero());
            }
        }
        pair
    }

    #[inline(always)]
    pub(super) fn scatter(&self, block: &JointBlock, at: usize, velocities: &mut Records<'_>) {
        let zero = Lanes::zero();
        for (body, indices) in [&block.a, &block.b].into_iter().enumerate() {
            let ([a, b, c], [d, e, f]) = (self.linear[body], self.angular[body]);
            velocities.scatter(&[a, b, c, zero, d, e, f, zero], chunk_at(indices, at));
        }
    }

    /// The angular velocity of a body, Q21.
    #[inline(always)]
    pub(super) fn turning(&self, body: usize) -> [Lanes<B, N>; 3] {
        shr_round3::<B, N, ANGULAR_DROP>(self.angular[body])
    }

    /// How fast the centres part, Q21.
    #[inline(always)]
    fn parting(&self) -> [Lanes<B, N>; 3] {
        shr_round3::<B, N, LINEAR_DROP>(sub3(self.linear[1], self.linear[0]))
    }

    /// How fast the ends of the arms part, Q21.
    #[inline(always)]
    pub(super) fn at_points(&self, block: &JointBlock, at: usize) -> [Lanes<B, N>; 3] {
        let [a, b] = [load3(&block.arms[0], at), load3(&block.arms[1], at)];
        let turning = sub3(cross3(self.turning(1), b), cross3(self.turning(0), a));
        add3(self.parting(), shr_round3::<B, N, 24>(turning))
    }

    /// The angular velocity of the body that turns more slowly, Q21.
    #[inline(always)]
    pub(super) fn slower_turning(&self) -> [Lanes<B, N>; 3] {
        let (a, b) = (self.turning(0), self.turning(1));
        let second = dot3(b, b).lt(dot3(a, a));
        [second.select(b[0], a[0]), second.select(b[1], a[1]), second.select(b[2], a[2])]
    }

    /// The angular velocity of b against a, Q21.
    #[inline(always)]
    pub(super) fn of_rotations(&self) -> [Lanes<B, N>; 3] {
        shr_round3::<B, N, ANGULAR_DROP>(sub3(self.angular[1], self.angular[0]))
    }

    /// The relative velocity along an axis, Q21.
    #[inline(always)]
    pub(super) fn along(&self, row: &AxisRow, at: usize) -> Lanes<B, N> {
        let [a, b] = [load3(&row.arms[0], at), load3(&row.arms[1], at)];
        let linear = dot3(load3(&row.direction, at), self.parting());
        let angular = dot3(b, self.turning(1)) - dot3(a, self.turning(0));
        (linear + angular.shl::<6>()).shr_round::<30>()
    }

    /// Changes the velocities by an impulse at the ends of the arms.
    #[inline(always)]
    pub(super) fn push_points(&mut self, block: &JointBlock, impulse: [Lanes<B, N>; 3], at: usize) {
        for body in 0..2 {
            let scaled = load3::<B, N>(&block.scaled[body], at);
            let angular = turned_at_points(&block.points, body, impulse, at);
            for k in 0..3 {
                self.add(body, k, scaled[k].mul32(impulse[k]), angular[k]);
            }
        }
    }

    /// Changes the velocities by an angular impulse.
    #[inline(always)]
    pub(super) fn push_rotations(&mut self, triple: &Triple, impulse: [Lanes<B, N>; 3], at: usize) {
        for body in 0..2 {
            for (k, angular) in turned(triple, body, impulse, at).into_iter().enumerate() {
                self.add(body, k, Lanes::zero(), angular);
            }
        }
    }

    /// Changes the velocities by an angular impulse, and by one at the ends of the arms that goes with it: at once, for on arms of
    /// sixty radii of gyration each of them turns bodies some thousand times as much as both together, faster than numbers
    /// reach.
    #[inline(always)]
    pub(super) fn push_both(
        &mut self,
        block: &JointBlock,
        turning: [Lanes<B, N>; 3],
        at_points: [Lanes<B, N>; 3],
        at: usize,
    ) {
        for body in 0..2 {
            let scaled = load3::<B, N>(&block.scaled[body], at);
            let angular = add3(
                turned(&block.rotations, body, turning, at),
                turned_at_points(&block.points, body, at_points, at),
            );
            for k in 0..3 {
                self.add(body, k, scaled[k].mul32(at_points[k]), angular[k]);
            }
        }
    }

    /// Changes the velocities by an impulse along an axis.
    #[inline(always)]
    pub(super) fn push_axis(
        &mut self,
        row: &AxisRow,
        fractions: &[[Column; 3]; 2],
        impulse: Lanes<B, N>,
        at: usize,
    ) {
        let speed = load::<B, N>(&row.share, at).mul32(impulse).shr_round::<SHARE_BITS>();
        let parts = shr_round3::<B, N, 30>(scale3(load3(&row.direction, at), speed));
        for (body, fractions) in fractions.iter().enumerate() {
            let turned = scale3(load3(&row.turns[body], at), impulse);
            for k in 0..3 {
                // Rounded before it is shared, so that bodies exchange what they have.
                let linear = load::<B, N>(&fractions[k], at).mul32(parts[k]);
                self.add(body, k, linear, turned[k]);
            }
        }
    }

    /// Changes components of the velocities: of a in the other direction.
    #[inline(always)]
    fn add(&mut self, body: usize, k: usize, linear: Lanes<B, N>, angular: Lanes<B, N>) {
        let (most, most_turn) = (Lanes::splat(MOST_LINEAR), Lanes::splat(MOST_ANGULAR));
        let (v, w) = (self.linear[body][k], self.angular[body][k]);
        let (v, w) = if body == 0 { (v - linear, w - angular) } else { (v + linear, w + angular) };
        self.linear[body][k] = v.clamp(-most, most);
        self.angular[body][k] = w.clamp(-most_turn, most_turn);
    }
}

/// How a body turns by an impulse at the ends of the arms.
#[inline(always)]
fn turned_at_points<B: Backend<N>, const N: usize>(
    points: &Triple,
    body: usize,
    impulse: [Lanes<B, N>; 3],
    at: usize,
) -> [Lanes<B, N>; 3] {
    let t = &points.turns[body];
    let row = |k: usize| [load(&t[3 * k], at), load(&t[3 * k + 1], at), load(&t[3 * k + 2], at)];
    [dot3(row(0), impulse), dot3(row(1), impulse), dot3(row(2), impulse)]
}

/// How a body turns by an angular impulse: by a symmetric matrix.
#[inline(always)]
fn turned<B: Backend<N>, const N: usize>(
    rotations: &Triple,
    body: usize,
    impulse: [Lanes<B, N>; 3],
    at: usize,
) -> [Lanes<B, N>; 3] {
    times(load6(chunk_at(&rotations.turns[body], 0), at), impulse)
}

/// A vector by components of at most 2³⁰: of velocities [`MOST`].
#[inline(always)]
pub(super) fn bounded<B: Backend<N>, const N: usize>([x, y, z]: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    let most = Lanes::splat(MOST);
    [x.clamp(-most, most), y.clamp(-most, most), z.clamp(-most, most)]
}
