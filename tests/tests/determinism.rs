//! One digest over every operation: the golden that every target, profile and lane width must reproduce.

use isostep_conformance::digest;
use isostep_math::wide::Level;

/// `cargo xtask targets` reads the printed `digest` lines of this test.
#[test]
fn every_operation_gives_the_golden_bits() {
    let report = isostep_conformance::digest_report();
    print!("{report}");
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("math", report);
    });
}

/// A run that was asked for one SIMD level must not silently be a run of another.
#[test]
fn the_lane_level_is_the_one_asked_for() {
    let asked = Level::from_env().expect("the level named by the environment exists here");
    assert_eq!(Level::current(), asked.unwrap_or_else(Level::detect));
}

#[test]
fn every_lane_level_of_this_machine_gives_the_same_bits() {
    let digests: Vec<_> = Level::available().map(|level| (level, digest::lanes_at(level))).collect();
    for (level, digest) in &digests {
        assert_eq!(*digest, digests[0].1, "{level} differs from {}", digests[0].0);
    }
}
