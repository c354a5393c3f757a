//! Whole-system tests of isostep live in `tests/tests/`; this package has no library of its own.
