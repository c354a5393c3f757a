//! A joint on its way into a lane of a block.

use super::scales::Scales;
use super::{Factors, Side, most_force, set};
use crate::joint::coordinates::{Anchor, hinge_angle, rotation_error, swing_angle};
use crate::joint::{Joint, JointImpulses, JointKind, Limits, Motor, Pull};
use crate::solver::joints::{AxisKind, AxisRow, JointBlock, MOST_IMPULSE, MotorRow, Triple};
use crate::solver::softness::Softness;
use crate::solver::{IMPULSE_BITS, to_mantissa};
use isostep_math::{Fx, Quat, Vec3, fx};

/// A joint on its way into a lane.
pub(super) struct Placing<'a> {
    pub(super) joint: &'a Joint,
    pub(super) sides: [Side<'a>; 2],
    pub(super) factors: &'a Factors,
    pub(super) block: &'a mut JointBlock,
    pub(super) lane: usize,
}

impl Placing<'_> {
    pub(super) fn place(mut self, impulses: &JointImpulses) {
        let gyrations = self.bound_gyrations();
        let scales = self.scales(&gyrations);
        let lane = self.lane;
        let turns_about_points = self.joint.kind.turns_about_points();
        let (joint, block) = (self.joint, &mut *self.block);
        block.scale[lane] = scales.points;
        block.turn_scale[lane] = scales.rotations;
        block.lever[lane] = scales.lever;
        block.still[lane] = i32::from(turns_about_points);
        block.has.still |= turns_about_points;
        // Impulses at points are whole.
        block.stilling.iter_mut().for_each(|column| column[lane] = 0);
        [block.a[lane], block.b[lane]] = self.sides.each_ref().map(|side| side.record);
        let mut frames = joint.held_frames();
        if let JointKind::Target { pose, .. } = joint.kind {
            frames[0] = frames[0].mul_pose(pose);
        }
        let [a, b] = [0, 1].map(|k| {
            let Side { body, motion, .. } = self.sides[k];
            Anchor::new(motion.central_pose(), body.mass.center, frames[k])
        });
        let axes = [&a, &b].map(Anchor::x_axis);
        for (k, anchor) in [&a, &b].into_iter().enumerate() {
            // What does not move may be long, and its arms do not matter.
            let moves = self.sides[k].record != 0;
            set(&mut block.anchors[k], lane, if moves { anchor.arm } else { Vec3::ZERO }, 24);
            set(&mut block.axes[k], lane, axes[k], 30);
        }
        let slide = match joint.kind {
            JointKind::Wheel { .. } => a.rotation * Vec3::Y,
            _ => axes[0],
        };
        set(&mut block.slide, lane, slide, 30);
        // Of centres and arms apart: bodies may be long, and far from the origin of the world.
        let between = b.center.saturating_sub(a.center).saturating_add(b.arm.saturating_sub(a.arm));
        set(&mut block.between, lane, reachable(between), 24);
        self.hold(&a, &b, &scales, impulses);
        self.place_axis([&a, &b], axes, &scales, impulses);
        self.place_swing([&a, &b], axes, &scales, impulses);
    }

    /// What holds points and rotations.
    fn hold(&mut self, a: &Anchor, b: &Anchor, scales: &Scales, impulses: &JointImpulses) {
        let (joint, lane) = (self.joint, self.lane);
        let factors = self.factors;
        let give = joint.softness.map_or((factors.firm, true), |spring| factors.sprung(spring));
        let firmly = |across| Some(Held { give, across, max: Fx::MAX, velocity: Vec3::ZERO });
        let pulled = |pull: Option<Pull>| {
            pull.map(|Pull { spring, max_force }| Held {
                give: factors.sprung(spring),
                across: false,
                max: max_force,
                velocity: Vec3::ZERO,
            })
        };
        let mut target = Quat::IDENTITY;
        let (points, rotations) = match joint.kind {
            JointKind::Fixed => (firmly(false), firmly(false)),
            JointKind::Ball { motor, .. } => {
                let driven = motor.map(|motor| {
                    target = motor.rotation;
                    Held {
                        give: factors.driven(motor.spring),
                        across: false,
                        max: motor.max_torque,
                        velocity: a.rotation * motor.velocity,
                    }
                });
                (firmly(false), driven)
            }
            JointKind::Hinge { .. } => (firmly(false), firmly(true)),
            JointKind::Slider { .. } => (firmly(true), firmly(false)),
            JointKind::Distance { .. } => (None, None),
            JointKind::Target { linear, angular, .. } => (pulled(linear), pulled(angular)),
            JointKind::Wheel { .. } => (firmly(true), firmly(true)),
        };
        // Of three rows `MOST_IMPULSE` is without bound.
        let most = [(&points, scales.points), (&rotations, scales.rotations)].map(|(held, scale)| {
            held.as_ref().map_or(MOST_IMPULSE, |held| self.most_impulse(held.max, scale).min(MOST_IMPULSE))
        });
        let block = &mut *self.block;
        let off = rotations.as_ref().map_or(Vec3::ZERO, |_| {
            let wanted = a.rotation.mul_quat(target);
            wanted * rotation_error(wanted.conjugate().mul_quat(b.rotation))
        });
        set(&mut block.turn, lane, off, 24);
        block.has.points |= points.is_some();
        block.has.rotations |= rotations.is_some();
        block.has.across |=
            [&points, &rotations].iter().any(|held| held.as_ref().is_some_and(|held| held.across));
        let linear = [impulses.linear, impulses.last_linear];
        place_triple(&mut block.points, lane, points.as_ref(), most[0], linear);
        let angular = [impulses.angular, impulses.last_angular];
        place_triple(&mut block.rotations, lane, rotations.as_ref(), most[1], angular);
    }

    /// The axis along which a joint slides or about which it turns, with its limits and its motor.
    fn place_axis(
        &mut self,
        [a, b]: [&Anchor; 2],
        axes: [Vec3; 2],
        scales: &Scales,
        impulses: &JointImpulses,
    ) {
        let (kind, limits, motor) = match self.joint.kind {
            JointKind::Hinge { limits, motor } => (AxisKind::Angle, limits, motor),
            JointKind::Slider { limits, motor } => (AxisKind::Way, limits, motor),
            JointKind::Distance { limits, motor } => (AxisKind::Distance, limits, motor),
            JointKind::Wheel { limits, suspension, .. } => (AxisKind::Way, limits, suspension),
            // Of axes that are nearly opposite the twist is about nothing: any small move turns it over.
            JointKind::Ball { twist_limits, .. } => {
                let bends = || axes[0].dot(axes[1]) < MOST_BENT;
                (AxisKind::Twist, twist_limits.filter(|_| !bends()), None)
            }
            _ => (AxisKind::None, None, None),
        };
        let is_angle = matches!(kind, AxisKind::Angle | AxisKind::Twist);
        let unused = limits.is_none() && motor.is_none();
        // Of what slides the solver wants to know where it is even so.
        let kind = if unused && kind != AxisKind::Way { AxisKind::None } else { kind };
        let mut angle = if is_angle && !unused { hinge_angle(relative_rotation(a, b)) } else { Fx::ZERO };
        if let Some(Limits { lower, upper }) = limits.filter(|_| is_angle) {
            // What is beyond a limit at half a turn is not at the other one.
            angle = nearest_turn(angle, lower.lerp(upper, Fx::HALF));
        }
        // Without limits a hinge goes the shortest way.
        let goes_around = kind == AxisKind::Angle && limits.is_none();
        let motor = motor.map(|motor| if goes_around { shortest_way(motor, angle) } else { motor });
        let scale = if is_angle { scales.lever } else { 0 };
        let force = motor.map_or(0, |motor| self.most_impulse(motor.max_force, scale));
        let (lane, block) = (self.lane, &mut *self.block);
        block.kind[lane] = kind as i32;
        block.has.axis |= kind != AxisKind::None;
        block.has.motor |= motor.is_some();
        place_limits(&mut block.axis, lane, limits, angle, [impulses.limit, impulses.last_limit]);
        let impulses = [impulses.motor, impulses.last_motor];
        place_motor(&mut block.motor, lane, motor, force, self.factors, impulses);
    }

    /// The second axis about which a joint turns: the swing of a ball joint, which is bounded, or that of a wheel, which is
    /// driven.
    fn place_swing(
        &mut self,
        [a, b]: [&Anchor; 2],
        axes: [Vec3; 2],
        scales: &Scales,
        impulses: &JointImpulses,
    ) {
        let (mut limits, mut motor) = (None, None);
        let (mut angle, mut axis) = (Fx::ZERO, Vec3::ZERO);
        match self.joint.kind {
            JointKind::Ball { swing_limit: Some(upper), .. } => {
                let [w_a, w_b] = self.sides.each_ref().map(|side| side.motion.angular_velocity);
                let turn = w_b.saturating_sub(w_a).saturating_scale(self.factors.period);
                (angle, axis) = (swing_angle(relative_rotation(a, b)), swing_axis(axes, turn));
                limits = Some(Limits { lower: Fx::MIN, upper });
            }
            JointKind::Wheel { motor: Some(own), .. } => {
                angle = hinge_angle(relative_rotation(a, b));
                motor = Some(shortest_way(own, angle));
            }
            _ => {}
        }
        let force = motor.map_or(0, |motor| self.most_impulse(motor.max_force, scales.lever));
        let (lane, block) = (self.lane, &mut *self.block);
        block.has.swing |= limits.is_some();
        block.has.wheel |= motor.is_some();
        set(&mut block.swing_axis, lane, axis, 30);
        let impulses = [impulses.swing, impulses.last_swing];
        place_limits(&mut block.swing, lane, limits, angle, impulses);
        place_motor(&mut block.wheel, lane, motor, force, self.factors, impulses);
    }

    /// What a force, or a torque, does to the bodies of the joint in a substep at the most, by the power of two of its lever:
    /// see [`most_force`].
    fn most_impulse(&self, force: Fx, scale: i32) -> i32 {
        most_force(force, || self.sides.each_ref().map(Side::mass), self.factors.substep_rate, scale)
    }
}

/// The cosine of the swing from which on limits of the twist do not count: 150°.
const MOST_BENT: Fx = fx!(-0.866);

/// The greatest distance by which points or rotations count as off, in m: what is farther is drawn the same way.
const MOST_APART: Fx = fx!(127);

/// A way that is no longer than numbers of joints can be, in the same direction.
fn reachable(way: Vec3) -> Vec3 {
    let longest = way.abs().max_element();
    if longest <= MOST_APART { way } else { way.saturating_scale(MOST_APART.saturating_div(longest)) }
}

/// What holds points, or rotations.
struct Held {
    /// How, and whether for a substep alone.
    give: (Softness, bool),
    /// Whether one direction is free: of points that along which they slide, of rotations the x axis of frame a.
    across: bool,
    /// The greatest force or torque.
    max: Fx,
    /// In the world.
    velocity: Vec3,
}

fn place_triple(
    triple: &mut Triple,
    lane: usize,
    held: Option<&Held>,
    most: i32,
    [impulse, last]: [[i32; 3]; 2],
) {
    triple.most[lane] = most;
    for total in &mut triple.total {
        total[lane] = 0;
    }
    let Some(&Held { give: (softness, stiff), across, velocity, .. }) = held else {
        triple.give.clear(lane);
        (triple.held[lane], triple.across[lane]) = (0, 0);
        set(&mut triple.velocity, lane, Vec3::ZERO, IMPULSE_BITS);
        set(&mut triple.impulse, lane, Vec3::ZERO, IMPULSE_BITS);
        set(&mut triple.last, lane, Vec3::ZERO, IMPULSE_BITS);
        return;
    };
    triple.give.set(lane, &softness, stiff);
    (triple.held[lane], triple.across[lane]) = (1, i32::from(across));
    set(&mut triple.velocity, lane, velocity, IMPULSE_BITS);
    for (columns, impulse) in [(&mut triple.impulse, impulse), (&mut triple.last, last)] {
        for (column, impulse) in columns.iter_mut().zip(impulse) {
            column[lane] = impulse;
        }
    }
}

fn place_motor(
    row: &mut MotorRow,
    lane: usize,
    motor: Option<Motor>,
    force: i32,
    factors: &Factors,
    impulses: [i32; 2],
) {
    let Motor { position, velocity, spring, .. } = motor.unwrap_or_default();
    row.total[lane] = 0;
    row.force[lane] = force;
    row.position[lane] = to_mantissa(position, 24);
    row.velocity[lane] = to_mantissa(velocity, IMPULSE_BITS);
    [row.impulse[lane], row.last[lane]] = if motor.is_some() { impulses } else { [0; 2] };
    if motor.is_some() {
        let (softness, at_once) = factors.driven(spring);
        row.give.set(lane, &softness, at_once);
    } else {
        row.give.clear(lane);
    }
}

fn place_limits(row: &mut AxisRow, lane: usize, limits: Option<Limits>, angle: Fx, impulses: [i32; 2]) {
    row.total[lane] = 0;
    row.start[lane] = to_mantissa(angle, 24);
    row.limited[lane] = i32::from(limits.is_some());
    let Limits { lower, upper } = limits.unwrap_or_default();
    // Two values that are one with fewer bits are one.
    (row.lower[lane], row.upper[lane]) = (to_mantissa(lower, 24), to_mantissa(upper, 24));
    [row.impulse[lane], row.last[lane]] = if limits.is_some() { impulses } else { [0; 2] };
}

/// The axis about which the x axis of b swings away from that of a, if b is to turn by that much more in a tick: where it has not
/// yet swung by as much, that about which it is going to.
fn swing_axis([a, b]: [Vec3; 2], turn: Vec3) -> Vec3 {
    let (swung, turn) = (a.cross(b), turn.saturating_sub(b.saturating_scale(b.dot(turn))));
    let is_near = a.dot(b) > Fx::ZERO && swung.length() < turn.length();
    if is_near { swung.saturating_add(turn) } else { swung }.normalize_or_zero()
}

/// The rotation of frame b in frame a.
fn relative_rotation(a: &Anchor, b: &Anchor) -> Quat {
    a.rotation.conjugate().mul_quat(b.rotation)
}

/// A motor that comes to its position from an angle by less than half a turn.
fn shortest_way(motor: Motor, angle: Fx) -> Motor {
    Motor { position: nearest_turn(motor.position, angle), ..motor }
}

/// The angle that is at most half a turn from another one, of two angles that are less than three halves of a turn apart.
fn nearest_turn(angle: Fx, other: Fx) -> Fx {
    let way = angle.saturating_sub(other);
    if way > Fx::PI {
        angle.saturating_sub(Fx::TAU)
    } else if way < -Fx::PI {
        angle.saturating_add(Fx::TAU)
    } else {
        angle
    }
}
