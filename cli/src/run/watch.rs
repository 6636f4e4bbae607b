//! How far a long pass is, for those who wait; and memory that is given back meanwhile.
//!
//! Pages of a mapped file that were read stay with the program until it says that it does not need them. So it
//! says so, again and again: those that are still in use come back at once, since the system keeps them.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use reduce_core::Progress;

use crate::error::Error;

/// Counts the elements that operators have combined, and says when they are to stop.
#[derive(Debug)]
pub(super) struct Meter {
    counts: Mutex<Counts>,
    deadline: Option<Instant>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Elements of parts that are done.
    before: u64,
    /// Elements of the part that is under way, and how far each operator is.
    elements: u64,
    operators: Vec<Progress>,
}

impl Meter {
    pub(super) fn new(deadline: Option<Instant>) -> Self {
        Meter { counts: Mutex::default(), deadline }
    }

    /// Begins a part of `elements` elements, and gives each operator a progress over it.
    pub(super) fn begin(
        &self,
        elements: u64,
        progress: impl FnMut() -> Progress,
        operators: usize,
    ) -> Vec<Progress> {
        let progresses = std::iter::repeat_with(progress).take(operators);
        let progresses: Vec<_> = match self.deadline {
            Some(deadline) => progresses.map(|progress| progress.until(deadline)).collect(),
            None => progresses.collect(),
        };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let before = counts.before + counts.elements;
        *counts = Counts { before, elements, operators: progresses.clone() };
        progresses
    }

    /// Elements that are combined, on average over the operators.
    fn elements(&self) -> u64 {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let done = counts.operators.iter().map(|one| one.elements().min(counts.elements));
        counts.before + done.sum::<u64>() / (counts.operators.len() as u64).max(1)
    }
}

/// Work over inputs that are mapped.
pub(super) struct Watched<'a> {
    /// Elements that each operator combines.
    pub(super) elements: usize,
    pub(super) bytes: usize,
    /// Gives pages of the inputs back.
    pub(super) give_back: &'a (dyn Fn() + Sync),
}

impl Watched<'_> {
    /// Does some work, with a bar that shows how far it is, if there is a terminal to show it on.
    pub(super) fn work<R: Send>(
        &self,
        meter: &Meter,
        work: impl Fn() -> Result<R, Error> + Sync,
    ) -> Result<R, Error> {
        /// Between two looks at the memory.
        const PAUSE: Duration = Duration::from_millis(1);
        /// Looks at the memory for one at the bar.
        const LOOKS: u32 = 50;
        let elements = self.elements.max(1) as u128;
        let bytes = self.bytes as u64;
        let bar = ProgressBar::new(bytes);
        bar.set_style(style());
        let result = thread::scope(|scope| {
            // Without another thread there is nobody to look how far it is.
            let Ok(running) = thread::Builder::new().spawn_scoped(scope, &work) else {
                return work();
            };
            for look in (0..LOOKS).cycle() {
                if running.is_finished() {
                    break;
                }
                self.give_back();
                if look == 0 {
                    let part = u128::from(meter.elements()) * u128::from(bytes) / elements;
                    bar.set_position(u64::try_from(part).unwrap_or(bytes).min(bytes));
                }
                thread::sleep(PAUSE);
            }
            running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        bar.finish_and_clear();
        result
    }

    /// Gives pages of the inputs back, if there are many.
    fn give_back(&self) {
        /// Bytes of files that may be in the program's memory.
        const MOST: u64 = 1 << 26;
        if mapped_now().is_none_or(|bytes| bytes > MOST) {
            (self.give_back)();
        }
    }
}

/// Bytes of files that are in the program's memory, if the system tells.
fn mapped_now() -> Option<u64> {
    /// A page has at least this many bytes.
    const PAGE: u64 = 4096;
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split(' ').nth(2)?.parse().ok()?;
    Some(PAGE * pages)
}

fn style() -> ProgressStyle {
    let template = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
