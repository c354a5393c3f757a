//! Joints on their way into the solver's blocks, and out again.

use super::{Scratch, World};
use crate::body::{Body, Motion, Scaled};
use crate::joint::coordinates::{Anchor, hinge_angle, rotation_error, swing_angle};
use crate::joint::{Joint, JointImpulses, JointKind, Limits, Motor, Pull, Spring};
use crate::solver::bodies::{Bodies, Record};
use crate::solver::frames::{find_frame, tensor};
use crate::solver::joints::{
    AxisKind, AxisRow, JointBlock, Kinds, MOST_IMPULSE, MotorRow, PrepareJoints, Refresh, Triple,
};
use crate::solver::records::Records;
use crate::solver::softness::Softness;
use crate::solver::{BLOCK, Column, IMPULSE_BITS, SHARE_BITS, to_mantissa};
use crate::state::State;
use isostep_math::exact::{round_shift, saturate};
use isostep_math::wide::Level;
use isostep_math::{Fx, Quat, Vec3, fx};

impl World {
    /// Puts the joints of awake bodies into blocks, with the impulses that they had in the step before.
    pub(super) fn place_joints(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { bodies, coloring, joints: blocks, .. } = scratch;
        blocks.resize(coloring.joints.blocks, JointBlock::NONE);
        for block in blocks.iter_mut() {
            // What else is in a lane is of an earlier step, and means nothing: no row moves record 0.
            (block.a, block.b, block.has) = ([0; BLOCK], [0; BLOCK], Kinds::default());
            block.filled = 0;
        }
        let factors = Factors::new(&state.config);
        for (&slot, &(block, lane)) in derived.joints.iter().zip(&coloring.joints.places) {
            let joint = &state.joints[slot];
            let sides = joint.bodies.map(|body| {
                let record = bodies.record(body);
                Side {
                    body: &state.bodies[body],
                    motion: &state.motions[body],
                    record,
                    is_movable: bodies.is_movable(record),
                }
            });
            let block = &mut blocks[block as usize];
            block.filled = block.filled.max(usize::from(lane) + 1);
            Placing { joint, sides, factors: &factors, block, lane: usize::from(lane) }
                .place(&state.joint_impulses[slot]);
        }
    }

    /// Finds what joints did in the last substep to bodies that spin in them, over a tick: by the rows of where these are now.
    pub(super) fn hold_spins(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { bodies, coloring, joints: blocks, spins, .. } = scratch;
        let substeps = Fx::from_int(state.config.substeps as i32);
        for (&slot, &(block, lane)) in derived.joints.iter().zip(&coloring.joints.places) {
            let joint = &state.joints[slot];
            let spinning = joint.bodies.map(|body| spins.binary_search_by_key(&body, |spin| spin.slot).ok());
            if spinning == [None; 2] {
                continue;
            }
            let (block, lane) = (&blocks[block as usize], usize::from(lane));
            let [force, torque] = Impulses::of_substep(block, lane)
                .loads(block, lane)
                .map(|load| load.saturating_scale(substeps));
            let masses = masses(state, bodies, joint);
            let reduced = reduced(masses);
            for (k, spin) in spinning.into_iter().enumerate() {
                let (Some(spin), Some(mass)) = (spin, masses[k]) else { continue };
                let share = reduced.saturating_div(mass);
                let share = if k == 0 { -share } else { share };
                let arm = vector(&block.arms[k], lane, 24);
                let torque = arm.cross(force).saturating_add(torque).saturating_scale(share);
                spins[spin].torque = spins[spin].torque.saturating_add(torque);
            }
        }
    }

    /// Takes the impulses out, and says which joints broke.
    pub(super) fn take_joints(&mut self) {
        let Self { state, derived, scratch, tokens, .. } = self;
        let Scratch { bodies, coloring, joints: blocks, broken, .. } = scratch;
        let token = tokens.draw();
        for (&slot, &(block, lane)) in derived.joints.iter().zip(&coloring.joints.places) {
            let (block, lane) = (&blocks[block as usize], usize::from(lane));
            let impulses = state.joint_impulses.change(slot, token);
            *impulses = JointImpulses {
                linear: whole_points(block, lane),
                angular: block.rotations.impulse.map(|column| column[lane]),
                last_linear: block.points.last.map(|column| column[lane]),
                last_angular: block.rotations.last.map(|column| column[lane]),
                motor: block.motor.impulse[lane],
                limit: block.axis.impulse[lane],
                // A joint has one of both at the most.
                swing: block.swing.impulse[lane] + block.wheel.impulse[lane],
                last_motor: block.motor.last[lane],
                last_limit: block.axis.last[lane],
                last_swing: block.swing.last[lane] + block.wheel.last[lane],
            };
            let joint = &state.joints[slot];
            if joint.break_force.is_none() && joint.break_torque.is_none() {
                continue;
            }
            let per_tick =
                reduced(masses(state, bodies, joint)).saturating_mul(state.config.ticks_per_second());
            let [force, torque] = Impulses::of_step(block, lane)
                .loads(block, lane)
                .map(|load| load.saturating_scale(per_tick).length());
            let exceeds = |limit: Option<Fx>, load: Fx| limit.is_some_and(|limit| load > limit);
            if exceeds(joint.break_force, force) || exceeds(joint.break_torque, torque) {
                broken.push((slot, force, torque));
            }
        }
    }
}

/// With how much force and torque the joint in a slot held its body b in the last substep, in N and N·m: its impulses of then,
/// by rows of where the bodies are now.
pub(in crate::world) fn load_of(state: &State, slot: u32) -> [Vec3; 2] {
    let (joint, impulses) = (&state.joints[slot], &state.joint_impulses[slot]);
    let sides = [0, 1].map(|k| {
        let body = joint.bodies[k];
        let is_movable = state.is_movable(body);
        let record = if is_movable { k as u32 + 1 } else { 0 };
        Side { body: &state.bodies[body], motion: &state.motions[body], record, is_movable }
    });
    let per_substep = reduced(sides.each_ref().map(Side::mass))
        .saturating_mul(Fx::from_int(state.config.substep_rate() as i32));
    let mut frames = [Record::ZERO; 3];
    for (frame, side) in frames[1..].iter_mut().zip(&sides).filter(|(_, side)| side.is_movable) {
        find_frame(frame, None, side.body, side.motion);
    }
    let mut block = JointBlock { filled: 1, ..JointBlock::NONE };
    Placing { joint, sides, factors: &Factors::new(&state.config), block: &mut block, lane: 0 }
        .place(impulses);
    let (level, blocks) = (Level::current(), core::slice::from_mut(&mut block));
    PrepareJoints { frames: &frames }.run(blocks, level);
    let displacements = &mut [Record::ZERO; 3];
    Refresh { rate: i64::from(state.config.substep_rate()), drift: None }.run(
        blocks,
        &Records::new(displacements, 2),
        level,
    );
    Impulses::of_substep(&block, 0).loads(&block, 0).map(|load| load.saturating_scale(per_substep))
}

/// What joints of a world have in common.
struct Factors {
    /// What holds.
    firm: Softness,
    substep_rate: u32,
    /// The length of a tick.
    period: Fx,
}

impl Factors {
    fn new(config: &crate::config::WorldConfig) -> Self {
        Self {
            firm: Softness::of_joints(config),
            substep_rate: config.substep_rate(),
            period: config.tick_period(),
        }
    }

    /// How a spring gives way. It does so over many substeps.
    fn sprung(&self, spring: Spring) -> (Softness, bool) {
        (Softness::of_spring(&spring, self.substep_rate), false)
    }

    /// How a motor gives way: one without a spring asks for its velocity alone.
    fn driven(&self, spring: Option<Spring>) -> (Softness, bool) {
        spring.map_or((Softness::VELOCITY, true), |spring| self.sprung(spring))
    }
}

/// A body of a joint.
struct Side<'a> {
    body: &'a Body,
    motion: &'a Motion,
    record: u32,
    /// Whether joints move it.
    is_movable: bool,
}

impl Side<'_> {
    /// Its mass in kg, if joints move it.
    fn mass(&self) -> Option<Fx> {
        self.is_movable.then(|| mass_of(self.body))
    }
}

/// A joint on its way into a lane.
struct Placing<'a> {
    joint: &'a Joint,
    sides: [Side<'a>; 2],
    factors: &'a Factors,
    block: &'a mut JointBlock,
    lane: usize,
}

/// Powers of two by which impulses are scaled: `solver::joints` derives them.
struct Scales {
    points: i32,
    rotations: i32,
    lever: i32,
}

impl Placing<'_> {
    fn place(mut self, impulses: &JointImpulses) {
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

    /// Inverses of gyrations with which bodies that joints move count. Those that are less in the joint than they are go to the
    /// block.
    fn bound_gyrations(&mut self) -> [Option<Scaled<3>>; 2] {
        let is_held = self.joint.kind.keeps_points_still();
        [0, 1].map(|k| {
            let Side { body, motion, is_movable, .. } = self.sides[k];
            self.block.bounded[k][self.lane] = 0;
            if !is_movable {
                return None;
            }
            let gyration = body.mass.inverse_gyration;
            let Some(bounded) = bounded(gyration, self.arm(k)).filter(|_| is_held) else {
                return Some(gyration);
            };
            self.block.bounded[k][self.lane] = 1;
            self.block.exponents[k][self.lane] = i32::from(bounded.exponent);
            for (column, entry) in
                self.block.tensors[k].iter_mut().zip(tensor(bounded.mantissas, body, motion))
            {
                column[self.lane] = entry as i32;
            }
            Some(bounded)
        })
    }

    /// From the centre of mass of a body to the origin of its frame, in its own axes.
    fn arm(&self, k: usize) -> Vec3 {
        self.joint.frames[k].translation.saturating_sub(self.sides[k].body.mass.center)
    }

    /// Scales by magnitudes that do not depend on poses, so that impulses mean the same in each step.
    fn scales(&self, gyrations: &[Option<Scaled<3>>; 2]) -> Scales {
        let (mut lightest, mut arms, mut largest, mut least, mut turning) = (NEVER, 0, NEVER, NEVER, NEVER);
        for Side { body, .. } in self.sides.iter().filter(|side| side.is_movable) {
            lightest = lightest.max(i32::from(body.mass.inverse_mass.exponent));
        }
        for (k, gyration) in gyrations.iter().enumerate() {
            let Some(gyration) = gyration else { continue };
            let smallest = gyration.mantissas.into_iter().filter(|&mantissa| mantissa > 0).min();
            let Some(smallest) = smallest else { continue };
            let inverse_mass = self.sides[k].body.mass.inverse_mass;
            let squared = 63 - square_of(self.arm(k)).leading_zeros() as i32;
            let magnitude = i32::from(inverse_mass.exponent) - lightest + i32::from(gyration.exponent);
            arms = arms.max(magnitude + squared);
            turning = turning.max(magnitude + squared.div_euclid(2) + 1);
            largest = largest.max(magnitude);
            least = least.max(magnitude - 30 + log2(i64::from(smallest)));
        }
        let rotations = if largest == NEVER { 0 } else { (largest + least).div_euclid(2).clamp(-24, 24) };
        // What turns about a point of a joint turns less easily than about its centre.
        let still = if self.joint.kind.turns_about_points() && largest != NEVER { arms.max(0) } else { 0 };
        // Rows have room for 2⁹: of what turns bodies by impulses at points, T [r]×, and against rotation, T.
        Scales {
            points: (arms / 2).max(turning - 9).clamp(0, 10),
            rotations: (rotations - still.div_euclid(2)).max(largest - 9).clamp(-24, 24),
            lever: self.lever(gyrations),
        }
    }

    /// The power of two by which angles are measured, of a joint with rows about axes: so that K of such a row is from 1/4 to 1. A
    /// ball joint may have two, about whatever axes: there it is between what is nearest to that for both.
    fn lever(&self, gyrations: &[Option<Scaled<3>>; 2]) -> i32 {
        let about_x = || self.ease(gyrations, false);
        let ease = match self.joint.kind {
            JointKind::Ball { swing_limit: Some(_), .. } => {
                (about_x() + self.ease(gyrations, true)).div_euclid(2)
            }
            JointKind::Ball { twist_limits: Some(_), .. }
            | JointKind::Hinge { limits: Some(_), .. }
            | JointKind::Hinge { motor: Some(_), .. }
            | JointKind::Wheel { motor: Some(_), .. } => about_x(),
            _ => return 0,
        };
        (ease + 2).div_euclid(2).clamp(-6, 12)
    }

    /// How easily bodies turn against each other about the x axes of their frames, or about those about which it is hardest: the
    /// binary logarithm of the sum of f / (k² + r²) in 1/m², with the arms r from the axes.
    fn ease(&self, gyrations: &[Option<Scaled<3>>; 2], hardest: bool) -> i32 {
        let weights = self.sides.each_ref().map(|side| side.body.mass.inverse_mass);
        let movable = gyrations.each_ref().map(Option::is_some);
        let greatest = (0..2).filter(|&k| movable[k]).map(|k| weights[k].exponent).max().unwrap_or(0);
        // Of at most 31 bits.
        let weight = |k: usize| {
            let Scaled { mantissas: [mantissa], exponent } = weights[k];
            if movable[k] { u64::from(mantissa.unsigned_abs()) >> (greatest - exponent).min(63) } else { 0 }
        };
        let sum = (weight(0) + weight(1)).max(1);
        let mut ease = 0;
        for (k, gyration) in gyrations.iter().enumerate() {
            let Some(gyration) = gyration else { continue };
            let axis = (!hardest).then(|| x_axis(self.joint.frames[k].rotation));
            let inertia = inertia(self.arm(k), axis, self.sides[k].body.mass.axes, gyration);
            // A fraction in Q30, and Q32 below it.
            ease += (((weight(k) << 30) / sum) << 32) / inertia;
        }
        log2(ease as i64) - 30
    }
}

/// The cosine of the swing from which on limits of the twist do not count: 150°.
const MOST_BENT: Fx = fx!(-0.866);

/// The binary logarithm of the greatest square of an arm over a radius of gyration that joints which hold rotations count with: on
/// arms of more than 64 such radii bodies are held as if these were larger. Their own inertia about such an axis is less than a
/// four-thousandth of what they have about the joint then, and more than numbers could follow.
const MOST_LEVER: i32 = 12;

/// Inverses of gyrations about principal axes of which none is more than 2^[`MOST_LEVER`] over the square of an arm; none where
/// they are less anyway.
fn bounded(gyration: Scaled<3>, arm: Vec3) -> Option<Scaled<3>> {
    let square = square_of(arm);
    // The bound is 2^power / square in units of the mantissas.
    let power =
        u32::try_from(MOST_LEVER + 64 + 30 - i32::from(gyration.exponent)).ok().filter(|&it| it < 127)?;
    let largest = gyration.mantissas.into_iter().max()?;
    if u128::from(largest.unsigned_abs()).saturating_mul(square) <= 1 << power {
        return None;
    }
    // Of 32 bits, of which the quotient has less than 30.
    let drop = 96_u32.saturating_sub(square.leading_zeros());
    let bound = (1_u64 << power.saturating_sub(drop)) / (square >> drop) as u64;
    let bound = bound.clamp(1, largest.unsigned_abs().into()) as i32;
    let up = bound.leading_zeros() - 2;
    let mantissas = gyration.mantissas.map(|mantissa| mantissa.min(bound) << up);
    Some(Scaled { mantissas, exponent: gyration.exponent - up as i16 })
}

/// The square of the length of an arm, Q64.
fn square_of(arm: Vec3) -> u128 {
    arm.to_array().map(|part| u128::from(part.to_bits().unsigned_abs()).pow(2)).iter().sum()
}

/// The greatest distance by which points or rotations count as off, in m: what is farther is drawn the same way.
const MOST_APART: Fx = fx!(127);

/// A way that is no longer than numbers of joints can be, in the same direction.
fn reachable(way: Vec3) -> Vec3 {
    let longest = way.abs().max_element();
    if longest <= MOST_APART { way } else { way.saturating_scale(MOST_APART.saturating_div(longest)) }
}

/// k² + r² of a body with these principal axes about an axis in Q30 at the end of an arm, which it passes the centre by at r; or
/// without one, about that about which it is greatest. In m² with 32 fraction bits, at least a unit, for what is compared by powers
/// of two.
fn inertia(arm: Vec3, axis: Option<[i64; 3]>, principal: Quat, gyration: &Scaled<3>) -> u64 {
    let squares = gyration.mantissas.map(|mantissa| square(mantissa, gyration.exponent));
    // Q22: the square of an arm of 128 m has 58 bits.
    let arm = arm.to_array().map(|part| part.to_bits() / (1 << 10));
    let whole: i64 = arm.iter().map(|part| part * part).sum();
    let (own, across) = if let Some(axis) = axis {
        let along: i64 = arm.iter().zip(axis).map(|(part, axis)| part * axis).sum::<i64>() / (1 << 30);
        let parts = match principal {
            Quat::IDENTITY => axis,
            axes => {
                let axis = Vec3::from_array(axis.map(|part| Fx::from_bits(part << 2)));
                axes.inverse_mul_vec3(axis).to_array().map(|part| part.to_bits() / 4)
            }
        };
        let own = squares
            .iter()
            .zip(parts)
            .map(|(&square, part)| (u128::from(square) * u128::from((part * part).unsigned_abs())) >> 60);
        (own.sum::<u128>() as u64, whole - along * along)
    } else {
        (squares.into_iter().max().unwrap_or(0), whole)
    };
    own.saturating_add(across.max(0).unsigned_abs() >> (44 - 32)).max(1)
}

/// The x axis turned by a rotation, Q30, toward zero: 1 − 2 (y² + z²), 2 (x y + z w), 2 (x z − y w).
fn x_axis(rotation: Quat) -> [i64; 3] {
    let [x, y, z, w] = rotation.to_array().map(|part| part.to_bits() / 4);
    let halved = 1 << 29;
    [(1 << 30) - (y * y + z * z) / halved, (x * y + z * w) / halved, (x * z - y * w) / halved]
}

/// k² in m² of a number k⁻² = mantissa 2^(exponent − 30), with 32 fraction bits, of at most 62 bits.
fn square(mantissa: i32, exponent: i16) -> u64 {
    // 2^62 / mantissa has 32 bits or more.
    let inverse = (1_u64 << 62) / u64::from(mantissa.unsigned_abs().max(1));
    if exponent < 0 {
        let up = u32::from(exponent.unsigned_abs()).min(inverse.leading_zeros().saturating_sub(2));
        inverse << up
    } else {
        inverse >> exponent.min(63)
    }
}

/// Less than any exponent.
const NEVER: i32 = -4096;

/// The place of the highest bit of a number above 0, and one less than the first of 0.
fn log2(x: i64) -> i32 {
    63 - x.leading_zeros() as i32
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

/// The masses of the bodies of a joint, of those that it moves.
fn masses(state: &State, bodies: &Bodies, joint: &Joint) -> [Option<Fx>; 2] {
    joint.bodies.map(|body| bodies.is_movable(bodies.record(body)).then(|| mass_of(&state.bodies[body])))
}

/// The mass of a body in kg.
fn mass_of(body: &Body) -> Fx {
    body.mass.mass().to_fx()
}

/// The reduced mass of two bodies in kg: m M / (m + M) = m / (1 + m / M).
fn reduced(masses: [Option<Fx>; 2]) -> Fx {
    match masses {
        [Some(a), Some(b)] => {
            let (least, most) = (a.min(b), a.max(b));
            least.saturating_div(Fx::ONE.saturating_add(least.saturating_div(most)))
        }
        [Some(mass), None] | [None, Some(mass)] => mass,
        [None, None] => Fx::ZERO,
    }
}

/// The velocity change that a force makes in a substep of bodies with the reduced mass, times 2^scale, Q11.21;
/// `i32::MAX` without bound.
///
/// A function of its own, as it divides numbers of 128 bits: so a test sees where that is done.
#[inline(never)]
fn most_force(force: Fx, masses: impl Fn() -> [Option<Fx>; 2], substep_rate: u32, scale: i32) -> i32 {
    if force == Fx::MAX {
        return i32::MAX;
    }
    let mass = i128::from(reduced(masses()).to_bits()).max(1) * i128::from(substep_rate);
    // Q32 / Q32 with 21 bits, and the scale.
    let force = i128::from(force.to_bits()) << (IMPULSE_BITS + 32);
    let scaled = if scale < 0 { force >> -scale } else { force << scale };
    i32::try_from((scaled >> 32) / mass).unwrap_or(MOST_IMPULSE).min(MOST_IMPULSE)
}

/// Impulses of the rows of a joint, 21 fraction bits, as its block has them.
struct Impulses {
    points: [i64; 3],
    rotations: [i64; 3],
    /// Of the motor and the limits of the axis together.
    axis: i64,
    /// Of the swing or the motor of a wheel.
    swing: i64,
}

impl Impulses {
    /// Those of all substeps.
    fn of_step(block: &JointBlock, lane: usize) -> Self {
        Self {
            points: block.points.total.map(|column| column[lane]),
            rotations: block.rotations.total.map(|column| column[lane]),
            axis: block.axis.total[lane].saturating_add(block.motor.total[lane]),
            swing: block.swing.total[lane].saturating_add(block.wheel.total[lane]),
        }
    }

    /// Those of a substep, which a joint has in its block: rows that this has not have none.
    fn of_substep(block: &JointBlock, lane: usize) -> Self {
        Self {
            points: block.points.last.map(|column| column[lane].into()),
            rotations: block.rotations.last.map(|column| column[lane].into()),
            axis: i64::from(block.axis.last[lane]) + i64::from(block.motor.last[lane]),
            swing: i64::from(block.swing.last[lane]) + i64::from(block.wheel.last[lane]),
        }
    }

    /// The impulse and the angular impulse on body b, as those of a reduced mass of 1 kg.
    fn loads(&self, block: &JointBlock, lane: usize) -> [Vec3; 2] {
        let scaled = |impulse: [i64; 3], scale: i32| {
            Vec3::from_array(impulse.map(|bits| unscaled(i128::from(bits) << (32 - IMPULSE_BITS), scale)))
        };
        let mut force = scaled(self.points, block.scale[lane]);
        let mut torque = scaled(self.rotations, block.turn_scale[lane]);
        // Rows along an axis push along a direction and turn besides: a limit of a hinge holds the points still, too.
        let moved = usize::from(block.a[lane] == 0);
        let arm = vector(&block.arms[moved], lane, 24);
        for (row, impulse) in [(&block.axis, self.axis), (&block.swing, self.swing)] {
            if impulse == 0 {
                continue;
            }
            // Rows have K times the impulse: 1 / K in Q26.
            let share = i128::from(row.share[lane]);
            let impulse = unscaled((i128::from(impulse) * share) >> (SHARE_BITS + IMPULSE_BITS - 32), 0);
            let direction = vector(&row.direction, lane, 30);
            let about = vector(&row.arms[moved], lane, 24).saturating_sub(arm.cross(direction));
            force = force.saturating_add(direction.saturating_scale(impulse));
            torque = torque.saturating_add(about.saturating_scale(impulse));
        }
        [force, torque]
    }
}

/// The impulses at the points of a joint in a block, with what keeps these still under the others.
fn whole_points(block: &JointBlock, lane: usize) -> [i32; 3] {
    let own = block.points.impulse.map(|column| column[lane]);
    if !block.has.still || block.still[lane] == 0 {
        return own;
    }
    let mut points = own.map(i64::from);
    for (point, row) in points.iter_mut().zip(block.stilling.chunks_exact(3)) {
        let products = row.iter().zip(&block.rotations.impulse);
        let still: i64 = products.map(|(part, turn)| i64::from(part[lane]) * i64::from(turn[lane])).sum();
        *point += round_shift(i128::from(still), 24) as i64;
    }
    let most = i64::from(MOST_IMPULSE);
    points.map(|point| point.clamp(-most, most) as i32)
}

/// `bits` 2^−scale 2⁻³², or the nearest that there is.
fn unscaled(bits: i128, scale: i32) -> Fx {
    let bits = if scale < 0 { bits << -scale } else { bits >> scale };
    Fx::from_bits(saturate(bits))
}

/// A vector with `bits` fraction bits in a lane.
fn vector(columns: &[Column; 3], lane: usize, bits: u32) -> Vec3 {
    Vec3::from_array(columns.map(|column| Fx::from_bits(i64::from(column[lane]) << (32 - bits))))
}

/// Puts a vector with fewer fraction bits into a lane.
fn set(columns: &mut [Column; 3], lane: usize, v: Vec3, bits: u32) {
    for (column, component) in columns.iter_mut().zip(v.to_array()) {
        column[lane] = to_mantissa(component, bits);
    }
}
