//! Contact manifolds: where two shapes touch, and how to keep them from going deeper.
//!
//! A pair is brought to its own scale first: lengths as 30-bit mantissas of the pair's largest one, directions in
//! Q2.30, so that every product is 32 × 32 → 64 bits. Pairs of boxes go through `boxes` in lanes of pairs: the
//! separating axes (`boxes::axes`), then, for those that touch, the clipping of faces (`boxes::faces`) or the
//! closest points of two edges (`boxes::edges`), one pair at a time. A batch gives the same bits as one at a
//! time, at every lane width.

mod boxes;

pub use boxes::{PosedBoxes, box_manifolds, box_manifolds_at};

use isostep_math::{Fx, Vec3};

/// Which features of the two shapes make a contact point: equal from one step to the next while the same
/// corners, edges and faces meet. Impulses are matched by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FeatureId(pub u32);

/// A point of a manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ContactPoint {
    /// The point on the surface of a, in its local coordinates.
    pub anchor_a: Vec3,
    /// The point on the surface of b, in its local coordinates.
    pub anchor_b: Vec3,
    /// The distance of the two along the normal: below zero where they penetrate, up to the speculative margin.
    pub separation: Fx,
    /// What makes the point.
    pub feature: FeatureId,
}

/// Up to four points at which two shapes touch, or nearly do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Manifold {
    /// Unit vector from a to b in the coordinates of the world.
    pub normal: Vec3,
    points: [ContactPoint; 4],
    count: u8,
}

impl Manifold {
    /// No contact.
    pub const EMPTY: Self = Self { normal: Vec3::ZERO, points: [ContactPoint::NONE; 4], count: 0 };

    /// Its points.
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// Whether there is no contact.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a point; a fifth one is not taken.
    fn push(&mut self, point: ContactPoint) {
        if let Some(slot) = self.points.get_mut(usize::from(self.count)) {
            *slot = point;
            self.count += 1;
        }
    }
}

impl ContactPoint {
    const NONE: Self =
        Self { anchor_a: Vec3::ZERO, anchor_b: Vec3::ZERO, separation: Fx::ZERO, feature: FeatureId(0) };
}
