//! Backends of x86-64. Intrinsics, because LLVM vectorises plain arrays only as long as a kernel is short.
//!
//! Products of 32 bits are assembly: their intrinsics are an extension of both factors and a product of 64 bits, which LLVM
//! puts together again only where it sees both in one basic block. Elsewhere it multiplies 64 bits by 64.
//!
//! A register of one of these types can only be made by code that runs inside [`super::Level::dispatch`],
//! since the backend types cannot be named outside of `wide`: whoever holds one is on a CPU that has the
//! instructions.

mod avx2;
#[cfg(isostep_avx512)]
mod avx512;

pub(super) use avx2::Avx2;
#[cfg(isostep_avx512)]
pub(super) use avx512::Avx512;
