//! What a step leaves behind: poses, velocities, timers of rest, and what sensors have seen.

use super::{Scratch, World};
use crate::body::{Body, MAX_COORDINATE, Motion};
use crate::config::WorldConfig;
use crate::event::Event;
use isostep_collision::overlaps;
use isostep_math::{Fx, Vec3};

impl World {
    /// Moves the bodies that the solver had.
    pub(super) fn commit(&mut self) {
        let Self { state, tokens, derived, scratch, .. } = self;
        let Scratch { bodies, gyroscopes, coloring, lost, .. } = scratch;
        let half_substep = Fx::from_ratio(1, 2 * i64::from(state.config.substep_rate()));
        let token = tokens.draw();
        let mut gyroscopes = gyroscopes.iter().peekable();
        lost.clear();
        for (record, &slot) in (0_u32..).zip(&bodies.slots).skip(1) {
            let body = &state.bodies[slot];
            let motion = state.motions.change(slot, token);
            let (mut displacement, mut turn) = bodies.displacement_of(record);
            let (linear, angular) = bodies.velocities_of(record);
            if let Some(target) = body.target {
                (motion.center, motion.rotation) =
                    (target.transform_point(body.mass.center), target.rotation);
                continue;
            }
            if body.is_dynamic() && coloring.is_free(record) {
                // Substeps move with the velocity of their end. What touches nothing moves with the mean of both ends,
                // which is the path of free fall to the bit.
                let late = |end: Vec3, start: Vec3| end.saturating_sub(start).saturating_scale(half_substep);
                displacement = displacement.saturating_sub(late(linear, motion.linear_velocity));
                turn = turn.saturating_sub(late(angular, motion.angular_velocity));
            }
            let center = motion.center.saturating_add(displacement);
            if center.abs().max_element() > MAX_COORDINATE {
                freeze(motion);
                lost.push(slot);
                derived.body_changed(slot);
                continue;
            }
            let from = motion.rotation;
            motion.center = center;
            motion.rotation = from.integrate(turn, Fx::ONE);
            if !body.is_dynamic() {
                continue;
            }
            let angular = match gyroscopes.next_if(|gyroscope| gyroscope.record == record) {
                Some(gyroscope) if gyroscope.conserves => {
                    gyroscope.conserve(body, from, motion.rotation, angular)
                }
                _ => angular,
            };
            motion.linear_velocity = held(linear, state.config.max_linear_speed);
            motion.angular_velocity = held(angular, most_turn(&state.config, body));
            rest(motion, body, &state.config);
        }
        for &slot in &derived.kinematic {
            if state.bodies[slot].target.is_some() {
                state.bodies.change(slot, token).target = None;
            }
        }
    }

    /// Says what entered and left sensors. They see the poses that the step began with.
    pub(super) fn sense(&mut self) {
        let Self { state, derived, scratch, events, .. } = self;
        let Scratch { sensor_pairs, sensed, .. } = scratch;
        sensed.clear();
        let shapes = &derived.shapes;
        sensed.extend(sensor_pairs.iter().copied().filter(|&(sensor, visitor)| {
            overlaps(shapes.world(sensor as usize), shapes.world(visitor as usize))
        }));
        // What sleeps in a sensor stays there: its pair is not looked for.
        let idle = |&(sensor, visitor): &(u32, u32)| {
            let [a, b] = state.bodies_of(sensor, visitor);
            [a, b].iter().all(|&body| {
                state.motions[body].asleep || state.bodies[body].kind == crate::body::BodyKind::Fixed
            })
        };
        let staying = state.sensed.iter().copied().filter(idle);
        sensed.extend(staying);
        sensed.sort_unstable();
        sensed.dedup();
        let handle = |index| state.collider_handle(index);
        for &(sensor, visitor) in sensed.iter() {
            if state.sensed.binary_search(&(sensor, visitor)).is_err() {
                events.push(Event::SensorEnter { sensor: handle(sensor), visitor: handle(visitor) });
            }
        }
        for &(sensor, visitor) in &state.sensed {
            if sensed.binary_search(&(sensor, visitor)).is_err() {
                events.push(Event::SensorLeave { sensor: handle(sensor), visitor: handle(visitor) });
            }
        }
        core::mem::swap(&mut state.sensed, sensed);
    }
}

/// A body that left the world stays where it was last.
fn freeze(motion: &mut Motion) {
    motion.frozen = true;
    (motion.linear_velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
}

/// The highest angular speed at which no point of a body is faster than the world allows.
fn most_turn(config: &WorldConfig, body: &Body) -> Fx {
    let most = config.max_angular_speed;
    if body.mass.extent <= Fx::ONE { most } else { most.min(config.max_linear_speed / body.mass.extent) }
}

/// Counts the ticks of rest.
fn rest(motion: &mut Motion, body: &Body, config: &WorldConfig) {
    let (linear, angular) = (motion.linear_velocity, motion.angular_velocity);
    let (most, extent) = (config.sleep_speed, body.mass.extent);
    // Most bodies that move fail at the first question.
    let is_slow = linear.abs().max_element() <= most
        && angular.abs().max_element().saturating_mul(extent) <= most
        && linear.length() <= most
        && angular.length().saturating_mul(extent) <= most;
    motion.still_ticks =
        if is_slow { motion.still_ticks.saturating_add(1).min(config.sleep_ticks) } else { 0 };
}

/// A velocity of at most this length. The sum of its components settles most cases.
fn held(velocity: Vec3, most: Fx) -> Vec3 {
    let [x, y, z] = velocity.abs().to_array();
    if x.saturating_add(y).saturating_add(z) <= most { velocity } else { velocity.clamp_length_max(most) }
}
