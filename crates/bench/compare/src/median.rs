//! Medians: what else a machine does makes some runs slower, none faster.

/// The middle one; of an even count the mean of both. NaN of none.
pub(crate) fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => numbers[middle],
        _ => f64::midpoint(numbers[middle - 1], numbers[middle]),
    }
}

/// The mean. NaN of none.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_run_does_not_count() {
        assert_eq!(median([3.0, 900.0, 2.0]), 3.0);
        assert_eq!(median([4.0, 2.0]), 3.0);
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert!(median([]).is_nan() && mean(&[]).is_nan());
    }
}
