//! The contents of a file: in memory, or mapped if they are many.

use std::path::Path;

use prost::bytes::Bytes;

use crate::error::Error;
use crate::files;
use crate::mapped::Mapped;

/// Bytes from which on a file is mapped, and not read into memory.
pub(crate) const LARGE: u64 = 1 << 26;

/// The contents of a file.
pub(crate) enum Contents {
    Read(Vec<u8>),
    Mapped(Mapped),
}

impl Contents {
    /// Those of a regular file.
    pub(crate) fn of(path: &Path) -> Result<Contents, Error> {
        let (file, size) = files::open(path)?;
        if size >= LARGE {
            return Ok(Contents::Mapped(Mapped::of(path, &file)?));
        }
        files::read_open(path, file, size).map(Contents::Read)
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
            Contents::Read(bytes) => bytes.into(),
            Contents::Mapped(file) => Bytes::from_owner(file),
        }
    }
}
