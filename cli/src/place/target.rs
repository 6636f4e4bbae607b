//! The target of a path for somebody who writes: a file to replace, or a stream that takes one byte after another.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};

use crate::descriptors;
use crate::error::reason;

/// Where bytes go in the end.
#[derive(Debug)]
pub(super) enum Target {
    /// A regular file that is there, or not yet; with the path behind all links.
    File(PathBuf, Option<Box<Metadata>>),
    /// A pipe, a device such as `/dev/null`, or a descriptor of the program.
    Stream(File),
}

impl Target {
    /// The target of a path; of `-`, the standard output.
    ///
    /// # Errors
    /// Why it cannot be written to.
    pub(super) fn of(path: &Path) -> Result<Self, String> {
        let told = |error: io::Error| reason(&error);
        if is_output(path) {
            return stream(output().map_err(told)?);
        }
        if let Some(number) = descriptors::number(path) {
            // Behind what others have written to the same file.
            let opened = match number {
                2 => error(),
                _ => OpenOptions::new().append(true).open(path),
            };
            return stream(opened.map_err(told)?);
        }
        // To replace a link would be to leave the file that was named as it was.
        let target = behind_links(path).map_err(told)?;
        match fs::metadata(&target) {
            Ok(found) if is_stream(&found) => {
                stream(OpenOptions::new().write(true).open(&target).map_err(told)?)
            }
            Ok(found) => {
                check(&found)?;
                Ok(Target::File(target, Some(Box::new(found))))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Target::File(target, None)),
            Err(error) => Err(reason(&error)),
        }
    }
}

/// Whether a path is the standard output.
pub(crate) fn is_output(path: &Path) -> bool {
    path == Path::new("-") || descriptors::number(path) == Some(1)
}

fn stream(file: File) -> Result<Target, String> {
    match file.is_terminal() {
        true => Err("it is a terminal, which shows text alone; name a file or a pipe".to_owned()),
        false => Ok(Target::Stream(file)),
    }
}

/// The standard output, where the next byte goes behind those that were written.
#[cfg(unix)]
fn output() -> io::Result<File> {
    use std::os::fd::AsFd;

    match descriptors::has_output() {
        true => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        false => Err(closed()),
    }
}

#[cfg(unix)]
fn error() -> io::Result<File> {
    std::os::fd::AsFd::as_fd(&io::stderr()).try_clone_to_owned().map(File::from)
}

#[cfg(not(unix))]
fn output() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn error() -> io::Result<File> {
    Err(ErrorKind::Unsupported.into())
}

/// That there is no standard output.
pub(crate) fn closed() -> io::Error {
    io::Error::other("it is closed")
}

/// The path that a link leads to, whether there is something or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// Links that are followed, as many as the system does.
    const LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
            // No link, or nothing.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of links"))
}

/// Whether bytes written to it are gone at once.
#[cfg(unix)]
fn is_stream(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;

    found.file_type().is_fifo() || found.file_type().is_char_device()
}

#[cfg(not(unix))]
fn is_stream(_found: &Metadata) -> bool {
    false
}

/// Whether a file can be replaced by another one.
fn check(before: &Metadata) -> Result<(), String> {
    if !before.is_file() {
        return Err("it is not a regular file; name another".to_owned());
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(before) > 1 {
        return Err(
            "it has other names (hard links), which would keep what it holds; name another"
                .to_owned(),
        );
    }
    Ok(())
}
