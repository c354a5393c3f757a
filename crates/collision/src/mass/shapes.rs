//! The mass properties of the single solids.
//!
//! Volumes are Q64.64, spreads Q64: products of extents are exact, and each result is rounded once or twice at
//! 2⁻⁶⁴.

use super::amount::{mul_shift, narrow};
use super::tensor::Tensor;
use super::{Mass, MassError, MassProperties};
use crate::exact::{div_round, length_squared};
use crate::shape::{Capsule, Obb, Shape, Sphere};
use isostep_math::Fx;

/// π/3 with 63 fraction bits, and so 4π/3 with 61.
const THIRD_PI_Q63: u64 = 0x860A_91C1_6B9B_2C23;

impl Sphere {
    /// 4π/3 r³ in m³: within a unit of 2⁻³², saturating at the end of the range (r = 800 m).
    #[must_use]
    pub const fn volume(&self) -> Fx {
        narrow(self.volume_q64())
    }

    /// The ball filled with matter of `density` in kg/m³: k² = 2/5 r² about every axis.
    ///
    /// # Errors
    /// If the density is zero or below.
    pub fn mass_properties(&self, density: Fx) -> Result<MassProperties, MassError> {
        let mass = Mass::of_volume(self.volume_q64(), density)?;
        let spread = div_round(2 * square(self.radius()), 5);
        Ok(MassProperties { mass, center: self.center(), gyration: Tensor::from_diagonal([spread; 3]) })
    }

    const fn volume_q64(&self) -> u128 {
        let radius = self.radius().to_bits() as u64;
        let cube = mul_shift(radius as u128 * radius as u128, radius, 32);
        mul_shift(cube, THIRD_PI_Q63, 61)
    }
}

impl Obb {
    /// 8 hx hy hz in m³, to nearest, saturating at the end of the range (a cube of 1290 m).
    #[must_use]
    pub const fn volume(&self) -> Fx {
        narrow(self.volume_q64())
    }

    /// The box filled with matter of `density` in kg/m³: k² = (hy² + hz²) / 3 about its x, and so on, turned to
    /// the axes of the coordinates.
    ///
    /// # Errors
    /// If the density is zero or below.
    pub fn mass_properties(&self, density: Fx) -> Result<MassProperties, MassError> {
        let mass = Mass::of_volume(self.volume_q64(), density)?;
        let [x, y, z] = self.half_extents().to_array().map(square);
        let own = Tensor::from_diagonal([y + z, x + z, x + y].map(|sum| div_round(sum, 3)));
        Ok(MassProperties { mass, center: self.center(), gyration: own.rotated(self.rotation()) })
    }

    const fn volume_q64(&self) -> u128 {
        let half = self.half_extents();
        let face = half.x.to_bits() as u128 * half.y.to_bits() as u128;
        // Eight times the product in Q96, as Q64.
        mul_shift(face, half.z.to_bits() as u64, 29)
    }
}

impl Capsule {
    /// π r² (L + 4/3 r) in m³ for a segment of length L: within two units of 2⁻³² and π r² 2⁻⁴⁴ m³, saturating.
    #[must_use]
    pub fn volume(&self) -> Fx {
        narrow(self.volume_q64())
    }

    /// The capsule filled with matter of `density` in kg/m³.
    ///
    /// A cylinder of length L and two half-balls have the shares 3L / (3L + 4r) and 4r / (3L + 4r) of the
    /// volume π r² (3L + 4r) / 3. About the axis:
    ///
    /// * cylinder r²/2, half-balls 2/5 r².
    ///
    /// About an axis across, through the centre:
    ///
    /// * cylinder r²/4 + L²/12;
    /// * half-balls: 2/5 r² about the centre of the flat face, their own centres 3/8 r before it. To those and
    ///   out again to L/2 + 3/8 r: 2/5 r² − (3/8 r)² + (L/2 + 3/8 r)² = 2/5 r² + L²/4 + 3/8 L r.
    ///
    /// The weighted sums, the division by 3L + 4r carried out, with X = r³ / (3L + 4r):
    ///
    /// * along: k² = r²/2 − 2/5 X,
    /// * across: k² = (45 L² + 120 L r + 245 r² − 116 X) / 540.
    ///
    /// For L = 0 both are the 2/5 r² of the ball. Within r 2⁻⁴⁵ m², or 2⁻⁶¹ m² if that is more.
    ///
    /// # Errors
    /// If the density is zero or below.
    pub fn mass_properties(&self, density: Fx) -> Result<MassProperties, MassError> {
        let mass = Mass::of_volume(self.volume_q64(), density)?;
        let radius = i128::from(self.radius().to_bits());
        let (r2, l2) = (square(self.radius()), self.length_squared());
        let length = i128::from(self.length_q44());
        // X / r² is at most 1/4, Q60; r is below 2^48, so the dividend is below 2^120.
        let share = div_round(radius << 72, 3 * length + (radius << 14));
        let cubed = mul_shift(r2 as u128, share as u64, 60) as i128;
        let along = div_round(5 * r2 - 4 * cubed, 10);
        let lr = (length * radius) >> 12;
        let across = div_round(45 * l2 + 120 * lr + 245 * r2 - 116 * cubed, 540);
        let gyration = match (self.b() - self.a()).normalize_q62() {
            Some(axis) => Tensor::around_axis(along, across, axis),
            None => Tensor::from_diagonal([along; 3]),
        };
        Ok(MassProperties { mass, center: self.center(), gyration })
    }

    /// The length of the segment with 44 fraction bits, rounded down; below 2^62.
    fn length_q44(&self) -> u64 {
        ((self.length_squared() as u128) << 24).isqrt() as u64
    }

    /// The squared length of the segment in Q64, exact for every sound capsule: next to 2^96 at the most.
    fn length_squared(&self) -> i128 {
        // What was moved by a pose that is no rotation may be longer, and must not wrap.
        const LONGEST: i64 = 1 << 49;
        length_squared((self.b() - self.a()).to_array().map(|way| way.to_bits().clamp(-LONGEST, LONGEST)))
    }

    fn volume_q64(&self) -> u128 {
        let radius = self.radius().to_bits() as u64;
        // 3L + 4r in Q44, below 2^64.
        let length = 3 * self.length_q44() + (radius << 14);
        let product = mul_shift(u128::from(radius) * u128::from(radius), length, 44);
        mul_shift(product, THIRD_PI_Q63, 63)
    }
}

impl Shape {
    /// The volume in m³, saturating; `None` for a half-space.
    #[must_use]
    pub fn volume(&self) -> Option<Fx> {
        match self {
            Self::Sphere(sphere) => Some(sphere.volume()),
            Self::Box(obb) => Some(obb.volume()),
            Self::Capsule(capsule) => Some(capsule.volume()),
            Self::HalfSpace(_) => None,
        }
    }

    /// The shape filled with matter of `density` in kg/m³.
    ///
    /// # Errors
    /// If the density is zero or below, and for a half-space.
    pub fn mass_properties(&self, density: Fx) -> Result<MassProperties, MassError> {
        match self {
            Self::Sphere(sphere) => sphere.mass_properties(density),
            Self::Box(obb) => obb.mass_properties(density),
            Self::Capsule(capsule) => capsule.mass_properties(density),
            Self::HalfSpace(_) => Err(MassError::Unbounded),
        }
    }
}

/// The square in Q64, exact.
const fn square(extent: Fx) -> i128 {
    extent.to_bits() as i128 * extent.to_bits() as i128
}
