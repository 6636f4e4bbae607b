//! Tables as the command line prints them: no vertical lines, a rule under the header.

/// A table of columns, each with its heading first; the first is flush left, the others, which hold numbers, right.
pub(crate) fn table(columns: &[Vec<&str>]) -> String {
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| column.iter().map(|cell| cell.len()).max().unwrap_or(0))
        .collect();
    let rule = widths.iter().map(|width| width + 2).sum();
    let mut text = String::new();
    for row in 0..columns.first().map_or(0, Vec::len) {
        let mut line = String::new();
        for (index, (column, &width)) in columns.iter().zip(&widths).enumerate() {
            let cell = column.get(row).copied().unwrap_or_default();
            line.push_str(&match index {
                0 => format!(" {cell:<width$} "),
                _ => format!(" {cell:>width$} "),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
        if row == 0 {
            text.push_str(&"─".repeat(rule));
            text.push('\n');
        }
    }
    text
}
