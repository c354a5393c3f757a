//! `docs/accuracy.md`: the tables, and the words around them.

use std::fmt::Write as _;

use crate::measure::{Case, Tally};
use crate::methods;
use crate::real::{Arguments, Real};
use crate::survey::{Finding, RivalFinding, Survey};

/// The whole document: what was found with a number of random arguments for each function, and the sentences
/// about calls of the other crate that may not return.
pub(crate) fn document(survey: &Survey, arguments: usize, probes: &[String]) -> String {
    let sections = [
        methods::INTRODUCTION.replace("{arguments}", &grouped(arguments)),
        errors_section(&survey.findings),
        relative_section(&survey.findings),
        rules_section(&survey.findings),
        rival_section(&survey.rivals, probes),
        methods::METHODS.to_owned(),
    ];
    sections.join("\n")
}

fn errors_section(findings: &[Finding]) -> String {
    let mut text = format!(
        "## Errors\n\n\
         One ulp is 2⁻³², the spacing of the numbers. *Nearest* is the share of results that are the correctly \
         rounded ones, among all that do not saturate, those of the next table included. Times are medians over an array of arguments of everyday size, one call after the other, \
         on one core of {}; they differ between machines and, by some percent, between runs.\n\n\
         | function | domain | arguments | max error, ulp | mean error, ulp | nearest | worst argument (raw) | ns |\n\
         |---|---|--:|--:|--:|--:|---|--:|\n",
        machine()
    );
    for finding in findings {
        let errors = &finding.errors;
        let real = finding.implementation.real;
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {:.4} | {} | {} | {} |",
            finding.implementation.name,
            domain(real),
            grouped(errors.ulps.count),
            rounded_up(errors.ulps.max),
            errors.ulps.mean(),
            share(&errors.nearest),
            if errors.ulps.max > 0.0 { worst(real, errors.ulps.worst) } else { "–".to_owned() },
            finding.nanoseconds.map_or("–".to_owned(), |time| format!("{time:.1}")),
        )
        .expect("writing to a string");
    }
    text
}

fn relative_section(findings: &[Finding]) -> String {
    let mut text = "## Large results\n\n\
        Near the poles of `tan` and where an exponential is large, one unit of the argument moves the result by a \
        million units and more. There the promise is relative: at most 2⁻⁵⁵ of the value, besides the half ulp of \
        the final rounding. *Without the rounding* is what was measured of that.\n\n\
        | function | results of at least | arguments | max error, ulp | max relative error | without the rounding | worst argument (raw) |\n\
        |---|---|--:|--:|--:|--:|---|\n"
        .to_owned();
    for finding in findings {
        let errors = &finding.errors;
        let real = finding.implementation.real;
        let Some(zone) = real.relative_zone() else { continue };
        writeln!(
            text,
            "| `{}` | 2{} | {} | {} | {} | {} | {} |",
            finding.implementation.name,
            superscript(zone.bits),
            grouped(errors.relative.count),
            rounded_up(errors.relative_ulps.max),
            power_of_two(errors.relative.max),
            power_of_two(errors.beyond_rounding.max),
            worst(real, errors.beyond_rounding.worst),
        )
        .expect("writing to a string");
    }
    text
}

fn rules_section(findings: &[Finding]) -> String {
    let mut text = "## Rules that hold bit for bit\n\n\
        *Monotone*: neighbouring arguments (one unit apart, in each argument) whose results are ordered as the \
        true values are; half of the windows lie where the result changes, since only there can it go the wrong way. \
        *Exact*: results that are numbers of the format come out exactly. *Ties*: true values exactly between two \
        numbers are rounded away from zero. *Saturation*: true values beyond the range give the nearer end. Each \
        cell is how often the rule was tried; a number of failures would stand after it.\n\n\
        | function | monotone | exact | ties | saturation | symmetries |\n\
        |---|--:|--:|--:|--:|---|\n"
        .to_owned();
    for finding in findings {
        let errors = &finding.errors;
        let symmetries: Vec<String> =
            finding.symmetries.iter().map(|(rule, tally)| format!("{rule}: {}", tried(tally))).collect();
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            finding.implementation.name,
            tried(&finding.monotone),
            tried(&errors.representable),
            tried(&errors.ties),
            tried(&errors.saturation),
            if symmetries.is_empty() { "–".to_owned() } else { symmetries.join("; ") },
        )
        .expect("writing to a string");
    }
    text
}

fn rival_section(rivals: &[RivalFinding], probes: &[String]) -> String {
    let mut text = methods::COMPARISON.to_owned();
    text.push_str(
        "\n| function | arguments | `cordic`: max error, ulp | as a number | worst argument (raw) | ns | `isostep-math`: max error, ulp | ns |\n\
         |---|---|--:|--:|---|--:|--:|--:|\n",
    );
    for rival in rivals {
        let real = rival.zone.real;
        let (our_error, our_time) =
            rival.ours.map_or(("–".to_owned(), "–".to_owned()), |(extent, time)| {
                (rounded_up(extent.max), format!("{time:.1}"))
            });
        writeln!(
            text,
            "| `{}` | {}{} | {} | {:.1e} | {} | {:.0} | {} | {} |",
            real.name(),
            rival.zone.label,
            if rival.panics > 0 { format!(" ({} calls panicked)", rival.panics) } else { String::new() },
            coarse(rival.errors.max),
            rival.errors.max / 2_f64.powi(32),
            worst(real, rival.errors.worst),
            rival.nanoseconds,
            our_error,
            our_time,
        )
        .expect("writing to a string");
    }
    if !probes.is_empty() {
        text.push_str("\nCalls that were tried in a process of their own:\n\n");
        for probe in probes {
            writeln!(text, "- {probe}").expect("writing to a string");
        }
    }
    text
}

fn domain(real: Real) -> String {
    match real.relative_zone() {
        Some(zone) => format!("{}, results below 2{}", real.domain(), superscript(zone.bits)),
        None => real.domain().to_owned(),
    }
}

fn tried(tally: &Tally) -> String {
    match (tally.count, tally.misses) {
        (0, _) => "–".to_owned(),
        (count, 0) => grouped(count),
        (count, misses) => format!("{}, **{} failed**", grouped(count), grouped(misses)),
    }
}

/// The share of kept cases, never rounded up to all of them.
fn share(tally: &Tally) -> String {
    if tally.misses == 0 {
        return "all".to_owned();
    }
    let percent = 100.0 * (tally.count - tally.misses) as f64 / tally.count as f64;
    format!("{:.3} %", (percent * 1000.0).floor() / 1000.0)
}

fn worst(real: Real, case: Option<Case>) -> String {
    let Some(Case { arguments, .. }) = case else { return "–".to_owned() };
    let shown: Vec<String> = decimals(real, arguments);
    let raw: Vec<String> = arguments[..real.arity()].iter().map(ToString::to_string).collect();
    format!("{} ({})", shown.join(", "), raw.join(", "))
}

fn decimals(real: Real, arguments: Arguments) -> Vec<String> {
    arguments[..real.arity()]
        .iter()
        .map(|&raw| {
            let value = raw as f64 / 2_f64.powi(32);
            let magnitude = value.abs();
            if raw % (1 << 32) == 0 && magnitude < 1e7 {
                format!("{value:.0}")
            } else if (1e-3..1e7).contains(&magnitude) {
                format!("{value:.6}")
            } else {
                format!("{value:.5e}")
            }
        })
        .collect()
}

/// An error in ulp with four decimals, rounded up, so that it stays a bound.
fn rounded_up(error: f64) -> String {
    if error == 0.0 {
        "0".to_owned()
    } else if error < 100.0 {
        format!("{:.4}", (error * 1e4).ceil() / 1e4)
    } else {
        coarse(error)
    }
}

fn coarse(error: f64) -> String {
    if error < 1000.0 { format!("{error:.1}") } else { format!("{error:.1e}") }
}

fn power_of_two(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("2^{:.1}", value.log2()) }
}

fn superscript(number: i32) -> String {
    number
        .to_string()
        .chars()
        .map(|digit| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize - '0' as usize])
        .collect()
}

/// Thousands apart: 250,900.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The processor's name where the system tells it, and the architecture.
fn machine() -> String {
    let architecture = std::env::consts::ARCH;
    let cpu = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    match cpu {
        Some(cpu) => format!("a machine that calls itself “{cpu}” ({architecture})"),
        None => format!("an {architecture} machine"),
    }
}
