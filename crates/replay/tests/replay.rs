//! A log replays as the match that it is of: from start to end, from any tick, and when its writer was stopped.

mod game;

use game::{Pushing, command_log, input_log, pile};
use isostep_math::random::Rng;
use isostep_math::{Vec3, fx};
use isostep_replay::{
    Cause, Check, CommandSimulation, Frame, GameRecorder, HashStream, Header, HeaderError, Log,
    LogDifference, LogError, LogWriter, PlayError, Player, Recorded, Recorder, Simulation, SimulationError,
    VerifyOptions, WriteError, WriterOptions, diff, diff_hashes, diff_with, limits,
};
use isostep_step::{Command, SIM_VERSION, World, WorldConfig};
use std::io::Write;
use std::sync::Arc;

const OPTIONS: WriterOptions = WriterOptions { flush_ticks: 7, flush_bytes: 1 << 16, keyframe_interval: 20 };

#[test]
fn a_log_of_commands_replays_to_the_same_world() {
    let (world, bytes) = command_log(100, OPTIONS, |header| header);
    let log = Log::from_bytes(bytes).unwrap();
    assert_eq!((log.damage(), log.first_tick(), log.end_tick()), (None, 0, 100));
    assert_eq!(log.last_hash(), Some(world.state_hash()));
    let mut player = Player::<CommandSimulation>::new(log).unwrap();
    let mut reached = Vec::new();
    let verification = player.verify_with(&VerifyOptions::default(), |tick| reached.push(tick)).unwrap();
    assert_eq!(verification.divergence, None);
    assert_eq!((verification.ticks, verification.hashes, verification.keyframes), (100, 100, 5));
    assert_eq!(verification.hash, world.state_hash());
    assert_eq!(reached, (1..=100).collect::<Vec<_>>());
    assert!(player.is_at_end() && !player.step().unwrap());
}

#[test]
fn a_log_of_inputs_replays_to_the_same_game() {
    let (game, bytes) = input_log(90, OPTIONS, Pushing::header().with_hash_interval(8));
    let mut player = Player::<Pushing>::new(Log::from_bytes(bytes).unwrap()).unwrap();
    let verification = player.verify().unwrap();
    assert!(verification.is_identical());
    // Eleven by the interval, and the last one.
    assert_eq!((verification.hashes, verification.hash), (12, game.hash()));
    assert_eq!(player.state().pushes, game.pushes);
}

#[test]
fn any_tick_is_found_from_any_other_one() {
    let mut straight = Vec::new();
    let mut player =
        Player::<Pushing>::new(Log::from_bytes(input_log(100, OPTIONS, Pushing::header()).1).unwrap())
            .unwrap();
    loop {
        straight.push(player.state().hash());
        if !player.step().unwrap() {
            break;
        }
    }
    let mut rng = Rng::new(1, 0);
    for keyframe_interval in [0, 20] {
        let options = WriterOptions { keyframe_interval, ..OPTIONS };
        let log = Log::from_bytes(input_log(100, options, Pushing::header()).1).unwrap();
        assert_eq!(log.keyframes().len(), if keyframe_interval == 0 { 0 } else { 6 });
        let mut player = Player::<Pushing>::new(log).unwrap();
        for _ in 0..60 {
            let tick = u64::from(rng.below(101));
            player.seek(tick).unwrap();
            assert_eq!((player.tick(), player.state().hash()), (tick, straight[tick as usize]));
            assert_eq!(player.recorded_hash().unwrap(), (tick > 0).then_some(straight[tick as usize]));
        }
        assert!(matches!(player.seek(101), Err(PlayError::TickOutOfRange { tick: 101, first: 0, end: 100 })));
        player.seek(40).unwrap();
        let verification = player.verify().unwrap();
        assert_eq!((verification.is_identical(), verification.ticks), (true, 60));
    }
}

#[test]
fn a_log_may_start_in_the_middle_of_a_match() {
    let mut world = pile(3);
    (0..50).for_each(|_| world.step());
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header, OPTIONS).unwrap();
    (0..30).for_each(|_| recorder.step().unwrap());
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    assert_eq!((log.first_tick(), log.end_tick()), (50, 80));
    let mut player = Player::<CommandSimulation>::new(log).unwrap();
    assert!(player.verify().unwrap().is_identical());
    player.seek(50).unwrap();
    assert_eq!(player.world().tick(), 50);
    assert!(player.seek(49).is_err());

    let mut game = Pushing::new();
    (0..9).for_each(|_| game.play(&[[1, 2], [0, 0]]));
    let header = Header { first_tick: 9, ..Pushing::header() };
    let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
    game.play(&[[0, 0], [5, 5]]);
    recorder.tick(&[[0, 0], [5, 5]], &game).unwrap();
    let log = Log::from_bytes(recorder.finish(&game).unwrap()).unwrap();
    let mut player = Player::<Pushing>::new(log).unwrap();
    assert!(player.verify().unwrap().is_identical());
    assert_eq!(player.state().pushes, 10);
}

#[test]
fn a_writer_keeps_back_no_more_than_it_may() {
    let by_ticks = WriterOptions { flush_ticks: 3, flush_bytes: 1 << 20, keyframe_interval: 0 };
    let by_bytes = WriterOptions { flush_ticks: 4096, flush_bytes: 100, keyframe_interval: 0 };
    for (options, most) in [(by_ticks, 3), (by_bytes, 5)] {
        let mut writer = LogWriter::new(Vec::new(), Pushing::header(), options).unwrap();
        let mut flushed = 0;
        for tick in 1..=20 {
            let before = writer.written_bytes();
            writer.inputs(&[[1, 2], [3, 4]], Check::hash(5)).unwrap();
            if writer.written_bytes() > before {
                flushed = tick;
            }
            assert!(tick - flushed < most, "{tick}");
        }
        writer.flush().unwrap();
        let written = writer.written_bytes();
        writer.flush().unwrap();
        assert_eq!(writer.written_bytes(), written);
    }
}

/// A file that breaks off, as a process that is killed leaves it.
#[derive(Debug)]
struct Dying {
    bytes: Arc<std::sync::Mutex<Vec<u8>>>,
    left: usize,
}

impl Write for Dying {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = bytes.len().min(self.left);
        self.left -= count;
        self.bytes.lock().unwrap().extend_from_slice(&bytes[..count]);
        if count == 0 { Err(std::io::Error::other("killed")) } else { Ok(count) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_process_that_dies_at_any_byte_leaves_a_log_of_what_it_had_flushed() {
    let whole = input_log(60, OPTIONS, Pushing::header()).1;
    for left in (0..whole.len()).step_by(13) {
        let bytes = Arc::default();
        let sink = Dying { bytes: Arc::clone(&bytes), left };
        let (mut game, mut rng) = (Pushing::new(), Rng::new(9, 0));
        let mut flushed = 0;
        if let Ok(mut recorder) = GameRecorder::new(&game, sink, Pushing::header(), OPTIONS) {
            for _ in 0..60 {
                let inputs = Pushing::inputs(&mut rng);
                game.play(&inputs);
                match recorder.tick(&inputs, &game) {
                    Ok(()) => flushed = recorder.writer().next_tick(),
                    Err(error) => {
                        assert!(matches!(error, WriteError::Io(_)));
                        assert!(matches!(recorder.tick(&inputs, &game), Err(WriteError::Broken)));
                        break;
                    }
                }
            }
        }
        let bytes = bytes.lock().unwrap().clone();
        assert!(bytes.len() <= left && bytes == whole[..bytes.len()]);
        if let Ok(log) = Log::from_bytes(bytes) {
            assert!(log.end_tick() + u64::from(OPTIONS.flush_ticks) > flushed, "{left}");
            assert!(log.damage().is_some());
            assert!(Player::<Pushing>::new(log).unwrap().verify().unwrap().is_identical());
        }
    }
}

#[test]
fn a_log_that_cannot_be_finished_gives_back_the_world_and_the_sink() {
    let world = pile(2);
    let (header, sink) = (Header::commands(&world), Dying { bytes: Arc::default(), left: 3000 });
    let mut recorder = Recorder::new(world, sink, header, OPTIONS).unwrap();
    let ticks = (0..).take_while(|_| recorder.step().is_ok()).count() as u64;
    let hash = recorder.world().state_hash();
    let written = recorder.writer().written_bytes();
    let error = recorder.finish().unwrap_err();
    assert!(matches!(error.error, WriteError::Broken), "{error}");
    let (world, sink) = *error.rest;
    assert_eq!((world.state_hash(), world.tick()), (hash, ticks + 1));
    let log = Log::from_bytes(sink.bytes.lock().unwrap().clone()).unwrap();
    // The block that the sink did not take is not counted.
    assert!(
        matches!(log.damage(), Some(LogError::Truncated { offset, .. }) if *offset == written),
        "{written}"
    );
    assert!(log.damage().is_some() && (1..=ticks).contains(&log.end_tick()), "{}", log.end_tick());
    assert!(Player::<CommandSimulation>::new(log).unwrap().verify().unwrap().is_identical());
}

#[test]
fn a_tick_that_is_refused_ends_the_log_before_it() {
    let long = [vec![0; limits::MAX_INPUT_BYTES as usize + 1], vec![0; 2]];
    let three = [vec![0; 2], vec![0; 2], vec![0; 2]];
    for refused in [&long[..], &three] {
        let mut game = Pushing::new();
        let mut recorder = GameRecorder::new(&game, Vec::new(), Pushing::header(), OPTIONS).unwrap();
        let mut play = |inputs: Option<&[Vec<u8>]>, recorder: &mut GameRecorder<Vec<u8>>| {
            game.play(&[[1, 2], [3, 4]]);
            recorder.tick(inputs.unwrap_or(&[vec![1, 2], vec![3, 4]]), &game)
        };
        for _ in 0..5 {
            play(None, &mut recorder).unwrap();
        }
        let error = play(Some(refused), &mut recorder).unwrap_err();
        assert!(matches!(error, WriteError::TooMuch { .. } | WriteError::Players { .. }), "{error}");
        // The next tick would be where the one is that was refused.
        assert!(matches!(play(None, &mut recorder), Err(WriteError::Broken)));
        let error = recorder.finish(&Pushing::new()).unwrap_err();
        assert!(matches!(error.error, WriteError::Broken), "{error}");
        let log = Log::from_bytes(*error.rest).unwrap();
        assert!(matches!(log.damage(), Some(LogError::Unfinished { .. })));
        assert_eq!(log.end_tick(), 5);
        assert!(Player::<Pushing>::new(log).unwrap().verify().unwrap().is_identical());
    }
}

/// A game that is not the one of the logs.
macro_rules! other_game {
    ($name:ident, $game:literal, $version:literal) => {
        #[derive(Debug)]
        struct $name(Pushing);

        impl Simulation for $name {
            const RECORDED: Recorded = Recorded::Inputs { game: $game, version: $version };

            fn start(header: &Header) -> Result<Self, SimulationError> {
                Pushing::start(header).map($name)
            }

            fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
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
    };
}

other_game!(Chess, "chess", 3);
other_game!(NextVersion, "pushing", 4);

#[test]
fn logs_of_other_games_versions_and_kinds_are_refused() {
    let inputs = Arc::new(Log::from_bytes(input_log(3, OPTIONS, Pushing::header()).1).unwrap());
    let commands = Arc::new(Log::from_bytes(command_log(3, OPTIONS, |header| header).1).unwrap());
    let error = Player::<Chess>::new(Arc::clone(&inputs)).unwrap_err();
    assert_eq!(error.to_string(), "a log of the game \"pushing\": this is \"chess\"");
    let error = Player::<NextVersion>::new(Arc::clone(&inputs)).unwrap_err();
    assert_eq!(error.to_string(), "a log of version 3 of \"pushing\": this is version 4");
    assert!(matches!(Player::<CommandSimulation>::new(inputs), Err(PlayError::Kind { found: "inputs", .. })));
    assert!(matches!(Player::<Pushing>::new(commands), Err(PlayError::Kind { found: "commands", .. })));
}

#[test]
fn a_recorder_of_a_game_refuses_headers_that_are_not_of_it() {
    let game = Pushing::new();
    let refused = |header: Header| {
        GameRecorder::new(&game, Vec::new(), header, OPTIONS).err().map(|error| error.to_string())
    };
    assert_eq!(refused(Header::of_game(&game, 2, 5)), None);
    for (header, what) in [
        (Header::inputs("chess", 3, 2, 0), "version 3 of \"chess\""),
        (Header::inputs("pushing", 4, 2, 0), "version 4 of \"pushing\""),
        (Header::commands(&game.world), "commands"),
    ] {
        let said = format!("a header of {what}: what is recorded is version 3 of \"pushing\"");
        assert_eq!(refused(header), Some(said));
    }
}

#[test]
fn a_header_of_a_game_says_where_its_world_is() {
    let mut game = Pushing::new();
    assert_eq!(Header::of_game(&game, 2, 5), Header { seed: 5, ..Pushing::header() });
    (0..3).for_each(|_| game.play(&[[1, 2], [0, 0]]));
    assert_eq!(Header::of_game(&game, 2, 5).first_tick, 3);
    game.world = World::new(WorldConfig { tick_rate: 20, ..WorldConfig::default() }).unwrap();
    let header = Header::of_game(&game, 2, 5);
    assert_eq!((header.tick_rate, header.first_tick), (20, 0));
}

#[test]
fn a_writer_refuses_what_no_reader_takes() {
    let writer = |header| LogWriter::new(Vec::new(), header, OPTIONS);
    let game = |name: &str| writer(Header::inputs(name, 1, 2, 0)).err().map(|error| error.to_string());
    assert!(game("ok-1").is_none());
    for name in ["", "two words", "tab\t", "é", &"x".repeat(65)] {
        assert!(game(name).unwrap().contains("visible ASCII"), "{name}");
    }
    let note = "x".repeat(limits::MAX_NOTE_BYTES as usize + 1);
    let error = writer(Pushing::header().with_note(&note)).unwrap_err();
    assert!(matches!(error, WriteError::Header(HeaderError::Note { length: 4097, max: 4096 })));
    assert!(writer(Header { tick_rate: 0, ..Pushing::header() }).is_err());
    assert!(writer(Header { players: 65, ..Pushing::header() }).is_err());
    assert!(writer(Header { first_tick: u64::MAX, ..Pushing::header() }).is_err());

    let mut inputs = writer(Pushing::header()).unwrap();
    assert!(matches!(inputs.commands(&[], Check::NONE), Err(WriteError::Kind { .. })));
    assert!(matches!(
        inputs.inputs(&[[0; 2]], Check::NONE),
        Err(WriteError::Players { expected: 2, found: 1 })
    ));
    let long = vec![0; 1025];
    assert!(matches!(
        inputs.inputs(&[&long, &long], Check::NONE),
        Err(WriteError::TooMuch { found: 1025, .. })
    ));

    let world = pile(1);
    let mut commands = writer(Header::commands(&world)).unwrap();
    assert!(matches!(commands.commands(&[], Check::NONE), Err(WriteError::NoKeyframe { tick: 0 })));
    commands.keyframe(&world.snapshot().to_bytes()).unwrap();
    let many = vec![Command::DrawRandom { stream: 0 }; limits::MAX_CHUNK_COMMANDS as usize + 1];
    assert!(matches!(commands.commands(&many, Check::NONE), Err(WriteError::TooMuch { .. })));
    commands.commands(&many[1..], Check::NONE).unwrap();
    commands.commands(&many[..9], Check::NONE).unwrap();
    let log = Log::from_bytes(commands.finish(None).unwrap()).unwrap();
    assert_eq!(log.chunk(1).unwrap().frame(1).unwrap().events.commands().len(), 9);
}

/// A log of two ticks of commands with this header, from a world, with a keyframe after them of another one.
fn log_of_worlds(header: Header, start: &World, then: impl FnOnce(&mut World)) -> Arc<Log> {
    let mut world = World::from_snapshot(&start.snapshot());
    let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    for _ in 0..2 {
        world.step();
        writer.commands(&[], Check::hash(world.state_hash())).unwrap();
    }
    then(&mut world);
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    Arc::new(Log::from_bytes(writer.finish(None).unwrap()).unwrap())
}

#[test]
fn a_world_that_is_not_the_one_of_the_header_is_refused() {
    let on_the_moon = WorldConfig { gravity: Vec3::Y * fx!(-1.625), ..WorldConfig::default() };
    let moon = World::new(on_the_moon).unwrap();
    let header = Header::commands(&moon);
    let play = |log: &Arc<Log>| Player::<CommandSimulation>::new(Arc::clone(log));
    let sound = log_of_worlds(header.clone(), &moon, |_| ());
    assert!(play(&sound).unwrap().verify().unwrap().is_identical());

    let refused = |header: Header, world: &World| {
        let error = play(&log_of_worlds(header, world, |_| ())).unwrap_err();
        assert!(matches!(error, PlayError::OtherWorld { .. }), "{error}");
        error.to_string()
    };
    let of = |config: WorldConfig| Header::commands(&World::new(config).unwrap());
    assert_eq!(
        refused(of(WorldConfig::default()), &moon),
        "gravity of the world in the keyframe of tick 0 is Vec3(0, -1.625, 0): the log says Vec3(0, -9.81, 0)"
    );
    let text = refused(of(WorldConfig { seed: 5, ..on_the_moon }), &moon);
    assert_eq!(text, "seed of the world in the keyframe of tick 0 is 0: the log says 5");
    let text = refused(of(WorldConfig { tick_rate: 30, ..on_the_moon }), &moon);
    assert_eq!(text, "tick_rate of the world in the keyframe of tick 0 is 60: the log says 30");
    let text = refused(of(WorldConfig { sleeping: false, ..on_the_moon }), &moon);
    assert_eq!(text, "sleeping of the world in the keyframe of tick 0 is true: the log says false");
    let mut late = World::from_snapshot(&moon.snapshot());
    (0..500).for_each(|_| late.step());
    let text = refused(header, &late);
    assert_eq!(text, "tick of the world in the keyframe of tick 0 is 500: the log says 0");
}

#[test]
fn gravity_is_what_commands_change_so_later_keyframes_may_have_another_one() {
    let world = World::new(WorldConfig::default()).unwrap();
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header.clone(), OPTIONS).unwrap();
    recorder.apply(&Command::SetGravity(Vec3::X)).unwrap();
    (0..40).for_each(|_| recorder.step().unwrap());
    let log = Log::from_bytes(recorder.finish().unwrap().1).unwrap();
    assert!(log.keyframes().len() > 1);
    let mut player = Player::<CommandSimulation>::new(log).unwrap();
    assert!(player.verify().unwrap().is_identical());
    player.seek(39).unwrap();
    assert_eq!(player.world().config().gravity, Vec3::X);

    // A later keyframe of another tick is one that a replay does not lead to, and nothing to start from.
    let start = World::new(WorldConfig::default()).unwrap();
    let log = log_of_worlds(header, &start, World::step);
    let mut player = Player::<CommandSimulation>::new(Arc::clone(&log)).unwrap();
    let divergence = player.verify().unwrap().divergence.unwrap();
    assert_eq!((divergence.tick, &divergence.cause), (2, &Cause::Keyframe));
    let (tick, difference) = divergence.keyframe.unwrap();
    assert_eq!((tick, difference.field), (2, "tick"));
    let mut player = Player::<CommandSimulation>::new(log).unwrap();
    let error = player.seek(2).unwrap_err();
    assert_eq!(error.to_string(), "tick of the world in the keyframe of tick 2 is 3: the log says 2");
    player.seek(1).unwrap();
    assert!(player.step().unwrap());
}

#[test]
fn a_log_that_tells_another_story_diverges_where_it_does() {
    // Another hash, another keyframe, and a command to nobody, each in a log whose checksums hold.
    let world = pile(2);
    let start = world.snapshot().to_bytes();
    let write = |wrong_hash: Option<u64>, wrong_keyframe: bool, stale: bool| {
        let mut world = pile(2);
        let mut writer = LogWriter::new(Vec::new(), Header::commands(&world), OPTIONS).unwrap();
        writer.keyframe(&start).unwrap();
        for tick in 1..=10 {
            let nobody = Command::Wake(isostep_step::BodyHandle { index: 77, generation: 0 });
            let commands: &[_] = if stale && tick == 6 { &[nobody] } else { &[] };
            world.step();
            let hash = world.state_hash() ^ u128::from(wrong_hash == Some(tick));
            writer.commands(commands, Check::hash(hash)).unwrap();
            if tick == 5 {
                if wrong_keyframe {
                    let body = world.bodies().nth(1).unwrap().handle();
                    let mut other = World::from_snapshot(&world.snapshot());
                    other.set_velocity(body, Vec3::X, Vec3::ZERO).unwrap();
                    writer.keyframe(&other.snapshot().to_bytes()).unwrap();
                } else {
                    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
                }
            }
        }
        let log = Log::from_bytes(writer.finish(None).unwrap()).unwrap();
        Player::<CommandSimulation>::new(log).unwrap().verify().unwrap()
    };
    assert!(write(None, false, false).is_identical());
    let hash = write(Some(8), false, false);
    let divergence = hash.divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal, hash.hashes), (8, Some(7), 7));
    assert!(matches!(divergence.cause, Cause::Hash { expected, found } if expected ^ found == 1));

    let divergence = write(None, true, false).divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal, &divergence.cause), (5, Some(4), &Cause::Keyframe));
    let (tick, difference) = divergence.keyframe.unwrap();
    assert_eq!((tick, difference.field), (5, "linear_velocity"));

    let divergence = write(None, false, true).divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal), (5, Some(5)));
    assert!(
        matches!(&divergence.cause, Cause::Refused { reason } if reason.contains("body 77.0 does not exist"))
    );
}

#[test]
fn the_last_equal_state_is_one_that_was_compared() {
    let write = |start: &World, interval: u32, other: Option<u64>| {
        let mut world = World::from_snapshot(&start.snapshot());
        let header = Header::commands(&world).with_hash_interval(interval);
        let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        for tick in 1..=10 {
            world.step();
            let hash = world.state_hash() ^ u128::from(other.is_some_and(|other| tick >= other));
            let check = if writer.wants_hash() { Check::hash(hash) } else { Check::NONE };
            writer.commands(&[], check).unwrap();
        }
        Log::from_bytes(writer.finish(None).unwrap()).unwrap()
    };
    let found = |left: &Log, right: &Log| match diff(left, right).unwrap() {
        Some(LogDifference::State(state)) => (state.tick, state.last_equal, state.to_string()),
        other => panic!("{other:?}"),
    };
    let start = pile(2);
    let sound = write(&start, 4, None);
    // The keyframe that both start from is equal, or else a hash.
    let (tick, last_equal, _) = found(&sound, &write(&start, 4, Some(3)));
    assert_eq!((tick, last_equal), (4, Some(0)));
    let (tick, last_equal, text) = found(&sound, &write(&start, 4, Some(5)));
    assert_eq!((tick, last_equal), (8, Some(4)));
    assert!(text.ends_with("; equal at tick 4"), "{text}");
    // They start from other states.
    let mut moved = pile(2);
    let body = moved.bodies().nth(1).unwrap().handle();
    moved.set_velocity(body, Vec3::X, Vec3::ZERO).unwrap();
    let (tick, last_equal, text) = found(&write(&start, 0, None), &write(&moved, 0, None));
    assert_eq!((tick, last_equal), (0, None));
    assert_eq!(text, "tick 0; nothing before was compared");
}

/// A world after five ticks, and the writer of its log, with hashes that are off by some bits.
fn five_ticks(wrong: u128) -> (World, LogWriter<Vec<u8>>) {
    let mut world = pile(2);
    let mut writer = LogWriter::new(Vec::new(), Header::commands(&world), OPTIONS).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    for _ in 0..5 {
        world.step();
        writer.commands(&[], Check::hash(world.state_hash() ^ wrong)).unwrap();
    }
    (world, writer)
}

#[test]
fn a_difference_is_told_though_the_next_keyframe_is_none() {
    let write = |wrong: u128| {
        let (world, mut writer) = five_ticks(wrong);
        let keyframe = if wrong == 0 { world.snapshot().to_bytes() } else { b"nothing".to_vec() };
        writer.keyframe(&keyframe).unwrap();
        Arc::new(Log::from_bytes(writer.finish(None).unwrap()).unwrap())
    };
    let [sound, other] = [0, 1].map(write);
    let divergence =
        Player::<CommandSimulation>::new(Arc::clone(&other)).unwrap().verify().unwrap().divergence;
    let divergence = divergence.unwrap();
    assert_eq!((divergence.tick, divergence.keyframe), (1, None));
    for (left, right) in [(&sound, &other), (&other, &sound)] {
        match diff_with::<CommandSimulation>(left, right).unwrap() {
            Some(LogDifference::State(state)) => assert_eq!((state.tick, state.keyframe), (1, None)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn keyframes_of_the_last_tick_are_compared_and_count_as_equal_only_where_they_are() {
    let write = |other_keyframe: bool, wrong: u128| {
        let mut world = pile(2);
        // No hash of a tick: what is known of states are keyframes, and the last hash.
        let header = Header::commands(&world).with_hash_interval(0);
        let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        for _ in 0..5 {
            world.step();
            writer.commands(&[], Check::NONE).unwrap();
        }
        let hash = world.state_hash();
        if other_keyframe {
            world.apply(&Command::SetGravity(Vec3::X)).unwrap();
        }
        writer.keyframe(&world.snapshot().to_bytes()).unwrap();
        Arc::new(Log::from_bytes(writer.finish(Some(hash ^ wrong)).unwrap()).unwrap())
    };
    let told = |left: &Arc<Log>, right: &Arc<Log>| match diff(left, right).unwrap() {
        Some(LogDifference::State(state)) => Some((state.tick, state.last_equal)),
        None => None,
        other => panic!("{other:?}"),
    };
    let [sound, keyframe, hash] = [write(false, 0), write(true, 0), write(false, 1)];
    assert_eq!(told(&sound, &write(false, 0)), None);
    assert_eq!(told(&sound, &keyframe), Some((5, Some(0))));
    // The keyframe of a tick whose hashes differ is no state that is equal before it.
    assert_eq!(told(&sound, &hash), Some((5, Some(0))));
}

#[test]
fn a_player_goes_back_to_the_tick_that_it_could_not_do() {
    let (world, mut writer) = five_ticks(0);
    // The first command can be done, and the second cannot.
    let nobody = isostep_step::BodyHandle { index: 77, generation: 0 };
    let commands = [Command::DrawRandom { stream: 0 }, Command::Wake(nobody)];
    writer.commands(&commands, Check::hash(1)).unwrap();
    let log = Arc::new(Log::from_bytes(writer.finish(None).unwrap()).unwrap());
    let mut player = Player::<CommandSimulation>::new(Arc::clone(&log)).unwrap();
    player.seek(5).unwrap();
    // Each time from the state before the tick: what was done of it is not done again on top.
    let torn = [(); 2].map(|()| {
        let error = player.step().unwrap_err();
        assert!(matches!(error, PlayError::Simulation { tick: 5, .. }), "{error}");
        player.state().hash()
    });
    assert_eq!(torn[0], torn[1]);
    assert_ne!(torn[0], world.state_hash());
    player.seek(5).unwrap();
    assert_eq!(player.state().hash(), world.state_hash());
    let verification = Player::<CommandSimulation>::new(log).unwrap().verify().unwrap();
    assert_eq!((verification.ticks, verification.hash), (5, world.state_hash()));
}

#[test]
fn the_hash_in_the_index_is_compared_beside_the_one_of_the_last_tick() {
    let write = |wrong: u128| {
        let (world, writer) = five_ticks(0);
        let log = Log::from_bytes(writer.finish(Some(world.state_hash() ^ wrong)).unwrap()).unwrap();
        Player::<CommandSimulation>::new(log).unwrap().verify().unwrap()
    };
    let [sound, other] = [0, 1].map(write);
    assert_eq!((sound.is_identical(), sound.hashes), (true, 5));
    let divergence = other.divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal), (5, Some(4)));
    assert!(
        matches!(divergence.cause, Cause::LastHash { expected, found, is_hashed: true } if expected ^ found == 1)
    );
}

/// A log of five ticks that a game finished when it was ahead of the last one; and the hashes of that one and of where the game was.
fn finished_ahead(header: Header) -> (Log, [u128; 2]) {
    let mut game = Pushing::new();
    let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
    for _ in 0..5 {
        game.play(&[[1, 2], [0, 0]]);
        recorder.tick(&[[1, 2], [0, 0]], &game).unwrap();
    }
    let certain = game.hash();
    game.play(&[[9, 9], [9, 9]]);
    (Log::from_bytes(recorder.finish(&game).unwrap()).unwrap(), [certain, game.hash()])
}

#[test]
fn a_log_that_a_game_finished_ahead_of_it_says_that_it_may_have() {
    let (log, [certain, ahead]) = finished_ahead(Pushing::header().with_hash_interval(60));
    let divergence = Player::<Pushing>::new(log).unwrap().verify().unwrap().divergence.unwrap();
    assert_eq!(divergence.cause, Cause::LastHash { expected: ahead, found: certain, is_hashed: false });
    assert!(divergence.to_string().contains("may have been finished in another state"), "{divergence}");
}

#[test]
fn a_game_that_has_run_ahead_finishes_a_log_of_ticks_that_stand() {
    let (log, [certain, _]) = finished_ahead(Pushing::header());
    assert_eq!(log.last_hash(), Some(certain));
    assert!(Player::<Pushing>::new(log).unwrap().verify().unwrap().is_identical());
}

#[test]
fn a_log_without_hashes_has_nothing_to_compare() {
    let world = pile(2);
    let header = Header::commands(&world).with_hash_interval(0);
    let mut writer = LogWriter::new(Vec::new(), header, OPTIONS).unwrap();
    writer.keyframe(&world.snapshot().to_bytes()).unwrap();
    writer.commands(&[], Check::NONE).unwrap();
    let log = Log::from_bytes(writer.finish(None).unwrap()).unwrap();
    let verification = Player::<CommandSimulation>::new(log).unwrap().verify().unwrap();
    assert_eq!(
        (verification.ticks, verification.is_identical(), verification.is_compared()),
        (1, true, false)
    );
}

#[test]
fn logs_of_other_inputs_seeds_and_lengths_differ_where_they_do() {
    let log = |ticks: u32, header: Header, other: Option<u64>| {
        let mut game = Pushing::new();
        let mut recorder = GameRecorder::new(&game, Vec::new(), header, OPTIONS).unwrap();
        for tick in 0..u64::from(ticks) {
            let inputs = [[tick as u8, 1], if other == Some(tick) { [9, 9] } else { [0, 0] }];
            game.play(&inputs);
            recorder.tick(&inputs, &game).unwrap();
        }
        Log::from_bytes(recorder.finish(&game).unwrap()).unwrap()
    };
    let first = log(50, Pushing::header(), None);
    assert_eq!(diff(&first, &log(50, Pushing::header().with_note("other"), None)).unwrap(), None);
    let difference = diff(&first, &log(50, Pushing::header(), Some(33))).unwrap().unwrap();
    assert_eq!(difference.to_string(), "tick 33: input of player 1: [00, 00] against [09, 09]");
    let difference = diff(&first, &log(50, Header { seed: 4, ..Pushing::header() }, None)).unwrap().unwrap();
    assert_eq!(difference.to_string(), "seed of the header: 0 against 4");
    let difference = diff(&first, &log(44, Pushing::header(), None)).unwrap();
    assert_eq!(difference, Some(LogDifference::Length { left: 50, right: 44 }));
    let sparse = log(50, Pushing::header().with_hash_interval(10), None);
    assert_eq!(diff(&first, &sparse).unwrap(), None);
}

#[test]
fn a_stream_of_hashes_says_what_a_log_of_another_machine_would() {
    let log = Log::from_bytes(input_log(50, OPTIONS, Pushing::header().with_hash_interval(20)).1).unwrap();
    let stream = HashStream::of_log(&log).unwrap();
    assert_eq!(stream.hashes().iter().map(|(tick, _)| *tick).collect::<Vec<_>>(), [20, 40, 50]);
    let text = stream.to_string();
    let read: HashStream = format!("# of a test\n\n{text}").parse().unwrap();
    assert_eq!(read, stream);
    assert_eq!(diff_hashes(&log, &stream).unwrap(), None);
    let mut other = HashStream::default();
    assert!(other.push(20, stream.of(20).unwrap()) && other.push(40, 7) && !other.push(40, 8));
    let difference = diff_hashes(&log, &other).unwrap().unwrap();
    assert_eq!((difference.tick, difference.last_equal), (40, Some(20)));
    assert_eq!(difference.hashes, Some([stream.of(40).unwrap(), 7]));

    let own = format!("simulation {SIM_VERSION}");
    for (text, line) in [
        (String::from("60 00000000000000000000000000000000"), 1),
        (String::from("simulation x"), 1),
        (String::from("# x\nsimulation 999999"), 2),
        (format!("{own}\n60 +0000000000000000000000000000000"), 2),
        (format!("{own}\n60 0000000000000000000000000000000"), 2),
        (format!("{own}\n-1 00000000000000000000000000000000"), 2),
        (format!("{own}\n5 00000000000000000000000000000000\n5 00000000000000000000000000000000"), 3),
    ] {
        assert_eq!(text.parse::<HashStream>().unwrap_err().line, line, "{text}");
    }
}

#[test]
fn a_log_without_a_tick_is_compared_by_the_hash_that_it_was_finished_with() {
    let write = |keyframe: bool, hash: u128| {
        let mut writer = LogWriter::new(Vec::new(), Pushing::header(), OPTIONS).unwrap();
        if keyframe {
            writer.keyframe(&Pushing::new().save()).unwrap();
        }
        let log = Log::from_bytes(writer.finish(Some(hash)).unwrap()).unwrap();
        let mut player = Player::<Pushing>::new(log).unwrap();
        player.verify().unwrap()
    };
    let hash = Pushing::new().hash();
    for keyframe in [true, false] {
        let found = write(keyframe, hash);
        assert!(found.is_identical() && found.hashes == 1, "{found:?}");
        let divergence = write(keyframe, hash ^ 1).divergence.unwrap();
        let cause = Cause::LastHash { expected: hash ^ 1, found: hash, is_hashed: false };
        assert_eq!((divergence.tick, &divergence.cause), (0, &cause));
        assert_eq!(divergence.last_equal, keyframe.then_some(0));
    }
}

#[test]
fn a_log_without_a_tick_is_a_log() {
    let log = Log::from_bytes(input_log(0, OPTIONS, Pushing::header()).1).unwrap();
    assert_eq!((log.damage(), log.end_tick(), log.chunks().len()), (None, 0, 0));
    let mut player = Player::<Pushing>::new(log).unwrap();
    let found = player.verify().unwrap();
    assert_eq!((found.ticks, found.hashes, found.is_compared(), found.is_identical()), (0, 1, true, true));
    assert_eq!(found.hash, Pushing::new().hash());
    assert!(matches!(Player::<Pushing>::open("no/such.isr"), Err(PlayError::Log(LogError::Io { .. }))));
}
