//! Files, pipes and the standard input, which are read whole.

use std::collections::TryReserveError;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read, Seek};
use std::path::Path;
use std::sync::OnceLock;

use crate::descriptors;
use crate::error::{Error, reason};

/// What a user names to be read.
pub(crate) enum Named {
    /// A regular file, and its bytes.
    File(File, u64),
    /// A pipe or the standard input, whose bytes come once, one after another.
    Stream(Box<dyn Read>),
}

impl Named {
    /// Opens a regular file, a pipe, or the standard input, which is `-`. Others are refused: `/dev/zero` never
    /// ends.
    pub(crate) fn of(path: &Path) -> Result<Named, Error> {
        if is_input(path) {
            return input(path);
        }
        // Where nothing is, `open` says so.
        if fs::metadata(path).is_ok_and(|found| is_pipe(&found)) {
            let pipe = File::open(path).map_err(|error| cannot_read(path, &error))?;
            return Ok(Named::Stream(Box::new(pipe)));
        }
        open(path).map(|(file, size)| Named::File(file, size))
    }
}

/// Whether a path is the standard input.
pub(crate) fn is_input(path: &Path) -> bool {
    path == Path::new("-") || descriptors::number(path) == Some(0)
}

/// The standard input, which is read once if it is no file.
fn input(path: &Path) -> Result<Named, Error> {
    /// True if it is a file and nothing was read from it before.
    static IS_WHOLE: OnceLock<bool> = OnceLock::new();
    if io::stdin().is_terminal() {
        let problem = "the standard input is a terminal; name a file, or send one with `<` or `|`";
        return Err(Error::at(path, problem));
    }
    let mut is_first = false;
    let is_whole = *IS_WHOLE.get_or_init(|| {
        is_first = true;
        input_file().is_some_and(|mut file| file.stream_position().is_ok_and(|read| read == 0))
    });
    match input_file().filter(|_| is_whole) {
        Some(mut file) => {
            let size = file.rewind().and_then(|()| file.metadata());
            let size = size.map_err(|error| cannot_read(path, &error))?.len();
            Ok(Named::File(file, size))
        }
        None if is_first => Ok(Named::Stream(Box::new(io::stdin()))),
        None => {
            let problem = "the standard input is read once, and was read before; name a file";
            Err(Error::at(path, problem))
        }
    }
}

/// The standard input, if it is a regular file.
#[cfg(unix)]
fn input_file() -> Option<File> {
    let file = File::from(std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned().ok()?);
    file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
}

#[cfg(not(unix))]
fn input_file() -> Option<File> {
    None
}

#[cfg(unix)]
fn is_pipe(found: &fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_found: &fs::Metadata) -> bool {
    false
}

/// A regular file, and its bytes. Others, such as `/dev/zero`, may never end.
pub(crate) fn open(path: &Path) -> Result<(File, u64), Error> {
    // Asked before it is opened: to open a pipe is to wait for who writes to it.
    let found = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if !found.is_file() {
        return Err(Error::at(path, "is not a regular file; name one"));
    }
    let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
    Ok((file, found.len()))
}

/// The contents of a regular file: as many bytes as it says it has, since it may have no end.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let (file, size) = open(path)?;
    read_open(path, file, size)
}

/// The contents of an open file, which has `size` bytes.
pub(crate) fn read_open(path: &Path, file: File, size: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    read_to(&mut bytes, file, size).map_err(|error| cannot_read(path, &error))?;
    Ok(bytes)
}

/// Reads up to `more` bytes and appends them. Memory is taken for those that have come, not for those that were
/// promised.
pub(crate) fn read_to(bytes: &mut Vec<u8>, mut from: impl Read, more: u64) -> io::Result<()> {
    /// Bytes for which memory is taken at once.
    const STEP: u64 = 1 << 26;
    let most = more.saturating_add(bytes.len() as u64);
    loop {
        let found = bytes.len() as u64;
        let next = (most - found).min(STEP.max(found));
        bytes.try_reserve(usize::try_from(next).unwrap_or(usize::MAX)).map_err(no_memory)?;
        let came = from.by_ref().take(next).read_to_end(bytes)?;
        if (came as u64) < next || next == 0 {
            return Ok(());
        }
    }
}

fn no_memory(_: TryReserveError) -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

/// Why a file is not read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    Error::at(path, format!("cannot be read: {}", reason(error)))
}

#[cfg(test)]
mod tests {
    use super::read_to;

    #[test]
    fn what_has_no_end_is_read_so_far() {
        let mut bytes = vec![1, 2];
        read_to(&mut bytes, std::io::repeat(7), 3).expect("memory");
        assert_eq!(bytes, [1, 2, 7, 7, 7]);
        read_to(&mut bytes, &[8, 9][..], u64::MAX).expect("memory");
        assert_eq!(bytes, [1, 2, 7, 7, 7, 8, 9]);
        let mut large = Vec::new();
        read_to(&mut large, std::io::repeat(7), (1 << 26) + 5).expect("memory");
        assert_eq!(large.len(), (1 << 26) + 5);
    }
}
