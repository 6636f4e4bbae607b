//! What the standard says of every version of every operator, from a table that a script makes of its schemas:
//! `proto/onnx-operators.py`, which says how it is written.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::set::TypeSet;

/// All operators of the standard domain.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) types: Vec<String>,
    pub(super) operators: HashMap<String, Vec<Version>>,
}

/// An operator from an opset on.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) since: u32,
    pub(super) is_deprecated: bool,
    pub(super) inputs: Vec<Formal>,
    pub(super) outputs: Vec<Formal>,
    /// The number of inputs that are needed.
    pub(super) least_inputs: usize,
    pub(super) attributes: BTreeMap<String, Attribute>,
}

/// An input or an output.
#[derive(Debug)]
pub(super) struct Formal {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The variable of its type; nothing, if several of it may differ in type.
    pub(super) variable: Option<String>,
    pub(super) types: TypeSet,
}

/// How often an input or an output is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Needed,
    Optional,
    /// Any number from this one on.
    Several(usize),
}

/// An attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    /// The kind of its value, in the words of the format.
    pub(super) kind: String,
    pub(super) is_required: bool,
    pub(super) default: Option<Value>,
}

impl Table {
    /// The versions of an operator, the oldest first. What is no operator has none.
    pub(super) fn versions(&self, operator: &str) -> &[Version] {
        self.operators.get(operator).map_or(&[], Vec::as_slice)
    }

    /// The set of one type, by its name.
    pub(super) fn one(&self, name: &str) -> Option<TypeSet> {
        self.types.iter().position(|known| known == name).map(TypeSet::one)
    }

    /// The names of types.
    pub(super) fn names(&self, types: TypeSet) -> impl Iterator<Item = &str> {
        let names = self.types.iter().enumerate();
        names.filter(move |(place, _)| types.has(*place)).map(|(_, name)| name.as_str())
    }
}

impl Version {
    /// The last of these versions that an opset has.
    pub(super) fn at(versions: &[Version], opset: u32) -> Option<usize> {
        versions.iter().rposition(|version| version.since <= opset)
    }
}

/// What stands at a place of a list of inputs or outputs.
pub(super) fn formal(formals: &[Formal], place: usize) -> Option<&Formal> {
    let several = || formals.last().filter(|last| matches!(last.kind, Kind::Several(_)));
    formals.get(place).or_else(several)
}

/// How many of a list are needed, and how many there may be.
pub(super) fn arity(formals: &[Formal]) -> (usize, usize) {
    let is_needed = |formal: &Formal| !matches!(formal.kind, Kind::Optional | Kind::Several(0));
    let least = formals.iter().rposition(is_needed).map_or(0, |last| last + 1);
    let is_open = formals.last().is_some_and(|last| matches!(last.kind, Kind::Several(_)));
    (least, if is_open { usize::MAX } else { formals.len() })
}

#[cfg(test)]
mod tests {
    use reduce_specs::ONNX;

    use super::{Kind, Table, Version, arity, formal};

    #[test]
    fn the_table_is_whole_and_agrees_with_the_reductions() {
        let table = Table::standard();
        assert_eq!(table.operators.values().map(Vec::len).sum::<usize>(), 629);
        for entry in ONNX.ops() {
            let known: Vec<u32> =
                table.versions(entry.schema().name).iter().map(|v| v.since).collect();
            let own: Vec<u32> = entry.schema().versions.to_vec();
            assert!(own.iter().all(|version| known.contains(version)), "{}", entry.schema().name);
        }
        let all = table.operators.values().flatten();
        for version in all {
            let formals = version.inputs.iter().chain(&version.outputs);
            assert!(formals.clone().all(|formal| formal.types != super::TypeSet::NONE));
            assert!(version.attributes.values().all(|attr| !attr.kind.is_empty()));
        }
        // The newest opset that the table knows is the one that this build knows.
        let newest = table.operators.values().flatten().map(|version| version.since).max();
        assert_eq!(newest, Some(ONNX.newest()));
    }

    #[test]
    fn versions_are_what_the_standard_says() {
        let table = Table::standard();
        let squeeze = table.versions("Squeeze");
        let since: Vec<u32> = squeeze.iter().map(|version| version.since).collect();
        assert_eq!(since, [1, 11, 13, 21, 23, 24, 25]);
        let at = |opset| &squeeze[Version::at(squeeze, opset).expect("a version")];
        assert!(at(12).attributes.contains_key("axes") && !at(13).attributes.contains_key("axes"));
        assert_eq!((arity(&at(12).inputs), arity(&at(18).inputs)), ((1, 1), (1, 2)));
        assert_eq!(at(18).inputs[1].kind, Kind::Optional);
        let concat = &table.versions("Concat")[1];
        assert!(concat.attributes["axis"].is_required);
        assert_eq!(arity(&concat.inputs), (1, usize::MAX));
        assert_eq!(formal(&concat.inputs, 7).map(|formal| formal.name.as_str()), Some("inputs"));
        assert_eq!(table.versions("Loop")[1].least_inputs, 2);
        assert!(table.versions("Upsample").last().expect("a version").is_deprecated);
        let mask = &table.versions("Dropout")[3].outputs[1];
        assert_eq!(table.names(mask.types).collect::<Vec<_>>(), ["bool"]);
        assert!(Version::at(table.versions("LayerNormalization"), 16).is_none());
        assert!(table.versions("NoOperator").is_empty());
    }
}
