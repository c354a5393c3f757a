//! Contacts on their way into the solver's blocks, and out again.

use super::collide::is_awake;
use super::{Scratch, World};
use crate::body::{Body, BodyKind, Motion};
use crate::contact::{ContactPair, PointImpulse};
use crate::event::Event;
use crate::material::ContactMaterial;
use crate::solver::prepare::ABSENT;
use crate::solver::softness::Softness;
use crate::solver::{Block, IMPULSE_BITS, SHARE_BITS};
use crate::state::State;
use isostep_collision::manifold::{ContactPoint, Manifold};
use isostep_math::{Fx, Vec3, fx};

/// A contact ends where all its points are farther apart than this: one that begins does so at 0.
const PARTED: Fx = fx!(0.005);

impl World {
    /// Puts the manifolds into blocks, with the impulses that their points had in the step before.
    pub(super) fn place_contacts(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { manifolds, pairs, bodies, coloring, blocks, contacts: [next, _], .. } = scratch;
        let colliders = &state.colliders;
        let records = |index: u32| {
            let (a, b) = pairs[index as usize];
            (bodies.record(colliders[a].body), bodies.record(colliders[b].body))
        };
        coloring.assign(bodies.slots.len(), manifolds.iter().map(|(index, _)| records(*index)), |record| {
            bodies.is_movable(record)
        });
        coloring.clear(blocks);
        next.clear();
        let [contact, uneven] = Softness::of_contacts(&state.config);
        let mut before = state.contacts.iter().peekable();
        let key = |a: u32, b: u32| (derived.rank(a), derived.rank(b));
        for ((index, manifold), &(block, lane)) in manifolds.iter().zip(&coloring.places) {
            let (a, b) = pairs[*index as usize];
            while before.next_if(|(pair, _)| key(pair.a, pair.b) < key(a, b)).is_some() {}
            let old = before.next_if(|(pair, _)| (pair.a, pair.b) == (a, b));
            let (record_a, record_b) = records(*index);
            let softness = if bodies.are_uneven(record_a, record_b) { &uneven } else { &contact };
            let material = colliders[a].material.combine(&colliders[b].material);
            let block = &mut blocks[block as usize];
            let lane = usize::from(lane);
            (block.a[lane], block.b[lane]) = (record_a, record_b);
            block.softness.set(lane, softness);
            let anchored = [record_a != 0, record_b != 0];
            let order = order_of(manifold.points());
            place(block, lane, manifold, order, &material, anchored);
            let (pair, points) = impulses(block, lane, manifold, order, (a, b), old);
            next.push(pair, &points[..manifold.points().len()]);
        }
    }

    /// Takes the impulses out, and says which contacts began, ended or hit.
    pub(super) fn take_contacts(&mut self) {
        let Self { state, derived, scratch, events, .. } = self;
        let Scratch { manifolds, bodies, coloring, blocks, contacts: [next, _], speeds, .. } = scratch;
        speeds.clear();
        speeds.push(Fx::ZERO);
        speeds
            .extend(bodies.slots[1..].iter().map(|&slot| fastest(&state.bodies[slot], &state.motions[slot])));
        let mut points = &mut next.points[..];
        let key = |pair: &ContactPair| (derived.rank(pair.a), derived.rank(pair.b));
        let ended = |pair: &ContactPair| Event::ContactEnd {
            a: state.collider_handle(pair.a),
            b: state.collider_handle(pair.b),
        };
        let mut before = state.contacts.pairs.iter().peekable();
        for ((pair, (_, manifold)), &(block, lane)) in
            next.pairs.iter_mut().zip(manifolds.iter()).zip(&coloring.places)
        {
            let (block, lane) = (&blocks[block as usize], usize::from(lane));
            let (own, rest) = core::mem::take(&mut points).split_at_mut(usize::from(pair.count));
            points = rest;
            let mut pressed = false;
            for (point, row) in own.iter_mut().zip(&block.points) {
                point.normal = row.impulse[lane];
                pressed |= row.total[lane] > 0;
            }
            let [first, second] = block.tangents;
            let [along_first, along_second] = block.friction_impulse;
            pair.friction = [0, 1, 2].map(|k| {
                let sum = i64::from(first[k][lane]) * i64::from(along_first[lane])
                    + i64::from(second[k][lane]) * i64::from(along_second[lane]);
                crate::solver::bodies::rounded(sum, 30) as i32
            });
            pair.twist = block.twist_impulse[lane];

            while let Some(old) = before.next_if(|old| key(old) < key(pair)) {
                if old.touching {
                    events.push(ended(old));
                }
            }
            let touched =
                before.next_if(|old| (old.a, old.b) == (pair.a, pair.b)).is_some_and(|old| old.touching);
            let least = manifold.points().iter().map(|point| point.separation).fold(Fx::MAX, Fx::min);
            pair.touching = pressed || least <= Fx::ZERO || (touched && least < PARTED);
            match (touched, pair.touching) {
                (false, true) => events.push(Event::ContactBegin {
                    a: state.collider_handle(pair.a),
                    b: state.collider_handle(pair.b),
                }),
                (true, false) => events.push(ended(pair)),
                _ => {}
            }
            // Contacts at rest are many: no point of theirs is fast enough.
            let speed = |record: u32| speeds[record as usize];
            let speed = speed(block.a[lane]).saturating_add(speed(block.b[lane]));
            if pressed && speed > state.config.restitution_threshold {
                events.extend(impact(state, pair, manifold, block, lane));
            }
        }
        for old in before {
            // Two that fell asleep, or a body that became fixed, do not part.
            if old.touching {
                events.push(ended(old));
            }
        }
        debug_assert_eq!(bodies.slots.len(), bodies.velocities.len());
        core::mem::swap(&mut state.contacts, next);
    }
}

/// Puts a manifold into a lane.
fn place(
    block: &mut Block,
    lane: usize,
    manifold: &Manifold,
    order: [usize; 4],
    material: &ContactMaterial,
    anchored: [bool; 2],
) {
    for (column, component) in block.normal.iter_mut().zip(manifold.normal.to_array()) {
        column[lane] = fixed(component, 30);
    }
    let points = manifold.points();
    block.count = block.count.max(points.len());
    for (index, row) in block.points.iter_mut().enumerate() {
        let Some(point) = points.get(order[index]) else {
            row.separation[lane] = ABSENT;
            continue;
        };
        // What does not move may be long, and its arms do not matter.
        for (arm, anchor, anchored) in [
            (&mut row.row.arm_a, point.anchor_a, anchored[0]),
            (&mut row.row.arm_b, point.anchor_b, anchored[1]),
        ] {
            for (column, component) in arm.iter_mut().zip(anchor.to_array()) {
                column[lane] = if anchored { fixed(component, 24) } else { 0 };
            }
        }
        row.separation[lane] = fixed(point.separation, 24);
    }
    block.friction_limit[lane] = fixed(material.friction, 26);
    block.restitution[lane] = fixed(material.restitution, 30);
    block.rolling_resistance[lane] = fixed(material.rolling_resistance, 26);
    block.rolls |= material.rolling_resistance > Fx::ZERO;
}

/// Puts the impulses of the step before into a lane, and returns the contact as it will be remembered.
fn impulses(
    block: &mut Block,
    lane: usize,
    manifold: &Manifold,
    order: [usize; 4],
    (a, b): (u32, u32),
    old: Option<(&ContactPair, &[PointImpulse])>,
) -> (ContactPair, [PointImpulse; 4]) {
    let (friction, twist) = old.map_or(([0; 3], 0), |(pair, _)| (pair.friction, pair.twist));
    for (column, component) in block.friction_before.iter_mut().zip(friction) {
        column[lane] = component;
    }
    let most = crate::solver::MOST_FRICTION as i32;
    block.twist_impulse[lane] = twist.clamp(-most, most);
    let points = manifold.points();
    let mut own = [PointImpulse::default(); 4];
    for (index, (own, row)) in own.iter_mut().zip(&mut block.points).enumerate() {
        if let Some(point) = points.get(order[index]) {
            own.feature = point.feature.0;
            let known = old.and_then(|(_, points)| points.iter().find(|old| old.feature == own.feature));
            own.normal = known.map_or(0, |old| old.normal);
        }
        row.impulse[lane] = own.normal;
    }
    (ContactPair { a, b, friction, twist, count: points.len() as u8, touching: false }, own)
}

/// The sequence in which points are solved: the deepest first, so that it is the same in a mirror.
fn order_of(points: &[ContactPoint]) -> [usize; 4] {
    let mut order = [0, 1, 2, 3];
    for end in 1..points.len() {
        let mut at = end;
        while at > 0 && points[order[at]].separation < points[order[at - 1]].separation {
            order.swap(at, at - 1);
            at -= 1;
        }
    }
    order
}

/// A number with fewer fraction bits, to nearest, ties away from zero, saturating.
fn fixed(x: Fx, bits: u32) -> i32 {
    let (x, drop) = (x.to_bits(), 32 - bits);
    let rounded = x.saturating_add((1 << (drop - 1)) + (x >> 63)) >> drop;
    rounded.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}

/// At least as much as the speed of any point of a body: of a kinematic one, whose shape may reach farther, the greatest.
fn fastest(body: &Body, motion: &Motion) -> Fx {
    if body.kind == BodyKind::Kinematic {
        return Fx::MAX;
    }
    let sum = |v: Vec3| v.to_array().into_iter().fold(Fx::ZERO, |sum, x| sum.saturating_add(x.abs()));
    sum(motion.linear_velocity).saturating_add(sum(motion.angular_velocity).saturating_mul(body.mass.extent))
}

/// What there is to tell of a contact that pressed, if its bodies came together fast enough.
fn impact(
    state: &State,
    pair: &ContactPair,
    manifold: &Manifold,
    block: &Block,
    lane: usize,
) -> Option<Event> {
    let [body_a, body_b] = state.bodies_of(pair.a, pair.b);
    let (motion_a, motion_b) = (&state.motions[body_a], &state.motions[body_b]);
    let deepest = manifold.points().iter().min_by_key(|point| (point.separation, point.feature))?;
    let arm_a = motion_a.rotation * deepest.anchor_a;
    let arm_b = motion_b.rotation * deepest.anchor_b;
    let velocity_a = motion_a.linear_velocity.saturating_add(motion_a.angular_velocity.cross(arm_a));
    let velocity_b = motion_b.linear_velocity.saturating_add(motion_b.angular_velocity.cross(arm_b));
    let approach_speed = velocity_a.saturating_sub(velocity_b).dot(manifold.normal);
    if approach_speed <= state.config.restitution_threshold {
        return None;
    }
    // Q26 · Q21, as the velocity change of the reduced mass.
    let sum: i128 = (0..manifold.points().len())
        .map(|index| {
            let point = &block.points[index];
            i128::from(point.row.share[lane]) * i128::from(point.total[lane])
        })
        .sum();
    let change = Fx::from_bits((sum >> (SHARE_BITS + IMPULSE_BITS - 32)).min(i128::from(i64::MAX)) as i64);
    let mass = |body: u32| {
        is_awake(state, body)
            .then(|| isostep_collision::Mass::from_bits(state.bodies[body].mass.mass).to_fx())
    };
    let reduced = match (mass(body_a), mass(body_b)) {
        (Some(a), Some(b)) => {
            let (least, most) = (a.min(b), a.max(b));
            // m M / (m + M) = m / (1 + m / M).
            least.saturating_div(Fx::ONE.saturating_add(least.saturating_div(most)))
        }
        (Some(mass), None) | (None, Some(mass)) => mass,
        (None, None) => Fx::ZERO,
    };
    let point = if is_awake(state, body_a) {
        motion_a.center.saturating_add(arm_a)
    } else {
        motion_b.center.saturating_add(arm_b)
    };
    Some(Event::ContactImpact {
        a: state.collider_handle(pair.a),
        b: state.collider_handle(pair.b),
        approach_speed,
        impulse: change.saturating_mul(reduced),
        point,
        normal: manifold.normal,
    })
}
