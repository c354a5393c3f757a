//! Arguments that every operation is run over.

use isostep_math::Fx;

/// Numbers where carries, rounding and saturation change their behaviour.
pub(crate) const EDGES: [i64; 24] = [
    i64::MIN,
    i64::MIN + 1,
    -0x5555_5555_5555_5555,
    -(1 << 48),
    -0x3_243F_6A89,
    -(1 << 32) - 1,
    -1 << 32,
    -0x8000_0001,
    -0x8000_0000,
    -0x7FFF_FFFF,
    -1,
    0,
    1,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    (1 << 32) - 1,
    1 << 32,
    (1 << 32) + 1,
    0x1_921F_B544,
    1 << 48,
    0x5555_5555_5555_5555,
    i64::MAX - 1,
    i64::MAX,
];

/// A seeded source of arguments, independent of the random streams it helps to check.
///
/// SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, 2014).
pub(crate) struct Arguments(u64);

impl Arguments {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number of either sign, its magnitude log-uniform below 2^`bits` raw units, `bits` 1..=63.
    pub(crate) fn number(&mut self, bits: u32) -> Fx {
        let magnitude = self.bits() >> (64 - bits);
        let magnitude = (magnitude >> (self.bits() % u64::from(bits))) as i64;
        Fx::from_bits(if self.bits() & 1 == 0 { magnitude } else { -magnitude })
    }
}
