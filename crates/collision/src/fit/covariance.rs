//! The principal axes of a cloud: those of its covariance matrix.

use crate::exact::relative;
use isostep_math::{Fx, Quat, SymmetricMat3, Vec3};

/// Bits of an offset that need no more room: its square has 100, which leaves 2²⁴ points their sum.
const MAX_OFFSET_BITS: u32 = 50;

/// The principal axes of `points`, or `None` where they are too far from `origin` to share a box.
///
/// Σ (p − m)(p − m)ᵀ about the mean m, from differences to `origin` that fill the room there is: for a cloud of
/// some units they are scaled up, for 2³⁰ points of 10 km down, so the sums are exact in 128 bits.
pub(super) fn principal_axes(origin: Vec3, points: &[Vec3]) -> Option<Quat> {
    let mut bits = 0;
    for &point in points {
        bits |= relative(point, origin)?.into_iter().fold(0, |bits, word| bits | word.unsigned_abs());
    }
    let count_bits = usize::BITS - points.len().leading_zeros();
    let room = ((124 - count_bits) / 2 - 1).min(MAX_OFFSET_BITS);
    let shift = room as i32 - (64 - bits.leading_zeros()) as i32;
    let offsets = || {
        points
            .iter()
            .filter_map(|&point| relative(point, origin))
            .map(|offset| offset.map(|word| if shift >= 0 { word << shift.min(63) } else { word >> -shift }))
    };
    let mut sum = [0_i128; 3];
    for offset in offsets() {
        for (sum, word) in sum.iter_mut().zip(offset) {
            *sum += i128::from(word);
        }
    }
    let mean = sum.map(|sum| (sum / points.len().max(1) as i128) as i64);
    let mut covariance = [0_i128; 6];
    for offset in offsets() {
        let [x, y, z]: [i128; 3] = core::array::from_fn(|axis| i128::from(offset[axis] - mean[axis]));
        for (entry, product) in covariance.iter_mut().zip([x * x, y * y, z * z, x * y, x * z, y * z]) {
            *entry += product;
        }
    }
    Some(leading(covariance).eigen().rotation)
}

/// The matrix by its leading 62 bits: the scale does not matter to its axes.
fn leading(entries: [i128; 6]) -> SymmetricMat3 {
    let bits = entries.iter().fold(0, |bits, entry| bits | entry.unsigned_abs());
    let drop = 66_u32.saturating_sub(bits.leading_zeros());
    SymmetricMat3::from_array(entries.map(|entry| Fx::from_bits((entry >> drop) as i64)))
}
