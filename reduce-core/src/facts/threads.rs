//! Threads: which ones a caller allows.

use std::panic::{RefUnwindSafe, UnwindSafe};
#[cfg(feature = "parallel")]
use std::sync::Arc;

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

// A pool runs the next reduction as if none had panicked: the panic of a task goes to whoever waits for it. That the
// functions which a pool was made with are not known to be safe is the pool's own affair.
impl UnwindSafe for Threads {}
impl RefUnwindSafe for Threads {}
