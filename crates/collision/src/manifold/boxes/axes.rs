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
use isostep_math::wide::{Backend, Kernel, Lanes, Mask, chunk_at_mut, dot3};

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
        let by_a = t[k].abs() - half_a[k] - dot3(half_b, r_abs[k]).shr_logical_half_up::<30>();
        let column = [r_abs[0][k], r_abs[1][k], r_abs[2][k]];
        let by_b = u[k].abs() - half_b[k] - dot3(half_a, column).shr_logical_half_up::<30>();
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

    let smallest = half_a[0].min(half_a[1]).min(half_a[2]).min(half_b[0]).min(half_b[1]).min(half_b[2]);
    let bias = smallest.shr_logical::<BIAS_SHIFT>();
    store(bias, &mut out.bias, at);
    let of_margin = margin.max(zero).shr_logical::<MARGIN_SHIFT>();
    let edge_bias = smallest.shr_logical::<EDGE_SHIFT>().min(of_margin).max(bias);
    store(edge_bias, &mut out.edge_bias, at);
    let edges = Edges { half_a, half_b, t, r, r_abs, face, margin, bias: edge_bias };
    let edge = if (far | face.gt(margin) | edges.are_aligned()).all() {
        Lanes::splat(i64::from(NO_EDGE))
    } else {
        edges.best()
    };
    store(edge, &mut out.edge, at);

    let flipped = best_b.gt(best_a + bias);
    store(flipped.to_lanes(), &mut out.flipped, at);
    let axis = flipped.select(face_b, face_a);
    let slop = bias.shr_logical::<SLOP_SHIFT>();
    overlap(&Touching { flipped, half_a, half_b, t, u, r, axis, margin, slop, scale }, &mut out.overlap, at);
}

/// What is asked of edges, as [`Candidates`] has it.
struct Edges<B: Backend<N>, const N: usize> {
    half_a: [Lanes<B, N>; 3],
    half_b: [Lanes<B, N>; 3],
    t: [Lanes<B, N>; 3],
    r: [[Lanes<B, N>; 3]; 3],
    r_abs: [[Lanes<B, N>; 3]; 3],
    /// The separation of the best face, and by how much edges must be better.
    face: Lanes<B, N>,
    bias: Lanes<B, N>,
    margin: Lanes<B, N>,
}

impl<B: Backend<N>, const N: usize> Edges<B, N> {
    /// What |s| is held to, halved: it has 30 bits. That of the face, or the margin, is all that is of interest.
    #[inline(always)]
    fn limit(&self) -> Lanes<B, N> {
        (self.face.abs().max(self.margin) + self.bias + Lanes::splat(2)).shr_logical::<1>()
    }

    /// Where the axes of both boxes are so close to each other's, as in stacks, that no edges can be [the best](Self::best).
    ///
    /// If all |Rᵢⱼ| are within ε of 0 or 1, then there is one of 1 in each row and column, and edges along these are parallel.
    /// Others have aᵢ × bⱼ close to the third axis of a, and an s of at most ε (max |t| + Σ hᵃ + Σ hᵇ) above the separation of its
    /// face: of less than a fourth of what edges must be better by. The rest of that is more than all that is rounded, squares
    /// above all, unless it is very little next to the limit.
    #[inline(always)]
    fn are_aligned(&self) -> Mask<B, N> {
        let one = Lanes::splat(1 << 30);
        let mut turned = Lanes::zero();
        for row in &self.r_abs {
            for &entry in row {
                turned = turned.max(entry.min(one - entry));
            }
        }
        let [x, y, z] = self.t;
        let mut reach = x.abs().max(y.abs()).max(z.abs());
        for k in 0..3 {
            reach += self.half_a[k] + self.half_b[k];
        }
        // Of 33 bits, a fourth of it.
        let shift = turned.mul32(reach.shr_logical::<2>()).shr_logical::<28>();
        turned.lt(Lanes::splat(1 << (30 - 9)))
            & shift.lt(self.bias.shr_logical::<2>())
            & self.limit().lt(self.bias.shl::<10>())
    }

    /// The pair of edges that is the best, or none.
    #[inline(always)]
    fn best(&self) -> Lanes<B, N> {
        let Self { half_a, half_b, t, r, r_abs, face, bias, .. } = self;
        let limit = self.limit();
        // Edges must be better than the best face by their bias: its s |s| / l² is where they start, l being 1. s is scaled to 30
        // bits, and its square to 60.
        let raise = limit.leading_zeros() - Lanes::splat(34);
        let mut best = signed_square((*face + *bias).shr::<1>(), limit, raise);
        // Edges that the limit holds are as good as the worst that a face can be, over l² of at most 1 but for rounding: none of
        // them is better, unless the face is as bad but for a 2²⁰th.
        let worst = signed_square(-limit, limit, raise);
        let is_better_than_worst = best.gt(worst - worst.shr::<20>());
        let (mut best_square, mut edge) = (Lanes::splat(1 << 30), Lanes::splat(i64::from(NO_EDGE)));
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let square = (r[i1][j].mul32(r[i1][j]) + r[i2][j].mul32(r[i2][j])).shr_logical::<30>();
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
        edge
    }
}

#[cfg(test)]
mod tests {
    use super::super::record_of;
    use super::*;
    use crate::shape::Obb;
    use alloc::vec::Vec;
    use isostep_math::random::Rng;
    use isostep_math::wide::{Level, chunk_at};
    use isostep_math::{Fx, Quat, Vec3, fx};

    /// Which pairs are aligned, and which of their edges are the best.
    struct Ask<'a>(&'a Candidates);

    impl Kernel for Ask<'_> {
        type Output = ([bool; BLOCK], Column);

        fn run<B: Backend<N>, const N: usize>(self) -> Self::Output {
            let (mut aligned, mut best) = ([false; BLOCK], [0; BLOCK]);
            for at in (0..BLOCK).step_by(N) {
                let load = |column: &Column| Lanes::<B, N>::load(chunk_at(column, at));
                let load3 = |[x, y, z]: &[Column; 3]| [load(x), load(y), load(z)];
                let Candidates { half_a, half_b, t, r: [x, y, z], .. } = self.0;
                let r = [load3(x), load3(y), load3(z)];
                let edges = Edges {
                    half_a: load3(half_a),
                    half_b: load3(half_b),
                    t: load3(t),
                    r,
                    r_abs: r.map(|row| row.map(Lanes::abs)),
                    face: load(&self.0.separation_a).max(load(&self.0.separation_b)),
                    bias: load(&self.0.edge_bias),
                    margin: load(&self.0.margin),
                };
                aligned[at..at + N].copy_from_slice(&edges.are_aligned().to_array());
                store(edges.best(), &mut best, at);
            }
            (aligned, best)
        }
    }

    #[test]
    fn boxes_whose_axes_are_aligned_have_no_edges_that_are_the_best() {
        let mut rng = Rng::new(26, 0);
        let mut signed = |bits: u32| Fx::from_bits(rng.next_u64() as i64 >> (63 - bits));
        let (mut aligned_count, mut edge_count) = (0, 0);
        for round in 0..20_000_u32 {
            // Sizes of 1 mm to 4 m, axes within 2⁻² to 2⁻¹⁴ of those of one of them, turned by quarters.
            let fine = 30 - round % 13;
            let records: Vec<_> = (0..2 * BLOCK)
                .map(|index| {
                    let half = [0; 3].map(|_| signed(34 - (round / 13) % 9).abs().max(fx!(0.001)));
                    let half = Vec3::new(half[0], half[1], half[2]);
                    let center = Vec3::new(signed(34 - round % 6), signed(33), signed(33));
                    let quarter = Quat::from_xyzw(Fx::ONE, Fx::ONE, Fx::ONE, Fx::ONE).normalize();
                    let little =
                        Quat::from_xyzw(signed(fine), signed(fine), signed(fine), Fx::ONE).normalize();
                    let turn = if (round + index as u32) % 3 == 0 { quarter * little } else { little };
                    record_of(&Obb::new(center, half, turn.normalize()).unwrap())
                })
                .collect();
            let [mut a, mut b] = [[0; BLOCK]; 2];
            for lane in 0..BLOCK {
                (a[lane], b[lane]) = (2 * lane as u32, 2 * lane as u32 + 1);
            }
            let mut candidates = [Candidates::EMPTY];
            let margin = [fx!(0.02), fx!(0), fx!(1)][round as usize % 3].to_bits();
            Level::current().dispatch(Axes {
                records: &records,
                indices: &[[a, b]],
                margin,
                candidates: &mut candidates,
            });
            let [candidates] = &candidates;
            let (aligned, best) = Level::current().dispatch(Ask(candidates));
            for lane in (0..BLOCK).filter(|&lane| candidates.is_near(lane)) {
                assert!(!aligned[lane] || best[lane] == NO_EDGE, "round {round}, lane {lane}");
                aligned_count += usize::from(aligned[lane]);
                edge_count += usize::from(best[lane] != NO_EDGE);
            }
        }
        assert!(aligned_count > 5_000 && edge_count > 500, "{aligned_count} aligned, {edge_count} of edges");
    }
}
