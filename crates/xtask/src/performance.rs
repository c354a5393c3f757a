//! `cargo xtask performance`: measures isostep next to other engines, and writes the tables of docs/performance.md, or of
//! another page for another machine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{shell, targets, workspace};

const PAGE: &str = "docs/performance.md";
/// A workspace of its own; its folder has the settings that it is built with.
const COMPARE: &str = "crates/bench/compare";
/// The package there that can be built for other targets, and its program.
const SCENES: &str = "isostep-compare-scene";
const STEP_SCENE: &str = "step-scene";

/// What `cargo xtask performance` takes.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How often each engine steps each scene
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
    /// How many threads the table of threads has
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(2..=16))]
    threads: u16,
    /// The page whose tables are written, in the workspace
    #[arg(long, default_value = PAGE)]
    page: PathBuf,
}

/// Runs `compare` in all its ways, and puts what it prints into the page.
pub(crate) fn run(options: &Options) -> Result<()> {
    let name = options.page.display();
    let path = workspace::root().join(&options.page);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
    // Before minutes of measuring.
    for part in ["tables", "cost", "wasm"] {
        replace(&page, part, "").with_context(|| format!("cannot write into {name}"))?;
    }
    let machine = machine(options)?;
    let threads = options.threads.to_string();
    let features = engines_in_c();
    let compare = |features: &str, arguments: &[&str]| {
        let repeat = options.repeat.to_string();
        compare(features, &[&["--repeat", repeat.as_str()], arguments].concat())
    };
    let modules = targets::programs("wasm32", &workspace::root().join(COMPARE), SCENES, STEP_SCENE)?;
    let modules: Vec<&str> = modules.iter().filter_map(|module| module.to_str()).collect();
    let engines = compare(features, &[])?;
    let growth = compare(features, &["--growth"])?;
    let shared = compare(&format!("{features},threads"), &["--threads", &threads])?;
    let cost = compare(features, &["--cost"])?;
    let wasm = compare(features, &[&["--wasm"], modules.as_slice()].concat())?;
    let page = replace(&page, "tables", &format!("{machine}\n\n{engines}{growth}"))?;
    let page = replace(&page, "cost", &format!("{cost}{shared}"))?;
    let page = replace(&page, "wasm", &wasm)?;
    fs::write(&path, page).with_context(|| format!("cannot write {name}"))?;
    println!("{name} is written");
    Ok(())
}

/// The features of `compare` for engines in C and C++: Jolt is built by cmake, if that is there.
pub(crate) fn engines_in_c() -> &'static str {
    if shell::is_on_path("cmake") {
        "box3d,jolt"
    } else {
        println!("there is no cmake on the PATH, so Jolt is left out");
        "box3d"
    }
}

/// What `compare` prints.
pub(crate) fn compare(features: &str, arguments: &[&str]) -> Result<String> {
    // What is compared is built by the compiler's default flags.
    let output = shell::without_flags(&mut Command::new("cargo"))
        .args(["run", "--release", "--features", features, "--", "--markdown"])
        .args(arguments)
        .current_dir(workspace::root().join(COMPARE))
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start `cargo run` in crates/bench/compare")?;
    let text = String::from_utf8(output.stdout).context("compare printed no text")?;
    ensure!(output.status.success(), "compare ended with {}, after it had printed\n\n{text}", output.status);
    Ok(text)
}

/// What is measured on, when, how often, by which compiler, and how busy the machine is with other things before it begins.
fn machine(options: &Options) -> Result<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = shell::capture(Command::new("rustc").arg("--version").current_dir(workspace::root()))?;
    let rustc = rustc.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let date = shell::capture(Command::new("date").args(["--utc", "+%Y-%m-%d"]))?;
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().map(|load| format!(" Its load was {load} before it began."));
    Ok(format!(
        "Measured on a machine that calls itself “{model}” ({}), with {cores} cores, by {rustc}, on {}: {} runs.{}",
        std::env::consts::ARCH,
        date.trim(),
        options.repeat,
        load.unwrap_or_default()
    ))
}

/// The page with something else between the two comments of a part.
pub(crate) fn replace(page: &str, part: &str, content: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {part}: begin -->"), format!("<!-- {part}: end -->"));
    let split = || {
        let (before, rest) = page.split_once(&begin)?;
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    };
    let (before, after) = split().with_context(|| format!("there is no {begin} … {end}"))?;
    Ok(format!("{before}{begin}\n\n{}\n\n{end}{after}", content.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_comments_of_a_part_is_replaced() {
        let page = "a <!-- tables: begin -->old<!-- tables: end --> b <!-- cost: begin --><!-- cost: end -->";
        let replaced = replace(page, "tables", "new\n").unwrap();
        assert_eq!(
            replaced,
            "a <!-- tables: begin -->\n\nnew\n\n<!-- tables: end --> b <!-- cost: begin --><!-- cost: end -->"
        );
        assert_eq!(replace(&replaced, "tables", "new").unwrap(), replaced);
        assert!(replace("a", "cost", "").unwrap_err().to_string().contains("<!-- cost: begin -->"));
    }
}
