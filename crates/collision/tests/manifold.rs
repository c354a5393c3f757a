//! Manifolds of boxes against the exact penetration, and the laws they obey.

use isostep_collision::manifold::{Manifold, PosedBoxes, box_manifolds, box_manifolds_at};
use isostep_collision::{Obb, Shape, overlaps, penetration_of};
use isostep_math::random::Rng;
use isostep_math::wide::Level;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

fn manifold(a: &Obb, b: &Obb, margin: Fx) -> Manifold {
    let mut out = Vec::new();
    box_manifolds(&[a, b].into_iter().collect(), &[(0, 1)], margin, &mut out);
    out.first().map_or(Manifold::EMPTY, |&(_, manifold)| manifold)
}

fn pose(obb: &Obb) -> Pose {
    Pose::new(obb.rotation(), obb.center())
}

/// Pairs of random boxes near each other; one in four not turned, so that parallel edges occur.
fn random_pair(rng: &mut Rng, size: Fx) -> (Obb, Obb) {
    let random_box = |rng: &mut Rng| {
        let mut side = || size * rng.fx_range(fx!(0.05), fx!(1));
        let half = vec3(side(), side(), side());
        let rotation = if rng.below(4) == 0 { Quat::IDENTITY } else { rng.unit_quat() };
        Obb::new(rng.unit_vec3() * (size * rng.fx_unit()), half, rotation).unwrap()
    };
    (random_box(rng), random_box(rng))
}

/// The largest of all half extents and of the distance of the centres.
fn pair_size(a: &Obb, b: &Obb) -> Fx {
    a.half_extents().max(b.half_extents()).max_element().max(a.center().distance(b.center()))
}

#[test]
fn points_lie_on_both_boxes_and_their_separation_along_the_normal() {
    let mut rng = Rng::new(11, 0);
    let mut seen = [0; 5];
    for round in 0..20_000 {
        let size = [fx!(0.01), fx!(1), fx!(300)][round % 3];
        let (a, b) = random_pair(&mut rng, size);
        let contact = manifold(&a, &b, size * fx!(0.05));
        seen[contact.points().len()] += 1;
        if contact.is_empty() {
            continue;
        }
        assert!((contact.normal.length() - Fx::ONE).abs() < fx!(0.00000001), "{}", contact.normal.length());
        let slack = pair_size(&a, &b) * fx!(0.00000004) + Fx::from_bits(8);
        for point in contact.points() {
            let on_a = pose(&a).transform_point(point.anchor_a);
            let on_b = pose(&b).transform_point(point.anchor_b);
            let gap = (on_b - on_a).dot(contact.normal);
            assert!((gap - point.separation).abs() <= slack, "{a:?} {b:?} {point:?}: {gap}");
            for (obb, anchor) in [(&a, point.anchor_a), (&b, point.anchor_b)] {
                let beyond = (anchor.abs() - obb.half_extents()).max_element();
                assert!(beyond <= slack, "anchor {anchor} lies {beyond} beyond {obb:?}");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "cases seen by number of points: {seen:?}");
}

#[test]
fn the_deepest_point_is_as_deep_as_the_minimum_translation() {
    let mut rng = Rng::new(12, 0);
    let (mut hit, mut edge) = (0, 0);
    for _ in 0..20_000 {
        let (a, b) = random_pair(&mut rng, fx!(1));
        let (shape_a, shape_b) = (Shape::from(a), Shape::from(b));
        let contact = manifold(&a, &b, Fx::ZERO);
        let slack = pair_size(&a, &b) * fx!(0.00000006);
        let Some(exact) = penetration_of(&shape_a, &shape_b) else {
            let deep = contact.points().iter().all(|point| point.separation >= -slack);
            assert!(deep, "apart by the exact test: {a:?} {b:?} {contact:?}");
            continue;
        };
        hit += 1;
        assert!(!contact.is_empty() || exact.depth < slack, "{a:?} {b:?} {exact:?}");
        let deepest = contact.points().iter().map(|point| -point.separation).max().unwrap();
        // The bias prefers faces and keeps to a's.
        let half = a.half_extents().min(b.half_extents()).min_element();
        let bias = half / fx!(64);
        // Of more than four points one that lies farther out may stand for the deepest.
        let reduction = pair_size(&a, &b) / fx!(1024);
        assert!(deepest >= exact.depth - slack - reduction, "{deepest} is less than {exact:?}");
        assert!(deepest <= exact.depth + bias + slack, "{deepest} is more than {exact:?} of {a:?} {b:?}");
        edge += i32::from(contact.points()[0].feature.0 >> 16 != 0);
    }
    assert!(hit > 5_000 && edge > 500, "{hit} hit, {edge} by edges");
}

#[test]
fn batches_and_lane_levels_give_the_bits_of_one_at_a_time() {
    let mut rng = Rng::new(13, 0);
    let boxes: Vec<Obb> = (0..300)
        .flat_map(|_| {
            let (a, b) = random_pair(&mut rng, fx!(2));
            [a, b]
        })
        .collect();
    let posed: PosedBoxes = boxes.iter().collect();
    let pairs: Vec<(u32, u32)> =
        (0..1000).map(|_| (rng.below(600), rng.below(600))).filter(|(a, b)| a != b).collect();
    let single: Vec<(u32, Manifold)> = (0..)
        .zip(pairs.iter().map(|&(a, b)| manifold(&boxes[a as usize], &boxes[b as usize], fx!(0.02))))
        .filter(|(_, manifold)| !manifold.is_empty())
        .collect();
    assert!(single.len() > 30 && single.len() < pairs.len());
    let mut out = Vec::new();
    for level in Level::available() {
        box_manifolds_at(level, &posed, &pairs, fx!(0.02), &mut out);
        assert!(out == single, "at level {level}");
    }
}

#[test]
fn a_crate_on_a_crate_has_its_four_corners() {
    let lower = Obb::from_half_extents(vec3(fx!(2), fx!(0.5), fx!(2))).unwrap();
    let upper =
        Obb::new(vec3(fx!(0.25), fx!(0.99), fx!(0.5)), Vec3::splat(fx!(0.5)), Quat::IDENTITY).unwrap();
    let contact = manifold(&lower, &upper, fx!(0.02));
    assert_eq!(contact.normal, Vec3::Y);
    let mut corners: Vec<[Fx; 3]> = contact.points().iter().map(|point| point.anchor_b.to_array()).collect();
    corners.sort();
    let h = fx!(0.5);
    assert_eq!(corners, [[-h, -h, -h], [-h, -h, h], [h, -h, -h], [h, -h, h]]);
    for point in contact.points() {
        assert!((point.separation + fx!(0.01)).abs() <= fx!(0.00000001), "{}", point.separation);
        assert!((point.anchor_a.y - h).abs() <= fx!(0.00000001));
    }
}

#[test]
fn a_turned_crate_keeps_the_area_of_its_octagon_with_four_points() {
    let lower = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    let upper = Obb::new(
        vec3(fx!(0), fx!(0.999), fx!(0)),
        Vec3::splat(fx!(0.5)),
        Quat::from_rotation_y(Fx::FRAC_PI_4),
    )
    .unwrap();
    let contact = manifold(&lower, &upper, fx!(0.02));
    let points: Vec<_> = contact.points().iter().map(|point| point.anchor_a).collect();
    assert_eq!(points.len(), 4);
    // The octagon has circumradius 0.541 and area 0.828; the best four of its corners have 0.586.
    let area: Fx = (points[1] - points[0]).cross(points[2] - points[0]).length() / fx!(2)
        + (points[1] - points[0]).cross(points[3] - points[0]).length() / fx!(2);
    assert!(area > fx!(0.5), "area {area} of {points:?}");
}

#[test]
fn features_survive_small_motions() {
    let mut rng = Rng::new(14, 0);
    let (mut same, mut all) = (0, 0);
    for _ in 0..2_000 {
        let (a, b) = random_pair(&mut rng, fx!(1));
        let before = manifold(&a, &b, fx!(0.02));
        let nudged =
            Obb::new(b.center() + rng.unit_vec3() * fx!(0.0001), b.half_extents(), b.rotation()).unwrap();
        let after = manifold(&a, &nudged, fx!(0.02));
        all += before.points().len();
        same += before
            .points()
            .iter()
            .filter(|point| after.points().iter().any(|other| other.feature == point.feature))
            .count();
    }
    assert!(same * 100 > all * 97, "{same} of {all} features survive");
}

#[test]
fn moving_both_boxes_by_any_offset_changes_no_bit() {
    let mut rng = Rng::new(15, 0);
    for _ in 0..2_000 {
        let (a, b) = random_pair(&mut rng, fx!(1));
        let offset = Vec3::from_array([(); 3].map(|()| Fx::from_bits(rng.range_i64(-1 << 61, 1 << 61))));
        let moved = |obb: &Obb| Obb::new(obb.center() + offset, obb.half_extents(), obb.rotation()).unwrap();
        assert_eq!(manifold(&a, &b, fx!(0.02)), manifold(&moved(&a), &moved(&b), fx!(0.02)));
    }
}

#[test]
fn extreme_pairs_have_the_right_contact() {
    // 1 mm on 10 km.
    let ground =
        Obb::new(vec3(fx!(0), fx!(-100), fx!(0)), vec3(fx!(10000), fx!(100), fx!(10000)), Quat::IDENTITY)
            .unwrap();
    let grain =
        Obb::new(vec3(fx!(3), fx!(0.0005), fx!(5)), Vec3::splat(fx!(0.0005)), Quat::IDENTITY).unwrap();
    let contact = manifold(&ground, &grain, fx!(0.001));
    assert_eq!((contact.normal, contact.points().len()), (Vec3::Y, 4));
    assert!(contact.points().iter().all(|point| point.separation.abs() < fx!(0.00015)));
    // A needle of 1000:1 across a plate of 1000:1, 1 mm deep.
    let plate = Obb::from_half_extents(vec3(fx!(1), fx!(0.001), fx!(1))).unwrap();
    let needle =
        Obb::new(vec3(fx!(0), fx!(0.001), fx!(0)), vec3(fx!(1), fx!(0.001), fx!(0.001)), Quat::IDENTITY)
            .unwrap();
    let contact = manifold(&plate, &needle, fx!(0.001));
    assert_eq!(contact.normal, Vec3::Y);
    assert!(contact.points().iter().all(|point| (point.separation + fx!(0.001)).abs() < fx!(0.00000001)));
    // One inside another, centres at the same point.
    let inner = Obb::from_half_extents(Vec3::splat(fx!(0.25))).unwrap();
    let outer = Obb::from_half_extents(vec3(fx!(1), fx!(2), fx!(3))).unwrap();
    let contact = manifold(&outer, &inner, Fx::ZERO);
    assert_eq!(contact.normal, Vec3::X);
    assert!(contact.points().iter().all(|point| (point.separation + fx!(1.25)).abs() < fx!(0.00000002)));
    // At the ends of the world.
    let far = vec3(Fx::MAX, Fx::MIN, Fx::ZERO);
    let (a, b) = (
        Obb::new(far, Vec3::ONE, Quat::IDENTITY).unwrap(),
        Obb::new(-far, Vec3::ONE, Quat::IDENTITY).unwrap(),
    );
    assert!(manifold(&a, &b, fx!(1)).is_empty() && !overlaps(&a.into(), &b.into()));
    assert!(!manifold(&a, &a, fx!(1)).is_empty());
}
