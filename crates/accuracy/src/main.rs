//! Measures `isostep-math` against a high-precision reference.
//!
//! Data passes in this order: [`real`] says which functions there are, [`arguments`] where they are measured,
//! [`mod@reference`] and [`exact`] what the true value is, [`functions`] what we compute, [`measure`],
//! [`properties`] and [`timing`] what is found, [`survey`] collects it and [`report`] writes `docs/accuracy.md`.
//! [`rival`] measures another crate beside ours; [`vectors`] writes correctly rounded results for the tests.
#![allow(clippy::float_arithmetic, clippy::float_cmp, reason = "errors and times are reported as floats")]

mod arguments;
mod exact;
mod functions;
mod half_pi;
mod measure;
mod methods;
mod properties;
mod real;
mod reference;
mod report;
mod rival;
mod source;
mod survey;
mod timing;
mod vectors;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;

/// Measures the functions of isostep-math against a 320-bit reference and writes docs/accuracy.md.
/// Fails, and says where, if a promise about the errors is broken.
#[derive(Parser)]
#[command(name = "accuracy")]
struct Options {
    /// Only verify the errors and, of all functions, the vectors; write nothing, take no times.
    #[arg(long)]
    check: bool,
    /// Write the vectors in fixtures/math, and nothing else.
    #[arg(long, conflicts_with_all = ["check", "only", "arguments"])]
    write_vectors: bool,
    /// Measure only functions whose name contains this, and write nothing.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Random arguments for each function, besides the edges.
    #[arg(long, value_name = "COUNT", default_value_t = 280_000)]
    arguments: usize,
    /// Make one call to the other crate and print the result; the program calls itself with this.
    #[arg(long, hide = true)]
    probe: Option<String>,
}

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    if let Some(name) = &options.probe {
        rival::answer_probe(name)?;
        return Ok(ExitCode::SUCCESS);
    }
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let fixtures = root.join("fixtures/math");
    if options.write_vectors {
        println!("{} vectors written", vectors::write(&fixtures)?);
        return Ok(ExitCode::SUCCESS);
    }
    let extents = survey::Extents {
        arguments: options.arguments,
        places: (options.arguments / 100).max(100),
        compare: !options.check,
    };
    let survey = survey::survey(extents, options.only.as_deref());
    ensure!(
        !survey.findings.is_empty(),
        "no function has `{}` in its name; docs/accuracy.md lists them all",
        options.only.as_deref().unwrap_or_default()
    );
    for miss in &survey.misses {
        eprintln!("missed: {miss}");
    }
    if options.only.is_none() {
        if options.check {
            vectors::compare(&fixtures)?;
        } else if survey.misses.is_empty() {
            let path = root.join("docs/accuracy.md");
            std::fs::write(&path, report::document(&survey, options.arguments, &rival::probe_all()?))
                .with_context(|| format!("writing {}", path.display()))?;
        }
    }
    Ok(if survey.misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
