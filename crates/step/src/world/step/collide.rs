//! Where colliders touch, and what that wakes; [`pairs`](super::pairs) are what may touch.

use super::{Scratch, World};
use crate::body::BodyKind;
use crate::config::WorldConfig;
use crate::state::State;
use crate::world::derived::Meeting;
use alloc::vec::Vec;
use isostep_collision::manifold::{ContactPoint, each_contact_at};
use isostep_math::wide::Level;
use isostep_math::{Fx, Vec3, fx};

impl World {
    /// Wakes islands that something awake, or a kinematic body that moves, touches or is about to, however fast that is; what
    /// these may be pushed into; and those that a command put something into.
    pub(super) fn wake_what_is_hit(&mut self) {
        let mut seeds = core::mem::take(&mut self.scratch.seeds);
        seeds.clear();
        self.find_sleepers_in_the_way(&mut seeds);
        self.find_riders(&mut seeds);
        self.probe_arrivals();
        loop {
            let reach = self.find_sleepers_about_to_be_hit(&mut seeds);
            if seeds.is_empty() {
                break;
            }
            self.wake_within(&seeds, reach);
            self.find_pairs();
            seeds.clear();
        }
        self.scratch.seeds = seeds;
    }

    /// What rests on a kinematic body that begins to move: it goes with it, or falls. So does what hangs on it.
    fn find_riders(&self, seeds: &mut Vec<u32>) {
        let Self { state, derived, .. } = self;
        if !derived.kinematic.iter().any(|&body| moves(state, body)) {
            return;
        }
        for pair in state.asleep.contacts.pairs.iter().filter(|pair| pair.touching) {
            let [a, b] = state.bodies_of(pair.a, pair.b);
            if moves(state, a) || moves(state, b) {
                seeds.push(if moves(state, a) { b } else { a });
            }
        }
        for (_, joint) in state.alive_joints() {
            let [a, b] = joint.bodies;
            if moves(state, a) || moves(state, b) {
                let other = if moves(state, a) { b } else { a };
                seeds.extend(state.motions[other].asleep.then_some(other));
            }
        }
    }

    /// Adds what of the probes is about to be hit, and returns how far that may be pushed in a tick.
    ///
    /// Whoever is at rest now may have been hit before the tick is over, and what it is pushed into must be awake as well: so what
    /// may come to touch something counts with the greatest speed at which any two bodies meet in its cluster. Hit by
    /// something heavy, what is light goes twice as fast.
    fn find_sleepers_about_to_be_hit(&mut self, seeds: &mut Vec<u32>) -> Fx {
        let mut reach = Fx::ZERO;
        if self.scratch.probes.is_empty() {
            return reach;
        }
        self.find_kicks();
        let Self { state, derived, scratch, .. } = self;
        let Scratch { probes, islands, kicks, .. } = scratch;
        let margin = state.config.speculative_margin;
        // The solver looks ahead to the substep beyond the tick: what that sees must be awake, or it is a wall.
        let WorldConfig { substeps, .. } = state.config;
        let horizon = Fx::from_ratio(i64::from(substeps + 1), i64::from(state.config.substep_rate()));
        let twice = horizon * fx!(2);
        each_contact_at(Level::current(), &derived.shapes, probes, margin, &mut |contacts| {
            for found in contacts.iter() {
                let (a, b) = probes[found.pair as usize];
                let bodies = state.bodies_of(a, b);
                let kick =
                    bodies.map(|body| kicks[islands.root(body) as usize]).into_iter().fold(Fx::ZERO, Fx::max);
                let pushed = kick.saturating_mul(twice);
                for point in found.points().map(ContactPoint::from) {
                    let closing = closing_speed(state, bodies, &point, found.normal);
                    let is_hit = point.separation <= closing.saturating_mul(horizon);
                    if is_hit || point.separation <= pushed && kick > Fx::ZERO {
                        seeds.extend(bodies.into_iter().filter(|&body| state.motions[body].asleep));
                        reach = reach.max(pushed).max(closing.saturating_mul(twice));
                    }
                }
            }
        });
        reach
    }

    /// Finds the clusters of awake bodies that may touch, and in each with which speed any two of them may meet at the most: that
    /// of the ends of both, whichever way they lie. What is so slow that it may sleep pushes nobody, nor does what is fixed.
    fn find_kicks(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { pairs, islands, kicks, .. } = scratch;
        let least = state.config.sleep_speed;
        islands.reset(state.bodies.len());
        kicks.clear();
        kicks.resize(state.bodies.len(), Fx::ZERO);
        let bodies = || pairs.iter().map(|&(a, b)| [a, b].map(|collider| derived.owner(collider)));
        for [a, b] in bodies() {
            if state.is_awake(a) && state.is_awake(b) {
                islands.join(a, b);
            }
        }
        for [a, b] in bodies() {
            if !state.is_active(a) || !state.is_active(b) {
                continue;
            }
            let turning = |body: u32| {
                let turn = state.motions[body].angular_velocity.length();
                turn.saturating_mul(derived.sizes[body as usize].extent)
            };
            let parting = state.motions[b].linear_velocity.saturating_sub(state.motions[a].linear_velocity);
            let speed = parting.length().saturating_add(turning(a)).saturating_add(turning(b));
            for body in [a, b] {
                if speed > least && state.is_awake(body) {
                    let kick = &mut kicks[islands.root(body) as usize];
                    *kick = (*kick).max(speed);
                }
            }
        }
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
                let aabb = derived.bounds(collider);
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

/// How fast two bodies come closer at a point.
fn closing_speed(state: &State, [a, b]: [u32; 2], point: &ContactPoint, normal: Vec3) -> Fx {
    let velocity = |body: u32, anchor: Vec3| {
        let motion = &state.motions[body];
        motion.velocity_of(motion.rotation * anchor)
    };
    let apart = velocity(b, point.anchor_b).saturating_sub(velocity(a, point.anchor_a));
    Fx::ZERO.saturating_sub(apart.dot(normal))
}
