//! Models in files, with the tensors that they keep in other files.
//!
//! A model is decoded from its file's bytes. The elements of tensors, which are its large part, stay there.
//! So a model that is mapped takes little memory, whatever its size.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use prost::Message;
use prost::bytes::Bytes;
use reduce_core::AnyTensor;

use super::disk::{self, MapFile};
use super::opset::Opset;
use super::proto::tensor_proto::DataLocation;
use super::proto::{ModelProto, NodeProto, TensorProto};
use super::tensor::{damaged, tensor};
use super::{constant, external};
use crate::error::{Error, ErrorKind};
use crate::words::reason;

/// A model: the bytes of its file, what they say, and the folder in which it may keep elements of tensors.
///
/// ```
/// use reduce_onnx::Model;
///
/// let model = Model::open("data/rms.onnx")?;
/// assert_eq!(model.opset(), Some(13));
/// let again = Model::from_bytes(model.bytes().clone())?;
/// assert_eq!(again.proto(), model.proto());
/// # Ok::<(), reduce_onnx::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    bytes: Bytes,
    proto: ModelProto,
    folder: Option<PathBuf>,
    map: MapFile,
}

impl Model {
    /// The model in a regular file. External data, which are elements of tensors in files of their own, are looked for in the
    /// file's folder.
    ///
    /// A file of 64 MB or more is mapped and not read. So a model may be larger than the memory, but nobody may shorten such a
    /// file while it is in use: the system stops a process that reads what is gone.
    ///
    /// # Errors
    /// If the file cannot be read ([`ErrorKind::Unreadable`]), or has no model ([`ErrorKind::Damaged`]).
    pub fn open(path: impl AsRef<Path>) -> Result<Model, Error> {
        fn open(path: &Path) -> Result<Model, Error> {
            let cannot = |error: io::Error| {
                Error::new(ErrorKind::Unreadable, format!("cannot be read: {}", reason(&error)))
            };
            let Some((file, size)) = disk::open(path).map_err(cannot)? else {
                return Err(Error::new(ErrorKind::Unreadable, "is not a regular file; name one"));
            };
            let bytes = disk::bytes(&file, 0, size, disk::mapped).map_err(cannot)?;
            Model::from_bytes(bytes)?.in_folder(folder_of(path))
        }
        open(path.as_ref()).map_err(|error| error.at(path.as_ref()))
    }

    /// The model in the bytes of a file. It has no folder for external data unless one is named by [`Model::in_folder`].
    ///
    /// # Errors
    /// If these are no bytes of a model ([`ErrorKind::Damaged`]).
    ///
    /// ```
    /// use reduce_onnx::Model;
    ///
    /// let error = Model::from_bytes(&b"no model"[..]).expect_err("text");
    /// assert_eq!(error.code(), "damaged");
    /// ```
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Model, Error> {
        let bytes = bytes.into();
        // No bytes are a message without a field.
        if bytes.is_empty() {
            let problem = "has 0 bytes, so it is no model; name a whole one";
            return Err(Error::new(ErrorKind::Damaged, problem));
        }
        let proto = ModelProto::decode(bytes.clone());
        let proto = proto.map_err(|error| Error::new(ErrorKind::Damaged, damaged(&error)))?;
        if proto.graph.is_none() {
            let problem = "has no graph, so it is no model; name a whole one";
            return Err(Error::new(ErrorKind::Damaged, problem));
        }
        Ok(Model { bytes, proto, folder: None, map: disk::mapped })
    }

    /// The model of these messages, as if it had been read from a file.
    ///
    /// # Errors
    /// If it has no graph ([`ErrorKind::Damaged`]).
    pub fn from_proto(proto: &ModelProto) -> Result<Model, Error> {
        Model::from_bytes(proto.encode_to_vec())
    }

    /// The same model, whose external data is looked for in a folder.
    ///
    /// # Errors
    /// If there is no such folder ([`ErrorKind::Unreadable`]).
    pub fn in_folder(self, folder: impl AsRef<Path>) -> Result<Model, Error> {
        // Without links, since files in it are known by that.
        let folder = fs::canonicalize(folder).map_err(|error| {
            Error::new(ErrorKind::Unreadable, format!("cannot be read: {}", reason(&error)))
        })?;
        Ok(Model { folder: Some(folder), ..self })
    }

    /// The same model, whose large files of external data become bytes in another way than by the system's map: a program may
    /// want to know which files are mapped, and ask for the signal that comes when one is shortened.
    #[must_use]
    pub fn mapped_by(self, map: fn(&File) -> io::Result<Bytes>) -> Model {
        Model { map, ..self }
    }

    /// The model in other bytes, whose external data is where this one's is.
    ///
    /// # Errors
    /// As of [`Model::from_bytes`].
    pub fn with_bytes(&self, bytes: impl Into<Bytes>) -> Result<Model, Error> {
        let other = Model::from_bytes(bytes)?;
        Ok(Model { folder: self.folder.clone(), map: self.map, ..other })
    }

    /// All that the file says, as far as this crate reads it.
    pub fn proto(&self) -> &ModelProto {
        &self.proto
    }

    /// The opset of the standard domain that governs the main graph, if one does. Of one that is newer than those that are
    /// known, it is the newest of these.
    pub fn opset(&self) -> Option<u32> {
        let opset = Opset::of(&self.proto.opset_import, Some(self.proto.ir_version));
        opset.ok().map(|opset| opset.number)
    }

    /// The bytes of the file as it is.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The folder of external data, behind all links.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// A tensor of the model, such as an initializer of its graph, wherever its elements are: in the file, or in one of
    /// [`Model::folder`].
    ///
    /// ```
    /// use reduce_onnx::Model;
    /// use reduce_onnx::proto::TensorProto;
    /// use reduce_onnx::proto::tensor_proto::DataType;
    ///
    /// let model = Model::open("data/rms.onnx")?;
    /// let proto = TensorProto {
    ///     data_type: DataType::Float.into(),
    ///     dims: vec![2],
    ///     float_data: vec![1.0, 2.0],
    ///     ..TensorProto::default()
    /// };
    /// assert_eq!(model.tensor(&proto)?.shape().dims(), [2]);
    /// # Ok::<(), reduce_onnx::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the message contradicts itself, is of no type that a reduction takes, or its elements cannot be read
    /// ([`ErrorKind::Damaged`]). The sentence's subject is the tensor, left out.
    pub fn tensor(&self, proto: &TensorProto) -> Result<AnyTensor, Error> {
        self.read(proto).map_err(|problem| Error::new(ErrorKind::Damaged, problem))
    }

    /// Reads a tensor of the model.
    ///
    /// # Errors
    /// A sentence whose subject is the tensor.
    pub(crate) fn read(&self, proto: &TensorProto) -> Result<AnyTensor, String> {
        match (proto.data_location(), &self.folder) {
            (DataLocation::External, Some(folder)) => external::tensor(folder, self.map, proto),
            (DataLocation::External, None) => {
                Err("keeps its elements in another file; name the model's folder".to_owned())
            }
            (DataLocation::Default, _) => tensor(proto),
        }
    }

    /// The tensor that a node `Constant` gives.
    ///
    /// # Errors
    /// If it gives none.
    pub(crate) fn constant(&self, node: &NodeProto) -> Result<AnyTensor, String> {
        constant::by(node, |proto| self.read(proto))
    }
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
