//! Nanoseconds per call.

use std::hint::black_box;
use std::time::Instant;

use crate::arguments;
use crate::measure::SEED;
use crate::real::{Arguments, Real};
use crate::reference::Reference;
use crate::source::Source;

/// Arguments in one pass; they and their results fit the first-level cache.
const ARGUMENTS: usize = 1024;

/// Passes whose median is reported.
const REPETITIONS: usize = 2001;

/// Arguments of everyday size, without those whose result saturates.
pub(crate) fn everyday_arguments(real: Real) -> Vec<Arguments> {
    let mut source = Source::new(SEED, &format!("time {}", real.name()));
    let mut reference = Reference::new();
    let mut drawn = Vec::with_capacity(ARGUMENTS);
    while drawn.len() < ARGUMENTS {
        let arguments = arguments::everyday(real, &mut source);
        if real.contains(arguments) && !real.value(arguments, &mut reference).saturates() {
            drawn.push(arguments);
        }
    }
    drawn
}

/// The median time of a call when calls follow one another over an array (throughput, not latency).
pub(crate) fn nanoseconds_per_call(arguments: &[Arguments], apply: impl Fn(&[Arguments], &mut [i64])) -> f64 {
    let mut results = vec![0; arguments.len()];
    let mut times: Vec<u128> = (0..REPETITIONS)
        .map(|_| {
            let start = Instant::now();
            apply(black_box(arguments), black_box(&mut results));
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times[REPETITIONS / 2] as f64 / arguments.len() as f64
}
