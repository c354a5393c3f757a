//! Why a ramp needs a rotated box: its axis-aligned one is hit where there is nothing.
//!
//! A ramp of 10 m at 30° is thin, but the axis-aligned box around it is a block as high as the ramp climbs.
//! A ball that flies over the lower half hits the block and not the ramp. So the axis-aligned box is a filter: it
//! never misses a hit, and what it finds is then asked precisely.
//!
//! Whether the ball hits the ramp is found by the closest point of the ramp to its centre.
//!
//! Run it with `cargo run -p isostep-collision --example slope`.

use isostep_collision::{Obb, Sphere};
use isostep_math::{Fx, Quat, Vec3, fx, vec3};

/// What the program finds out.
#[derive(Debug)]
pub struct Answers {
    /// The ball every half metre along its flight, whether it hits the axis-aligned box, and whether the ramp.
    pub flight: Vec<(Vec3, bool, bool)>,
    /// How many of 20 × 20 places around the ramp, side on, are in the axis-aligned box.
    pub places_in_aabb: usize,
    /// How many of them are in the ramp.
    pub places_in_ramp: usize,
}

/// Whether the ball hits the rotated box: its closest point is within the radius.
#[must_use]
pub fn hits(ball: &Sphere, obb: &Obb) -> bool {
    ball.contains(obb.closest_point(ball.center()))
}

/// Flies a ball over a ramp.
#[must_use]
pub fn run() -> Answers {
    let half = vec3(fx!(5), fx!(0.1), fx!(2));
    let center = vec3(fx!(4.33), fx!(2.5), fx!(0));
    let ramp = Obb::new(center, half, Quat::from_rotation_z(Fx::FRAC_PI_6)).expect("a sound box");
    let aabb = ramp.to_aabb();

    let flight = (0..=20)
        .map(|step| {
            let center = vec3(Fx::from_ratio(step, 2), fx!(3), fx!(0));
            let ball = Sphere::new(center, fx!(0.25)).expect("a radius above 0");
            (center, ball.contains(aabb.closest_point(center)), hits(&ball, &ramp))
        })
        .collect();
    let places: Vec<_> =
        (0..400).map(|i| vec3(Fx::from_ratio(i % 20, 2), Fx::from_ratio(i / 20, 4), fx!(0))).collect();
    Answers {
        flight,
        places_in_aabb: places.iter().filter(|place| aabb.contains(**place)).count(),
        places_in_ramp: places.iter().filter(|place| ramp.contains(**place)).count(),
    }
}

fn main() {
    let answers = run();
    println!("a ball of 0.25 m flies at a height of 3 m over a ramp that climbs 30°");
    for (center, aabb, ramp) in &answers.flight {
        let word = |hit: &bool| if *hit { "hit " } else { "miss" };
        println!("  x = {:4}: axis-aligned box {}   ramp {}", center.x.to_string(), word(aabb), word(ramp));
    }
    println!(
        "of 400 places on a grid seen from the side, {} are in the axis-aligned box",
        answers.places_in_aabb
    );
    println!("and {} in the ramp itself", answers.places_in_ramp);
}
