//! Scenes without logs, and this build.

use crate::files;
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

#[test]
fn what_takes_weeks_or_has_no_effect_is_refused() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("log.isr"), files::ball(false)).unwrap();
    for (arguments, text) in [
        ("run pyramid --ticks 4294967295", "67108864"),
        ("run arena --ticks 4294967295", "67108864"),
        ("run arena --awake", "--awake is for scenes only"),
        (
            "render pyramid --scene-size 1 --tick 18446744073709551615",
            "scenes are stepped up to tick 67108864",
        ),
        ("render arena --tick 67108865", "scenes are stepped up to tick 67108864"),
        ("render arena --awake", "--awake is for scenes only"),
        ("render log.isr --awake", "--awake is for scenes only"),
        ("render log.isr --scene-size 3", "--scene-size is for scenes only"),
        ("render pyramid --valid-part", "--valid-part is for logs only"),
        ("render arena --valid-part", "--valid-part is for logs only"),
        ("render pyramid --columns 7", "--every"),
        ("verify log.isr --jobs 0", "0 is not in 1.."),
        ("inspect log.isr --tick 3 --blocks", "cannot be used with"),
    ] {
        isostep(here, arguments).refuses(&[text]);
    }
    isostep(here, "run stacks --size 1 --ticks 0").ends_with(0);
}
