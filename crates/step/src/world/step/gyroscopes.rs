//! Rotation of bodies whose gyration differs by axes: their angular velocity changes though nothing turns them, by Euler's
//! equations.
//!
//! A step predicts the change over the tick and spreads it over the substeps.
//!
//! Of a body that is in no joint ([`Gyroscope::free`]) the prediction is of fourth order, by the method of Runge and Kutta,
//! and so is the turn: what the substeps turn by, which is the mean of the velocities, lacks what Magnus' series has besides
//! (E. Hairer, C. Lubich, G. Wanner, *Geometric Numerical Integration*, 2006, IV.7). In the end the velocity has the
//! direction that the momentum says, with the rotation that the body came to, and the length that the energy says.
//!
//! The energy is that of the start and what torques did. The solver has their impulses ΔL at the velocities and the inertia
//! of the start, so it knows of ΔL · (w + δ/2), where δ is what they change the velocity by; the momentum of the end has all
//! of ΔL turn with the body, as if it came first, and counts ΔL · c more, with the predicted change c. Half of that is right
//! for a torque that lasts, and in the mean for hits, which come anywhere in the tick. With all of it capsules that bounce
//! without friction and loss would gain one percent with each bounce.
//!
//! A slender body that turns by more than half a radian in a tick is another matter. As it spins about its length, its velocity
//! turns with that: a kick would have contacts feel its ends move, which they do not. And what momentum it seems to have along
//! itself after a turn that is a little off means a hundred times the velocity. So substeps have it keep its velocity. After them
//! it turns as what is free does, in parts of a quarter of a radian, with what it had until contacts changed it and then with what
//! it has since; and what it has along its own axes is what the solver found along them ([`Gyroscope::turn`]).
//!
//! A body in a joint ([`joined`]) has the velocity that the solver found: that is the one with which the joint holds. Of a
//! slender body, whose momentum along it means a hundred times the velocity that it means across, what the momentum says would
//! part its hinge anew in every tick, and twice as far each time. So nothing corrects the prediction, and it must not gain
//! energy by itself: it is the implicit midpoint rule, which keeps it, a little beyond the middle.
//!
//! What joints do meanwhile turns with the body as well. A top that spins at ω and turns its axis by Ω has a free change of
//! ω Ω (1 − k_s² / k²) and one by the joint that is as large; by half a tick the one would be ahead of the other, and the top
//! would sink, at any ω. So the prediction for what spins counts with the torque of its joints ([`Spin`]), that of the last substep
//! of the step before. What this does by itself in the solver, with the inertia that the body has where the tick begins, is taken out
//! of it. A torque that would change the velocity by much in a tick is none that turns the axis of a spin: it is of a hit, which is
//! over in a substep, and a tick of it would throw the body around.

use crate::body::{Body, Motion};
use isostep_math::exact::div_rem_wide;
use isostep_math::{Fx, Mat3, Quat, RotationMatrix, Vec3, fx};

/// Free rotation of a body in no joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gyroscope {
    /// Of the body.
    pub(super) slot: u32,
    /// The predicted change of the angular velocity over the tick.
    pub(super) change: Vec3,
    /// The rotation vector by which a tick turns the body more than the mean of its velocities does.
    pub(super) extra_turn: Vec3,
    start: Start,
    /// k² as parts of the greatest, by axes.
    parts: [Fx; 3],
    /// Whether the body turns much more easily about some axis than about another one, so that it [may turn fast](Self::turn).
    pub(super) is_slender: bool,
    /// The angular velocity of the end along the principal axes there, where the body [turned](Self::turn) fast.
    end: Option<Vec3>,
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

    /// That of a body, whatever it is now.
    pub(super) fn refresh(&mut self, body: &Body) {
        let mantissas = body.mass.inverse_gyration.mantissas;
        if self.mantissas != mantissas {
            *self = Self::of(mantissas);
        }
    }

    /// How the angular velocity along the principal axes changes.
    fn rate(&self, w: Vec3) -> Vec3 {
        let [a, b, c] = self.ratios;
        Vec3::new(a * w.y * w.z, b * w.z * w.x, c * w.x * w.y)
    }

    /// The velocity with which the principal axes turn over a tick as a whole, and that of its end, from that of its start,
    /// all along these axes. `None` where the body turns so fast that ticks do not follow it.
    fn follow(&self, w: Vec3, period: Fx) -> Option<[Vec3; 2]> {
        let first = self.rate(w);
        let middle = w + first * part(period, 2);
        let second = self.rate(middle);
        if is_slow(w) {
            return Some([middle, w + second * period]);
        }
        let third = self.rate(w + second * part(period, 2));
        let last = self.rate(w + third * period);
        let inner = second + third;
        let end = w + (first + inner + inner + last) * part(period, 6);
        let whole = w.midpoint(end) + (first - last + w.cross(end)) * part(period, 12);
        let is_followed = part(end.abs().max_element(), 4) <= w.abs().max_element();
        is_followed.then_some([whole, end])
    }

    /// How far a body turns by itself from its principal axes on, in parts that can be followed, and the angular velocity in
    /// the end; along the axes from where, and where, it turned. It keeps its energy, and the direction of its angular momentum.
    fn turn(&self, start: Vec3, period: Fx) -> (Quat, Vec3) {
        let turn = start.saturating_scale(period).length();
        let parts = i64::from((turn / PART_TURN).to_int_floor() + 1).min(MOST_PARTS);
        let period = part(period, parts);
        let (mut rotation, mut w) = (Quat::IDENTITY, start);
        for _ in 0..parts {
            let [whole, end] = self.follow(w, period).unwrap_or([w; 2]);
            rotation = rotation.mul_quat(Quat::IDENTITY.integrate(whole, period));
            w = end;
        }
        let [before, after] = [start, w].map(|w| momentum_of(&self.parts, w));
        w = w * lengthening(before.dot(start), after.dot(w));
        (Quat::from_rotation_arc(rotation * after, before).mul_quat(rotation), w)
    }
}

/// A body is slender if the least k² is less than that part of the greatest one: a box of 1 × 0.25 × 0.25.
const SLENDER: i32 = 8;

/// What is slender and turns by more in a tick turns fast, in rad.
pub(super) const FAST_TURN: Fx = fx!(0.5);

/// The turn of a part of a tick, in rad.
const PART_TURN: Fx = fx!(0.25);

/// The most parts of a tick.
const MOST_PARTS: i64 = 32;

fn is_fast(angular_velocity: Vec3, period: Fx) -> bool {
    angular_velocity.saturating_scale(period).length() > FAST_TURN
}

/// Below this angular velocity in rad/s, by component, bodies turn as if they were balls: 2⁻⁸.
const SLOW: Fx = Fx::from_bits(1 << 24);

/// Whether the gyration of a body differs by axes, and it may turn about all of them.
#[inline]
fn tumbles(body: &Body) -> bool {
    let [x, y, z] = body.mass.inverse_gyration.mantissas;
    (x != y || y != z) && !body.flags.locks.any_rotation() && x.min(y).min(z) != 0
}

/// Whether a body turns much more easily about some axis than about another one.
pub(super) fn is_slender(body: &Body) -> bool {
    let [x, y, z] = body.mass.inverse_gyration.mantissas;
    tumbles(body) && x.max(y).max(z) / SLENDER > x.min(y).min(z)
}

/// Whether a body turns fast enough, about axes that differ.
#[inline]
pub(super) fn is_needed(body: &Body, motion: &Motion) -> bool {
    motion.angular_velocity.abs().max_element() >= SLOW && tumbles(body)
}

/// A body where a tick begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    /// Takes +X, +Y, +Z to the principal axes.
    principal: Quat,
    matrix: RotationMatrix,
    /// The angular velocity along these.
    w: Vec3,
}

impl Start {
    fn of(body: &Body, motion: &Motion) -> Self {
        let principal = body.mass.principal_rotation(motion.rotation);
        let matrix = principal.to_rotation_matrix();
        Self { principal, matrix, w: matrix.inverse_mul_vec3(motion.angular_velocity) }
    }

    /// By how much the velocity changes, if it is `end` along the principal axes in the end of a tick, and `whole`, a
    /// velocity in the world, turned these.
    fn change(&self, motion: &Motion, whole: Vec3, end: Vec3, period: Fx) -> Vec3 {
        self.principal.integrate(whole, period) * end - motion.angular_velocity
    }
}

impl Gyroscope {
    /// Of the body in a slot, which needs one and is in no joint.
    pub(super) fn free(slot: u32, body: &Body, motion: &Motion, period: Fx, inertia: &Inertia) -> Self {
        let gyroscope = Self::without_change(slot, body, motion, inertia);
        if gyroscope.begins_fast(period) {
            return gyroscope;
        }
        let start = &gyroscope.start;
        let Some([whole, end]) = inertia.follow(start.w, period) else { return gyroscope };
        let whole = start.matrix.mul_vec3(whole);
        let change = start.change(motion, whole, end, period);
        let extra_turn = (whole - motion.angular_velocity - change * Fx::HALF) * period;
        Self { change, extra_turn, ..gyroscope }
    }

    /// Of a body that turned too slowly to need one, and may turn fast now.
    pub(super) fn without_change(slot: u32, body: &Body, motion: &Motion, inertia: &Inertia) -> Self {
        Self {
            slot,
            change: Vec3::ZERO,
            extra_turn: Vec3::ZERO,
            start: Start::of(body, motion),
            parts: inertia.parts,
            is_slender: is_slender(body),
            end: None,
        }
    }

    /// Whether the body is slender and turns fast where the tick begins.
    pub(super) fn begins_fast(&self, period: Fx) -> bool {
        self.is_slender && is_fast(self.start.w, period)
    }

    /// The rotation vector of a tick in which a slender body turns fast, instead of the one that substeps `found`, or `None`
    /// where it does not. In the end it was to have `angular_velocity`, with the predicted change.
    pub(super) fn turn(
        &mut self,
        inertia: &Inertia,
        period: Fx,
        angular_velocity: Vec3,
        found: Vec3,
    ) -> Option<Vec3> {
        let Start { principal, matrix, w: old } = self.start;
        let new = matrix.inverse_mul_vec3(angular_velocity.saturating_sub(self.change));
        if !is_fast(new, period) && !is_fast(old, period) {
            return None;
        }
        let found = found - self.extra_turn - self.change * part(period, 2);
        let found = matrix.inverse_mul_vec3(found);
        // For which part of the tick it had the new velocity, if that came at once. Where it differs by little, that says nothing.
        let (change, late) = ((new - old) * period, found - old * period);
        let square = change.length_squared();
        let is_other = square * fx!(4) > (new * period).length_squared();
        let share = if is_other { (late.dot(change) / square).clamp(Fx::ZERO, Fx::ONE) } else { Fx::ONE };
        let [before, after] = [period - period * share, period * share];
        let ((first, _), (second, end)) = (inertia.turn(old, before), inertia.turn(new, after));
        self.end = Some(end);

        let rest = matrix.mul_vec3(found - old * before - new * after);
        let turn = principal.mul_quat(first).mul_quat(second).mul_quat(principal.conjugate());
        Some(turn.integrate(rest, Fx::ONE).to_scaled_axis())
    }

    /// The angular velocity after a tick in which the body turned to another rotation, and was to have `angular_velocity`
    /// with the predicted change.
    pub(super) fn conserve(&self, body: &Body, to: Quat, angular_velocity: Vec3) -> Vec3 {
        let (from, to) = (&self.start.matrix, body.mass.principal_rotation(to).to_rotation_matrix());
        if let Some(end) = self.end {
            return to.mul_vec3(end);
        }
        let old = from.inverse_mul_vec3(angular_velocity.saturating_sub(self.change));
        let momentum = momentum_of(&self.parts, old);
        let turned = to.inverse_mul_vec3(from.mul_vec3(momentum));
        let mut new = self.velocity_of(turned);
        if !is_slow(old) {
            let torques = momentum.saturating_sub(momentum_of(&self.parts, self.start.w));
            let work = torques.dot(from.inverse_mul_vec3(self.change));
            new = new * lengthening(momentum.dot(old) + work, turned.dot(new));
        }
        to.mul_vec3(new)
    }

    fn velocity_of(&self, momentum: Vec3) -> Vec3 {
        let per = |x: Fx, part| if part == Fx::ONE { x } else { x.saturating_div(part) };
        let ([x, y, z], [a, b, c]) = (momentum.to_array(), self.parts);
        Vec3::new(per(x, a), per(y, b), per(z, c))
    }
}

/// The angular momentum by the greatest k², of which `parts` are what a body has along its principal axes.
fn momentum_of(&[a, b, c]: &[Fx; 3], w: Vec3) -> Vec3 {
    // The greatest part is 1, which changes no bits; round bodies have it twice.
    let times = |x: Fx, part| if part == Fx::ONE { x } else { x.saturating_mul(part) };
    Vec3::new(times(w.x, a), times(w.y, b), times(w.z, c))
}

/// Whether a body turns so slowly that second order does, and that its energy is as its momentum says: that differs by
/// little, and squares have few bits.
fn is_slow(w: Vec3) -> bool {
    w.abs().max_element() < Fx::ONE
}

/// What a velocity with the energy `found` is multiplied by for that to be `wanted`, from ½ to 9/8: where ticks do not follow
/// a turn, both say little.
fn lengthening(wanted: Fx, found: Fx) -> Fx {
    if found <= Fx::ZERO {
        return Fx::ONE;
    }
    // The squares of these.
    wanted.saturating_div(found).clamp(fx!(0.25), fx!(1.265625)).sqrt()
}

/// Of a body that is in a joint and needs a gyroscope: the predicted change of its angular velocity over the tick, but for what its
/// joints do, which `spin` says, if it spins. `None` where it turns so fast that ticks do not follow it.
pub(super) fn joined(
    body: &Body,
    motion: &Motion,
    Tick { period, lag }: Tick,
    inertia: &Inertia,
    spin: Option<&Spin>,
) -> Option<Vec3> {
    let start = Start::of(body, motion);
    // Where nothing acts on the body.
    let free_middle = start.w + inertia.rate(start.w) * part(period, 2);
    let ratios = Vec3::from_array(inertia.ratios) * (period * IMPLICIT);
    let change = |driven, guess| {
        let middle = implicit_middle(driven, guess, ratios)?;
        let end = start.w + (middle - start.w) / IMPLICIT;
        Some(start.change(motion, start.matrix.mul_vec3(middle), end, period))
    };
    let Some(Spin { torque, weight, .. }) = spin else { return change(start.w, free_middle) };
    let in_the_middle = start.principal.integrate(start.matrix.mul_vec3(free_middle), part(period, 2));
    let spinning = motion.angular_velocity;
    let share = body.mass.turn_of(in_the_middle, *torque).length().saturating_div(spinning.length());
    let torque = *torque * (*weight * fading(share, WHOLE_CHANGE, MOST_CHANGE));
    let by_joints = body.mass.turn_of(in_the_middle, torque);
    let change = change(start.w + by_joints * IMPLICIT, free_middle + by_joints * Fx::HALF)?;
    // How the axis of the spin turns.
    let turn = spinning.cross(spinning + change) / spinning.length_squared();
    let late = in_the_middle * body.mass.turn_of(in_the_middle, turn.cross(torque) * lag);
    Some(change + late - start.principal * body.mass.turn_of(start.principal, torque))
}

/// A tick in which joints act.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    /// Its length.
    pub(super) period: Fx,
    /// By which part of a tick the torque of joints is, in the mean, behind what it is in the middle of it, where the axis of a spin
    /// turns: substeps begin with what the one before did. It was found by trying with one to sixteen of them: so tops keep their
    /// spin.
    lag: Fx,
}

impl Tick {
    pub(super) fn new(period: Fx, substeps: u32) -> Self {
        Self { period, lag: fx!(0.03) + Fx::from_ratio(1, 5 * i64::from(substeps)) }
    }
}

/// A body that spins in joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spin {
    pub(super) slot: u32,
    /// What joints do to it over a tick, by its mass, in m²/s.
    pub(super) torque: Vec3,
    /// How much of that counts: from 0 to 1.
    weight: Fx,
}

impl Spin {
    /// Of the body in a slot, if it turns enough in a tick for it to matter, and not too much to be followed.
    pub(super) fn of(slot: u32, motion: &Motion, period: Fx) -> Option<Self> {
        let turn = motion.angular_velocity.saturating_scale(period).length();
        let weight = fading(turn, WHOLE_TURN, MOST_TURN);
        let counts = turn > LEAST_TURN && weight > Fx::ZERO;
        counts.then_some(Self { slot, torque: Vec3::ZERO, weight })
    }
}

/// Bodies that turn by less in a tick have free rotations and joints one after the other, in rad.
const LEAST_TURN: Fx = fx!(0.0625);
/// Up to this turn in a tick all counts that joints do, in rad.
const WHOLE_TURN: Fx = fx!(0.5);
/// From this one on nothing does: what the prediction makes of the forces of one tick would be more than these in the next one.
const MOST_TURN: Fx = fx!(1);
/// Up to this part of the angular velocity all counts that joints change it by in a tick.
const WHOLE_CHANGE: Fx = fx!(0.5);
/// From this part on nothing does: it is no axis that turns, but a hit.
const MOST_CHANGE: Fx = fx!(1);

/// How much counts of what does as a whole up to one value, and not at all from another one on.
fn fading(value: Fx, whole: Fx, most: Fx) -> Fx {
    (most.saturating_sub(value) / (most - whole)).clamp(Fx::ZERO, Fx::ONE)
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

/// The n-th part of a number, rounded toward zero.
const fn part(x: Fx, n: i64) -> Fx {
    Fx::from_bits(x.to_bits() / n)
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
}
