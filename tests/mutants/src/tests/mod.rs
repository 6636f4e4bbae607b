//! Runs tests: each alone without a mutant, and then those that reach a mutant with it.

mod child;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::compile::Program;
use crate::stored::{self, Stored, Test};
use child::{Ended, run};

/// Tests are run in so many groups for each mutant: those that take up to so many seconds alone.
const GROUPS: [f64; 4] = [0.05, 0.5, 3.0, f64::INFINITY];

/// Runs each test alone. It must pass; what it reaches and how long it takes is stored.
pub(crate) fn reach(stored: &Stored) -> io::Result<()> {
    let file = stored::path("reached.bin");
    let switch = format!("reached:{}", file.display());
    let known: BTreeSet<(&str, &str)> =
        stored.tests.iter().map(|test| (test.program.as_str(), test.name.as_str())).collect();
    for program in &stored.programs {
        for name in child::listed(program)? {
            if known.contains(&(program.name.as_str(), name.as_str())) {
                continue;
            }
            let _ = fs::remove_file(&file);
            let start = Instant::now();
            let ended = run(program, &[name.as_str()], &switch, Duration::from_secs(300))?;
            let seconds = start.elapsed().as_secs_f64();
            if !matches!(ended, Ended::Passed) {
                eprintln!("{} {name} fails without a mutant: {ended:?}", program.name);
                continue;
            }
            let bytes = fs::read(&file).unwrap_or_default();
            let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).ok();
            let reached: BTreeSet<u32> = bytes.chunks(4).filter_map(number).collect();
            let of = &program.name;
            let line =
                json!({ "program": of, "name": name, "seconds": seconds, "reached": reached });
            stored::add("tests.jsonl", &line)?;
        }
    }
    Ok(())
}

/// Tests each mutant that has no outcome yet.
pub(crate) fn test(stored: &Stored, most_seconds: f64) -> io::Result<()> {
    let start = Instant::now();
    let mut numbers: Vec<u32> =
        stored.built().map(|mutant| stored::number(&mutant["number"])).collect();
    // All areas in turn, so that who stops early has some of each.
    numbers.sort_by_key(|number| number.wrapping_mul(2_654_435_769));
    for number in numbers {
        let before = stored.outcomes.get(&number);
        // What survived some of the tests is tested by the others, if there is more time.
        if before.is_some_and(|outcome| {
            !(outcome["outcome"] == "survived" && outcome["left"].as_u64() > Some(0))
        }) {
            continue;
        }
        let mut tests: Vec<&Test> =
            stored.tests.iter().filter(|test| test.reached.contains(&number)).collect();
        tests.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let reaching = tests.len();
        let mut sum = 0.0;
        tests.retain(|test| {
            sum += test.seconds;
            sum <= most_seconds
        });
        let left = reaching - tests.len();
        let outcome = match reaching {
            0 => json!({ "outcome": "not reached" }),
            _ => first_failure(stored, number, &tests)?,
        };
        let mut line = outcome;
        line["number"] = json!(number);
        line["left"] = json!(left);
        line["reaching"] = json!(reaching);
        stored::add("outcomes.jsonl", &line)?;
        eprintln!(
            "{:5.0} s {number} {} {}",
            start.elapsed().as_secs_f64(),
            line["outcome"],
            line["test"]
        );
    }
    Ok(())
}

fn first_failure(stored: &Stored, number: u32, tests: &[&Test]) -> io::Result<serde_json::Value> {
    let mut least = -1.0;
    for most in GROUPS {
        for program in &stored.programs {
            let group: Vec<&&Test> = tests
                .iter()
                .filter(|test| test.program == program.name)
                .filter(|test| least < test.seconds && test.seconds <= most)
                .collect();
            if group.is_empty() {
                continue;
            }
            let names: Vec<&str> = group.iter().map(|test| test.name.as_str()).collect();
            let seconds: f64 = group.iter().map(|test| test.seconds).sum();
            let limit = Duration::from_secs_f64(20.0 + 4.0 * seconds);
            let ended = run(program, &names, &number.to_string(), limit)?;
            let outcome = match &ended {
                Ended::Passed => continue,
                Ended::Failed(_) => "failed",
                Ended::Died => "died",
                Ended::TimedOut => "timed out",
            };
            let test = if let Ended::Failed(test) = ended { test } else { String::new() };
            let program = &program.name;
            return Ok(json!({ "outcome": outcome, "program": program, "test": test }));
        }
        least = most;
    }
    Ok(json!({ "outcome": "survived" }))
}

/// How many mutants each program of tests caught.
pub(crate) fn by_program(stored: &Stored, numbers: &BTreeSet<u32>) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for number in numbers {
        let outcome = &stored.outcomes[number];
        if outcome["program"].is_string() {
            *counts.entry(stored::text(&outcome["program"])).or_default() += 1;
        }
    }
    counts
}

/// The programs of tests, in the order in which they are run.
pub(crate) fn names(programs: &[Program]) -> Vec<&str> {
    programs.iter().map(|program| program.name.as_str()).collect()
}
