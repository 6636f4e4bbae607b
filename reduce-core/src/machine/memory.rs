//! Memory that cannot be had.
//!
//! Drivers ask for room in the midst of their work, far below whoever could tell that there is none. They
//! unwind to where the work began, as after a panic, but nothing is printed and nothing is lost. What the work
//! had is given back, and the caller gets an error.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::facts::error::{Error, ErrorKind};

/// Below this many bytes, room is taken for granted. Only work that is [`caught`] may need more.
pub(crate) const GRANTED: usize = 8 << 20;

/// The payload of an unwinding.
struct NoMemory {
    bytes: usize,
}

/// An empty list with room for `entries` entries.
pub(crate) fn reserve_or_unwind<T>(entries: usize) -> Vec<T> {
    let bytes = entries.saturating_mul(size_of::<T>());
    if bytes < GRANTED {
        return Vec::with_capacity(entries);
    }
    let mut list = Vec::new();
    match list.try_reserve_exact(entries) {
        Ok(()) => list,
        Err(_) => resume_unwind(Box::new(NoMemory { bytes })),
    }
}

/// Does some work. What it was to write may be written in part if there is not enough memory.
///
/// # Errors
/// If it did not get the memory that it asked for.
pub(crate) fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| match cause.downcast::<NoMemory>() {
        Ok(none) => ErrorKind::NoMemory { bytes: none.bytes }.into(),
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::{caught, reserve_or_unwind};

    #[test]
    fn what_cannot_be_had_is_an_error() {
        let more = || drop(reserve_or_unwind::<u64>(usize::MAX / 16));
        let message = caught(more).expect_err("too much").to_string();
        assert!(message.contains("cannot be had"), "{message}");
        assert!(caught(|| drop(reserve_or_unwind::<u64>(1 << 21))).is_ok());
    }

    #[test]
    fn a_panic_stays_one() {
        let panic = std::panic::catch_unwind(|| caught(|| std::panic::resume_unwind(Box::new(7))));
        assert_eq!(panic.expect_err("a panic").downcast_ref(), Some(&7));
    }
}
