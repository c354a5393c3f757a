//! Sphere against sphere, in lanes of pairs.
//!
//! With d as 29-bit mantissas, |d|² has up to 60 bits; brought to 31 by an even shift it has a reciprocal root y, so
//! that d y is the normal and |d|² y the length, both to 29 bits.

use super::frame::{BLOCK, Frame, fill, frame, gather};
use super::{ContactPoint, FeatureId, Manifold};
use crate::shape::Sphere;
use alloc::vec::Vec;
use isostep_math::wide::{Backend, Kernel, Lanes, Level, dot3};
use isostep_math::{Fx, Vec3};

/// Raw bits of the centre and of the radius.
type Record = [i64; 4];

/// Blocks that go through the kernel at once.
const BLOCKS: usize = 8;

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

fn record_of(sphere: &Sphere) -> Record {
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
        let mut manifold = Manifold { normal: self.normal, ..Manifold::EMPTY };
        manifold.push(ContactPoint {
            anchor_a: self.normal * a.radius(),
            anchor_b: self.normal * -b.radius(),
            separation: self.separation,
            feature: FeatureId(0),
        });
        manifold
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
    let margin = scale.magnitude(Lanes::splat(margin).min(largest));
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
    let normal_half = Lanes::splat(1).shl_each(normal_shift).shr::<1>();
    let coincide = square.equal(Lanes::zero());
    for (k, d) in d.into_iter().enumerate() {
        let magnitude = (d.abs().mul32(y).shl::<1>() + normal_half).shr_each(normal_shift);
        let fallback = Lanes::splat(if k == 1 { 1 << 30 } else { 0 });
        let magnitude = coincide.select(fallback, magnitude);
        store(magnitude.shl::<2>().negate_where_negative(d), &mut out.normal[k], at);
    }
    let separation = coincide.select(Lanes::zero(), length) - radius_a - radius_b;
    store(scale.raw_signed(separation), &mut out.separation, at);
    store((!far & separation.le(margin)).to_lanes(), &mut out.hit, at);
}

/// 1/√2, Q0.30.
const FRAC_1_SQRT_2: i64 = 759_250_125;

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut [i64; BLOCK], at: usize) {
    column[at..at + N].copy_from_slice(&lanes.to_array());
}

/// The manifolds of pairs of spheres, given by their indices into `spheres`, with points up to `margin` apart: for
/// each pair that has one, its index and its contact, in order, in `out`, whose content is replaced.
///
/// Coincident centres part along y. Lengths are within 2⁻²⁷ of the pair's size, the normal within 2⁻²⁸ of that of the rounded centres.
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
    let records = spheres.0.as_slice();
    let margin = margin.max(Fx::ZERO).to_bits();
    let mut indices = [[[0; BLOCK]; 2]; BLOCKS];
    let mut found = [Found::NONE; BLOCKS];
    for (batch, first) in pairs.chunks(BLOCKS * BLOCK).zip((0_u32..).step_by(BLOCKS * BLOCK)) {
        let blocks = fill(&mut indices, batch);
        level.dispatch(Spheres { records, indices: &indices[..blocks], margin, found: &mut found[..blocks] });
        for index in 0..batch.len() {
            let (found, lane) = (&found[index / BLOCK], index % BLOCK);
            if found.hit[lane] != 0 {
                out.push((first + index as u32, found.contact(lane)));
            }
        }
    }
}

impl Found {
    #[inline(always)]
    fn contact(&self, lane: usize) -> SphereContact {
        let entry = |k: usize| Fx::from_bits(self.normal[k][lane]);
        SphereContact {
            normal: Vec3::new(entry(0), entry(1), entry(2)),
            separation: Fx::from_bits(self.separation[lane]),
        }
    }
}
