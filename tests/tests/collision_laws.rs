//! The laws of determinism that the answers about shapes obey: the order of the two, where they lie and in which mirror
//! they are seen changes nothing but what it must; nothing panics.
//!
//! Where several answers are right (parallel faces, centres that coincide), a mirror or the other order may choose
//! another one of them; how deep or far they are is the same bits all the same. In pairs of random rotations nothing
//! ties, so there everything is the same.
#![allow(clippy::float_arithmetic, clippy::float_cmp)]

#[path = "collision_differential/number.rs"]
#[allow(dead_code)]
mod number;
#[path = "collision_differential/pairs.rs"]
#[allow(dead_code)]
mod pairs;
#[path = "collision_differential/reference.rs"]
#[allow(dead_code)]
mod reference;

use isostep_collision::manifold::{PosedBoxes, box_manifolds, box_manifolds_at};
use isostep_collision::{
    Aabb, Capsule, CastHit, ClosestPoints, HalfSpace, Manifold, Obb, Penetration, Ray, RayHit, Shape, Sphere,
    cast_ray, cast_shape, closest_points, distance, overlap, penetration_of,
};
use isostep_math::random::Rng;
use isostep_math::wide::Level;
use isostep_math::{Fx, Pose, Quat, Vec3};
use pairs::{Kind, moved, pair};
use std::cmp::Ordering;

const KINDS: [Kind; 4] = [Kind::HalfSpace, Kind::Sphere, Kind::Capsule, Kind::Box];

/// How many pairs of each combination: few where the processor is emulated.
const PAIRS: u32 = match (cfg!(target_arch = "x86_64"), cfg!(debug_assertions)) {
    (false, _) => 100,
    (true, true) => 2_000,
    (true, false) => 10_000,
};

/// Everything that is asked of two shapes, and of one that moves.
#[derive(Clone, Debug, PartialEq)]
struct Answers {
    relation: Ordering,
    penetration: Option<Penetration>,
    distance: Fx,
    points: Option<ClosestPoints>,
    manifold: Manifold,
    cast: Option<CastHit>,
    ray: Option<RayHit>,
}

fn answers(a: &Shape, b: &Shape, way: Vec3) -> Answers {
    Answers {
        relation: overlap::relation(a, b),
        penetration: penetration_of(a, b),
        distance: distance(a, b),
        points: closest_points(a, b),
        manifold: manifold(a, b),
        cast: cast_shape(a, way, b),
        ray: cast_ray(b, &Ray::new(reference::base_of(a), way)),
    }
}

/// The manifold of two boxes; none for others.
fn manifold(a: &Shape, b: &Shape) -> Manifold {
    let (Shape::Box(a), Shape::Box(b)) = (a, b) else { return Manifold::EMPTY };
    let mut out = Vec::new();
    box_manifolds(&[a, b].into_iter().collect(), &[(0, 1)], MARGIN, &mut out);
    out.first().map_or(Manifold::EMPTY, |&(_, manifold)| manifold)
}

const MARGIN: Fx = isostep_math::fx!(0.02);

/// All combinations of kinds, with pairs near the origin, mostly about to touch, and a way for the first to go.
fn for_all_pairs(seed: u64, mut check: impl FnMut(&mut Rng, (Kind, Kind), &Shape, &Shape, Vec3)) {
    for (first, &kind) in KINDS.iter().enumerate() {
        for (second, &other) in KINDS.iter().enumerate().skip(first) {
            let kinds = (kind, other);
            let mut rng = Rng::new(seed, (first * 4 + second) as u64);
            for index in 0..PAIRS {
                let (a, b) = pair(&mut rng, kinds);
                let home = -reference::base_of(&a);
                let (a, b) = (moved(&a, home), moved(&b, home));
                let (a, b) = if index % 2 == 0 { (a, b) } else { (b, a) };
                let octave = rng.below(28);
                let length = Fx::from_bits(rng.range_i64(0, 1_i64 << (20 + octave)));
                let way = if rng.bool() { reference::base_of(&b) } else { rng.unit_vec3() * length };
                check(&mut rng, kinds, &a, &b, way);
            }
        }
    }
}

#[test]
fn the_order_of_two_shapes_changes_only_signs() {
    let (mut ties, mut count) = (0, 0);
    for_all_pairs(1, |_, _, a, b, _| {
        let context = || format!("{a:?}\n{b:?}");
        assert_eq!(overlap::relation(a, b), overlap::relation(b, a), "{}", context());
        assert_eq!(distance(a, b), distance(b, a), "{}", context());
        let (there, back) = (penetration_of(a, b), penetration_of(b, a));
        assert_eq!(there.map(|p| p.depth), back.map(|p| p.depth), "{}", context());
        count += u32::from(there.is_some());
        ties += u32::from(there.map(|p| p.direction) != back.map(|p| -p.direction));
    });
    assert!(ties * 10 < count, "{ties} ties in {count} penetrations");
}

/// Two shapes that penetrate, turned at random: nothing ties.
fn generic_pair(rng: &mut Rng, kinds: (Kind, Kind)) -> (Shape, Shape) {
    let size = Fx::from_bits(1 << (24 + rng.below(20)));
    let shape = |rng: &mut Rng, kind: Kind| -> Shape {
        let mut extent = || size * rng.fx_range(Fx::from_ratio(1, 8), Fx::ONE);
        let (x, y, z) = (extent(), extent(), extent());
        let center = rng.unit_vec3() * (size * rng.fx_unit() * Fx::from_ratio(3, 2));
        match kind {
            Kind::Sphere => Sphere::new(center, x).unwrap().into(),
            Kind::Box => Obb::new(center, Vec3::new(x, y, z), rng.unit_quat()).unwrap().into(),
            Kind::Capsule => Capsule::new(center, center + rng.unit_vec3() * x, y).unwrap().into(),
            Kind::HalfSpace => HalfSpace::new(center, rng.unit_vec3()).unwrap().into(),
        }
    };
    (shape(rng, kinds.0), shape(rng, kinds.1))
}

fn for_all_generic_pairs(seed: u64, mut check: impl FnMut(&Shape, &Shape, Vec3)) {
    for first in 0..4 {
        for second in 0..4 {
            let mut rng = Rng::new(seed, first * 4 + second);
            for _ in 0..PAIRS {
                let (a, b) = generic_pair(&mut rng, (KINDS[first as usize], KINDS[second as usize]));
                let way =
                    (reference::base_of(&b) - reference::base_of(&a)) * Fx::from_int(2) + rng.unit_vec3();
                check(&a, &b, way);
            }
        }
    }
}

#[test]
fn where_nothing_ties_the_order_turns_directions_to_the_bit() {
    for_all_generic_pairs(2, |a, b, _| {
        let back = penetration_of(b, a).map(|p| (-p.direction, p.depth));
        assert_eq!(penetration_of(a, b).map(|p| (p.direction, p.depth)), back, "{a:?}\n{b:?}");
        let back = closest_points(b, a).map(ClosestPoints::swapped);
        assert_eq!(closest_points(a, b), back, "{a:?}\n{b:?}");
    });
}

#[test]
fn law_5_a_pair_moved_by_any_offset_has_the_same_answers() {
    for_all_pairs(3, |rng, _, a, b, way| {
        // Anywhere, so that both shapes stay within the range of coordinates.
        let end = i64::MAX - (1 << 56);
        let offset = Vec3::from_array([(); 3].map(|()| Fx::from_bits(rng.range_i64(-end, end))));
        let here = answers(a, b, way);
        let there = answers(&moved(a, offset), &moved(b, offset), way);
        let expected = Answers {
            points: here.points.map(|p| ClosestPoints { on_a: p.on_a + offset, on_b: p.on_b + offset, ..p }),
            cast: here.cast.map(|hit| CastHit { point: hit.point + offset, ..hit }),
            ray: here.ray.map(|hit| RayHit { point: hit.point + offset, ..hit }),
            ..here
        };
        assert_eq!(there, expected, "{a:?}\n{b:?}\nmoved by {offset:?}");
    });
}

fn flip(v: Vec3) -> Vec3 {
    v.with_x(-v.x)
}

/// In a mirror across x = 0.
fn mirrored(shape: &Shape) -> Shape {
    match shape {
        Shape::Sphere(s) => Sphere::new(flip(s.center()), s.radius()).unwrap().into(),
        Shape::Box(b) => {
            let q = b.rotation();
            let rotation = Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
            Obb::new(flip(b.center()), b.half_extents(), rotation).unwrap().into()
        }
        Shape::Capsule(c) => Capsule::new(flip(c.a()), flip(c.b()), c.radius()).unwrap().into(),
        Shape::HalfSpace(h) => HalfSpace::new(flip(h.point()), flip(h.normal())).unwrap().into(),
        _ => unreachable!("no other shapes"),
    }
}

/// Normal and points of a manifold, in an order that does not depend on how they were found.
fn sorted(manifold: &Manifold, map: impl Fn(Vec3) -> Vec3) -> (Vec3, Vec<[[Fx; 3]; 3]>) {
    let mut points: Vec<_> = manifold
        .points()
        .iter()
        .map(|p| {
            let separation = [p.separation, Fx::ZERO, Fx::ZERO];
            [map(p.anchor_a).to_array(), map(p.anchor_b).to_array(), separation]
        })
        .collect();
    points.sort_unstable();
    (map(manifold.normal), points)
}

#[test]
fn law_6_a_mirror_shows_the_mirrored_answers() {
    for_all_generic_pairs(4, |a, b, way| {
        let here = answers(a, b, way);
        let there = answers(&mirrored(a), &mirrored(b), flip(way));
        let context = || format!("{a:?}\n{b:?}\nway {way:?}");
        assert_eq!(there.manifold.normal, flip(here.manifold.normal), "{}", context());
        let expected = Answers {
            penetration: here.penetration.map(|p| Penetration { direction: flip(p.direction), ..p }),
            points: here.points.map(|p| ClosestPoints {
                on_a: flip(p.on_a),
                on_b: flip(p.on_b),
                normal: flip(p.normal),
                ..p
            }),
            cast: here.cast.map(|hit| CastHit { point: flip(hit.point), normal: flip(hit.normal), ..hit }),
            ray: here.ray.map(|hit| RayHit { point: flip(hit.point), normal: flip(hit.normal), ..hit }),
            manifold: there.manifold,
            ..here
        };
        assert_eq!(there, expected, "{}", context());
    });
}

#[test]
fn law_6_a_mirror_shows_the_mirrored_points_of_manifolds() {
    for_all_generic_pairs(4, |a, b, _| {
        let (here, there) = (manifold(a, b), manifold(&mirrored(a), &mirrored(b)));
        assert_eq!(sorted(&there, |v| v), sorted(&here, flip), "{a:?}\n{b:?}");
    });
}

#[test]
fn law_6_depths_and_distances_are_the_same_in_a_mirror_even_where_ways_tie() {
    for_all_pairs(5, |_, _, a, b, way| {
        let (a2, b2) = (mirrored(a), mirrored(b));
        let context = || format!("{a:?}\n{b:?}\nway {way:?}");
        assert_eq!(overlap::relation(a, b), overlap::relation(&a2, &b2), "{}", context());
        assert_eq!(distance(a, b), distance(&a2, &b2), "{}", context());
        let depth = |a: &Shape, b: &Shape| penetration_of(a, b).map(|p| p.depth);
        assert_eq!(depth(a, b), depth(&a2, &b2), "{}", context());
        let time = |a: &Shape, way: Vec3, b: &Shape| cast_shape(a, way, b).map(|hit| hit.fraction);
        assert_eq!(time(a, way, b), time(&a2, flip(way), &b2), "{}", context());
    });
}

#[test]
fn law_2_manifolds_are_the_same_at_every_lane_level_and_batch() {
    let mut rng = Rng::new(6, 0);
    let boxes: Vec<Obb> = (0..2 * PAIRS)
        .step_by(2)
        .flat_map(|_| {
            let (a, b) = pair(&mut rng, (Kind::Box, Kind::Box));
            [a, b].map(|shape| {
                let Shape::Box(obb) = shape else { unreachable!("asked for") };
                obb
            })
        })
        .collect();
    let posed: PosedBoxes = boxes.iter().collect();
    let pairs: Vec<(u32, u32)> = (0..PAIRS).map(|index| (2 * index, 2 * index + 1)).collect();
    let single: Vec<(u32, Manifold)> = (0..)
        .zip(boxes.chunks_exact(2).map(|both| manifold(&both[0].into(), &both[1].into())))
        .filter(|(_, manifold)| !manifold.is_empty())
        .collect();
    assert!(single.len() * 10 > pairs.len());
    let mut out = Vec::new();
    for level in Level::available() {
        box_manifolds_at(level, &posed, &pairs, MARGIN, &mut out);
        assert!(out == single, "at level {level}");
    }
}

/// Any bits that a number may have; one of them in four at an end of the range or next to zero.
fn any_bits(rng: &mut Rng) -> Fx {
    let bits = rng.next_u64() as i64;
    Fx::from_bits(match rng.below(8) {
        0 => i64::MAX - (bits & 3),
        1 => i64::MIN + (bits & 3),
        2 => bits % 4,
        _ => bits >> rng.below(63),
    })
}

fn any_vector(rng: &mut Rng) -> Vec3 {
    Vec3::new(any_bits(rng), any_bits(rng), any_bits(rng))
}

/// A valid shape of any bits.
fn any_shape(rng: &mut Rng) -> Shape {
    let extent = |rng: &mut Rng| {
        let most = isostep_collision::shape::MAX_EXTENT.to_bits();
        Fx::from_bits((any_bits(rng).to_bits() & i64::MAX).clamp(1, most))
    };
    let at = any_vector(rng);
    match rng.below(4) {
        0 => Sphere::new(at, extent(rng)).unwrap().into(),
        1 => {
            let halves = Vec3::new(extent(rng), extent(rng), extent(rng));
            let q = Quat::from_xyzw(any_bits(rng), any_bits(rng), any_bits(rng), any_bits(rng));
            Obb::new(at, halves, q.normalize()).unwrap().into()
        }
        2 => {
            let way = any_vector(rng).normalize_or_zero() * extent(rng);
            let (a, b) = (at, at + way);
            Capsule::new(a, b, extent(rng)).unwrap().into()
        }
        _ => HalfSpace::new(at, any_vector(rng).normalize_or(Vec3::Y)).unwrap().into(),
    }
}

#[test]
fn no_valid_shape_makes_anything_panic() {
    let mut rng = Rng::new(7, 0);
    for _ in 0..20 * PAIRS {
        let (a, b) = (any_shape(&mut rng), any_shape(&mut rng));
        // As far as they are, or nearby.
        let b = if rng.bool() { moved(&b, reference::base_of(&a) - reference::base_of(&b)) } else { b };
        let way = any_vector(&mut rng);
        let answers = answers(&a, &b, way);
        // No translation parts half-spaces that do not face each other.
        if !matches!((&a, &b), (Shape::HalfSpace(_), Shape::HalfSpace(_))) {
            assert_eq!(answers.penetration.is_some(), answers.relation == Ordering::Less, "{a:?}\n{b:?}");
        }
        assert!(answers.relation != Ordering::Less || answers.distance <= Fx::ONE, "{a:?}\n{b:?}");
        let pose = Pose::new(
            Quat::from_xyzw(any_bits(&mut rng), any_bits(&mut rng), any_bits(&mut rng), any_bits(&mut rng)),
            any_vector(&mut rng),
        );
        let posed = a.transformed(&pose);
        let _ = (posed.to_aabb().overlaps(&Aabb::ALL), a.contains(way), b.closest_point(way));
    }
}
