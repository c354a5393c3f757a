//! Uniform directions and rotations, without rejection: the number of draws is fixed.

use super::Rng;
use crate::{Fx, Quat, Vec2, Vec3};

impl Rng {
    /// An angle in [0, 2π) in radians, uniform. One draw.
    #[must_use]
    pub const fn angle(&mut self) -> Fx {
        self.fx_unit().wrapping_mul(Fx::TAU)
    }

    /// A direction in the plane, uniform on the circle. One draw; the length is within 1 unit of 2⁻³² of 1.
    #[must_use]
    pub const fn unit_vec2(&mut self) -> Vec2 {
        let (sin, cos) = self.angle().sin_cos();
        Vec2::new(cos, sin)
    }

    /// A direction in space, uniform on the sphere; the length is within 2 units of 2⁻³² of 1.
    ///
    /// By Archimedes' theorem z is uniform in [−1, 1] and the angle around it in [0, 2π). Three draws (with a
    /// probability of 2⁻³¹, five).
    #[must_use]
    pub const fn unit_vec3(&mut self) -> Vec3 {
        let z = Fx::from_bits(self.range_i64(Fx::NEG_ONE.to_bits(), Fx::ONE.to_bits()));
        let radius = Fx::ONE.saturating_sub(z.squared()).sqrt();
        let (sin, cos) = self.angle().sin_cos();
        Vec3::new(radius.saturating_mul(cos), radius.saturating_mul(sin), z)
    }

    /// A rotation, uniform over all rotations; the length is within 2 units of 2⁻³² of 1. Three draws.
    ///
    /// K. Shoemake, *Uniform Random Rotations*, Graphics Gems III, 1992: a share of the squared length for one
    /// pair of components, and an angle for each pair.
    #[must_use]
    pub const fn unit_quat(&mut self) -> Quat {
        let share = self.fx_unit();
        let (first, second) = (Fx::ONE.saturating_sub(share).sqrt(), share.sqrt());
        let (sin_first, cos_first) = self.angle().sin_cos();
        let (sin_second, cos_second) = self.angle().sin_cos();
        Quat::from_xyzw(
            first.saturating_mul(sin_first),
            first.saturating_mul(cos_first),
            second.saturating_mul(sin_second),
            second.saturating_mul(cos_second),
        )
    }
}
