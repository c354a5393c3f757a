//! `cargo xtask pictures`: draws the pictures of the documentation again.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Where they lie.
const FOLDER: &str = "docs/pictures";

/// File names, and what `isostep render` takes to draw each.
const PICTURES: [(&str, &str); 4] = [
    ("arena.svg", "fixtures/logs/arena-8.isr --tick 960 --size 1200x630"),
    ("fall.svg", "jenga --tick 400 --every 80 --columns 3 --size 400x240 --color-asleep"),
    ("mixture.svg", "mixture --tick 240 --size 1200x630 --color-asleep"),
    ("pile.svg", "pile-of-boxes --scene-size 6 --tick 300 --size 1200x630 --color-asleep"),
];

/// Builds the command in release and has it draw each picture.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root();
    fs::create_dir_all(root.join(FOLDER)).with_context(|| format!("cannot create {FOLDER}"))?;
    for (name, arguments) in PICTURES {
        let path = format!("{FOLDER}/{name}");
        let status = Command::new("cargo")
            .args(["run", "--quiet", "--release", "--package", "isostep-cli", "--", "render"])
            .args(arguments.split(' '))
            .args(["--output", &path])
            .current_dir(root)
            .status()
            .context("cannot start `cargo run --package isostep-cli`")?;
        ensure!(status.success(), "drawing {path} ended with {status}");
    }
    Ok(())
}
