//! Errors: the results of an implementation against the truth.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::arguments;
use crate::exact::Exact;
use crate::functions::Target;
use crate::real::{Arguments, Real};
use crate::reference::Reference;
use crate::source::Source;

/// Where results are judged by their relative error, it is at most 2^−55, apart from the rounding itself.
pub(crate) const RELATIVE_BOUND: f64 = 1.0 / (1_u64 << 55) as f64;

/// The random arguments are drawn in this many streams, whatever the number of threads.
const CHUNKS: usize = 16;

/// The seed of everything that is drawn.
pub(crate) const SEED: u64 = 0x6973_6F73_7465_7001;

/// Arguments of a function with their true values.
pub(crate) struct Sample {
    pub(crate) real: Real,
    pub(crate) arguments: Vec<Arguments>,
    pub(crate) truths: Vec<Exact>,
}

impl Sample {
    /// All edges and `count` random arguments.
    pub(crate) fn draw(real: Real, count: usize) -> Self {
        let edges = arguments::edges(real);
        let chunks = in_parallel(CHUNKS, |chunk| {
            let mut reference = Reference::new();
            let mut source = Source::new(SEED, &format!("measure {} {chunk}", real.name()));
            let mut drawn: Vec<Arguments> = edges.iter().skip(chunk).step_by(CHUNKS).copied().collect();
            drawn.extend(
                (0..count.div_ceil(CHUNKS)).map(|_| arguments::random(real, &mut source, &mut reference)),
            );
            drawn.retain(|&arguments| real.contains(arguments));
            let truths: Vec<Exact> = drawn.iter().map(|&at| real.value(at, &mut reference)).collect();
            (drawn, truths)
        });
        let (mut arguments, mut truths) = (Vec::new(), Vec::new());
        for (some_arguments, some_truths) in chunks {
            arguments.extend(some_arguments);
            truths.extend(some_truths);
        }
        Self { real, arguments, truths }
    }
}

/// Runs `work(0) … work(count − 1)` on all processors and returns the results in order.
pub(crate) fn in_parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            return done;
                        }
                        done.push((index, work(index)));
                    }
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// One result beside the truth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) arguments: Arguments,
    pub(crate) ours: i64,
    pub(crate) truth: Exact,
}

/// The largest and the mean of some error.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Extent {
    pub(crate) count: usize,
    pub(crate) max: f64,
    sum: f64,
    pub(crate) worst: Option<Case>,
}

impl Extent {
    pub(crate) fn add(&mut self, error: f64, case: Case) {
        self.count += 1;
        self.sum += error;
        if self.worst.is_none() || error > self.max {
            self.max = error;
            self.worst = Some(case);
        }
    }

    pub(crate) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }
}

/// How often a rule applied, how often it failed, and the first failure.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) count: usize,
    pub(crate) misses: usize,
    pub(crate) first: Option<Case>,
}

impl Tally {
    pub(crate) fn add(&mut self, kept: bool, case: Case) {
        self.count += 1;
        if !kept {
            self.misses += 1;
            self.first = self.first.or(Some(case));
        }
    }
}

/// What was found about one implementation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    /// Results outside the zone of relative error, in ulp.
    pub(crate) ulps: Extent,
    /// Relative errors in the zone of large results.
    pub(crate) relative: Extent,
    /// The same results, in ulp.
    pub(crate) relative_ulps: Extent,
    /// What remains of the relative error when the half unit of the final rounding is taken off.
    pub(crate) beyond_rounding: Extent,
    /// Whether the result is the nearest number, ties away from zero; over all results that do not saturate.
    pub(crate) nearest: Tally,
    /// The same where the truth is exactly between two numbers.
    pub(crate) ties: Tally,
    /// The same where the truth is a number of the format.
    pub(crate) representable: Tally,
    /// Whether the result is the end of the range where the truth lies beyond it.
    pub(crate) saturation: Tally,
}

impl Errors {
    pub(crate) fn of(sample: &Sample, results: &[i64], target: Target) -> Self {
        let mut errors = Self::default();
        for ((&arguments, &truth), &ours) in sample.arguments.iter().zip(&sample.truths).zip(results) {
            errors.add(sample.real, target, Case { arguments, ours, truth });
        }
        errors
    }

    fn add(&mut self, real: Real, target: Target, case: Case) {
        let truth = case.truth;
        let magnitude = truth.to_f64().abs();
        let relative = real.relative_zone().is_some_and(|zone| magnitude >= 2_f64.powi(32 + zone.bits));
        if truth.saturates() {
            // An approximation may land just inside the range when the truth is just outside.
            let near = relative && magnitude * (1.0 - target.relative) <= 2_f64.powi(63);
            self.saturation.add(case.ours == real.nearest(truth) || near, case);
            if !near {
                return;
            }
        } else {
            let is_nearest = case.ours == real.nearest(truth);
            self.nearest.add(is_nearest, case);
            if truth.is_tie() {
                self.ties.add(is_nearest, case);
            }
            if truth.is_representable() {
                self.representable.add(is_nearest, case);
            }
        }
        let error = if truth.saturates() {
            (i128::from(real.nearest(truth)) - i128::from(case.ours)).unsigned_abs() as f64
        } else {
            truth.error_of(case.ours).abs()
        };
        if relative {
            self.relative.add(error / magnitude, case);
            self.relative_ulps.add(error, case);
            self.beyond_rounding.add((error - 0.5).max(0.0) / magnitude, case);
        } else {
            self.ulps.add(error, case);
        }
    }

    /// The promises that were broken, a sentence each.
    pub(crate) fn misses(&self, name: &str, target: Target) -> Vec<String> {
        let mut misses = Vec::new();
        if self.ulps.max > target.ulps {
            misses.push(format!(
                "{name}: error {:.6} ulp > {} at {}",
                self.ulps.max,
                target.ulps,
                shown(self.ulps.worst)
            ));
        }
        if self.beyond_rounding.max > target.relative {
            misses.push(format!(
                "{name}: relative error 2^{:.2} beyond the rounding > 2^{:.0} at {}",
                self.beyond_rounding.max.log2(),
                target.relative.log2(),
                shown(self.beyond_rounding.worst)
            ));
        }
        let mut tally = |rule: &str, tally: Tally| {
            if tally.misses > 0 {
                misses.push(format!(
                    "{name}: {rule}: {} of {} differ, first at {}",
                    tally.misses,
                    tally.count,
                    shown(tally.first)
                ));
            }
        };
        tally("saturates beyond the range", self.saturation);
        if target.nearest {
            tally("nearest, ties away from zero", self.nearest);
        }
        misses
    }
}

/// A case as the list of misses prints it: raw arguments, our result, the truth rounded to nearest.
pub(crate) fn shown(case: Option<Case>) -> String {
    let Some(Case { arguments: [x, y], ours, truth }) = case else { return "nothing".to_owned() };
    format!(
        "({x}, {y}): ours {ours}, nearest {}, error {:.6} ulp",
        truth.to_nearest_raw(),
        truth.error_of(ours)
    )
}
