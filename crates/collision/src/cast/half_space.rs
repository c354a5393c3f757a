//! A core towards a plane: the gap shrinks evenly.

use super::CastHit;
use crate::distance::arithmetic::{UNIT, ratio};
use crate::distance::half_space::Plane;
use crate::distance::pair::Core;
use crate::shape::HalfSpace;
use isostep_math::{Fx, Vec3};

/// A gap that counts as touching at the start: two units of 2⁻³², in halves with 32 fraction bits.
const TOUCHING: i128 = 4 << 32;

/// The first touch of a core and a half-space, as one moves towards the other.
pub(super) enum Meeting {
    /// They overlap at the start.
    Inside,
    /// They touch at a fraction of the way in units of 2⁻³².
    At {
        fraction: i64,
        /// Where the point of the core that touches is at the start.
        on_core: Vec3,
        /// Of the half-space.
        normal: Vec3,
    },
}

impl Meeting {
    /// As it is seen by a core that moves by `travel`.
    pub(super) fn of_moving_core(self, core: &Core, travel: [i128; 3]) -> CastHit {
        match self {
            Self::Inside => CastHit::inside(core.center_point()),
            Self::At { fraction, on_core, normal } => {
                let moved =
                    Vec3::from_array(core::array::from_fn(|axis| super::part(travel[axis], fraction)));
                Self::hit(fraction, on_core + moved, normal)
            }
        }
    }

    /// As it is seen by a half-space that moves to a core at rest.
    pub(super) fn of_moving_half_space(self, half_space: &HalfSpace) -> CastHit {
        match self {
            Self::Inside => CastHit::inside(half_space.point()),
            Self::At { fraction, on_core, normal } => Self::hit(fraction, on_core, -normal),
        }
    }

    const fn hit(fraction: i64, point: Vec3, normal: Vec3) -> CastHit {
        CastHit { fraction: Fx::from_bits(fraction), point, normal }
    }
}

/// The first touch of `core`, which moves by `travel` in units of 2⁻³², and the half-space.
pub(super) fn meet(core: &Core, travel: [i128; 3], half_space: &HalfSpace) -> Option<Meeting> {
    let plane = Plane::of(half_space);
    let start = plane.approach(core);
    if start.gap < -TOUCHING {
        return Some(Meeting::Inside);
    }
    let closing = -plane.departure(travel);
    if closing <= 0 || start.gap > closing {
        return None;
    }
    let time = if start.gap <= 0 { 0 } else { ratio(start.gap, closing).min(UNIT) };
    let (on_core, normal) = (start.on_core(core, &plane), plane.unit_normal());
    Some(Meeting::At { fraction: super::fraction(time), on_core, normal })
}
