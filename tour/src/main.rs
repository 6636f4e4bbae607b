//! Prints the tour.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let printed = match reduce_tour::text() {
        Ok(text) => io::stdout().write_all(text.as_bytes()).map_err(|error| match error.kind() {
            // A reader that stops reading, such as `head`, has had enough.
            ErrorKind::BrokenPipe => None,
            _ => Some(format!("standard output cannot be written: {error}")),
        }),
        Err(error) => Err(Some(error.to_string())),
    };
    let Err(Some(error)) = printed else { return ExitCode::SUCCESS };
    // Nobody is left to tell if standard error is closed.
    let _ = writeln!(io::stderr(), "error: {error}");
    ExitCode::from(2)
}
