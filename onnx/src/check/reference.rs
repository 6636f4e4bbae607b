//! Attributes by reference: a node of a function may take an attribute from the node that calls the
//! function.
//!
//! An [`Env`] holds what a function's attributes are in one call. A function has one for each call that
//! differs, and one of its defaults where nobody calls it.

use std::collections::{BTreeMap, HashMap};

use crate::file::proto::{AttributeProto, NodeProto};
use crate::map::{FunctionCall, Map};

/// Calls of one function that are told apart.
const MOST: usize = 16;

/// Functions that call one another, from the main graph on.
const DEEPEST: usize = 32;

/// What an attribute of a function is in a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given<'m> {
    Value(&'m AttributeProto),
    /// It is left out, and so is whatever refers to it.
    Absent,
    Unknown,
}

/// The attributes of a function in one call of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Env<'m> {
    given: BTreeMap<&'m str, Given<'m>>,
    /// The call.
    pub(crate) call: Option<String>,
}

impl<'m> Env<'m> {
    /// What an attribute of a node is: its own value, or the one that it refers to.
    pub(crate) fn value_of<'a>(&self, attr: &'a AttributeProto) -> Given<'a>
    where
        'm: 'a,
    {
        match attr.ref_attr_name.as_str() {
            "" => Given::Value(attr),
            name => self.given.get(name).cloned().unwrap_or(Given::Unknown),
        }
    }

    /// The node with its references resolved; nothing, if one is unknown.
    pub(crate) fn resolved(&self, node: &NodeProto) -> Option<NodeProto> {
        let mut resolved = NodeProto { attribute: Vec::new(), ..node.clone() };
        for attr in &node.attribute {
            match self.value_of(attr) {
                Given::Value(value) => {
                    resolved
                        .attribute
                        .push(AttributeProto { name: attr.name.clone(), ..value.clone() });
                }
                Given::Absent => {}
                Given::Unknown => return None,
            }
        }
        Some(resolved)
    }

    fn is_alike(&self, other: &Env<'_>) -> bool {
        self.given == other.given
    }
}

/// The attributes of every function, call by call.
pub(crate) fn envs<'m>(map: &Map<'m>) -> Vec<Vec<Env<'m>>> {
    let functions = map.model.functions.len();
    let mut calls: Vec<Vec<FunctionCall>> = vec![Vec::new(); functions];
    for call in &map.calls {
        calls[call.function].push(*call);
    }
    let mut known = vec![None; functions];
    for function in 0..functions {
        find(map, &calls, function, 0, &mut known);
    }
    known.into_iter().map(Option::unwrap_or_default).collect()
}

/// The attributes of one function. Those of a function that calls itself, which none may, are unknown.
fn find<'m>(
    map: &Map<'m>,
    calls: &[Vec<FunctionCall>],
    function: usize,
    depth: usize,
    known: &mut Vec<Option<Vec<Env<'m>>>>,
) -> Vec<Env<'m>> {
    if let Some(envs) = &known[function] {
        return envs.clone();
    }
    // What is found of a function that calls itself, while it is looked at.
    known[function] = Some(vec![Env::default()]);
    let mut envs: Vec<Env<'m>> = Vec::new();
    for call in &calls[function] {
        let outer = match map.scopes[call.site.scope].function {
            None => vec![Env::default()],
            Some(_) if depth >= DEEPEST => vec![Env::default()],
            Some(caller) => find(map, calls, caller, depth + 1, known),
        };
        for outer in outer {
            let env = of_call(map, *call, &outer);
            if !envs.iter().any(|known| known.is_alike(&env)) {
                envs.push(env);
            }
            if envs.len() > MOST {
                envs.truncate(MOST);
                envs.push(Env::default());
                known[function] = Some(envs.clone());
                return envs;
            }
        }
    }
    if envs.is_empty() {
        envs.push(of_defaults(map, function));
    }
    known[function] = Some(envs.clone());
    envs
}

fn of_call<'m>(map: &Map<'m>, call: FunctionCall, outer: &Env<'m>) -> Env<'m> {
    let function = &map.model.functions[call.function];
    let node = map.node(call.site);
    let attrs = node.attribute.iter().map(|attr| (attr.name.as_str(), attr));
    let attrs: HashMap<&str, &AttributeProto> = attrs.collect();
    let given = |name: &str| {
        let given = attrs.get(name).map(|attr| outer.value_of(attr));
        given.filter(|given| *given != Given::Absent)
    };
    let defaults = function.attribute_proto.iter().map(|attr| {
        let given = given(&attr.name).unwrap_or(Given::Value(attr));
        (attr.name.as_str(), given)
    });
    let required =
        function.attribute.iter().map(|name| (name.as_str(), given(name).unwrap_or(Given::Absent)));
    Env { given: required.chain(defaults).collect(), call: Some(map.place(call.site)) }
}

fn of_defaults<'m>(map: &Map<'m>, function: usize) -> Env<'m> {
    let function = &map.model.functions[function];
    let given =
        function.attribute_proto.iter().map(|attr| (attr.name.as_str(), Given::Value(attr)));
    Env { given: given.collect(), call: None }
}
