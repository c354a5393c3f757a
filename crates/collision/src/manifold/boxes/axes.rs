//! The fifteen axes of pairs of boxes, in lanes of pairs.
//!
//! With e the exponent at which the pair's largest length has 29 bits, lengths are mantissas of units 2ᵉ · 2⁻³² m,
//! directions Q2.30. For t = d in the axes of a, u = d in the axes of b and Rᵢⱼ = aᵢ · bⱼ, the separations are
//!
//! * face of a: |tᵢ| − hᵃᵢ − Σⱼ hᵇⱼ |Rᵢⱼ|,
//! * face of b: |uⱼ| − hᵇⱼ − Σᵢ hᵃᵢ |Rᵢⱼ|,
//! * edges, times l = |aᵢ × bⱼ| = √(1 − Rᵢⱼ²): |t_{i₂} R_{i₁j} − t_{i₁} R_{i₂j}| − hᵃ_{i₁} |R_{i₂j}| − hᵃ_{i₂} |R_{i₁j}|
//!   − hᵇ_{j₁} |R_{ij₂}| − hᵇ_{j₂} |R_{ij₁}|
//!
//! (C. Ericson, *Real-Time Collision Detection*, 4.4.1). The largest of a kind is kept. Edges s/l are compared
//! without root or division by s |s| / l², cross-multiplied; s is scaled up first so that its square keeps 30
//! bits, which is possible because only edges less deep than the best face are of interest.

use super::super::frame::{BLOCK, Frame, frame, gather};
use super::anchors::Overlap;
use super::faces::{Touching, overlap};
use super::{Column, RECORD};
use isostep_math::wide::{Backend, Kernel, Lanes, chunk_at_mut, dot3};

/// Bits of a pair's largest length. Differences along an axis have at most √3 times that, so they fit 31 bits with
/// their sign.
const LENGTH_BITS: i64 = 29;

/// A face of b must be better than one of a by a 128th of the smallest half extent: so near a tie the choice stays, though nothing
/// is remembered.
const BIAS_SHIFT: u32 = 7;

/// Edges must be better than both by a quarter of that where this is no more than a quarter of the margin, and by as much as
/// faces at the least. They have one point: a stick that lies across another one would rock from edge to edge for ever.
const EDGE_SHIFT: u32 = 2;

/// See [`EDGE_SHIFT`].
const MARGIN_SHIFT: u32 = 2;

/// A corner of a face counts as within the outline of another one up to a 256th of the smallest half extent beyond it.
const SLOP_SHIFT: u32 = 1;

/// Edges with l² below 2⁻¹⁶ (0.22°) count as parallel: their faces decide.
const PARALLEL: i64 = 1 << 14;

/// Pairs of boxes at their own scale, and what the axes gave, by columns.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Candidates {
    pub(super) half_a: [Column; 3],
    pub(super) half_b: [Column; 3],
    pub(super) margin: Column,
    /// By how much a face of b must be better than one of a.
    pub(super) bias: Column,
    /// By how much edges must be better than faces.
    pub(super) edge_bias: Column,
    /// A mantissa is worth 2^exponent units of 2⁻³².
    pub(super) exponent: Column,
    /// Zero where the two are too far apart to meet; nothing else means anything then.
    pub(super) near: Column,
    /// d in the axes of a and of b.
    pub(super) t: [Column; 3],
    pub(super) u: [Column; 3],
    /// aᵢ · bⱼ.
    pub(super) r: [[Column; 3]; 3],
    /// The separations of the best face of a and of b.
    pub(super) separation_a: Column,
    pub(super) separation_b: Column,
    /// Best pair of edges, 3 i + j, or [`NO_EDGE`].
    pub(super) edge: Column,
    /// Non-zero where the reference is b.
    pub(super) flipped: Column,
    /// Where the best face of the reference and the one that looks at it overlap.
    pub(super) overlap: Overlap,
}

/// No pair of edges is better than the faces.
pub(super) const NO_EDGE: i32 = 9;

impl Candidates {
    /// Nothing but zeros, which cost the least to write.
    pub(super) const EMPTY: Self = Self {
        half_a: [[0; BLOCK]; 3],
        half_b: [[0; BLOCK]; 3],
        margin: [0; BLOCK],
        bias: [0; BLOCK],
        edge_bias: [0; BLOCK],
        exponent: [0; BLOCK],
        near: [0; BLOCK],
        t: [[0; BLOCK]; 3],
        u: [[0; BLOCK]; 3],
        r: [[[0; BLOCK]; 3]; 3],
        separation_a: [0; BLOCK],
        separation_b: [0; BLOCK],
        edge: [0; BLOCK],
        flipped: [0; BLOCK],
        overlap: Overlap::EMPTY,
    };
}

impl Candidates {
    /// Whether the pair of a lane may have a contact: no face parts it by more than the margin.
    #[inline(always)]
    pub(super) fn is_near(&self, lane: usize) -> bool {
        let face = self.separation_a[lane].max(self.separation_b[lane]);
        self.near[lane] != 0 && face <= self.margin[lane]
    }
}

/// Tests all axes of all pairs.
pub(super) struct Axes<'a> {
    /// The boxes, as [`PosedBoxes`](super::PosedBoxes) holds them.
    pub(super) records: &'a [[i64; RECORD]],
    /// Indices of the pairs' boxes.
    pub(super) indices: &'a [[[u32; BLOCK]; 2]],
    /// Raw bits, at least 0.
    pub(super) margin: i64,
    pub(super) candidates: &'a mut [Candidates],
}

impl Kernel for Axes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for (indices, candidates) in self.indices.iter().zip(self.candidates) {
            for part in 0..BLOCK / N {
                let at = part * N;
                let [a, b] = gather::<B, N, RECORD>(self.records, indices, at);
                test::<B, N>(&a, &b, self.margin, candidates, at);
            }
        }
    }
}

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut Column, at: usize) {
    *chunk_at_mut(column, at) = lanes.store();
}

/// s |s| of s within the limit, which has 30 bits once it is raised.
#[inline(always)]
fn signed_square<B: Backend<N>, const N: usize>(
    s: Lanes<B, N>,
    limit: Lanes<B, N>,
    raise: Lanes<B, N>,
) -> Lanes<B, N> {
    let s = s.clamp(-limit, limit).shl_each(raise);
    s.mul32(s.abs()).shr::<30>()
}

/// The fifteen axes of `N` pairs, to the lanes from `at` on.
#[inline(always)]
fn test<B: Backend<N>, const N: usize>(
    box_a: &[Lanes<B, N>; RECORD],
    box_b: &[Lanes<B, N>; RECORD],
    margin: i64,
    out: &mut Candidates,
    at: usize,
) {
    let largest_a = box_a[3].max(box_a[4]).max(box_a[5]);
    let largest_b = box_b[3].max(box_b[4]).max(box_b[5]);
    let Frame { d, far, largest, scale } = frame(
        [box_a[0], box_a[1], box_a[2]],
        [box_b[0], box_b[1], box_b[2]],
        largest_a.max(largest_b),
        LENGTH_BITS,
    );
    let half_a = [scale.magnitude(box_a[3]), scale.magnitude(box_a[4]), scale.magnitude(box_a[5])];
    let half_b = [scale.magnitude(box_b[3]), scale.magnitude(box_b[4]), scale.magnitude(box_b[5])];
    // No separation is more than the distance of the centres, which is below twice the largest difference of coordinates.
    let margin = scale.magnitude(Lanes::splat(margin).min(largest + largest));
    for k in 0..3 {
        store(half_a[k], &mut out.half_a[k], at);
        store(half_b[k], &mut out.half_b[k], at);
    }
    store(margin, &mut out.margin, at);
    store(scale.exponent, &mut out.exponent, at);
    store((!far).to_lanes(), &mut out.near, at);
    let a =
        [[box_a[6], box_a[7], box_a[8]], [box_a[9], box_a[10], box_a[11]], [box_a[12], box_a[13], box_a[14]]];
    let b =
        [[box_b[6], box_b[7], box_b[8]], [box_b[9], box_b[10], box_b[11]], [box_b[12], box_b[13], box_b[14]]];
    let zero = Lanes::<B, N>::zero();
    let (mut t, mut u, mut r, mut r_abs) = ([zero; 3], [zero; 3], [[zero; 3]; 3], [[zero; 3]; 3]);
    for i in 0..3 {
        t[i] = dot3(d, a[i]).shr_round::<30>();
        u[i] = dot3(d, b[i]).shr_round::<30>();
        store(t[i], &mut out.t[i], at);
        store(u[i], &mut out.u[i], at);
        for j in 0..3 {
            r[i][j] = dot3(a[i], b[j]).shr_round::<30>();
            r_abs[i][j] = r[i][j].abs();
            store(r[i][j], &mut out.r[i][j], at);
        }
    }

    let (mut best_a, mut face_a) = (zero, zero);
    let (mut best_b, mut face_b) = (zero, zero);
    for k in 0..3 {
        let by_a = t[k].abs() - half_a[k] - dot3(half_b, r_abs[k]).shr_round_half_up::<30>();
        let column = [r_abs[0][k], r_abs[1][k], r_abs[2][k]];
        let by_b = u[k].abs() - half_b[k] - dot3(half_a, column).shr_round_half_up::<30>();
        if k == 0 {
            (best_a, best_b) = (by_a, by_b);
            continue;
        }
        let index = Lanes::splat(k as i64);
        let larger = by_a.gt(best_a);
        best_a = larger.select(by_a, best_a);
        face_a = larger.select(index, face_a);
        let larger = by_b.gt(best_b);
        best_b = larger.select(by_b, best_b);
        face_b = larger.select(index, face_b);
    }
    store(best_a, &mut out.separation_a, at);
    store(best_b, &mut out.separation_b, at);

    let face = best_a.max(best_b);
    if (face.gt(margin) | far).all() {
        store(Lanes::<B, N>::splat(i64::from(NO_EDGE)), &mut out.edge, at);
        store(zero, &mut out.overlap.count, at);
        return;
    }

    // Edges must be better than the best face by their bias: its s |s| / l² is where they start, l being 1. |s| of
    // interest is at most that of the face, or the margin; halved it has 30 bits, and scaled to 30 its square 60.
    let smallest = half_a[0].min(half_a[1]).min(half_a[2]).min(half_b[0]).min(half_b[1]).min(half_b[2]);
    let bias = smallest.shr::<BIAS_SHIFT>();
    store(bias, &mut out.bias, at);
    let of_margin = margin.max(zero).shr::<MARGIN_SHIFT>();
    let edge_bias = smallest.shr::<EDGE_SHIFT>().min(of_margin).max(bias);
    store(edge_bias, &mut out.edge_bias, at);
    let limit = (face.abs().max(margin) + edge_bias + Lanes::splat(2)).shr::<1>();
    let raise = limit.leading_zeros() - Lanes::splat(34);
    let mut best = signed_square((face + edge_bias).shr::<1>(), limit, raise);
    // Edges that the limit holds are as good as the worst that a face can be, over l² of at most 1 but for rounding: none of
    // them is better, unless the face is as bad but for a 2²⁰th.
    let worst = signed_square(-limit, limit, raise);
    let is_better_than_worst = best.gt(worst - worst.shr::<20>());
    let (mut best_square, mut edge) = (Lanes::splat(1 << 30), Lanes::splat(i64::from(NO_EDGE)));
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let square = (r[i1][j].mul32(r[i1][j]) + r[i2][j].mul32(r[i2][j])).shr::<30>();
            if N == 1 && !square.gt(Lanes::splat(PARALLEL)).any() {
                continue;
            }
            let across = (t[i2].mul32(r[i1][j]) - t[i1].mul32(r[i2][j])).abs();
            let reach = half_a[i1].mul32(r_abs[i2][j])
                + half_a[i2].mul32(r_abs[i1][j])
                + half_b[j1].mul32(r_abs[i][j2])
                + half_b[j2].mul32(r_abs[i][j1]);
            let s = (across - reach).shr::<31>();
            if N == 1 && !(s.gt(-limit) | !is_better_than_worst).any() {
                continue;
            }
            let s = signed_square(s, limit, raise);
            // s/square > best/best_square
            let better = s.mul32(best_square).gt(best.mul32(square)) & square.gt(Lanes::splat(PARALLEL));
            best = better.select(s, best);
            best_square = better.select(square, best_square);
            edge = better.select(Lanes::splat((3 * i + j) as i64), edge);
        }
    }
    store(edge, &mut out.edge, at);

    let flipped = best_b.gt(best_a + bias);
    store(flipped.to_lanes(), &mut out.flipped, at);
    let axis = flipped.select(face_b, face_a);
    let slop = bias.shr::<SLOP_SHIFT>();
    overlap(&Touching { flipped, half_a, half_b, t, u, r, axis, margin, slop, scale }, &mut out.overlap, at);
}
