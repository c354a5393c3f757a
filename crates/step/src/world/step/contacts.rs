//! Contacts on their way out of the solver's blocks.

use super::collide::is_awake;
use super::incoming::NEW;
use super::points::Order;
use super::{SHARED_CONTACTS, Scratch, World};
use crate::body::{Body, BodyKind, Motion};
use crate::contact::{ContactPair, PointImpulse};
use crate::event::Event;
use crate::solver::bodies::{CHUNK, SHARED_BODIES, rounded};
use crate::solver::{Block, IMPULSE_BITS};
use crate::state::State;
use alloc::vec::Vec;
use isostep_collision::manifold::{Manifold, PosedShapes};
use isostep_math::{Fx, Vec3, fx};

/// A contact ends where all its points are farther apart than this: one that begins does so at 0.
const PARTED: Fx = fx!(0.005);

impl World {
    /// Takes the impulses out, and says which contacts began, ended or hit.
    pub(super) fn take_contacts(&mut self) {
        let Self { state, derived, scratch, events, crew, .. } = self;
        let Scratch { manifolds, pairs, bodies, coloring, blocks, incoming, .. } = scratch;
        let Scratch { contacts: [next, _], speeds, .. } = scratch;
        let (manifolds, before) = (&*manifolds, &state.contacts.pairs);
        let (contacts, points) = (&incoming.contacts, incoming.points.len());
        // All of it is written over.
        next.pairs.resize(contacts.len(), ContactPair::default());
        next.points.resize(points, PointImpulse::default());
        let is_worth_it = contacts.len() >= SHARED_CONTACTS;
        let parts = (&mut next.pairs[..], &mut next.points[..]);
        crew.for_each_of_two(parts, manifolds.bounds(), is_worth_it, |chunk, next, mut points| {
            let first = manifolds.bounds()[0][chunk] as usize;
            let contacts = contacts.iter().zip(&coloring.contacts.places).skip(first);
            for ((pair, (contact, &(block, lane))), (number, manifold)) in
                next.iter_mut().zip(contacts).zip(manifolds.of_chunk(chunk))
            {
                let (own, rest) = core::mem::take(&mut points).split_at_mut(manifold.points().len());
                points = rest;
                let touched = before.get(contact.old() as usize).is_some_and(|old| old.touching);
                let (block, lane) = (&blocks[block as usize], usize::from(lane));
                *pair =
                    remembered(pairs[number as usize], manifold, contact.order(), touched, block, lane, own);
            }
        });

        // That of record 0 stays 0.
        speeds.resize(bodies.slots.len(), Fx::ZERO);
        let (slots, definitions, motions) = (&bodies.slots[1..], &state.bodies, &state.motions);
        crew.for_each(&mut speeds[1..], CHUNK, SHARED_BODIES, |first, speeds| {
            for (speed, &slot) in speeds.iter_mut().zip(&slots[first..]) {
                *speed = fastest(&definitions[slot], &motions[slot]);
            }
        });
        let ended = |pair: &ContactPair| Event::ContactEnd {
            a: state.collider_handle(pair.a),
            b: state.collider_handle(pair.b),
        };
        // Two that fell asleep, or a body that became fixed, do not part.
        let gone = |pairs: &[ContactPair], events: &mut Vec<Event>| {
            events.extend(pairs.iter().filter(|old| old.touching).map(ended));
        };
        let mut next_old = 0;
        for (number, (pair, contact)) in next.pairs.iter().zip(contacts).enumerate() {
            let mut touched = false;
            if contact.old() != NEW {
                let old = contact.old() as usize;
                gone(&before[next_old..old], events);
                (touched, next_old) = (before[old].touching, old + 1);
            }
            match (touched, pair.touching) {
                (false, true) => events.push(Event::ContactBegin {
                    a: state.collider_handle(pair.a),
                    b: state.collider_handle(pair.b),
                }),
                (true, false) => events.push(ended(pair)),
                _ => {}
            }
            // Contacts at rest are many: no point of theirs is fast enough.
            let [speed_a, speed_b] = contact.records().map(|record| speeds[record as usize]);
            if speed_a.saturating_add(speed_b) > state.config.restitution_threshold {
                let (block, lane) = coloring.contacts.places[number];
                let (block, lane) = (&blocks[block as usize], usize::from(lane));
                if is_pressed(block, lane, usize::from(pair.count)) {
                    events.extend(impact(state, &derived.shapes, pair, manifolds.nth(number), block, lane));
                }
            }
        }
        gone(&before[next_old..], events);
        debug_assert_eq!(bodies.slots.len(), bodies.velocities.len());
        core::mem::swap(&mut state.contacts, next);
    }
}

/// A contact as the next step will know it, with its points.
fn remembered(
    (a, b): (u32, u32),
    manifold: &Manifold,
    order: Order,
    touched: bool,
    block: &Block,
    lane: usize,
    points: &mut [PointImpulse],
) -> ContactPair {
    for (index, found) in manifold.points().iter().enumerate() {
        let place = order.place(index);
        let normal = block.points[place].impulse[lane];
        points[place] = PointImpulse { feature: found.feature.0, normal };
    }
    let [first, second] = block.tangents;
    let [along_first, along_second] = block.friction_impulse;
    let along = |k: usize| {
        let sum = i64::from(first[k][lane]) * i64::from(along_first[lane])
            + i64::from(second[k][lane]) * i64::from(along_second[lane]);
        rounded(sum, 30) as i32
    };
    let friction = [along(0), along(1), along(2)];
    let least = manifold.points().iter().map(|point| point.separation).fold(Fx::MAX, Fx::min);
    let pressed = is_pressed(block, lane, points.len());
    let touching = pressed || least <= Fx::ZERO || (touched && least < PARTED);
    let (twist, scale) = (block.twist_impulse[lane], block.scale[lane] as u8);
    ContactPair { a, b, friction, twist, count: points.len() as u8, scale, touching }
}

/// Whether any of the points of a contact pushed the bodies apart.
fn is_pressed(block: &Block, lane: usize, points: usize) -> bool {
    block.points[..points].iter().any(|row| row.total[lane] > 0)
}

/// At least as much as the speed of any point of a body: of a kinematic one, whose shape may reach farther, the greatest.
#[inline(always)]
fn fastest(body: &Body, motion: &Motion) -> Fx {
    if body.kind == BodyKind::Kinematic {
        return Fx::MAX;
    }
    let (linear, angular, extent) = (motion.linear_velocity, motion.angular_velocity, body.mass.extent);
    let magnitude = |x: Fx| x.abs().to_bits();
    let (a, b, c) = (magnitude(linear.x), magnitude(linear.y), magnitude(linear.z));
    let (d, e, f) = (magnitude(angular.x), magnitude(angular.y), magnitude(angular.z));
    if (a | b | c | d | e | f) >> 60 == 0 {
        // Sums of three are below 2^62.
        let turned = Fx::from_bits(d + e + f).saturating_mul(extent);
        return Fx::from_bits(a + b + c).saturating_add(turned);
    }
    let sum = |v: Vec3| v.to_array().into_iter().fold(Fx::ZERO, |sum, x| sum.saturating_add(x.abs()));
    sum(linear).saturating_add(sum(angular).saturating_mul(extent))
}

/// What there is to tell of a contact that pressed, if its bodies came together fast enough.
fn impact(
    state: &State,
    shapes: &PosedShapes,
    pair: &ContactPair,
    manifold: &Manifold,
    block: &Block,
    lane: usize,
) -> Option<Event> {
    let [body_a, body_b] = state.bodies_of(pair.a, pair.b);
    let (motion_a, motion_b) = (&state.motions[body_a], &state.motions[body_b]);
    let deepest = manifold.points().iter().min_by_key(|point| (point.separation, point.feature))?;
    let arm_a = shapes.rotate(pair.a as usize, motion_a.rotation, deepest.anchor_a);
    let arm_b = shapes.rotate(pair.b as usize, motion_b.rotation, deepest.anchor_b);
    let velocity_a = motion_a.linear_velocity.saturating_add(motion_a.angular_velocity.cross(arm_a));
    let velocity_b = motion_b.linear_velocity.saturating_add(motion_b.angular_velocity.cross(arm_b));
    let approach_speed = velocity_a.saturating_sub(velocity_b).dot(manifold.normal);
    if approach_speed <= state.config.restitution_threshold {
        return None;
    }
    // Velocity changes of the lighter body that moves.
    let sum: i128 =
        block.points[..manifold.points().len()].iter().map(|point| i128::from(point.total[lane])).sum();
    let change = sum << (32 - IMPULSE_BITS) >> block.scale[lane];
    let change = Fx::from_bits(change.min(i128::from(i64::MAX)) as i64);
    let mass = |body: u32| {
        let mass = isostep_collision::Mass::from_bits(state.bodies[body].mass.mass);
        is_awake(state, body).then(|| mass.to_fx())
    };
    let lighter = match [mass(body_a), mass(body_b)] {
        [Some(a), Some(b)] => a.min(b),
        [one, other] => one.or(other).unwrap_or(Fx::ZERO),
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
        impulse: change.saturating_mul(lighter),
        point,
        normal: manifold.normal,
    })
}
