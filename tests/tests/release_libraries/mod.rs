//! The libraries of the simulation as they ship, for tests of their machine code.

use std::path::Path;
use std::process::Command;

use object::read::archive::ArchiveFile;

/// Crates the simulation is made of, and whether reading and writing is a feature of theirs.
pub(crate) const CRATES: [(&str, &[&str]); 3] = [
    ("isostep-math", &["--features", "serde"]),
    ("isostep-collision", &["--features", "serde"]),
    ("isostep-step", &[]),
];

/// The object files of a crate in release, with the functions that no one calls yet.
///
/// All tests build into one folder, so only the first of them takes its time.
pub(crate) fn objects(name: &str, features: &[&str]) -> Vec<Vec<u8>> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-float");
    let status = Command::new(env!("CARGO"))
        .args(["rustc", "--quiet", "--release", "--lib", "--package", name])
        .args(features)
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Clink-dead-code", "-Cdebuginfo=0"])
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .status()
        .expect("cargo runs");
    assert!(status.success(), "building {name} in release failed");
    let library = target.join(format!("release/lib{}.rlib", name.replace('-', "_")));
    let bytes = std::fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    let archive = ArchiveFile::parse(bytes.as_slice()).expect("an rlib is an archive");
    let members = archive.members().map(|member| member.expect("a whole archive"));
    members
        .filter(|member| member.name().ends_with(b".o"))
        .map(|member| member.data(&*bytes).expect("a member in bounds").to_vec())
        .collect()
}
