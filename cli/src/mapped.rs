//! Elements that stay in their file, which is memory-mapped. So a file may be larger than the
//! memory, and elements that are not read cost nothing.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use bytemuck::{AnyBitPattern, try_cast_slice};
use memmap2::Mmap;
#[cfg(unix)]
use memmap2::{Advice, UncheckedAdvice};
use prost::bytes::Bytes;
use reduce_core::{AnyView, DType, Error as CoreError, View};

use crate::error::Error;
use crate::files::cannot_read;
use crate::signals::{self, Watched};

/// The bytes of a file.
#[derive(Debug)]
pub(crate) struct Mapped {
    // Dropped before the map, while the addresses are no others'.
    _watched: Watched,
    map: Mmap,
}

impl Mapped {
    /// Maps a regular file.
    pub(crate) fn of(path: &Path, file: &File) -> Result<Mapped, Error> {
        Mapped::new(file).map_err(|error| cannot_read(path, &error))
    }

    fn new(file: &File) -> io::Result<Mapped> {
        let map = map(file)?;
        Ok(Mapped { _watched: signals::mapped(&map), map })
    }

    /// The bytes of a regular file, mapped: as models want them that keep elements in other files.
    pub(crate) fn bytes(file: &File) -> io::Result<Bytes> {
        Mapped::new(file).map(Bytes::from_owner)
    }

    /// Asks for some bytes to be read from the disk ahead of their use. If they are not,
    /// they are when they are used.
    pub(crate) fn fetch(&self, bytes: Range<usize>) {
        #[cfg(unix)]
        let _ = self.map.advise_range(Advice::WillNeed, bytes.start, bytes.len());
        #[cfg(not(unix))]
        let _ = bytes;
    }

    /// Tells the system that nothing of the file is needed now. What is used again is found in the system's cache, or
    /// read anew.
    #[allow(unsafe_code, reason = "a map that the program wrote to would lose what it wrote")]
    pub(crate) fn give_back(&self) {
        #[cfg(unix)]
        // SAFETY: the map is of a file and read only, so that the same bytes come back.
        let _ = unsafe { self.map.unchecked_advise(UncheckedAdvice::DontNeed) };
    }

    /// A view of the elements from a byte on, if they are stored as this machine would:
    /// not if they are not aligned. `bool` is not mapped, since a byte need not be one.
    pub(crate) fn view(
        &self,
        first: usize,
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
    ) -> Option<Result<AnyView<'_>, CoreError>> {
        let bytes = self.map.get(first..)?;
        fn elements<T: AnyBitPattern>(bytes: &[u8]) -> Option<&[T]> {
            // What stands behind an array need not be a number of elements.
            let whole = bytes.len() - bytes.len() % size_of::<T>();
            try_cast_slice(&bytes[..whole]).ok()
        }
        macro_rules! of {
            ($type:ty) => {
                View::with_strides(elements::<$type>(bytes)?, shape, strides, 0).map(AnyView::from)
            };
        }
        Some(match dtype {
            DType::F16 => of!(reduce_core::f16),
            DType::BF16 => of!(reduce_core::bf16),
            DType::F32 => of!(f32),
            DType::F64 => of!(f64),
            DType::I8 => of!(i8),
            DType::I16 => of!(i16),
            DType::I32 => of!(i32),
            DType::I64 => of!(i64),
            DType::U8 => of!(u8),
            DType::U16 => of!(u16),
            DType::U32 => of!(u32),
            DType::U64 => of!(u64),
            // Not all bytes are a `bool`, and floats of 8 bits are read.
            DType::Bool | DType::F8E4M3FN | DType::F8E5M2 => return None,
        })
    }
}

/// The bytes of the file.
impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

#[allow(unsafe_code, reason = "a mapped file may change under its reader")]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read only. If another program changes the file meanwhile, elements
    // change. If it shortens the file, the process is stopped. The map is never assumed to be
    // stable: every byte pattern is a value of the types it is read as.
    unsafe { Mmap::map(file) }
}
