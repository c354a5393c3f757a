//! Deterministic fixed-point rigid-body physics for lockstep and rollback netcode.
#![cfg_attr(not(feature = "std"), no_std)]

pub use isostep_math as math;
