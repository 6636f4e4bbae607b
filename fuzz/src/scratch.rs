//! Files in memory, written anew for each input: what reads files is given files.

use std::fs;
use std::path::PathBuf;

/// The path of a file of this process, in the folder of `run.sh`, which removes it.
pub fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("{}-{name}", std::process::id()))
}

/// A file of these bytes.
///
/// # Panics
/// If it cannot be written.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = path(name);
    fs::write(&path, bytes).expect("room in the folder of temporary files");
    path
}

/// The path as an argument of the command.
///
/// # Panics
/// If the folder of temporary files has a name that is no text.
pub fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("a folder whose name is text")
}
