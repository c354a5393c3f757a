//! Joints on their way into the solver's blocks, and out again.

mod loads;
mod placing;
mod scales;

use super::{Scratch, World};
use crate::body::{Body, Motion};
use crate::joint::{Joint, JointImpulses, Spring};
use crate::solver::bodies::{Bodies, Record};
use crate::solver::frames::find_frame;
use crate::solver::joints::{JointBlock, Kinds, MOST_IMPULSE, PrepareJoints, Refresh};
use crate::solver::records::Records;
use crate::solver::softness::Softness;
use crate::solver::{BLOCK, Column, IMPULSE_BITS, to_mantissa};
use crate::state::State;
use isostep_math::wide::Level;
use isostep_math::{Fx, Vec3};
use loads::{Impulses, whole_points};
use placing::Placing;

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
