//! Models that a user names.

use std::path::Path;

use reduce_onnx::Model;

use crate::contents::Contents;
use crate::error::Error;
use crate::mapped::Mapped;

/// The model in a regular file, which nobody may shorten while it is in use.
pub(crate) fn open(path: &Path) -> Result<Model, Error> {
    in_contents(path, Contents::of(path)?)
}

/// The model in a regular file, a pipe, or the standard input, which is `-`. The folder of the last is the current one.
pub(crate) fn named(path: &Path) -> Result<Model, Error> {
    in_contents(path, Contents::named(path)?)
}

fn in_contents(path: &Path, contents: Contents) -> Result<Model, Error> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let model = Model::from_bytes(contents)
        .and_then(|model| model.in_folder(folder.unwrap_or(Path::new("."))));
    let model = model.map_err(|error| Error::at(path, error.sentence()))?;
    // Where such a file is shortened, the command says so.
    Ok(model.mapped_by(Mapped::bytes))
}
