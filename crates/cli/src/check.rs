//! `isostep check`: this build computing, and checking itself against the reference.

use crate::failure::Failure;
use crate::output::{Output, Verdict};
use crate::report;
use crate::tables::new_table;
use isostep_conformance::digest::{self, Section};
use isostep_conformance::vectors::{FUNCTIONS, Function};
use isostep_math::Fx;
use std::hint::black_box;
use std::io::Write;
use std::time::{Duration, Instant};

/// What `isostep check` takes.
#[derive(clap::Args)]
#[command(after_help = "Exit code: 0 if this build computes what all machines compute, else 1.

Examples:
  isostep check")]
pub(crate) struct Options {}

/// Prints both comparisons and the verdict.
pub(crate) fn run(out: &mut Output) -> Result<Verdict, Failure> {
    report::banner(out)?;
    let mut differences = 0;
    writeln!(out, "Q32.32 functions against correctly rounded results:")?;
    let mut table =
        new_table(&["function", "an argument", "its result", "checked", "wrong", "ns"], &[3, 4, 5]);
    for function in FUNCTIONS {
        let comparison = function.compare();
        differences += comparison.mismatches.len();
        let (arguments, result) = sample(function);
        table.add_row([
            function.name.to_owned(),
            arguments,
            result,
            comparison.count.to_string(),
            comparison.mismatches.len().to_string(),
            nanoseconds(function).map_or_else(|| "-".to_owned(), |ns| ns.to_string()),
        ]);
    }
    writeln!(out, "{table}\n")?;

    writeln!(out, "Digest over the bits of every operation, and the one that all machines agree on:")?;
    let mut table = new_table(&["operations", "results", "digest", "verdict"], &[1]);
    let sections = digest::sections();
    let all = Section {
        name: "all",
        digest: digest::combine(&sections),
        results: sections.iter().map(|section| section.results).sum(),
    };
    for section in sections.iter().chain([&all]) {
        let golden = digest::golden().find(|&(name, _)| name == section.name).map(|(_, digest)| digest);
        let same = golden == Some(section.digest);
        differences += usize::from(!same);
        table.add_row([
            section.name.to_owned(),
            section.results.to_string(),
            format!("{:032x}", section.digest),
            if same { "identical" } else { "DIFFERS" }.to_owned(),
        ]);
    }
    writeln!(out, "{table}\n")?;
    if differences == 0 {
        writeln!(
            out,
            "Verdict: {} with every machine this version was tested on.",
            out.good("bit-identical")
        )?;
    } else {
        let count = out.bad(&format!("{differences} differences"));
        writeln!(out, "Verdict: {count}. This build must not share a simulation with others.")?;
    }
    Ok(Verdict::of(differences == 0))
}

/// A vector of everyday size amid the others, in decimal.
fn sample(function: &Function) -> (String, String) {
    let everyday = |bits: &i64| (1 << 30..1 << 36).contains(&bits.unsigned_abs());
    let vectors: Vec<_> = function.vectors().map(|(_, arguments, result)| (arguments, result)).collect();
    let chosen: Vec<_> =
        vectors.iter().filter(|(arguments, result)| arguments.iter().chain([result]).all(everyday)).collect();
    let (arguments, result) = chosen.get(chosen.len() / 3).map_or(&vectors[0], |vector| vector);
    let decimal = |bits: &i64| Fx::from_bits(*bits).to_string();
    (arguments.iter().map(decimal).collect::<Vec<_>>().join(", "), decimal(result))
}

/// Median time of a call over the function's vectors, without the time an addition takes there; none where
/// the clock cannot tell them apart.
fn nanoseconds(function: &Function) -> Option<u128> {
    let arguments: Vec<_> = function.vectors().map(|(_, arguments, _)| arguments).collect();
    let time = |evaluate: &dyn Fn(&[i64]) -> i64| {
        let mut times: Vec<Duration> = (0..15)
            .map(|_| {
                let start = Instant::now();
                for arguments in &arguments {
                    black_box(evaluate(black_box(arguments)));
                }
                start.elapsed()
            })
            .collect();
        times.sort();
        times[times.len() / 2]
    };
    let empty = time(&|arguments| arguments[0]);
    let own = time(&|arguments| function.evaluate(arguments)).checked_sub(empty)?;
    Some(own.as_nanos() / arguments.len() as u128)
}
