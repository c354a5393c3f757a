//! Friction at the centre of a contact, and resistance to rolling: cones of impulses below the normal one.

use super::pair::Pair;
use super::{Block, MOST_FRICTION, SHARE_BITS};
use super::{load, load3, quartered, store};
use isostep_math::wide::{Backend, Lanes};

/// Holds both bodies against turning about the normal, and against sliding, by at most what friction allows for under
/// the normal impulse `total`.
#[inline(always)]
pub(super) fn solve_friction<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
) {
    if block.twists {
        // Q20 · Q21.
        let limit = load::<B, N>(&block.twist_limit, at).mul32(total).shr_round::<20>();
        let limit = limit.min(Lanes::splat(MOST_FRICTION));
        let old = load::<B, N>(&block.twist_impulse, at);
        let new = (old - pair.spin(load3(&block.normal, at))).clamp(-limit, limit);
        store(new, &mut block.twist_impulse, at);
        pair.twist([&block.twist_a, &block.twist_b], new - old, at);
    }

    // Q26 · Q21.
    let limit = load::<B, N>(&block.friction_limit, at).mul32(total).shr_round::<26>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let mut new = [hold(block, at, pair, 0), hold(block, at, pair, 1)];
    let shares = [load(&block.friction[0].share, at), load(&block.friction[1].share, at)];
    if let Some(held) = cone(shares, new, limit) {
        for t in 0..2 {
            pair.push(load3(&block.tangents[t], at), &block.friction[t], held[t] - new[t], at);
        }
        new = held;
    }
    store(new[0], &mut block.friction_impulse[0], at);
    store(new[1], &mut block.friction_impulse[1], at);
}

/// Takes out what slides along a tangent, and returns the impulse that does so.
#[inline(always)]
fn hold<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    pair: &mut Pair<B, N>,
    tangent: usize,
) -> Lanes<B, N> {
    let most = Lanes::splat(MOST_FRICTION);
    let old = load::<B, N>(&block.friction_impulse[tangent], at);
    let (direction, row) = (load3(&block.tangents[tangent], at), &block.friction[tangent]);
    let new = (old - pair.along(direction, row, at)).clamp(-most, most);
    pair.push(direction, row, new - old, at);
    new
}

/// Turns both bodies against rolling on each other, by at most the resistance times the normal impulse `total`.
#[inline(always)]
pub(super) fn resist_rolling<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
) {
    // Q20 · Q21.
    let limit = load::<B, N>(&block.rolling_limit, at).mul32(total).shr_round::<20>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let most = Lanes::splat(MOST_FRICTION);
    let mut new = [Lanes::zero(); 2];
    for (t, new) in new.iter_mut().enumerate() {
        let old = load::<B, N>(&block.rolling_impulse[t], at);
        *new = (old - pair.spin(load3(&block.tangents[t], at))).clamp(-most, most);
        pair.twist([&block.rolling_a[t], &block.rolling_b[t]], *new - old, at);
    }
    let shares = [load(&block.rolling_share[0], at), load(&block.rolling_share[1], at)];
    if let Some(held) = cone(shares, new, limit) {
        for t in 0..2 {
            pair.twist([&block.rolling_a[t], &block.rolling_b[t]], held[t] - new[t], at);
        }
        new = held;
    }
    store(new[0], &mut block.rolling_impulse[0], at);
    store(new[1], &mut block.rolling_impulse[1], at);
}

/// Impulses along two tangents shortened to their limit, or `None` if no lane has more. What has no limit above 0 has none
/// left, be it as little as vanishes in the measure of the limit.
#[inline(always)]
fn cone<B: Backend<N>, const N: usize>(
    shares: [Lanes<B, N>; 2],
    impulses: [Lanes<B, N>; 2],
    limit: Lanes<B, N>,
) -> Option<[Lanes<B, N>; 2]> {
    // In the measure of the limit. At most 2³⁰, so squares add within 62 bits.
    let share_1 = shares[0].mul32(impulses[0]).shr_round::<SHARE_BITS>();
    let share_2 = shares[1].mul32(impulses[1]).shr_round::<SHARE_BITS>();
    let square = share_1.mul32(share_1) + share_2.mul32(share_2);
    let beyond = square.gt(limit.mul32(limit)) | limit.equal(Lanes::zero());
    if !beyond.any() {
        return None;
    }
    let factor = shortening(limit, square);
    let held_1 = impulses[0].mul32(factor).shr_round::<30>();
    let held_2 = impulses[1].mul32(factor).shr_round::<30>();
    Some([beyond.select(held_1, impulses[0]), beyond.select(held_2, impulses[1])])
}

/// `limit` / √`square` of at most 1, Q30, for a limit of at most 31 bits and a square of at most 62.
#[inline(always)]
pub(super) fn shortening<B: Backend<N>, const N: usize>(
    limit: Lanes<B, N>,
    square: Lanes<B, N>,
) -> Lanes<B, N> {
    // The reciprocal of √square is 2^44.5 / √m of an even power of two: limit 2^44.5 / √m · 2^(−p) 2^-14.5 in Q30, so
    // times √½ and 2^(−p).
    let (m, p) = quartered(square.max(Lanes::splat(1)));
    let inverse = m.rsqrt().mul32(Lanes::splat(SQRT_HALF)).shr::<30>();
    let product = limit.mul32(inverse);
    let down = (p + Lanes::splat(14)).min(Lanes::splat(62));
    let factor = product.shl_each((-down).max(Lanes::zero())).shr_each(down.max(Lanes::zero()));
    factor.min(Lanes::splat(1 << 30))
}

/// √½, Q30.
const SQRT_HALF: i64 = 759_250_125;
