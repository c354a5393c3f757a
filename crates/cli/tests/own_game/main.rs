//! A program with a game of its own: the one of the example, through what its `main` calls.

#[path = "../../examples/tag/game.rs"]
mod game;

use game::{Input, Tag, color};
use isostep_cli::{Cli, Look};
use isostep_replay::{
    Check, Frame, GameRecorder, Header, LogKind, LogWriter, Recorded, Simulation, SimulationError,
    WriterOptions,
};
use isostep_step::World;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use tempfile::{TempDir, tempdir};

/// How long the logs are.
const TICKS: u64 = 240;

/// What they are recorded with.
const OPTIONS: WriterOptions =
    WriterOptions { flush_ticks: 64, flush_bytes: 1 << 16, keyframe_interval: 120 };

/// The program of the example.
fn tag() -> Cli {
    Cli::new().named("tag", "1.2.3").game_with_look::<Tag>(Look::new().painted(color))
}

/// The game in another version, with a hash that is another one from a tick on, or that counts ticks and forgets to save them.
struct Variant<const VERSION: u32, const WRONG_FROM: u64, const FORGETS: bool = false> {
    tag: Tag,
    ticks: u32,
}

/// Of a variant whose hashes are those of the game.
const NEVER: u64 = u64::MAX;

impl<const VERSION: u32, const WRONG_FROM: u64, const FORGETS: bool> Variant<VERSION, WRONG_FROM, FORGETS> {
    fn new(seed: u64) -> Self {
        Self { tag: Tag::new(seed).unwrap(), ticks: 0 }
    }

    fn advance(&mut self, inputs: [Input; 2]) {
        self.tag.advance(inputs);
        self.ticks += 1;
    }
}

impl<const VERSION: u32, const WRONG_FROM: u64, const FORGETS: bool> Simulation
    for Variant<VERSION, WRONG_FROM, FORGETS>
{
    const RECORDED: Recorded = Recorded::Inputs { game: Tag::NAME, version: VERSION };

    fn start(header: &Header) -> Result<Self, SimulationError> {
        Ok(Self { tag: Tag::start(header)?, ticks: 0 })
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        self.ticks += 1;
        self.tag.tick(frame)
    }

    fn hash(&self) -> u128 {
        let ticks = if FORGETS { u128::from(self.ticks) << 64 } else { 0 };
        self.tag.hash() ^ u128::from(self.world().tick() >= WRONG_FROM) ^ ticks
    }

    fn save(&self) -> Vec<u8> {
        self.tag.save()
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        self.tag.load(state)
    }

    fn world(&self) -> &World {
        self.tag.world()
    }
}

fn header() -> Header {
    Header::of_game(&Tag::new(7).unwrap(), 2, 7)
}

/// A log of two balls that run against each other, the second one with this strength from tick 60 on.
fn record(strength: i8, header: Header) -> Vec<u8> {
    record_variant::<NEVER>(strength, strength, header)
}

/// As [`record`], by a machine on which the second ball ran with another strength than the log has, or whose hashes were
/// other ones from a tick on.
fn record_variant<const WRONG_FROM: u64>(strength: i8, done: i8, header: Header) -> Vec<u8> {
    record_from(Variant::<{ Tag::VERSION }, WRONG_FROM>::new(header.seed), strength, done, header)
}

/// As [`record_variant`], of a game that is in some state.
fn record_from<const VERSION: u32, const WRONG_FROM: u64, const FORGETS: bool>(
    mut game: Variant<VERSION, WRONG_FROM, FORGETS>,
    strength: i8,
    done: i8,
    header: Header,
) -> Vec<u8> {
    let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
    for tick in 0..TICKS {
        let inputs = |strength: i8| [[100, 0], [if tick < 60 { -100 } else { strength }, 0]];
        game.advance(inputs(done));
        recorder.tick(&inputs(strength).map(|input| input.map(|way| way as u8)), &game).unwrap();
    }
    recorder.finish(&game).unwrap()
}

/// A game that forgets to save how many ticks there were, and a log of it from its start with a seed.
type Forgetful = Variant<{ Tag::VERSION }, NEVER, true>;

fn record_forgetful(seed: u64) -> Vec<u8> {
    record_from(Forgetful::new(seed), -100, -100, header())
}

/// Version 2 of the game, and a log of it.
type Later = Variant<2, NEVER>;

fn record_later() -> Vec<u8> {
    let game = Later::new(7);
    let header = Header::of_game(&game, 2, 7);
    record_from(game, -100, -100, header)
}

/// A folder with logs in it.
fn folder(logs: &[(&str, Vec<u8>)]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, bytes) in logs {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Runs a program with arguments, of which those that are names of logs are in a folder; what it prints, and what goes wrong.
#[track_caller]
fn run(cli: &Cli, folder: &Path, arguments: &str, code: u8) -> [String; 2] {
    let place = |argument: &str| {
        let is_file = argument.contains('.');
        if is_file { folder.join(argument).display().to_string() } else { argument.to_owned() }
    };
    let arguments = ["tag".to_owned()].into_iter().chain(arguments.split_whitespace().map(place));
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let ended = cli.run_with(arguments, &mut out, &mut errors);
    let texts = [out, errors].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(ended, ExitCode::from(code), "{texts:?}");
    texts
}

/// As [`run`], of what prints all texts, and nothing to the errors.
#[track_caller]
fn prints(cli: &Cli, folder: &Path, arguments: &str, code: u8, texts: &[&str]) -> String {
    let [out, errors] = run(cli, folder, arguments, code);
    assert_eq!(errors, "");
    for text in texts {
        assert!(out.contains(text), "{text:?} is missing: {out}");
    }
    out
}

#[test]
fn a_log_of_it_is_replayed_verified_inspected_and_drawn() {
    let here = folder(&[("match.isr", record(-100, header())), ("again.isr", record(-100, header()))]);
    let here = here.path();
    prints(&tag(), here, "replay match.isr", 0, &["inputs of 2 players of tag, seed 7", "240 passed"]);
    let counts = ["2 logs: 2 identical, 0 diverged, 0 unreadable; 480 ticks"];
    prints(&tag(), here, "verify match.isr again.isr", 0, &counts);
    prints(&tag(), here, "inspect match.isr", 0, &["inputs of the game \"tag\", version 1"]);
    prints(&tag(), here, "inspect match.isr --tick 200", 0, &["at tick 200, hash ", "body 2.0"]);
    prints(&tag(), here, "diff match.isr again.isr", 0, &["are equal: 240 ticks"]);
    prints(&tag(), here, "render match.isr --tick 60 -o match.svg", 0, &["match.svg"]);
    let picture = fs::read_to_string(here.join("match.svg")).unwrap();
    prints(&Cli::new().game::<Tag>(), here, "render match.isr --tick 60 -o plain.svg", 0, &["plain.svg"]);
    let plain = fs::read_to_string(here.join("plain.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && plain.starts_with("<svg ") && picture != plain);
}

#[test]
fn its_hashes_are_those_that_were_recorded() {
    let here = folder(&[("match.isr", record(-100, header()))]);
    let replayed = prints(&tag(), here.path(), "hash match.isr", 0, &["\n240 "]);
    let recorded = prints(&tag(), here.path(), "hash --recorded match.isr", 0, &[]);
    assert_eq!((replayed.lines().count() as u64, replayed), (1 + TICKS, recorded));
}

#[test]
fn two_logs_of_it_differ_in_what_is_first() {
    let traced = header().with_traces();
    let here = folder(&[
        ("ours.isr", record(-100, traced.clone())),
        ("theirs.isr", record(-99, traced.clone())),
        ("strong.isr", record_variant::<NEVER>(-100, -99, traced.clone())),
        ("wrong.isr", record_variant::<200>(-100, -100, traced)),
    ]);
    let input = ["differ in what is done at tick 60", "input of player 1: [9c, 00]", "[9d, 00]"];
    prints(&tag(), here.path(), "diff ours.isr theirs.isr", 1, &input);
    let values = ["differ at tick 61; they are equal at tick 60", "| Motions | body 2.0 | linear_velocity.x"];
    prints(&tag(), here.path(), "diff ours.isr strong.isr", 1, &values);
    // Without the game, the place alone.
    let place = ["differ at tick 61; they are equal at tick 60", "linear_velocity.x"];
    let out = prints(&Cli::new(), here.path(), "diff ours.isr strong.isr", 1, &place);
    assert!(!out.contains("body 2.0"), "{out}");
    prints(&tag(), here.path(), "verify strong.isr", 1, &["diverged at tick 61", values[1]]);
    let beside = ["differ at tick 200; they are equal at tick 199", "it is in what the game keeps beside"];
    prints(&tag(), here.path(), "diff ours.isr wrong.isr", 1, &beside);
    let beside = ["diverged at tick 200", "equal at tick 199", beside[1]];
    prints(&tag(), here.path(), "verify wrong.isr", 1, &beside);
}

#[test]
fn a_log_that_does_not_replay_is_told_by_its_tick() {
    let here = folder(&[("wrong.isr", record_variant::<200>(-100, -100, header()))]);
    prints(&tag(), here.path(), "verify wrong.isr", 1, &["diverged at tick 200", "equal at tick 199"]);
    let [hashes, warning] = run(&tag(), here.path(), "hash wrong.isr", 1);
    assert_eq!(hashes.lines().count() as u64, 1 + TICKS);
    assert!(warning.contains("from tick 200 on") && warning.contains("`tag verify` says"), "{warning}");
}

#[test]
fn a_state_that_is_not_the_recorded_one_is_shown_with_a_warning() {
    let here = folder(&[("wrong.isr", record_variant::<200>(-100, -100, header()))]);
    let here = here.path();
    for command in ["inspect wrong.isr", "inspect --json wrong.isr", "render wrong.isr -o wrong.svg"] {
        let [_, quiet] = run(&tag(), here, &format!("{command} --tick 199"), 0);
        assert_eq!(quiet, "");
        let [out, warning] = run(&tag(), here, &format!("{command} --tick 201"), 1);
        assert!(!out.is_empty());
        assert!(warning.contains("at tick 201 this is not the state that was recorded"), "{warning}");
        assert!(warning.contains("`tag verify` says"), "{warning}");
    }
    // A sheet is warned of once, of its first frame that is not.
    let sheet = "render wrong.isr -o sheet.svg --tick 240 --every 40 --size 160x90";
    let [_, warning] = run(&tag(), here, sheet, 1);
    assert_eq!(warning.lines().count(), 1, "{warning}");
    assert!(warning.contains("at tick 200 "), "{warning}");
}

#[test]
fn a_state_is_told_as_json_in_all_digits_and_bits() {
    let here = folder(&[("match.isr", record(-100, header()))]);
    let told = prints(&tag(), here.path(), "inspect match.isr --tick 240 --json", 0, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let mut game = Variant::<{ Tag::VERSION }, NEVER>::new(7);
    (0..TICKS).for_each(|_| game.advance([[100, 0], [-100, 0]]));
    assert_eq!(told["hash"], format!("{:032x}", game.hash()));
    assert_eq!((&told["tick"], &told["recorded_hash"]), (&240.into(), &told["hash"]));
    let ball = game.world().bodies().nth(1).unwrap();
    let position = &told["bodies"][1]["position"]["x"];
    let x = ball.position().x;
    assert_eq!(position[0], x.to_string());
    assert_eq!(position[1], format!("0x{:016x}", x.to_bits()));
    assert_eq!(told["bodies"][1]["handle"], "body 1.0");

    let told = prints(&tag(), here.path(), "inspect match.isr --blocks --json", 0, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["game"], &told["end_tick"]), (&"tag".into(), &TICKS.into()));
    assert_eq!(told["inputs"].as_array().unwrap().len(), 2);
    let blocks = told["blocks"].as_array().unwrap();
    assert_eq!(blocks.iter().filter(|block| block["block"] == "keyframe").count(), 3);
}

#[test]
fn another_start_than_the_one_of_the_log_is_told() {
    let here = folder(&[("other.isr", record_forgetful(8))]);
    let never = Cli::new().named("tag", "1.2.3").game::<Forgetful>();
    let texts = [
        "OTHER START",
        "other.isr starts from another state:",
        "| World   | slot 1 | seed  |        8 |     7 |",
        "other data of a level",
        "0 identical, 0 diverged, 0 unreadable, 1 from another start",
    ];
    prints(&never, here.path(), "verify other.isr", 1, &texts);
    let texts = ["Verdict: another start; the ticks are bit-identical.", "| seed  |"];
    prints(&never, here.path(), "replay other.isr", 1, &texts);
    let told = prints(&never, here.path(), "verify --json other.isr", 1, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["logs"][0]["divergence"], &told["verdict"]), (&().into(), &"other start".into()));
    assert_eq!(told["logs"][0]["start"]["numbers"][0]["values"], serde_json::json!(["8", "7"]));
}

#[test]
fn a_start_that_nobody_compared_is_not_called_equal() {
    let mut writer = LogWriter::new(Vec::new(), header(), OPTIONS).unwrap();
    writer.inputs(&[[0; 2]; 2], Check::hash(7)).unwrap();
    let here = folder(&[("blind.isr", writer.finish(None).unwrap())]);
    let text = ["diverged at tick 1:", "\nnothing before was compared\n"];
    let out = prints(&tag(), here.path(), "verify blind.isr", 1, &text);
    assert!(!out.contains("equal at tick"), "{out}");
    let told = prints(&tag(), here.path(), "verify --json blind.isr", 1, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert!(told["logs"][0]["divergence"]["last_equal"].is_null(), "{told}");
}

#[test]
fn a_game_that_panics_in_one_log_leaves_the_others_verified() {
    /// Version 3 of the game, which has a bug in tick 7.
    struct Breaks(Tag);

    impl Simulation for Breaks {
        const RECORDED: Recorded = Recorded::Inputs { game: Tag::NAME, version: 3 };

        fn start(header: &Header) -> Result<Self, SimulationError> {
            Ok(Self(Tag::start(header)?))
        }

        fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
            assert!(frame.tick < 7, "tick {} is one too many", frame.tick);
            self.0.tick(frame)
        }

        fn hash(&self) -> u128 {
            self.0.hash()
        }

        fn save(&self) -> Vec<u8> {
            self.0.save()
        }

        fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
            self.0.load(state)
        }

        fn world(&self) -> &World {
            self.0.world()
        }
    }

    let game = Variant::<3, NEVER>::new(7);
    let breaks = record_from(
        game,
        -100,
        -100,
        Header { kind: LogKind::Inputs { game: Tag::NAME.into(), version: 3 }, ..header() },
    );
    let here = folder(&[("breaks.isr", breaks), ("match.isr", record(-100, header()))]);
    let cli = tag().game::<Breaks>();
    let texts = [
        "breaks.isr: replaying it panicked: tick 7 is one too many\n",
        "1 identical, 0 diverged, 1 unreadable; 240 ticks",
    ];
    prints(&cli, here.path(), "verify breaks.isr match.isr", 2, &texts);
    prints(&cli, here.path(), "verify --jobs 1 breaks.isr match.isr", 2, &texts);
    let told = prints(&cli, here.path(), "verify --json breaks.isr match.isr", 2, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        (&told["logs"][0]["verdict"], &told["logs"][1]["verdict"]),
        (&"unreadable".into(), &"identical".into())
    );
}

#[test]
fn what_it_forgets_to_save_is_found_by_rolling_back() {
    let here = folder(&[("match.isr", record_forgetful(7))]);
    let forgets = Cli::new().named("tag", "1.2.3").game::<Forgetful>();
    prints(&forgets, here.path(), "verify match.isr", 0, &["1 identical"]);
    let texts =
        ["diverged at tick 1:", "after a rollback", "what the game keeps beside", "`save` leaves out"];
    prints(&forgets, here.path(), "verify --roll-back match.isr", 1, &texts);
    let told = prints(&forgets, here.path(), "verify --roll-back --json match.isr", 1, &[]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["logs"][0]["divergence"]["cause"], "rolled_back");
    let sound = folder(&[("match.isr", record(-100, header()))]);
    prints(&tag(), sound.path(), "verify --roll-back match.isr", 0, &["1 identical"]);
}

#[test]
fn a_log_of_another_game_or_version_is_told_which_games_there_are() {
    let mut unknown =
        LogWriter::new(Vec::new(), Header::inputs("pong", 3, 2, 7), WriterOptions::default()).unwrap();
    for tick in 1..=9 {
        unknown.inputs(&[[0; 2]; 2], Check::hash(tick)).unwrap();
    }
    let unknown = unknown.finish(None).unwrap();
    let later = record_later();
    let here = folder(&[("pong.isr", unknown), ("later.isr", later), ("match.isr", record(-100, header()))]);
    let linked = "this program links \"isostep-arena\" (version 2), \"tag\" (version 1)\n";
    for (log, game) in
        [("pong.isr", "version 3 of the game \"pong\""), ("later.isr", "version 2 of the game \"tag\"")]
    {
        for command in ["replay", "hash", "inspect --tick 1", "render"] {
            let [out, error] = run(&tag(), here.path(), &format!("{command} {log}"), 2);
            assert!(error.contains(game) && error.contains(linked), "{error}");
            assert!(error.contains("`tag diff`"), "{error}");
            assert_eq!(out, "");
        }
        let texts = [game, linked, "1 identical, 0 diverged, 1 unreadable"];
        prints(&tag(), here.path(), &format!("verify {log} match.isr"), 2, &texts);
        prints(&tag(), here.path(), &format!("diff {log} {log}"), 0, &["equal"]);
    }
}

#[test]
fn a_game_is_linked_in_several_versions() {
    let later = record_later();
    let here = folder(&[("later.isr", later), ("match.isr", record(-100, header()))]);
    prints(&tag().game::<Later>(), here.path(), "verify later.isr match.isr", 0, &["2 identical"]);
}

#[test]
fn logs_of_the_demo_and_of_commands_replay_too() {
    let here = tempdir().unwrap();
    let here = here.path();
    prints(&tag(), here, "record --scene arena --players 2 --ticks 30 -o arena.isr", 0, &["30 ticks"]);
    prints(&tag(), here, "record --scene stacks --size 1 --ticks 30 -o stacks.isr", 0, &["30 ticks"]);
    prints(&tag(), here, "verify arena.isr stacks.isr", 0, &["2 identical"]);
}

#[test]
fn its_help_calls_the_program_by_its_name() {
    let here = Path::new(".");
    prints(&tag(), here, "--version", 0, &["tag 1.2.3\n"]);
    let help = prints(&tag(), here, "--help", 0, &["  tag verify match", "Usage: tag"]);
    assert!(!help.contains("isostep"), "{help}");
    for command in
        ["replay", "verify", "record", "diff", "inspect", "hash", "render", "scenes", "run", "bench", "check"]
    {
        let example = format!("  tag {command}");
        let help = prints(&tag(), here, &format!("{command} --help"), 0, &[&example, "Usage: tag "]);
        assert!(!help.contains("isostep"), "{help}");
    }
    let [out, error] = run(&tag(), here, "nonsense", 2);
    assert!(out.is_empty() && error.contains("nonsense") && !error.contains("isostep"), "{error}");
}
