//! [`Tensor`]: a gyration tensor with 64 fraction bits.

use super::amount::{mul_shift, narrow};
use crate::distance::arithmetic::round_shift;
use isostep_math::{Fx, Quat, SymmetricMat3, Vec3};

/// Bits of the words that [`SymmetricMat3`] computes with: sums of three leave room to its end.
const WORD_BITS: u32 = 60;

/// Offsets count as 2²⁹ m at the most, so that their squares, and a spread beside them, fit.
const MAX_OFFSET: i128 = 1 << 61;

/// No entry exceeds this: further sums stay within 128 bits.
const MAX_ENTRY: i128 = 1 << 124;

/// A symmetric tensor by its entries xx, yy, zz, xy, xz, yz in Q64: m² in units of 2⁻⁶⁴.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tensor([i128; 6]);

impl Tensor {
    pub(super) const fn from_symmetric(m: SymmetricMat3) -> Self {
        let words = m.to_array();
        let mut entries = [0; 6];
        let mut i = 0;
        while i < 6 {
            entries[i] = (words[i].to_bits() as i128) << 32;
            i += 1;
        }
        Self(entries)
    }

    pub(super) const fn from_diagonal(diagonal: [i128; 3]) -> Self {
        Self([diagonal[0], diagonal[1], diagonal[2], 0, 0, 0])
    }

    /// `across` about every axis at a right angle to `axis`, `along` about `axis` itself, a unit vector in Q62.
    ///
    /// across 1 + (along − across) u uᵀ.
    pub(super) fn around_axis(along: i128, across: i128, axis: [i64; 3]) -> Self {
        let entry = |i: usize, j: usize| {
            let pair = round_shift(i128::from(axis[i]) * i128::from(axis[j]), 62);
            let magnitude =
                mul_shift((along - across).unsigned_abs(), pair.unsigned_abs() as u64, 62) as i128;
            if (along < across) == (pair < 0) { magnitude } else { -magnitude }
        };
        Self([
            across + entry(0, 0),
            across + entry(1, 1),
            across + entry(2, 2),
            entry(0, 1),
            entry(0, 2),
            entry(1, 2),
        ])
    }

    /// |d|² 1 − d dᵀ for the offset d = `a` − `b`, exact up to [`MAX_OFFSET`].
    pub(super) fn of_offset(a: Vec3, b: Vec3) -> Self {
        let (a, b) = (a.to_array(), b.to_array());
        let [x, y, z]: [i128; 3] =
            core::array::from_fn(|axis| super::difference(a[axis], b[axis]).clamp(-MAX_OFFSET, MAX_OFFSET));
        Self([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
    }

    pub(super) fn plus(self, rhs: Self) -> Self {
        Self(core::array::from_fn(|i| (self.0[i] + rhs.0[i]).clamp(-MAX_ENTRY, MAX_ENTRY)))
    }

    /// How many bits the greatest entry has beyond a word.
    pub(super) fn excess_bits(&self) -> u32 {
        let bits = self.0.iter().fold(0, |bits, entry| bits | entry.unsigned_abs());
        (128 - WORD_BITS).saturating_sub(bits.leading_zeros())
    }

    /// The entries without their last `drop` bits, to nearest; `drop` is at least the excess.
    pub(super) fn words(self, drop: u32) -> [i64; 6] {
        self.0.map(|entry| round_shift(entry, drop) as i64)
    }

    /// The tensor of words without their last `drop` bits.
    pub(super) fn from_words(words: [i128; 6], drop: u32) -> Self {
        Self(words.map(|word| word << drop))
    }

    /// R T Rᵀ, within 2⁻⁵³ of the greatest entry; itself for the identity.
    pub(super) fn rotated(self, rotation: Quat) -> Self {
        if rotation == Quat::IDENTITY {
            return self;
        }
        let drop = self.excess_bits();
        let turned = self.scaled(drop).rotated(rotation).to_array();
        Self::from_words(turned.map(|word| i128::from(word.to_bits())), drop)
    }

    /// Principal axes, and the values along them, at least 0, in Q64.
    pub(super) fn principal(self) -> (Quat, [u128; 3]) {
        let drop = self.excess_bits();
        let eigen = self.scaled(drop).eigen();
        let values = eigen.values.to_array().map(|value| (value.to_bits().max(0) as u128) << drop);
        (eigen.rotation, values)
    }

    /// The words as a matrix of numbers whose unit is 2^(drop − 64) m².
    fn scaled(self, drop: u32) -> SymmetricMat3 {
        SymmetricMat3::from_array(self.words(drop).map(Fx::from_bits))
    }

    /// The entries in m², to nearest, saturating.
    pub(super) const fn to_symmetric(self) -> SymmetricMat3 {
        let mut entries = [Fx::ZERO; 6];
        let mut i = 0;
        while i < 6 {
            let magnitude = narrow(self.0[i].unsigned_abs());
            entries[i] = if self.0[i] < 0 { magnitude.saturating_neg() } else { magnitude };
            i += 1;
        }
        SymmetricMat3::from_array(entries)
    }
}

/// The root of a Q64 number, to nearest, saturating.
pub(super) fn root_q64(square: u128) -> Fx {
    let floor = square.isqrt();
    let nearest = floor + u128::from(square - floor * floor > floor);
    Fx::from_bits(i64::try_from(nearest).unwrap_or(i64::MAX))
}
