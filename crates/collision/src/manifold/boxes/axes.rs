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

use super::PosedBox;
use isostep_math::Fx;
use isostep_math::wide::{Backend, Kernel, Lanes, dot3};

/// Pairs of a block: the widest backend takes them at once, a narrower one in parts.
pub(super) const BLOCK: usize = 8;

/// Bits of a pair's largest length. Differences along an axis have at most √3 times that, so they fit 31 bits with
/// their sign.
const LENGTH_BITS: i32 = 29;

/// Edges with l² below 2⁻¹⁶ (0.22°) count as parallel: their faces decide.
const PARALLEL: i64 = 1 << 14;

type Column = [i32; BLOCK];

/// Pairs of boxes at their own scale, by columns.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Frames {
    d: [Column; 3],
    pub(super) half_a: [Column; 3],
    pub(super) half_b: [Column; 3],
    axes_a: [[Column; 3]; 3],
    axes_b: [[Column; 3]; 3],
    pub(super) margin: Column,
    /// A mantissa is worth 2^exponent units of 2⁻³².
    pub(super) exponent: [i8; BLOCK],
}

/// What the axes gave, by columns.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Candidates {
    /// d in the axes of a and of b.
    pub(super) t: [Column; 3],
    pub(super) u: [Column; 3],
    /// aᵢ · bⱼ.
    pub(super) r: [[Column; 3]; 3],
    /// Best face of a and of b: its number, and its separation.
    pub(super) face_a: Column,
    pub(super) face_b: Column,
    pub(super) separation_a: Column,
    pub(super) separation_b: Column,
    /// Best pair of edges, 3 i + j, or [`NO_EDGE`].
    pub(super) edge: Column,
}

/// No pair of edges is apart, or less deep than the faces, by its direction.
pub(super) const NO_EDGE: i32 = 9;

impl Frames {
    pub(super) const EMPTY: Self = Self {
        d: [[0; BLOCK]; 3],
        half_a: [[0; BLOCK]; 3],
        half_b: [[0; BLOCK]; 3],
        axes_a: [[[0; BLOCK]; 3]; 3],
        axes_b: [[[0; BLOCK]; 3]; 3],
        margin: [0; BLOCK],
        exponent: [0; BLOCK],
    };

    /// Puts a pair into a lane. False, and nothing that means anything in the lane, where the two are too far
    /// apart to meet.
    pub(super) fn set(&mut self, lane: usize, a: &PosedBox, b: &PosedBox, margin: Fx) -> bool {
        let mut d = [0; 3];
        let mut all = 0;
        for axis in 0..3 {
            let Some(difference) = b.center[axis].checked_sub(a.center[axis]) else { return false };
            d[axis] = difference;
            all |= difference.unsigned_abs() | a.half[axis].unsigned_abs() | b.half[axis].unsigned_abs();
        }
        // Three times the largest extent there is, twice over for the diagonals.
        if all >> 52 != 0 {
            return false;
        }
        let exponent = 64 - all.leading_zeros() as i32 - LENGTH_BITS;
        for axis in 0..3 {
            self.d[axis][lane] = mantissa(d[axis], exponent);
            self.half_a[axis][lane] = mantissa(a.half[axis], exponent);
            self.half_b[axis][lane] = mantissa(b.half[axis], exponent);
            for row in 0..3 {
                self.axes_a[axis][row][lane] = a.axes[axis][row];
                self.axes_b[axis][row][lane] = b.axes[axis][row];
            }
        }
        // Beyond the pair's size a margin means the same as at it.
        let margin = margin.to_bits().clamp(0, (1 << (64 - all.leading_zeros())) - 1);
        self.margin[lane] = mantissa(margin, exponent);
        self.exponent[lane] = exponent as i8;
        true
    }
}

/// `length / 2^exponent` to nearest, ties away from zero, for a length of the pair.
#[inline(always)]
fn mantissa(length: i64, exponent: i32) -> i32 {
    if exponent <= 0 {
        (length << -exponent) as i32
    } else {
        ((length + (1 << (exponent - 1)) + (length >> 63)) >> exponent) as i32
    }
}

impl Candidates {
    pub(super) const EMPTY: Self = Self {
        t: [[0; BLOCK]; 3],
        u: [[0; BLOCK]; 3],
        r: [[[0; BLOCK]; 3]; 3],
        face_a: [0; BLOCK],
        face_b: [0; BLOCK],
        separation_a: [0; BLOCK],
        separation_b: [0; BLOCK],
        edge: [NO_EDGE; BLOCK],
    };
}

/// Tests all axes of all pairs.
pub(super) struct Axes<'a> {
    pub(super) frames: &'a [Frames],
    pub(super) candidates: &'a mut [Candidates],
}

impl Kernel for Axes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        for (frames, candidates) in self.frames.iter().zip(self.candidates) {
            for part in 0..BLOCK / N {
                test::<B, N>(frames, candidates, part * N);
            }
        }
    }
}

#[inline(always)]
fn load<B: Backend<N>, const N: usize>(column: &Column, at: usize) -> Lanes<B, N> {
    let mut lanes = [0; N];
    lanes.copy_from_slice(&column[at..at + N]);
    Lanes::load(&lanes)
}

#[inline(always)]
fn load3<B: Backend<N>, const N: usize>(columns: &[Column; 3], at: usize) -> [Lanes<B, N>; 3] {
    [load(&columns[0], at), load(&columns[1], at), load(&columns[2], at)]
}

#[inline(always)]
fn store<B: Backend<N>, const N: usize>(lanes: Lanes<B, N>, column: &mut Column, at: usize) {
    column[at..at + N].copy_from_slice(&lanes.store());
}

/// The fifteen axes of `N` pairs from lane `at` on.
#[inline(always)]
fn test<B: Backend<N>, const N: usize>(frames: &Frames, out: &mut Candidates, at: usize) {
    let a =
        [load3::<B, N>(&frames.axes_a[0], at), load3(&frames.axes_a[1], at), load3(&frames.axes_a[2], at)];
    let b =
        [load3::<B, N>(&frames.axes_b[0], at), load3(&frames.axes_b[1], at), load3(&frames.axes_b[2], at)];
    let d = load3::<B, N>(&frames.d, at);
    let (half_a, half_b) = (load3::<B, N>(&frames.half_a, at), load3::<B, N>(&frames.half_b, at));
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
    store(face_a, &mut out.face_a, at);
    store(face_b, &mut out.face_b, at);

    let margin = load::<B, N>(&frames.margin, at);
    let face = best_a.max(best_b);
    if face.gt(margin).all() {
        store(Lanes::<B, N>::splat(i64::from(NO_EDGE)), &mut out.edge, at);
        return;
    }

    // |s| of interest is at most that of the best face, or the margin; halved it has 30 bits, and scaled to 30 its square has 60.
    let limit = face.abs().max(margin).max(Lanes::splat(2)).shr::<1>();
    let scale = limit.leading_zeros() - Lanes::splat(34);
    let (mut best, mut best_square, mut edge) =
        (Lanes::splat(-(1 << 30)), Lanes::splat(PARALLEL), Lanes::splat(i64::from(NO_EDGE)));
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let square = (r[i1][j].mul32(r[i1][j]) + r[i2][j].mul32(r[i2][j])).shr::<30>();
            let across = (t[i2].mul32(r[i1][j]) - t[i1].mul32(r[i2][j])).abs();
            let reach = half_a[i1].mul32(r_abs[i2][j])
                + half_a[i2].mul32(r_abs[i1][j])
                + half_b[j1].mul32(r_abs[i][j2])
                + half_b[j2].mul32(r_abs[i][j1]);
            let s = (across - reach).shr::<31>();
            let s = s.clamp(-limit, limit).shl_each(scale);
            let s = s.mul32(s.abs()).shr::<30>();
            // s/square > best/best_square
            let better = s.mul32(best_square).gt(best.mul32(square)) & square.gt(Lanes::splat(PARALLEL));
            best = better.select(s, best);
            best_square = better.select(square, best_square);
            edge = better.select(Lanes::splat((3 * i + j) as i64), edge);
        }
    }
    store(edge, &mut out.edge, at);
}
