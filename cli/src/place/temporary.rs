//! A file of a name that nobody can foresee: it goes whenever the program ends, unless it is killed or moved.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::signals::{self, Doomed};

/// A file, which is not kept open: there may be more of them than a program may have open.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    made: Box<Metadata>,
    _doomed: Doomed,
}

impl Temporary {
    /// An empty file in a folder, open; `is_private` for nobody else to read.
    pub(super) fn new(folder: &Path, is_private: bool) -> io::Result<(Self, File)> {
        let attempt = || -> io::Result<(Self, File)> {
            let random = RandomState::new().build_hasher().finish();
            let path = folder.join(format!(".reduce-{random:016x}.tmp"));
            // A signal may come as soon as the file is there.
            let doomed = signals::remove_at_the_end(&path);
            let file = options(is_private).write(true).create_new(true).open(&path)?;
            let made = Box::new(file.metadata()?);
            Ok((Temporary { path, made, _doomed: doomed }, file))
        };
        match attempt() {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => attempt(),
            first => first,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, open again to be written.
    pub(super) fn open(&self) -> io::Result<File> {
        let file = options(true).write(true).truncate(true).open(&self.path)?;
        match is_same(&file.metadata()?, &self.made) {
            true => Ok(file),
            false => Err(io::Error::other("another program has replaced its temporary file")),
        }
    }
}

impl Drop for Temporary {
    /// Removes what was not moved.
    fn drop(&mut self) {
        // After a move it is gone; nothing is to be done about a failure.
        let _ = fs::remove_file(&self.path);
    }
}

/// How a file is opened: itself, and nothing that a link leads to; a new one for nobody else to read, if that is asked.
#[cfg(unix)]
fn options(is_private: bool) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    let mut options = OpenOptions::new();
    options.custom_flags(libc::O_NOFOLLOW).mode(if is_private { 0o600 } else { 0o666 });
    options
}

#[cfg(not(unix))]
fn options(_is_private: bool) -> OpenOptions {
    OpenOptions::new()
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;

    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
    true
}
