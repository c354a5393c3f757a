//! Maps to whole numbers.

use super::Fx;

const FRACTION: i64 = 0xFFFF_FFFF;

impl Fx {
    /// The greatest whole number not above `self`, exact.
    #[inline]
    #[must_use]
    pub const fn floor(self) -> Self {
        Self(self.0 & !FRACTION)
    }

    /// The least whole number not below `self`; `MAX` where that is 2³¹.
    #[inline]
    #[must_use]
    pub const fn ceil(self) -> Self {
        if self.0 & FRACTION == 0 { self } else { Self((self.0 | FRACTION).saturating_add(1)) }
    }

    /// The nearest whole number, ties away from zero; `MAX` where that is 2³¹.
    #[inline]
    #[must_use]
    pub const fn round(self) -> Self {
        // Adding half and cutting rounds ties up; below zero one unit less turns them away from zero.
        match self.0.checked_add((1 << 31) + (self.0 >> 63)) {
            Some(sum) => Self(sum).floor(),
            None => Self::MAX,
        }
    }

    /// The whole number left of the point, toward zero, exact.
    #[inline]
    #[must_use]
    pub const fn trunc(self) -> Self {
        // Below zero, carry the fraction up before cutting it off.
        Self(self.0.wrapping_add((self.0 >> 63) & FRACTION) & !FRACTION)
    }

    /// `self − self.floor()`, in [0, 1), exact.
    ///
    /// Like [`rem_euclid`](Self::rem_euclid) by 1; glam's `fract_gl`, not `fract`, for negative numbers.
    #[inline]
    #[must_use]
    pub const fn fract(self) -> Self {
        Self(self.0 & FRACTION)
    }

    /// The whole number not above `self` as an `i32`, exact.
    #[inline]
    #[must_use]
    pub const fn to_int_floor(self) -> i32 {
        (self.0 >> 32) as i32
    }

    /// The nearest whole number as an `i32`, ties away from zero, saturating.
    #[inline]
    #[must_use]
    pub const fn to_int_round(self) -> i32 {
        let rounded = (self.0 as i128 + (1 << 31) + (self.0 >> 63) as i128) >> 32;
        if rounded > i32::MAX as i128 { i32::MAX } else { rounded as i32 }
    }

    /// The whole number left of the point, toward zero, as an `i32`, exact.
    #[inline]
    #[must_use]
    pub const fn to_int_trunc(self) -> i32 {
        self.trunc().to_int_floor()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};

    #[test]
    fn whole_numbers_on_both_sides_of_zero() {
        // x, floor, ceil, round, trunc, fract
        for [x, floor, ceil, round, trunc, fract] in [
            [fx!(2.5), fx!(2), fx!(3), fx!(3), fx!(2), fx!(0.5)],
            [fx!(-2.5), fx!(-3), fx!(-2), fx!(-3), fx!(-2), fx!(0.5)],
            [fx!(-2.25), fx!(-3), fx!(-2), fx!(-2), fx!(-2), fx!(0.75)],
            [fx!(7), fx!(7), fx!(7), fx!(7), fx!(7), fx!(0)],
            [Fx::EPSILON, fx!(0), fx!(1), fx!(0), fx!(0), Fx::EPSILON],
            [-Fx::EPSILON, fx!(-1), fx!(0), fx!(0), fx!(0), fx!(1) - Fx::EPSILON],
            [Fx::MIN, Fx::MIN, Fx::MIN, Fx::MIN, Fx::MIN, fx!(0)],
        ] {
            assert_eq!(
                [x.floor(), x.ceil(), x.round(), x.trunc(), x.fract()],
                [floor, ceil, round, trunc, fract]
            );
        }
    }

    #[test]
    fn the_upper_end_rounds_up_to_itself() {
        assert_eq!(Fx::MAX.ceil(), Fx::MAX);
        assert_eq!(Fx::MAX.round(), Fx::MAX);
        assert_eq!(Fx::MAX.to_int_round(), i32::MAX);
        let tie = fx!(2147483647.5);
        assert_eq!([tie.round(), (tie - Fx::EPSILON).round()], [Fx::MAX, fx!(2147483647)]);
        assert_eq!(fx!(2147483647).round(), fx!(2147483647));
        assert_eq!(Fx::MIN.to_int_round(), i32::MIN);
    }

    #[test]
    fn integers_by_every_rule() {
        assert_eq!(
            [fx!(-1.5).to_int_floor(), fx!(-1.5).to_int_round(), fx!(-1.5).to_int_trunc()],
            [-2, -2, -1]
        );
        assert_eq!([fx!(1.5).to_int_floor(), fx!(1.5).to_int_round(), fx!(1.5).to_int_trunc()], [1, 2, 1]);
    }
}
