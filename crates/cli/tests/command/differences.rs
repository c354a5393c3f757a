//! What the command says of two logs, or a log and hashes.

use crate::files::{self, PARTED};
use crate::run::isostep;
#[cfg(unix)]
use crate::run::isostep_reading;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn traces_name_the_body_the_field_and_both_values() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "ours.isr", files::ball(true));
    write(here, "theirs.isr", files::another_ball(true));
    let run = isostep(here, "diff ours.isr theirs.isr").ends_with(1);
    run.prints(&[
        "differ at tick 40; they are equal at tick 39",
        "Motions",
        "body 1.0",
        "linear_velocity.y",
        "0xffffffff",
        "-0.66",
    ]);

    let json = isostep(here, "diff --json ours.isr theirs.isr").ends_with(1).json();
    assert_eq!(
        (&json["verdict"], &json["tick"], &json["last_equal"]),
        (&"different".into(), &PARTED.into(), &39.into())
    );
    let number = &json["numbers"][0];
    assert_eq!(
        (&number["section"], &number["handle"], &number["slot"]),
        (&"Motions".into(), &"body 1.0".into(), &1.into())
    );
    let bits = [0, 1].map(|side| {
        let text = number["bits"][side].as_str().unwrap();
        u64::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap()
    });
    assert_eq!(bits[0] ^ bits[1], 4);
    assert_ne!(number["values"][0], number["values"][1]);
}

#[test]
fn a_replay_names_them_too() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "theirs.isr", files::another_ball(true));
    let run = isostep(here, "replay theirs.isr").ends_with(1);
    run.prints(&["diverged", "at tick 40", "equal at tick 39", "body 1.0", "linear_velocity.y"]);
    let json = isostep(here, "replay --json theirs.isr").ends_with(1).json();
    assert_eq!((&json["verdict"], &json["divergence"]["tick"]), (&"diverged".into(), &PARTED.into()));
}

#[test]
fn keyframes_name_the_field_later() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let [ours, theirs] = files::another_ball_in_keyframes();
    write(here, "ours.isr", ours);
    write(here, "theirs.isr", theirs);
    let run = isostep(here, "diff ours.isr theirs.isr").ends_with(1);
    run.prints(&[
        "differ at tick 60; they are equal at tick 30",
        "keyframe of tick 60",
        "| Motions | body 1.0 | center.y",
    ]);
    isostep(here, "replay theirs.isr")
        .ends_with(1)
        .prints(&["is not the recorded keyframe", "| body 1.0 | center.y"]);
    let json = isostep(here, "diff --json ours.isr theirs.isr").ends_with(1).json();
    assert_eq!((&json["keyframe"]["tick"], &json["keyframe"]["handle"]), (&60.into(), &"body 1.0".into()));
}

#[test]
fn hashes_name_the_tick() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "ours.isr", files::ball(false));
    write(here, "theirs.isr", files::another_ball(false));
    write(here, "ours.hashes", isostep(here, "hash ours.isr").ends_with(0).out);
    write(here, "theirs.hashes", isostep(here, "hash --recorded theirs.isr").ends_with(0).out);
    isostep(here, "diff ours.isr ours.hashes").ends_with(0).prints(&["equal: hashes of 90 ticks"]);
    isostep(here, "diff ours.hashes ours.hashes").ends_with(0);
    for pair in [
        "ours.isr theirs.hashes",
        "ours.hashes theirs.isr",
        "ours.hashes theirs.hashes",
        "ours.isr theirs.isr",
    ] {
        let run = isostep(here, &format!("diff {pair}")).ends_with(1);
        let texts = ["differ at tick 40; they are equal at tick 39", "Hashes tell no more"];
        if pair == "ours.isr theirs.isr" {
            // These have keyframes.
            run.prints(&texts[..1]);
        } else {
            run.prints(&texts);
        }
    }
    let [one, other] = ["ours.isr theirs.hashes", "theirs.hashes ours.isr"]
        .map(|pair| isostep(here, &format!("diff --json {pair}")).ends_with(1).json());
    assert_eq!((&one["hashes"][0], &one["hashes"][1]), (&other["hashes"][1], &other["hashes"][0]));
    let hashes = |lines: &str| format!("simulation {}\n{lines}\n", isostep_step::SIM_VERSION);
    write(here, "late.hashes", hashes("5000 00000000000000000000000000000000"));
    isostep(here, "diff ours.isr late.hashes").refuses(&["have no hash of the same tick"]);
    write(here, "bad.hashes", hashes("5 zz"));
    isostep(here, "diff ours.isr bad.hashes").refuses(&["bad.hashes: ", "line 2"]);
}

#[test]
fn what_cannot_be_read_is_named_whichever_side_it_is_on() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let broken = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/broken");
    let longer = fs::read(broken.join("bytes-after-the-end.isr")).unwrap();
    write(here, "sound.isr", &longer[..longer.len() - 4]);
    fs::copy(broken.join("compressed-content-is-shorter.isr"), here.join("bad.isr")).unwrap();
    let error = fs::read_to_string(broken.join("compressed-content-is-shorter.error")).unwrap();
    for sides in ["sound.isr bad.isr", "bad.isr sound.isr"] {
        let error = format!("error: bad.isr: {}", error.lines().next().unwrap());
        isostep(here, &format!("diff {sides}")).refuses(&[&error]);
    }
}

#[test]
fn hashes_are_read_in_the_encodings_that_shells_write() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "ours.isr", files::ball(false));
    write(here, "theirs.isr", files::another_ball(false));
    let text = isostep(here, "hash --recorded theirs.isr").ends_with(0).out.replace('\n', "\r\n");
    let units = || std::iter::once(0xFEFF).chain(text.encode_utf16());
    write(here, "marked.hashes", format!("\u{FEFF}{text}"));
    write(here, "little.hashes", units().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    write(here, "big.hashes", units().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
    for name in ["marked", "little", "big"] {
        isostep(here, &format!("diff ours.isr {name}.hashes")).ends_with(1).prints(&["differ at tick 40"]);
        isostep(here, &format!("diff {name}.hashes theirs.isr")).ends_with(0).prints(&["hashes of 90 ticks"]);
    }
    write(here, "odd.hashes", [0xFF, 0xFE, b's']);
    isostep(here, "diff ours.isr odd.hashes").refuses(&["odd.hashes: no log"]);
}

/// The other end of a pipe can be read once.
#[cfg(unix)]
#[test]
fn a_log_and_hashes_may_come_through_a_pipe() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "ours.isr", files::ball(false));
    let hashes = isostep(here, "hash --recorded ours.isr").ends_with(0).out;
    for input in [hashes.as_bytes(), &files::ball(false)] {
        for sides in [["ours.isr", "/dev/stdin"], ["/dev/stdin", "ours.isr"]] {
            isostep_reading(here, &format!("diff {}", sides.join(" ")), input)
                .ends_with(0)
                .prints(&["are equal: "]);
        }
    }
}

#[test]
fn states_that_nobody_compared_are_not_called_equal() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    let hashes = |hash: u128| format!("simulation {}\n40 {hash:032x}\n", isostep_step::SIM_VERSION);
    write(here, "one.hashes", hashes(1));
    write(here, "other.hashes", hashes(2));
    write(here, "ours.isr", files::ball(false));
    for sides in ["one.hashes other.hashes", "ours.isr one.hashes", "one.hashes ours.isr"] {
        isostep(here, &format!("diff {sides}"))
            .ends_with(1)
            .prints(&["differ at tick 40; nothing before was compared"]);
        let json = isostep(here, &format!("diff --json {sides}")).ends_with(1).json();
        assert!(json["last_equal"].is_null() && json["tick"] == PARTED, "{json}");
    }
    // Without hashes, what is done is all that is known to be equal.
    for (name, seen) in [("late.isr", 2), ("early.isr", 1)] {
        write(here, name, files::unhashed_pong(seen));
    }
    isostep(here, "diff late.isr early.isr")
        .ends_with(1)
        .prints(&["differ in what is done at tick 2; all that is done before is equal"]);
}

#[test]
fn inputs_and_headers_that_differ_are_no_divergence() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "arena.isr", files::arena());
    write(here, "ball.isr", files::ball(false));
    isostep(here, "diff arena.isr ball.isr").ends_with(1).prints(&["in the header", "kind: "]);
    for seed in [1, 2] {
        isostep(here, &format!("record --players 2 --ticks 20 --seed {seed} -o {seed}.isr")).ends_with(0);
    }
    let run = isostep(here, "diff 1.isr 2.isr").ends_with(1);
    run.prints(&["in the header", "seed: 1\n      2"]);
}

#[test]
fn after_a_refused_command_traces_are_advised_only_where_they_would_tell_something() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    for (hash_interval, text) in [
        (2, "The states may differ since tick 2: record with a hash of each tick and --traces"),
        (1, "The state before is the recorded one"),
    ] {
        fs::write(here.join("refused.isr"), files::refused(hash_interval)).unwrap();
        let run = isostep(here, "replay refused.isr").ends_with(1);
        let run = run.prints(&["tick 3 cannot be done: command 0 of the tick", text]);
        assert!(!run.out.contains("the log does not say"), "{run:?}");
        assert_eq!(run.out.contains("--traces"), hash_interval == 2, "{run:?}");
    }
}

#[test]
fn the_hash_that_a_log_ends_with_is_compared_with_the_other_log_s_of_that_tick() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "long.isr", files::long_pong(5));
    write(here, "long.hashes", isostep(here, "hash --recorded long.isr").ends_with(0).out);
    for (name, last) in [("other.isr", 9), ("short.isr", 3)] {
        write(here, name, files::untold_pong(3, 0, Some(last)));
    }
    for sides in ["other.isr long.isr", "long.isr other.isr", "other.isr long.hashes"] {
        let run = isostep(here, &format!("diff {sides}")).ends_with(1);
        run.prints(&["differ at tick 3; nothing before was compared"]);
    }
    isostep(here, "diff short.isr long.isr")
        .ends_with(1)
        .prints(&["one ends with tick 3, the other with tick 5"]);
}

#[test]
fn a_log_has_the_hashes_that_it_was_said_to_have() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "elsewhere.isr", files::finished_elsewhere());
    write(here, "elsewhere.hashes", isostep(here, "hash --recorded elsewhere.isr").ends_with(0).out);
    for sides in ["elsewhere.isr elsewhere.hashes", "elsewhere.hashes elsewhere.isr"] {
        isostep(here, &format!("diff {sides}")).ends_with(0).prints(&["equal: hashes of 2 ticks"]);
    }
}

#[test]
fn logs_without_a_state_in_common_are_not_called_equal() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "untold.isr", files::unhashed_pong(0));
    isostep(here, "diff untold.isr untold.isr")
        .ends_with(2)
        .prints(&["no state was compared: 3 ticks, hashes of 0 and keyframes of 0"]);
    let json = isostep(here, "diff --json untold.isr untold.isr").ends_with(2).json();
    assert_eq!(json["verdict"], "uncompared");
    for (name, keyframe) in [("one.isr", 1), ("other.isr", 2)] {
        write(here, name, files::untold_pong(4, keyframe, None));
    }
    isostep(here, "diff one.isr one.isr")
        .ends_with(0)
        .prints(&["equal: 4 ticks, hashes of 0 and keyframes of 1"]);
    // What both start from is no state that something came of.
    isostep(here, "record --scene pyramid --size 2 --ticks 70 --hash-interval 0 --keyframes 0 -o whole.isr")
        .ends_with(0);
    let whole = fs::read(here.join("whole.isr")).unwrap();
    write(here, "cut.isr", &whole[..whole.len() - 60]);
    isostep(here, "diff --valid-part cut.isr cut.isr")
        .ends_with(2)
        .prints(&["no state was compared", "hashes of 0 and keyframes of 0"]);
    // The header asks for a hash of each tick; that there is one is another thing.
    isostep(here, "diff one.isr other.isr")
        .ends_with(1)
        .prints(&["differ at tick 2; nothing before was compared"]);
}

#[test]
fn a_keyframe_that_is_another_one_names_the_field_though_there_is_a_trace() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "log.isr", files::another_keyframe());
    isostep(here, "verify log.isr").ends_with(1).prints(&[
        "the state at tick 60 is not the recorded keyframe",
        "equal at tick 59: the cause is after it",
        "gravity",
    ]);
    let json = isostep(here, "replay --json log.isr").ends_with(1).json();
    let divergence = &json["divergence"];
    assert_eq!((&divergence["tick"], &divergence["last_equal"]), (&60.into(), &59.into()));
    assert_eq!(divergence["keyframe"]["field"], "gravity");
}

#[test]
fn hashes_of_what_diverges_end_with_a_code_that_says_so() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "refused.isr", files::refused(1));
    write(here, "elsewhere.isr", files::finished_elsewhere());
    write(here, "theirs.isr", files::another_ball(false));
    for (log, lines, text) in [
        ("refused.isr", 4, "these end with tick 3, as what comes then cannot be done"),
        ("elsewhere.isr", 3, "the log was finished in another state"),
        ("theirs.isr", 91, "from tick 40 on, these are not the hashes that were recorded"),
    ] {
        let run = isostep(here, &format!("hash {log}")).ends_with(1);
        assert_eq!(run.out.lines().count(), lines, "{run:?}");
        assert!(run.err.contains(text), "{run:?}");
    }
}

#[test]
fn hashes_of_another_simulation_are_said_to_be_those() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "ours.isr", files::ball(false));
    write(here, "old.hashes", "simulation 1\n40 0123456789abcdef0123456789abcdef\n");
    let run = isostep(here, "diff ours.isr old.hashes");
    assert!(!run.err.contains("neither"), "{run:?}");
    run.refuses(&["old.hashes: line 1: hashes of simulation 1", "computes other bits"]);
    write(here, "text.hashes", "some text\n");
    isostep(here, "diff ours.isr text.hashes")
        .refuses(&["text.hashes: neither a log nor a stream of hashes"]);
}

#[test]
fn of_many_slots_that_differ_the_first_are_told_and_the_others_counted() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "many.isr", files::of_many());
    isostep(here, "verify many.isr").ends_with(1).prints(&["Bodies[0 1 2 3 4 5 6 7 and 992 more]"]);
    let json = isostep(here, "verify --json many.isr").ends_with(1).json();
    let column = &json["logs"][0]["divergence"]["trace"]["columns"][0];
    assert_eq!((column["slots"].as_array().unwrap().len(), &column["slot_count"]), (64, &1000.into()));
}

#[test]
fn a_trace_that_cannot_be_read_is_not_said_to_be_missing() {
    let folder = tempdir().unwrap();
    let here = folder.path();
    write(here, "bad.isr", files::bad_trace());
    let run = isostep(here, "verify bad.isr").ends_with(1);
    let run = run.prints(&[
        "the log's trace would say, which cannot be read: the chunk of ticks at byte ",
        "a trace is too long",
    ]);
    assert!(!run.out.contains("record with traces"), "{run:?}");
    let json = isostep(here, "verify --json bad.isr").ends_with(1).json();
    let divergence = &json["logs"][0]["divergence"];
    assert!(divergence["trace_error"].as_str().unwrap().contains("a trace is too long"), "{json}");
    assert!(divergence["is_traced"] == false && divergence["trace"].is_null(), "{json}");
}
