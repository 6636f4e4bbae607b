//! `reduce run`: one operator over one array.

use std::path::Path;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use reduce_core::{
    AnyTensor, AnyView, AttrValue, Call, DType, Node, OpEntry, Progress, Shape, View,
};
use reduce_specs::ONNX;

use crate::args::RunArgs;
use crate::error::{Error, one_line};
use crate::npy::Array;
use crate::place::Place;
use crate::{call, display, npy, scalar};

/// Prints the result, or writes it and says so.
pub(crate) fn run(args: &RunArgs) -> Result<String, Error> {
    let level = call::check_level(args.level)?;
    // A mistake in the request is told before one in the file.
    let opset = ONNX.check_opset(args.opset.unwrap_or(ONNX.newest()))?;
    let entry = call::operator(&args.op)?;
    entry.schema().at(opset)?;
    // So is a place that cannot be written to.
    let output = args.output.as_deref().map(|path| Place::new(path).map(|place| (path, place)));
    let output = output.transpose()?;
    let input = npy::read(&args.input)?;
    let about_input = |error: Error| Error::at(&args.input, error);
    let call = prepare(entry, args, opset, input.dtype()).map_err(about_input)?;
    let call = call.level(level).skip_nan(args.skip_nan);
    let mask = args.mask.as_deref().map(|path| Mask::read(path, &input)).transpose()?;
    let mask = mask.as_ref().map(Mask::view).transpose()?;
    let result = match input.is_mapped() {
        true => watched(call, &input, mask.as_ref()),
        false => {
            input.view().and_then(|view| over(&call, &view, mask.as_ref())).map_err(Error::from)
        }
    };
    let result = result.map_err(about_input)?;
    let heading = display::heading(&result);
    match output {
        None => Ok(format!("{heading}\n{}", display::elements(&result))),
        Some((path, place)) => {
            npy::write(place, path, &result)?;
            Ok(one_line(&format!("wrote {}: {heading}", path.display())) + "\n")
        }
    }
}

/// The result over the elements for which the mask is true, if there is one.
fn over(
    call: &Call,
    view: &AnyView<'_>,
    mask: Option<&View<'_, bool>>,
) -> Result<AnyTensor, reduce_core::Error> {
    mask.map_or_else(|| call.run(view), |mask| call.run_where(view, mask))
}

/// Which elements count.
struct Mask<'a> {
    path: &'a Path,
    array: Array,
}

impl<'a> Mask<'a> {
    /// The mask in a file, for an input.
    fn read(path: &'a Path, input: &Array) -> Result<Self, Error> {
        let array = npy::read(path)?;
        let (mask, shape) = (array.shape(), input.shape());
        let fits = |(&of_mask, &size): (&usize, &usize)| of_mask == size || of_mask == 1;
        if mask.len() > shape.len() || !mask.iter().rev().zip(shape.iter().rev()).all(fits) {
            let problem = format!(
                "a mask of shape {mask:?} does not broadcast to the input's shape {shape:?}; give one \
                 with the input's sizes, or 1 in their place"
            );
            return Err(Error::at(path, problem));
        }
        Ok(Mask { path, array })
    }

    fn view(&self) -> Result<View<'_, bool>, Error> {
        match self.array.view()? {
            AnyView::Bool(view) => Ok(view),
            other => {
                let dtype = other.dtype();
                let problem = format!("a mask of {dtype}; save it as bool, such as `mask != 0`");
                Err(Error::at(self.path, problem))
            }
        }
    }
}

/// The result, with a bar that shows how far it is, if there is a terminal to show it on.
fn watched(call: Call, input: &Array, mask: Option<&View<'_, bool>>) -> Result<AnyTensor, Error> {
    /// Between two looks.
    const PAUSE: Duration = Duration::from_millis(50);
    let progress = Progress::default();
    let call = call.progress(&progress);
    let bar = ProgressBar::new(input.count() as u64);
    bar.set_style(style());
    let result = thread::scope(|scope| {
        let work = || by_parts(&call, input, mask);
        // Without another thread there is nobody to look how far it is.
        let Ok(work) = thread::Builder::new().spawn_scoped(scope, work) else { return work() };
        while !work.is_finished() {
            bar.set_position(progress.elements());
            thread::sleep(PAUSE);
        }
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    bar.finish_and_clear();
    result
}

/// The result of an array that may be larger than the memory; with a mask, which is in memory, at
/// once.
fn by_parts(call: &Call, input: &Array, mask: Option<&View<'_, bool>>) -> Result<AnyTensor, Error> {
    if mask.is_some() {
        return Ok(over(call, &input.view()?, mask)?);
    }
    let shape = Shape::new(input.shape())?;
    let reduced = call.axes(shape.rank())?;
    let parts = input.parts(&reduced);
    let Some(part) = parts.first() else { return Ok(call.run(&input.view()?)?) };
    let output = call.output_shape(&shape)?;
    let axes_before = (0..part.axis).filter(|&axis| !reduced.contains(axis)).count();
    let axis = if output.rank() == shape.rank() { part.axis } else { axes_before };
    let mut results = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let view = input.part(part)?;
        let result = thread::scope(|scope| {
            if number == 0 {
                input.fetch(part);
            }
            if let Some(next) = parts.get(number + 1) {
                // Without another thread, what is not fetched ahead is read when it is used.
                let _ = thread::Builder::new().spawn_scoped(scope, || input.fetch(next));
            }
            call.run(&view)
        });
        results.push(result?);
    }
    scalar::joined(&results, axis, &output)
        .map_err(|problem| Error::new(format!("the result {problem}")))
}

fn style() -> ProgressStyle {
    let template = "{wide_bar} {percent}%, {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// The node that the arguments describe, validated by its schema alone.
fn prepare(
    entry: &'static OpEntry,
    args: &RunArgs,
    opset: u32,
    dtype: DType,
) -> Result<Call, Error> {
    let axes = args.axes.as_ref().map(|list| list.0.as_slice());
    let mut node = call::with_axes(Node::new(opset, dtype), &entry.schema().at(opset)?, axes)?;
    let flags = [("keepdims", args.keepdims), ("noop_with_empty_axes", args.noop_with_empty_axes)];
    for (name, value) in flags {
        node.attrs.extend(value.map(|value| (name.to_owned(), AttrValue::Int(value))));
    }
    node.attrs.extend(args.attr.iter().map(|attr| (attr.name.clone(), attr.value.clone())));
    Ok(entry.prepare(&node)?)
}
