//! Several operators over the same views, so that memory, or a disk, is read once.
//!
//! Each operator walks the elements by itself, in threads of its own, and in the order in which it would walk them
//! alone: so its results have the same bits. But no operator goes further than a few million elements ahead of the
//! last one ([`Progress::abreast`]). So what the first has read is still in a cache, or at least in memory, when the
//! others come to it. Inputs that fit a cache are reduced by one operator after the other.

use std::thread;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};
use reduce_core::{AnyTensor, AnyView, Progress, View};

use super::watch::Meter;
use crate::engine::Engine;
use crate::error::Error;
use crate::operators::Prepared;

/// Elements by which an operator may be ahead of others.
const AHEAD: u64 = 1 << 20;

/// Bytes of inputs that are near enough to be read by each operator in turn.
const NEAR: usize = 1 << 21;

/// How operators run, beside which they are.
#[derive(Clone, Copy)]
pub(super) struct How<'a> {
    /// Which elements count.
    pub(super) mask: Option<&'a View<'a, bool>>,
    /// How many threads share the work, if someone says so.
    pub(super) threads: Option<u16>,
    /// When the work stops, done or not.
    pub(super) deadline: Option<Instant>,
    /// The device that does the work in place of threads.
    pub(super) engine: Option<&'a dyn Engine>,
}

/// Operators, and the threads of each.
pub(super) struct Crew<'a> {
    operators: &'a [Prepared],
    mask: Option<&'a View<'a, bool>>,
    pools: Pools<'a>,
}

/// Which threads do the work.
enum Pools<'a> {
    /// None: a device does it, for one operator after the other.
    Device(&'a dyn Engine),
    /// The threads that all of the program shares.
    Shared,
    /// As many as are asked for, which do one operator after the other.
    One(ThreadPool),
    /// Some for each operator.
    Each(Vec<ThreadPool>),
}

impl<'a> Crew<'a> {
    /// Chooses threads for operators over inputs of `bytes` bytes.
    pub(super) fn new(
        operators: &'a [Prepared],
        how: How<'a>,
        bytes: usize,
    ) -> Result<Self, Error> {
        let How { mask, threads, engine, .. } = how;
        let threads = threads.map(usize::from);
        let pools = if let Some(engine) = engine {
            Pools::Device(engine)
        } else if operators.len() > 1 && bytes > NEAR {
            let cores = || thread::available_parallelism().map_or(1, usize::from);
            let all = threads.unwrap_or_else(cores);
            let each = (all / operators.len()).max(1);
            let pools: Result<Vec<_>, _> = operators.iter().map(|_| pool(each)).collect();
            // Where the system has no more threads, operators take turns.
            pools.map_or(Pools::Shared, Pools::Each)
        } else if let Some(threads) = threads {
            let cannot = |error| Error::new(format!("there are no {threads} threads: {error}"));
            Pools::One(pool(threads).map_err(cannot)?)
        } else {
            Pools::Shared
        };
        Ok(Crew { operators, mask, pools })
    }

    /// The results of each operator over some views.
    pub(super) fn run(
        &self,
        views: &[AnyView<'_>],
        meter: &Meter,
    ) -> Result<Vec<Vec<AnyTensor>>, Error> {
        let elements = views.iter().map(|view| count(view)).max().unwrap_or(0);
        let number = self.operators.len();
        match &self.pools {
            Pools::Device(engine) => {
                meter.begin(elements, Progress::default, number);
                self.operators.iter().map(|operator| operator.run_on(*engine, views)).collect()
            }
            Pools::Shared => self.in_turn(views, &meter.begin(elements, Progress::default, number)),
            Pools::One(pool) => {
                let progresses = meter.begin(elements, Progress::default, number);
                pool.install(|| self.in_turn(views, &progresses))
            }
            Pools::Each(pools) => {
                let mut abreast = Progress::abreast(number, AHEAD).into_iter();
                let next = || abreast.next().unwrap_or_default();
                self.abreast(views, &meter.begin(elements, next, number), pools)
            }
        }
    }

    /// One operator after the other.
    fn in_turn(
        &self,
        views: &[AnyView<'_>],
        progresses: &[Progress],
    ) -> Result<Vec<Vec<AnyTensor>>, Error> {
        let each = self.operators.iter().zip(progresses);
        each.map(|(operator, progress)| operator.run(views, self.mask, Some(progress))).collect()
    }

    /// All operators side by side.
    fn abreast(
        &self,
        views: &[AnyView<'_>],
        progresses: &[Progress],
        pools: &[ThreadPool],
    ) -> Result<Vec<Vec<AnyTensor>>, Error> {
        let run = |number: usize| {
            let _leaves = Leaves(&progresses[number]);
            let run = || self.operators[number].run(views, self.mask, Some(&progresses[number]));
            pools[number].install(run)
        };
        thread::scope(|scope| {
            let start = |number| {
                let started = thread::Builder::new().spawn_scoped(scope, move || run(number));
                if started.is_err() {
                    progresses[number].leave();
                }
                started
            };
            let run = &run;
            let started: Vec<_> = (1..self.operators.len()).map(start).collect();
            let mut all = vec![run(0)];
            for (number, started) in (1..).zip(started) {
                all.push(match started {
                    Ok(work) => {
                        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                    }
                    Err(_) => run(number),
                });
            }
            all.into_iter().collect()
        })
    }
}

/// Lets the others go on when one is done, however it ends.
struct Leaves<'a>(&'a Progress);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

fn pool(threads: usize) -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(threads).build()
}

/// The number of elements of a view.
fn count(view: &AnyView<'_>) -> u64 {
    view.shape().iter().product::<usize>() as u64
}
