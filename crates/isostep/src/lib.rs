//! Deterministic fixed-point rigid-body physics for lockstep and rollback netcode.
//!
//! This crate is the door: it re-exports the crates of the engine, and [`prelude`] what most programs name.
//!
//! # Features
//!
//! * `std`, the only one that is on by default: input logs (`isostep::replay`), and kernels for the widest SIMD unit that
//!   the CPU has, or that the environment variable `ISOSTEP_LANES` names.
//! * `parallel`: large worlds step on the threads of a rayon pool, with the same bits; `World::set_max_threads` limits how
//!   many. Takes `std` with it.
//! * `float`: conversions of [`Fx`](math::Fx) from and to `f32` and `f64`, for assets and drawing. The simulation calls none.
//! * `glam` and `mint`: conversions of vectors, quaternions and matrices from and to those of that crate. Each takes `float`
//!   with it.
//! * `serde`: `Serialize` and `Deserialize` of numbers and shapes. They are there in any case, since the world's snapshots need
//!   them.
//!
//! Without `std` the crate is `no_std` and needs an allocator alone. It has all but `isostep::replay` and `parallel`: numbers,
//! collision, and the world with its snapshots, hashes and queries. Kernels are then those for what the program is compiled
//! for. No feature changes a bit.
#![cfg_attr(not(feature = "std"), no_std)]

pub use isostep_collision as collision;
pub use isostep_math as math;
#[cfg(feature = "std")]
pub use isostep_replay as replay;
pub use isostep_step as step;

/// What most programs name.
pub mod prelude {
    pub use isostep_collision::{Aabb, Capsule, HalfSpace, Obb, Ray, Shape, Sphere};
    pub use isostep_math::random::Rng;
    pub use isostep_math::{Fx, Mat2, Mat3, Pose, Quat, Vec2, Vec3, fx, vec2, vec3};
    pub use isostep_step::{
        AxisLocks, BallMotor, BodyDef, BodyHandle, BodyKind, BodyView, ColliderDef, ColliderHandle,
        CombineRule, Command, CommandError, ContactView, Continuous, Event, Filter, JointDef, JointHandle,
        JointKind, Limits, Material, Motor, Outcome, Pull, QueryFilter, SIM_VERSION, Snapshot, Spring, World,
        WorldConfig,
    };
}

/// The README's example, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Those of the contract of determinism.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/determinism.md")]
struct Determinism;

/// Those of the guide to physics.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/physics.md")]
struct Physics;

/// Those of the first steps.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/getting-started.md")]
struct GettingStarted;
