//! A command for the logs of a game of one's own: all that `isostep` does, for the game in `game.rs` as well.
//!
//! ```console
//! $ cargo run --example tag -- verify match.isr
//! ```

mod game;

use game::{Tag, color};
use isostep_cli::{Cli, Look};
use std::process::ExitCode;

fn main() -> ExitCode {
    let look = Look::new().painted(color);
    Cli::new().named("tag", env!("CARGO_PKG_VERSION")).game_with_look::<Tag>(look).run()
}
