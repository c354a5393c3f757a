//! What vectors, rotations and matrices share.
//!
//! `sums` adds products exactly and rounds once; `unit` scales a vector by a power of two so that no bit of it
//! is lost, and divides by its length; `methods` and `operators` write out what is the same for every number
//! of components.

pub(crate) mod methods;
pub(crate) mod operators;
pub(crate) mod sums;
pub(crate) mod unit;
