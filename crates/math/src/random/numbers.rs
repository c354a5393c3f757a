//! Numbers in ranges, without bias.

use super::Rng;
use crate::Fx;

impl Rng {
    /// A number in `0..n`, all equally likely; 0 for `n` = 0.
    ///
    /// One draw, and another with a probability below n · 2⁻³² each time (D. Lemire, *Fast Random Integer
    /// Generation in an Interval*, 2019). The loop ends, because a stream visits all states.
    #[must_use]
    pub const fn below(&mut self, n: u32) -> u32 {
        let mut product = self.next_u32() as u64 * n as u64;
        if (product as u32) < n {
            // 2³² mod n of the low words would make their results more likely than the others.
            let surplus = n.wrapping_neg() % n;
            while (product as u32) < surplus {
                product = self.next_u32() as u64 * n as u64;
            }
        }
        (product >> 32) as u32
    }

    /// A number in `0..n`, all equally likely; 0 for `n` = 0. Like [`Rng::below`], with draws of 64 bits.
    #[must_use]
    pub const fn below_u64(&mut self, n: u64) -> u64 {
        let mut product = self.next_u64() as u128 * n as u128;
        if (product as u64) < n {
            let surplus = n.wrapping_neg() % n;
            while (product as u64) < surplus {
                product = self.next_u64() as u128 * n as u128;
            }
        }
        (product >> 64) as u64
    }

    /// A number from `low` to `high`, both included, all equally likely.
    ///
    /// An empty range (`low > high`) gives `low` and draws nothing.
    #[must_use]
    pub const fn range_i32(&mut self, low: i32, high: i32) -> i32 {
        if low > high {
            return low;
        }
        let count = (high.wrapping_sub(low) as u32).wrapping_add(1);
        // The count of all `i32` is 2³², which wrapped to 0.
        let offset = if count == 0 { self.next_u32() } else { self.below(count) };
        low.wrapping_add(offset as i32)
    }

    /// A number from `low` to `high`, both included, all equally likely.
    ///
    /// An empty range (`low > high`) gives `low` and draws nothing.
    #[must_use]
    pub const fn range_i64(&mut self, low: i64, high: i64) -> i64 {
        if low > high {
            return low;
        }
        let count = (high.wrapping_sub(low) as u64).wrapping_add(1);
        let offset = if count == 0 { self.next_u64() } else { self.below_u64(count) };
        low.wrapping_add(offset as i64)
    }

    /// True or false, equally likely. One draw.
    #[must_use]
    pub const fn bool(&mut self) -> bool {
        self.next_u32() >> 31 == 1
    }

    /// True in `numerator` of `denominator` cases, exactly.
    ///
    /// Always true if `numerator >= denominator > 0`, never if either is 0. Draws in every case, so that a
    /// changed chance does not shift the numbers that follow (up to the rare second draw of [`Rng::below`]).
    #[must_use]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator && denominator != 0
    }

    /// A number in [0, 1): all 2³² values of [`Fx`] there are equally likely. One draw.
    #[must_use]
    pub const fn fx_unit(&mut self) -> Fx {
        Fx::from_bits(self.next_u32() as i64)
    }

    /// A number in [low, high): all values of [`Fx`] there are equally likely.
    ///
    /// An empty range (`low >= high`) gives `low` and draws nothing. The width of the range may exceed the
    /// range of [`Fx`].
    #[must_use]
    pub const fn fx_range(&mut self, low: Fx, high: Fx) -> Fx {
        if low.to_bits() >= high.to_bits() {
            return low;
        }
        let count = high.to_bits().wrapping_sub(low.to_bits()) as u64;
        Fx::from_bits(low.to_bits().wrapping_add(self.below_u64(count) as i64))
    }
}
