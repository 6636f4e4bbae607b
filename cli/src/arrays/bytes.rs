//! The bytes of a file: in memory, or mapped if they are many.

use std::path::Path;

use crate::error::Error;
use crate::files;
use crate::mapped::Mapped;

/// Bytes from which on a file is mapped, and not read into memory.
pub(super) const LARGE: u64 = 1 << 26;

/// The contents of a file.
pub(super) enum Bytes {
    Read(Vec<u8>),
    Mapped(Mapped),
}

impl Bytes {
    /// Those of a regular file.
    pub(super) fn of(path: &Path) -> Result<Bytes, Error> {
        let (file, size) = files::open(path)?;
        if size >= LARGE {
            return Ok(Bytes::Mapped(Mapped::of(path, &file)?));
        }
        let mut bytes = Vec::new();
        let read = files::read_to(&mut bytes, file, size);
        read.map_err(|error| files::cannot_read(path, &error))?;
        Ok(Bytes::Read(bytes))
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(file) => file.as_ref(),
        }
    }
}
