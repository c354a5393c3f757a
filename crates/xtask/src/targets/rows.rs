//! What is tested: one row per target, and for x86-64 one per way the same source can become machine code.

use anyhow::{Result, bail, ensure};

/// A kind of machine, with everything its setup needs to know about it.
#[derive(Debug)]
pub(crate) struct Target {
    /// The compiler's name for it.
    pub(crate) triple: &'static str,
    /// Debian's package with the standard library for it; of the suite in [`super::debian`].
    pub(crate) debian_std: &'static str,
    /// How its programs are linked and run on an x86-64 Linux.
    pub(crate) machine: Machine,
}

/// How a target's programs are linked and run.
#[derive(Debug)]
pub(crate) enum Machine {
    /// By the machine itself.
    Native,
    /// Under qemu's user-mode emulation, linked by a cross gcc.
    Emulated {
        /// The emulator.
        qemu: &'static str,
        /// The prefix of the cross gcc, and the folder in `/usr` with its C library.
        gcc: &'static str,
        /// The packages with that gcc and that C library.
        packages: [&'static str; 2],
        /// The loader of that C library, where the machine itself may run such programs, if its kernel takes them.
        loader: Option<&'static str>,
    },
    /// As a WASI module in node.
    Wasi,
}

/// The 64-bit PC.
static X86_64: Target = Target {
    triple: "x86_64-unknown-linux-gnu",
    debian_std: "libstd-rust-dev:amd64",
    machine: Machine::Native,
};

/// Every other target: 32 and 64 bits, little and big endian, with 32-bit x86's and ARM's own code generators.
static OTHERS: [(&str, Target); 6] = [
    (
        "i686",
        Target {
            triple: "i686-unknown-linux-gnu",
            debian_std: "libstd-rust-dev:i386",
            machine: Machine::Emulated {
                qemu: "qemu-i386",
                gcc: "i686-linux-gnu",
                packages: ["gcc-i686-linux-gnu", "libc6-dev-i386-cross"],
                loader: Some("ld-linux.so.2"),
            },
        },
    ),
    (
        "aarch64",
        Target {
            triple: "aarch64-unknown-linux-gnu",
            debian_std: "libstd-rust-dev:arm64",
            machine: Machine::Emulated {
                qemu: "qemu-aarch64",
                gcc: "aarch64-linux-gnu",
                packages: ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
                loader: None,
            },
        },
    ),
    (
        "armv7",
        Target {
            triple: "armv7-unknown-linux-gnueabihf",
            debian_std: "libstd-rust-dev:armhf",
            machine: Machine::Emulated {
                qemu: "qemu-arm",
                gcc: "arm-linux-gnueabihf",
                packages: ["gcc-arm-linux-gnueabihf", "libc6-dev-armhf-cross"],
                loader: None,
            },
        },
    ),
    (
        "riscv64",
        Target {
            triple: "riscv64gc-unknown-linux-gnu",
            debian_std: "libstd-rust-dev:riscv64",
            machine: Machine::Emulated {
                qemu: "qemu-riscv64",
                gcc: "riscv64-linux-gnu",
                packages: ["gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross"],
                loader: None,
            },
        },
    ),
    (
        "s390x",
        Target {
            triple: "s390x-unknown-linux-gnu",
            debian_std: "libstd-rust-dev:s390x",
            machine: Machine::Emulated {
                qemu: "qemu-s390x",
                gcc: "s390x-linux-gnu",
                packages: ["gcc-s390x-linux-gnu", "libc6-dev-s390x-cross"],
                loader: None,
            },
        },
    ),
    (
        "wasm32",
        Target { triple: "wasm32-wasip1", debian_std: "libstd-rust-dev-wasm32", machine: Machine::Wasi },
    ),
];

/// One build and run of the tests.
#[derive(Debug)]
pub(crate) struct Row {
    /// The target's short name, and after a slash the variant.
    pub(crate) name: &'static str,
    /// What is built for.
    pub(crate) target: &'static Target,
    /// The value of `ISOSTEP_LANES`, which forces a SIMD level; none leaves the choice to the library.
    pub(crate) lanes: Option<&'static str>,
    /// How it is built.
    pub(crate) profile: Profile,
    /// Flags for the compiler, as in `RUSTFLAGS`.
    pub(crate) flags: &'static str,
    /// Whether the oldest supported compiler builds it.
    pub(crate) msrv: bool,
    /// Whether the unit tests of `isostep-math` run too, not only the whole-system tests.
    ///
    /// What they need to be built takes twice as long as all the rest, so they run where lanes are of another kind, and on what
    /// clients have: at each SIMD level, on ARM and in browsers. Everywhere else the golden digest has every operation.
    pub(crate) unit_tests: bool,
    /// Whether recorded logs are played whole and all bullets fly, not only parts of them: on what most players have.
    /// `cargo test` plays logs whole, too, at the level of the machine.
    pub(crate) whole_logs: bool,
    /// What of this row the CPU here lacks, if anything.
    pub(crate) lacking: Option<&'static str>,
}

/// A way to compile, between which no result may depend.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// As games ship.
    Release,
    /// Without optimisation, with overflow checks and debug assertions.
    Debug,
    /// As games ship, but an overflowing plain operator panics.
    OverflowChecks,
}

impl Profile {
    /// What cargo is told. `--config` rather than `RUSTFLAGS` keeps the variants side by side in one build folder.
    pub(crate) const fn cargo_arguments(self) -> &'static [&'static str] {
        match self {
            Self::Release => &["--release"],
            Self::Debug => &[
                "--config",
                "profile.dev.opt-level=0",
                "--config",
                "profile.dev.package.isostep-math.opt-level=0",
                "--config",
                "profile.dev.package.isostep-collision.opt-level=0",
                "--config",
                "profile.dev.package.isostep-step.opt-level=0",
            ],
            Self::OverflowChecks => &["--release", "--config", "profile.release.overflow-checks=true"],
        }
    }
}

/// How every row is built, to halve the time: no debug information, and dependencies without optimisation but for those
/// in which tests spend their time. The workspace's own crates, with all they inline and instantiate from others, are
/// compiled as they ship.
pub(crate) const FASTER_BUILDS: [&str; 14] = [
    "--config",
    "profile.dev.debug=false",
    "--config",
    "profile.release.debug=false",
    "--config",
    "profile.release.package.'*'.opt-level=0",
    "--config",
    "profile.release.package.miniz_oxide.opt-level=2",
    "--config",
    "profile.release.package.xxhash-rust.opt-level=3",
    "--config",
    "profile.dev.package.xxhash-rust.opt-level=3",
    "--config",
    "profile.release.package.num-bigint.opt-level=2",
];

/// Every row, in the order of the table.
pub(crate) fn all() -> Vec<Row> {
    let pc = |name, lanes, lacking| Row {
        name,
        target: &X86_64,
        lanes: Some(lanes),
        profile: Profile::Release,
        flags: "",
        msrv: false,
        unit_tests: true,
        whole_logs: lanes == "avx2",
        lacking,
    };
    let mut rows = vec![
        pc("x86-64/scalar", "scalar", None),
        pc("x86-64/avx2", "avx2", lacking_avx2()),
        pc("x86-64/avx512", "avx512", lacking_avx512()),
    ];
    let plain = |name, target| Row {
        name,
        target,
        lanes: None,
        profile: Profile::Release,
        flags: "",
        msrv: false,
        unit_tests: false,
        whole_logs: false,
        lacking: None,
    };
    rows.push(Row { profile: Profile::Debug, ..plain("x86-64/debug", &X86_64) });
    // One build for two questions: what differs there, the rows beside it tell apart.
    rows.push(Row { profile: Profile::OverflowChecks, msrv: true, ..plain("x86-64/msrv", &X86_64) });
    for (name, target) in &OTHERS {
        if *name == "aarch64" {
            let level = |name, lanes| Row { lanes: Some(lanes), unit_tests: true, ..plain(name, target) };
            rows.extend([level("aarch64/scalar", "scalar"), level("aarch64/neon", "neon")]);
        } else {
            rows.push(Row { unit_tests: *name == "wasm32", ..plain(name, target) });
        }
    }
    // What a browser that has SIMD may be served: a build of its own, for a module cannot ask at run time.
    let wasm = rows.last().map(|row| row.target).expect("wasm32 is the last target");
    rows.push(Row { flags: "-C target-feature=+simd128", ..plain("wasm32/simd128", wasm) });
    rows
}

/// Every target but the PC itself.
pub(crate) fn foreign_targets() -> impl Iterator<Item = &'static Target> {
    OTHERS.iter().map(|(_, target)| target)
}

/// The PC itself.
pub(crate) fn native_target() -> &'static Target {
    &X86_64
}

/// The rows that `only` names, all when it is empty.
pub(crate) fn select(only: &[String]) -> Result<Vec<Row>> {
    let mut rows = all();
    for wanted in only {
        if !rows.iter().any(|row| row.is_named(wanted)) {
            let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
            bail!("no row `{wanted}`; allowed are x86-64 (all its rows), {}", names.join(", "));
        }
    }
    rows.retain(|row| only.is_empty() || only.iter().any(|wanted| row.is_named(wanted)));
    Ok(rows)
}

/// Leaves of `rows` those this CPU can run, and says which it cannot.
///
/// One that `only` names in full is an error: what was asked for must not be skipped.
pub(crate) fn keep_runnable(rows: &mut Vec<Row>, only: &[String]) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for row in rows.iter() {
        let Some(what) = row.lacking else { continue };
        ensure!(
            !only.iter().any(|wanted| wanted == row.name),
            "cannot run {}: this CPU has no {what}",
            row.name
        );
        notes.push(format!("no row {}: this CPU has no {what}", row.name));
    }
    rows.retain(|row| row.lacking.is_none());
    Ok(notes)
}

impl Row {
    /// Whether there may be several lanes side by side: not where `scalar` was asked for, or is the only level.
    pub(crate) fn has_lanes(&self) -> bool {
        match self.lanes {
            Some(level) => level != "scalar",
            None => matches!(self.target.machine, Machine::Native),
        }
    }

    /// Whether `wanted` is this row's name or its target's.
    fn is_named(&self, wanted: &str) -> bool {
        self.name == wanted || self.name.split_once('/').is_some_and(|(target, _)| target == wanted)
    }
}

#[cfg(target_arch = "x86_64")]
fn lacking_avx2() -> Option<&'static str> {
    (!std::is_x86_feature_detected!("avx2")).then_some("AVX2")
}

#[cfg(target_arch = "x86_64")]
fn lacking_avx512() -> Option<&'static str> {
    let all = std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl")
        && std::is_x86_feature_detected!("avx512bw");
    (!all).then_some("AVX-512 (F, DQ, VL and BW)")
}

#[cfg(not(target_arch = "x86_64"))]
fn lacking_avx2() -> Option<&'static str> {
    Some("AVX2")
}

#[cfg(not(target_arch = "x86_64"))]
fn lacking_avx512() -> Option<&'static str> {
    Some("AVX-512")
}

#[cfg(test)]
mod tests {
    use super::{Profile, all, keep_runnable, select};

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    fn names(only: &[&str]) -> Vec<&'static str> {
        select(&owned(only)).expect("all names exist").iter().map(|row| row.name).collect()
    }

    #[test]
    fn nothing_is_optimised_in_debug_that_is_in_other_tests() {
        let manifest = include_str!("../../../../Cargo.toml");
        let (_, packages) = manifest.split_once("[profile.dev.package]\n").expect("some are optimised");
        let packages: Vec<&str> =
            packages.lines().map_while(|line| line.split_once(" = ")).map(|it| it.0).collect();
        assert!(!packages.is_empty());
        for package in packages {
            let setting = format!("profile.dev.package.{package}=0");
            assert!(Profile::Debug.cargo_arguments().contains(&setting.as_str()), "{setting}");
        }
    }

    #[test]
    fn a_level_the_cpu_lacks_is_left_out_with_a_note_unless_it_was_asked_for() {
        let rows = || {
            let mut rows = all();
            rows[2].lacking = Some("AVX-512");
            rows
        };
        let mut kept = rows();
        let notes = keep_runnable(&mut kept, &owned(&["x86-64"])).expect("not named in full");
        assert!(notes.contains(&"no row x86-64/avx512: this CPU has no AVX-512".to_owned()), "{notes:?}");
        assert!(kept.iter().all(|row| row.name != "x86-64/avx512"));
        assert!(keep_runnable(&mut rows(), &owned(&["x86-64/avx512"])).is_err());
    }

    #[test]
    fn a_target_selects_all_its_rows_and_a_row_only_itself() {
        assert!(names(&["x86-64"]).iter().all(|name| name.starts_with("x86-64/")));
        assert!(names(&["x86-64"]).len() >= 5);
        assert_eq!(names(&["s390x", "x86-64/debug"]), ["x86-64/debug", "s390x"]);
        assert_eq!(names(&["wasm32"]), ["wasm32", "wasm32/simd128"]);
    }

    #[test]
    fn a_wrong_name_is_an_error_that_lists_the_right_ones() {
        let error = select(&owned(&["aarch46"])).expect_err("no such row").to_string();
        assert!(
            error.contains("`aarch46`") && error.contains("aarch64") && error.contains("x86-64/msrv"),
            "{error}"
        );
    }
}
