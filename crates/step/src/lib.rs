//! Deterministic fixed-point rigid-body dynamics: a world that steps, saves, restores and hashes the same on every
//! machine.
//!
//! A [`World`] is changed by [`Command`]s and advanced by [`World::step`]; both are functions of its state, and of
//! nothing else. Data passes through these modules:
//!
//! * `config`, `body`, `collider`, `joint`, `material`, `filter`: what a user describes.
//! * [`Command`] carries it through the one door; `world` holds it in the columns of `state`.
//! * `solver` turns contacts into rows of 32-bit mantissas and iterates over them in lanes.
//! * [`Event`]s tell what a step did.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod body;
mod canonical;
mod collider;
mod command;
mod config;
mod contact;
mod event;
mod filter;
mod handle;
mod hash;
mod joint;
mod material;
mod parallel;
mod snapshot;
mod solver;
mod state;
mod trace;
mod tracked;
mod world;

pub use body::{
    AxisLocks, AxisLocksError, BodyDef, BodyKind, Continuous, MAX_COORDINATE, MAX_DAMPING, MAX_GRAVITY_SCALE,
};
pub use collider::ColliderDef;
pub use command::{Command, CommandError, Outcome};
pub use config::{
    ConfigError, MAX_ANGULAR_SPEED, MAX_GRAVITY, MAX_LINEAR_SPEED, MAX_SUBSTEPS, MAX_TICK_RATE, WorldConfig,
};
pub use event::Event;
pub use filter::{Filter, LAYERS, LayerMatrix};
pub use handle::{BodyHandle, ColliderHandle, JointHandle};
pub use hash::{Difference, HashTree, NumberDifference, Section};
pub use joint::{
    BallMotor, JointDef, JointError, JointKind, Limits, MAX_JOINT_LENGTH, MAX_JOINTS, MAX_MOTOR_SPEED,
    MAX_SPRING_DAMPING_RATIO, MAX_SPRING_FREQUENCY, Motor, Pull, Spring,
};
pub use material::{CombineRule, MAX_FRICTION, Material, MaterialError};
pub use snapshot::{SIM_VERSION, SNAPSHOT_VERSION, Snapshot, SnapshotError};
pub use trace::{ColumnTrace, Number, NumberKind, Trace, Tracer};
pub use world::{
    BodyView, ColliderCastHit, ColliderNearest, ColliderRayHit, ColliderView, ContactManifold, ContactView,
    JointView, ManifoldPoint, Queries, QueryFilter, StepProfile, World,
};
