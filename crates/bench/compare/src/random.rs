//! Numbers that are the same on every machine, so that every engine has the same scene.

/// A linear congruential generator.
pub(crate) struct Random(u64);

impl Random {
    /// Another sequence for each seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// An even number between −1 and 1.
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_between_minus_one_and_one() {
        let mut random = Random::new(1);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.next()).collect();
        assert!(numbers.iter().all(|number| (-1.0..1.0).contains(number)));
        assert!(numbers.iter().sum::<f64>().abs() < 200.0);
        assert!(numbers.iter().filter(|number| number.abs() < 0.5).count().abs_diff(5_000) < 200);
    }
}
