//! The copy of the workspace in which mutants are made.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// Where things lie, in the target folder.
pub(crate) const FOLDER: &str = "target/mutants";

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Copies what git knows of the workspace, or would add, without the files that are written anew. What is there already and
/// equal stays as it is, so that cargo need not build it again.
pub(crate) fn copy(to: &Path, is_written: impl Fn(&Path) -> bool) -> io::Result<()> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(arguments).current_dir(root()).output()?;
    let names = String::from_utf8(listed.stdout).map_err(io::Error::other)?;
    for name in names.split_terminator('\0') {
        if is_written(Path::new(name)) {
            continue;
        }
        let (old, new) = (root().join(name), to.join(name));
        // Links to folders lead to pages of the guide.
        if fs::symlink_metadata(&old)?.is_symlink() {
            link(&fs::read_link(&old)?, &new)?;
        } else {
            write(&new, &fs::read(&old)?)?;
            fs::set_permissions(&new, fs::metadata(&old)?.permissions())?;
        }
    }
    Ok(())
}

fn link(target: &Path, path: &Path) -> io::Result<()> {
    if fs::read_link(path).is_ok_and(|found| found == target) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::os::unix::fs::symlink(target, path)
}

/// Writes a file, unless it holds just that.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, bytes)
}
