//! The `isostep` command: shows this build computing, checking itself against the reference, and stepping scenes, and drawing
//! them.

mod check;
mod render;
mod scenes;
mod source;

use clap::{Parser, Subcommand};
use comfy_table::{CellAlignment, Table, presets};
use isostep_math::wide::Level;
use std::process::ExitCode;

/// Deterministic fixed-point physics: the same bits on every machine
#[derive(Parser)]
#[command(name = "isostep", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Compares this build with a high-precision reference and with the digest all machines share (the default)
    Check,
    /// Lists the scenes
    Scenes,
    /// Steps a scene: time per tick, and the hash of where it ends
    Run(scenes::Options),
    /// Draws a scene at a tick, or a contact sheet of several: SVG, the same bytes on every machine
    Render(render::Options),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    println!(
        "isostep {}: deterministic fixed-point physics, {}-{}, kernels in {} lanes ({})\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        Level::current().lanes(),
        Level::current().name(),
    );
    match arguments.command.unwrap_or(Task::Check) {
        Task::Check => check::run(),
        Task::Scenes => scenes::list(),
        Task::Run(options) => scenes::run(&options),
        Task::Render(options) => render::run(&options),
    }
}

/// A table whose columns of the given numbers hold figures.
fn new_table(header: &[&str], figures: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    for &column in figures {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}
