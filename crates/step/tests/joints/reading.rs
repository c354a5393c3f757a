//! What joints measure, in the world.

use super::*;
use isostep_math::Quat;
use isostep_step::Limits;

/// Nine digits.
const SLACK: Fx = fx!(0.000000002);

/// A joint of two bodies that stand about anywhere, far from the origin, with `relative` as the pose of frame b in a.
fn measure(kind: JointKind, relative: Pose) -> (World, JointHandle) {
    let mut world = World::new(WorldConfig::default()).unwrap();
    let far = vec3(fx!(123456.5), fx!(-9876), fx!(42));
    let a = BodyDef::dynamic(far).rotated(Quat::from_scaled_axis(vec3(fx!(0.3), fx!(1), fx!(-2))));
    let frame_a = Pose::new(Quat::from_rotation_y(fx!(0.7)), vec3(fx!(0.5), fx!(1), fx!(0)));
    let frame_b = Pose::new(Quat::from_rotation_z(fx!(-0.4)), vec3(fx!(0), fx!(2), fx!(0.25)));
    // Where b has to be: frame b in the world, seen from frame b on b.
    let in_world = a.pose.mul_pose(frame_a).mul_pose(relative);
    let rotation = in_world.rotation.mul_quat(frame_b.rotation.conjugate()).normalize();
    let b = BodyDef::dynamic(in_world.translation - rotation * frame_b.translation).rotated(rotation);
    let [a, b] = [a, b].map(|def| add(&mut world, def));
    let joint = world.add_joint(JointDef::new(kind, (a, frame_a), (b, frame_b))).unwrap();
    (world, joint)
}

#[test]
fn a_hinge_tells_its_angle() {
    for angle in [fx!(-3), fx!(-0.25), fx!(0), fx!(2.5)] {
        let hinge = JointKind::Hinge { limits: None, motor: None };
        let (world, joint) = measure(hinge, Pose::from_rotation(Quat::from_rotation_x(angle)));
        let view = world.joint(joint).unwrap();
        assert!(view.angle().abs_diff_eq(angle, SLACK), "{} for {angle}", view.angle());
        assert_eq!(view.position(), Some(view.angle()));
        assert!(view.rotation_vector().abs_diff_eq(Vec3::X * angle, SLACK));
        let [at_a, at_b] = view.anchors();
        assert!(at_a.abs_diff_eq(at_b, SLACK), "{at_a} and {at_b}");
    }
}

#[test]
fn a_slider_tells_its_way_and_a_rope_its_length() {
    let offset = vec3(fx!(-1.5), fx!(2), fx!(0.75));
    let slider = JointKind::Slider { limits: None, motor: None };
    let (world, joint) = measure(slider, Pose::from_translation(offset));
    assert!(world.joint(joint).unwrap().position().unwrap().abs_diff_eq(fx!(-1.5), SLACK));
    let rope = JointKind::Distance { limits: Some(Limits { lower: fx!(0), upper: fx!(3) }), motor: None };
    let (world, joint) = measure(rope, Pose::from_translation(offset));
    let view = world.joint(joint).unwrap();
    assert!(view.position().unwrap().abs_diff_eq(offset.length(), SLACK));
    assert!(view.relative_pose().translation.abs_diff_eq(offset, SLACK));
}

#[test]
fn a_wheel_tells_its_angle_and_how_far_its_suspension_is_whichever_way_it_is_steered() {
    for steering in [fx!(-0.6), fx!(0), fx!(1.5)] {
        let wheel = JointKind::Wheel { limits: None, suspension: None, motor: None, steering };
        let offset = Pose::new(Quat::from_rotation_x(fx!(-2)), vec3(fx!(0), fx!(0.25), fx!(0)));
        let (world, joint) =
            measure(wheel, Pose::from_rotation(Quat::from_rotation_y(steering)).mul_pose(offset));
        let view = world.joint(joint).unwrap();
        assert!(view.position().unwrap().abs_diff_eq(fx!(0.25), SLACK), "{:?}", view.position());
        assert!(view.angle().abs_diff_eq(fx!(-2), SLACK), "{}", view.angle());
        assert!(view.swing() < SLACK, "{}", view.swing());
    }
}

#[test]
fn a_ball_joint_tells_its_twist_and_its_swing() {
    let ball = JointKind::Ball { swing_limit: None, twist_limits: None, motor: None };
    let turn = Quat::from_rotation_z(fx!(0.8)) * Quat::from_rotation_x(fx!(-1.25));
    let (world, joint) = measure(ball, Pose::from_rotation(turn));
    let view = world.joint(joint).unwrap();
    assert!(view.angle().abs_diff_eq(fx!(-1.25), SLACK), "{}", view.angle());
    assert!(view.swing().abs_diff_eq(fx!(0.8), SLACK), "{}", view.swing());
    assert_eq!(view.position(), None);
}

#[test]
fn frames_stay_on_the_body_when_its_centre_of_mass_moves() {
    let (mut world, joint) = measure(JointKind::Fixed, Pose::from_translation(Vec3::X));
    let before = world.joint(joint).unwrap().anchors();
    let [_, b] = world.joint(joint).unwrap().bodies();
    let beside = ColliderDef::new(cube()).at(Pose::from_translation(vec3(fx!(3), fx!(1), fx!(0))));
    world.add_collider(b, beside).unwrap();
    for (before, after) in before.into_iter().zip(world.joint(joint).unwrap().anchors()) {
        assert!(before.abs_diff_eq(after, SLACK), "{before} and {after}");
    }
}

#[test]
fn joints_are_listed_by_slots_with_what_they_are() {
    let (mut world, ground, boxes) = row(2);
    let first = JointDef { user_data: 5, order: 9, ..joint_at(&world, FREE, [ground, boxes[0]], Vec3::ZERO) };
    let second = JointDef { user_data: 6, order: 1, ..joint_at(&world, FREE, [boxes[1], boxes[0]], Vec3::Y) };
    let handles = [first, second].map(|def| world.add_joint(def).unwrap());
    let found: Vec<_> = world.joints().map(|joint| (joint.handle(), joint.def())).collect();
    assert_eq!(found, [(handles[0], first), (handles[1], second)]);
    assert_eq!(handles[1].to_string(), "joint 1.0");
    assert_eq!(world.joint(handles[1]).unwrap().bodies(), [boxes[1], boxes[0]]);
}
