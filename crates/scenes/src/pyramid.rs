//! A wall of boxes, each on two others.

use crate::stage::{Stage, number};
use isostep_math::{Fx, fx, vec3};

pub(crate) fn fill(stage: &mut Stage, base: u32) {
    stage.ground(fx!(100));
    for row in 0..base {
        for column in row..base {
            let x = number(row + 1) * Fx::HALF + number(column - row) - number(base) * Fx::HALF;
            stage.unit_box(vec3(x, number(row) + Fx::HALF, fx!(0)));
        }
    }
}
