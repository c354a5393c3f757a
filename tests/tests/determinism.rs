//! One digest over every operation: the golden that every target, profile and lane width must reproduce.

/// `cargo xtask targets` reads the printed `digest` lines of this test.
#[test]
fn every_operation_gives_the_golden_bits() {
    let report = isostep_conformance::digest_report();
    print!("{report}");
    insta::with_settings!({ snapshot_path => "../../fixtures/golden", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("math", report);
    });
}
