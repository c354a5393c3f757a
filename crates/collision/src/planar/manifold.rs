//! [`manifold`].

use super::clip::{Clipped, clip};
use super::closest::closest;
use super::exact::{SUB_BITS, minus, to_raw, unit};
use super::face::{Owner, best_face_of, reference_face, tolerance};
use super::outline::Convex2;
use super::pair::Pair;
use super::penetration::round_contact;
use crate::shape::MAX_EXTENT;
use isostep_math::{Fx, Vec2};

/// Which corners belong to a contact point: one of `a`, one of `b`.
///
/// The corners are the ends of the two edges that lie on each other, on the side of the point, whether it is the
/// one or the other that was clipped: so a point keeps its id while the shapes slide along each other and sway, for
/// as long as the same two edges touch. A circle's corner is 0, and so is that of its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeatureId2 {
    /// The index of a corner of `a`.
    pub a: u8,
    /// The index of a corner of `b`.
    pub b: u8,
}

/// A contact point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ManifoldPoint2 {
    /// The point of the world on the surface of `a`.
    pub point_a: Vec2,
    /// The point of the world on the surface of `b`.
    pub point_b: Vec2,
    /// (`point_b` − `point_a`) · normal: below zero the depth, to nearest.
    pub separation: Fx,
    /// What it was in the last step.
    pub id: FeatureId2,
}

/// Where two shapes touch: one normal, one or two points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Manifold2 {
    normal: Vec2,
    points: [ManifoldPoint2; 2],
    count: u8,
}

impl Manifold2 {
    fn of_one(normal: Vec2, point: ManifoldPoint2) -> Self {
        Self { normal, points: [point, ManifoldPoint2::default()], count: 1 }
    }

    /// The normal, of length 1, from `a` to `b`.
    #[must_use]
    pub const fn normal(&self) -> Vec2 {
        self.normal
    }

    /// The points, in the order of their ids.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint2] {
        &self.points[..usize::from(self.count)]
    }
}

/// The contact of the two, with points no farther apart than `margin` along the normal; `None` if there are none.
///
/// The margin is speculative: points that are near are given before they touch. It is cut to 0 ..= `MAX_EXTENT`.
///
/// Shapes with corners: of all edges the one with the greatest separation is the reference, and the edge of the
/// other shape that faces it is clipped to its width. Corners that are apart and nearest to each other give one
/// point, with the normal from one to the other.
#[must_use]
pub fn manifold(a: &impl Convex2, b: &impl Convex2, margin: Fx) -> Option<Manifold2> {
    /// What two roundings of one distance may differ by, Q44.
    const ROUNDING: i64 = 2;
    let pair = Pair::near(a.outline(), b.outline())?;
    let margin = margin.clamp(Fx::ZERO, MAX_EXTENT).to_bits() << SUB_BITS;
    if pair.a.is_round() || pair.b.is_round() {
        let contact = round_contact(&pair);
        let (point_a, point_b) = (contact.point_a, contact.point_b);
        let separation = Fx::from_bits(to_raw(contact.separation));
        let point = ManifoldPoint2 { point_a, point_b, separation, id: FeatureId2::default() };
        return (contact.separation <= margin).then(|| Manifold2::of_one(contact.direction, point));
    }
    let (face_a, face_b) = (best_face_of(&pair, Owner::A)?, best_face_of(&pair, Owner::B)?);
    let apart = face_a.separation.max(face_b.separation);
    if apart > margin {
        return None;
    }
    if apart >= 0 {
        let nearest = closest(&pair);
        // Corners right above each other are as far apart as their edges: those then touch along their length.
        let is_beside = nearest.distance > apart + ROUNDING;
        if let Some((corner_a, corner_b)) = nearest.corners.filter(|_| is_beside) {
            let [point_a, point_b] = nearest.surface_points(&pair);
            let id = FeatureId2 { a: corner_a as u8, b: corner_b as u8 };
            let separation = Fx::from_bits(to_raw(nearest.distance));
            let point = ManifoldPoint2 { point_a, point_b, separation, id };
            return (nearest.distance <= margin).then(|| Manifold2::of_one(unit(nearest.toward), point));
        }
    }
    let tolerance = tolerance(&pair, &face_a, &face_b);
    let reference = reference_face(&pair, face_a, face_b, tolerance);
    let (first, second) = clip(&pair, &reference, tolerance);
    let mut points = [Some(first), second].map(|p| p.filter(|p| p.separation <= margin));
    if points[0].is_none() {
        points.swap(0, 1);
    }
    let first = of_clipped(&pair, reference.owner, &points[0]?);
    let mut found = Manifold2::of_one(reference.direction(), first);
    if let Some(second) = &points[1] {
        found.points[1] = of_clipped(&pair, reference.owner, second);
        found.points.sort_unstable_by_key(|point| point.id);
        found.count = 2;
    }
    Some(found)
}

/// The clipped point as the world has it.
fn of_clipped(pair: &Pair, reference: Owner, point: &Clipped) -> ManifoldPoint2 {
    let reference_corner = point.reference_corner as u8;
    let incident_corner = point.incident_corner as u8;
    let (on_a, on_b, id) = match reference {
        Owner::A => {
            (point.on_reference, point.on_incident, FeatureId2 { a: reference_corner, b: incident_corner })
        }
        Owner::B => {
            (point.on_incident, point.on_reference, FeatureId2 { a: incident_corner, b: reference_corner })
        }
    };
    let offset = minus(pair.corners_b[0], pair.b.corners[0]);
    let doubled = |v: [i64; 2]| v.map(|q44| 2 * i128::from(q44));
    ManifoldPoint2 {
        point_a: pair.world_point_of_a(doubled(on_a)),
        point_b: pair.world_point_of_b(doubled(minus(on_b, offset))),
        separation: Fx::from_bits(to_raw(point.separation)),
        id,
    }
}
