//! [`overlaps`] and [`penetrates`].

use super::Projection;
use super::exact::{cross, dot, minus};
use super::outline::Convex2;
use super::pair::Pair;
use crate::exact::U256;

/// Whether the two share a point: touching counts.
#[must_use]
pub fn overlaps(a: &impl Convex2, b: &impl Convex2) -> bool {
    Pair::near(a.outline(), b.outline()).is_some_and(|pair| meets(&pair, Touching::Counts))
}

/// Whether no axis separates the two, not even one on which they touch: touching does not count.
///
/// For shapes with an area it is the question whether they share more than their borders. A flat
/// [`Aabb2`](super::Aabb2) penetrates what it crosses.
#[must_use]
pub fn penetrates(a: &impl Convex2, b: &impl Convex2) -> bool {
    Pair::near(a.outline(), b.outline()).is_some_and(|pair| meets(&pair, Touching::IsApart))
}

/// What shapes that touch are taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Touching {
    Counts,
    IsApart,
}

impl Touching {
    /// Whether something at a distance with this square is near enough for a radius with this square.
    fn reaches<T: Ord>(self, distance_squared: &T, radius_squared: &T) -> bool {
        match self {
            Self::Counts => distance_squared <= radius_squared,
            Self::IsApart => distance_squared < radius_squared,
        }
    }
}

/// Whether the outlines of a near pair meet.
pub(super) fn meets(pair: &Pair, touching: Touching) -> bool {
    match (pair.a.is_round(), pair.b.is_round()) {
        (false, false) => {
            shadows_meet(pair, pair.a.normals(), touching) && shadows_meet(pair, pair.b.normals(), touching)
        }
        (true, true) => {
            let between = minus(pair.corners_b[0], pair.corners_a[0]);
            touching.reaches(&dot(between, between), &dot([pair.radii(), 0], [pair.radii(), 0]))
        }
        (false, true) => {
            disc_meets(pair.corners_a(), pair.a.normals(), pair.corners_b[0], pair.radii(), touching)
        }
        (true, false) => {
            disc_meets(pair.corners_b(), pair.b.normals(), pair.corners_a[0], pair.radii(), touching)
        }
    }
}

/// The separating axis test: whether the shadows meet on every one of these axes.
fn shadows_meet(pair: &Pair, axes: &[[i64; 2]], touching: Touching) -> bool {
    axes.iter().all(|axis| {
        let a = Projection::of_corners(pair.corners_a(), *axis);
        let b = Projection::of_corners(pair.corners_b(), *axis);
        match touching {
            Touching::Counts => a.overlaps(&b),
            Touching::IsApart => a.penetrates(&b),
        }
    })
}

/// Whether a disc meets the area within these corners: its centre lies in it, or an edge is near enough.
fn disc_meets(
    corners: &[[i64; 2]],
    normals: &[[i64; 2]],
    center: [i64; 2],
    radius: i64,
    touching: Touching,
) -> bool {
    let inside = |(corner, normal): (&[i64; 2], &[i64; 2])| match touching {
        Touching::IsApart if radius == 0 => dot(minus(center, *corner), *normal) < 0,
        _ => dot(minus(center, *corner), *normal) <= 0,
    };
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(normals).all(inside)
        || corners.iter().zip(next).any(|(from, to)| segment_within(*from, *to, center, radius, touching))
}

/// Whether the segment without its end comes within `radius` of `center`.
///
/// Beside the segment the distance is |e × d| / |e|, so (e × d)² is compared with r² |e|².
fn segment_within(from: [i64; 2], to: [i64; 2], center: [i64; 2], radius: i64, touching: Touching) -> bool {
    let (edge, d) = (minus(to, from), minus(center, from));
    let (along, length_squared) = (dot(edge, d), dot(edge, edge));
    let radius_squared = dot([radius, 0], [radius, 0]);
    if along <= 0 {
        return touching.reaches(&dot(d, d), &radius_squared);
    }
    if along >= length_squared {
        // The edge that begins there answers.
        return false;
    }
    let across = cross(edge, d).unsigned_abs();
    let scaled_radius = U256::product(radius_squared as u128, length_squared as u128);
    touching.reaches(&U256::product(across, across), &scaled_radius)
}
