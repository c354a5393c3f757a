//! Reciprocals.
