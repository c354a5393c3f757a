//! The contact solver: TGS soft, in 32-bit mantissas and 64-bit lanes.
//!
//! Substeps with soft contacts, a relax pass, a restitution pass (E. Catto, *Solver2D*, 2024; Box2D v3). Contacts are
//! solved as manifolds: the velocities of both bodies stay in registers over all points, then friction is solved at
//! the centre of the contact, as a turn about the normal and two tangents that share a cone. Where a surface resists
//! rolling, turns about the tangents share another one; their impulses start at 0 in every step.
//!
//! Points that are solved one after the other leave a tilt, and towers sway by it. So what the points of a contact have
//! in common is solved first, as one row at their centre whose impulse they share. A sweep over these rows alone costs
//! little, and goes before each sweep over all rows: it carries the load through a pile twice as fast.
//!
//! In the order in which data passes through:
//! 1. `slabs` divides bodies, if there are so many contacts that caches do not hold them.
//! 2. `bodies` makes a record of each body: velocities, what accelerates it; `frames` has its rotation, inverse gyration, mass.
//! 3. `colors` puts contacts into blocks so that no dynamic body is twice in the blocks of a color.
//! 4. `prepare` turns anchors into rows; `softness` has the factors of the springs.
//! 5. `iterate` does the substeps: `motion` moves bodies, `normals` has what presses, and `friction` what holds.
//! 6. `bodies` and the step take velocities, displacements and impulses out.
//!
//! `joints` has their rows, which go through the same substeps.
//!
//! # A row
//! A row along a unit direction d at the point p, with the arms r = p − c of both bodies, has the Jacobian
//! (−d, −r_a × d, d, r_b × d). Impulses are velocity changes along the row: λ = K P for the impulse P, where
//!
//! K = Σ w (d·d + (r × d)ᵀ k⁻² (r × d))
//!
//! with w = m⁻¹ / max(m_a⁻¹, m_b⁻¹) in [0, 1] and the gyration tensor k². So K is at least 1, no mass appears but in
//! ratios, and a change by λ changes the velocities by w d λ / K and w k⁻² (r × d) λ / K. Stored are w k⁻² (r × d) / K
//! and the share (w_a + w_b) / K: the part of λ by which the centres part. Rows of one direction add their shares, and
//! the sum moves both bodies once, each by its fraction w / (w_a + w_b).
//!
//! # Formats
//! | quantity | format |
//! |---|---|
//! | directions, fractions | Q2.30 |
//! | shares | Q6.26 |
//! | arms r × d, separations, influences | Q8.24 |
//! | angular factors | Q10.22 |
//! | impulses, velocities as multiplicands | Q11.21 |
//! | linear velocities | Q12.51 in 64 bits |
//! | angular velocities | Q20.43 in 64 bits |
//!
//! Q30 · Q21 and Q22 · Q21 add to the velocities with no shift and no rounding, and Q26 · Q21 to the speed at which the
//! centres part.

pub(crate) mod bodies;
pub(crate) mod colors;
pub(crate) mod frames;
mod friction;
pub(crate) mod iterate;
pub(crate) mod joints;
mod motion;
mod normals;
pub(crate) mod offsets;
mod pair;
pub(crate) mod prepare;
pub(crate) mod records;
#[cfg(feature = "parallel")]
pub(crate) mod schedule;
pub(crate) mod slabs;
pub(crate) mod softness;
pub(crate) mod words;

use isostep_math::wide::{Backend, Kernel, Lanes, Portable};
use normals::INFLUENCES;

/// Contacts of a block: the widest backend takes them at once, a narrower one in parts.
///
/// Where all targets of an architecture take one lane after the other, that is one contact, whose numbers lie side by
/// side.
pub(crate) const BLOCK: usize = if cfg!(target_arch = "x86_64") { 8 } else { 1 };

/// One number for each contact of a block.
pub(crate) type Column = [i32; BLOCK];

/// Fraction bits of linear velocities in the substeps.
pub(crate) const LINEAR_BITS: u32 = 51;
/// Fraction bits of angular velocities in the substeps.
pub(crate) const ANGULAR_BITS: u32 = 43;
/// Fraction bits of impulses and of velocities as multiplicands.
pub(crate) const IMPULSE_BITS: u32 = 21;
/// Bits to drop from a linear velocity for a multiplicand.
const LINEAR_DROP: u32 = LINEAR_BITS - IMPULSE_BITS;
/// Bits to drop from an angular velocity for a multiplicand.
const ANGULAR_DROP: u32 = ANGULAR_BITS - IMPULSE_BITS;
/// Fraction bits of shares.
pub(crate) const SHARE_BITS: u32 = 26;
/// The greatest friction, Q11.21: differences of two stay within 32 bits.
pub(crate) const MOST_FRICTION: i64 = i32::MAX as i64 / 2;

/// A row of each contact.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", repr(align(32)))]
pub(crate) struct Row {
    /// r × d, Q8.24. Before [`prepare`] in the rows of points: the anchors in the coordinates of the bodies.
    pub(crate) arm_a: [Column; 3],
    pub(crate) arm_b: [Column; 3],
    /// Angular velocity per impulse, 1/m, Q10.22.
    pub(crate) angular_a: [Column; 3],
    pub(crate) angular_b: [Column; 3],
    /// (w_a + w_b) / K: the impulse as one of two bodies without rotation, Q6.26.
    pub(crate) share: Column,
}

/// A point of each contact: a row along the normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) row: Row,
    /// At the start of the step, Q8.24.
    pub(crate) separation: Column,
    /// The velocity that a substep asks for: above 0 what closes the gap, else what the spring pushes with, Q11.21.
    pub(crate) offset: Column,
    /// Of this substep, Q11.21.
    pub(crate) impulse: Column,
    /// The velocity to part with, or 0, Q11.21.
    pub(crate) bounce: Column,
    /// Of all substeps, 21 fraction bits.
    pub(crate) total: [i64; BLOCK],
}

/// All points of each contact at once: a row along the normal at their centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Center {
    pub(crate) row: Row,
    /// The mean of those of the points, Q8.24.
    pub(crate) separation: Column,
    /// As of a point.
    pub(crate) offset: Column,
    /// 1 / the number of points, Q2.30; 0 where they are solved one by one alone.
    pub(crate) mean: Column,
    /// What an impulse at the centre is at each point: K of the point / K of the centre / the number of points, Q8.24.
    pub(crate) parts: [Column; 4],
    /// 1 / the greatest of the parts, rounded down, Q8.24.
    pub(crate) limit: Column,
    /// How much faster each point parts per impulse at the centre, Q8.24.
    pub(crate) influences: [Column; 4],
}

/// As many contacts as a block has lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Block {
    /// Records of bodies; 0 for what does not move, and for lanes of a part that has contacts in others.
    pub(crate) a: [u32; BLOCK],
    pub(crate) b: [u32; BLOCK],
    /// How many lanes have a contact: the first ones.
    pub(crate) filled: usize,
    /// The most points of a contact.
    pub(crate) count: usize,
    /// w / (w_a + w_b) of both bodies, Q2.30.
    pub(crate) fractions: [Column; 2],
    /// Whether a body is held to some axes: otherwise the next two are not read.
    pub(crate) locked: bool,
    /// The axes along which the bodies can move: a bit each.
    pub(crate) free: [Column; 2],
    /// How fast the centres part along the normal, over what they would without locks, Q2.30.
    pub(crate) gain: Column,
    /// From a to b, Q2.30.
    pub(crate) normal: [Column; 3],
    pub(crate) tangents: [[Column; 3]; 2],
    pub(crate) points: [Point; 4],
    pub(crate) center: Center,
    /// How much faster a point parts per impulse at one before it, Q8.24: see [`normals`].
    pub(crate) influences: [Column; INFLUENCES],
    /// Along the tangents at the centre.
    pub(crate) friction: [Row; 2],
    /// Whether friction can hold a contact against turning about the normal, or did: otherwise what has `twist` in its name
    /// is not read, and the impulse is 0.
    pub(crate) twists: bool,
    /// Angular velocity per angular impulse about the normal, Q10.22.
    pub(crate) twist_a: [Column; 3],
    pub(crate) twist_b: [Column; 3],
    /// The coefficient of friction, Q5.26.
    pub(crate) friction_limit: Column,
    /// The angular impulse about the normal that friction can have per normal impulse, Q11.20.
    pub(crate) twist_limit: Column,
    /// Q11.21.
    pub(crate) friction_impulse: [Column; 2],
    /// In rad/s, Q11.21.
    pub(crate) twist_impulse: Column,
    /// The friction of the step before, a vector of the world, Q11.21.
    pub(crate) friction_before: [Column; 3],
    /// The coefficient of restitution, Q2.30.
    pub(crate) restitution: Column,
    /// What drives the bodies apart along the normal besides contacts, where any point bounces: in m/s², Q11.21.
    pub(crate) acceleration: Column,
    /// See `softness`.
    pub(crate) softness: softness::Columns,
    /// Whether a contact resists rolling: otherwise nothing below is read.
    pub(crate) rolls: bool,
    /// The resistance to rolling, a length in m, Q5.26.
    pub(crate) rolling_resistance: Column,
    /// Angular velocity per angular impulse about the tangents, Q10.22.
    pub(crate) rolling_a: [[Column; 3]; 2],
    pub(crate) rolling_b: [[Column; 3]; 2],
    /// K of the tangent about which both turn less easily, over that of each, Q6.26; 0 where neither turns.
    pub(crate) rolling_share: [Column; 2],
    /// The angular impulse that resists per normal impulse, Q11.20.
    pub(crate) rolling_limit: Column,
    /// About the tangents, in rad/s, Q11.21.
    pub(crate) rolling_impulse: [Column; 2],
}

impl Row {
    const ZERO: Self = Self {
        arm_a: [[0; BLOCK]; 3],
        arm_b: [[0; BLOCK]; 3],
        angular_a: [[0; BLOCK]; 3],
        angular_b: [[0; BLOCK]; 3],
        share: [0; BLOCK],
    };
}

impl Point {
    /// A point that is far apart.
    const NONE: Self = Self {
        row: Row::ZERO,
        separation: [prepare::ABSENT; BLOCK],
        offset: [0; BLOCK],
        impulse: [0; BLOCK],
        bounce: [0; BLOCK],
        total: [0; BLOCK],
    };
}

impl Center {
    const NONE: Self = Self {
        row: Row::ZERO,
        separation: [0; BLOCK],
        offset: [0; BLOCK],
        mean: [0; BLOCK],
        parts: [[0; BLOCK]; 4],
        limit: [0; BLOCK],
        influences: [[0; BLOCK]; 4],
    };
}

impl Block {
    /// Whether a contact has several points: otherwise the centre and influences are not read.
    #[inline(always)]
    const fn has_center(&self) -> bool {
        self.count > 1
    }

    /// Without contacts.
    pub(crate) const NONE: Self = Self {
        a: [0; BLOCK],
        b: [0; BLOCK],
        filled: 0,
        count: 0,
        fractions: [[0; BLOCK]; 2],
        locked: false,
        free: [[0; BLOCK]; 2],
        gain: [0; BLOCK],
        normal: [[0; BLOCK]; 3],
        tangents: [[[0; BLOCK]; 3]; 2],
        points: [Point::NONE; 4],
        center: Center::NONE,
        influences: [[0; BLOCK]; INFLUENCES],
        friction: [Row::ZERO; 2],
        twists: false,
        twist_a: [[0; BLOCK]; 3],
        twist_b: [[0; BLOCK]; 3],
        friction_limit: [0; BLOCK],
        twist_limit: [0; BLOCK],
        friction_impulse: [[0; BLOCK]; 2],
        twist_impulse: [0; BLOCK],
        friction_before: [[0; BLOCK]; 3],
        restitution: [0; BLOCK],
        acceleration: [0; BLOCK],
        softness: softness::Columns::NONE,
        rolls: false,
        rolling_resistance: [0; BLOCK],
        rolling_a: [[[0; BLOCK]; 3]; 2],
        rolling_b: [[[0; BLOCK]; 3]; 2],
        rolling_share: [[0; BLOCK]; 2],
        rolling_limit: [0; BLOCK],
        rolling_impulse: [[0; BLOCK]; 2],
    };
}

/// As many contacts or joints as there are lanes, or fewer.
trait Lot {
    /// How many lanes have one: the first ones.
    fn filled(&self) -> usize;
}

impl Lot for Block {
    #[inline(always)]
    fn filled(&self) -> usize {
        self.filled
    }
}

/// What is done to each block, of contacts or of joints, a part of its lanes at a time.
///
/// How many lanes a part has is up to the machine, which contacts share a block to the number of threads, and some lanes have
/// what an earlier step left. So each lane is computed from its own numbers: what asks whether any lane of a part, or of a
/// block, needs something may leave out only what changes none of the others. Points that a contact does not have are
/// computed, too, and mean nothing. Parts of which no lane is filled are left out.
trait Pass<T: Lot> {
    /// To the lanes from `at` on.
    fn part<B: Backend<N>, const N: usize>(&mut self, block: &mut T, at: usize);
}

/// A pass over blocks.
///
/// Each pass is a kernel of its own: all in one would need megabytes of stack where nothing is optimised.
struct Over<'a, T, P> {
    blocks: &'a mut [T],
    pass: P,
}

impl<T: Lot, P: Pass<T>> Kernel for Over<'_, T, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(mut self) {
        if N > BLOCK {
            return self.run::<Portable, 1>();
        }
        for block in self.blocks {
            for at in (0..BLOCK).step_by(N) {
                // All blocks have something in their first part.
                if at > 0 && at >= block.filled() {
                    break;
                }
                self.pass.part::<B, N>(block, at);
            }
        }
    }
}

/// The records of lanes `at` to `at + N`.
#[inline(always)]
fn records<const N: usize>(indices: &[u32; BLOCK], at: usize) -> [u32; N] {
    let mut part = [0; N];
    part.copy_from_slice(&indices[at..at + N]);
    part
}

/// m and p with x = m 4^p and m in 2²⁹..2³¹, as roots want it, for x above 0; bits below m are dropped.
#[inline(always)]
fn quartered<B: Backend<N>, const N: usize>(x: Lanes<B, N>) -> (Lanes<B, N>, Lanes<B, N>) {
    let length = Lanes::splat(64) - x.leading_zeros();
    let p = (length - Lanes::splat(30)).shr::<1>();
    let doubled = p + p;
    let m = x.shl_each((-doubled).max(Lanes::zero())).shr_each(doubled.max(Lanes::zero()));
    (m, p)
}

#[inline(always)]
fn load<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Lanes<B, N> {
    let mut part = [0; N];
    part.copy_from_slice(&column[at..at + N]);
    Lanes::load(&part)
}

#[inline(always)]
fn load3<B: Backend<N>, const N: usize>(columns: &[Column; 3], at: usize) -> [Lanes<B, N>; 3] {
    [load(&columns[0], at), load(&columns[1], at), load(&columns[2], at)]
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
#[inline(always)]
fn load6<B: Backend<N>, const N: usize>(columns: &[Column; 6], at: usize) -> [Lanes<B, N>; 6] {
    let mut lanes = [Lanes::zero(); 6];
    for (entry, column) in lanes.iter_mut().zip(columns) {
        *entry = load(column, at);
    }
    lanes
}

#[inline(always)]
fn load_total<B: Backend<N>, const N: usize>(total: &[i64; BLOCK], at: usize) -> Lanes<B, N> {
    let mut part = [0; N];
    part.copy_from_slice(&total[at..at + N]);
    Lanes::from_array(part)
}

#[inline(always)]
fn store_total<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, total: &mut [i64; BLOCK], at: usize) {
    total[at..at + N].copy_from_slice(&lanes.to_array());
}

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut Column, at: usize) {
    column[at..at + N].copy_from_slice(&lanes.store());
}

#[inline(always)]
fn store3<B: Backend<N>, const N: usize>(lanes: [Lanes<B, N>; 3], columns: &mut [Column; 3], at: usize) {
    store(lanes[0], &mut columns[0], at);
    store(lanes[1], &mut columns[1], at);
    store(lanes[2], &mut columns[2], at);
}

#[inline(always)]
fn store_saturating<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut Column, at: usize) {
    column[at..at + N].copy_from_slice(&lanes.store_saturating());
}
