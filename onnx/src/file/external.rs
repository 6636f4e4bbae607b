//! External data: elements of a tensor that are in another file than the model.
//!
//! The model names the file by a path from its own folder. The file must be in that folder or below it,
//! once all links are followed. So a model that somebody sent cannot choose files elsewhere.

use std::fs;
use std::path::{Component, Path, PathBuf};

use reduce_core::AnyTensor;

use super::disk::{self, MapFile};
use super::proto::TensorProto;
use super::tensor::{dtype, from_bytes, shape};
use crate::words::reason;

/// Where the elements of a tensor are.
struct Place<'a> {
    location: &'a str,
    /// The first byte.
    offset: u64,
    /// The number of bytes, if it is said.
    length: Option<u64>,
}

/// The tensor, its elements read from the file that it names, in the folder of its model.
///
/// # Errors
/// A sentence whose subject is the tensor.
pub(super) fn tensor(
    folder: &Path,
    map: MapFile,
    proto: &TensorProto,
) -> Result<AnyTensor, String> {
    let (dtype, shape) = (dtype(proto.data_type)?, shape(&proto.dims)?);
    let place = Place::of(proto)?;
    let location = place.location;
    let about = |problem: String| format!("keeps its elements in `{location}`, which {problem}");
    let needed = shape.count().checked_mul(dtype.size()).map(|bytes| bytes as u64);
    if place.length.is_some_and(|length| needed != Some(length)) {
        let length = place.length.unwrap_or_default();
        return Err(format!("has {length} bytes of data, which is not shape {shape} of {dtype}"));
    }
    let needed = needed.unwrap_or(u64::MAX);
    let path = within(folder, location).map_err(about)?;
    let (file, size) = disk::open(&path).ok().flatten().ok_or_else(|| about(not_regular()))?;
    if place.offset.checked_add(needed).is_none_or(|end| end > size) {
        let offset = place.offset;
        return Err(about(format!(
            "has {size} bytes; shape {shape} of {dtype} from byte {offset} on does not fit"
        )));
    }
    let bytes = disk::bytes(&file, place.offset, needed, map)
        .map_err(|error| about(format!("cannot be read: {}", reason(&error))))?;
    from_bytes(dtype, &shape, &bytes)
}

fn not_regular() -> String {
    "is not a regular file that can be read; put one there".to_owned()
}

impl<'a> Place<'a> {
    fn of(proto: &'a TensorProto) -> Result<Self, String> {
        let value = |key: &str| {
            let entry = proto.external_data.iter().find(|entry| entry.key == key);
            entry.map(|entry| entry.value.as_str())
        };
        let number = |key: &str| match value(key) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                format!("has external data with `{text}` as {key}; expected a number of bytes")
            }),
        };
        let location =
            value("location").ok_or("has external data without a location; name a file")?;
        Ok(Place { location, offset: number("offset")?.unwrap_or(0), length: number("length")? })
    }
}

/// The file of a location, which is in the folder or below it.
fn within(folder: &Path, location: &str) -> Result<PathBuf, String> {
    let is_below = |component| matches!(component, Component::Normal(_) | Component::CurDir);
    if location.is_empty() || !Path::new(location).components().all(is_below) {
        return Err(
            "is no path below the model's folder; put the file there and name it so".to_owned()
        );
    }
    let path = fs::canonicalize(folder.join(location))
        .map_err(|error| format!("cannot be read: {}", reason(&error)))?;
    if !path.starts_with(folder) {
        return Err("is a link out of the model's folder; put the file itself there".to_owned());
    }
    Ok(path)
}

#[cfg(test)]
mod tests;
