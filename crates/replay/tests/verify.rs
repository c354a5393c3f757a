//! What verifying finds besides states that are not the ones recorded: another start, and what a game forgets to save.

mod game;

use game::{Pushing, command_log, input_log};
use isostep_math::{Vec3, fx};
use isostep_replay::{
    Cause, CommandSimulation, Divergence, Frame, GameRecorder, Header, Log, Player, Recorded, Simulation,
    SimulationError, Start, TraceComparison, Verification, VerifyOptions, WriterOptions,
};
use isostep_step::{BodyDef, World};
use std::sync::atomic::{AtomicBool, Ordering};

const OPTIONS: WriterOptions = WriterOptions { flush_ticks: 7, flush_bytes: 1 << 16, keyframe_interval: 20 };
const ROLL_BACK: VerifyOptions = VerifyOptions { roll_back: true };

/// What is wrong with a build of the game.
const NOTHING: u32 = 0;
const OTHER_LEVEL: u32 = 1;
const OTHER_COUNT: u32 = 2;
const FORGETS: u32 = 3;
const FORGETS_BESIDE: u32 = 4;
const LOADS_NOTHING: u32 = 5;
const KEEPS: u32 = 6;
const FAILS_ONCE: u32 = 7;
const BREAKS: u32 = 8;

/// Whether the build that fails once has.
static FAILED: AtomicBool = AtomicBool::new(false);

/// A build of the game of pushing.
struct Build<const WRONG: u32> {
    game: Pushing,
    /// How many ticks with a push there were; one build forgets to save it.
    combo: u32,
}

impl<const WRONG: u32> Simulation for Build<WRONG> {
    const RECORDED: Recorded = Pushing::RECORDED;

    fn start(header: &Header) -> Result<Self, SimulationError> {
        let mut game = Pushing::start(header)?;
        if WRONG == OTHER_LEVEL {
            game.world.set_pose(game.balls[0], BodyDef::dynamic(Vec3::Y * fx!(4)).pose).unwrap();
        } else if WRONG == OTHER_COUNT {
            game.pushes = 1;
        }
        Ok(Self { game, combo: 0 })
    }

    fn tick(&mut self, frame: &Frame<'_>) -> Result<(), SimulationError> {
        let before = self.game.pushes;
        // What each tick leaves for the next one, always the same.
        if WRONG == KEEPS {
            if self.combo == 7 && frame.tick > 5 {
                self.game.world.apply_impulse(self.game.balls[0], Vec3::Y).unwrap();
            }
            self.combo = 7;
            return self.game.tick(frame);
        }
        let fails = match WRONG {
            FAILS_ONCE => frame.tick == 30 && !FAILED.swap(true, Ordering::Relaxed),
            BREAKS => frame.tick == 30 || self.combo >= 1000 && frame.tick == 22,
            _ => false,
        };
        if fails {
            self.combo = 1000;
            self.game.world.apply_impulse(self.game.balls[0], Vec3::Y).unwrap();
            return Err(SimulationError::Game("it broke".into()));
        }
        // The tenth push in a row of ticks is a strong one, in the builds that forget how many there were.
        if WRONG == FORGETS && self.combo == 10 {
            self.game.world.apply_impulse(self.game.balls[0], Vec3::Y).unwrap();
        }
        self.game.tick(frame)?;
        self.combo += u32::from(self.game.pushes != before);
        if WRONG == FORGETS_BESIDE && self.combo == 10 {
            self.game.pushes += self.combo;
        }
        Ok(())
    }

    fn hash(&self) -> u128 {
        self.game.hash()
    }

    fn save(&self) -> Vec<u8> {
        self.game.save()
    }

    fn load(&mut self, state: &[u8]) -> Result<(), SimulationError> {
        if WRONG == LOADS_NOTHING && self.combo > 2 {
            return Err(SimulationError::Game("it cannot".into()));
        }
        self.game.load(state)
    }

    fn world(&self) -> &World {
        &self.game.world
    }
}

fn verify<const WRONG: u32>(bytes: Vec<u8>, options: &VerifyOptions) -> Verification {
    let mut player = Player::<Build<WRONG>>::new(Log::from_bytes(bytes).unwrap()).unwrap();
    player.verify_with(options, |_| ()).unwrap()
}

fn log() -> Vec<u8> {
    input_log(100, OPTIONS, Pushing::header()).1
}

#[test]
fn another_start_is_told_of_and_the_ticks_are_replayed_from_the_one_that_was_recorded() {
    let once = VerifyOptions::default();
    let same = verify::<NOTHING>(log(), &once);
    assert_eq!((&same.start, same.is_identical()), (&Start::Equal, true));
    assert_eq!((same.ticks, same.keyframes), (100, 5));

    let other = verify::<OTHER_LEVEL>(log(), &once);
    assert!(!other.is_identical() && other.is_compared());
    assert_eq!((other.ticks, other.hashes, other.divergence), (100, 100, None));
    let Start::World(difference) = &other.start else { panic!("{:?}", other.start) };
    assert_eq!((difference.item, difference.field), (1, "center"));
    let said = other.start.to_string();
    assert!(said.starts_with("the start is another one than the log's: Motions[1].center: "), "{said}");

    let beside = verify::<OTHER_COUNT>(log(), &once);
    assert_eq!((&beside.start, beside.is_identical(), beside.divergence), (&Start::Beside, false, None));
    assert!(beside.start.to_string().ends_with("it is in what the game keeps beside"));
}

#[test]
fn a_start_that_was_forged_is_another_one() {
    let log = Log::from_bytes(log()).unwrap();
    let mut forged = Pushing::new();
    forged.world.set_velocity(forged.balls[1], Vec3::X, Vec3::ZERO).unwrap();
    let found = verify::<NOTHING>(record(&log, &mut forged), &VerifyOptions::default());
    assert!(found.divergence.is_none() && !found.is_identical());
    assert!(found.start.to_string().contains("linear_velocity"), "{}", found.start);
}

#[test]
fn a_start_that_nobody_knows_is_not_compared() {
    let unknown = |verification: Verification| {
        assert!(verification.is_identical());
        assert_eq!(verification.start, Start::Unknown);
    };
    let once = VerifyOptions::default();
    let none = WriterOptions { keyframe_interval: 0, ..OPTIONS };
    // Without a keyframe the ticks are replayed from what this build starts from.
    unknown(verify::<NOTHING>(input_log(30, none, Pushing::header()).1, &once));
    assert!(verify::<OTHER_LEVEL>(input_log(30, none, Pushing::header()).1, &once).divergence.is_some());
    // Worlds may be filled before they are recorded.
    let (_, commands) = command_log(30, OPTIONS, |header| header);
    let mut player = Player::<CommandSimulation>::new(Log::from_bytes(commands).unwrap()).unwrap();
    unknown(player.verify().unwrap());
    let mut player = Player::<Build<OTHER_LEVEL>>::new(Log::from_bytes(log()).unwrap()).unwrap();
    player.seek(50).unwrap();
    unknown(player.verify().unwrap());
    // From its start on again.
    player.seek(0).unwrap();
    assert!(player.verify().unwrap().start.differs());
}

#[test]
fn of_a_start_that_nobody_compared_it_is_not_said_that_it_was_equal() {
    let once = VerifyOptions::default();
    let none = WriterOptions { keyframe_interval: 0, ..OPTIONS };
    let bytes = input_log(30, none, Pushing::header()).1;
    let divergence = verify::<OTHER_LEVEL>(bytes.clone(), &once).divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal), (1, None));
    assert!(divergence.to_string().ends_with("; nothing before was compared"), "{divergence}");
    // From within, as the hash of the state there is another one.
    let mut player = Player::<Build<OTHER_LEVEL>>::new(Log::from_bytes(bytes).unwrap()).unwrap();
    player.seek(10).unwrap();
    let divergence = player.verify().unwrap().divergence.unwrap();
    assert_eq!((divergence.tick, divergence.last_equal), (11, None));
    // What is a keyframe of the log, or has the hash that the log has of it, was.
    for (from, options) in [(0, OPTIONS), (29, none)] {
        let log =
            Log::from_bytes(input_log(31, options, Pushing::header().with_hash_interval(29)).1).unwrap();
        let mut player = Player::<Build<BREAKS>>::new(log).unwrap();
        player.seek(from).unwrap();
        let divergence = player.verify().unwrap().divergence.unwrap();
        assert_eq!((divergence.tick, divergence.last_equal), (30, Some(29)), "{from}");
    }
}

#[test]
fn what_a_game_forgets_to_save_shows_when_each_tick_is_rolled_back() {
    let log = Log::from_bytes(log()).unwrap();
    let bytes = record(&log, &mut Build::<FORGETS>::start(log.header()).unwrap());
    let straight = verify::<FORGETS>(bytes.clone(), &VerifyOptions::default());
    assert!(straight.is_identical(), "{:?}", straight.divergence);
    let rolled = verify::<FORGETS>(bytes, &ROLL_BACK);
    let divergence = rolled.divergence.unwrap();
    let Cause::RolledBack { first, again: Ok(again), difference: Some(difference) } = &divergence.cause
    else {
        panic!("{divergence}")
    };
    assert_ne!(first, again);
    assert_eq!((difference.item, difference.field), (1, "center"), "{difference}");
    assert_eq!(divergence.last_equal, Some(divergence.tick - 1));
    let said = divergence.to_string();
    assert!(said.contains("when done again after a rollback; Motions[1].center: "), "{said}");
}

#[test]
fn so_does_what_it_keeps_beside_the_world() {
    let log = Log::from_bytes(log()).unwrap();
    let bytes = record(&log, &mut Build::<FORGETS_BESIDE>::start(log.header()).unwrap());
    assert!(verify::<FORGETS_BESIDE>(bytes.clone(), &VerifyOptions::default()).is_identical());
    let divergence = verify::<FORGETS_BESIDE>(bytes, &ROLL_BACK).divergence.unwrap();
    assert!(matches!(divergence.cause, Cause::RolledBack { difference: None, .. }), "{divergence}");
    assert!(divergence.to_string().contains("it is in what the game keeps beside"), "{divergence}");
}

#[test]
fn what_it_keeps_and_never_changes_is_not_there_in_a_new_one() {
    let log = Log::from_bytes(log()).unwrap();
    let bytes = record(&log, &mut Build::<KEEPS>::start(log.header()).unwrap());
    assert!(verify::<KEEPS>(bytes.clone(), &VerifyOptions::default()).is_identical());
    let divergence = verify::<KEEPS>(bytes, &ROLL_BACK).divergence.unwrap();
    // In the tick after a keyframe.
    assert_eq!((divergence.last_equal, divergence.tick), (Some(20), 21), "{divergence}");
}

#[test]
fn a_player_that_stopped_within_a_tick_verifies_from_before_it() {
    let mut player = Player::<Build<FAILS_ONCE>>::new(Log::from_bytes(log()).unwrap()).unwrap();
    player.seek(30).unwrap();
    assert!(player.step().is_err());
    let found = player.verify_with(&ROLL_BACK, |_| ()).unwrap();
    assert!(found.is_identical() && found.ticks == 70, "{found:?}");
}

#[test]
fn ticks_are_counted_even_if_the_simulation_cannot_go_back_to_the_last_one() {
    let mut player = Player::<Build<BREAKS>>::new(Log::from_bytes(log()).unwrap()).unwrap();
    player.seek(28).unwrap();
    let found = player.verify().unwrap();
    let divergence = found.divergence.unwrap();
    assert!(matches!(divergence.cause, Cause::Refused { .. }), "{divergence}");
    assert_eq!((found.ticks, found.hashes, divergence.tick, divergence.last_equal), (2, 2, 30, Some(30)));
    assert_ne!(found.hash, 0);
}

#[test]
fn a_state_that_cannot_be_loaded_is_told_of_with_the_reason() {
    let mut player = Player::<Build<LOADS_NOTHING>>::new(Log::from_bytes(log()).unwrap()).unwrap();
    let divergence = player.verify_with(&ROLL_BACK, |_| ()).unwrap().divergence.unwrap();
    let Cause::RolledBack { again: Err(reason), .. } = &divergence.cause else { panic!("{divergence}") };
    assert_eq!(reason, "it cannot");
    assert!(divergence.to_string().contains("done again after a rollback: it cannot"), "{divergence}");
}

#[test]
fn what_saves_all_is_identical_with_a_rollback_in_each_tick() {
    let rolled = verify::<NOTHING>(log(), &ROLL_BACK);
    assert!(rolled.is_identical(), "{:?}", rolled.divergence);
    assert_eq!(rolled, verify::<NOTHING>(log(), &VerifyOptions::default()));
    let (world, commands) = command_log(100, OPTIONS, |header| header);
    let mut player = Player::<CommandSimulation>::new(Log::from_bytes(commands).unwrap()).unwrap();
    let rolled = player.verify_with(&ROLL_BACK, |_| ()).unwrap();
    assert_eq!((rolled.is_identical(), rolled.ticks, rolled.hash), (true, 100, world.state_hash()));
}

/// The log of a game that is played with the inputs of another log.
fn record(log: &Log, game: &mut impl Simulation) -> Vec<u8> {
    let mut recorder = GameRecorder::new(game, Vec::new(), Pushing::header(), OPTIONS).unwrap();
    for tick in 0..log.end_tick() {
        let chunk = log.chunk(log.chunk_of(tick).unwrap()).unwrap();
        let frame = chunk.frame(tick).unwrap();
        game.tick(&frame).unwrap();
        let inputs: Vec<_> = frame.events.inputs().iter().collect();
        recorder.tick(&inputs, game).unwrap();
    }
    recorder.finish(game).unwrap()
}

#[test]
fn a_rollback_that_saves_other_bytes_under_the_same_hash_is_told_as_that() {
    let of = |again| Divergence {
        tick: 3,
        last_equal: Some(2),
        cause: Cause::RolledBack { first: 7, again: Ok(again), difference: None },
        trace: TraceComparison::Untraced,
        numbers: Vec::new(),
        keyframe: None,
    };
    let text = "tick 3: saved after a rollback it has other bytes, and the same hash 00000000000000000000000000000007; \
                equal at tick 2";
    assert_eq!(of(7).to_string(), text);
    assert!(of(8).to_string().contains("and 00000000000000000000000000000008 when done again"));
}
