//! A place to write to: claimed before the work, taken when the work is done.
//!
//! What is written goes under a [temporary] name in the same folder, which becomes the file's own at
//! the end. So the file is as it was, or complete; and that it cannot be written is said before the
//! work and not after it. What goes to a pipe, or to the standard output, is written to a temporary file too,
//! and copied from there: nothing comes of work that fails.

mod alike;
mod target;
mod temporary;

use std::env;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, reason};
use target::Target;
use temporary::Temporary;

pub(crate) use target::{closed, is_output};

/// Where a file will stand, and the temporary one.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    target: Target,
    temporary: Temporary,
}

impl Place {
    /// Claims the place of a file, which may be there already. A link is followed. A pipe, a device and the standard
    /// output, `-`, are places too.
    pub(crate) fn new(path: &Path) -> Result<Self, Error> {
        let cannot = |problem: String| Error::at(path, format!("cannot be written: {problem}"));
        let target = Target::of(path).map_err(cannot)?;
        let folder = match &target {
            Target::File(target, _) => folder_of(target),
            Target::Stream(_) => env::temp_dir(),
        };
        let is_private = !matches!(&target, Target::File(_, None));
        let made = Temporary::new(&folder, is_private);
        let (temporary, file) = made.map_err(|error| match &target {
            Target::File(..) => cannot(reason(&error)),
            Target::Stream(_) => {
                let (folder, reason) = (folder.display(), reason(&error));
                cannot(format!("no temporary file can be made in `{folder}`: {reason}"))
            }
        })?;
        if let Target::File(target, Some(before)) = &target {
            let kept = alike::keep(&file, target, before);
            kept.map_err(|problem| cannot(format!("{problem}; name another")))?;
        }
        Ok(Place { path: path.to_owned(), target, temporary })
    }

    /// Whether what is written goes to a pipe, a device or a descriptor, and not to a file of this name.
    pub(crate) fn is_stream(&self) -> bool {
        matches!(self.target, Target::Stream(_))
    }

    /// Whether what is written goes to the standard output, where no other text may come between.
    pub(crate) fn is_output(&self) -> bool {
        is_output(&self.path)
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
        check(self.temporary.path())?;
        self.put()
    }

    /// Writes what the file will hold.
    pub(crate) fn fill(
        &self,
        contents: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let fill = || {
            let file = self.temporary.open()?;
            let mut buffer = BufWriter::new(&file);
            contents(&mut buffer)?;
            buffer.flush()?;
            drop(buffer);
            match &self.target {
                Target::File(_, before) => finish(&file, before.as_deref()),
                Target::Stream(_) => Ok(()),
            }
        };
        self.checked(fill())
    }

    /// Puts what was written in its place.
    pub(crate) fn put(mut self) -> Result<(), Error> {
        let temporary = self.temporary.path();
        let outcome = match &mut self.target {
            Target::File(target, _) => fs::rename(temporary, target),
            Target::Stream(stream) => send(temporary, stream),
        };
        self.checked(outcome)
    }

    fn checked(&self, outcome: io::Result<()>) -> Result<(), Error> {
        outcome.map_err(|error| {
            Error::at(&self.path, format!("cannot be written: {}", reason(&error)))
        })
    }
}

/// The folder of a file.
fn folder_of(file: &Path) -> PathBuf {
    file.parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Gives a file that is written the mode of the one before, and has the disk take it.
fn finish(file: &File, before: Option<&Metadata>) -> io::Result<()> {
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    file.sync_all()
}

/// Sends what a file holds to a stream. A reader that stops reading has had enough.
fn send(file: &Path, stream: &mut File) -> io::Result<()> {
    let sent = File::open(file).and_then(|mut file| io::copy(&mut file, stream));
    match sent {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
