//! A core towards a plane: the gap shrinks evenly.

use super::CastHit;
use crate::distance::arithmetic::{UNIT, ratio};
use crate::distance::half_space::Plane;
use crate::distance::pair::Core;
use crate::shape::HalfSpace;
use isostep_math::{Fx, Vec3};

/// A gap that counts as touching at the start: two units of 2⁻³², in halves with 32 fraction bits.
const TOUCHING: i128 = 4 << 32;

/// The first touch of `core`, which moves by `travel` in units of 2⁻³², and the half-space.
pub(super) fn cast(core: &Core, travel: [i128; 3], half_space: &HalfSpace) -> Option<CastHit> {
    let plane = Plane::of(half_space);
    let start = plane.approach(core);
    if start.gap < -TOUCHING {
        return Some(CastHit::inside(core.center_point()));
    }
    let closing = -plane.departure(travel);
    if closing <= 0 || start.gap > closing {
        return None;
    }
    let time = if start.gap <= 0 { 0 } else { ratio(start.gap, closing).min(UNIT) };
    let fraction = super::fraction(time);
    let moved = Vec3::from_array(core::array::from_fn(|axis| super::part(travel[axis], fraction)));
    Some(CastHit {
        fraction: Fx::from_bits(fraction),
        point: start.on_core(core, &plane) + moved,
        normal: plane.unit_normal(),
        started_inside: false,
    })
}
