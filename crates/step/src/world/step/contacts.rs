//! Contacts on their way into the solver's blocks, and out again.

use super::collide::is_awake;
use super::manifolds::{Manifolds, Place};
use super::{Scratch, World};
use crate::body::{Body, BodyKind, Motion};
use crate::collider::Collider;
use crate::contact::{ContactPair, Contacts, PointImpulse};
use crate::event::Event;
use crate::material::ContactMaterial;
use crate::solver::bodies::Bodies;
use crate::solver::colors::Coloring;
use crate::solver::prepare::ABSENT;
use crate::solver::softness::Softness;
use crate::solver::{BLOCK, Block, IMPULSE_BITS, SHARE_BITS};
use crate::state::State;
use crate::tracked::Tracked;
use alloc::vec::Vec;
use isostep_collision::manifold::{ContactPoint, Manifold};
use isostep_math::{Fx, Vec3, fx};

/// A contact ends where all its points are farther apart than this: one that begins does so at 0.
const PARTED: Fx = fx!(0.005);

/// What a contact has instead of one of the step before.
const NONE: u32 = u32::MAX;

/// Contacts of a chunk.
const CHUNK: usize = 128;

/// Of fewer contacts one thread takes the impulses out.
const SHARED_CONTACTS: usize = 1024;

/// A contact on its way into a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incoming {
    manifold: Place,
    /// The number of its pair.
    pair: u32,
    records: [u32; 2],
    /// The number of its first point.
    point: u32,
    /// The number of the same contact in the step before, or `NONE`, and of its first point there.
    old: u32,
    old_point: u32,
}

impl World {
    /// Finds the contacts in the step before, and a block and a lane for each.
    pub(super) fn place_contacts(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { manifolds, pairs, bodies, coloring, blocks, incoming, .. } = scratch;
        let colliders = &state.colliders;
        let before = &state.contacts.pairs;
        let key = |a: u32, b: u32| (derived.rank(a), derived.rank(b));
        let (mut point, mut old, mut old_point) = (0, 0, 0);
        incoming.clear();
        incoming.extend(manifolds.iter().map(|(place, pair, manifold)| {
            let (a, b) = pairs[pair as usize];
            while before.get(old as usize).is_some_and(|old| key(old.a, old.b) < key(a, b)) {
                old_point += u32::from(before[old as usize].count);
                old += 1;
            }
            let is_known = before.get(old as usize).is_some_and(|old| (old.a, old.b) == (a, b));
            let contact = Incoming {
                manifold: place,
                pair,
                records: [bodies.record(colliders[a].body), bodies.record(colliders[b].body)],
                point,
                old: if is_known { old } else { NONE },
                old_point,
            };
            point += manifold.points().len() as u32;
            contact
        }));
        let records = incoming.iter().map(|contact| (contact.records[0], contact.records[1]));
        coloring.assign(bodies.slots.len(), records, |record| bodies.is_movable(record));
        blocks.resize(coloring.blocks, Block::NONE);
    }

    /// Takes the impulses out, and says which contacts began, ended or hit.
    pub(super) fn take_contacts(&mut self) {
        let Self { state, scratch, events, crew, .. } = self;
        let Scratch { manifolds, pairs, bodies, coloring, blocks, incoming, contacts: [next, _], .. } =
            scratch;
        let Scratch { bounds: [bounds, point_bounds], speeds, .. } = scratch;
        let (manifolds, incoming, before) = (&*manifolds, &*incoming, &state.contacts.pairs);
        let points = incoming
            .last()
            .map_or(0, |last| last.point as usize + manifolds.at(last.manifold).points().len());
        next.clear();
        next.pairs.resize(incoming.len(), ContactPair::default());
        next.points.resize(points, PointImpulse::default());
        bounds.clear();
        bounds.extend((0..incoming.len() as u32).step_by(CHUNK));
        point_bounds.clear();
        point_bounds.extend(incoming.iter().step_by(CHUNK).map(|contact| contact.point));
        bounds.push(incoming.len() as u32);
        point_bounds.push(points as u32);
        let is_worth_it = incoming.len() >= SHARED_CONTACTS;
        let parts = (&mut next.pairs[..], &mut next.points[..]);
        crew.for_each_of_two(parts, [bounds, point_bounds], is_worth_it, |chunk, next, mut points| {
            let contacts = incoming.iter().zip(&coloring.places).skip(chunk * CHUNK);
            for (pair, (contact, &(block, lane))) in next.iter_mut().zip(contacts) {
                let manifold = manifolds.at(contact.manifold);
                let (own, rest) = core::mem::take(&mut points).split_at_mut(manifold.points().len());
                points = rest;
                let touched = before.get(contact.old as usize).is_some_and(|old| old.touching);
                let (a, b) = pairs[contact.pair as usize];
                let (block, lane) = (&blocks[block as usize], usize::from(lane));
                *pair = remembered((a, b), manifold, touched, block, lane, own);
            }
        });

        speeds.clear();
        speeds.push(Fx::ZERO);
        speeds
            .extend(bodies.slots[1..].iter().map(|&slot| fastest(&state.bodies[slot], &state.motions[slot])));
        let ended = |pair: &ContactPair| Event::ContactEnd {
            a: state.collider_handle(pair.a),
            b: state.collider_handle(pair.b),
        };
        // Two that fell asleep, or a body that became fixed, do not part.
        let gone = |pairs: &[ContactPair], events: &mut Vec<Event>| {
            events.extend(pairs.iter().filter(|old| old.touching).map(ended));
        };
        let mut next_old = 0;
        for ((pair, contact), &(block, lane)) in next.pairs.iter().zip(incoming).zip(&coloring.places) {
            let mut touched = false;
            if contact.old != NONE {
                let old = contact.old as usize;
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
            let [speed_a, speed_b] = contact.records.map(|record| speeds[record as usize]);
            if speed_a.saturating_add(speed_b) > state.config.restitution_threshold {
                let (block, lane) = (&blocks[block as usize], usize::from(lane));
                if is_pressed(block, lane, usize::from(pair.count)) {
                    events.extend(impact(state, pair, manifolds.at(contact.manifold), block, lane));
                }
            }
        }
        gone(&before[next_old..], events);
        debug_assert_eq!(bodies.slots.len(), bodies.velocities.len());
        core::mem::swap(&mut state.contacts, next);
    }
}

/// Puts contacts into blocks, with the impulses that their points had in the step before.
pub(super) struct Filling<'a> {
    colliders: &'a Tracked<Collider>,
    pairs: &'a [(u32, u32)],
    manifolds: &'a Manifolds,
    incoming: &'a [Incoming],
    /// The contact of each lane of each block, if there is one.
    lanes: &'a [u32],
    before: &'a Contacts,
    bodies: &'a Bodies,
    softness: [Softness; 2],
}

impl<'a> Filling<'a> {
    /// Of the contacts that were placed.
    pub(super) fn new(state: &'a State, scratch: Sources<'a>) -> Self {
        let Sources { pairs, manifolds, incoming, coloring, bodies } = scratch;
        Self {
            colliders: &state.colliders,
            pairs,
            manifolds,
            incoming,
            lanes: &coloring.contacts,
            before: &state.contacts,
            bodies,
            softness: Softness::of_contacts(&state.config),
        }
    }

    /// Fills the blocks from number `first` on. What else is in a lane is of an earlier step, and means nothing: no row
    /// of a lane without a contact moves record 0.
    pub(super) fn fill(&self, first: usize, blocks: &mut [Block]) {
        for (block, lanes) in blocks.iter_mut().zip(self.lanes.chunks(BLOCK).skip(first)) {
            (block.count, block.locked, block.rolls) = (0, false, false);
            for (lane, &number) in lanes.iter().enumerate() {
                match self.incoming.get(number as usize) {
                    Some(contact) => self.put(contact, block, lane),
                    None => (block.a[lane], block.b[lane]) = (0, 0),
                }
            }
        }
    }

    fn put(&self, contact: &Incoming, block: &mut Block, lane: usize) {
        let (a, b) = self.pairs[contact.pair as usize];
        let manifold = self.manifolds.at(contact.manifold);
        let [record_a, record_b] = contact.records;
        let [even, uneven] = &self.softness;
        let softness = if self.bodies.are_uneven(record_a, record_b) { uneven } else { even };
        let material = self.colliders[a].material.combine(&self.colliders[b].material);
        (block.a[lane], block.b[lane]) = (record_a, record_b);
        block.softness.set(lane, softness);
        let order = order_of(manifold.points());
        place(block, lane, manifold, order, &material, [record_a != 0, record_b != 0]);
        let old = self.before.pairs.get(contact.old as usize);
        let old = old
            .map(|pair| (pair, &self.before.points[contact.old_point as usize..][..usize::from(pair.count)]));
        impulses(block, lane, manifold, order, old);
    }
}

/// What [`Filling`] takes from the step.
pub(super) struct Sources<'a> {
    pub(super) pairs: &'a [(u32, u32)],
    pub(super) manifolds: &'a Manifolds,
    pub(super) incoming: &'a [Incoming],
    pub(super) coloring: &'a Coloring,
    pub(super) bodies: &'a Bodies,
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

/// Puts the impulses of the step before into a lane.
fn impulses(
    block: &mut Block,
    lane: usize,
    manifold: &Manifold,
    order: [usize; 4],
    old: Option<(&ContactPair, &[PointImpulse])>,
) {
    let (friction, twist) = old.map_or(([0; 3], 0), |(pair, _)| (pair.friction, pair.twist));
    for (column, component) in block.friction_before.iter_mut().zip(friction) {
        column[lane] = component;
    }
    let most = crate::solver::MOST_FRICTION as i32;
    block.twist_impulse[lane] = twist.clamp(-most, most);
    for (index, row) in block.points.iter_mut().enumerate() {
        let point = manifold.points().get(order[index]);
        row.impulse[lane] = match (point, old) {
            (Some(point), Some((_, points))) => {
                points.iter().find(|old| old.feature == point.feature.0).map_or(0, |old| old.normal)
            }
            _ => 0,
        };
    }
}

/// A contact as the next step will know it, with its points.
fn remembered(
    (a, b): (u32, u32),
    manifold: &Manifold,
    touched: bool,
    block: &Block,
    lane: usize,
    points: &mut [PointImpulse],
) -> ContactPair {
    let order = order_of(manifold.points());
    for ((point, row), index) in points.iter_mut().zip(&block.points).zip(order) {
        let feature = manifold.points()[index].feature.0;
        *point = PointImpulse { feature, normal: row.impulse[lane] };
    }
    let [first, second] = block.tangents;
    let [along_first, along_second] = block.friction_impulse;
    let friction = [0, 1, 2].map(|k| {
        let sum = i64::from(first[k][lane]) * i64::from(along_first[lane])
            + i64::from(second[k][lane]) * i64::from(along_second[lane]);
        crate::solver::bodies::rounded(sum, 30) as i32
    });
    let least = manifold.points().iter().map(|point| point.separation).fold(Fx::MAX, Fx::min);
    let pressed = is_pressed(block, lane, points.len());
    let touching = pressed || least <= Fx::ZERO || (touched && least < PARTED);
    ContactPair { a, b, friction, twist: block.twist_impulse[lane], count: points.len() as u8, touching }
}

/// Whether any of the points of a contact pushed the bodies apart.
fn is_pressed(block: &Block, lane: usize, points: usize) -> bool {
    block.points[..points].iter().any(|row| row.total[lane] > 0)
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
