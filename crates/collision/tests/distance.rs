//! Distances and closest points against a reference of their own, and the laws they obey.
#![allow(clippy::float_arithmetic)]

#[path = "distance/reference.rs"]
mod reference;
#[path = "distance/samples.rs"]
mod samples;

use isostep_collision::{
    Capsule, ClosestPoints, HalfSpace, Obb, Shape, Sphere, closest_points, closest_points_from, distance,
    overlaps,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use reference::{add, along, body, difference, dot, real, reference};
use samples::pair;

const PAIRS: u32 = 10_000;

/// The greatest error relative to the pair's size.
fn compare(kinds: (u32, u32), seed: u64) -> f64 {
    let mut rng = Rng::new(seed, u64::from(kinds.0 * 4 + kinds.1));
    let center = |shape: &Shape| match shape {
        Shape::Sphere(s) => s.center(),
        Shape::Box(b) => b.center(),
        Shape::Capsule(c) => c.a(),
        _ => Vec3::ZERO,
    };
    let mut worst = 0.0_f64;
    for index in 0..PAIRS {
        let (a, b, scale) = pair(&mut rng, kinds);
        let origin = center(&a);
        let (first, second) = (body(&a, origin), body(&b, origin));
        let exact = reference(&first, &second);
        // Sums of extents and of the distance of the centres; one unit of the answer.
        let size = 4.0 * real(scale)
            + dot(add(second.center, first.center, -1.0), add(second.center, first.center, -1.0)).sqrt();
        let unit = 1.0 / 4_294_967_296.0;
        let Some(points) = closest_points(&a, &b) else {
            assert!(exact < size * 1e-11 + unit, "pair {index}: {exact} apart\n{a:?}\n{b:?}");
            continue;
        };
        let d = real(points.distance);
        let error = (d - exact.max(0.0)).abs();
        assert!(error <= size * 4e-12 + unit, "pair {index}: {d}, not {exact}, of {size}\n{a:?}\n{b:?}");
        worst = worst.max((error - unit / 2.0) / size);

        let between = difference(points.on_b, points.on_a);
        let length = dot(between, between).sqrt();
        assert!((length - d).abs() <= 3.0 * unit + size * 1e-15, "pair {index}: {length} {d}\n{a:?}\n{b:?}");
        // On the shapes, and planes across the normal through both points have them on either side.
        for (body, point) in [(&first, points.on_a), (&second, points.on_b)] {
            let off = body.distance_of(difference(point, origin)) - body.radius;
            assert!(off.abs() <= 2.0 * unit + size * 1e-15, "pair {index}: off by {off}\n{a:?}\n{b:?}");
        }
        let normal = points.normal.to_array().map(real);
        let gap = along(&first, &second, normal).gap - first.radius - second.radius;
        assert!((gap - d).abs() <= size * 2e-9 + unit, "pair {index}: {gap} {d}\n{a:?}\n{b:?}");
    }
    worst
}

#[test]
fn distances_agree_with_a_search_over_all_features() {
    for a in 0..3 {
        for b in 0..3 {
            let worst = compare((a, b), 1);
            println!("{a} {b}: error of size 2^{:.1}", worst.max(1e-30).log2());
        }
    }
}

#[test]
fn distances_to_half_spaces_agree_with_the_lowest_corner() {
    for kind in 0..3 {
        let mut rng = Rng::new(2, u64::from(kind));
        for index in 0..PAIRS {
            let (a, b, scale) = pair(&mut rng, (kind, 3));
            let Shape::HalfSpace(plane) = b else { unreachable!() };
            let first = body(&a, plane.point());
            let normal = plane.normal().to_array().map(real);
            let length = dot(normal, normal).sqrt();
            let lowest = first.corners().iter().map(|&corner| dot(corner, normal)).fold(f64::MAX, f64::min);
            let exact = lowest / length - first.radius;
            let unit = 1.0 / 4_294_967_296.0;
            match closest_points(&a, &b) {
                None => assert!(exact <= unit, "pair {index}: {exact}"),
                Some(points) => {
                    let error = (real(points.distance) - exact).abs();
                    assert!(error <= unit + 1e-14 * real(scale), "pair {index}: {error}");
                    let between = difference(points.on_b, points.on_a);
                    let length = dot(between, between).sqrt();
                    assert!(
                        (length - exact).abs() <= 3.0 * unit + 1e-12 * exact,
                        "pair {index}: {length} {exact}"
                    );
                    let off = first.distance_of(difference(points.on_a, plane.point())) - first.radius;
                    assert!(off.abs() <= 2.0 * unit, "pair {index}: off by {off}");
                }
            }
        }
    }
}

#[test]
fn feet_of_points_lie_on_planes_that_are_far_away() {
    let mut rng = Rng::new(4, 0);
    let mut worst = Fx::ZERO;
    for _ in 0..PAIRS {
        // Their feet are in the range, too.
        let far = fx!(300000000);
        let place = |rng: &mut Rng| Vec3::from_array([0; 3].map(|_| rng.fx_range(-far, far)));
        let plane = HalfSpace::new(place(&mut rng), rng.unit_vec3().normalize()).unwrap();
        let Some(points) = closest_points_from(place(&mut rng), &plane.into()) else { continue };
        worst = worst.max(plane.signed_distance(points.on_b).abs());
    }
    assert!(worst > Fx::ZERO && worst < Fx::from_bits(16), "{worst}");
}

#[test]
fn swapping_mirroring_and_moving_both_change_nothing_else() {
    let (mut ties, mut count) = (0, 0);
    for kinds in (0..16).map(|i| (i / 4, i % 4)) {
        let mut rng = Rng::new(3, u64::from(kinds.0 * 4 + kinds.1));
        for _ in 0..2000 {
            let (a, b, _) = pair(&mut rng, kinds);
            let points = closest_points(&a, &b);
            assert_eq!(distance(&a, &b), points.map_or(Fx::ZERO, |points| points.distance));

            let swapped = closest_points(&b, &a).map(ClosestPoints::swapped);
            let mirror =
                closest_points(&samples::mirrored(&a), &samples::mirrored(&b)).map(|points| ClosestPoints {
                    on_a: samples::flip(points.on_a),
                    on_b: samples::flip(points.on_b),
                    normal: samples::flip(points.normal),
                    ..points
                });
            // Parallel features have many closest points; their distance is one.
            for other in [swapped, mirror] {
                assert_eq!(
                    other.map(|other| other.distance),
                    points.map(|points| points.distance),
                    "{a:?}\n{b:?}"
                );
                ties += u32::from(other != points);
                count += 1;
            }
            let offset = Vec3::from_array([fx!(0.1), fx!(12345.678), fx!(-1)].map(|part| part * fx!(1000)));
            let there =
                closest_points(&samples::moved(&a, offset), &samples::moved(&b, offset)).map(|points| {
                    ClosestPoints { on_a: points.on_a - offset, on_b: points.on_b - offset, ..points }
                });
            assert_eq!(there, points, "{a:?}\n{b:?}");
        }
    }
    println!("{ties} ties of {count}");
    assert!(ties * 50 < count, "{ties} of {count}");
}

/// Overlap is decided exactly, distances within their error: the two differ for shapes that nearly touch only.
#[test]
fn shapes_overlap_where_they_have_no_distance() {
    let mut overlapping = 0;
    for kinds in (0..16).map(|i| (i / 4, i % 4)) {
        let mut rng = Rng::new(5, u64::from(kinds.0 * 4 + kinds.1));
        for _ in 0..2000 {
            let (a, b, scale) = pair(&mut rng, kinds);
            let d = distance(&a, &b);
            if overlaps(&a, &b) {
                overlapping += 1;
                assert!(d <= Fx::from_bits(1).max(scale * fx!(0.00000000047)), "{d} {a:?}\n{b:?}");
            } else if d == Fx::ZERO {
                // Within a unit, or 2^-31 of the pair, of touching.
                let away = Fx::from_bits(4).max(scale * fx!(0.00000000047));
                let apart = (0..27).any(|i| {
                    let step = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1].map(|part| away * Fx::from_int(part));
                    overlaps(&samples::moved(&a, Vec3::from_array(step)), &b)
                });
                assert!(apart, "no distance and no overlap: {a:?}\n{b:?}");
            }
        }
    }
    assert!(overlapping > 4000, "{overlapping}");
}

#[test]
fn touching_shapes_have_no_distance_and_a_unit_apart_they_do() {
    let unit = Obb::from_half_extents(Vec3::ONE).unwrap();
    let quarter = Quat::from_rotation_z(Fx::FRAC_PI_2);
    for rotation in [Quat::IDENTITY, quarter] {
        for (gap, expected) in [(Fx::ZERO, Fx::ZERO), (Fx::EPSILON, Fx::EPSILON), (fx!(3), fx!(3))] {
            let at = |reach: Fx| vec3(fx!(1) + reach + gap, fx!(0.25), fx!(0));
            let others: [Shape; 4] = [
                Obb::new(at(fx!(2)), vec3(fx!(2), fx!(2), fx!(9)), rotation).unwrap().into(),
                Sphere::new(at(fx!(0.5)), fx!(0.5)).unwrap().into(),
                Capsule::new(at(fx!(0.5)), at(fx!(7)), fx!(0.5)).unwrap().into(),
                HalfSpace::new(at(fx!(0)), Vec3::NEG_X).unwrap().into(),
            ];
            for other in others {
                assert_eq!(distance(&unit.into(), &other), expected, "{other:?}");
            }
        }
    }
}

#[test]
fn coincident_centres_and_crossing_axes_overlap() {
    let capsule = Capsule::along_y(fx!(1), fx!(0.5)).unwrap();
    let across = Capsule::new(Vec3::NEG_X, Vec3::X, fx!(0.5)).unwrap();
    assert_eq!(closest_points(&capsule.into(), &across.into()), None);
    assert_eq!(closest_points(&capsule.into(), &capsule.into()), None);
    let ball = Sphere::from_radius(fx!(1)).unwrap();
    assert_eq!(closest_points(&ball.into(), &ball.into()), None);
}

#[test]
fn nothing_panics_at_the_ends_of_the_range() {
    let mut rng = Rng::new(4, 0);
    for _ in 0..20_000 {
        let shapes = [0; 2].map(|_| {
            let center = samples::any_point(&mut rng);
            let kind = rng.below(4);
            let scale = samples::size(&mut rng, -31, 13);
            samples::shape(&mut rng, kind, center, scale)
        });
        let _ = closest_points(&shapes[0], &shapes[1]);
    }
}
