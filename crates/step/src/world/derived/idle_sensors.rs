//! What is in sensors that no step looks at, because neither body is active.

use super::parties::Party;
use super::{Derived, IN_TREE, Meeting};
use crate::handle::NONE;
use crate::state::State;
use alloc::vec::Vec;
use isostep_collision::manifold::PosedShapes;
use isostep_collision::overlaps;

/// A look for all that overlaps a collider takes as long as so many pairs do that are looked at again.
const PAIRS_OF_A_LOOK: usize = 4;

/// Pairs of a sensor and what overlaps it, of bodies that stay where they are: one sleeps, or was held at the edge of
/// the world, and so does the other, or it is fixed.
///
/// Of what changed since they were found, only bodies matter that were in such a pair, or may be now.
#[derive(Clone, Debug, Default)]
pub(super) struct IdleSensors {
    /// By ascending slots: the sensor, and what is in it.
    pairs: Vec<(u32, u32)>,
    /// All sensors, by ascending slots.
    sensors: Vec<u32>,
    /// What meets what changed.
    all_stale: bool,
    /// By slots of bodies: whether steps neither move one nor look for what meets it, and whether that is listed below.
    idle: Vec<bool>,
    noted: Vec<bool>,
    /// Bodies and colliders that changed, or that their bodies did.
    bodies: Vec<u32>,
    colliders: Vec<u32>,
    found: Vec<u32>,
    fresh: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
}

impl IdleSensors {
    /// What meets what changed.
    pub(super) fn forget(&mut self) {
        self.all_stale = true;
    }

    /// A body changed, or came or went.
    pub(super) fn note_body(&mut self, state: &State, body: u32) {
        let is_idle = is_idle(state, body);
        if self.idle.len() <= body as usize {
            let count = state.bodies.len().max(body as usize + 1);
            self.idle.resize(count, false);
            self.noted.resize(count, false);
        }
        let was_idle = core::mem::replace(&mut self.idle[body as usize], is_idle);
        if (was_idle || is_idle) && !core::mem::replace(&mut self.noted[body as usize], true) {
            self.bodies.push(body);
        }
    }

    /// A collider changed, or came or went.
    pub(super) fn note_collider(&mut self, collider: u32) {
        self.colliders.push(collider);
    }

    /// Takes the pairs out of which something is noted, and those that were found for that in.
    fn renew(&mut self, parties: &[Party]) {
        let Self { pairs, noted, colliders, fresh, merged, .. } = self;
        colliders.sort_unstable();
        let is_noted = |collider: u32| {
            let owner = parties[collider as usize].body;
            noted.get(owner as usize).is_some_and(|&noted| noted)
                || colliders.binary_search(&collider).is_ok()
        };
        let kept = pairs.iter().filter(|pair| !is_noted(pair.0) && !is_noted(pair.1));
        merged.clear();
        each_of_both(kept, fresh.iter(), |pair, _| merged.push(pair));
        core::mem::swap(pairs, merged);
    }

    /// Brings the list of sensors up to date, and notes the bodies of colliders that came or changed.
    fn list_sensors(&mut self, state: &State, parties: &[Party]) {
        for at in 0..self.colliders.len() {
            let collider = self.colliders[at];
            let Party { body, sensor, .. } = parties[collider as usize];
            match self.sensors.binary_search(&collider) {
                Err(place) if sensor => self.sensors.insert(place, collider),
                Ok(place) if !sensor => {
                    self.sensors.remove(place);
                }
                _ => {}
            }
            if body != NONE {
                self.note_body(state, body);
            }
        }
    }

    fn forget_notes(&mut self) {
        for body in self.bodies.drain(..) {
            self.noted[body as usize] = false;
        }
        self.colliders.clear();
    }
}

/// Visits what two ascending lists have, in their order and each once, with which of the lists have it.
pub(crate) fn each_of_both<'a>(
    a: impl Iterator<Item = &'a (u32, u32)>,
    b: impl Iterator<Item = &'a (u32, u32)>,
    mut visit: impl FnMut((u32, u32), [bool; 2]),
) {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    while let Some(&pair) = [a.peek(), b.peek()].into_iter().flatten().copied().min() {
        visit(pair, [a.next_if_eq(&&pair).is_some(), b.next_if_eq(&&pair).is_some()]);
    }
}

/// Whether there is a body that steps neither move nor look for what meets it.
fn is_idle(state: &State, body: u32) -> bool {
    state.bodies.get(body).is_some_and(|item| item.alive) && !state.is_active(body)
}

/// Whether a sensor has something in it that no step looks for.
fn has(state: &State, parties: &[Party], shapes: &PosedShapes, (sensor, visitor): (u32, u32)) -> bool {
    let (own, other) = (&parties[sensor as usize], &parties[visitor as usize]);
    let is_fixed = |body: u32| state.bodies[body].is_fixed();
    !(state.is_active(own.body) || state.is_active(other.body) || is_fixed(own.body) && is_fixed(other.body))
        && own.meets(other, state) == Meeting::Sensor
        && overlaps(shapes.world(sensor as usize), shapes.world(visitor as usize))
}

impl Derived {
    /// What is in sensors of which a step finds no pairs, by ascending slots: the sensor, and what is in it.
    pub(crate) fn idle_in_sensors(&self) -> &[(u32, u32)] {
        &self.idle_sensors.pairs
    }

    /// Brings that up to date, after the tree.
    pub(super) fn refresh_idle_sensors(&mut self, state: &State) {
        let Self { idle_sensors: own, parties, .. } = self;
        own.list_sensors(state, parties);
        let looks = PAIRS_OF_A_LOOK * own.bodies.len();
        if core::mem::take(&mut own.all_stale) || looks >= own.pairs.len() + own.sensors.len() {
            self.find_all_in_idle_sensors(state);
        } else if !own.bodies.is_empty() || !own.colliders.is_empty() {
            self.find_what_changed_in_idle_sensors(state);
        }
        self.idle_sensors.forget_notes();
    }

    fn find_all_in_idle_sensors(&mut self, state: &State) {
        let Self { shapes, tree, parties, idle_sensors: IdleSensors { pairs, sensors, found, .. }, .. } =
            self;
        pairs.clear();
        for &sensor in sensors.iter() {
            if state.is_active(parties[sensor as usize].body) {
                continue;
            }
            let aabb = tree.aabb(sensor).expect(IN_TREE);
            tree.query_aabb(&aabb, u32::MAX, found);
            pairs.extend(
                found
                    .iter()
                    .map(|&visitor| (sensor, visitor))
                    .filter(|&pair| has(state, parties, shapes, pair)),
            );
        }
    }

    fn find_what_changed_in_idle_sensors(&mut self, state: &State) {
        let Self { shapes, tree, parties, idle_sensors: own, .. } = self;
        own.fresh.clear();
        for &body in own.bodies.iter().filter(|&&body| is_idle(state, body)) {
            for collider in state.colliders_of(body) {
                let aabb = tree.aabb(collider).expect(IN_TREE);
                tree.query_aabb(&aabb, u32::MAX, &mut own.found);
                let is_sensor = parties[collider as usize].sensor;
                own.fresh.extend(
                    own.found
                        .iter()
                        .filter(|&&other| is_sensor != parties[other as usize].sensor)
                        .map(|&other| if is_sensor { (collider, other) } else { (other, collider) })
                        .filter(|&pair| has(state, parties, shapes, pair)),
                );
            }
        }
        own.fresh.sort_unstable();
        own.fresh.dedup();
        own.renew(parties);
    }
}
