//! The changes of meaning that stand in no schema, listed by hand.
//!
//! The list was made by reading what each version says in other words than the one before. It was held against
//! the adapters of the standard's own converter, and against its node tests. Where the text leaves a doubt, the
//! change is listed.

use crate::check::text::Part;
use crate::file::proto::{AttributeProto, NodeProto};
use crate::map::{Map, Site};

/// A change of the meaning of operators.
pub(super) struct MeaningChange {
    pub(super) operators: &'static [&'static str],
    /// The first opset of the new meaning.
    pub(super) since: u32,
    pub(super) way: Way,
    pub(super) nodes: Nodes,
    /// What is different, as a part of a sentence about the newer version.
    pub(super) why: &'static str,
}

/// Which way a node cannot go.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Both,
    /// The newer version takes more than the older.
    Back,
}

/// The nodes that a change is about.
pub(super) enum Nodes {
    All,
    /// Whose attribute is one of these numbers or texts.
    Number(&'static str, i64),
    Text(&'static str, &'static [&'static str]),
    /// Whose attribute is not this text.
    OtherText(&'static str, &'static str),
    Having(&'static str),
    /// Of whose attribute a number is below a limit.
    Below(&'static str, i64),
    /// With an output from this place on, be it read or not, or with one that is.
    Output(usize),
    OutputRead(usize),
    /// With an input of this place.
    Input(usize),
    /// With inputs of both places.
    Inputs(usize, usize),
    /// With neither an input of this place nor an attribute.
    Without(usize, &'static str),
    Lacking(&'static str),
    /// Whose `axis` is not known to be the last.
    NotLast,
}

const fn both(
    operators: &'static [&'static str],
    since: u32,
    nodes: Nodes,
    why: &'static str,
) -> MeaningChange {
    MeaningChange { operators, since, way: Way::Both, nodes, why }
}

const fn back(
    operators: &'static [&'static str],
    since: u32,
    nodes: Nodes,
    why: &'static str,
) -> MeaningChange {
    MeaningChange { operators, since, way: Way::Back, nodes, why }
}

/// Operators that took all axes from one on as one axis, once.
pub(super) const FLATTENED: &[&str] = &["Softmax", "LogSoftmax", "Hardmax"];
const RIGHT: &str = "windows that begin in the padding behind are left out";
const NEGATIVE: &str = "axes may be negative";
const AXIS: &[&str] =
    &["Compress", "Concat", "Flatten", "Hardmax", "LogSoftmax", "Softmax", "Split"];
const BINARY: &[&str] =
    &["Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor", "Equal", "Greater", "Less", "Gemm"];
const SHAPES: &str = "inputs may differ in shape";

pub(super) static CHANGES: &[MeaningChange] = &[
    both(FLATTENED, 13, Nodes::NotLast, "it is along one axis, and was along all from `axis` on"),
    both(
        &["BatchNormalization", "Dropout"],
        7,
        Nodes::All,
        "it trains only where that is asked for",
    ),
    both(&["BatchNormalization"], 14, Nodes::Output(1), "its outputs no longer say that it trains"),
    both(&["Dropout"], 12, Nodes::OutputRead(1), "its mask is of a run that does not train"),
    both(&["PRelu"], 7, Nodes::All, "a slope of one axis is no longer one for each channel"),
    both(
        &["GroupNormalization"],
        21,
        Nodes::All,
        "scale and bias are of channels, and were of groups",
    ),
    both(&["RoiAlign"], 16, Nodes::All, "coordinates are shifted by half a pixel"),
    both(&["GridSample"], 20, Nodes::OtherText("mode", "nearest"), "its modes have other names"),
    both(&["DFT"], 20, Nodes::All, "it has another axis by default"),
    both(&["Scan"], 9, Nodes::All, "the first axis is no longer that of a batch"),
    both(
        &["Split"],
        18,
        Nodes::Without(1, "num_outputs"),
        "it needs the input `split` or `num_outputs`",
    ),
    both(&["ConvTranspose"], 11, Nodes::Having("output_shape"), "padding is on other sides"),
    both(
        &["ConvTranspose"],
        11,
        Nodes::Text("auto_pad", &["SAME_UPPER", "SAME_LOWER"]),
        "padding is on other sides",
    ),
    both(&["MaxPool", "AveragePool", "LpPool"], 22, Nodes::Number("ceil_mode", 1), RIGHT),
    both(
        &["AveragePool"],
        19,
        Nodes::Number("ceil_mode", 1),
        "the sizes are rounded in another way",
    ),
    both(
        &["Resize"],
        13,
        Nodes::Text("coordinate_transformation_mode", &["tf_half_pixel_for_nn"]),
        "it has no `tf_half_pixel_for_nn`",
    ),
    both(&["Resize"], 13, Nodes::Inputs(2, 3), "it takes `scales` or `sizes`, and not both"),
    both(
        &["MeanVarianceNormalization"],
        13,
        Nodes::Lacking("axes"),
        "its body needs the attribute `axes`",
    ),
    both(&["OneHot"], 11, Nodes::All, "a negative index counts from the end"),
    both(&["Attention"], 24, Nodes::All, "its masks are aligned in another way"),
    both(&["Attention"], 25, Nodes::All, "it has windows, and rounds in another way"),
    back(BINARY, 7, Nodes::All, SHAPES),
    back(&["Max", "Min", "Mean", "Sum"], 8, Nodes::All, SHAPES),
    back(AXIS, 11, Nodes::Below("axis", 0), NEGATIVE),
    back(&["OneHot", "TopK"], 11, Nodes::Below("axis", -1), NEGATIVE),
    back(&["Squeeze", "Unsqueeze"], 11, Nodes::Below("axes", 0), NEGATIVE),
    back(&["Scan"], 11, Nodes::Below("scan_input_axes", 0), NEGATIVE),
    back(&["Scan"], 11, Nodes::Below("scan_output_axes", 0), NEGATIVE),
    back(&["Slice"], 11, Nodes::Input(3), NEGATIVE),
    back(&["Gather"], 11, Nodes::All, "indices may be negative"),
    back(&["If"], 11, Nodes::All, "its branches may differ in shape"),
    back(
        &["QuantizeLinear", "DequantizeLinear"],
        13,
        Nodes::All,
        "it may have a scale for each channel",
    ),
    back(
        &["ScatterElements", "ScatterND"],
        18,
        Nodes::Text("reduction", &["max", "min"]),
        "it has `max` and `min`",
    ),
    back(&["Pad"], 19, Nodes::Text("mode", &["wrap"]), "it has the mode `wrap`"),
    back(
        &["Resize"],
        19,
        Nodes::Text("coordinate_transformation_mode", &["half_pixel_symmetric"]),
        "it has `half_pixel_symmetric`",
    ),
    back(&["Mod"], 28, Nodes::All, "`fmod` is for any type"),
];

impl Nodes {
    /// Whether a node is one of these. A value that is known in a call alone may be any.
    pub(super) fn have(&self, map: &Map<'_>, site: Site, counts: &dyn Fn(&str) -> bool) -> bool {
        let node = map.node(site);
        let attribute = |name: &str, is: &dyn Fn(&AttributeProto) -> bool| {
            let attr = node.attribute.iter().find(|attr| attr.name == name);
            attr.is_some_and(|attr| !attr.ref_attr_name.is_empty() || is(attr))
        };
        let is_there =
            |names: &[String], place: usize| names.get(place).is_some_and(|name| !name.is_empty());
        match *self {
            Nodes::All => true,
            Nodes::Number(name, number) => attribute(name, &|attr| attr.i == number),
            Nodes::Text(name, texts) => {
                attribute(name, &|attr| texts.iter().any(|text| attr.s == text.as_bytes()))
            }
            Nodes::OtherText(name, text) => {
                !attribute(name, &|attr| attr.ref_attr_name.is_empty() && attr.s == text.as_bytes())
            }
            Nodes::Having(name) => attribute(name, &|_| true),
            Nodes::Below(name, least) => attribute(name, &|attr| {
                attr.i < least || attr.ints.iter().any(|&axis| axis < least)
            }),
            Nodes::Output(place) => {
                (place..node.output.len()).any(|place| is_there(&node.output, place))
            }
            Nodes::OutputRead(place) => node.output.iter().skip(place).any(|name| counts(name)),
            Nodes::Input(place) => is_there(&node.input, place),
            Nodes::Inputs(one, two) => is_there(&node.input, one) && is_there(&node.input, two),
            Nodes::Lacking(name) => !attribute(name, &|attr| attr.ref_attr_name.is_empty()),
            Nodes::Without(place, name) => {
                !is_there(&node.input, place) && !attribute(name, &|_| true)
            }
            Nodes::NotLast => !is_last(map, site),
        }
    }

    pub(super) fn part(&self, node: &NodeProto) -> Part {
        let attribute = |name: &str| {
            let place = node.attribute.iter().position(|attr| attr.name == name);
            place.map_or(Part::Operator, Part::Attribute)
        };
        match *self {
            Nodes::Number(name, _) | Nodes::Text(name, _) | Nodes::OtherText(name, _) => {
                attribute(name)
            }
            Nodes::Having(name) | Nodes::Below(name, _) => attribute(name),
            Nodes::Output(place) | Nodes::OutputRead(place) => Part::Output(place),
            Nodes::Input(place) | Nodes::Inputs(_, place) => Part::Input(place),
            Nodes::NotLast => attribute("axis"),
            Nodes::All | Nodes::Without(..) | Nodes::Lacking(_) => Part::Operator,
        }
    }
}

/// Whether the axis of a node is the last one at either version. Left out, it is 1 at the older, and the last at
/// the newer.
fn is_last(map: &Map<'_>, site: Site) -> bool {
    let node = map.node(site);
    let axis = node.attribute.iter().find(|attr| attr.name == "axis");
    if axis.is_some_and(|attr| !attr.ref_attr_name.is_empty()) {
        return false;
    }
    let axis = axis.map_or(1, |attr| attr.i);
    let names = node.input.iter().take(1).chain(node.output.iter().take(1));
    let mut ranks = names.filter_map(|name| map.rank(site.scope, name));
    let is_behind = |rank: usize| i64::try_from(rank).is_ok_and(|rank| axis + 1 == rank);
    axis == -1 || ranks.next().is_some_and(is_behind)
}
