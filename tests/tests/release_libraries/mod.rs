//! The libraries of the simulation as they ship, for tests of their machine code.

use std::path::Path;
use std::process::Command;

use object::read::archive::ArchiveFile;

/// Crates the simulation is made of.
const CRATES: [&str; 3] = ["isostep-math", "isostep-collision", "isostep-step"];

/// Features that add code of theirs: reading and writing.
const FEATURES: &str = "isostep-math/serde,isostep-collision/serde";

/// Each crate's name and object files in release, with the functions that no one calls yet.
///
/// All tests build into one folder, so only the first of them takes its time.
pub(crate) fn objects() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-float");
    // One build for all: each crate is compiled once, with the features and flags that the others see it with.
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--lib", "--features", FEATURES])
        .args(CRATES.iter().flat_map(|name| ["--package", name]))
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", "-Clink-dead-code -Cdebuginfo=0")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "building the libraries in release failed");
    CRATES.into_iter().map(move |name| {
        let library = target.join(format!("release/lib{}.rlib", name.replace('-', "_")));
        let bytes = std::fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
        let archive = ArchiveFile::parse(bytes.as_slice()).expect("an rlib is an archive");
        let members = archive.members().map(|member| member.expect("a whole archive"));
        let objects = members
            .filter(|member| member.name().ends_with(b".o"))
            .map(|member| member.data(&*bytes).expect("a member in bounds").to_vec())
            .collect();
        (name, objects)
    })
}
