//! Boxes fitted to clouds of points of every size and shape.

use isostep_collision::shape::MAX_EXTENT;
use isostep_collision::{FitError, Obb};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

fn rotation(rng: &mut Rng) -> Quat {
    Quat::from_axis_angle(rng.unit_vec3(), rng.angle())
}

/// Half extents in rising order: the order of axes is left open.
fn sorted(v: Vec3) -> Vec3 {
    let mut words = v.to_array();
    words.sort_unstable();
    Vec3::from_array(words)
}

fn assert_holds(obb: &Obb, points: &[Vec3]) {
    for point in points {
        assert!(obb.contains(*point), "{point} is not in {obb:?}");
    }
}

#[test]
fn every_point_of_every_cloud_is_inside() {
    let mut rng = Rng::new(21, 0);
    for round in 0..4000 {
        // From a few units to 20 km along each axis, each by itself: balls, plates, needles.
        let scale = Vec3::from_array([(); 3].map(|()| Fx::from_bits(1 << rng.range_i64(0, 46))));
        let flat = Vec3::from_array([(); 3].map(|()| Fx::from_int(i32::from(rng.chance(4, 5)))));
        let pose = Pose::new(rotation(&mut rng), rng.unit_vec3() * fx!(2000000000));
        let points: Vec<_> = (0..rng.range_i64(1, 40))
            .map(|_| {
                let within = Vec3::from_array([(); 3].map(|()| rng.fx_range(fx!(-0.5), fx!(0.5))));
                pose.transform_point(within * scale * flat)
            })
            .collect();
        let obb = Obb::fit(&points).unwrap_or_else(|error| panic!("{round}: {error}"));
        assert_holds(&obb, &points);
    }
}

#[test]
fn vertices_of_a_turned_box_give_back_its_axes_and_extents() {
    let mut rng = Rng::new(22, 0);
    let tolerance = Fx::from_ratio(1, 1 << 16);
    let shapes = [
        vec3(fx!(1), fx!(2), fx!(3)),
        vec3(fx!(1), fx!(1.001), fx!(1.002)),
        vec3(fx!(2), fx!(2), fx!(5)),
        vec3(fx!(5), fx!(2), fx!(5)),
        vec3(fx!(1), fx!(1), fx!(1)),
        vec3(fx!(0.01), fx!(0.02), fx!(0.01)),
        vec3(fx!(5000), fx!(0.5), fx!(300)),
        vec3(fx!(10000), fx!(10000), fx!(10000)),
    ];
    let mut worst = Fx::ZERO;
    for half in shapes {
        for _ in 0..300 {
            let obb = Obb::new(rng.unit_vec3() * fx!(1000000), half, rotation(&mut rng)).unwrap();
            let fitted = Obb::fit(&obb.corners()).unwrap();
            assert_holds(&fitted, &obb.corners());
            let error = (sorted(fitted.half_extents()) - sorted(half)).abs().max_element();
            worst = worst.max(error / half.max_element().max(Fx::ONE));
            assert!(error <= tolerance, "{half}: {}", fitted.half_extents());
            assert!(fitted.center().abs_diff_eq(obb.center(), tolerance));
            for axis in fitted.axes() {
                let aligned = obb.axes().map(|own| own.dot(axis).abs()).into_iter().max().unwrap();
                assert!(aligned > Fx::ONE - tolerance, "{half}: {aligned}");
            }
        }
    }
    println!("extents: {} units of 2⁻³² per metre", worst.to_bits());
}

#[test]
fn a_fitted_box_is_no_larger_than_the_axis_aligned_one() {
    let mut rng = Rng::new(23, 0);
    let size = |obb: &Obb| {
        let h = obb.half_extents();
        h.x * h.y + h.y * h.z + h.z * h.x
    };
    for _ in 0..200 {
        let points: Vec<_> = (0..200).map(|_| rng.unit_vec3() * fx!(10)).collect();
        let aligned = isostep_collision::Aabb::from_points(points.iter().copied()).to_obb().unwrap();
        let fitted = Obb::fit(&points).unwrap();
        assert!(size(&fitted) <= size(&aligned) + fx!(0.001));
    }
    let aligned = Obb::from_half_extents(vec3(fx!(1), fx!(1), fx!(4))).unwrap();
    assert_eq!(Obb::fit(&aligned.corners()).unwrap(), aligned);
}

#[test]
fn degenerate_clouds_have_the_least_extents() {
    assert_eq!(Obb::fit(&[]), Err(FitError::NoPoints));

    let here = vec3(fx!(-1234567), fx!(0.125), fx!(2000000000));
    let single = Obb::new(here, Vec3::splat(Fx::EPSILON), Quat::IDENTITY).unwrap();
    assert_eq!(Obb::fit(&[here]), Ok(single));
    assert_eq!(Obb::fit(&[here; 1000]), Ok(single));

    let thin = |obb: Obb| obb.half_extents().to_array().into_iter().filter(|h| h.to_bits() <= 4).count();
    let direction = vec3(fx!(3), fx!(-4), fx!(12)) / fx!(13);
    let line: Vec<_> = (-50..50).map(|i| here + direction * Fx::from_int(i)).collect();
    let needle = Obb::fit(&line).unwrap();
    assert_holds(&needle, &line);
    assert!(needle.half_extents().max_element().abs_diff_eq(fx!(49.5), fx!(0.00001)));
    assert!(needle.half_extents().to_array().into_iter().filter(|h| *h < fx!(0.0000001)).count() == 2);

    let turned = Quat::from_rotation_z(Fx::FRAC_PI_2);
    let square: Vec<_> =
        (0..100).map(|i| here + turned * vec3(Fx::from_int(i % 10), Fx::from_int(i / 10), fx!(0))).collect();
    let plate = Obb::fit(&square).unwrap();
    assert_holds(&plate, &square);
    assert_eq!(thin(plate), 1);
}

#[test]
fn a_moved_cloud_has_the_moved_box_to_the_bit() {
    let mut rng = Rng::new(24, 0);
    let offset = vec3(fx!(1999999999.5), fx!(-2000000000), fx!(123456.789));
    for _ in 0..100 {
        let points: Vec<_> = (0..30).map(|_| rng.unit_vec3() * vec3(fx!(1), fx!(2), fx!(9))).collect();
        let moved: Vec<_> = points.iter().map(|&point| point + offset).collect();
        let (here, there) = (Obb::fit(&points).unwrap(), Obb::fit(&moved).unwrap());
        assert_eq!((here.half_extents(), here.rotation()), (there.half_extents(), there.rotation()));
        assert_eq!(here.center() + offset, there.center());
    }
}

#[test]
fn the_largest_box_fits_and_a_larger_one_is_refused() {
    let mut rng = Rng::new(25, 0);
    let half = Vec3::splat(MAX_EXTENT - fx!(1));
    for _ in 0..50 {
        let obb = Obb::new(Vec3::ZERO, half, rotation(&mut rng)).unwrap();
        let fitted = Obb::fit(&obb.corners()).unwrap();
        assert_holds(&fitted, &obb.corners());
    }
    let apart = [Vec3::ZERO, vec3(fx!(70000), fx!(0), fx!(0))];
    assert_eq!(Obb::fit(&apart), Err(FitError::TooFarApart));
    let ends = [Vec3::splat(Fx::MIN), Vec3::splat(Fx::MAX)];
    assert_eq!(Obb::fit(&ends), Err(FitError::TooFarApart));
}

#[test]
fn a_million_points_of_ten_kilometres_do_not_overflow() {
    let mut rng = Rng::new(26, 0);
    let turn = rotation(&mut rng);
    let half = vec3(fx!(10000), fx!(6000), fx!(3000));
    let mut points: Vec<_> = (0..1_000_000)
        .map(|_| turn * (Vec3::from_array([(); 3].map(|()| rng.fx_range(fx!(-1), fx!(1)))) * half))
        .collect();
    points.extend(Obb::new(Vec3::ZERO, half, turn).unwrap().corners());
    let fitted = Obb::fit(&points).unwrap();
    assert_holds(&fitted, &points);
    assert!(sorted(fitted.half_extents()).abs_diff_eq(sorted(half), fx!(40)), "{}", fitted.half_extents());
}

#[test]
fn merged_boxes_hold_all_of_both_at_every_scale() {
    let mut rng = Rng::new(27, 0);
    for _ in 0..2000 {
        let mut obb = |reach: i64| {
            let half = Vec3::from_array([(); 3].map(|()| Fx::from_bits(1 << rng.range_i64(0, reach))));
            let center = rng.unit_vec3() * Fx::from_bits(1 << rng.range_i64(0, reach));
            Obb::new(center, half, rotation(&mut rng)).unwrap()
        };
        let (a, b) = (obb(44), obb(44));
        let merged = a.merge(&b);
        assert_holds(&merged, &a.corners());
        assert_holds(&merged, &b.corners());
    }
    let far = Obb::new(vec3(Fx::MAX, fx!(0), fx!(0)), Vec3::ONE, Quat::IDENTITY).unwrap();
    let cut = far.merge(&Obb::from_half_extents(Vec3::ONE).unwrap());
    assert_eq!(cut.half_extents(), Vec3::splat(MAX_EXTENT));
}

#[test]
fn vertices_of_the_smallest_boxes_give_them_back_too() {
    let mut rng = Rng::new(23, 0);
    for round in 0..2000 {
        // Of 2⁻²⁰ m and less: their squares are below 2⁻³², the unit of a length.
        let half = Fx::from_bits(1 << rng.range_i64(8, 13));
        let obb = Obb::new(rng.unit_vec3(), Vec3::splat(half), rotation(&mut rng)).unwrap();
        let fitted = Obb::fit(&obb.corners()).unwrap();
        assert_holds(&fitted, &obb.corners());
        // Corners are rounded, and so are the axes that are found of them.
        let most = half + (half >> 5) + Fx::from_bits(3);
        let found = fitted.half_extents().max_element();
        assert!(found <= most, "{round}: {found} of {half}");
    }
}
