//! The part of a long sweep in which two shapes can touch at all, in a scale of its own.
//!
//! Words of a pair share the bits of everything that is in it. In a sweep of kilometres they would be too coarse for
//! a shape of millimetres, whose faces lose their directions and at last their extents. So a sweep or a distance of
//! more than `far` times the size of both shapes is cut, on each axis, to the times at which the boxes around them
//! can touch,
//!
//! ```text
//! D − R ≤ t V ≤ D + R
//! ```
//!
//! with D from one base point to the other and R no less than both extents. What is left is a few times as long as
//! the shapes are large. There they are scaled up by the power of two for which the larger just fits the range of
//! extents, so that moving the one to where the cut begins rounds by 2⁻⁴⁸ of their size.

use crate::distance::arithmetic::{UNIT, UNIT_BITS, ratio, round_shift};
use crate::exact::bits;
use crate::shape::{Capsule, MAX_EXTENT, Obb, Shape, Sphere};
use isostep_math::{Fx, Vec3};

/// What the base points may be closer than the extents say, in units of 2⁻³²: for rounding, and for times of 2⁻⁶⁰ of
/// the longest sweep.
const SLACK: i128 = 64;

/// What moves, or what it moves to.
#[derive(Clone, Copy)]
pub(super) enum Body<'a> {
    /// The start of a ray.
    Point(Vec3),
    Solid(&'a Shape),
}

/// A sweep that was cut: the shapes around the origin and scaled.
pub(super) struct Window {
    /// Where it begins and how long it is, in Q60 of the whole sweep.
    begin: i64,
    length: i64,
    /// Scaled by 2^scale.
    pub(super) scale: u32,
    /// `None` for a ray.
    pub(super) moving: Option<Shape>,
    pub(super) start: Vec3,
    pub(super) target: Shape,
    /// In units of 2⁻³².
    pub(super) travel: [i128; 3],
}

/// The boxes around the shapes never touch.
pub(super) struct Missed;

impl Window {
    /// Cuts the way of `moving` along `travel`, in units of 2⁻³², to `target`; `None` where that is near and short: up
    /// to `far` times the extents.
    /// Half-spaces have no extents to compare it with, and are cut by none.
    pub(super) fn cut(
        moving: Body,
        travel: [i128; 3],
        target: &Shape,
        far: i128,
    ) -> Result<Option<Self>, Missed> {
        let (from, to) = (bits(moving.base()).map(i128::from), bits(base_of(target)).map(i128::from));
        let way: [i128; 3] = core::array::from_fn(|axis| to[axis] - from[axis]);
        let extents = moving.extents();
        let others = extents_of(target);
        let reach = extents.reach + others.reach;
        let largest = |v: [i128; 3]| v.iter().map(|word| word.abs()).max().unwrap_or(0);
        if largest(way).max(largest(travel)) <= far * reach {
            return Ok(None);
        }
        let Some((begin, end)) = times(way, travel, reach + SLACK) else { return Err(Missed) };
        // The largest extent has as many bits as there are below `MAX_EXTENT`, or less.
        let limit = MAX_EXTENT.to_bits().ilog2();
        let scale = limit.saturating_sub((extents.largest.max(others.largest) as u64).ilog2() + 1);
        let scaled = |q60: i128| round_shift(q60, UNIT_BITS - scale);
        // All of this is within a few extents: below 2^52.
        let start = Vec3::from_array(core::array::from_fn(|axis| {
            // A distance below 2^65 and a sweep below 2^64, in Q60.
            Fx::from_bits(scaled(travel[axis] * i128::from(begin) - (way[axis] << UNIT_BITS)) as i64)
        }));
        let length = end - begin;
        let Some(target) = placed(target, Vec3::ZERO, scale) else { return Ok(None) };
        let moving = match moving {
            Body::Point(_) => None,
            Body::Solid(shape) => match placed(shape, start, scale) {
                Some(shape) => Some(shape),
                None => return Ok(None),
            },
        };
        let travel = travel.map(|part| scaled(part * i128::from(length)));
        Ok(Some(Self { begin, length, scale, moving, start, target, travel }))
    }

    /// A time in Q60 of what is left as one of the whole.
    pub(super) fn to_whole(&self, time: i64) -> i64 {
        self.begin + ((i128::from(time) * i128::from(self.length)) >> UNIT_BITS) as i64
    }

    /// A point as one of the world, each component to nearest, saturating.
    pub(super) fn to_world(&self, point: Vec3, target: &Shape) -> Vec3 {
        let base = base_of(target).to_array();
        let point = point.to_array().map(|part| round_shift(part.to_bits().into(), self.scale) as i64);
        Vec3::from_array(core::array::from_fn(|axis| base[axis].saturating_add(Fx::from_bits(point[axis]))))
    }
}

impl Body<'_> {
    const fn base(&self) -> Vec3 {
        match self {
            Self::Point(point) => *point,
            Self::Solid(shape) => base_of(shape),
        }
    }

    fn extents(&self) -> Extents {
        match self {
            Self::Point(_) => Extents { reach: 0, largest: 1 },
            Self::Solid(shape) => extents_of(shape),
        }
    }
}

/// How large a shape is, in units of 2⁻³².
struct Extents {
    /// No point is farther from the base along an axis.
    reach: i128,
    /// The largest of the extents that [`MAX_EXTENT`] limits, or more; at least 1.
    largest: i64,
}

const fn base_of(shape: &Shape) -> Vec3 {
    match shape {
        Shape::Sphere(sphere) => sphere.center(),
        Shape::Capsule(capsule) => capsule.a(),
        Shape::Box(obb) => obb.center(),
        Shape::HalfSpace(half_space) => half_space.point(),
    }
}

fn extents_of(shape: &Shape) -> Extents {
    match shape {
        Shape::Sphere(sphere) => {
            let radius = sphere.radius().to_bits();
            Extents { reach: radius.into(), largest: radius }
        }
        Shape::Capsule(capsule) => {
            let length: i64 = span(capsule).iter().map(|part| part.abs()).sum();
            let radius = capsule.radius().to_bits();
            Extents { reach: i128::from(length) + i128::from(radius), largest: radius.max(length) }
        }
        Shape::Box(obb) => {
            let halves = bits(obb.half_extents());
            let largest = halves.into_iter().fold(1, i64::max);
            // Rotations are rounded, so an axis may be longer than a unit by some of 2⁻⁵⁸.
            Extents { reach: halves.iter().map(|&half| i128::from(half)).sum::<i128>() + 1, largest }
        }
        Shape::HalfSpace(_) => Extents { reach: 0, largest: 1 },
    }
}

/// From one end to the other: at most 2^16 m.
const fn span(capsule: &Capsule) -> [i64; 3] {
    let (a, b) = (bits(capsule.a()), bits(capsule.b()));
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}

/// The shape with its base elsewhere and scaled.
fn placed(shape: &Shape, base: Vec3, scale: u32) -> Option<Shape> {
    let scaled = |extent: Fx| Fx::from_bits(extent.to_bits() << scale);
    match shape {
        Shape::Sphere(sphere) => Sphere::new(base, scaled(sphere.radius())).ok().map(Shape::from),
        Shape::Capsule(capsule) => {
            let way = Vec3::from_array(span(capsule).map(|part| scaled(Fx::from_bits(part))));
            Capsule::new(base, base + way, scaled(capsule.radius())).ok().map(Shape::from)
        }
        Shape::Box(obb) => {
            let halves = Vec3::from_array(obb.half_extents().to_array().map(scaled));
            Obb::new(base, halves, obb.rotation()).ok().map(Shape::from)
        }
        Shape::HalfSpace(_) => None,
    }
}

/// The times in Q60, from 0 to 1, between which all of `way − reach ≤ t travel ≤ way + reach` may hold.
fn times(way: [i128; 3], travel: [i128; 3], reach: i128) -> Option<(i64, i64)> {
    let (mut begin, mut end) = (0, UNIT);
    for axis in 0..3 {
        let (way, speed) =
            if travel[axis] < 0 { (-way[axis], -travel[axis]) } else { (way[axis], travel[axis]) };
        let (low, high) = (way - reach, way + reach);
        if high < 0 || low > speed {
            return None;
        }
        if speed > 0 {
            // Within a unit.
            begin = begin.max(ratio(low, speed) - 2);
            end = end.min(ratio(high, speed) + 2);
        }
    }
    (begin <= end).then_some((begin, end))
}
