//! What is told of a conformance run: to people in lines, to programs as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Verdict;
use crate::error::{Error, plain_json};

/// The outcomes so far.
#[derive(Default, Serialize)]
pub(super) struct Report {
    passed: Vec<String>,
    failed: Vec<Failure>,
    /// The names of the tests skipped, by reason.
    skipped: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize)]
struct Failure {
    name: String,
    reason: String,
}

/// The numbers of tests, ahead of their names.
#[derive(Serialize)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    counts: Counts,
    tests: &'a Report,
}

impl Report {
    pub(super) fn add(&mut self, name: String, verdict: Verdict) {
        match verdict {
            Verdict::Passed => self.passed.push(name),
            Verdict::Failed(reason) => self.failed.push(Failure { name, reason }),
            Verdict::Skipped(reason) => self.skipped.entry(reason).or_default().push(name),
        }
    }

    pub(super) fn has_failures(&self) -> bool {
        !self.failed.is_empty()
    }

    fn counts(&self) -> Counts {
        Counts {
            passed: self.passed.len(),
            failed: self.failed.len(),
            skipped: self.skipped.values().map(Vec::len).sum(),
        }
    }

    /// Every failure, the reasons of skipping, and last the counts.
    pub(super) fn text(&self) -> String {
        let Counts { passed, failed, skipped } = self.counts();
        let mut text = String::new();
        for Failure { name, reason } in &self.failed {
            text.push_str(&format!("FAILED {name}: {reason}\n"));
        }
        if skipped > 0 {
            text.push_str(&format!("skipped {skipped}:\n"));
        }
        for (reason, names) in &self.skipped {
            text.push_str(&format!("{:5}  {reason}\n", names.len()));
        }
        text.push_str(&format!("{passed} passed, {failed} failed, {skipped} skipped\n"));
        text
    }

    pub(super) fn json(&self) -> Result<String, Error> {
        let document = Document { counts: self.counts(), tests: self };
        let text = serde_json::to_string_pretty(&document);
        text.map(|text| plain_json(&text) + "\n").map_err(|error| Error::new(error.to_string()))
    }
}
