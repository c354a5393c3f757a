//! The arena and the scenes, recorded and replayed: the logs that users and tests have.

use isostep_replay::{
    Check, CommandSimulation, GameRecorder, Header, Log, LogDifference, LogWriter, PlayError, Player,
    Recorder, Simulation, SimulationError, WriterOptions, diff_with,
};
use isostep_scenes::Scene;
use isostep_scenes::arena::{Arena, ArenaSnapshot, Bots, PlayerInput};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

fn bytes_of(inputs: &[PlayerInput]) -> Vec<[u8; 3]> {
    inputs.iter().map(|input| input.to_bytes()).collect()
}

/// A match of bots, and its log.
fn record(players: usize, ticks: u32, header: Header) -> (Arena, Vec<u8>) {
    let (mut arena, mut bots) = (Arena::new(players, header.seed), Bots::new(players, 4));
    let mut recorder = GameRecorder::new(&arena, Vec::new(), header, WriterOptions::default()).unwrap();
    for _ in 0..ticks {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        recorder.tick(&bytes_of(&inputs), &arena).unwrap();
    }
    let log = recorder.finish(&arena).unwrap();
    (arena, log)
}

#[test]
fn a_match_replays_from_its_inputs_and_from_its_commands() {
    let header = Arena::header(4, 9);
    let (arena, log) = record(4, 900, header.clone());
    let mut player = Player::<Arena>::new(Log::from_bytes(log).unwrap()).unwrap();
    let verification = player.verify().unwrap();
    assert!(verification.is_identical());
    assert_eq!((verification.ticks, verification.hash), (900, arena.hash()));

    // The same match once more, as the commands that the game gives.
    player.seek(0).unwrap();
    let world = player.world().clone();
    let header = Header::commands(&world);
    let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
    while player.step().unwrap() {
        for command in player.state().commands() {
            recorder.apply(command).unwrap();
        }
        recorder.step().unwrap();
    }
    let (world, log) = recorder.finish().unwrap();
    assert_eq!(world.state_hash(), arena.world().state_hash());
    let mut player = Player::<CommandSimulation>::new(Log::from_bytes(log).unwrap()).unwrap();
    assert!(player.verify().unwrap().is_identical());
}

#[test]
fn a_match_that_was_rolled_back_all_the_time_has_the_log_of_one_that_was_not() {
    let header = Arena::header(2, 1);
    let (_, straight) = record(2, 240, header.clone());
    let (mut arena, mut bots) = (Arena::new(2, 1), Bots::new(2, 4));
    let mut recorder = GameRecorder::new(&arena, Vec::new(), header, WriterOptions::default()).unwrap();
    let mut saved = ArenaSnapshot::default();
    for tick in 0..240 {
        let inputs = bots.inputs(&arena);
        arena.save(&mut saved);
        // What others do is guessed for some ticks, until it comes.
        for _ in 0..tick % 7 {
            arena.tick(&[inputs[0], PlayerInput::default()]);
        }
        arena.load(&saved);
        arena.tick(&inputs);
        recorder.tick(&bytes_of(&inputs), &arena).unwrap();
    }
    assert!(recorder.finish(&arena).unwrap() == straight);
}

#[test]
fn every_scene_replays() {
    for scene in Scene::all() {
        let world = scene.small_world();
        let header = Header::commands(&world).with_traces().with_note(scene.name);
        let mut recorder = Recorder::new(world, Vec::new(), header, WriterOptions::default()).unwrap();
        for _ in 0..70 {
            recorder.step().unwrap();
        }
        let (world, log) = recorder.finish().unwrap();
        let mut player = Player::<CommandSimulation>::new(Log::from_bytes(log).unwrap()).unwrap();
        let verification = player.verify().unwrap();
        assert!(verification.is_identical(), "{}", scene.name);
        assert_eq!(verification.hash, world.state_hash(), "{}", scene.name);
    }
}

#[test]
fn more_players_than_the_game_has_room_for_are_refused() {
    let refused = Arena::start(&Header { players: 9, ..Arena::header(8, 0) }).err().unwrap();
    assert_eq!(refused.to_string(), "a log of 9 players: there may be 8");
    let header = Header { players: 9, ..Arena::header(8, 0) };
    let mut writer = LogWriter::new(Vec::new(), header, WriterOptions::default()).unwrap();
    writer.inputs(&[[0; 3]; 9], Check::NONE).unwrap();
    let log = Log::from_bytes(writer.finish(None).unwrap()).unwrap();
    let chunk = log.chunk(0).unwrap();
    let refused = Simulation::tick(&mut Arena::new(8, 0), &chunk.frame(0).unwrap()).unwrap_err();
    assert_eq!(refused.to_string(), "a log of 9 players: there may be 8");
}

#[test]
fn an_input_of_another_length_is_named() {
    let arena = Arena::new(2, 0);
    let mut recorder =
        GameRecorder::new(&arena, Vec::new(), Arena::header(2, 0), WriterOptions::default()).unwrap();
    recorder.tick(&[&[0; 3][..], &[0; 4]], &arena).unwrap();
    let log = Log::from_bytes(recorder.finish(&arena).unwrap()).unwrap();
    let error = Player::<Arena>::new(log).unwrap().step().unwrap_err();
    let PlayError::Simulation { tick: 0, error: SimulationError::Input { player, found, expected } } = error
    else {
        panic!("{error}")
    };
    assert_eq!((player, found, expected), (1, 4, 3));
}

/// The game with one bit of the velocity of a player's body changed.
fn with_another_bit(arena: &Arena) -> Arena {
    let mut bytes = arena.snapshot().to_bytes();
    let body = arena.world().body(arena.state().players()[1].body()).unwrap();
    let center = body.center_of_mass().to_array().map(|part| part.to_bits().to_le_bytes()).concat();
    let place = bytes.windows(center.len()).position(|window| window == center).unwrap();
    // After the centre and the rotation.
    bytes[place + 24 + 32 + 8] ^= 4;
    let state = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let payload = 4 + state + 40;
    let checksum = xxh3_128(&bytes[payload..]).to_le_bytes();
    bytes[payload - 16..payload].copy_from_slice(&checksum);
    Arena::from_snapshot(&ArenaSnapshot::from_bytes(&bytes).unwrap())
}

#[test]
fn where_two_machines_parted_is_found_in_a_match() {
    let header = Arena::header(3, 2).with_traces();
    let (mut arena, mut bots) = (Arena::new(3, 2), Bots::new(3, 2));
    let record = |game: &Arena| GameRecorder::new(game, Vec::new(), header.clone(), WriterOptions::default());
    let (mut ours, mut theirs) = (record(&arena).unwrap(), record(&arena).unwrap());
    let mut other = arena.clone();
    let player = arena.state().players()[1].body();
    for tick in 1..=700 {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        other.tick(&inputs);
        if tick == 655 {
            other = with_another_bit(&other);
        }
        ours.tick(&bytes_of(&inputs), &arena).unwrap();
        theirs.tick(&bytes_of(&inputs), &other).unwrap();
    }
    let ours = Arc::new(Log::from_bytes(ours.finish(&arena).unwrap()).unwrap());
    let theirs = Arc::new(Log::from_bytes(theirs.finish(&other).unwrap()).unwrap());
    let difference = diff_with::<Arena>(&ours, &theirs).unwrap();
    let Some(LogDifference::State(state)) = difference else { panic!("{difference:?}") };
    assert_eq!((state.tick, state.last_equal, state.numbers.len()), (655, Some(654), 1));
    let number = &state.numbers[0];
    assert_eq!(
        (number.handle.to_string(), number.number.left.name().as_str()),
        (player.to_string(), "linear_velocity.y")
    );
    assert_eq!(number.number.left.bits ^ number.number.right, 4);
}

#[test]
fn a_keyframe_of_the_arena_that_is_none_is_an_error() {
    let mut arena = Arena::new(1, 0);
    let before = Simulation::save(&arena);
    assert!(Simulation::load(&mut arena, &before[..50]).is_err());
    assert!(Simulation::load(&mut arena, &before).is_ok());
}
