//! Deterministic fixed-point mathematics: the same bits on every machine.
//!
//! [`Fx`] is the number (Q32.32, [`fx!`] its literals); [`Vec2`], [`Vec3`], [`Quat`], [`Mat2`], [`Mat3`] and
//! [`Pose`] are made of it and carry the names of `glam`. Trigonometry and exponentials are methods of
//! [`Fx`]; [`cordic`] is the method they are checked against. [`random`] has seeded streams for game logic,
//! [`wide`] the integer lanes that the engine's kernels run on.
//!
//! Nothing here uses a floating-point instruction, and no result depends on the build profile, on overflow
//! checks or on the processor. The one exception is at the edge of a program: with the feature `float`,
//! conversions from and to floats exist, and nothing else in the engine calls them.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(test)]
extern crate std;

pub mod cordic;
#[cfg(feature = "float")]
mod edge;
#[doc(hidden)]
pub mod exact;
mod fx;
mod mat2;
mod mat3;
mod pose;
mod power;
mod quat;
mod symmetric;
mod trig;
mod vec2;
mod vec3;
mod vector;

pub mod random;
pub mod wide;

#[cfg(feature = "float")]
pub use edge::NotANumber;
pub use fx::{Fx, ParseFxError};
pub use mat2::Mat2;
pub use mat3::Mat3;
pub use pose::Pose;
pub use quat::{EulerRot, Quat, RotationMatrix};
pub use symmetric::{SymmetricEigen, SymmetricMat3};
pub use vec2::{Vec2, vec2};
pub use vec3::{Vec3, vec3};
