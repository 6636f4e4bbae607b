//! `reduce run`: operators over the arrays of files.
//!
//! The request is held against the operators' schemas first ([`Prepared`]). Then the files are opened, and one
//! [`pass`] over them computes the results. The pass is [`watched`](watch) if it may take long.

mod axes;
mod inputs;
mod mask;
mod output;
mod pass;
mod pieces;
mod together;
mod watch;

use std::path::PathBuf;
use std::time::Instant;

use reduce_core::nodes::AttrValue;
use reduce_core::{AnyTensor, DType, Shape};
use reduce_specs::ONNX;

use crate::args::RunArgs;
use crate::arrays::{self, Array, Opened};
use crate::call;
use crate::engine::{self, Open};
use crate::error::{Error, note};
use crate::operators::{Operator, Prepared, Request};
use inputs::Inputs;
use mask::Mask;
use output::{Named, Output};
use pass::Pass;
use together::How;

/// Prints the results, or writes them and says so.
pub(crate) fn run(args: &RunArgs, open: Option<Open>) -> Result<String, Error> {
    let deadline = args.timeout.and_then(|time| Instant::now().checked_add(time));
    let level = call::check_level(args.level)?;
    let engine = args.gpu.as_deref().map(|name| engine::open(open, name)).transpose()?;
    // A mistake in the request is told before one in the file.
    let opset = ONNX.check_opset(args.opset.unwrap_or(ONNX.newest()))?;
    let operators = operators(&args.op)?;
    let paths = inputs::named(&args.inputs, &operators[0].counts());
    for operator in &operators {
        operator.schema().at(opset)?;
        operator.check_inputs(paths.len())?;
    }
    // So is a place that cannot be written to.
    let names: Vec<String> = operators.iter().flat_map(|operator| operator.names()).collect();
    let output = args.output.as_deref().map(|path| Output::claim(path, &names)).transpose()?;
    let opened = paths.iter().map(|path| arrays::open(path)).collect::<Result<Vec<_>, _>>()?;
    let inputs = Inputs { paths: &paths, opened: &opened };
    let about_input = |error: Error| match &paths[..] {
        [path] => Error::at(path, error),
        _ => error,
    };
    operators.iter().try_for_each(|&operator| inputs.check_types(operator))?;
    let shape = inputs.shape()?;
    let dtypes: Vec<DType> = opened.iter().map(Opened::dtype).collect();
    let prepare = |operator: &Operator| {
        let axes = args.axes.as_ref().map(|list| list.0.as_slice());
        let (skip_nan, attrs) = (args.skip_nan, attrs(args, *operator, &operators));
        operator.prepare(&Request { opset, axes, attrs, skip_nan, level }, &dtypes)
    };
    let prepared: Result<Vec<Prepared>, Error> = operators.iter().map(prepare).collect();
    let prepared = prepared.map_err(about_input)?;
    inputs.check_growth(&shape, &prepared).map_err(about_input)?;
    if args.axes.is_none() {
        note(&axes::differing(&prepared, shape.rank()).unwrap_or_default());
    }
    let mask = args.mask.as_deref().map(|path| Mask::read(path, opened[0].shape())).transpose()?;
    let mask = mask.as_ref().map(Mask::view).transpose()?;
    let (mask, threads) = (mask.as_ref(), args.threads);
    let how = How { mask, threads, deadline, engine: engine.as_deref() };
    let results = results(&prepared, &paths, opened, &shape, how).map_err(about_input)?;
    let named = names.into_iter().zip(results.into_iter().flatten());
    output::show(output, &named.map(|(name, tensor)| Named { name, tensor }).collect::<Vec<_>>())
}

/// The results of each operator over some arrays.
fn results(
    operators: &[Prepared],
    paths: &[PathBuf],
    opened: Vec<Opened>,
    shape: &Shape,
    how: How<'_>,
) -> Result<Vec<Vec<AnyTensor>>, Error> {
    if let [Opened::Apart(apart)] = &opened[..]
        && let Some(results) = pieces::run(operators, apart, shape, how)?
    {
        return Ok(results);
    }
    let loaded = opened.into_iter().zip(paths).map(|(opened, path)| {
        // Of one input, the file is named with any error.
        let about = |problem| match paths {
            [_] => Error::new(problem),
            _ => Error::at(path, problem),
        };
        opened.load().map_err(about)
    });
    let inputs: Vec<Array> = loaded.collect::<Result<_, _>>()?;
    Pass { operators, inputs: &inputs, how }.run()
}

/// The operators of a list of names.
fn operators(names: &str) -> Result<Vec<Operator>, Error> {
    let names = names.split(',').map(str::trim);
    let operators = names.map(Operator::find).collect::<Result<Vec<_>, _>>()?;
    for (number, operator) in operators.iter().enumerate() {
        let name = operator.schema().name;
        if operators[..number].iter().any(|other| other.schema().name == name) {
            return Err(Error::new(format!("operator `{name}` is named twice; name it once")));
        }
    }
    Ok(operators)
}

/// The attributes for one of some operators. A single operator gets all that are given. One of several gets those
/// that it has. It also gets those that no operator has, and will complain about them.
fn attrs(args: &RunArgs, operator: Operator, all: &[Operator]) -> Vec<(String, AttrValue)> {
    let flags = [("keepdims", args.keepdims), ("noop_with_empty_axes", args.noop_with_empty_axes)];
    let flags = flags.into_iter().filter_map(|(name, value)| Some((name, AttrValue::Int(value?))));
    let others = args.attr.iter().map(|attr| (attr.name.as_str(), attr.value.clone()));
    let is_meant =
        |name: &str| operator.has_attr(name) || !all.iter().any(|operator| operator.has_attr(name));
    let meant = flags.chain(others).filter(|(name, _)| is_meant(name));
    meant.map(|(name, value)| (name.to_owned(), value)).collect()
}
