//! Many stacks of five boxes.

use crate::stage::{Stage, number};
use isostep_math::{Fx, fx, vec3};

pub(crate) fn fill(stage: &mut Stage, rows: u32) {
    stage.ground(fx!(100).max(number(rows) * fx!(3) + fx!(40)).min(fx!(2000)));
    let middle = number(rows - 1) * Fx::HALF;
    for row in 0..rows {
        for column in 0..10 {
            for level in 0..5 {
                let (x, z) = ((number(row) - middle) * fx!(6), (number(column) - fx!(4.5)) * fx!(6));
                stage.unit_box(vec3(x, number(level) + Fx::HALF, z));
            }
        }
    }
}
