//! Laws of poses.

use isostep_math::{Fx, Pose, Quat, Vec3, fx};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = Fx> {
    (any::<i64>(), 0_u32..64).prop_map(|(bits, shift)| Fx::from_bits(bits >> shift))
}

fn vec3() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

/// Any bits.
fn any_pose() -> impl Strategy<Value = Pose> {
    ([number(), number(), number(), number()], vec3())
        .prop_map(|(q, translation)| Pose::new(Quat::from_array(q), translation))
}

/// Up to about a thousand metres.
fn point() -> impl Strategy<Value = Vec3> {
    [-1_i64 << 42..1 << 42, -1_i64 << 42..1 << 42, -1_i64 << 42..1 << 42]
        .prop_map(|bits| Vec3::from_array(bits.map(Fx::from_bits)))
}

fn pose() -> impl Strategy<Value = Pose> {
    (any_pose(), point()).prop_map(|(any, translation)| Pose::new(any.rotation.normalize(), translation))
}

/// Up to 2^31 − 2^20 metres: the poses above, moved by it, are representable.
fn offset() -> impl Strategy<Value = Vec3> {
    const END: i64 = i64::MAX - (1 << 52);
    ([-END..END, -END..END, -END..END], 0_u32..63)
        .prop_map(|(bits, shift)| Vec3::from_array(bits.map(|b| Fx::from_bits(b >> shift))))
}

fn moved(pose: Pose, offset: Vec3) -> Pose {
    Pose::new(pose.rotation, pose.translation + offset)
}

#[test]
fn points_are_turned_then_moved() {
    let pose = Pose::new(Quat::from_rotation_z(Fx::FRAC_PI_2), Vec3::X * fx!(10));
    assert_eq!(pose.transform_point(Vec3::X), Vec3::new(fx!(10), fx!(1), fx!(0)));
    assert_eq!(pose.transform_vector(Vec3::X), Vec3::Y);
    assert_eq!(pose.inverse_transform_point(Vec3::X * fx!(10) + Vec3::Y), Vec3::X);
    assert_eq!(pose.inverse_transform_vector(Vec3::Y), Vec3::X);
    assert_eq!((pose * pose).translation, Vec3::new(fx!(10), fx!(10), fx!(0)));
    assert_eq!(Pose::default(), Pose::IDENTITY);
    assert_eq!(pose.lerp(Pose::IDENTITY, fx!(0.5)).translation, Vec3::X * fx!(5));
}

#[cfg(feature = "serde")]
#[test]
fn serialised_poses_are_seven_numbers() {
    let pose = Pose::from_translation(Vec3::new(fx!(1), fx!(-2), fx!(0.5)));
    assert_eq!(serde_json::to_string(&pose).unwrap(), r#"["0","0","0","1","1","-2","0.5"]"#);
    assert_eq!(serde_json::from_str::<Pose>(&serde_json::to_string(&pose).unwrap()).unwrap(), pose);
    // Any bits are accepted; the door asks.
    let foreign: Pose = serde_json::from_str(r#"["9","0","0","1","1","-2","0.5"]"#).unwrap();
    assert!(!foreign.rotation.is_normalized());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn relative_poses_do_not_depend_on_where_the_scene_is(a in pose(), b in pose(), p in point(), by in offset()) {
        prop_assert_eq!(moved(a, by).relative_to(moved(b, by)), a.relative_to(b));
        prop_assert_eq!(moved(a, by).inverse_transform_point(p + by), a.inverse_transform_point(p));
        let difference = moved(a, by).transform_point(p) - by;
        prop_assert!(difference == a.transform_point(p) || (a.transform_point(p) + by).abs().max_element() == Fx::MAX
            || (a.transform_point(p) + by).min_element() == Fx::MIN);
    }

    #[test]
    fn points_come_back_from_the_world(a in pose(), p in point(), by in offset()) {
        let far = moved(a, by);
        let there = far.transform_point(p);
        if there.max_element() < Fx::MAX && there.min_element() > Fx::MIN {
            prop_assert!(far.inverse_transform_point(there).abs_diff_eq(p, Fx::from_bits(1)));
        }
        prop_assert!(a.inverse_transform_vector(a.transform_vector(p)).abs_diff_eq(p, Fx::from_bits(1)));
    }

    #[test]
    fn the_identity_is_neutral_to_the_bit(a in pose(), p in vec3()) {
        prop_assert_eq!(a * Pose::IDENTITY, a);
        prop_assert_eq!(Pose::IDENTITY * a, a);
        prop_assert_eq!(a.relative_to(Pose::IDENTITY), a);
        prop_assert_eq!(Pose::IDENTITY.transform_point(p), p);
        prop_assert_eq!(a.relative_to(a).translation, Vec3::ZERO);
        prop_assert_eq!(a.lerp(a, fx!(0.3)).translation, a.translation);
    }

    #[test]
    fn poses_compose_like_their_maps(a in pose(), b in pose(), p in point()) {
        // The product of quaternions is rounded: half a unit over two thousand metres.
        let tolerance = Fx::from_bits(1 << 13);
        let both = a * b;
        prop_assert!(both.transform_point(p).abs_diff_eq(a.transform_point(b.transform_point(p)), tolerance));
        prop_assert_eq!(both.translation, a.transform_point(b.translation));
        prop_assert!((a * a.inverse()).abs_diff_eq(Pose::IDENTITY, Fx::from_bits(3)));
        prop_assert!((a.inverse() * a).abs_diff_eq(Pose::IDENTITY, Fx::from_bits(3)));
        prop_assert!((b * a.relative_to(b)).abs_diff_eq(a, Fx::from_bits(3)));
        prop_assert!(a.relative_to(b).abs_diff_eq(b.inverse() * a, Fx::from_bits(3)));
    }

    #[test]
    fn mirrored_scenes_mirror_to_the_bit(a in pose(), p in point()) {
        // The mirror at the plane x = 0: a rotation keeps x and w and turns the sign of y and z.
        let mirror = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
        let q = a.rotation;
        let mirrored = Pose::new(Quat::from_xyzw(q.x, -q.y, -q.z, q.w), mirror(a.translation));
        prop_assert_eq!(mirrored.transform_point(mirror(p)), mirror(a.transform_point(p)));
        prop_assert_eq!(mirrored.inverse_transform_point(mirror(p)), mirror(a.inverse_transform_point(p)));
        let omega = Vec3::new(p.x, -p.y, -p.z);
        let turned = q.integrate(p, fx!(0.01));
        prop_assert_eq!(mirrored.rotation.integrate(omega, fx!(0.01)),
            Quat::from_xyzw(turned.x, -turned.y, -turned.z, turned.w));
    }

    #[test]
    fn nothing_panics_for_any_bits(a in any_pose(), b in any_pose(), p in vec3(), s in number()) {
        let _ = (a * b, a.inverse(), a.relative_to(b), a.transform_point(p), a.transform_vector(p), a.normalize());
        let _ = (a.inverse_transform_point(p), a.inverse_transform_vector(p), a.lerp(b, s), a.slerp(b, s));
        let _ = (a.to_string(), format!("{b:?}"), Pose::from_array(a.to_array()), a.abs_diff_eq(b, s));
    }
}
