//! The door into functions compiled for one instruction set. The only `unsafe` of the crate.
#![allow(unsafe_code)]

#[cfg(any(target_arch = "x86_64", isostep_neon))]
use super::LevelName;
#[cfg(isostep_neon)]
use super::arm;
use super::backend::Backend;
#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Level, Portable};

/// Work to be compiled once per instruction set: the kernel's data, and what to do with it.
///
/// Mark `run`, and every function it calls in its loops, `#[inline(always)]`, and write small arrays out
/// instead of passing closures to `map` or `from_fn`: what LLVM does not inline keeps the baseline features
/// and calls a function for every operation on lanes. The result is right, and the kernel several times
/// slower: 43 instead of 7 ns per contact row at AVX-512 for one `map` over three components.
pub trait Kernel {
    /// What the kernel returns.
    type Output;

    /// Does the work in lanes of `N` on the backend `B`. Must give the same result for every pair of them.
    fn run<B: Backend<N>, const N: usize>(self) -> Self::Output;
}

impl Level {
    /// Runs the kernel in the instruction set of this level, in [`Level::lanes`] lanes.
    #[inline]
    pub fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        match self.name() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Level::new` is the only constructor for this name, and it returns a value only if the
            // CPU has exactly the features listed at `run_avx2`.
            LevelName::Avx2 => unsafe { run_avx2(kernel) },
            #[cfg(all(target_arch = "x86_64", isostep_avx512))]
            // SAFETY: as above, with the features listed at `run_avx512`.
            LevelName::Avx512 => unsafe { run_avx512(kernel) },
            #[cfg(isostep_neon)]
            LevelName::Neon => kernel.run::<arm::Neon, 2>(),
            // `Scalar`; and names that have no value on this target.
            _ => run_here(kernel),
        }
    }
}

/// Runs a kernel in one lane. Not inlined: without optimisation every value of a kernel has a place in the frame, and the
/// one that dispatches would have those of all backends.
#[inline(never)]
fn run_here<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable, 1>()
}

/// # Safety
/// The CPU has the listed features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx2, 4>()
}

/// # Safety
/// The CPU has the listed features.
#[cfg(all(target_arch = "x86_64", isostep_avx512))]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512cd,avx512bw,avx512dq,avx512vl")]
unsafe fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx512, 8>()
}
