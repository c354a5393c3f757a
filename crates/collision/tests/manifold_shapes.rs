//! Manifolds of every pair of shapes against distance and penetration.

use isostep_collision::manifold::{PosedSpheres, manifold, sphere_manifolds, sphere_manifolds_at};
use isostep_collision::{Capsule, HalfSpace, Manifold, Obb, Shape, Sphere, distance, penetration_of};
use isostep_math::random::Rng;
use isostep_math::wide::Level;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

/// Shapes of about a metre in local coordinates of their own.
fn random_shape(rng: &mut Rng, kind: u32) -> Shape {
    let mut side = || rng.fx_range(fx!(0.1), fx!(1));
    let sides = vec3(side(), side(), side());
    match kind {
        0 => Sphere::new(sides * fx!(0.3), sides.x).unwrap().into(),
        1 => Capsule::new(-sides, rng.unit_vec3(), sides.y).unwrap().into(),
        2 => Obb::new(sides * fx!(0.2), sides, rng.unit_quat()).unwrap().into(),
        _ => HalfSpace::new(sides, rng.unit_vec3()).unwrap().into(),
    }
}

fn random_pose(rng: &mut Rng) -> Pose {
    Pose::new(rng.unit_quat(), rng.unit_vec3() * rng.fx_range(fx!(0), fx!(2.5)))
}

#[test]
fn the_least_separation_is_the_distance_or_the_depth() {
    let mut rng = Rng::new(21, 0);
    let slack = fx!(0.0000001);
    let mut points_seen = [[0_u32; 4]; 4];
    for round in 0..40_000 {
        let (kind_a, kind_b) = (round % 4, round / 4 % 4);
        let (a, b) = (random_shape(&mut rng, kind_a), random_shape(&mut rng, kind_b));
        let (pose_a, pose_b) = (random_pose(&mut rng), random_pose(&mut rng));
        let (world_a, world_b) = (a.transformed(&pose_a), b.transformed(&pose_b));
        let contact = manifold(&a, &pose_a, &b, &pose_b, fx!(0.5));
        let swapped = manifold(&b, &pose_b, &a, &pose_a, fx!(0.5));
        if kind_a == 3 && kind_b == 3 {
            assert!(contact.is_empty());
            continue;
        }
        let truth = match penetration_of(&world_a, &world_b) {
            Some(deep) => -deep.depth,
            None => distance(&world_a, &world_b),
        };
        let least = |manifold: &Manifold| manifold.points().iter().map(|point| point.separation).min();
        // Between two boxes, or where they lie edge to edge, the axis is not the line between the closest points.
        let boxes = kind_a == 2 && kind_b == 2;
        if boxes {
            assert!(truth > Fx::ZERO || !contact.is_empty(), "{a:?} {b:?}: {truth} deep, and no contact");
            continue;
        }
        if truth > fx!(0.5) - slack {
            assert!(truth < fx!(0.5) + slack || contact.is_empty(), "{a:?} {b:?}: {truth} {contact:?}");
            // What is empty is so to the bit.
            assert!(!contact.is_empty() || contact == Manifold::EMPTY, "{contact:?}");
            continue;
        }
        points_seen[kind_a as usize][kind_b as usize] += contact.points().len() as u32;
        let found =
            least(&contact).unwrap_or_else(|| panic!("no contact at {truth}: {world_a:?} {world_b:?}"));
        // A capsule that lies along something has the ends of its stretch for the closest point.
        let lying = if kind_a == 1 || kind_b == 1 { fx!(0.004) + slack } else { slack };
        assert!((found - truth).abs() <= lying, "{found} for {truth}: {world_a:?} {world_b:?} {contact:?}");
        let other = least(&swapped).unwrap();
        assert!((found - other).abs() <= lying, "{found} swapped {other}: {world_a:?} {world_b:?}");
        for point in contact.points() {
            let (on_a, on_b) =
                (pose_a.transform_point(point.anchor_a), pose_b.transform_point(point.anchor_b));
            let gap = (on_b - on_a).dot(contact.normal);
            assert!(
                (gap - point.separation).abs() <= slack * fx!(4),
                "{gap} is not {point:?} of {world_a:?} {world_b:?}"
            );
        }
    }
    for (kinds, count) in points_seen.iter().flatten().enumerate() {
        assert!(*count > 100 || kinds == 10 || kinds == 15, "pair {kinds} has only {count} points");
    }
}

#[test]
fn a_lying_capsule_has_two_points_and_a_standing_one_has_one() {
    let floor = Obb::from_half_extents(vec3(fx!(5), fx!(1), fx!(5))).unwrap().into();
    let capsule = Capsule::along_y(fx!(0.5), fx!(0.25)).unwrap().into();
    let margin = fx!(0.02);
    let lying = Pose::new(Quat::from_rotation_z(Fx::FRAC_PI_2), vec3(fx!(2), fx!(1.24), fx!(1)));
    let contact = manifold(&floor, &Pose::IDENTITY, &capsule, &lying, margin);
    assert_eq!((contact.normal, contact.points().len()), (Vec3::Y, 2));
    let apart = contact.points()[0].anchor_a.distance(contact.points()[1].anchor_a);
    assert!((apart - Fx::ONE).abs() < fx!(0.0000001), "{apart}");
    let standing = Pose::from_translation(vec3(fx!(2), fx!(1.74), fx!(1)));
    assert_eq!(manifold(&floor, &Pose::IDENTITY, &capsule, &standing, margin).points().len(), 1);
    // Beyond the edge of the floor only the part above it counts.
    let overhanging = Pose::new(Quat::from_rotation_z(Fx::FRAC_PI_2), vec3(fx!(5), fx!(1.24), fx!(1)));
    let contact = manifold(&floor, &Pose::IDENTITY, &capsule, &overhanging, margin);
    let apart = contact.points()[0].anchor_a.distance(contact.points()[1].anchor_a);
    assert!((apart - Fx::HALF).abs() < fx!(0.0000001), "{apart}");
    // One capsule along another.
    let above = Pose::new(lying.rotation, lying.translation + vec3(fx!(0.5), fx!(0.49), fx!(0)));
    let contact = manifold(&capsule, &lying, &capsule, &above, margin);
    assert_eq!(contact.points().len(), 2);
    assert!(contact.normal.y > fx!(0.999999));
}

#[test]
fn a_capsule_along_an_edge_has_two_points() {
    let table = Obb::from_half_extents(vec3(fx!(2), fx!(1), fx!(1))).unwrap().into();
    let capsule: Shape = Capsule::new(Vec3::X * -Fx::HALF, Vec3::X * Fx::HALF, fx!(0.25)).unwrap().into();
    for side in [fx!(1), fx!(-1)] {
        // The edge is 0.2 m beside the capsule, and 0.149 m below.
        let place = Pose::from_translation(vec3(fx!(0), fx!(-1), fx!(1.2) * side));
        let mut features = Vec::new();
        for turn in [
            Quat::IDENTITY,
            Quat::from_rotation_y(fx!(0.0001)),
            Quat::from_rotation_y(fx!(-0.0001)),
            Quat::from_rotation_z(fx!(0.0000001)),
            Quat::from_rotation_z(fx!(-0.0001)),
        ] {
            let lying = Pose::new(turn, Vec3::Y * fx!(0.149));
            let contact = manifold(&table, &place, &capsule, &lying, fx!(0.02));
            let expected = vec3(fx!(0), fx!(0.149), fx!(-0.2) * side).normalize();
            assert!(contact.normal.abs_diff_eq(expected, fx!(0.0005)), "{turn}: {}", contact.normal);
            let points = contact.points();
            assert_eq!(points.len(), 2, "{turn}: {contact:?}");
            for point in points {
                assert!((point.anchor_a.x.abs() - Fx::HALF).abs() < fx!(0.0002), "{turn}: {contact:?}");
                let edge = vec3(point.anchor_a.x, Fx::ONE, -side);
                assert!(point.anchor_a.distance(edge) < fx!(0.00000001), "{turn}: {contact:?}");
                // √(0.2² + 0.149²) − 0.25.
                assert!(point.separation.abs_diff_eq(fx!(-0.000602), fx!(0.0001)), "{turn}: {contact:?}");
            }
            features.push([points[0].feature, points[1].feature]);
            let swapped = manifold(&capsule, &lying, &table, &place, fx!(0.02));
            let flipped = swapped.points().iter().map(|point| (point.anchor_b, point.anchor_a));
            assert!(flipped.eq(points.iter().map(|point| (point.anchor_a, point.anchor_b))), "{swapped:?}");
        }
        assert!(features.iter().all(|pair| *pair == features[0]), "{features:?}");
    }
    // On a box that is turned about the capsule, and beyond its end.
    let ridge = Pose::from_rotation(Quat::from_rotation_x(Fx::FRAC_PI_4));
    let above = Pose::from_translation(vec3(fx!(2), Fx::from_ratio(166_423, 100_000), fx!(0)));
    let contact = manifold(&table, &ridge, &capsule, &above, fx!(0.02));
    let ends: Vec<Fx> = contact.points().iter().map(|point| point.anchor_a.x).collect();
    assert!(contact.normal.y > fx!(0.9999) && ends.len() == 2, "{contact:?}");
    assert!(
        ends.contains(&fx!(2)) && ends.iter().any(|x| x.abs_diff_eq(fx!(1.5), fx!(0.000001))),
        "{ends:?}"
    );
}

#[test]
fn capsules_have_the_same_points_and_the_same_middle_wherever_they_are() {
    let unit = Fx::EPSILON;
    let long = |from: Vec3| Capsule::new(from, from + vec3(fx!(2), fx!(0), unit), fx!(0.25)).unwrap();
    let block: Shape = Obb::from_half_extents(Vec3::ONE).unwrap().into();
    let lying: Shape = Capsule::new(Vec3::NEG_X, Vec3::X, fx!(0.25)).unwrap().into();
    let capsule: Shape = long(vec3(fx!(0), fx!(0.49), fx!(0))).into();
    let middle = |capsule: Capsule| capsule.center() - capsule.a();
    for way in [Vec3::Z * -unit, Vec3::Z * unit, vec3(fx!(1000000), unit, fx!(-7)), Vec3::splat(-unit)] {
        assert_eq!(middle(long(way)), middle(long(Vec3::ZERO)), "{way}");
        for (below, up) in [(&lying, Vec3::ZERO), (&block, Vec3::Y * fx!(0.75))] {
            let here = Pose::from_translation(up);
            let contact = |offset: Vec3| {
                let [a, b] =
                    [Pose::IDENTITY, here].map(|pose| Pose::from_translation(pose.translation + offset));
                manifold(below, &a, &capsule, &b, fx!(0.02))
            };
            assert_eq!(contact(way), contact(Vec3::ZERO), "{way}");
            assert_eq!(contact(way).points().len(), 2);
        }
    }
}

#[test]
fn coincident_centres_part_along_a_defined_direction() {
    let ball = Sphere::from_radius(fx!(1)).unwrap().into();
    let contact = manifold(&ball, &Pose::IDENTITY, &ball, &Pose::IDENTITY, Fx::ZERO);
    assert_eq!((contact.normal, contact.points()[0].separation), (Vec3::Y, fx!(-2)));
    let capsule = Capsule::along_y(fx!(1), fx!(0.5)).unwrap().into();
    let contact = manifold(&capsule, &Pose::IDENTITY, &capsule, &Pose::IDENTITY, Fx::ZERO);
    assert!(
        contact.points().iter().all(|point| (point.separation + Fx::ONE).abs() < fx!(0.0000001)),
        "{contact:?}"
    );
    let contact = manifold(&ball, &Pose::IDENTITY, &capsule, &Pose::IDENTITY, Fx::ZERO);
    assert!((contact.points()[0].separation + fx!(1.5)).abs() < fx!(0.0000001), "{contact:?}");
}

#[test]
fn spheres_in_batches_agree_with_one_at_a_time_at_every_lane_level() {
    let mut rng = Rng::new(22, 0);
    let mut spheres = Vec::new();
    for round in 0..600 {
        let size = [fx!(0.001), fx!(1), fx!(9000)][round % 3];
        spheres.push(
            Sphere::new(rng.unit_vec3() * (size * rng.fx_unit()), size * rng.fx_range(fx!(0.1), fx!(0.6)))
                .unwrap(),
        );
    }
    spheres.push(spheres[0]);
    let posed: PosedSpheres = spheres.iter().collect();
    let mut pairs: Vec<(u32, u32)> = (0..2000).map(|_| (rng.below(601), rng.below(601))).collect();
    pairs.push((0, 600));
    let margin = fx!(0.0001);
    let mut out = Vec::new();
    sphere_manifolds(&posed, &pairs, margin, &mut out);
    assert!(out.len() > 200 && out.len() < 1900, "{} hits", out.len());
    for (index, contact) in &out {
        let (a, b) = pairs[*index as usize];
        let (a, b) = (spheres[a as usize], spheres[b as usize]);
        let size = a.radius().max(b.radius()).max(a.center().distance(b.center()));
        let exact = manifold(&a.into(), &Pose::IDENTITY, &b.into(), &Pose::IDENTITY, margin * fx!(2));
        let slack = size * fx!(0.0000000075) + Fx::from_bits(2);
        let off = (contact.separation - exact.points()[0].separation).abs();
        assert!(off <= slack, "{off} for {a:?} {b:?}");
        let point = contact.to_manifold(&a, &b).points()[0];
        let gap = (b.center() + point.anchor_b - a.center() - point.anchor_a).dot(contact.normal);
        assert!((gap - contact.separation).abs() <= slack * fx!(2), "{gap} is not {contact:?}");
        let apart = a.center().distance(b.center());
        if apart > size / fx!(100) {
            assert!(
                contact.normal.distance(exact.normal) < fx!(0.000001),
                "{} is not {}",
                contact.normal,
                exact.normal
            );
        }
    }
    let coincident = out.last().unwrap();
    assert_eq!((coincident.0, coincident.1.normal), (2000, Vec3::Y));
    let expected = out.clone();
    for level in Level::available() {
        sphere_manifolds_at(level, &posed, &pairs, margin, &mut out);
        assert!(out == expected, "at level {level}");
    }
}

#[test]
fn a_margin_counts_in_all_directions_however_small_the_shapes_are() {
    let apart = Pose::from_translation(Vec3::splat(fx!(0.015)));
    let turned = Pose { rotation: Quat::from_rotation_arc(Vec3::X, Vec3::ONE.normalize()), ..apart };
    let ball = Shape::from(Sphere::from_radius(fx!(0.005)).unwrap());
    let die = Shape::from(Obb::from_half_extents(Vec3::splat(fx!(0.005))).unwrap());
    let start = Pose { translation: Vec3::ZERO, ..turned };
    for shape in [ball, die] {
        // 16 mm apart, which is more than any of their coordinates are.
        let found = manifold(&shape, &start, &shape, &turned, fx!(0.02));
        let separation = found.points().iter().map(|point| point.separation).min().expect("a contact");
        assert!(separation.abs_diff_eq(fx!(0.01598076), fx!(0.000001)), "{separation}");
        assert!(manifold(&shape, &start, &shape, &turned, fx!(0.0159)).is_empty());
    }
}
