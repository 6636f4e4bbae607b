//! `.npz` files: zip archives of `.npy` files.
//!
//! [`guard`] looks at the directory before `zip` does. A member is read as any `.npy` file is: its header first, then
//! as many bytes as that promises, for which memory is taken as they come. A member that is stored, and
//! not compressed, may stay in a mapped file.

mod guard;
mod write;

pub(super) use write::write;

use std::io::{Cursor, Read};
use std::path::Path;

use zip::ZipArchive;

use super::npy::{self, Header};
use super::{Array, one_of};
use crate::contents::{Contents, LARGE};
use crate::error::{Error, lower, reason};
use crate::files;

/// One array of a file, or the only one.
pub(super) fn read(path: &Path, member: Option<&str>) -> Result<Array, Error> {
    let about = |problem: String| Error::at(path, problem);
    let bytes = Contents::of(path)?;
    let (name, start) = {
        let entries = guard::check(bytes.as_ref()).map_err(about)?;
        let names: Vec<_> =
            entries.iter().map(|entry| String::from_utf8_lossy(entry.name)).collect();
        let arrays = names.iter().map(|name| name.strip_suffix(".npy").unwrap_or(name));
        let place = one_of(arrays, member, "npz").map_err(about)?;
        let name = &names[place];
        let about = |problem: String| about(format!("its member `{name}` {problem}"));
        entries[place].check().map_err(about)?;
        let mut archive = archive(bytes.as_ref()).map_err(about)?;
        // Members are in the order of the directory, and no two have one name.
        let found = archive.by_index(place);
        let mut found = found.map_err(|error| about(cannot(&error.to_string())))?;
        if found.name_raw() != entries[place].name {
            return Err(about("is not where the directory says".to_owned()));
        }
        let start = found.data_start().and_then(|start| usize::try_from(start).ok());
        let is_stored = entries[place].method == 0;
        if !is_stored || found.size() < LARGE || !matches!(bytes, Contents::Mapped(_)) {
            return inflated(&mut found).map_err(about);
        }
        let size = usize::try_from(found.size()).ok();
        let range = start.zip(size).map(|(start, size)| start..start.saturating_add(size));
        let range = range.filter(|range| range.end <= bytes.as_ref().len());
        (name.clone().into_owned(), range.ok_or_else(|| about("is cut off".to_owned()))?)
    };
    let Contents::Mapped(file) = bytes else { return Err(about("cannot be mapped".to_owned())) };
    npy::mapped(file, start).map_err(|problem| about(format!("its member `{name}` {problem}")))
}

fn archive(bytes: &[u8]) -> Result<ZipArchive<Cursor<&[u8]>>, String> {
    ZipArchive::new(Cursor::new(bytes)).map_err(|error| cannot(&error.to_string()))
}

/// What `zip` says, in lower case.
fn cannot(reason: &str) -> String {
    format!("cannot be read: {}", lower(reason))
}

/// The array of a member, whose bytes come one after another.
fn inflated(from: &mut impl Read) -> Result<Array, String> {
    let come = |error: std::io::Error| cannot(&reason(&error));
    let mut data = Vec::new();
    files::read_to(&mut data, &mut *from, npy::LONGEST_HEADER).map_err(come)?;
    let header = Header::new(&data)?;
    // One byte more than there should be, so that `zip` comes to the end and compares its checksum.
    let more = header.end().saturating_add(1).saturating_sub(data.len() as u64);
    files::read_to(&mut data, from, more).map_err(come)?;
    header.whole(&data)
}
