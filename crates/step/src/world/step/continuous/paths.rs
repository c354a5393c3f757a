//! How bodies are about to move in a tick.

use crate::body::{Body, BodyKind, Motion};
use crate::solver::bodies::Bodies;
use crate::solver::colors::Coloring;
use crate::solver::{ANGULAR_BITS, LINEAR_BITS};
use crate::state::State;
use crate::world::derived::Derived;
use crate::world::derived::sizes::{Size, slowness};
use crate::world::step::collide::moves;
use isostep_collision::impact::RigidPath;
use isostep_math::{Fx, Vec3};

/// The paths of bodies from where a step began, by what the substeps found.
pub(in crate::world::step) struct Paths<'a> {
    state: &'a State,
    bodies: &'a Bodies,
    coloring: &'a Coloring,
    half_substep: Fx,
}

impl<'a> Paths<'a> {
    pub(in crate::world::step) fn new(state: &'a State, bodies: &'a Bodies, coloring: &'a Coloring) -> Self {
        Self { state, bodies, coloring, half_substep: state.config.half_substep() }
    }

    /// How a body with a record moves.
    pub(super) fn of_record(&self, record: u32, slot: u32) -> RigidPath {
        let (body, motion) = (&self.state.bodies[slot], &self.state.motions[slot]);
        let start = motion.central_pose();
        if let Some(target) = body.target {
            return RigidPath::between(start, body.central_pose_of(&target));
        }
        let (displacement, turn) =
            travel(self.bodies, self.coloring, self.half_substep, record, (body, motion));
        RigidPath { start, displacement, turn }
    }

    /// How a body moves: one without a record rests.
    pub(super) fn of(&self, slot: u32) -> RigidPath {
        match self.bodies.record(slot) {
            0 => RigidPath::resting(self.state.motions[slot].central_pose()),
            record => self.of_record(record, slot),
        }
    }

    /// Whether the step moves a body.
    pub(super) fn is_moved(&self, slot: u32) -> bool {
        self.bodies.record(slot) != 0
    }

    /// How a kinematic body is going to move, before there are records.
    pub(super) fn announced(&self, slot: u32) -> RigidPath {
        let (body, motion) = (&self.state.bodies[slot], &self.state.motions[slot]);
        let start = motion.central_pose();
        if let Some(target) = body.target {
            return RigidPath::between(start, body.central_pose_of(&target));
        }
        if !moves(self.state, slot) {
            return RigidPath::resting(start);
        }
        let period = self.state.config.tick_period();
        RigidPath {
            start,
            displacement: motion.linear_velocity.saturating_scale(period),
            turn: motion.angular_velocity.saturating_scale(period),
        }
    }

    /// What a body of this size and kind may move in a tick without being fast.
    ///
    /// A kinematic one half of the margin, by which its boxes in the tree are larger: a dynamic one that is fast finds there
    /// whatever is slow.
    fn slowness(&self, size: Size, kind: BodyKind) -> Fx {
        match kind {
            BodyKind::Dynamic => slowness(size.thickness),
            _ => self.state.config.speculative_margin >> 1,
        }
    }

    /// How far a dynamic body moves at the most if it is not fast, `None` if it is: for most bodies a few sums of what the
    /// substeps left. One that nothing can stop moves by nothing.
    #[inline]
    pub(super) fn slow_motion(&self, record: u32, slot: u32, size: Size) -> Option<Fx> {
        if size.thickness == Fx::MAX {
            return Some(Fx::ZERO);
        }
        let sum = |a: i64, b: i64, c: i64| {
            let sum = a.unsigned_abs().saturating_add(b.unsigned_abs()).saturating_add(c.unsigned_abs());
            Fx::from_bits(i64::try_from(sum).unwrap_or(i64::MAX))
        };
        let d = &self.bodies.displacements[record as usize];
        let (mut moved, mut turned) = (sum(d[0], d[1], d[2]), sum(d[4], d[5], d[6]));
        if self.coloring.is_free(record) {
            // The end of the path is half a substep's change of the velocities before that.
            let v = &self.bodies.velocities[record as usize];
            let motion = &self.state.motions[slot];
            let (linear, angular) = (motion.linear_velocity, motion.angular_velocity);
            let change = |k: usize, bits: u32, from: Fx| (v[k] >> (bits - 32)).saturating_sub(from.to_bits());
            let (l, a) = (LINEAR_BITS, ANGULAR_BITS);
            let faster = sum(change(0, l, linear.x), change(1, l, linear.y), change(2, l, linear.z));
            let turns = sum(change(4, a, angular.x), change(5, a, angular.y), change(6, a, angular.z));
            moved = moved.saturating_add(faster.saturating_mul(self.half_substep));
            turned = turned.saturating_add(turns.saturating_mul(self.half_substep));
        }
        let most = moved
            .saturating_add(turned.saturating_mul(size.extent))
            .saturating_add(Fx::EPSILON * Fx::from_int(16));
        let slow = slowness(size.thickness);
        if most <= slow {
            return Some(most);
        }
        (!self.is_fast(&self.of_record(record, slot), size, BodyKind::Dynamic)).then_some(slow)
    }

    /// How far any point of a dynamic body moves at the most.
    pub(super) fn farthest(&self, derived: &Derived) -> Fx {
        let dynamic = derived.awake.iter().filter(|&&slot| self.is_moved(slot));
        let moved = dynamic.map(|&slot| {
            let path = self.of(slot);
            let turned = path.turn.length().saturating_mul(derived.sizes[slot as usize].extent);
            path.displacement.length().saturating_add(turned)
        });
        moved.fold(Fx::ZERO, Fx::max)
    }

    /// Whether a body may be somewhere else entirely after the tick.
    pub(super) fn is_fast(&self, path: &RigidPath, size: Size, kind: BodyKind) -> bool {
        let turned = path.turn.length().saturating_mul(size.extent);
        path.displacement.length().saturating_add(turned) > self.slowness(size, kind)
    }
}

/// By how much the substeps move and turn a body without a target.
///
/// Substeps move with the velocity of their end. What touches nothing moves with the mean of both ends, which is the path
/// of free fall to the bit.
#[inline]
pub(in crate::world::step) fn travel(
    bodies: &Bodies,
    coloring: &Coloring,
    half_substep: Fx,
    record: u32,
    (body, motion): (&Body, &Motion),
) -> (Vec3, Vec3) {
    let (displacement, turn) = bodies.displacement_of(record);
    if !body.is_dynamic() || !coloring.is_free(record) {
        return (displacement, turn);
    }
    let (linear, angular) = bodies.velocities_of(record);
    let late = |end: Vec3, start: Vec3| end.saturating_sub(start).saturating_scale(half_substep);
    (
        displacement.saturating_sub(late(linear, motion.linear_velocity)),
        turn.saturating_sub(late(angular, motion.angular_velocity)),
    )
}
