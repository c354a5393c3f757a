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

/// The area of up to four points in the plane of x and z.
fn area(points: &[Vec3]) -> Fx {
    let center =
        points.iter().fold(Vec3::ZERO, |sum, &point| sum + point) / Fx::from_int(points.len() as i32);
    let mut around: Vec<(Fx, Vec3)> =
        points.iter().map(|&point| point - center).map(|way| (way.z.atan2(way.x), way)).collect();
    around.sort_by_key(|&(angle, _)| angle);
    let next = around.iter().cycle().skip(1);
    around.iter().zip(next).map(|((_, a), (_, b))| (a.x * b.z - a.z * b.x) / fx!(2)).sum()
}

#[test]
fn a_turned_crate_keeps_the_area_of_its_octagon_with_four_points() {
    let lower = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    for degrees in 0..=90 {
        let turn = Fx::from_int(degrees) * Fx::PI / fx!(180);
        let rotation = Quat::from_rotation_y(turn);
        let upper = Obb::new(vec3(fx!(0), fx!(0.999), fx!(0)), Vec3::splat(fx!(0.5)), rotation).unwrap();
        let contact = manifold(&lower, &upper, fx!(0.02));
        let points: Vec<_> = contact.points().iter().map(|point| point.anchor_a).collect();
        assert_eq!(points.len(), 4);
        // Of the regular octagon the best four corners have 0.707.
        let octagon = fx!(2) / (fx!(1) + turn.sin() + turn.cos());
        let kept = area(&points) / octagon;
        assert!(kept > fx!(0.7), "{kept} of the area at {degrees} degrees: {points:?}");
    }
}

/// What of a polygon in the plane of x and z lies within ± the half sizes.
fn clipped(polygon: &[Vec3], half: Vec3) -> Vec<Vec3> {
    let mut left = polygon.to_vec();
    for (normal, reach) in
        [(Vec3::X, half.x), (Vec3::NEG_X, half.x), (Vec3::Z, half.z), (Vec3::NEG_Z, half.z)]
    {
        let next = left.iter().cycle().skip(1);
        let edges: Vec<_> = left.iter().zip(next).map(|(&from, &to)| (from, to)).collect();
        left.clear();
        for (from, to) in edges {
            let (beyond, ahead) = (from.dot(normal) - reach, to.dot(normal) - reach);
            if beyond <= Fx::ZERO {
                left.push(from);
            }
            if (beyond < Fx::ZERO && ahead > Fx::ZERO) || (beyond > Fx::ZERO && ahead < Fx::ZERO) {
                left.push(from + (to - from) * (beyond / (beyond - ahead)));
            }
        }
    }
    left
}

#[test]
fn four_points_keep_most_of_any_overlap() {
    let half = vec3(fx!(0.3), fx!(0.05), fx!(0.1));
    let lower = Obb::from_half_extents(half).unwrap();
    let (mut rng, mut seen) = (Rng::new(18, 0), 0);
    for _ in 0..2_000 {
        let center = vec3(rng.fx_range(fx!(-0.4), fx!(0.4)), fx!(0.0995), rng.fx_range(fx!(-0.2), fx!(0.2)));
        // Leaning enough for depths to say which corner comes first.
        let tilt = Quat::from_axis_angle(rng.unit_vec3(), fx!(0.003));
        let rotation = (tilt * Quat::from_rotation_y(rng.angle())).normalize();
        let upper = Obb::new(center, half, rotation).unwrap();
        let corners = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
        let corner =
            |(x, z)| center + upper.rotation() * (half * vec3(Fx::from_int(x), fx!(-1), Fx::from_int(z)));
        let overlap = clipped(&corners.map(corner), half);
        if overlap.len() < 5 {
            continue;
        }
        let whole = area(&overlap).abs();
        let contact = manifold(&lower, &upper, fx!(0.02));
        let points: Vec<_> = contact.points().iter().map(|point| point.anchor_a).collect();
        let kept = area(&points).abs();
        if whole > fx!(0.001) && contact.normal == Vec3::Y {
            seen += 1;
            assert!(kept > whole * fx!(0.55), "{} of {whole}: {upper:?}, {points:?}", kept / whole);
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn the_deepest_point_is_kept_where_it_is_deeper_by_more_than_a_4096th_of_the_distance() {
    let lower = Obb::from_half_extents(Vec3::splat(fx!(0.5))).unwrap();
    let mut rng = Rng::new(16, 0);
    for _ in 0..2_000 {
        // An octagon or less, tilted by up to half a degree.
        let tilt = Quat::from_axis_angle(rng.unit_vec3(), rng.fx_range(fx!(0.0005), fx!(0.01)));
        let rotation = (tilt * Quat::from_rotation_y(rng.angle())).normalize();
        let center = vec3(rng.fx_range(fx!(-0.3), fx!(0.3)), fx!(0.99), rng.fx_range(fx!(-0.3), fx!(0.3)));
        let upper = Obb::new(center, Vec3::splat(fx!(0.5)), rotation).unwrap();
        let contact = manifold(&lower, &upper, fx!(0.05));
        if contact.normal != Vec3::Y {
            continue;
        }
        // Of the overlap of the two faces, taken on a grid: nothing is deeper than the deepest point by more.
        let deepest = contact.points().iter().map(|point| point.separation).min().unwrap();
        let slack = fx!(1.5) / fx!(4096);
        for x in -25..=25 {
            for z in -25..=25 {
                let on_face = vec3(Fx::from_ratio(x, 50), Fx::ZERO, Fx::from_ratio(z, 50));
                let on_upper = upper.center() + upper.rotation() * (on_face - Vec3::Y / fx!(2));
                let inside = on_upper.x.abs().max(on_upper.z.abs()) <= Fx::HALF;
                assert!(!inside || on_upper.y - Fx::HALF >= deepest - slack, "{upper:?} {contact:?}");
            }
        }
    }
}

#[test]
fn a_stick_that_lies_across_another_one_has_all_corners_of_their_overlap_when_it_rolls_a_little() {
    let half = vec3(fx!(0.5), fx!(0.015), fx!(0.015));
    let lower = Obb::from_half_extents(half).unwrap();
    for degrees in [30, 60, 90, 120] {
        for roll in [fx!(-0.05), fx!(-0.02), fx!(0.01), fx!(0.05)] {
            let turn = Fx::from_int(degrees) * Fx::PI / fx!(180);
            let rotation = (Quat::from_rotation_y(turn) * Quat::from_rotation_x(roll)).normalize();
            let upper = Obb::new(Vec3::Y * fx!(0.03), half, rotation).unwrap();
            let contact = manifold(&lower, &upper, fx!(0.02));
            assert_eq!(contact.points().len(), 4, "{degrees} degrees, rolled by {roll}: {contact:?}");
            // Without a margin the edges touch alone.
            let contact = manifold(&lower, &upper, Fx::ZERO);
            assert!(contact.points().len() < 4, "{degrees} degrees, rolled by {roll}: {contact:?}");
        }
    }
}

fn features(manifold: &Manifold) -> Vec<u32> {
    let mut features: Vec<_> = manifold.points().iter().map(|point| point.feature.0).collect();
    features.sort_unstable();
    features
}

#[test]
fn features_are_unique_within_a_manifold() {
    let mut rng = Rng::new(17, 0);
    for round in 0..20_000 {
        let size = [fx!(0.01), fx!(1), fx!(300)][round % 3];
        let (a, b) = random_pair(&mut rng, size);
        let found = features(&manifold(&a, &b, size * fx!(0.05)));
        assert!(found.windows(2).all(|both| both[0] < both[1]), "{found:?} of {a:?} {b:?}");
    }
}

#[test]
fn features_do_not_tell_which_of_two_faces_is_the_reference() {
    // Planks that cross have four crossings of their sides; plates that lie askew a corner of each and two crossings.
    let (plank, plate) = (vec3(fx!(0.5), fx!(0.01), fx!(0.1)), vec3(fx!(0.3), fx!(0.01), fx!(0.3)));
    let mut rng = Rng::new(19, 0);
    for (half, turns, off) in [
        (plank, [fx!(0.8), fx!(2.3)], vec3(fx!(0.05), fx!(0.0199), fx!(0.05))),
        (plate, [fx!(0.02), fx!(0.2)], vec3(fx!(0.2), fx!(0.0199), fx!(0.2))),
    ] {
        for facing in orientations() {
            let mut references = [0; 2];
            let (lower, own) = (Obb::from_half_extents(half).unwrap(), (facing.conjugate() * half).abs());
            let turn = Quat::from_rotation_y(rng.fx_range(turns[0], turns[1]));
            let mut contact = || {
                let tilt = Quat::from_axis_angle(rng.unit_vec3().with_y(Fx::ZERO).normalize(), fx!(0.002));
                let upper = Obb::new(off, own, (tilt * turn * facing).normalize()).unwrap();
                let contact = manifold(&lower, &upper, fx!(0.02));
                references[usize::from(contact.normal == Vec3::Y)] += 1;
                assert_eq!(contact.points().len(), 4, "{upper:?}");
                features(&contact)
            };
            let first = contact();
            for _ in 0..50 {
                assert_eq!(contact(), first, "{half} {turn} {facing}");
            }
            assert!(references.iter().all(|&count| count > 5), "{references:?}");
        }
    }
}

/// The 24 rotations that map axes to axes.
fn orientations() -> Vec<Quat> {
    let quarters =
        |rotation: fn(Fx) -> Quat| [0, 1, 2, 3].map(|count| rotation(Fx::FRAC_PI_2 * Fx::from_int(count)));
    let (x, y, z) =
        (quarters(Quat::from_rotation_x), quarters(Quat::from_rotation_y), quarters(Quat::from_rotation_z));
    let up = [x[0], x[1], x[2], x[3], z[1], z[3]];
    up.into_iter().flat_map(|up| y.map(|turn| (turn * up).normalize())).collect()
}

#[test]
fn a_resting_box_has_the_same_features_after_small_motions() {
    let mut rng = Rng::new(18, 0);
    let half = Vec3::splat(Fx::HALF);
    let floor = vec3(fx!(20), fx!(0.5), fx!(20));
    // On a floor, on an equal box, across two of those, and across a corner of one.
    let places = [(floor, fx!(3), fx!(-2)), (half, fx!(0), fx!(0)), (half, fx!(0.525), fx!(0))];
    for (below, x, z) in places.into_iter().chain([(half, fx!(0.3), fx!(0.2))]) {
        for turn_below in [Quat::IDENTITY, rng.unit_quat()] {
            for orientation in orientations() {
                let place = |offset: Vec3, rotation: Quat| {
                    let center = vec3(x, fx!(0.9995), z) + offset;
                    Obb::new(turn_below * center, half, (turn_below * rotation).normalize()).unwrap()
                };
                let lower = Obb::new(Vec3::ZERO, below, turn_below).unwrap();
                let resting = manifold(&lower, &place(Vec3::ZERO, orientation), fx!(0.02));
                assert_eq!(resting.points().len(), 4);
                for _ in 0..20 {
                    let tilt = Quat::from_axis_angle(rng.unit_vec3(), fx!(0.0001));
                    let moved = place(rng.unit_vec3() * fx!(0.0001), (tilt * orientation).normalize());
                    let contact = manifold(&lower, &moved, fx!(0.02));
                    assert_eq!(features(&contact), features(&resting), "{lower:?} {moved:?}");
                }
            }
        }
    }
}

#[test]
fn faces_side_by_side_do_not_catch() {
    let half = Vec3::splat(Fx::HALF);
    let tile = Obb::from_half_extents(half).unwrap();
    // A box that falls past a tile, a millimetre beside it: its lower face is 5 mm above the upper one of the tile, and
    // only the slop would bring the two together.
    for rotation in orientations() {
        let falling = Obb::new(vec3(fx!(1.001), fx!(1.005), fx!(0)), half, rotation).unwrap();
        assert!(manifold(&tile, &falling, fx!(0.02)).is_empty(), "{rotation:?}");
        assert!(manifold(&falling, &tile, fx!(0.02)).is_empty(), "{rotation:?}");
    }
}

#[test]
fn boxes_that_penetrate_have_a_point_though_their_best_faces_pass_each_other_by() {
    let mut rng = Rng::new(19, 0);
    let (mut seen, mut deep) = (0, 0);
    for _ in 0..100_000 {
        // Edges that cross near the ends of both, where the bias toward faces decides.
        let side = |rng: &mut Rng| rng.fx_range(fx!(0.1), fx!(1));
        let a = Obb::from_half_extents(vec3(side(&mut rng), side(&mut rng), side(&mut rng))).unwrap();
        let half = vec3(side(&mut rng), side(&mut rng), side(&mut rng));
        let rotation = rng.unit_quat();
        let reach = rotation * vec3(half.x, half.y, half.z);
        let corner = a.half_extents() * rng.fx_range(fx!(0.99), fx!(1));
        let b = Obb::new(corner + reach + rng.unit_vec3() * fx!(0.02), half, rotation).unwrap();
        let contact = manifold(&a, &b, Fx::ZERO);
        if let Some(exact) = penetration_of(&a.into(), &b.into()) {
            seen += 1;
            assert!(!contact.is_empty() || exact.depth < fx!(0.0000001), "{a:?} {b:?} {exact:?}");
            deep += contact.points().iter().filter(|point| point.feature.0 >> 7 & 1 == 1).count();
        }
    }
    assert!(seen > 1_000 && deep > 0, "{seen} penetrate, {deep} by their deepest point");
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
