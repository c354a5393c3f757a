//! The scene `cradle`: five balls, of which the first is let go at 0.42 rad.

use super::moving;
use isostep_math::{Fx, fx};
use isostep_scenes::Scene;
use isostep_step::WorldConfig;

/// What the scene is made of.
const LOWEST: Fx = fx!(0.5);
const DROP: Fx = fx!(1);
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
            // The first one begins up there.
            if tick < tick_rate / 2 || height < Fx::HALF {
                rises.extend(rising.take());
            } else if rising.as_ref().is_none_or(|rise| rise.height < height) {
                *rising = Some(Rise { ball, time: Fx::from_ratio(tick.into(), tick_rate.into()), height });
            }
        }
        for ball in 1..4 {
            between = between.max((places[ball].x - homes[ball]).abs());
        }
    }
    rises.sort_unstable_by_key(|rise| rise.time);
    (rises, between)
}

/// Half a swing at the first height: π √(L / g) (1 + θ²/16 + 11 θ⁴/3072); and the way over four gaps.
fn between_rises() -> Fx {
    let half = Fx::PI * (DROP / fx!(9.81)).sqrt() * fx!(1.0111364);
    let speed = (fx!(2) * fx!(9.81) * (DROP - DROP * LIFTED.cos())).sqrt();
    half + fx!(4) * GAP / speed
}

fn assert_alternate(rises: &[Rise], least: &[Fx]) {
    for (index, (rise, &least)) in (1..).zip(rises.iter().zip(least)) {
        let expected = between_rises() * Fx::from_int(index);
        assert_eq!(rise.ball, if index % 2 == 1 { 4 } else { 0 }, "{rises:?}");
        assert!(
            rise.time.abs_diff_eq(expected, fx!(0.02) * Fx::from_int(index + 1)),
            "{rise:?}, not at {expected} s"
        );
        assert!(rise.height > least && rise.height < fx!(1.01), "{rise:?}");
    }
}

#[test]
fn the_balls_at_both_ends_rise_in_turn_and_each_time_a_little_less() {
    let (rises, between) = swing(480, super::ticks(8, 3));
    println!("{rises:?}, the others moved by {between} m");
    assert!(rises.len() >= super::ticks(7, 2) as usize, "{rises:?}");
    // The balls between are moved by a gap in each swing, and take with them what the end then lacks.
    let least = [fx!(0.985), fx!(0.95), fx!(0.89), fx!(0.82), fx!(0.72), fx!(0.62), fx!(0.52)];
    assert_alternate(&rises, &least);
    assert!(between < fx!(0.13), "{between}");
}

#[test]
fn at_sixty_ticks_a_second_a_cradle_loses_some_hundredths_of_its_height_in_each_swing() {
    let (rises, _) = swing(60, 5);
    println!("{rises:?}");
    assert!(rises.len() >= 4, "{rises:?}");
    assert_alternate(&rises, &[fx!(0.98), fx!(0.94), fx!(0.87), fx!(0.78)]);
}
