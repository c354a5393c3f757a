//! Backends of 64-bit ARM. Each operation on lanes is an instruction there, products of 32 bits with what they are added to
//! as well: two lanes of NEON are two of what one lane computes with.
//!
//! As with x86-64, a register of a backend can only be made inside [`super::Level::dispatch`].

mod neon;

pub(super) use neon::Neon;
