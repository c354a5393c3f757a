//! A seeded source of raw Q32.32 numbers. The same seed gives the same numbers on every machine.

use rand_core::RngCore;
use rand_pcg::Lcg128Xsl64;

pub(crate) struct Source(Lcg128Xsl64);

impl Source {
    /// The stream of one purpose, told apart by its name.
    pub(crate) fn new(seed: u64, purpose: &str) -> Self {
        // FNV-1a, to give each name its own stream.
        let stream = purpose.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Self(Lcg128Xsl64::new(u128::from(seed), u128::from(stream)))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An integer in `low ..= high`, uniform.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.abs_diff(low);
        let wide = u128::from(self.bits()) * (u128::from(span) + 1);
        low.wrapping_add_unsigned((wide >> 64) as u64)
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: i64) -> bool {
        self.between(1, n) == 1
    }

    /// A positive number whose highest set bit is uniform in `low ..= high` (at most 62), and uniform below it.
    pub(crate) fn magnitude(&mut self, low: i64, high: i64) -> i64 {
        let bit = self.between(low, high);
        (1 << bit) | (self.bits() & ((1 << bit) - 1)) as i64
    }

    /// The same with a random sign.
    pub(crate) fn signed(&mut self, low: i64, high: i64) -> i64 {
        let magnitude = self.magnitude(low, high);
        if self.bits() & 1 == 0 { magnitude } else { -magnitude }
    }
}
