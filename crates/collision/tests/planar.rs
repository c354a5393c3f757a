//! The laws of the plane: three answers one unit apart, symmetry under swap, mirror and translation to the bit,
//! sound answers for arbitrary shapes, and ids that stay.

use isostep_collision::planar::{
    Aabb2, Circle, Manifold2, ManifoldPoint2, Obb2, Polygon, Ray2, Rotation2, Shape2, closest_points,
    distance, manifold, overlaps, penetrates, penetration,
};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec2, fx, vec2};
use proptest::prelude::*;

fn square_at(x: Fx, y: Fx) -> Aabb2 {
    Aabb2::from_center_half_extents(vec2(x, y), Vec2::splat(Fx::HALF)).unwrap()
}

fn as_polygon(aabb: &Aabb2) -> Polygon {
    Polygon::new(&aabb.corners()).unwrap()
}

#[test]
fn a_unit_apart_touching_and_a_unit_deep_are_three_answers_for_every_kind_anywhere() {
    for base in [fx!(0), fx!(1000000000), fx!(-1000000000)] {
        let kinds = |x: Fx| -> [Shape2; 4] {
            let square = square_at(x, base);
            let circle = Circle::new(vec2(x, base), Fx::HALF).unwrap();
            [square.into(), square.to_obb().unwrap().into(), as_polygon(&square).into(), circle.into()]
        };
        for a in kinds(base) {
            let answers = [Fx::EPSILON, fx!(0), -Fx::EPSILON].map(|gap| {
                kinds(base + Fx::ONE + gap).map(|b| {
                    let depth = penetration(&a, &b).map_or(fx!(0), |found| found.depth);
                    (overlaps(&a, &b), penetrates(&a, &b), distance(&a, &b), depth)
                })
            });
            let unit = Fx::EPSILON;
            let expected =
                [(false, false, unit, fx!(0)), (true, false, fx!(0), fx!(0)), (true, true, fx!(0), unit)];
            assert_eq!(answers, expected.map(|answer| [answer; 4]), "{a:?}");
        }
    }
}

#[test]
fn a_box_on_the_floor_has_two_points_that_keep_their_ids_while_it_sways() {
    let floor = Aabb2::new(vec2(fx!(-10), fx!(-1)), vec2(fx!(10), fx!(0))).unwrap();
    let mut ids = Vec::new();
    for step in -20..=20 {
        let angle = Fx::from_ratio(step, 2000);
        let center = vec2(Fx::from_ratio(step, 100), fx!(0.499) + Fx::from_ratio(step % 3, 1000));
        let held = Obb2::new(center, Vec2::splat(Fx::HALF), Rotation2::from_angle(angle)).unwrap();
        let contact = manifold(&floor, &held, fx!(0.05)).unwrap();
        assert!(contact.normal().y > fx!(0.9999));
        ids.push(contact.points().iter().map(|point| point.id).collect::<Vec<_>>());
    }
    assert_eq!(ids[0].len(), 2);
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
}

#[test]
fn equal_boxes_on_each_other_keep_their_ids_whichever_edge_is_the_reference() {
    let below = Obb2::new(Vec2::ZERO, Vec2::splat(Fx::HALF), Rotation2::IDENTITY).unwrap();
    let ids = |slide: i64, lean: i64| {
        let rotation = Rotation2::from_angle(Fx::from_bits(lean));
        let center = vec2(Fx::from_bits(slide), Fx::from_bits(Fx::ONE.to_bits() - 5000));
        let above = Obb2::new(center, Vec2::splat(Fx::HALF), rotation).unwrap();
        let contact = manifold(&below, &above, fx!(0.01)).unwrap();
        contact.points().iter().map(|point| point.id).collect::<Vec<_>>()
    };
    let at_rest = ids(0, 0);
    assert_eq!(at_rest.len(), 2);
    for noise in 0..1000 {
        assert_eq!(ids(noise % 37 - 18, noise * 7 % 4001 - 2000), at_rest, "{noise}");
    }
}

#[test]
fn corners_that_near_each_other_touch_along_the_line_between_them() {
    let a = square_at(fx!(0), fx!(0));
    let b = square_at(fx!(1.375), fx!(1.5));
    let contact = manifold(&a, &b, fx!(0.7)).unwrap();
    let [point] = contact.points() else { panic!("{contact:?}") };
    assert_eq!((contact.normal(), point.separation), (vec2(fx!(0.6), fx!(0.8)), fx!(0.625)));
    assert_eq!((point.point_a, point.point_b), (vec2(fx!(0.5), fx!(0.5)), vec2(fx!(0.875), Fx::ONE)));
    assert_eq!(manifold(&a, &b, fx!(0.62)), None);
}

#[test]
fn rays_enter_where_the_border_is() {
    let ray = Ray2::new(vec2(fx!(-4), fx!(0.25)), vec2(fx!(8), fx!(0)));
    let square = square_at(fx!(0), fx!(0));
    let hit = square.cast_ray(&ray).unwrap();
    assert_eq!((hit.normal, hit.point), (Vec2::NEG_X, vec2(fx!(-0.5), fx!(0.25))));
    assert_eq!(hit.fraction, fx!(3.5) / fx!(8));
    let circle = Circle::new(vec2(fx!(0), fx!(-2.75)), fx!(5)).unwrap();
    let from_left = Ray2::new(vec2(fx!(-12), fx!(0.25)), vec2(fx!(16), fx!(0)));
    let hit = circle.cast_ray(&from_left).unwrap();
    assert_eq!((hit.fraction, hit.point), (fx!(0.5), vec2(fx!(-4), fx!(0.25))));
    assert_eq!(hit.normal, vec2(fx!(-0.8), fx!(0.6)));
    // Along an edge and through a corner: touching counts; a unit beside does not.
    let graze = |y: Fx| square.cast_ray(&Ray2::new(vec2(fx!(-1), y), Vec2::X)).is_some();
    assert!(graze(Fx::HALF) && !graze(Fx::HALF + Fx::EPSILON));
    let graze = |y: Fx| circle.cast_ray(&Ray2::new(vec2(fx!(-9), y), vec2(fx!(99), fx!(0)))).is_some();
    assert!(graze(fx!(2.25)) && !graze(fx!(2.25) + Fx::EPSILON));
    // Just reached, and not.
    let reach = |x: Fx| square.cast_ray(&Ray2::new(vec2(fx!(-4), fx!(0)), vec2(x, fx!(0)))).is_some();
    assert!(reach(fx!(3.5)) && !reach(fx!(3.5) - Fx::EPSILON));
    // From inside: at once, without a normal.
    let inside = square.cast_ray(&Ray2::new(Vec2::ZERO, Vec2::X)).unwrap();
    assert_eq!((inside.fraction, inside.normal, inside.point), (fx!(0), Vec2::ZERO, Vec2::ZERO));
}

#[test]
fn the_ends_of_the_range_are_no_special_case() {
    let far = Circle::new(Vec2::MAX, fx!(1)).unwrap();
    let square = square_at(fx!(-2000000000), fx!(-2000000000));
    assert_eq!(distance(&square, &far), Fx::MAX);
    assert!(!overlaps(&square, &far) && manifold(&square, &far, Fx::MAX).is_none());
    let level = Circle::new(vec2(fx!(1000000), fx!(0)), fx!(1)).unwrap();
    assert!(distance(&square_at(fx!(0), fx!(0)), &level).abs_diff_eq(fx!(999998.5), Fx::from_bits(32)));
    let ray = Ray2::new(Vec2::MIN, Vec2::MAX);
    assert!(square_at(fx!(-5), fx!(-5)).cast_ray(&ray).is_some());
    assert!(Circle::new(vec2(fx!(-5), fx!(-5)), fx!(1)).unwrap().cast_ray(&ray).is_some());
}

/// A shape around the origin, of sizes from a few units to metres, often with coordinates that coincide.
fn any_shape(rng: &mut Rng) -> Shape2 {
    let reach = [4, 64, 1 << 20, 1 << 32, 1 << 34][rng.below(5) as usize];
    let mut length = |from| Fx::from_bits(rng.range_i64(from, reach));
    let (center, half) = (vec2(length(-reach), length(-reach)), vec2(length(1), length(1)));
    let points: Vec<Vec2> = (0..8).map(|_| center + vec2(length(-reach), length(-reach))).collect();
    match rng.below(4) {
        0 => Circle::new(center, half.x).unwrap().into(),
        1 => Aabb2::from_center_half_extents(center, half).unwrap().into(),
        2 => Obb2::new(center, half, Rotation2::from_angle(rng.angle())).unwrap().into(),
        _ => Polygon::from_points(&points).map_or_else(|_| any_shape(rng), Shape2::Polygon),
    }
}

/// The shape with every point mapped.
fn mapped(shape: &Shape2, map: &dyn Fn(Vec2) -> Vec2) -> Shape2 {
    let origin = map(Vec2::ZERO);
    match shape {
        Shape2::Circle(circle) => Circle::new(map(circle.center()), circle.radius()).unwrap().into(),
        Shape2::Aabb(aabb) => {
            let (p, q) = (map(aabb.min()), map(aabb.max()));
            Aabb2::new(p.min(q), p.max(q)).unwrap().into()
        }
        Shape2::Box(obb) => {
            let axis = map(obb.rotation().x_axis()) - origin;
            let rotation = Rotation2::from_cos_sin(axis.x, axis.y).unwrap();
            Obb2::new(map(obb.center()), obb.half_extents(), rotation).unwrap().into()
        }
        Shape2::Polygon(polygon) => {
            let mut vertices: Vec<Vec2> = polygon.vertices().iter().map(|v| map(*v)).collect();
            let is_mirrored = Polygon::new(&vertices).is_err();
            if is_mirrored {
                vertices.reverse();
            }
            Polygon::new(&vertices).unwrap().into()
        }
        _ => unreachable!(),
    }
}

/// A pair that is near each other: touching, penetrating or apart.
fn any_pair(rng: &mut Rng) -> (Shape2, Shape2) {
    let (a, b) = (any_shape(rng), any_shape(rng));
    let way = match rng.below(3) {
        0 => Vec2::ZERO,
        1 => match penetration(&a, &b) {
            Some(found) => found.translation_of_b(),
            None => closest_points(&a, &b).map_or(Vec2::ZERO, |found| found.point_a - found.point_b),
        },
        _ => a.to_aabb().max() - b.to_aabb().min(),
    };
    let noise = vec2(Fx::from_bits(rng.range_i64(-2, 2)), Fx::from_bits(rng.range_i64(-2, 2)));
    (a, mapped(&b, &|p| p + way + noise))
}

/// Everything there is to know of a pair, the points in an order that depends on nothing but them.
fn answers(a: &Shape2, b: &Shape2, map: &dyn Fn(Vec2) -> Vec2, turn: &dyn Fn(Vec2) -> Vec2) -> Vec<Vec2> {
    let yes = |answer: bool| if answer { Vec2::ONE } else { Vec2::ZERO };
    let mut all = vec![yes(overlaps(a, b)), yes(penetrates(a, b)), Vec2::splat(distance(a, b))];
    if let Some(found) = penetration(a, b) {
        all.extend([turn(found.direction), Vec2::splat(found.depth)]);
    }
    if let Some(found) = closest_points(a, b) {
        all.extend([turn(found.direction), map(found.point_a), map(found.point_b)]);
    }
    if let Some(found) = manifold(a, b, fx!(0.125)) {
        all.push(turn(found.normal()));
        let point = |p: &ManifoldPoint2| [map(p.point_a), map(p.point_b), Vec2::splat(p.separation)];
        let mut points: Vec<[Vec2; 3]> = found.points().iter().map(point).collect();
        points.sort_unstable_by_key(|p| p.map(|v| (v.x, v.y)));
        all.extend(points.concat());
    }
    all
}

const CASES: usize = 100_000;

#[test]
fn a_pair_moved_by_any_offset_gives_the_same_bits() {
    let mut rng = Rng::new(1, 0);
    for _ in 0..CASES {
        let (a, b) = any_pair(&mut rng);
        let far = fx!(2000000000);
        let offset = vec2(rng.fx_range(-far, far), rng.fx_range(-far, far));
        let there = [a, b].map(|shape| mapped(&shape, &|p| p + offset));
        let same = |v: Vec2| v;
        let expected = answers(&a, &b, &same, &same);
        assert_eq!(answers(&there[0], &there[1], &|p| p - offset, &same), expected, "{a:?} {b:?} {offset}");
    }
}

/// Whether the last rules for ties, which know the positive side, may have decided.
fn is_its_own_mirror_image(a: &Shape2, b: &Shape2) -> bool {
    let middle = |shape: &Shape2| shape.to_aabb().min() + shape.to_aabb().max();
    let between = middle(b) - middle(a);
    between.x.is_zero() || between.y.is_zero()
}

/// Points on both, separation, and the two corners.
type Point = (Vec2, Vec2, Fx, u8, u8);

/// Normal and points as they would be for the shapes in the other order.
fn swapped(found: Manifold2) -> (Vec2, Vec<Point>) {
    let point = |p: &ManifoldPoint2| (p.point_b, p.point_a, p.separation, p.id.b, p.id.a);
    let mut points: Vec<Point> = found.points().iter().map(point).collect();
    points.sort_unstable_by_key(|p| (p.3, p.4));
    (-found.normal(), points)
}

#[test]
fn swapping_the_shapes_negates_the_direction_and_swaps_the_points() {
    let mut rng = Rng::new(2, 0);
    for _ in 0..CASES {
        let (a, b) = any_pair(&mut rng);
        if is_its_own_mirror_image(&a, &b) {
            continue;
        }
        let flipped = penetration(&b, &a).map(|p| (-p.direction, p.depth));
        assert_eq!(penetration(&a, &b).map(|p| (p.direction, p.depth)), flipped, "{a:?} {b:?}");
        let flipped = closest_points(&b, &a).map(|p| (p.distance, -p.direction, p.point_b, p.point_a));
        let straight = closest_points(&a, &b).map(|p| (p.distance, p.direction, p.point_a, p.point_b));
        assert_eq!(straight, flipped, "{a:?} {b:?}");
        let straight = manifold(&a, &b, fx!(0.125)).map(|found| {
            let points = found.points().iter().map(|p| (p.point_a, p.point_b, p.separation, p.id.a, p.id.b));
            (found.normal(), points.collect::<Vec<_>>())
        });
        assert_eq!(straight, manifold(&b, &a, fx!(0.125)).map(swapped), "{a:?} {b:?}");
    }
}

#[test]
fn a_mirrored_scene_gives_the_mirrored_answer() {
    let mut rng = Rng::new(3, 0);
    let mirrors: [fn(Vec2) -> Vec2; 3] = [|p| vec2(-p.x, p.y), |p| vec2(p.x, -p.y), |p| -p];
    for _ in 0..CASES {
        let (a, b) = any_pair(&mut rng);
        if is_its_own_mirror_image(&a, &b) {
            continue;
        }
        for mirror in mirrors {
            let image = [a, b].map(|shape| mapped(&shape, &mirror));
            let same = |v: Vec2| v;
            let expected = answers(&a, &b, &same, &same);
            assert_eq!(answers(&image[0], &image[1], &mirror, &mirror), expected, "{a:?} {b:?}");
        }
    }
}

#[test]
fn moving_b_by_the_penetration_separates_to_within_its_rounding() {
    let mut rng = Rng::new(4, 0);
    for _ in 0..CASES {
        let (a, b) = any_pair(&mut rng);
        let Some(found) = penetration(&a, &b) else { continue };
        let moved = mapped(&b, &|p| p + found.translation_of_b());
        // Half a unit each of the depth, of the direction times it, and of the product.
        let left = penetration(&a, &moved).map_or(fx!(0), |left| left.depth);
        assert!(left <= Fx::from_bits(3) + found.depth * fx!(0.000000001), "{a:?} {b:?} {found:?} {left}");
    }
}

#[test]
fn closest_points_of_a_shape_are_in_it_and_no_nearer_point_of_its_border_exists() {
    let mut rng = Rng::new(5, 0);
    let (mut rays, mut hits) = (0, 0);
    for _ in 0..CASES / 10 {
        let shape = any_shape(&mut rng);
        let reach = shape.to_aabb().half_extents().max_element() * fx!(4);
        let point = vec2(rng.fx_range(-reach, reach), rng.fx_range(-reach, reach)) + shape.to_aabb().center();
        let closest = shape.closest_point(point);
        assert!(closest == point || !shape.contains(point));
        assert!(shape.to_aabb().contains(closest), "{shape:?} {point} {closest}");
        let around = Circle::new(closest, Fx::from_bits(2)).unwrap();
        assert!(overlaps(&around, &shape), "{shape:?} {point} {closest}");
        // A ray straight at it meets the shape there; past an acute corner it may go on outside.
        let way = closest - point;
        if way.length() > fx!(0.0001) {
            rays += 1;
            if let Some(hit) = shape.cast_ray(&Ray2::new(point, way + way * Fx::HALF)) {
                let off = hit.point.distance(closest);
                assert!(
                    off < way.length() * fx!(0.05) + Fx::from_bits(8),
                    "{shape:?} {point} {closest} {hit:?}"
                );
                hits += 1;
            }
        }
    }
    assert!(rays > CASES / 40 && hits > rays / 10 * 8, "{hits} of {rays}");
}

fn any_bits() -> impl Strategy<Value = Fx> {
    prop_oneof![any::<i64>(), -4_i64..4, (0_u32..64).prop_map(|bit| 1_i64.rotate_left(bit)), Just(i64::MAX)]
        .prop_map(Fx::from_bits)
}

fn any_point() -> impl Strategy<Value = Vec2> {
    (any_bits(), any_bits()).prop_map(|(x, y)| vec2(x, y))
}

/// Whatever the constructors take, of arbitrary bits, with extents cut down to what is allowed.
fn arbitrary_shape() -> impl Strategy<Value = Shape2> {
    let extent = || any_bits().prop_map(|e| Fx::from_bits((e.to_bits() >> 16).abs().max(1)));
    let half = (extent(), extent()).prop_map(|(x, y)| vec2(x, y));
    (any_point(), half, any_bits(), prop::collection::vec(any_point(), 3..9), 0_u8..4).prop_map(
        |(center, half, angle, points, kind)| {
            let circle = Circle::new(center, half.x).unwrap();
            let obb = Obb2::new(center, half, Rotation2::from_angle(angle)).unwrap();
            let near: Vec<Vec2> =
                points.iter().map(|p| center + p.map(|c| Fx::from_bits(c.to_bits() >> 17))).collect();
            match kind {
                0 => circle.into(),
                1 => Aabb2::from_center_half_extents(center, half).unwrap().into(),
                2 => obb.into(),
                _ => Polygon::from_points(&near).map_or(obb.into(), Shape2::Polygon),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn arbitrary_bits_never_panic(
        a in arbitrary_shape(), b in arbitrary_shape(), there: bool, p in any_point(), q in any_point(),
        m in any_bits(), corners in any::<[[i64; 2]; 4]>(),
    ) {
        let b = if there { b } else {
            let way = a.to_aabb().center() - b.to_aabb().center();
            match b {
                Shape2::Circle(circle) => circle.translate(way).into(),
                Shape2::Aabb(aabb) => aabb.translate(way).into(),
                Shape2::Box(obb) => obb.transformed(&Rotation2::IDENTITY, way).into(),
                other => other,
            }
        };
        let meets = overlaps(&a, &b);
        prop_assert_eq!(meets, overlaps(&b, &a));
        prop_assert_eq!(penetrates(&a, &b), penetration(&a, &b).is_some());
        prop_assert_eq!(penetrates(&a, &b), closest_points(&a, &b).is_none());
        prop_assert_eq!(meets, distance(&a, &b).is_zero());
        prop_assert!(!meets || manifold(&a, &b, m).is_some());
        for shape in [a, b] {
            let _ = (shape.contains(p), shape.closest_point(p), shape.mass_properties());
            let _ = (shape.cast_ray(&Ray2::new(p, q)), shape.project(q).gap(&shape.project(p)));
            prop_assert!(shape.edge_normals().all(Vec2::is_normalized));
        }
        let corners = corners.map(|[x, y]| vec2(Fx::from_bits(x), Fx::from_bits(y)));
        let _ = (Obb2::from_vertices(corners, m), Polygon::new(&corners), Polygon::from_points(&corners));
        let _ = (Aabb2::new(p, q), Rotation2::from_cos_sin(p.x, p.y));
    }
}

/// Whether the point is on the shape, or off it by no more than its rounding.
fn is_on(shape: &Shape2, point: Vec2) -> bool {
    overlaps(&Circle::new(point, Fx::from_bits(4)).unwrap(), shape)
}

#[test]
fn points_of_contacts_lie_on_both_shapes() {
    let mut rng = Rng::new(6, 0);
    let mut points = 0;
    for _ in 0..CASES {
        let (a, b) = any_pair(&mut rng);
        // Which of two edges is the reference has a tolerance of the longer one.
        if [a, b].iter().any(|shape| shape.to_aabb().half_extents().max_element() < fx!(0.01)) {
            continue;
        }
        let Some(found) = manifold(&a, &b, fx!(0.125)) else { continue };
        for point in found.points() {
            assert!(is_on(&a, point.point_a) && is_on(&b, point.point_b), "{a:?} {b:?} {found:?}");
        }
        points += found.points().len();
    }
    assert!(points > CASES / 10, "{points}");
}

#[test]
fn a_row_of_edges_that_are_nearly_parallel_touches_where_it_is_above_the_other_shape() {
    let ground = Aabb2::new(vec2(fx!(-1), fx!(-1)), vec2(fx!(1), fx!(0))).unwrap();
    let mut rng = Rng::new(7, 0);
    let mut pairs = 0;
    for _ in 0..CASES / 10 {
        // A hull like a keel, flat to a millionth, of which the deepest corner may be beside the ground.
        let corners: Vec<Vec2> = (0..6)
            .map(|i| {
                vec2(fx!(-1.5) + Fx::from_int(i) * fx!(0.75), fx!(-0.1) - rng.fx_range(fx!(0), fx!(0.000001)))
            })
            .chain([vec2(fx!(0), fx!(2))])
            .collect();
        let Ok(keel) = Polygon::from_points(&corners) else { continue };
        let contact = manifold(&ground, &keel, fx!(0.01)).unwrap();
        for point in contact.points() {
            let on_both = is_on(&ground.into(), point.point_a) && is_on(&keel.into(), point.point_b);
            assert!(on_both, "{keel:?} {contact:?}");
        }
        pairs += usize::from(contact.points().len() == 2);
    }
    assert!(pairs > CASES / 20, "{pairs}");
}

#[test]
fn boxes_without_width_touch_along_their_length_and_from_where_they_are() {
    let square = Aabb2::new(vec2(fx!(-3.5), fx!(-3)), vec2(fx!(3.5), fx!(3))).unwrap();
    for side in [fx!(-3.75), fx!(3.75)] {
        let wall = Aabb2::new(vec2(side, fx!(-4)), vec2(side, fx!(-1))).unwrap();
        let contact = manifold(&square, &wall, fx!(1)).unwrap();
        let heights: Vec<Fx> = contact.points().iter().map(|point| point.point_b.y).collect();
        assert_eq!(heights.iter().min().zip(heights.iter().max()), Some((&fx!(-3), &fx!(-1))), "{contact:?}");
    }
    // Where one ends at the other they part the way that the middles lie.
    let lying = Aabb2::new(vec2(fx!(0), fx!(0)), vec2(fx!(2), fx!(0))).unwrap();
    let standing = Aabb2::new(vec2(fx!(1.5), fx!(0)), vec2(fx!(1.5), fx!(2))).unwrap();
    let (there, back) =
        (closest_points(&lying, &standing).unwrap(), closest_points(&standing, &lying).unwrap());
    assert_eq!((there.direction, back.direction), (Vec2::Y, Vec2::NEG_Y));
    assert_eq!((there.point_a, there.point_b), (back.point_b, back.point_a));
}
