//! A place to write to: claimed before the work, taken when the work is done.
//!
//! What is written goes under a temporary name in the same folder, which becomes the file's own at
//! the end. So the file is as it was, or complete; and that it cannot be written is said before the
//! work and not after it. The temporary file goes whenever the program ends, unless it is killed.

use std::collections::hash_map::RandomState;
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, reason};
use crate::signals;

/// Where a file will stand, and the temporary one.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    target: PathBuf,
    temporary: PathBuf,
    file: File,
}

impl Place {
    /// Claims the place of a file, which may be there already.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let cannot = |problem: String| Error::at(path, format!("cannot be written: {problem}"));
        // Renaming over a link would replace the link, and over a device the device.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&target).ok();
        if let Some(before) = &before {
            check(before).map_err(|problem| cannot(problem.to_owned()))?;
        }
        let (temporary, file) = create(&target).map_err(|error| cannot(reason(&error)))?;
        signals::remove_at_the_end(&temporary);
        let place = Place { path: path.to_owned(), target, temporary, file };
        if let Some(before) = &before {
            make_alike(&place.file, before).map_err(|error| {
                let reason = reason(&error);
                cannot(format!("its owner and mode cannot be kept ({reason}); name another"))
            })?;
        }
        Ok(place)
    }

    /// Writes the file, and puts it in its place.
    pub(crate) fn write(
        self,
        contents: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        self.write_checked(contents, |_| Ok(()))
    }

    /// Writes the file, and puts it in its place if what was written, at the path where it is so far,
    /// passes a check.
    pub(crate) fn write_checked(
        self,
        contents: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
        check: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.fill(contents)?;
        check(&self.temporary)?;
        self.put()
    }

    /// Writes what the file will hold.
    pub(crate) fn fill(
        &self,
        contents: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut buffer = BufWriter::new(&self.file);
        let written = contents(&mut buffer).and_then(|()| buffer.flush());
        drop(buffer);
        self.checked(written.and_then(|()| self.file.sync_all()))
    }

    /// Puts what was written in its place.
    pub(crate) fn put(self) -> Result<(), Error> {
        self.checked(fs::rename(&self.temporary, &self.target))
    }

    fn checked(&self, outcome: io::Result<()>) -> Result<(), Error> {
        outcome.map_err(|error| {
            Error::at(&self.path, format!("cannot be written: {}", reason(&error)))
        })
    }
}

impl Drop for Place {
    /// Removes what was not put in its place.
    fn drop(&mut self) {
        // After a success it is gone; nothing is to be done about a failure.
        let _ = fs::remove_file(&self.temporary);
        signals::nothing_to_remove(&self.temporary);
    }
}

/// Whether a file can be replaced by another one.
fn check(before: &Metadata) -> Result<(), &'static str> {
    if !before.is_file() {
        return Err("it is not a regular file; name another");
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(before) > 1 {
        return Err(
            "it has other names (hard links), which would keep what it holds; name another",
        );
    }
    Ok(())
}

/// A file of a name that nobody can foresee, beside another one.
fn create(target: &Path) -> io::Result<(PathBuf, File)> {
    let attempt = || -> io::Result<(PathBuf, File)> {
        let random = RandomState::new().build_hasher().finish();
        let temporary = target.with_file_name(format!(".reduce-{random:016x}.tmp"));
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        Ok((temporary, file))
    };
    match attempt() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => attempt(),
        first => first,
    }
}

/// Gives a file the owner and the mode of the one that it is to replace.
#[cfg(unix)]
fn make_alike(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let own = file.metadata()?;
    let other = |own: u32, before: u32| (own != before).then_some(before);
    let (owner, group) = (other(own.uid(), before.uid()), other(own.gid(), before.gid()));
    if owner.is_some() || group.is_some() {
        fchown(file, owner, group)?;
    }
    file.set_permissions(before.permissions())
}

#[cfg(not(unix))]
fn make_alike(_file: &File, _before: &Metadata) -> io::Result<()> {
    Ok(())
}
