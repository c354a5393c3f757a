//! Laws of rotations.

use isostep_math::{EulerRot, Fx, Mat3, Quat, SymmetricMat3, Vec3, fx};
use proptest::prelude::*;

fn number() -> impl Strategy<Value = Fx> {
    (any::<i64>(), 0_u32..64).prop_map(|(bits, shift)| Fx::from_bits(bits >> shift))
}

fn vec3() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

/// Any bits.
fn quat() -> impl Strategy<Value = Quat> {
    [number(), number(), number(), number()].prop_map(Quat::from_array)
}

/// A rotation; small components are as likely as large ones.
fn rotation() -> impl Strategy<Value = Quat> {
    quat().prop_map(Quat::normalize)
}

/// A vector of up to about a thousand metres.
fn point() -> impl Strategy<Value = Vec3> {
    ([-1_i64 << 42..1 << 42, -1_i64 << 42..1 << 42, -1_i64 << 42..1 << 42], 0_u32..42)
        .prop_map(|(bits, shift)| Vec3::from_array(bits.map(|b| Fx::from_bits(b >> shift))))
}

fn angle() -> impl Strategy<Value = Fx> {
    (-4_i64 << 32..4 << 32).prop_map(Fx::from_bits)
}

fn ulps(n: i64) -> Fx {
    Fx::from_bits(n)
}

/// Whether the length is within `units` of 2^-32 of 1, exactly.
fn has_length_one(q: Quat, units: u128) -> bool {
    let square: u128 = q.to_array().iter().map(|x| u128::from(x.to_bits().unsigned_abs()).pow(2)).sum();
    ((1 << 32) - units).pow(2) <= square && square <= ((1 << 32) + units).pow(2)
}

/// The same rotation within `units` per component, whatever the sign.
fn same_rotation(a: Quat, b: Quat, units: i64) -> bool {
    a.abs_diff_eq(b, ulps(units)) || a.abs_diff_eq(-b, ulps(units))
}

const ORDERS: [EulerRot; 12] = [
    EulerRot::ZYX,
    EulerRot::ZXY,
    EulerRot::YXZ,
    EulerRot::YZX,
    EulerRot::XYZ,
    EulerRot::XZY,
    EulerRot::ZYXEx,
    EulerRot::ZXYEx,
    EulerRot::YXZEx,
    EulerRot::YZXEx,
    EulerRot::XYZEx,
    EulerRot::XZYEx,
];

#[test]
fn quarter_turns_are_right_handed() {
    let quarter = Fx::FRAC_PI_2;
    assert_eq!(Quat::from_rotation_x(quarter) * Vec3::Y, Vec3::Z);
    assert_eq!(Quat::from_rotation_y(quarter) * Vec3::Z, Vec3::X);
    assert_eq!(Quat::from_rotation_z(quarter) * Vec3::X, Vec3::Y);
    assert_eq!(Mat3::from_rotation_x(quarter) * Vec3::Y, Vec3::Z);
    assert_eq!(Mat3::from_rotation_y(quarter) * Vec3::Z, Vec3::X);
    assert_eq!(Mat3::from_rotation_z(quarter) * Vec3::X, Vec3::Y);
    assert_eq!(Mat3::from_axis_angle(Vec3::Y, quarter), Mat3::from_rotation_y(quarter));
}

#[test]
fn zero_quaternions_have_documented_answers() {
    let zero = Quat::from_array([Fx::ZERO; 4]);
    assert_eq!(zero.normalize(), Quat::IDENTITY);
    assert_eq!(zero * Vec3::ONE, Vec3::ONE);
    assert_eq!(zero.to_axis_angle(), (Vec3::X, Fx::ZERO));
    assert_eq!(zero.to_scaled_axis(), Vec3::ZERO);
    assert_eq!(zero.to_euler(EulerRot::XYZ), (Fx::ZERO, Fx::ZERO, Fx::ZERO));
    assert_eq!(zero.integrate(Vec3::ONE, Fx::ONE), Quat::IDENTITY);
    assert_eq!(Mat3::from_quat(zero), Mat3::IDENTITY);
    assert_eq!(Quat::from_mat3(&Mat3::ZERO), Quat::IDENTITY);
    assert_eq!(Quat::from_axis_angle(Vec3::ZERO, fx!(1)), Quat::IDENTITY);
    assert_eq!(Quat::from_scaled_axis(Vec3::ZERO), Quat::IDENTITY);
    assert_eq!(Quat::from_rotation_arc(Vec3::ZERO, Vec3::X), Quat::IDENTITY);
    assert_eq!(Quat::look_to_rh(Vec3::ZERO, Vec3::Y), Quat::IDENTITY);
    assert!(!zero.is_normalized());
    assert!(Quat::IDENTITY.is_normalized());
}

#[test]
fn opposite_directions_are_joined_by_half_a_turn() {
    for v in [Vec3::X, Vec3::NEG_Z, Vec3::new(fx!(1), fx!(-2), fx!(3)), Vec3::MAX] {
        let half = Quat::from_rotation_arc(v, -v);
        assert_eq!(half.w, Fx::ZERO);
        assert!((half * v.normalize()).abs_diff_eq(-v.normalize(), ulps(2)));
        assert_eq!(Quat::from_rotation_arc(v, v), Quat::IDENTITY);
    }
    // A unit off the opposite direction, the axis is still the right one.
    let almost = Vec3::new(Fx::NEG_ONE, Fx::EPSILON, Fx::ZERO);
    let turn = Quat::from_rotation_arc(Vec3::X, almost);
    assert_eq!((turn.x, turn.y, turn.z), (Fx::ZERO, Fx::ZERO, Fx::ONE));
    assert!((turn * Vec3::X).abs_diff_eq(almost, ulps(1)));
}

#[test]
fn unity_angles_have_a_named_order() {
    // Quaternion.Euler(30, 45, 60) of Unity, as (x, y, z, w).
    let [x, y, z] = [fx!(30), fx!(45), fx!(60)].map(Fx::to_radians);
    let q = Quat::from_euler(EulerRot::ZXYEx, z, x, y);
    let (cx, sx) = (fx!(0.9659258262890683), fx!(0.25881904510252074));
    let (cy, sy) = (fx!(0.9238795325112867), fx!(0.3826834323650898));
    let (cz, sz) = (fx!(0.8660254037844387), fx!(0.5));
    let expected = Quat::from_xyzw(
        cy * sx * cz + sy * cx * sz,
        sy * cx * cz - cy * sx * sz,
        cy * cx * sz - sy * sx * cz,
        cy * cx * cz + sy * sx * sz,
    );
    assert!(q.abs_diff_eq(expected, ulps(4)), "{q} {expected}");
    assert_eq!(q, Quat::from_euler(EulerRot::YXZ, y, x, z));
    assert_eq!(EulerRot::default(), EulerRot::YXZ);
}

#[test]
fn cameras_look_along_their_forward_axis() {
    let (dir, up) = (Vec3::new(fx!(1), fx!(2), fx!(-2)), Vec3::Y);
    assert!((Quat::look_to_rh(dir, up) * dir).abs_diff_eq(Vec3::NEG_Z * fx!(3), ulps(4)));
    assert!((Quat::look_to_lh(dir, up) * dir).abs_diff_eq(Vec3::Z * fx!(3), ulps(4)));
    for view in [Quat::look_to_rh(dir, up), Quat::look_to_lh(dir, up)] {
        let seen = view * up;
        assert!(seen.x.abs() <= ulps(2) && seen.y > Fx::ZERO, "{seen}");
    }
    assert_eq!(Quat::look_at_rh(Vec3::ONE, Vec3::ONE + dir, up), Quat::look_to_rh(dir, up));
    assert_eq!(Quat::look_at_lh(Vec3::MIN, Vec3::MAX, up), Quat::look_to_lh(Vec3::ONE, up));
    // Parallel: some frame, and the right forward.
    assert_eq!(Quat::look_to_rh(Vec3::Y, Vec3::Y) * Vec3::Y, Vec3::NEG_Z);
}

#[test]
fn tensors_turn_with_their_body() {
    let box_tensor = SymmetricMat3::from_diagonal(Vec3::new(fx!(1), fx!(2), fx!(3)));
    let turned = box_tensor.rotated(Quat::from_rotation_z(Fx::FRAC_PI_2));
    assert_eq!(turned, SymmetricMat3::from_diagonal(Vec3::new(fx!(2), fx!(1), fx!(3))));
    let tiny = SymmetricMat3::from_diagonal(Vec3::splat(Fx::EPSILON));
    assert_eq!(tiny.rotated(Quat::from_rotation_x(fx!(0.7))), tiny);
    let huge = SymmetricMat3::from_diagonal(Vec3::MAX);
    let error = huge.rotated(Quat::from_rotation_x(fx!(0.7))) - huge;
    assert!(error.to_array().iter().all(|x| x.abs() <= ulps(1 << 10)), "{error:?}");
}

/// Steps per angular velocity: all of them where the build is fast.
const STEPS: u64 = if cfg!(debug_assertions) { 2_000_000 } else { 10_000_000 };

#[test]
fn integrated_rotations_keep_their_length_for_ten_million_steps() {
    let dt = Fx::from_ratio(1, 240);
    for omega in [
        Vec3::new(fx!(0.3), fx!(-1.7), fx!(12)),
        Vec3::new(Fx::EPSILON * fx!(300), -Fx::EPSILON * fx!(500), Fx::EPSILON),
        Vec3::new(fx!(900), fx!(-300), fx!(77.7)),
        Vec3::new(Fx::MIN, Fx::MAX, Fx::MIN),
    ] {
        let mut q = Quat::IDENTITY;
        for step in 0..STEPS {
            q = q.integrate(omega, dt);
            assert!(has_length_one(q, 2), "{omega}, step {step}: {q:?}");
        }
    }
}

#[test]
fn integrated_angles_do_not_drift() {
    // 2^-8 s at speeds whose angle per step is exact: nothing but the roundings of the steps is left. They
    // wander like √steps; one unit of drift per step would be 10^7.
    let dt = Fx::from_ratio(1, 256);
    for speed in [fx!(0.0625), fx!(10), fx!(377)] {
        let mut q = Quat::IDENTITY;
        for _ in 0..STEPS {
            q = q.integrate(Vec3::Z * speed, dt);
        }
        let exact = i128::from(speed.to_bits()) * i128::from(STEPS) / 256;
        let turns = Fx::from_bits((exact % (1 << 62)) as i64);
        let error = Quat::from_rotation_z(turns).angle_between(q);
        assert!(error <= ulps(20_000), "{speed}: {} units after {STEPS} steps", error.to_bits());
    }
}

#[test]
fn integration_is_the_exponential_map_from_tiny_to_huge_angles() {
    for (omega, dt) in [
        (Vec3::new(fx!(0.001), fx!(0.002), fx!(-0.003)), fx!(0.5)),
        (Vec3::new(fx!(1), fx!(1.5), fx!(-0.25)), fx!(1)),
        (Vec3::new(fx!(1.999999), fx!(0), fx!(0)), fx!(1)),
        (Vec3::new(fx!(2.000001), fx!(0), fx!(0)), fx!(1)),
        (Vec3::new(fx!(30), fx!(-40), fx!(50)), fx!(2)),
    ] {
        let q = Quat::IDENTITY.integrate(omega, dt);
        assert!(q.abs_diff_eq(Quat::from_scaled_axis(omega * dt), ulps(1)));
        let axis = Quat::from_axis_angle(omega.normalize(), (omega * dt).length());
        assert!(q.abs_diff_eq(axis, ulps(2)), "{q} {axis}");
        assert_eq!(Quat::IDENTITY.integrate(-omega, dt), q.conjugate());
        assert_eq!(Quat::IDENTITY.integrate(omega, -dt), q.conjugate());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn everything_that_makes_rotations_makes_length_one(q in quat(), r in rotation(), v in vec3(), w in vec3(),
                                                        a in number(), s in angle()) {
        prop_assert!(q.to_array().iter().all(|x| x.is_zero()) || has_length_one(q.normalize(), 2));
        for q in [
            Quat::from_axis_angle(v.normalize(), a), Quat::from_scaled_axis(v), Quat::from_rotation_x(a),
            Quat::from_rotation_y(a), Quat::from_rotation_z(a), Quat::from_euler(EulerRot::YXZ, a, s, a),
            Quat::from_mat3(&Mat3::from_cols(v, w, v)), Quat::from_rotation_arc(v, w), Quat::look_to_lh(v, w),
            Quat::look_to_rh(v, w), r.integrate(v, a), r.nlerp(q.normalize(), s), r.slerp(q.normalize(), s),
            r.rotate_towards(q.normalize(), s),
        ] {
            prop_assert!(has_length_one(q, 2), "{:?}", q);
        }
    }

    #[test]
    fn quaternions_and_matrices_turn_alike(q in rotation(), v in point()) {
        let m = Mat3::from_quat(q);
        // Half a unit per entry and metre in the matrix.
        let tolerance = ulps(2 + (v.abs().max_element().to_bits() >> 31));
        prop_assert!((m * v).abs_diff_eq(q * v, tolerance));
        prop_assert!(same_rotation(Quat::from_mat3(&m), q, 2));
        prop_assert_eq!(Mat3::from_quat(-q), m);
        prop_assert_eq!(Mat3::from_quat(q.conjugate()), m.transpose());
        prop_assert!((m * m.transpose()).abs_diff_eq(Mat3::IDENTITY, ulps(3)));
        prop_assert!(m.determinant().abs_diff_eq(Fx::ONE, ulps(4)));
    }

    #[test]
    fn turning_forth_and_back_is_a_unit_at_most_anywhere(q in rotation(), v in vec3()) {
        let v = v / fx!(4);
        let far = v.length();
        let tolerance = ulps(1 + (far.to_bits() >> 53));
        prop_assert!(q.inverse_mul_vec3(q * v).abs_diff_eq(v, tolerance));
        prop_assert!((q * v).length().abs_diff_eq(far, tolerance));
        prop_assert_eq!(q.conjugate() * v, q.inverse_mul_vec3(v));
        prop_assert_eq!(-q * v, q * v);
        if v.min_element() > Fx::MIN {
            prop_assert_eq!(q * -v, -(q * v));
        }
    }

    #[test]
    fn products_turn_one_after_the_other(a in rotation(), b in rotation(), v in point()) {
        let tolerance = ulps(4 + (v.abs().max_element().to_bits() >> 29));
        prop_assert!(((a * b) * v).abs_diff_eq(a * (b * v), tolerance));
        prop_assert!(has_length_one(a * b, 4));
        prop_assert_eq!(a * Quat::IDENTITY, a);
        prop_assert_eq!(Quat::IDENTITY * a, a);
        prop_assert_eq!((-a) * b, -(a * b));
        prop_assert_eq!(b.conjugate() * a.conjugate(), (a * b).conjugate());
        prop_assert!((a * a.inverse()).abs_diff_eq(Quat::IDENTITY, ulps(3)));
        prop_assert_eq!(a.dot(b), b.dot(a));
    }

    #[test]
    fn whole_number_quaternions_associate(a in [-300..300_i32, -300..300, -300..300, -300..300],
                                          b in [-300..300_i32, -300..300, -300..300, -300..300],
                                          c in [-300..300_i32, -300..300, -300..300, -300..300]) {
        let [a, b, c] = [a, b, c].map(|q| Quat::from_array(q.map(Fx::from_int)));
        prop_assert_eq!((a * b) * c, a * (b * c));
    }

    #[test]
    fn axes_and_angles_come_back(axis in vec3(), angle in 1_i64 << 20..13_493_037_704) {
        prop_assume!(axis != Vec3::ZERO);
        let (axis, angle) = (axis.normalize(), Fx::from_bits(angle));
        let q = Quat::from_axis_angle(axis, angle);
        let (axis_back, angle_back) = q.to_axis_angle();
        // The angle from components rounded to half a unit; the axis loses what a small sine magnifies.
        prop_assert!(angle_back.abs_diff_eq(angle, ulps(3)));
        let sine = (angle / Fx::TWO).sin();
        prop_assert!(axis_back.abs_diff_eq(axis, ulps(2) + ulps(2) / sine));
        prop_assert!(Quat::from_scaled_axis(q.to_scaled_axis()).abs_diff_eq(q, ulps(3)));
        prop_assert!(Mat3::from_axis_angle(axis, angle).abs_diff_eq(Mat3::from_quat(q), ulps(4)));
        prop_assert!(q.angle_between(Quat::IDENTITY).abs_diff_eq(angle, ulps(3)));
    }

    #[test]
    fn three_angles_come_back_as_the_same_rotation(q in rotation(), near_pole in any::<bool>(), a in angle(),
                                                   c in angle(), off in -9_i64..9) {
        for order in ORDERS {
            let q = if near_pole { Quat::from_euler(order, a, Fx::FRAC_PI_2 + ulps(off), c) } else { q };
            let (a, b, c) = q.to_euler(order);
            prop_assert!(b.abs() <= Fx::FRAC_PI_2);
            let back = Quat::from_euler(order, a, b, c);
            prop_assert!(same_rotation(back, q, 3), "{:?}: {} {}", order, back, q);
        }
    }

    #[test]
    fn moderate_angles_come_back_as_themselves(a in -3_i64 << 32..3 << 32, b in -1_i64 << 32..1 << 32,
                                               c in -3_i64 << 32..3 << 32) {
        let [a, b, c] = [a, b, c].map(Fx::from_bits);
        for order in ORDERS {
            let (x, y, z) = Quat::from_euler(order, a, b, c).to_euler(order);
            prop_assert!(x.abs_diff_eq(a, ulps(8)) && y.abs_diff_eq(b, ulps(8)) && z.abs_diff_eq(c, ulps(8)),
                "{:?}: {} {} {}", order, x - a, y - b, z - c);
        }
    }

    #[test]
    fn arcs_lead_from_one_direction_to_the_other(a in vec3(), b in vec3()) {
        prop_assume!(a != Vec3::ZERO && b != Vec3::ZERO);
        let q = Quat::from_rotation_arc(a, b);
        prop_assert!((q * a.normalize()).abs_diff_eq(b.normalize(), ulps(3)));
        // The least angle: that between the directions.
        let (angle, exact) = (q.angle_between(Quat::IDENTITY), a.angle_between(b));
        prop_assert!(angle.abs_diff_eq(exact, ulps(3)), "{:?} {:?} {:?}", angle.to_bits(), exact.to_bits(), q);
    }

    #[test]
    fn ways_between_rotations_are_exact_at_their_ends(a in rotation(), b in rotation()) {
        // The sign of the exact dot product: that of `dot` may be lost in its rounding.
        let exact = |x: Fx, y: Fx| i128::from(x.to_bits()) * i128::from(y.to_bits());
        let dot: i128 = a.to_array().into_iter().zip(b.to_array()).map(|(x, y)| exact(x, y)).sum();
        let near = if dot < 0 { -b } else { b };
        prop_assert_eq!(a.slerp(b, Fx::ZERO), a);
        prop_assert_eq!(a.slerp(b, Fx::ONE), near);
        prop_assert_eq!(a.nlerp(b, Fx::ZERO), a);
        prop_assert_eq!(a.nlerp(b, Fx::ONE), near);
        prop_assert_eq!(a.slerp(a, fx!(0.3)), a);
        prop_assert_eq!(a.rotate_towards(b, Fx::PI), b);
        // One unit before the end it is there within two.
        prop_assert!(a.slerp(b, Fx::ONE - Fx::EPSILON).abs_diff_eq(near, ulps(4)));
    }

    #[test]
    fn slerp_has_constant_speed(a in rotation(), b in rotation(), s in 0_i64..=1 << 32) {
        let s = Fx::from_bits(s);
        let angle = a.angle_between(b);
        prop_assert!(a.angle_between(a.slerp(b, s)).abs_diff_eq(angle * s, ulps(4)));
        let step = angle * s;
        prop_assert!(a.angle_between(a.rotate_towards(b, step)).abs_diff_eq(step, ulps(4)));
        let middle = a.nlerp(b, Fx::HALF);
        prop_assert!(same_rotation(middle, a.slerp(b, Fx::HALF), 3) || angle > fx!(3.1415));
    }

    #[test]
    fn small_steps_sum_up_to_large_ones(q in rotation(), omega in point()) {
        let omega = omega / fx!(64);
        let once = q.integrate(omega, fx!(0.5));
        let twice = q.integrate(omega, fx!(0.25)).integrate(omega, fx!(0.25));
        prop_assert!(once.abs_diff_eq(twice, ulps(2)), "{} {}", once, twice);
        let back = once.integrate(-omega, fx!(0.5));
        prop_assert!(back.abs_diff_eq(q, ulps(2)));
        prop_assert_eq!((-q).integrate(omega, fx!(0.5)), -once);
    }

    #[test]
    fn turned_tensors_keep_their_invariants(q in rotation(), s in proptest::array::uniform6(-1_i64 << 37..1 << 37),
                                            v in point()) {
        let s = SymmetricMat3::from_array(s.map(Fx::from_bits));
        let turned = s.rotated(q);
        prop_assert!(turned.trace().abs_diff_eq(s.trace(), ulps(2)));
        let v = v / fx!(64);
        // R S Rᵀ (R v) = R (S v), up to what half a unit in an entry does over the length of v.
        let tolerance = ulps(100 * (1 + (v.length().to_bits() >> 32)));
        prop_assert!((turned * (q * v)).abs_diff_eq(q * (s * v), tolerance));
        prop_assert!(turned.rotated(q.conjugate()).abs_diff_eq(s, ulps(3)));
        let m = Mat3::from_quat(q);
        let full = m * s.to_mat3() * m.transpose();
        prop_assert!(full.abs_diff_eq(turned.to_mat3(), ulps(400)));
    }

    #[test]
    fn nothing_panics_for_any_bits(q in quat(), r in quat(), v in vec3(), w in vec3(), s in number(), t in number()) {
        let _ = (q * r, q + r, q - r, -q, q * s, s * q, q / s, q.dot(r), q.length(), q.length_squared());
        let _ = (q.normalize(), q.is_normalized(), q.conjugate(), q.inverse(), q.xyz(), q * v, q.inverse_mul_vec3(v));
        let _ = (Quat::from_axis_angle(v, s), Quat::from_scaled_axis(v), q.to_axis_angle(), q.to_scaled_axis());
        let _ = (q.angle_between(r), q.nlerp(r, s), q.slerp(r, s), q.rotate_towards(r, s), q.integrate(v, s));
        for order in ORDERS {
            let _ = (Quat::from_euler(order, s, t, s), q.to_euler(order));
        }
        let _ = (Quat::from_rotation_arc(v, w), Quat::look_to_rh(v, w), Quat::look_at_lh(v, w, v));
        let _ = (Quat::from_rotation_axes(v, w, v), Mat3::from_quat(q), [q, r].iter().sum::<Quat>(), q.to_string());
        let _ = SymmetricMat3::from_array([s, t, v.x, v.y, v.z, w.x]).rotated(q);
        let end = Quat::from_array([Fx::MIN; 4]);
        let _ = (end * end, end.normalize(), end * Vec3::MIN, end.integrate(Vec3::MIN, Fx::MIN), end.dot(end));
        let _ = (end.slerp(q, t), end.nlerp(q, t), end.to_axis_angle(), end.angle_between(end), end.length());
        let _ = (SymmetricMat3::from_array([Fx::MIN; 6]).rotated(end), end.to_euler(EulerRot::XYZ));
    }
}
