//! Teams: threads that do the work of a reduction together.

use std::collections::VecDeque;
#[cfg(feature = "parallel")]
use std::sync::OnceLock;
#[cfg(feature = "parallel")]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::facts::progress::{Progress, Stopped};
use crate::facts::threads::Threads;

/// Up to this many elements, work stays on the calling thread.
const SMALL: usize = 1 << 17;

/// This many elements are not split among threads: fewer take no longer than waking one.
pub(crate) const GRAIN: usize = SMALL / 2;

/// Whether work over this many elements is small, and stays on the calling thread.
#[inline(always)]
pub(crate) const fn is_small(elements: usize) -> bool {
    elements <= SMALL
}

/// Threads to split work among: the calling one, and others that help it.
#[derive(Clone, Copy, Debug)]
pub struct Team<'a> {
    threads: usize,
    /// Where the others are; none for the pool that the caller runs in, or the global one.
    #[cfg(feature = "parallel")]
    pool: Option<&'a rayon::ThreadPool>,
    progress: Option<&'a Progress>,
}

impl Team<'_> {
    /// The calling thread, which nobody watches.
    pub(crate) const ALONE: Team<'static> = Team {
        threads: 1,
        #[cfg(feature = "parallel")]
        pool: None,
        progress: None,
    };

    /// How many threads there are.
    pub(crate) fn threads(self) -> usize {
        self.threads
    }

    /// Whether it is the calling thread alone, and nobody watches.
    #[inline(always)]
    pub(crate) fn is_unwatched_one(self) -> bool {
        self.threads == 1 && self.progress.is_none()
    }

    /// Whether someone waits to hear how far the work is.
    pub(crate) fn is_watched(self) -> bool {
        self.progress.is_some()
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// If someone who watches wants it to stop.
    pub(crate) fn check(self) -> Result<(), Stopped> {
        self.progress.and_then(Progress::stopped).map_or(Ok(()), Err)
    }

    /// Counts `elements` more elements as combined.
    pub(crate) fn done(self, elements: usize) {
        if let Some(progress) = self.progress {
            progress.add(elements);
        }
    }

    /// Does the work of each part. Each thread has neighbouring parts, the same in every call, so that it finds
    /// in its caches what it left there. A thread that has done its own takes the last part of the thread that
    /// has most left.
    pub(crate) fn each<P: Send>(self, parts: Vec<P>, work: impl Fn(P) + Sync) {
        let all = self.each_until(parts, || None::<Stopped>, work);
        debug_assert!(all.is_ok(), "nothing stops it");
    }

    /// Does the work of each part, as [`Team::each`] does, unless someone who watches wants it to stop.
    ///
    /// # Errors
    /// If so. Some parts are left then.
    pub(crate) fn each_unless_stopped<P: Send>(
        self,
        parts: Vec<P>,
        work: impl Fn(P) + Sync,
    ) -> Result<(), Stopped> {
        self.each_until(parts, || self.check().err(), work)
    }

    /// Does the work of each part until there is a reason to stop.
    fn each_until<P: Send>(
        self,
        parts: Vec<P>,
        stop: impl Fn() -> Option<Stopped> + Sync,
        work: impl Fn(P) + Sync,
    ) -> Result<(), Stopped> {
        let members = self.threads.min(parts.len()).max(1);
        let mut shares: Vec<VecDeque<P>> = (0..members).map(|_| VecDeque::new()).collect();
        let count = parts.len();
        for (number, part) in parts.into_iter().enumerate() {
            shares[number * members / count].push_back(part);
        }
        let shares = Mutex::new(shares);
        let next = |member: usize| {
            let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
            let own = shares.get_mut(member)?.pop_front();
            own.or_else(|| shares.iter_mut().max_by_key(|share| share.len())?.pop_back())
        };
        let stopped = Mutex::new(Ok(()));
        self.together(members - 1, &|member| {
            while let Some(part) = next(member) {
                if let Some(stop) = stop() {
                    *stopped.lock().unwrap_or_else(PoisonError::into_inner) = Err(stop);
                    break;
                }
                work(part);
            }
        });
        stopped.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does the work in the calling thread: there are no others.
    #[cfg(not(feature = "parallel"))]
    fn together(self, _helpers: usize, work: &(dyn Fn(usize) + Sync)) {
        work(0);
    }

    /// Does the same in the calling thread and in `helpers` others. The caller does not go to the pool, and
    /// sleeps only if others take long: to wake a thread takes as long as to read a megabyte.
    #[cfg(feature = "parallel")]
    fn together(self, helpers: usize, work: &(dyn Fn(usize) + Sync)) {
        if helpers == 0 {
            return work(0);
        }
        let index = match self.pool {
            Some(pool) => pool.current_thread_index(),
            None => rayon::current_thread_index(),
        };
        // A thread of the pool takes back what nobody has begun.
        let patience = if index.is_some() { 0 } else { PATIENCE };
        let busy = &AtomicUsize::new(helpers);
        match self.pool {
            Some(pool) => pool.in_place_scope(|scope| lead(scope, helpers, busy, patience, work)),
            None => rayon::in_place_scope(|scope| lead(scope, helpers, busy, patience, work)),
        }
    }
}

/// Does the same here and in as many helpers as are to be busy.
#[cfg(feature = "parallel")]
fn lead<'s>(
    scope: &rayon::Scope<'s>,
    helpers: usize,
    busy: &'s AtomicUsize,
    patience: usize,
    work: &'s (dyn Fn(usize) + Sync),
) {
    for helper in 1..=helpers {
        scope.spawn(move |_| {
            work(helper);
            busy.fetch_sub(1, Ordering::Release);
        });
    }
    work(0);
    for _ in 0..patience {
        if busy.load(Ordering::Acquire) == 0 {
            break;
        }
        std::hint::spin_loop();
    }
}

/// How often a caller looks whether others are done before it sleeps: some 50 us.
#[cfg(feature = "parallel")]
const PATIENCE: usize = 1 << 11;

/// Threads, and who watches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crew<'a> {
    pub(crate) threads: &'a Threads,
    pub(crate) progress: Option<&'a Progress>,
}

/// A crew that is kept, by what runs often.
#[derive(Clone, Debug)]
pub(crate) struct KeptCrew {
    pub(crate) threads: Threads,
    pub(crate) progress: Option<Progress>,
}

impl KeptCrew {
    /// The crew, for one run.
    #[inline]
    pub(crate) fn crew(&self) -> Crew<'_> {
        Crew { threads: &self.threads, progress: self.progress.as_ref() }
    }
}

impl<'a> From<&'a Threads> for Crew<'a> {
    fn from(threads: &'a Threads) -> Self {
        Crew { threads, progress: None }
    }
}

impl<'a> Crew<'a> {
    /// Does work that nothing stops once it has begun.
    ///
    /// # Errors
    /// If someone who watches wants it to stop before it begins.
    pub(crate) fn whole<R>(self, work: impl FnOnce(Crew<'_>) -> R) -> Result<R, Stopped> {
        let Some(progress) = self.progress else { return Ok(work(self)) };
        match progress.stopped() {
            Some(stopped) => Err(stopped),
            None => Ok(work(Crew { progress: Some(&progress.unstoppable()), ..self })),
        }
    }

    /// The threads for work over this many elements: these, or the calling one if the work is small.
    #[inline]
    pub(crate) fn team(self, elements: usize) -> Team<'a> {
        let Crew { threads, progress } = self;
        let alone = Team {
            threads: 1,
            #[cfg(feature = "parallel")]
            pool: None,
            progress,
        };
        match threads {
            _ if is_small(elements) => alone,
            #[cfg(feature = "parallel")]
            Threads::Shared => Team { threads: shared(), ..alone },
            #[cfg(feature = "parallel")]
            Threads::Pool(pool) => {
                Team { threads: pool.current_num_threads(), pool: Some(&**pool), ..alone }
            }
            _ => alone,
        }
    }
}

/// How many threads there are in the pool that the caller runs in, or else in the global one.
#[cfg(feature = "parallel")]
fn shared() -> usize {
    static GLOBAL: OnceLock<usize> = OnceLock::new();
    match rayon::current_thread_index() {
        Some(_) => rayon::current_num_threads(),
        None => *GLOBAL.get_or_init(global),
    }
}

/// How many threads there are in the global pool; one, the caller, if it has none and cannot be given
/// any.
///
/// `rayon` makes the pool when it is first asked for, and panics where the system starts no thread. So it is
/// made here, where a failure is an error. If there is a pool already, that is an error, too, but one without a
/// source. Without threads at all, as in a browser, `rayon` helps itself.
#[cfg(feature = "parallel")]
fn global() -> usize {
    use std::error::Error;

    if !cfg!(target_family = "wasm")
        && let Err(error) = rayon::ThreadPoolBuilder::new().build_global()
        && error.source().is_some()
    {
        return 1;
    }
    // If someone else failed to make the pool, only a panic says so.
    std::panic::catch_unwind(rayon::current_num_threads).unwrap_or(1)
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::sync::Barrier;
    use std::thread::{self, ThreadId};

    use super::*;

    /// The thread that did each part, where each part waits for as many others as there are
    /// threads.
    fn threads_of(parts: usize, pool: &rayon::ThreadPool) -> Vec<ThreadId> {
        let threads = pool.current_num_threads();
        let meeting = Barrier::new(threads);
        let done = Mutex::new(Vec::new());
        let team = Team { threads, pool: Some(pool), progress: None };
        team.each((0..parts).collect(), |part| {
            meeting.wait();
            done.lock().expect("no panic").push((part, thread::current().id()));
        });
        let mut done = done.into_inner().expect("no panic");
        done.sort_by_key(|&(part, _)| part);
        assert!(done.iter().map(|&(part, _)| part).eq(0..parts), "each part once: {done:?}");
        done.into_iter().map(|(_, thread)| thread).collect()
    }

    #[test]
    fn a_thread_has_neighbouring_parts() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
        let threads = threads_of(12, &pool);
        for own in threads.chunks(4) {
            assert!(own.iter().all(|thread| *thread == own[0]), "{threads:?}");
        }
        assert_eq!(threads[0], thread::current().id(), "the caller has the first");
    }

    #[test]
    fn who_is_done_takes_the_last_of_others() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        let (caller, last) = (thread::current().id(), Barrier::new(2));
        let done = Mutex::new(Vec::new());
        let team = Team { threads: 2, pool: Some(&pool), progress: None };
        // The helper's first part lasts until the caller has come to the second.
        team.each((0..8).collect(), |part| {
            if part == 4 || part == 5 {
                last.wait();
            }
            done.lock().expect("no panic").push((thread::current().id() == caller, part));
        });
        let done = done.into_inner().expect("no panic");
        let by_caller = done.into_iter().filter(|&(by_caller, _)| by_caller);
        assert!(by_caller.map(|(_, part)| part).eq([0, 1, 2, 3, 7, 6, 5]));
    }
}
