//! Benchmarks that need more than the crates themselves. `cargo xtask instructions` runs those of `benches` under
//! valgrind: `instructions.rs` counts operations and kernels, `steps.rs` what is done to whole worlds. `compare` is a
//! workspace of its own that steps the scenes of `scenes` in other engines too: `cargo xtask performance`.
