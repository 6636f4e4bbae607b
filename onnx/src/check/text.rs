//! A node as text, in the textual form of the standard: `y = ReduceSum <axes = [1]> (x)`.

use std::ops::Range;

use crate::file::proto::attribute_proto::AttributeType;
use crate::file::proto::{AttributeProto, NodeProto};

use crate::words::plain;

/// A part of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The operator, with its domain.
    Operator,
    Attribute(usize),
    Input(usize),
    Output(usize),
    /// All inputs, in their parentheses.
    Inputs,
}

/// A node as text, in the textual form of the standard: `y = ReduceSum <axes = [1]> (x)`. Long names and lists are cut.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NodeText {
    /// The text, on one line.
    pub text: String,
    /// The bytes of the part that a problem is in.
    pub span: Range<usize>,
}

/// Inputs, outputs, attributes and elements of a list that are shown.
const MOST: usize = 20;

/// The text, and where each part is.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    parts: Vec<(Part, Range<usize>)>,
}

impl Text {
    pub(crate) fn of(node: &NodeProto) -> Self {
        let mut text = Text::default();
        text.list(&node.output, Part::Output);
        if node.output.is_empty() {
            text.text.push('_');
        }
        text.text.push_str(" = ");
        let operator = match node.domain.as_str() {
            "" => plain(&node.op_type),
            domain => format!("{}.{}", plain(domain), plain(&node.op_type)),
        };
        text.part(Part::Operator, &operator);
        if !node.attribute.is_empty() {
            text.text.push_str(" <");
            for (index, attr) in node.attribute.iter().take(MOST).enumerate() {
                text.comma(index);
                text.part(Part::Attribute(index), &attribute(attr));
            }
            text.more(node.attribute.len());
            text.text.push('>');
        }
        text.text.push(' ');
        let start = text.text.len();
        text.text.push('(');
        text.list(&node.input, Part::Input);
        text.text.push(')');
        let end = text.text.len();
        text.parts.push((Part::Inputs, start..end));
        text
    }

    /// Where a part is; the operator, of a part that is not shown.
    pub(crate) fn span(&self, part: Part) -> Range<usize> {
        let of = |part| self.parts.iter().find(|(known, _)| *known == part);
        let span = of(part).or_else(|| of(Part::Operator));
        span.map_or(0..self.text.len(), |(_, span)| span.clone())
    }

    fn list(&mut self, names: &[String], part: fn(usize) -> Part) {
        for (index, name) in names.iter().take(MOST).enumerate() {
            self.comma(index);
            // A name that is left out is shown as the textual form has it.
            let shown = if name.is_empty() { "\"\"".to_owned() } else { plain(name) };
            self.part(part(index), &shown);
        }
        self.more(names.len());
    }

    fn part(&mut self, part: Part, shown: &str) {
        let start = self.text.len();
        self.text.push_str(shown);
        self.parts.push((part, start..self.text.len()));
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.text.push_str(", ");
        }
    }

    fn more(&mut self, count: usize) {
        if count > MOST {
            self.text.push_str(", …");
        }
    }
}

fn attribute(attr: &AttributeProto) -> String {
    let name = plain(&attr.name);
    if !attr.ref_attr_name.is_empty() {
        return format!("{name} = @{}", plain(&attr.ref_attr_name));
    }
    let value = match attr.r#type() {
        AttributeType::Int => attr.i.to_string(),
        AttributeType::Float => format!("{:?}", attr.f),
        AttributeType::String => format!("\"{}\"", plain(&String::from_utf8_lossy(&attr.s))),
        AttributeType::Ints => listed(attr.ints.iter().map(i64::to_string)),
        AttributeType::Floats => listed(attr.floats.iter().map(|x| format!("{x:?}"))),
        AttributeType::Undefined => "?".to_owned(),
        other => format!("{{{}}}", other.as_str_name().to_lowercase().replace('_', " ")),
    };
    format!("{name} = {value}")
}

/// The beginning of a list, in brackets.
pub(crate) fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = if items.len() > MOST { ", …" } else { "" };
    let items: Vec<String> = items.take(MOST).collect();
    format!("[{}{more}]", items.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{AttributeProto, AttributeType, NodeProto, Part, Text};

    #[test]
    fn parts_are_where_they_are_said_to_be() {
        let ints = AttributeProto {
            name: "axes".to_owned(),
            r#type: AttributeType::Ints.into(),
            ints: vec![1, -2],
            ..AttributeProto::default()
        };
        let reference = AttributeProto {
            name: "keepdims".to_owned(),
            r#type: AttributeType::Int.into(),
            ref_attr_name: "keep\n".to_owned(),
            ..AttributeProto::default()
        };
        let node = NodeProto {
            input: vec!["x".to_owned(), String::new()],
            output: vec!["y".to_owned()],
            op_type: "ReduceSum".to_owned(),
            domain: "ai.onnx".to_owned(),
            attribute: vec![ints, reference],
            ..NodeProto::default()
        };
        let text = Text::of(&node);
        let whole = r#"y = ai.onnx.ReduceSum <axes = [1, -2], keepdims = @keep\n> (x, "")"#;
        assert_eq!(text.text, whole);
        for (part, shown) in [
            (Part::Operator, "ai.onnx.ReduceSum"),
            (Part::Attribute(0), "axes = [1, -2]"),
            (Part::Attribute(1), r"keepdims = @keep\n"),
            (Part::Input(0), "x"),
            (Part::Input(1), "\"\""),
            (Part::Output(0), "y"),
            (Part::Inputs, "(x, \"\")"),
            (Part::Output(7), "ai.onnx.ReduceSum"),
        ] {
            assert_eq!(&text.text[text.span(part)], shown);
        }
    }

    #[test]
    fn long_nodes_are_cut() {
        let node = NodeProto {
            input: vec!["x".repeat(1000); 1000],
            output: vec!["y".repeat(1000); 1000],
            op_type: "é".repeat(1000),
            attribute: vec![AttributeProto::default(); 1000],
            ..NodeProto::default()
        };
        let text = Text::of(&node).text;
        assert!(text.len() < 5000 && text.matches('…').count() > 40, "{text}");
        assert_eq!(Text::of(&NodeProto::default()).text, "_ =  ()");
    }
}
