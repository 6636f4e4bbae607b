//! What one more operator may cost: lines of LLVM, kilobytes and CPU seconds, held against limits.
//!
//! Lines and bytes are the same in every run. Seconds are not, so they are held against those that a
//! crate of one operator takes in the same run.
//!
//! Exit status: 0, or 1 if an operator costs more than its limit, or 2 if that cannot be measured.

use std::process::ExitCode;

use reduce_benches::compile::{Cost, Crates, FOUR_TYPES, ONE_TYPE, Style, TWO_TYPES};

/// The most that one more operator may cost: about a tenth more than when the limit was set, of seconds a
/// half more. A change that raises one says what it buys.
const LIMITS: [(Style, Limit); 3] = [
    (ONE_TYPE, Limit { lines: 5900.0, kilobytes: 18.0, share: 0.6 }),
    (TWO_TYPES, Limit { lines: 11_800.0, kilobytes: 36.0, share: 0.8 }),
    (FOUR_TYPES, Limit { lines: 24_000.0, kilobytes: 82.0, share: 0.95 }),
];

/// Operators of the larger of two crates; the smaller has one.
const OPERATORS: u8 = 5;

struct Limit {
    lines: f64,
    kilobytes: f64,
    /// Seconds are limited to this share of those that a crate of one operator takes.
    share: f64,
}

fn main() -> ExitCode {
    match is_within() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(reason) => {
            eprintln!("error: what operators cost cannot be measured: {reason}");
            ExitCode::from(2)
        }
    }
}

fn is_within() -> Result<bool, Box<dyn std::error::Error>> {
    let crates = Crates::new()?;
    let mut is_within = true;
    println!("one more operator costs (at most):");
    for (style, limit) in LIMITS {
        let one = crates.cost(style, 1, 1)?;
        let more = crates.cost(style, OPERATORS.into(), 1)?;
        let Cost { seconds, bytes, lines } = more.of_each(one, f64::from(OPERATORS - 1));
        let (kilobytes, share) = (bytes / 1000.0, seconds / one.seconds);
        let costs = [
            (lines, limit.lines, "lines of LLVM"),
            (kilobytes, limit.kilobytes, "kB"),
            (share, limit.share, "of the CPU seconds of the first"),
        ];
        println!("{} ({seconds:.2} CPU s):", style.name);
        for (cost, limit, what) in costs {
            let mark = if cost > limit { " <- too much" } else { "" };
            println!("  {cost:8.2} ({limit:.2}) {what}{mark}");
            is_within &= cost <= limit;
        }
    }
    Ok(is_within)
}
