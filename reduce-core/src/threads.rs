//! Threads: who helps with a reduction.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// How far a reduction is, for someone who waits in another thread.
///
/// ```
/// use reduce_core::{Progress, Reduction, View};
/// use reduce_specs::ReduceSum;
///
/// let progress = Progress::default();
/// let data = vec![1.0f32; 1_000_000];
/// let sum = Reduction::new(ReduceSum).progress(&progress);
/// // Meanwhile, elsewhere: a clone of `progress` says how many elements are combined.
/// sum.run(&View::new(&data, &[1000, 1000])?)?;
/// assert_eq!(progress.elements(), 1_000_000);
/// # Ok::<(), reduce_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// The number of elements combined so far, over all reductions that were given this.
    pub fn elements(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Threads to split work among, from within their pool.
#[derive(Clone, Copy, Debug)]
#[allow(unreachable_pub, reason = "named by a hidden function of a public trait")]
pub struct Team<'a> {
    threads: usize,
    progress: Option<&'a Progress>,
}

impl Team<'_> {
    /// How many threads there are.
    pub(crate) fn threads(self) -> usize {
        self.threads
    }

    /// Whether someone waits to hear how far the work is.
    pub(crate) fn is_watched(self) -> bool {
        self.progress.is_some()
    }

    /// So many elements more are combined.
    pub(crate) fn done(self, elements: usize) {
        if let Some(progress) = self.progress {
            progress.0.fetch_add(elements as u64, Ordering::Relaxed);
        }
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

/// Threads, and who watches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crew<'a> {
    pub(crate) threads: &'a Threads,
    pub(crate) progress: Option<&'a Progress>,
}

impl<'a> From<&'a Threads> for Crew<'a> {
    fn from(threads: &'a Threads) -> Self {
        Crew { threads, progress: None }
    }
}

impl Crew<'_> {
    /// Does work with these threads; with one if it combines no more than
    /// `small` elements.
    pub(crate) fn enter(self, elements: usize, small: usize, work: impl FnOnce(Team<'_>) + Send) {
        let Crew { threads, progress } = self;
        let alone = Team { threads: 1, progress };
        if elements <= small {
            return work(alone);
        }
        match threads {
            #[cfg(feature = "parallel")]
            Threads::Shared => work(Team { threads: rayon::current_num_threads(), progress }),
            #[cfg(feature = "parallel")]
            Threads::Pool(pool) => match pool.current_num_threads() {
                1 => work(alone),
                threads => pool.install(|| work(Team { threads, progress })),
            },
            _ => work(alone),
        }
    }
}
