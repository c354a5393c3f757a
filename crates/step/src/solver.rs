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
//! 4. `prepare` turns anchors into rows, in the block floating point of `mantissas`; `turns` has those about the normal and
//!    about tangents, `softness` the factors of the springs.
//! 5. `iterate` does the substeps: `motion` moves bodies, `normals` has what presses, `friction` what holds, and `settle` solves
//!    for both together where something hits.
//! 6. `bodies` and the step take velocities, displacements and impulses out.
//!
//! `joints` has their rows, which go through the same substeps; `ahead` tells the caches what comes next.
//!
//! # A row
//! A row along a unit direction d at the point p, with the arms r = p − c of both bodies, has the Jacobian
//! (−d, −r_a × d, d, r_b × d). Impulses are velocity changes of the lighter body: an impulse P changes the velocities by
//! w d P and w k⁻² (r × d) P, with w = m⁻¹ / max(m_a⁻¹, m_b⁻¹) in [0, 1] and the gyration tensor k². So no mass appears but
//! in ratios. The row parts faster by K P, where
//!
//! K = Σ w (d·d + (r × d)ᵀ k⁻² (r × d))
//!
//! is at least 1. In a block impulses are κ P, with a power of two κ for each contact: the greatest one that is no more than
//! the greatest K of its points, unless angular velocities per impulse need a greater one to have room. So they are as fine as
//! velocities, whatever the bodies are like.
//!
//! # The points of a contact
//! Anchors of a point are apart along the normal n, but for what manifolds round: the mean of both bodies counts. So its arms
//! are those of the centre and x t₁ + y t₂ along the tangents, the same for both bodies, and with the centre's r
//!
//! (r + x t₁ + y t₂) × n = r × n + x/ℓ · (−ℓ t₂) + y/ℓ · (ℓ t₁)
//!
//! for t₂ = n × t₁ and a power of two ℓ above all x and y. So a contact has three rows for all of its points: at the
//! centre, and two tilts whose arms −ℓ t₂ and ℓ t₁ both bodies share. Points take x/ℓ and y/ℓ of what these part by, and
//! give as much of their impulses to them. What an impulse at one does at another one is (1, x, y) G (1, x', y')ᵀ, where
//! G has what the three rows do to each other. For slender bodies t₁ and t₂ here are other directions than the tangents of
//! friction, along their points, each with an ℓ of its own.
//!
//! # Formats
//! | quantity | format |
//! |---|---|
//! | directions, fractions, masses | Q2.30 |
//! | arms r × d and ℓ t, places x/ℓ, separations, influences | Q8.24 |
//! | angular factors | Q10.22 |
//! | impulses, velocities as multiplicands, inverses κ / K | Q11.21 |
//! | linear velocities | Q12.51 in 64 bits |
//! | angular velocities | Q20.43 in 64 bits |
//!
//! Q30 · Q21 and Q22 · Q21 add to the velocities with no shift and no rounding.

mod ahead;
pub(crate) mod bodies;
pub(crate) mod colors;
mod forget;
pub(crate) mod frames;
mod friction;
pub(crate) mod iterate;
pub(crate) mod joints;
mod mantissas;
mod motion;
mod normals;
pub(crate) mod offsets;
mod pair;
pub(crate) mod prepare;
pub(crate) mod records;
#[cfg(feature = "parallel")]
pub(crate) mod schedule;
mod settle;
pub(crate) mod slabs;
pub(crate) mod softness;
mod turns;
pub(crate) mod words;

pub(crate) use ahead::Ahead;
use core::mem::offset_of;
use isostep_math::wide::{
    Backend, Kernel, Lanes, MOST_LANES, Mask, Multiplicand, chunk_at, chunk_at_mut, prefetch,
};
pub(crate) use mantissas::to_mantissa;
use normals::INFLUENCES;

/// Contacts of a block: the widest backend takes them at once, a narrower one in parts.
///
/// Where all targets of an architecture take one lane after the other, that is one contact, whose numbers lie side by
/// side.
pub(crate) const BLOCK: usize = MOST_LANES;

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
/// Fraction bits of the shares of joints and of resistance to rolling.
pub(crate) const SHARE_BITS: u32 = 26;
/// Fraction bits of inverses.
const INVERSE_BITS: u32 = 21;
/// The greatest friction, Q11.21: differences of two stay within 32 bits.
pub(crate) const MOST_FRICTION: i64 = i32::MAX as i64 / 2;

/// A row of each contact.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", repr(align(32)))]
pub(crate) struct Row {
    /// r × d, Q8.24.
    pub(crate) arm_a: [Column; 3],
    pub(crate) arm_b: [Column; 3],
    /// Angular velocity per impulse, 1/m, Q10.22.
    pub(crate) angular_a: [Column; 3],
    pub(crate) angular_b: [Column; 3],
}

/// A row by which the points of each contact differ from the centre: its bodies turn, and the centre stays.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", repr(align(32)))]
pub(crate) struct Tilt {
    /// Of both bodies, Q8.24.
    pub(crate) arm: [Column; 3],
    /// As of a row.
    pub(crate) angular_a: [Column; 3],
    pub(crate) angular_b: [Column; 3],
}

/// A point of each contact. Its fields lie in such a sequence, too.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", repr(C, align(64)))]
pub(crate) struct Point {
    /// The velocity that a substep asks for: above 0 what closes the gap, else what the spring pushes with, Q11.21.
    pub(crate) offset: Column,
    /// Of this substep, Q11.21.
    pub(crate) impulse: Column,
    /// x/ℓ and y/ℓ, Q8.24.
    pub(crate) place: [Column; 2],
    /// κ / K, Q11.21; 0 for a point that a contact does not have.
    pub(crate) inverse: Column,
    /// The same times the γ of the contact's [`softness`].
    pub(crate) soft_inverse: Column,
    /// Of all substeps, 21 fraction bits.
    pub(crate) total: [i64; BLOCK],
    /// At the start of the step, Q8.24.
    pub(crate) separation: Column,
    /// The velocity to part with, or 0, Q11.21.
    pub(crate) bounce: Column,
}

/// What all points of each contact have in common: that they part where their centre does.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_arch = "x86_64", repr(C, align(64)))]
pub(crate) struct Center {
    /// κ / K / the number of points, Q11.21: the impulse at each point per speed of the centre; and times γ and 1 − γ. 0
    /// where there is one.
    pub(crate) inverse: Column,
    pub(crate) soft_inverse: Column,
    pub(crate) kept_inverse: Column,
    /// K / κ of each point / the number of points, Q8.24: the centre is as soft as they are in the mean.
    pub(crate) shares: [Column; 4],
    /// As of a point.
    pub(crate) offset: Column,
    /// The mean of those of the points, Q8.24.
    pub(crate) separation: Column,
    /// How much faster each point parts per impulse at each of them, Q8.24.
    pub(crate) influences: [Column; 4],
}

/// As many contacts as a block has lanes.
///
/// Fields lie in the sequence in which sweeps over centres, over springs and with friction come to them, so that each takes as
/// few lines of the caches as it can: see [`ahead`].
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block {
    /// Records of bodies; 0 for what does not move, and for lanes of a part that has contacts in others.
    pub(crate) a: [u32; BLOCK],
    pub(crate) b: [u32; BLOCK],
    /// w / κ of both bodies, Q2.30.
    pub(crate) masses: [Column; 2],
    /// From a to b, Q2.30.
    pub(crate) normal: [Column; 3],
    /// How many lanes have a contact: the first ones.
    pub(crate) filled: usize,
    /// The most points of a contact.
    pub(crate) count: usize,
    /// Whether a body is held to some axes: otherwise `free` is not read.
    pub(crate) locked: bool,
    /// Whether friction can hold a contact against turning about the normal, or did: otherwise what has `twist` in its name
    /// is not read, and the impulse is 0.
    pub(crate) twists: bool,
    /// Whether a contact resists rolling: otherwise what has `rolling` in its name is not read.
    pub(crate) rolls: bool,
    /// Along the normal at the centre.
    pub(crate) row: Row,
    pub(crate) center: Center,
    /// See [`softness`].
    pub(crate) softness: softness::Columns,
    pub(crate) points: [Point; 4],
    /// How points differ from the centre, by their places along x and y.
    pub(crate) tilts: [Tilt; 2],
    /// How much faster a point parts per impulse at one before it, Q8.24: see [`normals`].
    pub(crate) influences: [Column; INFLUENCES],
    pub(crate) tangents: [[Column; 3]; 2],
    /// Along the tangents at the centre. Before [`prepare`] anchors of the points: see [`Self::anchors`].
    pub(crate) friction: [Row; 2],
    /// κ / K of both, Q11.21.
    pub(crate) friction_inverse: [Column; 2],
    /// Q11.21.
    pub(crate) friction_impulse: [Column; 2],
    /// How much faster bodies part along the second tangent per impulse along the first, Q8.24.
    pub(crate) friction_influence: Column,
    /// The coefficient of friction, Q5.26.
    pub(crate) friction_limit: Column,
    /// 1 where all points press and the bodies still move against each other after a sweep that relaxes, 0 elsewhere.
    pub(crate) restless: Column,
    /// Angular velocity per angular impulse about the normal, Q10.22.
    pub(crate) twist_a: [Column; 3],
    pub(crate) twist_b: [Column; 3],
    /// The angular impulse about the normal that friction can have per normal impulse, Q11.20.
    pub(crate) twist_limit: Column,
    /// In rad/s, Q11.21.
    pub(crate) twist_impulse: Column,
    /// The sum of the impulses along the normal that the step began with, and later of the substep before; Q11.21. Only [`forget`]
    /// reads it.
    pub(crate) pressed: Column,
    /// The exponent of κ = 2^`scale`; before [`prepare`] that of the step before.
    pub(crate) scale: Column,
    /// The friction of the step before, a vector of the world with the κ that it had then, Q11.21.
    pub(crate) friction_before: [Column; 3],
    /// The coefficient of restitution, Q2.30.
    pub(crate) restitution: Column,
    /// What drives the bodies apart along the normal besides contacts, where any point bounces: in m/s², Q11.21.
    pub(crate) acceleration: Column,
    /// The axes along which the bodies can move: a bit each.
    pub(crate) free: [Column; 2],
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

const ZERO: Column = [0; BLOCK];

impl Row {
    const ZERO: Self =
        Self { arm_a: [ZERO; 3], arm_b: [ZERO; 3], angular_a: [ZERO; 3], angular_b: [ZERO; 3] };
}

impl Tilt {
    const ZERO: Self = Self { arm: [ZERO; 3], angular_a: [ZERO; 3], angular_b: [ZERO; 3] };
}

impl Point {
    /// A point that is far apart.
    const NONE: Self = Self {
        place: [ZERO; 2],
        inverse: ZERO,
        soft_inverse: ZERO,
        offset: ZERO,
        impulse: ZERO,
        separation: [prepare::ABSENT; BLOCK],
        bounce: ZERO,
        total: [0; BLOCK],
    };
}

impl Center {
    const NONE: Self = Self {
        inverse: ZERO,
        soft_inverse: ZERO,
        kept_inverse: ZERO,
        shares: [ZERO; 4],
        offset: ZERO,
        separation: ZERO,
        influences: [ZERO; 4],
    };
}

impl Block {
    /// Whether a contact has several points: otherwise the centre, tilts and influences are not read.
    #[inline(always)]
    const fn has_center(&self) -> bool {
        self.count > 1
    }

    /// Where the anchors of a point are before [`prepare`], in the coordinates of both bodies, Q8.24: there is no friction
    /// yet, and afterwards nobody asks for them.
    #[inline(always)]
    pub(crate) const fn anchors(&mut self, point: usize) -> [&mut [Column; 3]; 2] {
        let Row { arm_a, arm_b, angular_a, angular_b } = &mut self.friction[point / 2];
        if point % 2 == 0 { [arm_a, arm_b] } else { [angular_a, angular_b] }
    }

    /// Without contacts.
    pub(crate) const NONE: Self = Self {
        a: [0; BLOCK],
        b: [0; BLOCK],
        filled: 0,
        count: 0,
        masses: [ZERO; 2],
        normal: [ZERO; 3],
        row: Row::ZERO,
        tilts: [Tilt::ZERO; 2],
        points: [Point::NONE; 4],
        influences: [ZERO; INFLUENCES],
        center: Center::NONE,
        softness: softness::Columns::NONE,
        pressed: ZERO,
        scale: ZERO,
        tangents: [[ZERO; 3]; 2],
        friction: [Row::ZERO; 2],
        friction_inverse: [ZERO; 2],
        friction_influence: ZERO,
        friction_impulse: [ZERO; 2],
        friction_limit: ZERO,
        restless: ZERO,
        locked: false,
        free: [ZERO; 2],
        twists: false,
        twist_a: [ZERO; 3],
        twist_b: [ZERO; 3],
        twist_limit: ZERO,
        twist_impulse: ZERO,
        friction_before: [ZERO; 3],
        restitution: ZERO,
        acceleration: ZERO,
        rolls: false,
        rolling_resistance: ZERO,
        rolling_a: [[ZERO; 3]; 2],
        rolling_b: [[ZERO; 3]; 2],
        rolling_share: [ZERO; 2],
        rolling_limit: ZERO,
        rolling_impulse: [ZERO; 2],
    };
}

/// As many contacts or joints as there are lanes, or fewer.
trait Lot {
    /// How many lanes have one: the first ones.
    fn filled(&self) -> usize;

    /// Tells the caches what a pass has to know of one to tell them more, wherever that is.
    #[inline(always)]
    fn bring_outline(_this: *const Self) {}
}

impl Lot for Block {
    #[inline(always)]
    fn filled(&self) -> usize {
        self.filled
    }

    /// Its records, and how many points it has.
    #[inline(always)]
    fn bring_outline(this: *const Self) {
        prefetch(this);
        prefetch(this.cast::<u8>().wrapping_add(offset_of!(Self, count)));
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

    /// Tells the caches what it takes of a block, and with it.
    #[inline(always)]
    fn bring(&self, _next: &T) {}
}

/// A pass over blocks.
///
/// Each pass is a kernel of its own: all in one would need megabytes of stack where nothing is optimised. There the longest
/// parts of a pass are not inlined either.
struct Over<'a, T, P> {
    blocks: &'a mut [T],
    ahead: Ahead<'a>,
    pass: P,
}

impl<'a, T, P> Over<'a, T, P> {
    /// Over blocks that the caches hold.
    fn new(blocks: &'a mut [T], pass: P) -> Self {
        Self { blocks, ahead: Ahead::NONE, pass }
    }
}

impl<T: Lot, P: Pass<T>> Kernel for Over<'_, T, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let Self { mut blocks, mut pass, mut ahead } = self;
        let lines = ahead.lines_with_each(blocks.len());
        while let Some((block, rest)) = blocks.split_first_mut() {
            if let (true, [next, others @ ..]) = (ahead.is_on(), &*rest) {
                ahead.bring(lines);
                pass.bring(next);
                T::bring_outline(others.as_ptr());
            }
            each_part::<T, P, B, N>(&mut pass, block);
            blocks = rest;
        }
    }
}

/// A pass over blocks from the last one to the first.
struct Backwards<'a, T, P> {
    blocks: &'a mut [T],
    pass: P,
}

impl<T: Lot, P: Pass<T>> Kernel for Backwards<'_, T, P> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        let Self { blocks, mut pass } = self;
        for block in blocks.iter_mut().rev() {
            each_part::<T, P, B, N>(&mut pass, block);
        }
    }
}

/// Does to a block what a pass does.
#[cfg_attr(not(unoptimized), inline(always))]
fn each_part<T: Lot, P: Pass<T>, B: Backend<N>, const N: usize>(pass: &mut P, block: &mut T) {
    const { assert!(N <= BLOCK, "a part of a block has no more lanes than that") };
    for at in (0..BLOCK).step_by(N) {
        // All blocks have something in their first part.
        if at > 0 && at >= block.filled() {
            break;
        }
        pass.part::<B, N>(block, at);
    }
}

/// m and p with x = m 4^p and m in 2²⁹..2³¹, as roots want it, for x above 0; bits below m are dropped.
#[inline(always)]
fn quartered<B: Backend<N>, const N: usize>(x: Lanes<B, N>) -> (Lanes<B, N>, Lanes<B, N>) {
    let length = Lanes::splat(64) - x.leading_zeros();
    let p = (length - Lanes::splat(30)).shr::<1>();
    let doubled = p + p;
    let m = x.shl_each((-doubled).max(Lanes::zero())).shr_logical_each(doubled.max(Lanes::zero()));
    (m, p)
}

#[inline(always)]
pub(crate) fn load<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Lanes<B, N> {
    Lanes::load(chunk_at(column, at))
}

#[inline(always)]
pub(crate) fn load3<B: Backend<N>, const N: usize>(columns: &[Column; 3], at: usize) -> [Lanes<B, N>; 3] {
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
pub(crate) fn load_total<B: Backend<N>, const N: usize>(total: &[i64; BLOCK], at: usize) -> Lanes<B, N> {
    Lanes::from_array(*chunk_at(total, at))
}

#[inline(always)]
fn store_total<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, total: &mut [i64; BLOCK], at: usize) {
    *chunk_at_mut(total, at) = lanes.to_array();
}

/// A vector where a mask says so, else 0.
#[inline(always)]
fn keep3<B: Backend<N>, const N: usize>(mask: Mask<B, N>, v: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
    [mask.keep(v[0]), mask.keep(v[1]), mask.keep(v[2])]
}

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(
    lanes: impl Into<Multiplicand<B, N>>,
    column: &mut Column,
    at: usize,
) {
    *chunk_at_mut(column, at) = lanes.into().store();
}

#[inline(always)]
fn store3<B: Backend<N>, const N: usize>(
    [x, y, z]: [impl Into<Multiplicand<B, N>>; 3],
    columns: &mut [Column; 3],
    at: usize,
) {
    store(x, &mut columns[0], at);
    store(y, &mut columns[1], at);
    store(z, &mut columns[2], at);
}

/// Where any of some numbers has at least `BITS` bits besides its sign.
#[inline(always)]
fn exceed<B: Backend<N>, const N: usize, const BITS: u32>(numbers: &[Lanes<B, N>]) -> Mask<B, N> {
    let most = Lanes::splat((1 << BITS) - 1);
    // What is within ± most is within 0 to 2 most from there: nothing beyond the bits, and nothing negative.
    let mut all = Lanes::zero();
    for &number in numbers {
        all = all | (number + most);
    }
    !all.shr_logical::<BITS>().shr_logical::<1>().equal(Lanes::zero())
}

#[inline(always)]
fn store_saturating<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut Column, at: usize) {
    *chunk_at_mut(column, at) = lanes.store_saturating();
}
