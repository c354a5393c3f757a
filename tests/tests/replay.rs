//! Recorded logs: on every target each is recorded again as the same bytes, and replays to the same bits.
//!
//! Both ways are thus crossed: what is recorded here is what was recorded elsewhere, and what was recorded elsewhere
//! replays here. `cargo xtask fixtures` writes the logs.

use isostep_fixtures::arena_matches::{MAX_ROLLBACK, Match};
use isostep_fixtures::{Fixture, RELEASED, arena_matches, broken};
use isostep_replay::{
    CommandSimulation, FORMAT_VERSION, HashStream, Log, LogError, LogKind, PlayError, Player, Simulation,
    VerifyOptions, diff_hashes,
};
use isostep_scenes::arena::Arena;
use isostep_step::{Command, SIM_VERSION};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

fn committed(path: &str) -> Vec<u8> {
    let path = folder().join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn open(path: &str) -> Arc<Log> {
    let log = Log::from_bytes(committed(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert_eq!(log.damage(), None, "{path}");
    Arc::new(log)
}

/// How many ticks of a log are recorded from its start, and replayed up to its end: all; but where each takes long
/// (docs/targets.md), ten seconds of a match and two of a scene.
fn most_ticks(log: &Log) -> u32 {
    match log.header().kind {
        _ if std::env::var_os("ISOSTEP_SHORT_LOGS").is_none() => u32::MAX,
        LogKind::Commands { .. } => 120,
        LogKind::Inputs { .. } => 600,
    }
}

/// Replays a log, or the end of it, from a keyframe that another machine wrote.
fn replay<S: Simulation>(name: &str, log: &Arc<Log>) {
    let mut player = Player::<S>::new(Arc::clone(log)).unwrap();
    player.seek(log.end_tick().saturating_sub(most_ticks(log).into())).unwrap();
    let verification = player.verify().unwrap();
    if let Some(divergence) = &verification.divergence {
        panic!("{name}: {divergence}");
    }
    assert_eq!(Some(verification.hash), log.last_hash(), "{name}");
    assert!(verification.hashes >= verification.ticks / 10 && verification.keyframes >= 1, "{name}");
    assert!(!verification.start.differs(), "{name}: {}", verification.start);
    player.seek(log.end_tick() - 30).unwrap();
    let rolled_back = player.verify_with(&VerifyOptions { roll_back: true }, |_| ()).unwrap();
    if let Some(divergence) = &rolled_back.divergence {
        panic!("{name}, with a rollback in each tick: {divergence}");
    }
}

fn replay_any(name: &str, log: &Arc<Log>) {
    match log.header().kind {
        LogKind::Commands { .. } => replay::<CommandSimulation>(name, log),
        LogKind::Inputs { .. } => replay::<Arena>(name, log),
    }
}

/// What a log is, in lines that name what moved when a file moves.
fn digest(log: &Log) -> String {
    let (stream, header) = (HashStream::of_log(log).unwrap(), log.header());
    format!(
        "{} ticks of {} by {} players, seed {}\n{} hashes, {} keyframes\nstream {:032x}\nlast   {:032x}\n",
        log.end_tick(),
        header.kind.name(),
        header.players,
        header.seed,
        stream.hashes().len(),
        log.keyframes().len(),
        xxh3_128(stream.to_string().as_bytes()),
        log.last_hash().unwrap(),
    )
}

/// That a log, or its start, is recorded with the bytes of the one that is committed.
fn assert_recorded_as(path: &str, record: impl Fn(u32) -> Vec<u8>) {
    let (most_ticks, committed) = (most_ticks(&open(path)), committed(path));
    let again = record(most_ticks);
    let mark = again.len() - 20;
    let index = u64::from_le_bytes(again[mark..mark + 8].try_into().unwrap()) as usize;
    let [start, expected] = [&again[..index], &committed[..index.min(committed.len())]];
    assert!(start == expected, "{path} is recorded otherwise: see `cargo xtask fixtures`");
    assert!(again == committed || most_ticks < u32::MAX, "{path} ends otherwise");
}

fn check(name: &str) {
    let path = format!("logs/{name}.isr");
    let log = open(&path);
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("log-{name}"), digest(&log));
    });
    let hashes = String::from_utf8(committed(&format!("logs/{name}.hashes"))).unwrap();
    assert_eq!(HashStream::of_log(&log).unwrap().to_string(), hashes, "{name}");
    assert_eq!(diff_hashes(&log, &hashes.parse().unwrap()).unwrap(), None);
    replay_any(name, &log);
    let fixture = Fixture::find(name).unwrap();
    assert_recorded_as(&path, |most_ticks| fixture.record(most_ticks));
}

/// A test for each log, in a module of their own.
macro_rules! logs {
    ($($test:ident: $name:literal;)*) => {
        mod logs {
            $(
                #[test]
                fn $test() {
                    super::check($name);
                }
            )*
        }

        #[test]
        fn every_log_is_replayed() {
            let names: Vec<_> = Fixture::all().map(|fixture| fixture.name).collect();
            assert_eq!(names, [$($name),*]);
        }
    };
}

logs! {
    two_players_for_three_minutes: "arena-2";
    four_players_for_two_minutes: "arena-4";
    eight_players_for_a_minute: "arena-8";
    a_match_that_is_rolled_back_all_the_time: "arena-rollback";
    a_match_of_players_who_never_stop_to_shoot: "arena-spawns";
    the_pyramid: "scene-pyramid";
    the_pile_of_boxes: "scene-pile-of-boxes";
    the_pile_of_spheres: "scene-pile-of-spheres";
    the_stacks: "scene-stacks";
    the_tiny_match: "scene-tiny-match";
    the_card_house: "scene-card-house";
    the_arch: "scene-arch";
    the_jenga_tower: "scene-jenga";
    the_slope: "scene-slope";
    the_mixture: "scene-mixture";
    the_pendulums: "scene-pendulum";
    the_chain: "scene-chain";
    the_net: "scene-joint-grid";
    the_ragdolls: "scene-ragdolls";
    the_cradle: "scene-cradle";
    the_doors: "scene-doors";
    the_cars: "scene-cars";
    the_bullets: "scene-bullets";
}

#[test]
fn a_session_that_was_rolled_back_has_the_log_of_one_that_was_not() {
    let rolled_back = Match::all().iter().find(|one| one.name == "arena-rollback").unwrap();
    assert_eq!(MAX_ROLLBACK, 12);
    assert_recorded_as("logs/arena-rollback.isr", |most_ticks| rolled_back.record_straight(most_ticks));
}

/// What a log makes happen: how many bodies come, and all kinds of commands and events.
fn happenings<S: Simulation>(log: Arc<Log>, commands: impl Fn(&Player<S>) -> Vec<Command>) -> Happenings {
    let mut player = Player::<S>::new(log).unwrap();
    let mut found = Happenings::default();
    while player.step().unwrap() {
        for command in commands(&player) {
            found.bodies += usize::from(matches!(command, Command::AddBody(_)));
            found.commands.insert(kind_of(&command));
        }
        found.events.extend(player.world().events().iter().map(kind_of));
    }
    found
}

#[derive(Default)]
struct Happenings {
    bodies: usize,
    commands: BTreeSet<String>,
    events: BTreeSet<String>,
}

/// The name of a variant.
fn kind_of(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split([' ', '(', '{']).next().unwrap_or_default().to_owned()
}

#[test]
fn the_logs_have_every_kind_of_command_and_of_event() {
    let mut all = Happenings::default();
    for name in ["scene-mixture", "scene-stacks"] {
        let log = open(&format!("logs/{name}.isr"));
        let commands = |player: &Player<CommandSimulation>| {
            let tick = player.tick() - 1;
            let chunk = player.log().chunk(player.log().chunk_of(tick).unwrap()).unwrap();
            chunk.frame(tick).unwrap().events.commands().to_vec()
        };
        let found = happenings(log, commands);
        all.commands.extend(found.commands);
        all.events.extend(found.events);
    }
    assert_eq!((all.commands.len(), all.events.len()), (34, 9), "{:?} {:?}", all.commands, all.events);
}

/// Of the logs, not of the machine: rows of `cargo xtask targets` leave it out.
#[test]
fn players_who_shoot_bring_bodies() {
    let of = |name: &str| {
        happenings::<Arena>(open(&format!("logs/{name}.isr")), |player| player.state().commands().to_vec())
            .bodies
    };
    // The one has half the time of the other.
    let (usual, many) = (of("arena-4"), of("arena-spawns"));
    assert!(many > 900 && 2 * many > 3 * usual, "{many} against {usual}");
}

#[test]
fn every_broken_file_is_made_again_and_complained_about_in_the_same_words() {
    let all = broken::all();
    assert!(all.len() >= 50, "{}", all.len());
    for one in all {
        let bytes = committed(&format!("broken/{}.isr", one.name));
        assert!(one.bytes == bytes, "{} is made otherwise: see `cargo xtask fixtures`", one.name);
        let expected = String::from_utf8(committed(&format!("broken/{}.error", one.name))).unwrap();
        assert_eq!(broken::complaint(&bytes), expected, "{}", one.name);
        assert!(!expected.starts_with("nothing"), "{}", one.name);
    }
}

#[test]
fn logs_of_unknown_versions_are_refused_with_both_numbers() {
    let unknown = 4_000_000_000;
    let format = Log::from_bytes(committed("broken/format-4000000000.isr")).unwrap_err();
    assert_eq!(format, LogError::Format { found: unknown, supported: FORMAT_VERSION });
    assert_eq!(
        format.to_string(),
        format!("a log of format 4000000000: this program reads {FORMAT_VERSION}")
    );
    let simulation = Log::from_bytes(committed("broken/simulation-4000000000.isr")).unwrap_err();
    assert_eq!(simulation, LogError::Simulation { found: unknown, supported: SIM_VERSION });
    let text = format!("a log of simulation 4000000000: this program steps {SIM_VERSION}");
    assert_eq!(simulation.to_string(), text);
}

/// Logs in `fixtures/released`.
const RELEASES: [&str; 31] = [
    "arena-0.1.0.isr",
    "arena-simulation-1.isr",
    "arena-simulation-2.isr",
    "arena-simulation-3.isr",
    "arena-simulation-4.isr",
    "arena-simulation-5.isr",
    "arena-simulation-6.isr",
    "arena-simulation-7.isr",
    "arena-simulation-8.isr",
    "arena-simulation-9.isr",
    "arena-simulation-10.isr",
    "arena-simulation-11.isr",
    "arena-simulation-12.isr",
    "arena-simulation-13.isr",
    "arena-simulation-14.isr",
    "arena-simulation-15.isr",
    "arena-simulation-16.isr",
    "arena-simulation-17.isr",
    "arena-simulation-18.isr",
    "arena-simulation-19.isr",
    "arena-simulation-20.isr",
    "arena-simulation-21.isr",
    "arena-simulation-22.isr",
    "arena-simulation-23.isr",
    "arena-simulation-24.isr",
    "arena-simulation-25.isr",
    "arena-simulation-26.isr",
    "arena-simulation-27.isr",
    "arena-simulation-28.isr",
    "arena-simulation-29.isr",
    "arena-simulation-30.isr",
];

#[test]
fn the_log_of_every_release_replays_or_is_refused_with_the_reason() {
    assert!(RELEASES.iter().any(|name| RELEASED.ends_with(name)), "the log of this version is missing");
    for name in RELEASES {
        let bytes = committed(&format!("released/{name}"));
        let version = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let [format, simulation] = [version(8), version(12)];
        match Log::from_bytes(bytes) {
            Ok(log) => {
                assert_eq!((format, simulation, log.damage()), (FORMAT_VERSION, SIM_VERSION, None), "{name}");
                match Player::<Arena>::new(log) {
                    Ok(mut player) => assert!(player.verify().unwrap().is_identical(), "{name}"),
                    // Other rules of the game, on the same simulation.
                    Err(PlayError::GameVersion { found, supported, .. }) => assert_ne!(found, supported),
                    Err(other) => panic!("{name}: {other}"),
                }
            }
            Err(LogError::Format { found, supported: FORMAT_VERSION }) => assert_eq!(found, format, "{name}"),
            Err(LogError::Simulation { found, supported: SIM_VERSION }) => {
                assert_eq!((format, found), (FORMAT_VERSION, simulation), "{name}");
            }
            Err(other) => panic!("{name}: {other}"),
        }
    }
}

#[test]
fn a_log_of_the_simulation_without_joints_is_refused_with_both_numbers() {
    let refusal = Log::from_bytes(committed("released/arena-simulation-1.isr")).unwrap_err();
    assert_eq!(refusal, LogError::Simulation { found: 1, supported: SIM_VERSION });
    let text = format!("a log of simulation 1: this program steps {SIM_VERSION}");
    assert_eq!(refusal.to_string(), text);
}

/// What is no longer written does not stay. Only the machine itself is asked: folders are not what is tested elsewhere.
#[test]
#[cfg(target_arch = "x86_64")]
fn there_are_no_other_files() {
    let mut expected = BTreeSet::from(["released/README.md".to_owned()]);
    expected.extend(RELEASES.map(|name| format!("released/{name}")));
    expected.extend(
        Fixture::all().flat_map(|one| ["isr", "hashes"].map(|end| format!("logs/{}.{end}", one.name))),
    );
    expected.extend(
        broken::all().iter().flat_map(|one| ["isr", "error"].map(|end| format!("broken/{}.{end}", one.name))),
    );
    let mut found = BTreeSet::new();
    for part in ["logs", "broken", "released"] {
        for entry in std::fs::read_dir(folder().join(part)).unwrap() {
            found.insert(format!("{part}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn the_log_of_this_version_is_recorded_as_committed() {
    assert_recorded_as(RELEASED, |most_ticks| arena_matches::RELEASED.record(most_ticks));
}
