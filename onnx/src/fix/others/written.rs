//! The table of operators, as the script writes it.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use super::set::TypeSet;
use super::table::{Attribute, Formal, Kind, Table, Version, arity};

impl Table {
    /// The one of the standard.
    pub(super) fn standard() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let text = include_str!("../../../data/onnx-operators.json");
            read(text).expect("a script wrote it")
        })
    }
}

/// The table in this text.
fn read(text: &str) -> serde_json::Result<Table> {
    serde_json::from_str(text).map(WrittenTable::table)
}

#[derive(Deserialize)]
struct WrittenTable {
    types: Vec<String>,
    sets: Vec<Vec<String>>,
    operators: HashMap<String, Vec<WrittenVersion>>,
}

#[derive(Deserialize)]
struct WrittenVersion {
    since: u32,
    #[serde(default)]
    deprecated: bool,
    r#in: Vec<String>,
    out: Vec<String>,
    attr: BTreeMap<String, Vec<Value>>,
    types: HashMap<String, usize>,
    least: Option<usize>,
}

impl WrittenTable {
    fn table(self) -> Table {
        let places: HashMap<&str, usize> =
            self.types.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        let set = |names: &Vec<String>| {
            let ones = names.iter().filter_map(|name| places.get(name.as_str()));
            ones.fold(TypeSet::NONE, |all, &place| all.or(TypeSet::one(place)))
        };
        let sets: Vec<TypeSet> = self.sets.iter().map(set).collect();
        let versions = |written: Vec<WrittenVersion>| {
            written.into_iter().map(|version| version.read(&sets)).collect()
        };
        let operators = self.operators.into_iter();
        let operators = operators.map(|(name, written)| (name, versions(written))).collect();
        Table { types: self.types, operators }
    }
}

impl WrittenVersion {
    fn read(self, sets: &[TypeSet]) -> Version {
        let formals = |list: &[String]| -> Vec<Formal> {
            list.iter().map(|text| read_formal(text, &self.types, sets)).collect()
        };
        let (inputs, outputs) = (formals(&self.r#in), formals(&self.out));
        let attributes = self.attr.into_iter().map(|(name, written)| {
            let mut written = written.into_iter();
            let kind = written.next();
            let kind = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
            let is_required = kind.ends_with('!');
            let kind = kind.trim_end_matches('!').to_owned();
            (name, Attribute { kind, is_required, default: written.next() })
        });
        Version {
            since: self.since,
            is_deprecated: self.deprecated,
            least_inputs: self.least.unwrap_or(arity(&inputs).0),
            attributes: attributes.collect(),
            inputs,
            outputs,
        }
    }
}

fn read_formal(text: &str, variables: &HashMap<String, usize>, sets: &[TypeSet]) -> Formal {
    let (name, variable) = text.split_once(':').unwrap_or((text, ""));
    let types = variables.get(variable).map_or(TypeSet::NONE, |&set| sets[set]);
    let (name, is_alike) = match name.strip_suffix('~') {
        Some(name) => (name, false),
        None => (name, true),
    };
    let (kind, marked) = match name.as_bytes().last() {
        Some(b'?') => (Kind::Optional, 1),
        Some(b'+') => (Kind::Several(1), 1),
        Some(b'*') => (Kind::Several(0), 1),
        _ => (Kind::Needed, 0),
    };
    let name = name[..name.len() - marked].to_owned();
    Formal { name, kind, variable: is_alike.then(|| variable.to_owned()), types }
}
