//! The libraries of the simulation as they ship, for tests of their machine code.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object::read::archive::ArchiveFile;
use serde_json::Value;

/// Crates of the simulation that are built together, and what cargo is told to build them.
struct Build {
    crates: &'static [&'static str],
    arguments: &'static [&'static str],
    flags: Option<&'static str>,
    /// In the folder of programs; `None` stands for that folder itself.
    folder: Option<&'static str>,
}

/// All tests build into the same folders, so only the first of them takes its time.
const BUILDS: [Build; 2] = [
    // With the functions that no one calls yet, where these are what games call, and those that read and write.
    Build {
        crates: &["isostep_math", "isostep_collision"],
        arguments: &[
            "build",
            "--release",
            "--lib",
            "--package=isostep-math",
            "--package=isostep-collision",
            "--features=isostep-math/serde,isostep-collision/serde",
        ],
        flags: Some("-Clink-dead-code -Cdebuginfo=0"),
        folder: Some("tmp/all-functions"),
    },
    // Of steps, kernels that are there only to be put in place would take minutes more. It is the library whose instructions
    // are counted, and that takes a minute of two cores to build: whoever does both builds it once.
    Build {
        crates: &["isostep_step"],
        arguments: &["bench", "--no-run", "--package=isostep-bench", "--benches"],
        flags: None,
        folder: None,
    },
];

/// Each crate's name and object files in release.
pub(crate) fn objects() -> impl Iterator<Item = (&'static str, Vec<Vec<u8>>)> {
    BUILDS.iter().flat_map(|build| {
        let messages = build.run();
        build.crates.iter().map(move |&name| (name, members(&library(&messages, name))))
    })
}

impl Build {
    /// What cargo says of all that it built, one JSON object a line.
    fn run(&self) -> String {
        let programs = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the folder of programs");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(self.arguments)
            .args(["--quiet", "--message-format=json-render-diagnostics", "--target-dir"])
            .arg(self.folder.map_or(programs.to_owned(), |folder| programs.join(folder)))
            .stderr(Stdio::inherit());
        for flags in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"] {
            cargo.env_remove(flags);
        }
        if let Some(flags) = self.flags {
            cargo.env("RUSTFLAGS", flags);
        }
        let output = cargo.output().expect("cargo runs");
        assert!(output.status.success(), "building the libraries in release failed");
        String::from_utf8(output.stdout).expect("JSON")
    }
}

/// Where cargo put the library of a crate.
fn library(messages: &str, name: &str) -> PathBuf {
    let artifact = |line| {
        let message: Value = serde_json::from_str(line).expect("a line of JSON");
        let is_library = message["reason"] == "compiler-artifact"
            && message["target"]["name"] == name
            && message["target"]["kind"][0] == "lib";
        is_library.then_some(message)
    };
    let artifact = messages.lines().find_map(artifact).unwrap_or_else(|| panic!("cargo built no {name}"));
    let files = artifact["filenames"].as_array().expect("a list of files");
    let file = files.iter().filter_map(Value::as_str).find(|file| file.ends_with(".rlib"));
    file.expect("a library is an rlib").into()
}

/// The object files in a library.
fn members(library: &Path) -> Vec<Vec<u8>> {
    let bytes = std::fs::read(library).unwrap_or_else(|error| panic!("{}: {error}", library.display()));
    let archive = ArchiveFile::parse(bytes.as_slice()).expect("an rlib is an archive");
    let members = archive.members().map(|member| member.expect("a whole archive"));
    members
        .filter(|member| member.name().ends_with(b".o"))
        .map(|member| member.data(&*bytes).expect("a member in bounds").to_vec())
        .collect()
}
