//! The program `reduce`; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    reduce_cli::run_process()
}
