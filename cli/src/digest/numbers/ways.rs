//! The ways in which one reduction is run. All of them give the same bits.

use std::fmt;

use reduce_core::{Level, Threads};

/// The number of threads that share a reduction.
const NUMBERS: [usize; 5] = [1, 2, 3, 7, 16];

/// A level, some threads, and whether the call is planned ahead.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) level: Level,
    number: usize,
    pub(super) threads: Threads,
    pub(super) planned: bool,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Way { level, number, planned, .. } = self;
        let threads = if *number == 1 { "thread" } else { "threads" };
        write!(
            f,
            "{level}, {number} {threads}, {}",
            if *planned { "planned" } else { "not planned" }
        )
    }
}

/// All ways that there are on this machine; the scalar level, one thread and no plan come first.
#[derive(Debug)]
pub(super) struct Ways {
    levels: Vec<Level>,
    numbers: Vec<usize>,
    pub(super) all: Vec<Way>,
    /// The ways that do not plan ahead.
    pub(super) unplanned: Vec<Way>,
}

impl Ways {
    /// Finds the levels of this processor, and starts threads. Where the system starts none, as on WebAssembly, one thread
    /// is left.
    pub(super) fn of_this_machine() -> Self {
        let levels: Vec<Level> = Level::available().collect();
        let teams: Vec<(usize, Threads)> =
            NUMBERS.iter().filter_map(|&number| Some((number, team(number)?))).collect();
        let mut all = Vec::new();
        for &level in &levels {
            for (number, threads) in &teams {
                for planned in [false, true] {
                    all.push(Way { level, number: *number, threads: threads.clone(), planned });
                }
            }
        }
        let unplanned = all.iter().filter(|way| !way.planned).cloned().collect();
        Ways {
            levels,
            unplanned,
            numbers: teams.into_iter().map(|(number, _)| number).collect(),
            all,
        }
    }

    /// What they are, in words.
    pub(super) fn words(&self) -> String {
        let levels: Vec<&str> = self.levels.iter().map(|level| level.name()).collect();
        let numbers: Vec<String> = self.numbers.iter().map(usize::to_string).collect();
        let (levels, numbers) = (levels.join(", "), numbers.join(", "));
        format!("levels {levels}; threads {numbers}; planned and not")
    }
}

/// So many threads, if the system starts them.
fn team(number: usize) -> Option<Threads> {
    if number == 1 {
        return Some(Threads::One);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(number).build().ok()?;
    Some(Threads::Pool(pool.into()))
}
