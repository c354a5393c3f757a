//! Chores of the workspace, as `cargo xtask <chore>`.

mod accuracy;
#[cfg(test)]
mod documents;
mod fixtures;
mod instructions;
mod performance;
mod pictures;
mod shell;
mod stability;
mod targets;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the isostep workspace")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run the determinism tests on every target and compare the bits
    ///
    /// Builds the tests for x86-64 (each SIMD level, debug, overflow checks, oldest supported compiler), i686,
    /// aarch64, armv7, riscv64, s390x and wasm32, runs them natively, under qemu-user or under node, and fails
    /// when any row fails or prints another digest than the rest. Compilers, linkers and emulators that are
    /// missing are installed.
    Targets(targets::Options),
    /// Measure the accuracy of isostep-math: runs the `isostep-accuracy` program in release
    Accuracy(accuracy::Options),
    /// Count the instructions of the hot operations under valgrind: figures that do not vary with the load
    ///
    /// Fails when a count is more than 3 % above the committed one, if that is of the same compiler.
    Instructions(instructions::Options),
    /// Measure isostep next to other engines, and write the tables of docs/performance.md, or of another page
    ///
    /// Takes some minutes, and the longer the busier the machine is. A C compiler builds Box3D, and cmake
    /// with a C++ compiler Jolt, if it is there.
    Performance(performance::Options),
    /// Find how high buildings stand in isostep and in other engines, and write the table of docs/stability.md
    ///
    /// Takes ten minutes, of which no clock is read: every run finds the same. Needs what `performance` needs.
    Stability,
    /// Draw the pictures of the documentation again: the same bytes on every machine
    Pictures,
    /// Record the logs in fixtures/ again: the same bytes on every machine
    Fixtures,
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Targets(options) => targets::run(&options),
        Chore::Accuracy(options) => accuracy::run(&options),
        Chore::Instructions(options) => instructions::run(&options),
        Chore::Performance(options) => performance::run(&options),
        Chore::Stability => stability::run(),
        Chore::Pictures => pictures::run(),
        Chore::Fixtures => fixtures::run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Not as `main`'s result: that would add a backtrace, which says nothing about a build that failed.
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
