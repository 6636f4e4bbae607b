//! Statistics of a log that may be longer than memory, and of several logs together.
//!
//! Rows of a CSV file are read piece by piece; a stream keeps a few numbers for each column, and no row. Every file has a
//! stream of its own, and streams are merged in the end, as they would be if each came from another machine. The operator
//! is one of this program's own, with five results in one pass. It leaves out values that are missing.
//!
//! ```text
//! cargo run --release -p reduce-programs --bin sensor-log < tour/data/elnino.csv
//! cargo run --release -p reduce-programs --bin sensor-log -- MONDAY.csv TUESDAY.csv
//! ```
//!
//! The first line has the names of the columns, and the first column is a label, such as the time.

use std::fs::File;
use std::io::{BufRead, BufReader, stdin};

use reduce_core::{Accumulator, Ordered, Real, ReduceOp, Reduction, Stream, View, reduce_op};
use reduce_programs::{Failure, append_row};

/// How many of the values there are, their mean and deviation, the least and the greatest.
#[derive(Clone, Copy, Debug, Default)]
struct Describe;

#[derive(Clone, Copy, Debug, Accumulator)]
struct Seen<A> {
    count: A,
    mean: A,
    squares: A,
    least: A,
    greatest: A,
}

#[reduce_op(dtypes = [f64], nan = ignore)]
impl<A: Real + Ordered> ReduceOp<A> for Describe {
    type Acc = Seen<A>;
    type Output = (A, A, A, A, A);

    fn identity(&self) -> Seen<A> {
        Seen {
            count: A::ZERO,
            mean: A::ZERO,
            squares: A::ZERO,
            least: A::INFINITY,
            greatest: A::NEG_INFINITY,
        }
    }

    fn map(&self, x: A) -> Seen<A> {
        let seen = Seen { count: A::ONE, mean: x, squares: A::ZERO, least: x, greatest: x };
        if x.is_nan() { ReduceOp::<A>::identity(self) } else { seen }
    }

    /// Chan, Golub and `LeVeque` (1979): no difference of large numbers.
    fn combine(&self, a: Seen<A>, b: Seen<A>) -> Seen<A> {
        let (count, distance) = (a.count + b.count, b.mean - a.mean);
        let weight = b.count / count;
        let both = Seen {
            count,
            mean: a.mean + distance * weight,
            squares: a.squares + b.squares + distance * distance * a.count * weight,
            least: if b.least < a.least { b.least } else { a.least },
            greatest: if b.greatest > a.greatest { b.greatest } else { a.greatest },
        };
        match () {
            () if a.count == A::ZERO => b,
            () if b.count == A::ZERO => a,
            () => both,
        }
    }

    fn finalize(&self, seen: Seen<A>, _count: usize) -> (A, A, A, A, A) {
        (seen.count, seen.mean, (seen.squares / seen.count).sqrt(), seen.least, seen.greatest)
    }
}

/// The names of the columns of a log, and what was seen of each column.
type Log = (String, Stream<Describe, f64>);

fn main() -> Result<(), Failure> {
    let mut logs = Vec::new();
    for path in std::env::args().skip(1) {
        let file = File::open(&path).map_err(|error| format!("cannot read {path}: {error}"))?;
        logs.push(read(BufReader::new(file)).map_err(|error| error.at(&path))?);
    }
    if logs.is_empty() {
        logs.push(read(stdin().lock())?);
    }
    let (names, mut all) = logs.remove(0);
    for (other, log) in logs {
        if other != names {
            return Err(
                format!("logs have the same columns; one has {names}, another {other}").into()
            );
        }
        all.merge(&log)?;
    }
    let (count, mean, deviation, least, greatest) = all.finish()?;
    let low = least.data().iter().copied().fold(f64::INFINITY, f64::min);
    let high = greatest.data().iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return Err("there is no value behind any label".into());
    }
    println!(
        "column        count       mean  deviation      least   greatest  {low:<9.3}{high:>21.3}"
    );
    for (column, name) in names.split(',').skip(1).enumerate() {
        let numbers = [&mean, &deviation, &least, &greatest].map(|of_all| of_all.data()[column]);
        let [mean, deviation, least, greatest] = numbers;
        let drawn = bar([least, mean - deviation, mean, mean + deviation, greatest]
            .map(|x| (x - low) / (high - low)));
        let (name, count) = (name.trim_matches('"'), count.data()[column]);
        if count == 0.0 {
            println!("{name:10}{count:9}  no values");
            continue;
        }
        println!(
            "{name:10}{count:9}{mean:11.3}{deviation:11.3}{least:11.3}{greatest:11.3}  {drawn}"
        );
    }
    Ok(())
}

/// Reads a log in pieces of up to 1000 rows.
fn read(log: impl BufRead) -> Result<Log, Failure> {
    let mut lines = log.lines();
    let names = lines.next().transpose()?.unwrap_or_default();
    let columns = names.split(',').skip(1).count();
    if columns == 0 {
        return Err("the first line of a log names its columns, with commas between: a label, then the sensors".into());
    }
    let mut stream = Stream::over(Reduction::new(Describe).axes([0]));
    let mut rows = Vec::new();
    for (index, line) in lines.enumerate() {
        append_row(&mut rows, &line?, index + 2, columns)?;
        if rows.len() == 1000 * columns {
            stream.update(&View::new(&rows, &[1000, columns])?)?;
            rows.clear();
        }
    }
    stream.update(&View::new(&rows, &[rows.len() / columns, columns])?)?;
    Ok((names, stream))
}

/// A column drawn between 0 and 1: thin from the least value to the greatest, thick within a deviation of the mean.
fn bar(places: [f64; 5]) -> String {
    // Places in 30 cells; a column without values has none.
    let [least, low, mean, high, greatest] = places.map(|place| (place * 29.0).round());
    let cell = |at: f64| match () {
        () if at == mean => '●',
        () if (low..=high).contains(&at) => '━',
        () if (least..=greatest).contains(&at) => '─',
        () => ' ',
    };
    (0..30).map(|at| cell(f64::from(at))).collect::<String>().trim_end().to_owned()
}
