//! The house style of tables: no vertical lines, a rule under the header.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// An empty table with these column headings.
pub(crate) fn table<S: Into<String>>(headings: impl IntoIterator<Item = S>) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(headings.into_iter().map(Into::into).collect::<Vec<String>>());
    table
}

/// Sets numbers flush right: every column but the first.
pub(crate) fn align_numbers(table: &mut Table) {
    table
        .column_iter_mut()
        .skip(1)
        .for_each(|column| column.set_cell_alignment(CellAlignment::Right));
}

/// The table as text, without blanks at line ends.
pub(crate) fn render(table: &Table) -> String {
    let mut text = table.trim_fmt();
    text.push('\n');
    text
}
