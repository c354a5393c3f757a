//! The answers of the collision crate against a reference of its own: textbook definitions in double-doubles, which prove
//! their result for every pair (`reference`), and big integers where an answer is to be exact (`exact`).
//!
//! Pairs are random, most of them within a few units of 2⁻³² of touching, from 1 mm to 10 km, up to ±2³⁰ m from the
//! origin, with many parallel edges, quarter turns, and rotations next to these (`pairs`).
//!
//! 8,000 pairs of every combination, fewer under emulation; `ISOSTEP_PAIRS` says how many. With `--nocapture`, the
//! greatest errors are printed.
#![allow(clippy::float_arithmetic, clippy::float_cmp)]

#[path = "collision_differential/exact.rs"]
mod exact;
#[path = "collision_differential/figures.rs"]
mod figures;
#[path = "collision_differential/number.rs"]
mod number;
#[path = "collision_differential/pairs.rs"]
mod pairs;
#[path = "collision_differential/questions.rs"]
mod questions;
#[path = "collision_differential/reference.rs"]
mod reference;

use figures::Figures;
use isostep_collision::manifold::{self, Manifold, PosedBoxes, box_manifolds};
use isostep_collision::{Aabb, Obb, Shape, overlap};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3};
use number::{DoubleDouble, Number};
use pairs::{Kind, pair};
use reference::{PlaneReference, Reference, raw};
use std::cmp::Ordering;

/// How many pairs of a combination: few where the processor is emulated.
fn count() -> u32 {
    let chosen = std::env::var("ISOSTEP_PAIRS").ok().and_then(|count| count.parse().ok());
    let usual = if cfg!(target_arch = "x86_64") { 8_000 } else { 400 };
    chosen.unwrap_or(usual)
}

/// All questions about random pairs of cores with radii.
fn compare(kinds: (Kind, Kind)) {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0x0b5e_55ed, kinds.0 as u64 * 4 + kinds.1 as u64);
    for index in 0..count() {
        let (a, b) = pair(&mut rng, kinds);
        // Either order, as the order is a case of its own.
        let (a, b) = if index % 2 == 0 { (a, b) } else { (b, a) };
        let reference = Reference::new(&a, &b);
        let gap = reference.gap();
        let context = || format!("pair {index}\n{}\n{}\ngap {}", name(&a), name(&b), gap.value.to_f64());
        assert!(gap.error <= reference.size * (-50_f64).exp2(), "reference: {} at {}", gap.error, context());
        figures.count(gap.value.to_f64());
        figures.reference = figures.reference.max(gap.error / reference.size);

        let relation = overlap::relation(&a, &b);
        match exact::relation(&a, &b) {
            Some(exact) => {
                assert_eq!(relation, exact, "{}", context());
                figures.exact += 1;
            }
            None => figures.relation(relation, gap.value, reference.size, &context),
        }
        questions::penetration(&a, &b, &reference, gap, &mut figures, &context);
        questions::distance(&a, &b, &reference, gap, &mut figures, &context);
    }
    figures.conclude(&format!("{:?} {:?}", kinds.0, kinds.1));
}

/// A pair that failed, in raw bits.
fn name(shape: &Shape) -> String {
    let bits = |v: Vec3| format!("{:?}", v.to_array().map(Fx::to_bits));
    match shape {
        Shape::Sphere(s) => format!("sphere {} radius {}", bits(s.center()), s.radius().to_bits()),
        Shape::Capsule(c) => {
            format!("capsule {} {} radius {}", bits(c.a()), bits(c.b()), c.radius().to_bits())
        }
        Shape::Box(b) => format!(
            "box {} halves {} rotation {:?}",
            bits(b.center()),
            bits(b.half_extents()),
            b.rotation().to_array().map(Fx::to_bits)
        ),
        Shape::HalfSpace(h) => format!("half-space {} normal {}", bits(h.point()), bits(h.normal())),
        _ => unreachable!("no other shapes"),
    }
}

#[test]
fn spheres_and_spheres() {
    compare((Kind::Sphere, Kind::Sphere));
}

#[test]
fn spheres_and_capsules() {
    compare((Kind::Sphere, Kind::Capsule));
}

#[test]
fn spheres_and_boxes() {
    compare((Kind::Sphere, Kind::Box));
}

#[test]
fn capsules_and_capsules() {
    compare((Kind::Capsule, Kind::Capsule));
}

#[test]
fn capsules_and_boxes() {
    compare((Kind::Capsule, Kind::Box));
}

#[test]
fn boxes_and_boxes() {
    compare((Kind::Box, Kind::Box));
}

/// All questions about half-spaces and random shapes.
fn compare_with_planes(kind: Kind) {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0x91a5, kind as u64);
    for index in 0..count() {
        let (plane, shape) = pair(&mut rng, (Kind::HalfSpace, kind));
        let Shape::HalfSpace(half_space) = plane else { unreachable!("asked for") };
        let reference = PlaneReference::new(&half_space, &shape);
        let gap = reference.gap();
        let context = || format!("pair {index}\n{}\n{}\ngap {}", name(&plane), name(&shape), gap.to_f64());
        figures.count(gap.to_f64());
        for (a, b) in [(&plane, &shape), (&shape, &plane)] {
            let relation = overlap::relation(a, b);
            match exact::relation(a, b) {
                Some(exact) => {
                    assert_eq!(relation, exact, "{}", context());
                    figures.exact += 1;
                }
                None => figures.relation(relation, gap, reference.size, &context),
            }
        }
        questions::penetration_of_plane(&half_space, &shape, &reference, gap, &mut figures, &context);
        questions::distance_to_plane(&half_space, &shape, &reference, gap, &mut figures, &context);
    }
    figures.conclude(&format!("HalfSpace {kind:?}"));
}

#[test]
fn half_spaces_and_spheres() {
    compare_with_planes(Kind::Sphere);
}

#[test]
fn half_spaces_and_capsules() {
    compare_with_planes(Kind::Capsule);
}

#[test]
fn half_spaces_and_boxes() {
    compare_with_planes(Kind::Box);
}

#[test]
fn half_spaces_and_half_spaces() {
    let mut rng = Rng::new(0x91a5, 9);
    let mut seen = [0_u32; 3];
    for index in 0..count() {
        let (a, b) = pair(&mut rng, (Kind::HalfSpace, Kind::HalfSpace));
        let (Shape::HalfSpace(first), Shape::HalfSpace(second)) = (&a, &b) else { unreachable!("asked for") };
        let (n, m) = (raw(first.normal()), raw(second.normal()));
        let way: i128 =
            (0..3).map(|axis| (raw(second.point())[axis] - raw(first.point())[axis]) * n[axis]).sum();
        // Only planes that face each other exactly can be apart.
        let expected = if (0..3).all(|axis| n[axis] == -m[axis]) { way.cmp(&0) } else { Ordering::Less };
        let context = format!("pair {index}\n{}\n{}", name(&a), name(&b));
        assert_eq!(overlap::relation(&a, &b), expected, "{context}");
        assert_eq!(overlap::relation(&b, &a), expected, "{context}");
        seen[(expected as i8 + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn axis_aligned_boxes() {
    let mut rng = Rng::new(0xaabb, 0);
    let mut seen = [0_u32; 3];
    for _ in 0..count() {
        let (a, b) = pair(&mut rng, (Kind::Box, Kind::Box));
        let (Shape::Box(a), Shape::Box(b)) = (a, b) else { unreachable!("asked for") };
        // As they lie, without their rotations, and often moved to touch or miss by a unit along an axis.
        let mut way = b.center() - a.center();
        if rng.bool() {
            let axis = rng.below(3) as usize;
            let sum = (a.half_extents() + b.half_extents()).to_array()[axis];
            let mut parts = way.to_array();
            let clearance = Fx::from_bits(rng.range_i64(-1, 1));
            parts[axis] = if rng.bool() { sum + clearance } else { -sum - clearance };
            way = Vec3::from_array(parts);
        }
        let upright = |center: Vec3, halves: Vec3| Obb::new(center, halves, Quat::IDENTITY).unwrap();
        let (a, b) = (upright(a.center(), a.half_extents()), upright(a.center() + way, b.half_extents()));
        let around = |obb: &Obb| Aabb::from_center_half_extents(obb.center(), obb.half_extents()).unwrap();
        let (first, second) = (around(&a), around(&b));
        assert_eq!((a.to_aabb(), b.to_aabb()), (first, second));
        // Closed intervals meet on all axes, or their interiors do.
        let (mut overlaps, mut penetrates) = (true, true);
        for axis in 0..3 {
            let ends = |aabb: &Aabb| (raw(aabb.min())[axis], raw(aabb.max())[axis]);
            let ((low_a, high_a), (low_b, high_b)) = (ends(&first), ends(&second));
            overlaps &= low_a.max(low_b) <= high_a.min(high_b);
            penetrates &= low_a.max(low_b) < high_a.min(high_b);
        }
        let expected = match (overlaps, penetrates) {
            (false, _) => Ordering::Greater,
            (true, false) => Ordering::Equal,
            (true, true) => Ordering::Less,
        };
        assert_eq!((first.overlaps(&second), first.penetrates(&second)), (overlaps, penetrates));
        assert_eq!(!first.intersection(&second).is_empty(), overlaps);
        assert_eq!(overlap::relation(&a.into(), &b.into()), expected, "{a:?} {b:?}");
        seen[(expected as i8 + 1) as usize] += 1;
    }
    println!("Aabb Aabb: {seen:?} penetrate, touch, are apart");
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn manifolds_of_boxes() {
    let mut figures = Figures::default();
    let mut rng = Rng::new(0xb0b0, 0);
    for index in 0..count() {
        let (a, b) = pair(&mut rng, (Kind::Box, Kind::Box));
        let (Shape::Box(first), Shape::Box(second)) = (&a, &b) else { unreachable!("asked for") };
        let reference = Reference::new(&a, &b);
        let gap = reference.gap();
        figures.count(gap.value.to_f64());
        let margin = Fx::from_bits((reference.size * (-f64::from(4 + rng.below(12))).exp2()) as i64);
        let mut found = Vec::new();
        box_manifolds(&[first, second].into_iter().collect::<PosedBoxes>(), &[(0, 1)], margin, &mut found);
        let manifold = found.first().map_or(Manifold::EMPTY, |&(_, manifold)| manifold);
        let context = || {
            let value = gap.value.to_f64();
            format!("pair {index}, margin {margin:?}\n{}\n{}\ngap {value}\n{manifold:?}", name(&a), name(&b))
        };
        questions::manifold((first, second), margin, &manifold, &reference, &mut figures, &context);
    }
    figures.conclude("manifolds");
}

/// A shape in the coordinates of its owner, and where that is: turned, every other time.
struct Posed {
    local: Shape,
    pose: Pose,
    world: Shape,
}

impl Posed {
    /// About where the shape is: what turns is rounded.
    fn new(rng: &mut Rng, shape: &Shape) -> Self {
        let base = reference::base_of(shape);
        let turn = if rng.bool() { Quat::IDENTITY } else { rng.unit_quat() };
        let (local, pose) = match shape {
            Shape::Box(b) => {
                let local = Obb::new(Vec3::ZERO, b.half_extents(), turn).unwrap();
                (local.into(), Pose::new((b.rotation() * turn.conjugate()).normalize(), base))
            }
            _ => {
                let back = Pose::from_rotation(turn.conjugate());
                (pairs::moved(shape, -base).transformed(&back), Pose::new(turn, base))
            }
        };
        Self { local, pose, world: local.transformed(&pose) }
    }
}

#[test]
fn manifolds_of_rounded_shapes() {
    use Kind::{Box, Capsule, Sphere};
    let all = [(Sphere, Sphere), (Sphere, Capsule), (Sphere, Box), (Capsule, Capsule), (Capsule, Box)];
    for (stream, kinds) in (0..).zip(all) {
        let mut figures = Figures::default();
        let mut rng = Rng::new(0x40d, stream);
        for index in 0..count() {
            let (a, b) = pair(&mut rng, kinds);
            let (a, b) = (Posed::new(&mut rng, &a), Posed::new(&mut rng, &b));
            let (a, b) = if index % 2 == 0 { (a, b) } else { (b, a) };
            let reference = Reference::new(&a.world, &b.world);
            let gap = reference.gap().value.to_f64();
            figures.count(gap);
            let margin = Fx::from_bits((reference.size * (-f64::from(4 + rng.below(12))).exp2()) as i64);
            let found = manifold::manifold(&a.local, &a.pose, &b.local, &b.pose, margin);
            let context = || {
                let names = (name(&a.world), name(&b.world));
                format!("pair {index}, margin {margin:?}\n{}\n{}\ngap {gap}\n{found:?}", names.0, names.1)
            };
            let poses = (&a.pose, &b.pose);
            questions::rounded_manifold(poses, margin, &found, &reference, gap, &mut figures, &context);
        }
        figures.conclude(&format!("manifolds of {:?} {:?}", kinds.0, kinds.1));
    }
}

#[test]
fn manifolds_of_half_spaces() {
    for kind in [Kind::Sphere, Kind::Capsule, Kind::Box] {
        let mut figures = Figures::default();
        let mut rng = Rng::new(0x40e, kind as u64);
        for index in 0..count() {
            let (plane, shape) = pair(&mut rng, (Kind::HalfSpace, kind));
            let (plane, shape) = (Posed::new(&mut rng, &plane), Posed::new(&mut rng, &shape));
            let Shape::HalfSpace(half_space) = plane.world else { unreachable!("asked for") };
            let reference = PlaneReference::new(&half_space, &shape.world);
            let gap = reference.gap().to_f64();
            figures.count(gap);
            let margin = Fx::from_bits((reference.size * (-f64::from(4 + rng.below(12))).exp2()) as i64);
            let found = manifold::manifold(&plane.local, &plane.pose, &shape.local, &shape.pose, margin);
            let context = || {
                let names = (name(&plane.world), name(&shape.world));
                format!("pair {index}, margin {margin:?}\n{}\n{}\ngap {gap}\n{found:?}", names.0, names.1)
            };
            questions::plane_manifold(
                &half_space,
                &shape.pose,
                margin,
                &found,
                &reference,
                gap,
                &mut figures,
                &context,
            );
        }
        figures.conclude(&format!("manifolds of HalfSpace {kind:?}"));
    }
}

#[test]
fn the_reference_agrees_with_big_integers() {
    let mut rng = Rng::new(0xb16, 0);
    for index in 0..count() / 8 {
        let (a, b) = pair(&mut rng, (Kind::Box, Kind::Box));
        let (Shape::Box(first), Shape::Box(second)) = (&a, &b) else { unreachable!("asked for") };
        let reference = Reference::new(&a, &b);
        let (sign, gap) = exact::facet_gap(first, second);
        let facet = reference.exact.facet_gap().expect("boxes have faces");
        let error = (facet - DoubleDouble::real(gap)).to_f64().abs();
        let context = format!("pair {index}\n{}\n{}\n{gap}, not {}", name(&a), name(&b), facet.to_f64());
        assert!(error <= gap.abs() * (-48_f64).exp2() + reference.size * (-60_f64).exp2(), "{context}");
        let (zero, limit) = (DoubleDouble::ZERO, DoubleDouble::real(reference.size * (-60_f64).exp2()));
        if facet.abs() > limit {
            assert_eq!(facet.partial_cmp(&zero), Some(sign), "{context}");
        }
    }
}
