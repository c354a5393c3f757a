//! Where colliders touch, and what that wakes; [`pairs`](super::pairs) are what may touch.

use super::{Scratch, World};
use crate::body::BodyKind;
use crate::config::WorldConfig;
use crate::state::State;
use crate::world::derived::Meeting;
use isostep_collision::manifold::{ContactPoint, Found, each_contact_at};
use isostep_math::wide::Level;
use isostep_math::{Fx, Vec3};

impl World {
    /// Wakes islands that something awake, or a kinematic body that moves, touches or is about to, however fast that is; and
    /// those that a command put something into.
    pub(super) fn wake_what_is_hit(&mut self) {
        let mut seeds = core::mem::take(&mut self.scratch.seeds);
        seeds.clear();
        self.find_sleepers_in_the_way(&mut seeds);
        self.scratch.seeds = seeds;
        self.probe_arrivals();
        let Self { state, derived, scratch, .. } = self;
        let Scratch { probes, seeds, .. } = scratch;
        // What rests on a kinematic body that begins to move goes with it, or falls.
        if derived.kinematic.iter().any(|&body| moves(state, body)) {
            for pair in state.asleep.contacts.pairs.iter().filter(|pair| pair.touching) {
                let [a, b] = state.bodies_of(pair.a, pair.b);
                if moves(state, a) || moves(state, b) {
                    seeds.push(if moves(state, a) { b } else { a });
                }
            }
            // So does what hangs on it.
            for (_, joint) in state.alive_joints() {
                let [a, b] = joint.bodies;
                if moves(state, a) || moves(state, b) {
                    let other = if moves(state, a) { b } else { a };
                    seeds.extend(state.motions[other].asleep.then_some(other));
                }
            }
        }
        if probes.is_empty() && seeds.is_empty() {
            return;
        }
        let margin = state.config.speculative_margin;
        each_contact_at(Level::current(), &derived.shapes, probes, margin, &mut |contacts| {
            for found in contacts.iter() {
                let (a, b) = probes[found.pair as usize];
                if is_about_to_touch(state, (a, b), &found) {
                    let asleep = state.bodies_of(a, b).into_iter().filter(|&body| state.motions[body].asleep);
                    seeds.extend(asleep);
                }
            }
        });
        if seeds.is_empty() {
            return;
        }
        let woken = core::mem::take(seeds);
        self.wake(&woken);
        self.scratch.seeds = woken;
        self.find_pairs();
    }

    /// Lists what sleeps where a command put something that no contact moves, to be looked at with what may be hit; of more
    /// pairs than there may be the first ones, by slots of what was put there.
    fn probe_arrivals(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { probes, near, pair_limits, .. } = scratch;
        // A level that is built has much that came, and nobody who sleeps.
        if !state.arrived.is_empty() && state.motions.items().iter().any(|motion| motion.asleep) {
            for &collider in &state.arrived {
                let room = pair_limits.pairs.saturating_sub(probes.len());
                if room == 0 {
                    break;
                }
                let Some(aabb) = derived.tree.aabb(collider) else {
                    debug_assert!(false, "all colliders are in the tree");
                    continue;
                };
                derived.tree.query_aabb(&aabb, u32::MAX, near);
                near.retain(|&other| {
                    derived.rest(derived.owner(other)).is_asleep
                        && derived.meeting(state, collider, other) == Meeting::Solid
                });
                near.sort_unstable();
                near.truncate(room);
                probes.extend(near.iter().map(|&other| (collider.min(other), collider.max(other))));
            }
        }
        state.arrived.clear();
    }

    /// Where the pairs touch.
    pub(super) fn find_contacts(&mut self) {
        let Self { state, derived, scratch, crew, .. } = self;
        let Scratch { pairs, incoming, .. } = scratch;
        incoming.find(derived, pairs, state.config.speculative_margin, crew);
        self.leave_out_seams();
        self.scratch.incoming.count_up();
    }
}

/// Whether a kinematic body moves.
pub(in crate::world) fn moves(state: &State, body: u32) -> bool {
    let motion = &state.motions[body];
    state.bodies[body].kind == BodyKind::Kinematic
        && (motion.linear_velocity != Vec3::ZERO || motion.angular_velocity != Vec3::ZERO)
}

/// Whether a point touches, or would with the velocities of now after a tick and the substep beyond it that the solver
/// looks ahead: what that sees must be awake, or it is a wall.
fn is_about_to_touch(state: &State, (a, b): (u32, u32), found: &Found<'_>) -> bool {
    let WorldConfig { substeps, .. } = state.config;
    let horizon = Fx::from_ratio(i64::from(substeps + 1), i64::from(state.config.substep_rate()));
    let [body_a, body_b] = state.bodies_of(a, b);
    found.points().map(ContactPoint::from).any(|point| {
        let velocity = |body: u32, anchor: Vec3| {
            let motion = &state.motions[body];
            motion.velocity_of(motion.rotation * anchor)
        };
        let apart = velocity(body_b, point.anchor_b).saturating_sub(velocity(body_a, point.anchor_a));
        let speed = apart.dot(found.normal);
        point.separation.saturating_add(speed * horizon) <= Fx::ZERO
    })
}
