//! Reciprocals in lanes.
