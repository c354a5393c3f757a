//! Vectors, rotations, matrices and poses, and the random streams.

use super::Recorder;
use crate::arguments::{Arguments, EDGES};
use isostep_math::random::Rng;
use isostep_math::{EulerRot, Fx, Mat2, Mat3, Pose, Quat, SymmetricMat3, Vec2, Vec3};

impl Arguments {
    /// A vector of everyday size, of any size, or of edges.
    fn vec3(&mut self) -> Vec3 {
        let bits = self.vector_bits();
        Vec3::new(self.component(bits), self.component(bits), self.component(bits))
    }

    fn vec2(&mut self) -> Vec2 {
        let bits = self.vector_bits();
        Vec2::new(self.component(bits), self.component(bits))
    }

    /// A rotation; one in eight has arbitrary bits instead.
    fn quat(&mut self) -> Quat {
        let bits = if self.bits() % 8 == 0 { 63 } else { 33 };
        let raw = Quat::from_array(core::array::from_fn(|_| self.number(bits)));
        if bits == 63 { raw } else { raw.normalize() }
    }

    fn pose(&mut self) -> Pose {
        Pose::new(self.quat(), self.vec3())
    }

    /// How large the next vector is; 0 for edges.
    fn vector_bits(&mut self) -> u32 {
        [0, 34, 40, 63][(self.bits() % 4) as usize]
    }

    fn component(&mut self, bits: u32) -> Fx {
        if bits == 0 { Fx::from_bits(EDGES[(self.bits() % 24) as usize]) } else { self.number(bits) }
    }
}

const COUNT: usize = 4000;

pub(super) fn vectors(out: &mut Recorder) {
    let mut arguments = Arguments::new(30);
    for _ in 0..COUNT {
        let (a, b, s) = (arguments.vec3(), arguments.vec3(), arguments.number(34));
        for v in [a + b, a - b, a * b, a / b, -a, a * s, a / s, a.cross(b), a.lerp(b, s), a.midpoint(b)] {
            out.numbers(v.to_array());
        }
        out.numbers([
            a.dot(b),
            a.length(),
            a.length_squared(),
            a.length_recip(),
            a.distance(b),
            a.distance_squared(b),
        ]);
        out.numbers([
            a.angle_between(b),
            a.element_sum(),
            a.element_product(),
            a.min_element(),
            a.max_element(),
        ]);
        for v in [
            a.normalize(),
            a.project_onto(b),
            a.reject_from(b),
            a.reflect(b.normalize()),
            a.clamp_length_max(s.abs()),
        ] {
            out.numbers(v.to_array());
        }
        for v in [
            a.move_towards(b, s),
            a.min(b),
            a.max(b),
            a.abs(),
            a.signum(),
            a.round(),
            a.any_orthonormal_vector(),
        ] {
            out.numbers(v.to_array());
        }
        let (a, b) = (arguments.vec2(), arguments.vec2());
        for v in [a + b, a * b, a.normalize(), a.rotate(b), a.perp(), a.lerp(b, s), Vec2::from_angle(s)] {
            out.numbers(v.to_array());
        }
        out.numbers([a.dot(b), a.perp_dot(b), a.length(), a.distance(b), a.angle_to(b), a.to_angle()]);
    }
}

pub(super) fn rotations(out: &mut Recorder) {
    let mut arguments = Arguments::new(31);
    for _ in 0..COUNT {
        let (p, q, v, s) = (arguments.quat(), arguments.quat(), arguments.vec3(), arguments.number(33));
        for r in [
            p * q,
            p.conjugate(),
            p.inverse(),
            p.normalize(),
            p.nlerp(q, s),
            p.slerp(q, s),
            p.rotate_towards(q, s),
        ] {
            out.numbers(r.to_array());
        }
        out.numbers((p * v).to_array());
        out.numbers(p.inverse_mul_vec3(v).to_array());
        out.numbers([p.dot(q), p.length(), p.length_squared(), p.angle_between(q)]);
        let (axis, angle) = p.to_axis_angle();
        out.numbers(axis.to_array());
        out.number(angle);
        out.numbers(p.to_scaled_axis().to_array());
        for order in [EulerRot::ZYX, EulerRot::XYZ, EulerRot::YXZ, EulerRot::ZXY] {
            let (a, b, c) = p.to_euler(order);
            out.numbers([a, b, c]);
            out.numbers(Quat::from_euler(order, a, b, s).to_array());
        }
        let (from, to) = (v.normalize(), arguments.vec3().normalize());
        for r in [
            Quat::from_axis_angle(from, s),
            Quat::from_scaled_axis(v),
            Quat::from_rotation_x(s),
            Quat::from_rotation_y(v.x),
            Quat::from_rotation_z(v.y),
            Quat::from_rotation_arc(from, to),
            Quat::look_to_rh(from, to),
            Quat::look_to_lh(to, from),
            p.integrate(v, Fx::from_ratio(1, 60)),
            p.integrate(from, s),
        ] {
            out.numbers(r.to_array());
        }
        for row in p.to_rotation_rows() {
            row.into_iter().for_each(|entry| out.bits(entry));
        }
    }
    // Rounding that accumulates.
    let mut spin = Quat::IDENTITY;
    for _ in 0..COUNT {
        spin = spin.integrate(Vec3::new(Fx::ONE, Fx::HALF, Fx::from_ratio(-7, 3)), Fx::from_ratio(1, 240));
        out.numbers(spin.to_array());
    }
}

pub(super) fn matrices(out: &mut Recorder) {
    let mut arguments = Arguments::new(32);
    for _ in 0..COUNT {
        let mut matrix = || Mat3::from_cols(arguments.vec3(), arguments.vec3(), arguments.vec3());
        let (m, n) = (matrix(), matrix());
        let (q, v, s) = (arguments.quat(), arguments.vec3(), arguments.number(33));
        for r in [
            m * n,
            m.transpose(),
            m + n,
            Mat3::from_quat(q),
            Mat3::from_outer(v, m.x_axis),
            Mat3::from_skew(v),
        ] {
            out.numbers(r.to_cols_array());
        }
        out.numbers((m * v).to_array());
        out.numbers(m.transpose_mul_vec3(v).to_array());
        out.numbers([m.determinant(), m.trace()]);
        out.numbers(m.try_inverse().unwrap_or(Mat3::ZERO).to_cols_array());
        out.numbers(Quat::from_mat3(&Mat3::from_quat(q)).to_array());
        let symmetric = SymmetricMat3::from_outer(v) + SymmetricMat3::from_diagonal(m.x_axis.abs());
        for r in [symmetric.rotated(q), symmetric.try_inverse().unwrap_or_default(), symmetric * s] {
            out.numbers(r.to_array());
        }
        out.numbers([symmetric.determinant(), symmetric.quadratic_form(m.y_axis)]);
        out.numbers(symmetric.mul_vec3(m.z_axis).to_array());
        let (m, n) = (Mat2::from_cols(arguments.vec2(), arguments.vec2()), Mat2::from_angle(s));
        for r in [m * n, n * m, m.try_inverse().unwrap_or(Mat2::ZERO)] {
            out.numbers(r.to_cols_array());
        }
        out.number(m.determinant());
    }
}

pub(super) fn poses(out: &mut Recorder) {
    let mut arguments = Arguments::new(33);
    for _ in 0..COUNT {
        let (a, b, v, s) = (arguments.pose(), arguments.pose(), arguments.vec3(), arguments.number(33));
        for pose in [a * b, a.inverse(), a.relative_to(b), a.lerp(b, s), a.slerp(b, s), a.normalize()] {
            out.numbers(pose.to_array());
        }
        for point in [
            a.transform_point(v),
            a.transform_vector(v),
            a.inverse_transform_point(v),
            a.inverse_transform_vector(v),
        ] {
            out.numbers(point.to_array());
        }
    }
}

pub(super) fn random(out: &mut Recorder) {
    let mut rng = Rng::new(0x1505_7E90, 34);
    for round in 1..=1000_u32 {
        let mut child = rng.split();
        out.bits(i64::from(child.next_u32()));
        out.bits(child.next_u64() as i64);
        out.bits(i64::from(child.below(round)));
        out.bits(child.below_u64(u64::from(round) << 20) as i64);
        out.bits(i64::from(child.range_i32(-100, round as i32)));
        out.bits(child.range_i64(i64::MIN / 3, i64::from(round)));
        out.bits(i64::from(child.chance(round, 1000)));
        out.numbers([child.fx_unit(), child.fx_range(Fx::NEG_ONE, Fx::PI), child.angle()]);
        out.numbers(child.unit_vec2().to_array());
        out.numbers(child.unit_vec3().to_array());
        out.numbers(child.unit_quat().to_array());
        let mut order = [0_u8, 1, 2, 3, 4, 5, 6, 7];
        child.shuffle(&mut order);
        out.bits(i64::from_le_bytes(order));
        out.bits(i64::from(*child.choose(&order).unwrap_or(&0)));
        out.bits(child.weighted(&[3, 0, round, 7]).map_or(-1, |index| index as i64));
        child.advance(u64::from(round) << 33);
        out.bits(child.state() as i64);
    }
}
