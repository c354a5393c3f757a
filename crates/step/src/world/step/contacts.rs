//! Contacts on their way out of the solver's blocks.

use super::incoming::NEW;
use super::{AHEAD, SHARED_CONTACTS, Scratch, World, outgoing};
use crate::body::{Body, BodyKind, Motion};
use crate::contact::{ContactPair, PointImpulse};
use crate::event::Event;
use crate::solver::bodies::{CHUNK, SHARED_BODIES};
use crate::solver::{BLOCK, Block, IMPULSE_BITS};
use crate::state::State;
use alloc::vec::Vec;
use isostep_collision::Mass;
use isostep_collision::manifold::{ContactPoint, Found, PosedShapes, each_contact_at};
use isostep_math::wide::{Level, prefetch};
use isostep_math::{Fx, Vec3};

impl World {
    /// Takes the impulses out, and says which contacts began, ended or hit.
    pub(super) fn take_contacts(&mut self) {
        let Self { state, derived, scratch, events, crew, .. } = self;
        let Scratch { pairs, bodies, coloring, blocks, incoming, outgoing, .. } = scratch;
        let Scratch { contacts: [next, _], speeds, hits, hit_lanes, .. } = scratch;
        let (incoming, before) = (&*incoming, &state.contacts.pairs);
        outgoing::collect(blocks, SHARED_CONTACTS, outgoing, crew);
        let (outgoing, places) = (&*outgoing, &coloring.contacts.places);
        let lane_of = |number: usize| {
            let (block, lane) = places[number];
            (block as usize, usize::from(lane))
        };
        // All of it is written over.
        next.pairs.resize(incoming.count(), ContactPair::default());
        next.points.resize(incoming.point_count(), PointImpulse::default());
        let is_worth_it = incoming.count() >= SHARED_CONTACTS;
        let (parts, bounds) = ((&mut next.pairs[..], &mut next.points[..]), incoming.bounds());
        crew.for_each_of_two(parts, bounds, is_worth_it, |number, next, mut points| {
            let first = bounds[0][number] as usize;
            let chunk = incoming.chunk(number);
            let contacts = chunk.contacts().iter().zip(incoming.pairs_of(number, pairs));
            for ((pair, (contact, colliders)), number) in next.iter_mut().zip(contacts).zip(first..) {
                let (own, rest) = core::mem::take(&mut points).split_at_mut(contact.count());
                points = rest;
                let touched = before.get(contact.old() as usize).is_some_and(|old| old.touching);
                prefetch((&raw const *contact).wrapping_add(AHEAD));
                if let Some(&(block, lane)) = places.get(number + AHEAD) {
                    prefetch(&raw const outgoing[block as usize * BLOCK + usize::from(lane)]);
                }
                let (block, lane) = lane_of(number);
                let left = &outgoing[block * BLOCK + lane];
                for ((point, &feature), normal) in
                    own.iter_mut().zip(chunk.features_of(contact)).zip(left.impulses())
                {
                    *point = PointImpulse { feature, normal };
                }
                *pair = ContactPair {
                    a: colliders.0,
                    b: colliders.1,
                    friction: left.friction(),
                    twist: left.twist(),
                    count: contact.count() as u8,
                    scale: left.scale(),
                    touching: contact.is_touching(left.is_pressed(contact.count()), touched),
                };
            }
        });

        // That of record 0 stays 0.
        speeds.resize(bodies.slots.len(), Fx::ZERO);
        let (slots, definitions, motions) = (&bodies.slots[1..], &state.bodies, &state.motions);
        crew.for_each(&mut speeds[1..], CHUNK, SHARED_BODIES, |first, speeds| {
            for (at, (speed, &slot)) in speeds.iter_mut().zip(&slots[first..]).enumerate() {
                if let Some(&next) = slots.get(first + at + AHEAD) {
                    bring(&definitions[next], &motions[next]);
                }
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
        hits.clear();
        hit_lanes.clear();
        for (number, (pair, contact)) in next.pairs.iter().zip(incoming.contacts()).enumerate() {
            prefetch((&raw const *contact).wrapping_add(AHEAD));
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
                let (block, lane) = lane_of(number);
                if outgoing[block * BLOCK + lane].is_pressed(contact.count()) {
                    hits.push((pair.a, pair.b));
                    hit_lanes.push((block, lane));
                }
            }
        }
        gone(&before[next_old..], events);
        let (margin, shapes) = (state.config.speculative_margin, &derived.shapes);
        each_contact_at(Level::current(), shapes, hits, margin, &mut |found| {
            for found in found.iter() {
                let (block, lane) = hit_lanes[found.pair as usize];
                events.extend(impact(state, shapes, hits[found.pair as usize], &found, &blocks[block], lane));
            }
        });
        debug_assert_eq!(bodies.slots.len(), bodies.velocities.len());
        core::mem::swap(&mut state.contacts, next);
    }
}

/// Tells the caches what [`fastest`] takes.
#[inline(always)]
fn bring(body: &Body, motion: &Motion) {
    prefetch(&raw const body.kind);
    prefetch(&raw const body.mass.extent);
    prefetch(&raw const motion.linear_velocity);
    prefetch(&raw const motion.angular_velocity);
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
    (a, b): (u32, u32),
    found: &Found<'_>,
    block: &Block,
    lane: usize,
) -> Option<Event> {
    let [body_a, body_b] = state.bodies_of(a, b);
    let (motion_a, motion_b) = (&state.motions[body_a], &state.motions[body_b]);
    let points = found.points().map(ContactPoint::from);
    let deepest = points.min_by_key(|point| (point.separation, point.feature))?;
    let arm_a = shapes.rotate(a as usize, motion_a.rotation, deepest.anchor_a);
    let arm_b = shapes.rotate(b as usize, motion_b.rotation, deepest.anchor_b);
    let velocity_a = motion_a.velocity_of(arm_a);
    let velocity_b = motion_b.velocity_of(arm_b);
    let approach_speed = velocity_a.saturating_sub(velocity_b).dot(found.normal);
    if approach_speed <= state.config.restitution_threshold {
        return None;
    }
    // Velocity changes of the lighter body that moves.
    let sum: i128 =
        block.points[..found.points().len()].iter().map(|point| i128::from(point.total[lane])).sum();
    let change = sum << (32 - IMPULSE_BITS) >> block.scale[lane];
    let change = Fx::from_bits(change.min(i128::from(i64::MAX)) as i64);
    let lighter = state.lighter_mass([body_a, body_b], |body| state.is_awake(body));
    let point = if state.is_awake(body_a) {
        motion_a.center.saturating_add(arm_a)
    } else {
        motion_b.center.saturating_add(arm_b)
    };
    Some(Event::ContactImpact {
        a: state.collider_handle(a),
        b: state.collider_handle(b),
        approach_speed,
        impulse: change.saturating_mul(lighter.map_or(Fx::ZERO, Mass::to_fx)),
        point,
        normal: found.normal,
    })
}
