//! [`MassProperties2`].
//!
//! A polygon is the sum of the triangles at its first corner, with the others a and b relative to that: of area
//! a × b / 2, centroid (a + b) / 3, and second moment around that corner, per unit of mass,
//! (a² + a · b + b²) / 6. Each triangle counts by its share of the area. Steiner's theorem moves the moment to the
//! centroid.

use super::MAX_VERTICES;
use super::exact::{SUB_BITS, cross, div_round, dot, minus, ratio, round_shift, scaled};
use super::outline::Outline;
use crate::exact::narrow;
use isostep_math::{Fx, Vec2};

/// What a shape of mass 1, spread evenly over its area, weighs in motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MassProperties2 {
    /// The area in m², to nearest, saturating.
    pub area: Fx,
    /// The centroid, each component within a unit of 2⁻³².
    pub centroid: Vec2,
    /// The second moment of area around the centroid divided by the area, in m², within 2 units of 2⁻³² or 2⁻⁵⁰ of
    /// itself; saturating. Times the mass, the moment of inertia.
    pub second_moment: Fx,
}

pub(super) fn of_outline(outline: &Outline) -> MassProperties2 {
    if outline.is_round() { of_disc(outline) } else { of_corners(outline) }
}

/// π r² and r²/2.
fn of_disc(outline: &Outline) -> MassProperties2 {
    let radius = i128::from(outline.radius >> SUB_BITS);
    let square = radius * radius;
    // Of the square 90 bits, of π 32 fraction bits more than a number has: 2^−61 of it.
    const PI_Q60: i128 = 3_622_009_729_038_561_421;
    let [high, low] = [square >> 32, square & 0xFFFF_FFFF];
    let area = high * PI_Q60 + ((low * PI_Q60) >> 32);
    MassProperties2 {
        area: narrow(round_shift(area, 60)),
        centroid: outline.reference,
        second_moment: narrow(round_shift(square, 33)),
    }
}

fn of_corners(outline: &Outline) -> MassProperties2 {
    let corners = outline.corners();
    let from_first = |i: usize| minus(corners[i], corners[0]);
    let triangles = (1..corners.len() - 1).map(|i| (from_first(i), from_first(i + 1)));
    let doubled_area: i128 = triangles.clone().map(|(a, b)| cross(a, b)).sum();
    if doubled_area <= 0 {
        return of_flat_box(outline);
    }
    // Shares of the area with 62 bits; the largest takes what rounding leaves.
    let mut shares = [0_i64; MAX_VERTICES];
    for (share, (a, b)) in shares.iter_mut().zip(triangles.clone()) {
        *share = ratio(cross(a, b), doubled_area, 62);
    }
    let rest = (1_i64 << 62) - shares.iter().sum::<i64>();
    if let Some(largest) = shares.iter_mut().max_by_key(|share| **share) {
        *largest += rest;
    }
    // The centroid's offset, Q44, times 3; the moment, Q88, times 6.
    let mut centroid = [0_i128; 2];
    let mut moment = 0_i128;
    for (share, (a, b)) in shares.iter().zip(triangles) {
        for axis in 0..2 {
            centroid[axis] += i128::from(scaled(a[axis], *share)) + i128::from(scaled(b[axis], *share));
        }
        moment += share_of(dot(a, a) + dot(a, b) + dot(b, b), *share);
    }
    let offset = centroid.map(|sum| div_round(sum, 3) as i64);
    let around_centroid = div_round(moment, 6) - dot(offset, offset);
    let world = [0, 1].map(|axis| 2 * i128::from(offset[axis] + corners[0][axis]));
    MassProperties2 {
        area: narrow(round_shift(doubled_area, 2 * SUB_BITS + 33)),
        centroid: outline.world_point(world, [0, 0]),
        second_moment: narrow(round_shift(around_centroid.max(0), 2 * SUB_BITS + 32)),
    }
}

/// A box without area: its middle, and w²/12 for its width.
fn of_flat_box(outline: &Outline) -> MassProperties2 {
    let (low, high) = outline.bounds();
    let size = minus(high, low);
    MassProperties2 {
        area: Fx::ZERO,
        centroid: outline.world_point(outline.middle_doubled(), [0, 0]),
        second_moment: narrow(round_shift(div_round(dot(size, size), 12), 2 * SUB_BITS + 32)),
    }
}

/// `value · share / 2^62` for a value of at most 126 bits.
fn share_of(value: i128, share: i64) -> i128 {
    let (high, low) = (value >> 62, value & ((1 << 62) - 1));
    high * i128::from(share) + round_shift(low * i128::from(share), 62)
}

#[cfg(test)]
mod tests {
    use super::super::{Aabb2, Circle, Obb2, Polygon, Rotation2};
    use super::*;
    use isostep_math::{fx, vec2};

    #[test]
    fn textbook_shapes() {
        let circle = Circle::new(vec2(fx!(7), fx!(8)), fx!(2)).unwrap().mass_properties();
        assert_eq!(circle.second_moment, fx!(2));
        assert!(circle.area.abs_diff_eq(fx!(12.566370614359172), Fx::EPSILON), "{}", circle.area);
        assert_eq!(circle.centroid, vec2(fx!(7), fx!(8)));

        let slab = Obb2::new(Vec2::ZERO, vec2(fx!(3), fx!(1)), Rotation2::from_angle(fx!(0.3))).unwrap();
        let slab = slab.mass_properties();
        assert!(slab.area.abs_diff_eq(fx!(12), Fx::from_bits(16)), "{}", slab.area);
        assert!(slab.second_moment.abs_diff_eq(fx!(10) / fx!(3), Fx::from_bits(8)), "{}", slab.second_moment);
        assert_eq!(slab.centroid, Vec2::ZERO);

        let triangle = [vec2(fx!(0), fx!(0)), vec2(fx!(3), fx!(0)), vec2(fx!(0), fx!(3))];
        let triangle = Polygon::new(&triangle).unwrap().mass_properties();
        assert_eq!((triangle.area, triangle.centroid), (fx!(4.5), vec2(fx!(1), fx!(1))));
        // (b² + h²) / 18.
        assert_eq!(triangle.second_moment, Fx::ONE);

        let flat = Aabb2::new(vec2(fx!(-3), fx!(1)), vec2(fx!(3), fx!(1))).unwrap().mass_properties();
        assert_eq!((flat.area, flat.second_moment, flat.centroid), (fx!(0), fx!(3), vec2(fx!(0), fx!(1))));
    }

    #[test]
    fn the_largest_shapes_saturate() {
        let reach = Fx::from_int(65536);
        let wide = Aabb2::new(vec2(-reach, -reach), vec2(reach, reach)).unwrap().mass_properties();
        assert_eq!((wide.area, wide.second_moment, wide.centroid), (Fx::MAX, Fx::MAX, Vec2::ZERO));
    }
}
