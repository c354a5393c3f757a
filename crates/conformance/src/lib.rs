//! What a build of isostep checks of itself, on any machine, without a reference at hand.
//!
//! * [`digest`] runs every operation over edge and seeded arguments and hashes the raw bits of the results:
//!   one number that all machines, build profiles and lane widths must agree on.
//! * [`vectors`] holds correctly rounded results, computed once by a high-precision reference, and compares.
//!
//! `cargo test` asserts both, `cargo xtask targets` runs that on every target, and the `isostep` command
//! shows them to a newcomer.

mod arguments;
pub mod digest;
pub mod vectors;

pub use digest::digest_report;
