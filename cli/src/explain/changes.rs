//! What one version has and the one before it had not.

use reduce_core::DType;
use reduce_core::schema::{AttrSchema, VersionSchema};

use super::{accepted, default};

/// One line per change.
pub(super) fn between(before: &VersionSchema, after: &VersionSchema) -> Vec<String> {
    let mut changes = dtypes(before, after);
    changes.extend(axes(before, after));
    changes.extend(attrs(before, after));
    if changes.is_empty() {
        changes.push("no change in types, inputs or attributes".to_owned());
    }
    changes
}

fn dtypes(before: &VersionSchema, after: &VersionSchema) -> Vec<String> {
    let inputs = |version: &VersionSchema| -> Vec<DType> {
        version.dtypes.iter().map(|row| row.input).collect()
    };
    let (before, after) = (inputs(before), inputs(after));
    let missing = |from: &[DType], list: &[DType]| -> Vec<&'static str> {
        list.iter().filter(|dtype| !from.contains(dtype)).map(|dtype| dtype.name()).collect()
    };
    let line = |verb: &str, names: Vec<&str>| {
        (!names.is_empty()).then(|| format!("T {verb} {}", names.join(", ")))
    };
    let gains = line("gains", missing(&before, &after));
    gains.into_iter().chain(line("loses", missing(&after, &before))).collect()
}

/// The move of the axes between attribute and input.
fn axes(before: &VersionSchema, after: &VersionSchema) -> Option<String> {
    let change = match (before.axes_input, after.axes_input) {
        (false, true) if before.attr("axes").is_some() => "axes: an attribute before, now an input",
        (false, true) => "gains the input axes",
        (true, false) if after.attr("axes").is_some() => "axes: an input before, now an attribute",
        (true, false) => "loses the input axes",
        _ => return None,
    };
    Some(change.to_owned())
}

fn attrs(before: &VersionSchema, after: &VersionSchema) -> Vec<String> {
    let moved = |attr: &AttrSchema| attr.name == "axes" && before.axes_input != after.axes_input;
    let mut changes = Vec::new();
    for attr in after.attrs.iter().filter(|attr| !moved(attr)) {
        let (name, now) = (attr.name, format!("{}; {}", accepted(attr), default(attr)));
        match before.attr(name) {
            None => changes.push(format!("gains the attribute {name}: {now}")),
            Some(old) => {
                let was = format!("{}; {}", accepted(old), default(old));
                if was != now {
                    changes.push(format!("{name}: was {was}; is {now}"));
                }
            }
        }
    }
    let lost = before.attrs.iter().filter(|attr| after.attr(attr.name).is_none() && !moved(attr));
    changes.extend(lost.map(|attr| format!("loses the attribute {}", attr.name)));
    changes
}

#[cfg(test)]
mod tests {
    use reduce_core::DType;
    use reduce_core::schema::{
        AttrDefault, AttrKind, AttrRange, AttrSchema, DTypeSchema, Empty, ResultLength,
        VersionSchema, Window,
    };

    use super::between;

    fn version(
        since: u32,
        inputs: &[DType],
        attrs: &[AttrSchema],
        axes_input: bool,
    ) -> VersionSchema {
        let window = Window::new(since, None);
        let dtypes = inputs
            .iter()
            .map(|&input| DTypeSchema {
                window,
                input,
                compute: "f32",
                output: input,
                length: ResultLength::One,
                empty: Empty::Identity,
            })
            .collect();
        VersionSchema { since, until: None, dtypes, attrs: attrs.to_vec(), axes_input }
    }

    fn attr(name: &'static str, kind: AttrKind, default: AttrDefault) -> AttrSchema {
        AttrSchema { name, kind, default, range: AttrRange::ALL, window: Window::new(1, None) }
    }

    #[test]
    fn every_kind_of_change_is_told() {
        let axes = attr("axes", AttrKind::Ints, AttrDefault::All);
        let (p1, p2) = (
            attr("p", AttrKind::Float, AttrDefault::Float(1.0)),
            attr("p", AttrKind::Float, AttrDefault::Float(2.0)),
        );
        let old = attr("old", AttrKind::Bool, AttrDefault::Bool(true));
        let new = attr("new", AttrKind::Int, AttrDefault::Int(-1));
        let before = version(1, &[DType::F32, DType::I8], &[axes, p1, old], false);
        let after = version(2, &[DType::F32, DType::F64], &[p2, new], true);
        let expected = [
            "T gains f64",
            "T loses i8",
            "axes: an attribute before, now an input",
            "p: was float, any value; default 1.0; is float, any value; default 2.0",
            "gains the attribute new: int, any value; default -1",
            "loses the attribute old",
        ];
        assert_eq!(between(&before, &after), expected);
        assert_eq!(between(&before, &before), ["no change in types, inputs or attributes"]);
    }
}
