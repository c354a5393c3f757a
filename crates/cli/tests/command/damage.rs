//! What the command says of logs that are cut, changed, or not for it.

use crate::files::{self, TICKS};
use crate::run::isostep;
use std::fs;
use tempfile::tempdir;

/// Commands that read a log and want all of it.
const READERS: [&str; 5] = ["replay", "verify", "hash", "inspect", "diff bad.isr"];

#[test]
fn of_a_cut_log_all_that_is_whole_plays() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let log = files::arena();
    fs::write(here.join("bad.isr"), &log[..log.len() * 3 / 4]).unwrap();
    for reader in READERS {
        let run = isostep(here, &format!("{reader} bad.isr")).ends_with(2);
        let said = run.out + &run.err;
        for text in ["bad.isr: it ends at byte ", "ticks before that are whole", "--valid-part"] {
            assert!(said.contains(text), "{reader}: {text:?} is missing in {said}");
        }
    }
    let run = isostep(here, "replay --valid-part bad.isr").ends_with(0);
    run.prints(&["Damaged: it ends at byte ", "bit-identical"]);
    isostep(here, "verify --valid-part bad.isr")
        .ends_with(0)
        .prints(&["as far as it is whole", "1 identical"]);
    let hashes = isostep(here, "hash --valid-part bad.isr").ends_with(0).out.lines().count() as u64;
    assert!((20..TICKS).contains(&hashes), "{hashes}");
    let json = isostep(here, "replay --json --valid-part bad.isr").ends_with(0).json();
    assert_eq!(json["ticks"], hashes - 1);
    assert!(json["damage"].as_str().unwrap().starts_with("it ends at byte "));

    fs::write(here.join("good.isr"), &log).unwrap();
    isostep(here, "diff --valid-part good.isr bad.isr")
        .ends_with(1)
        .prints(&["differ: one ends with tick 90"]);
}

#[test]
fn a_log_with_nothing_to_compare_is_not_called_identical() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("unknown.isr"), files::unknown_ball()).unwrap();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    isostep(here, "replay --valid-part unknown.isr").ends_with(2).prints(&["Verdict: nothing to compare"]);
    let json = isostep(here, "replay --json --valid-part unknown.isr").ends_with(2).json();
    assert_eq!((&json["verdict"], &json["ticks"]), (&"uncompared".into(), &30.into()));
    let run = isostep(here, "verify --valid-part arena.isr unknown.isr").ends_with(2);
    run.prints(&[
        "| NOTHING TO COMPARE",
        "1 identical, 0 diverged, 0 unreadable, 1 with nothing to compare; 120 ticks",
    ]);
    let json = isostep(here, "verify --json --valid-part arena.isr unknown.isr").ends_with(2).json();
    assert_eq!((&json["verdict"], &json["logs"][1]["verdict"]), (&"uncompared".into(), &"uncompared".into()));
}

#[test]
fn a_log_that_was_finished_in_another_state_is_not_identical() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("bad.isr"), files::finished_elsewhere()).unwrap();
    isostep(here, "verify bad.isr").ends_with(1).prints(&[
        "bad.isr diverged at tick 2",
        "last hash, of tick 2: in the index ",
        "was finished in another state",
    ]);
    let json = isostep(here, "verify --json bad.isr").ends_with(1).json();
    assert_eq!(json["logs"][0]["divergence"]["cause"], "last_hash");
}

#[test]
fn of_a_log_without_ticks_the_state_that_it_starts_from_is_compared() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("good.isr"), files::without_ticks(0)).unwrap();
    fs::write(here.join("bad.isr"), files::without_ticks(1)).unwrap();
    isostep(here, "verify good.isr").ends_with(0).prints(&["1 identical"]);
    isostep(here, "replay good.isr").ends_with(0).prints(&["1 passed"]);
    let hashes = isostep(here, "hash good.isr").ends_with(0).out;
    assert_eq!(hashes, isostep(here, "hash --recorded good.isr").ends_with(0).out);
    assert_eq!(hashes.lines().count(), 2);
    let texts = ["bad.isr diverged at tick 0", "last hash, of tick 0", "it was finished in another state"];
    isostep(here, "verify bad.isr").ends_with(1).prints(&texts);
    assert_eq!(isostep(here, "hash bad.isr").ends_with(1).out, hashes);
}

#[test]
fn a_changed_byte_is_placed() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let mut log = files::arena();
    let place = log.len() / 2;
    log[place] ^= 0x10;
    fs::write(here.join("bad.isr"), &log).unwrap();
    let run =
        isostep(here, "replay bad.isr").refuses(&["bad.isr: the ", "at byte ", "is damaged", "are whole"]);
    let offset = run.err.split("at byte ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(offset.parse::<usize>().unwrap() <= place, "{run:?}");
    isostep(here, "replay --valid-part bad.isr").ends_with(0);
}

#[test]
fn a_header_that_is_damaged_leaves_nothing() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let mut log = files::arena();
    log[50] ^= 1;
    fs::write(here.join("bad.isr"), &log).unwrap();
    for reader in READERS {
        let run = isostep(here, &format!("{reader} bad.isr")).ends_with(2);
        let said = run.out + &run.err;
        assert!(said.contains("bad.isr: the header at byte 16 is damaged"), "{reader}: {said}");
        assert!(said.contains("take another copy"), "{reader}: {said}");
    }
}

#[test]
fn other_versions_are_refused_with_both_numbers() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let mut log = files::arena();
    log[12..16].copy_from_slice(&77_u32.to_le_bytes());
    fs::write(here.join("bad.isr"), &log).unwrap();
    let ours = format!("a log of simulation 77: this program steps {}", isostep_step::SIM_VERSION);
    isostep(here, "replay bad.isr").refuses(&[
        "bad.isr: ",
        &ours,
        "at byte 12",
        "replay it with a program of the isostep",
    ]);
    log[8..12].copy_from_slice(&9_u32.to_le_bytes());
    fs::write(here.join("bad.isr"), &log).unwrap();
    let ours = format!("a log of format 9: this program reads {}", isostep_replay::FORMAT_VERSION);
    isostep(here, "replay bad.isr").refuses(&[&ours, "at byte 8"]);
}

#[test]
fn what_is_no_log_is_named() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("text.isr"), "not a log").unwrap();
    fs::write(here.join("bytes.isr"), [0xFF; 100]).unwrap();
    fs::write(here.join("empty.isr"), "").unwrap();
    isostep(here, "replay text.isr").refuses(&["text.isr: no log", "at byte 0", "isostep record"]);
    isostep(here, "replay empty.isr").refuses(&["empty.isr: ", "ends at byte 0"]);
    isostep(here, "diff text.isr text.isr")
        .refuses(&["text.isr: neither a log nor a stream of hashes: line 1"]);
    isostep(here, "diff bytes.isr text.isr").refuses(&["bytes.isr: no log"]);
    isostep(here, "diff empty.isr text.isr").refuses(&["empty.isr: ", "it is empty"]);
    isostep(here, "replay .").refuses(&[".: it cannot be read"]);
}

#[test]
fn a_game_that_is_not_linked_is_named_with_those_that_are() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("pong.isr"), files::pong()).unwrap();
    let texts = [
        "pong.isr: ",
        "version 3 of the game \"pong\"",
        "this program links \"isostep-arena\" (version 2)",
        "a program that links this version of the game does",
    ];
    for reader in ["replay", "hash", "inspect --tick 1", "render"] {
        isostep(here, &format!("{reader} pong.isr")).refuses(&texts);
    }
    isostep(here, "verify pong.isr").ends_with(2).prints(&texts);
    isostep(here, "inspect pong.isr").ends_with(0).prints(&["\"pong\", version 3"]);
    isostep(here, "hash --recorded pong.isr").ends_with(0).prints(&["1 00000000000000000000000000001234"]);
    isostep(here, "diff pong.isr pong.isr").ends_with(0);
}

#[test]
fn a_log_whose_world_is_not_the_one_of_its_header_is_not_identical() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("moon.isr"), files::on_the_moon()).unwrap();
    let text = "gravity of the world in the keyframe of tick 0 is ";
    isostep(here, "verify moon.isr").ends_with(2).prints(&["moon.isr: ", text, "-1.625", "-9.81"]);
    isostep(here, "replay moon.isr").refuses(&["moon.isr: ", text]);
}
