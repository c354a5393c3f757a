//! All questions about two shapes of any kind and size, anywhere: nothing panics, and the answers agree.

#![no_main]

#[allow(dead_code)]
mod bytes;

use bytes::Bytes;
use isostep_collision::manifold::manifold;
use isostep_collision::shape::MAX_EXTENT;
use isostep_collision::{
    Capsule, ClosestPoints, HalfSpace, Obb, Ray, Shape, Sphere, cast_ray, cast_shape, closest_points,
    distance, overlap, overlaps, penetrates, penetration, penetration_of,
};
use isostep_math::{Fx, Pose, Vec3};
use libfuzzer_sys::fuzz_target;
use std::cmp::Ordering;
use std::sync::LazyLock;

fn shape(bytes: &mut Bytes) -> Shape {
    let kind = bytes.byte();
    // At its own origin, or beside it.
    let at = if kind & 4 == 0 { Vec3::ZERO } else { bytes.vector() };
    match kind & 3 {
        0 => Sphere::new(at, bytes.extent(MAX_EXTENT)).unwrap().into(),
        1 => {
            let halves =
                Vec3::new(bytes.extent(MAX_EXTENT), bytes.extent(MAX_EXTENT), bytes.extent(MAX_EXTENT));
            Obb::new(at, halves, bytes.rotation()).unwrap().into()
        }
        2 => {
            let half = MAX_EXTENT.to_bits() / 2;
            let way =
                bytes.vector().clamp(Vec3::splat(Fx::from_bits(-half)), Vec3::splat(Fx::from_bits(half)));
            let radius = bytes.extent(MAX_EXTENT);
            Capsule::new(at, at + way, radius).or_else(|_| Capsule::new(at, at, radius)).unwrap().into()
        }
        _ => HalfSpace::new(at, bytes.vector().normalize_or(Vec3::Y)).unwrap().into(),
    }
}

/// Extents and the distance between, in units of 2⁻³², at most 2^58.
fn size(a: &Shape, b: &Shape) -> i64 {
    let reach = |shape: &Shape| match shape {
        Shape::Sphere(s) => (s.center(), s.radius()),
        Shape::Box(o) => (o.center(), o.half_extents().x + o.half_extents().y + o.half_extents().z),
        Shape::Capsule(c) => (c.a(), (c.b() - c.a()).length() + c.radius()),
        Shape::HalfSpace(h) => (h.point(), Fx::ZERO),
        _ => unreachable!("no other shapes"),
    };
    let ((from, first), (to, second)) = (reach(a), reach(b));
    let words = |v: Vec3| v.to_array().map(|part| i128::from(part.to_bits()));
    let (from, to) = (words(from), words(to));
    let way: i128 = (0..3).map(|axis| (to[axis] - from[axis]).abs()).sum();
    let sum = way + i128::from(first.to_bits()) + i128::from(second.to_bits());
    sum.min(1 << 62) as i64
}

/// Beyond this, 2^20 m, specks vanish in the scale of a pair and its way.
const FAR: i64 = 1 << 52;

fn is_half_space(shape: &Shape) -> bool {
    matches!(shape, Shape::HalfSpace(_))
}

/// With `ISOSTEP_SHOW` set, every pair is printed: what an artifact holds.
static SHOW: LazyLock<bool> = LazyLock::new(|| std::env::var_os("ISOSTEP_SHOW").is_some());

fn show(shape: &Shape) -> String {
    let bits = |v: Vec3| format!("{:?}", v.to_array().map(Fx::to_bits));
    match shape {
        Shape::Sphere(s) => format!("sphere {} radius {}", bits(s.center()), s.radius().to_bits()),
        Shape::Capsule(c) => {
            format!("capsule {} {} radius {}", bits(c.a()), bits(c.b()), c.radius().to_bits())
        }
        Shape::Box(b) => {
            let rotation = b.rotation().to_array().map(Fx::to_bits);
            format!("box {} halves {} rotation {rotation:?}", bits(b.center()), bits(b.half_extents()))
        }
        Shape::HalfSpace(h) => format!("half-space {} normal {}", bits(h.point()), bits(h.normal())),
        _ => unreachable!("no other shapes"),
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let (local_a, local_b) = (shape(&mut bytes), shape(&mut bytes));
    let pose_a = Pose::new(bytes.rotation(), bytes.vector());
    let offset = bytes.vector();
    let pose_b = Pose::new(bytes.rotation(), pose_a.translation + offset);
    let (a, b) = (local_a.transformed(&pose_a), local_b.transformed(&pose_b));
    let way = bytes.vector();
    if *SHOW {
        eprintln!("{}\n{}\nway {:?}", show(&a), show(&b), way.to_array().map(Fx::to_bits));
    }
    let both_planes = is_half_space(&a) && is_half_space(&b);
    let size = size(&a, &b);
    // What distances may be off by.
    let slack = Fx::from_bits((size >> 37) + 2);

    let relation = overlap::relation(&a, &b);
    assert_eq!(relation, overlap::relation(&b, &a));
    assert_eq!(
        (overlaps(&a, &b), penetrates(&a, &b)),
        (relation != Ordering::Greater, relation == Ordering::Less)
    );

    let out = penetration_of(&a, &b);
    assert_eq!(out, penetration(&local_a, &pose_a, &local_b, &pose_b));
    assert_eq!(out.map(|p| p.depth), penetration_of(&b, &a).map(|p| p.depth));
    assert!(both_planes || out.is_some() == (relation == Ordering::Less));
    if let Some(out) = out {
        assert!(out.depth > Fx::ZERO);
        assert!((out.direction.length() - Fx::ONE).abs() <= Fx::from_bits(1 << 12));
    }

    let apart = distance(&a, &b);
    let points = closest_points(&a, &b);
    assert_eq!(points.map_or(Fx::ZERO, |points| points.distance), apart);
    assert!((apart - distance(&b, &a)).abs() <= slack);
    if let Some(points) = points {
        assert!(points.distance > Fx::ZERO);
        assert!((points.normal.length() - Fx::ONE).abs() <= Fx::from_bits(4));
        let swapped = closest_points(&b, &a).map(ClosestPoints::swapped);
        assert!(swapped.is_some() || apart <= slack);
    }
    match relation {
        Ordering::Greater => {}
        _ => assert!(apart <= slack, "{apart} apart though {relation:?}"),
    }

    let margin = bytes.extent(Fx::ONE);
    let contact = manifold(&local_a, &pose_a, &local_b, &pose_b, margin);
    assert!(contact.points().len() <= 4);
    let coarse = Fx::from_bits((size >> 24) + 4);
    if !contact.is_empty() {
        assert!((contact.normal.length() - Fx::ONE).abs() <= Fx::from_bits(1 << 12));
    }
    for point in contact.points() {
        assert!(point.separation <= margin + coarse, "{point:?}");
    }

    // The sweep is a part of a cast's size.
    let longest = way.to_array().iter().map(|part| part.to_bits().unsigned_abs()).max().unwrap_or(0);
    let sweep = Fx::from_bits((longest >> 35) as i64);
    let is_far = size > FAR || longest > FAR as u64;
    if let Some(hit) = cast_shape(&a, way, &b) {
        assert!(hit.fraction >= Fx::ZERO && hit.fraction <= Fx::ONE);
        assert!(!hit.is_inside() || hit.fraction == Fx::ZERO);
        assert!(is_far || !hit.is_inside() || apart <= slack + sweep);
    } else if let Some(out) = out {
        // Deep in each other, a cast starts inside.
        assert!(is_far || out.depth <= coarse + sweep, "{out:?} and no hit");
    }
    let ray = Ray::new(pose_a.translation, way);
    if let Some(hit) = cast_ray(&b, &ray) {
        assert!(hit.fraction >= Fx::ZERO && hit.fraction <= Fx::ONE);
        assert!(!hit.is_inside() || hit.fraction == Fx::ZERO);
    }

    let boxes = (a.to_aabb(), b.to_aabb());
    let is_deep = out.is_some_and(|out| out.depth > coarse);
    assert!(boxes.0.overlaps(&boxes.1) || !is_deep, "boxes around them are apart");
    let point = bytes.vector();
    let _ = (a.contains(point), a.closest_point(point));
});
