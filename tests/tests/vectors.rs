//! The functions against correctly rounded results of a high-precision reference, on every target.

use isostep_conformance::vectors::FUNCTIONS;

#[test]
fn every_function_gives_the_correctly_rounded_results() {
    let mut total = 0;
    for function in FUNCTIONS {
        let comparison = function.compare();
        assert!(
            comparison.mismatches.is_empty(),
            "{}: {} of {} vectors differ, first {:?}",
            function.name,
            comparison.mismatches.len(),
            comparison.count,
            comparison.mismatches[0]
        );
        assert!(comparison.count >= 1000, "{} has only {} vectors", function.name, comparison.count);
        total += comparison.count;
    }
    assert!(total >= 20_000, "only {total} vectors");
}
