//! The `isostep` command: the library, with no game but the demo.

use std::process::ExitCode;

fn main() -> ExitCode {
    isostep_cli::Cli::new().run()
}
