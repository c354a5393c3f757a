//! Benchmarks that need more than the crates themselves. `cargo xtask instructions` runs those of `benches` under
//! valgrind: `instructions.rs` counts operations and kernels, `steps.rs` what is done to whole worlds. `compare` is a
//! workspace of its own that steps the scenes of `scenes` in other engines too: `cargo xtask performance`.

/// A variable of the environment and its value, for every benchmark: which `memcpy` and `memset` the C library takes.
///
/// By default long ones are a single instruction that repeats, of which valgrind counts every byte. Such counts say little of
/// time, and drown what else a save does. Vectors of 32 bytes are counted like everything else. Whatever processor there
/// is, valgrind shows the library the same one, so the choice is the same on all that have AVX2.
pub const LIBC: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-ERMS");
