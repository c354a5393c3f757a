//! How far a leaf's box in the tree reaches beyond its tight box.
//!
//! By the margin to every side, and ahead by a few steps of the last move: a body that travels then leaves its
//! box every few steps instead of every one. A box that became too large for what the leaf does now is replaced.

use isostep_math::Fx;

/// Steps ahead for which a fat box has room, as a power of two.
const STEPS_AHEAD_BITS: u32 = 3;

/// The box, as a leaf keeps it, grown by the margin, and by eight times the move from `old` in its direction,
/// but by no more than the size of the box.
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

/// The largest box that a leaf may keep: four margins to every side, and sixteen times the move either way.
pub(super) fn largest(tight: &[i64; 6], old: &[i64; 6], margin: Fx) -> [i64; 6] {
    core::array::from_fn(|lane| {
        let moved = old[lane].saturating_sub(tight[lane]).saturating_abs();
        let slack = moved.saturating_add(margin.to_bits() / 4).saturating_mul(16);
        tight[lane].saturating_sub(slack)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_grow_ahead_of_a_move_and_never_wrap() {
        let margin = Fx::from_bits(10);
        let (old, new) = ([0, 0, 0, !100, !100, !100], [5, 0, 0, !105, !100, !100]);
        assert_eq!(fatten(&new, &old, margin), [-5, -10, -10, !155, !110, !110]);
        assert_eq!(fatten(&old, &new, margin), [-50, -10, -10, !110, !110, !110]);
        let all = [i64::MIN; 6];
        assert_eq!((fatten(&all, &old, Fx::MAX), largest(&all, &old, Fx::MAX)), (all, all));
    }

    #[test]
    fn what_was_fattened_may_stay() {
        let (old, new) = ([0, 0, 0, !1000, !1000, !1000], [50, -7, 0, !1050, !993, !1000]);
        let (fat, most) = (fatten(&new, &old, Fx::from_bits(10)), largest(&new, &old, Fx::from_bits(10)));
        assert!(most.iter().zip(fat).all(|(&most, fat)| most <= fat));
    }
}
