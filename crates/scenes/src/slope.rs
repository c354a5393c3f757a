//! A slope of 25°, and lanes on it: boxes of rising friction, and balls.

use crate::stage::{Stage, ball, cuboid, number};
use isostep_collision::HalfSpace;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef, CombineRule, Material};

/// In radians. Its tangent is 0.466.
const ANGLE: Fx = fx!(0.4363323129985824);

pub(crate) fn fill(stage: &mut Stage, lanes: u32) {
    stage.add(BodyDef::fixed(Vec3::ZERO), ColliderDef::new(HalfSpace::ground(fx!(0))));
    let turn = Quat::from_rotation_z(ANGLE);
    let lane_width = fx!(1.5);
    let middle = turn * vec3(fx!(20), fx!(0), fx!(0)) - Vec3::Y;
    // So rough that the boxes say what their friction is.
    let rough = Material { friction: fx!(2), ..Material::default() };
    let slab = vec3(fx!(20), fx!(1), lane_width * number(lanes) * Fx::HALF);
    stage.add(BodyDef::fixed(middle).rotated(turn), ColliderDef::new(cuboid(slab)).with_material(rough));
    for lane in 0..lanes {
        let z = (number(lane) - number(lanes - 1) * Fx::HALF) * lane_width;
        let on_slope = |along: Fx, height: Fx| turn * vec3(along, height, z) - Vec3::Y;
        // In the middle lane, the friction that holds a box is reached.
        let friction = fx!(0.466) * number(2 * lane) / number(lanes);
        let material = Material { friction, friction_rule: CombineRule::Min, ..Material::default() };
        let block = BodyDef::dynamic(on_slope(fx!(30), fx!(1.4))).rotated(turn);
        stage
            .add(block, ColliderDef::new(cuboid(vec3(fx!(0.6), fx!(0.4), fx!(0.4)))).with_material(material));
        let radius = fx!(0.25) + fx!(0.4) * number(lane) / number(lanes);
        let rolling = Material {
            rolling_resistance: fx!(0.02) * number(lane) / number(lanes),
            restitution: fx!(0.4),
            ..Material::default()
        };
        let roller = BodyDef::dynamic(on_slope(fx!(24), fx!(2) + radius));
        stage.add(roller, ColliderDef::new(ball(radius)).with_material(rolling));
    }
}
