//! What the command says of itself.

use crate::run::{isostep, isostep_with};
use std::path::Path;

const COMMANDS: [&str; 11] =
    ["replay", "verify", "record", "diff", "inspect", "hash", "render", "scenes", "run", "bench", "check"];

#[test]
fn every_command_has_examples_of_itself() {
    let here = Path::new(".");
    isostep(here, "--help").ends_with(0).prints(&["Examples:", "Exit code:"]).prints(&COMMANDS);
    for command in COMMANDS {
        let example = format!("  isostep {command}");
        isostep(here, &format!("{command} --help")).ends_with(0).prints(&["Examples:\n", &example]);
    }
}

#[test]
fn no_other_command_is_without_a_test_of_its_help() {
    let help = isostep(Path::new("."), "--help").out;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    // What a narrow terminal wraps is indented further.
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let mut names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
    names.retain(|name| *name != "help");
    let mut known = COMMANDS.to_vec();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(names, known);
}

#[test]
fn what_makes_no_sense_ends_with_code_2() {
    let here = Path::new(".");
    for arguments in
        ["nonsense", "verify", "diff one", "record", "run nothing", "render x --size 5", "bench --repeat 0"]
    {
        isostep(here, arguments).refuses(&["error:"]);
    }
}

#[test]
fn lanes_that_nobody_has_are_refused() {
    let here = Path::new(".");
    isostep_with(here, "scenes", ("ISOSTEP_LANES", "scalar")).ends_with(0);
    isostep_with(here, "scenes", ("ISOSTEP_LANES", "avx")).refuses(&[
        "error: ISOSTEP_LANES: unknown lane level \"avx\": expected scalar, neon, avx2 or avx512",
    ]);
}
