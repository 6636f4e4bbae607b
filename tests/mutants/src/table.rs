//! The outcome as text for `docs/log/mutants.md`.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;

use crate::areas::AREAS;
use crate::stored::{Stored, number, text};
use crate::tests::{by_program, names};

/// The counts of each area, and a list of what no test noticed.
pub(crate) fn table(stored: &Stored) -> String {
    let programs = names(&stored.programs);
    let mut table = format!(
        "| area | there are | tested | {} | died | timed out | not reached | survived |\n",
        programs.join(" | ")
    );
    table += &"|---".repeat(programs.len() + 7);
    table += "|\n";
    for area in &AREAS {
        let tested = numbers(stored, |mutant| mutant["area"] == area.name);
        table += &row(stored, area.name, &stored.totals[area.name][0], &tested);
    }
    let all: u64 = AREAS.iter().filter_map(|area| stored.totals[area.name][0].as_u64()).sum();
    table += &row(stored, "all", &all.into(), &numbers(stored, |_| true));
    for outcome in ["survived", "not reached"] {
        let _ = writeln!(table, "\n{outcome}:\n");
        for mutant in stored.built() {
            if stored
                .outcomes
                .get(&number(&mutant["number"]))
                .is_some_and(|found| found["outcome"] == outcome)
            {
                let (file, kind, old) =
                    (text(&mutant["file"]), text(&mutant["kind"]), text(&mutant["old"]));
                let _ =
                    writeln!(table, "{} {file}:{} {kind}: {old}", mutant["number"], mutant["line"]);
            }
        }
    }
    table
}

/// The mutants of a kind that were tested.
fn numbers(stored: &Stored, is_meant: impl Fn(&Value) -> bool) -> BTreeSet<u32> {
    let meant = stored.built().filter(|mutant| is_meant(mutant));
    let numbers = meant.map(|mutant| number(&mutant["number"]));
    numbers.filter(|number| stored.outcomes.contains_key(number)).collect()
}

fn row(stored: &Stored, name: &str, total: &Value, tested: &BTreeSet<u32>) -> String {
    let caught = by_program(stored, tested);
    let mut row = format!("| {name} | {total} | {} |", tested.len());
    for program in names(&stored.programs) {
        let _ = write!(row, " {} |", caught.get(program).unwrap_or(&0));
    }
    for outcome in ["died", "timed out", "not reached", "survived"] {
        let count = tested.iter().filter(|number| stored.outcomes[number]["outcome"] == outcome);
        let _ = write!(row, " {} |", count.count());
    }
    row + "\n"
}
