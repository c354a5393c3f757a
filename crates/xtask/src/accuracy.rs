//! `cargo xtask accuracy`: a short name for the program which measures `isostep-math`.

use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// What `cargo xtask accuracy` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Handed to isostep-accuracy as they are
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Builds and runs `isostep-accuracy`.
pub(crate) fn run(options: &Options) -> Result<()> {
    let status = Command::new("cargo")
        .args(["run", "--release", "--package", "isostep-accuracy", "--"])
        .args(&options.arguments)
        .current_dir(workspace::root())
        .status()
        .context("cannot start `cargo run --package isostep-accuracy`")?;
    ensure!(status.success(), "isostep-accuracy ended with {status}");
    Ok(())
}
