//! Rotations by vectors, and inverses of symmetric matrices, in lanes.

use super::super::prepare::Reciprocal;
use super::super::quartered;
use isostep_math::wide::{Backend, Lanes, Mask, add3, cross3, dot3, scale3, shr_round3, sub3};

/// The greatest square of an angle that [`Rotation`] takes, Q28: it shortens longer ones.
const MOST_SQUARE: i64 = 6 << 28;

/// Terms of the power series of a rotation: sin φ / φ and (1 − cos φ) / φ², as polynomials in φ², Q30.
///
/// What is left out is below 10⁻⁵ at the greatest angle of 2.45 rad, and below 2⁻³⁰ up to 0.9 rad.
const SINE: [i64; 6] = [term(1), -term(6), term(120), -term(5_040), term(362_880), -term(39_916_800)];
const COSINE: [i64; 6] = [term(2), -term(24), term(720), -term(40_320), term(3_628_800), -term(479_001_600)];

/// 1 / `divisor`, Q30.
const fn term(divisor: i64) -> i64 {
    ((1 << 30) + divisor / 2) / divisor
}

/// √3, Q29.
const SQRT_3: i64 = 929_887_697;

/// A rotation by φ, as vectors along φ.
#[derive(Clone, Copy)]
pub(super) struct Rotation<B: Backend<N>, const N: usize> {
    /// φ, Q28.
    vector: [Lanes<B, N>; 3],
    /// φ sin φ / φ, Q30.
    sine: [Lanes<B, N>; 3],
    /// φ (1 − cos φ) / φ², Q30.
    cosine: [Lanes<B, N>; 3],
}

impl<B: Backend<N>, const N: usize> Rotation<B, N> {
    /// By the vector `turn` in rad, Q32. One of more than 2.45 rad turns about the same axis by less.
    #[inline(always)]
    pub(super) fn new(turn: [Lanes<B, N>; 3]) -> Self {
        let most = Lanes::splat(1 << 30);
        let mut vector = shr_round3::<B, N, 4>(turn);
        for component in &mut vector {
            *component = component.clamp(-most, most);
        }
        let mut square = dot3(vector, vector).shr_round::<28>();
        let longest = Lanes::splat(MOST_SQUARE);
        let beyond = square.gt(longest);
        if beyond.any() {
            // √(6 / φ²) = √6 2^14 / √square, where `rsqrt` of square 4^−p is 2^44.5 / √(square 4^−p): Q30.
            let (m, p) = quartered(square.max(longest));
            let factor = m.rsqrt().mul32(Lanes::splat(SQRT_3)).shr::<29>().shr_each(p);
            for component in &mut vector {
                *component = beyond.select(component.mul32(factor).shr_round::<30>(), *component);
            }
            square = square.min(longest);
        }
        let sine = shr_round3::<B, N, 28>(scale3(vector, polynomial(&SINE, square)));
        let cosine = shr_round3::<B, N, 28>(scale3(vector, polynomial(&COSINE, square)));
        Self { vector, sine, cosine }
    }

    /// A vector turned: v + sin φ / φ (φ × v) + (1 − cos φ) / φ² φ × (φ × v), in the format of v, of at most 31 bits.
    #[inline(always)]
    pub(super) fn turned(&self, v: [Lanes<B, N>; 3]) -> [Lanes<B, N>; 3] {
        let first = shr_round3::<B, N, 30>(cross3(self.sine, v));
        let second = shr_round3::<B, N, 30>(cross3(self.cosine, v));
        add3(v, add3(first, shr_round3::<B, N, 28>(cross3(self.vector, second))))
    }
}

/// A polynomial in `x`, Q28 of at most 31 bits, with values and coefficients in Q30 within ±1.
#[inline(always)]
fn polynomial<B: Backend<N>, const N: usize>(coefficients: &[i64; 6], x: Lanes<B, N>) -> Lanes<B, N> {
    let mut value = Lanes::splat(coefficients[5]);
    for coefficient in coefficients[..5].iter().rev() {
        value = Lanes::splat(*coefficient) + x.mul32(value).shr_round::<28>();
    }
    value
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
pub(super) type Symmetric<B, const N: usize> = [Lanes<B, N>; 6];

/// The rows of a symmetric matrix.
#[inline(always)]
pub(super) fn rows<B: Backend<N>, const N: usize>(m: Symmetric<B, N>) -> [[Lanes<B, N>; 3]; 3] {
    let [xx, yy, zz, xy, xz, yz] = m;
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

/// A symmetric matrix times a vector, exactly.
#[inline(always)]
pub(super) fn times<B: Backend<N>, const N: usize>(
    m: Symmetric<B, N>,
    v: [Lanes<B, N>; 3],
) -> [Lanes<B, N>; 3] {
    let [x, y, z] = rows(m);
    [dot3(x, v), dot3(y, v), dot3(z, v)]
}

/// The matrix M of at most 31 bits, restricted to what is across the axis u: (1 − u uᵀ) M (1 − u uᵀ).
#[inline(always)]
fn across<B: Backend<N>, const N: usize>(m: Symmetric<B, N>, axis: [Lanes<B, N>; 3]) -> Symmetric<B, N> {
    let image = shr_round3::<B, N, 30>(times(m, axis));
    let along = dot3(axis, image).shr_round::<30>();
    // −u imageᵀ − image uᵀ + along u uᵀ = −(u wᵀ + w uᵀ) with w = image − along u / 2.
    let rest = sub3(image, shr_round3::<B, N, 31>(scale3(axis, along)));
    let mut restricted = m;
    for (entry, (i, j)) in restricted.iter_mut().zip(PLACES) {
        let taken = axis[i].mul32(rest[j]) + rest[i].mul32(axis[j]);
        *entry -= taken.shr_round::<30>();
    }
    restricted
}

/// Row and column of the entries of a symmetric matrix.
pub(super) const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

/// The inverse of a symmetric matrix, on a part of the space: entries 2^−`down` are those of the inverse of the numbers
/// that were given.
#[derive(Clone, Copy)]
pub(super) struct Inverse<B: Backend<N>, const N: usize> {
    entries: Symmetric<B, N>,
    down: Lanes<B, N>,
    axis: [Lanes<B, N>; 3],
    held: Mask<B, N>,
    restricted: Mask<B, N>,
}

/// Bits of the greatest diagonal entry that is inverted.
const BITS: i64 = 27;

impl<B: Backend<N>, const N: usize> Inverse<B, N> {
    /// Of a positive matrix K of less than 60 bits: where `held`, and where `restricted` of
    /// (1 − u uᵀ) K (1 − u uᵀ) across the axis u. A direction that nothing moves along, an axis of the world with
    /// K = 0, is left alone.
    ///
    /// By cofactors, of K scaled to 27 bits. 2⁻¹⁹ of the greatest entry is added to the diagonal, so what bodies are
    /// moved along least by far gives way a little more than it should.
    #[inline(always)]
    pub(super) fn new(
        k: Symmetric<B, N>,
        axis: [Lanes<B, N>; 3],
        held: Mask<B, N>,
        restricted: Mask<B, N>,
    ) -> Self {
        let zero = Lanes::zero();
        let largest = k[0].max(k[1]).max(k[2]);
        let length = Lanes::splat(64) - largest.leading_zeros();
        let down = (length - Lanes::splat(BITS)).max(zero);
        let one = Lanes::splat(1 << (BITS - 1));
        let mut m = k;
        for (place, entry) in m.iter_mut().enumerate() {
            *entry = entry.abs().shr_each(down).negate_where_negative(*entry);
            if place < 3 {
                *entry = entry.equal(zero).select(one, *entry) + Lanes::splat(1 << (BITS - 19));
            }
        }
        if restricted.any() {
            let part = across(m, axis);
            for (entry, (part, (i, j))) in m.iter_mut().zip(part.into_iter().zip(PLACES)) {
                let back = axis[i].mul32(axis[j]).shr_round::<{ 60 - (BITS as u32 - 1) }>();
                *entry = restricted.select(part + back, *entry);
            }
        }
        let [xx, yy, zz, xy, xz, yz] = m;
        // At most (trace / 2)².
        let cofactors = [
            yy.mul32(zz) - yz.mul32(yz),
            xx.mul32(zz) - xz.mul32(xz),
            xx.mul32(yy) - xy.mul32(xy),
            xz.mul32(yz) - xy.mul32(zz),
            xy.mul32(yz) - xz.mul32(yy),
            xy.mul32(xz) - xx.mul32(yz),
        ];
        let mut entries = [zero; 6];
        for (entry, cofactor) in entries.iter_mut().zip(cofactors) {
            *entry = cofactor.shr_round::<{ BITS as u32 }>();
        }
        let determinant = dot3([xx, xy, xz], [entries[0], entries[3], entries[4]]);
        let reciprocal = Reciprocal::of(determinant.max(Lanes::splat(1)));
        for entry in &mut entries {
            *entry = entry.mul32(reciprocal.value);
        }
        // In units of 2^27, cofactor / determinant is entry 2^(−2 − length), as 2^60 / mantissa is
        // 2^(29 + length) / determinant.
        let down = reciprocal.length + down + Lanes::splat(2 + BITS);
        Self { entries, down, axis, held, restricted }
    }

    /// The inverse times 2^`up`, of at most 31 bits.
    #[inline(always)]
    pub(super) fn scaled(&self, up: Lanes<B, N>) -> Symmetric<B, N> {
        let down = (self.down - up).clamp(Lanes::zero(), Lanes::splat(62));
        let most = Lanes::splat(i64::from(i32::MAX));
        let mut m = self.entries;
        for entry in &mut m {
            *entry = self.held.keep(super::super::prepare::shr_each(*entry, down).clamp(-most, most));
        }
        if self.restricted.any() {
            let part = across(m, self.axis);
            for (entry, part) in m.iter_mut().zip(part) {
                *entry = self.restricted.select(part.clamp(-most, most), *entry);
            }
        }
        m
    }
}
