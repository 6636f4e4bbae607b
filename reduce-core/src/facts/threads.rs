//! Threads: which ones a caller allows, and how far they are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The threads that a reduction may use.
///
/// A result has the same bits whatever the threads. Small reductions stay on the
/// calling thread. Without the crate's feature `parallel` all do.
///
/// ```
/// use std::sync::Arc;
/// use reduce_core::{Reduction, Threads, View};
/// use reduce_specs::ReduceSum;
///
/// let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build()?);
/// let data = vec![1.0f32; 1 << 20];
/// let view = View::new(&data, &[1 << 20])?;
/// for threads in [Threads::One, Threads::Shared, Threads::Pool(pool)] {
///     let sum = Reduction::new(ReduceSum).threads(threads).run(&view)?;
///     assert_eq!(sum.data(), [1048576.0]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Threads {
    /// The calling thread alone.
    One,
    /// As many as are in the pool of `rayon` that the caller runs in, or else in its global one;
    /// the calling thread is one of them. Where the system starts no thread for that pool, the
    /// calling one does all the work.
    #[default]
    Shared,
    /// As many as are in a pool of the caller's; the calling thread is one of them, also where it
    /// is not of that pool.
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

    /// So many elements more are combined.
    pub(crate) fn add(&self, elements: usize) {
        self.0.fetch_add(elements as u64, Ordering::Relaxed);
    }
}
