//! Pairs of shapes, most of them within a few units of touching.

use crate::number::{DoubleDouble, Number, Vector, along, dot, length};
use crate::reference::{Difference, body, raw};
use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3};

/// What a shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Sphere,
    Capsule,
    Box,
    HalfSpace,
}

/// A kilometre is 2^42 units, about; a millimetre 2^22.
const MILLIMETRE: i64 = 4_294_967;
const TEN_KILOMETRES: i64 = 10_000 << 32;

/// From 1 mm to 10 km, each octave equally likely.
fn extent(rng: &mut Rng) -> i64 {
    let octave = 1_i64 << (22 + rng.below(24));
    rng.range_i64(octave, 2 * octave - 1).clamp(MILLIMETRE, TEN_KILOMETRES)
}

/// The extents of a pair: of one scale, or each of its own.
struct Extents(Option<i64>);

impl Extents {
    fn any(rng: &mut Rng) -> Self {
        Self(rng.bool().then(|| extent(rng)))
    }

    fn one(&self, rng: &mut Rng) -> Fx {
        Fx::from_bits(match self.0 {
            Some(scale) => rng.range_i64(scale / 8, scale).max(MILLIMETRE),
            None => extent(rng),
        })
    }
}

/// One of the 24 that map axes to axes, or the product of their quaternions as it is rounded.
fn quarter_turns(rng: &mut Rng) -> Quat {
    let mut rotation = Quat::IDENTITY;
    for _ in 0..rng.below(4) {
        let turn = match rng.below(3) {
            0 => Quat::from_rotation_x(Fx::FRAC_PI_2),
            1 => Quat::from_rotation_y(Fx::FRAC_PI_2),
            _ => Quat::from_rotation_z(Fx::FRAC_PI_2),
        };
        rotation = (turn * rotation).normalize();
    }
    rotation
}

/// Any rotation; many equal that of the other shape, or nearly, or up to quarter turns.
fn rotation(rng: &mut Rng, other: Quat) -> Quat {
    match rng.below(8) {
        0..=2 => rng.unit_quat(),
        3 => Quat::IDENTITY,
        4 => quarter_turns(rng),
        5 => other,
        6 => (other * quarter_turns(rng)).normalize(),
        _ => {
            let nudge = 1 << rng.below(24);
            let bits = (other * quarter_turns(rng)).to_array();
            Quat::from_array(bits.map(|part| part + Fx::from_bits(rng.range_i64(-nudge, nudge)))).normalize()
        }
    }
}

/// A position on the scale of worlds: at the origin, anywhere, or near the ends of ±2³⁰ m.
fn position(rng: &mut Rng) -> Vec3 {
    let near = rng.below(3);
    Vec3::from_array([(); 3].map(|()| {
        Fx::from_bits(match near {
            0 => 0,
            1 => rng.range_i64(-1 << 60, 1 << 60),
            _ => {
                let end = (1 << 62) - rng.range_i64(0, 1 << 40);
                if rng.bool() { end } else { -end }
            }
        })
    }))
}

fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// A direction: any, or along an axis.
fn direction(rng: &mut Rng) -> Vec3 {
    match rng.below(4) {
        0 => {
            let axis = *rng.choose(&Vec3::AXES).unwrap_or(&Vec3::X);
            if rng.bool() { axis } else { -axis }
        }
        _ => rng.unit_vec3(),
    }
}

fn vector(v: Vec3) -> Vector<DoubleDouble> {
    raw(v).map(DoubleDouble::of)
}

/// A shape around the origin.
fn shape(rng: &mut Rng, kind: Kind, extents: &Extents, other: Quat) -> Shape {
    match kind {
        Kind::Sphere => Sphere::new(Vec3::ZERO, extents.one(rng)).unwrap().into(),
        Kind::Box => {
            let halves = Vec3::new(extents.one(rng), extents.one(rng), extents.one(rng));
            Obb::new(Vec3::ZERO, halves, rotation(rng, other)).unwrap().into()
        }
        Kind::Capsule => {
            let length = if rng.below(16) == 0 { Fx::ZERO } else { extents.one(rng) };
            let way = if rng.below(3) == 0 { other * direction(rng) } else { direction(rng) };
            let segment = way * length;
            let start = -(segment / Fx::from_int(2));
            Capsule::new(start, start + segment, extents.one(rng)).unwrap().into()
        }
        Kind::HalfSpace => {
            let normal = direction(rng);
            // As from a file with fewer digits: of unit length within what is allowed.
            let coarse = normal.to_array().map(|part| Fx::from_bits(part.to_bits() & !1023));
            let normal = if rng.below(4) == 0 { Vec3::from_array(coarse) } else { normal };
            HalfSpace::new(Vec3::ZERO, normal).unwrap().into()
        }
    }
}

fn rotation_of(shape: &Shape) -> Quat {
    match shape {
        Shape::Box(b) => b.rotation(),
        _ => Quat::IDENTITY,
    }
}

/// The shape moved by an offset.
pub(crate) fn moved(shape: &Shape, offset: Vec3) -> Shape {
    match shape {
        Shape::Sphere(s) => Sphere::new(s.center() + offset, s.radius()).unwrap().into(),
        Shape::Box(b) => Obb::new(b.center() + offset, b.half_extents(), b.rotation()).unwrap().into(),
        Shape::Capsule(c) => Capsule::new(c.a() + offset, c.b() + offset, c.radius()).unwrap().into(),
        Shape::HalfSpace(h) => HalfSpace::new(h.point() + offset, h.normal()).unwrap().into(),
        _ => unreachable!("no other shapes"),
    }
}

/// How far apart to put the shapes: touching, within a few units, or anything up to a quarter of their size.
fn clearance(rng: &mut Rng, size: f64) -> f64 {
    match rng.below(8) {
        0 => 0.0,
        1..=4 => f64::from(rng.range_i32(-8, 8)),
        5 => unit(rng) * size * (-30_f64).exp2(),
        6 => unit(rng) * size * (-f64::from(rng.below(24))).exp2(),
        _ => unit(rng) * size / 4.0,
    }
}

/// A vector between the centres for which the gap is about `clearance`: on a facet, an edge or at a corner of the
/// difference of the cores; or anywhere.
fn placement(
    rng: &mut Rng,
    difference: &Difference<DoubleDouble>,
    size: f64,
    other: Quat,
) -> Vector<DoubleDouble> {
    let spans = &difference.spans;
    let real = DoubleDouble::real;
    let mut normal = vector(if rng.below(4) == 0 { other * direction(rng) } else { direction(rng) });
    let mut coefficients: Vec<Option<DoubleDouble>> = vec![None; spans.len()];
    let mut free = |rng: &mut Rng, at: usize| {
        // Often at an end or in the middle, where edges and corners line up.
        let s = match rng.below(4) {
            0 => f64::from(rng.range_i32(-1, 1)),
            _ => unit(rng),
        };
        coefficients[at] = Some(real(s));
    };
    let count = spans.len() as u32;
    match rng.below(8) {
        0..=3 if count >= 2 => {
            let (i, j) = (rng.below(count) as usize, rng.below(count) as usize);
            let across = crate::number::cross(spans[i], spans[j]);
            if i != j && length(across) > length(spans[i]) * length(spans[j]) * real((-40_f64).exp2()) {
                normal = across;
                free(rng, i);
                free(rng, j);
            }
        }
        4 if count >= 1 => {
            let i = rng.below(count) as usize;
            let square = dot(spans[i], spans[i]);
            if square > DoubleDouble::ZERO {
                normal = along(normal, spans[i], -(dot(normal, spans[i]) / square));
                free(rng, i);
            }
        }
        5 => {
            // Somewhere inside, or beside.
            let scale = unit(rng) * 1.5;
            let start = normal.map(|n| n * real(scale) * difference.radius / length(normal));
            return spans.iter().fold(start, |point, &span| along(point, span, real(unit(rng) * scale)));
        }
        6 => {
            let far = if rng.below(4) == 0 { 64.0 } else { 1.5 };
            return normal.map(|n| n / length(normal) * real(unit(rng) * size * far));
        }
        _ => {}
    }
    let own = length(normal);
    if own <= DoubleDouble::ZERO {
        return [DoubleDouble::ZERO; 3];
    }
    let beyond = (difference.radius + real(clearance(rng, size))) / own;
    let start = normal.map(|n| n * beyond);
    spans.iter().zip(coefficients).fold(start, |point, (&span, coefficient)| {
        let cosine = dot(span, normal);
        let is_across = cosine.abs() <= length(span) * own * real((-90_f64).exp2());
        let coefficient = coefficient.unwrap_or_else(|| {
            let s = if is_across { f64::from(rng.range_i32(-1, 1)) } else { 1.0 };
            if cosine < DoubleDouble::ZERO { -real(s) } else { real(s) }
        });
        along(point, span, coefficient)
    })
}

/// To the nearest unit.
fn rounded(v: Vector<DoubleDouble>) -> Vec3 {
    Vec3::from_array(v.map(|component| {
        let high = component.to_f64().round();
        let rest = (component - DoubleDouble::real(high)).to_f64().round();
        Fx::from_bits(high as i64 + rest as i64)
    }))
}

/// A pair of the two kinds, in a random place of the world.
pub(crate) fn pair(rng: &mut Rng, kinds: (Kind, Kind)) -> (Shape, Shape) {
    let extents = Extents::any(rng);
    let a = shape(rng, kinds.0, &extents, Quat::IDENTITY);
    let b = shape(rng, kinds.1, &extents, rotation_of(&a));
    let place = position(rng);
    if kinds.0 == Kind::HalfSpace {
        return (moved(&a, place), moved(&above_plane(rng, &a, &b), place));
    }
    let (first, second) = (body::<DoubleDouble>(&a, Vec3::ZERO), body(&b, Vec3::ZERO));
    let size = first.reach() + second.reach();
    if (kinds.0, kinds.1) == (Kind::Sphere, Kind::Sphere) && rng.below(4) == 0 {
        return pythagorean(rng, &a, &b, place);
    }
    let difference = Difference::new(&first, &second);
    let way = rounded(placement(rng, &difference, size, rotation_of(&a)));
    (moved(&a, place), moved(&b, place + way))
}

/// A shape whose lowest point is about on the plane of a half-space through the origin; or another half-space.
fn above_plane(rng: &mut Rng, plane: &Shape, shape: &Shape) -> Shape {
    let Shape::HalfSpace(plane) = plane else { unreachable!("only half-spaces have planes") };
    let normal = vector(plane.normal());
    let own = length(normal);
    if let Shape::HalfSpace(other) = shape {
        let size = extent(rng) as f64;
        let facing = if rng.below(4) == 0 { other.normal() } else { -plane.normal() };
        let way = clearance(rng, size);
        let offset = normal.map(|n| n / own * DoubleDouble::real(way));
        return HalfSpace::new(rounded(offset), facing).unwrap().into();
    }
    let body: crate::reference::Body<DoubleDouble> = body(shape, Vec3::ZERO);
    let size = body.reach();
    let reach = body.spans.iter().fold(DoubleDouble::ZERO, |sum, &span| sum + dot(span, normal).abs());
    let height = (reach / own + body.radius + DoubleDouble::real(clearance(rng, size))) / own;
    let aside = vector(direction(rng)).map(|n| n * DoubleDouble::real(unit(rng) * size / 4_294_967_296.0));
    let aside = along(aside, normal, -(dot(aside, normal) / (own * own)));
    moved(shape, rounded(along(aside, normal, height)))
}

/// Balls whose centres are 5 k apart by (3 k, 4 k, 0), in any order of axes: with radii of that sum, or one unit off.
fn pythagorean(rng: &mut Rng, a: &Shape, b: &Shape, place: Vec3) -> (Shape, Shape) {
    let (Shape::Sphere(a), Shape::Sphere(b)) = (a, b) else { unreachable!("only balls") };
    let sum = (a.radius() + b.radius()).to_bits();
    let k = sum / 5;
    let mut way = [3 * k, -4 * k, 0].map(Fx::from_bits);
    rng.shuffle(&mut way);
    let radius = Fx::from_bits(5 * k + rng.range_i64(-1, 1)) - b.radius();
    let first = Sphere::new(place, radius.max(Fx::EPSILON)).unwrap();
    let second = Sphere::new(place + Vec3::from_array(way), b.radius()).unwrap();
    (first.into(), second.into())
}
