//! Manifolds of many pairs of any kinds against the same pairs one at a time.

use isostep_collision::manifold::{Manifold, PosedShapes, manifold, manifolds, manifolds_at};
use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::wide::Level;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};
use std::panic::{AssertUnwindSafe, catch_unwind};

const MARGIN: Fx = fx!(0.02);

/// Shapes of about a metre in coordinates of their own; boxes often without rotation or offset, as most colliders.
fn random_shape(rng: &mut Rng) -> Shape {
    let mut side = || rng.fx_range(fx!(0.1), fx!(1));
    let sides = vec3(side(), side(), side());
    match rng.below(8) {
        0 => Capsule::new(-sides, rng.unit_vec3(), sides.y).unwrap().into(),
        1 => HalfSpace::new(sides, rng.unit_vec3()).unwrap().into(),
        2 => Sphere::from_radius(sides.x).unwrap().into(),
        3 => Sphere::new(sides * fx!(0.3), sides.x).unwrap().into(),
        4 => Obb::new(sides * fx!(0.2), sides, rng.unit_quat()).unwrap().into(),
        5 => Obb::new(sides * fx!(0.2), sides, Quat::IDENTITY).unwrap().into(),
        _ => Obb::from_half_extents(sides).unwrap().into(),
    }
}

fn random_pose(rng: &mut Rng) -> Pose {
    let rotation = if rng.below(4) == 0 { Quat::IDENTITY } else { rng.unit_quat() };
    Pose::new(rotation, rng.unit_vec3() * rng.fx_range(fx!(0), fx!(2.5)))
}

struct World {
    shapes: Vec<(Shape, Pose)>,
    posed: PosedShapes,
}

impl World {
    fn random(rng: &mut Rng, count: u32) -> Self {
        let shapes: Vec<_> = (0..count).map(|_| (random_shape(rng), random_pose(rng))).collect();
        let posed = shapes.iter().map(|(shape, pose)| (shape, pose)).collect();
        Self { shapes, posed }
    }

    fn one_at_a_time(&self, pairs: &[(u32, u32)]) -> Vec<(u32, Manifold)> {
        (0..)
            .zip(pairs)
            .map(|(index, &(a, b))| {
                let ((a, pose_a), (b, pose_b)) = (&self.shapes[a as usize], &self.shapes[b as usize]);
                (index, manifold(a, pose_a, b, pose_b, MARGIN))
            })
            .filter(|(_, manifold)| !manifold.is_empty())
            .collect()
    }

    fn random_pairs(&self, rng: &mut Rng, count: usize) -> Vec<(u32, u32)> {
        let most = self.shapes.len() as u32;
        (0..count).map(|_| (rng.below(most), rng.below(most))).collect()
    }
}

#[test]
fn mixed_pairs_have_the_bits_of_one_at_a_time_in_the_order_of_pairs() {
    let mut rng = Rng::new(31, 0);
    let mut out = Vec::new();
    for count in [0, 1, 7, 33, 64, 500, 2000] {
        let world = World::random(&mut rng, 100);
        let pairs = world.random_pairs(&mut rng, count);
        let expected = world.one_at_a_time(&pairs);
        assert!(expected.len() * 4 >= count);
        for level in Level::available() {
            manifolds_at(level, &world.posed, &pairs, MARGIN, &mut out);
            assert!(out == expected, "{count} pairs at level {level}");
        }
    }
}

#[test]
fn runs_of_one_kind_longer_than_a_stage_stay_in_order() {
    let mut rng = Rng::new(32, 0);
    let world = World::random(&mut rng, 100);
    let of = |wanted: fn(&Shape) -> bool| {
        (0..100_u32).filter(|&index| wanted(&world.shapes[index as usize].0)).collect::<Vec<_>>()
    };
    let boxes = of(|shape| matches!(shape, Shape::Box(_)));
    let spheres = of(|shape| matches!(shape, Shape::Sphere(_)));
    let mut pairs = Vec::new();
    for indices in [&boxes, &spheres, &boxes] {
        for _ in 0..150 {
            pairs.push((*rng.choose(indices).unwrap(), *rng.choose(indices).unwrap()));
        }
        // One of the other kind amid many.
        pairs.push((spheres[0], spheres[1]));
        pairs.push((boxes[0], spheres[0]));
    }
    let mut out = Vec::new();
    manifolds(&world.posed, &pairs, MARGIN, &mut out);
    assert!(out == world.one_at_a_time(&pairs));
}

#[test]
fn a_shape_that_is_set_is_as_one_that_was_pushed() {
    let mut rng = Rng::new(33, 0);
    let mut world = World::random(&mut rng, 60);
    for index in 0..60 {
        if rng.bool() {
            world.shapes[index] = (random_shape(&mut rng), random_pose(&mut rng));
            let (shape, pose) = &world.shapes[index];
            world.posed.set(index, shape, pose);
            assert_eq!(*world.posed.world(index), shape.transformed(pose));
        }
    }
    let pairs = world.random_pairs(&mut rng, 500);
    let mut out = Vec::new();
    manifolds(&world.posed, &pairs, MARGIN, &mut out);
    assert!(out == world.one_at_a_time(&pairs));
}

#[test]
fn shapes_are_posed_as_transformed_ones_are() {
    let mut rng = Rng::new(36, 0);
    let mut posed = PosedShapes::new();
    for index in 0..2_000 {
        let shape = random_shape(&mut rng);
        let mut pose = random_pose(&mut rng);
        match rng.below(4) {
            // Off unit length by rounding, by what a box accepts, and by more.
            0 => pose.rotation.w += Fx::from_bits(rng.range_i64(-8, 8)),
            1 => pose.rotation.x += Fx::from_bits(rng.range_i64(-1000, 1000)),
            2 => pose.rotation.y += fx!(0.5),
            _ => {}
        }
        posed.push(&shape, &pose);
        assert_eq!(*posed.world(index), shape.transformed(&pose), "{shape:?} {pose:?}");
    }
}

#[test]
fn buffers_are_used_again() {
    let mut rng = Rng::new(34, 0);
    let mut world = World::random(&mut rng, 100);
    let pairs = world.random_pairs(&mut rng, 300);
    let mut out = Vec::new();
    manifolds(&world.posed, &pairs, MARGIN, &mut out);
    let (first, capacity, place) = (out.clone(), out.capacity(), out.as_ptr());
    world.posed.clear();
    assert!(world.posed.is_empty());
    world.shapes.iter().for_each(|(shape, pose)| world.posed.push(shape, pose));
    assert_eq!(world.posed.len(), 100);
    manifolds(&world.posed, &pairs, MARGIN, &mut out);
    assert!(out == first);
    assert_eq!((out.capacity(), out.as_ptr()), (capacity, place));
    manifolds(&world.posed, &[], MARGIN, &mut out);
    assert!(out.is_empty());
}

#[test]
fn an_index_beyond_the_shapes_panics() {
    let mut rng = Rng::new(35, 0);
    let mut world = World::random(&mut rng, 10);
    for pair in [(0, 10), (10, 0), (u32::MAX, 0)] {
        let mut out = Vec::new();
        let asked = catch_unwind(AssertUnwindSafe(|| manifolds(&world.posed, &[pair], MARGIN, &mut out)));
        assert!(asked.is_err(), "{pair:?}");
    }
    let (shape, pose) = world.shapes[0];
    assert!(catch_unwind(AssertUnwindSafe(|| world.posed.set(10, &shape, &pose))).is_err());
}

#[test]
fn anchors_are_where_the_shapes_of_the_owners_touch() {
    // Two balls, off the centres of their turned owners.
    let half_turn = Quat::from_rotation_z(Fx::PI);
    let ball = Sphere::new(vec3(fx!(1), fx!(0), fx!(0)), fx!(0.5)).unwrap().into();
    let (left, right) =
        (Pose::from_translation(vec3(fx!(-2), fx!(0), fx!(0))), Pose::new(half_turn, Vec3::X * fx!(0.99)));
    let posed: PosedShapes = [(&ball, &left), (&ball, &right)].into_iter().collect();
    let mut out = Vec::new();
    manifolds(&posed, &[(0, 1)], MARGIN, &mut out);
    let point = out[0].1.points()[0];
    let near = |found: Vec3, expected: Vec3| found.distance(expected) < fx!(0.00000001);
    assert!(near(out[0].1.normal, Vec3::X), "{out:?}");
    assert!(near(point.anchor_a, Vec3::X * fx!(1.5)), "{point:?}");
    assert!(near(point.anchor_b, Vec3::X * fx!(1.5)), "{point:?}");
    assert!((point.separation + fx!(0.01)).abs() < fx!(0.00000001), "{point:?}");
}
