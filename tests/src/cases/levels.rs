//! CPU levels: which ones ran, and whether that was enough.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;

use reduce_core::Level;

/// The levels of this CPU.
pub fn available() -> Vec<Level> {
    Level::available().collect()
}

/// A count of runs per level.
#[derive(Debug)]
pub struct Levels {
    what: &'static str,
    runs: Mutex<BTreeMap<Level, usize>>,
}

impl Levels {
    /// No runs yet.
    pub fn new(what: &'static str) -> Self {
        Levels { what, runs: Mutex::new(BTreeMap::new()) }
    }

    /// Counts runs at a level.
    ///
    /// # Panics
    /// If another thread panicked while counting.
    pub fn ran(&self, level: Level, runs: usize) {
        *self.runs.lock().expect("no panic").entry(level).or_default() += runs;
    }

    /// Prints what ran, also where the test harness hides output.
    ///
    /// # Panics
    /// If `REDUCE_REQUIRE_LEVELS`, a list of names separated by commas, has a
    /// level that did not run, or if none did.
    pub fn finish(self) {
        let runs = self.runs.into_inner().expect("no panic");
        let ran: Vec<String> = runs.keys().map(ToString::to_string).collect();
        let skipped: Vec<String> = Level::ALL
            .iter()
            .filter(|level| !runs.contains_key(level))
            .map(ToString::to_string)
            .collect();
        let counts: Vec<String> =
            runs.iter().map(|(level, runs)| format!("{level} {runs}")).collect();
        let line = format!(
            "{}: ran: {}; skipped: {}; runs: {}\n",
            self.what,
            ran.join(", "),
            if skipped.is_empty() { "-".to_owned() } else { skipped.join(", ") },
            counts.join(", ")
        );
        std::io::stderr().write_all(line.as_bytes()).expect("standard error is open");
        assert!(!ran.is_empty(), "{}: nothing ran", self.what);
        let required = std::env::var("REDUCE_REQUIRE_LEVELS").unwrap_or_default();
        let missing = missing(&required, &ran);
        assert!(missing.is_empty(), "{}: required but not run: {missing:?}", self.what);
    }
}

/// The names of a list, separated by commas, that are not among those that ran.
fn missing<'a>(required: &'a str, ran: &[String]) -> Vec<&'a str> {
    let names = required.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.filter(|name| !ran.iter().any(|level| level == name)).collect()
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn a_required_level_that_did_not_run_is_missed() {
        let ran = ["scalar".to_owned(), "avx2".to_owned()];
        assert_eq!(missing("", &ran), [""; 0]);
        assert_eq!(missing("scalar, avx2", &ran), [""; 0]);
        assert_eq!(missing("scalar,avx512,neon", &ran), ["avx512", "neon"]);
    }
}
