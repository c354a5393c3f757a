//! What moves on joints does so as in life.

use crate::arena::{Arena, PlayerInput, Tag};
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyHandle, BodyView, Command, JointView};

/// A game in which nothing happens but what a test does, with player 0 at a place.
fn arena_with_player_at(place: Vec3) -> Arena {
    let mut arena = Arena::new(1, 0);
    let body = arena.state.players[0].body;
    arena.command(Command::SetPose { body, pose: Pose::from_translation(place) });
    arena
}

fn find(arena: &Arena, tag: Tag) -> BodyHandle {
    arena.world.bodies().find(|body| Tag::of_body(body) == tag).unwrap().handle()
}

fn body(arena: &Arena, handle: BodyHandle) -> BodyView<'_> {
    arena.world.body(handle).unwrap()
}

fn player(arena: &Arena) -> Vec3 {
    body(arena, arena.state.players[0].body).position()
}

/// The angle of the hinge of a body that has one joint.
fn angle(arena: &Arena, handle: BodyHandle) -> Fx {
    let joint = body(arena, handle).joints().next().unwrap();
    arena.world.joint(joint).unwrap().angle()
}

fn run(x: i8, z: i8) -> PlayerInput {
    PlayerInput { x, z, ..PlayerInput::default() }
}

#[test]
fn a_door_opens_by_a_push_and_closes_again() {
    for (start, way, leaves, passed) in [
        (vec3(fx!(-8), fx!(0.9), fx!(9)), run(-127, 0), [0, 1], Vec3::X * fx!(-10)),
        (vec3(fx!(-13), fx!(0.9), fx!(4)), run(0, 127), [2, 3], Vec3::Z * fx!(6)),
    ] {
        let mut arena = arena_with_player_at(start);
        let leaves = leaves.map(|leaf| find(&arena, Tag::Door(leaf)));
        let mut widest = [Fx::ZERO; 2];
        for _ in 0..45 {
            arena.tick(&[way]);
            widest = [0, 1].map(|leaf| widest[leaf].max(angle(&arena, leaves[leaf]).abs()));
        }
        assert!(widest[0].max(widest[1]) > fx!(0.7), "{widest:?}");
        let ahead = passed.normalize_or_zero();
        assert!(player(&arena).dot(ahead) > passed.dot(ahead) + fx!(0.5), "{}", player(&arena));
        for _ in 0..240 {
            arena.tick(&[]);
        }
        for leaf in leaves {
            let angle = angle(&arena, leaf);
            assert!(angle.abs() < fx!(0.03), "{angle}");
            assert!(body(&arena, leaf).is_asleep());
        }
    }
}

#[test]
fn a_seesaw_tips_when_somebody_walks_over_it() {
    // It is low where x is negative.
    let mut arena = arena_with_player_at(vec3(fx!(-4), fx!(0.9), fx!(5)));
    let seesaw = find(&arena, Tag::Seesaw(0));
    for _ in 0..10 {
        arena.tick(&[]);
    }
    let before = angle(&arena, seesaw);
    assert!(before > fx!(0.15), "{before}");
    let mut highest = Fx::ZERO;
    while player(&arena).x < fx!(1.5) {
        arena.tick(&[run(60, 0)]);
        highest = highest.max(player(&arena).y);
        assert!(arena.world.tick() < 300, "{}", player(&arena));
    }
    for _ in 0..120 {
        arena.tick(&[]);
    }
    // Over it, not beside it, and it stays where it was left.
    assert!(highest > fx!(1.35), "{highest}");
    let after = angle(&arena, seesaw);
    assert!(after < fx!(-0.15), "{before} {after} {}", player(&arena));
}

/// How far the ends of the joints of the bridge are from each other at the most.
fn gap(arena: &Arena) -> Fx {
    let is_plank = |body| Tag::of_body(&arena.world.body(body).unwrap()) != Tag::Scenery;
    let joints = arena.world.joints().filter(|joint| matches!(joint.kind().name(), "ball"));
    let gaps = joints.filter(|joint: &JointView<'_>| joint.bodies().into_iter().any(is_plank));
    gaps.map(|joint| joint.anchors()[0].distance(joint.anchors()[1])).max().unwrap()
}

#[test]
fn the_bridge_carries_a_player_and_does_not_stretch() {
    let mut arena = arena_with_player_at(vec3(fx!(14), fx!(3.6), fx!(-10.5)));
    let middle = find(&arena, Tag::Plank(6));
    for _ in 0..300 {
        arena.tick(&[]);
    }
    let unloaded = body(&arena, middle).position().y;
    assert!(unloaded.abs_diff_eq(fx!(2.1), fx!(0.05)), "{unloaded}");
    assert!(body(&arena, middle).is_asleep(), "a bridge that nobody is on rests");
    let (mut lowest, mut widest) = (Fx::MAX, Fx::ZERO);
    let mut ticks = 0;
    while player(&arena).x > fx!(4) {
        arena.tick(&[run(-127, 0)]);
        lowest = lowest.min(player(&arena).y);
        widest = widest.max(gap(&arena));
        ticks += 1;
        assert!(ticks < 240, "{}", player(&arena));
    }
    // Feet are 0.9 m below the middle of a player, the upper side of a plank 5 cm above its own.
    assert!(lowest > unloaded + fx!(0.95) - fx!(0.45), "{lowest}");
    assert!(widest < fx!(0.03), "{widest}");
}

#[test]
fn the_bridge_carries_everybody_at_once() {
    let mut arena = Arena::new(8, 0);
    for player in 0..8 {
        let body = arena.state.players[player].body;
        let place = vec3(fx!(5.5) + Fx::from_int(player as i32) * fx!(0.9), fx!(3.6), fx!(-10.5));
        arena.command(Command::SetPose { body, pose: Pose::from_translation(place) });
    }
    let mut widest = Fx::ZERO;
    for _ in 0..300 {
        arena.tick(&[]);
        widest = widest.max(gap(&arena));
    }
    let stand = arena.state.players.iter().filter(|player| {
        let place = body(&arena, player.body).position();
        place.y > fx!(2.2) && place.y < fx!(3.6) && (place.z - fx!(-10.5)).abs() < fx!(1)
    });
    assert_eq!(stand.count(), 8);
    assert!(widest < fx!(0.08), "{widest}");
}

#[test]
fn a_player_at_the_edge_of_the_bridge_does_not_turn_it_over() {
    for z in [fx!(-11), fx!(-10)] {
        let mut arena = arena_with_player_at(vec3(fx!(8.5), fx!(3.4), z));
        for _ in 0..240 {
            arena.tick(&[]);
        }
        let planks = (0..12).map(|plank| find(&arena, Tag::Plank(plank)));
        let steepest = planks.map(|plank| (body(&arena, plank).rotation() * Vec3::Y).y).min().unwrap();
        assert!(steepest > fx!(0.9), "{steepest}");
        assert!(player(&arena).y > fx!(2.4), "{}", player(&arena));
    }
}
