//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The folder of the workspace's `Cargo.toml`.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("xtask lives two folders below the root of the workspace")
}

/// Where everything goes that may be deleted at any time: `CARGO_TARGET_DIR`, or `target/`.
pub(crate) fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
