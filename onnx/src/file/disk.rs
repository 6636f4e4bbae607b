//! Bytes of regular files: read into memory, or mapped where they are many.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use memmap2::Mmap;
use prost::bytes::Bytes;

/// Bytes from which on a file is mapped, and not read into memory.
pub(super) const LARGE: u64 = 1 << 26;

/// How a file that is open becomes its bytes without being read.
pub(super) type MapFile = fn(&File) -> io::Result<Bytes>;

/// A regular file that is open, and the number of its bytes; nothing for what is no regular file. That may have no end, as
/// `/dev/zero`, or be waited for, as a pipe.
pub(super) fn open(path: &Path) -> io::Result<Option<(File, u64)>> {
    // Asked before it is opened: to open a pipe is to wait for who writes to it.
    let found = fs::metadata(path)?;
    match found.is_file() {
        true => Ok(Some((File::open(path)?, found.len()))),
        false => Ok(None),
    }
}

/// Some bytes of a file, which has them.
pub(super) fn bytes(mut file: &File, first: u64, count: u64, map: MapFile) -> io::Result<Bytes> {
    if count < LARGE {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(first))?;
        file.take(count).read_to_end(&mut bytes)?;
        return Ok(bytes.into());
    }
    let mut all = map(file)?;
    let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).min(all.len());
    let (first, end) = (place(first), place(first.saturating_add(count)));
    all.truncate(end);
    Ok(all.split_off(first))
}

/// Maps a file by means of the system.
#[allow(unsafe_code, reason = "a mapped file may change under its reader")]
pub(super) fn mapped(file: &File) -> io::Result<Bytes> {
    // SAFETY: the map is read only. If another program changes the file meanwhile, bytes change; if it shortens the
    // file, the process is stopped. No bytes are assumed to be stable: each pattern is a value of the types it is read as.
    let map = unsafe { Mmap::map(file) }?;
    Ok(Bytes::from_owner(map))
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::{LARGE, bytes, mapped, open};

    #[test]
    fn bytes_are_the_same_read_and_mapped() {
        let path = std::env::temp_dir().join(format!("reduce-disk-{}", std::process::id()));
        std::fs::write(&path, b"head").expect("room for a file");
        let file = File::options().write(true).open(&path).expect("just written");
        file.set_len(LARGE + 10).expect("a hole");
        let (file, size) = open(&path).expect("just written").expect("a regular file");
        assert_eq!(size, LARGE + 10);
        let read = bytes(&file, 2, 5, mapped).expect("there");
        assert_eq!(&read[..], b"ad\0\0\0");
        let map = bytes(&file, 2, LARGE, mapped).expect("there");
        assert_eq!((map.len() as u64, &map[..5]), (LARGE, &b"ad\0\0\0"[..]));
        std::fs::remove_file(&path).expect("just written");
        assert!(open(&path).is_err() && open(&std::env::temp_dir()).is_ok_and(|it| it.is_none()));
    }
}
