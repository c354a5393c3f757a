//! What is in sensors that no step looks at, because neither body is active.

use super::{Derived, Meeting};
use crate::collider::Collider;
use crate::state::State;
use alloc::vec::Vec;
use isostep_collision::overlaps;

/// Pairs of a sensor and what overlaps it, of bodies that stay where they are: one sleeps, or was held at the edge of
/// the world, and so does the other, or it is fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct IdleSensors {
    /// By ascending slots: the sensor, and what is in it.
    pairs: Vec<(u32, u32)>,
    /// Something changed that pairs may be of.
    stale: bool,
    /// By slots of bodies: whether pairs may be of one.
    idle: Vec<bool>,
    found: Vec<u32>,
}

impl IdleSensors {
    /// What meets what changed.
    pub(super) fn forget(&mut self) {
        self.stale = true;
    }

    /// A body changed, or came or went.
    pub(super) fn note_body(&mut self, state: &State, body: u32) {
        let is_idle = is_idle(state, body);
        if self.idle.len() <= body as usize {
            self.idle.resize(state.bodies.len().max(body as usize + 1), false);
        }
        let was_idle = core::mem::replace(&mut self.idle[body as usize], is_idle);
        self.stale |= was_idle || is_idle;
    }

    /// A collider changed of which this body is the owner, or was.
    pub(super) fn note_collider(&mut self, state: &State, body: u32) {
        let was_idle = self.idle.get(body as usize).is_some_and(|&was_idle| was_idle);
        self.stale |= was_idle || is_idle(state, body);
    }
}

/// Whether there is a body that steps neither move nor look for what meets it.
fn is_idle(state: &State, body: u32) -> bool {
    state.bodies.get(body).is_some_and(|item| item.alive) && !state.is_active(body)
}

impl Derived {
    /// What is in sensors of which a step finds no pairs, by ascending slots: the sensor, and what is in it.
    pub(crate) fn idle_in_sensors(&self) -> &[(u32, u32)] {
        &self.idle_sensors.pairs
    }

    /// Brings that up to date, after the tree.
    pub(super) fn refresh_idle_sensors(&mut self, state: &State) {
        if !core::mem::take(&mut self.idle_sensors.stale) {
            return;
        }
        let Self { shapes, tree, parties, idle_sensors: IdleSensors { pairs, found, .. }, .. } = self;
        pairs.clear();
        let is_idle_sensor =
            |collider: &Collider| collider.alive && collider.sensor && !state.is_active(collider.body);
        for (sensor, index) in
            state.colliders.items().iter().zip(0..).filter(|(item, _)| is_idle_sensor(item))
        {
            let Some(aabb) = tree.aabb(index) else {
                debug_assert!(false, "all colliders are in the tree");
                continue;
            };
            tree.query_aabb(&aabb, u32::MAX, found);
            let is_fixed = |body: u32| state.bodies[body].is_fixed();
            pairs.extend(found.iter().map(|&visitor| (index, visitor)).filter(|&(_, visitor)| {
                let (own, other) = (&parties[index as usize], &parties[visitor as usize]);
                let body = other.body;
                !(state.is_active(body) || is_fixed(sensor.body) && is_fixed(body))
                    && own.meets(other, state) == Meeting::Sensor
                    && overlaps(shapes.world(index as usize), shapes.world(visitor as usize))
            }));
        }
    }
}
