//! The questions asked of one shape, as methods of every shape.

use super::closest::pair_for_distance;
use super::exact::{SUB_BITS, dot};
use super::mass::{self, MassProperties2};
use super::outline::{Convex2, Outline};
use super::overlap::{Touching, meets};
use super::pair::Pair;
use super::ray::{self, Ray2, RayHit2};
use super::{Aabb2, Circle, Obb2, Polygon, Projection, Shape2};
use isostep_math::{Fx, Vec2};

/// Whether the outline holds the point.
pub(super) fn contains(outline: &Outline, point: Vec2) -> bool {
    let point = Outline::disc(point, Fx::ZERO);
    Pair::near(*outline, point).is_some_and(|pair| meets(&pair, Touching::Counts))
}

fn closest_point(outline: &Outline, point: Vec2) -> Vec2 {
    if contains(outline, point) {
        return point;
    }
    let pair = pair_for_distance(*outline, Outline::disc(point, Fx::ZERO));
    super::closest::closest(&pair).surface_points(&pair)[0]
}

/// Bounds rounded outward.
fn to_aabb(outline: &Outline) -> Aabb2 {
    let (low, high) = outline.bounds();
    let down = |q44: i64| Fx::from_bits((q44 - outline.radius) >> SUB_BITS);
    let up = |q44: i64| Fx::from_bits((q44 + outline.radius + (1 << SUB_BITS) - 1) >> SUB_BITS);
    let [low, high] = [Vec2::new(down(low[0]), down(low[1])), Vec2::new(up(high[0]), up(high[1]))];
    Aabb2::between(outline.reference + low, outline.reference + high)
}

/// Q64, each corner's offset rounded once.
fn project(outline: &Outline, axis: Vec2) -> Projection {
    let bits = [axis.x.to_bits(), axis.y.to_bits()];
    let (x, y) = (i128::from(outline.reference.x.to_bits()), i128::from(outline.reference.y.to_bits()));
    let reference = (x * i128::from(bits[0])).saturating_add(y * i128::from(bits[1]));
    let offsets =
        outline.corners().iter().map(|corner| super::exact::round_shift(dot(*corner, bits), SUB_BITS));
    let corners = Projection::of_products(offsets.map(|offset| reference.saturating_add(offset)));
    // The root of the squared length keeps 64 bits.
    let square = bits.map(|c| u128::from(c.unsigned_abs()).pow(2));
    let square = square[0].saturating_add(square[1]);
    let shift = square.leading_zeros() & 126;
    let radius = (outline.radius >> SUB_BITS) as u128;
    corners.expand(((radius * (square << shift).isqrt()) >> (shift / 2)) as i128)
}

macro_rules! questions {
    ($($Shape:ident),+) => {$(
        impl $Shape {
            /// Whether `point` lies in the shape or on its border; as exact as [`overlaps`](super::overlaps).
            #[must_use]
            pub fn contains(&self, point: Vec2) -> bool {
                contains(&self.outline(), point)
            }

            /// The point of the shape that is closest to `point`, each component within a unit of 2⁻³²; `point`
            /// itself inside.
            #[must_use]
            pub fn closest_point(&self, point: Vec2) -> Vec2 {
                closest_point(&self.outline(), point)
            }

            /// The smallest axis-aligned box that holds the shape, rounded outward; cut off at the ends of the
            /// range.
            #[must_use]
            pub fn to_aabb(&self) -> Aabb2 {
                to_aabb(&self.outline())
            }

            /// Where the ray enters the shape: touching counts. A ray that begins inside hits at once, without a
            /// normal.
            ///
            /// Whether it hits is decided exactly, for circles up to a displacement of 2²⁸ m, beyond which its
            /// lowest 3 bits are rounded.
            #[must_use]
            pub fn cast_ray(&self, ray: &Ray2) -> Option<RayHit2> {
                ray::cast(&self.outline(), ray)
            }

            /// The shadow on an axis through the origin: exact for straight edges, but for the rounding of a turned
            /// box; saturating near 2¹²⁷.
            #[must_use]
            pub fn project(&self, axis: Vec2) -> Projection {
                project(&self.outline(), axis)
            }

            /// The normals of the edges, outward, of length 1 to nearest: the axes on which the separating axis
            /// test projects. None for a circle.
            #[must_use]
            pub fn edge_normals(&self) -> impl ExactSizeIterator<Item = Vec2> + use<> {
                let outline = self.outline();
                let count = outline.normals().len();
                (0..count).map(move |edge| super::exact::unit(outline.normals[edge]))
            }

            /// Area, centroid and second moment.
            #[must_use]
            pub fn mass_properties(&self) -> MassProperties2 {
                mass::of_outline(&self.outline())
            }
        }
    )+};
}

questions!(Circle, Aabb2, Obb2, Polygon, Shape2);
