//! Shots end at walls.

use crate::arena::{Arena, Buttons, PlayerInput, Tag};
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{Command, Event};

/// The places that shots of a player at a place come to, who shoots along x.
fn shots_from(place: Vec3) -> Vec<Vec3> {
    let mut arena = Arena::new(1, 0);
    let body = arena.state.players[0].body;
    arena.command(Command::SetPose { body, pose: Pose::from_translation(place) });
    let shoot = PlayerInput { buttons: Buttons::SHOOT, ..PlayerInput::default() };
    let mut places = Vec::new();
    for tick in 0..60 {
        arena.tick(&[if tick == 0 { shoot } else { PlayerInput::default() }]);
        let shots = arena.world.bodies().filter(|body| Tag::of_body(body) == Tag::Shot);
        places.extend(shots.map(|body| body.position()));
    }
    places
}

#[test]
fn shots_do_not_pass_a_thin_wall() {
    // The wall of the room at x = -10, 0.4 m thick, from all distances of a tick's way.
    for part in 0..40 {
        let start = vec3(fx!(-14.5) + Fx::from_ratio(part, 100), fx!(0.9), fx!(11));
        let places = shots_from(start);
        assert!(places.len() > 5);
        assert!(places.iter().all(|place| place.x < fx!(-10)), "{part}: {places:?}");
    }
}

#[test]
fn nothing_is_handed_through_a_door() {
    // Against the closed leaf, which is 12 cm thick: the hand that shoots would be behind it.
    let mut arena = Arena::new(1, 0);
    let body = arena.state.players[0].body;
    let place = vec3(fx!(-10.5), fx!(0.9), fx!(8.5));
    arena.command(Command::SetPose { body, pose: Pose::from_translation(place) });
    let mut hits_door = false;
    for tick in 0..10 {
        let buttons = if tick == 0 { Buttons::SHOOT } else { Buttons::NONE };
        arena.tick(&[PlayerInput { buttons, ..PlayerInput::default() }]);
        let shot = arena.world.bodies().find(|body| Tag::of_body(body) == Tag::Shot).unwrap();
        // The leaf swings open, with the shot before it. Its z points to where the shot flies.
        let leaf = arena.world.bodies().find(|body| Tag::of_body(body) == Tag::Door(1)).unwrap();
        let place = leaf.pose().inverse_transform_point(shot.position());
        assert!(place.z < fx!(0), "{place}");
        hits_door |= arena.world.events().iter().any(|event| match *event {
            Event::ContactBegin { a, b } => {
                [a, b].map(|one| Tag::of(&arena.world, one)).iter().any(|tag| matches!(tag, Tag::Door(_)))
            }
            _ => false,
        });
    }
    assert!(hits_door);
}
