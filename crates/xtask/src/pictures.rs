//! `cargo xtask pictures`: draws the pictures of the documentation again.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Where they lie.
const FOLDER: &str = "docs/pictures";

/// File names, and what `isostep render` takes to draw each.
const PICTURES: [(&str, &str); 11] = [
    ("arena.svg", "fixtures/logs/arena-8.isr --tick 960 --size 1200x630"),
    ("fall.svg", "jenga --tick 400 --every 80 --columns 3 --size 400x240 --color-asleep"),
    ("joint-ball.svg", "ragdolls --scene-size 2 --tick 25 --size 640x480"),
    ("joint-distance.svg", "doors --scene-size 1 --tick 70 --size 640x480 --part 2,0,-1..4.5,2.6,1"),
    ("joint-fixed.svg", "doors --scene-size 1 --tick 60 --size 640x480 --part 4.5,0,-1..6.5,2.2,1"),
    ("joint-hinge.svg", "doors --scene-size 1 --tick 60 --size 640x480 --part -9.5,0,-1..-4.5,2.4,2"),
    ("joint-slider.svg", "doors --scene-size 1 --tick 50 --size 640x480 --part 0,0,-1..2,2.8,1"),
    ("joint-target.svg", "doors --scene-size 1 --tick 20 --size 640x480 --part 6.2,0,-1..7.8,2,1"),
    ("joint-wheel.svg", "cars --scene-size 1 --tick 296 --size 640x480 --part -13,-0.3,-4..-7,2,3"),
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
