//! A house of cards: tents of two leaning cards, and cards lying across them.

use crate::stage::{Stage, cuboid, number};
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef};

/// Half the thickness, height and depth of a card that stands.
const CARD: [Fx; 3] = [fx!(0.03), fx!(1), fx!(0.6)];

/// How far cards lean, in radians.
const LEAN: Fx = fx!(0.35);

pub(crate) fn fill(stage: &mut Stage, storeys: u32) {
    stage.ground(fx!(100));
    let [thick, high, deep] = CARD;
    let (sin, cos) = LEAN.sin_cos();
    // Half of what a leaning card covers, across and upwards.
    let across = high * sin + thick * cos;
    let upward = high * cos + thick * sin;
    let width = across * fx!(4);
    let mut floor = Fx::ZERO;
    for storey in 0..storeys {
        let tents = storeys - storey;
        let ridge = |tent: u32| (number(2 * tent) - number(tents - 1)) * across * fx!(2);
        for tent in 0..tents {
            for (side, lean) in [(Fx::NEG_ONE, -LEAN), (Fx::ONE, LEAN)] {
                let center = vec3(ridge(tent) + side * across, floor + upward, fx!(0));
                let body = BodyDef::dynamic(center).rotated(Quat::from_rotation_z(lean));
                stage.add(body, ColliderDef::new(cuboid(Vec3::from_array(CARD))));
            }
        }
        floor += upward * fx!(2);
        for tent in 1..tents {
            let middle = (ridge(tent - 1) + ridge(tent)) * Fx::HALF;
            let body = BodyDef::dynamic(vec3(middle, floor + thick, fx!(0)));
            stage.add(body, ColliderDef::new(cuboid(vec3(width * Fx::HALF, thick, deep))));
        }
        floor += thick * fx!(2);
    }
}
