//! Shapes and points that are as far from each other as coordinates go.

use isostep_collision::{
    Capsule, HalfSpace, Obb, Shape, Sphere, cast_shape, closest_points_from, penetration_of,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};

/// Coordinates of all sizes up to the ends of the range.
fn anywhere(rng: &mut Rng) -> Vec3 {
    let shift = rng.below(40);
    let mut word = || Fx::from_bits(rng.next_u64() as i64 >> shift.min(rng.below(40)));
    vec3(word(), word(), word())
}

fn shapes(rng: &mut Rng, center: Vec3) -> [Shape; 4] {
    let half = |rng: &mut Rng| rng.fx_range(fx!(0.1), fx!(300));
    let rotation = Quat::from_axis_angle(rng.unit_vec3(), rng.angle());
    let halves = vec3(half(rng), half(rng), half(rng));
    let end = center + rng.unit_vec3() * half(rng);
    [
        Sphere::new(center, half(rng)).unwrap().into(),
        Capsule::new(center, end, half(rng)).unwrap().into(),
        Obb::new(center, halves, rotation).unwrap().into(),
        HalfSpace::new(center, rng.unit_vec3()).unwrap().into(),
    ]
}

#[test]
fn the_point_of_a_shape_closest_to_another_one_is_that_of_their_distance_wherever_they_are() {
    let mut rng = Rng::new(31, 0);
    let mut far = 0;
    for _ in 0..20_000 {
        let (center, point) = (anywhere(&mut rng) / fx!(2), anywhere(&mut rng));
        for shape in shapes(&mut rng, center) {
            let Some(points) = closest_points_from(point, &shape) else { continue };
            let found = shape.closest_point(point);
            // Ends of the range are where nothing is more exact than the range itself.
            if found.abs().max_element() > fx!(2147480000) {
                continue;
            }
            // What distances are exact to: of a plane, whose normal has 44 bits there, up to the range itself; and of all else.
            let is_plane = matches!(shape, Shape::HalfSpace(_));
            if is_plane && points.distance == Fx::MAX {
                continue;
            }
            let bits = if is_plane { 43 } else { 52 };
            let unsure = Fx::from_bits(8) + (points.distance >> bits);
            assert!(found.abs_diff_eq(points.on_b, unsure), "{point} {shape:?}: {found}, {}", points.on_b);
            far += u32::from(points.distance == Fx::MAX);
        }
    }
    assert!(far > 500, "{far}");
}

#[test]
fn the_point_of_a_ball_closest_to_the_ends_of_the_range_is_on_its_surface() {
    let ball = Sphere::from_radius(fx!(5)).unwrap();
    let found = ball.closest_point(Vec3::splat(fx!(2000000000)));
    assert!(found.length().abs_diff_eq(fx!(5), Fx::from_bits(2)), "{found}");
    let capsule = Capsule::new(
        vec3(fx!(-2147483640), fx!(-2147483640), fx!(0)),
        vec3(fx!(-2147483639), fx!(-2147483641.5), fx!(0)),
        fx!(0.5),
    )
    .unwrap();
    // The way along x is longer than the range.
    assert_eq!(capsule.closest_segment_point(vec3(fx!(2147483640), fx!(0), fx!(0))), capsule.b());
}

#[test]
fn what_is_deep_in_a_half_space_is_as_deep_as_the_range_goes() {
    let ground = Shape::from(HalfSpace::ground(fx!(2000000000)));
    let center = vec3(fx!(0), fx!(-2000000000), fx!(0));
    for shape in [
        Shape::from(Sphere::new(center, fx!(1)).unwrap()),
        Capsule::new(center, center + Vec3::X, fx!(1)).unwrap().into(),
        Obb::new(center, Vec3::ONE, Quat::IDENTITY).unwrap().into(),
    ] {
        let found = penetration_of(&ground, &shape).expect("it is inside");
        assert_eq!(found.depth, Fx::MAX, "{shape:?}");
    }
}

#[test]
fn a_half_space_that_moves_touches_where_the_other_shape_is() {
    let ground = Shape::from(HalfSpace::ground(fx!(0)));
    let inside = Shape::from(Sphere::new(vec3(fx!(0), fx!(0.5), fx!(0)), fx!(1)).unwrap());
    let hit = cast_shape(&ground, Vec3::Y, &inside).unwrap();
    assert!(hit.is_inside());
    assert!(HalfSpace::ground(fx!(0)).contains(hit.point), "{}", hit.point);
    // On the way there its points leave the range.
    let ball = Shape::from(Sphere::new(vec3(fx!(2000000000), fx!(1), fx!(0)), fx!(0.5)).unwrap());
    let hit = cast_shape(&ground, vec3(fx!(-1000000000), fx!(1), fx!(0)), &ball).unwrap();
    assert_eq!(hit.point, vec3(fx!(2000000000), fx!(0.5), fx!(0)));
    assert_eq!((hit.fraction, hit.normal), (fx!(0.5), Vec3::NEG_Y));
}
