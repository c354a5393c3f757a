//! What moves bodies besides contacts: targets, gravity, forces, and the gyroscopic torque.

use super::collide::moves;
use super::{AHEAD, Scratch, World};
use crate::body::{AxisLocks, Body, Motion};
use crate::config::WorldConfig;
use crate::solver::bodies::{Record, Velocity, velocity_of};
use crate::solver::frames::{find_frame, put_half_turn};
use crate::solver::{ANGULAR_BITS, LINEAR_BITS};
use isostep_math::exact::{div_rem_wide, round_shift};
use isostep_math::wide::prefetch_all;
use isostep_math::{Fx, Mat3, Quat, RotationMatrix, Vec3, fx};

impl World {
    /// Gives kinematic bodies the velocities that bring them to their targets; those that had one in the tick before,
    /// and have none now, stop.
    pub(super) fn steer(&mut self) {
        self.derived.refresh_lists(&self.state);
        let rate = Fx::from_int(self.state.config.tick_rate as i32);
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
            let center = target.transform_point(body.mass.center);
            let motion = self.state.motions.change(index, token);
            let turn = target.rotation.mul_quat(motion.rotation.conjugate());
            let turn = if turn.w.is_negative() { turn.saturating_neg() } else { turn };
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
        let Scratch { incoming, bodies: records, gyroscopes, inertias, joined, .. } = scratch;
        joined.clear();
        if !derived.joints.is_empty() {
            joined.resize(state.bodies.len(), false);
        }
        for body in derived.joints.iter().flat_map(|&slot| state.joints[slot].bodies) {
            joined[body as usize] = true;
        }
        let is_joined = |slot: u32| joined.get(slot as usize).is_some_and(|&is_joined| is_joined);

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
                part.joined[record] = is_dynamic && is_joined(slot);
                part.tumbling[record] = is_dynamic && Gyroscope::is_needed(body, motion);
                // No shape has the index of no collider.
                let rows = shapes.rotation_rows_q30(body.first_collider as usize, motion.rotation);
                find_frame(&mut part.frames[record], rows, body, motion);
                if !is_dynamic {
                    put_half_turn(&mut part.frames[record], motion, substeps.period);
                }
            }
        });

        for force in state.forces.iter() {
            let (body, motion) = (&bodies[force.body as usize], &motions[force.body as usize]);
            let record = records.record(force.body);
            if records.is_movable(record) {
                let (linear, angular) = body.mass.velocity_change(motion.rotation, force.force, force.torque);
                substeps.add(&mut records.kicks[record as usize], linear, angular, body.flags.locks);
            }
        }
        gyroscopes.clear();
        inertias.resize(state.bodies.len(), Inertia::default());
        for &slot in &derived.awake {
            let record = records.record(slot);
            if !records.tumbling[record as usize] {
                continue;
            }
            let (body, motion) = (&bodies[slot as usize], &motions[slot as usize]);
            let inertia = &mut inertias[slot as usize];
            let gyroscope = Gyroscope::of(body, motion, is_joined(slot), substeps.period, inertia);
            if let Some(gyroscope) = gyroscope {
                let change = gyroscope.change.saturating_scale(substeps.rate);
                substeps.add(&mut records.kicks[record as usize], Vec3::ZERO, change, body.flags.locks);
                gyroscopes.push(Gyroscope { slot, ..gyroscope });
            }
        }
        state.forces.clear();
    }
}

/// What substeps are made of.
struct Substeps {
    /// Gravity over a substep, as records have it.
    gravity: [i64; 3],
    /// Substeps a second.
    substep_rate: i64,
    /// Ticks a second.
    rate: Fx,
    /// The length of a tick.
    period: Fx,
}

impl Substeps {
    fn new(config: &WorldConfig) -> Self {
        let substep_rate = i64::from(config.substep_rate());
        let gravity = config.gravity.to_array().map(|g| per_substep(g, LINEAR_BITS, substep_rate));
        let period = Fx::from_ratio(1, i64::from(config.tick_rate));
        Self { gravity, substep_rate, rate: Fx::from_int(config.tick_rate as i32), period }
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

/// Free rotation of a body whose gyration differs by axes.
///
/// Its angular velocity changes though nothing turns it, by Euler's equations. A step predicts the change over the tick
/// by the midpoint rule and spreads it over the substeps, so that the path is right to second order; in the end
/// ([`Gyroscope::conserve`]) the velocity is what the momentum says, which is conserved to rounding.
///
/// A body in a joint has the velocity that the solver found: that is the one with which the joint holds. Of a slender
/// body, whose momentum along it means a hundred times the velocity that it means across, what the momentum says would
/// part its hinge anew in every tick, and twice as far each time. So nothing corrects the prediction, and it must not gain
/// energy by itself: it is the implicit midpoint rule, which keeps it, a little beyond the middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gyroscope {
    /// Of the body.
    pub(super) slot: u32,
    /// Whether the momentum says what the velocity is in the end: the body is in no joint.
    pub(super) conserves: bool,
    /// The predicted change of the angular velocity over the tick.
    change: Vec3,
    /// Takes +X, +Y, +Z to the principal axes where the tick begins.
    start: RotationMatrix,
    /// k² as parts of the greatest, by axes.
    parts: [Fx; 3],
}

/// What follows from the gyration of a body by divisions alone: kept from step to step, and made anew where the gyration is
/// another one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inertia {
    /// Mantissas of k⁻²: of zeros nothing follows.
    mantissas: [i32; 3],
    ratios: [Fx; 3],
    parts: [Fx; 3],
}

impl Inertia {
    /// Of mantissas above zero.
    fn of(mantissas: [i32; 3]) -> Self {
        let [x, y, z] = mantissas;
        let least = i64::from(x.min(y).min(z));
        Self {
            mantissas,
            ratios: [ratio(x, y, z), ratio(y, z, x), ratio(z, x, y)],
            parts: mantissas.map(|mantissa| Fx::from_ratio(least, i64::from(mantissa))),
        }
    }
}

/// Below this angular velocity in rad/s, by component, bodies turn as if they were balls: 2⁻⁸.
const SLOW: Fx = Fx::from_bits(1 << 24);

impl Gyroscope {
    /// Whether a body turns fast enough, about axes that differ.
    #[inline]
    fn is_needed(body: &Body, motion: &Motion) -> bool {
        let [x, y, z] = body.mass.inverse_gyration.mantissas;
        let is_slow = motion.angular_velocity.abs().max_element() < SLOW;
        (x != y || y != z) && !is_slow && body.flags.locks == AxisLocks::NONE && x.min(y).min(z) != 0
    }

    /// Of a body that needs one.
    fn of(body: &Body, motion: &Motion, is_joined: bool, period: Fx, inertia: &mut Inertia) -> Option<Self> {
        let mantissas = body.mass.inverse_gyration.mantissas;
        if inertia.mantissas != mantissas {
            *inertia = Inertia::of(mantissas);
        }
        let Inertia { ratios, parts, .. } = *inertia;
        let principal = principal_rotation(motion.rotation, body);
        let start = principal.to_rotation_matrix();
        let w = start.inverse_mul_vec3(motion.angular_velocity);
        let rate = |w: Vec3| Vec3::new(ratios[0] * w.y * w.z, ratios[1] * w.z * w.x, ratios[2] * w.x * w.y);
        let half = Fx::from_bits(period.to_bits() / 2);
        let mut middle = w + rate(w) * half;
        let mut end = w + rate(middle) * period;
        if is_joined {
            middle = implicit_middle(w, middle, Vec3::from_array(ratios) * (period * IMPLICIT))?;
            end = w + (middle - w) / IMPLICIT;
        }
        let turned = principal.integrate(start.mul_vec3(middle), period);
        let change = turned * end - motion.angular_velocity;
        Some(Self { slot: 0, conserves: !is_joined, change, start, parts })
    }

    /// The angular velocity after a tick in which the body turned to another rotation, and was to have `angular_velocity`
    /// with the predicted change.
    pub(super) fn conserve(&self, body: &Body, to: Quat, angular_velocity: Vec3) -> Vec3 {
        let parts = self.parts;
        let (from, to) = (&self.start, principal_rotation(to, body).to_rotation_matrix());
        let old = from.inverse_mul_vec3(angular_velocity.saturating_sub(self.change)).to_array();
        // The greatest part is 1, which changes no bits; round bodies have it twice.
        let times = |x: Fx, part| if part == Fx::ONE { x } else { x.saturating_mul(part) };
        let per = |x: Fx, part| if part == Fx::ONE { x } else { x.saturating_div(part) };
        let momentum = [0, 1, 2].map(|k| times(old[k], parts[k]));
        let momentum = to.inverse_mul_vec3(from.mul_vec3(Vec3::from_array(momentum))).to_array();
        to.mul_vec3(Vec3::from_array([0, 1, 2].map(|k| per(momentum[k], parts[k]))))
    }
}

/// What takes +X, +Y, +Z to the principal axes of a body with this rotation.
fn principal_rotation(rotation: Quat, body: &Body) -> Quat {
    // The identity is neutral to the bit.
    if body.mass.axes == Quat::IDENTITY { rotation } else { rotation.mul_quat(body.mass.axes) }
}

/// Where in a tick the velocity is taken that turns a body in a joint. In the middle, what joints do with the inertia that
/// bodies have at the start of a tick would add energy: 1 % in a second at 10 rad/s.
const IMPLICIT: Fx = fx!(0.53);

/// Solves m = w + (a m_y m_z, b m_z m_x, c m_x m_y) by Newton's method, from a guess; `None` where that does not lead to
/// a solution: the body turns so fast that ticks do not follow it.
fn implicit_middle(w: Vec3, guess: Vec3, factors: Vec3) -> Option<Vec3> {
    let Vec3 { x: a, y: b, z: c } = factors;
    let off = |m: Vec3| m - w - Vec3::new(a * m.y * m.z, b * m.z * m.x, c * m.x * m.y);
    let mut m = guess;
    for _ in 0..2 {
        let slope = Mat3::from_cols(
            Vec3::new(Fx::ONE, -b * m.z, -c * m.y),
            Vec3::new(-a * m.z, Fx::ONE, -c * m.x),
            Vec3::new(-a * m.y, -b * m.x, Fx::ONE),
        );
        m -= slope.try_inverse()?.mul_vec3(off(m));
    }
    (off(m).abs().max_element() < MOST_OFF).then_some(m)
}

/// How far from its equation a solution may be, in rad/s.
const MOST_OFF: Fx = fx!(0.01);

/// (k_y² − k_z²) / k_x² from mantissas of k⁻², within ±1, toward zero.
fn ratio(x: i32, y: i32, z: i32) -> Fx {
    if y == z {
        return Fx::ZERO;
    }
    // The mantissas have 30 bits: both products are below 2^62, and the divisor is not zero.
    let [x, y, z] = [x, y, z].map(i64::from);
    let (dividend, divisor) = ((x * (z - y)).unsigned_abs(), (y * z) as u64);
    let magnitude = if dividend >= divisor {
        1 << 32
    } else {
        div_rem_wide(dividend >> 32, dividend << 32, divisor).0 as i64
    };
    Fx::from_bits(if z < y { -magnitude } else { magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;

    #[test]
    fn ratios_are_those_of_exact_products() {
        let mut rng = Rng::new(5, 0);
        let edges = [1, 2, 3, (1 << 29) - 1, 1 << 29, (1 << 30) - 1, 1 << 30];
        let random = (0..64).map(|_| 1 + (rng.next_u64() >> (34 + rng.below(30))) as i32);
        let mantissas: Vec<i32> = edges.into_iter().chain(random).collect();
        for &x in &mantissas {
            for &y in &mantissas {
                for &z in &mantissas {
                    let [a, b, c] = [x, y, z].map(i128::from);
                    let exact = ((a * (c - b)) << 32) / (b * c);
                    let exact = exact.clamp(-(1 << 32), 1 << 32) as i64;
                    assert_eq!(ratio(x, y, z).to_bits(), exact, "{x} {y} {z}");
                }
            }
        }
    }

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
