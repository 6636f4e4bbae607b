//! What the fuzz targets call: it is there when they are built, and is no part of the crate's interface.

#![allow(missing_docs, reason = "for the targets, which say what they hold against what")]

use std::path::Path;

use clap::Parser;
use reduce_core::AnyTensor;

pub use crate::onnx::proto::*;

use crate::args::Cli;
use crate::arrays::{self, Format};
use crate::model::Value;
use crate::place::Place;
use crate::{onnx, scalar};

/// Runs the command, and returns the text that it prints and its exit status.
pub fn answer(arguments: &[&str]) -> Result<(String, u8), String> {
    let arguments = std::iter::once("reduce").chain(arguments.iter().copied());
    let cli = Cli::try_parse_from(arguments).map_err(|error| error.to_string())?;
    crate::answer(cli, None).map_err(|error| error.to_string())
}

/// The array in a file, its elements in the order of their indices.
pub fn read_array(path: &Path) -> Result<AnyTensor, String> {
    let array = arrays::read(path).map_err(|error| error.to_string())?;
    Ok(Value::try_from(array)?.tensor()?.into_owned())
}

/// Writes an array, with a name where the format has names.
pub fn write_array(path: &Path, array: &AnyTensor) -> Result<(), String> {
    let place = Place::new(path).map_err(|error| error.to_string())?;
    let format = Format::of(path).ok_or_else(|| arrays::no_format(path, "written"))?;
    arrays::write(place, format, &[("a".to_owned(), array)]).map_err(|error| error.to_string())
}

/// The tensor in the contents of a file.
pub fn read_tensor(file: &[u8]) -> Result<AnyTensor, String> {
    onnx::parse_tensor(file)
}

/// The bytes of all elements.
pub fn bits(tensor: &AnyTensor) -> Vec<u8> {
    let mut bytes = Vec::new();
    scalar::encode(tensor, &mut bytes).expect("a list takes all");
    bytes
}
