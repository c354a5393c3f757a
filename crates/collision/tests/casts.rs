//! Casts against the distance along the sweep in `f64`, which is a convex function of time; walls, needles and
//! grazing contacts.
#![allow(clippy::float_arithmetic)]

#[path = "distance/reference.rs"]
mod reference;
#[path = "distance/samples.rs"]
mod samples;

use isostep_collision::{Capsule, CastHit, HalfSpace, Obb, Ray, Shape, Sphere, cast_ray, cast_shape};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};
use reference::{Body, V, add, body, difference, dot, real, reference};
use samples::{pair, size};

const CASTS: u32 = 10_000;
const UNIT: f64 = 1.0 / 4_294_967_296.0;

/// The distance at a time; against a half-space the signed one.
fn gap(moving: &Body, travel: V, target: &Shape, resting: &Body, time: f64) -> f64 {
    let there = Body { center: add(moving.center, travel, time), ..moving.clone() };
    match target {
        Shape::HalfSpace(plane) => {
            let normal = plane.normal().to_array().map(real);
            let lowest = there
                .corners()
                .iter()
                .map(|&corner| dot(add(corner, resting.center, -1.0), normal))
                .fold(f64::MAX, f64::min);
            lowest / dot(normal, normal).sqrt() - there.radius
        }
        _ => reference(&there, resting),
    }
}

/// The least gap over the times from `low` to `high`, by golden sections of a convex function.
fn least_gap(gap: impl Fn(f64) -> f64, low: f64, high: f64, sections: u32) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    let (mut low, mut high, ends) = (low, high, gap(low).min(gap(high)));
    let (mut a, mut b) = (high - (high - low) * GOLDEN, low + (high - low) * GOLDEN);
    let (mut at_a, mut at_b) = (gap(a), gap(b));
    for _ in 0..sections {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - (high - low) * GOLDEN;
            at_a = gap(a);
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + (high - low) * GOLDEN;
            at_b = gap(b);
        }
    }
    ends.min(at_a).min(at_b)
}

struct Sweep {
    moving: Shape,
    displacement: Vec3,
    target: Shape,
}

/// A sweep that heads for the target more often than not.
fn sweep(rng: &mut Rng, kinds: (u32, u32)) -> Sweep {
    let (moving, mut target, scale) = pair(rng, kinds);
    if let (Shape::Box(a), Shape::Box(b)) = (&moving, &target) {
        // As on floors: turned differently about a direction that both have.
        if rng.below(3) == 0 {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][rng.below(3) as usize];
            let turn = Quat::from_axis_angle(axis, rng.fx_range(-Fx::PI, Fx::PI));
            let rotation = (a.rotation() * turn).normalize();
            target = Obb::new(b.center(), b.half_extents(), rotation).unwrap().into();
        }
    }
    let apart = match (&moving, &target) {
        (_, Shape::HalfSpace(h)) => -h.normal() * scale,
        _ => {
            let (a, b) = (moving.to_aabb().center(), target.to_aabb().center());
            b - a
        }
    };
    let aside = rng.unit_vec3() * (scale * size(rng, -12, 0));
    let displacement = match rng.below(8) {
        0 => rng.unit_vec3() * scale,
        1 => apart * fx!(0.5),
        2 => (apart + aside) * fx!(50),
        _ => (apart + aside) * fx!(2),
    };
    Sweep { moving, displacement, target }
}

/// Checks one cast, and says whether it hit.
fn check(index: u32, sweep: &Sweep, hit: Option<CastHit>) -> bool {
    check_grown(index, sweep, hit, 1.0)
}

/// The same for the centre of a moving ball.
fn check_point(index: u32, sweep: &Sweep, hit: Option<CastHit>) -> bool {
    check_grown(index, sweep, hit, 0.0)
}

fn check_grown(index: u32, sweep: &Sweep, hit: Option<CastHit>, radius: f64) -> bool {
    let Sweep { moving, displacement, target } = sweep;
    let origin = match target {
        Shape::HalfSpace(plane) => plane.point(),
        _ => target.to_aabb().center(),
    };
    let (mut first, travel) = (body(moving, origin), displacement.to_array().map(real));
    first.radius *= radius;
    let resting = match target {
        Shape::HalfSpace(_) => Body { center: [0.0; 3], spans: vec![], radius: 0.0 },
        _ => body(target, origin),
    };
    let gap = |time: f64| gap(&first, travel, target, &resting, time);
    let way = dot(travel, travel).sqrt();
    let extent =
        |body: &Body| body.radius + body.spans.iter().map(|&span| dot(span, span).sqrt()).sum::<f64>();
    let between = add(resting.center, first.center, -1.0);
    // A gap that a cast may take for none, by its documentation.
    let none = (2.0 + (1.0 - radius) * way) * UNIT
        + 4e-12 * (way + extent(&first) + extent(&resting) + dot(between, between).sqrt());
    let about = || format!("cast {index}: {moving:?} by {displacement} to {target:?}: {hit:?}");
    let Some(hit) = hit else {
        let least = least_gap(gap, 0.0, 1.0, 40);
        // A touch at the start that parts is a miss.
        assert!(least > -none || (gap(0.0) < none && gap(1e-3) >= gap(0.0) - none), "{least} {}", about());
        return false;
    };
    let time = real(hit.fraction);
    if hit.is_inside() {
        assert!(gap(0.0) < none && hit.normal == Vec3::ZERO && time == 0.0, "{}", about());
        return true;
    }
    // Never through, and never early by more than the time that a gap of nothing takes.
    let there = gap(time);
    assert!(there > -none, "deep by {there}: {}", about());
    let later = (time + 1.0 / 65536.0).min(1.0);
    let least = least_gap(gap, time, later, 8);
    assert!(least < none + way * UNIT, "early by {least}: {}", about());
    // The point is on both shapes, and the normal is that of a plane between the two.
    if !matches!(target, Shape::HalfSpace(_)) {
        let off = resting.distance_of(difference(hit.point, origin)) - resting.radius;
        assert!(off.abs() < 2.0 * UNIT + none, "point off by {off}: {}", about());
        let normal = hit.normal.to_array().map(real);
        let there = Body { center: add(first.center, travel, time), ..first.clone() };
        let off = there.distance_of(difference(hit.point, origin)) - there.radius;
        assert!(off < 2.0 * UNIT + none + way * UNIT, "point beside what moves by {off}: {}", about());
        let open = reference::along(&resting, &there, normal).gap - first.radius - resting.radius;
        assert!(open > -none - 1e-9 * (extent(&first) + extent(&resting)), "plane {open}: {}", about());
    }
    true
}

fn check_all(kinds: (u32, u32)) {
    let mut rng = Rng::new(5, u64::from(kinds.0 * 4 + kinds.1));
    let mut hits = 0;
    for index in 0..CASTS {
        let sweep = sweep(&mut rng, kinds);
        let hit = cast_shape(&sweep.moving, sweep.displacement, &sweep.target);
        hits += u32::from(check(index, &sweep, hit));
    }
    println!("{kinds:?}: {hits} hits");
    assert!(hits * 3 > CASTS && hits * 50 < CASTS * 49, "{kinds:?}: {hits} hits");
}

#[test]
fn spheres_touch_first_where_the_distance_says() {
    (0..4).for_each(|kind| check_all((0, kind)));
}

#[test]
fn boxes_touch_first_where_the_distance_says() {
    (0..4).for_each(|kind| check_all((1, kind)));
}

#[test]
fn capsules_touch_first_where_the_distance_says() {
    (0..4).for_each(|kind| check_all((2, kind)));
}

/// Rays are casts of points; those of the solid test above with a ball of no radius.
#[test]
fn rays_enter_where_the_distance_says() {
    for kind in 0..4 {
        let mut rng = Rng::new(6, u64::from(kind));
        let mut hits = 0;
        for index in 0..CASTS {
            let Sweep { moving, displacement, target } = sweep(&mut rng, (0, kind));
            let Shape::Sphere(ball) = moving else { unreachable!() };
            let ray = Ray::new(ball.center(), displacement);
            let hit = cast_ray(&target, &ray);
            let sweep = Sweep { moving, displacement, target };
            let as_cast = hit.map(|hit| {
                assert_eq!(hit.point, ray.at(hit.fraction));
                CastHit { fraction: hit.fraction, point: hit.point, normal: hit.normal }
            });
            hits += u32::from(check_point(index, &sweep, as_cast));
            if let Some(hit) = hit {
                let shorter = ray.with_max_fraction(hit.fraction);
                assert_eq!(cast_ray(&target, &shorter), Some(hit));
                if hit.fraction > Fx::ZERO {
                    assert_eq!(cast_ray(&target, &ray.with_max_fraction(hit.fraction - Fx::EPSILON)), None);
                }
            }
        }
        println!("rays at {kind}: {hits} hits");
        assert!(hits * 3 > CASTS, "{hits} hits");
    }
}

fn wall(thickness: Fx, rotation: Quat) -> Shape {
    Obb::new(Vec3::ZERO, vec3(thickness.saturating_mul(Fx::HALF), fx!(20), fx!(20)), rotation).unwrap().into()
}

#[test]
fn nothing_fast_passes_a_wall_of_a_centimetre() {
    let mut rng = Rng::new(7, 0);
    for index in 0..2000 {
        let rotation = if index % 2 == 0 { Quat::IDENTITY } else { rng.unit_quat().normalize() };
        let wall = wall(fx!(0.01), rotation);
        // From 250 m on one side, through a point of the wall, to the other.
        let aim = rotation * vec3(fx!(0), rng.fx_range(fx!(-15), fx!(15)), rng.fx_range(fx!(-15), fx!(15)));
        let heading = (rotation * Vec3::X + rng.unit_vec3() * fx!(0.5)).normalize();
        let from = aim - heading * fx!(250);
        let small = rng.fx_range(fx!(0.001), fx!(0.02));
        let shapes: [Shape; 3] = [
            Sphere::new(from, small).unwrap().into(),
            Capsule::new(from, from + rng.unit_vec3() * small, small).unwrap().into(),
            Obb::new(from, Vec3::new(small, small, fx!(0.001)), rng.unit_quat().normalize()).unwrap().into(),
        ];
        let way = heading * fx!(500);
        for shape in shapes {
            let hit = cast_shape(&shape, way, &wall).expect("passed the wall");
            assert!(!hit.is_inside() && hit.fraction < Fx::HALF && hit.fraction > fx!(0.49), "{hit:?}");
            assert!(hit.normal.dot(heading) < Fx::ZERO, "{hit:?}");
        }
        let hit = cast_ray(&wall, &Ray::new(from, way)).expect("passed the wall");
        assert!(hit.fraction < Fx::HALF && hit.fraction > fx!(0.49), "{hit:?}");
    }
}

/// What is beyond the bits of a pair is no reason to start inside, or to have no normal.
#[test]
fn specks_hit_specks_over_a_million_kilometres() {
    let mut rng = Rng::new(10, 0);
    let speck = |rng: &mut Rng, kind: u32, center: Vec3| -> Shape {
        let mut extent = || Fx::from_bits(rng.range_i64(1, 1 << 12));
        let (x, y, z) = (extent(), extent(), extent());
        match kind {
            0 => Sphere::new(center, x).unwrap().into(),
            1 => Capsule::new(center, center + vec3(x, y, z), y).unwrap().into(),
            _ => Obb::new(center, vec3(x, y, z), rng.unit_quat().normalize()).unwrap().into(),
        }
    };
    let mut hits = 0;
    for index in 0..3000 {
        let to = rng.unit_vec3() * fx!(500000000);
        let distance = fx!(0.1) * Fx::from_int(1 << rng.below(31));
        let way = rng.unit_vec3() * distance;
        let target = speck(&mut rng, index % 3, to);
        // Half way there, and on as far.
        let moving = speck(&mut rng, index / 3 % 3, to - way);
        let double = way * fx!(2);
        let hit = cast_shape(&moving, double, &target);
        let ray = cast_ray(&target, &Ray::new(to - way, double));
        let answers = [hit.map(|hit| (hit.fraction, hit.normal)), ray.map(|hit| (hit.fraction, hit.normal))];
        for (fraction, normal) in answers.into_iter().flatten() {
            hits += 1;
            assert!(
                (normal.length() - Fx::ONE).abs() < fx!(0.001),
                "{index}: {normal} {moving:?} {target:?}"
            );
            // By a unit of the fraction, or by a few of the shapes.
            let off = (fraction - Fx::HALF).abs() * distance;
            let size = Fx::from_bits(1 << 16);
            assert!(off <= size + distance * Fx::from_bits(4), "{index}: {fraction} {moving:?} {target:?}");
        }
        assert!(hit.is_some(), "{index}: {moving:?} {double} {target:?}");
    }
    assert!(hits > 4000, "{hits}");
}

#[test]
fn grazing_is_told_from_missing_within_a_micrometre() {
    let target: Shape = Sphere::from_radius(fx!(1)).unwrap().into();
    let post: Shape = Capsule::along_y(fx!(3), fx!(1)).unwrap().into();
    let block: Shape = Obb::from_half_extents(Vec3::ONE).unwrap().into();
    for (offset, expected) in [(fx!(-0.000001), true), (fx!(0.000001), false)] {
        let start = vec3(fx!(-100), fx!(0), fx!(1.5) + offset);
        let ball: Shape = Sphere::new(start, fx!(0.5)).unwrap().into();
        let rod: Shape = Capsule::new(start - Vec3::Y, start + Vec3::Y, fx!(0.5)).unwrap().into();
        let crate_: Shape = Obb::new(start, Vec3::splat(fx!(0.5)), Quat::IDENTITY).unwrap().into();
        let way = vec3(fx!(200), fx!(0), fx!(0));
        for moving in [ball, rod, crate_] {
            for target in [target, post, block] {
                let hit = cast_shape(&moving, way, &target);
                assert_eq!(hit.is_some(), expected, "{moving:?} {target:?} {hit:?}");
            }
        }
        let ray = Ray::new(vec3(fx!(-100), fx!(0), fx!(1) + offset), way);
        for target in [target, post, block] {
            assert_eq!(cast_ray(&target, &ray).is_some(), expected, "{target:?}");
        }
    }
}

#[test]
fn shapes_that_touch_slide_and_part_freely_but_do_not_go_deeper() {
    let floor: [Shape; 2] = [
        Obb::new(vec3(fx!(0), fx!(-1), fx!(0)), vec3(fx!(9), fx!(1), fx!(9)), Quat::IDENTITY).unwrap().into(),
        HalfSpace::ground(fx!(0)).into(),
    ];
    let standing: [Shape; 4] = [
        Obb::new(vec3(fx!(0), fx!(1), fx!(0)), Vec3::ONE, Quat::IDENTITY).unwrap().into(),
        Sphere::new(vec3(fx!(0), fx!(1), fx!(0)), fx!(1)).unwrap().into(),
        Capsule::new(vec3(fx!(0), fx!(1), fx!(0)), vec3(fx!(0), fx!(2), fx!(0)), fx!(1)).unwrap().into(),
        Obb::new(vec3(fx!(0), fx!(1), fx!(0)), Vec3::ONE, Quat::from_rotation_y(fx!(0.3))).unwrap().into(),
    ];
    for floor in floor {
        for standing in standing {
            assert_eq!(cast_shape(&standing, vec3(fx!(5), fx!(0), fx!(1)), &floor), None, "{standing:?}");
            assert_eq!(cast_shape(&standing, vec3(fx!(1), fx!(3), fx!(0)), &floor), None, "{standing:?}");
            let hit = cast_shape(&standing, vec3(fx!(1), fx!(-0.01), fx!(0)), &floor).unwrap();
            assert_eq!((hit.fraction, hit.normal, hit.is_inside()), (fx!(0), Vec3::Y, false), "{standing:?}");
        }
        let ray = |way: Vec3| cast_ray(&floor, &Ray::new(vec3(fx!(1), fx!(0), fx!(2)), way));
        assert_eq!(ray(vec3(fx!(5), fx!(0), fx!(1))), None, "{floor:?}");
        assert_eq!(ray(vec3(fx!(5), fx!(0.01), fx!(1))), None, "{floor:?}");
        assert_eq!(ray(vec3(fx!(5), fx!(-0.01), fx!(1))).map(|hit| hit.fraction), Some(fx!(0)), "{floor:?}");
    }
}

/// Tiles of a floor: a ray straight down between them, down an edge of the floor, along a side or an edge of a box.
#[test]
fn no_ray_falls_through_where_boxes_meet() {
    let mut rng = Rng::new(9, 0);
    for _ in 0..200 {
        let [size, height] = [(); 2].map(|()| Fx::from_bits(rng.range_i64(1, 1 << 36)));
        let corner = rng.unit_vec3() * fx!(100);
        let tiles = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(|[x, z]| {
            let center = corner + vec3(size * Fx::from_int(x), -height, size * Fx::from_int(z));
            Shape::from(Obb::new(center, vec3(size, height, size), Quat::IDENTITY).unwrap())
        });
        let aside = size * rng.fx_range(Fx::ZERO, Fx::ONE);
        for top in
            [corner, corner + Vec3::X * aside, corner - Vec3::Z * aside, corner + Vec3::X * (size * fx!(2))]
        {
            for way in [Vec3::NEG_Y, vec3(fx!(0), fx!(-1), fx!(0.5)), vec3(fx!(-0.3), fx!(-1), fx!(0))] {
                let ray = Ray::new(top - way * fx!(3), way * fx!(8));
                let first =
                    tiles.iter().filter_map(|tile| cast_ray(tile, &ray)).min_by_key(|hit| hit.fraction);
                let hit = first.unwrap_or_else(|| panic!("{ray:?} falls through {tiles:?}"));
                assert!((hit.fraction - fx!(0.375)).abs() <= Fx::EPSILON, "{hit:?} of {ray:?}");
                assert!(
                    hit.normal == Vec3::Y || way.x != Fx::ZERO || way.z != Fx::ZERO,
                    "{hit:?} of {ray:?}"
                );
            }
        }
        // On the surface it starts in touch, and leads inward where it leaves no tile.
        let down = Ray::new(corner, Vec3::NEG_Y);
        assert!(tiles.iter().all(|tile| cast_ray(tile, &down).is_some_and(|hit| hit.fraction == fx!(0))));
        assert!(tiles.iter().all(|tile| cast_ray(tile, &Ray::new(corner, Vec3::Y)).is_none()));
        // From the middle of a face along it: out of one, and into the next where that begins.
        let along = Ray::new(corner + vec3(-size, fx!(0), size), Vec3::X * (size * fx!(2)));
        let hits = tiles.map(|tile| cast_ray(&tile, &along).map(|hit| hit.fraction));
        assert_eq!(hits, [None, None, None, Some(Fx::HALF)]);
    }
}

#[test]
fn a_cast_that_starts_inside_says_so_and_has_no_normal() {
    let block: Shape = Obb::from_half_extents(Vec3::ONE).unwrap().into();
    for other in [block, Sphere::from_radius(fx!(0.1)).unwrap().into(), HalfSpace::ground(fx!(0)).into()] {
        let hit = cast_shape(&block, Vec3::Y, &other).unwrap();
        assert!(hit.is_inside() && hit.fraction == fx!(0), "{hit:?}");
    }
    let hit = cast_ray(&block, &Ray::new(vec3(fx!(0.5), fx!(0), fx!(0)), Vec3::X)).unwrap();
    assert!(hit.is_inside() && hit.fraction == fx!(0) && hit.point == vec3(fx!(0.5), fx!(0), fx!(0)));
}

/// Moving one or the other the other way meets at the same time, to the bit; so do mirrored and moved scenes.
#[test]
fn relative_motion_mirrors_and_offsets_change_nothing_else() {
    let mut differing = 0;
    for kinds in (0..16).map(|i| (i / 4, i % 4)) {
        let mut rng = Rng::new(8, u64::from(kinds.0 * 4 + kinds.1));
        for _ in 0..1000 {
            let Sweep { moving, displacement, target } = if kinds.0 == 3 {
                let Sweep { moving, displacement, target } = sweep(&mut rng, (kinds.1, kinds.0));
                Sweep { moving: target, displacement: -displacement, target: moving }
            } else {
                sweep(&mut rng, kinds)
            };
            let hit = cast_shape(&moving, displacement, &target);
            let reverse = cast_shape(&target, -displacement, &moving);
            let (mirror_moving, mirror_target) = (samples::mirrored(&moving), samples::mirrored(&target));
            let mirror = cast_shape(&mirror_moving, samples::flip(displacement), &mirror_target);
            let times = |hit: Option<CastHit>| hit.map(|hit| (hit.fraction, hit.is_inside()));
            assert_eq!(times(reverse), times(hit), "reverse {moving:?} {displacement} {target:?}");
            assert_eq!(times(mirror), times(hit), "{moving:?} {displacement} {target:?}");
            differing += u32::from(reverse.map(|hit| -hit.normal) != hit.map(|hit| hit.normal));
            differing += u32::from(mirror.map(|hit| samples::flip(hit.normal)) != hit.map(|hit| hit.normal));
            let offset = vec3(fx!(100), fx!(-12345678.9), fx!(0.001));
            let there =
                cast_shape(&samples::moved(&moving, offset), displacement, &samples::moved(&target, offset));
            assert_eq!(there.map(|hit| CastHit { point: hit.point - offset, ..hit }), hit);
        }
    }
    println!("{differing} ties");
    assert!(differing < 320);
}

#[test]
fn nothing_panics_at_the_ends_of_the_range() {
    let mut rng = Rng::new(9, 0);
    for _ in 0..20_000 {
        let shapes = [0; 2].map(|_| {
            let (center, kind) = (samples::any_point(&mut rng), rng.below(4));
            let scale = size(&mut rng, -31, 13);
            samples::shape(&mut rng, kind, center, scale)
        });
        let displacement = samples::any_point(&mut rng);
        let _ = cast_shape(&shapes[0], displacement, &shapes[1]);
        let _ = cast_ray(&shapes[0], &Ray::new(samples::any_point(&mut rng), displacement));
    }
}

/// The length of a way of a few units has few bits, and what is left of the closing speed of two large balls fewer.
#[test]
fn large_balls_that_move_by_little_meet_where_they_touch() {
    let metre = 1_i64 << 32;
    let raw = |bits: [i64; 3]| Vec3::from_array(bits.map(Fx::from_bits));
    // The radius of both, the centre of the other one, the way; and whether they meet on it.
    let cases = [
        (32 * metre, [-274_877_906_954, 0, 0], [-307, -27, 148], true),
        (32 * metre, [168_112_536_987, 193_074_490_601, 100_091_401_800], [0, 2, -2], false),
        (metre, [0, 0, -8_589_934_628], [2, 0, -2], false),
        (metre, [0, 0, 8_589_934_596], [-3, 1, 12], true),
        (1_024 * metre, [0, 0, 8_796_093_023_010], [-3_417, -1_984, 10_920], true),
    ];
    for (radius, center, way, meet) in cases {
        let radius = Fx::from_bits(radius);
        let still = Sphere::new(raw(center), radius).unwrap();
        let moving = Sphere::new(Vec3::ZERO, radius).unwrap();
        let hit = cast_shape(&moving.into(), raw(way), &still.into());
        assert_eq!(hit.is_some(), meet, "{center:?} {way:?}: {hit:?}");
        if let Some(hit) = hit {
            // A fraction of 2⁻³² of a way of less than 2¹⁴ units is none.
            let fraction = hit.fraction.to_bits() as f64 / metre as f64;
            let apart = (0..3).map(|k| center[k] as f64 - way[k] as f64 * fraction);
            let gap = apart.map(|x| x * x).sum::<f64>().sqrt() - 2.0 * radius.to_bits() as f64;
            assert!(gap.abs() < 3.0 && !hit.is_inside(), "{center:?} {way:?}: {gap} units apart");
        }
    }
    let ray = Ray::new(Vec3::ZERO, raw([-4, 12_827, 0]));
    let ball = Sphere::new(raw([-2_879_837_849, 9_121_789_283_035, 0]), Fx::from_bits(9_121_789_736_764));
    let hit = cast_ray(&ball.unwrap().into(), &ray).unwrap();
    let way = 12_827.0 * hit.fraction.to_bits() as f64 / metre as f64;
    assert!((way - 867.4).abs() < 3.0, "{way} units, and not 867.4");
}
