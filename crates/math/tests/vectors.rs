//! Laws of vectors and matrices, on the whole range.

use isostep_math::{Fx, Mat2, Mat3, SymmetricMat3, Vec2, Vec3, fx};
use proptest::prelude::*;

/// Any number, every magnitude as likely as every other.
fn number() -> impl Strategy<Value = Fx> {
    prop_oneof![
        30 => (any::<i64>(), 0_u32..64).prop_map(|(bits, shift)| Fx::from_bits(bits >> shift)),
        1 => Just(Fx::MIN),
        1 => Just(Fx::MAX),
        1 => Just(Fx::ZERO),
        1 => Just(Fx::ONE),
    ]
}

/// A number whose negation is exact.
fn mirrored() -> impl Strategy<Value = Fx> {
    number().prop_filter("MIN has no negative", |&x| x != Fx::MIN)
}

fn vec2() -> impl Strategy<Value = Vec2> {
    [number(), number()].prop_map(Vec2::from_array)
}

fn vec3() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

fn mirrored_vec3() -> impl Strategy<Value = Vec3> {
    [mirrored(), mirrored(), mirrored()].prop_map(Vec3::from_array)
}

fn mat3(entries: impl Strategy<Value = Fx>) -> impl Strategy<Value = Mat3> {
    proptest::collection::vec(entries, 9).prop_map(|v| Mat3::from_cols_array(v.try_into().unwrap()))
}

/// Numbers of a size that keeps products of three inside the range.
fn moderate() -> impl Strategy<Value = Fx> {
    (-500_i64 << 32..500 << 32).prop_map(Fx::from_bits)
}

fn bits<const N: usize>(array: [Fx; N]) -> [i128; N] {
    array.map(|x| i128::from(x.to_bits()))
}

/// Σ xᵢ² in units of 2^-64.
fn exact_square<const N: usize>(array: [Fx; N]) -> u128 {
    array.iter().map(|x| u128::from(x.to_bits().unsigned_abs()).pow(2)).sum()
}

/// Nearest, ties away from zero, by a way of its own: the quotient of magnitudes.
fn rounded(sum: i128) -> i64 {
    let magnitude = sum.unsigned_abs();
    let nearest = (magnitude >> 32) + ((magnitude >> 31) & 1);
    let nearest = i128::try_from(nearest).unwrap();
    (if sum < 0 { -nearest } else { nearest }).clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Whether the length of raw bits is within `units` of 1.
fn has_length_one<const N: usize>(array: [Fx; N], units: u128) -> bool {
    let square = exact_square(array);
    ((1 << 32) - units).pow(2) <= square && square <= ((1 << 32) + units).pow(2)
}

#[test]
fn products_of_the_axes() {
    assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
    assert_eq!(Vec3::Y.cross(Vec3::Z), Vec3::X);
    assert_eq!(Vec2::X.perp(), Vec2::Y);
    assert_eq!(Vec2::X.perp_dot(Vec2::Y), Fx::ONE);
    assert_eq!(Vec3::new(fx!(1), fx!(2), fx!(3)).dot(Vec3::new(fx!(4), fx!(-5), fx!(6))), fx!(12));
    assert_eq!(Vec3::new(fx!(2), fx!(3), fx!(6)).length(), fx!(7));
}

#[test]
fn sums_of_products_are_rounded_once() {
    // Four times half a unit is two units; rounded one by one it would be three.
    let half = Vec3::splat(Fx::EPSILON);
    assert_eq!(half.dot(Vec3::splat(Fx::HALF)).to_bits(), 2);
    // Large terms that cancel leave the small one whole.
    let a = Vec3::new(fx!(40000), fx!(40000), Fx::EPSILON);
    assert_eq!(a.dot(Vec3::new(fx!(50000), fx!(-50000), fx!(3))), Fx::EPSILON * fx!(3));
}

#[test]
fn dot_products_saturate_by_their_sign_at_the_ends() {
    assert_eq!(Vec3::MIN.dot(Vec3::MIN), Fx::MAX);
    assert_eq!(Vec3::MIN.dot(Vec3::MAX), Fx::MIN);
    assert_eq!(Vec2::MIN.dot(Vec2::MIN), Fx::MAX);
    let a = Vec3::new(Fx::MIN, Fx::MIN, Fx::MIN);
    assert_eq!(a.dot(Vec3::new(Fx::MIN, Fx::MIN, Fx::MAX)), Fx::MAX);
    // MIN (MIN + MAX): both products are at the end of 128 bits, and what is left of them is exact.
    assert_eq!(a.dot(Vec3::new(Fx::MIN, Fx::MAX, Fx::ZERO)), Fx::HALF);
}

#[test]
fn lengths_at_both_ends_of_the_range() {
    assert_eq!(Vec3::splat(Fx::EPSILON).length().to_bits(), 2);
    assert_eq!(Vec3::MIN.length(), Fx::MAX);
    assert_eq!(Vec3::X.length_recip(), Fx::ONE);
    assert_eq!((Vec3::X * fx!(1024)).length_recip(), fx!(0.0009765625));
    assert_eq!(Vec3::ZERO.length_recip(), Fx::MAX);
    assert_eq!(Vec3::new(Fx::EPSILON, Fx::ZERO, Fx::ZERO).length_recip(), Fx::MAX);
    assert_eq!(Vec3::splat(Fx::EPSILON).normalize(), Vec3::ONE.normalize());
    assert_eq!(Vec3::MAX.normalize(), Vec3::ONE.normalize());
    assert_eq!(Vec3::MIN.normalize(), Vec3::NEG_ONE.normalize());
    assert_eq!(Vec3::new(Fx::ZERO, Fx::MIN, Fx::ZERO).normalize(), Vec3::NEG_Y);
}

#[test]
fn distances_are_right_where_differences_do_not_fit() {
    let a = Vec3::new(fx!(-1500000000), fx!(1), fx!(2));
    let b = Vec3::new(fx!(500000000), fx!(1), fx!(2));
    assert_eq!(a.distance(b), fx!(2000000000));
    assert_eq!(b.distance(a), fx!(2000000000));
    assert_eq!(Vec3::MIN.distance(Vec3::MAX), Fx::MAX);
    assert_eq!(Vec3::MIN.distance_squared(Vec3::MAX), Fx::MAX);
    assert_eq!(Vec3::MAX.distance(Vec3::MAX), Fx::ZERO);
}

#[test]
fn zero_vectors_have_documented_answers() {
    assert_eq!(Vec3::ZERO.normalize(), Vec3::ZERO);
    assert_eq!(Vec3::ZERO.try_normalize(), None);
    assert_eq!(Vec3::ZERO.normalize_or(Vec3::Y), Vec3::Y);
    assert_eq!(Vec3::ZERO.normalize_and_length(), (Vec3::X, Fx::ZERO));
    assert_eq!(Vec3::ONE.project_onto(Vec3::ZERO), Vec3::ZERO);
    assert_eq!(Vec3::ONE.reject_from(Vec3::ZERO), Vec3::ONE);
    assert_eq!(Vec3::ZERO.angle_between(Vec3::X), Fx::ZERO);
    assert_eq!(Vec3::ZERO.any_orthonormal_vector(), Vec3::X);
    assert_eq!(Vec3::ZERO.any_orthonormal_pair(), (Vec3::X, Vec3::Y));
    assert_eq!(Vec3::ZERO.clamp_length(fx!(1), fx!(2)), Vec3::ZERO);
    assert_eq!(Vec2::ZERO.angle_to(Vec2::X), Fx::ZERO);
    assert_eq!(Vec2::ZERO.to_angle(), Fx::ZERO);
}

#[test]
fn projections_mirrors_and_walks() {
    let v = Vec3::new(fx!(3), fx!(4), fx!(5));
    assert_eq!(v.project_onto(Vec3::Y * fx!(-7)), Vec3::Y * fx!(4));
    assert_eq!(v.reject_from(Vec3::Y * fx!(-7)), v.with_y(Fx::ZERO));
    assert_eq!(v.project_onto_normalized(Vec3::Z), Vec3::Z * fx!(5));
    assert_eq!(v.reflect(Vec3::X), Vec3::new(fx!(-3), fx!(4), fx!(5)));
    assert_eq!(v.clamp_length_max(fx!(0)), Vec3::ZERO);
    assert_eq!(Vec2::new(fx!(3), fx!(4)).clamp_length(fx!(1), fx!(2.5)), Vec2::new(fx!(1.5), fx!(2)));
    assert_eq!(Vec2::new(fx!(3), fx!(4)).clamp_length_min(fx!(10)), Vec2::new(fx!(6), fx!(8)));
    assert_eq!(Vec3::X.move_towards(Vec3::X * fx!(5), fx!(1.5)), Vec3::X * fx!(2.5));
    assert_eq!(Vec3::X.move_towards(Vec3::X * fx!(5), fx!(4)), Vec3::X * fx!(5));
    assert_eq!(Vec3::X.move_towards(Vec3::X * fx!(5), fx!(-1)), Vec3::ZERO);
    assert_eq!(Vec3::MIN.move_towards(Vec3::MAX, Fx::MAX).x, Vec3::MIN.move_towards(Vec3::MAX, Fx::MAX).z);
    assert_eq!(Vec3::MIN.midpoint(Vec3::MAX), Vec3::splat(-Fx::EPSILON));
    assert_eq!(Vec3::X.lerp(Vec3::Y, fx!(0.25)), Vec3::new(fx!(0.75), fx!(0.25), fx!(0)));
}

#[test]
fn angles_near_zero_and_near_pi_keep_their_digits() {
    let tiny = Vec3::new(Fx::ONE, Fx::EPSILON, Fx::ZERO);
    assert_eq!(Vec3::X.angle_between(tiny), Fx::EPSILON);
    assert_eq!(Vec3::NEG_X.angle_between(tiny), Fx::PI - Fx::EPSILON);
    assert_eq!(Vec3::X.angle_between(Vec3::Y * fx!(0.001)), Fx::FRAC_PI_2);
    assert_eq!(Vec3::MIN.angle_between(Vec3::MIN), Fx::ZERO);
    assert_eq!(Vec3::MIN.angle_between(Vec3::MAX), Fx::PI);
    assert_eq!(Vec2::X.angle_to(Vec2::NEG_Y), -Fx::FRAC_PI_2);
    assert_eq!(Vec2::from_angle(Fx::FRAC_PI_2), Vec2::Y);
    assert_eq!(Vec2::from_angle(Fx::FRAC_PI_2).rotate(Vec2::Y), Vec2::NEG_X);
}

#[test]
fn text_and_serialised_forms_are_sequences() {
    let v = Vec3::new(fx!(1), fx!(-0.5), fx!(0));
    assert_eq!(v.to_string(), "[1, -0.5, 0]");
    assert_eq!(format!("{v:.2}"), "[1.00, -0.50, 0.00]");
    assert_eq!(Mat2::IDENTITY.to_string(), "[[1, 0], [0, 1]]");
    #[cfg(feature = "serde")]
    {
        assert_eq!(serde_json::to_string(&v).unwrap(), r#"["1","-0.5","0"]"#);
        assert_eq!(serde_json::from_str::<Vec3>(r#"["1","-0.5","0"]"#).unwrap(), v);
        assert!(serde_json::from_str::<Vec3>(r#"["1","-0.5"]"#).is_err());
        let config = bincode::config::legacy();
        let bytes = bincode::serde::encode_to_vec(v, config).unwrap();
        assert_eq!(bytes.len(), 24);
        assert_eq!(bincode::serde::decode_from_slice::<Vec3, _>(&bytes, config).unwrap().0, v);
    }
}

#[test]
fn inverses_of_badly_conditioned_matrices_are_exact() {
    // Determinant 2^-64: far below the spacing of the numbers.
    let shear = Mat3::from_cols(
        Vec3::new(Fx::ONE, Fx::ONE, Fx::ZERO),
        Vec3::new(Fx::ONE, Fx::ONE + Fx::EPSILON, Fx::ZERO),
        Vec3::new(Fx::ZERO, Fx::ZERO, fx!(4)),
    );
    assert_eq!(shear.determinant().to_bits(), 4);
    let inverse = shear.try_inverse().unwrap();
    assert_eq!(inverse.z_axis, Vec3::Z / fx!(4));
    assert_eq!(inverse.x_axis.x, Fx::MAX, "1 + 2^32 saturates");
    let small = Mat2::from_diagonal(Vec2::splat(Fx::EPSILON * fx!(8)));
    assert_eq!(small.determinant(), Fx::ZERO);
    assert_eq!(small.try_inverse(), Some(Mat2::from_diagonal(Vec2::splat(fx!(536870912)))));
    assert_eq!(Mat3::from_diagonal(Vec3::MIN).determinant(), Fx::MIN);
    assert_eq!(Mat3::from_skew(Vec3::ONE).try_inverse(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn dot_is_the_exact_sum_rounded_once(a in [moderate(), moderate(), moderate()],
                                         b in [moderate(), moderate(), moderate()]) {
        let sum = bits(a).iter().zip(bits(b)).map(|(a, b)| a * b).sum();
        prop_assert_eq!(Vec3::from_array(a).dot(Vec3::from_array(b)).to_bits(), rounded(sum));
    }

    #[test]
    fn dot_is_symmetric(a in vec3(), b in vec3(), c in vec2(), d in vec2()) {
        prop_assert_eq!(a.dot(b), b.dot(a));
        prop_assert_eq!(c.dot(d), d.dot(c));
    }

    #[test]
    fn cross_is_the_exact_difference_and_turns_its_sign(a in mirrored_vec3(), b in mirrored_vec3()) {
        let ([ax, ay, az], [bx, by, bz]) = (bits(a.to_array()), bits(b.to_array()));
        let exact = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx].map(rounded);
        prop_assert_eq!(a.cross(b).to_array().map(Fx::to_bits), exact);
        // At the ends the negative one is a unit farther out.
        let back = b.cross(a);
        for i in 0..3 {
            prop_assert!(back[i] == -a.cross(b)[i] || (back[i] == Fx::MIN && a.cross(b)[i] == Fx::MAX));
        }
        prop_assert_eq!(a.truncate().perp_dot(b.truncate()), a.cross(b).z);
        prop_assert_eq!(a.cross(a), Vec3::ZERO);
    }

    #[test]
    fn lengths_are_nearest(v in vec3()) {
        let square = exact_square(v.to_array());
        let length = u128::from(v.length().to_bits().unsigned_abs());
        let floor = square.isqrt();
        let nearest = floor + u128::from(square - floor * floor > floor);
        prop_assert_eq!(length, nearest.min(i64::MAX as u128));
        prop_assert_eq!(v.distance(Vec3::ZERO), v.length());
        prop_assert_eq!(v.distance_squared(Vec3::ZERO), v.length_squared());
        prop_assert_eq!(v.truncate().length(), v.x.hypot(v.y));
    }

    #[test]
    fn normalised_vectors_have_length_one_within_a_unit(v in vec3(), w in vec2()) {
        if v != Vec3::ZERO {
            prop_assert!(has_length_one(v.normalize().to_array(), 1));
            prop_assert!(v.normalize().is_normalized());
        }
        if w != Vec2::ZERO {
            prop_assert!(has_length_one(w.normalize().to_array(), 1));
        }
    }

    #[test]
    fn normalised_components_are_within_half_a_unit(
        v in [-1_i64 << 31..1 << 31, -1_i64 << 31..1 << 31, 1_i64 << 24..1 << 31],
        up in 0_u32..32,
    ) {
        // The root of the sum with 32 more bits, the quotient with ten.
        let root = (v.iter().map(|c| u128::from(c.unsigned_abs()).pow(2)).sum::<u128>() << 64).isqrt();
        let unit = Vec3::from_array(v.map(|c| Fx::from_bits(c << up))).normalize();
        for (unit, c) in unit.to_array().into_iter().zip(v) {
            let exact = (i128::from(c) << 74) / i128::try_from(root).unwrap();
            let error = (i128::from(unit.to_bits()) << 10) - exact;
            prop_assert!(error.abs() <= 524, "{} / 1024 units", error);
        }
    }

    #[test]
    fn directions_commute_with_negation_and_permutation(v in mirrored_vec3()) {
        let unit = v.normalize();
        prop_assert_eq!((-v).normalize(), -unit);
        prop_assert_eq!(Vec3::new(v.z, v.x, v.y).normalize(), Vec3::new(unit.z, unit.x, unit.y));
        prop_assert_eq!(Vec3::new(v.y, v.x, v.z).normalize(), Vec3::new(unit.y, unit.x, unit.z));
        prop_assert_eq!((-v).length(), v.length());
        prop_assert_eq!((-v).length_recip(), v.length_recip());
    }

    #[test]
    fn negation_goes_through_projections_and_walks(a in mirrored_vec3(), b in mirrored_vec3(), s in moderate()) {
        let p = a.project_onto(b);
        if p.min_element() > Fx::MIN && p.max_element() < Fx::MAX {
            prop_assert_eq!((-a).project_onto(b), -p);
            prop_assert_eq!(a.project_onto(-b), p);
        }
        let w = a.move_towards(b, s);
        if w.min_element() > Fx::MIN && w.max_element() < Fx::MAX {
            prop_assert_eq!((-a).move_towards(-b, s), -w);
        }
        let r = a.reflect(b.normalize());
        if r.min_element() > Fx::MIN && r.max_element() < Fx::MAX {
            prop_assert_eq!((-a).reflect(b.normalize()), -r);
        }
        prop_assert_eq!((-a).midpoint(-b), -a.midpoint(b));
        prop_assert_eq!((-a).angle_between(-b), a.angle_between(b));
        prop_assert_eq!(b.angle_between(a), a.angle_between(b));
    }

    #[test]
    fn angles_and_directions_do_not_depend_on_the_length(
        a in [-1_i64 << 31..1 << 31, -1_i64 << 31..1 << 31, -1_i64 << 31..1 << 31],
        b in [-1_i64 << 31..1 << 31, -1_i64 << 31..1 << 31, -1_i64 << 31..1 << 31],
        down in 0_u32..31, up in 1_u32..32,
    ) {
        let [a, b] = [a, b].map(|v| v.map(|c| c >> down));
        let [long_a, long_b] = [a, b].map(|v| Vec3::from_array(v.map(|c| Fx::from_bits(c << up))));
        let [a, b] = [a, b].map(|v| Vec3::from_array(v.map(Fx::from_bits)));
        prop_assert_eq!(long_a.angle_between(long_b), a.angle_between(b));
        prop_assert_eq!(long_a.truncate().angle_to(long_b.truncate()), a.truncate().angle_to(b.truncate()));
        prop_assert_eq!(long_a.normalize(), a.normalize());
        prop_assert_eq!(long_a.any_orthonormal_pair(), a.any_orthonormal_pair());
    }

    #[test]
    fn orthonormal_pairs_are_right_handed_frames(v in vec3()) {
        let (a, b) = v.any_orthonormal_pair();
        prop_assert!(has_length_one(a.to_array(), 1) && has_length_one(b.to_array(), 1));
        prop_assert!(a.dot(b).abs().to_bits() <= 2);
        if v != Vec3::ZERO {
            let unit = v.normalize();
            prop_assert!(unit.dot(a).abs().to_bits() <= 2 && unit.dot(b).abs().to_bits() <= 2);
            prop_assert!(a.cross(b).abs_diff_eq(unit, Fx::from_bits(3)));
            prop_assert_eq!(v.any_orthonormal_vector(), a);
        }
    }

    #[test]
    fn clamped_lengths_are_within_the_bounds(v in vec3(), max in 1_i64 << 20..1 << 60) {
        let max = Fx::from_bits(max);
        let clamped = v.clamp_length_max(max);
        prop_assert!(clamped.length().to_bits() <= max.to_bits() + 1 + (max.to_bits() >> 55));
        if v.length() < max {
            prop_assert_eq!(clamped, v);
        }
    }

    #[test]
    fn walks_end_at_their_distance(a in [moderate(), moderate(), moderate()],
                                   b in [moderate(), moderate(), moderate()], s in 0_i64..100 << 32) {
        let (a, b, s) = (Vec3::from_array(a), Vec3::from_array(b), Fx::from_bits(s));
        let end = a.move_towards(b, s);
        if a.distance(b) > s {
            prop_assert!(a.distance(end).abs_diff_eq(s, Fx::from_bits(2)));
        } else {
            prop_assert_eq!(end, b);
        }
    }

    #[test]
    fn matrix_products_are_columns_of_dots(m in mat3(number()), n in mat3(number()), v in vec3()) {
        let product = m * n;
        for i in 0..3 {
            prop_assert_eq!(product.col(i), m * n.col(i));
            for j in 0..3 {
                prop_assert_eq!(product.col(i)[j], m.row(j).dot(n.col(i)));
            }
        }
        prop_assert_eq!(m.transpose().transpose(), m);
        prop_assert_eq!(m.transpose() * v, m.transpose_mul_vec3(v));
        prop_assert_eq!((n.transpose() * m.transpose()).transpose(), product);
        prop_assert_eq!(Mat3::IDENTITY * m, m);
        prop_assert_eq!(m * Mat3::IDENTITY, m);
    }

    #[test]
    fn whole_number_matrices_associate(a in proptest::array::uniform9(-900..900_i32),
                                       b in proptest::array::uniform9(-900..900_i32),
                                       c in proptest::array::uniform9(-90..90_i32)) {
        let [a, b, c] = [a, b, c].map(|m| Mat3::from_cols_array(m.map(Fx::from_int)));
        prop_assert_eq!((a * b) * c, a * (b * c));
        prop_assert_eq!(a.transpose().determinant(), a.determinant());
    }

    #[test]
    fn skew_matrices_are_cross_products(a in mirrored_vec3(), b in vec3()) {
        prop_assert_eq!(Mat3::from_skew(a) * b, a.cross(b));
    }

    #[test]
    fn determinants_of_whole_numbers_are_exact(m in proptest::array::uniform9(-500..500_i64)) {
        let [a, b, c, d, e, f, g, h, i] = m;
        let exact = a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
        let m = Mat3::from_cols_array(m.map(|x| Fx::from_int(x as i32)));
        prop_assert_eq!(m.determinant(), Fx::from_int(exact as i32));
        prop_assert_eq!(m.try_inverse().is_none(), exact == 0);
    }

    #[test]
    fn inverses_give_the_identity(m in mat3(moderate())) {
        if let Some(inverse) = m.try_inverse() {
            // Every entry of the inverse is off by half a unit, and three of them by 500 each meet in a sum.
            let tolerance = Fx::from_bits(752);
            if inverse.to_cols_array().iter().all(|x| x.abs() < Fx::MAX) {
                prop_assert!((m * inverse).abs_diff_eq(Mat3::IDENTITY, tolerance));
                prop_assert!((inverse * m).abs_diff_eq(Mat3::IDENTITY, tolerance));
            }
        }
    }

    #[test]
    fn planar_inverses_give_the_identity(m in [moderate(), moderate(), moderate(), moderate()]) {
        let m = Mat2::from_cols_array(m);
        if let Some(inverse) = m.try_inverse() {
            if inverse.to_cols_array().iter().all(|x| x.abs() < Fx::MAX) {
                prop_assert!((m * inverse).abs_diff_eq(Mat2::IDENTITY, Fx::from_bits(502)));
            }
        }
    }

    #[test]
    fn symmetric_matrices_act_like_their_full_form(s in proptest::array::uniform6(number()), v in vec3()) {
        let s = SymmetricMat3::from_array(s);
        let m = s.to_mat3();
        prop_assert_eq!(s * v, m * v);
        prop_assert_eq!(s.determinant(), m.determinant());
        prop_assert_eq!(s.try_inverse().map(SymmetricMat3::to_mat3), m.try_inverse());
        prop_assert_eq!(s.trace(), m.trace());
        prop_assert_eq!(m.transpose(), m);
        prop_assert_eq!(SymmetricMat3::from_outer(v).to_mat3(), Mat3::from_outer(v, v));
    }

    #[test]
    fn quadratic_forms_are_exact(s in proptest::array::uniform6(-900..900_i64),
                                 v in proptest::array::uniform3(-20..20_i64)) {
        let [x, y, z] = v;
        let exact = s[0] * x * x + s[1] * y * y + s[2] * z * z
            + 2 * (s[3] * x * y + s[4] * x * z + s[5] * y * z);
        let form = SymmetricMat3::from_array(s.map(|x| Fx::from_int(x as i32)));
        let v = Vec3::from_array(v.map(|x| Fx::from_int(x as i32)));
        prop_assert_eq!(form.quadratic_form(v), Fx::from_int(exact as i32));
        // The same in units of 2^-96 must round to nearest as well.
        let v = v / fx!(65536);
        let units = exact.abs();
        let nearest = Fx::from_bits(if exact < 0 { -units } else { units });
        prop_assert_eq!(form.quadratic_form(v), nearest);
    }

    #[test]
    fn nothing_panics_for_any_bits(a in proptest::array::uniform9(any::<i64>()), v in vec3(), w in vec3(),
                                   s in number(), t in number()) {
        let m = Mat3::from_cols_array(a.map(Fx::from_bits));
        let sym = SymmetricMat3::from_array([s, t, v.x, v.y, w.z, m.x_axis.x]);
        let (p, q) = (v.truncate(), w.truncate());
        let _ = (v + w, v - w, -v, v * s, s * v, v / s, v * w, v / w, v.dot(w), v.cross(w), v.min(w), v.max(w));
        let _ = (v.clamp(w, v), v.min_element(), v.max_element(), v.element_sum(), v.element_product());
        let _ = (v.abs(), v.signum(), v.copysign(w), v.length(), v.length_squared(), v.length_recip());
        let _ = (v.distance(w), v.distance_squared(w), v.normalize(), v.normalize_and_length(), v.is_normalized());
        let _ = (v.project_onto(w), v.reject_from(w), v.project_onto_normalized(w), v.reject_from_normalized(w));
        let _ = (v.round(), v.floor(), v.ceil(), v.trunc(), v.fract(), v.recip(), v.lerp(w, s));
        let _ = (v.move_towards(w, s), v.midpoint(w), v.abs_diff_eq(w, s), v.clamp_length(s, t));
        let _ = (v.clamp_length_min(s), v.clamp_length_max(s), v.mul_add(w, v), v.reflect(w), v.angle_between(w));
        let _ = (v.any_orthogonal_vector(), v.any_orthonormal_vector(), v.any_orthonormal_pair());
        let _ = ([v, w, v].iter().sum::<Vec3>(), v.to_string(), format!("{w:?}"));
        let _ = (p + q, p - q, -p, p * s, p / s, p * q, p / q, p.dot(q), p.perp(), p.perp_dot(q), p.rotate(q));
        let _ = (Vec2::from_angle(s), p.to_angle(), p.angle_to(q), p.length(), p.length_recip(), p.normalize());
        let _ = (p.project_onto(q), p.reject_from(q), p.reflect(q), p.move_towards(q, s), p.distance(q));
        let _ = (p.clamp_length(s, t), p.element_sum(), p.element_product(), p.lerp(q, t), p.midpoint(q));
        let _ = (m * m, m * v, m.transpose_mul_vec3(v), m.determinant(), m.try_inverse(), m.trace(), m + m, m - m);
        let _ = (-m, m * s, m / s, Mat3::from_outer(v, w), Mat3::from_skew(v), Mat3::from_axis_angle(v, s), m.abs());
        let _ = (Mat3::from_rotation_x(s), Mat3::from_rotation_y(s), Mat3::from_rotation_z(s), m.to_string());
        let _ = (sym * v, sym.quadratic_form(w), sym.determinant(), sym.try_inverse(), sym + sym, sym - sym, -sym);
        let _ = (sym * s, sym / s, sym.trace(), SymmetricMat3::from_outer(v), sym.to_mat3());
        let n = Mat2::from_cols(p, q);
        let _ = (n * n, n * p, n.transpose_mul_vec2(p), n.determinant(), n.try_inverse(), Mat2::from_angle(s), n / t);
    }
}

#[test]
fn the_longest_vectors_have_the_angles_and_remainders_of_shorter_ones() {
    let long = [
        (
            Vec3::new(fx!(2_000_000_000), fx!(2_000_000_000), fx!(2_000_000_000)),
            Vec3::new(fx!(2_000_000_000), fx!(2_000_000_000), fx!(1_000_000_000)),
        ),
        (Vec3::new(Fx::MAX, Fx::MAX, Fx::MIN), Vec3::new(fx!(-1911334689), fx!(-803307866), fx!(2092464949))),
        (Vec3::splat(Fx::MIN), Vec3::splat(Fx::MAX)),
    ];
    for (a, b) in long {
        let shorter = (a / fx!(4)).angle_between(b / fx!(4));
        assert!(a.angle_between(b).abs_diff_eq(shorter, Fx::from_bits(2)), "{a} {b}");
    }
    // Its projection is beyond the range; what remains is not: u − n (u · n).
    let along = Vec3::new(fx!(0.8), fx!(0.4242640687), fx!(0.4242640687)).normalize();
    let quarter = Vec3::splat(Fx::from_bits(i64::MAX / 4));
    for (whole, part) in [
        (Vec3::MAX.reject_from_normalized(along), quarter.reject_from_normalized(along)),
        (Vec3::MAX.reject_from(along), quarter.reject_from(along)),
    ] {
        assert!((whole / fx!(4) - part).abs().max_element() < fx!(2), "{whole} {part}");
        assert!(whole.x < fx!(-684_000_000) && whole.x > fx!(-685_000_000), "{whole}");
    }
}
