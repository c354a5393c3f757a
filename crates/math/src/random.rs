//! Seeded, splittable streams of random numbers for game logic.
//!
//! [`Rng`] is PCG XSH-RR 64/32 (M. E. O'Neill, *PCG: A Family of Simple Fast Space-Efficient Statistically
//! Good Algorithms for Random Number Generation*, 2014): a 64-bit linear congruential state and a permuted
//! 32-bit output. Two `u64` hold it entirely, so a snapshot can. The same seed gives the same numbers on
//! every machine, and every derived function here (dice, shuffles, directions) is part of that promise:
//! changing what one returns, or how many numbers it draws, changes replays.
//!
//! It is not for secrets: a few outputs reveal the state.
//!
//! Give each purpose its own stream ([`Rng::split`], or another `stream` in [`Rng::new`]), and a new use of
//! randomness in one system does not shift the numbers of the others.
//!
//! ```
//! use isostep_math::random::Rng;
//!
//! let mut game = Rng::new(2024, 0);
//! let (mut loot, mut weather) = (game.split(), game.split());
//! let die = loot.range_i32(1, 6);
//! assert!((1..=6).contains(&die));
//! let wind = weather.fx_unit();
//!
//! // A snapshot holds two integers, and continues where it was taken.
//! let mut restored = Rng::from_raw(loot.state(), loot.increment())?;
//! assert_eq!(loot.next_u32(), restored.next_u32());
//! # let _ = wind;
//! # Ok::<(), isostep_math::random::RngError>(())
//! ```

mod directions;
mod numbers;
#[cfg(feature = "serde")]
mod serde_impl;
mod slices;

use thiserror::Error;

/// The multiplier of the 64-bit congruential generator (Knuth's MMIX, the one of the paper).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// A stream of random numbers: PCG XSH-RR 64/32, period 2⁶⁴.
///
/// Not `Copy`, because a copied stream repeats itself; `clone` says that this is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rng {
    state: u64,
    /// The additive constant of the stream, odd.
    increment: u64,
}

/// Why two integers are not a stream.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RngError {
    /// The increment is even: such a generator has a short period.
    #[error("the increment of a random stream must be odd, and {increment} is even")]
    EvenIncrement {
        /// The increment as given.
        increment: u64,
    },
}

impl Rng {
    /// The stream number `stream` of the seed `seed`, seeded as in the paper's reference code.
    ///
    /// Of `stream`, the lowest 63 bits count. Streams of one seed never coincide, but neighbouring stream
    /// numbers are related generators; where that matters, [`Rng::split`].
    #[must_use]
    pub const fn new(seed: u64, stream: u64) -> Self {
        let increment = (stream << 1) | 1;
        let state = increment.wrapping_add(seed);
        Self { state: state.wrapping_mul(MULTIPLIER).wrapping_add(increment), increment }
    }

    /// The stream in exactly this position, from [`Rng::state`] and [`Rng::increment`].
    ///
    /// # Errors
    /// [`RngError::EvenIncrement`] if the increment is even.
    pub const fn from_raw(state: u64, increment: u64) -> Result<Self, RngError> {
        if increment & 1 == 0 {
            return Err(RngError::EvenIncrement { increment });
        }
        Ok(Self { state, increment })
    }

    /// The position in the stream; any `u64`.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.state
    }

    /// The constant that distinguishes the stream; always odd.
    #[must_use]
    pub const fn increment(&self) -> u64 {
        self.increment
    }

    /// The next 32 bits, uniform.
    #[must_use]
    pub const fn next_u32(&mut self) -> u32 {
        let state = self.state;
        self.state = state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
        let xor_shifted = (((state >> 18) ^ state) >> 27) as u32;
        xor_shifted.rotate_right((state >> 59) as u32)
    }

    /// The next 64 bits, uniform: two draws, the first is the low half.
    #[must_use]
    pub const fn next_u64(&mut self) -> u64 {
        let low = self.next_u32() as u64;
        let high = self.next_u32() as u64;
        high << 32 | low
    }

    /// A child stream, statistically independent of this one and of its other children. Draws four numbers.
    ///
    /// Seed and stream number of the child are two 64-bit draws, each passed through the finaliser of
    /// SplitMix64 (G. Steele, D. Lea, C. Flood, *Fast Splittable Pseudorandom Number Generators*, 2014), so
    /// that no arithmetic relation between the states of parent and child remains. Two of `n` children share a
    /// stream number with probability n² · 2⁻⁶⁴.
    #[must_use]
    pub const fn split(&mut self) -> Self {
        let seed = mix(self.next_u64());
        let stream = mix(self.next_u64());
        Self::new(seed, stream)
    }

    /// Moves by `delta` draws of [`Rng::next_u32`], in at most 64 steps. The period is 2⁶⁴, so
    /// `delta.wrapping_neg()` moves back. (F. Brown, *Random Number Generation with Arbitrary Strides*, 1994.)
    pub const fn advance(&mut self, delta: u64) {
        // One draw maps the state s to a s + c; squaring the map doubles the stride.
        let (mut a, mut c) = (MULTIPLIER, self.increment);
        let (mut total_a, mut total_c) = (1_u64, 0_u64);
        let mut left = delta;
        while left > 0 {
            if left & 1 == 1 {
                total_a = total_a.wrapping_mul(a);
                total_c = total_c.wrapping_mul(a).wrapping_add(c);
            }
            c = a.wrapping_add(1).wrapping_mul(c);
            a = a.wrapping_mul(a);
            left >>= 1;
        }
        self.state = total_a.wrapping_mul(self.state).wrapping_add(total_c);
    }
}

/// The finaliser of SplitMix64: a bijection in which each input bit changes each output bit half the time.
const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
