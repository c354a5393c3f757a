//! Hooks pull, let go, break, and never hold on to what is gone.

use super::{SHORTEST, STRENGTH};
use crate::arena::{Arena, ArenaSnapshot, Buttons, PlayerInput};
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyHandle, Command, Event};

const HOOK: PlayerInput = PlayerInput { x: 0, z: 0, buttons: Buttons::HOOK };

fn put(arena: &mut Arena, body: BodyHandle, place: Vec3) {
    arena.command(Command::SetPose { body, pose: Pose::from_translation(place) });
}

fn at(arena: &Arena, player: usize) -> Vec3 {
    arena.world.body(arena.state.players[player].body).unwrap().position()
}

/// Player 0, who faces along x, before the beam at x = −5, far from all else.
fn before_the_beam(players: usize) -> Arena {
    let mut arena = Arena::new(players, 0);
    let body = arena.state.players[0].body;
    put(&mut arena, body, vec3(fx!(-8.3), fx!(0.9), fx!(1)));
    arena
}

/// Player 0, whose hook holds another body that is before them.
fn holding(players: usize, body: impl Fn(&Arena) -> BodyHandle) -> (Arena, BodyHandle) {
    let mut arena = Arena::new(players, 0);
    let own = arena.state.players[0].body;
    // Up high, where there is nothing but what the hook is to hit.
    put(&mut arena, own, vec3(fx!(-9), fx!(30), fx!(0)));
    let body = body(&arena);
    put(&mut arena, body, vec3(fx!(-6), fx!(33.5), fx!(0)));
    arena.tick(&[HOOK]);
    let rope = arena.state.players[0].rope.expect("it hits");
    assert!(arena.world.joint(rope).unwrap().bodies().contains(&body));
    (arena, body)
}

/// No handle of a rope is one of nothing, and no rope is without its handle.
fn assert_ropes_are_whole(arena: &Arena) {
    let held: Vec<_> = arena.state.players.iter().filter_map(|player| player.rope).collect();
    let ropes = arena.world.joints().filter(|joint| joint.kind().name() == "distance");
    let mut ropes: Vec<_> = ropes.map(|joint| joint.handle()).collect();
    ropes.sort_unstable();
    let mut sorted = held;
    sorted.sort_unstable();
    assert_eq!(sorted, ropes);
}

#[test]
fn a_hook_pulls_a_player_up_and_lets_go_on_release() {
    let mut arena = before_the_beam(1);
    let mut last = Fx::MAX;
    for tick in 0..180 {
        arena.tick(&[HOOK]);
        let rope = arena.state.players[0].rope.expect("it holds");
        let length = arena.world.joint(rope).unwrap().position().unwrap();
        if tick < 20 {
            assert!(length < last, "{length} after {last}");
        }
        last = length;
    }
    // The spring gives way by g / ω², 0.39 m, under the weight; the limit holds what it had.
    assert!(last < SHORTEST + fx!(0.5), "{last}");
    assert!(at(&arena, 0).y > fx!(3), "{}", at(&arena, 0));
    arena.tick(&[PlayerInput::default()]);
    assert_eq!(arena.state.players[0].rope, None);
    assert_ropes_are_whole(&arena);
    for _ in 0..90 {
        arena.tick(&[]);
    }
    assert!(at(&arena, 0).y < fx!(1), "{}", at(&arena, 0));
}

#[test]
fn a_player_swings_on_a_hook() {
    let mut arena = before_the_beam(1);
    let mut furthest = Fx::MIN;
    for _ in 0..120 {
        arena.tick(&[PlayerInput { x: 127, ..HOOK }]);
        furthest = furthest.max(at(&arena, 0).x);
    }
    assert!(furthest > fx!(-4), "{furthest}");
}

#[test]
fn a_hook_that_hits_nothing_is_shot_again_after_a_while() {
    let mut arena = Arena::new(1, 0);
    let body = arena.state.players[0].body;
    put(&mut arena, body, vec3(fx!(-9), fx!(60), fx!(0)));
    arena.tick(&[HOOK]);
    let pause = arena.state.players[0].hook_in;
    assert!(arena.state.players[0].rope.is_none() && pause > 5);
    put(&mut arena, body, vec3(fx!(-8.3), fx!(0.9), fx!(1)));
    for _ in 1..pause {
        arena.tick(&[HOOK]);
        assert!(arena.state.players[0].rope.is_none());
    }
    arena.tick(&[HOOK]);
    assert!(arena.state.players[0].rope.is_some());
}

#[test]
fn a_rope_breaks_by_a_force_that_it_does_not_hold() {
    let mut arena = before_the_beam(1);
    for _ in 0..120 {
        arena.tick(&[HOOK]);
    }
    let body = arena.state.players[0].body;
    let mut breaks = Vec::new();
    for _ in 0..10 {
        arena.command(Command::ApplyForce { body, force: vec3(fx!(0), fx!(-12000), fx!(0)) });
        arena.tick(&[HOOK]);
        assert_ropes_are_whole(&arena);
        breaks.extend(arena.world.events().iter().filter_map(|event| match event {
            Event::JointBreak { force, .. } => Some(*force),
            _ => None,
        }));
    }
    assert!(breaks.len() == 1 && breaks[0] > STRENGTH, "{breaks:?}");
    let player = arena.state.players[0];
    assert!(player.rope.is_none() && player.hook_in > 20, "{player:?}");
}

#[test]
fn pulling_alone_does_not_break_a_rope() {
    let (mut arena, body) = holding(1, |arena| arena.state.ball.unwrap());
    // Both ends are held fast.
    let own = arena.state.players[0].body;
    let rope = arena.state.players[0].rope;
    for end in [own, body] {
        arena.command(Command::SetMass { body: end, mass: Some(fx!(1000000)) });
        arena.command(Command::SetGravityScale { body: end, scale: Fx::ZERO });
        arena.command(Command::SetVelocity { body: end, linear: Vec3::ZERO, angular: Vec3::ZERO });
    }
    let start = at(&arena, 0);
    for _ in 0..60 {
        arena.tick(&[HOOK]);
    }
    assert!(rope.is_some() && arena.state.players[0].rope == rope);
    // 2400 N move a million kilograms by 1.2 mm in a second.
    assert!(at(&arena, 0).distance(start) < fx!(0.002), "{}", at(&arena, 0));
}

#[test]
fn a_jerk_breaks_a_rope() {
    let mut arena = before_the_beam(1);
    for _ in 0..120 {
        arena.tick(&[HOOK]);
    }
    assert!(arena.state.players[0].rope.is_some());
    let body = arena.state.players[0].body;
    arena.command(Command::SetVelocity { body, linear: vec3(fx!(0), fx!(-25), fx!(0)), angular: Vec3::ZERO });
    for _ in 0..10 {
        arena.tick(&[HOOK]);
        assert_ropes_are_whole(&arena);
    }
    assert_eq!(arena.state.players[0].rope, None);
}

#[test]
fn a_hook_lets_go_of_what_is_removed() {
    let (mut arena, ball) = holding(1, |arena| arena.state.ball.unwrap());
    let before = arena.snapshot();
    arena.command(Command::RemoveBody(ball));
    for _ in 0..60 {
        arena.tick(&[HOOK]);
        assert_ropes_are_whole(&arena);
    }
    // And back, to when it was there.
    arena.load(&before);
    arena.tick(&[HOOK]);
    assert!(arena.state.players[0].rope.is_some());
    assert_ropes_are_whole(&arena);
}

#[test]
fn a_hook_lets_go_of_a_thrown_crate_whose_time_is_over() {
    let mut arena = Arena::new(2, 0);
    arena.state.players[1].held = 1;
    arena.tick(&[PlayerInput::default(), PlayerInput { buttons: Buttons::THROW, ..PlayerInput::default() }]);
    let thrown = arena.state.shots[0].body;
    let own = arena.state.players[0].body;
    put(&mut arena, own, vec3(fx!(-9), fx!(30), fx!(0)));
    put(&mut arena, thrown, vec3(fx!(-6), fx!(33.5), fx!(0)));
    arena.tick(&[HOOK]);
    let rope = arena.state.players[0].rope.expect("it hits");
    assert!(arena.world.joint(rope).unwrap().bodies().contains(&thrown));
    arena.state.shots[0].ticks_left = 2;
    for _ in 0..3 {
        arena.tick(&[HOOK]);
        assert_ropes_are_whole(&arena);
    }
    assert!(arena.world.body(thrown).is_none() && arena.state.players[0].rope != Some(rope));
}

#[test]
fn ropes_of_a_player_who_is_gone_are_gone() {
    // One holds another, who holds a beam.
    let (mut arena, other) = holding(2, |arena| arena.state.players[1].body);
    for gone in [other, arena.state.players[0].body] {
        let before = arena.snapshot();
        arena.command(Command::RemoveBody(gone));
        for _ in 0..60 {
            arena.tick(&[HOOK, HOOK]);
            assert_ropes_are_whole(&arena);
        }
        arena.load(&before);
    }
    assert_ropes_are_whole(&arena);
}

#[test]
fn who_falls_off_or_is_stunned_takes_no_rope_along() {
    for falls in [true, false] {
        let mut arena = before_the_beam(2);
        arena.tick(&[HOOK]);
        assert!(arena.state.players[0].rope.is_some());
        if falls {
            let body = arena.state.players[0].body;
            put(&mut arena, body, vec3(fx!(-30), fx!(-9), fx!(0)));
        } else {
            arena.state.players[0].stunned = 10;
        }
        arena.tick(&[HOOK]);
        assert_eq!(arena.state.players[0].rope, None);
        assert_ropes_are_whole(&arena);
    }
}

#[test]
fn what_is_brought_back_is_on_no_rope() {
    let (mut arena, ball) = holding(1, |arena| arena.state.ball.unwrap());
    arena.state.ball_is_in_goal = true;
    arena.tick(&[PlayerInput { x: 0, z: 127, ..HOOK }]);
    let rope = arena.state.players[0].rope.and_then(|rope| arena.world.joint(rope));
    assert!(rope.is_none_or(|rope| !rope.bodies().contains(&ball)));
    assert_ropes_are_whole(&arena);
}

#[test]
fn a_game_with_ropes_goes_on_alike_from_its_bytes() {
    let mut arena = before_the_beam(2);
    for tick in 0..90 {
        let input = PlayerInput { x: 90, ..HOOK };
        let inputs = [if tick % 50 < 45 { input } else { PlayerInput::default() }, input];
        let bytes = arena.snapshot().to_bytes();
        arena.tick(&inputs);
        let mut other = Arena::from_snapshot(&ArenaSnapshot::from_bytes(&bytes).unwrap());
        other.tick(&inputs);
        assert_eq!((other.hash(), other.state()), (arena.hash(), arena.state()));
    }
}
