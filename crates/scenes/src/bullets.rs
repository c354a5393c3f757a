//! Fast balls, boxes and needles, each in a lane of its own, that fly at walls of 1 cm.

use crate::stage::{Stage, ball, cuboid, number};
use isostep_collision::Shape;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef};

/// From lane to lane, in m.
const LANE: Fx = fx!(2);

/// Half the extents of a wall.
const WALL: Vec3 = vec3(fx!(0.005), fx!(1), fx!(0.9));

/// From where a shot starts to its wall, in m.
const WAY: Fx = fx!(20);

pub(crate) fn fill(stage: &mut Stage, shots: u32) {
    stage.ground(fx!(300));
    for shot in 0..shots {
        let z = (number(shot) - number(shots - 1) * Fx::HALF) * LANE;
        stage.fixed_box(WALL, vec3(WAY * Fx::HALF, WALL.y, z));
        // From 40 m/s to 400 m/s, so that none meets its wall where a tick ends.
        let speed = fx!(40) + fx!(36.7) * number(shot * 3 % 10);
        let start = BodyDef::dynamic(vec3(-WAY * Fx::HALF, fx!(1), z)).moving(Vec3::X * speed);
        let (shape, start): (Shape, BodyDef) = match shot % 3 {
            0 => (ball(fx!(0.05)).into(), start),
            1 => (
                cuboid(vec3(fx!(0.06), fx!(0.04), fx!(0.05))).into(),
                start.turning(vec3(fx!(7), fx!(11), fx!(-5))),
            ),
            // Point first, a little askew.
            _ => (
                cuboid(vec3(fx!(0.2), fx!(0.005), fx!(0.005))).into(),
                start.rotated(Quat::from_rotation_y(fx!(0.1))),
            ),
        };
        stage.add(start, ColliderDef::new(shape).with_density(fx!(7800)));
    }
}
