//! Signals: what is done before one of them ends the program.
//!
//! Whoever interrupts or ends the program finds no temporary file left. That a file may grow no further (`ulimit -f`) is told as
//! any other failure to write. And where a file was shortened while it was mapped, so that there is nothing to read any
//! more where it was, a sentence says so.

#[cfg(unix)]
mod handlers;
#[cfg(unix)]
mod list;

#[cfg(unix)]
pub(crate) use handlers::{Doomed, Watched, mapped, remove_at_the_end, watch};

#[cfg(not(unix))]
pub(crate) use elsewhere::{Doomed, Watched, mapped, remove_at_the_end, watch};

#[cfg(not(unix))]
mod elsewhere {
    use std::path::Path;

    #[derive(Debug)]
    pub(crate) struct Doomed;
    #[derive(Debug)]
    pub(crate) struct Watched;

    pub(crate) fn watch() {}
    pub(crate) fn remove_at_the_end(_path: &Path) -> Doomed {
        Doomed
    }
    pub(crate) fn mapped(_bytes: &[u8]) -> Watched {
        Watched
    }
}
