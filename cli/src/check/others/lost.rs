//! Types that a node may have where it is, and that another version of its operator does not take or give.

use super::table::{Table, Version, formal};
use super::types::{Types, outputs};
use super::valid::Flaw;
use crate::check::text::Part;
use crate::onnx::proto::NodeProto;
use crate::words::quoted;

/// Types that are shown of many.
const SHOWN: usize = 4;

/// The first input or output of a node whose type another version may not have. The types of inputs are those
/// that the node has where it is.
pub(super) fn flaw(
    node: &NodeProto,
    [before, after]: [&Version; 2],
    inputs: &[Types],
    table: &Table,
) -> Option<Flaw> {
    let refused = |part, name: &str, [all, lost]: [Types; 2], verb: &str| {
        let names: Vec<&str> = table.names(lost).take(SHOWN).collect();
        let more = if table.names(lost).count() > SHOWN { " or others" } else { "" };
        let (name, is) = (quoted(name), if all.is_one() { "is" } else { "may be" });
        let fact = format!("{name} {is} of {}{more}, which it does not {verb}", names.join(", "));
        Flaw::new(part, fact)
    };
    for (place, (name, &types)) in node.input.iter().zip(inputs).enumerate() {
        let taken = formal(&after.inputs, place).map_or(Types::ANY, |formal| formal.types);
        let lost = types.without(taken);
        if !name.is_empty() && lost != Types::NONE {
            return Some(refused(Part::Input(place), name, [types, lost], "take"));
        }
    }
    for (place, name) in node.output.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let [own, there] =
            [before, after].map(|version| outputs(node, version, inputs, place, table));
        let lost = own.without(there);
        if lost != Types::NONE {
            return Some(refused(Part::Output(place), name, [own, lost], "give"));
        }
    }
    merged(node, [before, after], inputs)
}

/// Inputs that have to be of one type at a version, and may differ where they are.
fn merged(node: &NodeProto, [before, after]: [&Version; 2], inputs: &[Types]) -> Option<Flaw> {
    let variable = |version: &Version, place: usize| {
        formal(&version.inputs, place).and_then(|formal| formal.variable.clone())
    };
    let given = || (0..inputs.len()).filter(|&place| !node.input[place].is_empty());
    for place in given() {
        let Some(there) = variable(after, place) else { continue };
        let others = given().take_while(|&other| other < place);
        let other = others.into_iter().find(|&other| {
            let are_one = variable(after, other).is_some_and(|other| other == there);
            let were_one =
                variable(before, place).is_some_and(|own| variable(before, other) == Some(own));
            let are_known = inputs[other] == inputs[place] && inputs[place].is_one();
            are_one && !were_one && !are_known
        });
        if let Some(other) = other {
            let [one, two] = [other, place].map(|place| quoted(&node.input[place]));
            let fact = format!("{one} and {two} have to be of one type, and may differ");
            return Some(Flaw::new(Part::Input(place), fact));
        }
    }
    None
}
