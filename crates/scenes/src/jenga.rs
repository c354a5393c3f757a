//! A tower of layers of three blocks across each other, from which some are gone; and a ball.

use crate::random::Lcg;
use crate::stage::{Stage, ball, cuboid, number};
use isostep_math::{Fx, fx, vec3};
use isostep_step::{BodyDef, ColliderDef};

pub(crate) fn fill(stage: &mut Stage, layers: u32) {
    stage.ground(fx!(100));
    let mut random = Lcg::new(7);
    let (high, wide, long) = (fx!(0.15), fx!(0.245), fx!(0.75));
    for layer in 0..layers {
        let y = high * number(2 * layer + 1);
        let lacks_one = layer % 3 == 1;
        // The left, the middle or the right one.
        let missing = random.between(0, 2999).to_int_floor();
        for block in 0..3 {
            if lacks_one && missing == block {
                continue;
            }
            let beside = Fx::from_int(block - 1) * fx!(0.5);
            let (half, center) = if layer % 2 == 0 {
                (vec3(wide, high, long), vec3(beside, y, fx!(0)))
            } else {
                (vec3(long, high, wide), vec3(fx!(0), y, beside))
            };
            stage.add(BodyDef::dynamic(center), ColliderDef::new(cuboid(half)).with_density(fx!(500)));
        }
    }
    let center = vec3(fx!(-16), high * number(layers) + fx!(4), fx!(0.25));
    let body = BodyDef::dynamic(center).moving(vec3(fx!(12), fx!(1.5), fx!(0)));
    stage.add(body, ColliderDef::new(ball(fx!(0.4))).with_density(fx!(2000)));
}
