//! Compilers from rustup, where it manages the installed Rust and can reach its server.

use std::process::Command;

use anyhow::{Context, Result};

use crate::shell;

/// A rustup that has fetched nothing after this long is taken for one without a network.
const LIMIT_SECONDS: &str = "180";

/// Adds the standard libraries of `triples` to the toolchain in use.
pub(crate) fn add_targets(triples: &[&str]) -> Result<()> {
    shell::capture(rustup().args(["target", "add"]).args(triples)).map(drop)
}

/// Installs the toolchain `version` unless it is there.
pub(crate) fn install_toolchain(version: &str) -> Result<()> {
    let installed = Command::new("rustup").args(["run", version, "rustc", "--version"]).output();
    if installed.context("no rustup on this machine")?.status.success() {
        return Ok(());
    }
    shell::capture(rustup().args([
        "toolchain",
        "install",
        version,
        "--profile",
        "minimal",
        "--no-self-update",
    ]))
    .map(drop)
}

fn rustup() -> Command {
    let mut command = Command::new("timeout");
    command.args([LIMIT_SECONDS, "rustup"]);
    command
}
