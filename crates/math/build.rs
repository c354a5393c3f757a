//! Sets `isostep_avx512` when the compiler may enable AVX-512 in a function: since Rust 1.89; and `isostep_neon` for targets
//! all of whose processors have NEON.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(isostep_avx512, isostep_neon)");
    if minor_version().is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=isostep_avx512");
    }
    if has_neon() {
        println!("cargo::rustc-cfg=isostep_neon");
    }
}

/// The `89` of `rustc 1.89.0 (…)`; none if the compiler does not say, which only costs the widest level.
fn minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}

/// Whether the target has NEON, with the lanes of a register where memory has them.
fn has_neon() -> bool {
    let cfg = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    cfg("ARCH") == "aarch64"
        && cfg("ENDIAN") == "little"
        && cfg("FEATURE").split(',').any(|feature| feature == "neon")
}
