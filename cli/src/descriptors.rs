//! Descriptors that the program was started with: which paths mean them, and whether there is a standard output.

use std::fs;
use std::path::Path;

/// Folders whose files are the program's descriptors, by number.
const FOLDERS: [&str; 3] = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd"];

/// Links that are followed, at most.
const LINKS: usize = 40;

/// The number of the descriptor that a path is, itself or behind links. It must not be opened anew: that would begin at the
/// first byte of a file, where others have written.
pub(crate) fn number(path: &Path) -> Option<u32> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Some(number) = named(&path) {
            return Some(number);
        }
        path = path.parent().unwrap_or(Path::new("")).join(fs::read_link(&path).ok()?);
    }
    None
}

/// The number of the descriptor that a path is.
fn named(path: &Path) -> Option<u32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let is_folder = |known: &str| fs::canonicalize(known).is_ok_and(|known| known == folder);
    FOLDERS.iter().any(|known| is_folder(known)).then_some(number)
}

#[cfg(target_os = "linux")]
pub(crate) use at_start::has_output;

/// Whether there was a standard output when the program started.
#[cfg(not(target_os = "linux"))]
pub(crate) fn has_output() -> bool {
    true
}

/// Rust opens `/dev/null` in the place of a standard output that is closed, before `main`. What was there has to be asked
/// before that.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the loader calls the function, and it calls the system")]
mod at_start {
    use std::sync::atomic::{AtomicBool, Ordering};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    // SAFETY: in this section are functions that the loader calls, one after another, before the program begins. Arguments
    // that it gives them are not looked at.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;

    extern "C" fn look() {
        // SAFETY: it asks about a number, whatever it is of.
        let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) };
        CLOSED.store(flags == -1, Ordering::SeqCst);
    }

    /// Whether there was a standard output when the program started.
    pub(crate) fn has_output() -> bool {
        !CLOSED.load(Ordering::SeqCst)
    }
}
