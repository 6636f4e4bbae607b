//! The inputs of a model: what it declares them to be, and whether a value is that.

use std::collections::HashMap;

use reduce_core::DType;

use super::value::Value;
use crate::error::{Error, ErrorKind};
use crate::file::dtype;
use crate::file::proto::tensor_shape_proto::dimension;
use crate::file::proto::{TensorShapeProto, ValueInfoProto};

/// A value that is given before the model runs.
#[derive(Clone, Copy, Debug)]
pub struct Input<'m> {
    /// The graph's declaration of it, with its name.
    pub(super) declared: &'m ValueInfoProto,
    pub(super) id: usize,
    /// Whether a constant stands in for it if it is not given.
    pub(super) has_default: bool,
}

impl<'m> Input<'m> {
    /// Its name.
    pub fn name(&self) -> &'m str {
        &self.declared.name
    }

    /// Whether the model has a value for it, so that it need not be given.
    pub fn has_default(&self) -> bool {
        self.has_default
    }

    /// The type that it is declared to have, if that is said.
    pub fn dtype(&self) -> Option<DType> {
        let tensor = self.declared.r#type.as_ref()?.tensor_type.as_ref()?;
        dtype(tensor.elem_type).ok()
    }

    /// The declaration with all that it says.
    pub fn declared(&self) -> &'m ValueInfoProto {
        self.declared
    }

    /// The type and the sizes that it is declared to have, as far as they are said, as the end of a sentence: ` of f32 [N, 3]`.
    pub fn kind(&self) -> String {
        let dtype = self.dtype().map_or_else(String::new, |dtype| format!(" of {dtype}"));
        match self.shape() {
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

    fn shape(&self) -> Option<&'m TensorShapeProto> {
        self.declared.r#type.as_ref()?.tensor_type.as_ref()?.shape.as_ref()
    }
}

/// What sizes have been found to be that models have names for, and in which input. All inputs of a run are held against the
/// same sizes.
#[derive(Clone, Debug, Default)]
pub struct Sizes<'m>(HashMap<&'m str, (usize, &'m str)>);

impl<'m> Sizes<'m> {
    /// Holds a value against what an input is declared to be.
    ///
    /// # Errors
    /// If its type, its rank or one of its sizes is another one ([`ErrorKind::Inputs`]).
    pub fn check(&mut self, input: &Input<'m>, value: &Value<'_>) -> Result<(), Error> {
        self.held(input, value).map_err(|problem| {
            Error::new(ErrorKind::Inputs, format!("input `{}` {problem}", input.name()))
        })
    }

    /// The same; an error is a sentence whose subject is the input.
    fn held(&mut self, input: &Input<'m>, value: &Value<'_>) -> Result<(), String> {
        let found = value.dtype();
        if let Some(expected) = input.dtype().filter(|&dtype| dtype != found) {
            return Err(format!("is declared as `{expected}`, and this is `{found}`"));
        }
        let Some(declared) = input.shape() else { return Ok(()) };
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
                        self.0.entry(name.as_str()).or_insert((size, input.name()));
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
