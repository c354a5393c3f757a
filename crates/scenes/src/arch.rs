//! A corbelled arch: each course of two walls reaches farther over the gap, and a beam closes it.

use crate::stage::{Stage, cuboid, number};
use isostep_math::{Fx, Vec3, fx, vec3};
use isostep_step::{BodyDef, ColliderDef};

/// Half the extents of a block.
const BLOCK: Vec3 = vec3(fx!(1.5), fx!(0.25), fx!(0.5));

/// How far a course reaches beyond the one below. All courses together reach half a block, so that a wall stands.
const REACH: Fx = fx!(1.5);

pub(crate) fn fill(stage: &mut Stage, courses: u32) {
    stage.ground(fx!(100));
    let step = REACH / number(courses);
    for course in 0..courses {
        let y = BLOCK.y * number(2 * course + 1);
        let x = REACH + BLOCK.x + fx!(0.5) - step * number(course);
        for x in [-x, x] {
            stage.add(BodyDef::dynamic(vec3(x, y, fx!(0))), ColliderDef::new(cuboid(BLOCK)));
        }
    }
    let beam = vec3(fx!(2.5), BLOCK.y, BLOCK.z);
    let y = BLOCK.y * number(2 * courses + 1);
    stage.add(BodyDef::dynamic(vec3(fx!(0), y, fx!(0))), ColliderDef::new(cuboid(beam)));
}
