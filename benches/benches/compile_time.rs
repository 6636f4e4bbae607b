//! How long operators take to compile, and how much code they become: crates of 1, 10 and 100
//! operators.
//!
//! `cargo bench -p reduce-benches --bench compile_time` prints a table for
//! `docs/log/builds.md`. It writes to the folder `compile-time` among cargo's own.

use std::error::Error;

use reduce_benches::compile::{Crates, FOUR_TYPES, GENERICS, ONE_TYPE, TWO_TYPES};

/// The fastest of this many builds counts.
const BUILDS: usize = 3;

const NUMBERS: [u8; 3] = [1, 10, 100];

fn main() -> Result<(), Box<dyn Error>> {
    let crates = Crates::new()?;
    println!("| operators | | CPU s | each | program, kB | each | lines of LLVM | each |");
    println!("|---|---|---|---|---|---|---|---|");
    for style in [ONE_TYPE, TWO_TYPES, FOUR_TYPES, GENERICS] {
        let none = crates.cost(style, 0, BUILDS)?;
        for number in NUMBERS {
            let built = crates.cost(style, number.into(), BUILDS)?;
            let each = built.of_each(none, number.into());
            println!(
                "| {number} | {} | {:.2} | {:.3} | {:.0} | {:.1} | {} | {:.0} |",
                style.name,
                built.seconds,
                each.seconds,
                built.bytes / 1000.0,
                each.bytes / 1000.0,
                built.lines,
                each.lines
            );
        }
    }
    Ok(())
}
