//! The contents of a file: in memory, or mapped if they are many.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

use prost::bytes::Bytes;

use crate::error::Error;
use crate::files::{self, Named};
use crate::mapped::Mapped;

/// Bytes from which on a file is mapped, and not read into memory.
pub(crate) const LARGE: u64 = 1 << 26;

/// The contents of a file.
#[derive(Debug)]
pub(crate) enum Contents {
    Read(Bytes),
    Mapped(Mapped),
}

impl Contents {
    /// The contents of a regular file.
    pub(crate) fn of(path: &Path) -> Result<Contents, Error> {
        let (file, size) = files::open(path)?;
        Contents::of_open(path, file, size)
    }

    /// The contents that a user names: of a regular file, a pipe, or the standard input, which is `-`.
    pub(crate) fn named(path: &Path) -> Result<Contents, Error> {
        match Named::of(path)? {
            Named::File(file, size) => Contents::of_open(path, file, size),
            Named::Stream(stream) => Contents::of_stream(path, stream),
        }
    }

    /// The contents of an open file, which has `size` bytes.
    pub(crate) fn of_open(path: &Path, file: File, size: u64) -> Result<Contents, Error> {
        if size >= LARGE {
            return Ok(Contents::Mapped(Mapped::of(path, &file)?));
        }
        files::read_open(path, file, size).map(|bytes| Contents::Read(bytes.into()))
    }

    /// All that comes, for which memory is taken as it comes.
    pub(crate) fn of_stream(path: &Path, stream: impl Read) -> Result<Contents, Error> {
        let mut bytes = Vec::new();
        let read = files::read_to(&mut bytes, stream, u64::MAX);
        read.map_err(|error| files::cannot_read(path, &error))?;
        Ok(Contents::Read(bytes.into()))
    }

    /// Gives back the memory of a mapped file: what is used again is read again.
    pub(crate) fn give_back(&self) {
        if let Contents::Mapped(file) = self {
            file.give_back();
        }
    }
}

/// Some bytes of a file for who reads them one after another.
///
/// Of a mapped file, pages that were read stay with the program until it gives them back. Without that, what is read from end to
/// end would be in memory as a whole, beside what becomes of it.
pub(crate) struct Pages<'a> {
    contents: &'a Contents,
    bytes: Cursor<&'a [u8]>,
    /// Bytes that were read since pages were given back.
    read: usize,
}

impl<'a> Pages<'a> {
    /// All bytes.
    pub(crate) fn all(contents: &'a Contents) -> Self {
        Pages { contents, bytes: Cursor::new(contents.as_ref()), read: 0 }
    }

    /// The bytes of a range, as far as they are there.
    pub(crate) fn some(contents: &'a Contents, range: Range<usize>) -> Self {
        let bytes = contents.as_ref().get(range).unwrap_or_default();
        Pages { contents, bytes: Cursor::new(bytes), read: 0 }
    }
}

impl Read for Pages<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        /// Bytes after which pages are given back.
        const TOGETHER: usize = 1 << 24;
        let read = self.bytes.read(to)?;
        self.read += read;
        if self.read > TOGETHER {
            self.contents.give_back();
            self.read = 0;
        }
        Ok(read)
    }
}

impl Seek for Pages<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

impl AsRef<[u8]> for Contents {
    fn as_ref(&self) -> &[u8] {
        match self {
            Contents::Read(bytes) => bytes,
            Contents::Mapped(file) => file.as_ref(),
        }
    }
}

/// Bytes that can be parts of one another without a copy.
impl From<Contents> for Bytes {
    fn from(contents: Contents) -> Bytes {
        match contents {
            Contents::Read(bytes) => bytes,
            Contents::Mapped(file) => Bytes::from_owner(file),
        }
    }
}
