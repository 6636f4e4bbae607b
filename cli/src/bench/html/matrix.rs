//! Operators across, cases down: the speed of each, with a bar that is as long as
//! the part of the roofline it reaches.

use super::super::ops::OPS;
use super::super::roofline::Roofs;
use super::super::rows::Row;
use super::super::sweep::Direction;

const WIDTH: f64 = 56.0;

/// One table per storage type.
pub(super) fn matrices(rows: &[Row], roofs: &Roofs) -> String {
    let swept = |row: &&Row| Direction::BOTH.iter().any(|it| it.size(row).is_some());
    let rows: Vec<&Row> =
        rows.iter().filter(|row| row.library == "reduce" && !swept(row)).collect();
    let dtypes = distinct(&rows, |row| row.dtype);
    dtypes.into_iter().map(|dtype| matrix(&rows, dtype, roofs)).collect()
}

fn matrix(rows: &[&Row], dtype: &str, roofs: &Roofs) -> String {
    let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.dtype == dtype).collect();
    let there = |op: &&str| rows.iter().any(|row| row.op == *op);
    let ops: Vec<&str> = OPS.iter().map(|op| op.name).filter(there).collect();
    let cases = distinct(&rows, |row| row.case.as_str());
    let heads: String = ops.iter().map(|op| format!("<th>{op}</th>")).collect();
    let mut text = format!(
        "<h2>Operators, {dtype}</h2>\n<div class=\"wide\"><table>\n\
         <tr><th>case</th><th>roofline</th>{heads}</tr>\n"
    );
    for case in cases {
        let of_case = || rows.iter().filter(|row| row.case == case);
        let roof = of_case().find_map(|row| roofs.at(row.bytes));
        let roof = roof.map_or_else(|| "–".to_owned(), |roof| format!("{roof:.1}"));
        text.push_str(&format!("<tr><td>{case}</td><td class=\"soft\">{roof}</td>"));
        for op in &ops {
            let row = of_case().find(|row| row.op == *op);
            text.push_str(&row.map_or_else(|| "<td>–</td>".to_owned(), |row| cell(row, roofs)));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div>\n");
    text
}

/// The distinct values of a field, in the order of first appearance.
fn distinct<'a>(rows: &[&'a Row], field: impl Fn(&'a Row) -> &'a str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for row in rows {
        if !found.contains(&field(row)) {
            found.push(field(row));
        }
    }
    found
}

fn cell(row: &Row, roofs: &Roofs) -> String {
    let time = duration(row.samples.median);
    let Some(roof) = roofs.at(row.bytes) else {
        return format!("<td>{time}</td>");
    };
    let part = row.speed() / roof;
    let class = match part {
        part if part < 0.5 => "low",
        part if part < 0.85 => "middle",
        _ => "high",
    };
    let filled = WIDTH * part.min(1.0);
    format!(
        "<td title=\"{time}, {:.0} % of the roofline\">{:.1}<svg width=\"{WIDTH}\" height=\"4\">\
         <rect class=\"track\" width=\"{WIDTH}\" height=\"4\"/>\
         <rect class=\"{class}\" width=\"{filled:.1}\" height=\"4\"/></svg></td>",
        100.0 * part,
        row.speed(),
    )
}

/// A time with the unit that suits it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
