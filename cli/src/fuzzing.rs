//! What the fuzz targets call of the command: it is there when they are built, and is no part of the crate's interface.
//!
//! Models have the public doors of `reduce-onnx`. Here are arrays in files, and the text that the command prints.

#![allow(missing_docs, reason = "for the targets, which say what they hold against what")]

use std::path::Path;

use clap::Parser;
use reduce_core::AnyTensor;
use reduce_onnx::Value;

use crate::args::Cli;
use crate::arrays::{self, Format};
use crate::place::Place;

/// Runs the command, and returns the text that it prints and its exit status.
pub fn answer(arguments: &[&str]) -> Result<(String, u8), String> {
    let arguments = std::iter::once("reduce").chain(arguments.iter().copied());
    let cli = Cli::try_parse_from(arguments).map_err(|error| error.to_string())?;
    crate::answer(cli, None).map_err(|error| error.to_string())
}

/// The array in a file, its elements in the order of their indices.
pub fn read_array(path: &Path) -> Result<AnyTensor, String> {
    let array = arrays::read(path).map_err(|error| error.to_string())?;
    let value = Value::from(array.view().map_err(|error| error.to_string())?);
    let tensor = value.tensor().map_err(|error| error.to_string())?;
    Ok(tensor.into_owned())
}

/// Writes an array, with a name where the format has names.
pub fn write_array(path: &Path, array: &AnyTensor) -> Result<(), String> {
    let place = Place::new(path).map_err(|error| error.to_string())?;
    let format = Format::of(path).ok_or_else(|| arrays::no_format(path, "written"))?;
    arrays::write(place, format, &[("a".to_owned(), array)]).map_err(|error| error.to_string())
}
