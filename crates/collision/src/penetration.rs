//! The minimum translation that separates two shapes: what Unity's `Physics.ComputePenetration` gives.

mod boxes;
mod capsules;
mod half_spaces;
mod spheres;

use crate::distance::pair::Core;
use crate::overlap;
use crate::shape::Shape;
use core::cmp::Ordering;
use isostep_math::{Fx, Pose, Vec3};

/// How deep two shapes are in each other, and along which direction it is the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penetration {
    /// Unit vector from a to b: b moved along it by `depth`, or a against it, and the shapes touch.
    pub direction: Vec3,
    /// How far, above 0.
    pub depth: Fx,
}

impl Penetration {
    /// How to move a so that the shapes touch: what Unity calls direction times distance.
    #[must_use]
    pub const fn translation_of_a(&self) -> Vec3 {
        self.direction.saturating_scale(self.depth.saturating_neg())
    }

    /// How to move b so that the shapes touch.
    #[must_use]
    pub const fn translation_of_b(&self) -> Vec3 {
        self.direction.saturating_scale(self.depth)
    }

    /// The same with the two shapes exchanged.
    const fn flipped(self) -> Self {
        Self { direction: self.direction.saturating_neg(), depth: self.depth }
    }

    /// `depth` is above zero though rounding may have brought it there: the shapes are known to penetrate.
    fn new(direction: Vec3, depth: Fx) -> Self {
        Self { direction, depth: depth.max(Fx::EPSILON) }
    }
}

/// The minimum translation that separates `a` at `pose_a` and `b` at `pose_b`; `None` where they do not
/// penetrate (touching does not count).
///
/// The depth is within 2⁻²⁸ of the pair's size, and so is what the direction loses of the shortest way. Of equal ways out the first is
/// taken, in the order: faces of a, faces of b, pairs of edges. Coincident centres of spheres part along y.
///
/// Two half-spaces that overlap are separated by no translation, but where their normals are opposite: `None`.
///
/// ```
/// use isostep_collision::{Obb, Sphere, penetration};
/// use isostep_math::{Pose, Vec3, fx, vec3};
///
/// let floor = Obb::from_half_extents(vec3(fx!(10), fx!(1), fx!(10)))?.into();
/// let ball = Sphere::from_radius(fx!(0.5))?.into();
/// let above = Pose::from_translation(vec3(fx!(3), fx!(1.25), fx!(0)));
/// let deep = penetration(&floor, &Pose::IDENTITY, &ball, &above).unwrap();
/// assert_eq!((deep.direction, deep.depth), (Vec3::Y, fx!(0.25)));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn penetration(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Option<Penetration> {
    penetration_of(&a.transformed(pose_a), &b.transformed(pose_b))
}

/// As [`penetration`](fn@penetration), for shapes in the coordinates of the world.
#[must_use]
pub fn penetration_of(a: &Shape, b: &Shape) -> Option<Penetration> {
    if overlap::relation(a, b) != Ordering::Less {
        return None;
    }
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => Some(spheres::sphere_sphere(a, b)),
        (Shape::Sphere(a), Shape::Box(b)) => Some(spheres::sphere_box(a, b)),
        (Shape::Box(a), Shape::Box(b)) => Some(boxes::box_box(a, b)),
        (Shape::Capsule(_), Shape::Sphere(_) | Shape::Capsule(_) | Shape::Box(_)) => {
            Some(capsules::rounded(&Core::of(a)?, &Core::of(b)?))
        }
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => half_spaces::half_space_half_space(a, b),
        (Shape::HalfSpace(a), Shape::Sphere(b)) => Some(half_spaces::half_space_sphere(a, b)),
        (Shape::HalfSpace(a), Shape::Box(b)) => Some(half_spaces::half_space_box(a, b)),
        (Shape::HalfSpace(a), Shape::Capsule(b)) => Some(half_spaces::half_space_capsule(a, b)),
        (Shape::Box(_), Shape::Sphere(_))
        | (Shape::Sphere(_) | Shape::Box(_), Shape::Capsule(_))
        | (Shape::Sphere(_) | Shape::Box(_) | Shape::Capsule(_), Shape::HalfSpace(_)) => {
            penetration_of(b, a).map(Penetration::flipped)
        }
    }
}
