//! Deterministic fixed-point rigid-body physics for lockstep and rollback netcode.
//!
//! This crate is the door: it re-exports the crates of the engine, and [`prelude`] what most programs name.
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
