//! Boxes part along the axis of the separating-axis test on which they overlap least: the faces of the
//! difference of two boxes are faces of one of them or pairs of their edges.

use super::Penetration;
use crate::distance::arithmetic::direction;
use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope::WayOut;
use crate::shape::Obb;

pub(super) fn box_box(a: &Obb, b: &Obb) -> Penetration {
    let pair = Pair::new(&Core::of_box(a), &Core::of_box(b), [0; 3]);
    let way = WayOut::of(&pair);
    Penetration::new(direction(way.toward), pair.to_fx(-way.gap()))
}
