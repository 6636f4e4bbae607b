//! `reduce ops`: every operator; those of ONNX version by version.

mod json;

use comfy_table::Table;
use reduce_core::schema::VersionSchema;
use reduce_specs::ONNX;

use crate::args::OpsArgs;
use crate::error::Error;
use crate::operators::{GALLERY, Operator};
use crate::table::{render, table};

/// The table, with what it is above it and where to read on below.
pub(crate) fn run(args: &OpsArgs) -> Result<String, Error> {
    if args.json { json::list() } else { Ok(list()) }
}

fn list() -> String {
    let mut table = table(["operator", "since", "opsets", "axes", "dtypes"]);
    for entry in ONNX.ops() {
        let schema = entry.schema();
        for (index, version) in schema.history().iter().enumerate() {
            let name = if index == 0 { schema.name } else { "" };
            let opsets = version.window().to_string();
            table.add_row([
                name.to_owned(),
                version.since.to_string(),
                opsets,
                axes(version).to_owned(),
                dtypes(version),
            ]);
        }
    }
    let (count, newest) = (ONNX.ops().len(), ONNX.newest());
    let (table, others, gallery) = (render(&table), GALLERY.len(), render(&gallery()));
    format!(
        "{count} operators of ONNX, opsets 1 to {newest}. A model's opset selects the version. `Reduce` may be \
         left\nout of a name.\n\n\
         {table}\n\
         {others} operators of the gallery.\n\n\
         {gallery}\n\
         `reduce explain OP --opset N` tells all about one of them.\n"
    )
}

/// The gallery's operators, with what they take and give.
fn gallery() -> Table {
    let mut table = table(["operator", "inputs", "parameters", "results"]);
    for family in &GALLERY {
        let operator = Operator::Gallery(family);
        let params = operator.schema().attrs.iter().filter(|attr| attr.is_param());
        let params = family.length.into_iter().chain(params.map(|attr| attr.name));
        let names = family.aliases.iter().map(|alias| format!(" or {alias}"));
        table.add_row([
            family.name().to_owned() + &names.collect::<String>(),
            operator.counts().iter().map(usize::to_string).collect::<Vec<_>>().join(" or "),
            params.collect::<Vec<_>>().join(", "),
            if family.emits { "emitted".to_owned() } else { family.results.join(", ") },
        ]);
    }
    table
}

/// How this version takes its axes.
pub(crate) fn axes(version: &VersionSchema) -> &'static str {
    match ["axes", "axis"].into_iter().find(|name| version.attr(name).is_some()) {
        _ if version.axes_input => "input",
        Some("axis") => "one, attribute",
        Some(_) => "attribute",
        None => "none",
    }
}

/// The types of the data, in the order of all lists of types.
pub(crate) fn dtypes(version: &VersionSchema) -> String {
    let mut dtypes: Vec<_> = version.dtypes.iter().map(|row| row.input).collect();
    dtypes.sort_unstable();
    dtypes.dedup();
    dtypes.iter().map(|dtype| dtype.name()).collect::<Vec<_>>().join(" ")
}
