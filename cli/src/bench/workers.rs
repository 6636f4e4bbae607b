//! The threads that share a call.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};
use reduce_core::Threads;

use crate::error::Error;

/// One thread, or a pool of several.
#[derive(Debug)]
pub(crate) struct Workers(Option<Arc<ThreadPool>>);

impl Workers {
    pub(crate) fn new(threads: usize) -> Result<Self, Error> {
        if threads == 1 {
            return Ok(Workers(None));
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
            Error::new(format!("{threads} threads cannot be started ({error}); choose fewer"))
        })?;
        Ok(Workers(Some(Arc::new(pool))))
    }

    /// As the library is told.
    pub(crate) fn threads(&self) -> Threads {
        self.0.as_ref().map_or(Threads::One, |pool| Threads::Pool(Arc::clone(pool)))
    }

    pub(crate) fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Does the work of every thread at the same time; each is told its number.
    pub(crate) fn each(&self, work: impl Fn(usize) + Sync) {
        match &self.0 {
            None => work(0),
            Some(pool) => {
                pool.broadcast(|thread| work(thread.index()));
            }
        }
    }
}
