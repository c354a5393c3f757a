//! From anchors to rows, in lanes.
//!
//! A block comes with the records of its bodies, the normal, and for each point the [anchors](Block::anchors) in the
//! coordinates of the bodies, the separation and the impulse of the step before. It leaves with all rows.
//!
//! All that impulses along the normal do follows from three rows: see [`solver`](super). For their arms u_k of a body and
//! m_k = w k⁻² u_k, G_kl = Σ u_k · m_l over both bodies, and Σ w more for the centre by itself. The m_k of both bodies
//! are mantissas of one exponent, for what they end as has one format, too.

#![allow(
    clippy::needless_range_loop,
    reason = "points and rows are addressed by number, in several arrays at once"
)]

mod contact;
mod places;
mod response;

use super::bodies::{Bodies, Velocity};
use super::frames::Frame;
use super::mantissas::{Reciprocal, shr_each, shr_each_half_up, shr_each3, shr_logical_each_half_up};
use super::normals::{self, MOST};
use super::offsets::Offsets;
use super::pair::Pair;
use super::softness::Softness;
use super::{Block, MOST_FRICTION, Over, Pass};
use super::{load, load3, store, store_saturating, store3, turns};
use contact::across;
pub(super) use contact::{Contact, Side, weights};
use isostep_math::wide::{Backend, Lanes, Level, Mask, Multiplicand, cross3, dot3, scale3, shr_round3};
use places::{Places, Tilting, at_place};
use response::{Rescale, Response, inverse, mantissa_shift, scale_of, to_q24};

/// The separation of a point that a contact does not have.
pub(crate) const ABSENT: i32 = i32::MAX >> 1;

/// Computes the rows of all blocks.
pub(crate) struct Prepare<'a> {
    pub(crate) blocks: &'a mut [Block],
    pub(crate) bodies: &'a Bodies,
    pub(crate) constants: Constants,
}

/// What rows are made of, besides bodies.
#[derive(Clone, Copy)]
pub(crate) struct Constants {
    /// Of contacts in general, and of those of bodies one of which weighs much more than the other.
    pub(crate) softness: [Softness; 2],
    pub(crate) offsets: Offsets,
    /// Slower approaches do not bounce, Q11.21.
    pub(crate) bounce_threshold: i64,
}

impl Prepare<'_> {
    pub(crate) fn run(self, level: Level) {
        let Self { blocks, bodies: Bodies { frames, velocities, kicks, .. }, constants } = self;
        let Constants { softness, offsets, bounce_threshold } = constants;
        level.dispatch(Over::new(&mut *blocks, Rows { frames, softness, offsets }));
        let pass = Bounces { velocities, kicks, substep_rate: offsets.rate, bounce_threshold };
        level.dispatch(Over::new(blocks, pass));
    }
}

/// The rows of contacts.
struct Rows<'a> {
    frames: &'a [Frame],
    softness: [Softness; 2],
    offsets: Offsets,
}

/// The velocities that points are to bounce with.
struct Bounces<'a> {
    velocities: &'a [Velocity],
    kicks: &'a [Velocity],
    substep_rate: i64,
    bounce_threshold: i64,
}

impl Pass<Block> for Rows<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let contact = Contact::<B, N>::gather(block, at, self.frames);
        let tangents = tangents(contact.normal);
        store3(tangents[0], &mut block.tangents[0], at);
        store3(tangents[1], &mut block.tangents[1], at);
        let places = Places::new(block, at, &contact, &tangents);
        let gamma = block.softness.choose(contact.uneven, &self.softness, at);
        let rubbing = rubbing(&contact, &tangents, &places.center);
        let least_scale = rubbing.least_scale();
        let scale = if block.has_center() {
            several_points(block, at, &contact, &tangents, &places, gamma, least_scale)
        } else {
            one_point(block, at, &contact, &places, gamma, least_scale)
        };
        let rescale = Rescale::new(load(&block.scale, at), scale);
        store(scale, &mut block.scale, at);
        store(shr_logical_each_half_up(contact.a.weight, scale), &mut block.masses[0], at);
        store(shr_logical_each_half_up(contact.b.weight, scale), &mut block.masses[1], at);
        if contact.locked {
            block.locked = true;
        }
        store(contact.a.free, &mut block.free[0], at);
        store(contact.b.free, &mut block.free[1], at);

        let softness = block.softness.rate::<B, N>(at);
        for point in &mut block.points[..block.count] {
            let impulse = rescale.apply(load(&point.impulse, at), MOST);
            store(impulse, &mut point.impulse, at);
            point.total[at..at + N].fill(0);
            // Nothing has moved yet.
            self.offsets.put(load(&point.separation, at), softness, &mut point.offset, at);
        }
        if block.has_center() {
            let center = &mut block.center;
            store(places.separation, &mut center.separation, at);
            self.offsets.put(places.separation, softness, &mut center.offset, at);
        }
        friction(block, at, &contact, &tangents, &rubbing, scale, &rescale);
        if block.twists {
            turns::twist(block, at, &contact, scale, turns::lever(&places.along, places.count));
        }
        if block.rolls {
            turns::rolling(block, at, &contact, tangents, scale);
        }
    }
}

/// The row of a contact's only point, and the exponent of κ.
#[cfg_attr(not(unoptimized), inline(always))]
fn one_point<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    places: &Places<B, N>,
    gamma: Lanes<B, N>,
    least_scale: Lanes<B, N>,
) -> Lanes<B, N> {
    let arms = [[across(places.center[0], contact.normal)], [across(places.center[1], contact.normal)]];
    let response = Response::new(contact, arms);
    let k = response.effective_mass(0, contact.linear(contact.normal));
    let down = mantissa_shift(k);
    let k = shr_logical_each_half_up(k, down).shl::<24>();
    let unit = response.exponent + down - Lanes::splat(78 + 24);
    let scale = scale_of(k, unit).max(response.least_scale()).max(least_scale);
    response.store(scale, 0, &mut block.row, at);
    let own = shr_logical_each_half_up(k, to_q24(scale, unit));
    put_inverse(block, 0, at, inverse(own), places.live[0], gamma);
    scale
}

#[inline(always)]
fn put_inverse<B: Backend<N>, const N: usize>(
    block: &mut Block,
    point: usize,
    at: usize,
    inverse: Lanes<B, N>,
    live: Mask<B, N>,
    gamma: Lanes<B, N>,
) {
    let inverse = live.keep(inverse);
    let point = &mut block.points[point];
    store(inverse, &mut point.inverse, at);
    store(inverse.mul32(gamma).multiplicand_half_up::<30>(), &mut point.soft_inverse, at);
}

/// The rows that several points share, their places and what they do to each other; and the exponent of κ.
#[cfg_attr(not(unoptimized), inline(always))]
fn several_points<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    points: &Places<B, N>,
    gamma: Lanes<B, N>,
    least_scale: Lanes<B, N>,
) -> Lanes<B, N> {
    let zero = Lanes::zero();
    let are_several = points.count.gt(Lanes::splat(1));
    let mut tilting = Tilting::level(points, tangents, block.count);
    let mut is_aligned = false;
    // Once, or once more where a lane has to be aligned: so the rows are written out once.
    let (response, places, k, of_points, unit, scale) = loop {
        let places = tilting.places(block.count);
        let [tilt_x, tilt_y] = tilting.arms(are_several);
        let arms = [
            [across(points.center[0], contact.normal), tilt_x, tilt_y],
            [across(points.center[1], contact.normal), tilt_x, tilt_y],
        ];
        let response = Response::new(contact, arms);

        // G in mantissas of 29 bits.
        let [k, xx, yy] = [
            response.effective_mass(0, contact.linear(contact.normal)),
            response.influence_on_shared(1, 1),
            response.influence_on_shared(2, 2),
        ];
        let [x, y, xy] = [
            response.influence_on_shared(0, 1),
            response.influence_on_shared(0, 2),
            response.influence_on_shared(1, 2),
        ];
        let down = mantissa_shift(k.max(xx).max(yy));
        let k = shr_logical_each_half_up(k, down);
        let [xx, yy, xy] = shr_each3([xx, yy, xy], down);
        let [x, y] = [shr_each(x, down), shr_each(y, down)];
        // G (1, x, y)ᵀ of each point, and (1, x, y) G (1, x, y)ᵀ with 24 bits more.
        let mut of_points = [(zero, [Multiplicand::from(zero); 2]); 4];
        let mut greatest = k.shl::<24>();
        for i in 0..block.count {
            // The first is the same in a mirror.
            let center = at_place(k, [x, y], places[i]).shr_round_half_up::<24>();
            let tilting = [at_place(x, [xx, xy], places[i]), at_place(y, [xy, yy], places[i])];
            of_points[i] = (center, [tilting[0].multiplicand::<24>(), tilting[1].multiplicand::<24>()]);
        }
        for i in 0..block.count {
            let (center, tilting) = of_points[i];
            greatest = greatest.max(at_place(center, tilting, places[i]));
        }
        let unit = response.exponent + down - Lanes::splat(78 + 24);
        let scale = scale_of(greatest, unit);
        let roomy = response.least_scale();
        let is_strained = roomy.gt(scale) & are_several;
        if is_aligned || !is_strained.any() {
            break (response, places, k, of_points, unit, scale.max(roomy).max(least_scale));
        }
        tilting.align(&places, is_strained, block.count);
        is_aligned = true;
    };
    let down = to_q24(scale, unit);
    for i in 0..block.count {
        let (center, tilting) = of_points[i];
        let own = shr_each_half_up(at_place(center, tilting, places[i]), down);
        put_inverse(block, i, at, inverse(own), points.live[i], gamma);
        let [x, y] = places[i];
        store(x, &mut block.points[i].place[0], at);
        store(y, &mut block.points[i].place[1], at);
        let share = points.live[i].keep(own).mul32(points.share).multiplicand_half_up::<30>();
        store(share, &mut block.center.shares[i], at);
        // The same in a mirror, as well.
        for on in i + 1..block.count {
            let place = &mut block.influences[normals::influence_of(i, on)];
            store(shr_each_half_up(at_place(center, tilting, places[on]), down), place, at);
        }
        let from_center = shr_each_half_up(center.shl::<24>(), down).mul32(points.count);
        store(from_center, &mut block.center.influences[i], at);
    }
    let center = &mut block.center;
    let own = inverse(shr_logical_each_half_up(k.shl::<24>(), down))
        .mul32(points.share)
        .shr_logical_half_up::<30>();
    let own = are_several.keep(own);
    let soft = own.mul32(gamma).shr_logical_half_up::<30>();
    store(own, &mut center.inverse, at);
    store(soft, &mut center.soft_inverse, at);
    store(own - soft, &mut center.kept_inverse, at);

    response.store(scale, 0, &mut block.row, at);
    for (tilt, row) in block.tilts.iter_mut().zip([1, 2]) {
        store3(response.arms[0][row], &mut tilt.arm, at);
        store3(response.scaled(scale, row, 0), &mut tilt.angular_a, at);
        store3(response.scaled(scale, row, 1), &mut tilt.angular_b, at);
    }
    scale
}

/// What impulses along the tangents at the centre do.
#[cfg_attr(not(unoptimized), inline(always))]
fn rubbing<B: Backend<N>, const N: usize>(
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    [center_a, center_b]: &[[Multiplicand<B, N>; 3]; 2],
) -> Response<B, N, 2> {
    Response::new(
        contact,
        [
            contact.a.along_tangents(*center_a, *tangents, contact.sweeps),
            contact.b.along_tangents(*center_b, *tangents, contact.sweeps),
        ],
    )
}

/// The rows along the tangents at the centre.
#[cfg_attr(not(unoptimized), inline(always))]
fn friction<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    contact: &Contact<B, N>,
    tangents: &[[Lanes<B, N>; 3]; 2],
    response: &Response<B, N, 2>,
    scale: Lanes<B, N>,
    rescale: &Rescale<B, N>,
) {
    let [first, second] = *tangents;
    let down = Lanes::splat(54) + scale - response.exponent;
    let down = down.max(Lanes::zero()).min(Lanes::splat(62));
    let influence = response.influence(0, 1) + response.of_linear(contact.linear_influence(first, second));
    store_saturating(shr_each(influence, down), &mut block.friction_influence, at);
    let before = load3::<B, N>(&block.friction_before, at);
    for t in 0..2 {
        response.store(scale, t, &mut block.friction[t], at);
        let k = response.effective_mass(t, contact.linear(tangents[t]));
        store(inverse(shr_logical_each_half_up(k, down)), &mut block.friction_inverse[t], at);
        let along = rescale.apply(dot3(tangents[t], before).shr_round::<30>(), MOST_FRICTION);
        store(along, &mut block.friction_impulse[t], at);
    }
}

/// With which velocity points are to part: that of their approach, times the restitution.
///
/// Bodies are seen once a tick, so at some separation s before the impact, or after. What counts is their speed at the
/// impact itself: u² + 2 a s for the relative acceleration a, and to first order u + a s / u.
impl Pass<Block> for Bounces<'_> {
    #[inline(always)]
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut Block, at: usize) {
        let restitution = load::<B, N>(&block.restitution, at);
        if !restitution.gt(Lanes::zero()).any() {
            for point in &mut block.points {
                point.bounce[at..at + N].fill(0);
            }
            return;
        }
        let pair = Pair::<B, N>::gather(block, at, self.velocities);
        let kicks = Pair::<B, N>::gather(block, at, self.kicks);
        let normal = load3::<B, N>(&block.normal, at);
        // Q21 in m/s²; held to what a product with a separation has room for.
        let most = Lanes::splat(1 << 30);
        let rate = Lanes::splat(self.substep_rate);
        let acceleration = kicks.parting(normal).shr_round::<30>().mul32(rate).clamp(-most, most);
        store(acceleration, &mut block.acceleration, at);
        let threshold = Lanes::splat(self.bounce_threshold);
        let speeds = normals::all_speeds(block, at, &pair);
        for i in 0..block.count {
            let point = &mut block.points[i];
            let speed = (-speeds[i].shr::<24>()).clamp(-most, most);
            let separation = load::<B, N>(&point.separation, at);
            let speed_at_impact = speed - gained(acceleration, separation, speed);
            let bounce = speed_at_impact.mul32(restitution).shr_round::<30>();
            let bounces = speed.gt(threshold) & separation.lt(Lanes::splat(i64::from(ABSENT)));
            store(bounces.keep(bounce), &mut point.bounce, at);
        }
    }
}

/// a s / v: by how much a speed above 0 changes over the separation s, to first order and by at most its half.
/// Accelerations Q21 and separations Q24 of 31 bits.
#[inline(always)]
pub(super) fn gained<B: Backend<N>, const N: usize>(
    acceleration: Lanes<B, N>,
    separation: Lanes<B, N>,
    speed: Lanes<B, N>,
) -> Lanes<B, N> {
    let most = Lanes::splat(1 << 30);
    // Q21, m²/s²; what is beyond is not meant.
    let work = acceleration.mul32(separation).shr_round::<24>().clamp(-most, most);
    let inverse = Reciprocal::of(speed.max(Lanes::splat(1)));
    // work · value 2^(−8 − length).
    let change =
        shr_each(work.mul32(inverse.value), (inverse.length + Lanes::splat(8)).min(Lanes::splat(62)));
    let most_change = speed.max(Lanes::zero()).shr::<1>();
    change.clamp(-most_change, most_change)
}

/// Two unit vectors at right angles to a unit vector and to each other: n × x or n × y, whichever is the longer one,
/// and n × that.
#[inline(always)]
fn tangents<B: Backend<N>, const N: usize>(normal: [Lanes<B, N>; 3]) -> [[Lanes<B, N>; 3]; 2] {
    let [x, y, z] = normal;
    let steep = x.abs().gt(Lanes::splat((1 << 30) / 10 * 6));
    let across = [steep.select(-z, Lanes::zero()), steep.select(Lanes::zero(), z), steep.select(x, -y)];
    // Q60, at least 0.36: 4 |across|² as Q29.
    let square = dot3(across, across).shr_round::<29>().min(Lanes::splat((1 << 31) - 1));
    let inverse = square.rsqrt();
    let first = shr_round3::<B, N, 29>(scale3(across, inverse));
    let second = shr_round3::<B, N, 30>(cross3(normal, first));
    [first, second]
}
