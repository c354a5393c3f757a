//! A scene in a process of its own: for what is of a whole process, its memory and its environment.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use isostep_compare_scene::Scene;

use crate::engine::EngineName;
use crate::timing::{Contestant, once};

/// What a child tells.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    /// How long each step took, in seconds.
    pub(crate) times: Vec<f64>,
    /// The most memory that the process ever had in use, less what it had before it built the world, in bytes. Linux alone
    /// says.
    pub(crate) peak_memory: Option<u64>,
}

/// What a child is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) contestant: Contestant,
    /// Whether the state is hashed after each step, as part of it.
    pub(crate) hashing: bool,
    /// A variable of the environment and its value.
    pub(crate) variable: Option<(&'a str, &'a str)>,
}

impl Request<'_> {
    /// Nothing but steps, in the environment of this process.
    pub(crate) const fn plain(contestant: Contestant) -> Self {
        Self { contestant, hashing: false, variable: None }
    }
}

/// Runs this program again, with the file of a scene of so many steps.
pub(crate) fn run(request: Request, scene: &Path, steps: usize) -> Result<Report> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(program);
    let Contestant { engine, threads } = request.contestant;
    let name = engine.to_possible_value().expect("no engine is hidden");
    command.args(["--child", name.get_name(), "--child-threads", &threads.to_string()]);
    if request.hashing {
        command.arg("--child-hashing");
    }
    command.arg(scene);
    if let Some((variable, value)) = request.variable {
        command.env(variable, value);
    }
    let output = command.output().context("cannot start this program again")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim_end());
    let words = String::from_utf8(output.stdout).context("a child told no text")?;
    let mut words = words.split_whitespace();
    let peak_memory = words.next().and_then(|memory| memory.parse().ok());
    Ok(Report { peak_memory, times: times_told("a child", words, steps)? })
}

/// How long each step took, in seconds, as a process told that had so many to take.
pub(crate) fn times_told<'a>(
    who: &str,
    words: impl Iterator<Item = &'a str>,
    steps: usize,
) -> Result<Vec<f64>> {
    let times = words.map(|time| time.parse().with_context(|| format!("{who} told {time:?}")));
    let times: Vec<f64> = times.collect::<Result<_>>()?;
    ensure!(times.len() == steps, "{who} told of {} steps instead of {steps}", times.len());
    Ok(times)
}

/// What the child does: steps a scene once, and prints what [`run`] reads.
pub(crate) fn be(engine: EngineName, threads: usize, hashing: bool, scene: &Path) -> Result<()> {
    let scene = Scene::read(scene)?;
    let before = status("VmRSS:");
    let (times, _, _world) = once(Contestant { engine, threads }, &scene, hashing)?;
    let memory = status("VmHWM:").zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let memory = memory.map_or("-".to_owned(), |bytes| bytes.to_string());
    let times: Vec<String> = times.iter().map(f64::to_string).collect();
    println!("{memory} {}", times.join(" "));
    Ok(())
}

/// A size that Linux tells of this process, in bytes: what it has in memory (`VmRSS:`), or the most that it ever had
/// (`VmHWM:`).
fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
