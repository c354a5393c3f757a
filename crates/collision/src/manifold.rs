//! Contact manifolds: where two shapes touch, and how to keep them from going deeper.
//!
//! A pair is brought to its own scale first: lengths as 30-bit mantissas of the pair's largest one, directions in
//! Q2.30, so that every product is 32 × 32 → 64 bits. Pairs of boxes go through `boxes` in lanes of pairs: the
//! separating axes (`boxes::axes`) and, if any may touch, the clipping of faces (`boxes::faces`); then one pair at a
//! time through the closest points of two edges (`boxes::edges`) where these are nearer, or to the deepest point
//! (`boxes::deepest`) where the faces miss it. Pairs of spheres go through `spheres` in lanes, all others through
//! `rounded` and `half_spaces` one at a time.
//!
//! A world pushes its shapes into [`PosedShapes`] once a step and asks [`manifolds`] for all its pairs, of any
//! kinds. A batch gives the same bits as one at a time, at every lane width.

mod batch;
mod boxes;
mod found;
mod frame;
mod half_spaces;
mod posed;
mod rounded;
mod spheres;

pub use batch::{each_contact_at, manifolds, manifolds_at};
pub use boxes::{PosedBoxes, box_manifolds, box_manifolds_at};
pub use found::{Contacts, Found, PointWords};
pub use posed::{PosedPart, PosedShapes};
pub use spheres::{PosedSpheres, SphereContact, sphere_manifolds, sphere_manifolds_at};

use crate::shape::Shape;
use found::{Head, OwnPoints};
use isostep_math::{Fx, Pose, Vec3};
use posed::Posed;
use rounded::WorldPoint;

/// The manifold of `a` at `pose_a` and `b` at `pose_b`, with points up to `margin` apart; anchors are in the local
/// coordinates of the poses. Empty where the shapes are farther apart, and of two spheres or two boxes where their centres are so
/// by more than 2²⁰ m.
///
/// Box against box has up to four points, capsules have two where they lie along something, all else one; a box
/// on a half-space stands on the corners of a face. Two half-spaces have none.
///
/// ```
/// use isostep_collision::{Obb, HalfSpace, manifold};
/// use isostep_math::{Fx, Pose, Vec3, fx};
///
/// let ground = HalfSpace::ground(fx!(0)).into();
/// let crate_ = Obb::from_half_extents(Vec3::splat(fx!(0.5)))?.into();
/// let resting = Pose::from_translation(Vec3::Y * fx!(0.49));
/// let contact = manifold::manifold(&ground, &Pose::IDENTITY, &crate_, &resting, fx!(0.02));
/// assert_eq!((contact.normal, contact.points().len()), (Vec3::Y, 4));
/// assert_eq!(contact.points()[0].separation, fx!(0.49) - Fx::HALF);
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn manifold(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, margin: Fx) -> Manifold {
    let (a, b) = (Posed::new(a, pose_a), Posed::new(b, pose_b));
    let mut points = OwnPoints::default();
    let head = match (&a.world, &b.world) {
        (Shape::Box(first), Shape::Box(second)) => {
            let [first, second] = [first, second].map(boxes::record_of);
            let head = boxes::box_box(&first, &second, margin, &mut points);
            localize(&mut points[..head.count], [&a, &b]);
            head
        }
        (Shape::Sphere(first), Shape::Sphere(second)) => {
            let [first, second] = [first, second].map(spheres::record_of);
            spheres::sphere_sphere(&first, &second, margin)
                .map_or(Head::NONE, |contact| contact.localize([&a, &b], &mut points[0]))
        }
        _ => one_at_a_time(&a, &b, margin, &mut points),
    };
    let mut manifold = Manifold::EMPTY;
    if head.count > 0 {
        manifold.set(head.normal, points[..head.count].iter());
    }
    manifold
}

/// The contact of two shapes of which no kernel takes several pairs at once.
#[inline]
fn one_at_a_time(a: &Posed, b: &Posed, margin: Fx, points: &mut OwnPoints) -> Head {
    let margin = margin.max(Fx::ZERO);
    if let Some(found) = rounded::sphere_and_box(a, b) {
        return rounded::of_sphere_and_box(&found, a, b, margin).map_or(Head::NONE, |(normal, point)| {
            points[0] = point.localized(a, b);
            Head { normal, count: 1, is_of_faces: false }
        });
    }
    in_general(a, b, margin, points)
}

/// As [`one_at_a_time`], without shorter ways.
fn in_general(a: &Posed, b: &Posed, margin: Fx, points: &mut OwnPoints) -> Head {
    let mut count = 0;
    // A fifth one is not taken.
    let mut push = |point: WorldPoint| {
        if let Some(place) = points.get_mut(count) {
            *place = point.localized(a, b);
            count += 1;
        }
    };
    let normal = match (&a.world, &b.world) {
        (Shape::HalfSpace(plane), _) => half_spaces::contact(plane, b, margin, &mut push),
        (_, Shape::HalfSpace(plane)) => {
            let mut push_flipped = |point: WorldPoint| push(point.flipped());
            half_spaces::contact(plane, a, margin, &mut push_flipped).map(|normal| -normal)
        }
        _ => rounded::contact(a, b, margin, &mut push),
    };
    // Without one there are no points.
    Head { normal: normal.unwrap_or(Vec3::ZERO), count, is_of_faces: false }
}

/// From anchors in the axes of two boxes to anchors in the coordinates of their owners.
fn localize(points: &mut [PointWords], [a, b]: [&Posed; 2]) {
    for words in points {
        let point = ContactPoint::from(&*words);
        let (on_a, on_b) = (a.along_own_axes(point.anchor_a), b.along_own_axes(point.anchor_b));
        *words = ContactPoint { anchor_a: on_a, anchor_b: on_b, ..point }.to_words();
    }
}

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
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// Whether there is no contact.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Makes it a contact with these points, up to four.
    #[inline(always)]
    fn set<'a>(&mut self, normal: Vec3, points: impl ExactSizeIterator<Item = &'a PointWords>) {
        let count = points.len();
        (self.normal, self.count) = (normal, count as u8);
        for (point, words) in self.points.iter_mut().zip(points) {
            *point = ContactPoint::from(words);
        }
        self.points[count..].fill(ContactPoint::NONE);
    }
}

impl ContactPoint {
    const NONE: Self =
        Self { anchor_a: Vec3::ZERO, anchor_b: Vec3::ZERO, separation: Fx::ZERO, feature: FeatureId(0) };

    #[inline(always)]
    fn to_words(self) -> PointWords {
        let [a, b] = [self.anchor_a, self.anchor_b].map(|anchor| anchor.to_array().map(Fx::to_bits));
        PointWords::new(a, b, self.separation.to_bits(), self.feature.0)
    }
}

impl From<&PointWords> for ContactPoint {
    #[inline(always)]
    fn from(words: &PointWords) -> Self {
        let [anchor_a, anchor_b] = words.anchors().map(|bits| Vec3::from_array(bits.map(Fx::from_bits)));
        let (separation, feature) = (Fx::from_bits(words.separation()), FeatureId(words.feature()));
        Self { anchor_a, anchor_b, separation, feature }
    }
}
