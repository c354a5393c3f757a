//! Benchmarks that need more than the crates themselves. `cargo xtask instructions` runs `benches/instructions.rs`
//! under valgrind.
