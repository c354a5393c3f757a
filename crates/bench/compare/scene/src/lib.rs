//! Scenes that every engine reads, and worlds of isostep in which they are built.
//!
//! Apart from the other engines, so that it can be built for targets that these cannot: its program `step-scene` steps a
//! scene in isostep, on one thread, and tells how long each step took and which state it came to.

mod clock;
mod text;
mod world;

pub use clock::thread_time;
pub use text::{Body, Ray, Scene, Shape, read_rays};
pub use world::{SceneWorld, vector};

/// Steps a second of simulated time.
pub const STEP_RATE: u32 = 60;
/// Of a step, in seconds.
pub const TIME_STEP: f64 = 1.0 / STEP_RATE as f64;
/// Along y, in m/s².
pub const GRAVITY: f64 = -9.81;
/// Of all bodies, in kg/m³.
pub const DENSITY: f64 = 1.0;
/// Of all contacts: every engine here makes 0.6 of 0.6 and 0.6. Restitution is 0.
pub const FRICTION: f64 = 0.6;
