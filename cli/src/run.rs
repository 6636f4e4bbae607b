//! `reduce run`: one operator over one array.

use reduce_core::{AttrValue, Call, DType, Node, OpEntry};
use reduce_specs::ONNX;

use crate::args::RunArgs;
use crate::error::Error;
use crate::{call, display, npy};

/// Prints the result, or writes it and says so.
pub(crate) fn run(args: &RunArgs) -> Result<String, Error> {
    let level = call::check_level(args.level)?;
    // A mistake in the request is told before one in the file.
    let opset = ONNX.check_opset(args.opset.unwrap_or(ONNX.newest()))?;
    let entry = call::operator(&args.op)?;
    entry.schema().at(opset)?;
    let input = npy::read(&args.input)?;
    let about_input = |error: Error| Error::at(&args.input, error);
    let call = prepare(entry, args, opset, input.dtype()).map_err(about_input)?.level(level);
    let view = input.view().map_err(|error| about_input(error.into()))?;
    let result = call.run(&view).map_err(|error| about_input(error.into()))?;
    let heading = display::heading(&result);
    match &args.output {
        None => Ok(format!("{heading}\n{}", display::elements(&result))),
        Some(path) => {
            npy::write(path, &result)?;
            Ok(format!("wrote {}: {heading}\n", path.display()))
        }
    }
}

/// The node that the arguments describe, validated by its schema alone.
fn prepare(
    entry: &'static OpEntry,
    args: &RunArgs,
    opset: u32,
    dtype: DType,
) -> Result<Call, Error> {
    let axes = args.axes.as_ref().map(|list| list.0.as_slice());
    let mut node = call::with_axes(Node::new(opset, dtype), &entry.schema().at(opset)?, axes);
    let flags = [("keepdims", args.keepdims), ("noop_with_empty_axes", args.noop_with_empty_axes)];
    for (name, value) in flags {
        node.attrs.extend(value.map(|value| (name.to_owned(), AttrValue::Int(value))));
    }
    node.attrs.extend(args.attr.iter().map(|attr| (attr.name.clone(), attr.value.clone())));
    Ok(entry.prepare(&node)?)
}
