//! Waking and falling asleep, by islands.
//!
//! An island is what hangs together by touching or by joints: it sleeps as a whole and wakes as a whole. Which bodies
//! made the island of a sleeping one follows from the joints and the contacts that sleep with it, so no list of islands is
//! state. Of the dynamic bodies of a joint, both sleep or none does, but for one that left the world.

use super::World;
use super::step::collide::moves;
use crate::joint::{Joint, JointKind, Motor};
use crate::state::{Asleep, State};
use alloc::vec::Vec;
use isostep_collision::manifold::{ContactPoint, each_contact_at};
use isostep_math::Fx;
use isostep_math::wide::Level;

/// Sets of bodies that hang together: a forest in which each body points to another one of its set, the root to
/// itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    parents: Vec<u32>,
}

impl Islands {
    /// Each body on its own.
    pub(crate) fn reset(&mut self, bodies: usize) {
        self.parents.clear();
        self.parents.extend(0..bodies as u32);
    }

    /// The body that stands for the set.
    pub(crate) fn root(&mut self, mut body: u32) -> u32 {
        while self.parents[body as usize] != body {
            let parent = self.parents[body as usize];
            self.parents[body as usize] = self.parents[parent as usize];
            body = parent;
        }
        body
    }

    /// Makes one set of two. The lower root stands for it, so that nothing depends on the order of calls.
    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

impl World {
    /// Wakes the islands of bodies, and lets them rest anew where they were awake.
    pub(super) fn wake(&mut self, seeds: &[u32]) {
        self.wake_within(seeds, Fx::ZERO);
    }

    /// As [`wake`](Self::wake), with the islands that lie closer to these than `reach`, and those that lie so close to them in turn.
    pub(super) fn wake_within(&mut self, seeds: &[u32], reach: Fx) {
        for &body in seeds {
            if self.state.motions[body].still_ticks != 0 && !self.state.motions[body].asleep {
                let token = self.tokens.draw();
                self.state.motions.change(body, token).still_ticks = 0;
            }
        }
        if !seeds.iter().any(|&body| self.state.motions[body].asleep) {
            return;
        }
        let Self { state, tokens, derived, scratch, .. } = self;
        let islands = &mut scratch.islands;
        islands.reset(state.bodies.len());
        let near = &mut scratch.probes;
        near.clear();
        for pair in &state.asleep.contacts.pairs {
            let [a, b] = state.bodies_of(pair.a, pair.b);
            if !state.motions[a].asleep || !state.motions[b].asleep {
                continue;
            }
            if pair.touching {
                islands.join(a, b);
            } else if reach > Fx::ZERO {
                near.push((pair.a, pair.b));
            }
        }
        let margin = state.config.speculative_margin;
        each_contact_at(Level::current(), &derived.shapes, near, margin, &mut |contacts| {
            for found in contacts.iter() {
                if found.points().map(ContactPoint::from).any(|point| point.separation <= reach) {
                    let (a, b) = near[found.pair as usize];
                    let [a, b] = state.bodies_of(a, b);
                    islands.join(a, b);
                }
            }
        });
        for (_, joint) in state.alive_joints() {
            let [a, b] = joint.bodies;
            if state.motions[a].asleep && state.motions[b].asleep {
                islands.join(a, b);
            }
        }
        scratch.wanted.clear();
        scratch.wanted.resize(state.bodies.len(), false);
        for &seed in seeds {
            scratch.wanted[islands.root(seed) as usize] = true;
        }
        let token = tokens.draw();
        for body in 0..state.bodies.len() as u32 {
            if state.motions[body].asleep && scratch.wanted[islands.root(body) as usize] {
                let motion = state.motions.change(body, token);
                (motion.asleep, motion.still_ticks) = (false, 0);
                state.news.woken.push(body);
                derived.body_changed(body);
            }
        }
        self.sort_contacts();
    }

    /// Wakes a body and all that it touches or is joined to, whatever it is: the ground may be about to go. What is awake rests
    /// anew.
    pub(super) fn wake_around(&mut self, body: u32) {
        let state = &self.state;
        let mut seeds = alloc::vec![body];
        for pair in state.contacts.pairs.iter().chain(&state.asleep.contacts.pairs) {
            let [a, b] = state.bodies_of(pair.a, pair.b);
            if a == body || b == body {
                seeds.push(if a == body { b } else { a });
            }
        }
        seeds.extend(state.joints_of(body).flat_map(|(_, joint)| joint.bodies));
        self.wake(&seeds);
    }

    /// Wakes all bodies.
    pub(super) fn wake_all(&mut self) {
        let all: Vec<u32> = (0..self.state.bodies.len() as u32).collect();
        self.wake(&all);
    }

    /// Keeps contacts with the awake apart from those of the sleeping.
    pub(super) fn sort_contacts(&mut self) {
        self.derived.refresh_order(&self.state);
        let Self { state, tokens, derived, scratch, .. } = self;
        let rank = |collider| derived.rank(collider);
        let [mut contacts, mut asleep] =
            [&mut state.contacts, &mut state.asleep.contacts].map(core::mem::take);
        asleep.move_to(&mut contacts, &mut scratch.contacts, rank, |pair| !state.sleeps(pair));
        contacts.move_to(&mut asleep, &mut scratch.contacts, rank, |pair| state.sleeps(pair));
        state.contacts = contacts;
        state.asleep = Asleep { contacts: asleep, token: tokens.draw() };
    }

    /// Puts islands to sleep of which every body was at rest for long enough.
    pub(super) fn fall_asleep(&mut self, fell_asleep: &mut Vec<u32>) {
        fell_asleep.clear();
        let Self { state, tokens, derived, scratch, .. } = self;
        let ready = state.config.sleep_ticks;
        if !state.config.sleeping
            || !derived.awake.iter().any(|&body| state.motions[body].still_ticks >= ready)
        {
            return;
        }
        let islands = &mut scratch.islands;
        islands.reset(state.bodies.len());
        let wanted = &mut scratch.wanted;
        wanted.clear();
        wanted.resize(state.bodies.len(), true);
        let touching = state.contacts.pairs.iter().filter(|pair| pair.touching);
        let touching = touching.map(|pair| state.bodies_of(pair.a, pair.b));
        // One that broke in this step is in the list still.
        let joined = derived.joints.iter().map(|&slot| &state.joints[slot]).filter(|joint| joint.alive);
        let linked = touching.chain(joined.clone().map(|joint| joint.bodies));
        let held = &mut scratch.held;
        held.clear();
        held.resize(state.bodies.len(), false);
        for [a, b] in linked.clone() {
            if state.is_movable(a) && state.is_movable(b) {
                islands.join(a, b);
            }
        }
        for [a, b] in linked {
            for (body, other) in [(a, b), (b, a)] {
                if moves(state, other) {
                    wanted[islands.root(body) as usize] = false;
                }
                if !state.is_movable(other) {
                    held[islands.root(body) as usize] = true;
                }
            }
        }
        let driven = joined.filter(|joint| creeps(state, joint)).flat_map(|joint| joint.bodies);
        for body in driven.filter(|&body| state.is_movable(body)) {
            wanted[islands.root(body) as usize] = false;
        }
        for &body in &derived.awake {
            let is_ready = state.motions[body].still_ticks >= ready && state.bodies[body].can_sleep;
            let root = islands.root(body) as usize;
            if !is_ready || !held[root] && falls(state, body) {
                wanted[root] = false;
            }
        }
        let token = tokens.draw();
        for &body in &derived.awake {
            // One that left the world in this step is in the list still.
            if wanted[islands.root(body) as usize] && state.is_awake(body) {
                fell_asleep.push(body);
                sleep(state, body, token);
            }
        }
        for &body in fell_asleep.iter() {
            derived.body_changed(body);
        }
        if !fell_asleep.is_empty() {
            self.sort_contacts();
        }
    }
}

/// Whether gravity moves a body if nothing holds its island. One that has only begun to fall, on a moon, is slow.
fn falls(state: &State, index: u32) -> bool {
    let body = &state.bodies[index];
    let pulls = |axis: usize| {
        !body.flags.locks.translation(axis) && state.config.gravity.to_array()[axis] != Fx::ZERO
    };
    body.gravity_scale != Fx::ZERO && (0..3).any(pulls)
}

/// Whether a motor is to drive a body so slowly that it is at rest by its speed.
fn creeps(state: &State, joint: &Joint) -> bool {
    let most = state.config.sleep_speed;
    let is_slow = |speed: Fx| speed != Fx::ZERO && (-most..=most).contains(&speed);
    let motor = |motor: Option<Motor>| {
        motor.filter(|motor| motor.spring.is_none() && motor.max_force > Fx::ZERO).map(|motor| motor.velocity)
    };
    let turn = match joint.kind {
        JointKind::Slider { motor: own, .. } | JointKind::Distance { motor: own, .. } => {
            return motor(own).is_some_and(is_slow);
        }
        JointKind::Hinge { motor: own, .. } => motor(own),
        JointKind::Wheel { suspension, motor: own, .. } => {
            if motor(suspension).is_some_and(is_slow) {
                return true;
            }
            motor(own)
        }
        JointKind::Ball { motor, .. } => motor
            .filter(|motor| motor.spring.is_none() && motor.max_torque > Fx::ZERO)
            .map(|motor| motor.velocity.length()),
        _ => None,
    };
    let extents = joint.bodies.iter().filter(|&&body| state.is_movable(body));
    let mut extents = extents.map(|&body| state.bodies[body].mass.extent);
    turn.is_some_and(|turn| extents.any(|extent| is_slow(turn.saturating_mul(extent))))
}

fn sleep(state: &mut State, body: u32, token: u64) {
    let motion = state.motions.change(body, token);
    motion.asleep = true;
    (motion.linear_velocity, motion.angular_velocity) = Default::default();
}
