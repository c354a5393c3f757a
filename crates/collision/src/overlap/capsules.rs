//! Capsules against spheres, capsules and boxes: how far their cores are apart, against the sum of the radii.

use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope;
use crate::exact::length_squared;
use core::cmp::Ordering;

/// Shapes that are a core and a radius above zero around it.
pub(super) fn rounded(a: &Core, b: &Core) -> Ordering {
    let pair = Pair::new(a, b, [0; 3]);
    match zonotope::closest(&pair, pair.offset) {
        Some(found) => length_squared(found.residual).cmp(&length_squared([pair.radius(), 0, 0])),
        // The cores meet, and there is a radius around one of them.
        None => Ordering::Less,
    }
}
