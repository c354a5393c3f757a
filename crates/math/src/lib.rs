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
mod exact;
mod fx;
mod power;
mod trig;

pub mod random;
pub mod wide;

pub use fx::{Fx, ParseFxError};
