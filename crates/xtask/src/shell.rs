//! Running other programs so that a failure says what was tried.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// How much of a failed program's output an error repeats.
const TAIL_LINES: usize = 40;

/// Runs `command` to its end and gives its standard output; an error carries the command and its last words.
pub(crate) fn capture(command: &mut Command) -> Result<String> {
    let line = describe(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{line}`"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` ended with {}\n{}", output.status, last_lines(&words));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Like [`capture`], for long outputs nobody reads unless something goes wrong: both streams go to the file `log`.
pub(crate) fn logged(command: &mut Command, log: &Path) -> Result<()> {
    let line = describe(command);
    let file = append(log)?;
    let errors = file.try_clone().with_context(|| format!("cannot write {}", log.display()))?;
    let status = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .status()
        .with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` ended with {status}; from {}:\n{}", log.display(), tail(log));
    }
    Ok(())
}

/// Opens `log` to write at its end.
pub(crate) fn append(log: &Path) -> Result<File> {
    File::options()
        .create(true)
        .append(true)
        .open(log)
        .with_context(|| format!("cannot write {}", log.display()))
}

/// The last lines of the file `log`, indented.
pub(crate) fn tail(log: &Path) -> String {
    fs::read(log).map(|bytes| last_lines(&String::from_utf8_lossy(&bytes))).unwrap_or_default()
}

/// Whether a program of this name is on the `PATH`.
pub(crate) fn is_on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

/// The last lines of `text`, indented.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut tail = String::new();
    for line in &lines[lines.len().saturating_sub(TAIL_LINES)..] {
        let _ = writeln!(tail, "    | {line}");
    }
    tail
}

/// A call of cargo that hears nothing of flags for the compiler that whoever started this has in the environment.
pub(crate) fn without_flags(cargo: &mut Command) -> &mut Command {
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_RUSTFLAGS")
}

/// The command as one would type it, without its environment.
fn describe(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        let _ = write!(line, " {}", argument.to_string_lossy());
    }
    line
}
