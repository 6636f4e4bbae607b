//! The inputs of a model: which file is for which, and whether it is what the model declares.

use std::collections::HashMap;
use std::path::Path;

use reduce_core::DType;

use super::program::{Input, Program};
use super::types::declared;
use super::value::Value;
use crate::args::NamedFile;
use crate::arrays;
use crate::error::Error;
use crate::onnx::proto::tensor_shape_proto::dimension;
use crate::onnx::proto::{TensorShapeProto, ValueInfoProto};

/// The file of each input of a program, in its order.
#[derive(Debug)]
pub(super) struct Given<'a>(Vec<Option<&'a Path>>);

impl<'a> Given<'a> {
    /// The files by the names of inputs.
    ///
    /// # Errors
    /// If a name is none of an input, or given twice.
    pub(super) fn named(program: &Program<'_>, files: &'a [NamedFile]) -> Result<Self, Error> {
        let mut found = vec![None; program.inputs.len()];
        for NamedFile { name, path } in files {
            let place = program.inputs.iter().position(|input| input.declared.name == *name);
            let Some(place) = place else {
                let names = program.inputs.iter().map(|input| input.declared.name.as_str());
                let names = arrays::listed(names);
                return Err(Error::new(format!(
                    "the model has no input `{name}`; its inputs are: {names}"
                )));
            };
            if found[place].replace(path.as_path()).is_some() {
                return Err(Error::new(format!("input `{name}` is given twice")));
            }
        }
        Ok(Given(found))
    }

    /// The types of inputs as the model declares them.
    pub(super) fn declared_types(&self, program: &Program<'_>) -> Vec<Option<DType>> {
        program.inputs.iter().map(|input| declared(input.declared)).collect()
    }

    /// That no input is missing.
    pub(super) fn check_complete(&self, program: &Program<'_>) -> Result<(), Error> {
        let mut inputs = program.inputs.iter().zip(&self.0);
        match inputs.find(|(input, path)| path.is_none() && !input.has_default) {
            None => Ok(()),
            Some((Input { declared, .. }, _)) => {
                let (name, kind) = (&declared.name, kind(declared));
                Err(Error::new(format!(
                    "input `{name}` is not given; add --input {name}=FILE.npy{kind}"
                )))
            }
        }
    }

    /// The arrays in the files.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what the model declares.
    pub(super) fn read(&self, program: &Program<'_>) -> Result<Vec<Option<Value>>, Error> {
        let mut sizes = Sizes::default();
        let mut values = Vec::with_capacity(self.0.len());
        for (Input { declared, .. }, path) in program.inputs.iter().zip(&self.0) {
            let Some(path) = path else {
                values.push(None);
                continue;
            };
            let value = value(path)?;
            sizes.check(declared, &value).map_err(|problem| {
                Error::at(path, format!("input `{}` {problem}", declared.name))
            })?;
            values.push(Some(value));
        }
        Ok(values)
    }
}

/// The array in a file.
fn value(path: &Path) -> Result<Value, Error> {
    Value::try_from(arrays::read(path)?).map_err(|problem| Error::at(path, problem))
}

/// The type and shape that an input is declared to have, as far as they are said.
fn kind(info: &ValueInfoProto) -> String {
    let dtype = declared(info).map_or_else(String::new, |dtype| format!(" of {dtype}"));
    match shape(info) {
        None => dtype,
        Some(shape) => {
            let dims = shape.dim.iter().map(|dim| match &dim.value {
                Some(dimension::Value::DimValue(size)) => size.to_string(),
                Some(dimension::Value::DimParam(name)) if !name.is_empty() => name.clone(),
                _ => "?".to_owned(),
            });
            format!("{dtype} [{}]", dims.collect::<Vec<_>>().join(", "))
        }
    }
}

fn shape(info: &ValueInfoProto) -> Option<&TensorShapeProto> {
    info.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref()
}

/// What sizes have been found to be that models have names for, and in which input.
#[derive(Debug, Default)]
pub(super) struct Sizes<'m>(HashMap<&'m str, (usize, &'m str)>);

impl<'m> Sizes<'m> {
    /// Whether a value is what an input is declared to be.
    ///
    /// # Errors
    /// A sentence whose subject is the input.
    pub(super) fn check(&mut self, info: &'m ValueInfoProto, value: &Value) -> Result<(), String> {
        let found = value.dtype();
        if let Some(expected) = declared(info).filter(|&dtype| dtype != found) {
            return Err(format!("is declared as `{expected}`, and this is `{found}`"));
        }
        let Some(declared) = shape(info) else { return Ok(()) };
        let (given, dims) = (value.shape(), &declared.dim);
        if given.rank() != dims.len() {
            let (expected, found) = (dims.len(), given.rank());
            return Err(format!(
                "is declared with {expected} axes, and this is of shape {given}, which has {found}"
            ));
        }
        for (axis, (dim, &size)) in dims.iter().zip(given.iter()).enumerate() {
            match &dim.value {
                Some(dimension::Value::DimValue(expected))
                    if usize::try_from(*expected) != Ok(size) =>
                {
                    return Err(format!(
                        "is declared with size {expected} along axis {axis}, and this is of shape {given}"
                    ));
                }
                Some(dimension::Value::DimParam(name)) if !name.is_empty() => {
                    let &mut (expected, other) =
                        self.0.entry(name.as_str()).or_insert((size, &info.name));
                    if expected != size {
                        return Err(format!(
                            "has size {size} along axis {axis}, which the model calls `{name}`; that is {expected} in input `{other}`"
                        ));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}
