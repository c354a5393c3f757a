//! What hangs, lies or fell comes to rest, falls asleep, and then holds what it is to hold.

use super::{beyond, build, gap, is_at_rest, ticks, worst};
use isostep_math::{Fx, fx};
use isostep_step::World;

/// Steps until all bodies sleep, and returns the ticks that took.
fn settle(world: &mut World, most: u32) -> u32 {
    for tick in 0..most {
        if is_at_rest(world) {
            return tick;
        }
        world.step();
    }
    let awake = super::moving(world).filter(|body| !body.is_asleep());
    let fastest = awake.map(|body| (body.linear_velocity().length(), body.handle())).max();
    panic!("awake after {most} ticks: {fastest:?}");
}

/// How much longer a chain is than its links, as a part of them: the gaps of its joints.
fn stretch(world: &World, length: Fx) -> Fx {
    world.joints().map(|joint| gap(&joint)).fold(Fx::ZERO, |a, b| a + b) / length
}

#[test]
fn a_chain_with_an_end_of_a_hundred_links_weight_stretches_by_less_than_a_hundredth_and_sleeps() {
    let links = 40;
    let length = fx!(0.5) * Fx::from_int(links);
    let mut world = build("chain", links as u32);
    let mut falling = Fx::ZERO;
    for _ in 0..ticks(600, 200) {
        world.step();
        falling = falling.max(stretch(&world, length));
    }
    assert!(falling < fx!(0.03), "stretched by {falling} while it falls");
    if ticks(1, 0) == 0 {
        return;
    }
    let took = settle(&mut world, 2400);
    let resting = stretch(&world, length);
    println!("stretched by {falling} while it falls, by {resting} at rest after {} ticks", took + 600);
    assert!(resting < fx!(0.01), "stretched by {resting}");
}

#[test]
fn a_net_of_ten_thousand_balls_comes_to_rest() {
    let side = ticks(100, 8);
    let mut world = build("joint-grid", side);
    let took = settle(&mut world, 900);
    let widest = worst(&world, gap);
    println!("{took} ticks, the widest gap is {widest} m");
    assert!(widest < fx!(0.005), "{widest}");
}

#[test]
fn twenty_ragdolls_come_to_rest_within_their_limits() {
    let mut world = build("ragdolls", ticks(20, 1));
    let took = settle(&mut world, 3600);
    let (gap, beyond) = (worst(&world, gap), worst(&world, beyond));
    println!("{took} ticks, {gap} m apart, {beyond} rad beyond limits");
    assert!(gap < fx!(0.001), "{gap} m apart");
    // 0.035°.
    assert!(beyond < fx!(0.0006), "{beyond} rad beyond limits");
}
