//! Casts: when a ray or a moving shape first touches another.
//!
//! A sweep reaches along a displacement, and fractions of it tell when: 0 is the start, 1 the end. Nothing turns
//! on the way. Against a plane the gap shrinks evenly (`half_space`); balls have a closed form (`ball`); boxes
//! and rays against boxes are separating axes over time (`sweep`, and `slabs` where few bits do); the rest advances along separating planes
//! (`advance`). What is small beside its way is looked at where it can touch at all (`window`).
//!
//! **What counts.** A hit is a touch after which the shapes would go deeper, or share more than a point of
//! their way: shapes that touch at the start and part or slide along each other do not hit. Within two units of
//! 2⁻³², or 2⁻⁴² of the pair's size, shapes count as touching at the start; deeper, they start inside, and only
//! then is there no normal.
//!
//! **Error.** With the *pair's size* for the extents of both shapes together with their distance and the sweep, of
//! which the latter two count for 2¹¹ times the extents at the most:
//!
//! * The fraction is never behind the touch by more than 2⁻⁴⁴ of the sweep and what 2⁻³⁹ of the pair's size take
//!   to close, and it is rounded down. It is before the touch by less than a unit of 2⁻³² more than what a gap of
//!   2⁻³⁹ of the pair's size takes. So shapes that graze each other within that may hit or miss, and where they
//!   close in at a slant the time is off by more than where they meet head on.
//! * No shape is passed, however thin it is or fast the other: no time is sampled.
//! * The normal is that of a plane which separates the shapes there to within the same gap, where what lies on the
//!   plane is turned by 2⁻²⁸ at the most. A ball, or a box hit by a ray, tells it to 2⁻³⁰. A face or an edge of a box
//!   against another box or a capsule tells it to 2⁻³⁸ of the pair's size over its own length: to 2⁻¹² or better for
//!   shapes of which none is 2²⁵ times smaller than the other, as a grain of 1 mm is than a mountain of 33 km.
mod advance;
mod ball;
mod half_space;
mod ray;
mod slabs;
mod sweep;
mod window;

pub use ray::{RayHit, cast_ray};

use crate::distance::arithmetic::{UNIT_BITS, direction, product, round_shift};
use crate::distance::on_b;
use crate::distance::pair::{Core, Pair};
use crate::distance::zonotope::Closest;
use crate::exact::{bits, narrow};
use crate::shape::{HalfSpace, Shape};
use isostep_math::{Fx, Vec3};
use window::{Body, Window};

/// Where and when a moving shape first touches another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastHit {
    /// The fraction of the displacement, in [0, 1], rounded down: the shapes do not overlap there.
    pub fraction: Fx,
    /// The point where they touch, each component to nearest; a point of the moving shape if it starts inside.
    pub point: Vec3,
    /// The unit normal at that point, from the target to the moving shape; **zero** if it starts inside.
    pub normal: Vec3,
}

impl CastHit {
    const fn inside(point: Vec3) -> Self {
        Self { fraction: Fx::ZERO, point, normal: Vec3::ZERO }
    }

    /// Whether the shapes overlap at the start. The fraction is 0 then.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        self.normal == Vec3::ZERO
    }
}

/// The first touch of `moving`, which moves by `displacement` without turning, and `target`; `None` if they miss.
///
/// ```
/// use isostep_collision::{Obb, Shape, Sphere, cast_shape};
/// use isostep_math::{Vec3, fx, vec3};
///
/// let ball = Shape::from(Sphere::new(vec3(fx!(0), fx!(10), fx!(0)), fx!(1))?);
/// let floor = Shape::from(Obb::from_half_extents(vec3(fx!(50), fx!(1), fx!(50)))?);
/// let hit = cast_shape(&ball, vec3(fx!(0), fx!(-16), fx!(0)), &floor).unwrap();
/// assert_eq!((hit.fraction, hit.point, hit.normal), (fx!(0.5), Vec3::Y, Vec3::Y));
/// # Ok::<(), isostep_collision::ShapeError>(())
/// ```
#[must_use]
pub fn cast_shape(moving: &Shape, displacement: Vec3, target: &Shape) -> Option<CastHit> {
    let travel = bits(displacement).map(i128::from);
    match (moving, target) {
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => facing(a, travel, b),
        (Shape::HalfSpace(a), _) => {
            // To the half-space the target comes the other way.
            let hit = half_space::meet(&Core::of(target)?, travel.map(|part| -part), a)?;
            Some(hit.of_moving_half_space(a))
        }
        (_, Shape::HalfSpace(b)) => {
            let core = Core::of(moving)?;
            Some(half_space::meet(&core, travel, b)?.of_moving_core(&core, travel))
        }
        _ => between_solids(moving, travel, target),
    }
}

/// Half-spaces that are not exactly parallel overlap from the start.
fn facing(a: &HalfSpace, travel: [i128; 3], b: &HalfSpace) -> Option<CastHit> {
    if a.normal() == -b.normal() {
        let core = Core::of_point(a.point());
        Some(half_space::meet(&core, travel, b)?.of_moving_core(&core, travel))
    } else {
        Some(CastHit::inside(a.point()))
    }
}

fn between_solids(moving: &Shape, travel: [i128; 3], target: &Shape) -> Option<CastHit> {
    let touch = first_touch(Body::Solid(moving), travel, target)?;
    if touch.is_inside {
        return Some(CastHit::inside(Core::of(moving)?.center_point()));
    }
    Some(CastHit { fraction: Fx::from_bits(fraction(touch.time)), point: touch.point, normal: -touch.toward })
}

/// Where and when what moves first touches the target; neither is a half-space.
struct FirstTouch {
    /// The fraction of the travel in Q60.
    time: i64,
    /// The point of the target.
    point: Vec3,
    /// The unit direction from what moves to the target.
    toward: Vec3,
    is_inside: bool,
}

fn first_touch(moving: Body, travel: [i128; 3], target: &Shape) -> Option<FirstTouch> {
    let method = Method::of(moving, target);
    let Some(window) = Window::cut(moving, travel, target, method.far()).ok()? else {
        let a = match moving {
            Body::Point(point) => Core::of_point(point),
            Body::Solid(shape) => Core::of(shape)?,
        };
        return method.first_touch(&a, travel, &Core::of(target)?, 0);
    };
    let a = match &window.moving {
        None => Core::of_point(window.start),
        Some(shape) => Core::of(shape)?,
    };
    let touch = method.first_touch(&a, window.travel, &Core::of(&window.target)?, window.scale)?;
    let (time, point) = (window.to_whole(touch.time), window.to_world(touch.point, target));
    Some(FirstTouch { time, point, ..touch })
}

/// How a first touch is found: a matter of what the shapes are, whatever is left of them in local words.
#[derive(Clone, Copy)]
enum Method {
    Balls,
    PointToBox,
    Boxes,
    Advance,
}

impl Method {
    const fn of(moving: Body, target: &Shape) -> Self {
        match (moving, target) {
            (Body::Point(_) | Body::Solid(Shape::Sphere(_)), Shape::Sphere(_)) => Self::Balls,
            (Body::Point(_), Shape::Box(_)) => Self::PointToBox,
            (Body::Solid(Shape::Box(_)), Shape::Box(_)) => Self::Boxes,
            _ => Self::Advance,
        }
    }

    /// How many times the extents of the shapes a sweep may be long without being cut: small radii need most bits.
    const fn far(self) -> i128 {
        match self {
            Self::Advance => 1 << 3,
            _ => 1 << 10,
        }
    }

    /// Of cores that were scaled up by 2^scale.
    fn first_touch(self, a: &Core, travel: [i128; 3], b: &Core, scale: u32) -> Option<FirstTouch> {
        let pair = Pair::new(a, b, travel);
        // Two units of 2⁻³², or 2⁻⁴² of the pair: below 2^56.
        let tolerance = ((2 * pair.epsilon()) << scale) + (1 << 18);
        let sweep = Sweep { pair, tolerance };
        let touch = match self {
            Self::Balls => ball::cast(&sweep),
            Self::PointToBox => sweep::cast_point(&sweep),
            Self::Boxes => sweep::cast_boxes(&sweep),
            Self::Advance => advance::cast(&sweep),
        }?;
        Some(FirstTouch {
            time: touch.time,
            point: pair.to_world(b, on_b(&pair, &touch.found)),
            toward: touch.toward,
            is_inside: touch.is_inside,
        })
    }
}

/// Two cores on their way in local words.
struct Sweep {
    pair: Pair,
    /// What shapes may be inside each other at the start and count as touching.
    tolerance: i64,
}

/// A first touch in local words.
struct Touch {
    /// The fraction of the travel in Q60.
    time: i64,
    found: Closest,
    /// The unit direction from a to b.
    toward: Vec3,
    is_inside: bool,
}

impl Touch {
    const INSIDE: Self = Self { time: 0, found: Closest::NONE, toward: Vec3::ZERO, is_inside: true };

    fn at(time: i64, found: Closest) -> Self {
        Self { time, found, toward: direction(found.toward), is_inside: false }
    }
}

/// How two shapes stand to each other at the start.
enum Clearance {
    Apart,
    Touching,
    Inside,
}

impl Clearance {
    /// For a gap in local words.
    const fn of(sweep: &Sweep, gap: i64) -> Self {
        if gap > 0 {
            Self::Apart
        } else if gap >= -sweep.tolerance {
            Self::Touching
        } else {
            Self::Inside
        }
    }
}

/// The offset at a time in Q60.
fn offset_at(pair: &Pair, time: i64) -> [i64; 3] {
    core::array::from_fn(|axis| {
        pair.offset[axis] - round_shift(product(pair.travel[axis], time), UNIT_BITS) as i64
    })
}

/// A time in Q60 as the bits of a fraction: rounded down, but for times 2⁻⁴⁴ below a whole unit.
const fn fraction(time: i64) -> i64 {
    (time + (1 << (UNIT_BITS - 44))) >> (UNIT_BITS - 32)
}

/// `travel` in units of 2⁻³² times a fraction in Q32: to nearest, saturating.
const fn part(travel: i128, fraction: i64) -> Fx {
    narrow(round_shift(travel * fraction as i128, 32))
}
