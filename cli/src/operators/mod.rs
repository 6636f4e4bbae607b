//! Operators by name: those of ONNX, with or without their `Reduce`, and those of the gallery.
//!
//! A name becomes an [`Operator`]. Held against a request it becomes a [`Prepared`] one, which runs over views of
//! any types.

mod prepared;

pub(crate) use prepared::{Prepared, Request};

pub(crate) use reduce_gallery::by_name::GALLERY;

use reduce_core::nodes::{AttrValue, OpEntry};
use reduce_core::schema::{OpSchema, ResultLength};
use reduce_core::{DType, Error as CoreError, ErrorKind};
use reduce_gallery::by_name::Family;
use reduce_specs::ONNX;

use crate::error::Error;

/// An operator that was found by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operator {
    Onnx(&'static OpEntry),
    Gallery(&'static Family),
}

impl Operator {
    /// The operator of this name, in capitals or small letters, with the nearest one in the error's sentence.
    pub(crate) fn find(name: &str) -> Result<Operator, Error> {
        let error = match ONNX.op(name) {
            Ok(entry) => return Ok(Operator::Onnx(entry)),
            Err(error) => error,
        };
        let is = |other: &str| other.eq_ignore_ascii_case(name);
        let is_called = |schema: &OpSchema| is(schema.name) || is(short(schema.name));
        if let Some(entry) = ONNX.ops().iter().find(|entry| is_called(entry.schema())) {
            return Ok(Operator::Onnx(entry));
        }
        let is_called =
            |family: &&Family| is(family.name()) || family.aliases.iter().any(|alias| is(alias));
        match GALLERY.iter().find(is_called) {
            Some(family) => Ok(Operator::Gallery(family)),
            None => Err(unknown(name, error)),
        }
    }

    /// The entry of the operator; of a family, that of its first member.
    pub(crate) fn entry(self) -> &'static OpEntry {
        match self {
            Operator::Onnx(entry) => entry,
            Operator::Gallery(family) => &family.members[0].entry,
        }
    }

    pub(crate) fn schema(self) -> &'static OpSchema {
        self.entry().schema()
    }

    /// The number of tensors that it is given.
    pub(crate) fn inputs(self) -> usize {
        match self {
            Operator::Onnx(_) => 1,
            Operator::Gallery(_) => self.types_of_inputs().first().map_or(1, |row| row.len()),
        }
    }

    /// Whether it sends its results back over the elements.
    pub(crate) fn emits(self) -> bool {
        matches!(self, Operator::Gallery(family) if family.emits)
    }

    /// The numbers of tensors that it may be given: an operator that emits may take some beside those that it reduces.
    pub(crate) fn counts(self) -> Vec<usize> {
        let reduced = self.inputs();
        let beside = if self.emits() { self.schema().emits } else { &[0] };
        beside.iter().map(|beside| reduced + beside).collect()
    }

    /// Checks that the operator takes `found` tensors.
    pub(crate) fn check_inputs(self, found: usize) -> Result<(), Error> {
        let (name, counts) = (self.schema().name, self.counts());
        let inputs = if counts[..] == [1] { "input" } else { "inputs" };
        let example = if counts.contains(&2) { ", such as a.npy b.npy, or x.npz:a,b" } else { "" };
        let expected: Vec<String> = counts.iter().map(usize::to_string).collect();
        match counts.contains(&found) {
            true => Ok(()),
            false => Err(Error::new(format!(
                "operator `{name}` takes {} {inputs}, not {found}; name as many{example}",
                expected.join(" or ")
            ))),
        }
    }

    /// What its results are called, if there are several.
    pub(crate) fn results(self) -> &'static [&'static str] {
        match self {
            Operator::Onnx(_) => &[],
            Operator::Gallery(family) => family.results,
        }
    }

    /// The names of the results, each with the operator's in front.
    pub(crate) fn names(self) -> Vec<String> {
        let name = self.schema().name;
        match self.results() {
            [] => vec![name.to_owned()],
            parts => parts.iter().map(|part| format!("{name}.{part}")).collect(),
        }
    }

    /// The types of the inputs, row by row; none if there is one input, of the schema's types.
    pub(crate) fn types_of_inputs(self) -> Vec<&'static [DType]> {
        match self {
            Operator::Onnx(_) => Vec::new(),
            Operator::Gallery(family) => (family.members[0].rows)(),
        }
    }

    /// The parameter that says which member of a family computes the results, and what it may be, in words.
    pub(crate) fn length(self) -> Option<(&'static str, String)> {
        match self {
            Operator::Onnx(_) => None,
            Operator::Gallery(family) => Some((family.length?, family.words())),
        }
    }

    /// The attribute with which results are as short as can be, if one has to be given.
    pub(crate) fn smallest(self) -> Option<(String, AttrValue)> {
        match self {
            Operator::Onnx(_) => None,
            Operator::Gallery(family) => Some((family.length?.to_owned(), AttrValue::Int(1))),
        }
    }

    /// Whether its results are arrays, which lie along one more axis.
    pub(crate) fn has_arrays(self) -> bool {
        let lengths = self.schema().dtypes.first().map(|row| row.length);
        lengths.is_some_and(|length| length != ResultLength::One)
    }

    /// Whether it has an attribute of this name at some version.
    pub(crate) fn has_attr(self, name: &str) -> bool {
        let is_length = matches!(self, Operator::Gallery(family) if family.length == Some(name));
        is_length || self.schema().attrs.iter().any(|attr| attr.name == name)
    }
}

/// The name of an ONNX operator without its `Reduce`.
pub(crate) fn short(name: &'static str) -> &'static str {
    name.strip_prefix("Reduce").unwrap_or(name)
}

/// That no operator has this name, which the registry of ONNX says already.
fn unknown(name: &str, error: CoreError) -> Error {
    if let ErrorKind::UnknownOp { suggestion: Some(_), .. } = error.kind() {
        return error.into();
    }
    let names = ONNX.ops().iter().map(|entry| short(entry.schema().name));
    let names = names.chain(GALLERY.iter().map(Family::name));
    match nearest(name, names) {
        Some(nearest) => Error::new(format!("{error}; did you mean `{nearest}`")),
        None => Error::new(format!("{error}; `reduce ops` lists those there are")),
    }
}

/// The name that was probably meant, one slip away.
fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let slips = |name: &str| strsim::damerau_levenshtein(&given, &name.to_lowercase());
    let alike = names.filter(|name| name.len().abs_diff(given.len()) <= 1);
    let near = alike.map(|name| (slips(name), name)).filter(|(slips, _)| *slips <= 1);
    near.min_by_key(|(slips, _)| *slips).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::{GALLERY, Operator};

    #[test]
    fn names_long_and_short() {
        for (name, found) in [
            ("ReduceMean", "ReduceMean"),
            ("Mean", "ReduceMean"),
            ("LogSumExp", "ReduceLogSumExp"),
            ("ArgMax", "ArgMax"),
            ("Var", "Variance"),
            ("DotProduct", "Dot"),
            ("TopK", "TopK"),
            ("mean", "ReduceMean"),
            ("reducelogsumexp", "ReduceLogSumExp"),
            ("ARGMAX", "ArgMax"),
            ("var", "Variance"),
            ("dotproduct", "Dot"),
        ] {
            let operator = Operator::find(name).expect(name);
            assert_eq!(operator.schema().name, found);
        }
        for (name, words) in [
            ("men", "did you mean `Mean`"),
            ("Varianc", "did you mean `Variance`"),
            ("ReduceSun", "did you mean `ReduceSum`"),
            ("Conv", "`reduce ops` lists those there are"),
        ] {
            let message = Operator::find(name).expect_err(name).to_string();
            assert!(message.contains(words), "{message}");
        }
    }

    /// Each name means one operator, and each member of a family has the name.
    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = reduce_specs::ONNX
            .ops()
            .iter()
            .flat_map(|entry| [entry.schema().name, super::short(entry.schema().name)])
            .collect();
        names.sort_unstable();
        names.dedup();
        for family in &GALLERY {
            names.push(family.name());
            names.extend(family.aliases);
            for member in family.members {
                assert_eq!(member.entry.schema().name, family.name());
            }
            assert!(family.lengths().is_sorted());
        }
        // Nor do capitals tell two of them apart.
        let mut names: Vec<String> = names.into_iter().map(str::to_lowercase).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }
}
