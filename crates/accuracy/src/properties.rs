//! What must hold between results: monotonicity between neighbouring arguments, and symmetries.

use crate::arguments;
use crate::functions::Implementation;
use crate::measure::{Case, SEED, Sample, Tally, in_parallel};
use crate::real::{Arguments, Real};
use crate::reference::Reference;
use crate::source::Source;

/// Neighbours looked at on either side of an argument.
const REACH: i64 = 24;

/// Streams of random arguments, whatever the number of threads.
const CHUNKS: usize = 16;

impl Implementation {
    /// The result for one pair of arguments.
    pub(crate) fn at(&self, arguments: Arguments) -> i64 {
        let mut result = [0];
        (self.apply)(&[arguments], &mut result);
        result[0]
    }
}

/// Whether f(x) and f(x + 1 unit) are ordered as the true values are, in each argument.
///
/// A rounded function can only go the wrong way where its result changes, so each of the `count` random
/// arguments gives two windows of 49 neighbours: around the argument itself, and around the nearest argument
/// above it (found by doubling and halving steps) at which the result changes.
pub(crate) fn monotonicity(implementation: &Implementation, count: usize) -> Tally {
    let real = implementation.real;
    let chunks = in_parallel(CHUNKS, |chunk| {
        let mut reference = Reference::new();
        let mut source = Source::new(SEED, &format!("monotone {} {chunk}", real.name()));
        let mut tally = Tally::default();
        for _ in 0..count.div_ceil(CHUNKS) {
            let start = arguments::random(real, &mut source, &mut reference);
            for slot in 0..real.arity() {
                look_around(implementation, start, slot, &mut reference, &mut tally);
                if let Some(change) = next_change(implementation, start, slot) {
                    look_around(implementation, change, slot, &mut reference, &mut tally);
                }
            }
        }
        tally
    });
    chunks.into_iter().fold(Tally::default(), |sum, tally| Tally {
        count: sum.count + tally.count,
        misses: sum.misses + tally.misses,
        first: sum.first.or(tally.first),
    })
}

/// The arguments with one of them moved by a number of units; `None` outside the domain.
fn moved(real: Real, mut at: Arguments, slot: usize, units: i64) -> Option<Arguments> {
    let units = if real == Real::Powi && slot == 1 { units.checked_mul(1 << 32)? } else { units };
    at[slot] = at[slot].checked_add(units)?;
    real.contains(at).then_some(at)
}

fn look_around(
    implementation: &Implementation,
    centre: Arguments,
    slot: usize,
    reference: &mut Reference,
    tally: &mut Tally,
) {
    let real = implementation.real;
    let window: Vec<Arguments> =
        (-REACH..=REACH).filter_map(|units| moved(real, centre, slot, units)).collect();
    let (Some(&first), Some(&last)) = (window.first(), window.last()) else { return };
    let direction = real.value(first, reference).cmp(&real.value(last, reference));
    let mut results = vec![0; window.len()];
    (implementation.apply)(&window, &mut results);
    for (pair, values) in window.windows(2).zip(results.windows(2)) {
        let ours = values[0].cmp(&values[1]);
        // The ends of the window give the direction; the truth is asked again only when a step disagrees.
        let mut kept = ours.is_eq() || ours == direction;
        if !kept {
            kept = ours == real.value(pair[0], reference).cmp(&real.value(pair[1], reference));
        }
        let truth = if kept { crate::exact::Exact::integer(0) } else { real.value(pair[0], reference) };
        tally.add(kept, Case { arguments: pair[0], ours: values[0], truth });
    }
}

/// An argument above `start` whose result differs from that of its predecessor.
fn next_change(implementation: &Implementation, start: Arguments, slot: usize) -> Option<Arguments> {
    let real = implementation.real;
    let before = implementation.at(start);
    let mut step = 1_i64;
    let (mut same, mut different) = (start, None);
    while different.is_none() {
        let next = moved(real, same, slot, step)?;
        if implementation.at(next) == before {
            same = next;
            step = step.checked_mul(2)?;
        } else {
            different = Some(next);
        }
    }
    let mut different = different?;
    let unit = if real == Real::Powi && slot == 1 { 1 << 32 } else { 1 };
    while different[slot] - same[slot] > unit {
        let half = (different[slot] - same[slot]) / unit / 2;
        let middle = moved(real, same, slot, half)?;
        if implementation.at(middle) == before { same = middle } else { different = middle }
    }
    Some(different)
}

/// Every symmetry of the function, with its rule, over all arguments of a sample.
pub(crate) fn symmetries(
    implementation: &Implementation,
    sample: &Sample,
    results: &[i64],
) -> Vec<(&'static str, Tally)> {
    let is_end = |raw: i64| raw == i64::MIN || raw.saturating_abs() == i64::MAX;
    implementation
        .real
        .symmetries()
        .iter()
        .map(|symmetry| {
            let mut tally = Tally::default();
            let (mut transformed, mut indices) = (Vec::new(), Vec::new());
            for (index, &arguments) in sample.arguments.iter().enumerate() {
                if let Some(other) =
                    (symmetry.transform)(arguments).filter(|&other| implementation.real.contains(other))
                {
                    transformed.push(other);
                    indices.push(index);
                }
            }
            let mut others = vec![0; transformed.len()];
            (implementation.apply)(&transformed, &mut others);
            for (&index, &other) in indices.iter().zip(&others) {
                let ours = results[index];
                let expected = if symmetry.negates { ours.wrapping_neg() } else { ours };
                // The ends of the range are not symmetric themselves.
                let kept = other == expected || (is_end(ours) && is_end(other));
                tally.add(
                    kept,
                    Case { arguments: sample.arguments[index], ours, truth: sample.truths[index] },
                );
            }
            (symmetry.rule, tally)
        })
        .collect()
}
