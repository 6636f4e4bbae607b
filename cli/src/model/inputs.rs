//! The inputs of a model: which file is for which, and whether it is what the model declares.

use std::path::Path;

use reduce_onnx::{Program, Sizes, Value};

use crate::args::NamedFile;
use crate::arrays;
use crate::error::Error;

/// The file of each input of a program, in its order.
#[derive(Debug)]
pub(super) struct Given<'a>(Vec<Option<&'a Path>>);

impl<'a> Given<'a> {
    /// The files by the names of inputs.
    ///
    /// # Errors
    /// If a name is none of an input, or given twice.
    pub(super) fn named(program: &Program<'_>, files: &'a [NamedFile]) -> Result<Self, Error> {
        let mut found = vec![None; program.inputs().len()];
        for NamedFile { name, path } in files {
            if found[program.input(name)?].replace(path.as_path()).is_some() {
                return Err(Error::new(format!("input `{name}` is given twice")));
            }
        }
        Ok(Given(found))
    }

    /// That no input is missing.
    pub(super) fn check_complete(&self, program: &Program<'_>) -> Result<(), Error> {
        let mut inputs = program.inputs().iter().zip(&self.0);
        match inputs.find(|(input, path)| path.is_none() && !input.has_default()) {
            None => Ok(()),
            Some((input, _)) => {
                let (name, kind) = (input.name(), input.kind());
                Err(Error::new(format!(
                    "input `{name}` is not given; add --input {name}=FILE.npy{kind}"
                )))
            }
        }
    }

    /// The arrays in the files, which are read where they lie, and given back with their values.
    ///
    /// # Errors
    /// If a file cannot be read, or is not what the model declares.
    pub(super) fn read(&self, program: &Program<'_>) -> Result<Vec<Option<Value<'static>>>, Error> {
        let mut sizes = Sizes::default();
        let mut found = Vec::with_capacity(self.0.len());
        for (input, path) in program.inputs().iter().zip(&self.0) {
            let Some(path) = path else {
                found.push(None);
                continue;
            };
            let array = arrays::read(path)?;
            let value =
                Value::held(array).and_then(|value| sizes.check(input, &value).map(|()| value));
            found.push(Some(value.map_err(|error| Error::at(path, error.sentence()))?));
        }
        Ok(found)
    }
}
