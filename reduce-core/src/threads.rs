//! Threads: who helps with a reduction.

#[cfg(feature = "parallel")]
use std::sync::Arc;

/// The threads that a reduction may use.
///
/// A result has the same bits whatever the threads. Small reductions stay on the
/// calling thread. Without the crate's feature `parallel` all do.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread alone.
    One,
    /// The pool of `rayon` that the caller runs in, or else its global one.
    #[default]
    Shared,
    /// A pool of the caller's.
    #[cfg(feature = "parallel")]
    Pool(Arc<rayon::ThreadPool>),
}

/// Threads to split work among, from within their pool.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    threads: usize,
}

impl Team {
    /// How many threads there are.
    pub(crate) fn threads(self) -> usize {
        self.threads
    }

    /// Does both, at once if there is a thread for it.
    #[cfg(feature = "parallel")]
    pub(crate) fn join<A: Send, B: Send>(
        self,
        a: impl FnOnce() -> A + Send,
        b: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        if self.threads == 1 { (a(), b()) } else { rayon::join(a, b) }
    }

    /// Does both.
    #[cfg(not(feature = "parallel"))]
    pub(crate) fn join<A, B>(self, a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }
}

impl Threads {
    /// Does work with these threads; with one if it combines no more than
    /// `small` elements.
    pub(crate) fn enter(&self, elements: usize, small: usize, work: impl FnOnce(Team) + Send) {
        let alone = Team { threads: 1 };
        if elements <= small {
            return work(alone);
        }
        match self {
            #[cfg(feature = "parallel")]
            Threads::Shared => work(Team { threads: rayon::current_num_threads() }),
            #[cfg(feature = "parallel")]
            Threads::Pool(pool) => match pool.current_num_threads() {
                1 => work(alone),
                threads => pool.install(|| work(Team { threads })),
            },
            _ => work(alone),
        }
    }
}
