//! Files, read whole and written whole: what is written stands at its place
//! complete, or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use crate::error::{Error, reason};

/// The bytes of a regular file. Others, such as `/dev/zero`, may never end.
pub(crate) fn size(path: &Path) -> Result<u64, Error> {
    let found = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if !found.is_file() {
        return Err(Error::at(path, "is not a regular file; name one"));
    }
    Ok(found.len())
}

/// The contents of a regular file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    size(path)?;
    fs::read(path).map_err(|error| cannot_read(path, &error))
}

/// Why a file is not read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::at(path, format!("cannot be read: {}", reason(error)))
}

/// Writes a file under a temporary name in the same folder, then renames it.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), Error> {
    let cannot =
        |error: io::Error| Error::at(path, format!("cannot be written: {}", reason(&error)));
    // Renaming over a link would replace the link, and over a device the device.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        return Err(Error::at(path, "cannot be written: it is not a regular file; name another"));
    }
    let temporary = target.with_file_name(format!(".reduce-{}.tmp", std::process::id()));
    let mut file =
        OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(cannot)?;
    let written = file.write_all(contents).and_then(|()| file.sync_all());
    written.and_then(|()| fs::rename(&temporary, &target)).map_err(|error| {
        // Nothing is to be done about a second failure: the first is told.
        let _ = fs::remove_file(&temporary);
        cannot(error)
    })
}
