//! [`Ray2`] and [`RayHit2`].

use super::exact::{SUB_BITS, ratio, root_of_difference, round_shift, saturate, unit};
use super::face::direction_rank;
use super::outline::Outline;
use crate::exact::U256;
use isostep_math::{Fx, Vec2};

/// A ray: from `origin` as far as `displacement` reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ray2 {
    /// Where it begins.
    pub origin: Vec2,
    /// To where it goes, from there.
    pub displacement: Vec2,
}

/// Where a ray enters a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RayHit2 {
    /// How much of the displacement is travelled, in [0, 1], to nearest.
    pub fraction: Fx,
    /// The outward normal there, of length 1; **zero where the ray begins in the shape**.
    pub normal: Vec2,
    /// Where that is, each component within two units of 2⁻³²; the origin where the ray begins in the shape.
    pub point: Vec2,
}

impl Ray2 {
    /// The ray from `origin` as far as `displacement` reaches.
    #[must_use]
    pub const fn new(origin: Vec2, displacement: Vec2) -> Self {
        Self { origin, displacement }
    }

    /// The hit at a fraction with 62 bits.
    fn hit(&self, fraction: i64, normal: Vec2) -> RayHit2 {
        let way = |displacement: Fx| Fx::from_bits(super::exact::scaled(displacement.to_bits(), fraction));
        let point = self.origin + self.displacement.map(way);
        RayHit2 { fraction: Fx::from_bits(round_shift(fraction.into(), 30) as i64), normal, point }
    }
}

/// Where the ray enters the shape; touching counts.
pub(super) fn cast(outline: &Outline, ray: &Ray2) -> Option<RayHit2> {
    let begins_within = super::questions::contains(outline, ray.origin);
    if begins_within {
        return Some(RayHit2 { fraction: Fx::ZERO, normal: Vec2::ZERO, point: ray.origin });
    }
    if outline.is_round() { cast_at_disc(outline, ray) } else { cast_at_corners(outline, ray) }
}

/// `numerator / denominator`, the denominator above zero.
#[derive(Clone, Copy)]
struct Fraction {
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// Whether `self < rhs`, exact, for numerators that are at least zero.
    fn below(self, rhs: Self) -> bool {
        let left = U256::product(self.numerator.unsigned_abs(), rhs.denominator.unsigned_abs());
        let right = U256::product(rhs.numerator.unsigned_abs(), self.denominator.unsigned_abs());
        left < right
    }
}

/// The ray cut by the half-planes of the edges, from an origin outside.
///
/// With h = n · (origin − corner) the height of the origin over an edge and v = n · displacement, it crosses the
/// edge's line at −h/v. It enters the shape with the last of the lines it enters, if it has not left another.
fn cast_at_corners(outline: &Outline, ray: &Ray2) -> Option<RayHit2> {
    let corner_in_world = |corner: [i64; 2]| {
        let [x, y] = [ray.origin.x, ray.origin.y].map(|c| i128::from(c.to_bits()));
        let (rx, ry) = (i128::from(outline.reference.x.to_bits()), i128::from(outline.reference.y.to_bits()));
        [((x - rx) << SUB_BITS) - i128::from(corner[0]), ((y - ry) << SUB_BITS) - i128::from(corner[1])]
    };
    let way = [ray.displacement.x, ray.displacement.y].map(|c| i128::from(c.to_bits()) << SUB_BITS);
    let mut enter: Option<(Fraction, [i64; 2])> = None;
    let mut leave = Fraction { numerator: 1, denominator: 1 };
    for (corner, normal) in outline.corners().iter().zip(outline.normals()) {
        let over = |v: [i128; 2]| v[0] * i128::from(normal[0]) + v[1] * i128::from(normal[1]);
        let (height, speed) = (over(corner_in_world(*corner)), over(way));
        if height > 0 {
            if speed >= 0 {
                return None;
            }
            let at = Fraction { numerator: height, denominator: -speed };
            let is_later = |(last, facing): (Fraction, [i64; 2])| {
                last.below(at) || (!at.below(last) && opposes_more(*normal, facing, ray))
            };
            if enter.is_none_or(is_later) {
                enter = Some((at, *normal));
            }
        } else if speed > 0 {
            let at = Fraction { numerator: -height, denominator: speed };
            if at.below(leave) {
                leave = at;
            }
        }
    }
    let (at, normal) = enter?;
    if leave.below(at) {
        return None;
    }
    Some(ray.hit(ratio(at.numerator, at.denominator, 62), unit(normal)))
}

/// At a corner both edges are entered at once: whether the ray runs more against `normal`.
fn opposes_more(normal: [i64; 2], other: [i64; 2], ray: &Ray2) -> bool {
    let against = [-i128::from(ray.displacement.x.to_bits()), -i128::from(ray.displacement.y.to_bits())];
    direction_rank(unit(normal), against) > direction_rank(unit(other), against)
}

/// The ray against a disc, from an origin outside.
///
/// With f from the centre to the origin, D the displacement and c = f × D: the line meets the disc where
/// c² ≤ r² D², and the segment first at t = (−f · D − √(r² D² − c²)) / D².
fn cast_at_disc(outline: &Outline, ray: &Ray2) -> Option<RayHit2> {
    /// Displacements of more than 60 bits lose so many.
    const DROP: u32 = 3;
    let bits = |v: Vec2| [i128::from(v.x.to_bits()), i128::from(v.y.to_bits())];
    let (origin, center) = (bits(ray.origin), bits(outline.reference));
    let f = [origin[0] - center[0], origin[1] - center[1]];
    let whole = bits(ray.displacement);
    let is_long = whole.iter().any(|c| c.unsigned_abs() >= 1 << 60);
    let d = if is_long { whole.map(|c| round_shift(c, DROP)) } else { whole };
    let radius = i128::from(outline.radius >> SUB_BITS);
    let (length_squared, along) = (d[0] * d[0] + d[1] * d[1], f[0] * d[0] + f[1] * d[1]);
    let across = (f[0] * d[1] - f[1] * d[0]).unsigned_abs();
    let reach = U256::product((radius * radius) as u128, length_squared as u128);
    let across_squared = U256::product(across, across);
    if along >= 0 || !across_squared.at_most(reach) {
        return None;
    }
    // A displacement 2^DROP times as long.
    let dropped = if is_long { DROP } else { 0 };
    let denominator = length_squared << dropped;
    let end = [f[0] + whole[0], f[1] + whole[1]];
    let ends_within =
        end.iter().all(|c| c.abs() <= radius) && end[0] * end[0] + end[1] * end[1] <= radius * radius;
    // Where it ends before the nearest point of the line, it has to end inside.
    if -along >= denominator && !ends_within {
        return None;
    }
    let half_chord = root_of_difference((radius * radius) as u128, length_squared as u128, across);
    let numerator = (-along - half_chord as i128).clamp(0, denominator);
    let fraction = ratio(numerator, denominator, 62);
    let bits = 62 - SUB_BITS - dropped;
    let from_center =
        [0, 1].map(|axis| (f[axis] << SUB_BITS) + round_shift(d[axis] * i128::from(fraction), bits));
    Some(ray.hit(fraction, unit(from_center.map(saturate))))
}
