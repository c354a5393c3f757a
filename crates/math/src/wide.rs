//! Lanes of 64-bit integers that hold 32-bit multiplicands, and the dispatch to the widest SIMD unit.
//!
//! The inner kernels of the engine never multiply 64-bit words. They multiply 32-bit mantissas into
//! 64-bit lanes, which every CPU does in SIMD (`pmuldq`, `smull`, `i64x2.extmul_low_i32x4_s`). Integer
//! addition is associative, so the number of lanes, the instruction set and the number of threads cannot
//! change a bit of the result.
//!
//! In the order in which data passes through:
//! 1. [`Level`] says which instruction set this process uses; [`Level::dispatch`] enters a function compiled
//!    for it and runs a [`Kernel`] there with the lane count that suits it.
//! 2. The kernel loads columns (`[i32; N]`) or gathers records into [`Lanes`].
//! 3. It computes with [`Lanes`] and [`Mask`], and with [`Multiplicand`] where only products ask for a number; with the
//!    3-vectors of [`dot3`] and [`cross3`]; and with [`Lanes::recip`] and [`Lanes::rsqrt`] instead of a division or a root.
//! 4. It stores columns or scatters records.
//!
//! A kernel is written once, generic over the [`Backend`]. x86-64 and 64-bit ARM have backends of intrinsics; elsewhere, and
//! in one lane, [`Portable`] is plain arrays. Arrays alone would not do: LLVM finds the vectors in a short kernel and loses them in a
//! longer one, and the contact row of the benchmark then takes 24 ns instead of 8.
//!
//! # Operators
//! `+`, `-` and unary `-` **wrap** modulo 2⁶⁴, in every build profile, like [`core::num::Wrapping`]. There is
//! no `*`: [`Lanes::mul32`] multiplies the low 32 bits exactly. There is no `<<` or `>>`: shifts name their
//! rounding ([`Lanes::shr`], [`Lanes::shr_round`], [`Lanes::shr_round_half_up`]) and take the count as a
//! constant.
//!
//! ```
//! use isostep_math::wide::{Backend, Kernel, Lanes, Level, chunk_at, chunk_at_mut, dot3};
//!
//! /// Lengths along `n` of vectors that are stored as three columns; all numbers Q2.30.
//! struct Project<'a> {
//!     n: [i32; 3],
//!     columns: [&'a [i32]; 3],
//!     out: &'a mut [i32],
//! }
//!
//! impl Kernel for Project<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run<B: Backend<N>, const N: usize>(self) {
//!         let n = self.n.map(|x| Lanes::<B, N>::splat(i64::from(x)));
//!         for at in (0..self.out.len()).step_by(N) {
//!             let column = |k: usize| Lanes::<B, N>::load(chunk_at(self.columns[k], at));
//!             let length = dot3(n, [column(0), column(1), column(2)]).shr_round::<30>();
//!             *chunk_at_mut(self.out, at) = length.store();
//!         }
//!     }
//! }
//!
//! let x = [1 << 30, 0, 1 << 29, 0, 0, 0, 0, -1 << 29];
//! let zero = [0; 8];
//! let mut out = [0; 8];
//! let kernel = Project { n: [1 << 29, 0, 0], columns: [&x, &zero, &zero], out: &mut out };
//! Level::current().dispatch(kernel);
//! assert_eq!(out, [1 << 29, 0, 1 << 28, 0, 0, 0, 0, -1 << 28]);
//! ```

#![allow(clippy::needless_range_loop, reason = "lanes are addressed by number, in several arrays at once")]

#[cfg(isostep_neon)]
mod arm;
mod backend;
mod dispatch;
mod lanes;
mod level;
mod mask;
mod memory;
mod multiplicand;
mod portable;
mod prefetch;
mod reciprocal;
mod shift;
mod vector;
#[cfg(target_arch = "x86_64")]
mod x86;

/// The most lanes that a level of this target has.
pub const MOST_LANES: usize = if cfg!(target_arch = "x86_64") {
    8
} else if cfg!(isostep_neon) {
    2
} else {
    1
};

pub use backend::Backend;
pub use dispatch::Kernel;
pub use lanes::Lanes;
pub use level::{Level, LevelError, LevelName};
pub use mask::Mask;
pub use memory::{chunk_at, chunk_at_mut};
pub use multiplicand::Multiplicand;
pub use portable::Portable;
pub use prefetch::{LINE, prefetch, prefetch_all};
pub use vector::{
    add3, cross3, dot3, held_multiplicands3, load3, multiplicands3, scale3, shr_round_half_up3, shr_round3,
    sub3,
};
