//! Writing: members are stored and not compressed, as `numpy.savez` writes them, each `.npy` file at a multiple
//! of 64 bytes, so that it can be mapped.

use std::io::{self, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::arrays::Results;
use crate::arrays::npy;

/// Bytes at whose multiples elements are.
const ALIGNED: u16 = 64;

/// Writes arrays with their names.
pub(crate) fn write(to: &mut (impl Write + Seek), results: &Results<'_>) -> io::Result<()> {
    let mut archive = ZipWriter::new(to);
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(true)
        .with_alignment(ALIGNED);
    for (name, tensor) in results {
        archive.start_file(format!("{name}.npy"), options).map_err(io::Error::other)?;
        npy::write(&mut archive, tensor)?;
    }
    archive.finish().map_err(io::Error::other)?;
    Ok(())
}
