//! `cargo xtask targets`: the same bits everywhere, proved by running.
//!
//! ```text
//! rows ─▶ setup: machine packages, compilers ─▶ per row: build ─▶ run ─▶ report
//! ```
//! While a row runs, the next ones are built: tests leave cores idle that compilers do not.
//!
//! * [`rows`]: what is tested, one row per target and variant;
//! * [`packages`]: linkers, emulators and node, from the machine's package manager;
//! * [`compilers`]: who compiles a row: the installed Rust with targets added by [`rustup`], or else, where rustup
//!   cannot fetch anything, the compiler of [`debian`] unpacked into the target folder;
//! * [`build`] and [`execute`]: one row's test programs, and their runs;
//! * [`digest`]: the lines `digest <section> <hex>` in their output, and how two such reports differ;
//! * [`report`]: the lines and the table printed.

mod build;
mod compilers;
mod debian;
mod digest;
mod execute;
mod packages;
mod report;
mod rows;
mod rustup;

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::{fs, thread};

use anyhow::{Context, Result, bail, ensure};

use crate::{shell, workspace};
use build::Program;
use compilers::{Compilers, Source};
use report::{Outcome, Stage};
use rows::Row;

/// How many rows wait for those before them to have run: so many that those which share a build with the one before them
/// leave no pause, and that the copies of their programs do not fill disks.
const BUILT_AHEAD: usize = 3;

/// What `cargo xtask targets` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these rows, separated by commas: a row (`x86-64/avx2`) or all rows of a target (`x86-64`)
    #[arg(long, value_name = "ROWS", value_delimiter = ',')]
    only: Vec<String>,
    /// List the rows and stop
    #[arg(long)]
    list: bool,
    /// Where the compilers for other targets come from
    #[arg(long, value_enum, default_value_t = Source::Auto)]
    compilers: Source,
}

/// Builds and runs the selected rows; an error when any of them failed or gave other bits.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut rows = rows::select(&options.only)?;
    if options.list {
        println!("{}", report::list(&rows));
        return Ok(());
    }
    ensure!(
        cfg!(all(target_os = "linux", target_arch = "x86_64")),
        "the rig runs on x86-64 Linux: it takes its emulators and linkers from a Debian-like package manager"
    );
    for note in rows::keep_runnable(&mut rows, &options.only)? {
        println!("{note}");
    }

    let (logs, setup_log) = (logs(), setup_log()?);
    packages::install_missing(&rows, &setup_log)?;
    let compilers = Compilers::prepare(&rows, options.compilers, &setup_log)?;

    let mut outcomes: Vec<Outcome> = Vec::with_capacity(rows.len());
    thread::scope(|scope| -> Result<()> {
        let (builder, builds) = mpsc::sync_channel(BUILT_AHEAD);
        let (rows, compilers, logs) = (&rows, &compilers, &logs);
        scope.spawn(move || {
            for row in rows {
                if builder.send(build_row(row, compilers, logs)).is_err() {
                    break;
                }
            }
        });
        for (index, (row, built)) in rows.iter().zip(builds).enumerate() {
            let outcome = run_row(row, built?)?;
            println!("[{}/{}] {}", index + 1, rows.len(), report::progress(&outcome));
            outcomes.push(outcome);
        }
        Ok(())
    })?;

    let verdict = report::judge(&outcomes);
    println!("\n{}", report::table(&outcomes, &verdict));
    for complaint in &verdict.complaints {
        println!("{complaint}");
    }
    println!("targets: {} passed, {} failed", outcomes.len() - verdict.failed.len(), verdict.failed.len());
    if !verdict.failed.is_empty() {
        bail!("failed: {}; full output in {}", verdict.failed.join(", "), logs.display());
    }
    Ok(())
}

/// Builds a program of the workspace in `folder` for each row of `target`, in the order of the rows, with what is missing
/// installed first.
pub(crate) fn programs(target: &str, folder: &Path, package: &str, name: &str) -> Result<Vec<PathBuf>> {
    let rows = rows::select(&[target.to_owned()])?;
    let setup_log = setup_log()?;
    packages::install_missing(&rows, &setup_log)?;
    let compilers = Compilers::prepare(&rows, Source::Auto, &setup_log)?;
    rows.iter().map(|row| build::program(row, compilers.for_row(row), folder, package, name)).collect()
}

/// Where the output of installing things goes: an empty file, in the folder of all logs.
fn setup_log() -> Result<PathBuf> {
    let logs = logs();
    fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
    let setup_log = logs.join("setup.log");
    fs::write(&setup_log, "").with_context(|| format!("cannot write {}", setup_log.display()))?;
    Ok(setup_log)
}

fn logs() -> PathBuf {
    workspace::target_dir().join("targets/logs")
}

/// A row as it was built, or was not.
struct Built {
    outcome: Outcome,
    /// Copies of its test programs: the build of the next row may write where cargo put these.
    programs: Vec<Program>,
    /// The folder of the copies.
    folder: PathBuf,
}

/// Builds one row. Its failures are in the outcome; an error means the rig itself cannot go on.
fn build_row(row: &Row, compilers: &Compilers, logs: &Path) -> Result<Built> {
    let compiler = compilers.for_row(row);
    let name = row.name.replace('/', "-");
    let log = logs.join(format!("{name}.log"));
    fs::write(&log, "").with_context(|| format!("cannot write {}", log.display()))?;
    let mut outcome = Outcome::new(row.name, &compiler.label, log.clone());
    let folder = workspace::target_dir().join("targets/programs").join(name);
    let mut programs = Vec::new();
    match build::build(row, compiler, &log) {
        Ok((built, time)) => {
            outcome.built = Stage::Done(time);
            programs = build::copied(&built, &folder)?;
        }
        Err(error) => {
            outcome.built = Stage::Failed { why: format!("{error:#}"), last_words: shell::tail(&log) };
        }
    }
    Ok(Built { outcome, programs, folder })
}

/// Runs one row, if it was built. Its failures are in the outcome, too.
fn run_row(row: &Row, built: Built) -> Result<Outcome> {
    let Built { mut outcome, programs, folder } = built;
    if let Stage::Done(_) = outcome.built {
        let runs = execute::execute(row, &programs, &outcome.log)?;
        outcome.tests = runs.passed;
        outcome.digest = runs.digest;
        outcome.ran = match runs.failure {
            None => Stage::Done(runs.time),
            Some(why) => Stage::Failed { why, last_words: runs.last_words },
        };
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(outcome)
}
