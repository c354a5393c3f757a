//! Friction at the centre of a contact, and resistance to rolling: cones of impulses below the normal one.

use super::normals::press_all;
use super::pair::Pair;
use super::{Block, INVERSE_BITS, MOST_FRICTION, SHARE_BITS};
use super::{load, load3, quartered, store};
use isostep_math::wide::{Backend, Lanes, Mask};

/// Whether friction or resistance to rolling may change anything, under the normal impulse `total`: where there is none, and
/// they hold nothing, they take back to the bit whatever they do.
#[inline(always)]
pub(super) fn can_hold<B: Backend<N>, const N: usize>(block: &Block, at: usize, total: Lanes<B, N>) -> bool {
    let [along_first, along_second] = &block.friction_impulse;
    let mut any = total | load(along_first, at) | load(along_second, at);
    if block.twists {
        any = any | load(&block.twist_impulse, at);
    }
    if block.rolls {
        let [about_first, about_second] = &block.rolling_impulse;
        any = any | load(about_first, at) | load(about_second, at);
    }
    any != Lanes::zero()
}

/// Pushes both bodies by impulses at the points of a contact, along its tangents, and about its normal.
#[inline(always)]
pub(super) fn push_all<B: Backend<N>, const N: usize>(
    block: &Block,
    at: usize,
    pair: &mut Pair<B, N>,
    points: &[Lanes<B, N>; 4],
    friction: [Lanes<B, N>; 2],
    twist: Lanes<B, N>,
) {
    press_all(block, at, pair, points);
    for (t, friction) in friction.into_iter().enumerate() {
        pair.push(load3(&block.tangents[t], at), &block.friction[t], friction, at);
    }
    if block.twists {
        pair.twist([&block.twist_a, &block.twist_b], twist, at);
    }
}

/// Holds both bodies against rolling, against turning about the normal, and against sliding, by at most what there is under the
/// normal impulse `total`: in all lanes, or in those of `within`. Returns by how much the impulses against sliding changed.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn rub<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
    within: Option<Mask<B, N>>,
) -> [Lanes<B, N>; 2] {
    if block.rolls {
        resist_rolling(block, at, pair, total, within);
    }
    if block.twists {
        resist_turning(block, at, pair, total, within);
    }
    resist_sliding(block, at, pair, total, within)
}

/// The impulse after a change, where there is to be one.
#[inline(always)]
fn confined<B: Backend<N>, const N: usize>(
    within: Option<Mask<B, N>>,
    new: Lanes<B, N>,
    old: Lanes<B, N>,
) -> Lanes<B, N> {
    match within {
        None => new,
        Some(lanes) => lanes.select(new, old),
    }
}

/// Holds both bodies against turning about the normal, by at most what friction allows for.
#[inline(always)]
fn resist_turning<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
    within: Option<Mask<B, N>>,
) {
    // Q20 · Q21.
    let limit = load::<B, N>(&block.twist_limit, at).mul32(total).shr_logical_half_up::<20>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION));
    let old = load::<B, N>(&block.twist_impulse, at);
    let new = (old - pair.spin(load3(&block.normal, at))).clamp(-limit, limit);
    let new = confined(within, new, old);
    store(new, &mut block.twist_impulse, at);
    pair.twist([&block.twist_a, &block.twist_b], new - old, at);
}

/// Holds both bodies against sliding, by at most what friction allows for under the normal impulse `total`: in all lanes, or in
/// those of `within`. Returns by how much the impulses changed.
#[cfg_attr(not(unoptimized), inline(always))]
pub(super) fn resist_sliding<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
    within: Option<Mask<B, N>>,
) -> [Lanes<B, N>; 2] {
    // Q26 · Q21.
    let limit = load::<B, N>(&block.friction_limit, at).mul32(total).shr_logical_half_up::<26>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let directions = [load3(&block.tangents[0], at), load3(&block.tangents[1], at)];
    let [first, second] = pair.along(directions, &block.friction, at);
    let old = [load(&block.friction_impulse[0], at), load(&block.friction_impulse[1], at)];
    let inverses = [load(&block.friction_inverse[0], at), load(&block.friction_inverse[1], at)];
    let mut new = [hold(inverses[0], first, old[0]), old[1]];
    // Q45, held to 2,048 m/s: so it adds to the other speed.
    let influence = load::<B, N>(&block.friction_influence, at).mul32(new[0] - old[0]).held::<25>();
    new[1] = hold(inverses[1], second + influence.shl::<6>(), old[1]);
    let slides = square_of(new).gt(limit.mul32(limit));
    if slides.any() {
        // Friction is against the velocity, and what would end the sliding is not, where one direction is harder to move in than
        // the other: so it goes down along the speeds, as far in both, and to the limit.
        let inverse = inverses[0].min(inverses[1]);
        let down = [hold(inverse, first, old[0]), hold(inverse, second, old[1])];
        let down = cone(down, down, limit).unwrap_or(down);
        new = [slides.select(down[0], new[0]), slides.select(down[1], new[1])];
    }
    let new = [confined(within, new[0], old[0]), confined(within, new[1], old[1])];
    let changes = [new[0] - old[0], new[1] - old[1]];
    for t in 0..2 {
        pair.push(directions[t], &block.friction[t], changes[t], at);
        store(new[t], &mut block.friction_impulse[t], at);
    }
    changes
}

/// The impulse along a tangent that takes out what slides along it, at a speed in Q51.
#[inline(always)]
fn hold<B: Backend<N>, const N: usize>(
    inverse: Lanes<B, N>,
    speed: Lanes<B, N>,
    old: Lanes<B, N>,
) -> Lanes<B, N> {
    let most = Lanes::splat(MOST_FRICTION);
    let change = speed.held_multiplicand::<30>().mul32(inverse).shr_round::<INVERSE_BITS>();
    (old - change).clamp(-most, most)
}

/// Turns both bodies against rolling on each other, by at most the resistance times the normal impulse `total`.
#[cfg_attr(not(unoptimized), inline(always))]
fn resist_rolling<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    pair: &mut Pair<B, N>,
    total: Lanes<B, N>,
    within: Option<Mask<B, N>>,
) {
    // Q20 · Q21.
    let limit = load::<B, N>(&block.rolling_limit, at).mul32(total).shr_logical_half_up::<20>();
    let limit = limit.min(Lanes::splat(MOST_FRICTION / 2));
    let most = Lanes::splat(MOST_FRICTION);
    let mut new = [Lanes::zero(); 2];
    for (t, new) in new.iter_mut().enumerate() {
        let old = load::<B, N>(&block.rolling_impulse[t], at);
        let wanted = (old - pair.spin(load3(&block.tangents[t], at))).clamp(-most, most);
        *new = confined(within, wanted, old);
        pair.twist([&block.rolling_a[t], &block.rolling_b[t]], *new - old, at);
    }
    // In the measure of the limit.
    let measured = [
        load::<B, N>(&block.rolling_share[0], at).mul32(new[0]).shr_round::<SHARE_BITS>(),
        load::<B, N>(&block.rolling_share[1], at).mul32(new[1]).shr_round::<SHARE_BITS>(),
    ];
    if let Some(held) = cone(measured, new, limit) {
        let held = [confined(within, held[0], new[0]), confined(within, held[1], new[1])];
        for t in 0..2 {
            pair.twist([&block.rolling_a[t], &block.rolling_b[t]], held[t] - new[t], at);
        }
        new = held;
    }
    store(new[0], &mut block.rolling_impulse[0], at);
    store(new[1], &mut block.rolling_impulse[1], at);
}

/// Impulses along two tangents shortened to their limit, in the measure of which they are given as well, or `None` if no lane
/// has more. What has no limit above 0 has none left, be it as little as vanishes in that measure.
#[inline(always)]
fn cone<B: Backend<N>, const N: usize>(
    [measured_1, measured_2]: [Lanes<B, N>; 2],
    impulses: [Lanes<B, N>; 2],
    limit: Lanes<B, N>,
) -> Option<[Lanes<B, N>; 2]> {
    let square = square_of([measured_1, measured_2]);
    let (slides, holds_nothing) = (square.gt(limit.mul32(limit)), limit.equal(Lanes::zero()));
    let beyond = slides | holds_nothing;
    if !beyond.any() {
        return None;
    }
    if !(slides & !holds_nothing).any() {
        return Some([(!beyond).keep(impulses[0]), (!beyond).keep(impulses[1])]);
    }
    let factor = shortening(limit, square);
    let held_1 = impulses[0].mul32(factor).shr_round::<30>();
    let held_2 = impulses[1].mul32(factor).shr_round::<30>();
    Some([beyond.select(held_1, impulses[0]), beyond.select(held_2, impulses[1])])
}

/// At most 2³⁰ each, so squares add within 62 bits.
#[inline(always)]
fn square_of<B: Backend<N>, const N: usize>([x, y]: [Lanes<B, N>; 2]) -> Lanes<B, N> {
    x.mul32(x) + y.mul32(y)
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
    let inverse = m.rsqrt().mul32(Lanes::splat(SQRT_HALF)).shr_logical::<30>();
    let product = limit.mul32(inverse);
    let down = (p + Lanes::splat(14)).min(Lanes::splat(62));
    let factor = product.shl_each((-down).max(Lanes::zero())).shr_logical_each(down.max(Lanes::zero()));
    factor.min(Lanes::splat(1 << 30))
}

/// √½, Q30.
const SQRT_HALF: i64 = 759_250_125;
