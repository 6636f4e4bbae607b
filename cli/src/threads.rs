//! How many threads share work: no more than may be asked for, whoever asks.

use std::env;

/// Threads that share work, at most.
pub(crate) const MOST: u64 = 1024;

/// Variables from which `rayon` takes how many threads all of the program share.
const VARIABLES: [&str; 2] = ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"];

/// Has all of the program share no more threads than `--threads` may ask for. To start many thousands takes longer than any work.
pub(crate) fn cap() {
    let asked = VARIABLES.iter().filter_map(|name| env::var(name).ok()?.parse::<u64>().ok());
    // The first that asks for some is heard.
    if asked.into_iter().find(|&number| number > 0).is_some_and(|number| number > MOST) {
        let most = usize::try_from(MOST).unwrap_or(usize::MAX);
        // Where the system has not as many, `rayon` finds that too, and one thread does the work.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(most).build_global();
    }
}
