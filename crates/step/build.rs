//! Sets `unoptimized` when the compiler does not optimise. Then every number of a kernel has a place of its own in the frame: so
//! long kernels are made of functions, instead of being one each, and a step fits the stack of any thread.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(unoptimized)");
    if std::env::var_os("OPT_LEVEL").is_some_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimized");
    }
}
