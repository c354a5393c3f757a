//! Multiples of π/2, and which of them come closest to Q32.32 numbers.

/// π/2 · 2⁹⁶, rounded down.
const HALF_PI_96: u128 = 0x0001_921F_B544_42D1_8469_898C_C517;

/// π/2 · 2¹²⁶, rounded down.
const HALF_PI_126: u128 = 0x6487_ED51_10B4_611A_6263_3145_C06E_0E68;

/// The last multiple of π/2 below 2³¹.
pub(crate) const LAST_MULTIPLE: i64 = 1_367_130_551;

/// k · π/2 as a raw Q32.32 number, rounded to nearest.
pub(crate) fn multiple(k: i64) -> i64 {
    assert!((0..=LAST_MULTIPLE).contains(&k), "the multiple leaves the range of Q32.32");
    let product = u128::from(k.unsigned_abs()) * HALF_PI_96;
    i64::try_from((product + (1 << 63)) >> 64).expect("below 2³¹")
}

/// The raw Q32.32 numbers that come closest to multiples of π/2, over the whole range.
///
/// A raw number n is close to k · π/2 when n/k is a good approximation of α = π/2 · 2³². The best ones are the
/// convergents of the continued fraction of α; the intermediate fractions next to them and small multiples
/// are nearly as good. There a reduced argument has the fewest correct digits.
pub(crate) fn closest_multiples() -> Vec<i64> {
    let mut found = Vec::new();
    // α = numerator / denominator with 94 bits below the point.
    let (mut numerator, mut denominator) = (HALF_PI_126, 1_u128 << 94);
    // Convergents (n, k): the last and the one before.
    let (mut last, mut before) = ((1_i128, 0_i128), (0_i128, 1_i128));
    let limit = i128::from(i64::MAX);
    while denominator != 0 {
        let quotient = i128::try_from(numerator / denominator).expect("below 2³³");
        // The intermediate fractions from half of the quotient on are best approximations too; two are enough.
        for part in [quotient - 1, quotient] {
            let n = part * last.0 + before.0;
            for small in 1..=4 {
                if part > 0 && n > 0 && n * small <= limit {
                    found.push(i64::try_from(n * small).expect("checked"));
                }
            }
        }
        let next = (quotient * last.0 + before.0, quotient * last.1 + before.1);
        if next.0 > limit {
            break;
        }
        (before, last) = (last, next);
        (numerator, denominator) = (denominator, numerator % denominator);
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reference;

    #[test]
    fn the_multiples_are_where_the_sine_vanishes() {
        let mut reference = Reference::new();
        for k in [2, 4, 1 << 20, LAST_MULTIPLE - 1] {
            let sine = reference.sin(multiple(k));
            // Within half a unit of a multiple of π, the sine is below half a unit.
            assert_eq!(sine.to_nearest_raw(), 0, "{k}");
        }
        let next = (u128::from((LAST_MULTIPLE + 1).unsigned_abs()) * HALF_PI_96) >> 64;
        assert!(next > u128::from(i64::MAX.unsigned_abs()));
    }

    #[test]
    fn the_closest_multiples_come_closer_than_a_millionth_of_a_unit() {
        let mut reference = Reference::new();
        let close = closest_multiples()
            .into_iter()
            .filter(|&raw| {
                let (sine, cosine) = (reference.sin(raw), reference.cos(raw));
                sine.to_f64().abs().min(cosine.to_f64().abs()) < 1e-6
            })
            .count();
        assert!(close >= 4, "{close}");
    }
}
