//! Threads: which ones a caller allows, and how far they are.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

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
pub struct Progress {
    elements: Arc<AtomicU64>,
    /// The others that it keeps step with, and its own number among them.
    abreast: Option<(Arc<Abreast>, usize)>,
}

impl Progress {
    /// Progresses of `number` reductions that run in threads of their own, side by side over the same elements.
    /// A reduction waits while it is more than `ahead` elements further than the last one. So what one has read
    /// is in a cache when the others come to it.
    ///
    /// Whoever waits keeps the threads that it runs with: give each reduction its own, by
    /// [`Threads::One`], or by a pool for each. A reduction that is done, or has failed, has to
    /// [`leave`](Progress::leave).
    ///
    /// ```
    /// use reduce_core::{Progress, Reduction, Threads, View};
    /// use reduce_specs::{ReduceMax, ReduceSum};
    ///
    /// let data = vec![1.0f32; 3_000_000];
    /// let view = View::new(&data, &[3_000_000])?;
    /// let [of_sum, of_max] = Progress::abreast(2, 1 << 20).try_into().expect("two");
    /// let sum = Reduction::new(ReduceSum).threads(Threads::One).progress(&of_sum);
    /// let max = Reduction::new(ReduceMax).threads(Threads::One).progress(&of_max);
    /// let (sum, max) = std::thread::scope(|scope| {
    ///     let sum = scope.spawn(|| {
    ///         let sum = sum.run(&view);
    ///         of_sum.leave();
    ///         sum
    ///     });
    ///     let max = max.run(&view);
    ///     of_max.leave();
    ///     (sum.join().expect("no panic"), max)
    /// });
    /// assert_eq!((sum?.data()[0], max?.data()[0]), (3_000_000.0, 1.0));
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    pub fn abreast(number: usize, ahead: u64) -> Vec<Progress> {
        let all: Vec<_> = (0..number).map(|_| Arc::default()).collect();
        let abreast =
            Abreast { all: all.clone(), ahead, lock: Mutex::new(()), moved: Condvar::new() };
        let abreast = Arc::new(abreast);
        let of =
            |(own, elements)| Progress { elements, abreast: Some((Arc::clone(&abreast), own)) };
        all.into_iter().enumerate().map(of).collect()
    }

    /// Says that nothing more comes, so that no other waits for it. What was combined is not known any more. A reduction
    /// that is given it afterwards waits for no other, and is not counted.
    pub fn leave(&self) {
        if let Some((abreast, _)) = &self.abreast {
            self.elements.store(LEFT, Ordering::Relaxed);
            abreast.moved.notify_all();
        }
    }

    /// The number of elements combined so far, over all reductions that were given this; `u64::MAX` after
    /// [`leave`](Progress::leave).
    pub fn elements(&self) -> u64 {
        self.elements.load(Ordering::Relaxed)
    }

    /// Counts `elements` more elements as combined.
    pub(crate) fn add(&self, elements: usize) {
        let Some((abreast, own)) = &self.abreast else {
            self.elements.fetch_add(elements as u64, Ordering::Relaxed);
            return;
        };
        // One that has left keeps step with nobody, though it is used again.
        let counted =
            |before: u64| (before != LEFT).then(|| before.saturating_add(elements as u64));
        if self.elements.fetch_update(Ordering::Relaxed, Ordering::Relaxed, counted).is_ok() {
            abreast.wait(*own);
        }
    }
}

/// The number of elements that stands for one that has left.
const LEFT: u64 = u64::MAX;

/// Reductions that keep step.
#[derive(Debug)]
struct Abreast {
    all: Vec<Arc<AtomicU64>>,
    ahead: u64,
    lock: Mutex<()>,
    moved: Condvar,
}

impl Abreast {
    /// Waits until one is not too far ahead. The last one never waits, so that all come to an end.
    fn wait(&self, own: usize) {
        /// Longest wait for a message: one may be sent before it is waited for.
        const PAUSE: Duration = Duration::from_millis(1);
        self.moved.notify_all();
        let now = |elements: &Arc<AtomicU64>| elements.load(Ordering::Relaxed);
        let is_ahead = || {
            let last = self.all.iter().map(now).min().unwrap_or(LEFT);
            now(&self.all[own]) > last.saturating_add(self.ahead)
        };
        while is_ahead() {
            let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
            drop(self.moved.wait_timeout(guard, PAUSE));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::Progress;

    #[test]
    fn none_is_far_ahead() {
        let all = Progress::abreast(3, 10);
        thread::scope(|scope| {
            for (own, slow) in all.iter().zip([0, 2, 0]) {
                let all = &all;
                scope.spawn(move || {
                    for _ in 0..50 {
                        thread::sleep(Duration::from_micros(100 * slow));
                        own.add(5);
                        let others = all.iter().map(Progress::elements).min();
                        let others = others.unwrap_or(0);
                        assert!(own.elements() <= others.saturating_add(10), "{all:?}");
                    }
                    own.leave();
                });
            }
        });
    }

    #[test]
    fn nobody_waits_for_one_that_left() {
        let [first, second] = Progress::abreast(2, 1).try_into().expect("two");
        second.leave();
        first.add(1000);
        assert_eq!((first.elements(), second.elements()), (1000, u64::MAX));
    }

    #[test]
    fn one_that_left_waits_for_nobody() {
        let [first, second] = Progress::abreast(2, 1).try_into().expect("two");
        second.leave();
        // It is far ahead of the first now, which has not begun.
        second.add(1000);
        first.add(1000);
        assert_eq!((first.elements(), second.elements()), (1000, u64::MAX));
    }
}
