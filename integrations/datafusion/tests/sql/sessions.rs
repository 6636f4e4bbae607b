//! Random queries in sessions of random settings, held against plain loops: partitions, sizes of batches, little memory, sorted
//! input, rows that are sent on as states, and whatever else lets the engine plan otherwise.
//!
//! `REDUCE_SESSIONS_SECONDS=600 cargo test --release sessions` runs for as long; `REDUCE_SESSIONS_SEED` begins elsewhere. A
//! session that fails names its number, which as a seed begins with it.

use std::time::{Duration, Instant};

use datafusion::common::{DataFusionError, Result};

use crate::cells::{Cell, rows};
use crate::queries::Query;
use crate::random::Random;
use crate::settings::Settings;
use crate::table::{Row, context_with, random_rows};
use crate::windows::{Window, numbered};

/// How many sessions there are, where no time is given.
const SESSIONS: u64 = 200;

/// What is asked in a session.
enum Asked {
    Groups(Query),
    Frames(Window),
}

impl Asked {
    /// A question, and the rows that it is asked of.
    fn random(random: &mut Random) -> (Self, Vec<Row>) {
        if random.once_in(3) {
            let number = *random.pick(&[0, 1, 40, 250]);
            return (Asked::Frames(Window::random(random)), numbered(random, number));
        }
        let number = *random.pick(&[0, 1, 5, 60, 300, 3000]);
        (Asked::Groups(Query::random(random)), random_rows(random, number))
    }

    fn sql(&self) -> String {
        match self {
            Asked::Groups(query) => query.sql(),
            Asked::Frames(window) => window.sql(),
        }
    }

    fn check(&self, found: &[Vec<Cell>], table: &[Row]) -> std::result::Result<(), String> {
        match self {
            Asked::Groups(query) => query.check(found, table),
            Asked::Frames(window) => window.check(found, table),
        }
    }
}

/// What came of a session.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Right,
    /// It had too little memory, and said so.
    OutOfMemory,
}

/// Runs a session.
///
/// # Errors
/// If it found something wrong, or failed: the sentence that says how.
async fn session(number: u64) -> std::result::Result<Ended, String> {
    let mut random = Random(number);
    let settings = Settings::any(&mut random);
    let (asked, table) = Asked::random(&mut random);
    let sql = asked.sql();
    let about = |how: String| {
        format!("session {number}: {sql} over {} rows: {how}; {settings:?}", table.len())
    };
    let ctx = context_with(&settings, &mut random, &table).map_err(|e| about(e.to_string()))?;
    match rows(&ctx, &sql).await {
        Ok(found) => asked.check(&found, &table).map(|()| Ended::Right).map_err(about),
        Err(error) if settings.is_short_of_memory() && is_out_of_memory(&error) => {
            Ok(Ended::OutOfMemory)
        }
        Err(error) => Err(about(error.to_string())),
    }
}

fn is_out_of_memory(error: &DataFusionError) -> bool {
    matches!(error.find_root(), DataFusionError::ResourcesExhausted(_))
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|value| value.parse().expect("a whole number"))
}

#[tokio::test]
async fn settings_change_no_answer() -> Result<()> {
    let seconds = number_of("REDUCE_SESSIONS_SECONDS");
    let first = number_of("REDUCE_SESSIONS_SEED").unwrap_or(1);
    let began = Instant::now();
    let (mut right, mut refused) = (0, 0);
    for number in first.. {
        let is_enough = match seconds {
            Some(seconds) => began.elapsed() >= Duration::from_secs(seconds),
            None => number >= first + SESSIONS,
        };
        if is_enough {
            break;
        }
        match session(number).await.unwrap_or_else(|how| panic!("{how}")) {
            Ended::Right => right += 1,
            Ended::OutOfMemory => refused += 1,
        }
    }
    println!("{right} sessions were right, {refused} had too little memory");
    // A refusal proves nothing, so that few may be.
    assert!(right > 4 * refused, "{right} were right, {refused} refused");
    Ok(())
}
