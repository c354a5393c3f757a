//! The example programs do what they say.

// Their `main` is not called here.
#![allow(dead_code)]

#[path = "../examples/aabb_contact.rs"]
pub mod aabb_contact;
#[path = "../examples/fit_box.rs"]
pub mod fit_box;
#[path = "../examples/prop_placer.rs"]
pub mod prop_placer;
#[path = "../examples/rotated_boxes.rs"]
pub mod rotated_boxes;
#[path = "../examples/slope.rs"]
pub mod slope;
#[path = "../examples/sphere_pairs.rs"]
pub mod sphere_pairs;

use isostep_collision::Obb;
use isostep_math::random::Rng;
use isostep_math::{Fx, Pose, Quat, Vec3, fx, vec3};

#[test]
fn balls_touch_exactly_where_the_radii_add_up() {
    let answers = sphere_pairs::run();
    assert_eq!(answers.pairs, [(0, 1), (0, 3)]);
    assert_eq!(answers.far_away, [false, true, true]);
}

#[test]
fn axis_aligned_boxes_meet_by_corners_where_they_do_by_centres() {
    let cases = aabb_contact::run();
    assert_eq!(
        cases.iter().map(|case| case.by_corners).collect::<Vec<_>>(),
        [false, false, true, true, true]
    );
    for case in &cases {
        assert_eq!(case.by_corners, case.by_centers, "{}", case.name);
        assert_eq!(case.by_corners, case.a.penetrates(&case.b), "{}", case.name);
        let Some(contact) = case.contact else { continue };
        // Moved out by the depth along the normal, the boxes touch and no longer meet.
        let moved = case.b.translate(contact.normal * contact.depth);
        assert!(case.a.overlaps(&moved) && !case.a.penetrates(&moved), "{}", case.name);
        let gap = (case.a.center() + contact.on_a) - (case.b.center() + contact.on_b);
        assert_eq!(gap, contact.normal * contact.depth, "{}", case.name);
    }
    let contacts: Vec<_> = cases.iter().filter_map(|case| case.contact).collect();
    assert_eq!((contacts[0].normal, contacts[0].depth), (Vec3::Y, fx!(0.25)));
    assert_eq!(contacts[0].on_a, vec3(fx!(1), fx!(0.5), fx!(0.25)));
    assert_eq!(contacts[0].on_b, vec3(fx!(0), fx!(-0.5), fx!(0)));
    assert_eq!((contacts[1].normal, contacts[1].depth), (Vec3::NEG_X, fx!(0.25)));
    assert_eq!((contacts[2].normal, contacts[2].depth), (Vec3::Y, fx!(1)));
}

#[test]
fn rotated_boxes_answer_the_usual_questions() {
    let answers = rotated_boxes::run();
    assert_eq!(answers.corners.len(), 8);
    assert_eq!(answers.contains, [true, false]);
    assert_eq!(answers.meets, [false, true]);
    assert_eq!(answers.edges, [false, true]);
    for corner in &answers.corners {
        let local = answers.merged.frame.inverse_transform_point(*corner);
        assert!((local - local.clamp(answers.merged.min, answers.merged.max)).length() <= Fx::EPSILON);
    }
    assert!(!answers.empty_meets);
    assert_eq!(answers.empty_merged.corners(), answers.corners);
    assert!(rotated_boxes::RotatedBox::EMPTY.corners().is_empty());
}

#[test]
fn the_plain_box_agrees_with_the_library() {
    let mut rng = Rng::new(31, 0);
    let mut met = 0;
    for _ in 0..2000 {
        let mut random = || {
            let half = Vec3::from_array([(); 3].map(|()| rng.fx_range(fx!(0.1), fx!(2))));
            let frame = Pose::new(rng.unit_quat(), rng.unit_vec3() * fx!(2));
            let obb = Obb::new(frame.translation, half, frame.rotation).unwrap();
            (rotated_boxes::RotatedBox { min: -half, max: half, frame }, obb)
        };
        let ((a, obb_a), (b, obb_b)) = (random(), random());
        for (corner, expected) in a.corners().into_iter().zip(obb_a.corners()) {
            assert!(corner.abs_diff_eq(expected, Fx::from_bits(16)));
        }
        assert_eq!(a.overlaps(&b), isostep_collision::overlaps(&obb_a.into(), &obb_b.into()), "{a:?} {b:?}");
        assert_eq!(a.overlaps(&b), b.overlaps(&a));
        met += u32::from(a.overlaps(&b));
    }
    assert!((500..1500).contains(&met), "{met}");
}

#[test]
fn the_ball_hits_the_box_around_the_slope_and_not_the_slope() {
    let answers = slope::run();
    let hits = |by: fn(&(Vec3, bool, bool)) -> bool| answers.flight.iter().filter(|place| by(place)).count();
    assert!(hits(|&(_, aabb, ramp)| aabb && !ramp) > 10);
    assert_eq!(hits(|&(_, aabb, ramp)| ramp && !aabb), 0);
    assert!((1..5).contains(&hits(|&(_, _, ramp)| ramp)));
    assert!(answers.places_in_aabb > 10 * answers.places_in_ramp && answers.places_in_ramp > 0);
}

#[test]
fn rotated_boxes_place_more_props_and_a_filter_changes_nothing() {
    for seed in [7, 8, 9] {
        let [aabbs, obbs, both] = prop_placer::run(seed, 1000);
        assert_eq!(obbs.kept, both.kept, "seed {seed}");
        assert!(aabbs.kept.len() * 3 < obbs.kept.len() * 2, "seed {seed}");
    }
}

#[test]
fn a_fitted_box_recovers_axes_and_extents_of_a_mesh() {
    let tolerance = Fx::from_ratio(1, 1 << 16);
    for fit in fit_box::run() {
        assert!(fit.holds_all);
        assert!(fit.axis_error <= tolerance && fit.extent_error <= tolerance, "{fit:?}");
        assert!(fit.aligned.min_element() > fit.mesh.half_extents().min_element());
    }
    let turned = Obb::new(Vec3::ONE, vec3(fx!(1), fx!(2), fx!(3)), Quat::from_rotation_y(fx!(1))).unwrap();
    assert_eq!(fit_box::vertices(&turned).len(), 98);
}
