//! The whole measurement: every implementation, one after the other, and what was missed.

use crate::functions::{IMPLEMENTATIONS, Implementation};
use crate::measure::{Case, Errors, Extent, Sample, Tally, shown};
use crate::properties;
use crate::real::Real;
use crate::rival;
use crate::timing;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents {
    /// Random arguments for the errors of each function.
    pub(crate) arguments: usize,
    /// Random places for monotonicity, each with two windows of neighbours.
    pub(crate) places: usize,
    /// Whether times are taken and the other crate is measured.
    pub(crate) compare: bool,
}

/// What was found about one implementation.
pub(crate) struct Finding {
    pub(crate) implementation: &'static Implementation,
    pub(crate) arguments: usize,
    pub(crate) errors: Errors,
    pub(crate) monotone: Tally,
    pub(crate) symmetries: Vec<(&'static str, Tally)>,
    pub(crate) nanoseconds: Option<f64>,
}

/// What was found about the other crate in one zone.
pub(crate) struct RivalFinding {
    pub(crate) zone: &'static rival::Zone,
    pub(crate) errors: Extent,
    pub(crate) panics: usize,
    pub(crate) nanoseconds: f64,
    /// Our error and time on the same arguments.
    pub(crate) ours: Option<(Extent, f64)>,
}

/// Everything that was found.
#[derive(Default)]
pub(crate) struct Survey {
    pub(crate) findings: Vec<Finding>,
    pub(crate) rivals: Vec<RivalFinding>,
    pub(crate) misses: Vec<String>,
}

/// Measures the functions whose name contains `only`, or all.
pub(crate) fn survey(extents: Extents, only: Option<&str>) -> Survey {
    let mut survey = Survey::default();
    for real in Real::ALL {
        let chosen: Vec<&'static Implementation> = IMPLEMENTATIONS
            .iter()
            .filter(|entry| entry.real == real && only.is_none_or(|only| entry.name.contains(only)))
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let sample = Sample::draw(real, extents.arguments);
        for implementation in chosen {
            let finding = examine(implementation, &sample, extents);
            let misses = finding.misses();
            eprintln!("{}", finding.summary(misses.len()));
            survey.misses.extend(misses);
            survey.findings.push(finding);
        }
        if extents.compare {
            survey.rivals.extend(
                rival::ZONES.iter().filter(|zone| zone.real == real).map(|zone| examine_rival(zone, &sample)),
            );
        }
    }
    survey
}

fn examine(implementation: &'static Implementation, sample: &Sample, extents: Extents) -> Finding {
    let mut results = vec![0; sample.arguments.len()];
    (implementation.apply)(&sample.arguments, &mut results);
    let nanoseconds = extents.compare.then(|| {
        timing::nanoseconds_per_call(&timing::everyday_arguments(implementation.real), implementation.apply)
    });
    Finding {
        implementation,
        arguments: sample.arguments.len(),
        errors: Errors::of(sample, &results, implementation.target),
        monotone: properties::monotonicity(implementation, extents.places),
        symmetries: properties::symmetries(implementation, sample, &results),
        nanoseconds,
    }
}

fn examine_rival(zone: &'static rival::Zone, sample: &Sample) -> RivalFinding {
    let cases = zone.suited_cases(sample);
    let (errors, panics) = zone.errors(&cases);
    let everyday = zone.suited(&timing::everyday_arguments(zone.real));
    let nanoseconds =
        timing::nanoseconds_per_call(&everyday, |arguments, results| zone.apply(arguments, results));
    let ours = IMPLEMENTATIONS.iter().find(|entry| entry.name == zone.real.name()).map(|entry| {
        let mut extent = Extent::default();
        for &(arguments, truth) in &cases {
            let ours = entry.at(arguments);
            extent.add(truth.error_of(ours).abs(), Case { arguments, ours, truth });
        }
        (extent, timing::nanoseconds_per_call(&everyday, entry.apply))
    });
    RivalFinding { zone, errors, panics, nanoseconds, ours }
}

impl Finding {
    fn misses(&self) -> Vec<String> {
        let name = self.implementation.name;
        let mut misses = self.errors.misses(name, self.implementation.target);
        let strict = self.implementation.target.strict;
        let mut rule = |rule: &str, tally: &Tally, promised: bool| {
            if tally.misses > 0 {
                let first = shown(tally.first);
                let sentence =
                    format!("{name}: {rule}: {} of {} fail, first at {first}", tally.misses, tally.count);
                if promised {
                    misses.push(sentence);
                } else {
                    eprintln!("not promised: {sentence}");
                }
            }
        };
        rule("monotone", &self.monotone, strict);
        rule("exact where the truth is representable", &self.errors.representable, strict);
        for (symmetry, tally) in &self.symmetries {
            rule(symmetry, tally, true);
        }
        misses
    }

    fn summary(&self, misses: usize) -> String {
        let Errors { ulps, beyond_rounding, nearest, .. } = &self.errors;
        let relative = if beyond_rounding.count > 0 {
            format!(", beyond rounding 2^{:.1}", beyond_rounding.max.log2())
        } else {
            String::new()
        };
        format!(
            "{:<16} {} arguments, max {:.6} ulp, mean {:.4}{relative}, not nearest {}, {} ns{}",
            self.implementation.name,
            self.arguments,
            ulps.max,
            ulps.mean(),
            nearest.misses,
            self.nanoseconds.map_or("–".to_owned(), |time| format!("{time:.1}")),
            if misses > 0 { ", MISSED" } else { "" },
        )
    }
}
