//! Tables of Markdown, which read well on a terminal too.

use comfy_table::{CellAlignment, Table, presets};

/// A table whose columns are figures but for the first `words`.
pub(crate) fn new(header: impl IntoIterator<Item = String>, words: usize) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    for column in table.column_iter_mut().skip(words) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Seconds in ms.
pub(crate) fn milliseconds(seconds: f64) -> String {
    significant(seconds * 1e3)
}

/// Seconds in µs.
pub(crate) fn microseconds(seconds: f64) -> String {
    significant(seconds * 1e6)
}

/// Three digits, or all before the point.
pub(crate) fn significant(number: f64) -> String {
    let decimals = match number.abs() {
        below if below < 1.0 => 3,
        below if below < 9.995 => 2,
        below if below < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

/// Bytes in MB.
pub(crate) fn megabytes(bytes: u64) -> String {
    significant(bytes as f64 / 1e6)
}

/// With a comma between the thousands.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(
            [0.12345, 9.991, 9.996, 99.94, 99.96, 1234.5].map(significant),
            ["0.123", "9.99", "10.0", "99.9", "100", "1234"]
        );
        assert_eq!([0, 999, 1_000, 12_345_678].map(grouped), ["0", "999", "1,000", "12,345,678"]);
        assert_eq!(
            (milliseconds(0.0015), microseconds(0.0015), megabytes(2_500_000)),
            ("1.50".into(), "1500".into(), "2.50".into())
        );
    }
}
