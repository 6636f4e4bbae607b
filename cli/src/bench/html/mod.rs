//! The page: rows as tables and curves, in one file that needs no other.

mod matrix;
mod plot;

use std::fmt::{self, Display};

use super::machine::Machine;
use super::roofline::Roofs;
use super::rows::Row;
use super::sweep::{self, Direction};

const STYLE: &str = include_str!("style.css");

const INTRODUCTION: &str = "Gigabytes of input read per second, by the median time of a call. The \
    roofline is how fast a loop that only adds reads a buffer of the same size on the same \
    machine. A bar as long as its track has reached it; what takes few bytes, or more arithmetic \
    than the memory leaves time for, cannot.";

/// The whole page.
pub(crate) fn page(machine: &Machine, rows: &[Row]) -> String {
    let roofs = Roofs::new(rows);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width\"/>\n\
         <title>reduce bench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>reduce bench</h1>\n<p>{INTRODUCTION}</p>\n"
    );
    page.push_str(&facts(machine));
    page.push_str(&matrix::matrices(rows, &roofs));
    for direction in Direction::BOTH {
        page.push_str(&plot::figure(&sweep::curves(rows, direction), direction, &roofs));
    }
    page.push_str(&every_row(rows));
    page.push_str("</body>\n</html>\n");
    page
}

fn facts(machine: &Machine) -> String {
    let fact = |(name, text): &(&str, String)| {
        format!("<dt>{}</dt><dd>{}</dd>\n", Escaped(name), Escaped(text))
    };
    format!("<dl>\n{}</dl>\n", machine.0.iter().map(fact).collect::<String>())
}

/// All numbers, folded up.
fn every_row(rows: &[Row]) -> String {
    let mut text =
        "<h2>Rows</h2>\n<details>\n<summary>every measurement, times in seconds</summary>\n\
        <div class=\"wide\"><table>\n"
            .to_owned();
    let heads = "library,threads,op,dtype,case,bytes,n,min,median,max";
    let cells = |line: &str, tag: &str| {
        let cells = line.split(',').map(|cell| format!("<{tag}>{}</{tag}>", Escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    text.push_str(&cells(heads, "th"));
    rows.iter().for_each(|row| text.push_str(&cells(&row.to_string(), "td")));
    text.push_str("</table></div>\n</details>\n");
    text
}

/// Text that may hold anything, as HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            c => write!(f, "{c}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Escaped, page};
    use crate::bench::machine::Machine;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(Escaped("<a & \"b\">").to_string(), "&lt;a &amp; &quot;b&quot;&gt;");
        let machine = Machine(vec![("CPU", "<script>".to_owned())]);
        let page = page(&machine, &[]);
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    }
}
