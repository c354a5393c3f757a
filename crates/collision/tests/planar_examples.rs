//! The example programs of the plane do what they say.

// Their `main` is not called here.
#![allow(dead_code)]

#[path = "../examples/projection_2d.rs"]
pub mod projection_2d;
#[path = "../examples/two_squares.rs"]
pub mod two_squares;

use isostep_collision::planar::{Aabb2, distance, overlaps, penetration};
use isostep_math::{Fx, fx, vec2};
use two_squares::{HEIGHT, STEPS, WIDTH, World};

#[test]
fn two_squares_bounce_for_a_minute_to_the_same_bits() {
    let frame = Aabb2::new(vec2(fx!(0), fx!(0)), vec2(Fx::from_int(WIDTH), Fx::from_int(HEIGHT))).unwrap();
    // What a millionth of a unit sinks in nobody sees.
    let slack = frame.expand(fx!(0.000001)).unwrap();
    let mut world = World::new();
    let start = world.energy();
    let mut meetings = 0;
    for step in 0..STEPS {
        let before = world.energy();
        world.step();
        let [a, b] = world.squares.map(|square| square.shape());
        for shape in [a, b] {
            assert!(slack.contains_aabb(&shape.to_aabb()), "step {step}: {shape:?} left the frame");
        }
        let sunk = penetration(&a, &b).map_or(fx!(0), |found| found.depth);
        assert!(sunk < fx!(0.001), "step {step}: {sunk} deep");
        assert!(world.energy() <= before + fx!(0.000001), "step {step}");
        meetings += u32::from(overlaps(&a, &b) || distance(&a, &b) < fx!(0.001));
    }
    assert!(world.energy() <= start && world.energy() > start * fx!(0.5), "{start} {}", world.energy());
    assert!(world.bounces > 50 && meetings > 5, "{} bounces, {meetings} meetings", world.bounces);
    assert_eq!(world.hash(), 0x53A6_FD1A_4AF3_1D8C, "{:016x}", world.hash());
}

#[test]
fn the_picture_shows_every_frame() {
    let frames = vec![World::new(); 12];
    let picture = two_squares::svg(&frames);
    assert_eq!(picture.matches("<polygon").count(), 24);
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
}

#[test]
fn the_test_by_hand_finds_what_the_library_finds() {
    let pairs = projection_2d::pairs().unwrap();
    let found: Vec<bool> =
        pairs.iter().map(|(_, a, b)| projection_2d::overlap_by_hand(&projection_2d::rows(a, b))).collect();
    assert_eq!(found, [false, true, false, true, true]);
    for (name, a, b) in &pairs {
        assert_eq!(projection_2d::overlap_by_hand(&projection_2d::rows(a, b)), overlaps(a, b), "{name}");
    }
    let (name, a, b) = &pairs[2];
    let table = projection_2d::table(name, a, b);
    assert_eq!(table.matches("apart: this axis").count(), 1);
    assert_eq!(table.matches(": overlap").count(), 3);
}
