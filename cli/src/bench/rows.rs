//! The rows of a report: printed as they come, and kept for the page.

use std::fmt::{self, Display};
use std::io::{self, ErrorKind, Write};

use super::measure::Samples;
use crate::error::{Error, reason};

/// One measurement.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// `reduce`, alone or with the name of a device behind it, or `roofline`.
    pub(crate) library: String,
    pub(crate) threads: usize,
    pub(crate) op: &'static str,
    pub(crate) dtype: &'static str,
    pub(crate) case: String,
    /// Bytes of input read.
    pub(crate) bytes: usize,
    pub(crate) samples: Samples,
}

impl Row {
    /// Gigabytes of input per second, by the median.
    pub(crate) fn speed(&self) -> f64 {
        speed(self.bytes, self.samples.median)
    }
}

/// Gigabytes per second.
pub(crate) fn speed(bytes: usize, seconds: f64) -> f64 {
    bytes as f64 / seconds / 1e9
}

impl Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { library, threads, op, dtype, case, bytes, samples } = self;
        let Samples { count, min, median, max } = samples;
        write!(f, "{library},{threads},{op},{dtype},{case},{bytes},{count},")?;
        write!(f, "{min:.4e},{median:.4e},{max:.4e}")
    }
}

/// Why a run ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader of the rows has had enough.
    Closed,
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop::Failed(error.into())
    }
}

/// The rows so far.
#[derive(Debug, Default)]
pub(crate) struct Rows(pub(crate) Vec<Row>);

impl Rows {
    /// Prints a row at once: a run may take hours, and be watched or cut short.
    pub(crate) fn add(&mut self, row: Row) -> Result<(), Stop> {
        print(&format!("{row}\n"))?;
        self.0.push(row);
        Ok(())
    }
}

fn print(line: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| {
        match error.kind() {
            ErrorKind::BrokenPipe => Stop::Closed,
            _ => {
                let reason = reason(&error);
                Stop::Failed(Error::new(format!("standard output cannot be written: {reason}")))
            }
        }
    })
}
