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
