//! Boxes part along the axis of the separating-axis test on which they overlap least: the faces of the
//! difference of two boxes are faces of one of them or pairs of their edges.

use super::Penetration;
use crate::sat::BoxPair;
use crate::shape::Obb;
use isostep_math::{Fx, Vec3};

pub(super) fn box_box(a: &Obb, b: &Obb) -> Option<Penetration> {
    let pair = BoxPair::new(a, b)?;
    let best = pair.best();
    // Q60 to Q32.
    let direction = Vec3::from_array(best.direction.map(|n| Fx::from_bits(n) >> 28));
    Some(Penetration::new(direction, pair.length_of(-best.gap)))
}
