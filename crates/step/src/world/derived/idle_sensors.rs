//! What is in sensors that no step looks at, because neither body is active.

use super::Derived;
use crate::collider::Collider;
use crate::state::State;
use crate::world::step::collide::{Meeting, meeting};
use alloc::vec::Vec;
use isostep_collision::overlaps;

/// Pairs of a sensor and what overlaps it, of bodies that stay where they are: one sleeps, or was held at the edge of
/// the world, and so does the other, or it is fixed.
#[derive(Clone, Debug, Default)]
pub(super) struct IdleSensors {
    /// By ascending slots: the sensor, and what is in it.
    pairs: Vec<(u32, u32)>,
    /// A body or collider changed, or what meets what.
    pub(super) stale: bool,
    found: Vec<u32>,
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
        let Self { shapes, tree, idle_sensors: IdleSensors { pairs, found, .. }, .. } = self;
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
                let body = state.colliders[visitor].body;
                !(state.is_active(body) || is_fixed(sensor.body) && is_fixed(body))
                    && meeting(state, &[], index, visitor) == Meeting::Sensor
                    && overlaps(shapes.world(index as usize), shapes.world(visitor as usize))
            }));
        }
    }
}
