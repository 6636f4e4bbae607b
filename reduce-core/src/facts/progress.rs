//! Progress: how far reductions are, and whether they are to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::{Error, ErrorKind};

/// How far a reduction is, for someone who waits in another thread, and a way to stop it.
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
///
/// A reduction that is [stopped](Progress::stop), or whose [deadline](Progress::until) has passed, ends with
/// [`ErrorKind::Stopped`](crate::ErrorKind::Stopped). It looks whether it is to stop before it begins, and after each part of its
/// work, which is up to a million elements in one thread. What replaces elements in place, and a stream that takes a piece, is
/// done whole or not at all.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    elements: Arc<AtomicU64>,
    stop: Arc<Stop>,
    /// The others that it keeps step with, and its own number among them.
    abreast: Option<(Arc<Abreast>, usize)>,
}

impl Progress {
    /// Progresses of `number` reductions that run in threads of their own, side by side over the same elements.
    /// A reduction waits while it is more than `ahead` elements further than the last one. So what one has read
    /// is in a cache when the others come to it.
    ///
    /// Whoever waits keeps the threads that it runs with: give each reduction its own, by
    /// [`Threads::One`](crate::Threads::One), or by a pool for each. A reduction that is done, or has failed, has to
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
        let of = |(own, elements)| {
            let abreast = Some((Arc::clone(&abreast), own));
            Progress { elements, abreast, ..Progress::default() }
        };
        all.into_iter().enumerate().map(of).collect()
    }

    /// The progress with a deadline: reductions that are given it stop once that has passed. Clones made before have none.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use reduce_core::{Progress, Reduction, View};
    /// use reduce_specs::ReduceSum;
    ///
    /// let data = vec![1.0f32; 1_000_000];
    /// let data = View::new(&data, &[1_000_000])?;
    /// let until = |time| Progress::default().until(Instant::now() + time);
    /// let within = |time| Reduction::new(ReduceSum).progress(&until(time));
    /// assert_eq!(within(Duration::from_secs(600)).run(&data)?.data(), [1e6]);
    /// assert_eq!(within(Duration::ZERO).run(&data).expect_err("too late").code(), "stopped");
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    #[must_use]
    pub fn until(self, deadline: Instant) -> Progress {
        let stop = Stop { deadline: Some(deadline), ..Stop::default() };
        Progress { stop: Arc::new(stop), ..self }
    }

    /// Stops the reductions that were given this, and those that will be.
    ///
    /// ```
    /// use reduce_core::{Progress, Reduction, View};
    /// use reduce_specs::ReduceMax;
    ///
    /// let progress = Progress::default();
    /// // Elsewhere, while the reduction runs:
    /// progress.clone().stop();
    /// let max = Reduction::new(ReduceMax).progress(&progress).run(&View::new(&[1.0f32], &[1])?);
    /// let error = max.expect_err("stopped");
    /// assert_eq!(error.to_string(), "the reduction was stopped by its `Progress`; run it again with another one");
    /// # Ok::<(), reduce_core::Error>(())
    /// ```
    pub fn stop(&self) {
        self.stop.is_asked_for.store(true, Ordering::Relaxed);
    }

    /// Why a reduction that was given this is to stop, if it is.
    pub(crate) fn stopped(&self) -> Option<Stopped> {
        let Stop { is_asked_for, deadline } = &*self.stop;
        if is_asked_for.load(Ordering::Relaxed) {
            return Some(Stopped { is_late: false });
        }
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(Stopped { is_late })
    }

    /// A progress that counts the same elements, and stops nothing: for work that is done whole or not at all.
    pub(crate) fn unstoppable(&self) -> Progress {
        Progress { stop: Arc::default(), ..self.clone() }
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
            abreast.wait(*own, || self.stopped().is_some());
        }
    }
}

/// When reductions are to stop.
#[derive(Debug, Default)]
struct Stop {
    is_asked_for: AtomicBool,
    deadline: Option<Instant>,
}

/// That a reduction is to stop: since someone asked for it, or since it is late.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped {
    is_late: bool,
}

impl From<Stopped> for Error {
    fn from(Stopped { is_late }: Stopped) -> Self {
        ErrorKind::Stopped { is_late }.into()
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
    /// Waits until one is not too far ahead, or is to stop. The last one never waits, so that all come to an end.
    fn wait(&self, own: usize, is_stopped: impl Fn() -> bool) {
        /// Longest wait for a message: one may be sent before it is waited for.
        const PAUSE: Duration = Duration::from_millis(1);
        self.moved.notify_all();
        let now = |elements: &Arc<AtomicU64>| elements.load(Ordering::Relaxed);
        let is_ahead = || {
            let last = self.all.iter().map(now).min().unwrap_or(LEFT);
            now(&self.all[own]) > last.saturating_add(self.ahead)
        };
        while is_ahead() && !is_stopped() {
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
