//! Sphere against sphere, in lanes of pairs.
//!
//! With d as 29-bit mantissas, |d|² has up to 60 bits; brought to 31 by an even shift it has a reciprocal root y, so
//! that d y is the normal and |d|² y the length, both to 29 bits. A Newton step takes the length of the normal to 32.

use super::found::{Head, PointWords};
use super::frame::{BLOCK, Frame, fill, frame, gather};
use super::posed::Posed;
use super::{ContactPoint, FeatureId, Manifold};
use crate::shape::{Shape, Sphere};
use alloc::vec::Vec;
use isostep_math::wide::{Backend, Kernel, Lanes, Level, chunk_at_mut, dot3};
use isostep_math::{Fx, Vec3};

/// Raw bits of the centre and of the radius.
pub(super) type Record = [i64; RECORD];

/// Words of a sphere.
pub(super) const RECORD: usize = 4;

/// Blocks that go through the kernel at once.
const BLOCKS: usize = 4;

/// Bits of a pair's largest length.
const LENGTH_BITS: i64 = 29;

/// Spheres as the kernel reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PosedSpheres(Vec<Record>);

impl PosedSpheres {
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a sphere; its index is how many there were.
    pub fn push(&mut self, sphere: &Sphere) {
        self.0.push(record_of(sphere));
    }

    /// Removes all, and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<'a> FromIterator<&'a Sphere> for PosedSpheres {
    fn from_iter<I: IntoIterator<Item = &'a Sphere>>(spheres: I) -> Self {
        Self(spheres.into_iter().map(record_of).collect())
    }
}

pub(super) fn record_of(sphere: &Sphere) -> Record {
    let center = sphere.center();
    [center.x.to_bits(), center.y.to_bits(), center.z.to_bits(), sphere.radius().to_bits()]
}

/// The contact of two spheres, in an eighth of the memory of a manifold: the anchors follow from the radii.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SphereContact {
    /// Unit vector from a to b.
    pub normal: Vec3,
    /// The distance of the surfaces along the normal: below zero where they penetrate.
    pub separation: Fx,
}

impl SphereContact {
    /// The manifold of its one point; the anchors are from the centres along the axes of the world.
    #[must_use]
    pub fn to_manifold(&self, a: &Sphere, b: &Sphere) -> Manifold {
        let mut manifold = Manifold::EMPTY;
        let point = self.point(self.normal * a.radius(), self.normal * -b.radius());
        manifold.set(self.normal, [point].iter());
        manifold
    }

    /// The contact with its point's anchors in the coordinates of the spheres' owners.
    #[inline]
    pub(super) fn localize(&self, [a, b]: [&Posed; 2], point: &mut PointWords) -> Head {
        let anchor = |posed: &Posed, sign: Fx| match &posed.world {
            Shape::Sphere(sphere) => posed.along_world_axes(self.normal * (sphere.radius() * sign)),
            _ => Vec3::ZERO,
        };
        *point = self.point(anchor(a, Fx::ONE), anchor(b, -Fx::ONE));
        Head { normal: self.normal, count: 1, is_of_faces: false }
    }

    #[inline(always)]
    fn point(&self, anchor_a: Vec3, anchor_b: Vec3) -> PointWords {
        let (separation, feature) = (self.separation, FeatureId(0));
        ContactPoint { anchor_a, anchor_b, separation, feature }.to_words()
    }
}

/// What the kernel leaves, by columns of raw bits.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Found {
    normal: [[i64; BLOCK]; 3],
    separation: [i64; BLOCK],
    /// Zero where there is no contact.
    hit: [i64; BLOCK],
}

impl Found {
    const NONE: Self = Self { normal: [[0; BLOCK]; 3], separation: [0; BLOCK], hit: [0; BLOCK] };
}

struct Spheres<'a> {
    records: &'a [Record],
    indices: &'a [[[u32; BLOCK]; 2]],
    margin: i64,
    found: &'a mut [Found],
}

impl Kernel for Spheres<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for (indices, found) in self.indices.iter().zip(self.found) {
            for part in 0..BLOCK / N {
                let at = part * N;
                let [a, b] = gather::<B, N, 4>(self.records, indices, at);
                touch::<B, N>(a, b, self.margin, found, at);
            }
        }
    }
}

#[inline(always)]
fn touch<B: Backend<N>, const N: usize>(
    a: [Lanes<B, N>; 4],
    b: [Lanes<B, N>; 4],
    margin: i64,
    out: &mut Found,
    at: usize,
) {
    let Frame { d, far, largest, scale } =
        frame([a[0], a[1], a[2]], [b[0], b[1], b[2]], a[3].max(b[3]), LENGTH_BITS);
    let (radius_a, radius_b) = (scale.magnitude(a[3]), scale.magnitude(b[3]));
    // No separation is more than the distance of the centres, which is below twice the largest difference of coordinates.
    let margin = scale.magnitude(Lanes::splat(margin).min(largest + largest));
    let square = dot3(d, d);
    // mantissa = square 4^−shift, of 30 or 31 bits.
    let shift = (Lanes::splat(34) - square.leading_zeros()).shr::<1>();
    let (up, down) = ((-shift).max(Lanes::zero()), shift.max(Lanes::zero()));
    let mantissa = square.shl_each(up + up).shr_each(down + down);
    // The lanes' root has 2^44.5 / √mantissa; over √2 it is y = 2^44 / √mantissa.
    let y = mantissa.rsqrt().mul32(Lanes::splat(FRAC_1_SQRT_2)).shr_round_half_up::<30>();
    // |d| = 2^shift √mantissa = 2^shift mantissa y / 2^44.
    let length_shift = Lanes::splat(44) - shift;
    let length =
        (mantissa.mul32(y) + Lanes::splat(1).shl_each(length_shift - Lanes::splat(1))).shr_each(length_shift);
    // d / |d| in Q30 = d y 2^(−14 − shift); the shift is −15 at the least.
    let normal_shift = Lanes::splat(15) + shift;
    let coincide = square.equal(Lanes::zero());
    let mut normal = [Lanes::<B, N>::zero(); 3];
    for k in 0..3 {
        normal[k] = d[k].abs().mul32(y).shl::<1>().shr_each(normal_shift);
    }
    // Without a direction, y.
    normal[1] = coincide.select(Lanes::splat(1 << 30), normal[1]);
    // n + n (1 − n²) / 2 has length 1 to the bits of Q32: from Q56 the product has 86, halved 87.
    let short = (Lanes::splat(1 << 60) - dot3(normal, normal)).shr::<4>();
    for k in 0..3 {
        let unit = normal[k].shl::<2>() + normal[k].mul32(short).shr_round_half_up::<55>();
        store(unit.negate_where_negative(d[k]), &mut out.normal[k], at);
    }
    let separation = coincide.select(Lanes::zero(), length) - radius_a - radius_b;
    store(scale.raw_signed(separation), &mut out.separation, at);
    store((!far & separation.le(margin)).to_lanes(), &mut out.hit, at);
}

/// 1/√2, Q0.30.
const FRAC_1_SQRT_2: i64 = 759_250_125;

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut [i64; BLOCK], at: usize) {
    *chunk_at_mut(column, at) = lanes.to_array();
}

/// The manifolds of pairs of spheres, given by their indices into `spheres`, with points up to `margin` apart: for
/// each pair that has one, its index and its contact, in order, in `out`, whose content is replaced.
///
/// Coincident centres part along y. Lengths are within 2⁻²⁷ of the pair's size; the normal is within 2⁻²⁸ of that of
/// the rounded centres, its length within 4 units of 2⁻³² of 1.
///
/// # Panics
/// Where an index is beyond `spheres`.
pub fn sphere_manifolds(
    spheres: &PosedSpheres,
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<(u32, SphereContact)>,
) {
    sphere_manifolds_at(Level::current(), spheres, pairs, margin, out);
}

/// As [`sphere_manifolds`], at a lane level of choice: the bits do not depend on it.
///
/// # Panics
/// Where an index is beyond `spheres`.
pub fn sphere_manifolds_at(
    level: Level,
    spheres: &PosedSpheres,
    pairs: &[(u32, u32)],
    margin: Fx,
    out: &mut Vec<(u32, SphereContact)>,
) {
    out.clear();
    let mut stage = SphereStage::new();
    let pairs = pairs.chunks(SphereStage::MOST).zip((0_u32..).step_by(SphereStage::MOST));
    for (batch, first) in pairs {
        stage.find(level, &spheres.0, batch, margin);
        for (lane, index) in (0..batch.len()).zip(first..) {
            if let Some(contact) = stage.contact(lane) {
                out.push((index, contact));
            }
        }
    }
}

/// The contact of one pair: the same bits as in a batch.
pub(super) fn sphere_sphere(a: &Record, b: &Record, margin: Fx) -> Option<SphereContact> {
    let mut found = [Found::NONE];
    Level::current().dispatch(Spheres {
        records: &[*a, *b],
        indices: &[[[0; BLOCK], [1; BLOCK]]],
        margin: margin.max(Fx::ZERO).to_bits(),
        found: &mut found,
    });
    found[0].contact(0)
}

/// As many pairs as go through the kernel at once, and what it finds.
pub(super) struct SphereStage {
    indices: [[[u32; BLOCK]; 2]; BLOCKS],
    found: [Found; BLOCKS],
}

impl SphereStage {
    /// How many pairs it holds.
    pub(super) const MOST: usize = BLOCKS * BLOCK;

    pub(super) const fn new() -> Self {
        Self { indices: [[[0; BLOCK]; 2]; BLOCKS], found: [Found::NONE; BLOCKS] }
    }

    /// Sends a batch of at most [`MOST`](Self::MOST) pairs through the kernel.
    pub(super) fn find(&mut self, level: Level, records: &[Record], batch: &[(u32, u32)], margin: Fx) {
        let margin = margin.max(Fx::ZERO).to_bits();
        let blocks = fill(&mut self.indices, batch);
        let (indices, found) = (&self.indices[..blocks], &mut self.found[..blocks]);
        level.dispatch(Spheres { records, indices, margin, found });
    }

    /// The contact of pair `index` of the batch.
    #[inline(always)]
    pub(super) fn contact(&self, index: usize) -> Option<SphereContact> {
        self.found[index / BLOCK].contact(index % BLOCK)
    }
}

impl Found {
    #[inline(always)]
    fn contact(&self, lane: usize) -> Option<SphereContact> {
        if self.hit[lane] == 0 {
            return None;
        }
        let entry = |k: usize| Fx::from_bits(self.normal[k][lane]);
        let normal = Vec3::new(entry(0), entry(1), entry(2));
        Some(SphereContact { normal, separation: Fx::from_bits(self.separation[lane]) })
    }
}
