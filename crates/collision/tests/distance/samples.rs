//! Shapes of every size and form, anywhere.

#![allow(dead_code, unreachable_pub)]

use isostep_collision::{Capsule, HalfSpace, Obb, Shape, Sphere};
use isostep_math::random::Rng;
use isostep_math::{Fx, Quat, Vec3, fx, vec3};

/// 2^low ..= 2^high metres, evenly by exponents.
pub fn size(rng: &mut Rng, low: i32, high: i32) -> Fx {
    let bits = Fx::ONE.to_bits() + rng.range_i64(0, Fx::ONE.to_bits());
    let exponent = rng.range_i32(low, high - 1);
    Fx::from_bits(if exponent < 0 { bits >> -exponent } else { bits << exponent })
}

/// A third each: nothing, a turn by quarters, any turn, with a tiny turn on top at times.
pub fn rotation(rng: &mut Rng) -> Quat {
    let quarter = |rng: &mut Rng| Fx::FRAC_PI_2 * Fx::from_int(rng.range_i32(0, 3));
    let base = match rng.below(4) {
        0 => Quat::IDENTITY,
        1 => Quat::from_rotation_x(quarter(rng)) * Quat::from_rotation_z(quarter(rng)),
        _ => rng.unit_quat().normalize(),
    };
    if rng.below(6) == 0 {
        let bits = rng.range_i32(1, 20);
        let tiny = Fx::from_bits(rng.range_i64(1, 1 << bits));
        return (base * Quat::from_axis_angle(rng.unit_vec3().normalize(), tiny)).normalize();
    }
    base
}

pub fn shape(rng: &mut Rng, kind: u32, center: Vec3, scale: Fx) -> Shape {
    // Needles and plates: extents down to a thousandth.
    let extent = |rng: &mut Rng| (scale * size(rng, -10, 1)).max(Fx::EPSILON);
    match kind {
        0 => Sphere::new(center, extent(rng)).unwrap().into(),
        1 => {
            let halves = Vec3::new(extent(rng), extent(rng), extent(rng));
            Obb::new(center, halves, rotation(rng)).unwrap().into()
        }
        2 => {
            let half = rotation(rng) * vec3(fx!(0), extent(rng), fx!(0));
            let half = if rng.below(20) == 0 { Vec3::ZERO } else { half };
            Capsule::new(center - half, center + half, extent(rng)).unwrap().into()
        }
        _ => HalfSpace::new(center, rng.unit_vec3().normalize()).unwrap().into(),
    }
}

pub fn pair(rng: &mut Rng, kinds: (u32, u32)) -> (Shape, Shape, Fx) {
    let scale = size(rng, -9, 13);
    let base = Vec3::from_array(core::array::from_fn(|_| Fx::from_bits(rng.next_u64() as i64 >> 1)));
    let apart = rng.unit_vec3() * (scale * size(rng, -4, 2));
    let apart = if rng.below(8) == 0 { apart.with_y(Fx::ZERO).with_x(Fx::ZERO) } else { apart };
    (shape(rng, kinds.0, base, scale), shape(rng, kinds.1, base + apart, scale), scale)
}

/// The shape, moved.
pub fn moved(shape: &Shape, offset: Vec3) -> Shape {
    match shape {
        Shape::Sphere(s) => Sphere::new(s.center() + offset, s.radius()).unwrap().into(),
        Shape::Box(b) => Obb::new(b.center() + offset, b.half_extents(), b.rotation()).unwrap().into(),
        Shape::Capsule(c) => Capsule::new(c.a() + offset, c.b() + offset, c.radius()).unwrap().into(),
        Shape::HalfSpace(h) => HalfSpace::new(h.point() + offset, h.normal()).unwrap().into(),
        _ => unreachable!(),
    }
}

/// In a mirror across x = 0.
pub fn mirrored(shape: &Shape) -> Shape {
    match shape {
        Shape::Sphere(s) => Sphere::new(flip(s.center()), s.radius()).unwrap().into(),
        Shape::Box(b) => {
            let q = b.rotation();
            let rotation = Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
            Obb::new(flip(b.center()), b.half_extents(), rotation).unwrap().into()
        }
        Shape::Capsule(c) => Capsule::new(flip(c.a()), flip(c.b()), c.radius()).unwrap().into(),
        Shape::HalfSpace(h) => HalfSpace::new(flip(h.point()), flip(h.normal())).unwrap().into(),
        _ => unreachable!(),
    }
}

pub fn flip(v: Vec3) -> Vec3 {
    v.with_x(-v.x)
}

/// Anywhere, the ends of the range included.
pub fn any_point(rng: &mut Rng) -> Vec3 {
    const ENDS: [i64; 7] = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
    Vec3::from_array(core::array::from_fn(|_| {
        let end = ENDS[rng.below(7) as usize];
        Fx::from_bits(if rng.bool() { rng.next_u64() as i64 } else { end })
    }))
}
