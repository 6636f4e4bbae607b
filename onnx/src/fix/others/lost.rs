//! Types that a node may have where it is, and that another version of its operator does not take or give.

use std::collections::HashMap;

use super::set::TypeSet;
use super::table::{Table, Version, formal};
use super::types::outputs;
use super::valid::Flaw;
use crate::check::text::Part;
use crate::file::proto::NodeProto;
use crate::words::quoted;

/// Types that are shown of many.
const SHOWN: usize = 4;

/// The first input or output of a node whose type another version may not have. The types of inputs are those
/// that the node has where it is.
pub(super) fn flaw(
    node: &NodeProto,
    [before, after]: [&Version; 2],
    inputs: &[TypeSet],
    counts: &dyn Fn(&str) -> bool,
) -> Option<Flaw> {
    let table = Table::standard();
    let refused = |part, name: &str, [all, lost]: [TypeSet; 2], verb: &str| {
        let names: Vec<&str> = table.names(lost).take(SHOWN).collect();
        let more = if table.names(lost).count() > SHOWN { " or others" } else { "" };
        let (name, is) = (quoted(name), if all.is_one() { "is" } else { "may be" });
        let fact = format!("{name} {is} of {}{more}, which it does not {verb}", names.join(", "));
        Flaw::new(part, fact)
    };
    for (place, (name, &types)) in node.input.iter().zip(inputs).enumerate() {
        let taken = formal(&after.inputs, place).map_or(TypeSet::ANY, |formal| formal.types);
        let lost = types.without(taken);
        if !name.is_empty() && lost != TypeSet::NONE {
            return Some(refused(Part::Input(place), name, [types, lost], "take"));
        }
    }
    for (place, name) in node.output.iter().enumerate().filter(|(_, name)| counts(name)) {
        let [own, there] =
            [before, after].map(|version| outputs(node, version, inputs, place, table));
        let lost = own.without(there);
        if lost != TypeSet::NONE {
            return Some(refused(Part::Output(place), name, [own, lost], "give"));
        }
    }
    merged(node, [before, after], inputs)
}

/// Inputs that have to be of one type at a version, and may differ where they are. Each is held against the first
/// of its variable.
fn merged(node: &NodeProto, [before, after]: [&Version; 2], inputs: &[TypeSet]) -> Option<Flaw> {
    fn variable(version: &Version, place: usize) -> Option<&str> {
        formal(&version.inputs, place).and_then(|formal| formal.variable.as_deref())
    }
    let mut firsts: HashMap<&str, usize> = HashMap::new();
    for place in (0..inputs.len()).filter(|&place| !node.input[place].is_empty()) {
        let Some(there) = variable(after, place) else { continue };
        let first = *firsts.entry(there).or_insert(place);
        let own = variable(before, place);
        let were_one = first == place || own.is_some() && own == variable(before, first);
        let are_one = inputs[first] == inputs[place] && inputs[place].is_one();
        if !were_one && !are_one {
            let [one, two] = [first, place].map(|place| quoted(&node.input[place]));
            let fact = format!("{one} and {two} have to be of one type, and may differ");
            return Some(Flaw::new(Part::Input(place), fact));
        }
    }
    None
}
