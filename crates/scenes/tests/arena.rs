//! The demo game: what players do has the effect it should, and a game that was rolled back goes on like one that was
//! not.

use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_scenes::arena::{
    Arena, ArenaError, ArenaSnapshot, ArenaState, Bots, Buttons, MAX_PLAYERS, PlayerInput, Tag,
};
use isostep_step::{Event, World};

fn position(arena: &Arena, player: usize) -> Vec3 {
    arena.world().body(arena.state().players()[player].body()).unwrap().position()
}

#[test]
fn players_run_jump_and_stop() {
    let mut arena = Arena::new(1, 0);
    let start = position(&arena, 0);
    let mut highest = Fx::MIN;
    for tick in 0..90 {
        let buttons = if tick == 30 { Buttons::JUMP } else { Buttons::NONE };
        arena.tick(&[PlayerInput { x: 0, z: 127, buttons }]);
        highest = highest.max(position(&arena, 0).y);
    }
    let run = position(&arena, 0) - start;
    assert!(run.z > fx!(7) && run.z < fx!(9) && run.x.abs() < fx!(0.1), "{run}");
    assert!(highest > fx!(2.4) && highest < fx!(3.4), "{highest}");
    for _ in 0..60 {
        arena.tick(&[]);
    }
    let body = arena.world().body(arena.state().players()[0].body()).unwrap();
    assert!(body.linear_velocity().length() < fx!(0.1) && body.rotation() == isostep_math::Quat::IDENTITY);
}

#[test]
fn a_shot_that_hits_counts_and_is_gone() {
    let mut arena = Arena::new(2, 0);
    // Both start on one line, with the ball between: up and over it.
    let shoot = PlayerInput { x: 127, z: 0, buttons: Buttons::SHOOT };
    let mut most = 0;
    for _ in 0..240 {
        arena.tick(&[shoot]);
        most = most.max(arena.world().bodies().count());
    }
    assert!(arena.state().players()[0].score() > 0);
    for _ in 0..200 {
        arena.tick(&[]);
    }
    let left = arena.world().bodies().count() - arena.state().pick_ups().count();
    let fresh = Arena::new(2, 0).world().bodies().count();
    assert!(left == fresh && most > fresh, "{left} {fresh} {most}");
}

#[test]
fn who_falls_comes_back() {
    let mut arena = Arena::new(2, 0);
    // Along the wall to the goal, and through it.
    for tick in 0..400 {
        let [x, z] = if tick < 50 { [0, 127] } else { [-127, 0] };
        arena.tick(&[PlayerInput { x, z, ..PlayerInput::default() }]);
    }
    let player = arena.state().players()[0];
    assert!(player.score() < 0 && position(&arena, 0).y > fx!(-10), "{player:?}");
}

#[test]
fn a_ball_that_is_dribbled_into_the_goal_counts_and_comes_back() {
    let mut arena = Arena::new(1, 0);
    let ball = arena.state().ball().unwrap();
    let mut ticks = 0;
    while arena.state().goals() == [0, 0] {
        // Behind the ball first, as seen from the goal, then on.
        let ball = arena.world().body(ball).unwrap().position();
        let on_ground = |v: Vec3| vec3(v.x, fx!(0), v.z);
        let way = on_ground(ball - position(&arena, 0));
        let to_goal = on_ground(vec3(fx!(16), fx!(0), fx!(0)) - ball).normalize_or_zero();
        let is_behind = way.normalize_or_zero().dot(to_goal) > fx!(0.9);
        let ahead = if is_behind { Vec3::ZERO } else { to_goal * fx!(-1.5) };
        let way = (way + ahead).normalize_or_zero() * fx!(127);
        let [x, z] = [way.x, way.z].map(|part| part.to_int_round() as i8);
        arena.tick(&[PlayerInput { x, z, ..PlayerInput::default() }]);
        ticks += 1;
        assert!(ticks < 3000, "the ball is at {ball}");
    }
    assert_eq!(arena.state().goals(), [1, 0]);
    arena.tick(&[]);
    assert!(arena.world().body(ball).unwrap().position().length() < fx!(3));
}

#[test]
fn bots_find_something_to_do() {
    let mut arena = Arena::new(8, 3);
    let mut bots = Bots::new(8, 3);
    let (mut thrown, mut impacts, mut kinds) = (0, 0, [false; 4]);
    for _ in 0..1800 {
        let before: u32 = arena.state().players().iter().map(|player| u32::from(player.held())).sum();
        arena.tick(&bots.inputs(&arena));
        let after: u32 = arena.state().players().iter().map(|player| u32::from(player.held())).sum();
        thrown += u32::from(after < before);
        for event in arena.world().events() {
            impacts += u32::from(matches!(event, Event::ContactImpact { .. }));
            kinds[0] |= matches!(event, Event::SensorEnter { .. });
            kinds[1] |= matches!(event, Event::SensorLeave { .. });
            kinds[2] |= matches!(event, Event::Sleep { .. });
            kinds[3] |= matches!(event, Event::Wake { .. });
        }
    }
    assert!(thrown > 0 && impacts > 100 && kinds == [true; 4], "{thrown} {impacts} {kinds:?}");
}

#[test]
fn bots_walk_through_doors_over_the_bridge_and_seesaws_and_swing() {
    let mut arena = Arena::new(8, 3);
    let mut bots = Bots::new(8, 3);
    let (mut widest, mut on_bridge, mut swinging) = (Fx::ZERO, 0, 0);
    let mut seesaws = [[false; 2]; 2];
    for _ in 0..3600 {
        arena.tick(&bots.inputs(&arena));
        let world = arena.world();
        for joint in world.joints() {
            match Tag::of_body(&world.body(joint.bodies()[1]).unwrap()) {
                Tag::Door(_) => widest = widest.max(joint.angle().abs()),
                Tag::Seesaw(index) if joint.angle().abs() > fx!(0.15) => {
                    seesaws[index][usize::from(joint.angle() > Fx::ZERO)] = true;
                }
                _ => {}
            }
        }
        for (player, state) in arena.state().players().iter().enumerate() {
            let place = position(&arena, player);
            let is_over_planks = place.x > fx!(7) && place.x < fx!(10) && place.z < fx!(-9.5);
            on_bridge += u32::from(is_over_planks && place.y > fx!(2.5) && place.y < fx!(3.4));
            swinging += u32::from(state.rope().is_some() && place.y > fx!(2.5));
        }
    }
    assert!(widest > fx!(0.8), "{widest}");
    assert!(on_bridge > 0 && swinging > 200, "{on_bridge} {swinging}");
    assert_eq!(seesaws, [[true; 2]; 2]);
}

/// Each tick is done, undone with up to seven before it, and done again.
fn assert_rollbacks_change_nothing(
    players: usize,
    ticks: usize,
    inputs_of: &mut dyn FnMut(&Arena) -> Vec<PlayerInput>,
) {
    let (mut arena, mut rolled) = (Arena::new(players, 5), Arena::new(players, 5));
    let mut history: Vec<(ArenaSnapshot, Vec<PlayerInput>)> = Vec::new();
    for tick in 0..ticks {
        let inputs = inputs_of(&arena);
        arena.tick(&inputs);
        history.push((rolled.snapshot(), inputs.clone()));
        rolled.tick(&inputs);
        let depth = (tick % 8 + 1).min(history.len());
        rolled.load(&history[history.len() - depth].0);
        for (_, inputs) in &history[history.len() - depth..] {
            rolled.tick(inputs);
        }
        assert_eq!(rolled.hash(), arena.hash(), "tick {tick}");
        assert_eq!(rolled.state(), arena.state());
        assert_eq!(rolled.world().events(), arena.world().events());
    }
}

#[test]
fn a_game_that_is_rolled_back_each_tick_is_the_same_game() {
    let mut bots = Bots::new(4, 6);
    assert_rollbacks_change_nothing(4, 400, &mut |arena| bots.inputs(arena));
}

#[test]
fn a_game_of_players_on_ropes_that_is_rolled_back_each_tick_is_the_same_game() {
    let mut bots = Bots::new(8, 6);
    let (mut held, mut let_go, mut broken) = (0, 0, 0);
    let mut last = [None; 8];
    assert_rollbacks_change_nothing(8, 600, &mut |arena| {
        broken +=
            arena.world().events().iter().filter(|event| matches!(event, Event::JointBreak { .. })).count();
        for (last, player) in last.iter_mut().zip(arena.state().players()) {
            held += usize::from(player.rope().is_some());
            let_go += usize::from(last.is_some() && *last != player.rope());
            *last = player.rope();
            // What the game keeps is what there is.
            assert!(player.rope().is_none_or(|rope| arena.world().joint(rope).is_some()));
        }
        let mut inputs = bots.inputs(arena);
        for (player, input) in inputs.iter_mut().enumerate() {
            if (arena.world().tick() as usize + 13 * player) % 80 < 60 {
                input.buttons = input.buttons.with(Buttons::HOOK);
            }
        }
        inputs
    });
    assert!(held > 1000 && let_go > 30 && broken > 0, "{held} {let_go} {broken}");
}

#[test]
fn bytes_carry_a_game() {
    let mut arena = Arena::new(3, 1);
    let mut bots = Bots::new(3, 2);
    for _ in 0..200 {
        arena.tick(&bots.inputs(&arena));
    }
    let mut saved = ArenaSnapshot::default();
    arena.save(&mut saved);
    assert_eq!(saved.hash(), arena.hash());
    let bytes = saved.to_bytes();
    let mut other = Arena::from_snapshot(&ArenaSnapshot::from_bytes(&bytes).unwrap());
    for _ in 0..100 {
        let inputs = bots.inputs(&arena);
        arena.tick(&inputs);
        other.tick(&inputs);
        assert_eq!(other.hash(), arena.hash());
    }
}

#[test]
fn the_commands_of_each_tick_replay_without_the_game() {
    let mut arena = Arena::new(4, 9);
    let mut bots = Bots::new(4, 9);
    let mut world = World::from_snapshot(&arena.world().snapshot());
    for _ in 0..300 {
        arena.tick(&bots.inputs(&arena));
        for command in arena.commands() {
            world.apply(command).unwrap();
        }
        world.step();
        assert_eq!(world.state_hash(), arena.world().state_hash());
    }
}

#[test]
fn hostile_bytes_make_no_game_or_a_game_that_runs() {
    let arena = Arena::new(2, 0);
    let bytes = arena.snapshot().to_bytes();
    for length in [0, 3, 4, 40, bytes.len() - 1] {
        assert!(ArenaSnapshot::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    assert_eq!(
        ArenaState::from_bytes(&ArenaState::default().to_bytes()),
        Err(ArenaError::Players { found: 0 })
    );
    let huge = [u8::MAX; 64];
    assert!(ArenaState::from_bytes(&huge).is_err() && ArenaSnapshot::from_bytes(&huge).is_err());

    // The bytes of the game have no checksum: what decodes must run.
    let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let mut ran = 0;
    for place in 4..4 + length {
        let mut bytes = bytes.clone();
        bytes[place] ^= 0x5A;
        if let Ok(snapshot) = ArenaSnapshot::from_bytes(&bytes) {
            let mut arena = Arena::from_snapshot(&snapshot);
            for _ in 0..3 {
                arena.tick(&[PlayerInput::from_bytes([200, 9, 255]); 2]);
            }
            ran += 1;
        }
    }
    assert!(ran > 50, "{ran}");
}

#[test]
fn players_are_as_many_as_there_can_be() {
    assert_eq!(Arena::new(0, 0).state().players().len(), 1);
    assert_eq!(Arena::new(100, 0).state().players().len(), MAX_PLAYERS);
    let input = PlayerInput { x: -128, z: 5, buttons: Buttons::JUMP.with(Buttons::SHOOT) };
    assert_eq!(PlayerInput::from_bytes(input.to_bytes()), input);
    let mut arena = Arena::new(2, 0);
    arena.tick(&[input; 9]);
    assert_eq!(arena.world().tick(), 1);
}
