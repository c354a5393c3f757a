//! Rotations by vectors, and inverses of symmetric matrices, in lanes.

use super::super::mantissas::{Reciprocal, shorten, shr_each};
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
        // As many bits as there is room for: where K is much greater in one direction, what is left of the inverse in that one is
        // little, and all that keeps points still under rotations is made of it.
        let mut entries = cofactors;
        shorten(&mut entries);
        let determinant = dot3([xx, xy, xz], [entries[0], entries[3], entries[4]]);
        let reciprocal = Reciprocal::of(determinant.max(Lanes::splat(1)));
        for entry in &mut entries {
            *entry = entry.mul32(reciprocal.value);
        }
        // In units of 2^27, cofactor / determinant is entry 2^(−2 − length), as 2^60 / mantissa is
        // 2^(29 + length) / determinant: entries and the determinant are shorter by as many bits.
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
            *entry = self.held.keep(shr_each(*entry, down).clamp(-most, most));
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

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::random::Rng;
    use isostep_math::wide::{Kernel, Level, chunk_at, chunk_at_mut};
    use isostep_math::{Fx, Quat, Vec3, fx};

    const LANES: usize = 8;
    type Column = [i64; LANES];

    /// Turns vectors by vectors, both in Q32: the results have Q24.
    struct Turn<'a> {
        turns: &'a [Column; 3],
        vectors: &'a [Column; 3],
    }

    impl Kernel for Turn<'_> {
        type Output = [Column; 3];

        #[inline(always)]
        fn run<B: Backend<N>, const N: usize>(self) -> [Column; 3] {
            let mut turned = [[0; LANES]; 3];
            for at in (0..LANES).step_by(N) {
                let (turn, vector) = (part::<B, N, 3>(self.turns, at), part::<B, N, 3>(self.vectors, at));
                let result = Rotation::new(turn).turned(shr_round3::<B, N, 8>(vector));
                for k in 0..3 {
                    *chunk_at_mut(&mut turned[k], at) = result[k].to_array();
                }
            }
            turned
        }
    }

    /// Inverts matrices in Q30, all of them or across axes in Q30: Q20.
    struct Invert<'a> {
        matrices: &'a [Column; 6],
        axes: &'a [Column; 3],
        restricted: bool,
    }

    impl Kernel for Invert<'_> {
        type Output = [Column; 6];

        #[inline(always)]
        fn run<B: Backend<N>, const N: usize>(self) -> [Column; 6] {
            let mut inverted = [[0; LANES]; 6];
            for at in (0..LANES).step_by(N) {
                let (matrix, axis) = (part::<B, N, 6>(self.matrices, at), part::<B, N, 3>(self.axes, at));
                let (held, restricted) = (Mask::splat(true), Mask::splat(self.restricted));
                let result = Inverse::new(matrix, axis, held, restricted).scaled(Lanes::splat(50));
                for k in 0..6 {
                    *chunk_at_mut(&mut inverted[k], at) = result[k].to_array();
                }
            }
            inverted
        }
    }

    #[inline(always)]
    fn part<B: Backend<N>, const N: usize, const K: usize>(
        columns: &[Column; K],
        at: usize,
    ) -> [Lanes<B, N>; K] {
        let mut lanes = [Lanes::zero(); K];
        for (lanes, column) in lanes.iter_mut().zip(columns) {
            *lanes = Lanes::from_array(*chunk_at(column, at));
        }
        lanes
    }

    fn random(rng: &mut Rng, most: Fx) -> Vec3 {
        Vec3::new(rng.fx_range(-most, most), rng.fx_range(-most, most), rng.fx_range(-most, most))
    }

    fn columns(vectors: &[Vec3; LANES]) -> [Column; 3] {
        [0, 1, 2].map(|k| vectors.map(|v| v.to_array()[k].to_bits()))
    }

    #[test]
    fn a_rotation_by_a_vector_is_that_of_its_quaternion_up_to_what_it_takes() {
        let mut rng = Rng::new(11, 0);
        for most in [fx!(0.0001), fx!(0.1), fx!(0.5), fx!(1.4)] {
            let turns = [(); LANES].map(|()| random(&mut rng, most));
            let vectors = [(); LANES].map(|()| random(&mut rng, fx!(60)));
            let expected = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| Quat::from_scaled_axis(turns[i]) * vectors[i]);
            for level in Level::available() {
                let found = level.dispatch(Turn { turns: &columns(&turns), vectors: &columns(&vectors) });
                for lane in 0..LANES {
                    let found = Vec3::from_array([0, 1, 2].map(|k| Fx::from_bits(found[k][lane] << 8)));
                    // 2⁻²² of the length and what Q24 rounds; at 2.4 rad a little more.
                    let error = found.distance(expected[lane]);
                    let most_error = if most > Fx::ONE { fx!(0.001) } else { fx!(0.00005) };
                    assert!(error < most_error, "{level:?} {}: off by {error}", turns[lane]);
                }
            }
        }
    }

    #[test]
    fn a_rotation_by_too_long_a_vector_keeps_lengths() {
        let turns = [(); LANES].map(|()| Vec3::new(fx!(8), fx!(-3), fx!(5)));
        let vectors = [(); LANES].map(|()| Vec3::new(fx!(3), fx!(4), fx!(12)));
        for level in Level::available() {
            let found = level.dispatch(Turn { turns: &columns(&turns), vectors: &columns(&vectors) });
            let found = Vec3::from_array([0, 1, 2].map(|k| Fx::from_bits(found[k][0] << 8)));
            assert!(found.length().abs_diff_eq(fx!(13), fx!(0.001)), "{}", found.length());
        }
    }

    /// Σ d v vᵀ over orthogonal unit vectors v, in Q30.
    fn symmetric(axes: &[Vec3; 3], d: [Fx; 3]) -> [i64; 6] {
        PLACES.map(|(i, j)| {
            let sum: Fx = (0..3)
                .map(|k| d[k] * axes[k].to_array()[i] * axes[k].to_array()[j])
                .fold(Fx::ZERO, |sum, term| sum + term);
            sum.to_bits() >> 2
        })
    }

    #[test]
    fn the_inverse_of_a_matrix_is_near_its_exact_one() {
        let mut rng = Rng::new(12, 0);
        for greatest in [fx!(1), fx!(30), fx!(1000)] {
            for restricted in [false, true] {
                let mut matrices = [[0; LANES]; 6];
                let mut expected = [[0; 6]; LANES];
                let mut axes = [Vec3::ZERO; LANES];
                for lane in 0..LANES {
                    let turn = Quat::from_scaled_axis(random(&mut rng, fx!(2)));
                    let own = [turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z];
                    let d = [(); 3].map(|()| rng.fx_range(fx!(0.9), greatest + fx!(0.1)));
                    let matrix = symmetric(&own, d);
                    for k in 0..6 {
                        matrices[k][lane] = matrix[k];
                    }
                    axes[lane] = own[0];
                    let first = if restricted { Fx::ZERO } else { Fx::ONE / d[0] };
                    expected[lane] = symmetric(&own, [first, Fx::ONE / d[1], Fx::ONE / d[2]]);
                }
                let axes = columns(&axes).map(|column| column.map(|bits| bits >> 2));
                for level in Level::available() {
                    let found = level.dispatch(Invert { matrices: &matrices, axes: &axes, restricted });
                    for lane in 0..LANES {
                        for k in 0..6 {
                            // Q20 against Q30, within 2⁻¹⁰ of the greatest possible.
                            let off = (found[k][lane] << 10) - expected[lane][k];
                            assert!(off.abs() < 1 << 21, "{level:?} {greatest} {restricted}: off by {off}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_nothing_moves_has_an_inverse_that_moves_nothing_more() {
        // Held along x by both bodies.
        let mut matrices = [[0; LANES]; 6];
        (matrices[1], matrices[2]) = ([1 << 30; LANES], [1 << 31; LANES]);
        let axes = [[0; LANES]; 3];
        for level in Level::available() {
            let found = level.dispatch(Invert { matrices: &matrices, axes: &axes, restricted: false });
            assert!((found[1][0] - (1 << 20)).abs() < 16 && (found[2][0] - (1 << 19)).abs() < 16);
            assert_eq!([found[3][0], found[4][0], found[5][0]], [0; 3]);
        }
    }
}
