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

#[cfg(test)]
mod tests {
    use super::root;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Where code may be unsafe, which the lints of the workspace deny elsewhere: vectors of processors, and what threads
    /// share. Each file argues for its blocks.
    const UNSAFE: [&str; 8] = [
        "math/src/wide/arm/neon.rs",
        "math/src/wide/dispatch.rs",
        "math/src/wide/prefetch.rs",
        "math/src/wide/x86/avx2.rs",
        "math/src/wide/x86/avx512.rs",
        "step/src/parallel/flow.rs",
        "step/src/parallel/shared.rs",
        "step/src/solver/schedule.rs",
    ];

    /// The sources in a folder and those below it.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
        let files = files.into_iter().filter(|path| path.extension().is_some_and(|name| name == "rs"));
        files.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
    }

    #[test]
    fn unsafe_code_is_in_files_that_argue_for_it() {
        let crates = root().join("crates");
        let packages = fs::read_dir(&crates).unwrap().map(|entry| entry.unwrap().path().join("src"));
        let allowing = concat!("allow(", "unsafe_code");
        let mut found: Vec<_> = packages
            .filter(|folder| folder.is_dir())
            .flat_map(|folder| sources(&folder))
            .filter(|path| {
                let text = fs::read_to_string(path).unwrap();
                assert!(!text.contains(allowing) || text.contains("SAFETY"), "{}", path.display());
                text.contains(allowing)
            })
            .map(|path| path.strip_prefix(&crates).unwrap().to_str().unwrap().to_owned())
            .collect();
        found.sort_unstable();
        assert_eq!(found, UNSAFE);
    }
}
