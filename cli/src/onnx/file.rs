//! Models in files, with the tensors that they keep in other files.
//!
//! A model is decoded from its file's bytes. The elements of tensors, which are its large part, stay there.
//! So a model that is mapped takes little memory, whatever its size.

use std::fs;
use std::path::{Path, PathBuf};

use prost::Message;
use prost::bytes::Bytes;
use reduce_core::AnyTensor;

use super::proto::tensor_proto::DataLocation;
use super::proto::{ModelProto, NodeProto, TensorProto};
use super::{NO_GRAPH, constant, damaged, external, tensor};
use crate::contents::Contents;
use crate::error::{Error, reason};

/// A model, the bytes of its file, and the folder that these are in.
#[derive(Debug)]
pub(crate) struct File {
    bytes: Bytes,
    model: ModelProto,
    folder: PathBuf,
}

impl File {
    /// The model in a regular file, which nobody may shorten while it is in use.
    ///
    /// # Errors
    /// If there is none: a file of 0 bytes decodes as a message without a field.
    pub(crate) fn open(path: &Path) -> Result<File, Error> {
        File::in_contents(path, Contents::of(path)?.into())
    }

    /// The model that a user names: in a regular file, a pipe, or the standard input, which is `-`. The folder of
    /// the last is the current one.
    ///
    /// # Errors
    /// As [`File::open`].
    pub(crate) fn named(path: &Path) -> Result<File, Error> {
        File::in_contents(path, Contents::named(path)?.into())
    }

    fn in_contents(path: &Path, bytes: Bytes) -> Result<File, Error> {
        if bytes.is_empty() {
            return Err(Error::at(path, "has 0 bytes, so it is no model; name a whole one"));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))
            .map_err(|error| Error::at(path, format!("cannot be read: {}", reason(&error))))?;
        let file = File::of(bytes, folder).map_err(|problem| Error::at(path, problem))?;
        match &file.model.graph {
            None => Err(Error::at(path, NO_GRAPH)),
            Some(_) => Ok(file),
        }
    }

    /// The model in these bytes, whose external data is in a folder, named without links.
    pub(crate) fn of(bytes: Bytes, folder: PathBuf) -> Result<File, String> {
        let model = ModelProto::decode(bytes.clone()).map_err(|error| damaged(&error))?;
        Ok(File { bytes, model, folder })
    }

    /// All that the file says, as far as this program reads it.
    pub(crate) fn model(&self) -> &ModelProto {
        &self.model
    }

    /// The file as it is.
    pub(crate) fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The folder of the model.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A tensor of the model, wherever its elements are.
    ///
    /// # Errors
    /// A sentence whose subject is the tensor.
    pub(crate) fn tensor(&self, proto: &TensorProto) -> Result<AnyTensor, String> {
        match proto.data_location() {
            DataLocation::External => external::tensor(&self.folder, proto),
            DataLocation::Default => tensor(proto),
        }
    }

    /// The tensor that a node `Constant` gives.
    ///
    /// # Errors
    /// If it gives none.
    pub(crate) fn constant(&self, node: &NodeProto) -> Result<AnyTensor, String> {
        constant::by(node, |proto| self.tensor(proto))
    }
}
