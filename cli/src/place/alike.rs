//! A new file in the place of another one: of the same owner, mode and extended attributes.

use std::fs::{File, Metadata};
use std::path::Path;

/// Gives a file the owner and the extended attributes of the one that it is to replace. Its mode comes last: it may
/// forbid to write.
///
/// # Errors
/// The message says what cannot be kept, and why.
#[cfg(unix)]
pub(super) fn keep(file: &File, path: &Path, before: &Metadata) -> Result<(), String> {
    use std::os::unix::fs::{MetadataExt, fchown};

    use crate::error::reason;

    let cannot = |error| format!("its owner cannot be kept ({})", reason(&error));
    let own = file.metadata().map_err(cannot)?;
    let other = |own: u32, before: u32| (own != before).then_some(before);
    let (owner, group) = (other(own.uid(), before.uid()), other(own.gid(), before.gid()));
    if owner.is_some() || group.is_some() {
        fchown(file, owner, group).map_err(cannot)?;
    }
    attributes(file, path)
}

/// Gives a file the extended attributes of another one, such as lists of who may read it.
#[cfg(unix)]
fn attributes(file: &File, path: &Path) -> Result<(), String> {
    use xattr::FileExt;

    use crate::error::reason;
    use crate::words::quoted;

    // Where a file system has none, there are none to keep.
    for name in xattr::list(path).into_iter().flatten() {
        let value = xattr::get(path, &name).ok().flatten().unwrap_or_default();
        if file.get_xattr(&name).is_ok_and(|own| own.as_ref() == Some(&value)) {
            continue;
        }
        let shown = name.to_string_lossy();
        // The system gives these to a new file by rules of its own.
        let is_systems = ["security.", "com.apple."].iter().any(|of| shown.starts_with(of));
        match file.set_xattr(&name, &value) {
            Err(error) if !is_systems => {
                let (name, reason) = (quoted(&shown), reason(&error));
                return Err(format!("its extended attribute {name} cannot be kept ({reason})"));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn keep(_file: &File, _path: &Path, _before: &Metadata) -> Result<(), String> {
    Ok(())
}
