//! Rows of angular velocities alone: friction against turning about the normal, and resistance to rolling.

use super::mantissas::{Reciprocal, root, scaled, shorten, shr_logical_each_half_up};
use super::prepare::{Contact, Side};
use super::{Block, SHARE_BITS, load, store, store_saturating};
use isostep_math::wide::{Backend, Lanes, dot3};

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
            (mantissas(&contact.a, direction), mantissas(&contact.b, direction));
        // Q30 · mantissa 2^(exponent − 60) to Q30, in m⁻².
        let zero = Lanes::zero();
        let k = scaled(dot3(direction, angular_a).max(zero), exponent_a - Lanes::splat(60))
            + scaled(dot3(direction, angular_b).max(zero), exponent_b - Lanes::splat(60));
        let reciprocal = Reciprocal::of(k.max(Lanes::splat(1)));
        let (a, b) =
            (reciprocal.shares(angular_a, exponent_a, -38), reciprocal.shares(angular_b, exponent_b, -38));
        Self { a, b, k, reciprocal }
    }

    /// K times a length in Q5.26, for impulses with κ = 2^`scale`: Q11.20.
    #[inline(always)]
    fn limit(&self, length: Lanes<B, N>, scale: Lanes<B, N>) -> Lanes<B, N> {
        let down = Lanes::splat(67) - self.reciprocal.length + scale;
        let down = down.max(Lanes::splat(1)).min(Lanes::splat(62));
        shr_logical_each_half_up(length.mul32(self.reciprocal.mantissa), down)
    }
}

/// w k⁻² `v` of a body as mantissas of 30 bits, and the exponent that they have.
#[inline(always)]
fn mantissas<B: Backend<N>, const N: usize>(
    side: &Side<B, N>,
    v: [Lanes<B, N>; 3],
) -> ([Lanes<B, N>; 3], Lanes<B, N>) {
    let mut entries = side.angular(v);
    let shift = shorten(&mut entries);
    (entries, shift + side.exponent)
}

/// The root of 1 / count, Q30.
const ROOTS_OF_SHARES: [i64; 5] = [0, 1 << 30, 759_250_125, 619_925_131, 1 << 29];

/// How far points are from their centre, the root of the mean square: Q21, for places along both tangents in Q24 of 30 bits.
#[inline(always)]
pub(super) fn lever<B: Backend<N>, const N: usize>(
    along: &[[Lanes<B, N>; 2]],
    count: Lanes<B, N>,
) -> Lanes<B, N> {
    let (mut squares, mut root_of_share) = (Lanes::zero(), Lanes::zero());
    for [x, y] in along {
        let (x, y) = (x.shr_round::<3>(), y.shr_round::<3>());
        squares += x.mul32(x) + y.mul32(y);
    }
    for (points, root) in ROOTS_OF_SHARES.iter().enumerate() {
        let same = count.equal(Lanes::splat(points as i64));
        root_of_share = same.select(Lanes::splat(*root), root_of_share);
    }
    root(squares).mul32(root_of_share).shr_logical_half_up::<30>()
}

/// Friction against turning about the normal.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn twist<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    scale: Lanes<B, N>,
    lever: Lanes<B, N>,
) {
    let turn = Turn::new(contact, contact.normal);
    for i in 0..3 {
        store_saturating(turn.a[i], &mut block.twist_a[i], at);
        store_saturating(turn.b[i], &mut block.twist_b[i], at);
    }
    let friction = load::<B, N>(&block.friction_limit, at);
    let length = friction.mul32(lever).shr_logical_half_up::<21>().min(Lanes::splat(i64::from(i32::MAX)));
    store_saturating(turn.limit(length, scale), &mut block.twist_limit, at);
}

/// Resistance to turning about the tangents.
///
/// The limit holds for the length of the angular impulse P, of which the rows have K P. So both are measured by the
/// smaller K that is not 0: of an axis about which nothing turns there is no impulse.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn rolling<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: [[Lanes<B, N>; 3]; 2],
    scale: Lanes<B, N>,
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
        let share = shr_logical_each_half_up(mantissa.mul32(turn.reciprocal.value), down).min(one);
        let share = shr_logical_each_half_up(share, Lanes::splat(i64::from(30 - SHARE_BITS)));
        store(turn.k.gt(zero).keep(share), &mut block.rolling_share[t], at);
    }
    let resistance = load::<B, N>(&block.rolling_resistance, at);
    let limit = takes_first.select(turns[0].limit(resistance, scale), turns[1].limit(resistance, scale));
    store_saturating(limit, &mut block.rolling_limit, at);
    for impulse in &mut block.rolling_impulse {
        impulse[at..at + N].fill(0);
    }
}
