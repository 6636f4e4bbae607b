//! `docs/operators.md`, written from the registry: schemas for what is allowed,
//! runs on empty tensors for what is given over no elements.

use std::fmt::Write;

use reduce_core::dtypes::{with_any, with_dtype};
use reduce_core::nodes::{Node, OpEntry, Registry};
use reduce_core::schema::{
    AttrDefault, AttrKind, AttrSchema, DTypeSchema, NanPolicy, OpSchema, VersionSchema,
};
use reduce_core::{AnyTensor, DType, Tensor};

/// The whole page.
pub fn operators(registry: &'static Registry) -> String {
    let mut page = String::from(
        "# Operators\n\nWritten from the specs by a test; `REDUCE_BLESS=1 cargo test -p reduce-tests \
         --test standard operators_page` writes it anew.\n\n",
    );
    let newest = registry.newest();
    let _ = writeln!(
        page,
        "Newest opset: {newest}. A version governs from its opset to the next version.\n"
    );
    for entry in registry.ops() {
        let schema = entry.schema();
        let _ = writeln!(
            page,
            "- [{}](#{}): {}",
            schema.name,
            schema.name.to_lowercase(),
            schema.summary
        );
    }
    for entry in registry.ops() {
        operator(&mut page, entry);
    }
    page
}

fn operator(page: &mut String, entry: &'static OpEntry) {
    let schema = entry.schema();
    let _ = writeln!(page, "\n## {}\n\n{}\n", schema.name, schema.summary);
    let _ = writeln!(page, "| version | opsets | types | attributes | second input |");
    let _ = writeln!(page, "|---|---|---|---|---|");
    for version in schema.history() {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            version.since,
            version.window(),
            types(&version),
            attributes(&version),
            if version.axes_input { "`axes`: i64, rank 1, optional" } else { "none" },
        );
    }
    let _ = writeln!(page, "\n- NaN: {}.", nan(schema));
    let _ = writeln!(page, "- Computed in: {}.", computed_in(schema));
    let _ = writeln!(page, "- Result: {}.", result(schema));
    let _ = writeln!(page, "- Over no elements: {}.", empty_values(entry));
}

fn types(version: &VersionSchema) -> String {
    let names: Vec<&str> = version.dtypes.iter().map(|row| row.input.name()).collect();
    names.join(", ")
}

fn attributes(version: &VersionSchema) -> String {
    let attrs: Vec<String> = version.attrs.iter().map(attribute).collect();
    attrs.join(", ")
}

fn attribute(attr: &AttrSchema) -> String {
    let kind = match attr.kind {
        AttrKind::Bool => "0 or 1",
        AttrKind::Int => "int",
        AttrKind::Float => "float",
        AttrKind::Ints => "ints",
        AttrKind::Input => "input",
    };
    let default = match attr.default {
        AttrDefault::All => "all".to_owned(),
        AttrDefault::Bool(value) => i64::from(value).to_string(),
        AttrDefault::Int(value) => value.to_string(),
        AttrDefault::Float(value) => value.to_string(),
    };
    format!("`{}`: {kind} = {default}", attr.name)
}

fn nan(schema: &OpSchema) -> &'static str {
    let is_position = schema.dtypes.iter().all(|row| !row.output.is_float());
    match schema.nan {
        NanPolicy::Propagate if is_position => "decides the result, from any position",
        NanPolicy::Propagate => "propagates, from any position",
        NanPolicy::Ignore => "is ignored",
        NanPolicy::Unspecified => "no promise",
    }
}

/// Types grouped by what they are computed in, if not in themselves.
fn computed_in(schema: &OpSchema) -> String {
    let others = schema.dtypes.iter().filter(|row| row.compute != row.input.name());
    let others = grouped(others.map(|row| (row.compute.to_owned(), row.input.name())));
    if others.is_empty() {
        "the type itself".to_owned()
    } else {
        format!("{others}; else the type itself")
    }
}

/// The type of the result.
fn result(schema: &OpSchema) -> String {
    let mut outputs = schema.dtypes.iter().map(|row| row.output);
    let same = schema.dtypes.iter().all(|row| row.output == row.input);
    match outputs.next() {
        Some(output) if !same => output.name().to_owned(),
        _ => "the type of the data".to_owned(),
    }
}

/// What the newest version that allows a type gives over no elements.
fn empty_values(entry: &'static OpEntry) -> String {
    let schema = entry.schema();
    grouped(schema.dtypes.iter().map(|row| (empty_value(entry, row), row.input.name())))
}

fn empty_value(entry: &'static OpEntry, row: &DTypeSchema) -> String {
    let opset = entry.schema().versions.iter().rfind(|&&version| row.window.contains(version));
    let node = Node::new(opset.copied().unwrap_or(1), row.input).attr("keepdims", 0);
    let result = entry.prepare(&node).expect("an allowed type").run(&empty(row.input).view());
    result.map_or_else(|_| "an error".to_owned(), |tensor| value(&tensor))
}

/// `a for x, y; b for z`, in the order in which the values appear.
fn grouped<'a>(rows: impl Iterator<Item = (String, &'a str)>) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (value, name) in rows {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, names)) => names.push(name),
            None => groups.push((value, vec![name])),
        }
    }
    let texts: Vec<String> =
        groups.iter().map(|(value, names)| format!("{value} for {}", names.join(", "))).collect();
    texts.join("; ")
}

/// A tensor of shape `[0]`.
fn empty(dtype: DType) -> AnyTensor {
    with_dtype!(dtype, T => Tensor::<T>::from_list(Vec::new()).into())
}

/// The only element of a tensor.
fn value(tensor: &AnyTensor) -> String {
    with_any!(AnyTensor, tensor, inner => inner.data()[0].to_string())
}
