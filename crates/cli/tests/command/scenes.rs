//! Scenes without logs, and this build.

use crate::run::isostep;
use std::fs;
use tempfile::tempdir;

#[test]
fn scenes_are_listed_run_and_drawn() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    isostep(here, "scenes").ends_with(0).prints(&["| pyramid ", "| arena "]);
    isostep(here, "run stacks --size 1 --ticks 5").ends_with(0).prints(&["narrowphase", "hash "]);
    isostep(here, "run arena --size 2 --ticks 5").ends_with(0).prints(&["goals ", "hash "]);
    isostep(here, "render stacks --scene-size 1 --tick 2").ends_with(0).prints(&["stacks-2.svg"]);
    assert!(fs::read_to_string(here.join("stacks-2.svg")).unwrap().starts_with("<svg "));
}

#[test]
fn this_build_checks_itself() {
    let folder = tempdir().unwrap();
    isostep(folder.path(), "check").ends_with(0).prints(&["Verdict: bit-identical"]);
}

#[test]
fn scenes_are_timed() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let run = isostep(here, "bench stacks arena --small --ticks 4 --repeat 2").ends_with(0);
    run.prints(&["worst tick", "solve", "whole snapshot", "| stacks ", "| arena "]);
    let json = isostep(here, "bench stacks --small --ticks 4 --repeat 2 --json").ends_with(0).json();
    assert_eq!((&json["ticks"], &json["scenes"][0]["scene"]), (&4.into(), &"stacks".into()));
    assert!(json["scenes"][0]["mean_ns"]["solve"].is_u64());
    let threads =
        isostep(here, "bench stacks --small --ticks 4 --repeat 2 --threads 2 --json").ends_with(0).json();
    assert_eq!(threads["scenes"][0]["hash"], json["scenes"][0]["hash"], "the same on two threads");
    isostep(here, "bench nothing").refuses(&["nothing", "pyramid"]);
}
