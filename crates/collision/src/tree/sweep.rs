//! The leaves along a ray or in the way of a moving box, nearest first.
//!
//! Nodes are entered in the order of the fraction where the sweep meets their boxes at the earliest, so leaves
//! are visited exactly in the order of (fraction, id), and the calls themselves say nothing about the tree.
//!
//! # Bounds on the grid
//! On each axis, mirrored where the sweep runs towards lower coordinates (which swaps a minimum with the complement
//! of the maximum: two lanes of a slot), with the sweep's own cells from `least` to `greatest`,
//!
//! ```text
//! near = (min − greatest − 1) / D,   far = (max + 1 − least) / D,   D = |d| / 2^shift
//! ```
//!
//! enclose the fractions of the exact boxes. A reciprocal of 30 bits makes them Q30 by one multiplication of a
//! 33-bit word and a shift. For fractions up to 1 the reciprocal is off by 2 units and the shift by 1;
//! [`SLACK`] covers both ends, so no box that the sweep touches is passed over.

use super::DynamicTree;
use super::frontier::{Frontier, Key, Target};
use super::grid::Grid;
use super::node::{Slot, TOP};
use crate::exact::bits;
use crate::ray::{Ray, Sweep};
use crate::shape::Aabb;
use isostep_math::{Fx, Vec3};

/// What bounds of fractions may be off by, in units of 2⁻³⁰.
const SLACK: i64 = 8;

const FRACTION_BITS: u32 = 30;

/// From Q30 to the Q32 of keys.
const KEY_SHIFT: u32 = Fx::FRACTION_BITS - FRACTION_BITS;

/// The nearest of the leaves that a sweep hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SweepHit {
    /// The id of the leaf; the least of those with the same fraction.
    pub id: u32,
    /// The fraction of the displacement, in [0, 1].
    pub fraction: Fx,
}

impl DynamicTree {
    /// Calls `visitor` with the id of every leaf with one of the layers of `mask` whose tight box the ray touches,
    /// and the fraction where it enters it (as [`Ray::enter_aabb`]), **in the order of (fraction, id)**.
    ///
    /// The visitor returns the fraction at which the ray ends from now on: what it hit, or the ray's own
    /// [`max_fraction`](Ray::max_fraction) to go on. A greater one than before changes nothing, and a negative one
    /// ends the ray at once. Leaves that begin exactly at the end are still visited, so ties can be broken.
    ///
    /// Allocates nothing but where more than 64 boxes wait to be looked into.
    pub fn ray(&self, ray: &Ray, mask: u32, visitor: impl FnMut(u32, Fx) -> Fx) {
        self.sweep(&Sweep::point(ray), ray.max_fraction(), mask, visitor);
    }

    /// As [`ray`](Self::ray), for the box `aabb` that moves along `displacement`: leaves whose tight boxes it
    /// touches, and the fraction of the displacement, rounded down, where it touches them first. The empty box
    /// touches nothing.
    pub fn cast(&self, aabb: &Aabb, displacement: Vec3, mask: u32, visitor: impl FnMut(u32, Fx) -> Fx) {
        if !aabb.is_empty() {
            let sweep =
                Sweep { min: bits(aabb.min()), max: bits(aabb.max()), displacement: bits(displacement) };
            self.sweep(&sweep, Fx::ONE, mask, visitor);
        }
    }

    /// The nearest leaf of those that `test` says the ray hits; of several at one fraction, the least id.
    ///
    /// `test` is given a leaf whose tight box the ray touches and the fraction where it enters it, and returns
    /// where the ray hits what is inside, not before that, or `None`.
    pub fn closest_hit(
        &self,
        ray: &Ray,
        mask: u32,
        test: impl FnMut(u32, Fx) -> Option<Fx>,
    ) -> Option<SweepHit> {
        closest(ray.max_fraction(), test, |visitor| self.ray(ray, mask, visitor))
    }

    /// As [`closest_hit`](Self::closest_hit), for a box that moves.
    pub fn closest_cast(
        &self,
        aabb: &Aabb,
        displacement: Vec3,
        mask: u32,
        test: impl FnMut(u32, Fx) -> Option<Fx>,
    ) -> Option<SweepHit> {
        closest(Fx::ONE, test, |visitor| self.cast(aabb, displacement, mask, visitor))
    }

    fn sweep(&self, sweep: &Sweep, max_fraction: Fx, mask: u32, visitor: impl FnMut(u32, Fx) -> Fx) {
        let caster = Caster::new(sweep, &self.grid, mask);
        if caster.leaves_grid {
            self.traverse::<true>(&caster, sweep, max_fraction, visitor);
        } else {
            self.traverse::<false>(&caster, sweep, max_fraction, visitor);
        }
    }

    fn traverse<const LEAVES_GRID: bool>(
        &self,
        caster: &Caster,
        sweep: &Sweep,
        mut max_fraction: Fx,
        mut visitor: impl FnMut(u32, Fx) -> Fx,
    ) {
        let (own_end, mut limit) = (max_fraction, limit_of(max_fraction));
        let mut frontier = Frontier::new();
        let mut next = caster.enter::<LEAVES_GRID>(&self.root, limit);
        loop {
            // A fraction is at most 2^32, and that of no key 2^42 − 1.
            let fraction = Fx::from_bits(next.fraction() as i64);
            if fraction > max_fraction {
                return;
            }
            next = match next.target() {
                Target::Node(node) => {
                    let [a, b] = &self.nodes[node as usize].slots;
                    let a = caster.enter::<LEAVES_GRID>(a, limit);
                    let b = caster.enter::<LEAVES_GRID>(b, limit);
                    let (near, far) = (a.min(b), a.max(b));
                    if far != Key::NONE {
                        frontier.push(far);
                    }
                    frontier.push_pop(near)
                }
                Target::Candidate(id) => {
                    let tight = &self.leaves[id as usize].tight;
                    let (min, max) = ([tight[0], tight[1], tight[2]], [!tight[3], !tight[4], !tight[5]]);
                    // The visitor's end was rounded down: what begins in the same fraction is visited, whenever it is come to.
                    let entry = sweep.enter(min, max, (max_fraction + Fx::EPSILON).min(own_end));
                    frontier.push_pop(entry.map_or(Key::NONE, |entry| Key::exact(entry.to_bits() as u64, id)))
                }
                Target::Leaf(id) => {
                    max_fraction = max_fraction.min(visitor(id, fraction));
                    limit = limit_of(max_fraction);
                    frontier.push_pop(Key::NONE)
                }
            };
        }
    }
}

fn closest(
    max_fraction: Fx,
    mut test: impl FnMut(u32, Fx) -> Option<Fx>,
    query: impl FnOnce(&mut dyn FnMut(u32, Fx) -> Fx),
) -> Option<SweepHit> {
    let mut best: Option<SweepHit> = None;
    query(&mut |id, entry| {
        let end = best.map_or(max_fraction, |hit| hit.fraction);
        match test(id, entry) {
            Some(fraction)
                if fraction <= end && best.is_none_or(|hit| (fraction, id) < (hit.fraction, hit.id)) =>
            {
                best = Some(SweepHit { id, fraction });
                fraction
            }
            _ => end,
        }
    });
    best
}

/// A maximal fraction as Q30, with slack.
fn limit_of(max_fraction: Fx) -> i64 {
    (max_fraction.to_bits() >> KEY_SHIFT) + SLACK
}

/// A sweep on the grid.
struct Caster {
    axes: [CasterAxis; 3],
    mask: u32,
    /// Whether it comes near the outermost cells, which are unbounded.
    leaves_grid: bool,
    /// Where it does: cells are merged, by this power of two, until they fit.
    coarser: u32,
}

#[derive(Clone, Copy)]
struct CasterAxis {
    /// The lane with the side that the sweep meets first, and the one with the complement of the other.
    near: usize,
    far: usize,
    /// What is subtracted from the near lane, and what the far lane is subtracted from.
    near_offset: i64,
    far_offset: i64,
    /// 2^(30 + shift) / |d| in cells, to 30 bits.
    reciprocal: i64,
    shift: u32,
}

impl Caster {
    fn new(sweep: &Sweep, grid: &Grid, mask: u32) -> Self {
        if let Some(axes) = axes_within(sweep, grid) {
            return Self { axes, mask, leaves_grid: false, coarser: 0 };
        }
        let all = |cells: [[i128; 2]; 3], fit: fn(i128) -> bool| cells.into_iter().flatten().all(fit);
        let fine = swept_cells(sweep, grid, 0);
        // One cell less to each side than the words have.
        let inner = fine.map(|[low, high]| [low - 1, high + 1]);
        let leaves_grid = !all(inner, |cell| cell >> 31 == 0);
        let mut coarser = 0;
        while leaves_grid && !all(swept_cells(sweep, grid, coarser), |cell| cell >> 30 == cell >> 127) {
            // Differences are below 2^66, and cells of 2^12 units at the least: ends at 24.
            coarser += 1;
        }
        let axes = core::array::from_fn(|axis| {
            let cell = |coordinate: i64| {
                ((i128::from(coordinate) - grid.origin(axis)) >> (grid.shift + coarser)) as i64
            };
            let swept = swept_cells(sweep, grid, coarser)[axis].map(|cell| cell as i64);
            // Cells of the sweep fit 32 bits: see `leaves_grid`.
            let own = [cell(sweep.min[axis]), cell(sweep.max[axis])];
            CasterAxis::new(sweep.displacement[axis], grid.shift + coarser, TOP >> coarser, own, swept, axis)
        });
        Self { axes, mask, leaves_grid, coarser }
    }

    /// The key of a child that the sweep touches before `limit`, perhaps of one that it barely misses; else
    /// [`Key::NONE`].
    #[inline(always)]
    fn enter<const LEAVES_GRID: bool>(&self, slot: &Slot, limit: i64) -> Key {
        let (mut entry, mut exit) = (SLACK, i64::MAX - SLACK);
        for axis in &self.axes {
            let (near, far) = (slot.lanes[axis.near & 7], slot.lanes[axis.far & 7]);
            // The outermost cells have no outer side.
            let (has_near, has_far) = (!LEAVES_GRID || near != 0, !LEAVES_GRID || far != 0);
            let (near, far) =
                if LEAVES_GRID { (near >> self.coarser, far >> self.coarser) } else { (near, far) };
            // Differences are at most 2^32 + 1 and the reciprocal 2^30, so products are below 2^63 − SLACK.
            let near_fraction = (i64::from(near) - axis.near_offset).wrapping_mul(axis.reciprocal);
            let far_fraction = (axis.far_offset - i64::from(far)).wrapping_mul(axis.reciprocal);
            if has_near {
                entry = entry.max(near_fraction >> (axis.shift & 63));
            }
            if has_far {
                exit = exit.min(far_fraction >> (axis.shift & 63));
            }
        }
        let entry = entry - SLACK;
        let touches = (entry <= (exit + SLACK).min(limit)) & (slot.layers() & self.mask != 0);
        if touches { Key::bound((entry as u64) << KEY_SHIFT, slot.child()) } else { Key::NONE }
    }
}

impl CasterAxis {
    /// For a way of `d` by cells of 2^shift up to `top`, from the sweep's `own` cells over those that are `swept`, each
    /// from the lowest to the highest.
    #[inline(always)]
    fn new(d: i64, shift: u32, top: i32, own: [i64; 2], swept: [i64; 2], axis: usize) -> Self {
        let (top, [low, high]) = (i64::from(top), own);
        // The complement of a maximum, less this and one more, is what lies beyond it, negated.
        let (near, far, least, greatest) =
            if d < 0 { (axis + 3, axis, top - high, top - low) } else { (axis, axis + 3, low, high) };
        let magnitude = d.unsigned_abs();
        if magnitude >> shift == 0 {
            // Less than a cell: no fraction can be told, so being a cell beside is as good as 1, or as −0.
            let [least, greatest] = swept;
            return Self {
                near: axis,
                far: axis + 3,
                near_offset: greatest,
                far_offset: top + 1 - least,
                reciprocal: 1 << FRACTION_BITS,
                shift: 0,
            };
        }
        let log = magnitude.ilog2();
        // 31 bits of the magnitude: 2^60 / [2^30, 2^31) is in (2^29, 2^30].
        let leading = if log >= 30 { magnitude >> (log - 30) } else { magnitude << (30 - log) };
        let reciprocal = ((1_u64 << (2 * FRACTION_BITS)) / leading) as i64;
        Self {
            near,
            far,
            near_offset: greatest + 1,
            far_offset: top + 1 - least,
            reciprocal,
            shift: log - shift,
        }
    }
}

/// The axes of a sweep that stays away from the outermost cells, and whose coordinates fit their words; most do.
#[inline(always)]
fn axes_within(sweep: &Sweep, grid: &Grid) -> Option<[CasterAxis; 3]> {
    let axis = |axis: usize| {
        let d = sweep.displacement[axis];
        let (min, max) = (sweep.min[axis], sweep.max[axis]);
        let ends = [min.checked_add(d.min(0))?, max.checked_add(d.max(0))?];
        let swept = ends.map(|coordinate| grid.unbounded_cell(coordinate, axis));
        let own = [grid.unbounded_cell(min, axis), grid.unbounded_cell(max, axis)];
        let is_within = swept[0] > 0 && swept[1] < i64::from(TOP);
        is_within.then(|| CasterAxis::new(d, grid.shift, TOP, own, swept, axis))
    };
    Some([axis(0)?, axis(1)?, axis(2)?])
}

/// The first and last cell that the sweep reaches on each axis.
fn swept_cells(sweep: &Sweep, grid: &Grid, coarser: u32) -> [[i128; 2]; 3] {
    core::array::from_fn(|axis| {
        let d = i128::from(sweep.displacement[axis]);
        let low = i128::from(sweep.min[axis]) - grid.origin(axis) + d.min(0);
        let high = i128::from(sweep.max[axis]) - grid.origin(axis) + d.max(0);
        [low >> (grid.shift + coarser), high >> (grid.shift + coarser)]
    })
}
