//! Mass properties against the formulas of the textbooks, and the laws that bodies of parts obey.

use isostep_collision::{Capsule, HalfSpace, Mass, MassError, MassProperties, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, SymmetricMat3, Vec3, fx, vec3};

fn units(n: i64) -> Fx {
    Fx::from_bits(n)
}

fn diagonal(x: Fx, y: Fx, z: Fx) -> SymmetricMat3 {
    SymmetricMat3::from_diagonal(vec3(x, y, z))
}

#[test]
fn a_ball_has_two_fifths_of_its_radius_squared() {
    let ball = Sphere::new(vec3(fx!(7), fx!(0), fx!(0)), fx!(5)).unwrap();
    assert!(ball.volume().abs_diff_eq(fx!(523.598775598), fx!(0.000000001)));
    let body = ball.mass_properties(fx!(2)).unwrap();
    assert!(body.mass().to_fx().abs_diff_eq(fx!(1047.197551197), fx!(0.000000001)));
    assert_eq!(body.center(), ball.center());
    assert_eq!(body.gyration(), diagonal(fx!(10), fx!(10), fx!(10)));
}

#[test]
fn a_box_has_a_third_of_its_other_half_extents_squared() {
    let half = vec3(fx!(3), fx!(6), fx!(9));
    let body = Obb::from_half_extents(half).unwrap().mass_properties(fx!(0.5)).unwrap();
    assert_eq!(body.mass().to_fx(), fx!(648));
    assert_eq!(body.gyration(), diagonal(fx!(39), fx!(30), fx!(15)));

    let turned = Obb::new(Vec3::ONE, half, Quat::from_rotation_z(Fx::FRAC_PI_2)).unwrap();
    assert_eq!(turned.mass_properties(fx!(1)).unwrap().gyration(), diagonal(fx!(30), fx!(39), fx!(15)));
}

#[test]
fn a_capsule_is_a_cylinder_and_two_half_balls() {
    // r = 2 and L = 8: shares 3/4 and 1/4. Along: (3 · 2 + 8/5) / 4 = 1.9; across the axis
    // (3 (1 + 16/3) + 8/5 + 16 + 6) / 4 = 10.65.
    let capsule = Capsule::along_y(fx!(4), fx!(2)).unwrap();
    let body = capsule.mass_properties(fx!(1)).unwrap();
    let expected = diagonal(fx!(10.65), fx!(1.9), fx!(10.65));
    assert!(body.gyration().abs_diff_eq(expected, units(1)), "{}", body.gyration());
    // π 4 (8 + 8/3).
    assert!(body.mass().to_fx().abs_diff_eq(fx!(134.041286553), fx!(0.000000001)));

    let ball = Capsule::along_y(fx!(0), fx!(5)).unwrap().mass_properties(fx!(1)).unwrap();
    let sphere = Sphere::from_radius(fx!(5)).unwrap().mass_properties(fx!(1)).unwrap();
    assert_eq!(ball.gyration(), sphere.gyration());
    assert_eq!(ball.mass().to_fx(), sphere.mass().to_fx());
}

#[test]
fn a_slanted_capsule_is_an_upright_one_turned() {
    let rotation = Quat::from_axis_angle(vec3(fx!(1), fx!(2), fx!(3)).normalize(), fx!(0.7));
    let upright = Capsule::along_y(fx!(3), fx!(0.5)).unwrap();
    let slanted = upright.transformed(&Pose::from_rotation(rotation));
    let expected = upright.mass_properties(fx!(1)).unwrap().gyration().rotated(rotation);
    let found = slanted.mass_properties(fx!(1)).unwrap().gyration();
    // The ends of the slanted one are rounded.
    assert!(found.abs_diff_eq(expected, units(8)), "{found} {expected}");
}

#[test]
fn a_thin_long_capsule_is_a_rod_and_a_marble_has_its_digits() {
    let rod = Capsule::along_y(fx!(600), fx!(0.001)).unwrap().mass_properties(fx!(1)).unwrap();
    // L² / 12 + 2/9 L r + 49/108 r² and less.
    assert!(rod.gyration().xx.abs_diff_eq(fx!(120000.26666712), fx!(0.0000001)), "{}", rod.gyration().xx);
    let marble = Sphere::from_radius(fx!(0.0078125)).unwrap().mass_properties(fx!(2500)).unwrap();
    let radii = marble.principal().radii;
    // r √(2/5).
    assert!(radii.abs_diff_eq(Vec3::splat(fx!(0.0049410588441)), units(1)), "{radii}");
}

#[test]
fn a_dumbbell_follows_the_parallel_axis_theorem() {
    let ball = |x| Sphere::new(vec3(x, fx!(2), fx!(0)), fx!(1)).unwrap();
    let light = ball(fx!(-3)).mass_properties(fx!(1)).unwrap();
    let heavy = ball(fx!(5)).mass_properties(fx!(3)).unwrap();
    let dumbbell = MassProperties::combine(&[light, heavy]).unwrap();
    assert_eq!(dumbbell.center(), vec3(fx!(3), fx!(2), fx!(0)));
    // 2/5, and (36 + 3 · 4) / 4 about the axes across.
    assert_eq!(dumbbell.gyration(), diagonal(fx!(0.4), fx!(12.4), fx!(12.4)));
    assert_eq!(dumbbell.gyration_about(vec3(fx!(3), fx!(0), fx!(0))).xx, fx!(4.4));
    assert!(dumbbell.mass().to_fx().abs_diff_eq(light.mass().to_fx() * fx!(4), units(3)));
}

#[test]
fn eight_small_boxes_make_the_large_one() {
    let mut rng = Rng::new(11, 0);
    for scale in [fx!(0.01), fx!(1), fx!(100), fx!(10000)] {
        let half = Vec3::from_array([(); 3].map(|()| scale * rng.fx_range(fx!(0.5), fx!(2))));
        let rotation = Quat::from_axis_angle(rng.unit_vec3(), rng.angle());
        let far = vec3(fx!(1000000), fx!(-700000), fx!(300000));
        let whole = Obb::new(far, half, rotation).unwrap();
        let inner = Obb::new(far, half / fx!(2), rotation).unwrap();
        let parts = inner.corners().map(|center| {
            Obb::new(center, half / fx!(2), rotation).unwrap().mass_properties(fx!(1000)).unwrap()
        });
        let combined = MassProperties::combine(&parts).unwrap();
        let whole = whole.mass_properties(fx!(1000)).unwrap();
        assert!(combined.center().abs_diff_eq(far, units(1)));
        // The half extents and centres of the parts are rounded: one unit in them is this much of k².
        let tolerance = units(4) * (scale + Fx::ONE);
        assert!(
            combined.gyration().abs_diff_eq(whole.gyration(), tolerance),
            "{scale}: {} {}",
            combined.gyration(),
            whole.gyration()
        );
    }
}

#[test]
fn a_body_of_parts_has_the_same_bits_anywhere() {
    let mut rng = Rng::new(12, 0);
    for _ in 0..100 {
        let parts: Vec<_> = (0..5)
            .map(|_| {
                let center = rng.unit_vec3() * fx!(3);
                let rotation = Quat::from_axis_angle(rng.unit_vec3(), rng.angle());
                let obb = Obb::new(center, vec3(fx!(0.2), fx!(0.5), fx!(1)), rotation).unwrap();
                obb.mass_properties(rng.fx_range(fx!(1), fx!(9000))).unwrap()
            })
            .collect();
        let offset = vec3(fx!(2000000000), fx!(-1999999999.123), rng.fx_range(fx!(-1), fx!(1)));
        let moved: Vec<_> =
            parts.iter().map(|part| part.transformed(&Pose::from_translation(offset))).collect();
        let here = MassProperties::combine(&parts).unwrap();
        let there = MassProperties::combine(&moved).unwrap();
        assert_eq!(there.center() - offset, here.center());
        assert_eq!(there.with_mass(here.mass()), here.transformed(&Pose::from_translation(offset)));
    }
}

#[test]
fn turning_the_parts_or_the_whole_is_the_same() {
    let parts = [
        Sphere::new(vec3(fx!(1), fx!(2), fx!(3)), fx!(0.5)).unwrap().mass_properties(fx!(100)).unwrap(),
        Obb::from_half_extents(vec3(fx!(1), fx!(0.1), fx!(2))).unwrap().mass_properties(fx!(20)).unwrap(),
        Capsule::along_y(fx!(2), fx!(0.25)).unwrap().mass_properties(fx!(300)).unwrap(),
    ];
    let rotation = Quat::from_axis_angle(vec3(fx!(2), fx!(-1), fx!(1)).normalize(), fx!(2));
    let pose = Pose::new(rotation, vec3(fx!(10), fx!(0), fx!(-4)));
    let whole = MassProperties::combine(&parts).unwrap().transformed(&pose);
    let turned = MassProperties::combine(&parts.map(|part| part.transformed(&pose))).unwrap();
    assert!(whole.center().abs_diff_eq(turned.center(), units(1)));
    assert!(whole.gyration().abs_diff_eq(turned.gyration(), units(16)));
    assert_eq!(whole.mass(), turned.mass());
}

#[test]
fn principal_axes_of_a_turned_box_are_its_own() {
    let half = vec3(fx!(3), fx!(6), fx!(9));
    let rotation = Quat::from_axis_angle(vec3(fx!(1), fx!(1), fx!(1)).normalize(), fx!(0.4));
    let body = Obb::new(Vec3::ZERO, half, rotation).unwrap().mass_properties(fx!(1)).unwrap();
    let principal = body.principal();
    assert!(principal.rotation.abs_diff_eq(rotation, units(4)), "{} {rotation}", principal.rotation);
    assert!(principal.squared_radii.abs_diff_eq(vec3(fx!(39), fx!(30), fx!(15)), units(1)));
    assert_eq!(principal.radii.x, fx!(39).sqrt());
}

#[test]
fn the_greatest_and_the_least_shapes_have_mass() {
    let half = Vec3::splat(isostep_collision::shape::MAX_EXTENT);
    let huge = Obb::from_half_extents(half).unwrap();
    assert_eq!(huge.volume(), Fx::MAX);
    let mass = huge.mass_properties(fx!(1)).unwrap().mass();
    assert_eq!(mass.to_bits(), 1 << (64 + 48));
    assert_eq!(huge.mass_properties(Fx::MAX).unwrap().mass(), Mass::GREATEST);

    let dust = Sphere::from_radius(Fx::EPSILON).unwrap().mass_properties(Fx::EPSILON).unwrap();
    assert_eq!(dust.mass(), Mass::LEAST);
    let pair = MassProperties::combine(&[dust, dust]).unwrap();
    assert_eq!(pair.mass().to_bits(), 2);
    let outweighed = [dust, huge.mass_properties(fx!(1)).unwrap()];
    assert_eq!(MassProperties::combine(&outweighed).unwrap().center(), Vec3::ZERO);

    let long = Capsule::new(-half / fx!(2), half / fx!(2), fx!(32768)).unwrap();
    assert!(long.mass_properties(fx!(1)).unwrap().principal().radii.min_element() > fx!(20000));
}

#[test]
fn what_has_no_mass_is_refused_by_name() {
    assert_eq!(
        Sphere::from_radius(fx!(1)).unwrap().mass_properties(fx!(0)),
        Err(MassError::NonPositiveDensity { value: fx!(0) })
    );
    let ground = Shape::from(HalfSpace::ground(fx!(0)));
    assert_eq!(ground.mass_properties(fx!(1)), Err(MassError::Unbounded));
    assert_eq!(ground.volume(), None);
    assert_eq!(MassProperties::combine(&[]), None);
}

#[test]
fn a_capsule_moved_by_what_is_no_rotation_does_not_wrap() {
    let stretched = Pose::from_rotation(Quat::from_xyzw(Fx::MAX, Fx::MIN, Fx::MAX, fx!(1)));
    let long = Capsule::along_y(fx!(32768), fx!(32768)).unwrap().transformed(&stretched);
    let body = long.mass_properties(Fx::MAX).unwrap();
    assert!(long.volume() == Fx::MAX && body.principal().radii.max_element() > fx!(32768));
}

#[test]
fn parts_at_the_ends_of_the_range_do_not_overflow() {
    let corners = [Vec3::splat(Fx::MIN), Vec3::splat(Fx::MAX), vec3(Fx::MIN, Fx::MAX, fx!(0))];
    let parts = corners.map(|corner| MassProperties::from_point(Mass::GREATEST, corner));
    let body = MassProperties::combine(&parts).unwrap();
    assert_eq!(body.mass(), Mass::GREATEST);
    assert_eq!(body.gyration().xx, Fx::MAX);
    let twice = MassProperties::combine(&[body, body, parts[0]]).unwrap();
    assert_eq!(twice.gyration().yy, Fx::MAX);
    let _ = twice.principal();
}
