//! Casts: when a ray or a moving shape first touches another.
//!
//! A sweep reaches along a displacement, and fractions of it tell when: 0 is the start, 1 the end. Nothing turns
//! on the way. Against a plane the gap shrinks evenly (`half_space`); balls have a closed form (`ball`); boxes
//! and rays against boxes are separating axes over time (`sweep`); the rest advances along separating planes
//! (`advance`).
//!
//! **What counts.** A hit is a touch after which the shapes would go deeper, or share more than a point of
//! their way: shapes that touch at the start and part or slide along each other do not hit. Within two units of
//! 2⁻³², or 2⁻⁴² of the pair's size, shapes count as touching at the start; deeper, they start inside.
//!
//! **Error.** The fraction is never behind the touch by more than 2⁻⁴⁴ of the sweep, and it is rounded down. It
//! is before the touch by less than a unit of 2⁻³² more than what a gap of 2⁻³⁹ of the pair's size, all of the
//! sweep included, takes to close. No shape is passed, however thin it is or fast the other: no time is sampled.

mod advance;
mod ball;
mod half_space;
mod ray;
mod sweep;

pub use ray::{RayHit, cast_ray};

use crate::distance::arithmetic::{UNIT_BITS, direction, product, round_shift};
use crate::distance::on_b;
use crate::distance::pair::{Core, Pair, bits, narrow};
use crate::distance::zonotope::Closest;
use crate::shape::{HalfSpace, Shape};
use isostep_math::{Fx, Vec3};

/// Where and when a moving shape first touches another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CastHit {
    /// The fraction of the displacement, in [0, 1], rounded down: the shapes do not overlap there.
    pub fraction: Fx,
    /// The point where they touch, each component to nearest; a point of the moving shape if it starts inside.
    pub point: Vec3,
    /// The unit normal at that point, from the target to the moving shape; **zero** if it starts inside.
    pub normal: Vec3,
    /// Whether the shapes overlap at the start. The fraction is 0 then.
    pub started_inside: bool,
}

impl CastHit {
    const fn inside(point: Vec3) -> Self {
        Self { fraction: Fx::ZERO, point, normal: Vec3::ZERO, started_inside: true }
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
            // The target comes the other way, and where it touches moves along.
            let hit = half_space::cast(&Core::of(target)?, travel.map(|part| -part), a)?;
            let point = hit.point + displacement * hit.fraction;
            Some(CastHit { point, normal: -hit.normal, ..hit })
        }
        (_, Shape::HalfSpace(b)) => half_space::cast(&Core::of(moving)?, travel, b),
        _ => between_cores(&Core::of(moving)?, travel, &Core::of(target)?),
    }
}

/// Half-spaces that are not exactly parallel overlap from the start.
fn facing(a: &HalfSpace, travel: [i128; 3], b: &HalfSpace) -> Option<CastHit> {
    if a.normal() == -b.normal() {
        half_space::cast(&Core::of_point(a.point()), travel, b)
    } else {
        Some(CastHit::inside(a.point()))
    }
}

fn between_cores(a: &Core, travel: [i128; 3], b: &Core) -> Option<CastHit> {
    let pair = Pair::new(a, b, travel);
    let touch = first_touch(&pair)?;
    if touch.is_inside {
        return Some(CastHit::inside(a.center_point()));
    }
    Some(CastHit {
        fraction: Fx::from_bits(fraction(touch.time)),
        point: pair.to_world(b, on_b(&pair, &touch.found)),
        normal: -touch.toward,
        started_inside: false,
    })
}

/// When two cores touch, by the method for their kind.
fn first_touch(pair: &Pair) -> Option<Touch> {
    if pair.radius() > 0 {
        if pair.count == 0 { ball::cast(pair) } else { advance::cast(pair) }
    } else if pair.a_is_point() {
        sweep::cast_point(pair)
    } else {
        sweep::cast_boxes(pair)
    }
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
    /// For a gap in local words: two units of 2⁻³², or 2⁻⁴² of the pair, are none.
    const fn of(pair: &Pair, gap: i64) -> Self {
        let tolerance = 2 * pair.epsilon() + (1 << 18);
        if gap > 0 {
            Self::Apart
        } else if gap >= -tolerance {
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
