//! The time of impact of two shapes of which both may move and turn.
//!
//! [`separation`] is the signed distance: the greatest gap that any plane leaves between the shapes, below zero the
//! depth of the shortest way out. [`time_of_impact`] is the time at which that falls to a given value, which may lie
//! below zero: when do two shapes that overlap a little overlap more than that?
//!
//! **Conservative advancement** (B. Mirtich, *Impulse-based dynamic simulation*, 1996). With the unit normal n of the
//! widest gap s at the time t, from a to b, no later gap can be narrower than what the same plane leaves:
//!
//! ```text
//! s(t') ≥ s(t) − (t' − t) (n · (V_a − V_b) + ρ_a + ρ_b)
//! ```
//!
//! where V are the displacements and ρ says by how much turning can carry a point of the shape towards the plane. A
//! point p of the core of a shape (what is left without its radius), seen from the origin of the path, moves with
//! ω × p, so along n by at most
//!
//! ```text
//! ρ = min(|n × ω| max |p|, |ω × c| + Σ |ω × g|)
//! ```
//!
//! for the centre c and the spans g of the core. Neither changes while the shape turns about ω. A ball that turns about
//! its centre has ρ = 0, a rod that rolls about its axis next to nothing.
//!
//! The step to the time at which the bound is used up never passes the impact, however thin a shape is or however fast it
//! turns. Shapes that do not turn take a handful of steps; those that do close in by a share of the way with each one.

mod path;

pub use path::RigidPath;

use crate::distance::arithmetic::{direction, round_shift};
use crate::distance::half_space::Plane;
use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope::Contact;
use crate::exact::narrow;
use crate::shape::{HalfSpace, Shape};
use isostep_math::{Fx, Vec3};
use path::Track;

/// After as many steps the answer is the time that was reached, at which the shapes are still farther apart.
const MAX_STEPS: u32 = 64;

/// What the speed of closing is rounded up by, besides 2⁻²⁸ of itself.
const SLACK: Fx = Fx::from_bits(16);

/// How two shapes stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Separation {
    /// How far they are apart; below zero the depth of the shortest way out. To nearest.
    pub distance: Fx,
    /// The unit direction from the first to the second, along which they are so far apart.
    pub normal: Vec3,
}

/// The signed distance of two shapes in the coordinates of the world; `None` for two half-spaces.
///
/// Within 2⁻⁵³ of the pair's size where they are apart, within 2⁻²⁸ of it where they overlap. Segments and points have no
/// inside: spheres and capsules whose cores meet are as deep as the sum of their radii. Of equally short ways out it is
/// one.
///
/// ```
/// use isostep_collision::impact::separation;
/// use isostep_collision::{HalfSpace, Shape, Sphere};
/// use isostep_math::{Vec3, fx};
///
/// let ground = Shape::from(HalfSpace::ground(fx!(0)));
/// let ball = Shape::from(Sphere::new(Vec3::Y * fx!(0.25), fx!(1))?);
/// let found = separation(&ball, &ground).unwrap();
/// assert_eq!((found.distance, found.normal), (fx!(-0.75), Vec3::NEG_Y));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn separation(a: &Shape, b: &Shape) -> Option<Separation> {
    match (a, b) {
        (Shape::HalfSpace(_), Shape::HalfSpace(_)) => None,
        (Shape::HalfSpace(a), _) => above(&Core::of(b)?, a),
        (_, Shape::HalfSpace(b)) => {
            above(&Core::of(a)?, b).map(|found| Separation { normal: found.normal.saturating_neg(), ..found })
        }
        _ => {
            let pair = Pair::new(&Core::of(a)?, &Core::of(b)?, [0; 3]);
            let contact = Contact::of(&pair);
            let distance = pair.to_fx(contact.gap - pair.radius());
            Some(Separation { distance, normal: direction(contact.found.toward) })
        }
    }
}

/// From a half-space to what is above it.
fn above(core: &Core, half_space: &HalfSpace) -> Option<Separation> {
    let plane = Plane::of(half_space);
    // Halves with 32 fraction bits.
    let distance = narrow(round_shift(plane.approach(core).gap, 33));
    Some(Separation { distance, normal: plane.unit_normal() })
}

/// A shape and the path of its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moving {
    /// In the coordinates of the owner.
    pub shape: Shape,
    /// Where these coordinates go. A half-space does not turn: of its path the turn counts as zero.
    pub path: RigidPath,
}

impl Moving {
    /// No point of the shape's core goes farther by the turn of the path than this, in m: rounded up, saturating. The
    /// core is what is left of a shape without its radius: for a ball its centre.
    #[must_use]
    pub fn turning(&self) -> Fx {
        Track::new(self).turning()
    }
}

/// When two moving shapes come as close as asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Impact {
    /// The fraction of the paths, in [0, 1): the shapes were never closer before.
    pub fraction: Fx,
    /// How they stand to each other then.
    pub separation: Separation,
}

/// The first time at which the [`separation`] of two shapes on their paths is `distance`, or above that by at most
/// `tolerance`; `None` if it never falls to `distance`, and for two half-spaces.
///
/// Of shapes that are so close from the start it is the start. The fraction is never behind the time at which the
/// separation is `distance` by more than what 2⁻²⁸ of the pair's size takes to close. It is before the time at which it is
/// `distance + tolerance` only where shapes that turn need more than 64 steps to get there, or where less than 2⁻³² of the
/// paths is left to it: then it is the time that was reached. No time is sampled, so that no shape passes another, on paths
/// of up to 2³⁰ m each: beyond, what closes saturates.
///
/// ```
/// use isostep_collision::impact::{Moving, RigidPath, time_of_impact};
/// use isostep_collision::{Obb, Sphere};
/// use isostep_math::{Fx, Pose, Vec3, fx, vec3};
///
/// // A ball of 500 m/s and a wall of 1 cm, over a tick of 1/60 s.
/// let start = Pose::from_translation(Vec3::X * fx!(-4));
/// let path = RigidPath { displacement: Vec3::X * fx!(8.25), ..RigidPath::resting(start) };
/// let ball = Moving { shape: Sphere::from_radius(fx!(0.125))?.into(), path };
/// let wall = Obb::from_half_extents(vec3(fx!(0.005), fx!(2), fx!(2)))?.into();
/// let wall = Moving { shape: wall, path: RigidPath::resting(Pose::IDENTITY) };
/// let impact = time_of_impact(&ball, &wall, Fx::ZERO, fx!(0.001)).unwrap();
/// assert!(impact.fraction.abs_diff_eq(fx!(3.87) / fx!(8.25), fx!(0.001)));
/// assert_eq!(impact.separation.normal, Vec3::X);
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn time_of_impact(a: &Moving, b: &Moving, distance: Fx, tolerance: Fx) -> Option<Impact> {
    let (a, b) = (Track::new(a), Track::new(b));
    let tolerance = tolerance.max(Fx::ZERO);
    let mut fraction = Fx::ZERO;
    for _ in 0..MAX_STEPS {
        let found = separation(&a.at(fraction), &b.at(fraction))?;
        let impact = Impact { fraction, separation: found };
        let gap = found.distance.saturating_sub(distance);
        if gap <= tolerance {
            return Some(impact);
        }
        let closing = a.toward(found.normal).saturating_add(b.toward(found.normal.saturating_neg()));
        let closing = closing.saturating_add(closing.abs() >> 28).saturating_add(SLACK);
        if closing <= Fx::ZERO {
            return None;
        }
        // Rounded down.
        let step = gap.saturating_div(closing).saturating_sub(Fx::EPSILON);
        let next = fraction.saturating_add(step.max(Fx::ZERO));
        if next >= Fx::ONE {
            return None;
        }
        if next == fraction {
            return Some(impact);
        }
        fraction = next;
    }
    let found = separation(&a.at(fraction), &b.at(fraction))?;
    Some(Impact { fraction, separation: found })
}
