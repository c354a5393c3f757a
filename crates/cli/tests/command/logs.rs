//! Recording, replaying, verifying, hashing, inspecting and drawing logs.

use crate::files::{self, TICKS};
use crate::run::isostep;
#[cfg(unix)]
use crate::run::isostep_of;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use tempfile::tempdir;

#[test]
fn without_arguments_a_match_is_replayed_to_the_bit() {
    let folder = tempdir().unwrap();
    let run = isostep(folder.path(), "").ends_with(0);
    run.prints(&[
        "ticks",
        "players",
        "bodies",
        "contacts",
        "µs per tick",
        "× real time",
        "passed",
        "bit-identical",
    ]);
}

#[test]
fn what_was_recorded_replays() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let recorded =
        isostep(here, "record --scene arena --players 2 --ticks 70 --seed 3 -o match.isr").ends_with(0);
    let hash = recorded.out.trim().rsplit(' ').next().unwrap().to_owned();
    isostep(here, "replay match.isr").ends_with(0).prints(&[
        "bit-identical",
        &hash,
        "70 passed",
        "2 players",
    ]);
    let json = isostep(here, "replay --json match.isr").ends_with(0).json();
    assert_eq!(
        (&json["verdict"], &json["ticks"], &json["hash"]),
        (&"identical".into(), &70.into(), &hash.into())
    );

    // The same words give the same bytes.
    isostep(here, "record --scene arena --players 2 --ticks 70 --seed 3 -o again.isr").ends_with(0);
    assert!(fs::read(here.join("match.isr")).unwrap() == fs::read(here.join("again.isr")).unwrap());
    isostep(here, "diff match.isr again.isr").ends_with(0).prints(&["equal"]);
}

#[test]
fn a_scene_is_recorded_as_the_commands_that_build_it() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let options = "--size 2 --ticks 30 --traces --hash-interval 10 --keyframes 15";
    isostep(here, &format!("record --scene stacks {options} -o stacks.isr")).ends_with(0);
    isostep(here, "replay stacks.isr").ends_with(0).prints(&["3 passed", "2 compared", "commands (stacks)"]);
    let inspected = isostep(here, "inspect stacks.isr").ends_with(0);
    inspected.prints(&["AddBody", "AddCollider", "every 10 ticks, with traces", "gravity [0, -9.81, 0]"]);
}

#[test]
fn joints_are_listed_with_what_they_measure() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("joined.isr"), files::joined()).unwrap();
    isostep(here, "inspect joined.isr").ends_with(0).prints(&["AddJoint"]);
    let run = isostep(here, "inspect --tick 1 joined.isr").ends_with(0);
    let rows: Vec<_> = run.out.lines().filter(|line| line.starts_with("| joint ")).collect();
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let expected =
        ["", "joint 0.0", "distance", "body 0.0 and body 1.0", "", "", "2.000", "2.000", "0x0", ""];
    assert_eq!(cells(rows[0]), expected, "{}", run.out);
    let expected =
        ["", "joint 1.0", "hinge", "body 1.0 and body 2.0", "0.000", "0.000", "0.000", "0.000", "0xab", ""];
    assert_eq!(cells(rows[1]), expected);
    assert!(run.out.ends_with("2 joints\n"), "{}", run.out);
    // At the start there are none.
    assert!(!isostep(here, "inspect --tick 0 joined.isr").ends_with(0).out.contains("joint"));
}

#[test]
fn a_recording_appears_when_it_is_whole() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    isostep(here, "record --ticks 5 -o no/such/folder.isr")
        .refuses(&["cannot write no/such/folder.isr: entity not found in the folder no/such\n"]);
    isostep(here, "record --ticks 5 -o .").refuses(&["cannot write ."]);
    isostep(here, "record --scene stacks --players 3 -o x.isr").refuses(&["--players is for arena only"]);
    isostep(here, "record --scene arena --size 3 -o x.isr").refuses(&["--size is for scenes only"]);
    isostep(here, "record --scene joint-grid --size 130 --ticks 1 -o x.isr")
        .refuses(&["cannot record x.isr: commands of a tick: 65537, and at most 65536 is allowed"]);
    assert_eq!(fs::read_dir(here).unwrap().count(), 0);
}

#[test]
fn many_logs_are_verified_at_once() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    fs::write(here.join("ball.isr"), files::ball(true)).unwrap();
    fs::write(here.join("other.isr"), files::another_ball(true)).unwrap();
    let run = isostep(here, "verify ball.isr arena.isr ball.isr").ends_with(0);
    assert_eq!(run.err, "", "a progress bar is for terminals");
    run.prints(&["3 logs: 3 identical, 0 diverged, 0 unreadable; 270 ticks"]);

    let run = isostep(here, "verify arena.isr other.isr").ends_with(1);
    run.prints(&[
        "2 logs: 1 identical, 1 diverged",
        "other.isr diverged at tick 40",
        "linear_velocity.y",
        "body 1.0",
    ]);

    let run = isostep(here, "verify --jobs 1 other.isr missing.isr arena.isr").ends_with(2);
    run.prints(&["1 identical, 1 diverged, 1 unreadable", "missing.isr: it cannot be read"]);

    let json = isostep(here, "verify --json arena.isr other.isr missing.isr").ends_with(2).json();
    assert_eq!(json["verdict"], "unreadable");
    let verdicts: Vec<_> =
        json["logs"].as_array().unwrap().iter().map(|log| log["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["identical", "diverged", "unreadable"]);
    assert_eq!(json["logs"][1]["divergence"]["numbers"][0]["field"], "linear_velocity.y");
}

#[test]
fn the_hashes_of_a_log_are_those_of_its_replay() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    let replayed = isostep(here, "hash arena.isr").ends_with(0);
    assert_eq!(replayed.out.lines().count() as u64, 1 + TICKS);
    assert_eq!(replayed.out, isostep(here, "hash --recorded arena.isr").ends_with(0).out);
    let some = isostep(here, "hash --every 60 arena.isr").ends_with(0).out;
    assert_eq!(some.lines().count(), 3);
    assert!(some.lines().all(|line| replayed.out.contains(line)));
    assert_eq!(some, isostep(here, "hash --recorded --every 60 arena.isr").ends_with(0).out);
    isostep(here, "hash missing.isr").refuses(&["missing.isr: it cannot be read"]);
}

#[test]
fn hashes_of_a_replay_that_are_not_those_of_the_log_come_with_a_warning() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("ours.isr"), files::ball(false)).unwrap();
    fs::write(here.join("theirs.isr"), files::another_ball(false)).unwrap();
    // What the other machine had is in its log only: a replay of it here gives what this machine has.
    let replayed = isostep(here, "hash --every 60 theirs.isr").ends_with(1);
    assert_eq!(replayed.out, isostep(here, "hash --every 60 ours.isr").ends_with(0).out);
    for text in ["theirs.isr: from tick 40 on", "--recorded"] {
        assert!(replayed.err.contains(text), "{text:?} is missing: {replayed:?}");
    }
    let recorded = isostep(here, "hash --recorded --every 60 theirs.isr").ends_with(0);
    assert_eq!((recorded.out.lines().count(), recorded.err.as_str()), (3, ""));
    assert_ne!(recorded.out, replayed.out);
    fs::write(here.join("theirs.hashes"), recorded.out).unwrap();
    isostep(here, "diff ours.isr theirs.hashes").ends_with(1).prints(&["differ at tick 60"]);
}

#[test]
fn nobody_has_to_read_all_that_is_printed() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("arena.isr"), files::arena()).unwrap();
    fs::write(folder.path().join("other.isr"), files::another_ball(true)).unwrap();
    fs::write(folder.path().join("pong.isr"), files::long_pong(5000)).unwrap();
    // The last one prints more than a pipe and a buffer hold.
    for (arguments, code) in [
        (&["scenes"][..], 0),
        (&["hash", "arena.isr"], 0),
        (&["inspect", "arena.isr", "--blocks"], 0),
        (&["check"], 0),
        (&["verify", "other.isr"], 1),
        (&["verify", "--json", "arena.isr", "other.isr"], 1),
        (&["replay", "other.isr"], 1),
        (&["diff", "other.isr", "arena.isr"], 1),
        (&["verify", "missing.isr"], 2),
        (&["hash", "--recorded", "pong.isr"], 0),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_isostep"))
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe is closed after a line of the long one, at once of the others.
        let out = child.stdout.take().unwrap();
        if arguments.contains(&"pong.isr") {
            let mut line = String::new();
            BufReader::with_capacity(16, out).read_line(&mut line).unwrap();
        } else {
            drop(out);
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

#[test]
fn a_log_is_laid_open() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    let texts = [
        "isostep-arena",
        "seed",
        "0 to 90: 1.500 s at 60 Hz",
        "last hash",
        "| ticks",
        "keyframes",
        "idle ticks",
    ];
    isostep(here, "inspect arena.isr").ends_with(0).prints(&texts);
    isostep(here, "inspect --blocks arena.isr").ends_with(0).prints(&["offset", "80 to 89", "| keyframe |"]);
    let run = isostep(here, "inspect arena.isr --tick 45").ends_with(0);
    run.prints(&["at tick 45, hash ", "| dynamic", "| kinematic", "body 0.0", "velocity", "user data"]);
    isostep(here, "inspect arena.isr --tick 91").refuses(&["arena.isr: tick 91: the log has ticks 0 to 90"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_looked_at_is_not_said_to_be_missing() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    isostep(here, "render arena.isr/x").refuses(&["arena.isr/x: it cannot be read: Not a directory"]);
    isostep(here, "render nothing.isr").refuses(&["neither a scene nor a file is called nothing.isr"]);
}

#[cfg(unix)]
#[test]
fn a_log_is_drawn_whatever_its_name_is() {
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    let folder = tempdir().unwrap();
    let here = folder.path();
    let name = Path::new(std::ffi::OsStr::from_bytes(b"\xff.isr"));
    fs::write(here.join(name), files::arena()).unwrap();
    isostep_of(here, "render -o frame.svg", name).ends_with(0).prints(&["frame.svg"]);
}

#[test]
fn a_log_is_drawn() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    isostep(here, "render arena.isr --tick 70 -o frame.svg").ends_with(0).prints(&["frame.svg"]);
    let picture = fs::read_to_string(here.join("frame.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains("arena, tick 70, hash "));
    isostep(here, "render arena.isr --tick 90 --every 30 --columns 2 --size 320x180 -o sheet.svg")
        .ends_with(0);
    let sheet = fs::read_to_string(here.join("sheet.svg")).unwrap();
    assert_eq!(sheet.matches("tick ").count(), 4);
    isostep(here, "render arena.isr --tick 91").refuses(&["tick 91: the log has ticks 0 to 90"]);
    isostep(here, "render nothing.isr --tick 1")
        .refuses(&["neither a scene nor a file is called nothing.isr"]);
}

#[test]
fn a_contact_sheet_ends_with_the_tick_that_is_wanted() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("arena.isr"), files::arena()).unwrap();
    isostep(here, "render arena.isr --tick 65 --every 20 --size 320x180 -o sheet.svg").ends_with(0);
    let sheet = fs::read_to_string(here.join("sheet.svg")).unwrap();
    let captions: Vec<_> = sheet.split("tick ").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert_eq!(captions, ["5", "25", "45", "65"]);
}

#[test]
fn a_contact_sheet_of_a_log_that_starts_late_is_drawn_at_once() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let first = 1_u64 << 62;
    fs::write(here.join("late.isr"), files::late(first)).unwrap();
    let last = first + 2;
    isostep(here, &format!("render late.isr --tick {last} --every 1 -o sheet.svg")).ends_with(0);
    let sheet = fs::read_to_string(here.join("sheet.svg")).unwrap();
    assert_eq!(sheet.matches("tick ").count(), 3);
    isostep(here, "render late.isr --tick 5 --every 1").refuses(&["tick 5: the log has ticks"]);
    isostep(here, &format!("render late.isr --tick {} --every 1", u64::MAX))
        .refuses(&["frames: there must be"]);
}

#[test]
fn a_note_says_nothing_to_the_terminal() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let note = "é \"quoted\"\u{1b}[31m\nVerdict: bit-identical\u{202e}";
    fs::write(here.join("note.isr"), files::empty(note)).unwrap();
    // A replay finds no hash to compare with.
    for (command, code) in [("inspect", 0), ("replay", 2)] {
        let out = isostep(here, &format!("{command} note.isr")).ends_with(code).out;
        let escaped = r#"é "quoted"\u{1b}[31m\nVerdict: bit-identical\u{202e}"#;
        assert!(out.contains(escaped), "{command}: {out}");
    }
}
