//! Versions side by side, and what each has that the one before it had not.

use comfy_table::{ContentArrangement, Table};
use reduce_core::schema::{OpSchema, VersionSchema};

use super::sheet::{Sheet, WIDTH};
use super::{accepted, changes, default};
use crate::ops;
use crate::table::{render, table};

/// The text about some versions, the oldest first.
pub(super) fn text(schema: &OpSchema, versions: &[VersionSchema]) -> String {
    let mut sheet = Sheet::new(schema.name, schema.summary);
    sheet.block(&render(&side_by_side(versions)));
    for pair in versions.windows(2) {
        let heading = format!("{} to {}", pair[0].since, pair[1].since);
        sheet.entry(&heading, changes::between(&pair[0], &pair[1]));
    }
    if let [only] = versions {
        let of = format!("version {} governs them all: nothing changed between them", only.since);
        sheet.entry("changes", [of]);
    }
    sheet.into_text()
}

/// A column for each version.
fn side_by_side(versions: &[VersionSchema]) -> Table {
    let headings = versions.iter().map(|version| format!("version {}", version.since));
    let mut table = table([String::new()].into_iter().chain(headings));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    let mut row = |name: &str, of: &dyn Fn(&VersionSchema) -> String| {
        table.add_row([name.to_owned()].into_iter().chain(versions.iter().map(of)));
    };
    row("opsets", &|version| version.window().to_string());
    row("axes", &|version| ops::axes(version).to_owned());
    let mut names: Vec<&str> = Vec::new();
    for attr in versions.iter().flat_map(|version| &version.attrs) {
        if attr.name != "axes" && !names.contains(&attr.name) {
            names.push(attr.name);
        }
    }
    for name in names {
        row(name, &|version| match version.attr(name) {
            Some(attr) => format!("{}; {}", accepted(attr), default(attr)),
            None => "none".to_owned(),
        });
    }
    row("T", &|version| ops::dtypes(version));
    table
}
