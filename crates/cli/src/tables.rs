//! Tables and lists as they are printed.

use comfy_table::{CellAlignment, Table, presets};

/// A table whose columns of the given numbers hold figures.
pub(crate) fn new_table(header: &[&str], figures: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::ASCII_MARKDOWN).set_header(header);
    for &column in figures {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// A list of names and what they mean here.
pub(crate) fn new_list() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table
}
