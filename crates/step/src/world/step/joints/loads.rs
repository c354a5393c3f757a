//! The impulses of a joint in a lane of a block, and the force and torque that they are.

use super::vector;
use crate::solver::joints::{JointBlock, MOST_IMPULSE};
use crate::solver::{IMPULSE_BITS, SHARE_BITS};
use isostep_math::exact::{round_shift, saturate};
use isostep_math::{Fx, Vec3};

/// Impulses of the rows of a joint, 21 fraction bits, as its block has them.
pub(super) struct Impulses {
    points: [i64; 3],
    rotations: [i64; 3],
    /// Of the motor and the limits of the axis together.
    axis: i64,
    /// Of the swing or the motor of a wheel.
    swing: i64,
}

impl Impulses {
    /// Those of all substeps.
    pub(super) fn of_step(block: &JointBlock, lane: usize) -> Self {
        Self {
            points: block.points.total.map(|column| column[lane]),
            rotations: block.rotations.total.map(|column| column[lane]),
            axis: block.axis.total[lane].saturating_add(block.motor.total[lane]),
            swing: block.swing.total[lane].saturating_add(block.wheel.total[lane]),
        }
    }

    /// Those of a substep, which a joint has in its block: rows that this has not have none.
    pub(super) fn of_substep(block: &JointBlock, lane: usize) -> Self {
        Self {
            points: block.points.last.map(|column| column[lane].into()),
            rotations: block.rotations.last.map(|column| column[lane].into()),
            axis: i64::from(block.axis.last[lane]) + i64::from(block.motor.last[lane]),
            swing: i64::from(block.swing.last[lane]) + i64::from(block.wheel.last[lane]),
        }
    }

    /// The impulse and the angular impulse on body b, as those of a reduced mass of 1 kg.
    pub(super) fn loads(&self, block: &JointBlock, lane: usize) -> [Vec3; 2] {
        let scaled = |impulse: [i64; 3], scale: i32| {
            Vec3::from_array(impulse.map(|bits| unscaled(i128::from(bits) << (32 - IMPULSE_BITS), scale)))
        };
        let mut force = scaled(self.points, block.scale[lane]);
        let mut torque = scaled(self.rotations, block.turn_scale[lane]);
        // Rows along an axis push along a direction and turn besides: a limit of a hinge holds the points still, too.
        let moved = usize::from(block.a[lane] == 0);
        let arm = vector(&block.arms[moved], lane, 24);
        for (row, impulse) in [(&block.axis, self.axis), (&block.swing, self.swing)] {
            if impulse == 0 {
                continue;
            }
            // Rows have K times the impulse: 1 / K in Q26.
            let share = i128::from(row.share[lane]);
            let impulse = unscaled((i128::from(impulse) * share) >> (SHARE_BITS + IMPULSE_BITS - 32), 0);
            let direction = vector(&row.direction, lane, 30);
            let about = vector(&row.arms[moved], lane, 24).saturating_sub(arm.cross(direction));
            force = force.saturating_add(direction.saturating_scale(impulse));
            torque = torque.saturating_add(about.saturating_scale(impulse));
        }
        [force, torque]
    }
}

/// The impulses at the points of a joint in a block, with what keeps these still under the others.
pub(super) fn whole_points(block: &JointBlock, lane: usize) -> [i32; 3] {
    let own = block.points.impulse.map(|column| column[lane]);
    if !block.has.still || block.still[lane] == 0 {
        return own;
    }
    let mut points = own.map(i64::from);
    for (point, row) in points.iter_mut().zip(block.stilling.chunks_exact(3)) {
        let products = row.iter().zip(&block.rotations.impulse);
        let still: i64 = products.map(|(part, turn)| i64::from(part[lane]) * i64::from(turn[lane])).sum();
        *point += round_shift(i128::from(still), 24) as i64;
    }
    let most = i64::from(MOST_IMPULSE);
    points.map(|point| point.clamp(-most, most) as i32)
}

/// `bits` 2^−scale 2⁻³², or the nearest that there is.
fn unscaled(bits: i128, scale: i32) -> Fx {
    let bits = if scale < 0 { bits << -scale } else { bits >> scale };
    Fx::from_bits(saturate(bits))
}
