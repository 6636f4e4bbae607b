//! How long a call takes.

use std::str::FromStr;
use std::time::Instant;

/// How much time a measurement takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Seconds of samples to take in all.
    pub(crate) secs: f64,
    /// A sample lasts this many seconds or more. Shorter calls are timed several
    /// at once, so that the time of reading the clock does not count.
    pub(crate) sample: f64,
}

impl Effort {
    pub(crate) fn new(secs: f64) -> Self {
        Effort { secs, sample: 50e-6 }
    }
}

/// The seconds after `--secs`: not negative, and not without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(pub(crate) f64);

impl FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let secs = text.parse().ok().filter(|secs| (0.0..=3600.0).contains(secs));
        secs.map(Seconds).ok_or("write seconds, from 0 to 3600, such as 0.15")
    }
}

/// Seconds per call, over some samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Samples {
    pub(crate) count: usize,
    pub(crate) min: f64,
    pub(crate) median: f64,
    pub(crate) max: f64,
}

const FEWEST: usize = 5;
const MOST: usize = 3000;

/// Takes samples of a function that does something a number of times.
pub(crate) fn measure(effort: Effort, calls: &mut dyn FnMut(usize)) -> Samples {
    let mut time = |number: usize| {
        let start = Instant::now();
        calls(number);
        start.elapsed().as_secs_f64()
    };
    let (number, single) = batch(effort.sample, &mut time);
    let mut samples = Vec::new();
    let mut total = 0.0;
    while !enough(samples.len(), total, single, effort.secs) {
        let seconds = time(number);
        total += seconds;
        samples.push(seconds / number as f64);
    }
    samples.sort_by(f64::total_cmp);
    let at = |place: usize| samples.get(place).copied().unwrap_or(0.0);
    let count = samples.len();
    Samples { count, min: at(0), median: at(count / 2), max: at(count - 1) }
}

/// How many calls make a sample, and the seconds of one call.
fn batch(sample: f64, time: &mut impl FnMut(usize) -> f64) -> (usize, f64) {
    const LONG: f64 = 0.1;
    let mut number = 1;
    let mut seconds = time(number);
    if seconds < LONG {
        // The first call found neither code nor data in the caches.
        seconds = time(number);
    }
    while seconds < sample && number < 1 << 30 {
        let missing = 1.1 * sample / seconds.max(1e-9);
        // Not by much at once: few calls are too short for the clock.
        number *= if missing > 16.0 { 16 } else { 2 };
        seconds = time(number);
    }
    (number, seconds / number as f64)
}

/// Whether there are samples enough; of very long calls, a few.
fn enough(count: usize, total: f64, single: f64, secs: f64) -> bool {
    (total >= secs && count >= FEWEST)
        || count >= MOST
        || (single > 0.25 && count >= 3)
        || (single > 1.0 && count >= 2)
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::thread::sleep;
    use std::time::Duration;

    use super::{Effort, FEWEST, MOST, enough, measure};

    #[test]
    fn short_calls_are_timed_together() {
        let mut most = 0;
        let samples = measure(Effort::new(1e-4), &mut |number| {
            most = most.max(number);
            for i in 0..number {
                let _ = black_box(i);
            }
        });
        assert!(most > 100 && samples.count >= FEWEST, "{most} {samples:?}");
        assert!(samples.max < 1e-5, "{samples:?}");
    }

    #[test]
    fn samples_are_in_order() {
        let mut calls = 0;
        let samples = measure(Effort::new(0.0), &mut |number| {
            calls += number;
            sleep(Duration::from_millis(calls as u64));
        });
        assert_eq!((samples.count, calls), (FEWEST, FEWEST + 2));
        assert!(samples.min >= 3e-3 && samples.max >= 7e-3, "{samples:?}");
        assert!(samples.min < samples.median && samples.median < samples.max, "{samples:?}");
    }

    #[test]
    fn long_calls_are_few() {
        assert!(enough(3, 0.9, 0.3, 100.0) && !enough(2, 0.6, 0.3, 100.0));
        assert!(enough(2, 2.2, 1.1, 100.0) && enough(MOST, 0.1, 1e-9, 100.0));
    }
}
