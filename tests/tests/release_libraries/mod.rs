//! The libraries of the simulation as they ship, for tests of their machine code.

use std::path::Path;
use std::process::Command;

use object::read::archive::ArchiveFile;

/// Crates of the simulation that are built together.
struct Build {
    crates: &'static [&'static str],
    /// Those that add code: reading and writing.
    features: &'static str,
    flags: &'static str,
    /// All tests build into the same folders, so only the first of them takes its time.
    folder: &'static str,
}

/// With the functions that no one calls yet, where these are what games call. Of steps, kernels that are there only to be put in
/// place would take minutes more.
const BUILDS: [Build; 2] = [
    Build {
        crates: &["isostep-math", "isostep-collision"],
        features: "isostep-math/serde,isostep-collision/serde",
        flags: "-Clink-dead-code -Cdebuginfo=0",
        folder: "all-functions",
    },
    Build { crates: &["isostep-step"], features: "", flags: "-Cdebuginfo=0", folder: "called-functions" },
];

/// Each crate's name and object files in release.
pub(crate) fn objects() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    BUILDS.iter().flat_map(|build| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(build.folder);
        let status = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--lib", "--features", build.features])
            .args(build.crates.iter().flat_map(|name| ["--package", name]))
            .arg("--target-dir")
            .arg(&target)
            .env("RUSTFLAGS", build.flags)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .status()
            .expect("cargo runs");
        assert!(status.success(), "building the libraries in release failed");
        build.crates.iter().map(move |&name| {
            let library = target.join(format!("release/lib{}.rlib", name.replace('-', "_")));
            let bytes =
                std::fs::read(&library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
            let archive = ArchiveFile::parse(bytes.as_slice()).expect("an rlib is an archive");
            let members = archive.members().map(|member| member.expect("a whole archive"));
            let objects = members
                .filter(|member| member.name().ends_with(b".o"))
                .map(|member| member.data(&*bytes).expect("a member in bounds").to_vec())
                .collect();
            (name, objects)
        })
    })
}
