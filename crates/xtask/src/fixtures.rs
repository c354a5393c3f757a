//! `cargo xtask fixtures`: records the logs in `fixtures/` again.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Builds and runs `isostep-fixtures`.
pub(crate) fn run() -> Result<()> {
    let status = Command::new("cargo")
        .args(["run", "--release", "--package", "isostep-fixtures"])
        .current_dir(workspace::root())
        .status()
        .context("cannot start `cargo run --package isostep-fixtures`")?;
    ensure!(status.success(), "isostep-fixtures ended with {status}");
    Ok(())
}
