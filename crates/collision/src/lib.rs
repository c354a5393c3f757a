//! Deterministic fixed-point collision: the same answers, to the bit, on every machine.
//!
//! Folders are questions asked of shapes, files the pairs that answer them:
//!
//! * [`shape`]: [`Sphere`], [`Obb`], [`Capsule`], [`HalfSpace`], their enum [`Shape`], and [`Aabb`].
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod exact;
mod fit;
mod mass;
pub mod shape;

pub use fit::FitError;
pub use mass::{Mass, MassError, MassProperties, PrincipalGyration};
pub use shape::{Aabb, Capsule, HalfSpace, Obb, Shape, ShapeError, Sphere};
