//! Which types a value of a model may have.
//!
//! A model says the types of few values. Of the others a set is known: all types that the operator gives, less
//! those that its inputs rule out. So the result of `Conv` is some float.

use std::collections::HashMap;

use super::set::TypeSet;
use super::table::{Formal, Table, Version, formal};
use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::tensor_proto::DataType;
use crate::file::proto::{AttributeProto, NodeProto};
use crate::map::{Map, Site, Source};

/// The types of all values of a model, as far as they are known.
#[derive(Debug)]
pub(super) struct Known<'a, 'm> {
    map: &'a Map<'m>,
    table: &'static Table,
    /// What follows for what nodes give, by scope and name.
    inferred: HashMap<(usize, &'m str), TypeSet>,
}

impl<'a, 'm> Known<'a, 'm> {
    /// Goes through all nodes. Those within a node come after all of the scope around, whose values they read.
    pub(super) fn of(map: &'a Map<'m>) -> Self {
        let table = Table::standard();
        let mut known = Known { map, table, inferred: HashMap::new() };
        for (number, scope) in map.scopes.iter().enumerate() {
            let Ok(opset) = map.opset(number) else { continue };
            for (index, node) in scope.nodes.iter().enumerate() {
                let site = Site { scope: number, index };
                let versions =
                    if map.is_operator(site) { table.versions(&node.op_type) } else { &[] };
                let Some(place) = Version::at(versions, opset.number) else { continue };
                let inputs = known.inputs(site, &versions[place]);
                for (output, name) in
                    node.output.iter().enumerate().filter(|(_, name)| !name.is_empty())
                {
                    let types = outputs(node, &versions[place], &inputs, output, table);
                    known.inferred.insert((number, name), types);
                }
            }
        }
        known
    }

    /// The types that each input of a node may have, of those that a version takes. A value that can have none of
    /// them keeps its own: there the node is wrong already, but its type is known.
    pub(super) fn inputs(&self, site: Site, version: &Version) -> Vec<TypeSet> {
        let node = self.map.node(site);
        let own: Vec<TypeSet> =
            node.input.iter().map(|name| self.value(site.scope, name)).collect();
        let bound = bound(version, &own);
        own.iter()
            .enumerate()
            .map(|(place, &types)| match formal(&version.inputs, place) {
                Some(formal) => match types.and(of_formal(formal, &bound)) {
                    TypeSet::NONE => types,
                    both => both,
                },
                None => types,
            })
            .collect()
    }

    /// What is known of a value by what the model says of it, or by the node that gives it.
    fn value(&self, scope: usize, name: &str) -> TypeSet {
        let Some(found) = self.map.find(scope, name) else { return TypeSet::ANY };
        let declared = found.info.and_then(|info| info.r#type.as_ref()?.tensor_type.as_ref());
        if let Some(types) = declared.and_then(|tensor| named(self.table, tensor.elem_type)) {
            return types;
        }
        let types = match found.source {
            Source::Initializer(tensor) => named(self.table, tensor.data_type),
            Source::Node(_) => self.inferred.get(&(found.scope, name)).copied(),
            Source::Caller | Source::Sparse => None,
        };
        types.unwrap_or(TypeSet::ANY)
    }
}

/// What each variable of a version may stand for, by the inputs of a node.
fn bound<'v>(version: &'v Version, inputs: &[TypeSet]) -> HashMap<&'v str, TypeSet> {
    let mut bound: HashMap<&str, TypeSet> = HashMap::new();
    for (place, &types) in inputs.iter().enumerate() {
        let Some(formal) = formal(&version.inputs, place) else { continue };
        let Some(variable) = &formal.variable else { continue };
        let all = bound.entry(variable).or_insert(formal.types);
        *all = all.and(types);
    }
    bound
}

fn of_formal(formal: &Formal, bound: &HashMap<&str, TypeSet>) -> TypeSet {
    let variable = formal.variable.as_deref();
    variable.and_then(|name| bound.get(name)).copied().unwrap_or(formal.types)
}

/// The types that an output of a node may have at a version.
pub(super) fn outputs(
    node: &NodeProto,
    version: &Version,
    inputs: &[TypeSet],
    output: usize,
    table: &Table,
) -> TypeSet {
    let Some(formal) = formal(&version.outputs, output) else { return TypeSet::ANY };
    let bound = bound(version, inputs);
    let by_inputs = formal.variable.as_deref().is_some_and(|name| {
        version.inputs.iter().enumerate().any(|(place, input)| {
            input.variable.as_deref() == Some(name)
                && node.input.get(place).is_some_and(|name| !name.is_empty())
        })
    });
    if by_inputs {
        return of_formal(formal, &bound);
    }
    match by_attribute(node, version, table).map(|types| types.and(formal.types)) {
        None | Some(TypeSet::NONE) => formal.types,
        Some(types) => types,
    }
}

/// The type that an attribute says, where one does.
fn by_attribute(node: &NodeProto, version: &Version, table: &Table) -> Option<TypeSet> {
    let by_number =
        |attr: &AttributeProto| i32::try_from(attr.i).ok().and_then(|number| named(table, number));
    let said = node.attribute.iter().filter(|attr| attr.ref_attr_name.is_empty()).find_map(
        |attr| match (attr.name.as_str(), attr.r#type()) {
            ("to" | "dtype" | "output_dtype" | "output_datatype", AttributeType::Int) => {
                by_number(attr)
            }
            ("value", AttributeType::Tensor) => named(table, attr.t.as_ref()?.data_type),
            ("value_float" | "value_floats", _) => table.one("float"),
            ("value_int" | "value_ints", _) => table.one("int64"),
            ("value_string" | "value_strings", _) => table.one("string"),
            _ => None,
        },
    );
    let is_left_out = |name: &str| node.attribute.iter().all(|attr| attr.name != name);
    let by_default = || {
        let default = version.attributes.get("dtype")?.default.as_ref()?.as_i64()?;
        named(table, i32::try_from(default).ok()?).filter(|_| is_left_out("dtype"))
    };
    let by_operator = || match node.op_type.as_str() {
        "ConstantOfShape" if is_left_out("value") => table.one("float"),
        "QuantizeLinear" => table.one("uint8"),
        _ => None,
    };
    said.or_else(by_default).or_else(by_operator)
}

/// The set of the type of a number in files.
fn named(table: &Table, number: i32) -> Option<TypeSet> {
    let dtype = DataType::try_from(number).ok().filter(|dtype| *dtype != DataType::Undefined)?;
    table.one(&dtype.as_str_name().to_lowercase())
}
