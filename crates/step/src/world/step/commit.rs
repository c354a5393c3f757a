//! What a step leaves behind: poses, velocities, timers of rest, and what sensors have seen.

use super::continuous::{Stop, travel};
use super::gyroscopes::Gyroscope;
use super::{Scratch, World};
use crate::body::{Body, MAX_COORDINATE, Motion};
use crate::config::WorldConfig;
use crate::event::Event;
use crate::solver::bodies::{Bodies, CHUNK, SHARED_BODIES};
use crate::solver::colors::Coloring;
use crate::world::derived::each_of_both;
use core::iter::Peekable;
use core::sync::atomic::{AtomicBool, Ordering};
use isostep_collision::overlaps;
use isostep_math::exact::product_unsigned;
use isostep_math::{Fx, Pose, Vec3};

impl World {
    /// Moves the bodies that the solver had.
    pub(super) fn commit(&mut self) {
        let Self { state, tokens, derived, scratch, crew, .. } = self;
        let Scratch { bodies, gyroscopes, coloring, continuous, lost, bounds, .. } = scratch;
        let (dynamic, kinematic) = (&derived.awake, &bodies.slots[1 + bodies.movable..]);
        let token = tokens.draw();
        let motions = state.motions.change_all(bodies.slots[1..].iter().copied(), token);
        let ends = Ends {
            bodies,
            coloring,
            gyroscopes,
            stops: continuous.stops(),
            half_substep: state.config.half_substep(),
            rest: Rest::new(&state.config),
            config: &state.config,
        };
        let definitions = &state.bodies;

        // Dynamic bodies, by ascending slots: those of a chunk begin where those of the one before end.
        bounds.clear();
        bounds.extend(dynamic.iter().step_by(CHUNK));
        bounds.extend(dynamic.last().map(|&last| last + 1));
        let any_lost = AtomicBool::new(false);
        crew.for_each_between(motions, bounds, dynamic.len() >= SHARED_BODIES, |first, motions| {
            let start = dynamic.partition_point(|&slot| slot < first as u32);
            let mut gyroscopes = ends.gyroscopes_from(first as u32);
            for &slot in dynamic[start..].iter().take(CHUNK) {
                let motion = &mut motions[slot as usize - first];
                if ends.advance(slot, &definitions[slot], motion, &mut gyroscopes) {
                    any_lost.store(true, Ordering::Relaxed);
                }
            }
        });
        lost.clear();
        if any_lost.into_inner() {
            lost.extend(dynamic.iter().filter(|&&slot| motions[slot as usize].frozen));
        }
        for &slot in kinematic {
            let motion = &mut motions[slot as usize];
            if ends.advance(slot, &definitions[slot], motion, &mut ends.gyroscopes_from(slot)) {
                lost.push(slot);
            }
        }
        lost.iter().for_each(|&slot| derived.body_changed(slot));
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
        let shapes = &derived.shapes;
        sensor_pairs.retain(|&(sensor, visitor)| {
            overlaps(shapes.world(sensor as usize), shapes.world(visitor as usize))
        });
        sensor_pairs.sort_unstable();
        sensed.clear();
        each_of_both(sensor_pairs.iter(), derived.idle_in_sensors().iter(), |pair, _| sensed.push(pair));
        each_of_both(sensed.iter(), state.sensed.iter(), |(sensor, visitor), [is_in, was_in]| {
            let [sensor, visitor] = [sensor, visitor].map(|index| state.collider_handle(index));
            if is_in != was_in {
                let [enter, leave] =
                    [Event::SensorEnter { sensor, visitor }, Event::SensorLeave { sensor, visitor }];
                events.push(if is_in { enter } else { leave });
            }
        });
        core::mem::swap(&mut state.sensed, sensed);
    }
}

/// Where the path of a body was stopped, if it was.
fn stop_of(stops: &[Stop], slot: u32) -> Option<&Stop> {
    if stops.is_empty() {
        return None;
    }
    stops.binary_search_by_key(&slot, |stop| stop.slot).ok().map(|place| &stops[place])
}

/// Where substeps brought bodies.
struct Ends<'a> {
    bodies: &'a Bodies,
    coloring: &'a Coloring,
    gyroscopes: &'a [Gyroscope],
    /// Of bodies that were stopped on their way, by slots.
    stops: &'a [Stop],
    half_substep: Fx,
    rest: Rest,
    config: &'a WorldConfig,
}

impl<'a> Ends<'a> {
    /// Those of the bodies from this slot on.
    fn gyroscopes_from(&self, slot: u32) -> Peekable<core::slice::Iter<'a, Gyroscope>> {
        let first = self.gyroscopes.partition_point(|gyroscope| gyroscope.slot < slot);
        self.gyroscopes[first..].iter().peekable()
    }

    /// Moves a body, and returns whether it would have left the world.
    fn advance(
        &self,
        slot: u32,
        body: &Body,
        motion: &mut Motion,
        gyroscopes: &mut Peekable<core::slice::Iter<'a, Gyroscope>>,
    ) -> bool {
        let Self { bodies, coloring, config, .. } = self;
        let record = bodies.record(slot);
        if let Some(target) = body.target {
            let Pose { rotation, translation } = body.central_pose_of(&target);
            (motion.center, motion.rotation) = (translation, rotation);
            return false;
        }
        let (mut displacement, mut turn) =
            travel(bodies, coloring, self.half_substep, record, (body, motion));
        let (mut linear, mut angular) = bodies.velocities_of(record);
        let mut end =
            Pose::new(motion.rotation.integrate(turn, Fx::ONE), motion.center.saturating_add(displacement));
        let stop = stop_of(self.stops, slot);
        if let Some(stop) = stop {
            end = stop.pose();
            (displacement, turn) = (stop.path.displacement, stop.path.turn);
            if coloring.is_free(record) {
                // What fell for a part of the tick has the speed of that part.
                linear = motion.linear_velocity.lerp(linear, stop.fraction);
            } else if let Some(normal) = stop.pressed {
                (linear, angular) = pressed(linear, angular, normal, stop.fraction);
            }
        }
        if end.translation.abs().max_element() > MAX_COORDINATE {
            freeze(motion);
            return true;
        }
        (motion.center, motion.rotation) = (end.translation, end.rotation);
        if !body.is_dynamic() {
            return false;
        }
        match stop {
            None => motion.turned_by(turn),
            Some(_) => motion.lag = [0; 3],
        }
        // Of bodies that left the world.
        while gyroscopes.next_if(|gyroscope| gyroscope.slot < slot).is_some() {}
        let angular = match gyroscopes.next_if(|gyroscope| gyroscope.slot == slot) {
            Some(gyroscope) => gyroscope.conserve(body, motion.rotation, angular),
            None => angular,
        };
        motion.linear_velocity = held(linear, config.max_linear_speed);
        motion.angular_velocity = held(angular, body.most_turn(config));
        self.rest.count(motion, body, [displacement, turn]);
        false
    }
}

/// The velocities of a body after what touches it along a normal stopped it at a fraction of the tick.
///
/// A contact should have held it: it turns too fast for that, or its contact is along the edge of a plate. With what it has it
/// would stay here, tick after tick, and gain more by its weight. So of what leads into the other, or leans, it keeps what it came
/// by, and of what slides at least a half; a turn about the normal is in nobody's way.
fn pressed(linear: Vec3, angular: Vec3, normal: Vec3, fraction: Fx) -> (Vec3, Vec3) {
    let into = normal.saturating_scale(linear.dot(normal).max(Fx::ZERO));
    let about = normal.saturating_scale(angular.dot(normal));
    let half = Fx::ONE.saturating_add(fraction) >> 1;
    let slides = linear.saturating_sub(into).saturating_scale(half);
    let leans = angular.saturating_sub(about).saturating_scale(fraction);
    (slides.saturating_add(into.saturating_scale(fraction)), about.saturating_add(leans))
}

/// A body that left the world stays where it was last.
fn freeze(motion: &mut Motion) {
    motion.frozen = true;
    (motion.linear_velocity, motion.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
}

/// What counts as rest.
struct Rest {
    /// How fast it is at the most, in m/s, as by its velocity.
    speed: Fx,
    /// As by how far it came in the tick, in m. What contacts push apart, or what a kinematic body takes along, has left its place
    /// with no velocity to tell of it.
    way: Fx,
    /// How many ticks are enough.
    ticks: u16,
}

impl Rest {
    fn new(config: &WorldConfig) -> Self {
        let speed = config.sleep_speed;
        let way = Fx::from_bits(speed.to_bits() / i64::from(config.tick_rate));
        Self { speed, way, ticks: config.sleep_ticks }
    }

    /// Counts the ticks of rest of a body that came this far, and turned by as much.
    fn count(&self, motion: &mut Motion, body: &Body, [displacement, turn]: [Vec3; 2]) {
        let extent = body.mass.extent;
        let is_still = is_slow(motion.linear_velocity, motion.angular_velocity, extent, self.speed)
            && is_slow(displacement, turn, extent, self.way);
        motion.still_ticks = if is_still { motion.still_ticks.saturating_add(1).min(self.ticks) } else { 0 };
    }
}

/// Whether no point of what moves and turns so, in a second or in all, gets farther than `most`.
fn is_slow(linear: Vec3, angular: Vec3, extent: Fx, most: Fx) -> bool {
    // Most bodies that move fail at the first question.
    linear.abs().max_element() <= most
        && angular.abs().max_element().saturating_mul(extent) <= most
        && is_at_most(linear, most)
        && is_slow_turn(angular, extent, most)
}

/// The sum of the components, saturating. No length is above it, which settles most questions.
#[inline(always)]
fn sum(v: Vec3) -> Fx {
    let [x, y, z] = v.abs().to_array();
    x.saturating_add(y).saturating_add(z)
}

/// Whether `v.length() <= most`, for `most` from 0 to below [`Fx::MAX`].
///
/// The length is r = ⌊√n⌉ of the sum n of the squares of raw bits, and r ≤ m is n < (m + ½)²: that is n ≤ m² + m, for n and
/// m are whole.
fn is_at_most(v: Vec3, most: Fx) -> bool {
    if sum(v) <= most {
        return true;
    }
    let square = |x: Fx| product_unsigned(x.to_bits().unsigned_abs(), x.to_bits().unsigned_abs());
    // Three squares are at most 3 · 2^126.
    square(v.x) + square(v.y) + square(v.z) <= square(most) + u128::from(most.to_bits().unsigned_abs())
}

/// Whether `turn.length().saturating_mul(extent) <= most`.
fn is_slow_turn(turn: Vec3, extent: Fx, most: Fx) -> bool {
    sum(turn).saturating_mul(extent) <= most || turn.length().saturating_mul(extent) <= most
}

/// A velocity of at most this length.
#[inline(always)]
fn held(velocity: Vec3, most: Fx) -> Vec3 {
    if sum(velocity) <= most { velocity } else { shortened(velocity, most) }
}

#[cold]
fn shortened(velocity: Vec3, most: Fx) -> Vec3 {
    velocity.clamp_length_max(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;

    #[test]
    fn what_is_slow_is_known_without_a_root_to_the_last_unit() {
        let mut rng = Rng::new(3, 0);
        for _ in 0..20_000 {
            let shift = 8 + rng.below(50);
            let v = Vec3::from_array([0; 3].map(|_| Fx::from_bits(rng.next_u64() as i64 >> shift)));
            let extent = Fx::from_bits((rng.next_u64() >> (24 + rng.below(16))) as i64);
            let length = v.length();
            for off in [-1, 0, 1] {
                let most = Fx::from_bits((length.to_bits() + off).max(0));
                assert_eq!(is_at_most(v, most), length <= most, "{v} {most}");
                let most =
                    Fx::from_bits((length.saturating_mul(extent).to_bits().saturating_add(off)).max(0));
                let exact = length.saturating_mul(extent) <= most;
                assert_eq!(is_slow_turn(v, extent, most), exact, "{v} {extent} {most}");
            }
        }
        assert!(is_at_most(Vec3::ZERO, Fx::ZERO) && !is_at_most(Vec3::splat(Fx::EPSILON), Fx::EPSILON));
    }
}
