//! What a joint measures: where frame b is in frame a, and by which angles it is turned against it.
//!
//! The relative rotation q = (x, y, z, w) is split into a twist about the x axis, and then a swing about an axis across
//! it:
//!
//! q = swing · twist,  twist = (x, 0, 0, w) / √(x² + w²).
//!
//! The twist turns by θ with tan(θ/2) = x / w. The swing takes the x axis of a to that of b, by φ with
//! tan(φ/2) = √(y² + z²) / √(x² + w²). Arc tangents of halves would double their rounding, so both are doubled before:
//!
//! θ = atan2(2 x w, w² − x²),  φ = atan2(2 s c, c² − s²),  s² = y² + z²,  c² = x² + w².
//!
//! Neither asks for a q of length 1, and q and −q give the same bits.

use isostep_math::exact::{product, sqrt_rem_u128};
use isostep_math::{Fx, Pose, Quat, Vec3};

/// The angle by which frame b is turned against frame a about the x axis, in rad: the twist of the rotation of b in a.
///
/// In (−π, π], but −π for a negative angle that rounds to it; as exact as [`Fx::atan2`] of the given components, odd
/// to the bit. Components beyond ±1 count as ±1. Where the x axes are opposite there is no twist: 0.
#[must_use]
pub(crate) fn hinge_angle(relative: Quat) -> Fx {
    let [x, _, _, w] = unit_bits(relative);
    angle_of(2 * product(x, w), product(w, w) - product(x, x))
}

/// The angle between the x axes of both frames, in [0, π] rad: the swing of the rotation of b in a.
///
/// As exact as [`Fx::atan2`] of the given components, near 0 and π as elsewhere. Components beyond ±1 count as ±1; 0
/// for the zero quaternion.
#[must_use]
pub(crate) fn swing_angle(relative: Quat) -> Fx {
    let [x, y, z, w] = unit_bits(relative);
    // At most 2⁶⁵, Q.64.
    let across = product(y, y) + product(z, z);
    let along = product(x, x) + product(w, w);
    // At most 2^62.5, Q.62.
    let root = |square: i128| i128::from(sqrt_rem_u128(square.unsigned_abs() << 60).0);
    angle_of(2 * root(across) * root(along), (along - across) << 60)
}

/// The rotation vector, in rad, of the rotation of b in a by the shortest way: at most π long.
///
/// Each component within 1.01 units of 2⁻³²; odd to the bit but for half turns, whose way is fixed by the bits of the
/// quaternion.
#[must_use]
pub(crate) fn rotation_error(relative: Quat) -> Vec3 {
    relative.to_scaled_axis()
}

/// A frame of a joint on its body, in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The centre of mass of the body.
    pub(crate) center: Vec3,
    /// From there to the origin of the frame: the same bits wherever the body is. Saturating.
    pub(crate) arm: Vec3,
    /// The rotation of the frame.
    pub(crate) rotation: Quat,
}

impl Anchor {
    /// The anchor of a `frame` in the coordinates of the origin of a body, that has its centre of mass at
    /// `center_of_mass` in them, and the pose `central_pose` about it.
    #[must_use]
    pub(crate) fn new(central_pose: Pose, center_of_mass: Vec3, frame: Pose) -> Self {
        let Pose { rotation, translation: center } = central_pose;
        let arm = rotation.mul_vec3(frame.translation.saturating_sub(center_of_mass));
        Self { center, arm, rotation: rotation.mul_quat(frame.rotation) }
    }

    /// The x axis of the frame.
    #[must_use]
    pub(crate) fn x_axis(&self) -> Vec3 {
        self.rotation.to_rotation_matrix().x_axis()
    }

    /// Where the origin of the frame is; saturating.
    #[must_use]
    pub(crate) fn point(&self) -> Vec3 {
        self.center.saturating_add(self.arm)
    }

    /// The pose of this frame in another one. Positions enter by differences only; saturating.
    #[must_use]
    pub(crate) fn relative_to(&self, base: &Self) -> Pose {
        let centers = self.center.saturating_sub(base.center);
        let way = centers.saturating_add(self.arm.saturating_sub(base.arm));
        Pose::new(base.rotation.conjugate().mul_quat(self.rotation), base.rotation.inverse_mul_vec3(way))
    }
}

/// The raw bits of x, y, z, w, those beyond ±1 taken as ±1.
fn unit_bits(rotation: Quat) -> [i64; 4] {
    rotation.to_array().map(|component| component.clamp(Fx::NEG_ONE, Fx::ONE).to_bits())
}

/// The angle of a point from the x axis, both coordinates below 2¹²⁷ in any common scale: by their leading 63 bits.
fn angle_of(y: i128, x: i128) -> Fx {
    let bits = y.unsigned_abs() | x.unsigned_abs();
    // Up or down to 63 bits, toward zero; zero stays zero.
    let spare = bits.leading_zeros();
    let word = |value: i128| {
        let magnitude = (value.unsigned_abs().wrapping_shl(spare) >> 65) as i64;
        Fx::from_bits(if value < 0 { -magnitude } else { magnitude })
    };
    if bits == 0 { Fx::ZERO } else { word(y).atan2(word(x)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isostep_math::{fx, vec3};

    /// Two units of 2⁻³²: what the rounding of a quaternion moves its angle by.
    const ROUNDING: Fx = Fx::from_bits(2);

    fn near(a: Fx, b: Fx) -> bool {
        a.abs_diff_eq(b, ROUNDING)
    }

    #[test]
    fn a_hinge_measures_the_angle_by_which_it_was_turned() {
        for milliradians in (-3141..=3141).step_by(7) {
            let angle = Fx::from_ratio(milliradians, 1000);
            let turned = Quat::from_rotation_x(angle);
            assert!(near(hinge_angle(turned), angle), "{angle} measured as {}", hinge_angle(turned));
            assert_eq!(hinge_angle(turned.saturating_neg()), hinge_angle(turned));
            assert_eq!(hinge_angle(turned.conjugate()), -hinge_angle(turned));
            assert_eq!(swing_angle(turned), Fx::ZERO);
        }
    }

    #[test]
    fn half_a_turn_is_pi_and_more_comes_from_the_other_side() {
        assert_eq!(hinge_angle(Quat::from_xyzw(Fx::ONE, Fx::ZERO, Fx::ZERO, Fx::ZERO)), Fx::PI);
        assert_eq!(hinge_angle(Quat::from_xyzw(-Fx::ONE, Fx::ZERO, Fx::ZERO, Fx::ZERO)), Fx::PI);
        assert!(near(hinge_angle(Quat::from_rotation_x(fx!(3.2))), fx!(3.2) - Fx::TAU));
        assert!(near(hinge_angle(Quat::from_rotation_x(fx!(-4))), Fx::TAU - fx!(4)));
    }

    #[test]
    fn the_smallest_turns_are_measured() {
        let turned = Quat::from_xyzw(Fx::EPSILON, Fx::ZERO, Fx::ZERO, Fx::ONE);
        assert_eq!(hinge_angle(turned), Fx::from_bits(2));
        let swung = Quat::from_xyzw(Fx::ZERO, Fx::ZERO, Fx::EPSILON, Fx::ONE);
        assert_eq!(swing_angle(swung), Fx::from_bits(2));
        let nearly = Quat::from_xyzw(Fx::ONE, Fx::ZERO, Fx::ZERO, -Fx::EPSILON * fx!(8));
        assert_eq!(hinge_angle(nearly), Fx::from_bits(16) - Fx::PI);
    }

    #[test]
    fn a_ball_joint_is_split_into_the_swing_and_the_twist_that_made_it() {
        for twist in [fx!(-3), fx!(-0.5), fx!(0), fx!(0.001), fx!(2.5)] {
            for swing in [fx!(0), fx!(0.01), fx!(1), fx!(1.6), fx!(3)] {
                for across in [fx!(-2), fx!(0), fx!(0.7)] {
                    let axis = vec3(fx!(0), across.cos(), across.sin());
                    let rotation = Quat::from_axis_angle(axis, swing) * Quat::from_rotation_x(twist);
                    // Where the swing leaves little of the twist, the rounding of the quaternion counts for more.
                    let tolerance = if swing == fx!(3) { fx!(0.00000002) } else { fx!(0.000000002) };
                    assert!(
                        hinge_angle(rotation).abs_diff_eq(twist, tolerance),
                        "twist {twist}, swing {swing}"
                    );
                    assert!(swing_angle(rotation).abs_diff_eq(swing, fx!(0.000000002)), "swing {swing}");
                    let axes = Vec3::X.angle_between(rotation * Vec3::X);
                    assert!(swing_angle(rotation).abs_diff_eq(axes, fx!(0.000000002)), "{axes}");
                }
            }
        }
    }

    #[test]
    fn opposite_axes_have_no_twist() {
        let opposite = Quat::from_rotation_z(Fx::PI);
        assert_eq!(swing_angle(opposite), Fx::PI);
        let opposite = Quat::from_xyzw(Fx::ZERO, Fx::ZERO, Fx::ONE, Fx::ZERO);
        assert_eq!(hinge_angle(opposite), Fx::ZERO);
    }

    #[test]
    fn any_four_numbers_have_angles_in_range() {
        let ends = [Fx::MIN, Fx::NEG_ONE, -Fx::EPSILON, Fx::ZERO, Fx::EPSILON, Fx::HALF, Fx::ONE, Fx::MAX];
        for x in ends {
            for y in ends {
                for z in ends {
                    for w in ends {
                        let rotation = Quat::from_xyzw(x, y, z, w);
                        assert!(hinge_angle(rotation).abs() <= Fx::PI);
                        assert!((Fx::ZERO..=Fx::PI).contains(&swing_angle(rotation)));
                        assert!(rotation_error(rotation).length() <= Fx::PI + ROUNDING);
                    }
                }
            }
        }
    }

    #[test]
    fn the_error_of_a_rotation_is_its_vector_by_the_shorter_way() {
        let error = vec3(fx!(0.3), fx!(-1.2), fx!(0.8));
        let rotation = Quat::from_scaled_axis(error);
        assert!(rotation_error(rotation).abs_diff_eq(error, ROUNDING));
        assert!(rotation_error(rotation.saturating_neg()).abs_diff_eq(error, ROUNDING));
        assert_eq!(rotation_error(rotation.conjugate()), -rotation_error(rotation));
        let long = Quat::from_rotation_y(fx!(4));
        assert!(rotation_error(long).abs_diff_eq(vec3(fx!(0), fx!(4) - Fx::TAU, fx!(0)), ROUNDING));
        assert_eq!(rotation_error(Quat::IDENTITY), Vec3::ZERO);
    }

    #[test]
    fn frames_are_where_they_are_on_their_bodies() {
        let turned = Quat::from_rotation_z(Fx::FRAC_PI_2);
        let body = Pose::new(turned, vec3(fx!(10), fx!(0), fx!(0)));
        let frame = Pose::new(Quat::from_rotation_x(fx!(0.5)), vec3(fx!(3), fx!(0), fx!(1)));
        let b = Anchor::new(body, vec3(fx!(1), fx!(0), fx!(0)), frame);
        assert_eq!(b.arm, vec3(fx!(0), fx!(2), fx!(1)));
        assert_eq!(b.point(), vec3(fx!(10), fx!(2), fx!(1)));
        let a = Anchor::new(Pose::new(turned, vec3(fx!(4), fx!(0), fx!(0))), Vec3::ZERO, Pose::IDENTITY);
        let relative = b.relative_to(&a);
        assert!(relative.translation.abs_diff_eq(vec3(fx!(2), fx!(-6), fx!(1)), ROUNDING), "{relative}");
        assert!(near(hinge_angle(relative.rotation), fx!(0.5)));
    }

    #[test]
    fn a_joint_far_away_measures_the_same_bits() {
        let frames = [
            Pose::new(Quat::from_rotation_y(fx!(0.4)), vec3(fx!(0.1), fx!(0.2), fx!(0.3))),
            Pose::new(Quat::from_rotation_z(fx!(-1)), vec3(fx!(-0.7), fx!(0.5), fx!(0))),
        ];
        let rotations =
            [Quat::from_scaled_axis(Vec3::ONE), Quat::from_scaled_axis(vec3(fx!(1), fx!(-2), fx!(0)))];
        let places = [vec3(fx!(0.3), fx!(0.4), fx!(0.5)), vec3(fx!(-0.1), fx!(1.3), fx!(0.5))];
        let relative = |offset: Vec3| {
            let [a, b] = [0, 1].map(|k| {
                let pose = Pose::new(rotations[k], places[k] + offset);
                Anchor::new(pose, vec3(fx!(0.01), fx!(0), fx!(-0.02)), frames[k])
            });
            b.relative_to(&a)
        };
        let far = vec3(fx!(-1000000000), fx!(0.123), fx!(700000));
        assert_eq!(relative(Vec3::ZERO), relative(far));
    }
}
