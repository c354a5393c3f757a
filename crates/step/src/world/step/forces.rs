//! What moves bodies besides contacts: targets, gravity, forces, and what turns by itself.

use super::collide::moves;
use super::continuous::travel;
use super::gyroscopes::{self, Gyroscope, Inertia, Spin, Tick};
use super::{AHEAD, Scratch, World};
use crate::body::{AxisLocks, Body, Motion};
use crate::config::WorldConfig;
use crate::solver::bodies::{Record, Velocity, velocity_of};
use crate::solver::frames::{find_frame, held_turn, put_half_turn};
use crate::solver::{ANGULAR_BITS, LINEAR_BITS};
use isostep_math::exact::round_shift;
use isostep_math::wide::prefetch_all;
use isostep_math::{Fx, Vec3};

/// How an impulse at the centre of a body, in N·s, and an angular one, in N·m·s, change its velocities: in m/s and rad/s,
/// saturating. Nothing where it has no mass; what locks hold of the linear velocity is still in it.
pub(in crate::world) fn velocity_change(
    body: &Body,
    motion: &Motion,
    impulse: Vec3,
    angular: Vec3,
) -> (Vec3, Vec3) {
    let (linear, turn) = body.mass.velocity_change(motion.rotation, impulse, angular);
    (linear, held_turn(turn, body, motion))
}

impl World {
    /// Gives kinematic bodies the velocities that bring them to their targets; those that had one in the tick before,
    /// and have none now, stop.
    pub(super) fn steer(&mut self) {
        self.derived.refresh_lists(&self.state);
        let rate = self.state.config.ticks_per_second();
        let token = self.tokens.draw();
        for &index in &self.derived.kinematic {
            let body = &self.state.bodies[index];
            let Some(target) = body.target else {
                if self.state.motions[index].driven {
                    let motion = self.state.motions.change(index, token);
                    motion.driven = false;
                    (motion.linear_velocity, motion.angular_velocity) = Default::default();
                }
                continue;
            };
            let center = body.central_pose_of(&target).translation;
            let motion = self.state.motions.change(index, token);
            // Its logarithm is the short way.
            let turn = target.rotation.mul_quat(motion.rotation.conjugate());
            motion.driven = true;
            motion.linear_velocity = center
                .saturating_sub(motion.center)
                .saturating_scale(rate)
                .clamp_length_max(self.state.config.max_linear_speed);
            motion.angular_velocity = turn
                .to_scaled_axis()
                .saturating_scale(rate)
                .clamp_length_max(self.state.config.max_angular_speed);
        }
    }

    /// Makes the records of bodies.
    pub(super) fn gather_bodies(&mut self) {
        let Self { state, derived, scratch, crew, .. } = self;
        let substeps = Substeps::new(&state.config);
        let Scratch { incoming, bodies: records, gyroscopes, spins, inertias, joined, .. } = scratch;
        joined.clear();
        if !derived.joints.is_empty() {
            joined.resize(state.bodies.len(), false);
        }
        for body in derived.joints.iter().flat_map(|&slot| state.joints[slot].bodies) {
            joined[body as usize] = true;
        }
        let kinematic = derived.kinematic.iter().copied().filter(|&index| moves(state, index));
        if records.slabs.are_worth_it(incoming.count()) && derived.joints.is_empty() {
            let moving = derived.awake.iter().copied().chain(kinematic.clone());
            let moving = moving.map(|slot| (slot, state.motions[slot].center));
            // They have colliders where they will have records.
            let contacts = incoming.colliders().map(|pair| pair.map(|collider| derived.owner(collider)));
            records.slabs.divide(state.bodies.len(), moving, contacts);
        } else {
            records.slabs.unite();
        }
        records.number(state.bodies.len(), &derived.awake, kinematic);
        let (bodies, motions, shapes) = (state.bodies.items(), state.motions.items(), &derived.shapes);
        records.fill(crew, |part| {
            part.displacements.fill(Record::ZERO);
            for (record, &slot) in part.slots.iter().enumerate() {
                if let Some(&next) = part.slots.get(record + AHEAD) {
                    prefetch_all(&bodies[next as usize]);
                    prefetch_all(&motions[next as usize]);
                }
                let (body, motion) = (&bodies[slot as usize], &motions[slot as usize]);
                let velocity = velocity_of(motion.linear_velocity, motion.angular_velocity);
                (part.velocities[record], part.bases[record]) = (velocity, velocity);
                let is_dynamic = body.is_dynamic();
                part.kicks[record] = if is_dynamic { substeps.gravity(body) } else { Record::ZERO };
                part.damping[record] = if is_dynamic { substeps.dampings(body) } else { [1 << 30; 2] };
                part.speeds[record] = body.greatest_speed(motion);
                part.joined[record] = is_dynamic && is_joined(joined, slot);
                part.tumbling[record] = is_dynamic && gyroscopes::is_needed(body, motion);
                // No shape has the index of no collider.
                let rows = shapes.rotation_rows_q30(body.first_collider as usize, motion.rotation);
                find_frame(&mut part.frames[record], rows, body, motion);
                if !is_dynamic {
                    put_half_turn(&mut part.frames[record], motion, substeps.tick.period);
                }
            }
        });

        for force in state.forces.iter() {
            let (body, motion) = (&bodies[force.body as usize], &motions[force.body as usize]);
            let record = records.record(force.body);
            if records.is_movable(record) {
                let (linear, angular) = velocity_change(body, motion, force.force, force.torque);
                substeps.add(&mut records.kicks[record as usize], linear, angular, body.flags.locks);
            }
        }
        gyroscopes.clear();
        inertias.resize(state.bodies.len(), Inertia::default());
        spins.clear();
        for &slot in &derived.awake {
            let record = records.record(slot);
            if !records.tumbling[record as usize] {
                continue;
            }
            let (body, motion) = (&bodies[slot as usize], &motions[slot as usize]);
            let inertia = &mut inertias[slot as usize];
            inertia.refresh(body);
            let mut change = Vec3::ZERO;
            if !is_joined(joined, slot) {
                let gyroscope = Gyroscope::free(slot, body, motion, substeps.tick.period, inertia);
                change = gyroscope.change;
                let turn = gyroscope.extra_turn.to_array().map(Fx::to_bits);
                records.displacements[record as usize][4..7].copy_from_slice(&turn);
                gyroscopes.push(gyroscope);
            } else if let Some(spin) = Spin::of(slot, motion, substeps.tick.period) {
                spins.push(spin);
            } else if let Some(free) = gyroscopes::joined(body, motion, substeps.tick, inertia, None) {
                change = free;
            }
            substeps.turn(&mut records.kicks[record as usize], change);
        }
        state.forces.clear();
    }

    /// Changes the angular velocities of bodies that spin in joints, once it is known what these do.
    pub(super) fn turn_spins(&mut self) {
        let Self { state, scratch, .. } = self;
        let Scratch { bodies: records, spins, inertias, .. } = scratch;
        let substeps = Substeps::new(&state.config);
        for spin in &*spins {
            let (body, motion) = (&state.bodies[spin.slot], &state.motions[spin.slot]);
            let inertia = &inertias[spin.slot as usize];
            if let Some(change) = gyroscopes::joined(body, motion, substeps.tick, inertia, Some(spin)) {
                let record = records.record(spin.slot);
                substeps.turn(&mut records.kicks[record as usize], change);
            }
        }
    }

    /// Turns slender bodies that turn fast, and are in no joint, as they do by themselves.
    pub(super) fn turn_fast_bodies(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { bodies: records, gyroscopes, inertias, joined, coloring, .. } = scratch;
        let Substeps { rate, tick: Tick { period, .. }, .. } = Substeps::new(&state.config);
        // Less than what the greatest component of what is fast has.
        let limit = (gyroscopes::FAST_TURN * Fx::HALF).saturating_mul(rate);

        let known = gyroscopes.len();
        for &slot in &derived.awake {
            if !records.turns_faster(records.record(slot), limit) {
                continue;
            }
            let is_known =
                gyroscopes[..known].binary_search_by_key(&slot, |gyroscope| gyroscope.slot).is_ok();
            let (body, motion) = (&state.bodies[slot], &state.motions[slot]);
            if is_known || is_joined(joined, slot) || !gyroscopes::is_slender(body) {
                continue;
            }
            let inertia = &mut inertias[slot as usize];
            inertia.refresh(body);
            gyroscopes.push(Gyroscope::without_change(slot, body, motion, inertia));
        }
        if gyroscopes.len() > known {
            gyroscopes.sort_unstable_by_key(|gyroscope| gyroscope.slot);
        }

        let half_substep = state.config.half_substep();
        for gyroscope in gyroscopes {
            let slot = gyroscope.slot;
            let record = records.record(slot);
            if !gyroscope.is_slender || !gyroscope.begins_fast(period) && !records.turns_faster(record, limit)
            {
                continue;
            }
            let body = (&state.bodies[slot], &state.motions[slot]);
            let (_, found) = travel(records, coloring, half_substep, record, body);
            let (_, angular) = records.velocities_of(record);
            if let Some(turn) = gyroscope.turn(&inertias[slot as usize], period, angular, found) {
                records.turn_further(record, turn - found);
            }
        }
    }
}

/// Whether awake joints hold the body in a slot.
fn is_joined(joined: &[bool], slot: u32) -> bool {
    joined.get(slot as usize).is_some_and(|&is_joined| is_joined)
}

/// What substeps are made of.
struct Substeps {
    /// Gravity over a substep, as records have it.
    gravity: [i64; 3],
    /// Substeps a second.
    substep_rate: i64,
    /// Ticks a second.
    rate: Fx,
    tick: Tick,
}

impl Substeps {
    fn new(config: &WorldConfig) -> Self {
        let substep_rate = i64::from(config.substep_rate());
        let gravity = config.gravity.to_array().map(|g| per_substep(g, LINEAR_BITS, substep_rate));
        let period = config.tick_period();
        let tick = Tick::new(period, config.substeps);
        Self { gravity, substep_rate, rate: config.ticks_per_second(), tick }
    }

    /// What gravity adds, but for components that are locked.
    fn gravity(&self, body: &Body) -> Velocity {
        let scale = body.gravity_scale;
        let [x, y, z] = self.gravity.map(|g| {
            if scale == Fx::ONE {
                return g;
            }
            let most = i128::from(MOST_CHANGE);
            round_shift(i128::from(g) * i128::from(scale.to_bits()), 32).clamp(-most, most) as i64
        });
        let mut kick = Record([x, y, z, 0, 0, 0, 0, 0]);
        hold(&mut kick, body.flags.locks);
        kick
    }

    /// Adds accelerations in m/s² and rad/s², but for components that are locked. Three times [`MOST_CHANGE`] is what a
    /// kick has at the most, of gravity, of a force and of the gyroscope, and records have room for four.
    fn add(&self, kick: &mut Velocity, linear: Vec3, angular: Vec3, locks: AxisLocks) {
        for (k, (linear, angular)) in linear.to_array().into_iter().zip(angular.to_array()).enumerate() {
            kick[k] += per_substep(linear, LINEAR_BITS, self.substep_rate);
            kick[4 + k] += per_substep(angular, ANGULAR_BITS, self.substep_rate);
        }
        hold(kick, locks);
    }

    /// Adds a change of the angular velocity over a tick, of a body that turns freely.
    fn turn(&self, kick: &mut Velocity, change: Vec3) {
        self.add(kick, Vec3::ZERO, change.saturating_scale(self.rate), AxisLocks::NONE);
    }

    /// What velocities are multiplied by: linear, angular.
    fn dampings(&self, body: &Body) -> [i32; 2] {
        [self.damping(body.linear_damping), self.damping(body.angular_damping)]
    }

    /// The factor that a velocity keeps in a substep: 1 / (1 + h d), Q30.
    fn damping(&self, damping: Fx) -> i32 {
        if damping == Fx::ZERO {
            return 1 << 30;
        }
        let step = damping / Fx::from_int(self.substep_rate as i32);
        ((Fx::ONE / (Fx::ONE + step)).to_bits() >> 2) as i32
    }
}

/// The greatest change of a velocity in a substep: 2¹⁰ m/s, 2¹⁸ rad/s.
const MOST_CHANGE: u64 = 1 << 61;

/// An acceleration over a substep, with `bits` fraction bits: to nearest, ties away from zero, held to what records
/// have room for.
fn per_substep(acceleration: Fx, bits: u32, substep_rate: i64) -> i64 {
    let acceleration = acceleration.to_bits();
    // Below 2^11 m/s² or rad/s² 64 bits do.
    let magnitude = if acceleration.unsigned_abs() >> 43 == 0 {
        let scaled = acceleration.unsigned_abs() << (bits - 32);
        ((scaled + substep_rate as u64 / 2) / substep_rate as u64).min(MOST_CHANGE)
    } else {
        let scaled = u128::from(acceleration.unsigned_abs()) << (bits - 32);
        let rounded = (scaled + substep_rate as u128 / 2) / substep_rate as u128;
        rounded.min(u128::from(MOST_CHANGE)) as u64
    };
    if acceleration < 0 { -(magnitude as i64) } else { magnitude as i64 }
}

/// A kick without its locked components.
fn hold(kick: &mut Velocity, locks: AxisLocks) {
    for axis in 0..3 {
        if locks.translation(axis) {
            kick[axis] = 0;
        }
        if locks.rotation(axis) {
            kick[4 + axis] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;

    #[test]
    fn accelerations_over_a_substep_are_rounded_and_held_alike_at_all_magnitudes() {
        let mut rng = Rng::new(6, 0);
        for shift in 0..64 {
            let random = rng.next_u64() as i64 >> shift;
            for word in [random, i64::MAX >> shift, i64::MIN >> shift] {
                for rate in [60, 240, 241, 1, 15_999] {
                    for bits in [LINEAR_BITS, ANGULAR_BITS] {
                        let scaled = i128::from(word) << (bits - 32);
                        let exact = (scaled + scaled.signum() * i128::from(rate / 2)) / i128::from(rate);
                        let held = exact.clamp(-(1 << 61), 1 << 61);
                        assert_eq!(i128::from(per_substep(Fx::from_bits(word), bits, rate)), held);
                    }
                }
            }
        }
    }
}
