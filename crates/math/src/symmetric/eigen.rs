//! [`SymmetricEigen`]: principal axes by the cyclic method of Jacobi.
//!
//! One turn by φ in the plane of the axes p and q makes their common entry zero. With d = a_qq − a_pp,
//! b = 2 a_pq and h = √(d² + b²):
//!
//! * (cos φ, sin φ) is the direction of (|d| + h, ± b), the sign being that of d, so |φ| ≤ 45°;
//! * the two diagonal entries become (a_pp + a_qq ∓ h) / 2;
//! * the axes become p cos φ − q sin φ and p sin φ + q cos φ: a turn by −φ about the third.
//!
//! No division and no tangent is needed: h is an integer square root, the direction one reciprocal root.
//! The turns are gathered in a quaternion, which cannot become a reflection and is normalised once at the end.
//!
//! Source: G. Golub, C. Van Loan, *Matrix Computations*, 8.5. The entries are scaled to fill 60 bits: the
//! diagonal grows to three times the greatest entry at the most.

use super::SymmetricMat3;
use crate::exact::{product, round_shift, saturate, sqrt_round_u128};
use crate::quat::exponential::ONE_Q62;
use crate::vector::unit::{sum_of_squares, unit_wide};
use crate::{Quat, Vec3};

/// Bits of the greatest entry between scaling and result.
const ENTRY_BITS: i32 = 60;

/// Convergence is quadratic: random matrices of all scales need four. The bound is for equal eigenvalues, which
/// may trade a last unit for ever.
const MAX_SWEEPS: u32 = 8;

/// The planes of a sweep, with the axis that stays: (p, q, r) is right-handed.
const PLANES: [(usize, usize, usize); 3] = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];

/// The principal axes of a [`SymmetricMat3`] and its eigenvalues along them.
///
/// S = R D Rᵀ with the rotation R and the diagonal matrix D of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SymmetricEigen {
    /// Takes +X, +Y and +Z to the principal axes; the real part is not below zero.
    pub rotation: Quat,
    /// The eigenvalue of each axis.
    pub values: Vec3,
}

impl SymmetricMat3 {
    /// Principal axes and eigenvalues.
    ///
    /// The axes keep the order they have: each turn on the way is by 45° at the most, so a diagonal matrix, and
    /// zero, has the identity and its own diagonal, exactly, and a nearly diagonal one has axes next to X, Y and
    /// Z. They are not sorted by value: nearly equal values would swap at the whim of the last unit.
    /// Equal eigenvalues leave a choice of axes; it is fixed, the same everywhere. `-S` has the axes of `S`, and
    /// its values negated.
    ///
    /// Values are within 0.5 units of 2⁻³² + 2⁻⁵⁵ of the greatest, saturating; the components of the axes, where
    /// the values differ, within two units of 2⁻³². So R D Rᵀ is within 2⁻³⁰ of the greatest value of S.
    ///
    /// ```
    /// use isostep_math::{Fx, Quat, SymmetricMat3, Vec3, fx};
    ///
    /// let tensor = SymmetricMat3::from_array([2, 2, 5, 1, 0, 0].map(Fx::from_int));
    /// let eigen = tensor.eigen();
    /// assert_eq!(eigen.values, Vec3::new(fx!(1), fx!(3), fx!(5)));
    /// assert_eq!(eigen.rotation, Quat::from_rotation_z(-Fx::FRAC_PI_4));
    /// ```
    #[doc(alias = "diagonalize")]
    #[doc(alias = "principal axes")]
    #[must_use]
    pub const fn eigen(self) -> SymmetricEigen {
        let [_, _, _, xy, xz, yz] = self.to_bits();
        if xy == 0 && xz == 0 && yz == 0 {
            return SymmetricEigen { rotation: Quat::IDENTITY, values: self.diagonal() };
        }
        let (mut state, shift) = Jacobi::new(self.to_bits());
        let mut sweep = 0;
        while sweep < MAX_SWEEPS && !state.is_diagonal() {
            let mut plane = 0;
            while plane < 3 {
                state = state.turned(PLANES[plane]);
                plane += 1;
            }
            sweep += 1;
        }
        let [x, y, z] = state.diagonal;
        SymmetricEigen {
            rotation: state.rotation(),
            values: Vec3::from_bits([unscaled(x, shift), unscaled(y, shift), unscaled(z, shift)]),
        }
    }
}

/// A matrix on its way to the diagonal.
#[derive(Clone, Copy)]
struct Jacobi {
    /// a_xx, a_yy, a_zz: below 2^62.
    diagonal: [i64; 3],
    /// The entry of the two other axes: a_yz, a_zx, a_xy.
    across: [i64; 3],
    /// The turns so far: x, y, z, w in Q2.62.
    turns: [i64; 4],
}

impl Jacobi {
    /// The matrix times 2^shift, and that shift.
    const fn new(entries: [i64; 6]) -> (Self, i32) {
        let mut bits = 0;
        let mut i = 0;
        while i < 6 {
            bits |= entries[i].unsigned_abs();
            i += 1;
        }
        // −4 for an entry MIN.
        let shift = ENTRY_BITS - (64 - bits.leading_zeros() as i32);
        let mut scaled = entries;
        let mut i = 0;
        while i < 6 {
            scaled[i] = if shift >= 0 {
                entries[i] << shift
            } else {
                round_shift(entries[i] as i128, -shift as u32) as i64
            };
            i += 1;
        }
        let [xx, yy, zz, xy, xz, yz] = scaled;
        (Self { diagonal: [xx, yy, zz], across: [yz, xz, xy], turns: [0, 0, 0, ONE_Q62] }, shift)
    }

    const fn is_diagonal(&self) -> bool {
        self.across[0] == 0 && self.across[1] == 0 && self.across[2] == 0
    }

    /// Turned so that the entry of the axes p and q is zero.
    const fn turned(mut self, (p, q, r): (usize, usize, usize)) -> Self {
        // Twice the entry, and the difference, are at most the difference of two eigenvalues: below 2^63.
        let b = 2 * self.across[r];
        if b == 0 {
            return self;
        }
        let (app, aqq) = (self.diagonal[p], self.diagonal[q]);
        let d = aqq - app;
        let h = sqrt_round_u128(sum_of_squares([d, b]));
        // Equal entries turn forward by 45°, whatever the sign of b: so −S turns as S does.
        let (across, h) = match d.signum() {
            0 => (b.abs(), if b > 0 { h } else { -h }),
            sign => (b * sign, h * sign),
        };
        let along = d.unsigned_abs() as i128 + h.unsigned_abs() as i128;
        // Never zero: b is not.
        let Some([cos, sin]) = unit_wide::<62, 2>([along, across as i128]) else { return self };

        // The sum is below 2^63: twice the spectral radius, which is below 3 · 2^60.
        let sum = app + aqq;
        let new_app = round_shift(sum as i128 - h as i128, 1) as i64;
        self.diagonal[p] = new_app;
        self.diagonal[q] = sum - new_app;
        self.across[r] = 0;
        // The entries with the third axis: (r, p) is across q and (r, q) across p.
        let (arp, arq) = (self.across[q], self.across[p]);
        self.across[q] = round_shift(product(cos, arp) - product(sin, arq), 62) as i64;
        self.across[p] = round_shift(product(sin, arp) + product(cos, arq), 62) as i64;

        let Some([w, k]) = unit_wide::<62, 2>([ONE_Q62 as i128 + cos as i128, -(sin as i128)]) else {
            return self;
        };
        // The product (v, t) (k r, w) of quaternions, by its components along p, q, r.
        let [vp, vq, vr, t] = [self.turns[p], self.turns[q], self.turns[r], self.turns[3]];
        self.turns[p] = combined(vp, w, vq, k);
        self.turns[q] = combined(vq, w, -vp, k);
        self.turns[r] = combined(vr, w, t, k);
        self.turns[3] = combined(t, w, -vr, k);
        self
    }

    /// The turns as a quaternion of length 1 whose real part is not below zero.
    const fn rotation(&self) -> Quat {
        let [x, y, z, w] = self.turns;
        let sign = if w < 0 { -1 } else { 1 };
        match unit_wide::<32, 4>([
            (x * sign) as i128,
            (y * sign) as i128,
            (z * sign) as i128,
            (w * sign) as i128,
        ]) {
            Some(bits) => Quat::from_bits(bits),
            None => Quat::IDENTITY,
        }
    }
}

/// a c + b s in Q2.62.
const fn combined(a: i64, c: i64, b: i64, s: i64) -> i64 {
    round_shift(product(a, c) + product(b, s), 62) as i64
}

/// `value` / 2^shift to nearest, saturating.
const fn unscaled(value: i64, shift: i32) -> i64 {
    match shift {
        0 => value,
        1.. => round_shift(value as i128, shift as u32) as i64,
        _ => saturate((value as i128) << -shift),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;
    use crate::{Fx, fx};
    use std::vec::Vec;

    /// Random matrices whose entries have `bits` bits.
    fn random(rng: &mut Rng, bits: u32) -> SymmetricMat3 {
        let limit = (u64::MAX >> (64 - bits)) as i64;
        SymmetricMat3::from_bits(core::array::from_fn(|_| rng.range_i64(-limit, limit)))
    }

    fn greatest(m: SymmetricMat3) -> i64 {
        m.to_bits().into_iter().map(i64::saturating_abs).max().unwrap()
    }

    #[test]
    fn axes_and_values_give_the_matrix_again_at_every_scale() {
        let mut rng = Rng::new(1, 0);
        let mut worst = 0;
        for bits in 2..=60 {
            for _ in 0..200 {
                let m = random(&mut rng, bits);
                let eigen = m.eigen();
                let again = SymmetricMat3::from_diagonal(eigen.values).rotated(eigen.rotation);
                let error = greatest(again - m);
                let value = eigen.values.abs().max_element().to_bits().max(1);
                let relative = (i128::from(error - 3).max(0) << 40) / i128::from(value);
                worst = worst.max(relative);
                assert!(relative <= 1 << 10, "{m}: {again}");
                assert!(eigen.rotation.w >= Fx::ZERO);
            }
        }
        std::println!("R D Rᵀ: {worst} · 2⁻⁴⁰ of the greatest value beyond three units");
    }

    #[test]
    fn values_are_those_the_matrix_was_made_of() {
        let mut rng = Rng::new(2, 0);
        let mut worst = 0;
        for bits in 2..=60 {
            for _ in 0..200 {
                let limit = (1_i64 << bits) - 1;
                let made_of = Vec3::from_bits(core::array::from_fn(|_| rng.range_i64(-limit, limit)));
                let axis = rng.unit_vec3();
                let rotation = Quat::from_axis_angle(axis, rng.angle());
                let values = SymmetricMat3::from_diagonal(made_of).rotated(rotation).eigen().values;
                let mut pair = [made_of.to_bits(), values.to_bits()];
                for words in &mut pair {
                    words.sort_unstable();
                }
                for (made_of, found) in pair[0].into_iter().zip(pair[1]) {
                    // Rounding of the entries alone moves a value by 1.5 units.
                    let error = made_of.abs_diff(found).saturating_sub(2);
                    worst = worst.max((u128::from(error) << 60) / limit as u128);
                }
            }
        }
        std::println!("values: {worst} · 2⁻⁶⁰ of the greatest beyond two units");
        assert!(worst <= 1 << 6);
    }

    #[test]
    fn axes_are_those_the_matrix_was_turned_by() {
        let mut rng = Rng::new(7, 0);
        let mut worst = Fx::ZERO;
        for bits in 40..=60 {
            let values = Vec3::from_bits([-(1 << bits), 1 << (bits - 1), (1 << bits) - 1]);
            for _ in 0..200 {
                let turned = rng.unit_quat().normalize();
                let found = SymmetricMat3::from_diagonal(values).rotated(turned).eigen().rotation;
                let own = Vec3::AXES.map(|axis| turned * axis);
                for axis in Vec3::AXES.map(|axis| found * axis) {
                    let differences = own.map(|own| (own - axis).abs().max_element());
                    let reversed = own.map(|own| (own + axis).abs().max_element());
                    worst = worst.max(differences.into_iter().chain(reversed).min().unwrap());
                }
            }
        }
        std::println!("axes: {} units", worst.to_bits());
        assert!(worst <= Fx(3));
    }

    #[test]
    fn axes_are_orthonormal_and_right_handed_to_the_unit() {
        let mut rng = Rng::new(3, 0);
        for _ in 0..2000 {
            let rotation = random(&mut rng, 40).eigen().rotation;
            let [x, y, z] = Vec3::AXES.map(|axis| rotation * axis);
            for (a, b) in [(x, y), (y, z), (z, x)] {
                assert!(a.dot(b).abs() <= Fx::EPSILON);
                assert!((a.length() - Fx::ONE).abs() <= Fx::EPSILON);
            }
            assert!(x.cross(y).abs_diff_eq(z, Fx::EPSILON * fx!(2)));
        }
    }

    #[test]
    fn diagonal_matrices_are_their_own_answer() {
        for diagonal in [Vec3::ZERO, Vec3::ONE, Vec3::new(Fx::MIN, Fx::MAX, Fx::EPSILON)] {
            let eigen = SymmetricMat3::from_diagonal(diagonal).eigen();
            assert_eq!(eigen, SymmetricEigen { rotation: Quat::IDENTITY, values: diagonal });
        }
    }

    #[test]
    fn repeated_values_have_some_axes_that_fit() {
        // 1 + 2 v vᵀ with v = (1, 1, 1) / √3: the values 1, 1, 3.
        let third = Fx::from_ratio(2, 3);
        let m =
            SymmetricMat3::from_array([third + fx!(1), third + fx!(1), third + fx!(1), third, third, third]);
        let eigen = m.eigen();
        let mut values = eigen.values.to_array();
        values.sort_unstable();
        for (value, expected) in values.into_iter().zip([fx!(1), fx!(1), fx!(3)]) {
            assert!(value.abs_diff_eq(expected, Fx::EPSILON * fx!(2)));
        }
        let again = SymmetricMat3::from_diagonal(eigen.values).rotated(eigen.rotation);
        assert!(again.abs_diff_eq(m, Fx::EPSILON * fx!(3)), "{again}");
    }

    #[test]
    fn the_ends_of_the_range_saturate_and_nothing_panics() {
        let words = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX];
        let mut rng = Rng::new(4, 0);
        for _ in 0..20_000 {
            let m = SymmetricMat3::from_bits(core::array::from_fn(|_| *rng.choose(&words).unwrap()));
            assert!(m.eigen().rotation.is_normalized());
        }
        let full = SymmetricMat3::from_array([Fx::MAX; 6]).eigen();
        assert_eq!(full.values.max_element(), Fx::MAX);
    }

    #[test]
    fn the_negated_matrix_has_the_same_axes_and_negated_values() {
        let mut rng = Rng::new(5, 0);
        let small: Vec<_> = (0..2000).map(|_| random(&mut rng, 3)).collect();
        let large: Vec<_> = (0..2000).map(|_| random(&mut rng, 61)).collect();
        for m in small.into_iter().chain(large) {
            let (there, back) = (m.eigen(), (-m).eigen());
            assert_eq!(there.rotation, back.rotation, "{m}");
            assert_eq!(there.values, -back.values, "{m}");
        }
    }

    #[test]
    fn the_bound_on_sweeps_leaves_nothing_across() {
        let mut rng = Rng::new(6, 0);
        let mut most = 0;
        for bits in 2..=63 {
            for _ in 0..300 {
                let (mut state, _) = Jacobi::new(random(&mut rng, bits).to_bits());
                let mut sweeps = 0;
                while sweeps < MAX_SWEEPS && state.across.iter().any(|&entry| entry.abs() > 4) {
                    state = PLANES.into_iter().fold(state, Jacobi::turned);
                    sweeps += 1;
                }
                most = most.max(sweeps);
                assert!(state.across.iter().all(|&entry| entry.abs() <= 4), "{:?}", state.across);
            }
        }
        std::println!("sweeps: {most}");
        assert!(most < MAX_SWEEPS);
    }
}
