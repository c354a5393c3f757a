//! The generator of the scenes that other engines were measured on, so that these are the same here.

use isostep_math::Fx;

/// What numbers are divided by.
const STEPS: i128 = 100_002;

/// A linear congruential generator: Knuth's multiplier, the upper 31 bits.
pub(crate) struct Lcg(u64);

impl Lcg {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number between two given in thousandths, rounded to 1/1024, half to even.
    pub(crate) const fn between(&mut self, low: i32, high: i32) -> Fx {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let step = ((self.0 >> 33) % 100_003) as i128;
        let scaled = 1024 * (low as i128 * STEPS + (high - low) as i128 * step);
        let divisor = 1000 * STEPS;
        let (floor, rest) = (scaled.div_euclid(divisor), scaled.rem_euclid(divisor));
        let up = 2 * rest > divisor || (2 * rest == divisor && floor & 1 == 1);
        Fx::from_ratio((floor + up as i128) as i64, 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::fx;

    #[test]
    fn numbers_are_those_of_the_published_scenes() {
        let mut random = Lcg::new(5);
        let first = [random.between(300, 700), random.between(200, 1200), random.between(300, 700)];
        assert_eq!(first, [fx!(0.4248046875), fx!(0.787109375), fx!(0.5615234375)]);
    }
}
