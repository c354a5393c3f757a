//! Times of impact against samples of the paths, and against casts where nothing turns.

use isostep_collision::impact::{Moving, RigidPath, separation, time_of_impact};
use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere, cast_shape, distance, penetration_of};
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};

/// How many pairs are tried.
const PAIRS: u32 = if cfg!(debug_assertions) { 400 } else { 6000 };

fn shape(rng: &mut Rng) -> Shape {
    let mut size = || rng.fx_range(fx!(0.01), fx!(1));
    let (x, y, z) = (size(), size(), size());
    let off = rng.unit_vec3() * rng.fx_range(fx!(0), fx!(0.5));
    let local: Shape = match rng.below(3) {
        0 => Sphere::from_radius(x).unwrap().into(),
        1 => Capsule::along_y(x, y).unwrap().into(),
        _ => Obb::from_half_extents(vec3(x, y, z)).unwrap().into(),
    };
    local.transformed(&Pose::new(rng.unit_quat(), if rng.bool() { off } else { Vec3::ZERO }))
}

/// Around the origin, and on the way to it.
fn moving(rng: &mut Rng, spin: Fx) -> Moving {
    let away = rng.unit_vec3();
    let start = Pose::new(rng.unit_quat(), away * rng.fx_range(fx!(0), fx!(4)));
    // More or less towards the other one.
    let displacement = (rng.unit_vec3() * fx!(0.7) - away) * rng.fx_range(fx!(0), fx!(5));
    let turn = rng.unit_vec3() * spin;
    Moving { shape: shape(rng), path: RigidPath { start, displacement, turn } }
}

fn gap_at(a: &Moving, b: &Moving, fraction: Fx) -> Fx {
    let [a, b] = [a, b].map(|item| item.shape.transformed(&item.path.at(fraction)));
    separation(&a, &b).unwrap().distance
}

#[test]
fn the_separation_is_the_distance_or_the_depth() {
    let mut rng = Rng::new(1, 1);
    let (mut apart, mut deep) = (0, 0);
    for _ in 0..PAIRS {
        let [a, b] = [0, 1].map(|_| shape(&mut rng).transformed(&Pose::from_translation(rng.unit_vec3())));
        let found = separation(&a, &b).unwrap();
        match penetration_of(&a, &b) {
            Some(penetration) => {
                deep += 1;
                assert!(found.distance.abs_diff_eq(-penetration.depth, fx!(0.0000001)), "{a:?} {b:?}");
            }
            None => {
                apart += 1;
                assert!(found.distance.abs_diff_eq(distance(&a, &b), fx!(0.0000001)), "{a:?} {b:?}");
            }
        }
        let swapped = separation(&b, &a).unwrap();
        assert!(found.distance.abs_diff_eq(swapped.distance, fx!(0.0000001)));
    }
    assert!(apart > PAIRS / 20 && deep > PAIRS / 20, "{apart} {deep}");
}

#[test]
fn without_turns_the_time_is_that_of_a_cast() {
    let mut rng = Rng::new(2, 2);
    let (mut hits, mut misses) = (0, 0);
    for _ in 0..PAIRS {
        let (a, b) = (moving(&mut rng, Fx::ZERO), moving(&mut rng, Fx::ZERO));
        let [from, to] = [a, b].map(|item| item.shape.transformed(&item.path.start));
        let way = a.path.displacement - b.path.displacement;
        let hit = cast_shape(&from, way, &to).filter(|hit| !hit.is_inside());
        let impact = time_of_impact(&a, &b, Fx::ZERO, fx!(0.0001));
        match (hit, impact) {
            (Some(hit), Some(impact)) => {
                hits += 1;
                // A tenth of a millimetre before, at any angle down to a hundredth.
                assert!(impact.fraction <= hit.fraction + fx!(0.0000001), "{a:?} {b:?}");
                assert!(gap_at(&a, &b, impact.fraction) <= fx!(0.0001001));
            }
            (None, None) => misses += 1,
            (Some(_), None) => panic!("missed: {a:?} {b:?}"),
            (None, Some(impact)) => {
                assert!(gap_at(&a, &b, impact.fraction) <= fx!(0.0001001), "{a:?} {b:?}");
            }
        }
    }
    assert!(hits > PAIRS / 20 && misses > PAIRS / 20, "{hits} {misses}");
}

#[test]
fn no_sample_of_the_way_before_an_impact_is_closer_than_was_asked_for() {
    const SAMPLES: i64 = 200;
    let mut rng = Rng::new(3, 3);
    let (mut hits, mut misses, mut early) = (0, 0, 0);
    for i in 0..PAIRS / 4 {
        let spin = [fx!(0.3), fx!(3), fx!(9)][(i % 3) as usize];
        let (a, b) = (moving(&mut rng, spin), moving(&mut rng, spin));
        let tolerance = fx!(0.001);
        let target = rng.fx_range(fx!(-0.005), fx!(0.02));
        let impact = time_of_impact(&a, &b, target, tolerance);
        let end = impact.map_or(Fx::ONE, |impact| impact.fraction);
        for k in 0..=SAMPLES {
            let fraction = end * Fx::from_ratio(k, SAMPLES);
            let gap = gap_at(&a, &b, fraction);
            let from_the_start = gap_at(&a, &b, Fx::ZERO) <= target + tolerance;
            assert!(
                from_the_start || gap > target - fx!(0.000001),
                "{a:?} {b:?}: {gap} of {target} at {fraction}"
            );
        }
        match impact {
            Some(impact) if impact.separation.distance <= target + tolerance => hits += 1,
            Some(_) => early += 1,
            None => misses += 1,
        }
    }
    assert!(hits > PAIRS / 16 && misses > PAIRS / 80, "{hits} {misses}");
    assert!(early <= hits / 50, "{early} of {hits} took too many steps");
}

#[test]
fn a_needle_that_spins_onto_a_wall_is_caught_wherever_the_tick_ends() {
    let wall = Moving {
        shape: Obb::from_half_extents(vec3(fx!(0.005), fx!(3), fx!(3))).unwrap().into(),
        path: RigidPath::resting(Pose::IDENTITY),
    };
    let needle = Obb::from_half_extents(vec3(fx!(0.01), fx!(0.5), fx!(0.01))).unwrap().into();
    // It stands beside the wall, and whole turns bring it back to where it began.
    for turns in [fx!(0.5), fx!(1), fx!(1.3)] {
        for axis in [Vec3::Z, vec3(fx!(0.6), fx!(0), fx!(0.8))] {
            let start = Pose::from_translation(Vec3::X * fx!(-0.3));
            let path = RigidPath { turn: axis * (Fx::TAU * turns), ..RigidPath::resting(start) };
            let impact =
                time_of_impact(&Moving { shape: needle, path }, &wall, Fx::ZERO, fx!(0.001)).unwrap();
            // Its ends reach the wall at the angle whose sine is 0.295 / 0.5, less for a tilted axis.
            assert!(impact.fraction * turns < fx!(0.16), "{turns}: {}", impact.fraction);
            assert!(impact.separation.distance <= fx!(0.001) && impact.separation.normal.x > fx!(0.9));
        }
    }
    // About its own axis it can roll along the wall.
    let start = Pose::from_translation(Vec3::X * fx!(-0.03));
    let path = RigidPath { turn: Vec3::Y * fx!(8), displacement: Vec3::Z * fx!(2), start };
    assert_eq!(time_of_impact(&Moving { shape: needle, path }, &wall, Fx::ZERO, fx!(0.001)), None);
}

#[test]
fn what_is_deep_already_is_stopped_only_where_it_goes_deeper() {
    let ground = Moving { shape: HalfSpace::ground(fx!(0)).into(), path: RigidPath::resting(Pose::IDENTITY) };
    let at = |displacement| Moving {
        shape: Sphere::from_radius(fx!(0.5)).unwrap().into(),
        path: RigidPath { displacement, ..RigidPath::resting(Pose::from_translation(Vec3::Y * fx!(0.4))) },
    };
    let impact = |displacement| time_of_impact(&at(displacement), &ground, fx!(-0.15), fx!(0.001));
    assert_eq!(impact(Vec3::X * fx!(9)), None);
    assert_eq!(impact(vec3(fx!(9), fx!(-0.04), fx!(0))), None);
    let found = impact(vec3(fx!(9), fx!(-0.5), fx!(0))).unwrap();
    assert!(found.fraction.abs_diff_eq(fx!(0.1), fx!(0.003)) && found.separation.normal == Vec3::NEG_Y);
    // Two half-spaces have no separation.
    assert_eq!(time_of_impact(&ground, &ground, Fx::ONE, Fx::ZERO), None);
}

#[test]
fn a_pair_that_is_moved_far_away_meets_at_the_same_bits() {
    let mut rng = Rng::new(5, 5);
    for _ in 0..PAIRS / 20 {
        let pair = [0, 1].map(|_| moving(&mut rng, fx!(4)));
        let far = vec3(Fx::from_int(1 << 29), fx!(-12345.678), Fx::from_int(-(1 << 29)));
        let moved = pair.map(|mut item| {
            item.path.start.translation += far;
            item
        });
        let [here, there] = [pair, moved].map(|[a, b]| time_of_impact(&a, &b, fx!(0.01), fx!(0.001)));
        assert_eq!(here, there);
    }
}
