//! Running one row's test programs, natively, under qemu or under node. Those of i686 run natively, too, where they can.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::build::Program;
use super::digest::Digest;
use super::rows::{Machine, Profile, Row};
use crate::{shell, workspace};

/// After this long a test program hangs. The slowest emulator stays far below.
const LIMIT_SECONDS: &str = "600";

/// Property tests draw fewer cases where every instruction is emulated.
const EMULATED_PROPTEST_CASES: &str = "32";

/// Tells the tests of recorded logs to take parts of them, where all would take minutes.
const SHORT_LOGS: &str = "ISOSTEP_SHORT_LOGS";

/// Tells the comparisons with exact arithmetic how many pairs of shapes to draw: the machine's own `cargo test` draws
/// more, and a row only has to show that its compiler did not break one of them.
const PAIRS: &str = "ISOSTEP_PAIRS";
const USUAL_PAIRS: &str = "1000";
/// Where every instruction is emulated, or nothing is optimised.
const SLOW_PAIRS: &str = "100";

/// The tests that are the same in every row, so that `cargo test` alone has them: those that build the libraries in release by
/// themselves, and one of what is in logs, which plays two of them whole.
const SAME_IN_EVERY_ROW: [&str; 2] = ["the_release_libraries_", "players_who_shoot_bring_bodies"];

/// Tests of what is in lanes side by side, for where there is more than one.
const OF_LANES: &str = "that_share_lanes_do_not_see_each_other";

/// Tests that take minutes without optimisation, of what others of the same files show there, too; and a search for floats in
/// kernels that nobody ships. `cargo test` has all of them, with the same assertions and overflow checks.
const SLOW_UNOPTIMIZED: [&str; 11] = [
    OF_LANES,
    "a_changed_bit_in_ten_minutes_is_named",
    "the_instantiated_kernels_have_no_float_instruction",
    "every_scene_goes_on_in_a_new_process",
    "every_scene_is_the_same_on_any_number_of_threads",
    "every_tangle_is_the_same_on_any_number_of_threads",
    "eight_players_for_a_minute",
    "four_players_for_two_minutes",
    "a_match_of_players_who_never_stop_to_shoot",
    "a_match_that_is_rolled_back_all_the_time",
    // The logs of scenes, which the tests of scenes step there.
    "logs::the_",
];

/// Tests of how little ten million roundings add up to. Emulated, they take half a minute, and the golden digest has the bits of
/// each: on PCs they say what these are good for.
const SLOW_EMULATED: [&str; 2] =
    ["integrated_rotations_keep_their_length_for_ten_million_steps", "integrated_angles_do_not_drift"];

/// What came of running a row's programs.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// How many tests passed.
    pub(crate) passed: usize,
    /// What `determinism` printed.
    pub(crate) digest: Option<Digest>,
    /// What went wrong, if anything.
    pub(crate) failure: Option<String>,
    /// The last words of the first program that failed.
    pub(crate) last_words: String,
    /// How long all of it took.
    pub(crate) time: Duration,
}

/// Runs all `programs`, also after one has failed; their output goes to `log`.
pub(crate) fn execute(row: &Row, programs: &[Program], log: &Path) -> Result<Runs> {
    let start = Instant::now();
    let mut runs = Runs::default();
    let mut failures: Vec<String> = Vec::new();
    for program in programs {
        let all_well = failures.is_empty();
        let before = fs::metadata(log).map_or(0, |data| data.len());
        let file = shell::append(log)?;
        let errors = file.try_clone().with_context(|| format!("cannot write {}", log.display()))?;
        let status = command(row, program)
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(errors)
            .status()
            .with_context(|| format!("cannot run {} of {}", program.name, row.name))?;
        let output = fs::read(log).with_context(|| format!("cannot read {}", log.display()))?;
        let from = usize::try_from(before).unwrap_or(usize::MAX).min(output.len());
        let output = String::from_utf8_lossy(&output[from..]);
        runs.passed += tests_passed(&output);
        if program.is_determinism() {
            runs.digest = Digest::parse(&output);
            if runs.digest.is_none() {
                failures.push("`determinism` printed no `digest all`".to_owned());
            }
        }
        match status.code() {
            Some(0) => {}
            Some(124) => failures.push(format!("`{}` still ran after {LIMIT_SECONDS} s", program.name)),
            _ => failures.push(format!("`{}` ended with {status}", program.name)),
        }
        if all_well && !failures.is_empty() {
            runs.last_words = shell::last_lines(&output);
        }
    }
    runs.failure = (!failures.is_empty()).then(|| failures.join("; "));
    runs.time = start.elapsed();
    Ok(runs)
}

/// One program's call as `cargo test` would make it: in its package's folder, with the variables cargo would set.
///
/// The golden test is told the workspace (else `insta` asks a cargo that a foreign target cannot start) and never
/// writes snapshots.
fn command(row: &Row, program: &Program) -> Command {
    let mut words: Vec<OsString> = match &row.target.machine {
        Machine::Native => Vec::new(),
        Machine::Emulated { qemu, gcc, loader, .. } => {
            let libraries = format!("/usr/{gcc}/lib");
            let loader = loader.map(|name| format!("{libraries}/{name}")).filter(|loader| runs_here(loader));
            match loader {
                Some(loader) => vec![loader.into(), "--library-path".into(), libraries.into()],
                None => vec![qemu.into(), "-L".into(), format!("/usr/{gcc}").into()],
            }
        }
        Machine::Wasi => wasi_host(),
    };
    words.push(program.path.clone().into());
    if program.is_determinism() {
        words.push("--nocapture".into());
    }
    let emulated = !matches!(row.target.machine, Machine::Native);
    let unoptimized = matches!(row.profile, Profile::Debug);
    let slow: &[&str] = match (unoptimized, emulated) {
        (true, _) => &SLOW_UNOPTIMIZED,
        (false, true) => &SLOW_EMULATED,
        (false, false) => &[],
    };
    let of_lanes: &[&str] = if row.has_lanes() { &[] } else { &[OF_LANES] };
    let skipped = SAME_IN_EVERY_ROW.iter().chain(slow).chain(of_lanes);
    words.extend(skipped.flat_map(|name| ["--skip".into(), (*name).into()]));

    let mut command = Command::new("timeout");
    command
        .args(["--kill-after=5", LIMIT_SECONDS])
        .args(words)
        .current_dir(&program.package_dir)
        .env("CARGO_MANIFEST_DIR", &program.package_dir)
        .env("INSTA_WORKSPACE_ROOT", workspace::root())
        .env("INSTA_UPDATE", "no")
        .env("RUST_BACKTRACE", "0")
        .env_remove("INSTA_FORCE_PASS")
        .env_remove("ISOSTEP_LANES")
        .env_remove(SHORT_LOGS)
        .env(PAIRS, if unoptimized || emulated { SLOW_PAIRS } else { USUAL_PAIRS })
        .env_remove("LD_LIBRARY_PATH");
    if let Some(lanes) = row.lanes {
        command.env("ISOSTEP_LANES", lanes);
    }
    if emulated && std::env::var_os("PROPTEST_CASES").is_none() {
        command.env("PROPTEST_CASES", EMULATED_PROPTEST_CASES);
    }
    if !row.whole_logs {
        command.env(SHORT_LOGS, "1");
    }
    command
}

/// Whether the machine itself runs programs like this loader of another target.
fn runs_here(loader: &str) -> bool {
    let mut version = Command::new(loader);
    version.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// node as the host of a WASI module which sees the workspace under its real path.
fn wasi_host() -> Vec<OsString> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/targets/wasi.mjs");
    vec![
        "node".into(),
        "--no-warnings".into(),
        // Needed by node 18, accepted by its successors.
        "--experimental-wasi-unstable-preview1".into(),
        script.into(),
        workspace::root().into(),
    ]
}

/// The sum over lines like `test result: ok. 12 passed; 0 failed; …`.
fn tests_passed(output: &str) -> usize {
    output
        .lines()
        .filter_map(|line| line.split_once("test result: "))
        .filter_map(|(_, rest)| {
            let mut words = rest.split_whitespace();
            words.find(|word| word.bytes().all(|byte| byte.is_ascii_digit()))?.parse::<usize>().ok()
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::tests_passed;

    #[test]
    fn passed_tests_are_counted_over_all_closing_lines() {
        let output = "test a ... ok\ntest result: ok. 12 passed; 0 failed; 1 ignored\n\
                      test result: FAILED. 3 passed; 1 failed; 0 ignored\n";
        assert_eq!(tests_passed(output), 15);
    }
}
