//! [`penetration`].

use super::closest::closest;
use super::exact::{along, minus, negated, plus, to_raw, unit};
use super::face::{Face, Owner, best_face};
use super::outline::Convex2;
use super::overlap::{Touching, meets};
use super::pair::Pair;
use isostep_math::{Fx, Vec2};

/// The least translation that separates two shapes: `b` moved by `direction · depth`, or `a` by its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Penetration2 {
    /// From `a` to `b`, of length 1.
    pub direction: Vec2,
    /// How far, above 0.
    pub depth: Fx,
}

impl Penetration2 {
    /// How to move `a` so that the shapes touch.
    #[must_use]
    pub const fn translation_of_a(&self) -> Vec2 {
        self.direction.saturating_scale(self.depth.saturating_neg())
    }

    /// How to move `b` so that the shapes touch.
    #[must_use]
    pub const fn translation_of_b(&self) -> Vec2 {
        self.direction.saturating_scale(self.depth)
    }
}

/// How the two penetrate, or `None` exactly where they do not: shapes that touch do not.
///
/// The depth is within a unit of 2⁻³² of the exact one, at least a unit. Where several directions are as good, the
/// [module](super) says which is chosen.
#[must_use]
pub fn penetration(a: &impl Convex2, b: &impl Convex2) -> Option<Penetration2> {
    let pair = Pair::near(a.outline(), b.outline())?;
    if !meets(&pair, Touching::IsApart) {
        return None;
    }
    let (direction, separation) = if pair.a.is_round() || pair.b.is_round() {
        let contact = round_contact(&pair);
        (contact.direction, contact.separation)
    } else {
        let face = best_face(&pair)?;
        (face.direction(), face.separation)
    };
    Some(Penetration2 { direction, depth: Fx::from_bits(to_raw(-separation).max(1)) })
}

/// The one contact of a circle with another shape.
pub(super) struct RoundContact {
    /// From `a` to `b`, of length 1.
    pub(super) direction: Vec2,
    /// Q44; below zero the depth.
    pub(super) separation: i64,
    pub(super) point_a: Vec2,
    pub(super) point_b: Vec2,
}

/// The contact of a near pair with a circle in it.
pub(super) fn round_contact(pair: &Pair) -> RoundContact {
    match best_face(pair) {
        Some(face) if face.separation <= 0 => contact_from_within(pair, &face),
        _ => contact_from_outside(pair),
    }
}

/// The contact where the circle's centre lies in the other shape: out through the nearest edge.
fn contact_from_within(pair: &Pair, face: &Face) -> RoundContact {
    let shift = minus(pair.b.corners[0], pair.corners_b[0]);
    let (center, round) = match face.owner {
        Owner::A => (pair.corners_b[0], &pair.b),
        Owner::B => (plus(pair.corners_a[0], shift), &pair.a),
    };
    // The centre moved out to the edge, and the circle's far side.
    let on_edge = plus(center, along(face.normal, -face.separation)).map(|q44| 2 * i128::from(q44));
    let on_rim = along(negated(face.normal), round.radius).map(|q44| 2 * i128::from(q44));
    let (on_a, on_b) = match face.owner {
        Owner::A => (on_edge, on_rim),
        Owner::B => (on_rim, on_edge),
    };
    RoundContact {
        direction: face.direction(),
        separation: face.separation - pair.radii(),
        point_a: pair.world_point_of_a(on_a),
        point_b: pair.world_point_of_b(on_b),
    }
}

/// The contact where the circle's centre lies outside; along +X for circles with one centre.
fn contact_from_outside(pair: &Pair) -> RoundContact {
    let mut found = closest(pair);
    if found.toward == [0, 0] {
        found.toward = [1, 0];
    }
    let [point_a, point_b] = found.surface_points(pair);
    let separation = found.distance - pair.radii();
    RoundContact { direction: unit(found.toward), separation, point_a, point_b }
}
