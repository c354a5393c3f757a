//! Building one row's test programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::compilers::Compiler;
use super::rows::{FASTER_BUILDS, Machine, Row};
use crate::{shell, workspace};

/// The package of the whole-system tests.
const SYSTEM_TESTS: &str = "isostep-tests";
/// The package of the numbers all rests on.
const UNIT_TESTS: &str = "isostep-math";

/// A test program that cargo has built.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The name of the test target.
    pub(crate) name: String,
    /// The executable, or the wasm module.
    pub(crate) path: PathBuf,
    /// The folder of its package, where cargo would run it.
    pub(crate) package_dir: PathBuf,
}

/// Compiles the tests of `row`; cargo's words go to `log`.
pub(crate) fn build(row: &Row, compiler: &Compiler, log: &Path) -> Result<(Vec<Program>, Duration)> {
    let start = Instant::now();
    let output = tests(row, compiler)
        .stdin(Stdio::null())
        .stderr(shell::append(log)?)
        .output()
        .with_context(|| format!("cannot start {:?}", compiler.cargo[0]))?;
    ensure!(output.status.success(), "cargo ended with {}", output.status);
    let programs = programs(&String::from_utf8_lossy(&output.stdout))?;
    ensure!(programs.iter().any(Program::is_determinism), "cargo built no test program named `determinism`");
    Ok((programs, start.elapsed()))
}

impl Program {
    /// Whether this one prints the digest.
    pub(crate) fn is_determinism(&self) -> bool {
        self.name == "determinism"
    }
}

/// Copies of `programs` in `folder`, which has nothing else.
pub(crate) fn copied(programs: &[Program], folder: &Path) -> Result<Vec<Program>> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let copied = |program: &Program| {
        let name = program.path.file_name().context("a program has a name")?;
        let path = folder.join(name);
        fs::copy(&program.path, &path)
            .with_context(|| format!("cannot copy {} to {}", program.path.display(), path.display()))?;
        Ok(Program { path, ..program.clone() })
    };
    programs.iter().map(copied).collect()
}

/// The cargo call that builds the tests and does not run them.
fn tests(row: &Row, compiler: &Compiler) -> Command {
    let mut cargo = cargo(row, compiler, "test");
    cargo
        .args(["--no-run", "--tests", "--message-format", "json-render-diagnostics"])
        .args(["--package", SYSTEM_TESTS])
        .args(row.profile.cargo_arguments())
        .args(FASTER_BUILDS)
        .current_dir(workspace::root());
    if row.unit_tests {
        cargo.args(["--package", UNIT_TESTS]);
    }
    cargo
}

/// A call of cargo to build something for the target of a row, with its flags.
///
/// The target is always named, the machine's own too: so build scripts and macros are compiled once for all rows,
/// and no row inherits flags meant for the machine's own builds.
fn cargo(row: &Row, compiler: &Compiler, subcommand: &str) -> Command {
    let mut cargo = Command::new(&compiler.cargo[0]);
    shell::without_flags(&mut cargo)
        .args(&compiler.cargo[1..])
        .args([subcommand, "--target", row.target.triple])
        .env("CARGO_TARGET_DIR", &compiler.build_dir)
        .env("CARGO_TERM_COLOR", "never")
        .env_remove("CARGO_BUILD_TARGET");
    if !row.flags.is_empty() {
        cargo.env(target_variable(row.target.triple, "RUSTFLAGS"), row.flags);
    }
    if let Some(rustc) = &compiler.rustc {
        cargo.env("RUSTC", rustc);
    }
    match &row.target.machine {
        Machine::Native => {}
        Machine::Emulated { gcc, .. } => {
            cargo.env(target_variable(row.target.triple, "LINKER"), format!("{gcc}-gcc"));
        }
        Machine::Wasi => {
            if let Some(linker) = &compiler.wasm_linker {
                cargo.env(target_variable(row.target.triple, "LINKER"), linker);
            }
        }
    }
    cargo
}

/// Builds a program of the workspace in `folder` in release for the target of `row`, with its flags, and tells where it is.
pub(crate) fn program(
    row: &Row,
    compiler: &Compiler,
    folder: &Path,
    package: &str,
    name: &str,
) -> Result<PathBuf> {
    let status = cargo(row, compiler, "build")
        .args(["--release", "--package", package, "--bin", name])
        .current_dir(folder)
        .status()
        .with_context(|| format!("cannot start {:?}", compiler.cargo[0]))?;
    ensure!(status.success(), "building {name} for {} ended with {status}", row.name);
    let extension = if matches!(row.target.machine, Machine::Wasi) { ".wasm" } else { "" };
    let built = compiler.build_dir.join(row.target.triple).join("release").join(format!("{name}{extension}"));
    // The next row of this target writes to the same place.
    let kept = compiler.build_dir.join(format!("{name}-{}{extension}", row.name.replace('/', "-")));
    fs::copy(&built, &kept).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(kept)
}

/// The variable by which cargo is told `what` of a target.
fn target_variable(triple: &str, what: &str) -> String {
    format!("CARGO_TARGET_{}_{what}", triple.to_uppercase().replace('-', "_"))
}

/// Picks the test programs out of cargo's messages, one JSON object a line.
fn programs(messages: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for line in messages.lines().filter(|line| line.starts_with('{')) {
        let message: Value = serde_json::from_str(line).context("cargo printed a line which is no JSON")?;
        let is_test = message["reason"] == "compiler-artifact" && message["profile"]["test"] == true;
        let Some(path) = message["executable"].as_str().filter(|_| is_test) else { continue };
        let (Some(name), Some(manifest)) =
            (message["target"]["name"].as_str(), message["manifest_path"].as_str())
        else {
            bail!("cargo's message about {path} names no target or no manifest: {line}");
        };
        let package_dir = Path::new(manifest).parent().unwrap_or(workspace::root()).to_owned();
        programs.push(Program { name: name.to_owned(), path: path.into(), package_dir });
    }
    programs.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(programs)
}

#[cfg(test)]
mod tests {
    use super::{programs, target_variable};

    #[test]
    fn only_test_programs_are_taken_from_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","manifest_path":"/w/tests/Cargo.toml","target":{"name":"determinism"},"profile":{"test":true},"executable":"/t/determinism-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","manifest_path":"/w/cli/Cargo.toml","target":{"name":"isostep"},"profile":{"test":false},"executable":"/t/isostep"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","manifest_path":"/w/math/Cargo.toml","target":{"name":"math"},"profile":{"test":false},"executable":null}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let programs = programs(messages).expect("well formed");
        assert_eq!(programs.len(), 1);
        assert!(programs[0].is_determinism());
        assert_eq!(programs[0].package_dir.to_str(), Some("/w/tests"));
    }

    #[test]
    fn a_targets_variables_are_spelled_as_cargo_wants_them() {
        assert_eq!(target_variable("wasm32-wasip1", "LINKER"), "CARGO_TARGET_WASM32_WASIP1_LINKER");
    }
}
