//! The engines, a file each. `rapier` and `rapier_f64` are one file, built for either precision.

#[cfg(feature = "box3d")]
pub(crate) mod box3d;
pub(crate) mod isostep;
#[cfg(feature = "jolt")]
pub(crate) mod jolt;
mod rapier_of;

rapier_of::rapier!(rapier, rapier3d, f32, share);
rapier_of::rapier!(rapier_f64, rapier3d_f64, f64, share_f64);
