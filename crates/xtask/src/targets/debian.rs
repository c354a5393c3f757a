//! A compiler for all targets out of Debian's packages, for machines where rustup can fetch nothing.
//!
//! Debian builds the standard library for every architecture it supports, so one release's `rustc` and the
//! `libstd-rust-dev` of each architecture make a cross compiler. All of it, and the C library it runs with, is
//! unpacked into the target folder and started through its own dynamic loader, so the machine's Debian may be another
//! release. apt works with a configuration of its own there: the machine's list of architectures, its sources and
//! its installed packages stay as they are. Signatures are checked against Debian's keyring as always.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::packages;
use super::rows::Target;
use crate::{shell, workspace};

/// The Debian release whose Rust is the oldest supported one.
const SUITE: &str = "trixie";
/// What the release is signed with.
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// The compiler as a library, and the linker for wasm; apt adds the libraries these need.
const WITH_DEPENDENCIES: [&str; 2] = ["libstd-rust-1.85", "lld-19"];
/// The compiler's program, without the C compiler and the documentation it would draw in.
const ALONE: &str = "rustc";

/// The unpacked compiler.
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// Starts the compiler.
    pub(crate) rustc: PathBuf,
    /// Starts the linker for wasm.
    pub(crate) wasm_linker: PathBuf,
}

/// Whether the toolchain has already been fetched.
pub(crate) fn is_unpacked() -> bool {
    folder().is_dir()
}

/// Fetches and unpacks the compiler with the standard libraries of `targets`, unless it is there.
///
/// It is put together in a folder of another name, so one that has its own name is whole.
pub(crate) fn prepare(targets: &[&Target], log: &Path) -> Result<Toolchain> {
    let folder = folder();
    if !is_unpacked() {
        println!("unpacking Debian's compiler into {}", folder.display());
        let unfinished = folder.with_extension("unfinished");
        remove(&unfinished)?;
        let archives = download(&unfinished.join("apt"), targets, log)
            .with_context(|| format!("cannot download the Rust of Debian {SUITE}"))?;
        let root = unfinished.join("root");
        for archive in &archives {
            shell::capture(Command::new("dpkg").arg("--extract").arg(archive).arg(&root))?;
        }
        for target in targets {
            let library = root.join("usr/lib/rustlib").join(target.triple);
            ensure!(library.is_dir(), "{} brought no {}", target.debian_std, library.display());
        }
        write_starters(&root)?;
        fs::rename(&root, &folder).with_context(|| format!("cannot create {}", folder.display()))?;
        remove(&unfinished)?;
    }
    Ok(Toolchain { rustc: folder.join("rustc"), wasm_linker: folder.join("wasm-ld") })
}

fn folder() -> PathBuf {
    workspace::target_dir().join("toolchains").join(format!("debian-{SUITE}"))
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Downloads all packages with a private apt in `folder`, and gives their files.
fn download(folder: &Path, targets: &[&Target], log: &Path) -> Result<Vec<PathBuf>> {
    let config = write_apt_configuration(folder, &mirror(log)?, targets)?;
    let apt_get = || {
        let mut command = Command::new("apt-get");
        command.env("APT_CONFIG", &config).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    shell::logged(apt_get().arg("update"), log)?;
    shell::logged(
        apt_get()
            .args(["install", "--download-only", "--yes", "--no-install-recommends"])
            .args(WITH_DEPENDENCIES),
        log,
    )?;
    let archives = folder.join("cache/archives");
    let packages = targets.iter().map(|target| target.debian_std).chain([ALONE]);
    shell::logged(apt_get().arg("download").args(packages).current_dir(&archives), log)?;

    let mut files = Vec::new();
    for entry in fs::read_dir(&archives).with_context(|| format!("cannot list {}", archives.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The Debian mirror that this machine's own apt uses.
fn mirror(log: &Path) -> Result<String> {
    let ask = || {
        shell::capture(Command::new("apt-get").args([
            "indextargets",
            "--format",
            "$(LABEL) $(COMPONENT) $(REPO_URI)",
            "Created-By: Packages",
        ]))
    };
    let find =
        |answer: &str| answer.lines().find_map(|line| line.strip_prefix("Debian main ")).map(str::to_owned);
    if let Some(found) = find(&ask()?) {
        return Ok(found);
    }
    // apt knows the label of a mirror only from its package lists, which a small image lacks.
    packages::update_lists(log)?;
    find(&ask()?).context("apt on this machine has no Debian mirror among its sources")
}

/// Writes a configuration under which apt sees nothing but the packages of [`SUITE`], and nothing as installed.
fn write_apt_configuration(folder: &Path, mirror: &str, targets: &[&Target]) -> Result<PathBuf> {
    ensure!(Path::new(KEYRING).exists(), "{KEYRING} is missing; install debian-archive-keyring");
    for part in ["state/lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(folder.join(part)).with_context(|| format!("cannot create {part}"))?;
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display())).map(|()| path)
    };
    write("status", "")?;
    write("sources.list", &format!("deb [signed-by={KEYRING}] {mirror} {SUITE} main\n"))?;
    let architectures: Vec<&str> =
        targets.iter().filter_map(|target| target.debian_std.split_once(':')).map(|(_, name)| name).collect();
    let folder = folder.display();
    write(
        "apt.conf",
        &format!(
            r#"Dir::State "{folder}/state";
Dir::State::status "{folder}/status";
Dir::Cache "{folder}/cache";
Dir::Etc::sourcelist "{folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Architecture "amd64";
APT::Architectures {{ "{}"; }};
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
"#,
            architectures.join("\"; \"")
        ),
    )
}

/// Writes the scripts which start the programs in `root` with the loader and libraries unpacked beside them, wherever
/// the folder is moved.
fn write_starters(root: &Path) -> Result<()> {
    let start = |name: &str, words: &str| {
        let path = root.join(name);
        let script = format!(
            "#!/bin/sh\n\
             here=$(dirname \"$(readlink -f \"$0\")\")\n\
             lib=$here/usr/lib/x86_64-linux-gnu\n\
             exec \"$lib/ld-linux-x86-64.so.2\" --argv0 {name} \\\n    \
             --library-path \"$lib:$here/usr/lib/llvm-19/lib\" {words} \"$@\"\n"
        );
        fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))
            .with_context(|| format!("cannot make {} executable", path.display()))
    };
    start("rustc", "\"$here/usr/bin/rustc\" --sysroot \"$here/usr\"")?;
    start("wasm-ld", "\"$here/usr/lib/llvm-19/bin/lld\"")
}
