//! Capsules against spheres, capsules and boxes.

use super::Penetration;
use crate::distance::arithmetic::{direction, length};
use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope::{self, WayOut};

/// Shapes that are a core and a radius around it: cores that are apart part along the line between their closest
/// points; cores that meet, along the facet of their difference that is nearest.
pub(super) fn rounded(a: &Core, b: &Core) -> Penetration {
    let pair = Pair::new(a, b, [0; 3]);
    let (toward, gap) = match zonotope::closest(&pair, pair.offset) {
        Some(found) => (found.toward, length(found.residual)),
        None => {
            let way = WayOut::of(&pair);
            (way.toward, way.gap())
        }
    };
    Penetration::new(direction(toward), pair.to_fx(pair.radius() - gap))
}
