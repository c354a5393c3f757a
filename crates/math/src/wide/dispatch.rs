//! The door into functions compiled for one instruction set: the only way to the backends, which are `unsafe` inside.
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
            // SAFETY: a level of this name is made by `Level::new` alone, and only if `has_avx2`.
            LevelName::Avx2 => unsafe { run_avx2(kernel) },
            #[cfg(all(target_arch = "x86_64", isostep_avx512))]
            // SAFETY: as above, only if `has_avx512`.
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

/// A function compiled with the listed features of CPUs, and one that tells whether they are there: in this CPU with feature
/// `std`, at compile time without it.
#[cfg(target_arch = "x86_64")]
macro_rules! door {
    ($run:ident, $is_open:ident, $backend:ty, $lanes:literal, $($feature:tt),+) => {
        /// # Safety
        /// The CPU has the features.
        #[target_feature($(enable = $feature),+)]
        unsafe fn $run<K: Kernel>(kernel: K) -> K::Output {
            kernel.run::<$backend, $lanes>()
        }

        /// Whether the CPU has the features.
        pub(super) fn $is_open() -> bool {
            #[cfg(feature = "std")]
            return $(std::arch::is_x86_feature_detected!($feature))&&+;
            #[cfg(not(feature = "std"))]
            return $(cfg!(target_feature = $feature))&&+;
        }
    };
}

#[cfg(target_arch = "x86_64")]
door!(run_avx2, has_avx2, x86::Avx2, 4, "avx2", "bmi1", "bmi2", "lzcnt");

#[cfg(all(target_arch = "x86_64", isostep_avx512))]
door!(
    run_avx512,
    has_avx512,
    x86::Avx512,
    8,
    "avx2",
    "bmi1",
    "bmi2",
    "lzcnt",
    "avx512f",
    "avx512cd",
    "avx512bw",
    "avx512dq",
    "avx512vl"
);
