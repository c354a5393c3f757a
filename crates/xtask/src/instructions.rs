//! `cargo xtask instructions`: counts the instructions of the hot operations under valgrind, and compares them with those
//! that are committed.
//!
//! Counts are of one compiler and one C library: others have other instructions for the same source, and say nothing about a
//! change of ours. So the file of counts names both, and with any other the table is shown and nothing fails. The processor
//! does not count: valgrind shows programs the same one on all that have AVX2.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fmt, fs};

use anyhow::{Context, Result, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Value, json};

use crate::{shell, workspace};

/// The runner must be of the version of the library that `isostep-bench` is built with.
const RUNNER: &str = "iai-callgrind-runner";
const RUNNER_VERSION: &str = "0.16.1";
/// The counts that are committed.
const BASELINE: &str = "crates/bench/instructions.json";
/// In percent: more than this above the committed count is an error, more than this below it asks for an update.
const TOLERANCE: u64 = 3;

/// What `cargo xtask instructions` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write what is counted into crates/bench/instructions.json
    #[arg(long)]
    update: bool,
}

/// Counts by the name of what was counted.
struct Counts {
    origin: Origin,
    counts: BTreeMap<String, u64>,
}

/// What the instructions are of.
#[derive(Debug, PartialEq, Eq)]
struct Origin {
    rustc: String,
    libc: String,
}

/// Runs the benchmarks and compares.
pub(crate) fn run(options: &Options) -> Result<()> {
    if !has_avx2() {
        println!("The counts are of AVX2, which this processor does not have: nothing is counted.");
        return Ok(());
    }
    let counted = count()?;
    let path = workspace::root().join(BASELINE);
    if options.update {
        return counted.write(&path);
    }
    let committed = Counts::read(&path)?;
    println!("{}", table(&counted.counts, &committed.counts));
    if counted.origin != committed.origin {
        println!(
            "The committed counts are of {}, these of {}: nothing to hold against each other.",
            committed.origin, counted.origin
        );
        return Ok(());
    }
    let changes = Changes::between(&counted.counts, &committed.counts);
    if !changes.fewer.is_empty() {
        println!(
            "More than {TOLERANCE} % below, or not committed yet: {}. Keep that with `cargo xtask instructions --update`.",
            changes.fewer.join(", ")
        );
    }
    // What no longer counts could hide what grew.
    ensure!(
        changes.gone.is_empty(),
        "committed, and counted no more: {}. If they are gone for good, `cargo xtask instructions --update`",
        changes.gone.join(", ")
    );
    ensure!(
        changes.more.is_empty(),
        "more than {TOLERANCE} % above the committed counts: {}. If it is worth that, `cargo xtask instructions --update`",
        changes.more.join(", ")
    );
    Ok(())
}

/// The names of what takes more instructions than before, of what is not counted any more, and of what asks for an update for
/// another reason.
#[derive(Debug, Default, PartialEq, Eq)]
struct Changes {
    more: Vec<String>,
    gone: Vec<String>,
    fewer: Vec<String>,
}

impl Changes {
    fn between(counted: &BTreeMap<String, u64>, committed: &BTreeMap<String, u64>) -> Self {
        let mut changes = Self::default();
        for (name, &count) in counted {
            match committed.get(name).copied() {
                Some(before) if count * 100 > before * (100 + TOLERANCE) => changes.more.push(name.clone()),
                Some(before) if count * 100 >= before * (100 - TOLERANCE) => {}
                _ => changes.fewer.push(name.clone()),
            }
        }
        changes.gone.extend(committed.keys().filter(|name| !counted.contains_key(*name)).cloned());
        changes
    }
}

impl Counts {
    fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let parse = || {
            let document: Value = serde_json::from_str(&text).ok()?;
            let name = |of: &str| Some(document.get(of)?.as_str()?.to_owned());
            let origin = Origin { rustc: name("rustc")?, libc: name("libc")? };
            let counts = document.get("counts")?.as_object()?.iter();
            let counts =
                counts.map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect::<Option<_>>()?;
            Some(Self { origin, counts })
        };
        parse().with_context(|| format!("{} has no `rustc`, `libc` and `counts`", path.display()))
    }

    fn write(&self, path: &Path) -> Result<()> {
        let document = json!({ "rustc": self.origin.rustc, "libc": self.origin.libc, "counts": self.counts });
        fs::write(path, format!("{document:#}\n"))
            .with_context(|| format!("cannot write {}", path.display()))?;
        println!("{BASELINE}: {} counts of {}", self.counts.len(), self.origin);
        Ok(())
    }
}

impl Origin {
    fn of_this_machine() -> Result<Self> {
        let rustc = shell::capture(Command::new("rustc").arg("--version").current_dir(workspace::root()))?;
        let libc = shell::capture(Command::new("getconf").arg("GNU_LIBC_VERSION"))?;
        Ok(Self { rustc: rustc.trim().to_owned(), libc: libc.trim().to_owned() })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.rustc, self.libc)
    }
}

/// Runs all benchmarks, each of which prints a line of JSON.
fn count() -> Result<Counts> {
    ensure!(
        shell::is_on_path("valgrind"),
        "valgrind counts the instructions, and it is not on the PATH: install the package `valgrind`"
    );
    let origin = Origin::of_this_machine()?;
    // Flags make other instructions: what is counted is built as it ships.
    let output = shell::without_flags(&mut Command::new("cargo"))
        .args(["bench", "--package", "isostep-bench", "--benches", "--", "--output-format=json"])
        .env("IAI_CALLGRIND_RUNNER", runner()?)
        .current_dir(workspace::root())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start `cargo bench --package isostep-bench`")?;
    ensure!(output.status.success(), "the benchmarks ended with {}", output.status);
    let lines = String::from_utf8(output.stdout).context("the benchmarks printed no text")?;
    let counts = lines.lines().map(|line| counted(line).with_context(|| format!("no count: {line}")));
    let counts: BTreeMap<String, u64> = counts.collect::<Result<_>>()?;
    if counts.is_empty() {
        bail!("the benchmarks counted nothing");
    }
    Ok(Counts { origin, counts })
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

/// The name and the count of a line that the runner printed.
fn counted(line: &str) -> Option<(String, u64)> {
    let line: Value = serde_json::from_str(line).ok()?;
    let name = format!("{}/{}", line.get("function_name")?.as_str()?, line.get("id")?.as_str()?);
    let metrics = line.pointer("/profiles/0/summaries/total/summary/Callgrind/Ir/metrics")?;
    // Alone where it is counted for the first time, else next to the count before.
    let count = metrics.pointer("/Left/Int").or_else(|| metrics.pointer("/Both/0/Int"))?;
    Some((name, count.as_u64()?))
}

fn table(counted: &BTreeMap<String, u64>, committed: &BTreeMap<String, u64>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(["what", "instructions", "committed", "change"]);
    table.column_iter_mut().skip(1).for_each(|column| {
        column.set_cell_alignment(CellAlignment::Right);
    });
    for (name, &count) in counted {
        let (before, change) = match committed.get(name) {
            Some(&before) => (before.to_string(), format!("{:+.2} %", percent(count, before))),
            None => ("–".to_owned(), "–".to_owned()),
        };
        table.add_row([name.clone(), count.to_string(), before, change]);
    }
    table
}

/// By how much a count grew, in percent.
#[allow(clippy::float_arithmetic, reason = "for people to read")]
fn percent(count: u64, before: u64) -> f64 {
    (count as f64 / before.max(1) as f64 - 1.0) * 100.0
}

/// The runner, built into the workspace's target folder once. Optimising it takes longer than it would save.
fn runner() -> Result<PathBuf> {
    let tools = workspace::target_dir().join("tools").join(format!("{RUNNER}-{RUNNER_VERSION}"));
    let program = tools.join("bin").join(RUNNER);
    if !program.is_file() {
        println!("building {RUNNER} {RUNNER_VERSION}");
        let status = Command::new("cargo")
            .args(["install", RUNNER, "--version", RUNNER_VERSION, "--debug", "--root"])
            .arg(&tools)
            .status()
            .with_context(|| format!("cannot start `cargo install {RUNNER}`"))?;
        ensure!(status.success(), "`cargo install {RUNNER}` ended with {status}");
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(list: &[(&str, u64)]) -> BTreeMap<String, u64> {
        list.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn three_percent_more_passes_and_a_little_above_fails() {
        let committed = counts(&[("step", 1000), ("save", 1000), ("load", 1000), ("gone", 7)]);
        let counted = counts(&[("step", 1030), ("save", 1031), ("load", 969), ("other", 5)]);
        let changes = Changes::between(&counted, &committed);
        assert_eq!(changes.more, ["save"]);
        assert_eq!(changes.fewer, ["load", "other"]);
        assert_eq!(changes.gone, ["gone"]);
        assert_eq!(Changes::between(&committed, &committed), Changes::default());
    }

    #[test]
    fn a_line_of_the_runner_has_a_name_and_a_count_alone_or_next_to_the_last_one() {
        let line = |metrics: Value| {
            let callgrind = json!({ "Ir": { "diffs": null, "metrics": metrics } });
            let profile = json!({ "summaries": { "total": { "summary": { "Callgrind": callgrind } } } });
            json!({ "function_name": "step", "id": "pyramid", "profiles": [profile] }).to_string()
        };
        let expected = Some(("step/pyramid".to_owned(), 21));
        assert_eq!(counted(&line(json!({ "Left": { "Int": 21 } }))), expected);
        assert_eq!(counted(&line(json!({ "Both": [{ "Int": 21 }, { "Int": 9 }] }))), expected);
        assert_eq!(counted("{}"), None);
    }
}
