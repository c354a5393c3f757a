//! Joints in the solver: rows and blocks of rows, in the formats of contacts.
//!
//! A joint holds up to three things, each of which may be absent:
//! * *points*: the origins of its frames, in all directions or in those across an axis. Three rows that are solved
//!   together, by the inverse of their 3 × 3 effective mass;
//! * *rotations*, in the same way;
//! * an *axis*: an angle, a way or a distance, which a motor drives and limits bound; and besides either the angle of a *swing*,
//!   which is bounded alone, or that of a *wheel*, which a motor drives alone.
//!
//! Frames turn with the bodies. So rows are made anew in every substep, where the bodies are then: solved along the
//! directions that they had at the start of a tick, a pendulum would lose the part of its velocity that no longer lies
//! along its path. With rows of the place, the pull that holds it on its circle gives back what turning takes.
//!
//! In the order in which data passes through: `prepare` has what lasts for a tick; in each substep `lead` finds with which velocities
//! bodies have to move, `solve` iterates over rows, `refresh` and `axes` make these where bodies are then, and `shift` moves bodies
//! by what is left of errors.
//!
//! # What holds
//! Rows that hold or limit ask for velocities alone, errors are taken back by shifts, and impulses with which bodies moved are those
//! that the next substep starts with, whole. Then what is off in impulses and velocities gets less from substep to substep, whatever
//! the structure and the masses: where the sweeps before bodies move multiply it by g and those after it by g', by √(g g') or by
//! less than g, if g is real and from 0 to 1. It is, if sweeps [go back](Way::Back) as they came. Of sweeps that always begin with
//! the first color it is complex where three or more joints meet: a light hub of heavy bodies would shake itself to pieces.
//! Springs, which take errors back by velocities, let a third of chains of unlike bodies on long arms grow; they are left to what
//! users describe as springs. A sixteenth of their push would do so as well: three in four of such trees grew at limits that were
//! springs, half of them at ones that asked for that much besides.
//!
//! # Impulses
//! As in contacts they are velocity changes. With the reduced mass m = m_a m_b / (m_a + m_b), the fractions
//! f_i = m / m_i and the tensors T_i = f_i k_i⁻², an impulse P at arms r_a, r_b changes velocities by ∓f_i P / m and
//! ∓T_i (r_i × P) / m, and the effective mass of points is
//!
//! K = (f_a + f_b) 1 − [r_a]× T_a [r_a]× − [r_b]× T_b [r_b]×.
//!
//! Rotations and points are held by each other: C = Σ T_i [r_i]× is the angular velocity per impulse at the points, and what
//! keeps bodies from turning moves their points by Cᵀ. On an arm of many radii of gyration one after the other would come to
//! what both ask for a thousandth at a time. So where both are held, an angular impulse L comes with −K⁻¹ Cᵀ L at the points,
//! which leaves them still, and has the effective mass of Σ T_i − C K⁻¹ Cᵀ: that of what turns about the points.
//!
//! K is 1 along long arms and large across them. So that neither velocities nor impulses run out of bits, points have
//! impulses 2^e P / m with 2^2e about the largest K, rotations 2^s L / m with 2^s between the smallest and the largest
//! k⁻². Rows of one axis have K P / m; angles are measured by the way at an arm of 2^−lever m.
//!
//! | quantity | format |
//! |---|---|
//! | arms, errors, values, −2^(e − s) K⁻¹ Cᵀ | Q8.24, in m and rad |
//! | axes, fractions | Q2.30 |
//! | 2^−e T \[r\]×, 2^−s T, angular factors | Q10.22 |
//! | 2^e K⁻¹ of points | Q12.20 |
//! | 2^s K⁻¹ of rotations | Q13.19 |
//! | impulses, velocities as multiplicands | Q11.21 |

mod arithmetic;
mod axes;
mod lead;
mod pair;
mod prepare;
mod refresh;
mod shift;
mod solve;

use super::softness::Softness;
use super::{BLOCK, Column, Lot};
pub(crate) use prepare::PrepareJoints;
pub(crate) use refresh::{MOST_IMPULSE, Refresh};
pub(crate) use solve::{JointWork, Way};

/// Fraction bits of the inverse effective mass of points.
const POINT_BITS: u32 = 20;
/// Fraction bits of the inverse effective mass of rotations.
const ROTATION_BITS: u32 = 19;

/// What the axis of a joint is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum AxisKind {
    /// None.
    None = 0,
    /// The angle about the x axis of frame a.
    Angle = 1,
    /// The way along the direction in which points are free.
    Way = 2,
    /// The distance of the origins.
    Distance = 3,
    /// The angle about the mean of both x axes.
    Twist = 4,
}

/// How something gives way, or draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Give {
    /// β in 1/s, Q12.19.
    rate: Column,
    /// γ, Q2.30.
    mass: Column,
    /// 1 − γ, Q2.30.
    impulse: Column,
    /// What counts of a velocity where springs are left alone: 1 for what holds, 0 for springs; Q2.30.
    relax: Column,
}

impl Give {
    const NONE: Self = Self { rate: [0; BLOCK], mass: [0; BLOCK], impulse: [0; BLOCK], relax: [0; BLOCK] };

    /// Nothing is held.
    pub(crate) fn clear(&mut self, lane: usize) {
        (self.rate[lane], self.mass[lane], self.impulse[lane], self.relax[lane]) = (0, 0, 0, 0);
    }

    /// Something gives way as `softness` says; whether it does so only for a substep, being stiff.
    pub(crate) fn set(&mut self, lane: usize, softness: &Softness, stiff: bool) {
        (self.rate[lane], self.mass[lane], self.impulse[lane]) =
            (softness.rate, softness.mass, softness.impulse);
        self.relax[lane] = if stiff { 1 << 30 } else { 0 };
    }
}

/// Three rows that are solved together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triple {
    pub(crate) give: Give,
    /// 1 where all directions are held or those across the axis; 0 where none is.
    pub(crate) held: Column,
    /// 1 where a direction is free, else 0: of points that along which they slide, of rotations the x axis of frame a.
    pub(crate) across: Column,
    /// That direction now, 0 where there is none, Q2.30.
    free: [Column; 3],
    /// The greatest length of the impulse, Q11.21.
    pub(crate) most: Column,
    /// The velocity to have, Q11.21.
    pub(crate) velocity: [Column; 3],
    /// The velocity that it asks for in a substep because it is off, times γ, Q11.21.
    pub(crate) correction: [Column; 3],
    /// The inverse effective mass as xx, yy, zz, xy, xz, yz.
    pub(crate) inverse: [Column; 6],
    /// What an impulse does to the angular velocities, by rows, Q10.22. Of rotations the first six of each are used, as
    /// xx, yy, zz, xy, xz, yz.
    pub(crate) turns: [[Column; 9]; 2],
    /// Of this substep, Q11.21.
    pub(crate) impulse: [Column; 3],
    /// What they were of what holds before bodies moved: the next substep starts with these.
    pub(crate) begin: [Column; 3],
    /// Of the last substep as a whole, also to keep points still.
    pub(crate) last: [Column; 3],
    /// These of all substeps, 21 fraction bits.
    pub(crate) total: [[i64; BLOCK]; 3],
}

/// A row along an axis: what a motor and limits share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisRow {
    /// Q2.30. Of angles what keeps points still.
    pub(crate) direction: [Column; 3],
    /// r × d, and the angular impulse that goes with it: of angles the axis times its arm and what keeps the axis where it is, of
    /// ways what keeps bodies from turning. Q8.24.
    pub(crate) arms: [[Column; 3]; 2],
    /// Angular velocity per impulse, 1/m, Q10.22.
    pub(crate) turns: [[Column; 3]; 2],
    /// 1 / K, Q6.26.
    pub(crate) share: Column,
    /// Where the axis is at the start of the tick, Q8.24; of ways and distances it is not read.
    pub(crate) start: Column,
    /// Limits: where it may be, Q8.24.
    pub(crate) lower: Column,
    pub(crate) upper: Column,
    /// 1 where there are limits.
    pub(crate) limited: Column,
    /// The velocity that the limit asks for, towards larger values, Q11.21: `apart` where it may close the gap, else that which
    /// takes the error back.
    pub(crate) offset: Column,
    /// How fast the axis is to go back before bodies move, Q11.21.
    pub(crate) lead: Column,
    pub(crate) apart: Column,
    /// The side of the limit that counts: −1 the upper one, 1 the lower one, 0 both.
    pub(crate) side: Column,
    /// Of this substep, Q11.21.
    pub(crate) impulse: Column,
    /// What it was before bodies moved: the next substep starts with that.
    pub(crate) begin: Column,
    /// Of the last substep.
    pub(crate) last: Column,
    /// Of all substeps, 21 fraction bits.
    pub(crate) total: [i64; BLOCK],
}

/// A motor on an axis of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotorRow {
    pub(crate) give: Give,
    /// Where its spring is at rest, Q8.24.
    pub(crate) position: Column,
    /// Q11.21, in m/s or rad/s.
    pub(crate) velocity: Column,
    /// The greatest impulse as one of bodies without rotation, Q11.21.
    pub(crate) force: Column,
    /// The greatest impulse, Q11.21.
    pub(crate) most: Column,
    /// γ times the velocity that it asks to leave, Q11.21.
    pub(crate) offset: Column,
    /// Of this substep, Q11.21.
    pub(crate) impulse: Column,
    /// What it was before bodies moved: where there is no spring the next substep starts with that.
    pub(crate) begin: Column,
    /// Of the last substep.
    pub(crate) last: Column,
    /// Of all substeps, 21 fraction bits.
    pub(crate) total: [i64; BLOCK],
}

/// Eight joints.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct JointBlock {
    /// Records of bodies; 0 for what does not move, and for lanes without a joint.
    pub(crate) a: [u32; BLOCK],
    pub(crate) b: [u32; BLOCK],
    /// How many lanes have a joint: the first ones.
    pub(crate) filled: usize,
    /// From the centres of mass to the origins of the frames at the start of the step, Q8.24; 0 for what does not move.
    pub(crate) anchors: [[Column; 3]; 2],
    /// The x axes of the frames at the start of the step, Q2.30.
    pub(crate) axes: [[Column; 3]; 2],
    /// The axis of frame a along which points slide that may: its y axis if b is a wheel, else its x axis. Q2.30.
    pub(crate) slide: [Column; 3],
    /// From the origin of frame a to that of frame b at the start of the step, Q8.24.
    pub(crate) between: [Column; 3],
    /// The rotation vector of b against where it is to be, at the start of the step, Q8.24; where only what is across
    /// the x axis is held, the angle between these axes counts instead.
    pub(crate) turn: [Column; 3],
    /// An [`AxisKind`].
    pub(crate) kind: Column,
    /// e, s and the lever.
    pub(crate) scale: Column,
    pub(crate) turn_scale: Column,
    pub(crate) lever: Column,
    /// f of both bodies along the axes of the world, 0 where they are held, Q2.30; and 2^−e f.
    pub(crate) fractions: [[Column; 3]; 2],
    pub(crate) scaled: [[Column; 3]; 2],
    /// T of both bodies as xx, yy, zz, xy, xz, yz: mantissa 2^(exponent − 30). Where `bounded` is 1, k⁻² of the joint itself before
    /// it is shared.
    pub(crate) tensors: [[Column; 6]; 2],
    pub(crate) exponents: [Column; 2],
    pub(crate) bounded: [Column; 2],
    /// Arms of this substep, Q8.24.
    pub(crate) arms: [[Column; 3]; 2],
    /// From the origin of frame a to that of frame b, Q8.24.
    pub(crate) apart: [Column; 3],
    pub(crate) points: Triple,
    pub(crate) rotations: Triple,
    /// 1 where impulses against rotation go with those that keep points still, else 0.
    pub(crate) still: Column,
    /// These by rows: −2^(e − s) K⁻¹ Cᵀ, where C is the angular velocity per impulse at the points; Q8.24, in m.
    pub(crate) stilling: [Column; 9],
    /// The inverse effective mass of rotations where points are free: of joints that slide.
    pub(crate) alone: [Column; 6],
    pub(crate) axis: AxisRow,
    pub(crate) motor: MotorRow,
    /// About the axis at the start of the step, and bounded from above alone; or about the axis of a wheel, and not bounded.
    pub(crate) swing: AxisRow,
    /// At the start of the step, Q2.30.
    pub(crate) swing_axis: [Column; 3],
    /// What turns a wheel.
    pub(crate) wheel: MotorRow,
    /// What the block has at all: otherwise its columns are not read.
    pub(crate) has: Kinds,
}

/// Which kinds of rows a block has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kinds {
    pub(crate) points: bool,
    pub(crate) rotations: bool,
    /// Points or rotations of which a direction is free.
    pub(crate) across: bool,
    /// Rotations that are held about points.
    pub(crate) still: bool,
    pub(crate) axis: bool,
    pub(crate) motor: bool,
    pub(crate) swing: bool,
    /// Motors of wheels.
    pub(crate) wheel: bool,
}

impl Triple {
    const NONE: Self = Self {
        give: Give::NONE,
        held: [0; BLOCK],
        across: [0; BLOCK],
        free: [[0; BLOCK]; 3],
        most: [0; BLOCK],
        velocity: [[0; BLOCK]; 3],
        correction: [[0; BLOCK]; 3],
        inverse: [[0; BLOCK]; 6],
        turns: [[[0; BLOCK]; 9]; 2],
        impulse: [[0; BLOCK]; 3],
        begin: [[0; BLOCK]; 3],
        last: [[0; BLOCK]; 3],
        total: [[0; BLOCK]; 3],
    };
}

impl AxisRow {
    const NONE: Self = Self {
        direction: [[0; BLOCK]; 3],
        arms: [[[0; BLOCK]; 3]; 2],
        turns: [[[0; BLOCK]; 3]; 2],
        share: [0; BLOCK],
        start: [0; BLOCK],
        lower: [0; BLOCK],
        upper: [0; BLOCK],
        limited: [0; BLOCK],
        offset: [0; BLOCK],
        lead: [0; BLOCK],
        apart: [0; BLOCK],
        side: [0; BLOCK],
        impulse: [0; BLOCK],
        begin: [0; BLOCK],
        last: [0; BLOCK],
        total: [0; BLOCK],
    };
}

impl MotorRow {
    const NONE: Self = Self {
        give: Give::NONE,
        position: [0; BLOCK],
        velocity: [0; BLOCK],
        force: [0; BLOCK],
        most: [0; BLOCK],
        offset: [0; BLOCK],
        impulse: [0; BLOCK],
        begin: [0; BLOCK],
        last: [0; BLOCK],
        total: [0; BLOCK],
    };
}

impl Lot for JointBlock {
    #[inline(always)]
    fn filled(&self) -> usize {
        self.filled
    }
}

impl JointBlock {
    /// Without joints.
    pub(crate) const NONE: Self = Self {
        a: [0; BLOCK],
        b: [0; BLOCK],
        filled: 0,
        anchors: [[[0; BLOCK]; 3]; 2],
        axes: [[[0; BLOCK]; 3]; 2],
        slide: [[0; BLOCK]; 3],
        between: [[0; BLOCK]; 3],
        turn: [[0; BLOCK]; 3],
        kind: [0; BLOCK],
        scale: [0; BLOCK],
        turn_scale: [0; BLOCK],
        lever: [0; BLOCK],
        fractions: [[[0; BLOCK]; 3]; 2],
        scaled: [[[0; BLOCK]; 3]; 2],
        tensors: [[[0; BLOCK]; 6]; 2],
        exponents: [[0; BLOCK]; 2],
        bounded: [[0; BLOCK]; 2],
        arms: [[[0; BLOCK]; 3]; 2],
        apart: [[0; BLOCK]; 3],
        points: Triple::NONE,
        rotations: Triple::NONE,
        still: [0; BLOCK],
        stilling: [[0; BLOCK]; 9],
        alone: [[0; BLOCK]; 6],
        axis: AxisRow::NONE,
        motor: MotorRow::NONE,
        swing: AxisRow::NONE,
        swing_axis: [[0; BLOCK]; 3],
        wheel: MotorRow::NONE,
        has: Kinds {
            points: false,
            rotations: false,
            across: false,
            still: false,
            axis: false,
            motor: false,
            swing: false,
            wheel: false,
        },
    };
}
