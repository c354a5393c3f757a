//! Capsules against spheres, capsules and boxes.

use super::Penetration;
use crate::distance::arithmetic::direction;
use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope;
use crate::exact::{dot, length_squared};
use crate::sat::unit_across;
use isostep_math::{Fx, Vec3};

/// Shapes that are a core and a radius around it: cores that are apart part along the line between their closest
/// points; cores that meet, along the facet of their difference that is nearest. Of shapes that do not meet, how
/// they would part if they did.
pub(crate) fn rounded(a: &Core, b: &Core) -> Penetration {
    let pair = Pair::new(a, b, [0; 3]);
    match zonotope::closest(&pair, pair.offset) {
        Some(found) => {
            let between = Vec3::from_array(found.residual.map(Fx::from_bits)).length().to_bits();
            Penetration::new(direction(found.toward), pair.to_fx(pair.radius() - between))
        }
        None => through_facet(&pair),
    }
}

/// The difference of the cores is the body of all Σ s g, s in [−1, 1], around the vector D between the centres. Its
/// facets are spanned by two of the spans; along a normal n it reaches Σ |g · n| beyond its centre.
fn through_facet(pair: &Pair) -> Penetration {
    let spans = &pair.fine[..pair.count];
    let mut best: Option<([i64; 3], i64)> = None;
    for (index, &g) in spans.iter().enumerate() {
        for &h in &spans[index + 1..] {
            let Some(normal) = unit_across(g, h) else { continue };
            let along = round_q60(dot(pair.offset, normal));
            let reach: i64 = spans.iter().map(|&span| round_q60(dot(span, normal)).abs()).sum();
            let depth = reach - along.abs();
            if best.is_none_or(|(_, least)| depth < least) {
                best = Some((if along < 0 { normal.map(|n| -n) } else { normal }, depth));
            }
        }
    }
    let (normal, depth) = best.unwrap_or_else(|| (across_line(spans), 0));
    let normal = Vec3::from_array(normal.map(|n| Fx::from_bits(n) >> 28));
    Penetration::new(normal, pair.to_fx(depth.max(0) + pair.radius()))
}

/// A direction across spans that are all parallel, Q60; along y where there are none.
fn across_line(spans: &[[i64; 3]]) -> [i64; 3] {
    let longest = spans.iter().copied().max_by_key(|&span| length_squared(span)).unwrap_or([0; 3]);
    let line = Vec3::from_array(longest.map(Fx::from_bits));
    let across = if line == Vec3::ZERO { Vec3::Y } else { line.any_orthonormal_vector() };
    across.to_array().map(|x| x.to_bits() << 28)
}

/// A product with a direction in Q60, back to the scale of the other factor.
fn round_q60(v: i128) -> i64 {
    ((v + (1 << 59) + (v >> 127)) >> 60) as i64
}
