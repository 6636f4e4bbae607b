//! What is wrong with the reductions of a model: every problem of every node, in a sentence with a code.
//!
//! Nodes are read from lines of text; an engine has them from its reader of models. The registry `ONNX` knows each operator
//! in every version, and infers the shape of the result of a node that is right.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin check-nodes < examples/programs/data/nodes.txt
//! ```
//!
//! A line is `OPERATOR OPSET TYPE SHAPE`, then attributes such as `keepdims=0`, `axes=[0,2]` or `alpha=0.5`. Axes that
//! are the second input are written as `input=[0,2]`. A shape is `2x3xN`, where the size `N` is not known. A line may
//! end in a `#` comment.

use std::io::stdin;

use reduce_core::DType;
use reduce_core::nodes::{AttrValue, Dim, Node, PartialShape};
use reduce_programs::Failure;
use reduce_specs::ONNX;

fn main() -> Result<(), Failure> {
    let (mut nodes, mut wrong) = (0, 0);
    for (index, line) in stdin().lines().enumerate() {
        let line = line?;
        let text = line.split('#').next().unwrap_or("").trim();
        if text.is_empty() {
            continue;
        }
        let (name, node) =
            node(text).map_err(|error| error.at(format_args!("line {}", index + 1)))?;
        nodes += 1;
        println!("{text}");
        match ONNX.prepare(name, &node) {
            Ok(call) => println!(
                "  version {}; the result is {} {}",
                call.version(),
                call.output_dtype(),
                call.infer(&node.shape)?
            ),
            Err(problems) => {
                wrong += 1;
                problems.errors().iter().for_each(|error| println!("  [{}] {error}", error.code()));
            }
        }
    }
    match wrong {
        0 => Ok(()),
        _ => Err(format!("{wrong} of {nodes} nodes cannot be run").into()),
    }
}

/// The operator and the node that a line says.
fn node(text: &str) -> Result<(&str, Node), Failure> {
    let mut words = text.split_whitespace();
    let mut word = |what| {
        words
            .next()
            .ok_or(format!("no {what}; a node is `OPERATOR OPSET TYPE SHAPE` and attributes"))
    };
    let (name, opset, dtype, shape) =
        (word("operator")?, word("opset")?, word("type")?, word("shape")?);
    let opset =
        opset.parse().map_err(|_| format!("`{opset}` is no opset; write a number, such as 18"))?;
    let known = DType::ALL.into_iter().find(|known| known.name() == dtype);
    let dtype = known
        .ok_or_else(|| format!("`{dtype}` is no type; write Rust's name of it, such as f32"))?;
    let size = |size: &str| size.parse().map_or(Dim::Named(size.into()), Dim::Known);
    let mut node = Node::new(opset, dtype).shape(PartialShape::new(shape.split('x').map(size)));
    for word in words {
        let (key, value) = word
            .split_once('=')
            .ok_or_else(|| format!("`{word}` is no attribute; write NAME=VALUE"))?;
        node = match (key, value_of(value)) {
            ("input", AttrValue::Ints(axes)) => node.axes(axes),
            (_, value) => node.attr(key, value),
        };
    }
    Ok((name, node))
}

/// `3` is an integer, `[0,2]` a list, `0.5` a float, and any other text a string.
fn value_of(text: &str) -> AttrValue {
    let list = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    let list =
        list.map(|list| list.split(',').filter(|part| !part.is_empty()).map(str::parse).collect());
    match (list, text.parse(), text.parse()) {
        (Some(Ok(list)), ..) => AttrValue::Ints(list),
        (_, Ok(integer), _) => AttrValue::Int(integer),
        (_, _, Ok(float)) => AttrValue::Float(float),
        _ => AttrValue::Other("a string"),
    }
}
