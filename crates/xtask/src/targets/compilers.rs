//! Who compiles which row.
//!
//! Rows of the machine itself use the Rust that runs this program. Other targets use it too if it has their
//! standard libraries or rustup can add them; otherwise [`super::debian`] brings one compiler for all of them. The
//! latter is of the oldest supported version, so it also serves the row which checks that version.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::rows::{self, Machine, Row};
use super::{debian, rustup};
use crate::{shell, workspace};

/// The oldest compiler the workspace supports.
const MSRV: &str = env!("CARGO_PKG_RUST_VERSION");

/// Where compilers for other targets come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Source {
    /// What is there, else rustup, else Debian
    Auto,
    /// rustup, or an error
    Rustup,
    /// Debian's packages, or an error
    Debian,
}

/// A compiler and the cargo that drives it.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    /// Version and origin, for the table.
    pub(crate) label: String,
    /// The words that start cargo.
    pub(crate) cargo: Vec<String>,
    /// The compiler, where it is not cargo's own.
    pub(crate) rustc: Option<PathBuf>,
    /// The linker for wasm, where the compiler does not bring it.
    pub(crate) wasm_linker: Option<PathBuf>,
    /// Where its builds go; two compilers in one folder would throw out each other's.
    pub(crate) build_dir: PathBuf,
}

/// The compilers of a run.
#[derive(Debug)]
pub(crate) struct Compilers {
    own: Compiler,
    foreign: Compiler,
    msrv: Compiler,
}

impl Compilers {
    /// Makes ready the compilers which `rows` need.
    pub(crate) fn prepare(rows: &[Row], source: Source, log: &Path) -> Result<Self> {
        let own = own()?;
        let mut compilers = Self { foreign: own.clone(), msrv: own.clone(), own };
        let is_foreign = |row: &&Row| !matches!(row.target.machine, Machine::Native);
        let mut triples: Vec<&str> = rows.iter().filter(is_foreign).map(|row| row.target.triple).collect();
        triples.dedup();
        if !triples.is_empty() {
            compilers.foreign = foreign(&triples, source, &compilers.own, log)?;
        }
        if rows.iter().any(|row| row.msrv) {
            compilers.msrv = msrv(source, log)?;
        }
        Ok(compilers)
    }

    /// The compiler of `row`.
    pub(crate) fn for_row(&self, row: &Row) -> &Compiler {
        match row.target.machine {
            _ if row.msrv => &self.msrv,
            Machine::Native => &self.own,
            Machine::Emulated { .. } | Machine::Wasi => &self.foreign,
        }
    }
}

/// The compiler that built this program.
fn own() -> Result<Compiler> {
    let version = version(Command::new("rustc").arg("-vV"))?;
    Ok(from_cargo(vec!["cargo".to_owned()], &version))
}

/// A compiler for `triples`, from where `source` allows.
fn foreign(triples: &[&str], source: Source, own: &Compiler, log: &Path) -> Result<Compiler> {
    let sysroot = PathBuf::from(shell::capture(Command::new("rustc").args(["--print", "sysroot"]))?.trim());
    let missing: Vec<&str> =
        triples.iter().copied().filter(|triple| !sysroot.join("lib/rustlib").join(triple).is_dir()).collect();
    first_that_works(
        source,
        &format!("no compiler for {}", triples.join(", ")),
        || {
            if missing.is_empty() {
                return Ok(own.clone());
            }
            println!("rustup target add {}", missing.join(" "));
            rustup::add_targets(&missing).map(|()| own.clone())
        },
        missing.is_empty(),
        log,
    )
}

/// The oldest supported compiler, from where `source` allows.
fn msrv(source: Source, log: &Path) -> Result<Compiler> {
    let words = ["rustup", "run", MSRV];
    let own_version = || version(Command::new(words[0]).args(&words[1..]).args(["rustc", "-vV"]));
    let cargo = || words.iter().copied().chain(["cargo"]).map(str::to_owned).collect();
    let is_installed = own_version().is_ok();
    first_that_works(
        source,
        &format!("no Rust {MSRV}"),
        || {
            if !is_installed {
                println!("rustup toolchain install {MSRV}");
            }
            rustup::install_toolchain(MSRV)?;
            Ok(from_cargo(cargo(), &own_version()?))
        },
        is_installed,
        log,
    )
}

/// Tries rustup and then Debian, as `source` says; rustup only with `is_installed` when Debian's is already here,
/// because trying to reach a server that did not answer the last time takes long.
fn first_that_works(
    source: Source,
    problem: &str,
    from_rustup: impl Fn() -> Result<Compiler>,
    is_installed: bool,
    log: &Path,
) -> Result<Compiler> {
    let try_rustup = match source {
        Source::Rustup => true,
        Source::Debian => false,
        Source::Auto => is_installed || !debian::is_unpacked(),
    };
    let refusal = if try_rustup {
        match from_rustup() {
            Ok(compiler) => return Ok(compiler),
            Err(refusal) => refusal,
        }
    } else {
        anyhow!("not tried")
    };
    if source == Source::Rustup {
        return Err(refusal.context(format!("{problem}: rustup cannot bring it")));
    }
    match from_debian(log) {
        Ok(compiler) => Ok(compiler),
        Err(error) => bail!("{problem}\nfrom rustup: {refusal:#}\nfrom Debian: {error:#}"),
    }
}

fn from_debian(log: &Path) -> Result<Compiler> {
    let targets: Vec<_> = rows::foreign_targets().chain([rows::native_target()]).collect();
    let toolchain = debian::prepare(&targets, log)?;
    let version = version(Command::new(&toolchain.rustc).arg("-vV"))?;
    if !version.starts_with(&format!("{MSRV}.")) {
        println!("note: Debian's compiler is {version}, the oldest supported is {MSRV}");
    }
    Ok(Compiler {
        label: format!("{version} Debian"),
        rustc: Some(toolchain.rustc),
        wasm_linker: Some(toolchain.wasm_linker),
        build_dir: build_dir(&format!("{version}-debian")),
        cargo: vec!["cargo".to_owned()],
    })
}

fn from_cargo(cargo: Vec<String>, version: &str) -> Compiler {
    Compiler {
        label: version.to_owned(),
        cargo,
        rustc: None,
        wasm_linker: None,
        build_dir: build_dir(version),
    }
}

fn build_dir(compiler: &str) -> PathBuf {
    workspace::target_dir().join("targets").join(compiler)
}

/// The release in the output of `rustc -vV`.
fn version(command: &mut Command) -> Result<String> {
    let output = shell::capture(command)?;
    let release = output.lines().find_map(|line| line.strip_prefix("release: "));
    release.map(str::to_owned).context("`rustc -vV` names no release")
}
