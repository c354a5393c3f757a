//! The scene `cradle`: five balls, of which the first is let go at 0.42 rad.

use super::moving;
use isostep_math::{Fx, fx, vec3};
use isostep_scenes::Scene;
use isostep_step::WorldConfig;

/// What the scene is made of.
const LOWEST: Fx = fx!(0.5);
const DROP: Fx = fx!(1);
const DIAMETER: Fx = fx!(0.3);
const GAP: Fx = fx!(0.02);
const LIFTED: Fx = fx!(0.42);

/// How a ball at an end rose: which one, when it was highest in seconds, and how high in parts of the first height.
#[derive(Debug)]
struct Rise {
    ball: usize,
    time: Fx,
    height: Fx,
}

/// The rises of both ends beyond half the first height, and how far the balls between them were from where they hang.
fn swing(tick_rate: u32, seconds: u32) -> (Vec<Rise>, Fx) {
    let config = WorldConfig { tick_rate, ..WorldConfig::default() };
    let mut world = Scene::find("cradle").unwrap().build(5, config).unwrap();
    let first = DROP - DROP * LIFTED.cos();
    let homes: Vec<Fx> = moving(&world).map(|ball| ball.position().x).collect();
    let (mut rises, mut between) = (Vec::<Rise>::new(), Fx::ZERO);
    let mut rising: [Option<Rise>; 2] = [None, None];
    for tick in 1..tick_rate * seconds {
        world.step();
        let places: Vec<_> = moving(&world).map(|ball| ball.position()).collect();
        for (ball, rising) in [0, 4].into_iter().zip(&mut rising) {
            let height = (places[ball].y - LOWEST) / first;
            note(&mut rises, rising, ball, Fx::from_ratio(tick.into(), tick_rate.into()), height);
        }
        for ball in 1..4 {
            between = between.max((places[ball].x - homes[ball]).abs());
        }
    }
    rises.sort_unstable_by_key(|rise| rise.time);
    (rises, between)
}

/// Steps a second of the reference.
const REFERENCE_RATE: i64 = 4096;

/// The same of points on circles that bounce off each other without loss: what is left to compare is how a step does it.
///
/// The angles by leapfrog; where two balls overlap and approach, the impulse along the line of their centres that turns
/// their approach around. The balls between are moved by a gap in each swing, and take with them what the ends then lack:
/// so each rise is lower than the one before.
fn reference(seconds: i64) -> Vec<Rise> {
    let step = Fx::from_ratio(1, REFERENCE_RATE);
    let gravity = fx!(9.81) / DROP;
    let pitch = DIAMETER + GAP;
    let first = Fx::ONE - LIFTED.cos();
    let (mut angles, mut speeds) = ([-LIFTED, fx!(0), fx!(0), fx!(0), fx!(0)], [Fx::ZERO; 5]);
    let mut rises = Vec::<Rise>::new();
    let mut rising: [Option<Rise>; 2] = [None, None];
    for tick in 1..REFERENCE_RATE * seconds {
        for (angle, speed) in angles.iter_mut().zip(&mut speeds) {
            *speed -= gravity * angle.sin() * step / fx!(2);
            *angle += *speed * step;
            *speed -= gravity * angle.sin() * step / fx!(2);
        }
        for left in 0..4 {
            let [(sin_a, cos_a), (sin_b, cos_b)] = [left, left + 1].map(|ball| angles[ball].sin_cos());
            let (x, y) = (pitch + DROP * (sin_b - sin_a), DROP * (cos_a - cos_b));
            let distance = vec3(x, y, fx!(0)).length();
            if distance >= DIAMETER {
                continue;
            }
            // By how much the centres part for each angle.
            let [a, b] =
                [(sin_a, cos_a), (sin_b, cos_b)].map(|(sin, cos)| DROP * (x * cos + y * sin) / distance);
            let parting = b * speeds[left + 1] - a * speeds[left];
            if parting.is_negative() {
                let impulse = fx!(-2) * parting / (a * a + b * b);
                speeds[left] -= a * impulse;
                speeds[left + 1] += b * impulse;
            }
        }
        for (ball, rising) in [0, 4].into_iter().zip(&mut rising) {
            let height = (Fx::ONE - angles[ball].cos()) / first;
            note(&mut rises, rising, ball, Fx::from_ratio(tick, REFERENCE_RATE), height);
        }
    }
    rises.sort_unstable_by_key(|rise| rise.time);
    rises
}

/// Follows a ball, and notes its rise once it is over.
fn note(rises: &mut Vec<Rise>, rising: &mut Option<Rise>, ball: usize, time: Fx, height: Fx) {
    // The first one begins up there.
    if time < Fx::HALF || height < Fx::HALF {
        rises.extend(rising.take());
    } else if rising.as_ref().is_none_or(|rise| rise.height < height) {
        *rising = Some(Rise { ball, time, height });
    }
}

/// Asserts that the same balls rise as in the reference, each within so much of a height, and of a time in s for each
/// rise.
fn assert_like_reference(rises: &[Rise], height: Fx, time: Fx) {
    for (index, (rise, expected)) in (1..).zip(rises.iter().zip(reference(8))) {
        assert_eq!(rise.ball, expected.ball, "{rises:?}");
        let told = format!("{rise:?}, not {expected:?}");
        assert!(rise.time.abs_diff_eq(expected.time, time * Fx::from_int(index)), "{told}");
        assert!(rise.height.abs_diff_eq(expected.height, height * Fx::from_int(index)), "{told}");
    }
}

#[test]
fn the_balls_at_both_ends_rise_in_turn_as_those_of_a_cradle_with_gaps_do() {
    let (rises, between) = swing(480, super::ticks(8, 3));
    println!("{rises:?}, the others moved by {between} m");
    println!("{:?}", reference(8));
    assert!(rises.len() >= super::ticks(7, 2) as usize, "{rises:?}");
    assert_like_reference(&rises, fx!(0.02), fx!(0.004));
    assert!(between < fx!(0.13), "{between}");
}

#[test]
fn at_sixty_ticks_a_second_they_do_so_less_exactly() {
    let (rises, _) = swing(60, 5);
    println!("{rises:?}");
    assert!(rises.len() >= 4, "{rises:?}");
    assert_like_reference(&rises, fx!(0.02), fx!(0.02));
}
