//! How far a leaf's box in the tree reaches beyond its tight box.
//!
//! By the margin to every side, and ahead by a few steps of the last move: a body that travels then leaves its
//! box every few steps instead of every one. A box that became too large for what the leaf does now is replaced.

use super::node::Bounds;
use isostep_math::Fx;

/// Steps ahead for which a fat box has room, as a power of two.
const STEPS_AHEAD_BITS: u32 = 4;

/// The box, as a leaf keeps it, grown by the margin, and by sixteen times the move from `old` in its
/// direction, but by no more than the size of the box.
pub(super) fn fatten(tight: &[i64; 6], old: &[i64; 6], margin: Fx) -> [i64; 6] {
    core::array::from_fn(|lane| {
        let axis = lane % 3;
        let size = (!tight[axis + 3]).saturating_sub(tight[axis]);
        // A minimum, or the complement of a maximum, grows outward by falling.
        let ahead =
            old[lane].saturating_sub(tight[lane]).clamp(0, size >> STEPS_AHEAD_BITS) << STEPS_AHEAD_BITS;
        tight[lane].saturating_sub(margin.to_bits()).saturating_sub(ahead)
    })
}

/// Whether the box that a leaf has in the tree may stay: it holds the tight box `new`, with at most eight margins to
/// every side and thirty-two times the move from `old` either way to spare. Moves above 2²⁴ cells count as that.
#[inline]
pub(super) fn may_stay(fat: &Bounds, old: &Bounds, new: &Bounds, margin: i32) -> bool {
    const LIMIT: i32 = 1 << 24;
    let mut wrong = 0;
    for lane in 0..6 {
        // Words have 31 bits, so no difference of two overflows.
        let spare = new[lane] - fat[lane];
        let moved = (new[lane] - old[lane]).abs().min(LIMIT) + margin.min(LIMIT) / 4 + 1;
        // Wraps only where there is less than nothing to spare.
        wrong |= spare | (32 * moved).wrapping_sub(spare);
    }
    wrong >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_grow_ahead_of_a_move_and_never_wrap() {
        let margin = Fx::from_bits(10);
        let (old, new) = ([0, 0, 0, !100, !100, !100], [5, 0, 0, !105, !100, !100]);
        assert_eq!(fatten(&new, &old, margin), [-5, -10, -10, !195, !110, !110]);
        assert_eq!(fatten(&old, &new, margin), [-90, -10, -10, !110, !110, !110]);
        let all = [i64::MIN; 6];
        assert_eq!(fatten(&all, &old, Fx::MAX), all);
    }

    #[test]
    fn what_was_fattened_may_stay_until_it_is_left_or_far_too_large() {
        let (old, new) = ([5000; 6], [5050, 4993, 5000, 4950, 5007, 5000]);
        let fat = core::array::from_fn(|lane| new[lane] - 10 - 16 * (old[lane] - new[lane]).clamp(0, 100));
        assert!(may_stay(&fat, &old, &new, 10) && may_stay(&new, &old, &new, 10));
        assert!(!may_stay(&fat.map(|word| word + 11), &old, &new, 10));
        assert!(!may_stay(&[0; 6], &old, &new, 10));
        for (fat, new) in [([0; 6], [i32::MAX; 6]), ([i32::MAX; 6], [0; 6])] {
            assert!(!may_stay(&fat, &new, &new, i32::MAX));
        }
    }
}
