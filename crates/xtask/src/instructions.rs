//! `cargo xtask instructions`: counts the instructions of the hot operations under valgrind.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::{shell, workspace};

/// The runner must be of the version of the library that `isostep-bench` is built with.
const RUNNER: &str = "iai-callgrind-runner";
const RUNNER_VERSION: &str = "0.16.1";

/// Installs the runner if need be, and runs the benchmarks.
pub(crate) fn run() -> Result<()> {
    ensure!(
        shell::is_on_path("valgrind"),
        "valgrind counts the instructions, and it is not on the PATH: install the package `valgrind`"
    );
    let status = Command::new("cargo")
        .args(["bench", "--package", "isostep-bench", "--bench", "instructions"])
        .env("IAI_CALLGRIND_RUNNER", runner()?)
        .current_dir(workspace::root())
        .status()
        .context("cannot start `cargo bench --package isostep-bench`")?;
    ensure!(status.success(), "the benchmarks ended with {status}");
    Ok(())
}

/// The runner, built into the workspace's target folder once.
fn runner() -> Result<PathBuf> {
    let tools = workspace::target_dir().join("tools").join(format!("{RUNNER}-{RUNNER_VERSION}"));
    let program = tools.join("bin").join(RUNNER);
    if !program.is_file() {
        println!("building {RUNNER} {RUNNER_VERSION}");
        let status = Command::new("cargo")
            .args(["install", RUNNER, "--version", RUNNER_VERSION, "--root"])
            .arg(&tools)
            .status()
            .with_context(|| format!("cannot start `cargo install {RUNNER}`"))?;
        ensure!(status.success(), "`cargo install {RUNNER}` ended with {status}");
    }
    Ok(program)
}
